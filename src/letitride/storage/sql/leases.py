"""SQL leases: who may write which table, in a database that many processes may share."""

from __future__ import annotations

from typing import Final

from letitride.storage.roles.leases import Lease, check_node
from letitride.storage.sql.session import Database
from letitride.storage.sql.tables import table_record

_TAKE: Final = """
    UPDATE game_tables SET
        epoch = CASE WHEN node = :node AND until_ms > :now THEN epoch ELSE epoch + 1 END,
        node = :node, address = :address, until_ms = :until
    WHERE id = :table_id AND (node = :node OR node = '' OR until_ms <= :now)
    RETURNING epoch"""
_FREE: Final = "UPDATE game_tables SET node = '', address = '', until_ms = 0"
_LEASES: Final = "SELECT id, node, address, epoch, until_ms FROM game_tables WHERE node <> ''"


class SqlLeases:
    """The leases of all tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        check_node(node, address)
        until = now_ms + ttl_ms
        named = {"table_id": table_id, "node": node, "address": address, "now": now_ms, "until": until}
        taken = self._database.transact(lambda session: session.run(_TAKE, **named))
        if not taken:
            table_record(self._database, table_id)  # refuses one that is not there
            return None
        return Lease(table_id=table_id, node=node, address=address, epoch=taken[0][0], until_ms=until)

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        freed = f"{_FREE} WHERE id = :table_id AND node = :node AND epoch = :epoch AND node <> ''"
        named = {"table_id": table_id, "node": node, "epoch": epoch}
        return self._database.transact(lambda session: session.count(freed, **named)) == 1

    def owner(self, table_id: str) -> Lease | None:
        for found in self._leases(f"{_LEASES} AND id = :id", id=table_id):
            return found
        table_record(self._database, table_id)  # refuses one that is not there
        return None

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        check_node(node)
        renewed = "UPDATE game_tables SET until_ms = :until WHERE node = :node RETURNING id, epoch"
        until = now_ms + ttl_ms
        return dict(sorted(self._database.transact(lambda session: session.run(renewed, node=node, until=until))))

    def all(self) -> list[Lease]:
        return sorted(self._leases(_LEASES), key=lambda lease: lease.table_id)

    def forget(self) -> None:
        self._database.transact(lambda session: session.run(_FREE))

    def shared_clock_ms(self) -> int | None:
        return self._database.clock_ms()

    def now_ms(self, own_ms: int) -> int:
        shared = self._database.clock_ms()
        return own_ms if shared is None else shared

    def alone(self) -> bool:
        return self._database.alone()

    def _leases(self, query: str, **values: str) -> list[Lease]:
        found = self._database.read(query, **values)
        return [
            Lease(table_id=table_id, node=node, address=address, epoch=epoch, until_ms=until)
            for table_id, node, address, epoch, until in found
        ]
