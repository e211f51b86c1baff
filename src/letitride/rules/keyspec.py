"""Key specs: the keys of a rule book as a list that can be looked up, explained and checked."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import inspect

from letitride.errors import InvalidData, InvariantBroken, MissingData
from letitride.rules.keys import Rules, Terms
from letitride.rules.retired import why_retired
from letitride.rules.values import RuleValue, Values
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Wager
from letitride.rules.words import did_you_mean, one_of, show_value


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key: its name, what it means, its legal values, and the house's default."""

    name: str
    doc: str
    unit: str
    default: RuleValue
    applies: tuple[str, *tuple[RuleValue, ...]] | tuple[()]
    meanings: Mapping[str, str]
    annotation: Any
    later: bool
    """Whether it came after the published books, so that its default is no part of a digest."""
    wager: str = ""
    """The wager of which it is a term, if it is one."""

    @property
    def expected(self) -> str:
        """What a value of this key must be, in words."""
        return _expected(inspect.type_info(self.annotation), tuple(self.meanings))

    @property
    def named(self) -> tuple[RuleValue, ...]:
        """The values that it may have where they are few and each has a name; of amounts, lists and texts none."""
        return _named(inspect.type_info(self.annotation))

    @property
    def section(self) -> str:
        """The part of the name before the dot, or nothing."""
        return self.name.rpartition(".")[0]

    def check(self, value: object, where: str) -> RuleValue:
        """Return the value as the key's type, or refuse it with one sentence."""
        try:
            if not _printable(value):
                raise msgspec.ValidationError  # noqa: TRY301 - one refusal for every way to be wrong
            checked: RuleValue = msgspec.convert(value, self.annotation, strict=True)
        except msgspec.ValidationError:
            raise InvalidData(f"{where}: {self.name}: expected {self.expected}, got {show_value(value)}") from None
        return checked

    @property
    def may_be_unset(self) -> bool:
        """Whether a book may leave it to each table to state a value."""
        info = inspect.type_info(self.annotation)
        inner = info.type if isinstance(info, inspect.Metadata) else info
        return isinstance(inner, inspect.UnionType) and inner.includes_none

    def read(self, rules: Rules) -> RuleValue:
        """Return this key's value in a rule book."""
        if self.wager:
            return getattr(rules.wagers[self.wager], self.last)  # type: ignore[no-any-return]  # a value of its type
        found: RuleValue = attrgetter(self.name)(rules)
        return found

    @property
    def last(self) -> str:
        """The part of the name after the dot."""
        return self.name.rpartition(".")[2]

    def is_digested(self, rules: Rules) -> bool:
        """Whether this key's value is part of a rule book's digest."""
        return self.applies_to(rules) and not (self.later and self.read(rules) == self.default)

    def applies_to(self, rules: Rules) -> bool:
        """Whether this key means anything in a rule book."""
        if self.wager:  # a wager that is not offered has no terms
            return self.last == OFFERED or rules.wagers[self.wager].offered
        return applies_in(self.applies, rules)


def applies_in(condition: tuple[Any, ...], rules: Rules) -> bool:
    """Whether a rule book has a key at one of the values that a condition names, or the condition is empty."""
    if not condition:
        return True
    other, *wanted = condition
    return KEYS[other].applies_to(rules) and KEYS[other].read(rules) in wanted


def _specs(section: type[msgspec.Struct], prefix: str = "") -> Iterator[KeySpec]:
    hints = typing.get_type_hints(section, include_extras=True)
    for field in msgspec.structs.fields(section):
        annotation = hints[field.name]
        if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
            yield from _specs(annotation, f"{field.name}.")
            continue
        if field.name == WAGERS:
            yield from (spec for wager in PUBLISHED.values() for spec in terms_of(wager))
            continue
        match inspect.type_info(annotation):
            case inspect.Metadata(extra=dict(extra), extra_json_schema=dict(schema)):
                yield KeySpec(
                    name=prefix + field.name,
                    doc=schema["description"],
                    unit=extra["unit"],
                    default=field.default,
                    applies=extra["applies"],
                    meanings=extra["meanings"],
                    annotation=annotation,
                    later=extra["later"],
                )
            case _:
                raise InvariantBroken(f"the key {prefix}{field.name} does not say what it means")


def terms_of(wager: Wager, where: str = "") -> Iterator[KeySpec]:
    """Yield the keys by which a rule book speaks of a wager; `where` names its file in refusals."""
    for spec in TERMS:
        if spec.name in wager.keys:
            default = spec.check(wager.keys[spec.name], where or f"wager {wager.id}")
            applies = () if spec.name == OFFERED or OFFERED not in wager.keys else (f"{wager.id}.{OFFERED}", True)
            yield replace(
                spec,
                name=f"{wager.id}.{spec.name}",
                doc=f"{wager.title}: {spec.doc[0].lower()}{spec.doc[1:]}",
                default=default,
                applies=applies,
                wager=wager.id,
                later=spec.name in wager.later,
            )


