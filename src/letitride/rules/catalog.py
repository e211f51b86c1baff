"""Catalog: finds rule books, paytables and clauses by id or path; the only part of rules that reads files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from letitride.errors import InvalidData, MissingData
from letitride.rules import table_rules as tables
from letitride.rules.arguments import described
from letitride.rules.checks import withdrawal_faults
from letitride.rules.clauses import Clause, clauses_of_rulings, clauses_of_steps, read_register
from letitride.rules.departures import Departure, broken_clauses
from letitride.rules.departures import departures as found_departures
from letitride.rules.frozen import Frozen
from letitride.rules.keyspec import KEYS, SECTIONS, default_terms, terms_of
from letitride.rules.paytable_file import own_paytable, read_paytable
from letitride.rules.paytables import Paytable
from letitride.rules.refs import is_path, split_variants
from letitride.rules.rulebook import RuleBook
from letitride.rules.rulebook_file import read_rulebook
from letitride.rules.table_rules import TableRules
from letitride.rules.toml_text import BYTES_MAX, read_toml
from letitride.rules.values import Values
from letitride.rules.wager_file import read_wager
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Wager
from letitride.rules.words import did_you_mean, show_value

_DATA: Final = resources.files("letitride.rules") / "data"
_EXTENDS_MAX: Final = 20
STATED: Final[Values] = {
    "limit.cents_min": 500,
    "limit.cents_max": 10_000,
    "fee.tiers": [{"limit_cents_max": 10_000, "wager_cents": 50, "bank_cents": 200}],
}
"""What fuzz runs, simulations and demo tables take where a book leaves limits and fees to the table."""


def rulebook_ids() -> tuple[str, ...]:
    """Return the ids of the published rule books."""
    return _ids("rulebooks")


def rulebook(ref: str | Path) -> RuleBook:
    """Return a rule book by id, by path, or as a variant: 'nsw-1', 'mine.toml', 'nsw-1+shuffler'."""
    return _rulebook(str(ref), Path(), ())


def paytable_ids() -> tuple[str, ...]:
    """Return the ids of the published paytables."""
    return _ids("paytables")


def paytable(ref: str | Path) -> Paytable:
    """Return a paytable by id or by path."""
    name = str(ref)
    return _paytable_file(Path(name)) if is_path(name) else _published_paytable(name)


def paytable_from(data: Mapping[str, object]) -> Paytable:
    """Return a paytable from the data that its TOML file would hold; what cannot be one is refused as there."""
    return _own_paytable(read_paytable(_copy(data, "paytable"), "paytable"), "paytable")


def wager_from(data: Mapping[str, object]) -> Wager:
    """Return a wager from the data that its TOML file would hold; `paytable_from` returns its pays."""
    return _own_wager(_copy(data, "wager"), "wager")[0]


def _copy(data: Mapping[str, object], where: str) -> Any:
    try:
        return _copied(data, where)
    except RecursionError:
        raise InvalidData(f"{where}: expected tables within tables to end, got some without an end") from None


def _copied(data: object, where: str) -> Any:
    """Return data as TOML has it: tables with names of text, lists, texts, whole numbers and truths."""
    if isinstance(data, Mapping):
        for name in data:
            if not isinstance(name, str):
                raise InvalidData(f"{where}: expected names of text, got {described(name)}")
        return {str(name): _copied(value, f"{where}: {name}") for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_copied(value, where) for value in data]
    if isinstance(data, Fraction):
        return str(data)
    if data is None or not isinstance(data, (str, int, float)):
        raise InvalidData(f"{where}: expected what a TOML file can say, got {described(data)}")
    return data


def wager_ids() -> tuple[str, ...]:
    """Return the ids of the published wagers, in the order of the felt."""
    return tuple(PUBLISHED)


def wager(ref: str | Path) -> Wager:
    """Return a wager by id or by path."""
    name = str(ref)
    if is_path(name):
        return _wager_file(Path(name))[0]
    if name not in PUBLISHED:
        raise MissingData(_unknown("wager", name, wager_ids()))
    return PUBLISHED[name]


def table_book(ref: str | Path, overrides: Values | None = None) -> RuleBook:
    """Return a rule book with one table's own values, within what the book leaves open."""
    return tables.table_book(rulebook(ref), overrides or {}, paytable)


