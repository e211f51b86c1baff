"""Carriers: the mutants of the code that carries a clause out, the most telling first; it runs nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from tests.mutation.mutants import ROOMS, SOURCE, Module, Mutant, header, module_names

if TYPE_CHECKING:
    from letitride.rules.clauses import Clause
    from letitride.rules.paytables import Pays, Paytable
    from tests.mutation.live import Live

OTHER_ROOMS = ("autoplay", "analysis", "training", "storage", "server")
"""Where a key is looked for that no room of the game reads."""


@dataclass(frozen=True, slots=True)
class DataMutant:
    """A pay of a published paytable that is one more than it should be."""

    name: str
    put: Callable[[Live], bool]


def carriers(clause: Clause) -> Iterator[Mutant | DataMutant]:
    """Yield the mutants of a clause's pays, then in turn one of its functions and one of what reads its keys.

    Where it names none of these: of the statements that name its steps or rulings; where it has none either, of the
    module that its behaviour begins with.
    """
    named = False
    by_key, by_name = _spread(_reading(clause.keys)), _spread(_inside(clause.code))
    in_turn = (mutant for pair in zip_longest(by_name, by_key) for mutant in pair if mutant is not None)
    for mutant in (*_pays(clause), *in_turn):
        named = True
        yield mutant
    if named:
        return
    words = {word for one in (*clause.steps, *clause.rulings) for word in _words(one)}
    for mutant in _spread(_naming(words)):
        named = True
        yield mutant
    if not named:
        yield from _spread(_of_behaviour(clause.behaviour))


def _words(step: str) -> list[str]:
    """Return the names in a step or ruling: 'pay:bonus@KEY=VALUE' names pay, 'hand_count:hand_void' both."""
    return [word for word in step.partition("@")[0].split(":") if not word.isdigit()][:2]


def _spread(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return mutants so that each statement's first comes before any statement's second."""
    seen: dict[int, int] = defaultdict(int)
    ranked = []
    for place, mutant in enumerate(dict.fromkeys(mutants)):
        ranked.append((mutant.scope.top is None, seen[id(mutant.scope.statement)], place, mutant))
        seen[id(mutant.scope.statement)] += 1
    return [mutant for *_, mutant in sorted(ranked, key=lambda row: row[:3])]


@cache
def module(name: str) -> Module:
    """Return a module, read once."""
    return Module(name)


def _reading(keys: Iterable[str]) -> Iterator[Mutant]:
    for key in keys:
        found = _readers(ROOMS).get(key) or _readers(OTHER_ROOMS).get(key, ())
        yield from found


@cache
def _readers(rooms: tuple[str, ...]) -> dict[str, list[Mutant]]:
    """Return the mutants of the statements that read each key, by key."""
    found = defaultdict(list)
    for mutant in _all(rooms):
        # A broken check of the book keeps every table from opening, so that any test would notice it.
        if mutant.scope.statement is not None and mutant.module != "rules.checks":
            for key in _keys_read(mutant.scope.statement):
                found[key].append(mutant)
    return found


@cache
def _keys_read(statement: ast.AST) -> frozenset[str]:
    """Return the keys of a rule book that a statement reads: `rules.misdeal.reshuffle` is 'misdeal.reshuffle'."""
    found = set()
    for node in header(statement):
        if isinstance(node, ast.Attribute):
            inner = node.value
            owner = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            found.add(node.attr if owner == "rules" else f"{owner}.{node.attr}")
    return frozenset(found)


def _naming(words: Iterable[str]) -> Iterator[Mutant]:
    by_word = _named_words()
    for word in words:
        yield from by_word.get(word, ())


@cache
def _named_words() -> dict[str, list[Mutant]]:
    found = defaultdict(list)
    for mutant in _all(("engine", "rules")):
        if mutant.scope.statement is not None and mutant.scope.top is not None:
            for word in _constants(mutant.scope.statement):
                found[word].append(mutant)
    return found


@cache
def _constants(statement: ast.AST) -> frozenset[str]:
    nodes = (node.value for node in header(statement) if isinstance(node, ast.Constant))
    return frozenset(value for value in nodes if isinstance(value, str))


@cache
def _all(rooms: tuple[str, ...]) -> tuple[Mutant, ...]:
    return tuple(mutant for name in module_names(rooms) for mutant in module(name).mutants)


def _inside(code: Iterable[str]) -> Iterator[Mutant]:
    """Yield the mutants inside functions, methods, classes or tables such as 'engine.agenda.dealing'."""
    for name in code:
        parts = name.split(".")
        deepest = max(place for place in range(1, len(parts)) if _is_module(".".join(parts[:place])))
        inner = ".".join(parts[deepest:])
        for mutant in module(".".join(parts[:deepest])).mutants:
            if f"{mutant.function}.".startswith(f"{inner}.") or inner in mutant.scope.defines:
                yield mutant


def _is_module(name: str) -> bool:
    path = SOURCE.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def _of_behaviour(behaviour: str) -> Iterator[Mutant]:
    name = behaviour.partition(":")[0].replace("/", ".")
    if name in ROOMS:
        yield from (mutant for one in module_names((name,)) for mutant in module(one).mutants)
    elif name and " " not in name and _is_module(name):
        yield from module(name).mutants


def _pays(clause: Clause) -> Iterator[DataMutant]:
    """Yield each pay that a clause's paytables list for it, changed by one."""
    from letitride.rules import catalog  # noqa: PLC0415 - only who runs in a process of tests may import it

    for table_id in clause.paytables:
        table = catalog.paytable(table_id)
        for pays in table.pays.values():
            if clause.id in pays.clauses:
                for number, column in enumerate(pays.columns):
                    for category in column:
                        name = f"{table_id}: {pays.wager} {category.name.lower()} of column {number + 1} pays one more"
                        yield DataMutant(name, _raised(table, pays, number, category))


def _raised(table: Paytable, pays: Pays, number: int, category: object) -> Callable[[Live], bool]:
    def put(live: Live) -> bool:
        from letitride.rules import catalog  # noqa: PLC0415 - as above

        column = {**pays.columns[number], category: pays.columns[number][category] + 1}  # type: ignore[index]  # its own
        columns = (*pays.columns[:number], column, *pays.columns[number + 1 :])
        changed = replace(table, pays={**table.pays, pays.wager: replace(pays, columns=columns)})
        published = catalog._published_paytable
        live.forget("letitride.rules.paytables")
        catalog._published_paytable = lambda wanted: changed if wanted == table.id else published(wanted)
        return True

    return put
