"""Disputes: from the first ruling to the last appeal the book allows, and advice to players; never a payment."""

from __future__ import annotations

from msgspec import UnsetType

from letitride.engine import commands, events
from letitride.engine.refusal import Refusal, refuse_words
from letitride.engine.state import Dispute, DisputedBet, Table
from letitride.engine.steps import Step
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.money import dollars
from letitride.rules.roles import HOUSE, STAFF, spoken
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import bet_name

AnyDispute = commands.RaiseDispute | commands.DecideDispute | commands.AppealDispute


def instances(table: Table) -> tuple[str, ...]:
    """Who decides a dispute within the house, first instance first; the inspector hears disputes with the house."""
    return tuple(role for role in table.rules.rules.dispute if role in HOUSE)


def of_player(table: Table, seat: int) -> Dispute | None:
    """The open dispute of the player at a seat."""
    return next((one for one in table.disputes if one.player == table.seats[seat].player), None)


def refuse(table: Table, command: AnyDispute) -> Refusal | None:
    """Return why a step of a dispute is refused, or None."""
    match command:
        case commands.RaiseDispute():
            if of_player(table, command.seat) is not None:
                return Refusal("dispute_open", "Your last dispute is still open.")
            if not command.about:
                return Refusal("about_what", "Say in a line what happened.")
            return refuse_words(command.about) or _refuse_bet(table, command.concerns)
        case commands.DecideDispute():
            return _refuse_decision(table, command)
        case commands.AppealDispute():
            dispute = of_player(table, command.seat)
            if dispute is None or not dispute.decisions or dispute.appealed:
                return Refusal("nothing_to_appeal", "There's no ruling to appeal.")
            return None


def _refuse_bet(table: Table, concerns: DisputedBet | UnsetType) -> Refusal | None:
    """Return why a dispute cannot be about a round and a bet, or None."""
    if isinstance(concerns, UnsetType):
        return None
    if not 1 <= concerns.round <= table.round:
        number = concerns.round
        return Refusal(
            "no_such_round", f"No round {number} was dealt at this table.", values={"round": max(min(number, 10**9), 0)}
        )
    if concerns.wager and concerns.wager not in table.rules.by_spot:
        return Refusal("not_offered", "This table doesn't offer that bet.", values={"bet": "that bet"})
    if concerns.cents < 0:
        return Refusal("bad_amount", "Enter an amount of more than $0.")
    return None


def told(dispute: Dispute, table: Table) -> str:
    """Return in words what a dispute is about: the round, the bet and the amount first, where they are named."""
    bet = dispute.concerns
    if isinstance(bet, UnsetType):
        return dispute.about
    parts = [f"round {bet.round}"]
    parts += [bet_name(bet.wager, table.rules.by_spot)] if bet.wager else []
    parts += [dollars(bet.cents)] if bet.cents else []
    return f"{', '.join(parts)}: {dispute.about}"


def _refuse_decision(table: Table, command: commands.DecideDispute) -> Refusal | None:
    dispute = next((one for one in table.disputes if one.number == command.number), None)
    if dispute is None or (dispute.decisions and not dispute.appealed):
        return Refusal("nothing_to_decide", "There's no dispute of that number to rule on.")
    whose = _heard_by(dispute, command.absent)[0]
    if command.by != whose:
        who = f"the {spoken(command.by)}" if command.by in STAFF else command.by
        return Refusal("not_your_role", f"This is for the {spoken(whose)}, not {who}.")
    if not command.why:
        return Refusal("say_why", "Give the reason for the ruling.")
    if command.cents < 0 or (command.cents and not command.upheld):
        return Refusal("bad_amount", "Only an upheld dispute is paid, and with more than $0.")
    if command.cents and table.rules.rules.bank.mode == "player":
        return Refusal("house_does_not_pay", "A player has the bank, so the house pays nothing.")
    return refuse_words(command.why)


def _heard_by(dispute: Dispute, absent: tuple[str, ...]) -> tuple[str, ...]:
    """The instances left, without those who are not on duty; the last one is always there."""
    *lower, last = dispute.heard_by
    return (*(role for role in lower if role not in absent), last)


def follow(table: Table, command: AnyDispute) -> events.AnyEvent:
    """Return what follows from a step of a dispute."""
    match command:
        case commands.RaiseDispute():
            return events.DisputeRaised(
                dispute=Dispute(
                    number=table.disputes_raised + 1,
                    seat=command.seat,
                    player=table.seats[command.seat].player,
                    about=command.about,
                    heard_by=instances(table),
                    concerns=command.concerns,
                )
            )
        case commands.DecideDispute():
            return _decide(table, command)
        case commands.AppealDispute():
            own = of_player(table, command.seat)
            assert own is not None  # noqa: S101 - `refuse` asked for it
            return events.DisputeAppealed(number=own.number, seat=command.seat, to=own.heard_by[0])


def _decide(table: Table, command: commands.DecideDispute) -> events.DisputeDecided:
    dispute = next(one for one in table.disputes if one.number == command.number)
    left = _heard_by(dispute, command.absent)[1:]
    final = not left
    inspector = final and any(role not in HOUSE for role in table.rules.rules.dispute)
    there = table.seats[dispute.seat].player == dispute.player
    purse = accounts.stack(dispute.seat) if there else accounts.wallet(dispute.player)
    return events.DisputeDecided(
        number=command.number,
        seat=dispute.seat,
        by=command.by,
        upheld=command.upheld,
        why=command.why,
        final=final,
        next=left,
        clauses=cite(table.rules, final=final, direct=not dispute.decisions and dispute.heard_by[0] != command.by),
        inserted=(Step("tell_inspector", dispute.seat),) if inspector and not command.upheld else (),
        chips=(Transfer(accounts.TRAY, purse, command.cents),) if command.cents else (),
    )


def cite(rules: TableRules, *, final: bool, direct: bool) -> tuple[str, ...]:
    """Return the clauses behind a decision; a direct one was made in the absence of the first instance."""
    known = rules.ruling_clauses
    last = known.get("dispute:final", ()) if final else ()
    straight = known.get("dispute:direct", ()) if direct else ()
    return (*straight, *last) or (() if final else known.get("dispute:decided", ()))


def passed_over(table: Table, decided: events.DisputeDecided) -> tuple[str, ...]:
    """Return the instances that were not on duty, as a decision tells; the table is the one before it."""
    heard_by = next((one.heard_by for one in table.disputes if one.number == decided.number), ())
    return tuple(role for role in heard_by if role not in (decided.by, *decided.next))


def refuse_advice(table: Table, command: commands.Advise) -> Refusal | None:
    """Return why a player may not be told what to do, or None where it is allowed."""
    seat = table.seats.get(command.seat)
    if seat is None or not seat.player:
        return Refusal("seat_empty", f"Seat {command.seat} is empty.", values={"seat": command.seat})
    if refusal := refuse_words(command.words):
        return refusal
    rules = table.rules.rules
    if command.by in STAFF:
        return None if rules.coach else Refusal("no_advice", "The staff of the table give no advice on how to play.")
    if rules.advice == "on_request" and not seat.wants_advice and command.by not in table.viewers_of(command.seat):
        return Refusal("no_advice", "A player is advised only on request.")
    return None
