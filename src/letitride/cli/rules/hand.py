"""The `hand` command: names the cards of a hand and says what they pay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import typer

from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import Card, parse_cards, show
from letitride.rules.hands import announce, evaluate
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.plain import LEFT_OUT
from letitride.rules.rankings import BY_POKER
from letitride.rules.three_hands import announce_three, evaluate_three
from letitride.rules.words import quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPay:
    """What one wager pays for a hand by one paytable."""

    paytable: str
    wager: str
    rank: str | None = field(default=None, metadata=LEFT_OUT)
    """What the wager's own ranking calls the hand."""
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
    cards: Annotated[
        list[str],
        typer.Argument(
            help="Three or five cards, such as Th Jh Qh Kh Ah; two or four for a custom wager.", metavar="CARDS…"
        ),
    ],
    paytable: Annotated[
        list[str] | None,
        typer.Option("--paytable", help="A paytable: its id or a TOML file; may be repeated.", metavar="ID|FILE"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Name a hand and show what it pays."""
    held = parse_cards(" ".join(cards))
    rows = [
        (table, pays)
        for table in (catalog.paytable(ref) for ref in paytable or catalog.paytable_ids())
        for pays in table.pays.values()
        if pays.wager.ranking.cards == len(held) and not pays.wager.by_hands
    ]
    category, words = _named(held, rows)
    if not rows:
        tables = ", ".join(paytable or [])
        raise InvalidData(f"expected a paytable for a wager on {quantity(len(held), 'card')}, got {tables}")
    if as_json:
        found = tuple(_row(table, pays, held) for table, pays in rows)
        print_json(NamedHand(cards=tuple(map(str, held)), category=category, hand=words, pays=found))
        return
    print_lines(heading(f"{show(held)}: {words}"))
    shown = [
        [table.id, _wager(pays, held), pays.odds(pays.wager.ranking.read(held)) or "loses"] for table, pays in rows
    ]
    print_table(["paytable", "wager", "pays"], shown, firm=3)


def _named(held: tuple[Card, ...], rows: list[tuple[Paytable, Pays]]) -> tuple[str, str]:
    """Return the category of a hand and its name in words."""
    if len(held) == 3:
        return evaluate_three(held).name.lower(), announce_three(held)
    if len(held) == 5:
        value = evaluate(held)
        return value.category.name.lower(), announce(value)
    if not rows:
        raise InvalidData(f"expected three or five cards, got {len(held)} in '{show(held)}'")
    rank = rows[0][1].wager.ranking.read(held)
    return rank.name.lower(), rank.label


def _wager(pays: Pays, held: tuple[Card, ...]) -> str:
    rank = "" if _by_poker(pays) else f": {pays.wager.ranking.read(held).label}"
    return f"{pays.wager.title}{rank}"


def _by_poker(pays: Pays) -> bool:
    return pays.wager.ranking in BY_POKER.values()


def _row(table: Paytable, pays: Pays, held: tuple[Card, ...]) -> HandPay:
    rank = pays.wager.ranking.read(held)
    pay = pays.pay(rank)
    return HandPay(
        paytable=table.id,
        wager=str(pays.wager),
        rank=None if _by_poker(pays) else rank.name.lower(),
        award=str(pays.award),
        pay=None if pay is None else str(pay),
        odds=pays.odds(rank),
    )
