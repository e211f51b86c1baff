"""Machines: whether two processes reach one another over this machine's own loopback; it opens no connection."""

from __future__ import annotations

import ipaddress
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path


@cache
def this_machine() -> str:
    """Return what tells this machine from others, and a container on it from the next."""
    with suppress(OSError):
        booted = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{booted}/{Path('/proc/self/ns/net').stat().st_ino}"
    return platform.node()


def is_loopback(host: str) -> bool:
    """Whether an address leads to the very machine that uses it."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def host_and_port(address: str, port: int = 0) -> tuple[str, int]:
    """Return the two parts of 'host:port', '[::1]:port' or a bare host."""
    host, colon, number = address.rpartition(":")
    if not colon or number.endswith("]") or (":" in host and not host.startswith("[")):
        return address.strip("[]"), port
    return host.strip("[]"), int(number)
