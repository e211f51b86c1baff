"""The `session` command: a player's result over many rounds, and the house's expected hold."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.exact import Exact
from letitride.analysis.par import base_sheet
from letitride.analysis.rounding import percent
from letitride.analysis.sessions import hold_band, risk_of_ruin
from letitride.analysis.sessions import session as play
from letitride.cli.analysis.ties import TiesOption
from letitride.cli.io.output import Json, heading, print_json, print_lines
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.paytables import base_pays
from letitride.rules.words import quantity


def session(  # noqa: PLR0917 - the options of a command
    ref: Annotated[str, typer.Argument(help="A base paytable: its id or a TOML file.", metavar="ID|FILE")],
    rounds: Annotated[int, typer.Option("--rounds", help="How many rounds.")] = 500,
    bankroll: Annotated[
        int | None, typer.Option("--bankroll", help="The player's bankroll in units of one bet; adds the risk of ruin.")
    ] = None,
    per_hour: Annotated[float, typer.Option("--rounds-per-hour", help="Rounds dealt in an hour.")] = 40.0,
    ties: TiesOption = "withdraw",
    as_json: Json = False,
) -> None:
    """Show what to expect of a session of many rounds.

    Shows the result and its quantiles, the chance of being ahead, the risk of ruin, and the house's win as a share of
    handle.
    """
    if not per_hour > 0:
        raise InvalidData(f"expected more than 0 rounds after --rounds-per-hour, got {per_hour}")
    table = catalog.paytable(ref)
    sheet = base_sheet(base_pays(table), ties)
    found = play(sheet.results, rounds)
    band = hold_band(sheet.results, sheet.average_wager or sheet.house_edge, rounds)
    ruin = None if bankroll is None else risk_of_ruin(sheet.results, bankroll, rounds)
    if as_json:
        print_json(
            {
                "paytable": table.id,
                "ties": ties,
                "rounds": rounds,
                "hours": rounds / per_hour,
                "unit": "one of the three equal bets",
                "expected": Exact.of(found.expected),
                "standard_deviation": found.standard_deviation,
                "probability_ahead": found.ahead,
                "probability_even": found.even,
                "quantiles": [{"probability": p, "result": str(result)} for p, result in found.quantiles],
                "risk_of_ruin": ruin,
                "hold": {"expected": Exact.of(band.hold), "margin": band.margin, "confidence": band.confidence},
            }
        )
        return
    print_lines(
        heading(f"{table.id}: {quantity(rounds, 'round')}, about {rounds / per_hour:.1f} hours; unit: one bet"),
        f"  {'expected result':<22} {float(found.expected):+.2f}, standard deviation {found.standard_deviation:.2f}",
        f"  {'chance of being ahead':<22} {found.ahead:.4%}; of breaking even {found.even:.4%}",
        *(f"  {f'{p:.0%} of sessions':<22} {_units(result)} or less" for p, result in found.quantiles),
        f"  {'win % of handle':<22} {percent(band.hold, 2)} ± {band.margin:.2%} (95%, normal approximation)",
    )
    if band.margin > abs(float(band.hold)):
        print_lines(f"  {'':<22} approximate: in so few rounds, one large award outweighs everything else")
    if ruin is not None:
        print_lines(
            f"  {'risk of ruin':<22} {ruin:.4%} of bankrolls of {bankroll:,} units drop below the 3 a round takes"
        )


def _units(result: Fraction) -> str:
    return f"{int(result):+,}" if result.denominator == 1 else f"{float(result):+,.2f}"