def default_terms(wager: Wager) -> Terms:
    """Return what holds of a wager where a rule book says nothing."""
    stated = {spec.last: msgspec.to_builtins(spec.default) for spec in terms_of(wager)}
    return msgspec.convert(stated, Terms, strict=True)


def _printable(value: object) -> bool:
    """Whether every text in a value can be shown on one line."""
    match value:
        case str():
            return value.isprintable()
        case list() | tuple():
            return all(map(_printable, value))
        case _:
            return True


def _named(info: Any) -> tuple[RuleValue, ...]:
    match info:
        case inspect.Metadata(type=inner):
            return _named(inner)
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.BoolType():
            return (False, True)
        case _:
            return ()


def _expected(info: Any, meanings: tuple[str, ...]) -> str:
    match info:
        case inspect.Metadata(type=inner):
            return _expected(inner, meanings)
        case inspect.LiteralType(values=values):
            return one_of(sorted(values, key=lambda value: (*meanings, str(value)).index(str(value))))
        case inspect.VarTupleType(item_type=inspect.StructType(fields=fields)):
            row = ", ".join(f"{field.name} = {_example(field.type)}" for field in fields)
            return f"a list of tables with {', '.join(field.name for field in fields)}, like [{{{row}}}]"
        case inspect.VarTupleType(item_type=item):
            return "a list, each " + _expected(item, meanings)
        case inspect.IntType(ge=low, le=high):
            if high is not None:
                return f"a whole number from {low} to {high}"
            return "a whole number" if low is None else f"a whole number, {low} or more"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a text"
        case _:  # one of some types
            return " or ".join(_expected(kind, meanings) for kind in info.types if kind != inspect.NoneType())


def _example(info: Any) -> object:
    """Return a value that a part of a table may have."""
    return info.extra_json_schema["examples"][0]


WAGERS: Final = "wagers"
"""The field of `Rules` that holds the terms of wagers."""
OFFERED: Final = "offered"
Keys = Mapping[str, KeySpec]
"""Keys by their names: those of all books, or with those of a book's own wagers."""
TERMS: Final = tuple(_specs(Terms))
"""The keys that a book has for each wager, without the wager's name."""
KEYS: Final[Keys] = {spec.name: spec for spec in _specs(Rules)}
SECTIONS: Final[Mapping[str, str]] = {"": "The table."} | {
    spec.section: PUBLISHED[spec.wager].about if spec.wager else getattr(Rules(), spec.section).__doc__
    for spec in KEYS.values()
    if spec.section
}
"""What each section of keys is about; the keys without a section are the table's own."""


def keys_with(wagers: Mapping[str, Wager]) -> Keys:
    """Return the keys of a book that knows these wagers."""
    own = tuple(wager for wager in wagers.values() if not wager.published)
    return _with_own(own) if own else KEYS


@lru_cache(maxsize=64)
def _with_own(wagers: tuple[Wager, ...]) -> Keys:
    return {**KEYS, **{spec.name: spec for wager in wagers for spec in terms_of(wager)}}


def find_keys(text: str, keys: Keys = KEYS) -> tuple[KeySpec, ...]:
    """Return the key of this name, or all keys of the section of this name; underscores are forgiven."""
    wanted = _loose(text)
    found = tuple(spec for name, spec in keys.items() if wanted in (_loose(name), _loose(spec.section or ".")))
    if not found:
        raise MissingData(f"expected a rule-book key, got {show_value(text)}{hint(text, keys)}")
    return found


def hint(name: str, keys: Keys = KEYS) -> str:
    """Return what to do about a name that is no key, as the end of a refusal, or nothing."""
    return why_retired(name) or did_you_mean(name, keys)


def _loose(name: str) -> str:
    return name.lower().replace("cents", "").replace("_", "")


def flatten(tree: Mapping[str, Any], where: str, keys: Keys = KEYS) -> Values:
    """Return a tree of TOML tables as {dotted key: value}, every name being a key of a rule book."""
    flat: dict[str, RuleValue] = {}
    sections = {spec.section for spec in keys.values()}

    def walk(branch: Mapping[str, Any], prefix: str) -> None:
        for part, value in branch.items():
            name = prefix + part
            if name in keys:
                flat[name] = value
            elif isinstance(value, Mapping) and name in sections:
                walk(value, name + ".")
            else:
                raise InvalidData(
                    f"{where}: expected the keys of a rule book, got the unknown key "
                    f"{show_value(name)}{hint(name, keys)}"
                )

    walk(tree, "")
    return flat


def build(flat: Values, wagers: Mapping[str, Wager] = PUBLISHED) -> Rules:
    """Return the rules with these values; every other key has its default."""
    tree = {WAGERS: {name: msgspec.to_builtins(default_terms(wager)) for name, wager in wagers.items()}}
    for name, value in flat.items():
        section, _, last = name.rpartition(".")
        branch = tree[WAGERS] if section in wagers else tree
        (branch.setdefault(section, {}) if section else branch)[last] = msgspec.to_builtins(value)
    return msgspec.convert(tree, Rules, strict=True)
