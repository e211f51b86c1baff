"""Steps: the command for a step of the script, with the deck order, cut or dice it needs; it draws no chance itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from letitride.engine import commands, meters, mixing
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step

CUT_MIN: Final = 11
CUT_MAX: Final = 41
"""A cut leaves more than ten cards on either side."""
FIXED_CUT: Final = 20
DICE: Final = 3


class Chance(Protocol):
    """Whole numbers, each as likely as any other."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1."""


class Source(Protocol):
    """Where the deck orders, cuts and throws at a table come from."""

    def order(self, table: Table, step: Step, /) -> tuple[str, ...]:
        """Return the order of the deck that a step mixes, top first."""

    def cut(self, table: Table, /) -> int:
        """Return how many cards a cut takes from the top."""

    def throw(self, table: Table, /) -> int:
        """Return what the three dice show together."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cuts and throws from a chance, and decks from what mixes them."""

    chance: Chance
    deck: Callable[[], tuple[str, ...]]
    """Returns the faces of a mixed deck, top first."""

    def order(self, _table: Table, _step: Step, /) -> tuple[str, ...]:
        """Return a mixed deck."""
        return self.deck()

    def cut(self, table: Table, /) -> int:
        """Return a cut in the middle of the deck, as deep as the book demands."""
        return drawn_cut(self.chance, table)

    def throw(self, _table: Table, /) -> int:
        """Return a throw of three dice."""
        return throw_dice(self.chance)


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same order, cut and throw each time, for a deal that is known."""

    deck: tuple[str, ...]
    dice: int = 0

    def order(self, _table: Table, _step: Step, /) -> tuple[str, ...]:
        """Return the known deck."""
        return self.deck

    def cut(self, table: Table, /) -> int:
        """Return a cut of the same depth each time."""
        return fixed_cut(table)

    def throw(self, _table: Table, /) -> int:
        """Return the known throw."""
        return self.dice


def drawn_cut(chance: Chance, table: Table) -> int:
    """Return a cut in the middle of the deck, as deep as the book demands."""
    least = max(CUT_MIN, table.rules.rules.cut.cards_min)
    return least + chance.below(max(CUT_MAX, least) - least + 1)


def fixed_cut(table: Table) -> int:
    """Return the depth of a cut that is the same each time, where only the deck as it is dealt matters."""
    return max(FIXED_CUT, table.rules.rules.cut.cards_min)


def throw_dice(chance: Chance) -> int:
    """Return what three dice show together, each thrown on its own."""
    return sum(1 + chance.below(6) for _ in range(DICE))


def plain(step: Step) -> commands.Do:
    """Return the command for a step, by the one who does it, without what it needs."""
    return commands.Do(by=KINDS[step.kind].actor, kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)


def completed(do: commands.Do, table: Table, source: Source) -> commands.Do:
    """Return a step's command with the deck order, cut, throw or reading it needs; meters hold what the table knows."""
    return _completed(do, table, Step(do.kind, do.seat, do.wager, do.number), source)


def _completed(do: commands.Do, table: Table, step: Step, source: Source) -> commands.Do:
    match mixing.needed(table, step):
        case "":
            return do
        case "order":
            return msgspec.structs.replace(do, order=source.order(table, step))
        case "cut":
            return msgspec.structs.replace(do, cut=source.cut(table))
        case "throw":
            return msgspec.structs.replace(do, throw=source.throw(table))
        case "meters":
            return commands.with_readings(do, meters.as_known(table))


def command_for(table: Table, step: Step, source: Source) -> commands.Do:
    """Return the command for a step, with what it needs."""
    return _completed(plain(step), table, step, source)
