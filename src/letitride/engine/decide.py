"""Decide: what follows from a command, as events that carry their whole outcome; it changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from letitride.engine import agenda, commands, events, places
from letitride.engine.evolve import evolve, new_table
from letitride.engine.legal import Refusal, complete, legal
from letitride.engine.places import Chips, Move
from letitride.engine.state import Phase, Table
from letitride.engine.steps import Step
from letitride.rules.banking import (
    bank_fee,
    clockwise,
    order_of_action,
    seat_of_throw,
    settle_banked,
    wagers_fee,
)
from letitride.rules.hands import announce, evaluate
from letitride.rules.paytables import Wager
from letitride.rules.settlement import BASE_SPOTS, Results, settle_round, settle_wager
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import announce_three, evaluate_three

Events = tuple[events.AnyEvent, ...]


def open_table(rules: TableRules) -> tuple[Table, Events]:
    """Return a new table by a rule book, and the events that opened it."""
    opened = events.TableOpened(rules=rules)
    began = events.PhaseBegan(phase="opening", agenda=tuple(agenda.opening(rules.rules)), round=0)
    return evolve(new_table(opened), began), (opened, began)


def decide(table: Table, command: commands.AnyCommand) -> Events | Refusal:
    """Return what follows from a command, or why it is refused."""
    return play(table, command)[1]


def play(table: Table, command: commands.AnyCommand) -> tuple[Table, Events | Refusal]:
    """Return the table after a command, with what followed; a refused command changes nothing."""
    refusal = legal(table, command)
    if refusal is not None:
        return table, refusal
    happened: list[events.AnyEvent] = []
    for event in _follow(table, command):
        table = evolve(table, event)
        happened.append(event)
    if table.phase == "dealing" and isinstance(command, commands.PlaceWagers):
        # Where the first card closes betting, a bet after the call still changes who is dealt in.
        again = _began("dealing", _dealing(table), table.round)
        return evolve(table, again), (*happened, again)
    while following := tuple(_next_phase(table)):
        for event in following:
            table = evolve(table, event)
            happened.append(event)
    return table, tuple(happened)


def _follow(table: Table, command: commands.AnyCommand) -> Iterator[events.AnyEvent]:
    match command:
        case commands.Do():
            yield from _do(table, command)
        case commands.Sit():
            wallet, purse = f"wallet:{command.player}", places.stack(command.seat)
            yield events.PlayerSat(
                seat=command.seat, player=command.player, chips=(Chips(wallet, purse, command.cents),)
            )
        case commands.BuyChips():
            wallet, purse = f"wallet:{table.seats[command.seat].player}", places.stack(command.seat)
            yield events.ChipsBought(seat=command.seat, chips=(Chips(wallet, purse, command.cents),))
        case commands.ExchangeVoucher():
            purse = places.stack(command.seat) if command.into == "chips" else places.tokens(command.seat)
            yield events.VoucherExchanged(seat=command.seat, chips=(Chips("promotions", purse, command.cents),))
        case commands.Leave():
            yield _leave(table, command.seat)
        case commands.SitOut():
            yield events.SatOut(seat=command.seat, out=command.out)
        case commands.PlaceWagers():
            yield _place(table, command)
        case commands.LookOver():
            yield events.DeckLooked(seat=command.seat)
        case commands.Look():
            yield events.CardsLooked(seat=command.seat)
        case commands.Choose():
            back = (Step("push_back", command.seat, BASE_SPOTS[command.bet - 1], command.bet),)
            yield events.ChoiceMade(
                seat=command.seat,
                bet=command.bet,
                choice=command.choice,
                signal=_signal(table, command),
                inserted=back if command.choice == "withdraw" else (),
            )
        case commands.Tuck():
            yield from _tuck(table, command.seat)
        case commands.Claim():
            yield _claim(table, command)
        case commands.TakeBank():
            staked = (Chips(places.stack(command.seat), places.BANK, command.cents),)
            yield events.BankTaken(seat=command.seat, stake_cents=command.cents, chips=staked)
        case commands.DeclineBank():
            left = [seat for seat in agenda.bank_candidates(table) if seat != command.seat]
            yield events.BankDeclined(seat=command.seat, inserted=agenda.offer(left[0]) if left else ())
        case _:
            assert_never(command)


def _signal(table: Table, command: commands.Choose) -> str:
    if table.rules.rules.decide.signal == "asked":
        return "in answer to the dealer"
    if command.choice == "withdraw":
        return "by scratching the cards on the table"
    return f"by tucking the cards beneath bet {'2' if command.bet == 1 else '$'}"


def _leave(table: Table, seat: int) -> events.PlayerLeft:
    wallet = f"wallet:{table.seats[seat].player}"
    held = ((places.stack(seat), wallet), (places.tokens(seat), "promotions"))
    chips = tuple(Chips(source, target, table.cents(source)) for source, target in held if table.cents(source))
    return events.PlayerLeft(seat=seat, chips=chips)


def purse_of(seat: int, medium: str) -> str:
    """The account that a seat's stakes come from and go back to."""
    return places.tokens(seat) if medium == "tokens" else places.stack(seat)


