"""The `par` command: the exact figures of a paytable."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import typer

from letitride.analysis.base import CASES, Ties
from letitride.analysis.caps import Capped, Scope, cap, changed_classes
from letitride.analysis.exact import Exact
from letitride.analysis.par import WagerSheet, lint, sheets
from letitride.analysis.rounding import percent
from letitride.cli.analysis.combined import SIDE_METAVAR, STAKE, as_one, combined_game, maximum_of, print_combined
from letitride.cli.analysis.ties import TIE_RULE, TiesOption
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.values import cents_of, given_date
from letitride.errors import InvalidData
from letitride.reports.paper import files
from letitride.reports.paper.words import AWARDS, DECK, UNITS
from letitride.reports.par.sheets import OverMaximum, par_sheet
from letitride.rules import catalog
from letitride.rules.limits import check_own_stake, find_spot_limits, side_limits
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays, Paytable, base_pays
from letitride.rules.table_rules import offered_wagers
from letitride.rules.wager_table import BASE
from letitride.rules.words import quantity


def par(  # noqa: PLR0917 - the options of a command
    ref: Annotated[str | None, typer.Argument(help="A paytable: its id or a TOML file.", metavar="ID|FILE")] = None,
    book: Annotated[
        str | None,
        typer.Option("--rulebook", help="All wagers of a rule book; ID|FILE replaces its paytable.", metavar="BOOK"),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All published paytables.")] = False,
    ties: TiesOption = "withdraw",
    check: Annotated[bool, typer.Option("--check", help="Check the printed figures against the exact ones.")] = False,
    stake: Annotated[
        str | None,
        typer.Option("--stake", help="One base bet, or the side bet if its awards are in dollars.", metavar="AMOUNT"),
    ] = None,
    payout_max: Annotated[
        str | None, typer.Option("--max-payout", help="The maximum payout, at this --stake.", metavar="AMOUNT")
    ] = None,
    limit_max: Annotated[
        str | None,
        typer.Option("--table-max", help="The table maximum: a higher --stake is settled at it.", metavar="AMOUNT"),
    ] = None,
    scope: Annotated[
        Scope, typer.Option("--payout-scope", help="What the maximum payout applies to.")
    ] = "player_round",
    combined: Annotated[
        list[str] | None,
        typer.Option(
            "--combined", help="Combine the base game with this side bet; may be repeated.", metavar=SIDE_METAVAR
        ),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print every combination count as CSV.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the par sheet as Markdown.")] = False,
    pdf: Annotated[str | None, typer.Option("--pdf", help="Write the par sheet as PDF.", metavar="FILE")] = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Write the par sheet as one HTML file.", metavar="FILE")
    ] = None,
    day: Annotated[
        str | None, typer.Option("--date", help="The date on the PDF and HTML; none by default.", metavar="YYYY-MM-DD")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the exact par sheet of a paytable.

    House edge, element of risk (par), hit frequency and standard deviation of each wager, and every hand behind them.
    """
    tables = _tables(ref, book, every=every)
    if combined:
        asked = (limit_max, pdf, html, day) != (None,) * 4
        if asked or check or as_csv or markdown or every:
            raise InvalidData(
                "expected --combined with one base paytable or --rulebook, --stake, --max-payout, --payout-scope, "
                "--ties and --json, got other options"
            )
        maximum = maximum_of(book, payout_max, scope)
        game = combined_game(as_one(tables), stake or STAKE, combined, ties, "--combined", maximum)
        print_combined(game, as_json=as_json)
        return
    if stake is not None and payout_max is not None and limit_max is None and _of_sides(tables):
        most, payout_max = cents_of(payout_max, "--max-payout"), None
        tables = [tables[0].bound(most, tables[0].pays)]
    if stake is not None and payout_max is None and limit_max is None and _in_dollars(tables):
        tables, stake = [_priced_at(tables[0], stake)], None
    found = [(table, sheets(table, ties)) for table in tables]
    if book is not None and payout_max is None and limit_max is None:
        capped = _caps_of_book(book, tables, stake, ties)
    else:
        capped = _capped(tables, (stake, payout_max, limit_max), scope, ties)
    over = _over_maximum(stake, limit_max, found[0][1][0].house_edge)
    if (capped or over) and (as_csv or markdown or check):
        raise InvalidData("expected --stake with the printed sheet or --json, got it with --csv, --markdown or --check")
    paper = _Paper(pdf, html, _date(day, pdf, html))
    if paper.asked:
        paper.write(found, ties, capped, every=every)
    if check:
        _lint(found, as_json=as_json)
    elif as_json:
        made = [par_sheet(table, wagers, ties, capped, over) for table, wagers in found]
        print_json(made if every or len(made) > 1 else made[0])
    elif as_csv:
        print_lines(*_csv(found))
    elif markdown:
        print_lines(*(line for table, wagers in found for line in _markdown(table, wagers, ties)))
    elif not paper.asked:
        for table, wagers in found:
            _print(table, wagers, ties)
        if over:
            _print_over(over)
        for one in capped:
            print_capped(one, base_pays(next(table for table in tables if BASE.id in table.pays)))


