"""Lease store: which node may write which table, and until when; never what is written."""

from __future__ import annotations

from typing import Protocol

import msgspec

from letitride.storage.roles.texts import check_name, check_texts


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """Who may write a table's journal, and until when. A node is one process: its name dies with it."""

    table_id: str
    node: str
    address: str
    epoch: int
    until_ms: int


class LeaseStore(Protocol):
    """The leases of all tables, and the clock they go by."""

    def take(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        """Renew a node's lease of a table, or take one that is free or expired, which raises the epoch."""

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        """Give a lease back; return whether it was still held."""

    def owner(self, table_id: str) -> Lease | None:
        """Return the lease of a table, expired or not, if there is one."""

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        """Renew every lease that is in a node's name, expired or not, and return {table: epoch} of them."""

    def all(self) -> list[Lease]:
        """Return all leases, expired or not, by table."""

    def forget(self) -> None:
        """End all leases: for a process that is alone, because their owners can only be dead."""

    def shared_clock_ms(self) -> int | None:
        """Return the time by the clock that all processes share, where there is one."""

    def now_ms(self, own_ms: int) -> int:
        """Return the time that leases go by: the database's where many processes share it, else the caller's."""

    def alone(self) -> bool:
        """Whether no other process can be writing here, for as long as this one does."""


def check_node(node: str, address: str = "") -> None:
    """Refuse a node that cannot be kept."""
    check_name("the name of a node", node)
    check_texts(address)
