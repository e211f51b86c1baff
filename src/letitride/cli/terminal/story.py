"""Story: what happens at a table in a few plain lines for one player; it tells nothing that his view does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from letitride.cli.terminal.account import Entry, entries_of
from letitride.engine import events, places
from letitride.engine.script import clauses_of
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, say
from letitride.records.rounds import Moment, PlayedRound
from letitride.rules.cards import Card
from letitride.rules.money import dollars
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.table_rules import TableRules

Written = Callable[[Iterable[Card]], str]
"""How cards are written: in words for a listener, with signs on a screen."""
_ORDINALS = {1: "first", 2: "second"}


def bet_name(rules: TableRules, spot: Spot) -> str:
    """Return what a player calls the bet on a spot: 'bet 1', or a side bet's title."""
    wager = rules.by_spot[spot]
    return f"bet {wager.label.split()[wager.spots.index(spot)]}" if wager.is_base else wager.title


def in_words(cards: Iterable[Card]) -> str:
    """Write cards as a listener understands them."""
    return ", ".join(card.name for card in cards)


@dataclass(slots=True)
class Story:
    """Tells one player what happens; with the whole script, every step of the dealer with its clauses as well."""

    seats: tuple[int, ...]
    """The player's, each with a hand of its own."""
    write: Written = in_words
    script: bool = False

    def _at(self, seat: int) -> str:
        """Return which of the player's hands is meant, where there are several."""
        return f" at seat {seat}" if len(self.seats) > 1 else ""

    def lines(self, moment: Moment) -> Iterator[str]:
        """Yield what a moment has to tell."""
        table = moment.after
        for event in moment.events:
            if self.script and isinstance(event, events.StepDone) and moment.before is not None:
                yield self._step(event, moment.before)
            yield from self._event(event, table)

    def _event(self, event: events.AnyEvent, table: Table) -> Iterator[str]:
        match event:
            case events.StepDone():
                yield from self._done(event, table)
            case events.PlayerSat() if event.seat in self.seats:
                yield f"You sit down at seat {event.seat} with {dollars(sum(one.cents for one in event.chips))}."
            case events.ChipsBought() if event.seat in self.seats:
                yield f"You buy chips for {dollars(event.chips[0].cents)}{self._at(event.seat)}."
            case events.CardsLooked() if event.seat in self.seats:
                cards = [card.face for card in table.at(places.hand(event.seat))]
                yield f"Your cards{self._at(event.seat)}: {self.write(cards)}."
            case events.BankTaken():
                yield f"{self._who(event.seat)} with {dollars(event.stake_cents)}.".replace("#", "bank", 1)
            case events.SideBetClaimed() if event.seat in self.seats:
                (result,) = event.results
                bet = f"{bet_name(table.rules, result.wager)} {fate(result)}"
                yield f"You {'show the dealer your cards' if event.shown else 'wave'}{self._at(event.seat)}: {bet}."
            case events.SideBetClaimed() if event.shown:
                bets = " and ".join(bet_name(table.rules, result.wager) for result in event.results)
                yield f"Seat {event.seat} shows the dealer three cards for {bets}."
            case events.CardsTucked():
                yield f"{self._who(event.seat)} the cards: all bets left ride.".replace("#", "tuck", 1)
            case events.Ruled():
                yield f"Ruled: {event.ruling.sentence}"
            case events.PlayerWentAway() if event.seat in self.seats:
                yield f"You are away{self._at(event.seat)}."
            case events.PlayerCameBack() if event.seat in self.seats:
                yield f"You are back{self._at(event.seat)}."
            case events.RoundVoided():
                yield f"Round {event.round} is void: its bets went back."
            case events.PlayerLeft() if event.seat in self.seats:
                yield f"You leave{self._at(event.seat)} with {dollars(sum(chips.cents for chips in event.chips))}."
            case _:
                return

    def _done(self, event: events.StepDone, table: Table) -> Iterator[str]:
        step = event.step
        match step.kind:
            case "call_no_more_bets":
                yield "No more bets."
            case "turn_community":
                yield from self._others_chose(table, step.number)
                cards = [move.card.face for move in event.moves[:1]]
                yield f"The {_ORDINALS[step.number]} community card: {self.write(cards)}."
            case "open_hand" if step.seat in self.seats:
                yield f"Your hand{self._at(step.seat)}: {event.says}."
            case "open_hand":
                yield f"Seat {step.seat}: {self.write([move.card.face for move in event.moves])}: {event.says}."
            case "throw_dice":
                yield f"The dice show {event.says}."
            case _:
                return

    def _others_chose(self, table: Table, bet: int) -> Iterator[str]:
        others = {
            n: seat.choices[bet] for n, seat in table.seats.items() if n not in self.seats and bet in seat.choices
        }
        rode, took = ([n for n, chose in others.items() if chose == wanted] for wanted in ("ride", "withdraw"))
        if rode:
            yield f"Bet {bet} rides at {seat_words(rode)}."
        if took:
            yield f"Bet {bet} goes back at {seat_words(took)}."

    def _step(self, event: events.StepDone, before: Table) -> str:
        clauses = ", ".join(clauses_of(before, event.step)) or "house procedure"
        return f"{KINDS[event.step.kind].actor}: {say(event.step)} ({clauses})"

    def _who(self, seat: int) -> str:
        return f"You{self._at(seat)} #" if seat in self.seats else f"Seat {seat} #s"

    def ending(self, one: PlayedRound, stack_cents: int | None) -> Iterator[str]:
        """Yield what a round that is over came to for the player, who may have gone with his chips."""
        hands, rules = entries_of(one, self.seats), one.last.rules
        for entry in hands:
            if entry.results:
                parts = [f"{bet_name(rules, result.wager)} {fate(result)}" for result in entry.results]
                told = "; ".join([*parts, *_coupon_words(entry)])
                yield f"Seat {entry.seat}: {told}." if len(self.seats) > 1 else f"{told[0].upper()}{told[1:]}."
        if fees := sum(entry.fee_cents for entry in hands):
            yield f"The fee for the table was {dollars(fees)}."
        for entry in hands:
            if entry.bank_stake_cents:
                net = dollars(entry.bank_net_cents, signed=True)
                yield f"Your bank of {dollars(entry.bank_stake_cents)} came to {net}."
        left = "" if stack_cents is None else f" You have {dollars(stack_cents)}."
        yield f"Round {one.number}: {dollars(sum(entry.net_cents for entry in hands), signed=True)}.{left}"


