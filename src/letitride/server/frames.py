"""Frames: views as they go over the wire, encoded once for all who see the same, whole or as what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from letitride.engine.offers import grounds, own_grounds
from letitride.engine.state import Table
from letitride.engine.view import fixed, private, seat_grounds, seat_view, sees_more, shared, signs_of

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
        self._since: tuple[bytes, Pieces] = b"", {}

    def since(self, old: Public) -> tuple[bytes, Pieces]:
        """Return the pieces that are not as they were, joined, and the seats; for all who saw the old one alike."""
        if old is not self._old:
            pieces = _new(self.pieces, old.pieces)
            if self.fixed is not old.fixed:
                pieces |= _new(self.fixed, old.fixed)
            self._old, self._since = old, (_joined(pieces), _new(self.seats, old.seats))
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
        pieces, seats = self.public.since(old.public)
        if self.private is not old.private:
            told = _joined(_new(self.private, old.private))
            pieces = b",".join(filter(None, (pieces, told)))
        if self.own or old.own:
            mine = {**self.public.seats, **self.own}
            before = {**old.public.seats, **old.own}
            seats = _new(mine, before)
        return b'{"type":"change","since":%d,"view":{%b},"seats":{%b}}' % (old.version, pieces, _joined(seats))


def _new(pieces: Pieces, old: Pieces) -> dict[Any, bytes]:
    return {name: piece for name, piece in pieces.items() if old.get(name) != piece}


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
        self._grounds: tuple[object, ...] = ()
        self._shown: dict[int, tuple[object, ...] | None] = {}
        self._told: dict[str, tuple[tuple[object, ...], dict[str, bytes]]] = {}
        self._frames: dict[str, Frame] = {}

    def of(self, table: Table, viewer: str) -> Frame:
        """Return what a viewer may see of a table."""
        if table is not self._table:
            self._see(table)
        frame = self._frames.get(viewer)
        if frame is None:
            more = sees_more(table, viewer)
            own = {number: _encode(seat_view(table, table.seats[number], viewer)) for number in more}
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
        plain = self._public.fixed
        if signs_of(table) != self._signs:
            self._signs, plain = signs_of(table), _pieces(fixed(table))
        if (now := grounds(table)) != self._grounds:  # the same object again: then it is compared at a glance
            self._grounds = now
        seats = {number: self._seat(table, number) for number in table.seats}
        self._table, self._frames, self._public = table, {}, Public(plain, _pieces(shared(table)), seats)

    def _seat(self, table: Table, number: int) -> bytes:
        now, before = seat_grounds(table, number), self._shown.get(number)
        self._shown[number] = now
        if now is not None and now == before:
            return self._public.seats[number]
        return _encode(seat_view(table, table.seats[number], _PUBLIC))