def table_rules(ref: str | Path, overrides: Values | None = None) -> TableRules:
    """Return everything a table needs to open by a rule book, with the table's own values."""
    own = overrides or {}
    asked = _Asked(str(ref), repr(own), own)
    files = is_path(split_variants(asked.ref)[0]) or any(isinstance(one, str) and is_path(one) for one in own.values())
    return _table_rules(asked) if files else _published_table_rules(asked)


@dataclass(frozen=True)
class _Asked:
    """A book and a table's own values, known by how they are written: to Python, 1 and True are equal."""

    ref: str
    written: str
    values: Values = field(compare=False)


def _table_rules(asked: _Asked) -> TableRules:
    return _ready(tables.resolve(table_book(asked.ref, asked.values), paytable))


_published_table_rules = lru_cache(maxsize=256)(_table_rules)
"""The rules of a table that rests on no file: they cannot change while the program runs."""


def stated_values(ref: str | Path, own: Values | None = None) -> Values:
    """Return what `STATED` fills in by a rule book: values that neither the book nor the table's `own` values state."""
    return _missing(rulebook(ref), own or {})


def _missing(book: RuleBook, own: Values) -> Values:
    missing = book.missing()
    return {key: value for key, value in STATED.items() if key in missing and key not in own}


def ready_rules(ref: str | Path, own: Values | None = None) -> TableRules:
    """Return what `table_rules` does, with the values that book and table leave open filled in from `STATED`."""
    return table_rules(ref, {**stated_values(ref, own), **(own or {})})


def table_rules_of_texts(ref: str, overrides: Values, texts: Mapping[str, str], *, filled: bool = False) -> TableRules:
    """Return what `table_rules` does, with texts sent along: a path means one of them, and no file is opened.

    `filled`: with the values that book and table leave open filled in from `STATED`, as `ready_rules` does.
    """

    def load(name: str) -> Paytable:
        if not is_path(name):
            return _published_paytable(name)
        return _own_paytable(read_paytable(read_toml(_among(name, texts, "paytable"), name), name), name)

    def load_wager(name: str) -> tuple[Wager, Paytable]:
        return _own_wager(read_toml(_among(name, texts, "wager"), name), name)

    name, variants = split_variants(ref)
    if is_path(name):
        data = read_toml(_among(name, texts, "rule book"), name)
        extends = data.get("extends")
        if isinstance(extends, str) and is_path(extends):
            raise InvalidData(f"{name}: extends: expected the id of a published rule book, got '{extends}'")
        parent = rulebook(extends) if isinstance(extends, str) else None
        book = _varied(_own_book(read_rulebook(data, name, parent, load, load_wager), name), variants)
    else:
        book = rulebook(ref)
    own = {**_missing(book, overrides), **overrides} if filled else overrides
    return _ready(tables.resolve(tables.table_book(book, own, load), load))


def _among(name: str, texts: Mapping[str, str], what: str) -> str:
    if name not in texts:
        raise MissingData(f"expected the id of a {what} or one that was sent along, got {show_value(name)}")
    return texts[name]


def _ready(ready: TableRules) -> TableRules:
    left = departed_clauses(ready.book)  # no step and no ruling rests on a clause that the book departs from
    clauses = [clause for clause in register().values() if clause.id not in left]
    known = documents(ready.book), clauses, ready.book.values()
    return replace(
        ready, step_clauses=Frozen(clauses_of_steps(*known)), ruling_clauses=Frozen(clauses_of_rulings(*known))
    )


