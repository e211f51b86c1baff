"""Memory leases: who may write which table, for a process that is always alone."""

from __future__ import annotations

from msgspec.structs import replace

from letitride.storage.memory.state import HeldTable, State
from letitride.storage.roles.leases import Lease, check_node


class MemoryLeases:
    """The leases of all tables."""

    def __init__(self, state: State) -> None:
        self._state = state

    def take(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        check_node(node, address)
        with self._state.lock:
            held = self._state.table(table_id)
            expired = held.until_ms <= now_ms
            if held.node not in {"", node} and not expired:
                return None
            if held.node != node or expired:
                held.record = replace(held.record, epoch=held.record.epoch + 1)
            held.node, held.address, held.until_ms = node, address, now_ms + ttl_ms
            return _lease(held)

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        with self._state.lock:
            held = self._state.tables.get(table_id)
            if held is None or not node or (held.node, held.record.epoch) != (node, epoch):
                return False
            _free(held)
            return True

    def owner(self, table_id: str) -> Lease | None:
        with self._state.lock:
            return _lease(self._state.table(table_id))

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        check_node(node)
        with self._state.lock:
            mine = {table_id: held for table_id, held in sorted(self._state.tables.items()) if held.node == node}
            for held in mine.values():
                held.until_ms = now_ms + ttl_ms
            return {table_id: held.record.epoch for table_id, held in mine.items()}

    def all(self) -> list[Lease]:
        with self._state.lock:
            found = [_lease(held) for _, held in sorted(self._state.tables.items())]
        return [lease for lease in found if lease is not None]

    def forget(self) -> None:
        with self._state.lock:
            for held in self._state.tables.values():
                _free(held)

    def shared_clock_ms(self) -> int | None:
        return None

    def now_ms(self, own_ms: int) -> int:
        return own_ms

    def alone(self) -> bool:
        return True


def _lease(held: HeldTable) -> Lease | None:
    if not held.node:
        return None
    record = held.record
    return Lease(table_id=record.id, node=held.node, address=held.address, epoch=record.epoch, until_ms=held.until_ms)


def _free(held: HeldTable) -> None:
    held.node, held.address, held.until_ms = "", "", 0
