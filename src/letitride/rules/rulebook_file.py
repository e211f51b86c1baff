"""Rule-book file: reads a rule book from TOML data and refuses, in one sentence, what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from letitride.errors import InvalidData
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS, did_you_mean, flatten, one_of, show_value
from letitride.rules.paytables import Paytable
from letitride.rules.rulebook import Origin, RuleBook, Source

_TEXTS: Final = ("id", "title", "document", "edition", "extends")
_TABLES: Final = ("rules", "house", "options", "variants", "notes")
_ALLOWED: Final = (*_TEXTS, "must_state", *_TABLES)

PaytableLoader = Callable[[str], Paytable]
"""Finds a paytable by id or by a path relative to the rule book's file."""


def read_rulebook(
    data: Mapping[str, Any], where: str, parent: RuleBook | None, load_paytable: PaytableLoader
) -> RuleBook:
    """Read a rule book from the data of a TOML file; `where` names the file in refusals."""
    _check_form(data, where)
    book = _start(data, where, parent)
    rules, house = flatten(data.get("rules", {}), where), flatten(data.get("house", {}), where)
    for name in sorted(rules.keys() & house.keys()):
        raise InvalidData(f"{where}: {name}: expected a value in [rules] or in [house], got one in both")
    own, tables = _own_paytables({**rules, **house}, load_paytable)
    unset = frozenset(_key_list(data.get("must_state", []), f"{where}: must_state"))
    book = replace(
        book,
        options={**book.options, **_options(data, where)},
        variants={**book.variants, **{n: flatten(v, where) for n, v in data.get("variants", {}).items()}},
        must_state=(book.must_state | unset) - own.keys(),
        notes={**book.notes, **_notes(data, where)},
        paytables={**book.paytables, **tables},
    )
    book = book.with_values({**own, **dict.fromkeys(unset)}, Source.DOCUMENT, where)
    origins = {**book.origins, **dict.fromkeys(house, Origin(Source.HOUSE, book.id))}
    book = replace(book, origins=origins)
    for name in book.variants:
        book.variant(name)  # a variant that contradicts the book is refused with the book
    return book


def _start(data: Mapping[str, Any], where: str, parent: RuleBook | None) -> RuleBook:
    """Return the book before its own values: its parent's, or every key's default."""
    own = {name: data[name] for name in ("id", "title", "document", "edition") if name in data}
    if parent is not None:
        return replace(parent, **own, lineage=(parent.id, *parent.lineage))
    if "document" in own and not re.fullmatch(r"[a-z]+", own["document"]):
        raise InvalidData(f"{where}: document: expected a clause prefix like 'nsw', got {own['document']!r}")
    return RuleBook(**own, rules=Rules(), origins=dict.fromkeys(KEYS, Origin(Source.HOUSE, own["id"])))


def _check_form(data: Mapping[str, Any], where: str) -> None:
    for name, value in data.items():
        if name not in _ALLOWED:
            # A rule-book key at the top is the likeliest slip: it belongs under [rules].
            hint = "; keys stand under [rules]" if name in {n.split(".")[0] for n in KEYS} else ""
            raise InvalidData(
                f"{where}: expected {one_of(_ALLOWED)}, got the unknown key '{name}'"
                f"{hint or did_you_mean(name, _ALLOWED)}"
            )
        if name in _TEXTS and (not isinstance(value, str) or not value.strip()):
            raise InvalidData(f"{where}: {name}: expected a text, got {show_value(value)}")
        if name in _TABLES and not isinstance(value, Mapping):
            raise InvalidData(f"{where}: {name}: expected a table, got {show_value(value)}")
    for name in ("id", "title"):
        if name not in data:
            raise InvalidData(f"{where}: {name}: expected a text, got nothing")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", data["id"]):
        raise InvalidData(f"{where}: id: expected letters, digits, '.', '_' and '-', got {show_value(data['id'])}")
    for name, value in data.get("variants", {}).items():
        if not isinstance(value, Mapping):
            raise InvalidData(f"{where}: variants.{name}: expected a table, got {show_value(value)}")


def _options(data: Mapping[str, Any], where: str) -> dict[str, tuple[Any, ...]]:
    options = {}
    for name, values in flatten(data.get("options", {}), where).items():
        if not isinstance(values, list):
            raise InvalidData(f"{where}: options.{name}: expected a list of values, got {show_value(values)}")
        for value in values:
            KEYS[name].check(value, f"{where}: options")
        options[name] = tuple(values)
    return options


def _notes(data: Mapping[str, Any], where: str) -> dict[str, str]:
    notes = flatten(data.get("notes", {}), where)
    for name, text in notes.items():
        if not isinstance(text, str):
            raise InvalidData(f"{where}: notes.{name}: expected a text, got {show_value(text)}")
    return notes


def _key_list(value: object, where: str) -> list[str]:
    nullable = [name for name, spec in KEYS.items() if _may_be_unset(name)]
    if not isinstance(value, list):
        raise InvalidData(f"{where}: expected a list of keys, got {show_value(value)}")
    for name in value:
        if name not in nullable:
            raise InvalidData(f"{where}: expected {one_of(nullable)}, got {show_value(name)}")
    return value


def _may_be_unset(name: str) -> bool:
    try:
        KEYS[name].check(None, "")
    except InvalidData:
        return False
    return True


def _own_paytables(values: dict[str, Any], load_paytable: PaytableLoader) -> tuple[dict[str, Any], dict[str, Paytable]]:
    """Load the paytables named by path; in the values, put each one's id in the place of its path."""
    tables: dict[str, Paytable] = {}

    def as_id(ref: object) -> object:
        if not (isinstance(ref, str) and is_path(ref)):
            return ref
        table = load_paytable(ref)
        tables[table.id] = table
        return table.id

    own = dict(values)
    for name, value in values.items():
        if name.endswith(".paytable"):
            own[name] = as_id(value)
        elif name.endswith(".paytables") and isinstance(value, list):
            own[name] = [as_id(ref) for ref in value]
    return own, tables


def is_path(ref: str) -> bool:
    """Whether a reference is a file's path rather than an id."""
    return "/" in ref or "\\" in ref or ref.endswith(".toml")
