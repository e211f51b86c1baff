"""Table store: the register of tables, what each is and whether it is open; never what happened at one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.storage.journal import Head
from letitride.storage.roles.texts import check_name, check_texts

TableState = Literal["open", "halted", "closed"]
STATES: Final[tuple[TableState, ...]] = ("open", "halted", "closed")


class TableRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table without reading its journal."""

    id: str
    name: str
    about: dict[str, Any]  # JSON that the server writes and reads; a store does not look into it
    state: TableState = "open"
    reason: str = ""
    number: int = 0
    """How many rows its journal has."""
    hash: str
    epoch: int = 0

    @property
    def head(self) -> Head:
        """Where its journal ends."""
        return Head(self.number, self.hash)


class Standing(NamedTuple):
    """A table that should have an owner, and its lease."""

    id: str
    node: str
    """Empty where no one has a lease."""
    until_ms: int


class TableStore(Protocol):
    """The register of tables."""

    def create(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        """Register a new table; an id is used once."""

    def all(self) -> list[TableRecord]:
        """Return all tables, by id."""

    def standings(self) -> list[Standing]:
        """Return the open tables that have a journal, and who may write each; of thousands it takes no time."""

    def get(self, table_id: str) -> TableRecord:
        """Return one table."""

    def set_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        """Say whether a table is open, halted or closed, and why; what may be written does not depend on it.

        With an epoch, only where it is in force; return whether it was.
        """


def check_table(table_id: str, name: str) -> None:
    """Refuse a table that cannot be kept."""
    check_name("the id of a table", table_id)
    check_name("the name of a table", name)


def check_state(state: TableState, reason: str) -> None:
    """Refuse a state that is none, or a reason that cannot be kept."""
    if state not in STATES:
        raise InvalidData(f"expected open, halted or closed, got '{state}'")
    check_texts(reason)


def id_in_use(table_id: str) -> InvalidData:
    """Return what is raised where a new table asks for an id that another has."""
    return InvalidData(f"expected an id for a new table, got '{table_id}', which is in use")


def no_table(table_id: str) -> MissingData:
    """Return what is raised where a table is asked for that is not there."""
    return MissingData(f"expected the id of a table, got '{table_id}', which is none")
