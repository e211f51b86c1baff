"""Rules codec: a table's resolved rules as plain data and back, complete in themselves; never a look into a catalog."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from letitride.errors import InvalidData
from letitride.rules.frozen import Frozen
from letitride.rules.keys import Rules
from letitride.rules.keyspec import Keys, build, keys_with
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.rankings import BY_POKER, AnyCategory, ListedRank, Ranking
from letitride.rules.retired import without_retired
from letitride.rules.rulebook import Origin, RuleBook, Source, Variant
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import CARDS, LATER, Award, JudgedOn, Meter, Take, Wager


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
    pays: dict[str, WirePays]


PlainTerm = bool | int | str | tuple[str, ...]
"""The value of one key of a wager."""


class WireRank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rank that a wager's own file lists."""

    id: str
    label: str
    when: dict[str, str | int | tuple[str, ...]]


class WireMeter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The jackpot of a wager; what a rank takes of it as (percent, cents)."""

    seed_cents: int
    contribution_ppm: int
    takes: dict[str, tuple[int, int]]
    shared: bool = False
    """Left out where the meter is one table's own, as it was before any was shared."""


class WireWager(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house's own wager."""

    title: str
    about: str
    label: str
    order: int
    judged_on: JudgedOn
    ranks: tuple[WireRank, ...]
    """None where poker's own ranking names the cards."""
    pays_from: str
    awards: tuple[Award, ...]
    keys: dict[str, PlainTerm]
    unlisted: dict[str, str]
    meter: WireMeter | None = None
    envy: dict[str, int] = {}
    withdraw: tuple[int, ...] = ()
    withdraw_percent: int = 100


class WireVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A variant of a book."""

    rules: dict[str, Any]  # a codec: the keys' own types check them
    house: dict[str, Any]  # likewise


class WireBook(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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
    wagers: dict[str, WireWager] = {}
    """The book's own wagers; left out where it has none, as it was before there were any."""


class WireRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a table carries from its opening."""

    book: WireBook
    pays: dict[str, WirePays]
    paytables: dict[str, str]
    step_clauses: dict[str, tuple[str, ...]]
    ruling_clauses: dict[str, tuple[str, ...]]


def to_wire(table: TableRules) -> WireRules:
    """Return a table's rules as they are written."""
    book, keys = table.book, table.book.keys
    later = _later(book.id, keys)
    return WireRules(
        book=WireBook(
            id=book.id,
            title=book.title,
            document=book.document,
            edition=book.edition,
            lineage=book.lineage,
            rules=_rules_out(book.rules, keys),
            origins={
                name: (origin.source, origin.book)
                for name, origin in book.origins.items()
                if origin != later.get(name) or keys[name].is_digested(book.rules)
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
            wagers={name: _wager_out(wager) for name, wager in book.own_wagers.items()},
        ),
        pays={wager: _pays_out(pays) for wager, pays in table.pays.items()},
        paytables=dict(table.paytables),
        step_clauses=dict(table.step_clauses),
        ruling_clauses=dict(table.ruling_clauses),
    )


def from_wire(wire: WireRules) -> TableRules:
    """Return the rules that were written."""
    book = wire.book
    wagers = {**PUBLISHED, **{name: _wager_in(name, one) for name, one in book.wagers.items()}}
    keys = keys_with(wagers)
    origins = {name: Origin(source, given) for name, (source, given) in book.origins.items() if name in keys}
    origins = {**origins, **{name: origin for name, origin in _later(book.id, keys).items() if name not in origins}}
    read = RuleBook(
        id=book.id,
        title=book.title,
        rules=_rules_in(book.rules, wagers),
        document=book.document,
        edition=book.edition,
        lineage=book.lineage,
        origins=Frozen(origins),
        options=Frozen({name: values for name, values in book.options.items() if name in keys}),
        variants=Frozen({name: _variant_in(one, keys) for name, one in book.variants.items()}),
        must_state=frozenset(book.must_state),
        notes=Frozen({name: note for name, note in book.notes.items() if name in keys}),
        wagers=Frozen(wagers),
    )
    own = {
        name: Paytable(name, one.title, Frozen({name: _pays_in(name, pays, wagers) for name, pays in one.pays.items()}))
        for name, one in book.paytables.items()
    }
    rules = TableRules(
        book=replace(read, paytables=Frozen(own)),
        pays=Frozen({name: _pays_in(name, pays, wagers) for name, pays in wire.pays.items()}),
        paytables=Frozen(wire.paytables),
        step_clauses=Frozen(wire.step_clauses),
        ruling_clauses=Frozen(wire.ruling_clauses),
    )
    return _shared(rules)


@lru_cache(maxsize=64)
def _shared(rules: TableRules) -> TableRules:
    """Return the rules equal to these that were read first: tables by the same rules keep them once."""
    return rules


def _later(book_id: str, keys: Keys) -> dict[str, Origin]:
    """Return where later keys come from in a book that was written before there were any."""
    return {name: Origin(Source.HOUSE, book_id) for name, spec in keys.items() if spec.later}


def _rules_out(rules: Rules, keys: Keys) -> msgspec.Raw:
    """Return the values of all keys; a later one at its default is left out, and older books are written as ever."""
    tree: dict[str, object] = {}
    sections: dict[str, dict[str, object]] = {}
    for name, spec in keys.items():
        if spec.later and spec.read(rules) == spec.default:
            continue
        section, _, last = name.rpartition(".")
        if section not in sections:
            sections[section] = tree if not section else {}
            tree |= {section: sections[section]} if section else {}
        sections[section][last] = msgspec.to_builtins(spec.read(rules))
    return msgspec.Raw(msgspec.json.encode(tree))


def _rules_in(written: msgspec.Raw, wagers: Mapping[str, Wager]) -> Rules:
    keys = keys_with(wagers)
    flat: dict[str, object] = {}
    for name, value in without_retired(msgspec.json.decode(written)).items():
        table = isinstance(value, dict) and name not in keys
        flat |= {f"{name}.{last}": held for last, held in value.items()} if table else {name: value}  # type: ignore[attr-defined]  # a table
    if unknown := flat.keys() - keys.keys():
        raise InvalidData(f"expected the values of a rule book, got something else ({min(unknown)})")
    return build({name: keys[name].check(value, "rule book") for name, value in flat.items()}, wagers)


def _variant_in(wire: WireVariant, keys: Keys) -> Variant:
    rules, house = ({name: v for name, v in values.items() if name in keys} for values in (wire.rules, wire.house))
    return Variant(Frozen(rules), Frozen(house))


def _wager_out(wager: Wager) -> WireWager:
    ranks = [rank for rank in wager.ranking.ranks if isinstance(rank, ListedRank)]
    return WireWager(
        title=wager.title,
        about=wager.about,
        label=wager.label,
        order=wager.order,
        judged_on=wager.judged_on,
        ranks=tuple(WireRank(rank.id, rank.label, dict(rank.when)) for rank in ranks),
        pays_from=wager.pays_from.name.lower(),
        awards=wager.awards,
        keys=msgspec.convert(dict(wager.keys), dict[str, PlainTerm]),
        unlisted={one.name.lower(): like.name.lower() for one, like in wager.unlisted.items()},
        meter=_meter_out(wager.meter) if wager.meter is not None else None,
        envy={rank.name.lower(): cents for rank, cents in wager.envy.items()},
        withdraw=wager.withdraw,
        withdraw_percent=wager.withdraw_percent,
    )


def _meter_out(meter: Meter) -> WireMeter:
    takes = {rank.name.lower(): (take.percent, take.cents) for rank, take in meter.takes.items()}
    return WireMeter(meter.seed_cents, meter.contribution_ppm, takes, meter.shared)


def _meter_in(wire: WireMeter, names: Mapping[str, AnyCategory]) -> Meter:
    takes = {names[name]: Take(percent, cents) for name, (percent, cents) in wire.takes.items()}
    return Meter(wire.seed_cents, wire.contribution_ppm, Frozen(takes), wire.shared)


def _wager_in(name: str, wire: WireWager) -> Wager:
    places = range(len(wire.ranks) - 1, -1, -1)
    ranks = tuple(
        ListedRank(at, one.id, one.label, Frozen(one.when)) for at, one in zip(places, wire.ranks, strict=True)
    )
    ranking = Ranking(name, CARDS[wire.judged_on], ranks) if ranks else BY_POKER.get(CARDS[wire.judged_on])
    if ranking is None:
        raise InvalidData(f"expected the ranks of the wager '{name}', got none")
    names = {rank.name.lower(): rank for rank in ranking.ranks}
    try:
        return Wager(
            id=name,
            title=wire.title,
            about=wire.about,
            label=wire.label,
            order=wire.order,
            spots=(name,),
            judged_on=wire.judged_on,
            ranking=ranking,
            pays_from=names[wire.pays_from],
            awards=wire.awards,
            keys=Frozen(wire.keys),
            unlisted=Frozen({names[one]: names[like] for one, like in wire.unlisted.items()}),
            meter=_meter_in(wire.meter, names) if wire.meter is not None else None,
            envy=Frozen({names[rank]: cents for rank, cents in wire.envy.items()}),
            withdraw=wire.withdraw,
            withdraw_percent=wire.withdraw_percent,
            later=LATER,
            published=False,
        )
    except KeyError as error:
        raise InvalidData(f"expected a rank of the wager '{name}', got {error}") from None


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


def _pays_in(wager: str, wire: WirePays, wagers: Mapping[str, Wager]) -> Pays:
    if wager not in wagers:
        raise InvalidData(f"expected a wager of the book, got '{wager}'")
    names = {rank.name.lower(): rank for rank in wagers[wager].ranking.ranks}
    try:
        return Pays(
            wager=wagers[wager],
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
