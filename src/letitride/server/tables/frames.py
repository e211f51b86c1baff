"""Frames: views as they go over the wire, encoded once for all who see the same, whole or as what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec

from letitride.engine.meters import held
from letitride.engine.offers import grounds, own_grounds
from letitride.engine.state import Table
from letitride.engine.view import (
    fixed,
    laid_out,
    private,
    seat_view,
    seats_to_look_at,
    sees_more,
    shared,
    signs_of,
)
from letitride.engine.view_types import FixedView, LaidOutView, PrivateView, SharedView
from letitride.rules.roles import SPECTATOR, VIEWERS

Pieces = Mapping[Any, bytes]
"""Encoded values, by their names or seats."""

_encode: Final = msgspec.json.Encoder().encode
_PUBLIC: Final = SPECTATOR


class Changes(NamedTuple):
    """What is not as it was for everybody: pieces and seats, and the message to those who are told nothing more."""

    pieces: bytes
    seats: Pieces
    message: bytes


class PublicView:
    """What everybody sees of a table at one moment: the fixed pieces, the others, and the seats."""

    __slots__ = ("__weakref__", "_changes", "_old", "fixed", "pieces", "posted", "seats", "version")

    def __init__(
        self, version: int, fixed: Pieces, pieces: Pieces, seats: Pieces, posted: Mapping[str, int] | None = None
    ) -> None:
        self.version, self.fixed, self.pieces, self.seats, self.posted = version, fixed, pieces, seats, posted
        self._old: PublicView | None = None
        self._changes = Changes(b"", {}, b"")

    def since(self, old: PublicView) -> Changes:
        """Return what is not as it was; for all who saw the old one alike."""
        if old is not self._old:
            pieces, seats = _new(self.pieces, old.pieces), _new(self.seats, old.seats)
            if self.fixed is not old.fixed:
                pieces |= _new(self.fixed, old.fixed)
            joined = _joined(pieces)
            self._old, self._changes = old, Changes(joined, seats, _change(old.version, joined, seats))
            old._old = None  # or each would hold the one before it, and all of them the whole past of the table
        return self._changes


class Frame:
    """What one viewer sees: what is public, what that viewer alone is told, and seats of which they see more."""

    __slots__ = ("own", "private", "public")

    def __init__(self, public: PublicView, private: Pieces, own: Pieces) -> None:
        self.public, self.private, self.own = public, private, own

    @property
    def version(self) -> int:
        """The version of the table."""
        return self.public.version

    def whole(self) -> bytes:
        """Return the message with the whole view."""
        pieces = _joined({**self.public.fixed, **self.public.pieces, **self.private})
        seats = _joined({**self.public.seats, **self.own})
        return b'{"type":"view","view":{%b,"seats":{%b}}}' % (pieces, seats)

    def changes_since(self, old: Frame) -> bytes:
        """Return the message with what is not as it was: pieces, and seats, that take the place of the old ones."""
        pieces, seats, message = self.public.since(old.public)
        same = self.own is old.own or self.own == old.own
        if self.private is old.private and same and self.own.keys().isdisjoint(seats):
            return message
        if self.private is not old.private:
            told = _joined(_new(self.private, old.private))
            pieces = b",".join(filter(None, (pieces, told)))
        if same:  # what is new for others at a seat of which this viewer sees more is not new for them
            seats = {number: seat for number, seat in seats.items() if number not in self.own}
        else:
            seats = _new({**self.public.seats, **self.own}, {**old.public.seats, **old.own})
        return _change(old.version, pieces, seats)


def _change(since: int, pieces: bytes, seats: Pieces) -> bytes:
    return b'{"type":"change","since":%d,"view":{%b},"seats":{%b}}' % (since, pieces, _joined(seats))


def _new(pieces: Pieces, old: Pieces) -> dict[Any, bytes]:
    return {} if pieces is old else {name: piece for name, piece in pieces.items() if old.get(name) != piece}


def _joined(pieces: Pieces) -> bytes:
    return b",".join([b'"%b":%b' % (str(name).encode(), piece) for name, piece in pieces.items()])


def _pieces(part: FixedView | SharedView | LaidOutView | PrivateView) -> dict[str, bytes]:
    return {name: _encode(value) for name, value in vars(part).items()}


class Frames:
    """The frames of one table. What has not changed since the table it was asked about last is not encoded again."""

    def __init__(self) -> None:
        self.posted: Mapping[str, int] | None = None
        """What meters hold that the table shares with others, where the house has looked since."""
        self._table: Table | None = None
        self._signs: tuple[int, int] | None = None
        self._public = PublicView(0, {}, {}, {})
        self._laid_out: Pieces = {}
        self._shared: dict[str, tuple[object, bytes]] = {}
        self._grounds: tuple[object, ...] = ()
        self._frames: dict[str, Frame] = {}
        """What was asked for of this table, and of an earlier one where it is the same for that viewer but for what is
        public."""
        self._told: dict[str, tuple[tuple[object, ...], dict[str, bytes]]] = {}
        self._own: dict[tuple[str, int], tuple[bytes, bytes]] = {}

    def has_changed(self, table: Table, seen: Frame) -> bool:
        """Whether a viewer who saw a frame of a table would see another now."""
        return seen.version != table.version or seen.public.posted is not self.posted

    def frame_for(self, table: Table, viewer: str) -> Frame:
        """Return what a viewer may see of a table."""
        if table is not self._table or self._public.posted is not self.posted:
            self._see(table)
        frame = self._frames.get(viewer)
        if frame is None:
            own = {number: self._own_view(table, viewer, number) for number in sees_more(table, viewer)}
            frame = self._frames[viewer] = Frame(self._public, self._private(table, viewer), own)
        elif frame.public is not self._public:
            frame = self._frames[viewer] = Frame(self._public, frame.private, frame.own)
        return frame

    def _see(self, table: Table) -> None:
        old, plain, seats = self._table, self._public.fixed, self._public.seats
        if signs_of(table) != self._signs:
            self._signs, plain = signs_of(table), _pieces(fixed(table))
        if old is None or table.cards is not old.cards:
            self._laid_out = _pieces(laid_out(table))
        anew = set(table.seats) if old is None else seats_to_look_at(table, old)
        self._forget(table, old, anew)
        if anew:
            seats = {**seats, **{n: _encode(seat_view(table, table.seats[n], _PUBLIC)) for n in anew}}
        self._table = table
        pieces = {**self._shared_pieces(table), **self._laid_out}
        if self.posted is not None:
            pieces["meters"] = _encode({**held(table), **self.posted})
        self._public = PublicView(table.version, plain, pieces, seats, self.posted)

    def _shared_pieces(self, table: Table) -> dict[str, bytes]:
        """Return what all see alike; most of it stays as it is from one command to the next."""
        values, before = vars(shared(table)), self._shared
        self._shared = {
            name: before[name] if name in before and before[name][0] == value else (value, _encode(value))
            for name, value in values.items()
        }
        return {name: encoded for name, (_, encoded) in self._shared.items()}

    def _forget(self, table: Table, old: Table | None, anew: set[int]) -> None:
        """Forget the frames of those who may be told something else now, or see something else at a seat."""
        now = grounds(table)
        rules = table.rules.rules
        # A player with two seats sees both hands, and the seats beside them are offered as soon as they are free.
        others_seen = bool(anew) and (not rules.cards.hidden or rules.hands_per_player > 1)
        if old is None or now != self._grounds or table.rulings is not old.rulings or others_seen:
            self._grounds, self._frames = now, {}
            return
        steps = (step for step in (old.next_step, table.next_step) if step is not None and step.seat in table.seats)
        asked = {own for step in steps for own in table.own_seats(step.seat)}
        for viewer in (*VIEWERS, *(f"seat:{number}" for number in anew | asked)):
            self._frames.pop(viewer, None)

    def _private(self, table: Table, viewer: str) -> dict[str, bytes]:
        """Return what a viewer is told; for players it is found anew only where its grounds have changed."""
        seat = int(viewer.removeprefix("seat:")) if viewer.startswith("seat:") else 0
        now = (self._grounds, *own_grounds(table, seat), table.rulings) if seat else (table.version,)
        before = self._told.get(viewer)
        if before is None or before[0] != now:
            before = self._told[viewer] = (now, _pieces(private(table, viewer)))
        return before[1]

    def _own_view(self, table: Table, viewer: str, number: int) -> bytes:
        """Return a seat for a viewer who may see more of it; while others see the same, it is the one they share."""
        public, before = self._public.seats[number], self._own.get((viewer, number))
        if before is None or before[0] is not public:
            before = public, _encode(seat_view(table, table.seats[number], viewer))
            self._own[viewer, number] = before
        return before[1]
