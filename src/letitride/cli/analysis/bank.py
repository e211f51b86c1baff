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
from letitride.rules.paytables import base_pays

_PLAYS: Final = {
    1: (
        "  The opponent plays best against this bank, in both lines: 'if all were covered' pays this play in full.\n"
        "  Two opponents play by another strategy, best where every bet is paid in full: do not compare the two."
    ),
    2: (
        "  Both opponents play best where every bet is paid in full, whatever this bank covers.\n"
        "  One opponent plays by another strategy, best against this bank: do not compare the two."
    ),
}
"""How the opponents play, by how many they are."""


def bank(  # noqa: PLR0917 - the options of a command
    ref: Annotated[str, typer.Argument(help="A base paytable: an id or a path.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="What the bank puts up.", metavar="AMOUNT")],
    bet: Annotated[str, typer.Option("--bet", help="Each of the opponent's three bets.", metavar="AMOUNT")],
    fee: Annotated[str | None, typer.Option("--fee", help="What the bank pays for the hand.", metavar="AMOUNT")] = None,
    opponents: Annotated[int, typer.Option("--opponents", help="One, or two.", min=1, max=2)] = 1,
    cover: Annotated[Cover, typer.Option("--cover", help="How the stake covers: the key bank.cover.")] = "stake",
    as_json: Json = False,
) -> None:
    """Show what a bank of a stake risks against one opponent who plays best against it, or against two."""
    table = catalog.paytable(ref)
    fee_cents = cents_of(fee, "--fee", zero=True) if fee else 0
    risk = bank_risk if opponents == 1 else bank_risk_of_two
    found = risk(base_pays(table), cents_of(stake, "--stake"), cents_of(bet, "--bet"), cover, fee_cents)
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
        heading(f"{table.id}: a bank of {stake} against {opponents} with three bets of {bet} each"),
        f"  {'expected':<22} {float(found.results.mean) / 100:+.4f} dollars a round",
        f"  {'if all were covered':<22} {float(found.full.mean) / 100:+.4f}",
        f"  {'standard deviation':<22} {found.results.standard_deviation / 100:.2f}",
        f"  {'does not cover':<22} {float(found.uncovered):.6%} of rounds",
        f"  {'worst round':<22} {float(worst) / 100:+,.2f}",
        _PLAYS[opponents],
    )
