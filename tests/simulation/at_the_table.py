"""At the table: plays a simulation's round on the real engine, with its deck and its choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from letitride.autoplay.dealer import deal
from letitride.autoplay.loop import Acted, play_on
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import Fixed
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.places import hand
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules.cards import DECK, Card
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.table_rules import TableRules

Rides = Mapping[int, tuple[bool, bool]]
"""By seat: whether bet 1 and bet 2 ride."""


class AtTheTable:
    """A table brought to the moment before its cards are mixed; every round is played from there."""

    def __init__(self, rules: TableRules, seats: Sequence[int], wagers: Mapping[Spot, int], bank: int = 0) -> None:
        self.wagers, self.seats, self.bank = dict(wagers), tuple(seats), bank
        table, _ = open_table(rules)
        self.everybody = sorted({*seats, *range(1, len(seats) + (2 if bank else 1))})
        for seat in self.everybody:
            table = _do(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=10**9))
        for acted in self._play(table, DECK, {}, 0):
            if isinstance(acted.command, commands.Do) and acted.command.order:
                break
            table = acted.after
        self.start = table
        self.banker = 0
        faces, community = self._watch(DECK)
        self.order_of_play = tuple(faces)
        self.places = [DECK.index(card) for seat in self.seats for card in faces[seat]]
        self.places += [DECK.index(card) for card in community]

    def results(self, deck: Sequence[Card], rides: Rides, throw: int = 4) -> dict[int, dict[str, WagerResult]]:
        """Return what every wager came to, by seat, when the first hand of `deck` goes to the first of the seats."""
        dealt = len(self.places)
        order: list[Any] = [None] * 52
        for place, card in zip(self.places, deck[:dealt], strict=True):
            order[place] = card
        rest = iter(deck[dealt:])
        order = [next(rest) if card is None else card for card in order]
        found: dict[int, dict[str, WagerResult]] = {}

        def look(table: Table) -> bool:
            for seat in self.seats:
                if table.seats[seat].results:
                    found[seat] = {result.wager: result for result in table.seats[seat].results}
            self.banker = table.bank_seat
            return len(found) == len(self.seats)

        self._round(order, rides, throw, look)
        return found

    def _watch(self, order: Sequence[Card]) -> tuple[dict[int, tuple[Card, ...]], list[Card]]:
        """Return what an unmixed deck deals to each seat, and the community cards as they are turned."""
        hands: dict[int, tuple[Card, ...]] = {}
        turned: list[Card] = []

        def look(table: Table) -> bool:
            for seat in self.seats:
                cards = tuple(card.face for card in table.at(hand(seat)))
                if len(cards) == 3:
                    hands[seat] = cards
            shown = [card.face for card in table.community() if card.up]
            turned.extend(card for card in shown if card not in turned)
            return all(table.seats[seat].results for seat in self.seats)

        self._round(order, dict.fromkeys(self.seats, (True, True)), 4, look)
        return hands, turned

    def _round(self, order: Sequence[Card], rides: Rides, throw: int, look: Callable[[Table], bool]) -> None:
        if look(self.start) or any(look(acted.after) for acted in self._play(self.start, order, rides, throw)):
            return
        raise AssertionError("the round did not come to an end")

    def _play(self, table: Table, order: Sequence[Card], rides: Rides, throw: int) -> Iterator[Acted]:
        """Play on with a deck, the planned bets and choices, and a throw."""
        planned = Planned(dict.fromkeys(self.seats, self.wagers), dict.fromkeys(self.everybody, self.bank))
        dealer = partial(deal, source=Fixed(tuple(map(str, order)), throw), close=True)
        return play_on(table, planned, partial(_choose, rides), dealer)


def _choose(rides: Rides, table: Table) -> commands.AnyCommand | None:
    step = table.next_step
    if step is None or step.kind != "await_choice":
        return None
    choice: Any = "ride" if rides[step.seat][step.number - 1] else "withdraw"
    bet: Any = step.number
    return commands.Choose(by=f"seat:{step.seat}", seat=step.seat, bet=bet, choice=choice)


def _do(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome.sentence
    return after
