"""Legal: the one source of every no, each with a stable code and a sentence; it changes nothing."""

from __future__ import annotations

import re
from typing import assert_never

from letitride.engine import bets, commands, disputes, faults, meters, mishaps, mixing, places, rulings, supervision
from letitride.engine.agenda import bank_stands_open
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import KINDS, Step, say
from letitride.ledger import accounts
from letitride.rules.banking import bank_fee
from letitride.rules.cards import FACES, JOKER
from letitride.rules.limits import buy_in_min
from letitride.rules.money import dollars
from letitride.rules.roles import MACHINE, RUNS, STAFF, may
from letitride.rules.settlement import pays_already, settle_own
from letitride.rules.words import quantity

_FOREIGN = frozenset({*FACES, str(JOKER)})


def legal(table: Table, command: commands.AnyCommand) -> Refusal | None:
    """Return why a command is refused now, or None where it is allowed."""
    match command:
        case commands.Do():
            return _step(table, command)
        case commands.Mishap():
            return mishaps.refuse(table, command)
        case commands.Report():
            return rulings.refuse(table, command)
        case commands.Order():
            return supervision.refuse(table, command)
        case commands.DecideDispute():
            return disputes.refuse(table, command)
        case commands.Advise():
            return disputes.refuse_advice(table, command)
        case _:
            return _seats_act(table, command)


def _seats_act(table: Table, command: commands.SeatCommand) -> Refusal | None:
    if command.seat not in table.seats:
        return Refusal("no_such_seat", f"The table has seats 1 to {len(table.seats)}; there is no seat {command.seat}.")
    if isinstance(command, commands.WentAway | commands.CameBack):
        return _went_away(table, command)
    if command.by != f"seat:{command.seat}":
        return Refusal("not_your_seat", f"Only the player at seat {command.seat} acts for it, not {command.by}.")
    seat = table.seats[command.seat]
    if isinstance(command, commands.Sit):
        return _sit(table, seat, command)
    if not seat.player:
        return Refusal("seat_empty", f"Nobody sits at seat {command.seat}.")
    if table.phase == "closed" and not isinstance(
        command, commands.Leave | commands.RaiseDispute | commands.AppealDispute
    ):
        return Refusal("closed", "The table is closed.")
    match command:
        case commands.TakeBank() | commands.DeclineBank():
            return _bank(table, seat, command)
        case commands.BuyChips() | commands.ExchangeVoucher():
            return _buy(table, command)
        case commands.Leave():
            return _in_round(table, seat)
        case commands.SitOut():
            if command.out:
                return _in_round(table, seat)
            return Refusal("must_leave", f"You are {seat.leaves}.") if seat.leaves else None
        case commands.PlaceWagers():
            return bets.refuse(table, seat, command)
        case commands.LookOver():
            waiting = table.next_step == Step("await_inspection", seat.number)
            return None if waiting else Refusal("no_deck_shown", "No deck is spread for inspection now.")
        case commands.Look():
            return _look(table, seat)
        case commands.Choose():
            return _choose(table, seat, command)
        case commands.TakeBack():
            return bets.refuse_take_back(table, seat, command.wager)
        case commands.Tuck():
            return _tuck(table, seat)
        case commands.Claim():
            return _claim(table, seat, command)
        case commands.Correct() | commands.Fold() | commands.RefuseCorrection():
            return bets.refuse_correction(table, seat, command)
        case commands.RaiseDispute() | commands.AppealDispute():
            return disputes.refuse(table, command)
        case commands.AskAdvice():
            return None
        case _:
            assert_never(command)


def _went_away(table: Table, command: commands.WentAway | commands.CameBack) -> Refusal | None:
    seat = table.seats[command.seat]
    if command.by not in RUNS:
        return Refusal("not_your_role", f"The dealer or the floor sees who is away, not {command.by}.")
    if isinstance(command, commands.CameBack):
        return None if seat.away else Refusal("not_away", f"Nobody said that the player of seat {seat.number} is away.")
    if not (seat.dealt_in or seat.void or table.banks(seat.number)) or seat.away:
        return Refusal("not_in_round", "A player who is not in the round may come and go.")
    return None


