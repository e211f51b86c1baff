"""Dealable: whether rounds can be dealt by a rule book, found by dealing them; else which two keys are in the way."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from letitride.autoplay.read_keys import Known, Reads, keys_read, with_reader
from letitride.autoplay.trial_rounds import SCENARIOS, Trial
from letitride.engine.promises import PromiseBroken
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.checks import find_faults
from letitride.rules.clashes import describe_clash, find_remedies
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KeySpec
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook
from letitride.rules.table_rules import TableRules, resolve
from letitride.rules.values import Values
from letitride.rules.words import one_of, show_value


@dataclass(frozen=True, slots=True)
class Undealt:
    """A scenario that does not come to its end as it must, and what is wrong."""

    scenario: str
    what: str
    read: tuple[str, ...]
    """The keys whose values were read in it."""


@dataclass(slots=True)
class Dealt:
    """What was dealt to try a book, and what it says that governs nothing."""

    tables: list[str] = field(default_factory=list)
    """The tables by which rounds were dealt: the book, its variants, and what a table may choose."""
    trial: Trial = field(default_factory=Trial)
    lost_variants: dict[str, str] = field(default_factory=dict)
    """Variants of the books it extends that it leaves no room for, each with the reason."""
    inert_keys: dict[str, str] = field(default_factory=dict)
    """Keys that the book itself sets though they govern nothing, each with where they would."""

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return self.trial.settled + self.trial.disturbed


_KNOWN: Final[dict[tuple[Any, ...], Known[Trial | Undealt]]] = {}
"""What was dealt in this process, by scenario and paytables: what reads alike is not dealt again."""
_KNOWN_MAX: Final = 2_000
_LOCK: Final = Lock()


def deal_rounds(rules: TableRules) -> Trial | Undealt:
    """Deal complete rounds by a table's rules, undisturbed and with every irregularity; return the first that fails."""
    whole, book = Trial(), rules.book
    pays = [(wager, name, getattr(book.paytables.get(name), "digest", "")) for wager, name in rules.paytables.items()]
    own = (*pays, *((name, wager.digest) for name, wager in book.own_wagers.items()))
    for name in SCENARIOS:
        with _LOCK:
            if len(_KNOWN) > _KNOWN_MAX:
                _KNOWN.clear()
            known = _KNOWN.setdefault((name, *own), Known())
            found = known.find(lambda key: book.keys[key].read(book.rules))
        if found is None:
            found, reads = _deal(rules, name)
            with _LOCK:
                known.add(reads, found)
        if isinstance(found, Undealt):
            return found
        whole.count(found)
    return whole


def _deal(rules: TableRules, name: str) -> tuple[Trial | Undealt, Reads]:
    noted, reads = with_reader(rules, rules.rules)
    try:
        return SCENARIOS[name](noted), reads
    except PromiseBroken as broken:
        return Undealt(name, str(broken), keys_read(reads)), reads


def check_table(rules: TableRules, where: str = "") -> Trial:
    """Deal rounds by a table's rules, or refuse them with the two keys that do not go together and what would go."""
    found = deal_rounds(rules)
    if isinstance(found, Trial):
        return found
    clash = _clash(rules, found)
    raise InvalidData(
        f"{where or rules.book.id}: expected rules by which a round can be dealt, got {clash} "
        f"({found.scenario}: {found.what})"
    )


def _clash(rules: TableRules, failed: Undealt) -> str:
    """Return the two keys that do not go together, those first that the book itself sets."""
    book = rules.book

    def deals(values: Rules) -> bool:
        other = dataclasses.replace(rules, book=dataclasses.replace(book, rules=values))
        return isinstance(_deal(other, failed.scenario)[0], Trial)

    def goes(values: Rules) -> bool:
        return next(find_faults(values, book.wagers), None) is None and deals(values)

    own = [key for key in failed.read if book.origins[key].book == book.id]
    specs: list[KeySpec] = [book.keys[key] for key in dict.fromkeys((*own, *failed.read))]
    remedies = find_remedies(book.rules, specs, goes)
    if len(remedies) > 1:
        return describe_clash(remedies[0], remedies[1])
    first = [one.key for one in remedies]
    involved = find_remedies(book.rules, (spec for spec in specs if spec.name not in first), deals)
    if remedies and involved:  # the other value alone would contradict a third key
        return f"{remedies[0]} and {involved[0]} do not go together; {remedies[0].would_go} would go"
    return f"{' and '.join(str(one) for one in (*remedies, *involved)[:2]) or 'values'} that do not go together"


def check_book(book: RuleBook) -> Dealt:
    """Deal rounds by a book, its variants and what a table by it may choose, or refuse it.

    A variant that the book inherits and leaves no room for is named, and refuses nothing.
    """
    dealt = Dealt(lost_variants=dict(book.lost_variants))
    dealt.trial.count(check_table(_ready(book)))
    ways = {book.id: book}
    for name in () if "+" in book.id else book.variants:  # a variant that was chosen is tried as it is
        try:
            varied = book.variant(name)
            dealt.trial.count(check_table(_ready(varied)))
        except InvalidData as error:
            if book.variants[name].book == split_variants(book.id)[0]:
                raise
            dealt.lost_variants[name] = str(error)
            continue
        ways[varied.id] = varied
    for chosen, label in _chosen(book):
        dealt.trial.count(check_table(_ready(chosen), label))
        ways[label] = chosen
    dealt.tables = list(ways)
    dealt.inert_keys = dict(_inert(book, ways))
    return dealt


def _ready(book: RuleBook) -> TableRules:
    """Return a book for a table, with values that go with it where it leaves limits and fees to the table."""
    limit, missing = book.rules.limit, book.missing()
    least = limit.cents_min or min(_LEAST, limit.cents_max or _LEAST)
    most = limit.cents_max or _TIMES * least
    tier = {"limit_cents_max": most, "wager_cents": 50, "bank_cents": 200}
    values: Values = {"limit.cents_min": least, "limit.cents_max": most, "fee.tiers": [tier]}
    stated = {key: value for key, value in values.items() if key in missing}
    return resolve(book.for_table(stated) if stated else book, catalog.paytable)


_LEAST: Final = 500
_TIMES: Final = 20
"""What a table states as its limits: $5, and so many times its minimum."""


def _chosen(book: RuleBook) -> Iterator[tuple[RuleBook, str]]:
    """Yield the book with each value that a table may choose, where the others let it."""
    values = book.values()
    for key, options in book.options.items():
        for value in options:
            if key not in values or value == values[key]:
                continue
            try:
                yield book.for_table({key: value}), f"{book.id} with {key} = {show_value(value)}"
            except InvalidData:
                continue  # it is chosen together with other values, or not at all


def _inert(book: RuleBook, ways: Mapping[str, RuleBook]) -> Iterator[tuple[str, str]]:
    """Yield the keys that a book itself sets though they govern nothing as it stands, with where they would."""
    for name, spec in book.keys.items():
        if not book.lineage or book.origins[name].book != book.id or spec.applies_to(book.rules) or not spec.applies:
            continue
        other, *wanted = spec.applies
        where = [way for way, varied in ways.items() if spec.applies_to(varied.rules)]
        so = f", as by {' or '.join(where)}" if where else ""
        yield name, f"it applies where {other} is {one_of(wanted)}{so}"
