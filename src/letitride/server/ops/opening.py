"""Opening: a table as an operator wants it, into the store; and out of play again. It deals nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final

import msgspec

from letitride.autoplay.dealable import check_table
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.checks import Contradiction
from letitride.rules.clashes import what_would_go
from letitride.rules.refs import split_variants
from letitride.rules.table_rules import TableRules
from letitride.rules.values import RuleValue, Values
from letitride.server.people.invitations import is_private
from letitride.server.runtime.table_facts import facts_of_rules
from letitride.server.tables.house import House
from letitride.server.tables.shared_meters import new_table_events
from letitride.storage.journal import Head, seal
from letitride.storage.roles.accounts import CENTS_MAX
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.journal import Conflict, Write, Written
from letitride.storage.roles.stores import Stores
from letitride.storage.roles.tables import TableState, TableStore

ID_PATTERN: Final = r"^[a-z0-9][a-z0-9._-]{0,47}$"
TEXT_MAX: Final = 200_000
"""Signs of a rule book or a paytable that is sent along."""


class TableRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be opened, as it was asked for."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    """An id, a variant, or the name of one of the texts."""
    id: str = ""
    values: dict[str, Any] = {}  # as it came: the keys' own types check it when the table's rules are made
    """The table's own values by key."""
    texts: dict[str, Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]] = {}
    """Rule books and paytables of the operator's own, by the names that refer to them."""


def table_id(wanted: TableRequest) -> str:
    """Return the id a table gets: the one wanted, or one made from its name."""
    made = wanted.id or re.sub(r"[^a-z0-9]+", "-", wanted.name.lower()).strip("-")[:48]
    if not re.fullmatch(ID_PATTERN, made):
        raise InvalidData(f"expected an id of lowercase letters, digits and '-', got {wanted.id or wanted.name!r}")
    if is_private(made):
        raise InvalidData(
            f"expected an id that does not begin like those of private tables, got '{made}': state another"
        )
    if not wanted.name.isprintable() or wanted.name != wanted.name.strip():
        raise InvalidData(f"expected a name on one line, got {wanted.name!r}")
    return made


def requested_rules(wanted: TableRequest, *, filled: bool = False) -> TableRules:
    """Return the rules of a wanted table, checked like any rule book; no path of anybody's is read.

    `filled`: what neither the book nor the table states is filled in, as for a demo table.
    """
    if (large := next((key for key, value in wanted.values.items() if _is_large(value)), None)) is not None:
        raise InvalidData(f"{large}: expected numbers up to {CENTS_MAX}, got a larger one")
    try:
        rules = catalog.table_rules_of_texts(wanted.rulebook, wanted.values, wanted.texts, filled=filled)
    except Contradiction as found:
        raise InvalidData(f"{found}{what_would_go(found)}") from None
    except MissingData as error:  # what is asked for in a body is bad input, not an address that does not exist
        raise InvalidData(str(error)) from None
    if split_variants(rules.book.id)[0] not in catalog.rulebook_ids():
        check_table(rules)  # published books are dealt by the tests
    return rules


def _is_large(value: Any) -> bool:
    """Whether a value has a number in it that no store can keep."""
    if isinstance(value, list | tuple):
        return any(map(_is_large, value))
    if isinstance(value, dict):
        return any(map(_is_large, value.values()))
    return isinstance(value, int) and abs(value) > CENTS_MAX


def register_table(stores: Stores, wanted: TableRequest, *, at: int, who: str) -> str:
    """Register a table with its opening, and return its id; the server of these stores finds it there."""
    made, rules = table_id(wanted), requested_rules(wanted)
    new_table_events(stores.journal, stores.wallets, rules)  # or it is refused before anything is written
    stores.tables.create(made, wanted.name, facts_of_rules(rules).stored())
    again = True
    while again:
        _, happened, marks = new_table_events(stores.journal, stores.wallets, rules)
        row = seal(Head(), table_id=made, at=at, by="house", happened=happened)
        transfers = [transfer for event in happened for transfer in event.chips]
        write = Write(table_id=made, number=1, rows=[row], transfers=transfers, acks=marks)
        (outcome,) = stores.journal.append([write])
        again = isinstance(outcome, Conflict) and outcome.code == "command"  # another table has seeded a meter
    if not isinstance(outcome, Written):
        raise InvalidData(f"expected a new table to be written, got {outcome}")
    stores.audit.add(at, who, "open table", f"{made}: {wanted.name}, by {rules.book.id} ({rules.book.digest})")
    return made


def set_state(
    tables: TableStore, audit: AuditStore, name: str, state: TableState, why: str, *, at: int, who: str
) -> None:
    """Say in the register that a table is open or closed, on record."""
    tables.set_state(name, state, why)
    audit.add(at, who, f"{'close' if state == 'closed' else 'open'} table", f"{name}: {why}" if why else name)


async def open_here(house: House, wanted: TableRequest, who: str) -> str:
    """Open a table in a house that is open."""
    made, rules = table_id(wanted), await asyncio.to_thread(requested_rules, wanted)
    await house.open_by(made, wanted.name, rules)
    entry = f"{made}: {wanted.name}, by {rules.book.id} ({rules.book.digest})"
    await house.committer.run(partial(house.stores.audit.add, house.clock_ms(), who, "open table", entry))
    return made


def own_values(
    limits_cents: tuple[int, int] | None, paytables: Mapping[str, str], more: Values
) -> dict[str, RuleValue]:
    """Return a table's own values by key from what people say: limits, the paytable of each wager, and others."""
    values = dict(more)
    if limits_cents is not None:
        values |= {"limit.cents_min": limits_cents[0], "limit.cents_max": limits_cents[1]}
    return values | {f"{wager}.paytable": name for wager, name in paytables.items()}