def _tables(ref: str | None, book: str | None, *, every: bool) -> list[Paytable]:
    """Return the paytables that are asked for: one, all, or those in force by a rule book."""
    if book is None:
        if (ref is None) != every:
            raise InvalidData("expected one paytable, or --all, got " + ("both" if every else "neither"))
        return [catalog.paytable(name) for name in (catalog.paytable_ids() if every else [ref or ""])]
    if every:
        raise InvalidData("expected --rulebook or --all, got both")
    known_by_id = catalog.rulebook(book).paytables
    own = (known_by_id.get(ref) or catalog.paytable(ref)) if ref else None
    priced = [pays.wager for pays in own.pays.values()] if own else []
    chosen = catalog.table_book(book, {f"{wager}.paytable": ref for wager in priced if not wager.priced_with})
    names = dict.fromkeys(
        chosen.rules.wagers[wager.id].paytable for wager in offered_wagers(chosen) if not wager.priced_with
    )
    known = {**chosen.paytables, **({own.id: own} if own else {})}
    sides = [wager for wager in offered_wagers(chosen) if not wager.is_base]
    lowest = {wager.id: side_limits(wager, chosen.rules.wagers[wager.id]).cents_min for wager in sides}
    payout = chosen.rules.payout
    most = payout.cents_max if payout.cap == "maximum" else None
    return [(known.get(name) or catalog.paytable(name)).bound(most, payout.sides).at(lowest) for name in names]


def _of_sides(tables: list[Paytable]) -> bool:
    """Whether one table is asked for, and it prices side bets alone."""
    return len(tables) == 1 and not any(pays.wager.is_base for pays in tables[0].pays.values())


def _in_dollars(tables: list[Paytable]) -> bool:
    """Whether one table is asked for, and what a unit wins by it depends on the stake."""
    return len(tables) == 1 and any(pays.priced_cents is not None for pays in tables[0].pays.values())


def _priced_at(table: Paytable, stake: str) -> Paytable:
    """Return a table with awards in dollars, reckoned at a stake that its wager's file allows."""
    cents = cents_of(stake, "--stake")
    for pays in table.pays.values():
        check_own_stake(pays.wager, cents, "--stake")
    return table.at(dict.fromkeys(table.pays, cents))


def _date(day: str | None, pdf: str | None, html: str | None) -> str:
    if day is None:
        return ""
    if pdf is None and html is None:
        raise InvalidData("expected --pdf or --html beside --date, got neither")
    return given_date(day, "--date")


@dataclass(frozen=True, slots=True)
class _Paper:
    """The files that are asked for."""

    pdf: str | None
    html: str | None
    date: str

    @property
    def asked(self) -> bool:
        return self.pdf is not None or self.html is not None

    def write(
        self,
        found: list[tuple[Paytable, tuple[WagerSheet, ...]]],
        ties: Ties,
        capped: tuple[Capped, ...],
        *,
        every: bool,
    ) -> None:
        """Make the files, write them all, and say so on stderr."""
        asked = {"--pdf": self.pdf, "--html": self.html}
        paths = {option: files.place(path, option) for option, path in asked.items() if path is not None}
        if len(set(paths.values())) < len(paths):
            raise InvalidData(f"expected two files after --pdf and --html, got '{self.pdf}' twice")
        # The libraries that draw and set a report are loaded only for one.
        from letitride.reports.paper import html, pdf
        from letitride.reports.par import document as report

        made = (
            report.catalogue_report(found, ties, self.date, capped)
            if every or len(found) > 1
            else report.table_report(found[0], ties, self.date, capped)
        )
        contents = {path: (pdf.as_pdf if option == "--pdf" else html.as_html)(made) for option, path in paths.items()}
        files.write_all(contents)
        for path in contents:
            typer.echo(f"wrote {path}", err=True)