@cache
def register() -> Mapping[str, Clause]:
    """Return every clause of the rule documents by its id."""
    return Frozen(
        {
            clause.id: clause
            for document in _ids("clauses")
            for clause in read_register(read_toml_file(_DATA / "clauses" / f"{document}.toml"), f"{document}.toml")
        }
    )


def clause(clause_id: str) -> Clause:
    """Return one clause by its id."""
    if clause_id not in register():
        hint = did_you_mean(clause_id, register())
        raise MissingData(f"expected a clause id like 'nsw:12.6.s1', got '{clause_id}'{hint}")
    return register()[clause_id]


def documents(book: RuleBook) -> tuple[str, ...]:
    """Return the clause prefixes of a book and of those it extends, nearest first."""
    published = [name for name in (book.id, *book.lineage) if is_published(name)]
    return tuple(dict.fromkeys(rulebook(split_variants(name)[0]).document for name in published))


def is_published(book_id: str) -> bool:
    """Whether an id, variants or not, is that of a published rule book."""
    return split_variants(book_id)[0] in rulebook_ids()


def departures(book: RuleBook) -> Mapping[str, Departure]:
    """Return where a house's own book departs from the published book it rests on, by key."""
    rests_on = next((name for name in book.lineage if is_published(name)), None)
    if rests_on is None or is_published(book.id):
        return {}
    return found_departures(book, rulebook(rests_on), documents(book), register().values(), paytable)


def departed_clauses(book: RuleBook) -> frozenset[str]:
    """Return the clauses that a house's own book departs from."""
    return broken_clauses(book, departures(book), documents(book), register().values())


@cache
def _ids(kind: str) -> tuple[str, ...]:
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in (_DATA / kind).iterdir()))


def _rulebook(ref: str, folder: Path, children: tuple[Path, ...]) -> RuleBook:
    if not ref.isprintable():
        raise InvalidData(f"expected a path ending in .toml or the id of a rule book, got {show_value(ref)}")
    name, variants = split_variants(ref)
    book = _rulebook_file(folder / name, children) if is_path(name) else _published_rulebook(name)
    return _varied(book, variants)


def _varied(book: RuleBook, variants: Iterable[str]) -> RuleBook:
    for variant in variants:
        book = book.variant(variant)
    return book


@cache
def _published_rulebook(book_id: str) -> RuleBook:
    if book_id not in rulebook_ids():
        raise MissingData(_unknown("rule book", book_id, rulebook_ids()))
    return _read_rulebook(_DATA / "rulebooks" / f"{book_id}.toml", f"{book_id}.toml", ())


@cache
def _published_paytable(table_id: str) -> Paytable:
    known = {one.casefold(): one for one in paytable_ids()}
    if table_id.casefold() not in known:
        raise MissingData(_unknown("paytable", table_id, paytable_ids()))
    name = f"{known[table_id.casefold()]}.toml"
    return read_paytable(read_toml_file(_DATA / "paytables" / name), name)


def _unknown(what: str, ref: str, known: tuple[str, ...]) -> str:
    hint = did_you_mean(ref, known)
    listed = "" if hint else f" ({', '.join(known)})"
    return f"expected a path ending in .toml or the id of a {what}{listed}, got '{ref}'{hint}"


def _rulebook_file(path: Path, children: tuple[Path, ...]) -> RuleBook:
    try:
        here = path.resolve()
    except RuntimeError:  # links in a circle: reading it is refused in a sentence
        here = path.absolute()
    if here in children or len(children) == _EXTENDS_MAX:
        chain = " -> ".join(child.name for child in (*children, path)[-4:])
        raise InvalidData(f"expected a book that does not extend itself, got {chain}")
    return _own_book(_read_rulebook(path, str(path), (*children, here)), str(path))


