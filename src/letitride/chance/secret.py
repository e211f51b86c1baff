"""Secret: the house's part of a shuffle, which is its deck, the salts that hide it and the tree over both."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from letitride.chance.live import Live
from letitride.chance.shares import SECRET_SIZE, ShuffleId, check_size, digest_of
from letitride.errors import InvalidData
from letitride.rules.cards import FACES

LEAVES: Final = 64
"""A deck's 52 leaves, that of the dice, and padding, so that every card has a path of six."""


@dataclass(frozen=True)
class Secret:
    """What the house keeps until the round is over: the deck it mixed, a salt for each card, and one for the dice."""

    id: ShuffleId
    faces: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    """One for each card, then the dice's."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faces", tuple(self.faces))
        object.__setattr__(self, "salts", tuple(self.salts))
        if sorted(self.faces) != _SORTED_FACES:
            raise InvalidData(f"expected the 52 faces in some order, got {len(self.faces)} that are not")
        if not len(self.salts) == len(set(self.salts)) == len(FACES) + 1:
            raise InvalidData(f"expected {len(FACES) + 1} different salts, got {len(set(self.salts))}")
        for salt in self.salts:
            check_size("a salt", salt)

    @cached_property
    def tree(self) -> list[list[bytes]]:
        """The digests from the leaves to the top."""
        cards = zip(_NUMBERS, self.salts, self.faces, strict=False)  # the last salt is not a card's
        level = [digest_of(b"leaf", number, salt, face.encode()) for number, salt, face in cards]
        level += [digest_of(b"dice", self.dice_salt), *_PADDING]
        levels = [level]
        while len(level) > 1:
            level = [digest_of(b"node", level[at], level[at + 1]) for at in range(0, len(level), 2)]
            levels.append(level)
        return levels

    @property
    def merkle(self) -> bytes:
        """The top of the tree: what the house publishes as soon as its deck is mixed."""
        return self.tree[-1][0]

    def path(self, leaf: int) -> list[str]:
        """Return the digests beside the way from a leaf to the top, for JSON."""
        return [level[(leaf >> height) ^ 1].hex() for height, level in enumerate(self.tree[:-1])]

    @property
    def dice_salt(self) -> bytes:
        """What the house adds to the dice."""
        return self.salts[-1]

    def opened(self) -> tuple[tuple[str, bytes], ...]:
        """Return the cards with their salts."""
        return tuple(zip(self.faces, self.salts[:-1], strict=True))


def draw(shuffle: ShuffleId) -> Secret:
    """Mix a deck by live chance; its `merkle` is for the public."""
    live = Live()
    octets = live.secret(SECRET_SIZE * (len(FACES) + 1))
    salts = tuple(octets[at : at + SECRET_SIZE] for at in range(0, len(octets), SECRET_SIZE))
    return Secret(shuffle, live.order(), salts)


_SORTED_FACES: Final = sorted(FACES)
_NUMBERS: Final = tuple(bytes([number]) for number in range(len(FACES)))
_PADDING: Final = (digest_of(b"pad"),) * (LEAVES - len(FACES) - 1)
