"""Hosts: by which names and addresses a house is asked; it resolves none of them.

A page of another site can let its own name point to this machine and then ask us as if it were ours. Its requests
still say that name, so only the house's own are answered.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final, Self
from urllib.parse import urlsplit

import msgspec

LOOPBACK: Final = "localhost"
SHOWN_MAX: Final = 100


class Hosts(msgspec.Struct, frozen=True):
    """The names a house answers to, and whether any address as a number will do: none of those can point elsewhere."""

    names: frozenset[str]
    any_address: bool = False

    @classmethod
    def of(cls, listens_at: str, addresses: Iterable[str], names: Iterable[str]) -> Self:
        """Return what a house answers to that listens somewhere, is reached at some addresses, and was given names."""
        reached = (urlsplit(one).hostname or "" for one in addresses)
        known = {name_of(one) for one in (listens_at, *reached, *names) if one}
        at = _number(name_of(listens_at))
        return cls(frozenset(known), any_address=at is not None and at.is_unspecified)

    def knows(self, host: str) -> bool:
        """Whether a request is for this house, by its header Host."""
        name = name_of(host)
        number = _number(name)
        if number is not None and (number.is_loopback or self.any_address):
            return True
        return name in self.names or name == LOOPBACK or name.endswith(f".{LOOPBACK}")


def name_of(host: str) -> str:
    """Return the name or address in a header Host or a setting, without its port."""
    bare = host.strip().casefold()
    if bare.startswith("["):
        return bare[1:].partition("]")[0]
    name = bare if bare.count(":") > 1 else bare.partition(":")[0]
    return name.rstrip(".")


def refusal(host: str) -> str:
    """Return the sentence for a request under a name that is not the house's."""
    told = name_of(host)[:SHOWN_MAX]
    return (
        f"expected a request to a name of this house, got one to {told!r}: "
        "if that is its name, add it to the setting host_names"
    )


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return None
