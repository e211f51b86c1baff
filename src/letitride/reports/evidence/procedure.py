"""Procedure: a round by the book in the words of its script, and what is ruled when something goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from letitride.autoplay.dealer import deal
from letitride.autoplay.loop import play_on
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import Fixed
from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.reporting import reportable
from letitride.engine.script import line
from letitride.engine.state import Table
from letitride.rules.cards import FACES
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS

_CHIPS_CENTS = 10**10


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptStep:
    """One line of the script of a round: who does what, and the clauses that say so."""

    who: str
    what: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledOn:
    """One thing that may go wrong, and one of the rulings on it."""

    irregularity: str
    what: str
    keys: tuple[str, ...]
    when: str
    ruling: str
    clauses: tuple[str, ...]
    """None: a house default, or a rule of the house's own."""


def matrix(table: TableRules) -> tuple[RuledOn, ...]:
    """Return what is ruled when, with the clauses that demand it."""
    return tuple(
        RuledOn(
            irregularity=one.kind,
            what=one.what,
            keys=one.keys,
            when=outcome.when or "always",
            ruling=outcome.sentence,
            clauses=outcome.clauses,
        )
        for one in reportable(table)
        for outcome in one.outcomes
    )


def script_of_a_round(rules: TableRules) -> tuple[ScriptStep, ...]:
    """Return every step of one undisturbed round with two players, as the dealer's screen says it.

    One player lets both bets ride, the other takes both back; where a player banks, a third does.
    """
    table, _ = open_table(rules)
    banked = rules.rules.bank.mode == "player"
    seats = tuple(table.seats)[: 3 if banked else 2]
    for seat in seats:
        table, _ = play(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"Player {seat}", cents=_CHIPS_CENTS))
    stakes = dict.fromkeys(BASE_SPOTS, spot_limits(rules.rules.limit).cents_min)
    stakes |= {one.spot: side_limits(one, rules.terms(one.id)).cents_min for one in rules.sides}
    players = Planned(dict.fromkeys(seats, stakes), {seats[0]: 10**7})
    riding = seats[1] if banked else seats[0]
    source = Fixed(FACES, dice=3)
    parties = _look, partial(_choose, riding=riding), players, partial(deal, source=source, close=True)
    return tuple(_steps(table, parties))


def _steps(table: Table, parties: tuple[object, ...]) -> Iterator[ScriptStep]:
    for acted in play_on(table, *parties):  # type: ignore[arg-type]  # parties, each of its own kind
        step = acted.before.next_step
        mine = isinstance(acted.command, commands.Do | commands.Choose | commands.TakeBank)
        if step is not None and mine and acted.after.next_step != step:
            said = line(acted.before, step)
            yield ScriptStep(who=said.actor, what=said.text, clauses=said.clauses)
        if any(isinstance(event, events.RoundEnded) for event in acted.events):
            return


def _look(table: Table) -> commands.AnyCommand | None:
    step = table.next_step
    if step is None or step.kind != "await_choice":
        return None
    looks = (commands.Look(by=f"seat:{one}", seat=one) for one in table.dealt_in if not table.seats[one].looked)
    return next((look for look in looks if legal(table, look) is None), None)


def _choose(table: Table, riding: int) -> commands.AnyCommand | None:
    step = table.next_step
    if step is None or step.kind != "await_choice":
        return None
    bet = 1 if step.number == 1 else 2
    by, choice = f"seat:{step.seat}", "ride" if step.seat == riding else "withdraw"
    return commands.Choose(by=by, seat=step.seat, bet=bet, choice=choice)  # type: ignore[arg-type]  # one of the two
