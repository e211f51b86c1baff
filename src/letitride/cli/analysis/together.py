"""The `together` command: base game and side bets as one game."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.base import Ties, best_play, plain_nets
from letitride.analysis.exact import Exact
from letitride.analysis.rounding import percent
from letitride.analysis.side_bets import combine
from letitride.cli.io.output import Json, heading, print_json, print_lines
from letitride.cli.io.values import cents_of
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays, Paytable, base_pays, pays_of
from letitride.rules.words import show_value

_SIDE_HELP = "A side bet: a wager that the base paytable prices, or a paytable or file of its own; may be repeated."


def together(
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="Each of the three base bets.", metavar="AMOUNT")] = "10",
    side: Annotated[
        list[str] | None, typer.Option("--side", help=_SIDE_HELP, metavar="WAGER|PAYTABLE|FILE=AMOUNT")
    ] = None,
    ties: Annotated[Ties, typer.Option("--ties", help="What a choice that is worth nothing does.")] = "withdraw",
    as_json: Json = False,
) -> None:
    """Show base game and side bets together: loss and deviation of a round, and how the bets go together."""
    table = catalog.paytable(ref)
    base_cents = cents_of(stake, "--stake")
    sides: dict[str, tuple[Pays, Fraction]] = {}
    for text in side or []:
        pays, cents = _side(table, text)
        if pays.wager.id in sides:
            raise InvalidData(f"expected each side bet once after --side, got {pays.wager.title} twice")
        sides[pays.wager.id] = (pays, Fraction(cents, base_cents))
    if not sides:
        raise InvalidData("expected a side bet like --side 3CB-1=5, got none")
    nets = plain_nets(base_pays(table))
    found = combine(nets, best_play(nets, ties), sides)
    staked = base_cents * (3 + sum(share for _, share in sides.values()))
    if as_json:
        print_json(
            {
                "paytable": table.id,
                "ties": ties,
                "stake_cents": base_cents,
                "side_bets": {wager: Exact.of(share) for wager, (_, share) in sides.items()},
                "loss_cents_per_round": Exact.of(found.loss * base_cents),
                "standard_deviation_cents": found.standard_deviation * base_cents,
                "covariance_in_base_units": {wager: Exact.of(one) for wager, one in found.covariance.items()},
            }
        )
        return
    titles = {wager: pays.wager.title for wager, (pays, _) in sides.items()}
    print_lines(
        heading(f"{table.id}: three bets of {dollars(base_cents)} with {', '.join(titles.values())}"),
        f"  {'loss per round':<22} {float(found.loss * base_cents) / 100:.4f} dollars "
        f"({percent(found.loss * base_cents / staked)} of the {dollars(int(staked))} put up)",
        f"  {'standard deviation':<22} {found.standard_deviation * base_cents / 100:.2f} dollars",
        *(
            f"  {f'covariance, {titles[wager]}':<22} {float(one):+.4f} base units squared"
            for wager, one in found.covariance.items()
        ),
    )


def _side(table: Paytable, text: str) -> tuple[Pays, int]:
    """Return what a side bet pays and its stake in cents, from WAGER=AMOUNT, PAYTABLE=AMOUNT or FILE=AMOUNT."""
    name, equals, amount = text.rpartition("=")
    if not equals or not name:
        raise InvalidData(f"expected WAGER=AMOUNT, PAYTABLE=AMOUNT or FILE=AMOUNT after --side, got {show_value(text)}")
    cents = cents_of(amount, "--side")
    if name in table.pays or name in catalog.wager_ids():
        priced = pays_of(table, name)
        if priced.wager.is_base:
            raise InvalidData(f"expected a side bet after --side, got {priced.wager.title}")
        return priced, cents
    other = catalog.paytable(name)
    sides = [pays for pays in other.pays.values() if not pays.wager.is_base]
    if len(sides) != 1:
        raise InvalidData(f"expected a paytable with one side bet after --side, got {other.id} with {len(sides)}")
    return sides[0], cents
