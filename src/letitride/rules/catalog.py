"""Catalog: finds rule books, paytables and clauses by id or by path; the only part of rules that reads files."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from letitride.errors import InvalidData, MissingData
from letitride.rules.clauses import Clause, read_register
from letitride.rules.keyspec import did_you_mean
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Paytable
from letitride.rules.rulebook import RuleBook
from letitride.rules.rulebook_file import is_path, read_rulebook
from letitride.rules.table_rules import TableRules, resolve

_DATA: Final = resources.files("letitride.rules") / "data"


def rulebook_ids() -> tuple[str, ...]:
    """Return the ids of the published rule books."""
    return _ids("rulebooks")


def rulebook(ref: str) -> RuleBook:
    """Return a rule book by id, by path, or as a variant: 'nsw-1', 'mine.toml', 'nsw-1+shuffler'."""
    name, *variants = ref.split("+") if not is_path(ref) else _split_path(ref)
    book = _rulebook_file(Path(name), ()) if is_path(name) else _published_rulebook(name)
    for variant in variants:
        book = book.variant(variant)
    return book


def paytable_ids() -> tuple[str, ...]:
    """Return the ids of the published paytables."""
    return _ids("paytables")


def paytable(ref: str) -> Paytable:
    """Return a paytable by id or by path."""
    return _paytable_file(Path(ref)) if is_path(ref) else _published_paytable(ref)


def table_rules(ref: str, overrides: Mapping[str, Any] | None = None) -> TableRules:
    """Return everything a table needs to open by a rule book, with the table's own values."""
    return resolve(rulebook(ref), overrides or {}, paytable)


@cache
def register() -> Mapping[str, Clause]:
    """Return every clause of the rule documents by its id."""
    return {
        clause.id: clause
        for document in _ids("clauses")
        for clause in read_register(_toml(_DATA / "clauses" / f"{document}.toml"), f"{document}.toml")
    }


def clause(clause_id: str) -> Clause:
    """Return one clause by its id."""
    if clause_id not in register():
        hint = did_you_mean(clause_id, register())
        raise MissingData(f"expected a clause id like 'nsw:12.6.s1', got '{clause_id}'{hint}")
    return register()[clause_id]


def documents(book: RuleBook) -> tuple[str, ...]:
    """Return the clause prefixes of a book and of those it extends, nearest first."""
    books = (book, *(rulebook(parent) for parent in book.lineage if parent in rulebook_ids()))
    return tuple(dict.fromkeys(one.document for one in books if one.document))


def _ids(kind: str) -> tuple[str, ...]:
    names = (entry.name for entry in (_DATA / kind).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def _published_rulebook(book_id: str) -> RuleBook:
    if book_id not in rulebook_ids():
        raise MissingData(_unknown("rule book", book_id, rulebook_ids()))
    return _read_rulebook(_DATA / "rulebooks" / f"{book_id}.toml", ())


@cache
def _published_paytable(table_id: str) -> Paytable:
    known = {one.casefold(): one for one in paytable_ids()}
    if table_id.casefold() not in known:
        raise MissingData(_unknown("paytable", table_id, paytable_ids()))
    name = f"{known[table_id.casefold()]}.toml"
    return read_paytable(_toml(_DATA / "paytables" / name), name)


def _unknown(what: str, ref: str, known: tuple[str, ...]) -> str:
    hint = did_you_mean(ref, known) or f": {', '.join(known)}"
    return f"expected a path ending in .toml or the id of a {what}, got '{ref}'{hint}"


def _rulebook_file(path: Path, children: tuple[Path, ...]) -> RuleBook:
    if path.resolve() in children:
        chain = " -> ".join(child.name for child in (*children, path))
        raise InvalidData(f"{path}: extends: expected a book that does not extend itself, got {chain}")
    return _read_rulebook(path, (*children, path.resolve()))


def _read_rulebook(source: Traversable, children: tuple[Path, ...]) -> RuleBook:
    data, where = _toml(source), str(source) if isinstance(source, Path) and children else source.name
    parent = None
    extends = data.get("extends")
    if isinstance(extends, str):
        beside = Path(str(source)).parent / extends
        parent = _rulebook_file(beside, children) if is_path(extends) else rulebook(extends)

    def load(ref: str) -> Paytable:
        return _paytable_file(Path(str(source)).parent / ref)

    return read_rulebook(data, where, parent, load)


def _paytable_file(path: Path) -> Paytable:
    table = read_paytable(_toml(path), str(path))
    if table.id in paytable_ids() and table.digest != _published_paytable(table.id).digest:
        raise InvalidData(f"{path}: id: expected an id of its own, got '{table.id}', a published paytable's")
    return table


def _split_path(ref: str) -> list[str]:
    """Split 'mine.toml+variant' after the path, which may hold a plus sign itself."""
    path, ending, variants = ref.partition(".toml")
    return [path + ending, *variants.split("+")[1:]]


def _toml(source: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MissingData(f"expected a TOML file, got '{source}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a readable TOML file, got '{source}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidData(f"{source}: expected a TOML file in UTF-8, got other bytes") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidData(f"{source}: expected valid TOML, got an error: {error}") from None
