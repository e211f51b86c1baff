"""Budgets: how much one connection, address or person may bring, and how long it may take; enforces none of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.rules.words import one_of

FILES_KEPT: Final = 200
"""Open files that are no connections: databases, threads' pipes, backups."""


class Budgets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All budgets of a server; 'from' is an address, and addresses of trusted proxies have none of their own."""

    sockets_max: int = 3_072
    """Connections to tables that are open at one time."""
    sockets_from_max: int = 1_024
    waiting_max: int = 2_048
    """Connections that are none to a table: beyond this, the one that has been idle for longest makes room."""
    waiting_from_max: int = 1_024
    header_bytes_max: int = 32_768
    """Bytes of a request before its body: its address and all its headers."""
    headers_max: int = 100
    pipelined_max: int = 16
    """Requests that wait on one connection for the answer to another."""
    request_bytes_max: int = 9 * 2**20
    """Bytes of one request with its body; what a request may bring is less, by its address and by who asks."""
    header_seconds: float = 10.0
    """From the first byte of a request, or from the beginning of a connection, to the end of its headers."""
    body_seconds: float = 60.0
    """From the end of the headers to the end of the body."""
    unread_seconds: float = 30.0
    """How long a connection may leave everything unread that is sent to it."""
    closing_seconds: float = 10.0
    frames_burst: int = 400
    """Frames of a WebSocket that may come at once, of whatever kind and however empty."""
    frames_a_second: float = 60.0
    frames_from_burst: int = 20_000
    frames_from_a_second: float = 3_000.0
    fragments_max: int = 64
    """Frames of one message."""
    socket_bytes_burst: int = 2**20
    socket_bytes_a_second: float = 65_536.0
    rows_max: int = 100
    """Rows that one player puts into a table's journal in one round; a round takes about ten of a player."""
    rows_a_minute: float = 6.0
    """And so many more, however long the round goes on: no one is locked out of a table that waits."""
    requests_of_max: int = 4
    """Requests of one session that are worked on at one time; others wait for their turn."""
    requests_from_max: int = 3
    turn_seconds: float = 0.1
    """After so long a request counts no more: it waits for something else, and takes nothing from anyone."""
    busy_seconds_burst: float = 3.0
    """For how long all turns of an address may last together while others are there, before they are spread out."""
    busy_a_second: float = 0.3
    """And for how long of every second after that."""
    requests_waiting_max: int = 100
    """Requests of one session or address that wait for their turn; more are refused."""


def changed_budgets(budgets: Budgets, values: Mapping[str, float]) -> Budgets:
    """Return budgets of which some are other numbers."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Budgets)}
    for name, number in values.items():
        whole = kinds.get(name) is int
        if name not in kinds or number <= 0 or (whole and number != int(number)):
            raise InvalidData(f"expected a budget above 0 of {one_of(kinds)}, got {name} = {number:g}")
        budgets = msgspec.structs.replace(budgets, **{name: int(number) if whole else number})
    return budgets


def within_files(budgets: Budgets, files: int) -> Budgets:
    """Return budgets of connections that fit in so many open files; the store and the page need some as well."""
    room, wanted = max(files - FILES_KEPT, 16), budgets.sockets_max + budgets.waiting_max
    if wanted <= room:
        return budgets
    waiting = max(room * budgets.waiting_max // wanted, 8)
    return msgspec.structs.replace(budgets, sockets_max=room - waiting, waiting_max=waiting)