def _step(table: Table, command: commands.Do) -> Refusal | None:
    step = table.next_step
    checks = step is not None and step.kind == command.kind == "check_deck" and command.by in deck_checkers(table)
    if command.by not in RUNS and not checks:
        return Refusal("not_your_role", f"The dealer and the floor run the table, not {command.by}.")
    if step is None:
        return Refusal("nothing_to_do", "The script has no step now: the table waits for players.")
    kind = KINDS[step.kind]
    if kind.actor == "player":
        return Refusal("waiting_for_player", f"The table waits: {say(step)}.")
    if (command.kind, command.seat, command.wager, command.number) != (step.kind, step.seat, step.wager, step.number):
        return Refusal("out_of_order", f"The next step is to {say(step)}.")
    if command.by != kind.actor and not checks:
        return Refusal("not_your_role", f"The {kind.actor} has to {say(step)}, not the {command.by}.")
    needs = mixing.needed(table, step)
    brought = {"order": bool(command.order or command.unbound), "cut": bool(command.cut), "throw": bool(command.throw)}
    if type(command) is commands.ReadMeters:
        brought["meters"] = True
    for name, given in brought.items():
        if given and needs != name:
            return Refusal("not_needed", f"To {say(step)} takes no {'reading' if name == 'meters' else name}.")
    if needs == "order" and (refusal := _bad_order(table, step, command)):
        return refusal
    if why := faults.blocked(table, step):
        return Refusal("something_wrong", f"The dealer cannot {say(step)}: {why}. Report what is wrong.")
    if kind.needs == "throw" and not 3 <= command.throw <= 18:
        return Refusal("bad_throw", f"Three dice show 3 to 18, not {command.throw}.")
    if kind.needs == "meters" and not meters.is_reading(table, commands.readings_of(command)):
        named = ", ".join(meters.to_read(table))
        return Refusal("bad_reading", f"A reading says what the meter of {named} holds, and of no other.")
    if kind.needs == "cut" and not table.rules.rules.cut.cards_min <= command.cut <= 51:
        least = table.rules.rules.cut.cards_min
        return Refusal("bad_cut", f"A cut takes {least} to 51 cards from the top, not {command.cut}.")
    return bets.refuse_close(table) if step.kind in {"invite_bonus", "call_no_more_bets"} else None


def deck_checkers(table: Table) -> tuple[str, ...]:
    """Return who may check a deck in the dealer's place: by some books a supervisor, or a device made for it."""
    rules = table.rules.rules
    if rules.deck.check != "before_use":
        return ()
    return (*(role for role in STAFF if may(role, rules.supervisor)), MACHINE)


def _bad_order(table: Table, step: Step, command: commands.Do) -> Refusal | None:
    order = command.order
    if command.unbound and (order or not mixing.may_be_unbound(table, step)):
        return Refusal("bad_order", "A deck is mixed without an order only where it is the 52 cards and no other.")
    if command.unbound:
        return None
    if not KINDS[step.kind].needs:
        if mixing.is_order_of_ready(table, order):
            return None
        return Refusal("bad_order", "The first card of a deck binds the order of all its cards, each named once.")
    if step.kind == "mix_rest":
        if _is_rest(table, order):
            return None
        return Refusal("bad_order", "The order of the rest names every card that is left in the deck, each once.")
    if _is_deck(order) and mixing.has_cards(table, step, order):
        return None
    return Refusal("bad_order", "A mixed deck is the 52 cards, each once, or says which is face up or foreign.")


def _is_rest(table: Table, order: tuple[str, ...]) -> bool:
    """Whether an order names all cards that are left in the deck; what else it names of the 52 is dealt already."""
    own = [face for face, _, foreign in map(mixing.marks, order) if not foreign]
    left = {str(card.face) for card in table.at(places.READY) if not card.foreign}
    return len(set(own)) == len(own) and left <= set(own) <= set(FACES)


def _is_deck(order: tuple[str, ...]) -> bool:
    """Whether an order is one of a deck, with as many cards missing, foreign ('Ah*') or face up ('Ah^') as it says."""
    read = [(face, foreign) for face, _, foreign in map(mixing.marks, order)]
    alien = [face for face, foreign in read if foreign]
    missing = 52 - (len(read) - len(alien))
    return len(set(read)) == len(read) and missing <= 2 and len(alien) <= 2 and _FOREIGN.issuperset(alien)


