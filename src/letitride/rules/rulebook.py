"""Rule book: a document's rules as one value, with the origin of every key; never a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.rules.checks import check_rules
from letitride.rules.digest import sha256
from letitride.rules.frozen import Frozen
from letitride.rules.keys import Rules
from letitride.rules.keyspec import Keys, applies_in, build, hint, keys_with
from letitride.rules.paytables import Paytable
from letitride.rules.refs import split_variants
from letitride.rules.retired import RETIRED
from letitride.rules.shown import Page, Shown, grid
from letitride.rules.values import PlainValue, RuleValue, Values
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Wager
from letitride.rules.words import one_of, show_value


class Source(StrEnum):
    """Where a key's value comes from."""

    DOCUMENT = "document"
    """The rule document says so."""
    HOUSE = "house"
    """The document is silent or leaves it open: a house default, not that document's rule."""
    TABLE = "table"
    """Set for one table."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a key's value comes from: the kind of source, and the book that gave the value."""

    source: Source
    book: str


@dataclass(frozen=True, slots=True)
class Variant:
    """Values that a document offers together, and those it leaves to the house when they are chosen."""

    rules: Values
    house: Values
    book: str = field(default="", compare=False)
    """The book that offers it, where that is known: a house's own book has those of the book it extends."""
    title: str = field(default="", compare=False)
    """What people call it; its name where the book gives it no title."""

    def values(self) -> dict[str, PlainValue]:
        """Return all of them as plain data."""
        return {name: msgspec.to_builtins(value) for name, value in {**self.rules, **self.house}.items()}


