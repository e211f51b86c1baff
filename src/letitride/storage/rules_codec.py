"""Rules codec: a table's resolved rules as plain data and back, complete in themselves; never a look into a catalog."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import msgspec

from letitride.errors import InvalidData
from letitride.rules.frozen import Frozen
from letitride.rules.hands import Category
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS
from letitride.rules.paytables import AnyCategory, Award, Pays, Paytable, Wager
from letitride.rules.retired import without_retired
from letitride.rules.rulebook import Origin, RuleBook, Source, Variant
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import ThreeCardCategory

_CATEGORIES: Final[dict[Wager, dict[str, AnyCategory]]] = {
    wager: {one.name.lower(): one for one in (ThreeCardCategory if wager is Wager.THREE_CARD else Category)}
    for wager in Wager
}


class WirePays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a wager pays, its hands by name and its pays as '3/2'."""

    award: Award
    listed: tuple[str, ...]
    columns: tuple[dict[str, str], ...]
    clauses: tuple[str, ...]
    printed_par: str | None
    printed_hit_frequency: str | None
    printed_in: str | None


class WirePaytable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A paytable."""

    title: str
    pays: dict[Wager, WirePays]


class WireVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A variant of a book."""

    rules: dict[str, Any]  # a codec: the keys' own types check them
    house: dict[str, Any]  # likewise


class WireBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule book with the origin of each value."""

    id: str
    title: str
    document: str
    edition: str
    lineage: tuple[str, ...]
    rules: msgspec.Raw
    """The values of all keys, less later ones at their default; older versions wrote keys that are retired now."""
    origins: dict[str, tuple[Source, str]]
    options: dict[str, tuple[Any, ...]]
    variants: dict[str, WireVariant]
    must_state: tuple[str, ...]
    notes: dict[str, str]
    paytables: dict[str, WirePaytable]


class WireRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a table carries from its opening."""

    book: WireBook
    pays: dict[Wager, WirePays]
    paytables: dict[Wager, str]
    step_clauses: dict[str, tuple[str, ...]]
    ruling_clauses: dict[str, tuple[str, ...]]


def to_wire(table: TableRules) -> WireRules:
    """Return a table's rules as they are written."""
    book = table.book
    later = _later(book.id)
    return WireRules(
        book=WireBook(
            id=book.id,
            title=book.title,
            document=book.document,
            edition=book.edition,
            lineage=book.lineage,
            rules=_rules_out(book.rules),
            origins={
                name: (origin.source, origin.book)
                for name, origin in book.origins.items()
                if origin != later.get(name) or KEYS[name].is_digested(book.rules)
            },
            options=dict(book.options),
            variants={
                name: WireVariant(dict(variant.rules), dict(variant.house)) for name, variant in book.variants.items()
            },
            must_state=tuple(sorted(book.must_state)),  # a set has no order; one value has one spelling
            notes=dict(book.notes),
            paytables={
                name: WirePaytable(one.title, {wager: _pays_out(pays) for wager, pays in one.pays.items()})
                for name, one in book.paytables.items()
            },
        ),
        pays={wager: _pays_out(pays) for wager, pays in table.pays.items()},
        paytables=dict(table.paytables),
        step_clauses=dict(table.step_clauses),
        ruling_clauses=dict(table.ruling_clauses),
    )


def from_wire(wire: WireRules) -> TableRules:
    """Return the rules that were written."""
    book = wire.book
    origins = {name: Origin(source, given) for name, (source, given) in book.origins.items() if name in KEYS}
    origins = {**origins, **{name: origin for name, origin in _later(book.id).items() if name not in origins}}
    read = RuleBook(
        id=book.id,
        title=book.title,
        rules=_rules_in(book.rules),
        document=book.document,
        edition=book.edition,
        lineage=book.lineage,
        origins=Frozen(origins),
        options=Frozen({name: values for name, values in book.options.items() if name in KEYS}),
        variants=Frozen({name: _variant_in(one) for name, one in book.variants.items()}),
        must_state=frozenset(book.must_state),
        notes=Frozen({name: note for name, note in book.notes.items() if name in KEYS}),
    )
    own = {
        name: Paytable(name, one.title, Frozen({wager: _pays_in(wager, pays) for wager, pays in one.pays.items()}))
        for name, one in book.paytables.items()
    }
    return TableRules(
        book=replace(read, paytables=Frozen(own)),
        pays=Frozen({wager: _pays_in(wager, pays) for wager, pays in wire.pays.items()}),
        paytables=Frozen(wire.paytables),
        step_clauses=Frozen(wire.step_clauses),
        ruling_clauses=Frozen(wire.ruling_clauses),
    )


def _later(book_id: str) -> dict[str, Origin]:
    """Return where later keys come from in a book that was written before there were any."""
    return {name: Origin(Source.HOUSE, book_id) for name, spec in KEYS.items() if spec.later}


def _rules_out(rules: Rules) -> msgspec.Raw:
    """Return the values of all keys; a later one at its default is left out, and older books are written as ever."""
    tree = msgspec.to_builtins(rules)
    for name, spec in KEYS.items():
        if spec.later and spec.read(rules) == spec.default:
            section, _, last = name.rpartition(".")
            del (tree[section] if section else tree)[last]
    return msgspec.Raw(msgspec.json.encode(tree))


def _rules_in(written: msgspec.Raw) -> Rules:
    try:
        return msgspec.convert(without_retired(msgspec.json.decode(written)), Rules, strict=True)
    except msgspec.ValidationError as error:
        raise InvalidData(f"expected the values of a rule book, got something else ({error})") from None


def _variant_in(wire: WireVariant) -> Variant:
    rules, house = ({name: v for name, v in values.items() if name in KEYS} for values in (wire.rules, wire.house))
    return Variant(Frozen(rules), Frozen(house))


def _pays_out(pays: Pays) -> WirePays:
    return WirePays(
        award=pays.award,
        listed=tuple(category.name.lower() for category in pays.listed),
        columns=tuple({category.name.lower(): str(pay) for category, pay in one.items()} for one in pays.columns),
        clauses=pays.clauses,
        printed_par=pays.printed_par,
        printed_hit_frequency=pays.printed_hit_frequency,
        printed_in=pays.printed_in,
    )


def _pays_in(wager: Wager, wire: WirePays) -> Pays:
    names = _CATEGORIES[wager]
    try:
        return Pays(
            wager=wager,
            award=wire.award,
            listed=tuple(names[name] for name in wire.listed),
            columns=tuple(Frozen({names[name]: Fraction(pay) for name, pay in one.items()}) for one in wire.columns),
            clauses=wire.clauses,
            printed_par=wire.printed_par,
            printed_hit_frequency=wire.printed_hit_frequency,
            printed_in=wire.printed_in,
        )
    except KeyError as error:
        raise InvalidData(f"expected a hand that the {wager} wager pays, got {error}") from None
    except (ValueError, ZeroDivisionError):
        raise InvalidData(f"expected the pays of the {wager} wager as numbers or fractions, got others") from None
