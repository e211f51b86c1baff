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
from letitride.rules.paytables import Pays, Wager, pays_of


def together(  # noqa: PLR0917 - the options of a command
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="Each of the three base bets.", metavar="AMOUNT")] = "10",
    bonus: Annotated[str | None, typer.Option("--bonus", help="The bonus bet.", metavar="AMOUNT")] = None,
    three_card: Annotated[
        tuple[str, str] | None,
        typer.Option("--three-card", help="A three-card table and what is bet on it.", metavar="ID AMOUNT"),
    ] = None,
    ties: Annotated[Ties, typer.Option("--ties", help="What a choice that is worth nothing does.")] = "withdraw",
    as_json: Json = False,
) -> None:
    """Show base game and side bets together: loss and deviation of a round, and how the bets go together."""
    table = catalog.paytable(ref)
    base_cents = cents_of(stake, "--stake")
    sides: dict[Wager, tuple[Pays, Fraction]] = {}
    if bonus is not None:
        sides[Wager.BONUS] = (pays_of(table, Wager.BONUS), Fraction(cents_of(bonus, "--bonus"), base_cents))
    if three_card is not None:
        pays = pays_of(catalog.paytable(three_card[0]), Wager.THREE_CARD)
        sides[Wager.THREE_CARD] = (pays, Fraction(cents_of(three_card[1], "--three-card"), base_cents))
    if not sides:
        raise InvalidData("expected --bonus or --three-card, got neither")
    nets = plain_nets(pays_of(table, Wager.BASE))
    found = combine(nets, best_play(nets, ties), sides)
    staked = base_cents * (3 + sum(share for _, share in sides.values()))
    if as_json:
        print_json(
            {
                "paytable": table.id,
                "ties": ties,
                "stake_cents": base_cents,
                "side_bets": {str(wager): Exact.of(share) for wager, (_, share) in sides.items()},
                "loss_cents_per_round": Exact.of(found.loss * base_cents),
                "standard_deviation_cents": found.standard_deviation * base_cents,
                "covariance_in_base_units": {str(wager): Exact.of(one) for wager, one in found.covariance.items()},
            }
        )
        return
    print_lines(
        heading(f"{table.id}: three bets of {dollars(base_cents)} with {', '.join(map(str, sides))}"),
        f"  {'loss per round':<22} {float(found.loss * base_cents) / 100:.4f} dollars "
        f"({percent(found.loss * base_cents / staked)} of the {dollars(int(staked))} put up)",
        f"  {'standard deviation':<22} {found.standard_deviation * base_cents / 100:.2f} dollars",
        *(
            f"  {f'covariance, {wager}':<22} {float(one):+.4f} base units squared"
            for wager, one in found.covariance.items()
        ),
    )
