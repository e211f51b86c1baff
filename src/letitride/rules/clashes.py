"""Clashes: two keys of a rule book whose values do not go together, in one sentence with the values that would."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from letitride.rules.checks import Contradiction, find_faults
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KeySpec, keys_with
from letitride.rules.values import RuleValue
from letitride.rules.words import one_of, show_value

Goes = Callable[[Rules], bool]
"""Whether a book with these values is in order."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A key with its value, and other values by which the book would be in order."""

    key: str
    value: RuleValue
    others: tuple[RuleValue, ...]

    def __str__(self) -> str:
        return f"{self.key} = {show_value(msgspec.to_builtins(self.value))}"

    @property
    def would_go(self) -> str:
        """What would go, in words."""
        return f"{self.key} = {one_of([msgspec.to_builtins(value) for value in self.others])}"


def changed(rules: Rules, key: str, value: RuleValue) -> Rules:
    """Return rules with one value changed, whether it goes with the others or not."""
    section, _, last = key.rpartition(".")
    if section in rules.wagers:
        terms = {**rules.wagers, section: msgspec.structs.replace(rules.wagers[section], **{last: value})}
        return msgspec.structs.replace(rules, wagers=terms)
    if section:
        return msgspec.structs.replace(
            rules, **{section: msgspec.structs.replace(getattr(rules, section), **{last: value})}
        )
    return msgspec.structs.replace(rules, **{last: value})


def find_remedies(rules: Rules, specs: Iterable[KeySpec], goes: Goes) -> list[Remedy]:
    """Return the keys among some of which another value alone would put a book in order."""
    found = []
    for spec in specs:
        value = spec.read(rules)
        others = [other for other in spec.named if other != value and goes(changed(rules, spec.name, other))]
        if others:
            found.append(Remedy(spec.name, value, tuple(others)))
    return found


def what_would_go(found: Contradiction) -> str:
    """Return the other key of a contradiction, and which of its values would go if any would, as the end of a refusal.

    A value that ends this contradiction and begins another does not go, but tells which key it is.
    """
    wagers, (key, expected) = found.wagers, found.fault
    others = [spec for name, spec in keys_with(wagers).items() if name != key]
    remedies = find_remedies(found.rules, others, lambda rules: next(find_faults(rules, wagers), None) is None)
    if remedies:
        other = _named_in(expected, remedies)
        return f"; {other} does not go with it: {other.would_go} would"
    involved = find_remedies(
        found.rules, others, lambda rules: key not in {name for name, _ in find_faults(rules, wagers)}
    )
    return f"; {_named_in(expected, involved)} does not go with it" if involved else ""


def _named_in(text: str, remedies: list[Remedy]) -> Remedy:
    return next((one for one in remedies if one.key in text), remedies[0])


def describe_clash(one: Remedy, other: Remedy) -> str:
    """Return that two keys do not go together, and which values of either would go with the other as it is."""
    return f"{one} and {other} do not go together; {one.would_go} would go, or {other.would_go}"
