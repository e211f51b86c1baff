"""Authenticator app: codes that change every 30 seconds (RFC 6238), as all apps make them; keeps no secret.

Six digits, SHA-1, 30 seconds: other values are in the standard, but many apps ignore them without a word.
"""

from __future__ import annotations

import base64
import io
import secrets
from typing import Final

import segno
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor import InvalidToken
from cryptography.hazmat.primitives.twofactor.totp import TOTP

SECRET_SIZE: Final = 20
DIGITS: Final = 6
STEP_SECONDS: Final = 30
DRIFT_STEPS: Final = 1
"""How many steps a phone's clock may be off, either way."""


def new_secret() -> bytes:
    """Return a secret for an app."""
    return secrets.token_bytes(SECRET_SIZE)


def typed(secret: bytes) -> str:
    """Return a secret as people type it into an app."""
    return base64.b32encode(secret).decode()


def address(secret: bytes, name: str, house: str) -> str:
    """Return the address by which an app takes a secret: what its QR code says."""
    return _totp(secret).get_provisioning_uri(name, house)


def qr_code(text: str) -> str:
    """Return a text as a QR code, as an SVG file."""
    file = io.BytesIO()
    segno.make(text, micro=False).save(
        file, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return file.getvalue().decode()


def step_of(secret: bytes, code: str, at_ms: int) -> int | None:
    """Return the time step that a code belongs to; None where it is not of now."""
    if len(code) != DIGITS or not (code.isascii() and code.isdigit()):
        return None
    totp, now = _totp(secret), at_ms // 1000 // STEP_SECONDS
    found = None
    for step in range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1):
        try:
            totp.verify(code.encode(), step * STEP_SECONDS)
        except InvalidToken:
            continue
        found = step  # of two steps with the same code the later one: both are used up
    return found


def code_at(secret: bytes, at_ms: int) -> str:
    """Return the code that an app shows."""
    return _totp(secret).generate(at_ms // 1000).decode()


def _totp(secret: bytes) -> TOTP:
    return TOTP(secret, DIGITS, SHA1(), STEP_SECONDS)  # noqa: S303 - what apps do; HMAC does not need more of it
