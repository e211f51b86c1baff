"""Game: a table and a way to play it as arrays of whole numbers, which every back end reads; needs NumPy alone.

Cards are words. The low 13 bits of a word are a rank key: sums of three of them tell all sets of three ranks apart.
Above them each suit has three bits that count its cards, and above those lies the rank itself, 0 for a two. Words are
added, never sorted: a packet's sum finds its row in `packets`, and that row with the ranks of the two community cards
finds the hand in `outcomes`.

`packets`, by the sum of three rank keys: bits 0-8 the number of the three ranks; bit 9 whether bet 1 rides, bit 10 the
same where the three are suited; bits 11-13 the three-card category, bits 14-16 the same where they are suited.

`outcomes`, by the ranks of both community cards and the number of the three ranks: bits 0-3 the code of the hand if it
is no flush; bits 4-7 whether bet 2 rides: bit 4 + suited + 2 x (bet 1 rides).

Codes are the columns of the analysis (0 royal flush to 8 tens or better, 9 what loses) and 10, a straight from ten to
ace, which pays as any straight and is a royal flush in one suit. A cell is 4 x code + 2 x (bet 1 rides) + (bet 2
rides).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from letitride.simulation.listed import Listed
from letitride.simulation.pooled import Pooled
from letitride.simulation.takes import Takes

PartData = dict[str, Any]
"""A part of a run as a saved state keeps it and `--json` prints it: a codec's form, which `from_data` reads back."""
BLOCK: Final = 1024
"""Rounds of one block; each block has a generator of its own, seeded by (seed, block)."""
SEATS_MAX: Final = 7
RANK_KEYS: Final = (0, 8, 22, 25, 40, 78, 129, 206, 304, 469, 808, 1153, 1324)
"""Small numbers, found by search, of which no two sets of three have the same sum."""
KEY_BITS: Final = 13
RANK_SHIFT: Final = 25
SUIT_ONES: Final = sum(1 << (KEY_BITS + 3 * suit) for suit in range(4))
"""A one in each suit's count."""
SUIT_MASK: Final = 7 * SUIT_ONES
RANK_SETS: Final = 455
"""The sets of three ranks."""
CODES: Final = 11
BROADWAY: Final = 10
CELLS: Final = 4 * CODES
THREES: Final = 7
"""The categories of three cards."""
WARM_UP: Final = 18
"""Numbers that a generator throws away after it was seeded."""

Counts = NDArray[np.int64]
Words = NDArray[np.uint32]


def card_words() -> Words:
    """Return the words of the 52 cards, in the order of their index."""
    cards = [(index // 4, index % 4) for index in range(52)]
    return np.array(
        [RANK_KEYS[rank] | 1 << (KEY_BITS + 3 * suit) | rank << RANK_SHIFT for rank, suit in cards], np.uint32
    )


def reject_below(cards: int, drawn: int) -> int:
    """Return from where on a 32-bit remainder is fair when so many cards are drawn after others were."""
    ways = 1
    for left in range(52 - drawn, 52 - drawn - cards, -1):
        ways *= left
    return int((1 << 32) % ways)


def blocks_of(rounds: int) -> int:
    """Return how many blocks so many rounds need."""
    return -(-rounds // BLOCK)


FLUSHES: Final = np.array([4, 4, 4, 4, 4, 1, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4], np.uint8)
"""What a code becomes where the five cards are of one suit."""
PACKET_REJECTS: Final = np.array([reject_below(3, 3 * seat) for seat in range(SEATS_MAX)], np.uint32)
COMMUNITY_REJECTS: Final = np.array([reject_below(2, 3 * seats) for seats in range(SEATS_MAX + 1)], np.uint32)


@dataclass(frozen=True, slots=True)
class Game:
    """A table of so many seats that all bet alike and play alike. Results are in cents, won less lost."""

    seats: int
    packets: NDArray[np.uint32]
    outcomes: NDArray[np.uint8]
    base_nets: Counts
    """By cell: the results of the three base bets."""
    five_nets: Counts
    """By cell: the result of a side bet on the five-card hand."""
    three_nets: Counts
    """By three-card category."""
    best_nets: Counts
    """By the code of the best hand of the table."""
    sides: bool
    """Whether any of those three side bets is made; nothing is counted for them otherwise."""
    listed: Listed | None = None
    """Every other wager, told by tables of its own."""
    takes: Takes | None = None
    """The hands that take of meters."""
    pooled: Pooled | None = None
    """The maximum payout that hands of a round have together."""

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the tallies depend on, beside the seed and the number of rounds.

        Meters are left out: they are reckoned from the same rounds, and a meter's tally has the digest of its wager.
        """
        found = sha256(f"letitride game 1, {self.seats} seats, sides {self.sides}".encode())
        nets = self.base_nets, self.five_nets, self.three_nets, self.best_nets
        tables = [part for one in (self.listed, self.pooled) if one is not None for part in one.arrays().values()]
        for part in (self.packets, self.outcomes, *nets, *tables):
            found.update(np.ascontiguousarray(part).tobytes())
        return found.hexdigest()

    def arrays(self) -> dict[str, NDArray[Any] | int | bool]:
        """Return the game as plain arrays, for a file that carries it to another machine."""
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in _TABLES}
        tables = (one for one in (self.listed, self.takes, self.pooled) if one is not None)
        return plain | {name: part for one in tables for name, part in one.arrays().items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> Game:
        """Return the game that `arrays` gave, out of NumPy's file."""
        plain = {name: arrays[name] for name in cls.__slots__ if name not in _TABLES}
        tables = {
            "listed": Listed.from_arrays(arrays),
            "takes": Takes.from_arrays(arrays),
            "pooled": Pooled.from_arrays(arrays),
        }
        return cls(**{**plain, "seats": int(plain["seats"]), "sides": bool(plain["sides"]), **tables})


_TABLES: Final = frozenset({"listed", "takes", "pooled"})
