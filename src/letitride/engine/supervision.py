"""Supervision: what a supervisor or an inspector may order, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from letitride.engine import commands, faults, places
from letitride.engine.refusal import Refusal, refuse_words
from letitride.engine.state import Sign, Table
from letitride.errors import InvalidData
from letitride.rules.money import dollars
from letitride.rules.roles import least_to_order, may, spoken
from letitride.rules.table_rules import TableRules
from letitride.rules.words import quantity

DAY: Final = 24 * 60
"""The minutes on the clock."""
_AT_REST: Final = frozenset({"idle", "between", "banking", "betting"})


def refuse(table: Table, order: commands.Order) -> Refusal | None:
    """Return why an order is refused, or None."""
    if order.kind not in _CHECKS:
        return Refusal("unknown_order", f"There's no order called '{order.kind}'.")
    if refusal := _refuse_role(table, order) or refuse_words(order.why):
        return refusal
    if not (0 <= order.minute < DAY and 0 <= order.when < DAY) or min(order.cents_min, order.cents_max) < 0:
        return Refusal("bad_amount", "Amounts can't be negative, and times are from 00:00 to 23:59.")
    for number in order.seats:
        if number not in table.seats or not table.seats[number].player:
            return Refusal("seat_empty", f"Seat {number} is empty.", values={"seat": number})
    if order.cards and order.kind != "change_deck":
        return Refusal("bad_cards", "Only the order to change cards names cards.")
    if table.phase in {"opening", "closed"}:
        return Refusal("not_now", "The table isn't open for play.")
    if table.phase == "ruling" or faults.is_mending(table):
        return Refusal("ruling_first", "The last ruling has to be carried out first.")
    return _CHECKS[order.kind](table, order)


def _refuse_role(table: Table, order: commands.Order) -> Refusal | None:
    rules = table.rules.rules
    if order.kind == "count":
        allowed = order.by in rules.deck.count_ordered_by or may(order.by, rules.supervisor)
        return None if allowed else Refusal("not_your_role", f"The {spoken(order.by)} can't order a count here.")
    least = least_to_order(order.kind, rules.supervisor)
    if may(order.by, least):
        return None
    return Refusal("not_your_role", f"Only a {spoken(least)} or a higher role can order that.")


def _count(table: Table, _: commands.Order) -> Refusal | None:
    if table.rules.rules.stub.count == "after_irregularity" and not table.rulings:
        return Refusal("no_count", "By these rules the cards are counted only after an irregularity.")
    return None


def _announce(table: Table, order: commands.Order) -> Refusal | None:
    least = table.rules.cents_min
    if order.kind == "announce_minimum" and order.cents_min <= least:
        return Refusal("bad_limits", f"Announce a minimum above the present {dollars(least)}.")
    rules = table.rules.rules
    notice = rules.limit.notice_minutes if order.kind == "announce_minimum" else rules.close.notice_minutes
    if (order.when - order.minute) % DAY < notice:
        return Refusal(
            "notice_too_short", f"The sign has to be up for {quantity(notice, 'minute')} before the time it announces."
        )
    return None


def _needs_seats(order: commands.Order, least: int) -> Refusal | None:
    if len(order.seats) >= least and len(set(order.seats)) == len(order.seats):
        return None
    return Refusal("which_seats", f"Name {quantity(least, 'seat')} or more, each once.")


def deck_numbers(rules: TableRules) -> range:
    """Return the numbers by which an order names a deck; 0 is the one in play."""
    return range(1 + rules.rules.decks)


def _change_deck(table: Table, order: commands.Order) -> Refusal | None:
    if table.phase not in _AT_REST or any(seat.wagers for seat in table.seats.values()) or table.bank_stake:
        return Refusal("round_running", "Change cards after the round, before bets are made.")
    if table.phase == "between":
        return Refusal("not_now", "The cards are being prepared. Change them when that is done.")
    if order.number not in deck_numbers(table.rules):
        return Refusal(
            "no_such_deck",
            f"This table uses {quantity(table.rules.rules.decks, 'deck')}. There's no deck {order.number}.",
        )
    if len(set(order.cards)) < len(order.cards):
        return Refusal("bad_cards", "Name each card once.")
    deck = order.number or faults.deck_in_play(table)
    missing = [face for face in order.cards if faults.card_in_use(table, deck, face) is None]
    if missing:
        return Refusal("no_such_card", f"Deck {deck} has no card '{missing[0]}'.")
    return None


def _recut(table: Table, _: commands.Order) -> Refusal | None:
    rules = table.rules.rules
    if rules.cut.who != "dealer" or rules.cut.recut == "no":
        return Refusal("no_recut", "The rules don't provide for a second cut.")
    if len(table.at(places.READY)) < 50 or not table.no_card_is_out:
        return Refusal("not_now", "Order another cut after the cut and before any card is dealt.")
    return None


def _refuse_bet(table: Table, order: commands.Order) -> Refusal | None:
    if table.rules.rules.bet.refuse == "no":
        return Refusal("no_refusal", "The rules don't provide for refusing a bet.")
    if refusal := _needs_seats(order, 1):
        return refusal
    if not all(table.seats[number].wagers for number in order.seats):
        return Refusal("no_bets", "There's no bet to refuse.")
    until_card = table.rules.rules.bet.cutoff in {"call_and_first_card", "first_card"}
    if table.phase != "betting" and not (until_card and table.phase == "dealing" and table.no_card_is_out):
        until = "before the first card is drawn" if until_card else "before betting is closed"
        return Refusal("not_now", f"A bet can be refused only {until}.")
    if not order.why:
        return Refusal("say_why", "Give the reason for refusing the bet.")
    if _after_collecting(table) or any(step.kind == "await_correction" for step in table.agenda):
        return Refusal("not_now", "The bets are being corrected, or are already collected.")
    return None


def _after_collecting(table: Table) -> bool:
    return any(seat.taken_cents or seat.fee_cents for seat in table.seats.values())


def _limits(table: Table, order: commands.Order) -> Refusal | None:
    limit = table.rules.rules.limit
    if limit.change == "between_rounds" and (
        table.phase in faults.ROUND or any(s.wagers for s in table.seats.values())
    ):
        return Refusal("round_running", "By these rules limits change only between rounds.")
    try:
        with_limits(table, order)
    except InvalidData as error:
        return Refusal("bad_limits", f"The limits can't be changed to that: {error}.")
    if order.cents_min > table.rules.cents_min and limit.notice_minutes:
        sign = table.signs.get("minimum")
        if sign is None or sign.cents != order.cents_min or not is_up(sign, order.minute):
            least = quantity(limit.notice_minutes, "minute")
            return Refusal("notice_too_short", f"A higher minimum has to be posted for {least} first.")
    return None


def is_up(sign: Sign, minute: int) -> bool:
    """Whether the time that a sign announces has come; past midnight the clock begins anew."""
    return (minute - sign.minute) % DAY >= (sign.when - sign.minute) % DAY


def with_limits(table: Table, order: commands.Order) -> TableRules:
    """Return the table's rules with the limits of an order."""
    named = {"limit.cents_min": order.cents_min, "limit.cents_max": order.cents_max}
    book = table.rules.book.for_table({name: cents for name, cents in named.items() if cents})
    return replace(table.rules, book=book)


