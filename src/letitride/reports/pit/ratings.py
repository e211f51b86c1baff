"""Ratings: what a player bet, how fast and at what theoretical win, for a player-tracking system; it gives no comps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import msgspec

from letitride.engine import events
from letitride.engine.state import Table
from letitride.ledger.accounts import Kind, parse
from letitride.records.rounds import Moment, PlayedRound
from letitride.reports.shift.theory import expected_of
from letitride.rules.wager_table import BASE

HOUR_MS: Final = 3_600_000
CONVENTIONS: Final = {
    "hands": "settled hands; void hands are left out",
    "minutes": "from sitting down to leaving, within the time of the report",
    "average bet": "one of the three base bets, the average of all hands; all bets of a hand together beside it",
    "decisions an hour": "settled hands divided by the hours seated",
    "theoretical win": "the exact house edge of the paytables in force times the bets, with best play",
    "win": "what the house won on the player's bets",
    "drop": "money from the player's wallet",
}


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """A player's play at a table within a time."""

    player: str
    table: str
    from_ms: int
    to_ms: int
    seated_ms: int
    hands: int
    base_cents: int
    """One base bet of every hand that had one."""
    base_hands: int
    placed_cents: int
    drop_cents: int
    win_cents: int
    """Of the house."""
    theoretical_cents: Fraction

    @property
    def average_bet(self) -> Fraction | None:
        """In cents."""
        return Fraction(self.base_cents, self.base_hands) if self.base_hands else None

    @property
    def average_placed(self) -> Fraction | None:
        """All bets of a hand, in cents."""
        return Fraction(self.placed_cents, self.hands) if self.hands else None

    @property
    def decisions_an_hour(self) -> Fraction | None:
        """Hands divided by the hours seated."""
        return Fraction(self.hands * HOUR_MS, self.seated_ms) if self.seated_ms else None


@dataclass(slots=True)
class _Play:
    """A player's play while it is counted."""

    from_ms: int
    to_ms: int = 0
    seated_ms: int = 0
    hands: int = 0
    base_cents: int = 0
    base_hands: int = 0
    placed_cents: int = 0
    drop_cents: int = 0
    win_cents: int = 0
    theoretical: Fraction = Fraction(0)


@dataclass(slots=True)
class Ratings:
    """The ratings of a table, moment by moment and round by round."""

    table: str
    from_ms: int
    """When the time of the report begins: who sits there then is counted from that moment."""
    _plays: dict[str, _Play] = field(default_factory=dict)
    _since: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Who sits where, counted up to when."""
    _begun: bool = False

    def moment(self, one: Moment) -> None:
        """Count a moment within the time."""
        if not self._begun:
            self._begun = True
            if one.before is not None:
                self._sit(one.before, self.from_ms)
        for event in one.events:
            match event:
                case events.PlayerSat() | events.ChipsBought() | events.WagersPlaced():
                    seat = one.after.seats[event.seat].player or one.start.seats[event.seat].player
                    cents = sum(chips.cents for chips in event.chips if parse(chips.source).kind is Kind.WALLET)
                    if cents:
                        self._play(seat, one.at_ms).drop_cents += cents
                case _:
                    continue
        self._sit(one.after, one.at_ms)

    def round(self, one: PlayedRound) -> None:
        """Count a round that ended within the time."""
        if one.status != "settled":
            return
        rules, theory = one.last.rules, expected_of(one)
        for seat, results in one.results.items():
            judged = [result for result in results if result.fate != "void"]
            if not judged:
                continue
            play = self._play(one.last.seats[seat].player, one.began_ms)
            play.hands += 1
            play.placed_cents += sum(result.stake_cents for result in judged)
            play.win_cents -= sum(result.net_cents for result in judged)
            base = [result.stake_cents for result in judged if rules.by_spot[result.wager].id == BASE.id]
            play.base_hands += bool(base)
            play.base_cents += base[-1] if base else 0
            play.theoretical += theory.get(seat, Fraction(0))

    def finish(self, at_ms: int) -> list[Rating]:
        """Return the ratings; who still sits is counted up to a time."""
        for player, since in self._since.values():
            self._seated(player, since, at_ms)
        self._since = {}
        return [
            Rating(
                player=player,
                table=self.table,
                from_ms=play.from_ms,
                to_ms=max(play.to_ms, play.from_ms),
                seated_ms=play.seated_ms,
                hands=play.hands,
                base_cents=play.base_cents,
                base_hands=play.base_hands,
                placed_cents=play.placed_cents,
                drop_cents=play.drop_cents,
                win_cents=play.win_cents,
                theoretical_cents=play.theoretical,
            )
            for player, play in self._plays.items()
        ]

    def _sit(self, table: Table, at_ms: int) -> None:
        now = {number: seat.player for number, seat in table.seats.items() if seat.player}
        for seat, (player, since) in list(self._since.items()):
            if now.get(seat) != player:
                self._seated(player, since, at_ms)
                del self._since[seat]
        for seat, player in now.items():
            if seat not in self._since and all(player != other for other, _ in self._since.values()):
                self._since[seat] = (player, at_ms)  # the second hand of a player takes no more time
                self._play(player, at_ms)

    def _seated(self, player: str, since: int, until: int) -> None:
        play = self._play(player, since)
        play.seated_ms += max(until - since, 0)
        play.to_ms = max(play.to_ms, until)

    def _play(self, player: str, at_ms: int) -> _Play:
        return self._plays.setdefault(player, _Play(at_ms))


def merged(every: Iterable[Rating]) -> Iterator[Rating]:
    """Yield one rating for each player and table, of many times."""
    found: dict[tuple[str, str], Rating] = {}
    for one in every:
        key = (one.player, one.table)
        found[key] = _both(found[key], one) if key in found else one
    yield from found.values()


def _both(one: Rating, two: Rating) -> Rating:
    return Rating(
        player=one.player,
        table=one.table,
        from_ms=min(one.from_ms, two.from_ms),
        to_ms=max(one.to_ms, two.to_ms),
        seated_ms=one.seated_ms + two.seated_ms,
        hands=one.hands + two.hands,
        base_cents=one.base_cents + two.base_cents,
        base_hands=one.base_hands + two.base_hands,
        placed_cents=one.placed_cents + two.placed_cents,
        drop_cents=one.drop_cents + two.drop_cents,
        win_cents=one.win_cents + two.win_cents,
        theoretical_cents=one.theoretical_cents + two.theoretical_cents,
    )
