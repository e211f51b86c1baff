"""The `wagers` commands: list, show and check the wagers that a table may offer."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.par import WagerSheet, lint
from letitride.analysis.rounding import percent
from letitride.analysis.side_bets import rank_counts
from letitride.cli.io.output import Cell, Json, heading, print_facts, print_json, print_lines, print_table
from letitride.cli.io.values import cents_of, share_of
from letitride.cli.rules.wager_data import (
    LISTED,
    CheckedWager,
    MeterAsked,
    PricedWager,
    figures,
    priced_wager,
    progressive_of,
    ranking_name,
    shown_wager,
    summary,
)
from letitride.errors import InvalidData
from letitride.reports.par.bet_terms import bet_terms, conditions, stake_words
from letitride.rules import catalog
from letitride.rules.keyspec import terms_of
from letitride.rules.money import dollars
from letitride.rules.rankings import POKER, AnyCategory
from letitride.rules.refs import is_path
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import JUDGED_ON, Award, Wager
from letitride.rules.words import quantity, show_value

app = typer.Typer(no_args_is_help=True, help="List, show and check wagers, custom ones too.")

_AWARDS = {
    Award.TO_ONE: "pays to one; the stake is returned",
    Award.TOTAL: "total awards; the stake is not returned",
    Award.FIXED: "awards in dollars, regardless of the bet; the stake is not returned",
}
_RANKINGS = {
    POKER: "poker hands",
    LISTED: "its own list of hands",
}


def _wagers() -> list[str]:
    return list(catalog.wager_ids())


Files = Annotated[
    list[str] | None, typer.Argument(help="TOML files of custom wagers to list as well.", metavar="FILE…")
]
Ref = Annotated[
    str,
    typer.Argument(help="A wager: its id or a TOML file.", metavar="WAGER|FILE", autocompletion=_wagers),
]


@app.command("list")
def list_wagers(files: Files = None, as_json: Json = False) -> None:
    """List the published wagers, and custom ones you name."""
    found = [*PUBLISHED.values(), *(_of_file(file) for file in files or [])]
    if as_json:
        print_json([summary(wager) for wager in found])
        return
    rows: list[list[Cell]] = [
        [heading(wager.id), wager.title, wager.label, JUDGED_ON[wager.judged_on], stake_words(wager)] for wager in found
    ]
    print_table(["wager", "title", "on the felt", "decided by", "stake"], rows, firm=3)


@app.command("show")
def show(  # noqa: PLR0917 - the options of a command
    ref: Ref,
    paytable: Annotated[
        str | None,
        typer.Option("--paytable", help="Price it with this paytable: its id or a TOML file.", metavar="ID|FILE"),
    ] = None,
    meter: Annotated[str | None, typer.Option("--meter", help="The meter of a progressive.", metavar="AMOUNT")] = None,
    players: Annotated[
        int, typer.Option("--players", help="How many players make the bet; matters for envy.", min=1, max=7)
    ] = 1,
    house_edge: Annotated[
        str | None,
        typer.Option("--house-edge", help="Find the contribution for this long-run house edge.", metavar="PERCENT"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a wager: its hands, pays and house edge.

    Shows the cards that decide it, the probability and pay of each hand, and its exact house edge.
    """
    found = priced_wager(ref, paytable)
    asked = MeterAsked(
        None if meter is None else cents_of(meter, "--meter"),
        players,
        None if house_edge is None else share_of(house_edge, "--house-edge"),
    )
    if asked != MeterAsked() and progressive_of(found) is None:
        wanted = "expected a progressive wager for --meter, --players and --house-edge"
        raise InvalidData(f"{wanted}, got {found.wager.title}")
    if as_json:
        print_json(shown_wager(found, asked))
        return
    print_facts(f"{found.wager.id}: {found.wager.title}", _facts(found))
    columns = ["hand", "combinations", "probability", "pays", "conditions"]
    own = ranking_name(found.wager) == LISTED
    print_table(columns if own else columns[:4], (row if own else row[:4] for row in _rows(found)), firm=4)
    for sheet in found.sheets:
        print_lines(_worth(sheet))
    print_lines(*_of_the_meter(found, asked))


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="The TOML file of a custom wager.", metavar="FILE")],
    as_json: Json = False,
) -> None:
    """Check a custom wager and show its exact house edge."""
    try:
        tuple(terms_of(_of_file(file)))  # each of its keys has a value of its kind
        found = priced_wager(file)
    except InvalidData as error:
        named = str(error).startswith(file)
        raise InvalidData(str(error) if named else f"{file}: {error}") from None
    wager = found.wager
    remarks = tuple(dict.fromkeys(remark.text for sheet in found.sheets for remark in lint(sheet)))
    if as_json:
        print_json(
            CheckedWager(
                id=wager.id,
                title=wager.title,
                valid=True,
                sha256=wager.digest,
                pays_sha256=found.table.digest if found.table else None,
                figures=tuple(map(figures, found.sheets)),
                remarks=remarks,
            )
        )
        return
    digests = (f"{label}: {digest}" for label, digest in _digests(found))
    print_lines(f"{wager.id} is a valid wager. {wager.about}", *map(_worth, found.sheets), *digests)
    print_lines(*(f"Note: this wager {remark}." for remark in remarks))