def _sit(table: Table, seat: Seat, command: commands.Sit) -> Refusal | None:
    if seat.player:
        return Refusal("seat_taken", f"Seat {seat.number} is taken.")
    if not re.fullmatch(r"\w[\w.'-]*( \w[\w.'-]*)*", command.player) or command.player == "out":
        return Refusal("bad_name", "A player's name is made of words, such as Ann or Mary-Lou O'Neil.")
    if command.cents < buy_in_min(table.rules.rules):
        return Refusal("bad_amount", f"A buy-in is more than nothing, not {command.cents} cents.")
    if table.phase == "closed":
        return Refusal("closed", "The table is closed.")
    if command.player in table.barred:
        return Refusal("barred", f"{command.player} is barred from play.")
    seated = {other.player for other in table.seats.values()}
    for apart in table.separated:
        if command.player in apart and seated & (set(apart) - {command.player}):
            return Refusal("separated", f"{command.player} may not sit at this table with those already here.")
    held = [number for number, other in table.seats.items() if other.player == command.player]
    return _refuse_second(table, seat.number, held) if held else None


def _refuse_second(table: Table, number: int, held: list[int]) -> Refusal | None:
    """Return why a player who has seats may not have another one: hands of one player lie side by side."""
    rules = table.rules.rules
    if len(held) >= rules.hands_per_player:
        most = quantity(rules.hands_per_player, "hand")
        return Refusal("one_hand_per_player", f"A player plays {most} at a time.")
    if max(number, *held) > rules.seats:
        return Refusal("not_adjacent", "The place apart is for banking: a player there has no other seat.")
    if not {number - 1, number + 1} & set(held):
        return Refusal(
            "not_adjacent", f"One player's hands are side by side: seat {number} is not next to seat {held[0]}."
        )
    return None


def _buy(table: Table, command: commands.BuyChips | commands.ExchangeVoucher) -> Refusal | None:
    if command.cents <= 0:
        return Refusal("bad_amount", f"An amount is more than nothing, not {command.cents} cents.")
    media = table.rules.rules.bet.media
    if isinstance(command, commands.ExchangeVoucher) and command.into == "match_play":
        taken = "match_play" in media
        return None if taken else Refusal("medium_refused", "Match-play coupons are not taken at this table.")
    if isinstance(command, commands.ExchangeVoucher) and "vouchers" not in media:
        return Refusal("medium_refused", "Vouchers are not taken at this table.")
    if isinstance(command, commands.ExchangeVoucher) and command.into not in media:
        return Refusal("medium_refused", f"Bets at this table are not made with {command.into}.")
    return None


def _bank(table: Table, seat: Seat, command: commands.TakeBank | commands.DeclineBank) -> Refusal | None:
    if table.banks(seat.number):
        return _give_back(table, command)
    if seat.sitting_out or seat.leaves:
        return Refusal("sitting_out", "A player who sits out does not bank.")
    offered = table.next_step == Step("await_bank", seat.number)
    open_to_all = bank_stands_open(table) and not _spent(table, seat.number)
    if not offered and (isinstance(command, commands.DeclineBank) or not open_to_all):
        return Refusal("bank_not_offered", f"The bank is not offered to seat {seat.number} now.")
    if isinstance(command, commands.DeclineBank):
        return None
    most, have = table.rules.rules.bank.stake_cents_max, table.cents(accounts.stack(seat.number))
    if command.cents <= 0:
        return Refusal("bad_amount", f"A stake is more than nothing, not {command.cents} cents.")
    if isinstance(most, int) and command.cents > most:
        return Refusal("above_maximum", f"The most for the bank is {dollars(most)}.")
    needed = command.cents + bank_fee(table.rules.rules)
    if needed > have:
        return Refusal("not_enough", f"The stake and the fee come to {dollars(needed)}; you have {dollars(have)}.")
    return None


def _give_back(table: Table, command: commands.TakeBank | commands.DeclineBank) -> Refusal | None:
    """A bank that nobody bets against yet may be given back."""
    if isinstance(command, commands.TakeBank):
        return Refusal("bank_not_offered", "You bank already.")
    if table.phase != "betting" or any(seat.wagers for seat in table.seats.values()):
        return Refusal("round_running", "The bank stays as long as there are bets against it.")
    return None


def _spent(table: Table, seat: int) -> bool:
    """Whether the player at a seat has banked as many hands in a row as he may."""
    return table.seats[seat].player == table.bank_player and table.bank_hands >= table.rules.rules.bank.max_consecutive


