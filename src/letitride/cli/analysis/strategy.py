"""The `strategy` command: the best play of a paytable, what a choice is worth, and what other play costs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import typer

from letitride.analysis.base import Ties
from letitride.analysis.exact import Exact
from letitride.analysis.rounding import percent
from letitride.analysis.strategy import (
    NAMED,
    ClassValue,
    Cost,
    advise,
    class_values,
    cost,
    rule_list,
)
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.strategies import strategy_of
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.paytables import Pays, base_pays
from letitride.rules.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassOfCards:
    """A class of cards: whether its bet rides, what riding is worth, and what the other choice costs."""

    name: str = field(metadata={"alias": "class"})
    words: str
    hands: int
    rides: bool
    value: Exact
    cost_of_the_other_choice: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPlay:
    """The best play of one bet, as rules and class by class."""

    rules: tuple[str, ...]
    classes: tuple[ClassOfCards, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPlay:
    """What another way to play costs."""

    strategy: str
    house_edge: Exact
    units_lost_per_100_rounds: Exact
    average_wager: Exact


def strategy(
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    cards: Annotated[
        str | None, typer.Option("--hand", help="Three or four cards: what to do with them, and why.", metavar="CARDS")
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare", help=f"What other play costs: {', '.join(NAMED)}, or a TOML file.", metavar="NAME|FILE"
        ),
    ] = None,
    ties: Annotated[Ties, typer.Option("--ties", help="What a choice that is worth nothing does.")] = "withdraw",
    as_json: Json = False,
) -> None:
    """Show the best play of a base paytable, as rules and as a chart, and what other ways to play cost."""
    table = catalog.paytable(ref)
    pays = base_pays(table)
    if cards is not None:
        _advice(pays, cards, ties, as_json=as_json)
        return
    costs = [cost(pays, strategy_of(name)) for name in compare or NAMED]
    if as_json:
        bets = {"bet1": _best(pays, 3, ties), "bet2": _best(pays, 4, ties)}
        print_json({"paytable": table.id, "ties": ties, **bets, "compared": [_compared(one) for one in costs]})
        return
    print_lines(heading(f"{table.id}: let it ride with any of these, otherwise take it back (worth nothing: {ties})"))
    for bet, many in ((1, 3), (2, 4)):
        print_lines(f"Bet {bet}, on {'three' if many == 3 else 'four'} cards:")
        print_lines(*(f"  - {rule}" for rule in rule_list(pays, many, ties) or ["nothing: always take it back"]))
    for bet, many in ((1, 3), (2, 4)):
        print_lines("", heading(f"Bet {bet}: every class of cards"))
        rows = [
            [one.feature.words, f"{one.hands:,}", "ride" if one.rides else "withdraw", f"{float(one.value):+.6f}"]
            for one in class_values(pays, many, ties)
        ]
        print_table(["class", "hands", "best", "value of riding"], rows, firm=1)
    _print_costs(costs)


def _print_costs(costs: list[Cost]) -> None:
    print_lines("", heading("What other ways to play cost"))
    rows = [
        [
            one.strategy.name,
            percent(one.house_edge),
            f"{float(one.per_hundred):.4f}",
            f"{float(one.average_wager):.4f}",
        ]
        for one in costs
    ]
    print_table(["strategy", "house edge", "units lost by it in 100 rounds", "average wager"], rows, firm=4)


def _advice(pays: Pays, text: str, ties: Ties, *, as_json: bool) -> None:
    found = advise(pays, parse_cards(text), ties)
    bet = 1 if found.feature.cards == 3 else 2
    if as_json:
        print_json({"bet": bet, **plain(_class(found))})
        return
    choice = "let it ride" if found.rides else "take it back"
    alike = " (worth nothing either way)" if not found.value else ""
    print_lines(
        heading(f"Bet {bet}: {choice}{alike}"),
        f"  {found.feature.words}",
        f"  riding wins {float(found.value):+.6f} of the bet on average ({found.value}); taking it back wins nothing",
        f"  the wrong choice costs {float(found.cost):.6f} of the bet",
    )


def _best(pays: Pays, cards: int, ties: Ties) -> BestPlay:
    classes = tuple(_class(one) for one in class_values(pays, cards, ties))
    return BestPlay(rules=tuple(rule_list(pays, cards, ties)), classes=classes)


def _class(one: ClassValue) -> ClassOfCards:
    return ClassOfCards(
        name=one.feature.name,
        words=one.feature.words,
        hands=one.hands,
        rides=one.rides,
        value=Exact.of(one.value),
        cost_of_the_other_choice=Exact.of(one.cost),
    )


def _compared(one: Cost) -> ComparedPlay:
    return ComparedPlay(
        strategy=one.strategy.name,
        house_edge=Exact.of(one.house_edge),
        units_lost_per_100_rounds=Exact.of(one.per_hundred),
        average_wager=Exact.of(one.average_wager),
    )