def _of_file(file: str) -> Wager:
    if not is_path(file):
        raise InvalidData(f"expected a path ending in .toml, got {show_value(file)}")
    return catalog.wager(file)


def _facts(found: PricedWager) -> Iterator[tuple[str, str]]:
    wager = found.wager
    yield "about", wager.about
    (_, decided_by), *terms = bet_terms(wager)
    yield "decided by", decided_by
    yield "ranking", _RANKINGS[ranking_name(wager)]
    yield "award", " or ".join(_AWARDS[award] for award in ([found.pays.award] if found.pays else wager.awards))
    yield from terms
    yield "on the felt", wager.label
    if found.table:
        yield "paytable", f"{found.table.id}: {found.table.title}"
    else:
        yield "paytable", f"priced by the {PUBLISHED[wager.priced_with].title} paytable: choose one with --paytable"
    yield from _digests(found)


def _digests(found: PricedWager) -> Iterator[tuple[str, str]]:
    """Yield the digest of how a wager is played, and that of what it pays."""
    yield "sha256", found.wager.digest
    if found.table:
        yield "sha256 of pays", found.table.digest


def _rows(found: PricedWager) -> Iterator[list[str]]:
    counts = rank_counts(found.wager)
    total = sum(counts.values())
    for rank, hands in counts.items():
        yield [rank.label, f"{hands:,}", percent(Fraction(hands, total)), _pays(found, rank), conditions(rank)]
    yield ["all hands", f"{total:,}", percent(Fraction(1)), "", ""]


def _pays(found: PricedWager, rank: AnyCategory) -> str:
    if found.pays is None:
        return ""
    many = len(found.pays.columns)
    told = [found.pays.odds(rank, hands) or "loses" for hands in ((1, many) if many > 1 else (0,))]
    return " … ".join(dict.fromkeys(told))


def _of_the_meter(found: PricedWager, asked: MeterAsked) -> Iterator[str]:
    """Yield what the figures of a progressive bet are."""
    held, players = asked.meter_cents, asked.players
    alone, beside = progressive_of(found, players), progressive_of(found, 2)
    if alone is None or beside is None:
        return
    many = "one player" if players == 1 else f"{players} players"
    if held is not None:
        yield f"house edge at a meter of {dollars(held)}: {percent(alone.house_edge(held))}, {many} at the table"
    if asked.house_edge is not None:
        ppm = 1_000_000 * alone.contribution_for(asked.house_edge)
        rate = f"contribution_ppm = {int(ppm):,}".replace(",", "_") + ("" if ppm.denominator == 1 else ", rounded down")
        yield f"for a long-run house edge of {percent(asked.house_edge)}, {many} at the table: {rate}"
    if not alone.share_chance:
        yield "no hand pays a share of the meter, so it never resets: there is no break-even point, average or long run"
        return
    if alone.break_even_cents is not None:
        yield f"break-even meter: {dollars(int(alone.break_even_cents))}"
    if alone.average_meter_cents is not None:
        yield f"average meter at a hit: {dollars(int(alone.average_meter_cents))}"
    if alone.long_run_edge is not None:
        yield f"long-run house edge: {percent(alone.long_run_edge)} of one bet, {many} at the table"
    else:
        yield "no long-run house edge: what the house adds to fixed amounts depends on the meter"
    if beside.envy_return:
        yield f"envy bonus: returns {percent(beside.envy_return)} of one bet for each other player who makes it"


def _worth(sheet: WagerSheet) -> str:
    hands = f"{quantity(sheet.hands, 'hand')}: " if sheet.hands else ""
    risk = f", element of risk {percent(sheet.element_of_risk)}" if sheet.element_of_risk is not None else ""
    edge = f"house edge {percent(sheet.house_edge)} of one bet ({sheet.house_edge}){sheet.priced_at}{risk}"
    return f"{hands}{edge}, hit frequency {percent(sheet.hit_frequency)}"
