"""Rounds for the clause tests: text records played through the engine, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msgspec import UNSET, structs

from letitride.engine import commands, events, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import KINDS
from letitride.engine.view import view
from letitride.ledger import accounts
from letitride.records.decks import order_of
from letitride.records.played import Played
from letitride.records.player import bettors, rules_of
from letitride.records.reader import read_record
from letitride.records.record import Dealt, Record, Round
from letitride.records.replay import Replayed, replay
from letitride.rules.keys import Rules
from letitride.rules.rulebook import RuleBook
from letitride.rules.settlement import WagerResult

SEATED = "seat 1 sits Ann 500\nseat 3 sits Bob 500\nseat 7 sits Cy 500\n"
THREE_SEATS = """
round
hand 1 Th Td 4c
hand 3 9h 9d 3c
hand 7 2c 7d Kh
community Ks 2d
seat 1 bets 10
seat 3 bets 10
seat 7 bets 10
"""
CHOICES = """
seat 1 rides 1
seat 3 withdraws 1
seat 7 rides 1
seat 1 rides 2
seat 3 rides 2
seat 7 withdraws 2
"""
WHOLE_ROUND = THREE_SEATS + CHOICES
"""Seat 1 has tens and rides; seat 3 has nines and loses; seat 7 makes kings and twos."""

SEVEN_SEATED = "".join(f"seat {seat} sits P{seat} 500\n" for seat in range(1, 8))
ENDS = [53_000, 48_000, 54_000]
"""The chips of seats 1, 3 and 7 after `WHOLE_ROUND`, where tens pay 1 to 1 and two pair 2 to 1."""


def full_table(bet: str) -> str:
    """Return a round in which seven seats bet alike and let everything ride."""
    seats = range(1, 8)
    acts = (f"bets {bet}", "rides 1", "rides 2")
    return "".join(["round\n", *(f"seat {seat} {act}\n" for act in acts for seat in seats)])


def played(book: RuleBook | str, body: str, *settings: str, seated: str = SEATED) -> Replayed:
    """Play rounds at a table by a book, with an automatic dealer."""
    name = book if isinstance(book, str) else book.id
    lines = [f"rulebook {name}", *(f"set {setting}" for setting in settings), "dealer auto", seated, body]
    return replay(told_by_decks(read_record("\n".join(lines))))


def told_by_decks(record: Record) -> Record:
    """Return a record in which a round with a mishap or a card face up names its deck: what goes wrong may shift it."""
    rules = rules_of(record, "record").rules
    return replace(record, rounds=tuple(_by_its_deck(one, rules) for one in record.rounds))


def _by_its_deck(one: Round, rules: Rules) -> Round:
    named = [*(card for _, cards in one.dealt.hands for card in cards), *one.dealt.community, *one.dealt.burn]
    wrong = any(isinstance(action.command, commands.Mishap) for action in one.actions) or any("^" in c for c in named)
    if not wrong or one.dealt.order or not any(named):
        return one
    deck = order_of(one.dealt, rules, bettors(one, rules))
    last = max(place for place, card in enumerate(deck) if card in named)
    dealt = Dealt(order=deck[: last + 1], missing=one.dealt.missing, dice=one.dealt.dice)
    return replace(one, dealt=dealt)


def steps(done: Replayed) -> list[str]:
    """Return every step of the script that was done, as 'kind seat wager number' without what is empty."""
    return [_words(event.step) for event in happened(done) if isinstance(event, events.StepDone)]


def _words(step: Any) -> str:
    parts = (step.kind, step.seat or "", step.wager, step.number or "")
    return " ".join(str(part) for part in parts if part)


def kinds(done: Replayed) -> list[str]:
    """Return the kinds of the steps that were done."""
    return [words.split()[0] for words in steps(done)]


def happened(done: Replayed) -> Iterator[events.AnyEvent]:
    """Yield every event of a replay."""
    for one in done.steps:
        if not isinstance(one.outcome, Refusal):
            yield from one.outcome


def choices(done: Replayed) -> list[events.ChoiceMade]:
    """Return every choice that was made."""
    return [event for event in happened(done) if isinstance(event, events.ChoiceMade)]


def step(done: Replayed, words: str) -> Played:
    """Return the first moment at which a step was done."""
    return next(
        one
        for one in done.steps
        if not isinstance(one.outcome, Refusal)
        and any(isinstance(event, events.StepDone) and _words(event.step) == words for event in one.outcome)
    )


def step_event(done: Replayed, words: str) -> events.StepDone:
    """Return the event of a step."""
    return next(e for e in happened(done) if isinstance(e, events.StepDone) and _words(e.step) == words)


def packets(done: Replayed) -> list[int]:
    """Return how many cards left the deck with each packet that was delivered."""
    delivered = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind in _PACKETS]
    return [len(one.before.at(places.READY)) - len(one.after.at(places.READY)) for one in delivered]


_PACKETS = {"deal_packet", "deal_dealer_packet"}


def order(done: Replayed, *words: str) -> None:
    """Assert that steps were done, in this order."""
    found = [steps(done).index(one) for one in words]
    assert found == sorted(found), [steps(done)[place] for place in found]


def results(done: Replayed, seat: int, number: int = 0) -> dict[str, WagerResult]:
    """Return a seat's results of a round."""
    return {result.wager: result for result in done.outcomes[number].results[seat]}


