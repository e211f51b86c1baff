"""Story: what happens at a table in plain lines for one player; it tells nothing that their view does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from letitride.cli.terminal.account import Entry, entries_of
from letitride.cli.terminal.hands import card_words, read_words
from letitride.cli.terminal.language import bet_name, listed, ruling_words, step_words, t
from letitride.engine import events, places
from letitride.engine.effects import readings
from letitride.engine.script import clauses_of
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.records.rounds import Moment, PlayedRound, ShownHand
from letitride.rules.cards import Card
from letitride.rules.money import dollars
from letitride.rules.settlement import WagerResult

Written = Callable[[Iterable[Card]], str]
"""How cards are written: in words for a listener, with suit symbols on a screen."""


def in_words(cards: Iterable[Card]) -> str:
    """Write cards as a listener understands them."""
    return ", ".join(map(card_words, cards))


@dataclass(slots=True)
class Story:
    """Tells one player what happens; with the whole script, every step of the dealer with its clauses as well."""

    seats: tuple[int, ...]
    """The player's, each with a hand of its own."""
    write: Written = in_words
    script: bool = False

    def _mine(self, seat: int, text: str) -> str:
        """Return a line about one of the player's hands: it names the seat where there are several."""
        return f"{t('seat.asked', seat=seat)} {text}" if len(self.seats) > 1 else text

    def lines(self, moment: Moment) -> Iterator[str]:
        """Yield what a moment has to tell."""
        table = moment.after
        for event in moment.events:
            if self.script and isinstance(event, events.StepDone) and moment.before is not None:
                yield self._step(event, moment.before)
            if isinstance(event, events.StepDone):
                yield from self._done(event, table, moment.start)
            else:
                yield from self._event(event, table)

    def _event(self, event: events.AnyEvent, table: Table) -> Iterator[str]:
        match event:
            case events.BankTaken() if event.seat in self.seats:
                yield self._mine(event.seat, t("told.bank.you", stake=dollars(event.stake_cents)))
            case events.BankTaken():
                yield t("told.bank.seat", seat=event.seat, stake=dollars(event.stake_cents))
            case events.SideBetClaimed() if event.seat in self.seats:
                (result,) = event.results
                bet = f"{bet_name(table.rules.by_spot, result.wager)} {fate(result)}"
                yield self._mine(event.seat, t("told.shown.you" if event.shown else "told.hidden.you", result=bet))
            case events.SideBetClaimed() if event.shown:
                bets = listed(bet_name(table.rules.by_spot, result.wager) for result in event.results)
                yield t("told.shown.seat", seat=event.seat, bets=bets)
            case events.CardsTucked() if event.seat in self.seats:
                yield self._mine(event.seat, t("told.tucked.you"))
            case events.CardsTucked():
                yield t("told.tucked.seat", seat=event.seat)
            case events.Ruled():
                yield t("told.ruling", ruling=ruling_words(event.ruling))
            case events.RoundVoided():
                yield t("told.void", round=event.round)
            case _:
                yield from self._own(event, table)

    def _own(self, event: events.AnyEvent, table: Table) -> Iterator[str]:
        """Yield what happens to the player alone."""
        match event:
            case events.PlayerSat() if event.seat in self.seats:
                yield t("told.sat", seat=event.seat, amount=dollars(sum(one.cents for one in event.chips)))
            case events.ChipsBought() if event.seat in self.seats:
                yield self._mine(event.seat, t("told.bought", amount=dollars(event.chips[0].cents)))
            case events.CardsLooked() if event.seat in self.seats:
                cards = [card.face for card in table.at(places.hand(event.seat))]
                yield self._mine(event.seat, t("told.cards", cards=self.write(cards)))
            case events.PlayerWentAway() if event.seat in self.seats:
                yield self._mine(event.seat, t("told.away"))
            case events.PlayerCameBack() if event.seat in self.seats:
                yield self._mine(event.seat, t("told.back"))
            case events.PlayerLeft() if event.seat in self.seats:
                chips = dollars(sum(chips.cents for chips in event.chips))
                yield self._mine(event.seat, t("told.left", amount=chips))
            case _:
                return

    def _done(self, event: events.StepDone, table: Table, start: Table) -> Iterator[str]:
        step = event.step
        match step.kind:
            case "call_no_more_bets":
                yield t("told.no_more_bets")
            case "turn_community":
                yield from self._others_chose(table, step.number)
                cards = self.write(move.card.face for move in event.moves[:1])
                yield t("told.community", number=str(step.number), card=cards)
            case "open_hand" if step.seat in self.seats:
                yield self._mine(step.seat, t("told.hand.you", hand=_read_words(event, start)))
            case "open_hand":
                cards = self.write(move.card.face for move in event.moves)
                yield t("told.hand.seat", seat=step.seat, cards=cards, hand=_read_words(event, start))
            case "throw_dice":
                yield t("told.dice", throw=event.says.partition(":")[0], seat=table.action_seat)
            case _:
                return

    def _others_chose(self, table: Table, bet: int) -> Iterator[str]:
        others = {
            n: seat.choices[bet] for n, seat in table.seats.items() if n not in self.seats and bet in seat.choices
        }
        for choice in ("ride", "withdraw"):
            if seats := [number for number, chose in others.items() if chose == choice]:
                yield t(f"told.{choice}", many=len(seats), seats=listed(seats), bet=bet)

    def _step(self, event: events.StepDone, before: Table) -> str:
        clauses = ", ".join(clauses_of(before, event.step)) or t("told.procedure")
        actor = t(f"actor.{KINDS[event.step.kind].actor}")
        return f"{actor}: {step_words(event.step, before.rules.by_spot)} ({clauses})"

    def ending(self, one: PlayedRound, stack_cents: int | None) -> Iterator[str]:
        """Yield the result of a round that is over for the player, who may have left with their chips."""
        hands, wagers = entries_of(one, self.seats), one.last.rules.by_spot
        for entry in hands:
            if entry.results:
                parts = [f"{bet_name(wagers, result.wager)} {fate(result)}" for result in entry.results]
                told = "; ".join([*parts, *_coupon_words(entry)])
                yield self._mine(entry.seat, f"{told[0].upper()}{told[1:]}.")
        if fees := sum(entry.fee_cents for entry in hands):
            yield t("told.fee", fee=dollars(fees))
        for entry in hands:
            if entry.bank_stake_cents:
                net = dollars(entry.bank_net_cents, signed=True)
                yield t("told.bank.over", stake=dollars(entry.bank_stake_cents), net=net)
        net = dollars(sum(entry.net_cents for entry in hands), signed=True)
        yield t("told.round", round=one.number, net=net)
        if stack_cents is not None:
            yield t("told.stack", stack=dollars(stack_cents))