def _capped(
    tables: list[Paytable],
    amounts: tuple[str | None, str | None, str | None],
    scope: Scope,
    ties: Ties,
) -> tuple[Capped, ...]:
    stake, payout_max, limit_max = amounts
    if amounts == (None, None, None):
        return ()
    if stake is None or (payout_max is None and limit_max is None) or len(tables) != 1:
        raise InvalidData("expected --stake together with --max-payout or --table-max, for one base paytable")
    pays = base_pays(tables[0])
    settled = _settled_stake(stake, limit_max)
    return () if payout_max is None else (cap(pays, settled, cents_of(payout_max, "--max-payout"), scope, ties),)


def _caps_of_book(book: str, tables: list[Paytable], stake: str | None, ties: Ties) -> tuple[Capped, ...]:
    """Return the base game under a book's own maximum payout, at a stake or at the lowest and the highest it takes."""
    rules = catalog.rulebook(book).rules
    payout = rules.payout
    base = next((table for table in tables if BASE.id in table.pays), None)
    if payout.cap != "maximum" or payout.cents_max is None or base is None:
        if stake is not None and not _in_dollars(tables):
            raise InvalidData(f"expected a rule book with a maximum payout for --stake, got {book}, which has none")
        return ()
    limits = find_spot_limits(rules.limit)
    stakes = [cents_of(stake, "--stake")] if stake else sorted({limits.cents_min, limits.cents_max} if limits else ())
    many, most = rules.hands_per_player, payout.cents_max
    return tuple(cap(base_pays(base), one, most, payout.scope, ties, hands_per_player=many) for one in stakes)


def _settled_stake(stake: str, limit_max: str | None) -> int:
    """Return the amount a bet is settled at: at most the table maximum."""
    staked = cents_of(stake, "--stake")
    return min(staked, cents_of(limit_max, "--table-max")) if limit_max else staked


def _over_maximum(stake: str | None, limit_max: str | None, edge: Fraction) -> OverMaximum | None:
    """Return the figures of a bet over the table maximum, if there is one."""
    if stake is None or limit_max is None:
        return None
    staked, settled = cents_of(stake, "--stake"), _settled_stake(stake, limit_max)
    return OverMaximum(
        stake_cents=staked,
        settled_cents=settled,
        house_edge_of_what_is_settled=Exact.of(edge),
        house_edge_of_what_was_put_up=Exact.of(edge * settled / staked),
    )


def _facts(sheet: WagerSheet) -> Iterator[tuple[str, str]]:
    """Yield the figures of a wager with the convention of each."""
    if sheet.element_of_risk is not None and sheet.average_wager is not None:
        yield "house edge", f"{percent(sheet.house_edge)} of one bet ({sheet.house_edge})"
        yield "element of risk (par)", f"{percent(sheet.element_of_risk)} of the average amount left riding"
        yield "average wager", f"{float(sheet.average_wager):.4f} of the 3 units bet"
        yield "bet 1 rides", percent(sheet.bet1_ride_rate or Fraction(0))
        yield "bet 2 rides", percent(sheet.bet2_ride_rate or Fraction(0))
    else:
        yield "house edge (par)", f"{percent(sheet.house_edge)} of the bet ({sheet.house_edge})"
    yield "hit frequency", percent(sheet.hit_frequency)
    yield "standard deviation", f"{sheet.results.standard_deviation:.4f} units per round"
    yield "skewness", f"{sheet.results.skewness:.2f}"
    printed = {"par": sheet.pays.printed_par, "hit frequency": sheet.pays.printed_hit_frequency}
    if said := ", ".join(f"{name} {figure}" for name, figure in printed.items() if figure):
        yield "printed", said


def _hands(sheet: WagerSheet) -> str:
    return f", {quantity(sheet.hands, 'hand')}" if sheet.hands else ""


def _title(sheet: WagerSheet) -> str:
    award = AWARDS[sheet.pays.award] + ("" if sheet.pays.returns_stake else ", bet not returned")
    return f"{sheet.wager.title}{_hands(sheet)}: {award}{sheet.priced_at}"


def _print(table: Paytable, wagers: tuple[WagerSheet, ...], ties: Ties) -> None:
    print_lines(heading(f"{table.id}: {table.title}"), f"sha256 {table.digest}", f"{DECK}; {UNITS}")
    for sheet in wagers:
        print_lines("", heading(_title(sheet)))
        print_lines(*(f"  {name:<22} {value}" for name, value in _facts(sheet)))
        if sheet.ties:
            print_lines(f"  {'tie rule':<22} {TIE_RULE[ties]}")
        print_table(["hand", "combinations", "probability", "pay", "units riding", "result"], _rows(sheet), firm=6)


