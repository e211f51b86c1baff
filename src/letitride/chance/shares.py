"""Shares: what seats put into a shuffle, and the bytes it goes by; knows nothing of the deck.

The byte formats are in docs/fairness.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, TypeVar

from letitride.errors import InvalidData

SECRET_SIZE: Final = 32
"""Bytes of a salt or a nonce: as many as the digest that hides it."""
TABLE_BYTES_MAX: Final = 255
ROUND_MAX: Final = 2**63 - 1
SHUFFLE_MAX: Final = 2**31 - 1
SEAT_MAX: Final = 255


def digest_of(what: bytes, *parts: bytes) -> bytes:
    """Return the digest of parts in the domain of what they are: no leaf can be read as a node, no root as a key."""
    return sha256(b"".join((b"letitride/fair/2/", what, b"\0", *parts))).digest()


@dataclass(frozen=True, slots=True)
class ShuffleId:
    """Which shuffle: of which table, for which of its rounds, and which of that round's; a redeal is the next."""

    table: str
    round: int
    shuffle: int = 1

    def __post_init__(self) -> None:
        check_text("a table's name", self.table, TABLE_BYTES_MAX)
        for what, number, most in (("round", self.round, ROUND_MAX), ("shuffle", self.shuffle, SHUFFLE_MAX)):
            if not 1 <= number <= most:
                raise InvalidData(f"expected a {what} from 1 to {most}, got {number}")

    @property
    def content(self) -> bytes:
        """Its name and numbers as bytes."""
        name = self.table.encode()
        numbers = self.round.to_bytes(8, "big") + self.shuffle.to_bytes(4, "big")
        return len(name).to_bytes(1, "big") + name + numbers

    @property
    def digest(self) -> bytes:
        """What every other digest of the shuffle is bound to."""
        return digest_of(b"id", self.content)


@dataclass(frozen=True, slots=True, order=True)
class Pledge:
    """A seat's commitment to a nonce that no one else knows."""

    seat: int
    digest: bytes

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        check_size("a seat's commitment", self.digest)


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """The digest of a seat's nonce: its part in the dice, which binds the seat and does not tell the nonce."""

    seat: int
    link: bytes

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        check_size("a link", self.link)


@dataclass(frozen=True, slots=True, order=True)
class Reveal:
    """The nonce a seat pledged."""

    seat: int
    nonce: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _check_seat(self.seat)
        check_size("a nonce", self.nonce)

    @property
    def link(self) -> Link:
        """What is revealed of it for the dice."""
        return Link(self.seat, link_of(self.nonce))


def link_of(nonce: bytes) -> bytes:
    """Return the link of a nonce."""
    return digest_of(b"link", nonce)


def pledge(shuffle: ShuffleId, reveal: Reveal) -> Pledge:
    """Return the pledge of what a seat will reveal. It holds the seat's number, so no seat can pledge a copy of it."""
    return pledged(shuffle, reveal.link)


def pledged(shuffle: ShuffleId, one: Link) -> Pledge:
    """Return the pledge that a link belongs to."""
    return Pledge(one.seat, digest_of(b"seat", shuffle.digest, bytes([one.seat]), one.link))


def listed(entries: Iterable[tuple[int, bytes]]) -> bytes:
    """Return how many there are, then each seat with its bytes."""
    found = [bytes([seat]) + content for seat, content in entries]
    return bytes([len(found)]) + b"".join(found)


_OfSeat = TypeVar("_OfSeat", Pledge, Link, Reveal)


def by_seat(many: Iterable[_OfSeat]) -> tuple[_OfSeat, ...]:
    """Return them by rising seat; two of one seat are refused."""
    found = tuple(sorted(many))
    if len({one.seat for one in found}) != len(found):
        raise InvalidData(f"expected one of each seat, got seats {[one.seat for one in found]}")
    return found


def _check_seat(seat: int) -> None:
    if not 1 <= seat <= SEAT_MAX:
        raise InvalidData(f"expected a seat from 1 to {SEAT_MAX}, got {seat}")


def check_size(what: str, secret: bytes) -> None:
    """Refuse bytes that are not as many as a digest has."""
    if len(secret) != SECRET_SIZE:
        raise InvalidData(f"expected {what} of {SECRET_SIZE} bytes, got {len(secret)}")


def check_text(what: str, text: str, most: int) -> None:
    """Refuse a text that is empty, too long, or has no bytes."""
    try:
        fits = 1 <= len(text.encode()) <= most
    except UnicodeEncodeError:  # half of a pair of surrogates: no bytes, so no digest
        fits = False
    if not fits:
        raise InvalidData(f"expected {what} of 1 to {most} bytes in UTF-8, got {text[:80]!r}")
