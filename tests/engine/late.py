"""Late: what was played at a table, played once more with the faces of every deck bound only by its first card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from letitride.engine import commands
from letitride.engine.decide import open_table
from letitride.engine.mixing import may_be_unbound, needed
from letitride.engine.promises import check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.records.rounds import Moment
from tests.records.moments import played, replayed


def bound_late(path: Path) -> Iterator[Moment]:
    """Yield the moments of a record after the opening, as they are where no deck has faces before its first card."""
    steps = played(replayed(path))
    table, _ = open_table(steps[0].before.rules)
    orders: dict[int, tuple[str, ...]] = {}
    for number, one in enumerate(steps, 2):
        assert one.command is not None
        command = _late(table, one.command, orders) if isinstance(one.command, commands.Do) else one.command
        after, happened = play_checked(table, command)
        assert not isinstance(happened, Refusal), (command, happened)
        check_again(table, command, after, happened)
        yield Moment(number, 0, command.by, happened, table, after)
        table = after


def _late(table: Table, do: commands.Do, orders: dict[int, tuple[str, ...]]) -> commands.Do:
    step = table.next_step
    assert step is not None
    if KINDS[step.kind].needs == "order":
        plain = len(do.order) == 52 and not any(set(card) & {"^", "*"} for card in do.order)
        if plain and may_be_unbound(table, step):
            orders[step.number] = do.order
            return msgspec.structs.replace(do, order=(), unbound=True)
    elif needed(table, step) == "order":
        (deck,) = {card.deck for card in table.at("ready")}
        order = orders[deck]
        for cut in table.unbound[deck]:
            order = order[cut:] + order[:cut]
        return msgspec.structs.replace(do, order=order)
    return do
