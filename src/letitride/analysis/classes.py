"""Classes: the 33 kinds of three cards and the 33 kinds of four cards, with their prospects; proven in the tests.

Each line: kind, ways to a straight (flush), high cards, how many hands are of that class, and how often each category
comes of them, in the order of `find_rows.PAYING`: for three cards out of 49 times 48 ordered community cards, for four
cards out of 48.
"""

from __future__ import annotations

from typing import Final

from letitride.analysis.base_rows import FOUR_CARD_ROWS
from letitride.analysis.features import Kind

Line = tuple[Kind, int, int, int, tuple[int, ...]]

THREE_CARDS: Final[tuple[Line, ...]] = (
    ("three", 0, 0, 52, (0, 0, 96, 144, 0, 0, 2112, 0, 0, 0)),
    ("high_pair", 0, 0, 1440, (0, 0, 2, 18, 0, 0, 176, 396, 1760, 0)),
    ("low_pair", 0, 0, 2304, (0, 0, 2, 18, 0, 0, 176, 396, 0, 1760)),
    ("suited", 3, 3, 4, (2, 4, 0, 0, 84, 90, 18, 54, 744, 1356)),
    ("suited", 3, 2, 4, (0, 6, 0, 0, 84, 90, 18, 54, 516, 1584)),
    ("suited", 3, 1, 4, (0, 6, 0, 0, 84, 90, 18, 54, 288, 1812)),
    ("suited", 3, 0, 20, (0, 6, 0, 0, 84, 90, 18, 54, 60, 2040)),
    ("suited", 2, 3, 12, (2, 2, 0, 0, 86, 60, 18, 54, 744, 1386)),
    ("suited", 2, 2, 12, (0, 4, 0, 0, 86, 60, 18, 54, 516, 1614)),
    ("suited", 2, 1, 12, (0, 4, 0, 0, 86, 60, 18, 54, 288, 1842)),
    ("suited", 2, 0, 44, (0, 4, 0, 0, 86, 60, 18, 54, 60, 2070)),
    ("suited", 1, 3, 24, (2, 0, 0, 0, 88, 30, 18, 54, 744, 1416)),
    ("suited", 1, 2, 24, (0, 2, 0, 0, 88, 30, 18, 54, 516, 1644)),
    ("suited", 1, 1, 48, (0, 2, 0, 0, 88, 30, 18, 54, 288, 1872)),
    ("suited", 1, 0, 48, (0, 2, 0, 0, 88, 30, 18, 54, 60, 2100)),
    ("suited", 0, 2, 280, (0, 0, 0, 0, 90, 0, 18, 54, 516, 1674)),
    ("suited", 0, 1, 496, (0, 0, 0, 0, 90, 0, 18, 54, 288, 1902)),
    ("suited", 0, 0, 112, (0, 0, 0, 0, 90, 0, 18, 54, 60, 2130)),
    ("unsuited", 3, 3, 60, (0, 0, 0, 0, 0, 96, 18, 54, 744, 1440)),
    ("unsuited", 3, 2, 60, (0, 0, 0, 0, 0, 96, 18, 54, 516, 1668)),
    ("unsuited", 3, 1, 60, (0, 0, 0, 0, 0, 96, 18, 54, 288, 1896)),
    ("unsuited", 3, 0, 300, (0, 0, 0, 0, 0, 96, 18, 54, 60, 2124)),
    ("unsuited", 2, 3, 180, (0, 0, 0, 0, 0, 64, 18, 54, 744, 1472)),
    ("unsuited", 2, 2, 180, (0, 0, 0, 0, 0, 64, 18, 54, 516, 1700)),
    ("unsuited", 2, 1, 180, (0, 0, 0, 0, 0, 64, 18, 54, 288, 1928)),
    ("unsuited", 2, 0, 660, (0, 0, 0, 0, 0, 64, 18, 54, 60, 2156)),
    ("unsuited", 1, 3, 360, (0, 0, 0, 0, 0, 32, 18, 54, 744, 1504)),
    ("unsuited", 1, 2, 360, (0, 0, 0, 0, 0, 32, 18, 54, 516, 1732)),
    ("unsuited", 1, 1, 720, (0, 0, 0, 0, 0, 32, 18, 54, 288, 1960)),
    ("unsuited", 1, 0, 720, (0, 0, 0, 0, 0, 32, 18, 54, 60, 2188)),
    ("unsuited", 0, 2, 4200, (0, 0, 0, 0, 0, 0, 18, 54, 516, 1764)),
    ("unsuited", 0, 1, 7440, (0, 0, 0, 0, 0, 0, 18, 54, 288, 1992)),
    ("unsuited", 0, 0, 1680, (0, 0, 0, 0, 0, 0, 18, 54, 60, 2220)),
)
_FOUR_CARDS: Final[tuple[tuple[Kind, int, int, int, int], ...]] = (
    ("four", 0, 0, 13, 10),
    ("three", 0, 0, 2496, 11),
    ("two_pair", 0, 0, 2808, 12),
    ("high_pair", 0, 0, 31680, 27),
    ("low_pair", 0, 0, 50688, 28),
    ("suited", 2, 4, 4, 0),
    ("suited", 2, 3, 4, 2),
    ("suited", 2, 2, 4, 3),
    ("suited", 2, 1, 4, 4),
    ("suited", 2, 0, 20, 5),
    ("suited", 1, 4, 16, 1),
    ("suited", 1, 3, 16, 6),
    ("suited", 1, 2, 16, 7),
    ("suited", 1, 1, 32, 8),
    ("suited", 1, 0, 48, 9),
    ("suited", 0, 3, 300, 13),
    ("suited", 0, 2, 1100, 14),
    ("suited", 0, 1, 1084, 15),
    ("suited", 0, 0, 212, 16),
    ("unsuited", 2, 4, 252, 17),
    ("unsuited", 2, 3, 252, 18),
    ("unsuited", 2, 2, 252, 19),
    ("unsuited", 2, 1, 252, 20),
    ("unsuited", 2, 0, 1260, 21),
    ("unsuited", 1, 4, 1008, 22),
    ("unsuited", 1, 3, 1008, 23),
    ("unsuited", 1, 2, 1008, 24),
    ("unsuited", 1, 1, 2016, 25),
    ("unsuited", 1, 0, 3024, 26),
    ("unsuited", 0, 3, 18900, 29),
    ("unsuited", 0, 2, 69300, 30),
    ("unsuited", 0, 1, 68292, 31),
    ("unsuited", 0, 0, 13356, 32),
)
FOUR_CARDS: Final[tuple[Line, ...]] = tuple(
    (kind, ways, highs, hands, FOUR_CARD_ROWS[row]) for kind, ways, highs, hands, row in _FOUR_CARDS
)