def moment(done: Replayed, phase: str) -> Table:
    """Return the table as it was when a part of the procedure began; of betting, when all have bet."""
    if phase == "betting":
        closing = ("invite_bonus", "call_no_more_bets")
        return step(done, next(words for words in steps(done) if words in closing)).before
    return next(one.after for one in done.steps if one.after.phase == phase)


def refusal(table: Table, command: commands.AnyCommand) -> str:
    """Return the code with which a command is refused, and see that it changed nothing."""
    after, outcome = play(table, command)
    assert isinstance(outcome, Refusal), command
    assert after is table
    return outcome.code


def bets(table: Table, seat: int, by: str = "", medium: Any = "chips", spoken: bool = False, **wagers: int) -> str:
    """Return the refusal code of wagers written as base=1000, bonus=100, or '' where they are taken.

    By the medium 'match_play' a coupon lies beside chips.
    """
    placed: dict[Any, int] = {name: cents for name, cents in wagers.items() if name != "base"}
    if "base" in wagers:
        placed.update(dict.fromkeys(("base-1", "base-2", "base-$"), wagers["base"]))
    coupon = medium == "match_play"
    command = commands.PlaceWagers(
        by=by or f"seat:{seat}",
        seat=seat,
        wagers=placed,
        medium="chips" if coupon else medium,
        spoken=spoken,
        coupon_cents=wagers["base"] if coupon else UNSET,
    )
    _, outcome = play(table, command)
    return outcome.code if isinstance(outcome, Refusal) else ""


def dealer_does(table: Table, kind: str = "", **fields: Any) -> tuple[Table, str]:
    """Let the dealer do the next step, or another; return the table and the refusal code."""
    step = table.next_step
    assert step is not None
    wanted = kind or step.kind
    actor = KINDS[wanted].actor
    command = commands.Do(by=actor, kind=wanted, seat=step.seat, wager=step.wager, number=step.number, **fields)
    after, outcome = play(table, command)
    return after, outcome.code if isinstance(outcome, Refusal) else ""


def seen(table: Table, viewer: str, seat: int) -> list[str]:
    """Return a seat's cards as a viewer sees them."""
    return list(view(table, viewer).seats[seat].cards)


def faces(table: Table, place: str) -> list[str]:
    """Return the faces of the cards in a place."""
    return [str(card.face) for card in table.at(place)]


def hands(table: Table) -> dict[int, list[str]]:
    """Return the cards of every seat that has any."""
    return {seat: faces(table, places.hand(seat)) for seat in table.seats if table.at(places.hand(seat))}


def rulings(done: Replayed) -> list[Ruling]:
    """Return everything that was ruled or ordered, in order."""
    return [event.ruling for event in happened(done) if isinstance(event, events.Ruled)]


def ruled(done: Replayed) -> list[str]:
    """Return the names of the rulings, such as 'hand_count:hand_void'."""
    return [ruling.name for ruling in rulings(done)]


def announced(done: Replayed) -> list[str]:
    """Return what was said with the steps of the script."""
    return [event.says for event in happened(done) if isinstance(event, events.StepDone) and event.says]


def stacks(done: Replayed, *seats: int) -> list[int]:
    """Return the chips beside seats at the end, in cents."""
    return [done.table.cents(accounts.stack(seat)) for seat in seats]


def fates(done: Replayed, seat: int, number: int = 0) -> list[str]:
    """Return what happened to a seat's wagers in a round."""
    return [result.fate for result in done.outcomes[number].results[seat]]


