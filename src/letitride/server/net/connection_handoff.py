"""Connection handoff: connections that one worker hands to another of the same machine, whole, with nothing between."""

from __future__ import annotations

import array
import asyncio
import logging
import os
import socket
from collections.abc import Callable
from typing import Final

from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.runtime.worker_slot import WorkerSlot

log = logging.getLogger(__name__)
MESSAGE_MAX: Final = 131_072
"""More than the headers of a request may be."""
TRIES: Final = 200
PAUSE_SECONDS: Final = 0.01
"""How long one waits for a worker that has many connections to take."""
_ONE: Final = array.array("i", [0]).itemsize


class ConnectionHandoff:
    """The way between workers."""

    def __init__(self, place: WorkerSlot) -> None:
        self._place = place
        self._out = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._out.setblocking(False)
        self._in: socket.socket | None = None
        self._taking: set[asyncio.Task[None]] = set()

    def listen(self, begin: Callable[[], BoundedHttp]) -> None:
        """Take connections from now on."""
        door = self._in = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        door.setblocking(False)
        door.bind(str(self._place.socket_path()))
        asyncio.get_running_loop().add_reader(door.fileno(), self._receive, door, begin)

    async def hand(self, node: str, file: int, asked: bytes) -> bool:
        """Hand a connection with what was asked on it to the worker that is a node; whether it has it."""
        path = str(self._place.socket_path(node))
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
        for _ in range(TRIES):
            try:
                self._out.sendmsg([asked], rights, 0, path)
            except BlockingIOError:
                await asyncio.sleep(PAUSE_SECONDS)
            except OSError:  # it is no worker of this pool, or is gone
                return False
            else:
                return True
        return False

    def close(self) -> None:
        """Take no more."""
        if self._in is not None:
            asyncio.get_running_loop().remove_reader(self._in.fileno())
            self._in.close()
            self._place.socket_path().unlink(missing_ok=True)
        self._out.close()

    def _receive(self, door: socket.socket, begin: Callable[[], BoundedHttp]) -> None:
        try:
            asked, rights, _, _ = door.recvmsg(MESSAGE_MAX, socket.CMSG_SPACE(_ONE))
        except BlockingIOError:
            return
        files = array.array("i")
        for level, kind, data in rights:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                files.frombytes(data[: len(data) - len(data) % _ONE])
        for spare in files[1:]:
            os.close(spare)
        if files:
            task = asyncio.get_running_loop().create_task(_adopt(socket.socket(fileno=files[0]), asked, begin))
            self._taking.add(task)
            task.add_done_callback(self._taking.discard)


async def _adopt(connection: socket.socket, asked: bytes, begin: Callable[[], BoundedHttp]) -> None:
    """Go on with a connection as if it had come here."""
    connection.setblocking(False)

    def begun() -> BoundedHttp:
        one = begin()
        one.passed_on = True
        return one

    try:
        _, one = await asyncio.get_running_loop().connect_accepted_socket(begun, connection)
    except OSError as error:
        log.warning("a connection closed before a worker accepted it: %s", error)
        connection.close()
        return
    one.data_received(asked)