def _own_book(book: RuleBook, path: str) -> RuleBook:
    if book.document:
        raise InvalidData(f"{path}: document: expected none, because clauses belong to published books, got one")
    if book.id in (*rulebook_ids(), *(split_variants(name)[0] for name in book.lineage)):
        raise InvalidData(f"{path}: id: expected an id of its own, got '{book.id}', another book's")
    return book


def _read_rulebook(source: Traversable, where: str, children: tuple[Path, ...]) -> RuleBook:
    data, folder = read_toml_file(source), Path(str(source)).parent
    parent = None
    if isinstance(extends := data.get("extends"), str):
        try:
            parent = _rulebook(extends, folder, children)
        except InvalidData as error:
            raise InvalidData(f"{where}: extends: {error}") from None
    return read_rulebook(
        data, where, parent, lambda ref: _paytable_file(folder / ref), lambda ref: _wager_file(folder / ref)
    )


def _wager_file(path: Path) -> tuple[Wager, Paytable]:
    return _own_wager(read_toml_file(path), str(path))


def _own_wager(data: Mapping[str, object], path: str) -> tuple[Wager, Paytable]:
    found = read_wager(data, path)
    if found.id in PUBLISHED:
        raise InvalidData(f"{path}: id: expected an id of its own, got '{found.id}', a published wager's")
    if found.id in {*SECTIONS, *KEYS}:
        raise InvalidData(f"{path}: id: expected an id of its own, got '{found.id}', which is a key of rule books")
    limits = {spec.last: spec.default for spec in terms_of(found, f"{path}: keys")}
    if int(str(limits.get("cents_max", 1))) < (least := int(str(limits.get("cents_min", 1)))):
        came = show_value(limits["cents_max"])
        raise InvalidData(f"{path}: keys: cents_max: expected at least the minimum of {least} cents, got {came}")
    for key, expected in withdrawal_faults(found, terms := default_terms(found)):
        raise InvalidData(f"{path}: keys.{key}: expected {expected}, got {show_value(getattr(terms, key))}")
    return found, own_paytable(data, found, path)


def _paytable_file(path: Path) -> Paytable:
    return _own_paytable(read_paytable(read_toml_file(path), str(path)), str(path))


def _own_paytable(table: Paytable, path: str) -> Paytable:
    published = {one.casefold(): one for one in paytable_ids()}.get(table.id.casefold())
    if published and table.digest != _published_paytable(published).digest:
        raise InvalidData(f"{path}: id: expected an id of its own, got '{table.id}', a published paytable's")
    return table


def read_toml_file(source: Traversable, what: str = "a TOML file") -> dict[str, Any]:  # a TOML reader
    """Read a file of TOML; what is no plain file, or too long, is refused before it is read."""
    shown = str(source) if str(source).isprintable() else ascii(str(source))
    try:
        _refuse_endless(source, what)
        with source.open("rb") as file:
            raw = file.read(BYTES_MAX + 1)
        endless = len(raw) > BYTES_MAX
        text = "" if endless else raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise MissingData(f"expected {what}, got '{shown}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected {what} that can be read, got '{shown}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidData(f"{shown}: expected {what} in UTF-8, got other bytes") from None
    except InvalidData:
        raise
    except ValueError:  # a path with a NUL
        raise InvalidData(f"{shown}: expected {what} of reasonable size, got one that cannot be read") from None
    if endless:
        raise InvalidData(f"{shown}: expected {what} of {BYTES_MAX:,} bytes at most, got a longer one")
    return read_toml(text, shown)


def _refuse_endless(source: Traversable, what: str) -> None:
    """Refuse what is no plain file, for a pipe would be waited for and a device read without end, or is too long."""
    if isinstance(source, Path) and source.exists():
        if not source.is_file():
            kind = "a folder" if source.is_dir() else "a device or a pipe"
            raise InvalidData(f"expected {what}, got '{source}', which is {kind}")
        if source.stat().st_size > BYTES_MAX:
            raise InvalidData(f"{source}: expected {what} of {BYTES_MAX:,} bytes at most, got a longer one")
