"""Supervision: what a supervisor or an inspector may order, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import msgspec

from letitride.engine import agenda, commands, effects, events, faults, places, rulings
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling, Sign, Table
from letitride.engine.steps import Step
from letitride.errors import InvalidData
from letitride.rules.money import dollars
from letitride.rules.rulings import Verdict
from letitride.rules.table_rules import TableRules

RANKS: Final = {"dealer": 0, "floor": 1, "games_supervisor": 1, "casino_supervisor": 2, "operator": 3}
"""How high a role stands; the inspector stands beside the house, not above it."""
_SUSPICION: Final = frozenset({"act_first", "separate", "english_only"})
_AT_REST: Final = frozenset({"idle", "between", "banking", "betting"})
_TEXTS: Final = {
    "count": "the cards are counted",
    "change_deck": "the deck is taken out of use and replaced",
    "recut": "the deck is cut again",
    "refuse_bet": "the bet is refused and taken off the layout",
    "limits": "the limits change",
    "announce_minimum": "a higher minimum is announced",
    "announce_closing": "the closing of the table is announced",
    "close": "the table is closed",
    "act_first": "the suspected players act before the others touch their cards",
    "separate": "the suspected players may not sit at one table",
    "english_only": "only English is spoken at the table",
    "bar": "the player is barred from play",
    "void_bets": "the player's bets are void",
    "annul": "the game is annulled",
    "give_up_seat": "the player gives up the seat",
}


def may(by: str, least: str) -> bool:
    """Whether a role stands as high as another."""
    return RANKS.get(by, -1) >= RANKS.get(least, 99)


def refuse(table: Table, order: commands.Order) -> Refusal | None:
    """Return why an order is refused, or None."""
    if order.kind not in _TEXTS:
        return Refusal("unknown_order", f"Nothing is ordered under the name '{order.kind}'.")
    if refusal := _refuse_role(table, order):
        return refusal
    for number in order.seats:
        if number not in table.seats or not table.seats[number].player:
            return Refusal("seat_empty", f"Nobody sits at seat {number}.")
    if table.phase in {"opening", "closed"}:
        return Refusal("not_now", "The table is not open for play.")
    if table.phase == "ruling" or (table.next_step is not None and table.next_step.kind in rulings.MENDING):
        return Refusal("ruling_first", "The last ruling is carried out first.")
    return _CHECKS[order.kind](table, order)


def _refuse_role(table: Table, order: commands.Order) -> Refusal | None:
    rules = table.rules.rules
    if order.kind == "count":
        allowed = order.by in rules.deck.count_ordered_by or any(
            may(order.by, one) for one in rules.deck.count_ordered_by
        )
        return None if allowed else Refusal("not_your_role", f"A count is not ordered by {order.by}.")
    least = "casino_supervisor" if order.kind == "recut" else rules.supervisor
    if may(order.by, least):
        return None
    return Refusal("not_your_role", f"That takes a {least.replace('_', ' ')}, not {order.by}.")


def _allowed(_table: Table, _order: commands.Order) -> Refusal | None:
    return None


def _needs_seats(order: commands.Order, least: int) -> Refusal | None:
    if len(order.seats) >= least and len(set(order.seats)) == len(order.seats):
        return None
    return Refusal("which_seats", f"The order names {least} seat{'s' * (least > 1)} or more, each once.")


def _change_deck(table: Table, order: commands.Order) -> Refusal | None:
    if table.phase not in _AT_REST or any(seat.wagers for seat in table.seats.values()) or table.bank_stake:
        return Refusal("round_running", "Cards are changed after a round, before bets are made.")
    if table.phase == "between":
        return Refusal("not_now", "The cards are being made ready: change them when that is done.")
    if order.number not in range(1 + table.rules.rules.decks):
        return Refusal(
            "no_such_deck", f"The table has {table.rules.rules.decks} deck in use, not number {order.number}."
        )
    return None


def _recut(table: Table, _: commands.Order) -> Refusal | None:
    rules = table.rules.rules
    if rules.cut.who != "dealer" or rules.cut.recut == "no":
        return Refusal("no_recut", "The book knows no second cut.")
    if len(table.at(places.READY)) < 50 or not table.no_card_is_out or table.at(places.DRAWN):
        return Refusal("not_now", "A cut is ordered again after the cut and before any card is dealt.")
    return None


def _refuse_bet(table: Table, order: commands.Order) -> Refusal | None:
    if table.rules.rules.bet.refuse == "no":
        return Refusal("no_refusal", "The book does not provide for refusing a bet.")
    if refusal := _needs_seats(order, 1):
        return refusal
    if not all(table.seats[number].wagers for number in order.seats):
        return Refusal("no_bets", "There is no bet to refuse.")
    if table.phase not in {"betting", "dealing"} or not table.no_card_is_out or not order.why:
        return Refusal("not_now", "A bet is refused with a reason, before the first card is drawn.")
    if _after_collecting(table):
        return Refusal("not_now", "The bets are collected already.")
    return None


def _after_collecting(table: Table) -> bool:
    return any(seat.taken_cents or seat.fee_cents for seat in table.seats.values())


def _limits(table: Table, order: commands.Order) -> Refusal | None:
    limit = table.rules.rules.limit
    if limit.change == "between_rounds" and (
        table.phase in faults.ROUND or any(s.wagers for s in table.seats.values())
    ):
        return Refusal("round_running", "Limits are changed between two rounds.")
    try:
        with_limits(table, order)
    except InvalidData as error:
        return Refusal("bad_limits", f"The limits cannot be changed so: {error}.")
    if order.cents_min > (limit.cents_min or 0) and limit.notice_minutes:
        sign = table.signs.get("minimum")
        if sign is None or sign.cents != order.cents_min or order.minute - sign.minute < limit.notice_minutes:
            least = f"{limit.notice_minutes} minutes"
            return Refusal("notice_too_short", f"A higher minimum is on a sign at the table for {least} beforehand.")
    return None


def with_limits(table: Table, order: commands.Order) -> TableRules:
    """Return the table's rules with the limits of an order."""
    named = {"limit.cents_min": order.cents_min, "limit.cents_max": order.cents_max}
    book = table.rules.book.for_table({name: cents for name, cents in named.items() if cents})
    return replace(table.rules, book=book)