def _rows(sheet: WagerSheet) -> list[list[str]]:
    return [
        [
            line.category,
            f"{line.combinations:,}",
            f"{float(line.probability):.8f}",
            sheet.told(line),
            f"{float(line.riding):.4f}" if sheet.ties else "",
            f"{float(line.result):+.6f}",
        ]
        for line in sheet.lines
    ]


def _print_over(over: OverMaximum) -> None:
    staked, settled = dollars(over.stake_cents), dollars(over.settled_cents)
    parts = (
        (f"of the {settled} settled", over.house_edge_of_what_is_settled),
        (f"of the {staked} bet", over.house_edge_of_what_was_put_up),
    )
    print_lines("", heading(f"A bet of {staked} is settled at {settled}; the excess is returned"))
    print_lines(*(f"  {'house edge':<22} {edge.value:.4%} {words}" for words, edge in parts))


def print_capped(capped: Capped, pays: Pays) -> None:
    """Print the base game at a stake under a maximum payout, and the hands whose best play changes."""
    alone, (bet1, bet2) = f", {capped.alone}" if capped.alone else "", capped.ride_rates
    print_lines(
        "",
        heading(
            f"At {dollars(capped.stake_cents)} a bet and a maximum payout of {dollars(capped.payout_cents_max)}{alone}"
        ),
        f"  {'house edge':<22} {percent(capped.house_edge)} of one bet ({capped.house_edge})",
        f"  {'element of risk (par)':<22} {percent(capped.element_of_risk)} of the average amount left riding",
        f"  {'average wager':<22} {float(capped.average_wager):.4f} of the 3 units bet",
        f"  {'bet 1 rides':<22} {percent(bet1)}",
        f"  {'bet 2 rides':<22} {percent(bet2)}",
        f"  {'standard deviation':<22} {capped.results.standard_deviation:.4f} units per round",
        f"  {'best play changes for':<22} {quantity(capped.changed_bet1, 'kind')} of three cards, "
        f"{quantity(capped.changed_bet2, 'kind')} of four cards",
        *(f"    - {one.words}" for one in changed_classes(pays, capped, capped.ties)),
    )


def _markdown(table: Paytable, wagers: tuple[WagerSheet, ...], ties: Ties) -> Iterator[str]:
    yield f"# {table.id}: {table.title}"
    yield ""
    yield f"sha256 `{table.digest}`; tie rule: {TIE_RULE[ties]}; base game over {CASES:,} cases."
    yield ""
    yield f"{DECK}; {UNITS}."
    for sheet in wagers:
        yield from ("", f"## {_title(sheet)}", "", "| figure | value |", "|---|---|")
        yield from (f"| {name} | {value} |" for name, value in _facts(sheet))
        yield from (
            "",
            "| hand | combinations | probability | pay | units riding | result |",
            "|---|--:|--:|--:|--:|--:|",
        )
        yield from (f"| {' | '.join(row)} |" for row in _rows(sheet))
    yield ""


def _csv(found: list[tuple[Paytable, tuple[WagerSheet, ...]]]) -> Iterator[str]:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["paytable", "wager", "hands", "hand", "combinations", "of", "pay", "units_riding", "result"])
    for table, wagers in found:
        for sheet in wagers:
            for line in sheet.lines:
                pay = "" if line.pay is None else line.pay
                counts = line.combinations, sheet.combinations
                rows.writerow(
                    [table.id, sheet.wager, sheet.hands or "", line.category, *counts, pay, line.riding, line.result]
                )
    yield from text.getvalue().splitlines()


def _lint(found: list[tuple[Paytable, tuple[WagerSheet, ...]]], *, as_json: bool) -> None:
    remarked = [(table, sheet, remark) for table, wagers in found for sheet in wagers for remark in lint(sheet)]
    given = (sheet.pays for _, wagers in found for sheet in wagers)
    printed = sum((pays.printed_par is not None) + (pays.printed_hit_frequency is not None) for pays in given)
    wrong = sum(remark.wrong for _, _, remark in remarked)
    if as_json:
        remarks = [
            {"paytable": table.id, "wager": f"{sheet.wager}{_hands(sheet)}", "wrong": one.wrong, "remark": one.text}
            for table, sheet, one in remarked
        ]
        print_json({"printed_figures_compared": printed, "wrong": wrong, "remarks": remarks})
    else:
        if remarked:
            rows = [[table.id, f"{sheet.wager.title}{_hands(sheet)}", one.text] for table, sheet, one in remarked]
            print_table(["paytable", "wager", "remark"], rows, firm=2)
        print_lines(f"Checked {printed} printed pars and hit frequencies: {wrong} differ from the exact values.")
    if wrong:
        raise typer.Exit(1)