def _read_words(event: events.StepDone, start: Table) -> str:
    """Return how the hand that is opened at a table is read."""
    return read_words(ShownHand(words=event.says, readings=readings(start, event.step.seat)))


def _coupon_words(entry: Entry) -> Iterator[str]:
    """Yield what happened to a coupon, where one was laid; a lost one goes back to the house and costs nothing."""
    if entry.coupon is not None:
        yield t(f"coupon.{entry.coupon.fate}", amount=dollars(entry.coupon.cents))


def fate(result: WagerResult) -> str:
    """Return what happened to a wager in a few words."""
    back, lost = dollars(result.back_cents), dollars(result.stake_cents - result.back_cents)
    match result.fate:
        case "won":
            return t("fate.won", amount=dollars(result.paid_cents))
        case "lost" if result.back_cents:
            return t("fate.lost.part", amount=lost, back=back)
        case "lost" if result.envy_cents:
            return t("fate.lost.envy", amount=lost, envy=dollars(result.envy_cents))
        case "lost":
            return t("fate.lost", amount=lost)
        case "withdrawn" if result.net_cents:
            return t("fate.withdrawn.part", back=back)
        case "withdrawn":
            return t("fate.withdrawn")
        case "void":
            return t("fate.void", back=back)
        case other:
            return t(f"fate.{other}")


def seat_words(numbers: Sequence[int]) -> str:
    """Return seats by their numbers: 'seat 1', 'seats 1 and 2'."""
    return t("seats", many=len(numbers), numbers=listed(numbers))
