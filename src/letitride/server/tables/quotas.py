"""Quotas: how many rows a player, and a seat, may put into a table's journal in a round; never what the rows say."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from letitride.engine import commands
from letitride.engine.refusal import WORDS_MAX, Refusal
from letitride.engine.state import Table
from letitride.server.runtime.budgets import Budgets

PLAYERS_MAX: Final = 1_000
"""The player or seat that has written nothing for longest is forgotten first."""
OWED_MAX: Final = 30
"""Rows beyond the others for what a player may always do: decisions, taking bets back, sitting out, leaving."""
TOO_MUCH: Final = Refusal(
    "too_much_on_record",
    "You or your seat have reached the limit of records for this round. Wait a minute, or for the next round.",
)
TOO_LONG: Final = Refusal("bad_words", f"What is put on record has at most {WORDS_MAX} characters.")


@dataclass(slots=True)
class _Spent:
    """What one player, or one seat with any player, has put on record in a round."""

    round: int
    rows: float
    at_ms: int


class Quotas:
    """What the players of one table have put on record, counted from when this server took the table."""

    def __init__(self, clock_ms: Callable[[], int], budgets: Callable[[], Budgets]) -> None:
        self.clock_ms, self.budgets = clock_ms, budgets
        self._spent: OrderedDict[str, _Spent] = OrderedDict()

    def entry(self, player: str, command: commands.AnyCommand) -> Entry:
        """Return a command's place on record, which it has from the moment it is decided until it is refused."""
        return Entry(self, player, command)

    def spent(self, who: str, round_: int, now: int) -> _Spent:
        """Return what a player or a seat has spent in a round until now."""
        found = self._spent.pop(who, None)
        if found is None or found.round != round_:
            found = _Spent(round_, 0.0, now)
        found.rows = max(0.0, found.rows - max(now - found.at_ms, 0) * self.budgets().rows_a_minute / 60_000)
        found.at_ms = now
        self._spent[who] = found
        while len(self._spent) > PLAYERS_MAX:
            self._spent.popitem(last=False)
        return found


class Entry:
    """One command's place on record: a guard of the command, and what happens to its place afterwards."""

    def __init__(self, quotas: Quotas, player: str, command: commands.AnyCommand) -> None:
        self._quotas, self._player, self._command = quotas, player, command
        self._taken: list[_Spent] = []

    def __call__(self, table: Table) -> Refusal | None:
        """Refuse what is too much; a command that is decided twice takes one place."""
        if self._taken:
            return None
        # A name has no colon, so no player is counted as a seat.
        now = self._quotas.clock_ms()
        players = self._quotas.spent(self._player, table.round, now)
        seats = self._quotas.spent(self._command.by, table.round, now)
        most = self._quotas.budgets().rows_max
        if max(players.rows, seats.rows) + 1 > most and (
            not is_exempt(table, self._command) or max(players.rows, seats.rows) + 1 > most + OWED_MAX
        ):
            return TOO_MUCH
        players.rows += 1
        seats.rows += 1
        self._taken = [players, seats]
        return None

    def give_back(self) -> None:
        """Give the place back: nothing was put on record."""
        for one in self._taken:
            one.rows -= 1


def is_exempt(table: Table, command: commands.AnyCommand) -> bool:
    """Whether there is more room for this: the round waits for it, or it ends what the player began."""
    match command:
        case commands.Choose() | commands.Tuck() | commands.Claim() | commands.LookOver() | commands.Leave():
            return True
        case (
            commands.TakeBack()
            | commands.Correct()
            | commands.Fold()
            | commands.RefuseCorrection()
            | commands.DeclineBank()
        ):
            return True
        case commands.Look(seat=seat):
            return seat in table.seats and not table.seats[seat].looked
        case commands.SitOut(seat=seat, out=True):
            return seat in table.seats and not table.seats[seat].sitting_out
        case commands.PlaceWagers(seat=seat, wagers=wagers):
            return seat in table.seats and bool(table.seats[seat].wagers) and not wagers
        case _:
            return False


def refuse_long(command: commands.AnyCommand) -> Refusal | None:
    """Refuse words that are too long for the record: records of the past may have longer ones, and stay readable."""
    match command:
        case commands.Advise(words=words) | commands.RaiseDispute(about=words):
            pass
        case commands.DecideDispute(why=words) | commands.Order(why=words):
            pass
        case _:
            return None
    return TOO_LONG if len(words) > WORDS_MAX else None
