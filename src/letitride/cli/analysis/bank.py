"""The `bank` command: the risk of a player who banks."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from letitride.analysis.bank import bank_risk
from letitride.analysis.exact import Exact
from letitride.analysis.two_opponents import bank_risk_of_two
from letitride.cli.io.output import Json, heading, print_json, print_lines
from letitride.cli.io.values import cents_of
from letitride.rules import catalog
from letitride.rules.banking import Cover
from letitride.rules.money import dollars
from letitride.rules.paytables import base_pays
from letitride.rules.words import quantity

_PLAYS: Final = {
    1: (
        "  The opponent plays the strategy that is best against this bank, on both lines.\n"
        "  Do not compare with --opponents 2: two opponents play the strategy that is best where every bet is covered."
    ),
    2: (
        "  Both opponents play the strategy that is best where every bet is covered.\n"
        "  Do not compare with --opponents 1: one opponent plays the strategy that is best against this bank."
    ),
}
"""How the opponents play, by their number."""


def bank(  # noqa: PLR0917 - the options of a command
    ref: Annotated[str, typer.Argument(help="A base paytable: its id or a TOML file.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="The stake of the player-dealer's bank.", metavar="AMOUNT")],
    bet: Annotated[str, typer.Option("--bet", help="Each of an opponent's three base bets.", metavar="AMOUNT")],
    fee: Annotated[
        str | None, typer.Option("--fee", help="The collection fee the bank pays for a round.", metavar="AMOUNT")
    ] = None,
    opponents: Annotated[int, typer.Option("--opponents", help="How many opponents, 1 or 2.", min=1, max=2)] = 1,
    cover: Annotated[
        Cover, typer.Option("--cover", help="What the stake has to cover, as bank.cover in a rule book.")
    ] = "stake",
    as_json: Json = False,
) -> None:
    """Show the risk of a player-dealer's bank.

    Against one opponent who plays best against this bank, or against two.
    """
    table = catalog.paytable(ref)
    fee_cents = cents_of(fee, "--fee", zero=True) if fee else 0
    risk = bank_risk if opponents == 1 else bank_risk_of_two
    bank_cents, bet_cents = cents_of(stake, "--stake"), cents_of(bet, "--bet")
    found = risk(base_pays(table), bank_cents, bet_cents, cover, fee_cents)
    worst = min(found.results.cases)
    if as_json:
        print_json(
            {
                "paytable": table.id,
                "stake": stake,
                "bet": bet,
                "fee": fee,
                "cover": cover,
                "opponents": opponents,
                "play": "best against this bank" if opponents == 1 else "best where every bet is paid in full",
                "play_if_all_were_covered": "the same play",
                "unit": "cents a round, fee paid",
                "expected": Exact.of(found.results.mean),
                "expected_if_all_were_covered": Exact.of(found.full.mean),
                "standard_deviation": found.results.standard_deviation,
                "not_covered": Exact.of(found.uncovered),
                "worst_cents": str(worst),
                "distribution": [
                    {"cents": str(result), "cases": cases} for result, cases in sorted(found.results.cases.items())
                ],
            }
        )
        return
    print_lines(
        heading(
            f"{table.id}: a bank of {dollars(bank_cents)} against {quantity(opponents, 'opponent')} "
            f"with three bets of {dollars(bet_cents)} each"
        ),
        f"  {'expected win':<22} {_dollars(float(found.results.mean), 4)} per round",
        f"  {'with all bets covered':<22} {_dollars(float(found.full.mean), 4)} per round",
        f"  {'standard deviation':<22} ${found.results.standard_deviation / 100:,.2f}",
        f"  {'not covered in full':<22} {float(found.uncovered):.6%} of rounds",
        f"  {'worst round':<22} {_dollars(float(worst), 2)}",
        _PLAYS[opponents],
    )


def _dollars(cents: float, places: int) -> str:
    """Return an average in dollars with its sign."""
    return f"{'-' if cents < 0 else '+'}${abs(cents) / 100:,.{places}f}"
