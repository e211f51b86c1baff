"""Slip: a slip of a chip tray as a page to print and sign; it adds nothing up."""

from __future__ import annotations

from letitride.ledger.tray import CARRIED, NAMES, Slip, Tray
from letitride.reports.paper.model import Cell, Dossier, Grid, Part, Text
from letitride.reports.pit.gaming_day import GamingDays
from letitride.rules.money import dollars
from letitride.version import __version__


def slip_page(tray: Tray, slip: Slip, table: str, days: GamingDays) -> Dossier:
    """Return a slip as a document; `table` is what the house calls the table."""
    name = NAMES[slip.kind].capitalize()
    title = f"{name} slip {slip.number}: {table or tray.table}"
    return Dossier(
        title=title,
        subtitle=days.told(slip.at_ms),
        footer=f"{title} · {days.told(slip.at_ms)}",
        version=__version__,
        date="",
        keywords=(tray.table, name),
        consistent=True,
        verdict=f"{name} of {dollars(slip.cents)}.",
        identity=tuple((label, text) for label, text in _identity(tray, slip, table) if text),
        parts=(Part("Amounts", (_amounts(slip),)), Part("Signatures", (_signatures(slip),))),
        template="shift",
    )


def _identity(tray: Tray, slip: Slip, table: str) -> tuple[tuple[str, str], ...]:
    return (
        ("Table", table or tray.table),
        ("Slip", f"{slip.number} of this table, tray {tray.number}"),
        ("Journal", f"{tray.table}, row {slip.row}"),
        ("Asked for by", slip.asked_by),
        ("Brought by", slip.brought_by),
        ("Received by", slip.received_by),
        ("Counted with", slip.counted_by),
        ("Approved by", slip.approved_by),
        ("Entered by", slip.entered_by),
        ("Reason", slip.why),
    )


def _amounts(slip: Slip) -> Grid | Text:
    if slip.kind == "drop":
        return Text((f"{dollars(slip.cents)} in the drop box.",))
    came = tuple(_row(one, cents) for one, cents in slip.chips.items())
    went = tuple((Cell(f"{row[0].text}, given out"), *row[1:]) for row in (_row(*one) for one in slip.out.items()))
    foot = (Cell("Total"), Cell(""), Cell(dollars(slip.cents)))
    return Grid("Chips by denomination", ("Chips", "Pieces", "Amount"), (*came, *went), foot)


def _row(denomination: int, cents: int) -> tuple[Cell, ...]:
    return Cell(dollars(denomination)), Cell(f"{cents // denomination:,}"), Cell(dollars(cents))


def _signatures(slip: Slip) -> Text:
    line = "_" * 32
    roles: tuple[str, ...]
    if slip.kind in CARRIED:
        roles = ("Asked for", "Brought", "Received", "Dealer")
    elif slip.kind == "colour_up":
        roles = ("Dealer", "Floor")
    else:
        roles = ("Counted", "Counted with")
    return Text(tuple(f"{role}: {line}" for role in roles))
