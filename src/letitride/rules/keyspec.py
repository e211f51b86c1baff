"""Key specs: the keys of a rule book as a list that can be looked up, explained and checked."""

from __future__ import annotations

import difflib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import inspect

from letitride.errors import InvalidData, MissingData
from letitride.rules.keys import Rules
from letitride.rules.keys.meta import Section


@dataclass(frozen=True, slots=True)
class KeySpec:
    """One key: its name, what it means, its legal values, and the house's default."""

    name: str
    doc: str
    unit: str
    default: Any
    applies: tuple[Any, ...]
    meanings: Mapping[str, str]
    annotation: Any

    @property
    def expected(self) -> str:
        """What a value of this key must be, in words."""
        return _expected(inspect.type_info(self.annotation), tuple(self.meanings))

    @property
    def section(self) -> str:
        """The part of the name before the dot, or nothing."""
        return self.name.rpartition(".")[0]

    def check(self, value: object, where: str) -> Any:
        """Return the value as the key's type, or refuse it with one sentence."""
        try:
            return msgspec.convert(value, self.annotation, strict=True)
        except msgspec.ValidationError:
            raise InvalidData(f"{where}: {self.name}: expected {self.expected}, got {show_value(value)}") from None

    def read(self, rules: Rules) -> Any:
        """Return this key's value in a rule book."""
        value: Any = rules
        for part in self.name.split("."):
            value = getattr(value, part)
        return value

    def applies_to(self, rules: Rules) -> bool:
        """Whether this key means anything in a rule book."""
        if not self.applies:
            return True
        other, *wanted = self.applies
        return KEYS[other].read(rules) in wanted


def _specs(section: type[Section], prefix: str = "") -> Iterator[KeySpec]:
    hints = typing.get_type_hints(section, include_extras=True)
    for field in msgspec.structs.fields(section):
        annotation = hints[field.name]
        if isinstance(annotation, type) and issubclass(annotation, Section):
            yield from _specs(annotation, f"{field.name}.")
            continue
        info = inspect.type_info(annotation)
        assert isinstance(info, inspect.Metadata), field.name  # noqa: S101 - a key without its doc is our bug
        extra, schema = info.extra or {}, info.extra_json_schema or {}
        yield KeySpec(
            name=prefix + field.name,
            doc=schema["description"],
            unit=extra["unit"],
            default=field.default,
            applies=extra["applies"],
            meanings=extra["meanings"],
            annotation=annotation,
        )


def _expected(info: Any, meanings: tuple[str, ...]) -> str:
    match info:
        case inspect.Metadata(type=inner):
            return _expected(inner, meanings)
        case inspect.LiteralType(values=values):
            return one_of(sorted(values, key=lambda value: (*meanings, str(value)).index(str(value))))
        case inspect.VarTupleType(item_type=inspect.StructType(fields=fields)):
            return "a list of tables with " + ", ".join(field.name for field in fields)
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
        case inspect.UnionType(types=types):
            return " or ".join(_expected(kind, meanings) for kind in types if kind != inspect.NoneType())
        case _:
            raise AssertionError(info)


def one_of(values: typing.Iterable[object]) -> str:
    """Return 'a', or 'one of a, b, c'."""
    shown = [show_value(value) for value in values]
    return shown[0] if len(shown) == 1 else "one of " + ", ".join(shown)


def show_value(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case None:
            return "unset"
        case bool():
            return "true" if value else "false"
        case str():
            return "'" + value + "'"
        case list() | tuple():
            return "[" + ", ".join(map(show_value, value)) + "]"
        case msgspec.Struct():
            return show_value(msgspec.structs.asdict(value))
        case dict():
            return "{" + ", ".join(f"{name} = {show_value(item)}" for name, item in value.items()) + "}"
        case _:
            return str(value)


KEYS: Final[Mapping[str, KeySpec]] = {spec.name: spec for spec in _specs(Rules)}
SECTIONS: Final[Mapping[str, str]] = {"": "The table."} | {
    field.name: (field.type.__doc__ or "").strip()
    for field in msgspec.structs.fields(Rules)
    if isinstance(field.type, type) and issubclass(field.type, Section)
}
"""What each section of keys is about; the keys without a section are the table's own."""


def find_keys(text: str) -> tuple[KeySpec, ...]:
    """Return the key of this name, or all keys of the section of this name; underscores are forgiven."""
    wanted = _loose(text)
    found = tuple(spec for name, spec in KEYS.items() if wanted in (_loose(name), _loose(spec.section or ".")))
    if not found:
        raise MissingData(f"expected a rule-book key, got '{text}'{did_you_mean(text, KEYS)}")
    return found


def _loose(name: str) -> str:
    return name.lower().replace("cents", "").replace("_", "")


def did_you_mean(text: str, names: typing.Iterable[str]) -> str:
    """Return '; did you mean …?' with the nearest name, or nothing."""
    near = difflib.get_close_matches(text, list(names), n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def flatten(tree: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a tree of TOML tables as {dotted key: value}, every name being a key of a rule book."""
    flat: dict[str, Any] = {}

    def walk(branch: Mapping[str, Any], prefix: str) -> None:
        for part, value in branch.items():
            name = prefix + part
            if name in KEYS:
                flat[name] = value
            elif isinstance(value, Mapping) and name in SECTIONS:
                walk(value, name + ".")
            else:
                hint = did_you_mean(name, KEYS)
                raise InvalidData(f"{where}: expected the keys of a rule book, got the unknown key '{name}'{hint}")

    walk(tree, "")
    return flat


def build(flat: Mapping[str, Any]) -> Rules:
    """Return the rules with these values; every other key has its default."""
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        section, _, last = name.rpartition(".")
        (tree.setdefault(section, {}) if section else tree)[last] = value
    return msgspec.convert(msgspec.to_builtins(tree), Rules, strict=True)
