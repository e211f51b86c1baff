"""Coverage: which clauses stand behind a book and what carries each of them; counts, and proves nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.clauses import Clause, inherited
from letitride.rules.table_rules import TableRules

CARRIERS: Final[Mapping[str, str]] = {
    "keys": "a key of the book that applies at this table",
    "paytables": "a paytable",
    "steps": "a step of the dealer's script at this table",
    "rulings": "a ruling at this table",
    "behaviour": "a behaviour of the engine or of another part of letitride",
    "takes_over": "clauses of another document, which it takes over",
}
"""What may carry a clause; one clause may be carried by several."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The clauses of one document, at one table."""

    document: str
    clauses: int
    demanding: int
    """Those that demand something; the others define and remark."""
    replaced: int
    """Of these, those that another document behind the book replaces."""
    carried: Mapping[str, int]
    """By carrier: how many of the rest it carries."""
    open: tuple[str, ...]
    """Those that nothing carries."""
    proven: int | None
    """Those that tests prove, where the result of such a run was given."""

    @property
    def in_force(self) -> int:
        """How many clauses demand something here."""
        return self.demanding - self.replaced


def coverage(table: TableRules, proofs: Mapping[str, int] | None) -> tuple[Coverage, ...]:
    """Return what carries the clauses of each document behind a table's book, the nearest document first."""
    register, documents = catalog.register().values(), catalog.documents(table.book)
    keys = table.book.keys
    replaced: set[str] = set()
    for clause in register:
        if clause.document in documents and clause.excepts:
            whole = {other.id for other in inherited(replace(clause, excepts=()), register)}
            replaced |= whole - {other.id for other in inherited(clause, register)}
    steps = {name for names in table.step_clauses.values() for name in names}
    rulings = {name for names in table.ruling_clauses.values() for name in names}

    def carriers(clause: Clause) -> set[str]:
        found = {
            "keys": any(name in keys and keys[name].applies_to(table.rules) for name in clause.keys),
            "paytables": bool(clause.paytables),
            "steps": clause.id in steps,
            "rulings": clause.id in rulings,
            "behaviour": bool(clause.behaviour),
            "takes_over": bool(clause.inherits),
        }
        return {name for name, carries in found.items() if carries}

    found = []
    for document in documents:
        rows = [clause for clause in register if clause.document == document]
        demanding = [clause for clause in rows if clause.provable]
        in_force = {clause.id: carriers(clause) for clause in demanding if clause.id not in replaced}
        found.append(
            Coverage(
                document=document,
                clauses=len(rows),
                demanding=len(demanding),
                replaced=len(demanding) - len(in_force),
                carried={name: sum(name in by for by in in_force.values()) for name in CARRIERS},
                open=tuple(name for name, by in in_force.items() if not by),
                proven=None if proofs is None else proofs[document],
            )
        )
    return tuple(found)


def read_proofs(data: object, where: str) -> Mapping[str, int]:
    """Return how many clauses of each document a test run proves, if it is of the register as it is here."""
    counts: Any = data.get("books") if isinstance(data, dict) else None
    if not isinstance(counts, dict):
        raise InvalidData(f"{where}: expected what 'scripts/clauses --json' prints, got something else")
    found: dict[str, int] = {}
    for document in dict.fromkeys(clause.document for clause in catalog.register().values()):
        total = sum(clause.provable and clause.document == document for clause in catalog.register().values())
        told: Any = counts.get(document)
        proven = told.get("proven") if isinstance(told, dict) and told.get("total") == total else None
        if not isinstance(proven, int) or not 0 <= proven <= total:
            raise InvalidData(
                f"{where}: expected how many of the {total} clauses of '{document}' are proven, got {told}"
            )
        found[document] = proven
    return found
