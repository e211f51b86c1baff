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
        case commands.Choose() | commands.PlaceWagers():  # the commonest of a seat
            return _seats_act(table, command)
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
        return Refusal(
            "no_such_seat",
            f"This table has seats 1 to {len(table.seats)}. There's no seat {command.seat}.",
            values={"seats": len(table.seats), "seat": command.seat},
        )
    if isinstance(command, (commands.WentAway, commands.CameBack)):
        return _went_away(table, command)
    if command.by != f"seat:{command.seat}":
        return Refusal(
            "not_your_seat", f"Only the player at seat {command.seat} can do that.", values={"seat": command.seat}
        )
    seat = table.seats[command.seat]
    if isinstance(command, commands.Sit):
        return _sit(table, seat, command)
    if not seat.player:
        return Refusal("seat_empty", f"Seat {command.seat} is empty.", values={"seat": command.seat})
    if table.phase == "closed" and not isinstance(
        command, commands.Leave | commands.RaiseDispute | commands.AppealDispute
    ):
        return Refusal("closed", "The table is closed.")
    match command:
        case commands.PlaceWagers():
            return bets.refuse(table, seat, command)
        case commands.Choose():
            return _choose(table, seat, command)
        case commands.TakeBank() | commands.DeclineBank():
            return _bank(table, seat, command)
        case commands.BuyChips() | commands.ExchangeVoucher():
            return _buy(table, command)
        case commands.Leave():
            return _in_round(table, seat)
        case commands.SitOut():
            if command.out:
                return _in_round(table, seat)
            return (
                Refusal("must_leave", f"You have to leave: {seat.leaves}.", values={"why": seat.leaves})
                if seat.leaves
                else None
            )
        case commands.LookOver():
            waiting = table.next_step == Step("await_inspection", seat.number)
            return None if waiting else Refusal("no_deck_shown", "No deck is spread for inspection now.")
        case commands.Look():
            return _look(table, seat)
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
        return Refusal("not_your_role", "Only the dealer or the floor can report that a player is away.")
    if isinstance(command, commands.CameBack):
        return None if seat.away else Refusal("not_away", f"The player at seat {seat.number} isn't reported as away.")
    if not (seat.dealt_in or seat.void or table.banks(seat.number)) or seat.away:
        return Refusal("not_in_round", "A player who isn't in the round can come and go.")
    return None


def _step(table: Table, command: commands.Do) -> Refusal | None:
    step = table.next_step
    checks = step is not None and step.kind == command.kind == "check_deck" and command.by in deck_checkers(table)
    if command.by not in RUNS and not checks:
        return Refusal("not_your_role", "Only the dealer and the floor run the table.")
    if step is None:
        return Refusal("nothing_to_do", "The script has no step now. The table is waiting for players.")
    kind = KINDS[step.kind]
    if kind.actor == "player":
        return Refusal("waiting_for_player", f"The table waits: {say(step, table.rules.by_spot)}.")
    if (command.kind, command.seat, command.wager, command.number) != (step.kind, step.seat, step.wager, step.number):
        return Refusal("out_of_order", f"The next step is to {say(step, table.rules.by_spot)}.")
    if command.by != kind.actor and not checks:
        return Refusal("not_your_role", f"The {kind.actor} has to {say(step, table.rules.by_spot)}.")
    needs = mixing.needed(table, step)
    if unneeded := [name for name in _brought(command) if name != needs]:
        what = "reading" if unneeded[0] == "meters" else unneeded[0]
        return Refusal("not_needed", f"To {say(step, table.rules.by_spot)} takes no {what}.")
    if needs == "order" and (refusal := _bad_order(table, step, command)):
        return refusal
    if why := faults.blocked(table, step):
        return Refusal(
            "something_wrong", f"The dealer can't {say(step, table.rules.by_spot)}: {why}. Report the irregularity."
        )
    if kind.needs == "throw" and not 3 <= command.throw <= 18:
        return Refusal("bad_throw", f"Three dice show 3 to 18, not {command.throw}.")
    if kind.needs == "meters" and not meters.is_reading(table, commands.readings_of(command)):
        named = ", ".join(table.rules.wagers[one].title for one in meters.to_read(table))
        return Refusal("bad_reading", f"Expected one reading for each of these meters: {named}.")
    if kind.needs == "cut" and not table.rules.rules.cut.cards_min <= command.cut <= 51:
        least = table.rules.rules.cut.cards_min
        return Refusal("bad_cut", f"A cut takes {least} to 51 cards from the top, not {command.cut}.")
    return bets.refuse_close(table) if step.kind in {"invite_bonus", "call_no_more_bets"} else None


