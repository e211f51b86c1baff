"""The `strategy` command: the best play of a paytable, the value of a decision, and the cost of other strategies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

import typer

from letitride.analysis.base import Ties
from letitride.analysis.caps import Capped, Scope, cap, classes_under
from letitride.analysis.exact import Exact
from letitride.analysis.rounding import percent
from letitride.analysis.strategy import (
    NAMED_STRATEGIES,
    ClassValue,
    Cost,
    advise,
    class_values,
    cost,
    rule_list,
)
from letitride.cli.analysis.par import print_capped
from letitride.cli.analysis.ties import TIE_RULE, TiesOption
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.strategies import strategy_of
from letitride.cli.io.values import cents_of
from letitride.errors import InvalidData
from letitride.reports.par.sheets import capped_figures
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.keys import Rules
from letitride.rules.limits import find_spot_limits
from letitride.rules.paytables import Pays, Paytable, base_pays
from letitride.rules.plain import plain
from letitride.rules.wager_table import BASE

_DOES: Final = {True: "let it ride", False: "take it back"}
_NOW: Final = {"ride": _DOES[True], "withdraw": _DOES[False]}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassOfCards:
    """A kind of hand: whether its bet rides, the value of riding, and the cost of the other decision."""

    name: str = field(metadata={"alias": "class"})
    words: str
    hands: int
    rides: bool
    value: Exact
    cost_of_the_other_choice: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPlay:
    """The best play of one bet, as rules and for each kind of hand."""

    rules: tuple[str, ...]
    classes: tuple[ClassOfCards, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPlay:
    """The cost of another strategy."""

    strategy: str
    house_edge: Exact
    units_lost_per_100_rounds: Exact
    average_wager: Exact


def strategy(  # noqa: PLR0917 - the options of a command
    ref: Annotated[
        str | None, typer.Argument(help="A base paytable: its id or a TOML file.", metavar="ID|FILE")
    ] = None,
    cards: Annotated[
        str | None, typer.Option("--hand", help="What to do with these three or four cards, and why.", metavar="CARDS")
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            help=f"Cost of another strategy: {', '.join(NAMED_STRATEGIES)}, or a TOML file.",
            metavar="NAME|FILE",
        ),
    ] = None,
    ties: TiesOption = "withdraw",
    book: Annotated[
        str | None, typer.Option("--rulebook", help="Play under the maximum payout of this rule book.", metavar="BOOK")
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option("--stake", help="One base bet; the book's maximum by default.", metavar="AMOUNT"),
    ] = None,
    payout_max: Annotated[
        str | None, typer.Option("--max-payout", help="The maximum payout, at this --stake.", metavar="AMOUNT")
    ] = None,
    scope: Annotated[Scope | None, typer.Option("--payout-scope", help="What the maximum payout applies to.")] = None,
    as_json: Json = False,
) -> None:
    """Show the best strategy for a paytable.

    As rules and as a chart of all hands, with the cost of other strategies.
    """
    table, under = _asked(ref, book, (stake, payout_max, scope), ties)
    pays = base_pays(table)
    if under is not None:
        if cards is not None or compare:
            raise InvalidData("expected --hand and --compare without a maximum payout, got both")
        _print_under(table.id, pays, under, as_json=as_json)
        return
    if cards is not None:
        _advice(pays, cards, ties, as_json=as_json)
        return
    costs = [cost(pays, strategy_of(name)) for name in compare or NAMED_STRATEGIES]
    if as_json:
        bets = {"bet1": _best(pays, 3, ties), "bet2": _best(pays, 4, ties)}
        print_json({"paytable": table.id, "ties": ties, **bets, "compared": [_compared(one) for one in costs]})
        return
    print_lines(heading(f"{table.id}: let it ride with any of these, otherwise take it back"))
    print_lines(f"Tie rule: {TIE_RULE[ties]}.")
    for bet, many in ((1, 3), (2, 4)):
        print_lines(f"Bet {bet}, on {'three' if many == 3 else 'four'} cards:")
        print_lines(*(f"  - {rule}" for rule in rule_list(pays, many, ties) or ["no hand: always take it back"]))
    for bet, many in ((1, 3), (2, 4)):
        print_lines("", heading(f"Bet {bet}: all hands of {'three' if many == 3 else 'four'} cards"))
        rows = [
            [one.feature.words, f"{one.hands:,}", _DOES[one.rides], f"{float(one.value):+.6f}"]
            for one in class_values(pays, many, ties)
        ]
        print_table(["hand", "combinations", "best play", "value of riding"], rows, firm=1)
    _print_costs(costs)


def _asked(
    ref: str | None, book: str | None, amounts: tuple[str | None, str | None, Scope | None], ties: Ties
) -> tuple[Paytable, Capped | None]:
    """Return the paytable, and its play under a maximum payout if there is one."""
    stake, payout_max, scope = amounts
    rules: Rules | None = None
    own: Mapping[str, Paytable] = {}
    if book is not None:
        chosen = catalog.table_book(book, {f"{BASE.id}.paytable": ref} if ref else {})
        rules, own, ref = chosen.rules, chosen.paytables, chosen.rules.wagers[BASE.id].paytable
    if ref is None:
        raise InvalidData("expected a base paytable or --rulebook, got neither")
    table = own.get(ref) or catalog.paytable(ref)
    most = cents_of(payout_max, "--max-payout") if payout_max else None
    if most is None and rules is not None and rules.payout.cap == "maximum":
        most = rules.payout.cents_max
    if most is None:
        if stake is not None or scope is not None:
            raise InvalidData("expected --max-payout, or a --rulebook with a maximum payout, for --stake, got neither")
        return table, None
    limits = find_spot_limits(rules.limit) if rules is not None else None
    cents = cents_of(stake, "--stake") if stake else limits.cents_max if limits else None
    if cents is None:
        raise InvalidData("expected --stake with a maximum payout, got none")
    over = scope or (rules.payout.scope if rules is not None else "player_round")
    many = rules.hands_per_player if rules is not None else 1
    return table, cap(base_pays(table), cents, most, over, ties, hands_per_player=many)


def _print_under(table_id: str, pays: Pays, capped: Capped, *, as_json: bool) -> None:
    """Print the best play under a maximum payout, hand by hand."""
    played = list(classes_under(pays, capped, capped.ties))
    if as_json:
        rows = [
            {"class": one.feature.name, "cards": one.feature.cards, "words": one.feature.words, "plays": one.now}
            | {"without_the_maximum": "ride" if one.rode else "withdraw", "changed": one.changed}
            for one in played
        ]
        print_json({"paytable": table_id, "capped": capped_figures(capped, pays), "classes": rows})
        return
    print_lines(heading(f"{table_id}: best play under a maximum payout; {TIE_RULE[capped.ties]}"))
    print_capped(capped, pays)
    for bet, many in ((1, 3), (2, 4)):
        print_lines("", heading(f"Bet {bet}: all hands of {'three' if many == 3 else 'four'} cards"))
        rows_of_bet = [
            [one.feature.words, _NOW.get(one.now, one.now), _DOES[one.rode], "changed" if one.changed else ""]
            for one in played
            if one.feature.cards == many
        ]
        print_table(["hand", "best play", "without the maximum", ""], rows_of_bet, firm=1)


def _print_costs(costs: list[Cost]) -> None:
    print_lines("", heading("Cost of other strategies"))
    rows = [
        [
            one.strategy.name,
            percent(one.house_edge),
            f"{float(one.per_hundred):.4f}",
            f"{float(one.average_wager):.4f}",
        ]
        for one in costs
    ]
    print_table(["strategy", "house edge", "extra loss in 100 rounds", "average wager"], rows, firm=4)


def _advice(pays: Pays, text: str, ties: Ties, *, as_json: bool) -> None:
    found = advise(pays, parse_cards(text), ties)
    bet = 1 if found.feature.cards == 3 else 2
    if as_json:
        print_json({"bet": bet, **plain(_class(found))})
        return
    best = "let it ride" if found.rides else "take it back"
    alike = " (both are worth exactly zero)" if not found.value else ""
    print_lines(
        heading(f"Bet {bet}: {best}{alike}"),
        f"  {found.feature.words}",
        f"  let it ride: {float(found.value):+.6f} of the bet on average ({found.value}); take it back: 0",
        f"  the wrong decision costs {float(found.cost):.6f} of the bet",
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