def _place(table: Table, command: commands.PlaceWagers) -> events.WagersPlaced:
    seat = table.seats[command.seat]
    old, new = purse_of(seat.number, seat.medium), purse_of(seat.number, command.medium)
    chips = [Chips(places.felt(seat.number, name), old, cents) for name, cents in seat.wagers.items()]
    if command.medium == "cash":
        total = sum(command.wagers.values())
        chips.append(Chips(f"wallet:{seat.player}", new, total))
    chips += [Chips(new, places.felt(seat.number, name), cents) for name, cents in command.wagers.items()]
    medium = "chips" if command.medium == "cash" else command.medium
    return events.WagersPlaced(seat=seat.number, wagers=command.wagers, medium=medium, chips=tuple(chips))


def _tuck(table: Table, number: int) -> Iterator[events.AnyEvent]:
    seat = table.seats[number]
    yield events.CardsTucked(seat=number)
    for bet in (1, 2):
        if bet not in seat.choices:
            # inserted puts back what ChoiceMade takes off: no step was waited for
            rest = tuple(step for step in table.agenda if step.seat != number or step.kind not in _ASKING)
            yield events.ChoiceMade(seat=number, bet=bet, choice="ride", signal="by an early tuck", inserted=rest[:1])


_ASKING = {"ask", "await_choice", "tuck_cards", "lay_cards"}


def _claim(table: Table, command: commands.Claim) -> events.SideBetClaimed:
    seat = table.seats[command.seat]
    cards = [card.face for card in table.at(places.hand(seat.number))]
    result = settle_wager(
        table.rules.pays[Wager.THREE_CARD], "three_card", seat.wagers["three_card"], evaluate_three(cards)
    )
    step = Step("pay" if command.shown else "take", seat.number, "three_card")
    place = places.hand(seat.number)
    shown = tuple(_all(table, place, place, up=True)) if command.shown else ()  # the whole table has seen them
    return events.SideBetClaimed(
        seat=seat.number, shown=command.shown, moves=shown, inserted=(step,), results=(result,)
    )


def _do(table: Table, command: commands.Do) -> Iterator[events.AnyEvent]:
    step = table.agenda[0]
    if step.kind == "call_no_more_bets":
        for seat in table.seats.values():
            if seat.wagers and not complete(table, seat):  # no three bets, no cards
                yield _place(table, commands.PlaceWagers(seat=seat.number, wagers={}))
    yield events.StepDone(
        step=step,
        moves=tuple(_moves(table, step, command)),
        chips=tuple(_chips(table, step)),
        says=_says(table, step, command),
        found=_found(table, command) if step.kind == "throw_dice" else 0,
    )


def _found(table: Table, command: commands.Do) -> int:
    return seat_of_throw(command.throw, table.bank_seat, table.dealt_in)


def _all(table: Table, source: str, target: str, *, up: bool = False) -> Iterator[Move]:
    return (Move(card, source, target, up) for card in table.at(source))


def _ordered(table: Table, step: Step, command: commands.Do, sources: tuple[str, ...], target: str) -> Iterator[Move]:
    """Move a deck's cards so that they lie in the order of the shuffle."""
    found = {
        str(card.face): (card, source) for source in sources for card in table.at(source) if card.deck == step.number
    }
    return (Move(*found[face], target, False) for face in command.order)


def _deck_from(table: Table, source: str, deck: int, target: str, *, up: bool = False) -> Iterator[Move]:
    return (Move(card, source, target, up) for card in table.at(source) if card.deck == deck)


