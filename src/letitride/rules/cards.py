"""Cards: the 52 faces and the joker, how they are read and written; never where a card lies."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NoReturn

from letitride.errors import InvalidData

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
_CARD: Final = f"(?:10|[{RANKS}])[{SUITS}]"

RANK_NAMES: Final = dict(
    zip(
        range(2, 15),
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
        strict=True,
    )
)
SUIT_NAMES: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class Card:
    """One face of the 52: `Card.parse("Th")` is the ten of hearts, and there is only one of it.

    `rank` runs from 2 to 14 (ace), `suit` is one of c, d, h, s, and `index` from 0 (2c) to 51 (As).
    Suits have no order among themselves; `index` only gives lists a stable one. `JOKER` stands beside the 52: it has
    no rank and no suit, and nothing is made of it.
    """

    __slots__ = ("index", "rank", "suit")

    rank: int
    suit: str
    index: int

    def __new__(cls, rank: int, suit: str) -> Card:
        """Return the one card of this rank and suit."""
        try:
            return _FOUND[rank, suit]
        except (KeyError, TypeError):
            raise InvalidData(
                f"expected a rank from 2 to 14 and a suit of c, d, h or s, got {rank!r} and {suit!r}"
            ) from None

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card such as 'Th', 'as' or '10h'."""
        if not isinstance(text, str):
            raise InvalidData(f"expected a card like 'Th', got {text!r}")
        wanted = text.strip()
        rank, suit = wanted[:-1].upper().replace("10", "T"), wanted[-1:].lower()
        if len(rank) != 1 or rank not in RANKS or suit not in SUITS:
            raise InvalidData(f"expected a card like 'Th', got {text!r}")
        return cls(RANKS.index(rank) + 2, suit)

    @property
    def name(self) -> str:
        """The card in words: 'ten of hearts'."""
        if self is JOKER:
            return "joker"
        return f"{RANK_NAMES[self.rank]} of {SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return RANKS[self.rank - 2] + self.suit if self.rank else _JOKER

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})" if self.rank else "JOKER"

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[type[Card], tuple[int, str]]:
        return Card, (self.rank, self.suit)  # a copy or an unpickled card is the same card

    def __setattr__(self, name: str, _value: object) -> NoReturn:
        raise AttributeError(f"a card never changes, so its {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a card never changes, so its {name} cannot be deleted")


def _make(rank: int, suit: str, index: int) -> Card:
    card = object.__new__(Card)
    object.__setattr__(card, "rank", rank)
    object.__setattr__(card, "suit", suit)
    object.__setattr__(card, "index", index)
    return card


_JOKER: Final = "Joker"
_CARDS: Final = {
    (rank, suit): _make(rank, suit, 4 * (rank - 2) + place) for rank in range(2, 15) for place, suit in enumerate(SUITS)
}

DECK: Final = tuple(_CARDS.values())
"""The 52 cards, from 2c to As: no jokers."""
JOKER: Final = _make(0, "", len(DECK))
"""A card that belongs to no deck of this game, and may be found in one."""
_FOUND: Final = {**_CARDS, (JOKER.rank, JOKER.suit): JOKER}
FACES: Final = tuple(map(str, DECK))
"""The faces of the 52 as text, in the same order."""


def parse_face(text: str) -> Card:
    """Read a card as it may turn up at a table: one of the 52, or the joker."""
    return JOKER if text.strip().lower() == _JOKER.lower() else Card.parse(text)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written as 'Th 9c 2d', 'Th,9c,2d' or 'Th9c2d'; a card may not come twice."""
    words = text.replace(",", " ").split()
    if len(words) == 1 and re.fullmatch(f"({_CARD}){{2,}}", words[0], re.IGNORECASE):
        words = [match[0] for match in re.finditer(_CARD, words[0], re.IGNORECASE)]
    return distinct(Card.parse(word) for word in words)


def distinct(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards in their order; refuse a card that comes twice."""
    seen = tuple(cards)
    if len({card.index for card in seen}) != len(seen):
        twice = next(card for place, card in enumerate(seen) if card in seen[:place])
        raise InvalidData(f"expected {len(seen)} different cards, got {twice} twice in '{show(seen)}'")
    return seen


def show(cards: Iterable[Card]) -> str:
    """Write cards as 'Th 9c 2d'."""
    return " ".join(map(str, cards))