def _brought(command: commands.Do) -> list[str]:
    """Return what a command brings along, as steps name what they need."""
    brought = ["order"] if command.order or command.unbound else []
    if command.cut:
        brought.append("cut")
    if command.throw:
        brought.append("throw")
    if type(command) is commands.ReadMeters:
        brought.append("meters")
    return brought


def deck_checkers(table: Table) -> tuple[str, ...]:
    """Return who may check a deck in the dealer's place: by some books a supervisor, or a device made for it."""
    rules = table.rules.rules
    if rules.deck.check != "before_use":
        return ()
    return (*(role for role in STAFF if may(role, rules.supervisor)), MACHINE)


def _bad_order(table: Table, step: Step, command: commands.Do) -> Refusal | None:
    order = command.order
    if command.unbound and (order or not mixing.may_be_unbound(table, step)):
        return Refusal("bad_order", "A deck is mixed without an order only where it has its 52 cards and no others.")
    if command.unbound:
        return None
    if not KINDS[step.kind].needs:
        if mixing.is_order_of_ready(table, order):
            return None
        return Refusal(
            "bad_order", "The first card of a deck fixes the order of all its cards. Name each of them once."
        )
    if step.kind == "mix_rest":
        if _is_rest(table, order):
            return None
        return Refusal("bad_order", "The order of the rest names every card left in the deck, each of them once.")
    if _is_deck(order) and mixing.has_cards(table, step, order):
        return None
    return Refusal("bad_order", "A mixed deck has the 52 cards, each once, or marks which are face up or foreign.")


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
        return Refusal("seat_taken", f"Seat {seat.number} is taken.", values={"seat": seat.number})
    if not re.fullmatch(r"\w[\w.'-]*( \w[\w.'-]*)*", command.player) or command.player == "out":
        return Refusal("bad_name", "A name is made of words, such as Ann or Mary-Lou O'Neil.")
    if command.cents < buy_in_min(table.rules.rules):
        return Refusal("bad_amount", "Buy chips for more than $0 to sit down.", "buy_in")
    if table.phase == "closed":
        return Refusal("closed", "The table is closed.")
    if command.player in table.barred:
        return Refusal("barred", f"{command.player} is barred from play.", values={"player": command.player})
    seated = {other.player for other in table.seats.values()}
    for apart in table.separated:
        if command.player in apart and seated & (set(apart) - {command.player}):
            return Refusal(
                "separated",
                f"{command.player} can't sit at this table with a player who is here.",
                values={"player": command.player},
            )
    held = [number for number, other in table.seats.items() if other.player == command.player]
    return _refuse_second(table, seat.number, held) if held else None


def _refuse_second(table: Table, number: int, held: list[int]) -> Refusal | None:
    """Return why a player who has seats may not have another one: hands of one player lie side by side."""
    rules = table.rules.rules
    if len(held) >= rules.hands_per_player:
        most = quantity(rules.hands_per_player, "hand")
        return Refusal(
            "one_hand_per_player", f"You can play {most} at a time.", values={"hands": rules.hands_per_player}
        )
    if max(number, *held) > rules.seats:
        return Refusal("not_adjacent", "The separate seat is for banking. A player there has no other seat.", "apart")
    if not {number - 1, number + 1} & set(held):
        return Refusal(
            "not_adjacent",
            f"Your hands have to be side by side. Seat {number} isn't next to seat {held[0]}.",
            values={"seat": number, "held": held[0]},
        )
    return None


