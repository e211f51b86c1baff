"""Orders: what follows from an order of a supervisor or an inspector; whether it may be given is for supervision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from letitride.engine import agenda, amounts, commands, coupons, events, faults, rulings
from letitride.engine.state import Ruling, Sign, Table
from letitride.engine.steps import Step
from letitride.engine.supervision import with_limits
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.money import dollars
from letitride.rules.rulings import Verdict

ORDERED: Final = {
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
"""What is ordered, in words."""


def follow(table: Table, order: commands.Order) -> Iterator[events.AnyEvent]:
    """Yield what follows from an order."""
    players = tuple(table.seats[number].player for number in order.seats)
    match order.kind:
        case "count":
            yield _ruled(table, order, (Step("count_cards", number=faults.deck_in_play(table)),))
        case "change_deck" if order.cards:
            deck = order.number or faults.deck_in_play(table)
            changed = tuple(agenda.changed_cards(table, deck, order.cards))
            number = table.round - (table.phase == "betting")  # as below
            yield msgspec.structs.replace(_ruled(table, order, ()), agenda=changed, phase="between", round=number)
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
            cents = order.cents_min if kind == "minimum" else 0
            yield events.SignPosted(kind=kind, sign=Sign(order.minute, order.when, cents), by=order.by)
        case "close":
            yield _ruled(table, order, ())
            yield events.TableClosed(by=order.by)
        case "act_first" | "separate" | "english_only" | "bar":
            ruled = _ruled(table, order, ())
            yield msgspec.structs.replace(ruled, agenda=_suspects_first(table, order))
            suspects = _suspects(table, order)
            yield events.SuspectsNamed(measure=order.kind, seats=suspects, players=players)
            yield from _go_at_once(table, order.kind, suspects)
        case "void_bets":
            yield rulings.hand_voided(table, _ruling(table, order), order.seats[0])
        case "annul":
            verdict = Verdict(kind="deck", decision="round_void", key="annul")
            yield rulings.voided(table, _ruling(table, order), verdict, order.seats)
        case "give_up_seat":
            yield _ruled(table, order, ())
            yield leave(table, order.seats[0], "sat out too long")


def _suspects(table: Table, order: commands.Order) -> tuple[int, ...]:
    """The seats that a suspicion concerns: all those of the players named; of the separated, who stays comes first."""
    kept = order.seats[:1] if order.kind == "separate" else ()
    stays = {own for number in kept for own in table.own_seats(number)}
    concerned = (own for number in order.seats for own in table.own_seats(number) if own not in stays)
    return tuple(dict.fromkeys((*kept, *concerned)))


def _suspects_first(table: Table, order: commands.Order) -> tuple[Step, ...]:
    """The agenda with the suspects' decisions before those of the others that are still to be asked for."""
    if order.kind != "act_first" or table.phase != "choice_1":
        return table.agenda
    begun = sum(step.kind == "await_choice" for step in table.agenda[:1])
    left = table.agenda[begun:]
    suspects = _suspects(table, order)
    first = tuple(step for step in left if step.seat in suspects)
    return (*table.agenda[:begun], *first, *(step for step in left if step.seat not in suspects))


def _go_at_once(table: Table, kind: str, suspects: tuple[int, ...]) -> Iterator[events.PlayerLeft]:
    """Those who must go and have no part in a round go now; the others when it is over."""
    going = {"bar": suspects, "separate": suspects[1:]}.get(kind, ())
    for number in going:
        seat = table.seats[number]
        if not (seat.wagers or seat.dealt_in or table.banks(number)):
            yield leave(table, number, "barred" if kind == "bar" else "separated")


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
    "void_bets": "device_breach",
    "annul": "annul",
    "give_up_seat": "sitout.rounds_max",
}
"""The key of the rule book behind each order; that behind a bar depends on its ground."""


def _key_of(order: commands.Order) -> str:
    by_ground = {"device": "device_breach", "refused_correction": "bet.unequal"}
    return by_ground.get(order.ground, "collusion") if order.kind == "bar" else _KEYS[order.kind]


def _ruling(table: Table, order: commands.Order) -> Ruling:
    name = f"order:{order.kind}" + (f":{order.ground}" if order.kind in {"bar", "annul"} else "")
    text = ORDERED[order.kind]
    if order.cards:
        name, text = "order:change_cards", f"cards of the deck are replaced: {', '.join(order.cards)}"
    if order.kind == "limits":
        parts = [f"{word} {dollars(cents)}" for word, cents in _named(order) if cents]
        text += f": {', '.join(parts)}" if parts else ""
    return Ruling(
        name=name,
        sentence=f"ordered: {text}",
        seat=order.seats[0] if order.seats else 0,
        seats=order.seats,
        key=_key_of(order),
        by=order.by,
        why=order.why or order.ground.replace("_", " "),
        clauses=rulings.cite(table, name, *_more_names(table, order)),
    )


def _more_names(table: Table, order: commands.Order) -> tuple[str, ...]:
    """The other rulings whose clauses an order rests on; '' is none."""
    raised = order.kind == "limits" and order.cents_min > table.rules.cents_min
    forfeits = order.kind == "annul" and order.seats
    voids = {"void_bets": "hand_void", "annul": "round_void"}.get(order.kind, "")
    return "order:raise" if raised else "", "order:forfeit" if forfeits else "", voids


def _named(order: commands.Order) -> tuple[tuple[str, int], ...]:
    return ("minimum", order.cents_min), ("maximum", order.cents_max)


def _ruled(table: Table, order: commands.Order, steps: tuple[Step, ...]) -> events.Ruled:
    return events.Ruled(
        ruling=_ruling(table, order), agenda=(*steps, *table.agenda), phase=table.phase, round=table.round
    )


def _bet_back(table: Table, number: int) -> events.WagersPlaced:
    seat = table.seats[number]
    purse = amounts.purse_of(number, seat.medium)
    bets = (Transfer(accounts.felt(number, name), purse, cents) for name, cents in seat.wagers.items())
    chips = (*bets, *coupons.back(table, number))
    return events.WagersPlaced(seat=number, wagers={}, medium=seat.medium, returned=True, chips=chips)


def leave(table: Table, seat: int, why: str = "") -> events.PlayerLeft:
    """A player leaves with their chips; tokens and coupons go back to the house, which keeps account of them."""
    wallet = accounts.wallet(table.seats[seat].player)
    promotional = ((purse(seat), accounts.PROMOTIONS) for purse in (accounts.tokens, accounts.coupons))
    held = ((accounts.stack(seat), wallet), *promotional)
    chips = tuple(Transfer(source, target, table.cents(source)) for source, target in held if table.cents(source))
    return events.PlayerLeft(seat=seat, why=why, chips=chips)


def came_back(table: Table, command: commands.AnyCommand) -> tuple[events.PlayerCameBack, ...]:
    """A player who acts is there, at every hand of theirs, whatever was said of them."""
    away = [number for number, seat in table.seats.items() if seat.away]
    if not away or not command.by.startswith("seat:"):
        return ()
    number = command.by.removeprefix("seat:")
    seat = table.seats.get(int(number)) if number.isascii() and number.isdecimal() else None
    if seat is None or isinstance(command, commands.Leave):
        return ()
    return tuple(events.PlayerCameBack(seat=own) for own in table.own_seats(seat.number) if own in away)