def _close(table: Table, order: commands.Order) -> Refusal | None:
    if table.phase not in _AT_REST or any(seat.wagers for seat in table.seats.values()) or table.bank_stake:
        return Refusal("round_running", "The table is closed when the round is over.")
    least = table.rules.rules.close.notice_minutes
    sign = table.signs.get("closing")
    present = any(seat.player for seat in table.seats.values())
    if present and least and (sign is None or order.minute - sign.minute < least):
        return Refusal("notice_too_short", f"With players at the table its closing is on a sign for {least} minutes.")
    return None


def _suspicion(table: Table, order: commands.Order) -> Refusal | None:
    if order.kind not in table.rules.rules.collusion:
        return Refusal("not_provided", "The book does not provide for that measure.")
    if order.kind == "english_only":
        return None
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
            "no_ground", "A player is barred for collusion, for a forbidden device, or for uneven bets kept."
        )
    return None


def _void_bets(table: Table, order: commands.Order) -> Refusal | None:
    if order.ground != "device" or "void_bets" not in table.rules.rules.device_breach:
        return Refusal("no_ground", "Bets are void where their player uses a forbidden device.")
    if len(order.seats) != 1 or not table.seats[order.seats[0]].dealt_in or table.phase not in faults.IN_PLAY:
        return Refusal("no_bets", "The order names one seat that is in the round, before it is settled.")
    return None


def _annul(table: Table, order: commands.Order) -> Refusal | None:
    if order.ground not in {"fraud", "disturbance"}:
        return Refusal("no_ground", "A game is annulled for fraud, or for a disturbance such as a fire or a riot.")
    if table.phase not in faults.ROUND:
        return Refusal("not_now", "There is no game to annul.")
    if order.seats and (order.ground != "fraud" or table.rules.rules.annul != "refund_or_forfeit"):
        return Refusal(
            "no_forfeiture", "Bets are forfeited only by a player concerned in fraud, where the book says so."
        )
    if any(not table.seats[number].dealt_in for number in order.seats):
        return Refusal("no_bets", "Only a player in the round has bets to forfeit.")
    return None


def _give_up_seat(table: Table, order: commands.Order) -> Refusal | None:
    most = table.rules.rules.sitout.rounds_max
    if len(order.seats) != 1:
        return Refusal("which_seats", "The order names one seat.")
    seat = table.seats[order.seats[0]]
    if most == "unlimited" or seat.idle_rounds < most:
        return Refusal("may_stay", f"Seat {seat.number} has sat out {seat.idle_rounds} rounds running and may stay.")
    areas = [other for other in table.seats.values() if other.number <= table.rules.rules.seats]
    if not all(other.player for other in areas):
        return Refusal("seats_free", "There are other seats free.")
    return Refusal("round_running", "The player has bets down.") if seat.wagers else None


_CHECKS = {
    "count": _allowed,
    "change_deck": _change_deck,
    "recut": _recut,
    "refuse_bet": _refuse_bet,
    "limits": _limits,
    "announce_minimum": _allowed,
    "announce_closing": _allowed,
    "close": _close,
    "act_first": _suspicion,
    "separate": _suspicion,
    "english_only": _suspicion,
    "bar": _bar,
    "void_bets": _void_bets,
    "annul": _annul,
    "give_up_seat": _give_up_seat,
}


