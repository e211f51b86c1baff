"""The `hand` command: names three or five cards and says what they pay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import Card, parse_cards, show
from letitride.rules.hands import announce, evaluate
from letitride.rules.paytables import AnyCategory, Pays, Paytable, Wager
from letitride.rules.three_card import announce_three, evaluate_three

_WAGERS = {3: (Wager.THREE_CARD,), 5: (Wager.BASE, Wager.BONUS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPay:
    """What one wager pays for a hand by one paytable."""

    paytable: str
    wager: str
    award: str
    pay: str | None
    odds: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedHand:
    """A hand, its name, and what it pays."""

    cards: tuple[str, ...]
    category: str
    hand: str
    pays: tuple[HandPay, ...]


def hand(
    cards: Annotated[list[str], typer.Argument(help="Three or five cards, such as: Th Jh Qh Kh Ah.", metavar="CARDS…")],
    paytable: Annotated[
        list[str] | None, typer.Option("--paytable", help="An id or a path; may be repeated.", metavar="ID")
    ] = None,
    as_json: Json = False,
) -> None:
    """Name a hand of three or five cards, and show what it pays."""
    held = parse_cards(" ".join(cards))
    category, words = _read(held)
    rows = [
        (table, table.pays[wager])
        for table in (catalog.paytable(ref) for ref in paytable or catalog.paytable_ids())
        for wager in _WAGERS[len(held)]
        if wager in table.pays
    ]
    if not rows:
        wagers = " or ".join(_WAGERS[len(held)])
        raise InvalidData(f"expected a paytable for the {wagers} wager, got {', '.join(paytable or [])}")
    if as_json:
        print_json(
            NamedHand(
                cards=tuple(map(str, held)),
                category=category.name.lower(),
                hand=words,
                pays=tuple(_row(table, pays, category) for table, pays in rows),
            )
        )
        return
    print_lines(heading(f"{show(held)}: {words}"))
    shown = [[table.id, str(pays.wager), pays.odds(category) or "loses"] for table, pays in rows]
    print_table(["paytable", "wager", "pays"], shown, firm=3)


def _read(held: tuple[Card, ...]) -> tuple[AnyCategory, str]:
    if len(held) == 3:
        return evaluate_three(held), announce_three(held)
    if len(held) == 5:
        value = evaluate(held)
        return value.category, announce(value)
    raise InvalidData(f"expected three or five cards, got {len(held)} in '{show(held)}'")


def _row(table: Paytable, pays: Pays, category: AnyCategory) -> HandPay:
    pay = pays.pay(category)
    return HandPay(
        paytable=table.id,
        wager=str(pays.wager),
        award=str(pays.award),
        pay=None if pay is None else str(pay),
        odds=pays.odds(category),
    )