def _buy(table: Table, command: commands.BuyChips | commands.ExchangeVoucher) -> Refusal | None:
    if command.cents <= 0:
        return Refusal("bad_amount", "Enter an amount of more than $0.")
    media = table.rules.rules.bet.media
    if isinstance(command, commands.ExchangeVoucher) and command.into == "match_play":
        taken = "match_play" in media
        return None if taken else Refusal("medium_refused", "This table doesn't take match-play coupons.", "coupons")
    if isinstance(command, commands.ExchangeVoucher) and "vouchers" not in media:
        return Refusal("medium_refused", "This table doesn't take vouchers.", "vouchers")
    if isinstance(command, commands.ExchangeVoucher) and command.into not in media:
        return Refusal(
            "medium_refused", f"This table doesn't take bets in {command.into}.", values={"medium": command.into}
        )
    return None


def _bank(table: Table, seat: Seat, command: commands.TakeBank | commands.DeclineBank) -> Refusal | None:
    if table.banks(seat.number):
        return _give_back(table, command)
    if seat.sitting_out or seat.leaves:
        return Refusal("sitting_out", "You're sitting out, so you can't take the bank.", "bank")
    offered = table.next_step == Step("await_bank", seat.number)
    open_to_all = bank_stands_open(table) and not _spent(table, seat.number)
    if not offered and (isinstance(command, commands.DeclineBank) or not open_to_all):
        return Refusal("bank_not_offered", "The bank isn't offered to you now.")
    if isinstance(command, commands.DeclineBank):
        return None
    most, have = table.rules.rules.bank.stake_cents_max, table.cents(accounts.stack(seat.number))
    if command.cents <= 0:
        return Refusal("bad_amount", "The stake of the bank has to be more than $0.", "bank")
    if isinstance(most, int) and command.cents > most:
        return Refusal(
            "above_maximum", f"The maximum stake of the bank is {dollars(most)}.", "bank", values={"most_cents": most}
        )
    needed = command.cents + bank_fee(table.rules.rules)
    if needed > have:
        return Refusal(
            "not_enough",
            f"The stake and the fee are {dollars(needed)} together. You have {dollars(have)}.",
            "bank",
            values={"needed_cents": needed, "have_cents": have},
        )
    return None


def _give_back(table: Table, command: commands.TakeBank | commands.DeclineBank) -> Refusal | None:
    """A bank with no bets against it yet may be given back."""
    if isinstance(command, commands.TakeBank):
        return Refusal("bank_not_offered", "You already have the bank.", "yours")
    if table.phase != "betting" or any(seat.wagers for seat in table.seats.values()):
        return Refusal("round_running", "There are bets against your bank, so you keep it this round.", "bets")
    return None


def _spent(table: Table, seat: int) -> bool:
    """Whether the player at a seat has banked as many hands in a row as they may."""
    return table.seats[seat].player == table.bank_player and table.bank_hands >= table.rules.rules.bank.max_consecutive


def _in_round(table: Table, seat: Seat) -> Refusal | None:
    if table.banks(seat.number):
        return Refusal(
            "round_running", "You have the bank. Stay until the round is over, or give the bank back first.", "bank"
        )
    if seat.dealt_in:
        return Refusal("round_running", "You have cards. Stay until the round is over.")
    return Refusal("wagers_down", "Take back your bets before you leave.") if seat.wagers else None


