"""Report: the document of one paytable, or of many; the same tables give the same document, whatever the day."""

from __future__ import annotations

from letitride.analysis.base import Ties
from letitride.analysis.caps import Capped
from letitride.analysis.par import WagerSheet
from letitride.analysis.rounding import decimal, percent
from letitride.reports.paper import words
from letitride.reports.paper.model import Cell, Grid, Report, Sheet
from letitride.reports.par.play import play_parts
from letitride.reports.par.wager import figure, wager_part
from letitride.rules import catalog
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.wager_table import BASE
from letitride.rules.words import quantity
from letitride.version import __version__

Priced = tuple[Paytable, tuple[WagerSheet, ...]]


def table_report(priced: Priced, ties: Ties, date: str = "", capped: tuple[Capped, ...] = ()) -> Report:
    """Return the par sheet of one paytable."""
    table, _ = priced
    return Report(
        title=f"Par sheet {table.title if _is_own(table) else table.id}",
        subtitle=table.title,
        footer=f"{table.id} · sha256 {table.digest[:12]}",
        version=__version__,
        date=date,
        catalogue=None,
        rules=_rules([priced]),
        conventions=words.conventions(ties, [pays.wager for pays in table.pays.values()]),
        sheets=(_sheet(priced, 1, ties, date, capped),),
    )


def _is_own(table: Paytable) -> bool:
    """Whether a table is that of a house's own wager, which people know by its title."""
    return any(not pays.wager.published for pays in table.pays.values())


def catalogue_report(found: list[Priced], ties: Ties, date: str = "", capped: tuple[Capped, ...] = ()) -> Report:
    """Return the catalogue of many paytables: rules and conventions once, then one sheet for each."""
    many = sum(len(wagers) for _, wagers in found)
    return Report(
        title="Catalogue of par sheets",
        subtitle=f"{quantity(len(found), 'paytable')}, {quantity(many, 'priced wager')}",
        footer="Catalogue of par sheets",
        version=__version__,
        date=date,
        catalogue=_overview(found),
        rules=_rules(found),
        conventions=words.conventions(ties, [pays.wager for table, _ in found for pays in table.pays.values()]),
        sheets=tuple(_sheet(priced, number, ties, date, capped) for number, priced in enumerate(found, 1)),
    )


def _rules(found: list[Priced]) -> tuple[tuple[str, str], ...]:
    """Return the wagers that are priced, in brief, each once, in their own order."""
    known = {(pays.wager.id, pays.award): pays for table, _ in found for pays in table.pays.values()}
    ordered = sorted(known.values(), key=lambda pays: (pays.wager.order, pays.wager.id, pays.award))
    return tuple((pays.wager.title, words.rules(pays)) for pays in ordered)


def _sheet(priced: Priced, number: int, ties: Ties, date: str, capped: tuple[Capped, ...]) -> Sheet:
    table, wagers = priced
    identity = [
        ("Paytable", table.id),
        ("Title", table.title),
        ("SHA-256 of the pays", table.digest),
        ("Wagers", ", ".join(_wager_words(pays) for pays in table.pays.values())),
        ("Sources", ", ".join(dict.fromkeys(ref for pays in table.pays.values() for ref in pays.clauses)) or "none"),
        ("Made by", f"letitride {__version__}"),
        ("Deck", words.DECK),
        ("Units", words.UNITS),
    ]
    if BASE.id in table.pays:
        identity.append(("Tie rule", words.ties_sentence(ties)))
    if date:
        identity.append(("Date", date))
    return Sheet(
        anchor=f"t{number}",
        id=table.id,
        title=table.title,
        digest=table.digest,
        identity=tuple(identity),
        wagers=tuple(
            wager_part(
                sheet,
                f"t{number}w{place}",
                _published(table, sheet.pays),
                _of(sheet, capped),
                tuple(play_parts(sheet, table)),
            )
            for place, sheet in enumerate(wagers, 1)
        ),
    )


def _wager_words(pays: Pays) -> str:
    """Return a wager with what its pays are: 'Base game (pays to one)'."""
    return f"{pays.wager.title} ({words.AWARDS[pays.award]})"


def _of(sheet: WagerSheet, capped: tuple[Capped, ...]) -> tuple[Capped, ...]:
    return capped if sheet.wager.is_base else ()


def _published(table: Paytable, pays: Pays) -> str:
    """Return the id of a published table that pays the same for a wager, itself if it is one; or nothing."""
    ids = catalog.paytable_ids()
    for one in sorted(ids, key=lambda one: one != table.id):
        known = catalog.paytable(one).pays.get(pays.wager.id)
        if known is not None and (known.award, known.columns) == (pays.award, pays.columns):
            return one
    return ""


def _overview(found: list[Priced]) -> Grid:
    rows = tuple(
        (
            Cell(table.id, to=f"t{number}"),
            Cell(words.heading(sheet.pays, sheet.hands), to=f"t{number}w{place}"),
            figure(sheet.house_edge, percent(sheet.house_edge)),
            figure(sheet.par, percent(sheet.par)) if sheet.element_of_risk is not None else Cell("as house edge"),
            Cell(sheet.pays.printed_par or "–"),
            Cell(percent(sheet.hit_frequency)),
            Cell(decimal(sheet.results.standard_deviation)),
        )
        for number, (table, wagers) in enumerate(found, 1)
        for place, sheet in enumerate(wagers, 1)
    )
    columns = ("Paytable", "Wager", "House edge", "Par", "Printed par", "Hit frequency", "Standard deviation")
    return Grid("Every paytable and wager; fractions are exact", columns, rows, words=(0, 1))
