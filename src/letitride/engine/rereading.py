"""Rereading: the rest of a round read anew when a hand is void before any bet was settled; it settles none."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.engine import events, meters, places
from letitride.engine.bets import claimed_spot
from letitride.engine.results import read_round
from letitride.engine.showdown import settling
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.settlement import Results, WagerResult

Rows = tuple[WagerResult, ...]


def unclaimed(table: Table, results: Results) -> Results:
    """Return results without those that were settled when a player claimed them."""
    claimed = claimed_spot(table)
    return {
        n: tuple(r for r in rows if r.wager != claimed) if table.seats[n].claim else rows for n, rows in results.items()
    }


def reread(table: Table, void: int) -> Iterator[events.RoundRead | events.MetersTaken | events.PhaseBegan]:
    """Yield what the other hands come to without one that is void: it gives no envy and shares no maximum.

    Where bets were settled already, a player banks, or hands have taken of a meter that tables share, what was read
    stands; and so does what the best hand of the table was.
    """
    is_house = table.rules.rules.bank.mode == "house"
    if table.phase != "settling" or not is_house or table.takes.keys() & set(meters.shared(table.rules)):
        return
    if not all(table.at(places.hand(number)) for number in table.dealt_in):
        return  # a hand that was picked up was settled
    before = {number: table.seats[number].results for number in table.dealt_in}
    ended = tuple(step for step in table.agenda if step.seat == void)
    if table.agenda != (*ended, *_due(table, before)):
        return
    anew, takes = read_round(table)
    results = {number: _best_as_before(table, before[number], rows) for number, rows in anew.items()}
    if results == before:
        return
    yield events.RoundRead(results=results)
    if takes != table.takes:
        yield events.MetersTaken(takes=takes)
    yield events.PhaseBegan(phase="settling", agenda=(*ended, *_due(table, results)), round=table.round)


def _best_as_before(table: Table, before: Rows, anew: Rows) -> Rows:
    kept = {row.wager: row for row in before if table.rules.by_spot[row.wager].by_hands}
    return tuple(kept.get(row.wager, row) for row in anew)


def _due(table: Table, results: Results) -> Iterator[Step]:
    """Yield the steps of the showdown, but for hands that are open already."""
    for step in settling(table, unclaimed(table, results)):
        if step.kind != "open_hand" or not all(card.up for card in table.at(places.hand(step.seat))):
            yield step
