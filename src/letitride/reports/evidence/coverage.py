"""Coverage: which clauses stand behind a book and what carries each of them; counts, and proves nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.clauses import Clause, inherited
from letitride.rules.table_rules import TableRules

CARRIERS: Final[Mapping[str, str]] = {
    "keys": "a key of the rule book that applies at this table",
    "paytables": "a paytable",
    "steps": "a step of the dealer's script at this table",
    "rulings": "a ruling at this table",
    "behaviour": "the engine or another part of letitride",
    "takes_over": "clauses of another document, which it adopts",
}
"""What may carry a clause; one clause may be carried by several."""
IN_FORCE: Final = "in force"
DEPARTED: Final = "departed from"
REPLACED: Final = "replaced by another document"
NOT_ARISING: Final = "not applicable at this table"


@dataclass(frozen=True, slots=True)
class Coverage:
    """The clauses of one document, at one table."""

    document: str
    clauses: int
    demanding: int
    """Those that demand something; the others define and remark."""
    replaced: int
    """Of these, those that another document behind the book replaces."""
    not_arising: tuple[str, ...]
    """Those that demand nothing of such a table: of a shuffler where cards come from a shoe."""
    departed: tuple[str, ...]
    """Those that the book departs from: they are not in force."""
    carried: Mapping[str, int]
    """By carrier: how many of the rest it carries."""
    open: tuple[str, ...]
    """Those that nothing carries."""
    proven: int | None
    """Of those in force, how many tests prove, where the result of such a run was given."""

    @property
    def in_force(self) -> int:
        """How many clauses demand something here."""
        return self.demanding - self.replaced - len(self.not_arising) - len(self.departed)


@dataclass(frozen=True, slots=True)
class Proofs:
    """Which clauses a test run proves, and by which tests where it says so."""

    proven: frozenset[str]
    tests: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One clause: what it demands, whether it is in force at this table, what carries it and which tests prove it."""

    clause: str
    demand: str
    status: str
    carried_by: tuple[str, ...]
    proven: bool | None
    tests: tuple[str, ...]


def coverage(table: TableRules, proofs: Proofs | None) -> tuple[Coverage, ...]:
    """Return what carries the clauses of each document behind a table's book, the nearest document first."""
    rows = _traced(table, proofs)
    found = []
    for document in catalog.documents(table.book):
        mine = [(clause, one) for clause, one in rows if clause.document == document]
        demanding = [one for clause, one in mine if clause.provable]
        in_force = [one for one in demanding if one.status == IN_FORCE]
        found.append(
            Coverage(
                document=document,
                clauses=len(mine),
                demanding=len(demanding),
                replaced=sum(one.status == REPLACED for one in demanding),
                not_arising=tuple(one.clause for one in demanding if one.status == NOT_ARISING),
                departed=tuple(one.clause for one in demanding if one.status == DEPARTED),
                carried={name: sum(name in one.carried_by for one in in_force) for name in CARRIERS},
                open=tuple(one.clause for one in in_force if not one.carried_by),
                proven=None if proofs is None else sum(one.proven is True for one in in_force),
            )
        )
    return tuple(found)


def trace(table: TableRules, proofs: Proofs | None) -> tuple[Trace, ...]:
    """Return every clause behind a table's book that demands something, with its status and its tests."""
    return tuple(one for clause, one in _traced(table, proofs) if clause.provable)


def _traced(table: TableRules, proofs: Proofs | None) -> list[tuple[Clause, Trace]]:
    register, documents = catalog.register().values(), catalog.documents(table.book)
    replaced: set[str] = set()
    for clause in register:
        if clause.document in documents and clause.excepts:
            whole = {other.id for other in inherited(replace(clause, excepts=()), register)}
            replaced |= whole - {other.id for other in inherited(clause, register)}
    departed, values = catalog.departed_clauses(table.book), table.book.values()

    def status(clause: Clause) -> str:
        if clause.id in replaced:
            return REPLACED
        if not clause.arises(values):
            return NOT_ARISING
        return DEPARTED if clause.id in departed else IN_FORCE

    return [
        (
            clause,
            Trace(
                clause=clause.id,
                demand=clause.demand,
                status=status(clause),
                carried_by=tuple(_carriers(table, clause)),
                proven=None if proofs is None else clause.id in proofs.proven,
                tests=() if proofs is None else proofs.tests.get(clause.id, ()),
            ),
        )
        for document in documents
        for clause in register
        if clause.document == document
    ]


def _carriers(table: TableRules, clause: Clause) -> Iterator[str]:
    keys = table.book.keys
    found = {
        "keys": any(name in keys and keys[name].applies_to(table.rules) for name in clause.keys),
        "paytables": bool(clause.paytables),
        "steps": any(clause.id in names for names in table.step_clauses.values()),
        "rulings": any(clause.id in names for names in table.ruling_clauses.values()),
        "behaviour": bool(clause.behaviour),
        "takes_over": bool(clause.inherits),
    }
    return (name for name, carries in found.items() if carries)


def read_proofs(data: object, where: str) -> Proofs:
    """Return which clauses a test run proves, if it is of the register as it is here."""
    counts: Any = data.get("books") if isinstance(data, dict) else None
    unproven: Any = data.get("unproven") if isinstance(data, dict) else None
    tests: Any = data.get("tests", {}) if isinstance(data, dict) else None
    if not isinstance(counts, dict) or not _are_texts(unproven) or not isinstance(tests, dict):
        raise InvalidData(f"{where}: expected what 'scripts/clauses --json' prints, got something else")
    provable = [clause for clause in catalog.register().values() if clause.provable]
    proven = frozenset(clause.id for clause in provable) - {*unproven}
    for document in dict.fromkeys(clause.document for clause in catalog.register().values()):
        mine = {clause.id for clause in provable if clause.document == document}
        told: Any = counts.get(document)
        expected = {"total": len(mine), "proven": len(mine & proven)}
        if not isinstance(told, dict) or any(told.get(name) != many for name, many in expected.items()):
            raise InvalidData(
                f"{where}: expected how many of the {len(mine)} clauses of '{document}' are proven, got {told}"
            )
    named = {name: tuple(sorted(map(str, found))) for name, found in tests.items() if _are_texts(found)}
    return Proofs(proven, named)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
