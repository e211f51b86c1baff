"""Evolve: changes the table as an event says; it decides nothing and checks nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec.structs import replace

from letitride.engine import events, places
from letitride.engine.places import CardObject, Chips, Move
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.rules.cards import DECK
from letitride.rules.keys import Rules


def new_table(opened: events.TableOpened) -> Table:
    """Return the table that an opening event describes: decks in their chest, seats empty."""
    rules = opened.rules.rules
    chest = tuple(CardObject(deck, card.index, card) for deck in range(1, rules.decks + 1) for card in DECK)
    return Table(
        rules=opened.rules,
        phase="opening",
        agenda=(),
        seats={number: Seat(number) for number in range(1, rules.seats + 1 + has_place_apart(rules))},
        cards={places.CHEST: chest},
        accounts={},
    )


def has_place_apart(rules: Rules) -> bool:
    """Whether the table has a place more than seats, for the player who banks."""
    return rules.bank.mode == "player" and rules.bank.seat == "separate"


def evolve(table: Table, event: events.AnyEvent) -> Table:
    """Return the table after an event."""
    after = _apply(table, event)
    accounts = _transfer(after.accounts, event.chips) if event.chips else after.accounts
    return replace(after, accounts=accounts, version=table.version + 1)


def _apply(table: Table, event: events.AnyEvent) -> Table:
    match event:
        case events.TableOpened():
            return new_table(event)
        case events.PhaseBegan():
            return _begin(table, event)
        case events.StepDone():
            return _step(table, event)
        case events.PlayerSat():
            return _seat(table, event.seat, player=event.player, sitting_out=False)
        case events.PlayerLeft():
            declined = tuple(seat for seat in table.declined if seat != event.seat)
            return replace(table, seats={**table.seats, event.seat: Seat(event.seat)}, declined=declined)
        case events.SatOut():
            return _seat(table, event.seat, sitting_out=event.out)
        case events.ChipsBought() | events.VoucherExchanged():
            return table
        case events.WagersPlaced():
            after = _seat(table, event.seat, wagers=event.wagers, medium=event.medium)
            return replace(after, agenda=(*event.inserted, *table.agenda)) if event.inserted else after
        case events.DeckLooked():
            return replace(table, agenda=table.agenda[1:])
        case events.CardsLooked():
            return _seat(table, event.seat, looked=True)
        case events.ChoiceMade():
            seat = table.seats[event.seat]
            after = _seat(table, event.seat, choices={**seat.choices, event.bet: event.choice})
            return replace(after, agenda=(*event.inserted, *table.agenda[1:]))
        case events.CardsTucked():
            after = _seat(table, event.seat, tucked=True)
            return replace(after, agenda=tuple(step for step in table.agenda if not _asks(step, event.seat)))
        case events.SideBetClaimed():
            claim = "claimed" if event.shown else "waved"
            after = _seat(table, event.seat, claim=claim, results=event.results)
            waiting = sum(step.kind in {"pay", "take"} for step in table.agenda)  # earlier claims come first
            agenda = (*table.agenda[:waiting], *event.inserted, *table.agenda[waiting:])
            return replace(after, agenda=agenda, cards=_move(table.cards, event.moves))
        case events.BankTaken():
            player = table.seats[event.seat].player
            again = player == table.bank_player
            return replace(
                table,
                bank_seat=event.seat,
                bank_player=player,
                bank_stake=event.stake_cents,
                bank_hands=table.bank_hands + 1 if again else 1,
                declined=(),
                agenda=table.agenda[1:],
            )
        case events.BankDeclined():
            gave_back = bool(table.bank_stake)
            return replace(
                table,
                declined=(*table.declined, event.seat),
                agenda=(*event.inserted, *table.agenda[1:]),
                bank_stake=0,
                bank_hands=table.bank_hands - gave_back,
            )
        case events.RoundRead():
            return replace(
                table,
                seats={n: replace(s, results=event.results.get(n, s.results)) for n, s in table.seats.items()},
            )
        case events.RoundEnded():
            seats = {number: _fresh(seat) for number, seat in table.seats.items()}
            return replace(table, seats=seats, bank_stake=0, action_seat=0, awards_hands=0)
        case _:
            assert_never(event)


def _fresh(seat: Seat) -> Seat:
    """A seat as it comes out of a round."""
    return Seat(seat.number, seat.player, seat.sitting_out)


def _asks(step: Step, seat: int) -> bool:
    return step.seat == seat and step.kind in {"ask", "await_choice", "tuck_cards", "lay_cards"}


def _seat(table: Table, number: int, **changed: object) -> Table:
    return replace(table, seats={**table.seats, number: replace(table.seats[number], **changed)})


def _begin(table: Table, event: events.PhaseBegan) -> Table:
    after = replace(table, phase=event.phase, agenda=event.agenda, round=event.round)
    if event.phase == "idle":
        return replace(after, declined=())
    if event.phase != "dealing":
        return after
    dealt = {step.seat for step in event.agenda if step.kind in {"deal_packet", "deal_card"}}
    seats = {n: replace(seat, dealt_in=n in dealt) for n, seat in after.seats.items()}
    return replace(after, seats=seats, community_up=0)


def _step(table: Table, event: events.StepDone) -> Table:
    step = event.step
    after = replace(table, agenda=(*event.inserted, *table.agenda[1:]), cards=_move(table.cards, event.moves))
    match step.kind:
        case "place_lammer":
            return _seat(after, step.seat, lammer=True)
        case "collect_lammers":
            return replace(after, seats={n: replace(seat, lammer=False) for n, seat in after.seats.items()})
        case "turn_community":
            return replace(after, community_up=step.number)
        case "show_awards":
            return replace(after, awards_hands=step.number)
        case "throw_dice":
            return replace(after, action_seat=event.found)
        case "tuck_cards" | "lay_cards":
            return _seat(after, step.seat, tucked=True)
        case "count_stub":
            return replace(after, rounds_since_count=-1)
        case "collect_community":
            return replace(after, rounds_since_count=after.rounds_since_count + 1)
        case _:
            return after


def _move(cards: Mapping[str, tuple[CardObject, ...]], moves: tuple[Move, ...]) -> Mapping[str, tuple[CardObject, ...]]:
    """Take each card from its place and lay it at the end of another; places that are not touched stay as they are."""
    if not moves:
        return cards
    touched = {move.source for move in moves} | {move.target for move in moves}
    changed = {place: list(cards.get(place, ())) for place in touched}
    for move in moves:
        card = move.card
        changed[move.source].remove(card)
        if card.up != move.up:
            card = CardObject(card.deck, card.serial, card.face, move.up)
        changed[move.target].append(card)
    kept = {place: held for place, held in cards.items() if place not in touched}
    return {**kept, **{place: tuple(held) for place, held in changed.items() if held}}


def _transfer(accounts: Mapping[str, int], chips: Iterable[Chips]) -> Mapping[str, int]:
    changed = dict(accounts)
    for amount in chips:
        source, target = places.at_table(amount.source), places.at_table(amount.target)
        changed[source] = changed.get(source, 0) - amount.cents
        changed[target] = changed.get(target, 0) + amount.cents
    return {account: cents for account, cents in changed.items() if cents}