def _look(table: Table, seat: Seat) -> Refusal | None:
    if not seat.dealt_in or table.phase not in {"choice_1", "choice_2"}:
        return Refusal("cards_not_yours", "You can look at your cards after the deal, until the hands are opened.")
    if table.next_step == Step("await_correction", seat.number, number=1):
        return Refusal("correct_first", "Make your bets equal, or fold, before you touch your cards.")
    touch = table.rules.rules.cards.touch
    if touch == "dealer_only":
        return Refusal("hands_off", "Only the dealer touches the cards at this table.")
    if touch == "player_until_bet_2" and 2 in seat.choices:
        return Refusal("hands_off", "After you decide on bet 2, you can't touch your cards again.", "decided")
    if seat.tucked:
        return Refusal("hands_off", "Your cards are tucked under bet $.", "tucked")
    suspects = (table.seats[number] for number in table.dealt_in if table.seats[number].acts_first)
    first = [one.number for one in suspects if one.has_base and 1 not in one.choices]
    asked = table.next_step == Step("await_choice", seat.number, number=1)
    if table.phase == "choice_1" and first and seat.number not in first and not asked:
        return Refusal(
            "suspects_first",
            f"Seat {first[0]} acts before the other players touch their cards.",
            values={"seat": first[0]},
        )
    return None


def _choose(table: Table, seat: Seat, command: commands.Choose) -> Refusal | None:
    if command.bet not in {1, 2}:
        return Refusal("never_withdrawn", "Only bets 1 and 2 can be taken back. Bet $ always stays.")
    if command.bet in seat.choices:
        return Refusal(
            "already_chosen",
            f"Bet {command.bet} is already decided. It stays as it is until the round ends.",
            values={"bet": command.bet},
        )
    if table.next_step != Step("await_choice", seat.number, number=command.bet):
        return Refusal(
            "not_your_turn", f"Seat {seat.number} isn't asked about bet {command.bet} now.", values={"bet": command.bet}
        )
    if command.choice not in {"ride", "withdraw"}:
        return Refusal("bad_choice", "Let the bet ride, or take it back.")
    return None


def holds_paying_hand(table: Table, seat: int) -> bool:
    """Whether the cards a player can see already pay."""
    seen = (*table.at(places.hand(seat)), *(card for card in table.community() if card.up))
    return pays_already(table.rules, [card.face for card in seen if card.face is not JOKER])


def _tuck(table: Table, seat: Seat) -> Refusal | None:
    allowed = table.rules.rules.decide.early_tuck
    if allowed == "no":
        return Refusal("no_early_tuck", "The rules of this table don't let you tuck your cards early.")
    if table.phase not in {"choice_1", "choice_2"} or not seat.dealt_in or not seat.has_base or seat.tucked:
        return Refusal("nothing_to_tuck", "There's no decision left to tuck your cards for.")
    if not seat.looked:
        return Refusal("not_looked", "Look at your cards first.")
    if allowed == "paying_hand" and not holds_paying_hand(table, seat.number):
        return Refusal("no_paying_hand", "You can tuck early only with a hand that already pays.")
    return None


def _claim(table: Table, seat: Seat, command: commands.Claim) -> Refusal | None:
    spot = bets.claimed_spot(table)
    if not spot:
        return Refusal("no_early_claim", "The rules of this table don't let you claim the side bet early.")
    if table.phase != "choice_1" or spot not in seat.wagers or seat.claim or 1 in seat.choices:
        return Refusal("nothing_to_claim", "You have no side bet to claim now.")
    if spot in table.void_bets(seat.number):
        return Refusal("nothing_to_claim", "This side bet is void. You get it back when bets are settled.", "void")
    if not seat.looked:
        return Refusal("not_looked", "Look at your cards first.")
    cards = table.faces(seat.number)
    if len(set(cards)) != 3 or JOKER in cards:
        return Refusal("something_wrong", "A claim needs three different cards. Report the irregularity.", "claim")
    wins = settle_own(table.rules, spot, seat.wagers[spot], cards).fate == "won"
    if command.shown and not wins:
        return Refusal("no_winning_hand", "Your three cards don't win the side bet, so keep them hidden.")
    if not command.shown and wins:
        return Refusal("winning_hand", "Your three cards win the side bet. Show them.")
    return None