def _coupon_words(entry: Entry) -> Iterator[str]:
    """Yield what became of a coupon, where one was laid; a lost one goes back to the house and costs nothing."""
    if entry.coupon is not None:
        worth = dollars(entry.coupon.cents)
        said = {"won": f"won {worth}", "lost": f"of {worth} lost, which costs nothing", "laid": f"of {worth} returned"}
        yield f"the coupon {said[entry.coupon.fate]}"


def fate(result: WagerResult) -> str:
    """Return what became of a wager in two or three words."""
    match result.fate:
        case "won":
            return f"won {dollars(result.paid_cents)}"
        case "lost" if result.back_cents:
            return f"lost {dollars(result.stake_cents - result.back_cents)}, {dollars(result.back_cents)} back"
        case "lost" if result.envy_cents:
            return f"lost {dollars(result.stake_cents)}, envy {dollars(result.envy_cents)}"
        case "lost":
            return f"lost {dollars(result.stake_cents)}"
        case "withdrawn" if result.net_cents:
            return f"taken back, {dollars(result.back_cents)} of it"
        case "withdrawn":
            return "taken back"
        case "returned":
            return "returned uncovered"
        case "void":
            return f"void, {dollars(result.back_cents)} back"
        case _:
            return str(result.fate)


def seat_words(numbers: Sequence[int]) -> str:
    """Return seats by their numbers: 'seat 1', 'seats 1 and 2'."""
    if len(numbers) == 1:
        return f"seat {numbers[0]}"
    return f"seats {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