def _in_round(table: Table, seat: Seat) -> Refusal | None:
    if table.banks(seat.number):
        return Refusal(
            "round_running", "The player who banks stays to the end of the round, or gives the bank back first."
        )
    if seat.dealt_in:
        return Refusal("round_running", "A player with cards stays to the end of the round.")
    return Refusal("wagers_down", "Take your wagers back before you leave.") if seat.wagers else None


def _look(table: Table, seat: Seat) -> Refusal | None:
    if not seat.dealt_in or table.phase not in {"choice_1", "choice_2"}:
        return Refusal("cards_not_yours", "Players look at their cards when the deal is complete, until the showdown.")
    if table.next_step == Step("await_correction", seat.number, number=1):
        return Refusal("correct_first", "Make your bets equal, or fold, before you touch your cards.")
    touch = table.rules.rules.cards.touch
    if touch == "dealer_only":
        return Refusal("hands_off", "Only the dealer touches the cards at this table.")
    if touch == "player_until_bet_2" and 2 in seat.choices:
        return Refusal("hands_off", "After the bet 2 choice the cards are not touched again.")
    if seat.tucked:
        return Refusal("hands_off", "The cards are tucked under the third bet.")
    suspects = (table.seats[number] for number in table.dealt_in if table.seats[number].acts_first)
    first = [one.number for one in suspects if one.has_base and 1 not in one.choices]
    asked = table.next_step == Step("await_choice", seat.number, number=1)
    if table.phase == "choice_1" and first and seat.number not in first and not asked:
        return Refusal("suspects_first", f"Seat {first[0]} acts before the others touch their cards.")
    return None


def _choose(table: Table, seat: Seat, command: commands.Choose) -> Refusal | None:
    if command.bet not in {1, 2}:
        return Refusal("never_withdrawn", "Only bets 1 and 2 can be withdrawn; the third stays.")
    if command.bet in seat.choices:
        return Refusal("already_chosen", f"Bet {command.bet} is decided: it cannot be moved until the round ends.")
    if table.next_step != Step("await_choice", seat.number, number=command.bet):
        return Refusal("not_your_turn", f"Seat {seat.number} is not asked about bet {command.bet} now.")
    if command.choice not in {"ride", "withdraw"}:
        return Refusal("bad_choice", "A bet rides or is withdrawn.")
    return None


def holds_paying_hand(table: Table, seat: int) -> bool:
    """Whether the cards a player can see already pay."""
    seen = (*table.at(places.hand(seat)), *(card for card in table.community() if card.up))
    return pays_already(table.rules, [card.face for card in seen if card.face is not JOKER])


def _tuck(table: Table, seat: Seat) -> Refusal | None:
    allowed = table.rules.rules.decide.early_tuck
    if allowed == "no":
        return Refusal("no_early_tuck", "Cards are not tucked early at this table.")
    if table.phase not in {"choice_1", "choice_2"} or not seat.dealt_in or not seat.has_base or seat.tucked:
        return Refusal("nothing_to_tuck", "There is nothing left to tuck for.")
    if not seat.looked:
        return Refusal("not_looked", "Look at your cards first.")
    if allowed == "paying_hand" and not holds_paying_hand(table, seat.number):
        return Refusal("no_paying_hand", "Only a player who already holds a paying hand tucks early.")
    return None


def _claim(table: Table, seat: Seat, command: commands.Claim) -> Refusal | None:
    spot = bets.claimed_spot(table)
    if not spot:
        return Refusal("no_early_claim", "The side bet is not claimed early at this table.")
    if table.phase != "choice_1" or spot not in seat.wagers or seat.claim or 1 in seat.choices:
        return Refusal("nothing_to_claim", "There is no side bet to claim now.")
    if spot in table.void_bets(seat.number):
        return Refusal("nothing_to_claim", "The side bet is void and goes back to you when bets are settled.")
    if not seat.looked:
        return Refusal("not_looked", "Look at your cards first.")
    cards = [card.face for card in table.at(places.hand(seat.number))]
    if len(set(cards)) != 3 or JOKER in cards:
        return Refusal("something_wrong", "Three different cards are claimed for. Report what is wrong.")
    wins = settle_own(table.rules, spot, seat.wagers[spot], cards).fate == "won"
    if command.shown and not wins:
        return Refusal("no_winning_hand", "Cards that win the side bet are shown; others are waved away.")
    if not command.shown and wins:
        return Refusal("winning_hand", "Your three cards win the side bet: show them.")
    return None
