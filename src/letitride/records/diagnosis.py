"""Diagnosis: why a line of a record cannot be played, in sentences; it plays nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from letitride.engine import commands, events
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step, say
from letitride.records.played import Played
from letitride.records.record import Action
from letitride.records.writer import write_command
from letitride.rules.roles import spoken
from letitride.rules.words import shortened, show_value

_BY_PLAYERS: Final = commands.Look | commands.Choose | commands.TakeBack | commands.Tuck | commands.Claim
_NOT_YET: Final = frozenset({"not_your_turn", "already_chosen", "cards_not_yours", "nothing_wrong"})
"""The refusals of an act that may be right at another moment."""
_BROUGHT: Final = frozenset({"bad_order", "bad_cut", "bad_reading", "bad_throw", "not_needed"})


def brings_wrong(action: Action, refusal: Refusal | None) -> bool:
    """Whether a step is due, but not with the order, cut, throw or reading of its line: later is no better."""
    return (
        refusal is not None
        and refusal.code in _BROUGHT
        and isinstance(action.command, commands.Do)
        and bool(
            commands.readings_of(action.command) or action.command.order or action.command.cut or action.command.throw
        )
        and not action.refused
    )


def explain(
    action: Action, own: Refusal | None, stuck: Refusal | Literal[False], steps: Sequence[Played], number: int
) -> str:
    """Return what was expected of a line of a round and what came: the refusal nearest the cause, and the cause.

    `own` is why the act itself is refused, `stuck` what keeps the dealer from going on to where it is allowed.
    """
    expected = f"a refusal with {action.refused}" if action.refused else "an act that is allowed"
    came = show_value(shortened(write_command(action.command)))
    refusal = _nearest(action.command, own, stuck)
    if refusal is None:
        return f"expected {expected}, got {came}, which was allowed"
    sentences = [refusal.sentence, *_causes(action.command, refusal, steps, number)]
    return f"expected {expected}, got {came}: {refusal.code}, {' '.join(sentences)}"


def _nearest(command: commands.AnyCommand, own: Refusal | None, stuck: Refusal | Literal[False]) -> Refusal | None:
    wrong = isinstance(command, commands.Do) and stuck and stuck.code == "something_wrong"
    return (stuck or own) if wrong or isinstance(command, _BY_PLAYERS) else own


def _causes(command: commands.AnyCommand, refusal: Refusal, steps: Sequence[Played], number: int) -> Iterator[str]:
    table = steps[-1].after
    if over := _over(steps, number):
        yield over
    elif isinstance(command, _BY_PLAYERS) or (isinstance(command, commands.Report) and command.kind == "absent"):
        yield from _waiting(table, command.seat) if refusal.code in _NOT_YET else ()
    elif isinstance(command, commands.Do):
        yield from _done_already(command, refusal, steps, number)
    elif isinstance(command, commands.DecideDispute):
        yield from _without(command, refusal, table)


def _over(steps: Sequence[Played], number: int) -> str:
    """Say after which line a round was over, where it is."""
    ended = 0
    lines: list[int] = []
    for played in steps:
        lines.append(played.line)
        for event in () if isinstance(played.outcome, Refusal) else played.outcome:
            ended += isinstance(event, events.RoundEnded | events.RoundVoided)
            if ended == number:
                how = "is void" if isinstance(event, events.RoundVoided) else "is over"
                return f"Round {number} {how} after line {max(lines)}."
    return ""


def _waiting(table: Table, seat: int) -> Iterator[str]:
    if seat in table.seats and table.seats[seat].void:
        yield f"The hand of seat {seat} is void."
    step = table.next_step
    if step is not None and KINDS[step.kind].actor == "player":
        yield f"The table waits: {say(step)}."


def _done_already(command: commands.Do, refusal: Refusal, steps: Sequence[Played], number: int) -> Iterator[str]:
    """Say which line went past a step that is not to come again."""
    if refusal.code not in {"out_of_order", "waiting_for_player", "nothing_to_do"}:
        return
    if any(_names(command, step) for step in steps[-1].after.agenda):
        return
    found = ""
    auto = False
    for played in _of_round(steps, number):
        done = played.command
        if isinstance(done, commands.Do) and _names(command, done) and not isinstance(played.outcome, Refusal):
            found, auto = f"by line {played.line}" if played.line else "on the way to this line", not played.line
        elif auto and played.line:
            found, auto = f"on the way to line {played.line}", False
    if found:
        yield f"That was done already, {found}."


def _names(command: commands.Do, step: commands.Do | Step) -> bool:
    """Whether a line names a step, as far as it says which."""
    parts = ((getattr(command, name), getattr(step, name)) for name in ("seat", "wager", "number"))
    return command.kind == step.kind and all(mine in {0, "", theirs} for mine, theirs in parts)


def _of_round(steps: Sequence[Played], number: int) -> Iterator[Played]:
    """Yield the steps from the end of the round before."""
    ended = 0
    for played in steps:
        if ended == number - 1:
            yield played
        outcome = () if isinstance(played.outcome, Refusal) else played.outcome
        ended += sum(isinstance(event, events.RoundEnded | events.RoundVoided) for event in outcome)


def _without(command: commands.DecideDispute, refusal: Refusal, table: Table) -> Iterator[str]:
    heard_by = next((one.heard_by for one in table.disputes if one.number == command.number), ())
    if refusal.code == "not_your_role" and command.by in heard_by:
        before = heard_by[: heard_by.index(command.by)]
        absent = " and the ".join(map(spoken, before))
        yield f"If the {absent} {'is' if len(before) == 1 else 'are'} not on duty, say 'without {','.join(before)}'."