def follow(table: Table, order: commands.Order) -> Iterator[events.AnyEvent]:
    """Yield what follows from an order."""
    players = tuple(table.seats[number].player for number in order.seats)
    match order.kind:
        case "count":
            yield _ruled(table, order, (Step("count_cards", number=faults.deck_in_play(table)),))
        case "change_deck":
            deck = order.number or faults.deck_in_play(table)
            steps = Step("remove_deck", number=deck), Step("introduce_deck", number=deck)
            number = table.round - (table.phase == "betting")  # the round that was opened is not played
            yield msgspec.structs.replace(_ruled(table, order, ()), agenda=steps, phase="ruling", round=number)
        case "recut":
            again = (Step("take_back_deck"), *agenda.cut(table.rules.rules))
            yield _ruled(table, order, again)
        case "refuse_bet":
            yield _ruled(table, order, ())
            yield from (_bet_back(table, number) for number in order.seats)
        case "limits":
            ruled = _ruled(table, order, ())
            yield msgspec.structs.replace(ruled, rules=with_limits(table, order))
        case "announce_minimum" | "announce_closing":
            yield _ruled(table, order, ())
            kind = order.kind.removeprefix("announce_")
            yield events.SignPosted(kind=kind, sign=Sign(order.minute, order.cents_min), by=order.by)
        case "close":
            yield _ruled(table, order, ())
            yield events.TableClosed(by=order.by)
        case "act_first" | "separate" | "english_only" | "bar":
            yield _ruled(table, order, ())
            yield events.SuspectsNamed(measure=order.kind, seats=order.seats, players=players)
            yield from _go_at_once(table, order)
        case "void_bets":
            yield _hand_void(table, order)
        case "annul":
            verdict = Verdict(kind="deck", decision="round_void", key="annul")
            yield rulings.voided(table, _ruling(table, order), verdict, order.seats)
        case "give_up_seat":
            yield _ruled(table, order, ())
            yield leave(table, order.seats[0], "sat out too long")


def _go_at_once(table: Table, order: commands.Order) -> Iterator[events.PlayerLeft]:
    """Those who must go and have no part in a round go now; the others when it is over."""
    going = {"bar": order.seats, "separate": order.seats[1:]}.get(order.kind, ())
    for number in going:
        seat = table.seats[number]
        if not (seat.wagers or seat.dealt_in or table.banks(number)):
            yield leave(table, number, "barred" if order.kind == "bar" else "separated")


_KEYS: Final = {
    "count": "deck.count_ordered_by",
    "change_deck": "supervisor",
    "recut": "cut.recut",
    "refuse_bet": "bet.refuse",
    "limits": "limit.change",
    "announce_minimum": "limit.notice_minutes",
    "announce_closing": "close.notice_minutes",
    "close": "close.notice_minutes",
    "act_first": "collusion",
    "separate": "collusion",
    "english_only": "collusion",
    "bar": "collusion",
    "void_bets": "device_breach",
    "annul": "annul",
    "give_up_seat": "sitout.rounds_max",
}
"""The key of the rule book behind each order."""


def _key_of(order: commands.Order) -> str:
    by_ground = {"device": "device_breach", "refused_correction": "bet.unequal"}
    return by_ground.get(order.ground, "collusion") if order.kind == "bar" else _KEYS[order.kind]


def _ruling(table: Table, order: commands.Order) -> Ruling:
    name = f"order:{order.kind}" + (f":{order.ground}" if order.kind in {"bar", "annul"} else "")
    text = _TEXTS[order.kind]
    if order.kind == "limits":
        parts = [f"{word} {dollars(cents)}" for word, cents in _named(order) if cents]
        text += f": {', '.join(parts)}" if parts else ""
    return Ruling(
        name=name,
        sentence=f"ordered: {text}",
        seat=order.seats[0] if order.seats else 0,
        key=_key_of(order),
        by=order.by,
        why=order.why or order.ground.replace("_", " "),
        clauses=rulings.cite(table, name),
    )


def _named(order: commands.Order) -> tuple[tuple[str, int], ...]:
    return ("minimum", order.cents_min), ("maximum", order.cents_max)


def _ruled(table: Table, order: commands.Order, steps: tuple[Step, ...]) -> events.Ruled:
    return events.Ruled(
        ruling=_ruling(table, order), agenda=(*steps, *table.agenda), phase=table.phase, round=table.round
    )


def _hand_void(table: Table, order: commands.Order) -> events.Ruled:
    seat = order.seats[0]
    left = tuple(step for step in table.agenda if step.seat != seat)
    steps = (*rulings.hand_void(seat), *left)
    return events.Ruled(
        ruling=_ruling(table, order), agenda=steps, phase=table.phase, round=table.round, void_seat=seat
    )


def _bet_back(table: Table, number: int) -> events.WagersPlaced:
    seat = table.seats[number]
    purse = effects.purse_of(number, seat.medium)
    chips = tuple(places.Chips(places.felt(number, name), purse, cents) for name, cents in seat.wagers.items())
    return events.WagersPlaced(seat=number, wagers={}, medium=seat.medium, returned=True, chips=chips)


def leave(table: Table, seat: int, why: str = "") -> events.PlayerLeft:
    """A player goes with everything that is his."""
    wallet = f"wallet:{table.seats[seat].player}"
    held = ((places.stack(seat), wallet), (places.tokens(seat), "promotions"))
    chips = tuple(places.Chips(source, target, table.cents(source)) for source, target in held if table.cents(source))
    return events.PlayerLeft(seat=seat, why=why, chips=chips)
