"""What the clause tests share: a table by a book, and paytables as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import Pays
from letitride.rules.rulebook import RuleBook
from letitride.rules.settlement import Hand, Spot, category_of, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wagers import Award
from tests.paytables import base_paytable

FEES = [
    {"limit_cents_max": 10_000, "wager_cents": 50, "bank_cents": 200},
    {"limit_cents_max": 50_000, "wager_cents": 100, "bank_cents": 300},
]
STATED = {"limit.cents_min": 500, "limit.cents_max": 10_000, "fee.tiers": FEES}
"""What a California card room has to state."""


HD_BASE = (200, 100, 50, 11, 8, 5, 3, 2, 1)
LIRX_01 = (1000, 200, 50, 11, 8, 5, 3, 2, 1)


def paytable_file(folder: Path, pays: tuple[int, ...], **changed: int) -> str:
    """Write a base paytable of a house's own, like a published one but for some pays; return its path."""
    path = folder / "own.toml"
    path.write_text(base_paytable(pays=pays, **changed))
    return str(path)


def table(book: RuleBook, **values: Any) -> TableRules:
    """Return a table by a book; a key's dot is written as two underscores."""
    stated = STATED if book.missing() else {}
    return catalog.table_rules(book.id, {**stated, **{name.replace("__", "."): v for name, v in values.items()}})


def refused(book: RuleBook, **values: Any) -> str:
    """Return the sentence with which a table by a book is refused."""
    with pytest.raises(InvalidData) as error:
        table(book, **values)
    return str(error.value)


FIVE = {
    "RF": Category.ROYAL_FLUSH,
    "SF": Category.STRAIGHT_FLUSH,
    "4K": Category.FOUR_OF_A_KIND,
    "FH": Category.FULL_HOUSE,
    "FL": Category.FLUSH,
    "ST": Category.STRAIGHT,
    "3K": Category.THREE_OF_A_KIND,
    "2P": Category.TWO_PAIR,
    "10s": Category.TENS_OR_BETTER,
}
THREE = {
    "MR": ThreeCardCategory.MINI_ROYAL,
    "SF": ThreeCardCategory.STRAIGHT_FLUSH,
    "3K": ThreeCardCategory.THREE_OF_A_KIND,
    "ST": ThreeCardCategory.STRAIGHT,
    "FL": ThreeCardCategory.FLUSH,
    "PR": ThreeCardCategory.PAIR,
}


def written(text: str, names: Mapping[str, Any]) -> dict[Any, Fraction]:
    """Read pays written as 'RF 1000, SF 200'."""
    return {names[name]: Fraction(pay) for name, pay in (item.split() for item in text.split(", "))}


def paid(book: RuleBook, cards: str) -> str | None:
    """Return the odds a five-card hand is paid at by a table of a book, or None where it loses."""
    return table(book).pays["base"].odds(evaluate(parse_cards(cards)).category)


def pays_to_one(pays: Pays, text: str, hands: int = 1) -> None:
    """Assert that a wager pays just this, to one, and loses with every other hand."""
    names = THREE if pays.wager.id == "three_card" else FIVE
    every = ThreeCardCategory if pays.wager.id == "three_card" else Category
    expected = written(text, names)
    assert pays.award is Award.TO_ONE
    assert expected == {c: pay for c in every if (pay := pays.pay(c, hands)) is not None}
    for category, pay in expected.items():
        assert f"{int(pay):,} to 1" == pays.odds(category, hands)


def settles_to_one(ready: TableRules, wager: str, text: str, hands: int = 1) -> None:
    """Assert that a bet settled with each hand wins just this with its stake back, and loses with every other hand."""
    pays_to_one(ready.pays[wager], text, hands)
    expected = written(text, THREE if wager == "three_card" else FIVE)
    assert {category: (pay, 1) for category, pay in expected.items()} == settled(ready, wager, hands)


FIVE_CARDS = {
    Category.ROYAL_FLUSH: "Th Jh Qh Kh Ah",
    Category.STRAIGHT_FLUSH: "9h Th Jh Qh Kh",
    Category.FOUR_OF_A_KIND: "2h 2d 2c 2s 9h",
    Category.FULL_HOUSE: "2h 2d 2c 3s 3h",
    Category.FLUSH: "2h 7h 9h Jh Ah",
    Category.STRAIGHT: "5h 6d 7c 8s 9h",
    Category.THREE_OF_A_KIND: "2h 2d 2c 8s 9h",
    Category.TWO_PAIR: "2h 2d 3c 3s 9h",
    Category.TENS_OR_BETTER: "Th Td 3c 8s 9h",
    Category.LOW_PAIR: "9h 9d 3c 8s Kh",
    Category.HIGH_CARD: "2h 4d 7c 9s Ah",
}
THREE_CARDS = {
    ThreeCardCategory.MINI_ROYAL: "Qh Kh Ah",
    ThreeCardCategory.STRAIGHT_FLUSH: "Jh Qh Kh",
    ThreeCardCategory.THREE_OF_A_KIND: "2h 2d 2c",
    ThreeCardCategory.STRAIGHT: "Qh Kd Ah",
    ThreeCardCategory.FLUSH: "2h 9h Kh",
    ThreeCardCategory.PAIR: "2h 2d Kh",
    ThreeCardCategory.HIGH_CARD: "2h 9d Kh",
}
STAKE = 100


def settled(ready: TableRules, wager: str, hands: int = 1) -> dict[Any, tuple[Fraction, Fraction]]:
    """Settle a bet with a hand of each category; return what is paid and what comes back, per unit, where it wins."""
    names: dict[str, Spot] = {"base": "base-$"}
    name: Spot = names.get(wager) or str(wager)  # type: ignore[assignment]  # a wager's name is a spot's but for the base
    found: dict[Any, tuple[Fraction, Fraction]] = {}
    samples: Mapping[Any, str] = THREE_CARDS if wager == "three_card" else FIVE_CARDS
    for category, text in samples.items():
        cards = tuple(parse_cards(text))
        community = cards[3:] or tuple(parse_cards("4s 6c"))
        dealt = [Hand(1, cards[:3], {name: STAKE}), *_lesser_hands({*cards, *community}, community, hands - 1)]
        (result,) = settle_round(ready, community, dealt)[1]
        assert STAKE == result.stake_cents
        if result.fate == "won":
            found[category] = Fraction(result.paid_cents, STAKE), Fraction(result.back_cents, STAKE)
        else:
            assert ("lost", 0, 0) == (result.fate, result.paid_cents, result.back_cents)
    return found


def _lesser_hands(out: set[Card], community: tuple[Card, ...], many: int) -> list[Hand]:
    """Return other hands of the round, none of which makes three of a kind."""
    dealt: list[Hand] = []
    while len(dealt) < many:
        left = (card for card in DECK if card not in out)
        hand = next(
            hand
            for three in combinations(left, 3)
            if category_of(community, hand := Hand(len(dealt) + 2, three, {})) < Category.THREE_OF_A_KIND
        )
        dealt.append(hand)
        out = out | set(hand.cards)
    return dealt
