"""Known devices: what marks a browser on which a person has signed in, by a key that no one else has; opens nothing."""

from __future__ import annotations

import hmac

from letitride.server.people.names import key_of


def device_of(name: str, password: str, at_ms: int) -> str:
    """Return what marks a device of a person; a new password makes all of them strangers."""
    return f"{at_ms}.{_mark(name, password, str(at_ms))}"


def is_device_of(name: str, password: str, device: str) -> bool:
    """Whether a person has signed in on a device with the password they have now."""
    at_ms, _, mark = device.partition(".")
    return bool(password) and hmac.compare_digest(mark.encode(), _mark(name, password, at_ms).encode())


def _mark(name: str, password: str, at_ms: str) -> str:
    said = f"letitride-device/1/{key_of(name)}/{at_ms}"
    return hmac.new(password.encode(), said.encode(errors="replace"), "sha256").hexdigest()