def choices_go_clockwise(done: Replayed) -> None:
    """Assert that bets 1 and 2 are chosen from the dealer's left, one seat at a time, and that no choice binds another.

    The chips tell: seat 3 has bet 1 back and bet 2 riding, seat 7 the other way round.
    """
    asked = [words for words in steps(done) if words.startswith("ask")]
    assert asked == ["ask 1 1", "ask 3 1", "ask 7 1", "ask 1 2", "ask 3 2", "ask 7 2"]
    waiting = [one for one in done.steps if isinstance(one.command, commands.Choose)]
    assert [(one.command.seat, one.command.bet) for one in waiting] == [
        (seat, bet) for bet in (1, 2) for seat in (1, 3, 7)
    ]
    for one in waiting:
        for seat in {1, 3, 7} - {one.command.seat}:
            early = commands.Choose(by=f"seat:{seat}", seat=seat, bet=one.command.bet, choice="ride")
            assert refusal(one.before, early) in {"not_your_turn", "already_chosen"}
    shown = moment(done, "settling")
    left = {seat: [shown.cents(f"felt:{seat}:base-{spot}") for spot in ("1", "2", "$")] for seat in (1, 3, 7)}
    assert left == {1: [1_000] * 3, 3: [0, 1_000, 1_000], 7: [1_000, 0, 1_000]}


def riding_bets_stay(done: Replayed) -> None:
    """Assert that bets of seat 1 that ride cannot be taken back, and lie there until the hand is opened."""
    opened = done.steps.index(step(done, "open_hand 1"))
    for bet in (1, 2):
        chosen = next(place for place, one in enumerate(done.steps) if bet in one.after.seats[1].choices)
        change = commands.Choose(by="seat:1", seat=1, bet=bet, choice="withdraw")
        assert refusal(done.steps[chosen].after, change) == "already_chosen"
        take_back = commands.PlaceWagers(by="seat:1", seat=1, wagers={})
        assert refusal(done.steps[chosen].after, take_back) == "betting_closed"
        assert {one.after.cents(f"felt:1:base-{bet}") for one in done.steps[chosen : opened + 1]} == {1_000}


def withdrawn_bets_are_pushed_back(done: Replayed) -> None:
    """Assert that bet 1 of seat 3 and bet 2 of seat 7 go back whole, before anything else is done."""
    for seat, bet in ((3, 1), (7, 2)):
        spot, purse = f"felt:{seat}:base-{bet}", f"stack:{seat}"
        chosen = next(place for place, one in enumerate(done.steps) if bet in one.after.seats[seat].choices)
        before, after = done.steps[chosen].after, done.steps[chosen + 1].after
        assert before.cents(spot) == 1_000
        moved = {name: after.cents(name) - before.cents(name) for name in {*before.accounts, *after.accounts}}
        assert {name: cents for name, cents in moved.items() if cents} == {spot: -1_000, purse: 1_000}


def hands_open_in_turn(done: Replayed, *seats: int) -> None:
    """Assert that hands are turned up in this order, all three cards at once, when both community cards lie open."""
    for place, seat in enumerate(seats):
        opened = step(done, f"open_hand {seat}")
        assert [card.up for card in opened.before.community()] == [True, True]
        assert not any(card.up for later in seats[place:] for card in opened.before.at(places.hand(later)))
        assert [card.up for card in opened.after.at(places.hand(seat))] == [True] * 3


def only_five_cards_make_a_hand(done: Replayed, seat: int) -> None:
    """Assert that three own and both community cards are read, and nothing is made of one card less or more."""
    before = step(done, f"open_hand {seat}").before
    held, rack = before.at(places.hand(seat)), before.at(places.RACK)
    assert (len(held), len(before.community())) == (3, 2)
    for own, rest in ((held[:2], (*rack, held[2])), ((*held, rack[0]), rack[1:])):
        lying = {**before.cards, places.hand(seat): own, places.RACK: rest}
        after, outcome = play(structs.replace(before, cards=lying), _next(before))
        assert not isinstance(outcome, Refusal)
        assert [event.says for event in outcome if isinstance(event, events.StepDone)] == [f"{len(own)} cards"]
        assert after.accounts == before.accounts


def _next(table: Table) -> commands.Do:
    step = table.next_step
    assert step is not None
    return commands.Do(by="dealer", kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)


def after_void(done: Replayed) -> Table:
    """Return the table as a void round leaves it."""
    return next(one.after for one in done.steps if _ends_void(one))


def _ends_void(one: Played) -> bool:
    return not isinstance(one.outcome, Refusal) and any(isinstance(e, events.RoundVoided) for e in one.outcome)


def nothing_is_lost_by_a_void_round(done: Replayed, **had: int) -> None:
    """Assert that a void round leaves seats with what they had, no chip on the felt and no card in a hand."""
    table = after_void(done)
    assert {seat: table.cents(seat.replace("seat_", "stack:")) for seat in had} == had
    assert not [name for name, cents in table.accounts.items() if cents and name.startswith(("felt:", "bank", "fees"))]
    assert not hands(table)
    assert not table.community()
