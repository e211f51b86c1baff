"""Fuzz: random commands at tables of the real engine, with every promise checked after each, from one seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from letitride.chance.seeded import Seeded
from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.promises import PromiseBroken, Round, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.round_promises import RoundWatch
from letitride.errors import InvariantBroken
from letitride.records.writer import write_command
from letitride.rules.rulebook import Source
from letitride.rules.table_rules import TableRules
from letitride.rules.words import show_value
from letitride.simulation.promises import check_script_ends, check_views
from letitride.simulation.random_commands import next_command

EPISODE = 2_000
"""A new table is opened after so many commands, so that the record of a failure is short."""
_VIEWS_EVERY = 97
_SCRIPT_EVERY = 61


@dataclass(slots=True)
class Tally:
    """What the fuzzer has done."""

    commands: int = 0
    accepted: int = 0
    refused: int = 0
    rounds: int = 0
    view_checks: int = 0
    script_checks: int = 0
    codes: dict[str, int] = field(default_factory=dict)
    rulings: dict[str, int] = field(default_factory=dict)
    """How often each ruling and order was given."""


@dataclass(frozen=True, slots=True)
class Wreck:
    """A broken promise, with a short record of commands that breaks it."""

    promise: str
    what: str
    seed: int
    episode: int
    record: str


def fuzz(rules: TableRules, count: int, seed: int, tell: Callable[[Tally], None] = lambda _: None) -> Tally | Wreck:
    """Play random commands at tables under a rule book; return the tally, or the first wreck, shortened."""
    tally = Tally()
    for episode in range(-(-count // EPISODE)):
        turns = min(EPISODE, count - tally.commands)
        done: list[commands.AnyCommand] = []
        try:
            _episode(rules, Seeded(seed, rules.book.id, episode), turns, tally, done)
        except PromiseBroken as broken:
            return _wreck(rules, broken, done, seed, episode)
        tell(tally)
    return tally


def _episode(rules: TableRules, chance: Seeded, turns: int, tally: Tally, done: list[commands.AnyCommand]) -> None:
    table, _ = open_table(rules)
    money, cards = Round(), RoundWatch()
    for turn in range(turns):
        command = next_command(table, chance)
        done.append(command)
        before = table
        table, outcome = play_checked(table, command)
        check_again(before, command, table, outcome)
        tally.commands += 1
        if isinstance(outcome, Refusal):
            tally.refused += 1
            tally.codes[outcome.code] = tally.codes.get(outcome.code, 0) + 1
        else:
            tally.accepted += 1
            money.watch(before, outcome)
            cards.watch(before, command, outcome, table)
            for event in outcome:
                if isinstance(event, events.Ruled):
                    tally.rulings[event.ruling.name] = tally.rulings.get(event.ruling.name, 0) + 1
        if turn % _VIEWS_EVERY == 0:
            check_views(table, chance)
            tally.view_checks += 1
        if turn % _SCRIPT_EVERY == 0:
            check_script_ends(table, chance)
            tally.script_checks += 1
    tally.rounds += table.round


def _wreck(
    rules: TableRules, broken: PromiseBroken, done: Sequence[commands.AnyCommand], seed: int, episode: int
) -> Wreck:
    short = _shortened(rules, broken.promise, _accepted(rules, done))
    own = [name for name, origin in rules.book.origins.items() if origin.source is Source.TABLE]
    settings = [f"set {name} = {show_value(rules.book.values()[name])}" for name in own if name in rules.book.values()]
    lines = [f"rulebook {rules.book.id}", *settings, "dealer by hand", *map(write_command, short)]
    return Wreck(broken.promise, str(broken), seed, episode, "\n".join(lines) + "\n")


def _accepted(rules: TableRules, done: Sequence[commands.AnyCommand]) -> list[commands.AnyCommand]:
    """Leave out the commands that were refused, which changed nothing."""
    table, _ = open_table(rules)
    kept: list[commands.AnyCommand] = []
    for command in done:
        try:
            table, outcome = play(table, command)
        except Exception:
            return [*kept, command]
        if not isinstance(outcome, Refusal):
            kept.append(command)
    return kept


def _breaks(rules: TableRules, promise: str, done: Sequence[commands.AnyCommand]) -> bool:
    """Whether these commands, the last one watched, break the promise again."""
    table, _ = open_table(rules)
    chance = Seeded("shrink")
    try:
        money, cards = Round(), RoundWatch()
        for command in done[:-1]:
            before = table
            table, outcome = play(table, command)
            if not isinstance(outcome, Refusal):
                money.watch(before, outcome)
                cards.watch(before, command, outcome, table)
        before = table
        table, outcome = play_checked(table, done[-1])
        check_again(before, done[-1], table, outcome)
        if not isinstance(outcome, Refusal):
            money.watch(before, outcome)
            cards.watch(before, done[-1], outcome, table)
        for _ in range(_LOOKS):
            check_views(table, chance)
        check_script_ends(table, chance)
    except PromiseBroken as broken:
        return broken.promise == promise
    except InvariantBroken:  # an earlier command goes wrong: that is another record
        return False
    return False


def _shortened(rules: TableRules, promise: str, done: list[commands.AnyCommand]) -> list[commands.AnyCommand]:
    """Leave out commands, many at a time and then fewer, as long as the promise still breaks."""
    tries = 0
    size = len(done) // 2
    while size:
        start = 0
        while start < len(done) - 1 and tries < _TRIES:
            shorter = done[:start] + done[min(start + size, len(done) - 1) :]
            tries += 1
            if _breaks(rules, promise, shorter):
                done = shorter
            else:
                start += size
        size //= 2
    return done


_LOOKS = 3
"""A leak shows only where the other world differs in what leaks, so a shortened record is looked at more than once."""
_TRIES = 400
