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

app = typer.Typer(no_args_is_help=True, help="Wagers: list, show and check them, a house's own among them.")

_AWARDS = {
    Award.TO_ONE: "pays to one: the stake comes back as well",
    Award.TOTAL: "total awards: the stake stays taken",
    Award.FIXED: "awards in dollars, whatever was bet: the stake stays taken",
}
_RANKINGS = {
    POKER: "the hands of poker",
    LISTED: "ranks of its own",
}


def _wagers() -> list[str]:
    return list(catalog.wager_ids())


Files = Annotated[list[str] | None, typer.Argument(help="TOML files of wagers of your own.", metavar="FILE…")]
Ref = Annotated[
    str,
    typer.Argument(help="A wager: an id or a path to a TOML file.", metavar="WAGER|FILE", autocompletion=_wagers),
]


@app.command("list")
def list_wagers(files: Files = None, as_json: Json = False) -> None:
    """List the published wagers, and those of your own that you name."""
    found = [*PUBLISHED.values(), *(_of_file(file) for file in files or [])]
    if as_json:
        print_json([summary(wager) for wager in found])
        return
    rows: list[list[Cell]] = [
        [heading(wager.id), wager.title, wager.label, JUDGED_ON[wager.judged_on], stake_words(wager)] for wager in found
    ]
    print_table(["wager", "title", "felt", "judged on", "stake"], rows, firm=3)


@app.command("show")
def show(  # noqa: PLR0917 - the options of a command
    ref: Ref,
    paytable: Annotated[
        str | None, typer.Option("--paytable", help="Price it by this paytable: an id or a path.", metavar="ID|FILE")
    ] = None,
    meter: Annotated[
        str | None, typer.Option("--meter", help="What the meter of a progressive holds.", metavar="AMOUNT")
    ] = None,
    players: Annotated[
        int, typer.Option("--players", help="How many players make the bet, on whom envy depends.", min=1, max=7)
    ] = 1,
    house_edge: Annotated[
        str | None,
        typer.Option("--house-edge", help="What the house is to keep of a progressive in the end.", metavar="PERCENT"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a wager is: what it is judged on, how often each rank comes, what it pays and what it is worth."""
    found = priced_wager(ref, paytable)
    asked = MeterAsked(
        None if meter is None else cents_of(meter, "--meter"),
        players,
        None if house_edge is None else share_of(house_edge, "--house-edge"),
    )
    if asked != MeterAsked() and progressive_of(found) is None:
        wanted = "expected a wager with a meter for --meter, --players and --house-edge"
        raise InvalidData(f"{wanted}, got {found.wager.id}")
    if as_json:
        print_json(shown_wager(found, asked))
        return
    print_facts(f"{found.wager.id}: {found.wager.title}", _facts(found))
    columns = ["rank", "hands", "probability", "pays", "conditions"]
    own = ranking_name(found.wager) == LISTED
    print_table(columns if own else columns[:4], (row if own else row[:4] for row in _rows(found)), firm=4)
    for sheet in found.sheets:
        print_lines(_worth(sheet))
    print_lines(*_of_the_meter(found, asked))


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="The TOML file of a wager of your own.", metavar="FILE")],
    as_json: Json = False,
) -> None:
    """Check a wager of your own: whether its file fits, and what the wager is worth exactly."""
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
    print_lines(f"{wager.id} fits: {wager.about}", *map(_worth, found.sheets), *digests)
    print_lines(*(f"Note: this wager {remark}." for remark in remarks))


def _of_file(file: str) -> Wager:
    if not is_path(file):
        raise InvalidData(f"expected a path ending in .toml, got {show_value(file)}")
    return catalog.wager(file)


def _facts(found: PricedWager) -> Iterator[tuple[str, str]]:
    wager = found.wager
    yield "about", wager.about
    terms = dict(bet_terms(wager))
    yield "judged on", terms.pop("judged on")
    yield "ranking", _RANKINGS[ranking_name(wager)]
    yield "award", " or ".join(_AWARDS[award] for award in ([found.pays.award] if found.pays else wager.awards))
    yield from terms.items()
    yield "felt", wager.label
    if found.table:
        yield "paytable", f"{found.table.id}: {found.table.title}"
    else:
        yield "paytable", f"that of {PUBLISHED[wager.priced_with].title}: name one that prices it with --paytable"
    yield from _digests(found)


def _digests(found: PricedWager) -> Iterator[tuple[str, str]]:
    """Yield the digest of how a wager is played, and that of what it pays."""
    yield "sha256", found.wager.digest
    if found.table:
        yield "sha256 of its pays", found.table.digest


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
        yield f"at a meter of {dollars(held)} the house edge is {percent(alone.house_edge(held))}, {many} at the table"
    if asked.house_edge is not None:
        ppm = 1_000_000 * alone.contribution_for(asked.house_edge)
        rate = f"contribution_ppm = {int(ppm):,}".replace(",", "_") + ("" if ppm.denominator == 1 else " or so")
        yield f"to keep {percent(asked.house_edge)} in the long run, {many} at the table: {rate}"
    if not alone.share_chance:
        yield "no hand takes a share of the meter, so nothing empties it: it has no break-even, average or long run"
        return
    if alone.break_even_cents is not None:
        yield f"breaks even at a meter of {dollars(int(alone.break_even_cents))}"
    if alone.average_meter_cents is not None:
        yield f"the meter holds {dollars(int(alone.average_meter_cents))} on average when it is hit"
    if alone.long_run_edge is not None:
        yield f"in the long run the house keeps {percent(alone.long_run_edge)} of one bet, {many} at the table"
    else:
        yield "the long run is not given: what the house adds to amounts depends on what the meter holds"
    if beside.envy_return:
        yield f"envy gives back {percent(beside.envy_return)} of one bet for each other player with the bet"


def _worth(sheet: WagerSheet) -> str:
    hands = f"{quantity(sheet.hands, 'hand')}: " if sheet.hands else ""
    risk = f", element of risk {percent(sheet.element_of_risk)}" if sheet.element_of_risk is not None else ""
    edge = f"house edge {percent(sheet.house_edge)} of one bet ({sheet.house_edge}){sheet.priced_at}{risk}"
    return f"{hands}{edge}, hit frequency {percent(sheet.hit_frequency)}"
