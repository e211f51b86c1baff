"""Round promises: what must hold of a whole round as its cards and chips lie, whatever the agenda said of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from letitride.engine import commands, events, faults, places
from letitride.engine.decide import Events
from letitride.engine.promises import demand
from letitride.engine.state import Table
from letitride.rules.cards import Card
from letitride.rules.roles import DEVICE_REPORTS

DECIDED: Final = "no decision before its card"
SHOWN: Final = "nothing is paid on a card that was never turned"
SETTLED: Final = "an undisturbed round ends settled"

_DISTURBS: Final = (
    events.MishapHappened,
    events.PlayerWentAway,
    events.HandFolded,
    events.SuspectsNamed,
    events.BetsCorrected,
)
_REPORTED_FROM_OUTSIDE: Final = DEVICE_REPORTS | {"absent", "absent_uneven", "order"}
"""What is ruled though nothing is wrong with the cards or the chips on the table."""


@dataclass(slots=True)
class RoundWatch:
    """Follows a table, command by command, and holds each of its rounds to the promises."""

    disturbed: bool = True
    """Whether something went wrong in this round, by nature or by order; a round that was not watched whole counts."""

    def watch(self, before: Table, command: commands.AnyCommand, outcome: Events, after: Table) -> None:
        """Follow one command: the table before it, what followed, and the table after it."""
        self.disturbed = self.disturbed or isinstance(command, commands.Order)
        for event in outcome:
            match event:
                case events.PhaseBegan(phase="betting"):
                    self.disturbed = False
                case events.PhaseBegan(phase="dealing"):
                    self.disturbed = self.disturbed or is_flawed(after)
                case events.Ruled():
                    self._ruled(event)
                case events.ChoiceMade():
                    _decided(before, outcome, event, exact=not self.disturbed)
                case events.RoundRead() if before.phase != "settling":
                    _read(after, exact=not self.disturbed)
                case events.StepDone() if event.step.kind in {"pay", "take"}:
                    _settled(before, event)
                case events.RoundVoided():
                    demand(SETTLED, self.disturbed, f"round {event.round} was void")
                case events.RoundEnded() if not self.disturbed:
                    _ended(before, after)
                case _ if isinstance(event, _DISTURBS):
                    self.disturbed = True
                case _:
                    pass

    def _ruled(self, event: events.Ruled) -> None:
        """See that nothing is ruled on cards and chips where nothing went wrong with them."""
        kind = event.ruling.name.partition(":")[0]
        if kind not in _REPORTED_FROM_OUTSIDE:
            demand(SETTLED, self.disturbed, f"{event.ruling.sentence}, though nothing went wrong")
        self.disturbed = True


def is_flawed(table: Table) -> bool:
    """Whether a deck at the table is not the 52 cards, or does not lie face down to be dealt."""
    waiting = (*table.at(places.READY), *table.at(places.NEST))
    whole = all(faults.deck_is_whole(table, deck) for deck in range(1, table.rules.rules.decks + 1))
    return not whole or any(card.up for card in waiting)


def turned(table: Table) -> tuple[Card, ...]:
    """Return the community cards that lie face up."""
    return tuple(card.face for card in table.community() if card.up)


def _decided(table: Table, outcome: Events, made: events.ChoiceMade, *, exact: bool) -> None:
    """See that the community card before a decision lies face up; who tucks early decides before it."""
    if any(isinstance(event, events.CardsTucked) and event.seat == made.seat for event in outcome):
        return
    up, due = len(turned(table)), made.bet - 1
    holds = up == due if exact else up >= due
    demand(DECIDED, holds, f"seat {made.seat} decides on bet {made.bet} with {up} community cards turned")


def _read(table: Table, *, exact: bool) -> None:
    """See that hands are read when two community cards lie face up, and no third card lies there."""
    lying, up = len(table.community()), len(turned(table))
    demand(SHOWN, lying == up == 2, f"bets are settled with {up} of {lying} community cards turned")
    if not exact:
        return
    for number in table.dealt_in:
        seat, held = table.seats[number], len(table.at(places.hand(number)))
        demand(SETTLED, held == 3, f"seat {number} has {held} cards")
        asked = not seat.has_base or set(seat.choices) == {1, 2}
        demand(SETTLED, asked, f"seat {number} was not asked about both bets")


def _settled(table: Table, event: events.StepDone) -> None:
    """See that a bet is paid or taken on cards that lie face up; one that is claimed early is shown to the dealer."""
    if table.phase != "settling":
        return
    number, wager = event.step.seat, table.rules.by_spot.get(event.step.wager)
    if wager is None:
        return
    closed = any(not card.up for card in table.at(places.hand(number)))
    demand(SHOWN, not closed, f"the {wager.title} of seat {number} is settled on a closed hand")
    up = len(turned(table))
    holds = up == 2 or wager.judged_on == "own_three"
    demand(SHOWN, holds, f"the {wager.title} of seat {number} is settled with {up} community cards turned")


def _ended(before: Table, after: Table) -> None:
    """See that every bet of a round has its result, and that the decks lie together again."""
    for number, seat in before.seats.items():
        open_bets = seat.wagers.keys() - {result.wager for result in seat.results}
        demand(SETTLED, not (seat.dealt_in and open_bets), f"seat {number} has no result for {sorted(open_bets)}")
    laid = (*(places.hand(number) for number in after.seats), *places.COMMUNITY, places.PACKET, places.DRAWN)
    left = [place for place in laid if after.at(place)]
    demand(SETTLED, not left, f"cards are left at {left}")