def closing_minutes(table: Table, minute: int) -> int | None:
    """Return in how many minutes the announced closing time comes; 0: it has come, nothing: none is announced."""
    sign = table.signs.get("closing")
    if sign is None or table.phase == "closed":
        return None
    return 0 if is_up(sign, minute) else (sign.when - minute) % DAY


def refuse_closing(table: Table, minute: int) -> Refusal | None:
    """Return why a table may not close yet for the sake of those who sit there."""
    least = table.rules.rules.close.notice_minutes
    present = any(seat.player for seat in table.seats.values())
    if not present or not least or closing_minutes(table, minute) == 0:
        return None
    return Refusal(
        "notice_too_short",
        f"With players at the table, the closing has to be posted for {quantity(least, 'minute')}.",
    )


def _close(table: Table, order: commands.Order) -> Refusal | None:
    if table.phase not in _AT_REST or any(seat.wagers for seat in table.seats.values()) or table.bank_stake:
        return Refusal("round_running", "Close the table when the round is over.")
    return refuse_closing(table, order.minute)


def _suspicion(table: Table, order: commands.Order) -> Refusal | None:
    if order.kind not in table.rules.rules.collusion:
        return Refusal("not_provided", "The rules don't provide for that measure.")
    if order.kind == "english_only":
        return None
    if order.kind == "separate" and len({table.seats[number].player for number in order.seats}) < min(
        2, len(order.seats)
    ):
        return Refusal("which_seats", "Name the seats of 2 players or more.")
    return _needs_seats(order, 2 if order.kind == "separate" else 1)


