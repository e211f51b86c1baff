"""What if: the same deck and the same actions under another rule book, as far as they stay legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.errors import InvalidData
from letitride.records.dealt import decks_dealt
from letitride.records.played import Played
from letitride.records.player import CannotPlay, Player, read_settings
from letitride.records.record import Action, Record, Round
from letitride.records.replay import Outcome, Replayed, outcomes, replay
from letitride.records.writer import write_command
from letitride.rules import catalog
from letitride.rules.settlement import WagerResult
from letitride.rules.table_rules import TableRules
from letitride.rules.values import RuleValue, Values


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that could not be played under the other book, and why."""

    line: int
    text: str
    why: str
    round: int = 0
    """The round it belongs to; 0 for a table's own value."""
    seat: int = 0
    """The seat it is about, if it is about one."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A wager with a different result: in the record and under the other book, None where it has no result."""

    round: int
    seat: int
    wager: str
    recorded: WagerResult | None
    under: WagerResult | None
    why: str = ""
    """Why it cannot be compared, where it has no result by one of the books."""

    @property
    def cents(self) -> int | None:
        """How much better the player fares under the other book; nothing where only one of them has a result."""
        if self.under is None or self.recorded is None:
            return None
        return self.under.net_cents - self.recorded.net_cents


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A record played under two books."""

    recorded: Replayed
    under: Replayed
    left_out: tuple[LeftOut, ...]

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Every wager with a different result, round by round and seat by seat."""
        pairs = zip(self.recorded.outcomes, self.under.outcomes, strict=False)
        found = (one for left, right in pairs for one in _differences(left, right))
        return tuple(one if one.cents is not None else replace(one, why=self._why(one)) for one in found)

    def _why(self, one: Difference) -> str:
        """Return why a wager has no result: the first thing of its seat that was not played, or of its round."""
        mine = [left for left in self.left_out if left.round <= one.round and left.seat == one.seat]
        whole = [left for left in self.left_out if left.round == one.round and not left.seat]
        near = [left for left in mine if left.round == one.round]
        return next((left.why for left in (*near, *mine, *whole)), "Only one of the books has this wager here.")


def _differences(left: Outcome, right: Outcome) -> Iterator[Difference]:
    for seat in sorted({*left.results, *right.results}):
        mine = {result.wager: result for result in left.results.get(seat, ())}
        theirs = {result.wager: result for result in right.results.get(seat, ())}
        for wager in dict.fromkeys((*mine, *theirs)):
            if mine.get(wager) != theirs.get(wager):
                yield Difference(left.number, seat, wager, mine.get(wager), theirs.get(wager))


def what_if(
    record: Record,
    book: str,
    values: Values | None = None,
    where: str = "record",
    rules: TableRules | None = None,
) -> WhatIf:
    """Play a record by its own book and by another, from the same decks; `values` are the other table's own.

    `rules` are those it was played by, where its book is not found by what the record says.
    """
    recorded = replay(record, where, rules)
    dealt = tuple(_as_dealt(recorded.steps, number, one) for number, one in enumerate(record.rounds, 1))
    opening = _played(record.opening)
    other = replace(record, opening=opening, rounds=dealt, auto=True)
    kept, dropped = _fitting(book, read_settings(record, where, recorded.steps[0].after.rules.book.keys), values or {})
    if missing := catalog.table_book(book, kept).missing():
        keys = f"a value for {', '.join(missing)}, which {book} leaves to the table"
        raise InvalidData(f"expected {keys}, got none; give each with --set KEY=VALUE")
    player = _Lenient(other, where, catalog.table_rules(book, kept))
    player.run()
    left_out = [LeftOut(0, f"set {name}", why) for name, why in dropped] + player.left_out
    under = Replayed(tuple(player.steps), tuple(outcomes(player.steps, len(record.rounds))))
    return WhatIf(recorded, under, tuple(left_out))


def _fitting(book: str, own: Values, values: Values) -> tuple[Values, list[tuple[str, str]]]:
    """Return which of a record's own values the other book leaves open, and why not the others."""
    kept: dict[str, RuleValue] = {}
    dropped: list[tuple[str, str]] = []
    for name, value in own.items():
        try:
            catalog.table_book(book, {**kept, name: value})
            kept[name] = value
        except InvalidData as error:
            dropped.append((name, str(error)))
    return {**kept, **values}, dropped


def _as_dealt(steps: tuple[Played, ...], number: int, one: Round) -> Round:
    """Return a round whose deck is the one that was really dealt from, card by card."""
    dealt, redealt = decks_dealt(
        (played.before, played.outcome)
        for played in steps
        if played.before.round == number and not isinstance(played.outcome, Refusal)
    )
    dealt = replace(dealt, dice=one.dealt.dice) if dealt else one.dealt
    return replace(one, dealt=dealt, redealt=redealt, actions=_played(one.actions))


def _played(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """What people did, without what was refused them, what it was expected to lead to, and the dealer's own steps."""
    by_people = (action for action in actions if not isinstance(action.command, commands.Do))
    return tuple(replace(action, ruled=()) for action in by_people if not action.refused)


class _Lenient(Player):
    """Plays what can be played, and keeps a list of what cannot."""

    def __init__(self, record: Record, where: str, rules: TableRules) -> None:
        super().__init__(record, where, rules)
        self.left_out: list[LeftOut] = []

    def _act(self, action: Action, number: int) -> None:
        if not self._can_begin(number):
            return
        kept = self.table, len(self.steps), self.ended
        try:
            super()._act(action, number)
        except CannotPlay as cannot:
            refusal = cannot.refusal
            assert refusal is not None  # noqa: S101 - what had to be refused is not played here
            why = "The round is over." if self.ended >= number else refusal.sentence
            self.table, done, self.ended = kept
            del self.steps[done:]
            seat = getattr(action.command, "seat", 0)
            self.left_out.append(LeftOut(action.line, write_command(action.command), why, number, seat))

    def _can_begin(self, number: int) -> bool:
        """Whether the rounds before are over; what a later round's lines do must not end up in an earlier round."""
        return self.ended >= number - 1

    def _finish(self, one: Round, number: int) -> None:
        if not self._can_begin(number):
            why = f"Round {self.ended + 1} did not finish under {self.table.rules.book.id}, so this one did not begin."
            self.left_out.append(LeftOut(one.line, f"round {number}", why, number))
            return
        try:
            super()._finish(one, number)
        except InvalidData as error:
            wanted = str(error).partition("expected ")[2].partition(" before")[0]
            why = f"The record does not go on: {wanted}."
            self.left_out.append(LeftOut(0, f"the end of round {number}", why, number))

    def _refuse_lost(self, line: int, card: str) -> None:
        """The other book may keep a deck that the record's own had replaced: it goes on without the card."""

    def _check_dealt(self, one: Round) -> None:
        """The same deck deals other hands by another book."""
