"""Disputes: a player's complaint on its way through the instances of the book, and advice given to players."""

from __future__ import annotations

from letitride.engine import commands, events, places
from letitride.engine.places import Chips
from letitride.engine.refusal import Refusal
from letitride.engine.state import Dispute, Table
from letitride.engine.steps import Step

_HOUSE = frozenset({"dealer", "floor", "games_supervisor", "casino_supervisor", "operator"})

AnyDispute = commands.RaiseDispute | commands.DecideDispute | commands.AppealDispute


def instances(table: Table, absent: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Who decides a dispute within the house, first instance first; the inspector hears complaints about the house."""
    return tuple(role for role in table.rules.rules.dispute if role != "inspector" and role not in absent)


def open_dispute(table: Table, seat: int) -> Dispute | None:
    """The dispute of a seat that is not final yet."""
    return next((one for one in table.disputes if one.seat == seat), None)


def refuse(table: Table, command: AnyDispute) -> Refusal | None:
    """Return why a step of a dispute is refused, or None."""
    dispute = open_dispute(table, command.seat)
    match command:
        case commands.RaiseDispute():
            if dispute is not None:
                return Refusal("dispute_open", "Your last complaint is not settled yet.")
            if not command.about.strip() or "\n" in command.about:
                return Refusal("about_what", "A complaint says in a line what it is about.")
            if not instances(table, command.absent) or "operator" in command.absent:
                return Refusal("nobody_hears", "Somebody of the house must be there to hear it.")
            return None
        case commands.DecideDispute():
            return _refuse_decision(table, dispute, command)
        case commands.AppealDispute():
            if dispute is None or not dispute.decisions or dispute.appealed:
                return Refusal("nothing_to_appeal", "There is no decision to have reviewed.")
            return None


def _refuse_decision(table: Table, dispute: Dispute | None, command: commands.DecideDispute) -> Refusal | None:
    if dispute is None or (dispute.decisions and not dispute.appealed):
        return Refusal("nothing_to_decide", "No complaint waits for a decision.")
    if command.by != dispute.heard_by[0]:
        return Refusal("not_your_role", f"This is for the {dispute.heard_by[0].replace('_', ' ')}, not {command.by}.")
    if not command.why.strip():
        return Refusal("say_why", "A decision gives its reason.")
    if command.cents < 0 or (command.cents and not command.upheld):
        return Refusal("bad_amount", "Only a complaint that is upheld is paid for, and with more than nothing.")
    if command.cents and table.rules.rules.bank.mode == "player":
        return Refusal("house_does_not_pay", "The house has no part in a bank that is a player's.")
    return None


def follow(table: Table, command: AnyDispute) -> events.AnyEvent:
    """Return what follows from a step of a dispute."""
    match command:
        case commands.RaiseDispute():
            heard_by = instances(table, command.absent)
            player = table.seats[command.seat].player
            return events.DisputeRaised(
                dispute=Dispute(seat=command.seat, player=player, about=command.about, heard_by=heard_by)
            )
        case commands.DecideDispute():
            return _decide(table, command)
        case commands.AppealDispute():
            dispute = open_dispute(table, command.seat)
            to = dispute.heard_by[0] if dispute else ""
            return events.DisputeAppealed(seat=command.seat, to=to)


def _decide(table: Table, command: commands.DecideDispute) -> events.DisputeDecided:
    dispute = open_dispute(table, command.seat)
    final = dispute is not None and len(dispute.heard_by) == 1
    inspector = final and "inspector" in table.rules.rules.dispute
    known = table.rules.ruling_clauses
    paid = (Chips(places.TRAY, places.stack(command.seat), command.cents),) if command.cents else ()
    return events.DisputeDecided(
        seat=command.seat,
        by=command.by,
        upheld=command.upheld,
        why=command.why,
        final=final,
        clauses=known.get("dispute:final" if final else "dispute:decided", ()),
        inserted=(Step("tell_inspector", command.seat),) if inspector and not command.upheld else (),
        chips=paid,
    )


def refuse_advice(table: Table, command: commands.Advise) -> Refusal | None:
    """Return why nobody may tell a player what to do, or None where it is allowed."""
    seat = table.seats.get(command.seat)
    if seat is None or not seat.player:
        return Refusal("seat_empty", f"Nobody sits at seat {command.seat}.")
    rules = table.rules.rules
    if command.by in _HOUSE or command.by == "inspector":
        return None if rules.coach else Refusal("no_advice", "Those who run the table give no advice on playing.")
    if rules.advice == "on_request" and not seat.wants_advice and command.by != f"seat:{command.seat}":
        return Refusal("no_advice", "A player is advised only when he asks.")
    return None
