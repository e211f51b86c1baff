"""The `design` command: finds integer paytables with a wanted par."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.base import PAY_MAX
from letitride.analysis.design import Candidate, search
from letitride.analysis.exact import Exact
from letitride.analysis.find_rows import PAYING
from letitride.analysis.rounding import percent
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.errors import InvalidData
from letitride.rules.hands import Category
from letitride.rules.words import one_of

_LABELS = {category.label: category for category in PAYING}


def design(  # noqa: PLR0917 - the options of a command
    par: Annotated[str, typer.Option("--par", help="The wanted par, element of risk, in percent.", metavar="PERCENT")],
    top: Annotated[int | None, typer.Option("--top", help="What a royal flush pays.")] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", help="A pay that is fixed, like 'two pair=2'.", metavar="HAND=PAY")
    ] = None,
    max_deviation: Annotated[
        float | None, typer.Option("--max-deviation", help="The most a round may deviate, in units.")
    ] = None,
    count: Annotated[int, typer.Option("--count", help="How many to list.", min=1, max=200)] = 10,
    as_json: Json = False,
) -> None:
    """Search integer paytables for those nearest to a par, every one with its own best play."""
    wanted = _percent(par)
    kept = [_kept(text) for text in keep or []] + ([(Category.ROYAL_FLUSH, top)] if top is not None else [])
    fixed = dict(kept)
    if len(fixed) < len(kept):
        raise InvalidData("expected each pay once after --keep and --top, got one twice")
    if max_deviation is not None and not max_deviation > 0:
        raise InvalidData(f"expected a deviation of more than nothing after --max-deviation, got {max_deviation}")
    if any(not 1 <= pay <= PAY_MAX for pay in fixed.values()):
        raise InvalidData(f"expected pays of 1 to {PAY_MAX:,}")
    found = search(wanted, fixed, max_deviation, count, _tell)
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    if as_json:
        print_json({"par": Exact.of(wanted), "tables": [_data(one) for one in found]})
        return
    print_lines(heading(f"Paytables nearest to a par of {percent(wanted)}, smoothest first among equals"))
    rows = [
        [*(f"{pay:,}" for pay in one.pays), percent(one.element_of_risk), f"{one.standard_deviation:.3f}"]
        for one in found
    ]
    short = ["RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "10s"]
    print_table([*short, "par", "deviation"], rows, firm=11)


def _tell(done: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} tables priced")


def _percent(text: str) -> Fraction:
    if not re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,9})?%?", text):
        raise InvalidData(f"expected a percentage like 2.5 after --par, got '{text}'")
    value = Fraction(text.removesuffix("%")) / 100
    if not -1 < value < 1:
        raise InvalidData(f"expected a percentage between -100 and 100 after --par, got '{text}'")
    return value


def _kept(text: str) -> tuple[Category, int]:
    name, equals, pay = text.partition("=")
    if not equals or name.strip() not in _LABELS or not re.fullmatch(r"[0-9]{1,9}", pay.strip()):
        raise InvalidData(f"expected {one_of(list(_LABELS))} with '=' and a whole pay after --keep, got '{text}'")
    return _LABELS[name.strip()], int(pay)


def _data(one: Candidate) -> dict[str, object]:
    return {
        "pays": {category.name.lower(): pay for category, pay in zip(PAYING, one.pays, strict=True)},
        "element_of_risk": Exact.of(one.element_of_risk),
        "house_edge": Exact.of(one.house_edge),
        "standard_deviation": one.standard_deviation,
        "roughness": one.roughness,
    }
