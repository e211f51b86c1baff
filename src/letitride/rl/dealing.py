"""Dealing: brings a table to the next choice of a seat by the engine's own script; it decides nothing for a player.

Whoever has a place at the table sits, bets the same three bets each round, looks at his cards, and banks when the bank
comes to him; what remains is to let bets ride or to take them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice
from letitride.engine.steps import KINDS, Step
from letitride.errors import InvariantBroken
from letitride.rules.cards import DECK
from letitride.rules.settlement import BASE_SPOTS, WagerName
from letitride.rules.table_rules import TableRules

CHIPS_CENTS: Final = 10**12
"""What everybody brings: nobody has to leave for want of chips."""
_FACES: Final = tuple(map(str, DECK))


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat's turn to choose on bet 1 or 2."""

    seat: int
    bet: int


class Dealing:
    """A table with everybody seated, dealt at round after round from one source of chance."""

    def __init__(self, rules: TableRules, seats: int, stake_cents: int, bank_cents: int) -> None:
        self._stakes: dict[WagerName, int] = dict.fromkeys(BASE_SPOTS, stake_cents)
        self._bank_cents = bank_cents
        self.table, _ = open_table(rules)
        self.seats = tuple(self.table.seats)[:seats] if seats else tuple(self.table.seats)
        for seat in self.seats:
            self._do(commands.Sit(by=f"seat:{seat}", seat=seat, player=f"Seat {seat}", cents=CHIPS_CENTS))
        while not self._needs_a_deck():
            self._step(np.random.default_rng(0))
        self._start = self.last_seen = self.table
        self._ended = False

    def _needs_a_deck(self) -> bool:
        step = self.table.next_step
        return step is not None and KINDS[step.kind].needs == "order"

    def begin_again(self) -> None:
        """Go back to the moment before the first deck was mixed."""
        self.table = self._start

    def to_next_turn(self, chance: np.random.Generator) -> Turn | None:
        """Deal on to the next choice; None: a round has ended."""
        self._ended = False
        while not self._ended:
            step = self.table.next_step
            if step is not None and step.kind == "await_choice":
                self._look()
                self.last_seen = self.table
                return Turn(step.seat, step.number)
            phase = self.table.phase
            self._step(chance)
            if self.table.phase == "settling" != phase:
                self.last_seen = self.table  # soon the dealer takes the cards away
        return None

    def choose(self, turn: Turn, *, ride: bool) -> None:
        """Make a seat's choice."""
        choice: Choice = "ride" if ride else "withdraw"
        bet: Final = 1 if turn.bet == 1 else 2
        self._do(commands.Choose(by=f"seat:{turn.seat}", seat=turn.seat, bet=bet, choice=choice))

    def _look(self) -> None:
        """Let everybody look at his cards who has not."""
        for number in self.table.dealt_in:
            look = commands.Look(by=f"seat:{number}", seat=number)
            if not self.table.seats[number].looked and legal(self.table, look) is None:
                self._do(look)

    def _step(self, chance: np.random.Generator) -> None:
        """Do what comes next, bets first."""
        if self.table.phase == "betting":
            for seat in self.seats:
                if not self.table.seats[seat].wagers and not self.table.banks(seat):
                    bets = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=self._stakes)
                    if legal(self.table, bets) is None:  # there may be a place without a betting area
                        self._do(bets)
        step = self.table.next_step
        if step is None:
            raise InvariantBroken(f"expected a next step at a full table, got none in phase {self.table.phase}")
        by = f"seat:{step.seat}"
        match step.kind:
            case "await_bank":
                self._do(commands.TakeBank(by=by, seat=step.seat, cents=self._bank_cents))
            case "await_inspection":
                self._do(commands.LookOver(by=by, seat=step.seat))
            case _:
                self._do(_with_chance(step, chance))

    def _do(self, command: commands.AnyCommand) -> None:
        self.table, outcome = play(self.table, command)
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected a step of the script to be allowed, got {outcome.code}: {command}")
        self._ended = any(isinstance(event, events.RoundEnded) for event in outcome)


def _with_chance(step: Step, chance: np.random.Generator) -> commands.Do:
    kind = KINDS[step.kind]
    return commands.Do(
        by=kind.actor,
        kind=step.kind,
        seat=step.seat,
        wager=step.wager,
        number=step.number,
        order=_shuffled(chance) if kind.needs == "order" else (),
        cut=int(chance.integers(11, 42)) if kind.needs == "cut" else 0,
        throw=int(chance.integers(1, 7, 3).sum()) if kind.needs == "throw" else 0,
    )


def _shuffled(chance: np.random.Generator) -> tuple[str, ...]:
    return tuple(_FACES[place] for place in chance.permutation(52))