@dataclass(frozen=True, slots=True, repr=False)
class RuleBook(Shown):
    """A rule book, resolved: every key has its value, and knows where it comes from."""

    id: str
    title: str
    rules: Rules
    document: str = ""
    """The prefix of its clauses in the register, such as 'nsw'; empty for a house's own book."""
    edition: str = ""
    name: str = field(default="", compare=False)
    """What people call it for short, as in the names of tables; empty: the first words of its title."""
    lineage: tuple[str, ...] = ()
    """The books it extends, nearest first."""
    origins: Mapping[str, Origin] = field(default_factory=dict)
    options: Mapping[str, tuple[PlainValue, ...]] = field(default_factory=dict)
    """The values among which the document lets a table choose."""
    variants: Mapping[str, Variant] = field(default_factory=dict)
    """Named sets of values that the document offers together."""
    lost_variants: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Variants of the books it extends that its own values rule out, with the reason."""
    must_state: frozenset[str] = frozenset()
    """Keys without a value that a table has to state before it opens."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Why a key has its value, where the document contradicts itself, is silent or unclear."""
    paytables: Mapping[str, Paytable] = field(default_factory=dict)
    """The book's own paytables, by id."""
    wagers: Mapping[str, Wager] = field(default_factory=lambda: PUBLISHED)
    """The wagers it knows, offered or not: the published ones and its own, by id."""
    _digest: list[str] = field(default_factory=list, init=False, compare=False)
    """The digest, once it has been asked for."""

    def headline(self) -> str:
        """Return the book in one line."""
        return f"{self.id}: {self.title}"

    def shown(self) -> Page:
        """Return what the book is, and every key with its value and where that comes from."""
        values = self.values()
        sources = Counter(str(self.origins[name].source) for name in values)
        facts = (
            ("edition", self.edition),
            ("extends", ", ".join(self.lineage)),
            ("keys", ", ".join(f"{many} by the {source}" for source, many in sources.most_common())),
            ("variants", ", ".join(self.variants)),
            ("open", ", ".join(self.missing())),
            ("sha256", self.digest),
        )
        rows = ((name, show_value(value), self.origins[name].source) for name, value in values.items())
        keys = grid(["key", "value", "source"], rows, "every key that means anything here", folded=True)
        return Page(self.headline(), tuple((label, fact) for label, fact in facts if fact), (keys,))

    @property
    def keys(self) -> Keys:
        """Every key that it may give a value, by name."""
        return keys_with(self.wagers)

    @property
    def own_wagers(self) -> Mapping[str, Wager]:
        """The wagers that come with the book rather than with letitride."""
        return {name: wager for name, wager in self.wagers.items() if not wager.published}

    def value(self, name: str) -> RuleValue:
        """Return the value of a key such as 'deal.unit'."""
        if name not in self.keys:
            raise MissingData(f"expected a rule-book key, got '{name}'{hint(name, self.keys)}")
        return self.keys[name].read(self.rules)

    def values(self) -> dict[str, PlainValue]:
        """Return {key: value} for every key that means anything in this book, as plain data."""
        return {
            name: msgspec.to_builtins(spec.read(self.rules))
            for name, spec in self.keys.items()
            if spec.applies_to(self.rules)
        }

    @property
    def digest(self) -> str:
        """SHA-256 over the values and the book's own paytables, so that no key comes or goes in a published book.

        Later keys count where they do not have their default and letitride does not fill them in for a document that
        is silent; retired ones count where they applied.
        """
        if not self._digest:
            tables = {name: table.digest for name, table in self.paytables.items()}
            keys = self.keys
            values = {
                name: value
                for name, value in self.values().items()
                if keys[name].is_digested(self.rules) and not (keys[name].later and self._fills_in(name))
            }
            values |= {key.name: key.value for key in RETIRED if applies_in(key.applies, self.rules)}
            whole: dict[str, object] = {"id": self.id, "paytables": tables, "rules": values}
            if self.own_wagers:
                whole["wagers"] = {name: wager.digest for name, wager in self.own_wagers.items()}
            self._digest.append(sha256(whole))
        return self._digest[0]

    def _fills_in(self, name: str) -> bool:
        """Whether a published book gives a key its value where its document is silent."""
        origin = self.origins.get(name)
        own = not self.document and origin is not None and origin.book == split_variants(self.id)[0]
        return origin is not None and origin.source is Source.HOUSE and not own

    def missing(self) -> tuple[str, ...]:
        """Return the keys a table must still state before it can open."""
        return tuple(
            name for name, spec in self.keys.items() if spec.applies_to(self.rules) and spec.read(self.rules) is None
        )

    def with_values(self, values: Values, source: Source, where: str) -> RuleBook:
        """Return the book with other values, each checked by itself and then all together."""
        keys = self.keys
        checked = {name: keys[name].check(value, where) for name, value in values.items()}
        stated = {name: spec.read(self.rules) for name, spec in keys.items()}
        rules = build({**stated, **checked}, self.wagers)
        check_rules(rules, where, self.wagers)
        origins = {**self.origins, **dict.fromkeys(checked, Origin(source, self.id))}
        return replace(self, rules=rules, origins=Frozen(origins))

    def variant(self, name: str, where: str = "") -> RuleBook:
        """Return the book as one of its named variants has it; `where` names the place in refusals."""
        if name in self.lost_variants:
            raise MissingData(
                f"{self.id}: the variant '{name}' does not go with its values: {self.lost_variants[name]}"
            )
        if name not in self.variants:
            offered = one_of(self.variants) if self.variants else "no variant, since it has none"
            raise MissingData(f"{self.id}: expected {offered}, got the unknown variant {show_value(name)}")
        chosen, varied = self.variants[name], f"{self.id}+{name}"
        changed = self.with_values({**chosen.rules, **chosen.house}, Source.DOCUMENT, where or varied)
        mine = chosen.book in {"", split_variants(self.id)[0]}
        given_by = self.id if mine else chosen.book
        origins = {
            **changed.origins,
            **dict.fromkeys(chosen.rules, Origin(Source.DOCUMENT, given_by)),
            **dict.fromkeys(chosen.house, Origin(Source.HOUSE, given_by)),
        }
        options = {key: values for key, values in self.options.items() if key not in chosen.rules}
        return replace(changed, id=varied, origins=Frozen(origins), options=Frozen(options))

    def for_table(self, overrides: Values) -> RuleBook:
        """Return the book with one table's own values, within what the document leaves open.

        A key the document fixes is refused: a house that wants another value writes a book of its
        own that extends this one.
        """
        where = f"table by {self.id}"
        for name, value in overrides.items():
            self._refuse_fixed(name, value, where)
        book = self.with_values(overrides, Source.TABLE, where)
        keys = book.keys
        for name, value in overrides.items():
            if not keys[name].applies_to(book.rules):
                other = str(next(iter(keys[name].applies)))
                why = f"{other} is {show_value(keys[other].read(book.rules))}"
                raise InvalidData(f"{where}: {name}: expected no value, because {why}, got {show_value(value)}")
        return book

    def _refuse_fixed(self, name: str, value: object, where: str) -> None:
        """Refuse a name that is no key, and a value that the document does not leave to a table."""
        if msgspec.to_builtins(value) == msgspec.to_builtins(self.value(name)):
            return
        if name.endswith(".paytable"):
            return  # which paytables a table may choose is the business of X.paytables and odds_floor
        options = self.options.get(name)
        if options is not None:
            if msgspec.to_builtins(value) not in options:
                raise InvalidData(f"{where}: {name}: expected {one_of(options)}, got {show_value(value)}")
        elif self.origins[name].source is Source.DOCUMENT and name not in self.must_state:
            expected = f"{show_value(self.value(name))}, which {self._fixed_by(name)} fixes"
            raise InvalidData(
                f"{where}: {name}: expected {expected}, got {show_value(value)}; {self._way_out(name, value)}"
            )

    def _fixed_by(self, name: str) -> str:
        """Return what fixes a key: one of the variants that were chosen, or the book itself."""
        _, chosen = split_variants(self.id)
        fixing = [one for one in chosen if name in self.variants[one].rules]
        return f"the variant '{fixing[-1]}'" if fixing else "the book"

    def _way_out(self, name: str, value: object) -> str:
        """Return how a table comes to another value of a fixed key: by a variant that has it, or by another book."""
        base, _ = split_variants(self.id)
        wanted = msgspec.to_builtins(value)
        having = [one for one, chosen in self.variants.items() if chosen.values().get(name) == wanted]
        if having:
            return f"a table by {one_of([f'{base}+{one}' for one in having])} has it"
        return f"to change it, write a book that extends {self.id}"
