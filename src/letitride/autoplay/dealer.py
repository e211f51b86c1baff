"""Dealer: what the automatic dealer, and the floor where the script asks for it, does next; never for a player.

It follows the script by the same commands a human dealer sends, reports what an attentive dealer would see, and waits
where a player has to act. How long it waits is for the table's host to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from letitride.autoplay.steps import Source, command_for
from letitride.engine import commands, faults
from letitride.engine.bets import complete
from letitride.engine.legal import legal
from letitride.engine.mixing import needed
from letitride.engine.state import Table
from letitride.engine.steps import KINDS


@dataclass(frozen=True, slots=True)
class Waits:
    """The table waits: for bets, for a seat's own act, for an order of the deck, or for players."""

    what: Literal["bets", "seat", "deck", "players"]
    seat: int = 0


def next_act(table: Table, source: Source) -> commands.AnyCommand | Waits:
    """Return what the automatic dealer does now, or what it waits for."""
    step = table.next_step
    if step is None or table.phase == "closed":
        return Waits("players")
    if faults.blocked(table, step):
        return next(iter(faults.evident(table)), Waits("players"))
    actor = KINDS[step.kind].actor
    if actor == "player":
        return Waits("seat", step.seat)
    if needed(table, step) == "order":
        return Waits("deck")
    act = command_for(table, step, source)
    # Outside the betting time only what is wrong with the cards can hold the script up.
    waits = table.phase == "betting" and not (everybody_has_bet(table) and legal(table, act) is None)
    return Waits("bets") if waits else act


def close_bets(table: Table, source: Source) -> commands.AnyCommand | None:
    """Return the act that ends a betting time that is over, if there is anything to deal."""
    step = table.next_step
    if table.phase != "betting" or step is None or needed(table, step) == "order":
        return None
    act = command_for(table, step, source)
    return act if legal(table, act) is None else None


def deal(table: Table, source: Source, *, close: bool) -> commands.AnyCommand | None:
    """Return what a dealer does who also mixes the decks; None: it waits; `close` ends the bets that are down."""
    act = next_act(table, source)
    if not isinstance(act, Waits):
        return act
    if act.what == "deck" and table.next_step is not None:
        return command_for(table, table.next_step, source)
    return close_bets(table, source) if act.what == "bets" and close else None


def everybody_has_bet(table: Table) -> bool:
    """Whether every seat that takes part has its bets down."""
    waited_for = [seat for seat in table.seats.values() if seat.may_bank and not table.player_banks(seat.number)]
    return bool(waited_for) and all(complete(table, seat) for seat in waited_for)


def for_an_absent_player(table: Table) -> commands.AnyCommand | None:
    """Return what is done when the seat that has to act does not: the book's rule for a player who is not there."""
    step = table.next_step
    if step is None or KINDS[step.kind].actor != "player":
        return None
    by = f"seat:{step.seat}"
    seat = table.seats.get(step.seat)
    match step.kind:
        case "await_bank":
            return commands.DeclineBank(by=by, seat=step.seat)
        case "await_inspection":
            return commands.LookOver(by=by, seat=step.seat)
        case "await_choice" | "await_correction" if seat is not None and not seat.away:
            return commands.WentAway(by="dealer", seat=step.seat)
        case "await_choice" | "await_correction":
            return commands.Report(kind="absent", seat=step.seat)
        case _:
            return None
