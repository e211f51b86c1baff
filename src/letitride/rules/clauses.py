"""Clauses: the register of every clause of the rule documents, and what each one becomes here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from letitride.errors import InvalidData

Kind = Literal["config", "definition", "note", "paytable", "play", "procedure", "ruling"]


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One demand of a rule document, in our own words."""

    id: str
    kind: Kind
    demand: str
    where: str = ""
    """The value of a key under which it demands anything, as 'device=shoe'; it always does where there is none."""
    keys: tuple[str, ...] = ()
    """The rule-book keys that carry it."""
    paytables: tuple[str, ...] = ()
    """The paytables that carry it."""
    behaviour: str = ""
    """The room that makes it true, and what it does."""
    code: tuple[str, ...] = ()
    """The functions, methods or tables that carry it out, as 'engine.agenda.dealing' or 'rules.paytables.Pays.pay'."""
    steps: tuple[str, ...] = ()
    """The steps of a dealer's script that carry it out."""
    rulings: tuple[str, ...] = ()
    """The rulings that it demands, as 'hand_count:hand_void', or 'misdeal' for every misdeal; with '@' as in steps."""
    without: str = ""
    """A table, such as 'hand-dealt-1', whose rounds do without what every round by its own book has."""
    inherits: tuple[str, ...] = ()
    """Clauses of another document that this one takes over, as ids or the beginnings of ids."""
    excepts: tuple[str, ...] = ()
    """Clauses among those that it replaces."""

    @property
    def document(self) -> str:
        """The prefix of the document it belongs to: 'nsw'."""
        return self.id.partition(":")[0]

    @property
    def provable(self) -> bool:
        """Whether it demands something that a test can prove."""
        return self.kind not in {"definition", "note"}

    def arises(self, values: Mapping[str, object]) -> bool:
        """Whether it demands anything of a table with these values of its rule book."""
        return not self.where or _holds(self.where, values)


def read_register(data: Mapping[str, object], where: str) -> tuple[Clause, ...]:
    """Read one document's clauses from the data of a TOML file."""
    try:
        return msgspec.convert(data["clause"], tuple[Clause, ...])
    except (KeyError, msgspec.ValidationError) as error:
        raise InvalidData(f"{where}: expected a list of clauses, got {error}") from None


def inherited(clause: Clause, register: Iterable[Clause]) -> tuple[Clause, ...]:
    """Return the clauses of other documents that a clause takes over."""
    return tuple(
        other
        for other in register
        if any(_within(other.id, start) for start in clause.inherits)
        and not any(_within(other.id, start) for start in clause.excepts)
    )


def _within(clause_id: str, start: str) -> bool:
    return clause_id == start or clause_id.startswith(start + ".")


def clauses_of_steps(
    documents: Sequence[str], register: Collection[Clause], values: Mapping[str, object]
) -> dict[str, tuple[str, ...]]:
    """Return {kind of step: clause ids} for a book's documents, less what a nearer document replaces.

    A step is written as 'turn_community:1' where its number or wager matters, and as 'pay:bonus@KEY=VALUE' where the
    clause holds only under a value of the rule book.
    """
    return _by_name(documents, register, values, "steps")


def clauses_of_rulings(
    documents: Sequence[str], register: Collection[Clause], values: Mapping[str, object]
) -> dict[str, tuple[str, ...]]:
    """Return {ruling: clause ids} for a book's documents, less what a nearer document replaces."""
    return _by_name(documents, register, values, "rulings")


def _by_name(
    documents: Sequence[str], register: Collection[Clause], values: Mapping[str, object], field: str
) -> dict[str, tuple[str, ...]]:
    nearest = {document: place for place, document in enumerate(documents)}
    mine = [clause for clause in register if clause.document in nearest]
    replaced = {start for clause in mine for start in clause.excepts}
    found: dict[str, list[str]] = {}
    for clause in sorted(mine, key=lambda clause: nearest[clause.document]):
        names = getattr(clause, field)
        if names and not any(_within(clause.id, start) for start in replaced):
            for written in names:
                kind, _, condition = written.partition("@")
                if not condition or _holds(condition, values):
                    found.setdefault(kind, []).append(clause.id)
    return {kind: tuple(ids) for kind, ids in found.items()}


def _holds(condition: str, values: Mapping[str, object]) -> bool:
    key, _, wanted = condition.partition("=")
    return str(values.get(key)).lower() == wanted


def clauses_of_key(key: str, documents: Iterable[str], register: Iterable[Clause]) -> tuple[Clause, ...]:
    """Return the clauses that a key carries, from the first of the documents that has any."""
    rows = [clause for clause in register if key in clause.keys]
    for document in documents:
        found = tuple(clause for clause in rows if clause.document == document)
        if found:
            return found
    return ()
