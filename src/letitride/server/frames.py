"""Frames: views as they go over the wire, encoded once for all who see the same, whole or as what has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from letitride.engine.state import Table
from letitride.engine.view import fixed, private, seat_view, sees_more, shared, signs_of

_encode: Final = msgspec.json.Encoder().encode
_PUBLIC: Final = "spectator"


class Frame:
    """A view in encoded pieces: by name, and by seat."""

    __slots__ = ("pieces", "seats", "version")

    def __init__(self, version: int, pieces: Mapping[str, bytes], seats: Mapping[int, bytes]) -> None:
        self.version, self.pieces, self.seats = version, pieces, seats

    def whole(self) -> bytes:
        """Return the message with the whole view."""
        return b'{"type":"view","view":{' + _joined(self.pieces) + b',"seats":{' + _joined(self.seats) + b"}}}"

    def since(self, old: Frame) -> bytes:
        """Return the message with what is not as it was: pieces, and seats, that take the place of the old ones."""
        pieces = {name: piece for name, piece in self.pieces.items() if old.pieces.get(name) != piece}
        seats = {number: seat for number, seat in self.seats.items() if old.seats.get(number) != seat}
        return b'{"type":"change","since":%d,"view":{%b},"seats":{%b}}' % (old.version, _joined(pieces), _joined(seats))


def _joined(pieces: Mapping[Any, bytes]) -> bytes:
    return b",".join([b'"%b":%b' % (str(name).encode(), piece) for name, piece in pieces.items()])


def _pieces(values: Mapping[str, Any]) -> dict[str, bytes]:
    return {name: _encode(value) for name, value in values.items()}


class Frames:
    """The frames of one table. Of the table it is asked about last it keeps what several viewers see alike."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._signs: tuple[int, int] | None = None
        self._fixed: dict[str, bytes] = {}
        self._shared: dict[str, bytes] = {}
        self._seats: dict[int, bytes] = {}
        self._frames: dict[str, Frame] = {}

    def of(self, table: Table, viewer: str) -> Frame:
        """Return what a viewer may see of a table."""
        if table is not self._table:
            self._see(table)
        frame = self._frames.get(viewer)
        if frame is None:
            own = {
                number: _encode(seat_view(table, table.seats[number], viewer)) for number in sees_more(table, viewer)
            }
            pieces = {
                "viewer": _encode(viewer),
                **self._fixed,
                **self._shared,
                **_pieces(private(table, viewer)),
            }
            frame = self._frames[viewer] = Frame(table.version, pieces, {**self._seats, **own} if own else self._seats)
        return frame

    def _see(self, table: Table) -> None:
        if signs_of(table) != self._signs:
            self._signs, self._fixed = signs_of(table), _pieces(fixed(table))
        self._table, self._frames = table, {}
        self._shared = _pieces(shared(table))
        self._seats = {number: _encode(seat_view(table, seat, _PUBLIC)) for number, seat in table.seats.items()}
