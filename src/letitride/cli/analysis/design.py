"""The `design` command: finds the whole-number paytables nearest to a target figure."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Final

import typer

from letitride.analysis.base import PAY_MAX
from letitride.analysis.design import COUNT_MAX, UNPAID, Candidate, Design, Range
from letitride.analysis.design import design as find
from letitride.analysis.design_goal import Figure
from letitride.analysis.exact import Exact
from letitride.analysis.find_rows import PAYING
from letitride.analysis.rounding import percent
from letitride.cli.io.interrupts import kept_back
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.values import share_of
from letitride.errors import InvalidData
from letitride.rules.hands import Category
from letitride.rules.words import one_of, quantity

_LABELS: Final = {category.label: category for category in PAYING}
_NAMES: Final[dict[Figure, str]] = {
    "element_of_risk": "par",
    "house_edge": "house edge",
    "hit_frequency": "hit frequency",
}
_SHORT: Final = ("RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "10s")


def design(  # noqa: PLR0917 - the options of a command
    par: Annotated[
        str | None, typer.Option("--par", help="Target par (element of risk), in percent.", metavar="PERCENT")
    ] = None,
    edge: Annotated[
        str | None, typer.Option("--edge", help="Target house edge instead, in percent.", metavar="PERCENT")
    ] = None,
    hit_frequency: Annotated[
        str | None, typer.Option("--hit-frequency", help="Target hit frequency instead, in percent.", metavar="PERCENT")
    ] = None,
    top: Annotated[int | None, typer.Option("--top-award", help="What a royal flush pays.")] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", help="Keep a pay fixed, such as 'two pair=2'; may be repeated.", metavar="HAND=PAY"),
    ] = None,
    bound: Annotated[
        list[str] | None,
        typer.Option(
            "--bound",
            help="Lowest and highest pay, such as 'flush=5..9'; 0 is a push, none pays nothing.",
            metavar="HAND=LOW..HIGH",
        ),
    ] = None,
    max_deviation: Annotated[
        float | None, typer.Option("--max-deviation", help="Highest standard deviation of a round, in units.")
    ] = None,
    within: Annotated[
        str,
        typer.Option("--tolerance", help="List paytables this close to the target by smoothness.", metavar="PERCENT"),
    ] = "0",
    count: Annotated[int, typer.Option("--count", help="How many paytables to list.", min=1, max=COUNT_MAX)] = 10,
    as_json: Json = False,
) -> None:
    """Find the paytables nearest to a target figure.

    Searches all paytables of whole-number pays within bounds, each with its own best play.
    """
    figure, target = _wanted({"element_of_risk": par, "house_edge": edge, "hit_frequency": hit_frequency})
    kept = [_kept(text) for text in keep or []] + ([(Category.ROYAL_FLUSH, top)] if top is not None else [])
    bounds = [_bound(text) for text in bound or []]
    named = [category for category, _ in (*kept, *bounds)]
    if len(set(named)) < len(named):
        raise InvalidData("expected each hand once after --keep, --top-award and --bound, got one twice")
    if any(not 1 <= pay <= PAY_MAX for _, pay in kept):
        raise InvalidData(f"expected pays of 1 to {PAY_MAX:,}")
    if max_deviation is not None and not 0 < max_deviation < float("inf"):
        raise InvalidData(f"expected a standard deviation above 0 after --max-deviation, got {max_deviation}")
    with kept_back() as stop_if_it_came:
        found = find(
            target,
            figure,
            bounds=dict(bounds),
            keep=dict(kept),
            max_deviation=max_deviation,
            within=share_of(within, "--tolerance", least=0),
            count=count,
            tell=_tell,
            stop=lambda: _came(stop_if_it_came),
        )
        if sys.stderr.isatty():
            sys.stderr.write("\n")
        _print(found, as_json)
        if not found.complete:
            sys.stderr.write(
                "stopped: a nearer paytable may exist. To search in parts, split a --bound in two: the nearest of both "
                "parts is the nearest of all\n"
            )


def _came(stop_if_it_came: Callable[[], None]) -> bool:
    try:
        stop_if_it_came()
    except KeyboardInterrupt:
        return True
    return False


def _print(found: Design, as_json: bool) -> None:
    if as_json:
        print_json(_data(found))
        return
    if not found.tables:
        raise InvalidData(
            "expected bounds that hold a paytable whose better hands pay at least as much, and no --max-deviation that "
            "excludes them all, got bounds that hold none"
        )
    goal = found.goal
    name = _NAMES[goal.figure]
    order = "lowest pays" if goal.figure == "hit_frequency" else "smoothest"
    print_lines(heading(f"Paytables nearest to a {name} of {percent(goal.target)}, {order} first among equals"))
    rows = [
        [
            *map(_pay, one.pays),
            percent(one.element_of_risk),
            percent(one.house_edge),
            percent(one.hit_frequency, 2),
            f"{one.standard_deviation:.3f}",
        ]
        for one in found.tables
    ]
    print_table([*_SHORT, "par", "house edge", "hit frequency", "standard deviation"], rows, firm=13)
    bounds = ", ".join(
        f"{label} {_pay(low)}" if low == high else f"{label} {_pay(low)} to {_pay(high)}"
        for label, (low, high) in zip(_SHORT, found.bounds.values(), strict=True)
    )
    print_lines(f"Bounds: {bounds}. A better hand never pays less.")
    if found.complete:
        far = abs(found.tables[-1].figure(goal.figure) - goal.target)
        print_lines(
            f"{quantity(found.in_bounds, 'paytable')} within the bounds: {found.searched:,} priced, {found.excluded:,} "
            "proven to be no nearer. No paytable that is not listed is nearer than the last one, which is "
            + ("on target." if not far else f"{float(far * 100):.3g} percentage points off.")
        )
    else:
        print_lines(
            f"{quantity(found.in_bounds, 'paytable')} within the bounds, {found.searched:,} priced: not all of them."
        )


def _pay(pay: int) -> str:
    return "none" if pay == UNPAID else f"{pay:,}"


def _tell(done: float) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{100 * done:.1f}% searched; Ctrl-C stops and shows the nearest found")


def _wanted(asked: dict[Figure, str | None]) -> tuple[Figure, Fraction]:
    options: dict[Figure, str] = {
        "element_of_risk": "--par",
        "house_edge": "--edge",
        "hit_frequency": "--hit-frequency",
    }
    given = [(figure, text) for figure, text in asked.items() if text is not None]
    if len(given) != 1:
        raise InvalidData(f"expected one of {', '.join(options.values())}, got {'none' if not given else len(given)}")
    ((figure, text),) = given
    return figure, share_of(text, options[figure])


def _kept(text: str) -> tuple[Category, int]:
    name, equals, pay = text.partition("=")
    if not equals or name.strip() not in _LABELS or not re.fullmatch(r"[0-9]{1,9}", pay.strip()):
        raise InvalidData(f"expected {one_of(list(_LABELS))} with '=' and a whole pay after --keep, got '{text}'")
    return _LABELS[name.strip()], int(pay)


def _bound(text: str) -> tuple[Category, Range]:
    name, _, pays = text.partition("=")
    found = re.fullmatch(r"\s*(none|[0-9]{1,9})\s*\.\.\s*(none|[0-9]{1,9})\s*", pays)
    if name.strip() not in _LABELS or found is None:
        raise InvalidData(f"expected {one_of(list(_LABELS))} with '=' and pays like 5..9 after --bound, got '{text}'")
    low, high = (UNPAID if pay == "none" else int(pay) for pay in found.groups())
    return _LABELS[name.strip()], (low, high)


def _data(found: Design) -> dict[str, object]:
    goal = found.goal
    return {
        "figure": goal.figure,
        "target": Exact.of(goal.target),
        "par": Exact.of(goal.target) if goal.figure == "element_of_risk" else None,
        "within": Exact.of(goal.within),
        "bounds": {
            c.name.lower(): {"least": _paid(low), "most": _paid(high)} for c, (low, high) in found.bounds.items()
        },
        "in_bounds": found.in_bounds,
        "searched": found.searched,
        "excluded": found.excluded,
        "complete": found.complete,
        "tables": [_table(one, found) for one in found.tables],
    }


def _paid(pay: int) -> int | None:
    return None if pay == UNPAID else pay


def _table(one: Candidate, found: Design) -> dict[str, object]:
    return {
        "pays": {category.name.lower(): _paid(pay) for category, pay in zip(PAYING, one.pays, strict=True)},
        "distance": Exact.of(abs(one.figure(found.goal.figure) - found.goal.target)),
        "element_of_risk": Exact.of(one.element_of_risk),
        "house_edge": Exact.of(one.house_edge),
        "hit_frequency": Exact.of(one.hit_frequency),
        "standard_deviation": one.standard_deviation,
        "roughness": one.roughness,
    }