def _bar(table: Table, order: commands.Order) -> Refusal | None:
    if refusal := _needs_seats(order, 1):
        return refusal
    rules = table.rules.rules
    allowed = {
        "collusion": "bar" in rules.collusion,
        "device": "bar" in rules.device_breach,
        "refused_correction": all(table.seats[number].defied for number in order.seats),
    }
    if not allowed.get(order.ground):
        return Refusal(
            "no_ground", "A player can be barred for collusion, a forbidden device, or refusing to make bets equal."
        )
    return None


def _void_bets(table: Table, order: commands.Order) -> Refusal | None:
    if order.ground != "device" or "void_bets" not in table.rules.rules.device_breach:
        return Refusal("no_ground", "Bets can be voided only where their player used a forbidden device.")
    # What a player's bank has taken or paid depends on all bets before it: there it is too late once hands are read.
    phases = faults.ROUND if table.rules.rules.bank.mode == "house" else faults.IN_PLAY
    if len(order.seats) != 1 or not table.seats[order.seats[0]].dealt_in or table.phase not in phases:
        return Refusal("no_bets", "Name one seat that is in the round, before the round is over.")
    return None


def _annul(table: Table, order: commands.Order) -> Refusal | None:
    if order.ground not in {"fraud", "disturbance"}:
        return Refusal("no_ground", "A round can be annulled for fraud, or for a disturbance such as a fire or a riot.")
    if table.phase not in faults.ROUND:
        return Refusal("not_now", "There's no round to annul.")
    if order.seats and (order.ground != "fraud" or table.rules.rules.annul != "refund_or_forfeit"):
        return Refusal(
            "no_forfeiture", "Only a player involved in fraud forfeits bets, and only where the rules say so."
        )
    if any(not table.seats[number].dealt_in for number in order.seats):
        return Refusal("no_bets", "Only a player in the round has bets to forfeit.")
    return None


def _give_up_seat(table: Table, order: commands.Order) -> Refusal | None:
    most = table.rules.rules.sitout.rounds_max
    if len(order.seats) != 1:
        return Refusal("which_seats", "Name one seat.")
    seat = table.seats[order.seats[0]]
    if most == "unlimited" or seat.idle_rounds < most:
        return Refusal(
            "may_stay", f"Seat {seat.number} has sat out {quantity(seat.idle_rounds, 'round')} in a row and may stay."
        )
    if table.banks(seat.number):
        return Refusal("round_running", "The player has the bank this round.")
    areas = [other for other in table.seats.values() if other.number <= table.rules.rules.seats]
    if not all(other.player for other in areas):
        return Refusal("seats_free", "Other seats are open.")
    return Refusal("round_running", "The player has bets down.") if seat.wagers else None


_CHECKS = {
    "count": _count,
    "change_deck": _change_deck,
    "recut": _recut,
    "refuse_bet": _refuse_bet,
    "limits": _limits,
    "announce_minimum": _announce,
    "announce_closing": _announce,
    "close": _close,
    "act_first": _suspicion,
    "separate": _suspicion,
    "english_only": _suspicion,
    "bar": _bar,
    "void_bets": _void_bets,
    "annul": _annul,
    "give_up_seat": _give_up_seat,
}