def _moves(table: Table, step: Step, command: commands.Do) -> Iterator[Move]:
    top = table.at(places.READY)
    up = table.rules.rules.deal.face == "up"
    match step.kind:
        case "spread_deck":
            yield from _all(table, places.CHEST, places.SPREAD, up=True)
        case "turn_up_spread":
            yield from _all(table, places.SPREAD, places.SPREAD, up=True)
        case "wash_deck":
            yield from _deck_from(table, places.SPREAD, step.number, places.SPREAD)
        case "load_deck":
            for source in (places.CHEST, places.SPREAD):
                yield from _deck_from(table, source, step.number, places.NEST)
        case "rack_deck":
            yield from _deck_from(table, places.CHEST, step.number, places.RACK)
        case "spread_idle" | "gather_deck":
            for source in (places.RACK, places.READY):
                yield from _all(table, source, places.SPREAD, up=command.face_up)
        case "start_shuffle":
            yield from _ordered(table, step, command, (places.NEST,), places.NEST)
        case "shuffle_deck":
            yield from _ordered(table, step, command, (places.CHEST, places.SPREAD), places.SPREAD)
        case "cut_deck":
            yield from (Move(c, places.SPREAD, places.SPREAD, False) for c in table.at(places.SPREAD)[: command.cut])
        case "load_shoe" | "hold_deck":
            yield from _all(table, places.SPREAD, places.READY)
        case "free_deck":
            yield from _all(table, places.NEST, places.READY)
        case "swap_decks":
            yield from _all(table, places.NEST, places.READY)
            yield from _all(table, places.RACK, places.NEST)
        case "deal_packet":
            yield from (Move(card, places.READY, places.hand(step.seat), up) for card in top[:3])
        case "deal_card":
            yield Move(top[0], places.READY, places.hand(step.seat), up)
        case "deal_community":
            yield Move(top[0], places.READY, places.community(step.number), False)
        case "deal_dealer_packet":
            packet = top[:3] if table.rules.rules.deal.packet_top == "first_out" else top[:3][::-1]
            yield from (Move(card, places.READY, places.PACKET, False) for card in packet)
        case "slide_left" | "slide_right":
            yield Move(table.at(places.PACKET)[0], places.PACKET, places.community(step.number), False)
        case "burn_bottom":
            yield Move(table.at(places.PACKET)[-1], places.PACKET, places.RACK, False)
        case "burn_first" | "burn_last":
            place = places.community(1 if step.kind == "burn_first" else 3)
            yield from _all(table, place, places.RACK)
        case "unload_stub" | "collect_stub":
            yield from _all(table, places.READY, places.RACK)
        case "turn_community":
            place = table.community_place(step.number)
            yield from _all(table, place, place, up=True)
        case "open_hand":
            yield from _all(table, places.hand(step.seat), places.hand(step.seat), up=True)
        case "pick_up":
            yield from _all(table, places.hand(step.seat), places.PICKED, up=True)
        case "collect_hand":
            yield from _all(table, places.hand(step.seat), places.RACK)
        case "collect_picked":
            yield from _all(table, places.PICKED, places.RACK)
        case "collect_community":
            for source in (places.community(1), places.community(2), places.community(3), places.PACKET):
                yield from _all(table, source, places.RACK)
        case _:
            return


def _chips(table: Table, step: Step) -> Iterator[Chips]:
    if not step.seat:
        return
    seat, rules = table.seats[step.seat], table.rules.rules
    spot, purse = places.felt(step.seat, step.wager), purse_of(step.seat, seat.medium)
    bank = places.TRAY if rules.bank.mode == "house" else places.BANK
    match step.kind:
        case "collect_bonus" | "place_lammer":
            yield Chips(spot, bank, table.cents(spot))
        case "push_back":
            yield Chips(spot, purse, table.cents(spot))
        case "pay" | "take" | "return_wager":
            (result,) = (one for one in seat.results if one.wager == step.wager)
            taken = result.stake_cents - result.back_cents if step.kind == "take" else 0
            moved = (
                (spot, bank, taken),
                (bank, places.stack(step.seat), result.paid_cents),  # wins are paid in chips
                (spot, purse, result.back_cents),
            )
            yield from (Chips(*one) for one in moved if one[2])
        case "collect_fee":
            banks = step.seat == table.bank_seat
            yield Chips(
                places.stack(step.seat), places.FEES, bank_fee(rules) if banks else wagers_fee(rules, len(seat.wagers))
            )
        case "return_stake" if table.cents(places.BANK):
            yield Chips(places.BANK, places.stack(step.seat), table.cents(places.BANK))
        case _:
            return


