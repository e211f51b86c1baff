"""Node records: what the servers of a house know of one another at one moment; it takes and gives no table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from letitride.server.runtime.machines import host_and_port, is_loopback, this_machine
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.generations import OURS, Generation
from letitride.storage.roles.tables import Standing


class TableElsewhere(NotNow):
    """A wish about a table that another server looks after, or none just now."""

    def __init__(self, sentence: str, node: Node | None = None) -> None:
        super().__init__(sentence)
        self.node = node
        """The server that looks after it, where that can be asked from here."""


class Listing(msgspec.Struct, frozen=True, array_like=True):
    """How a table stands, as a lobby shows it."""

    seated: int
    phase: str
    round: int
    state: str
    """'open', 'closing', 'closed' or 'halted'."""
    meters: dict[str, int] = {}
    """What its jackpots hold, in cents, by wager."""
    people: dict[str, tuple[int, int]] = {}
    """Who sits there: at which seat, of two the lower one, and with how many cents in chips."""
    bots: list[str] = []
    """Which of them are players of the house's own."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A server of the house."""

    name: str
    address: str
    until_ms: int
    tables: dict[str, Listing] = {}
    """Its tables, for the lobbies of the others."""
    ended: int = 0
    """How many sessions it has ended: the others look at theirs when it grows."""
    rank: tuple[int, int] = (0, 0)
    """How far its version has come: what is outdated takes no table, and has no share."""
    inner: str = ""
    """Where other servers of the house reach it, host and port; empty: nowhere."""
    machine: str = ""
    """Which machine it is on, for addresses that mean this machine alone."""
    pool: str = msgspec.field(default="", name="crew")
    """Which workers share its listening socket; empty: none."""
    process: int = 0
    """Its number among the processes of its machine."""

    @property
    def is_reachable(self) -> bool:
        """Whether this process can ask it."""
        host = host_and_port(self.inner)[0]
        return bool(self.inner) and (self.machine == this_machine() or not is_loopback(host))


class NodesAndTables(msgspec.Struct, frozen=True, kw_only=True):
    """What the store tells about nodes and tables at one moment."""

    now_ms: int
    mine: Mapping[str, int]
    """The epochs of this node's own leases, just renewed."""
    tables: Sequence[Standing]
    """The tables that should have an owner; one without a row is just being opened."""
    in_use: frozenset[str]
    """Their ids."""
    nodes: Sequence[Node]
    dead: Sequence[str] = ()
    """Nodes that have not been heard of for long."""
    generation: Generation = OURS
    """The latest that has worked in this house."""
    limit_changes: int = 0
    """How often limits of persons or tables were changed, through whichever node."""

    def free(self, *, given_back: bool = False) -> list[str]:
        """The tables that should have an owner and have none; or only those whose owner gave them back."""
        return [one.id for one in self.tables if not one.node or (one.until_ms <= self.now_ms and not given_back)]

    @property
    def share(self) -> int:
        """How many tables one node has when all have their part."""
        current = sum(node.rank >= self.generation.rank for node in self.nodes)
        return -(-len(self.tables) // max(current, 1))
