"""Frames: views as they go over the wire, encoded once for all who see the same, whole or as what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

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

Pieces = Mapping[Any, bytes]
"""Encoded values, by their names or seats."""

_encode: Final = msgspec.json.Encoder().encode
_PUBLIC: Final = "spectator"


class Public:
    """What everybody sees of a table at one moment: the fixed pieces, the others, and the seats."""

    __slots__ = ("__weakref__", "_old", "_since", "fixed", "pieces", "seats")

    def __init__(self, fixed: Pieces, pieces: Pieces, seats: Pieces) -> None:
        self.fixed, self.pieces, self.seats = fixed, pieces, seats
        self._old: Public | None = None
        self._since: tuple[bytes, Pieces, bytes] = b"", {}, b""

    def since(self, old: Public) -> tuple[bytes, Pieces, bytes]:
        """Return the pieces that are not as they were, joined, and the seats, also joined; for all who saw the old."""
        if old is not self._old:
            pieces = _new(self.pieces, old.pieces)
            if self.fixed is not old.fixed:
                pieces |= _new(self.fixed, old.fixed)
            seats = _new(self.seats, old.seats)
            self._old, self._since = old, (_joined(pieces), seats, _joined(seats))
            old._old = None  # or each would hold the one before it, and all of them the whole past of the table
        return self._since


class Frame:
    """What one viewer sees: what is public, what he alone is told, and seats of which he sees more."""

    __slots__ = ("own", "private", "public", "version")

    def __init__(self, version: int, public: Public, private: Pieces, own: Pieces) -> None:
        self.version, self.public, self.private, self.own = version, public, private, own

    def whole(self) -> bytes:
        """Return the message with the whole view."""
        pieces = _joined({**self.public.fixed, **self.public.pieces, **self.private})
        seats = _joined({**self.public.seats, **self.own})
        return b'{"type":"view","view":{%b,"seats":{%b}}}' % (pieces, seats)

    def since(self, old: Frame) -> bytes:
        """Return the message with what is not as it was: pieces, and seats, that take the place of the old ones."""
        pieces, seats, joined = self.public.since(old.public)
        if self.private is not old.private:
            told = _joined(_new(self.private, old.private))
            pieces = b",".join(filter(None, (pieces, told)))
        if self.own != old.own:
            mine = {**self.public.seats, **self.own}
            before = {**old.public.seats, **old.own}
            joined = _joined(_new(mine, before))
        elif not self.own.keys().isdisjoint(seats):  # what is new for others is not new for him
            joined = _joined({number: seat for number, seat in seats.items() if number not in self.own})
        return b'{"type":"change","since":%d,"view":{%b},"seats":{%b}}' % (old.version, pieces, joined)


def _new(pieces: Pieces, old: Pieces) -> dict[Any, bytes]:
    return {} if pieces is old else {name: piece for name, piece in pieces.items() if old.get(name) != piece}


def _joined(pieces: Pieces) -> bytes:
    return b",".join([b'"%b":%b' % (str(name).encode(), piece) for name, piece in pieces.items()])


def _pieces(values: Mapping[str, Any]) -> dict[str, bytes]:
    return {name: _encode(value) for name, value in values.items()}


class Frames:
    """The frames of one table. What has not changed since the table it was asked about last is not encoded again."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._signs: tuple[int, int] | None = None
        self._public = Public({}, {}, {})
        self._laid_out: Pieces = {}
        self._grounds: tuple[object, ...] = ()
        self._own: dict[tuple[str, int], tuple[bytes, bytes]] = {}
        self._told: dict[str, tuple[tuple[object, ...], dict[str, bytes]]] = {}
        self._frames: dict[str, Frame] = {}

    def of(self, table: Table, viewer: str) -> Frame:
        """Return what a viewer may see of a table."""
        if table is not self._table:
            self._see(table)
        frame = self._frames.get(viewer)
        if frame is None:
            more = sees_more(table, viewer)
            own = {number: self._own_view(table, viewer, number) for number in more}
            frame = self._frames[viewer] = Frame(table.version, self._public, self._private(table, viewer), own)
        return frame

    def _private(self, table: Table, viewer: str) -> dict[str, bytes]:
        """Return what a viewer is told; for players it is found anew only where its grounds have changed."""
        seat = int(viewer.removeprefix("seat:")) if viewer.startswith("seat:") else 0
        now = (self._grounds, *own_grounds(table, seat), table.rulings) if seat else (table.version,)
        before = self._told.get(viewer)
        if before is None or before[0] != now:
            before = self._told[viewer] = (now, _pieces({"viewer": viewer, **private(table, viewer)}))
        return before[1]

    def _see(self, table: Table) -> None:
        old, plain, seats = self._table, self._public.fixed, self._public.seats
        if signs_of(table) != self._signs:
            self._signs, plain = signs_of(table), _pieces(fixed(table))
        if (now := grounds(table)) != self._grounds:  # the same object again: then it is compared at a glance
            self._grounds = now
        if old is None or table.cards is not old.cards:
            self._laid_out = _pieces(laid_out(table))
        anew = table.seats if old is None else seats_to_look_at(table, old)
        if anew:
            seats = {**seats, **{n: _encode(seat_view(table, table.seats[n], _PUBLIC)) for n in anew}}
        self._table, self._frames = table, {}
        self._public = Public(plain, {**_pieces(shared(table)), **self._laid_out}, seats)

    def _own_view(self, table: Table, viewer: str, number: int) -> bytes:
        """Return a seat as one sees it who sees more; as long as others see the same of it, so does he."""
        public, before = self._public.seats[number], self._own.get((viewer, number))
        if before is None or before[0] is not public:
            before = public, _encode(seat_view(table, table.seats[number], viewer))
            self._own[viewer, number] = before
        return before[1]
