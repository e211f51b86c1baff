"""Pixels: a round as an image, as its player sees it: cards, bets and the result, drawn without a library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.rules.cards import RANKS, Card

Image = NDArray[np.uint8]
HEIGHT: Final = 120
WIDTH: Final = 240
_FELT: Final = (18, 92, 60)
_PAPER: Final = (250, 248, 240)
_BACK: Final = (150, 30, 40)
_EDGE: Final = (20, 20, 20)
_INKS: Final = {"c": (10, 100, 45), "d": (20, 80, 175), "h": (185, 20, 20), "s": (15, 15, 15)}
_CHIP: Final = (240, 200, 60)
_GONE: Final = (60, 120, 90)
_CARD: Final = (36, 50)
"""Width and height of a card."""
_GLYPHS: Final = dict(
    zip(
        RANKS + "cdhs",
        (
            *("61247", "61216", "55711", "74616", "34757", "71244", "75757", "75716", "57775"),
            *("11152", "25563", "55655", "25755", "25752", "25752", "57772", "27572"),
        ),
        strict=True,
    )
)
"""Each sign as five rows of three dots, an octal digit a row, the left dot first; a ten is drawn as X."""
_SCALE: Final = 4


def draw(cards: Sequence[Card], rides: Sequence[bool], reward: float) -> Image:
    """Return what one player knows of five cards: the first three are theirs, the last two are turned one by one."""
    image = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    image[:] = _FELT
    for place, card in enumerate(cards[:5]):
        _draw_card(image, 6 + place * 46 + (6 if place > 2 else 0), card if place < 3 + len(rides) else None)
    for bet in range(3):
        rode = bet == 2 or bet >= len(rides) or rides[bet]
        _fill(image, (20 + bet * 40, 72), (20, 20), _CHIP if rode else _GONE)
    if len(rides) == 2 and reward:
        length = min(WIDTH - 12, 6 + int(abs(reward) * 6))
        _fill(image, (6, 104), (length, 8), _INKS["c"] if reward > 0 else _INKS["h"])
    return image


def _fill(image: Image, corner: tuple[int, int], size: tuple[int, int], colour: tuple[int, int, int]) -> None:
    (left, top), (width, height) = corner, size
    image[top : top + height, left : left + width] = colour


def _draw_card(image: Image, left: int, card: Card | None) -> None:
    width, height = _CARD
    _fill(image, (left, 10), (width, height), _EDGE)
    _fill(image, (left + 1, 11), (width - 2, height - 2), _PAPER if card is not None else _BACK)
    if card is not None:
        for sign, top in ((RANKS[card.rank - 2], 13), (card.suit, 36)):
            _draw_sign(image, left + 12, top, sign, _INKS[card.suit])


def _draw_sign(image: Image, left: int, top: int, sign: str, ink: tuple[int, int, int]) -> None:
    for row, digit in enumerate(_GLYPHS[sign]):
        for column in range(3):
            if int(digit, 8) & (4 >> column):
                _fill(image, (left + column * _SCALE, top + row * _SCALE), (_SCALE, _SCALE), ink)
