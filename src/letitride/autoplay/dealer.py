"""Dealer: what the automatic dealer, and the floor where the script asks for it, does next; never for a player.

It follows the script by the same commands a human dealer sends, reports what an attentive dealer would see, and waits
where a player has to act. How long it waits is for the table's host to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

from letitride.engine import commands, faults
from letitride.engine.bets import complete
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step

CUT_MIN, CUT_MAX = 11, 41
"""A cut leaves more than ten cards on either side."""


class Source(Protocol):
    """Where cuts and dice come from."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1, each as likely as any other."""


@dataclass(frozen=True, slots=True)
class Waits:
    """The table waits: for bets, for a seat's own act, for an order of the deck, or for anybody to come."""

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
    if KINDS[step.kind].needs == "order":
        return Waits("deck")
    act = _do(step, source)
    if legal(table, act) is not None:  # nobody has bet, or bets are uneven: the script waits for players
        return Waits("bets" if table.phase == "betting" else "players")
    return act if table.phase != "betting" or everybody_has_bet(table) else Waits("bets")


def close_bets(table: Table, source: Source) -> commands.AnyCommand | None:
    """Return the act that ends a betting time that is over, if there is anything to deal."""
    step = table.next_step
    if table.phase != "betting" or step is None or KINDS[step.kind].needs:
        return None
    act = _do(step, source)
    return act if legal(table, act) is None else None


def everybody_has_bet(table: Table) -> bool:
    """Whether every seat that takes part has its bets down."""
    waited_for = [seat for seat in table.seats.values() if seat.may_bank and not table.banks(seat.number)]
    return bool(waited_for) and all(complete(table, seat) for seat in waited_for)


def with_chance(do: commands.Do, source: Source) -> commands.Do:
    """Return a step with the cut or the dice it needs."""
    match KINDS[do.kind].needs:
        case "cut":
            return msgspec.structs.replace(do, cut=CUT_MIN + source.below(CUT_MAX - CUT_MIN + 1))
        case "throw":
            return msgspec.structs.replace(do, throw=sum(1 + source.below(6) for _ in range(3)))
        case _:
            return do


def do(step: Step) -> commands.Do:
    """Return the command for a step, by whoever has to do it."""
    return commands.Do(by=KINDS[step.kind].actor, kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)


def _do(step: Step, source: Source) -> commands.Do:
    return with_chance(do(step), source)


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