def _says(table: Table, step: Step, command: commands.Do) -> str:
    match step.kind:
        case "call_no_more_bets":
            return "no more bets"
        case "open_hand":
            return read_hand(table, step.seat)
        case "throw_dice":
            return f"{command.throw}: the action starts at seat {_found(table, command)}"
        case "count_deck":
            return f"{len(table.at(places.NEST))} cards"
        case "count_stub":
            return f"{len(table.at(places.READY))} cards"
        case "show_awards":
            return f"{step.number} hand{'s' * (step.number > 1)}"
        case _:
            return ""


def read_hand(table: Table, seat: int) -> str:
    """Return the best reading of a seat's hand with both community cards, and of its three for a side bet."""
    own = tuple(card.face for card in table.at(places.hand(seat)))
    words = announce(evaluate((*own, *table.community_cards())))
    if "three_card" in table.seats[seat].wagers:
        words += f"; three cards: {announce_three(own)}"
    return words


def _next_phase(table: Table) -> Iterator[events.AnyEvent]:
    """Yield what begins the next part of the procedure, if nothing is left to do in this one."""
    rules = table.rules.rules
    seated = any(seat.player for seat in table.seats.values())
    if table.phase == "idle" and seated:
        yield _began("between", tuple(agenda.arrival(table)), table.round)
    elif table.phase == "betting" and not seated:
        yield _began("idle", tuple(agenda.idle(table)), table.round)
    elif not table.agenda:
        match table.phase:
            case "opening":
                yield _began("idle", tuple(agenda.idle(table)), 0)
            case "between" if seated and rules.bank.mode == "player":
                yield _began("banking", tuple(agenda.banking(table)), table.round)
            case "banking" if not seated:
                yield _began("idle", tuple(agenda.idle(table)), table.round)
            case "banking" if not table.bank_stake:
                # Nobody took it: no round is dealt until somebody does, or a newcomer is offered it.
                steps = tuple(agenda.banking(table))
                yield from [_began("banking", steps, table.round)] if steps else []
            case "between" | "banking" if seated:
                yield _began("betting", tuple(agenda.betting(rules)), table.round + 1)
            case "between":
                yield _began("idle", tuple(agenda.idle(table)), table.round)
            case "betting":
                yield _began("dealing", _dealing(table), table.round)
            case "dealing":
                yield _began("choice_1", tuple(agenda.choices(table, 1)), table.round)
            case "choice_1":
                yield _began("choice_2", tuple(agenda.choices(table, 2)), table.round)
            case "choice_2":
                results = _results(table)
                yield events.RoundRead(results=results)
                open_results = {
                    n: tuple(r for r in rows if not (r.wager == "three_card" and table.seats[n].claim))
                    for n, rows in results.items()
                }
                yield _began("settling", tuple(agenda.settling(table, open_results)), table.round)
            case "settling":
                yield events.RoundEnded(round=table.round)
                yield _began("between", tuple(agenda.after_round(table)), table.round)
            case _:
                return


def _results(table: Table) -> Results:
    """Return what every wager of the round comes to."""
    rules, community = table.rules.rules, table.community_cards()
    if rules.bank.mode == "house":
        return settle_round(table.rules, community, [table.hand_of(number) for number in table.dealt_in])
    order = order_of_action(rules, table.dealt_in, table.action_seat)
    return settle_banked(table.rules, community, [table.hand_of(number) for number in order], table.bank_stake)


def _dealing(table: Table) -> tuple[Step, ...]:
    seats = [n for n, seat in table.seats.items() if complete(table, seat)]
    first = table.bank_seat + 1 if table.rules.rules.deal.first == "bank_left" else 1
    return tuple(agenda.dealing(table, clockwise(seats, first)))


def _began(phase: Phase, steps: tuple[Step, ...], number: int) -> events.PhaseBegan:
    return events.PhaseBegan(phase=phase, agenda=steps, round=number)
