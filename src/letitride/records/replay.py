"""Replay: plays a round record through the real engine and keeps every step of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from letitride.engine import events, places
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.state import Dispute, Ruling, Table
from letitride.ledger.transfers import Transfer
from letitride.records.played import Played
from letitride.records.player import Player
from letitride.records.record import Record
from letitride.records.rounds import round_page
from letitride.rules.settlement import WagerResult
from letitride.rules.shown import Page, Shown
from letitride.rules.table_rules import TableRules
from letitride.rules.words import quantity


@dataclass(frozen=True, slots=True)
class Heard:
    """A dispute that was raised in a round, and what was decided on it, then or later."""

    dispute: Dispute
    decisions: tuple[events.DisputeDecided, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """The cards of a round as they lay last, and how the hands that were turned up were read out."""

    hands: dict[int, tuple[str, ...]] = field(default_factory=dict)
    read_out: dict[int, str] = field(default_factory=dict)
    community: tuple[str, ...] = ()
    """Those that were turned, in that order, and then those that were not."""


@dataclass(frozen=True, slots=True, repr=False)
class Outcome(Shown):
    """The result of a round."""

    rulebook: str
    number: int
    status: str
    results: dict[int, tuple[WagerResult, ...]] = field(default_factory=dict)
    bank: tuple[int, int] | None = None
    """The seat that banked and its stake in cents, where a player did."""
    transfers: tuple[Transfer, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    laid: Laid = field(default_factory=Laid)
    disputes: tuple[Heard, ...] = ()

    def headline(self) -> str:
        """Return the round in one line."""
        return f"round {self.number} by {self.rulebook}: {self.status}"

    def shown(self) -> Page:
        """Return every wager of the round and what was ruled."""
        return round_page(self.headline(), self.results, self.bank, self.rulings)


@dataclass(frozen=True, slots=True, repr=False)
class Replayed(Shown):
    """A whole replay."""

    steps: tuple[Played, ...]
    outcomes: tuple[Outcome, ...]

    def headline(self) -> str:
        """Return the replay in one line."""
        return f"{quantity(len(self.outcomes), 'round')} in {quantity(len(self.steps), 'step')}"

    def shown(self) -> Page:
        """Return every round of the replay."""
        pages = [one.shown() for one in self.outcomes]
        grids = tuple(replace(one, title=page.title) for page in pages for one in page.grids)
        return Page(self.headline(), grids=grids)

    @property
    def table(self) -> Table:
        """The table at the end."""
        return self.steps[-1].after


def replay(record: Record, where: str = "record", rules: TableRules | None = None) -> Replayed:
    """Play a record through the engine; a line that cannot be played is refused with its number.

    `rules` are those it was played by, where its book is not found by what the record says.
    """
    player = Player(record, where, rules)
    player.run()
    return Replayed(tuple(player.steps), tuple(outcomes(player.steps, len(record.rounds))))


def outcomes(steps: Sequence[Played], rounds: int) -> Iterator[Outcome]:
    """Yield the result of each round."""
    chips: list[Transfer] = []
    rulings: list[Ruling] = []
    played: list[Played] = []
    heard = _disputes(steps, rounds)
    done = 0
    for step in steps:
        if isinstance(step.outcome, Refusal):
            continue
        played.append(step)
        results = {n: seat.results for n, seat in step.before.seats.items() if seat.results}
        for event in step.outcome:
            chips += event.chips
            if isinstance(event, events.Ruled):
                rulings.append(event.ruling)
            if isinstance(event, events.RoundEnded | events.RoundVoided):
                done += 1
                bank = (step.before.bank_seat, step.before.bank_stake) if step.before.bank_stake else None
                void = isinstance(event, events.RoundVoided)
                came = event.results if isinstance(event, events.RoundVoided) else results
                book, status = step.after.rules.book.id, "void" if void else "settled"
                disputes = heard.get(event.round, ())
                yield Outcome(
                    book, event.round, status, came, bank, tuple(chips), tuple(rulings), _laid(played), disputes
                )
                chips, rulings, played = [], [], []
    if done < rounds:
        book, number = steps[-1].after.rules.book.id, steps[-1].after.round
        disputes = heard.get(number, ())
        yield Outcome(book, number, "unfinished", {}, None, tuple(chips), tuple(rulings), _laid(played), disputes)


def _laid(steps: Sequence[Played]) -> Laid:
    """Return the cards of a round: each hand, and the community cards, as they lay before they were taken up."""
    hands: dict[int, tuple[CardObject, ...]] = {}
    community: tuple[CardObject, ...] = ()
    turned: list[CardObject] = []
    read_out: dict[int, str] = {}
    for step in steps:
        hands |= {number: cards for number in step.after.seats if (cards := step.after.at(places.hand(number)))}
        community = step.after.community() or community
        for event in step.outcome if not isinstance(step.outcome, Refusal) else ():
            if isinstance(event, events.StepDone) and event.step.kind == "turn_community":
                turned += [move.card for move in event.moves]
            if isinstance(event, events.StepDone) and event.step.kind == "open_hand":
                read_out[event.step.seat] = event.says
    known = {(card.deck, card.serial) for card in turned}
    down = (card for card in community if (card.deck, card.serial) not in known)
    laid = {number: tuple(str(card.face) for card in cards) for number, cards in hands.items()}
    return Laid(laid, read_out, tuple(str(card.face) for card in (*turned, *down)))


def _disputes(steps: Sequence[Played], rounds: int) -> dict[int, tuple[Heard, ...]]:
    """Return the disputes of a replay by the round they were raised in; after the last one, of that."""
    raised: list[tuple[int, Dispute]] = []
    decided: list[events.DisputeDecided] = []
    for step in steps:
        for event in step.outcome if not isinstance(step.outcome, Refusal) else ():
            if isinstance(event, events.DisputeRaised):
                raised.append((min(max(1, step.before.round), rounds), event.dispute))
            if isinstance(event, events.DisputeDecided):
                decided.append(event)
    found: dict[int, tuple[Heard, ...]] = {}
    for number, dispute in raised:
        heard = Heard(dispute, tuple(one for one in decided if one.number == dispute.number))
        found[number] = (*found.get(number, ()), heard)
    return found
