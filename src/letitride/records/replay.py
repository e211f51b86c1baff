"""Replay: plays a round record through the real engine and keeps every step of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from letitride.engine import commands, events
from letitride.engine.decide import Events, open_table, play
from letitride.engine.legal import Refusal, betting_open, legal
from letitride.engine.places import Chips
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData
from letitride.records.decks import before_cut, order_of
from letitride.records.record import Action, Dealt, Record, Round
from letitride.records.writer import write_command
from letitride.rules import catalog
from letitride.rules.banking import clockwise
from letitride.rules.keys import Rules
from letitride.rules.keyspec import find_keys
from letitride.rules.settlement import BASE_SPOTS, WagerResult

_CUT = 20


@dataclass(frozen=True, slots=True)
class Played:
    """One command of a replay: the line it stands on (0: the automatic dealer's), what followed, and the table."""

    line: int
    command: commands.AnyCommand | None
    outcome: Events | Refusal
    before: Table
    after: Table


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a round came to."""

    rulebook: str
    number: int
    status: str
    results: dict[int, tuple[WagerResult, ...]] = field(default_factory=dict)
    transfers: tuple[Chips, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """A whole replay."""

    steps: tuple[Played, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def table(self) -> Table:
        """The table at the end."""
        return self.steps[-1].after


def replay(record: Record, where: str = "record") -> Replayed:
    """Play a record through the engine; a line that cannot be played is refused with its number."""
    player = _Player(record, where)
    player.run()
    return Replayed(tuple(player.steps), tuple(_outcomes(player.steps, len(record.rounds))))


def read_settings(record: Record, where: str) -> dict[str, Any]:
    """Return a record's own table values."""
    values: dict[str, Any] = {}
    for setting in record.settings:
        try:
            values[find_keys(setting.key)[0].name] = tomllib.loads(f"value = {setting.value}")["value"]
        except tomllib.TOMLDecodeError:
            values[find_keys(setting.key)[0].name] = setting.value
        except InvalidData as error:
            raise InvalidData(f"{where}: set {setting.key}: {error}") from None
    return values


class _Player:
    """Feeds the engine: the record's actions, and between them the steps of the automatic dealer."""

    def __init__(self, record: Record, where: str) -> None:
        self.record, self.where = record, where
        try:
            rules = catalog.table_rules(record.rulebook, read_settings(record, where))
        except InvalidData as error:
            raise InvalidData(f"{where}: {error}") from None
        self.table, opened = open_table(rules)
        self.steps = [Played(0, None, opened, self.table, self.table)]
        self.ended = 0

    def run(self) -> None:
        for action in self.record.opening:
            self._act(action, 1)
        for number, one in enumerate(self.record.rounds, 1):
            for action in one.actions:
                self._act(action, number)
            if self.record.auto:
                self._finish(one, number)

    def _act(self, action: Action, number: int) -> None:
        """Do an action as soon as it is allowed; the automatic dealer goes on until it is, within its round."""
        if isinstance(action.command, commands.Sit) and not any(seat.player for seat in self.table.seats.values()):
            self._until_idle()
        refusal = legal(self.table, action.command)
        while not self._is_due(action, refusal):
            if not self.record.auto or not self._dealer_step(closing=not _is_bet(action)) or self.table.round > number:
                self._fail(action, refusal)
            refusal = legal(self.table, action.command)
        self._play(action.command, action.line)

    def _until_idle(self) -> None:
        """Let the automatic dealer open the table, or put an empty one to rest, before the first player comes."""
        while self.record.auto and self._dealer_step(closing=False):
            pass

    def _is_due(self, action: Action, refusal: Refusal | None) -> bool:
        return (refusal.code if refusal else "") == action.refused

    def _fail(self, action: Action, refusal: Refusal | None) -> None:
        expected = f"a refusal with {action.refused}" if action.refused else "an act that is allowed"
        why = f": {refusal.code}, {refusal.sentence}" if refusal else ", which was allowed"
        text = write_command(action.command)
        raise InvalidData(f"{self.where}, line {action.line}: expected {expected}, got '{text}'{why}")

    def _finish(self, one: Round, number: int) -> None:
        """Let the automatic dealer go on to the end of the round."""
        while self.ended < number:
            if not self._dealer_step(closing=True):
                waiting = self.table.next_step
                choosing = waiting is not None and waiting.kind == "await_choice"
                what = f"seat {waiting.seat} to choose on bet {waiting.number}" if waiting and choosing else "bets"
                last = one.actions[-1].line if one.actions else one.line
                raise InvalidData(f"{self.where}, line {last}: expected {what} before the round ends, got no such line")

    def _dealer_step(self, *, closing: bool) -> bool:
        """Do the next step of the script; `closing` says whether betting may be closed by it."""
        step = self.table.next_step
        if step is None:
            return False
        if step.kind == "await_inspection":
            seat = next(number for number, one in self.table.seats.items() if one.player)
            self._play(commands.LookOver(by=f"seat:{seat}", seat=seat), 0)
            return True
        kind = KINDS[step.kind]
        if kind.actor == "player" or (betting_open(self.table) and self.table.phase == "betting" and not closing):
            return False
        depth = max(self.table.rules.rules.cut.cards_min, _CUT)
        command = commands.Do(
            by=kind.actor,
            kind=step.kind,
            seat=step.seat,
            wager=step.wager,
            number=step.number,
            order=self._order(depth) if kind.needs == "order" else (),
            cut=depth if kind.needs == "cut" else 0,
            throw=self._throw() if kind.needs == "throw" else 0,
        )
        if legal(self.table, command):
            return False
        self._play(command, 0)
        return True

    def _order(self, depth: int) -> tuple[str, ...]:
        """The deck of the round for which this shuffle is: always the one after those begun."""
        rules = self.table.rules.rules
        rounds = self.record.rounds
        one = rounds[self.table.round] if self.table.round < len(rounds) else Round(Dealt(), ())
        order = order_of(one.dealt, rules, _bettors(one, rules))
        return before_cut(order, depth if rules.cut.who == "dealer" else 0)

    def _throw(self) -> int:
        """The throw the record gives for the round that is on."""
        place = self.table.round - 1
        return self.record.rounds[place].dealt.dice if 0 <= place < len(self.record.rounds) else 0

    def _play(self, command: commands.AnyCommand, line: int) -> None:
        before = self.table
        self.table, outcome = play(before, command)
        self.steps.append(Played(line, command, outcome, before, self.table))
        if not isinstance(outcome, Refusal):
            self.ended += sum(isinstance(event, events.RoundEnded) for event in outcome)


def _is_bet(action: Action) -> bool:
    return isinstance(
        action.command, commands.PlaceWagers | commands.Sit | commands.Leave | commands.SitOut | commands.TakeBank
    )


def _bettors(one: Round, rules: Rules) -> tuple[int, ...]:
    """The seats that a round's lines have dealt in, in the order of the deal: those whose bets are not taken back."""
    last: dict[int, dict[Any, int]] = {}
    bank = 0
    for action in one.actions:
        if isinstance(action.command, commands.TakeBank) and not action.refused:
            bank = action.command.seat
        if isinstance(action.command, commands.PlaceWagers) and not action.refused:
            last[action.command.seat] = dict(action.command.wagers)
    equal = (seat for seat, wagers in last.items() if wagers and len({wagers.get(s) for s in BASE_SPOTS}) == 1)
    return clockwise(list(equal), bank + 1 if rules.deal.first == "bank_left" else 1)


def _outcomes(steps: list[Played], rounds: int) -> Iterator[Outcome]:
    chips: list[Chips] = []
    done = 0
    for step in steps:
        if isinstance(step.outcome, Refusal):
            continue
        results = {n: seat.results for n, seat in step.before.seats.items() if seat.results}
        for event in step.outcome:
            chips += event.chips
            if isinstance(event, events.RoundEnded):
                done += 1
                yield Outcome(step.after.rules.book.id, event.round, "settled", results, tuple(chips))
                chips = []
    if done < rounds:
        yield Outcome(steps[-1].after.rules.book.id, steps[-1].after.round, "unfinished", {}, tuple(chips))
