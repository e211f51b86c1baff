"""Dealing: brings a table to the next decision of a seat by the engine's own script; it decides nothing for a player.

Every player sits, bets the same three bets each round, looks at their cards, and banks when the bank comes to them;
what remains is to let bets ride or to take them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from letitride.autoplay.dealer import deal
from letitride.autoplay.loop import Party, play_on
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import Drawn
from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice, Table
from letitride.errors import InvariantBroken
from letitride.rules.cards import FACES
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS

CHIPS_CENTS: Final = 10**12
"""What every player brings, so that no one has to leave for want of chips."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn to choose on bet 1 or 2."""

    seat: int
    bet: int


@dataclass(frozen=True, slots=True)
class _Decks:
    """Decks, cuts and dice from an environment's generator."""

    generator: np.random.Generator

    def order(self) -> tuple[str, ...]:
        return tuple(FACES[place] for place in self.generator.permutation(52))

    def below(self, limit: int) -> int:
        return int(self.generator.integers(limit))


class Dealing:
    """A table with every seat taken, dealt at round after round from one source of chance."""

    def __init__(self, rules: TableRules, seats: int, stake_cents: int, bank_cents: int) -> None:
        self.table, _ = open_table(rules)
        self.seats = tuple(self.table.seats)[:seats] if seats else tuple(self.table.seats)
        stakes = dict.fromkeys(BASE_SPOTS, stake_cents)
        self._players = Planned(dict.fromkeys(self.seats, stakes), dict.fromkeys(self.seats, bank_cents))
        for seat in self.seats:
            self._do(commands.Sit(by=f"seat:{seat}", seat=seat, player=f"Seat {seat}", cents=CHIPS_CENTS))
        for acted in play_on(self.table, *self._parties(np.random.default_rng(0))):
            if isinstance(acted.command, commands.Do) and acted.command.order:
                break  # this deck is not used: the first one is mixed when the seed is known
            self.table = acted.after
        self._start = self.last_seen = self.table

    def begin_again(self) -> None:
        """Go back to the moment before the first deck was mixed."""
        self.table = self._start

    def to_next_turn(self, chance: np.random.Generator) -> Turn | None:
        """Deal on to the next decision; None: a round has ended."""
        for acted in play_on(self.table, *self._parties(chance)):
            self.table = acted.after
            if acted.after.phase == "settling" != acted.before.phase:
                self.last_seen = self.table  # soon the dealer takes the cards away
            if any(isinstance(event, events.RoundEnded) for event in acted.events):
                return None
        step = self.table.next_step
        if step is None or step.kind != "await_choice":
            raise InvariantBroken(f"expected a decision at a full table, got {step} in phase {self.table.phase}")
        self.last_seen = self.table
        return Turn(step.seat, step.number)

    def choose(self, turn: Turn, *, ride: bool) -> None:
        """Make a seat's decision."""
        choice: Choice = "ride" if ride else "withdraw"
        bet: Final = 1 if turn.bet == 1 else 2
        self._do(commands.Choose(by=f"seat:{turn.seat}", seat=turn.seat, bet=bet, choice=choice))

    def _parties(self, chance: np.random.Generator) -> tuple[Party, ...]:
        decks = _Decks(chance)
        return _look, self._players, partial(deal, source=Drawn(decks, decks.order), close=True)

    def _do(self, command: commands.AnyCommand) -> None:
        self.table, outcome = play(self.table, command)
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected an act of a player to be allowed, got {outcome.code}: {command}")


def _look(table: Table) -> commands.AnyCommand | None:
    """Let every player look at their cards before a decision."""
    step = table.next_step
    if step is None or step.kind != "await_choice":
        return None
    unseen = (number for number in table.dealt_in if not table.seats[number].looked)
    looks = (commands.Look(by=f"seat:{number}", seat=number) for number in unseen)
    return next((look for look in looks if legal(table, look) is None), None)
