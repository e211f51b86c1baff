"""What the clause tests share: a table by a book, and paytables as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import Award, Pays, Wager
from letitride.rules.rulebook import RuleBook
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import ThreeCardCategory
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
    return table(book).pays[Wager.BASE].odds(evaluate(parse_cards(cards)).category)


def pays_to_one(pays: Pays, text: str, hands: int = 1) -> None:
    """Assert that a wager pays just this, to one, and loses with every other hand."""
    names = THREE if pays.wager is Wager.THREE_CARD else FIVE
    every = ThreeCardCategory if pays.wager is Wager.THREE_CARD else Category
    expected = written(text, names)
    assert pays.award is Award.TO_ONE
    assert expected == {c: pay for c in every if (pay := pays.pay(c, hands)) is not None}
    for category, pay in expected.items():
        assert f"{int(pay):,} to 1" == pays.odds(category, hands)
