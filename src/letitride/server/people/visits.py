"""Visits: when a player sat at which table, and what it cost them, as the tables' journals tell; no store, no clock.

A visit begins when a player sits down and ends when they leave. While it goes on, all they bought counts as lost, since
it can be; when it is over, what it cost counts at the time it ended, and what was won counts against that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.engine.events import PlayerLeft, PlayerSat
from letitride.ledger import accounts
from letitride.server.people.bounds import DAY_MS
from letitride.storage.journal import SEALED, Row
from letitride.storage.journal import read as read_row

REMEMBERED_MS: Final = 30 * DAY_MS
ASKED_MS: Final = 60 * 60 * 1000
"""How long a wish to sit down may be on its way."""
RESERVED_MS: Final = 5 * 60 * 1000
"""How long an amount stays set aside if the server dies before it knows what came of it."""
_MARKS: Final = (b"wallet:", b"player-sat/", b"player-left/", SEALED)
"""What is in the bytes of every row that can matter: all others are not read."""


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """A player at a table."""

    table: str
    seat: int
    since_ms: int
    until_ms: int = 0
    """0: the player is still there."""
    bought_cents: int = 0
    back_cents: int = 0

    def lost_cents(self) -> int:
        """What it has cost, if nothing comes back any more."""
        return self.bought_cents - self.back_cents


class FollowedJournal(msgspec.Struct, frozen=True):
    """A journal that is read for a player: from which row on, and since when they wanted to sit down there."""

    row: int
    asked_ms: int


class ReservedAmount(msgspec.Struct, frozen=True):
    """An amount that is on its way to a table."""

    key: str
    cents: int
    until_ms: int


class PlayerVisits(msgspec.Struct, frozen=True, kw_only=True):
    """All that is remembered of a player's visits."""

    visits: tuple[Visit, ...] = ()
    before: dict[str, tuple[int, int]] = {}
    """From when to when they sat at tables in visits that are forgotten, by table."""
    following: dict[str, FollowedJournal] = {}
    reserved: tuple[ReservedAmount, ...] = ()

    def open_at(self, table_id: str) -> Visit | None:
        """Return the visit to a table that goes on."""
        return next((one for one in self.visits if one.table == table_id and not one.until_ms), None)


def read(play: PlayerVisits, name: str, table_id: str, rows: Iterable[Row]) -> PlayerVisits:
    """Return a player's visits with more rows of a table read."""
    last = play.following[table_id].row
    for row in rows:
        last = row.number
        if any(mark in row.events for mark in _MARKS):
            play = _read_row(play, name, table_id, row)
    following = FollowedJournal(last, play.following[table_id].asked_ms)
    return replace(play, following={**play.following, table_id: following})


def _read_row(play: PlayerVisits, name: str, table_id: str, row: Row) -> PlayerVisits:
    wallet = accounts.wallet(name)
    for event in read_row(row):
        if isinstance(event, PlayerSat) and event.player == name:
            visit = Visit(table=table_id, seat=event.seat, since_ms=row.at)
            play = replace(play, visits=(*play.visits, visit))
        bought = sum(chips.cents for chips in event.chips if chips.source == wallet)
        back = sum(chips.cents for chips in event.chips if chips.target == wallet)
        here = [one for one in play.visits if one.table == table_id]
        if not here:
            continue
        seat = getattr(event, "seat", 0)
        visit = next((one for one in here if not one.until_ms and one.seat == seat), here[-1])
        after = replace(visit, bought_cents=visit.bought_cents + bought, back_cents=visit.back_cents + back)
        if isinstance(event, PlayerLeft) and not visit.until_ms and event.seat == visit.seat:
            after = replace(after, until_ms=row.at)
        if after != visit:
            play = replace(play, visits=tuple(after if one is visit else one for one in play.visits))
    return play


def without_expired(play: PlayerVisits, now_ms: int) -> PlayerVisits:
    """Return a play without what can no longer matter."""
    visits = tuple(one for one in play.visits if not one.until_ms or one.until_ms > now_ms - REMEMBERED_MS)
    following = {
        table_id: one
        for table_id, one in play.following.items()
        if play.open_at(table_id) or one.asked_ms > now_ms - ASKED_MS
    }
    reserved = tuple(one for one in play.reserved if one.until_ms > now_ms)
    before = dict(play.before)
    for one in play.visits:
        if one not in visits:
            since, until = before.get(one.table, (one.since_ms, one.until_ms))
            before[one.table] = (min(since, one.since_ms), max(until, one.until_ms))
    return PlayerVisits(visits=visits, before=before, following=following, reserved=reserved)


def lost_cents(play: PlayerVisits, now_ms: int, window_ms: int) -> int:
    """Return what a player may have lost within a time: visits that ended in it, and all that is still at tables."""
    visits = sum(one.lost_cents() for one in play.visits if not one.until_ms or one.until_ms > now_ms - window_ms)
    return visits + sum(one.cents for one in play.reserved if one.until_ms > now_ms)


def sittings(play: PlayerVisits, now_ms: int) -> list[tuple[int, int]]:
    """Return from when to when a player sat anywhere; at two tables at once is one sitting."""
    merged: list[tuple[int, int]] = []
    for since, until in sorted((one.since_ms, one.until_ms or now_ms) for one in play.visits):
        if merged and since <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], until))
        else:
            merged.append((since, until))
    return merged


def played_ms(play: PlayerVisits, now_ms: int, window_ms: int) -> int:
    """Return how long a player sat within a time."""
    start = now_ms - window_ms
    return sum(max(until - max(since, start), 0) for since, until in sittings(play, now_ms))


def sitting_since_ms(play: PlayerVisits, now_ms: int) -> int:
    """Return since when a player has been sitting without a pause; 0: they are not."""
    if all(one.until_ms for one in play.visits):
        return 0
    return sittings(play, now_ms)[-1][0]


def without_amount(reserved: Sequence[ReservedAmount], key: str) -> tuple[ReservedAmount, ...]:
    """Return what is on its way but for one amount."""
    return tuple(one for one in reserved if one.key != key)
