"""Rule-book file: reads a rule book from TOML data and refuses, in one sentence, what cannot be one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from letitride.errors import InvalidData
from letitride.rules.file_values import read_text
from letitride.rules.frozen import Frozen
from letitride.rules.keyspec import KEYS, SECTIONS, Keys, build, flatten, keys_with
from letitride.rules.paytables import Paytable
from letitride.rules.rulebook import Origin, RuleBook, Source, Variant
from letitride.rules.table_rules import PaytableLoader, adopt_paytables
from letitride.rules.wagers import Wager
from letitride.rules.words import did_you_mean, one_of, show_value

WagerLoader = Callable[[str], tuple[Wager, Paytable]]
"""Finds a wager by its path, with the pays that its file states."""

_TEXTS: Final = ("id", "title", "name", "document", "edition", "extends")
_TABLES: Final = ("rules", "house", "options", "variants", "notes")
_ALLOWED: Final = (*_TEXTS, "must_state", "wagers", *_TABLES)
_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]*"


def read_rulebook(
    data: Mapping[str, Any],
    where: str,
    parent: RuleBook | None,
    load_paytable: PaytableLoader,
    load_wager: WagerLoader,
) -> RuleBook:
    """Read a rule book from the data of a TOML file; `where` names the file in refusals."""
    _check_form(data, where)
    book = _with_wagers(_start(data, parent), data.get("wagers", []), load_wager, f"{where}: wagers")
    keys = book.keys
    rules, house = flatten(data.get("rules", {}), where, keys), flatten(data.get("house", {}), where, keys)
    unset = _must_state(data.get("must_state", []), f"{where}: must_state")
    for name in sorted((rules.keys() & house.keys()) | (unset & {*rules, *house})):
        raise InvalidData(f"{where}: {name}: expected it in one of [rules], [house] and must_state, got it in two")
    own, tables = adopt_paytables({**rules, **house}, book.paytables, load_paytable, where)
    inherited = {name: values for name, values in book.options.items() if name not in {*rules, *house}}
    book = replace(
        book,
        options=Frozen({**inherited, **_options(data, where, keys)}),
        variants=Frozen(
            {**book.variants, **{n: _variant(v, where, keys, book.id) for n, v in data.get("variants", {}).items()}}
        ),
        must_state=(book.must_state | unset) - own.keys(),
        # The note of a book that is extended speaks of that book's value.
        notes=Frozen({**{n: t for n, t in book.notes.items() if n not in own}, **_notes(data, where, keys)}),
        paytables=tables,
    )
    book = book.with_values({**own, **dict.fromkeys(unset)}, Source.DOCUMENT, where)
    book = replace(book, origins=Frozen({**book.origins, **dict.fromkeys(house, Origin(Source.HOUSE, book.id))}))
    _check_options(book, where)
    return _with_possible_variants(book, data.get("variants", {}), where)


def _with_possible_variants(book: RuleBook, own: Mapping[str, Any], where: str) -> RuleBook:
    """Return a book with the variants that go with its values; one of its own that does not is refused with the book.

    A variant that it inherits was offered with other values: where it cannot apply any more, the book says why.
    """
    possible, lost = dict(book.variants), dict(book.lost_variants)
    for name in book.variants:
        try:
            book.variant(name, f"{where}: variants.{name}")
        except InvalidData as error:
            if name in own:
                raise
            del possible[name]
            lost[name] = str(error).removeprefix(f"{where}: variants.{name}: ")
    lost = {name: why for name, why in lost.items() if name not in own}
    return replace(book, variants=Frozen(possible), lost_variants=Frozen(lost))


def _start(data: Mapping[str, Any], parent: RuleBook | None) -> RuleBook:
    """Return the book before its own values: its parent's, or every key's default."""
    texts = {name: data[name] for name in _TEXTS if name in data and name != "extends"}
    own = {"name": "", "document": "", "edition": "", **texts}
    if parent is not None:
        return replace(parent, **own, lineage=(parent.id, *parent.lineage))
    return RuleBook(**own, rules=build({}), origins=Frozen(dict.fromkeys(KEYS, Origin(Source.HOUSE, own["id"]))))


def _with_wagers(book: RuleBook, refs: object, load: WagerLoader, where: str) -> RuleBook:
    """Return a book that knows the wagers which a file names by path, with their pays."""
    if not isinstance(refs, list) or not all(isinstance(ref, str) for ref in refs):
        raise InvalidData(f"{where}: expected a list of paths to wager files, got {show_value(refs)}")
    wagers, tables = dict(book.wagers), dict(book.paytables)
    for ref in refs:
        try:
            wager, table = load(ref)
        except InvalidData as error:
            raise InvalidData(f"{where}: {error}") from None
        for what, mine, taken in (
            ("id", wager.id, {*wagers, *(spot for one in wagers.values() for spot in one.spots)}),
            ("title", wager.title, {one.title for one in wagers.values()}),
        ):
            if mine in taken:
                raise InvalidData(f"{where}: {ref}: {what}: expected one of its own, got {show_value(mine)} again")
        wagers[wager.id], tables[table.id] = wager, table
    own = {
        spec.name: Origin(Source.HOUSE, book.id) for spec in keys_with(wagers).values() if spec.name not in book.keys
    }
    stated = {name: spec.read(book.rules) for name, spec in book.keys.items()}
    return replace(
        book,
        wagers=Frozen(wagers),
        paytables=Frozen(tables),
        rules=build(stated, wagers),
        origins=Frozen({**book.origins, **own}),
    )


def _check_form(data: Mapping[str, Any], where: str) -> None:
    for name, value in data.items():
        if name not in _ALLOWED:
            # A rule-book key at the top is the likeliest slip: it belongs under [rules].
            hint = "; keys stand under [rules]" if name in {*KEYS, *SECTIONS} else did_you_mean(name, _ALLOWED)
            raise InvalidData(f"{where}: expected {one_of(_ALLOWED)}, got the unknown key {show_value(name)}{hint}")
        if name in _TEXTS and not (isinstance(value, str) and value.strip() and value.isprintable()):
            raise InvalidData(f"{where}: {name}: expected a text on one line, got {show_value(value)}")
        if name in _TABLES and not isinstance(value, Mapping):
            raise InvalidData(f"{where}: {name}: expected a table, got {show_value(value)}")
    for name in ("id", "title"):
        if name not in data:
            raise InvalidData(f"{where}: {name}: expected a text, got nothing")
    if not re.fullmatch(_NAME, data["id"]):
        raise InvalidData(f"{where}: id: expected a name like 'my-room-1', got {show_value(data['id'])}")
    for name, value in data.get("variants", {}).items():
        if not re.fullmatch(r"\w+", name):
            raise InvalidData(f"{where}: variants: expected a name like 'two_decks', got {show_value(name)}")
        if not isinstance(value, Mapping) or not isinstance(value.get("house", {}), Mapping):
            raise InvalidData(f"{where}: variants.{name}: expected a table, got {show_value(value)}")


def _variant(data: Mapping[str, Any], where: str, keys: Keys, book: str) -> Variant:
    rules = {name: value for name, value in data.items() if name not in {"house", "title"}}
    house = Frozen(flatten(data.get("house", {}), where, keys))
    title = read_text(data["title"], f"{where}: title") if "title" in data else ""
    return Variant(Frozen(flatten(rules, where, keys)), house, book, title)


def _options(data: Mapping[str, Any], where: str, keys: Keys) -> dict[str, tuple[Any, ...]]:
    options = {}
    for name, values in flatten(data.get("options", {}), where, keys).items():
        if not isinstance(values, list):
            raise InvalidData(f"{where}: options.{name}: expected a list of values, got {show_value(values)}")
        for value in values:
            keys[name].check(value, f"{where}: options")
        options[name] = tuple(values)
    return options


def _check_options(book: RuleBook, where: str) -> None:
    values = book.values()
    for name, options in book.options.items():
        if name in values and values[name] not in options:
            came = show_value(options)
            raise InvalidData(f"{where}: options.{name}: expected a list with {show_value(values[name])}, got {came}")


def _notes(data: Mapping[str, Any], where: str, keys: Keys) -> dict[str, str]:
    notes: dict[str, str] = {}
    for name, text in flatten(data.get("notes", {}), where, keys).items():
        if not isinstance(text, str) or not text.isprintable():
            raise InvalidData(f"{where}: notes.{name}: expected a text on one line, got {show_value(text)}")
        notes[name] = text
    return notes


def _must_state(value: object, where: str) -> frozenset[str]:
    if not isinstance(value, list):
        raise InvalidData(f"{where}: expected a list of keys, got {show_value(value)}")
    may_be_unset = [name for name, spec in KEYS.items() if spec.may_be_unset]
    for name in value:
        if name not in may_be_unset:
            raise InvalidData(f"{where}: expected {one_of(may_be_unset)}, got {show_value(name)}")
    return frozenset(value)
