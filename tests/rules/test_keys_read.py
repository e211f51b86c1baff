"""Every key is read by code that governs something: a table, a price, a refusal; not only by what prints books."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec

from letitride.rules.keys import Rules
from letitride.rules.keys.meta import Section
from letitride.rules.keyspec import KEYS
from letitride.rules.wager_table import PUBLISHED

SOURCE = Path(__file__).parent.parent.parent / "src" / "letitride"
ROOMS = ("rules", "engine", "analysis", "autoplay", "simulation", "server")
"""The rooms that carry rules out; the others print them, teach them or replay what these did."""
READS_ALL = ("keys", "keyspec.py", "rulebook.py", "rulebook_file.py", "explain.py", "chapters.py")
"""What the rules room reads and prints books with: every key alike, and so none for what it says."""
SECTIONS = {
    field.name: field.type
    for field in msgspec.structs.fields(Rules)
    if isinstance(field.type, type) and issubclass(field.type, Section)
}
CLASSES = {section.__name__: name for name, section in SECTIONS.items()}
WAGERS = frozenset(PUBLISHED)
"""What `rules.wagers[wager]` may be."""


def files() -> Iterator[Path]:
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            if room != "rules" or path.relative_to(SOURCE / room).parts[0] not in READS_ALL:
                yield path


def keys_read(text: str) -> set[str]:
    """Return the keys whose value a module reads, as far as its names tell which section it reads from."""
    tree = ast.parse(text)
    known: dict[str, frozenset[str]] = {}
    for name, may_be in bound(tree):
        known[name] = known.get(name, frozenset()) | may_be
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if is_rules(node.value) and node.attr in KEYS:
                found.add(node.attr)
            found |= {name for one in sections(node.value, known) if (name := f"{one}.{node.attr}") in KEYS}
    return found


def is_rules(node: ast.expr) -> bool:
    """Whether an expression is a book's values: `rules`, `table.rules.rules`."""
    return "rules" == (node.id if isinstance(node, ast.Name) else getattr(node, "attr", None))


def sections(node: ast.expr, known: dict[str, frozenset[str]]) -> frozenset[str]:
    """Return the sections of a book that an expression may be."""
    match node:
        case ast.Attribute(value=of, attr=name) if name in SECTIONS and is_rules(of):
            return frozenset({name})
        case ast.Subscript(value=ast.Attribute(value=of, attr="wagers")) if is_rules(of):
            return WAGERS
        case ast.Call(func=ast.Attribute(attr="terms")):
            return WAGERS
        case ast.IfExp(body=one, orelse=other):
            return sections(one, known) | sections(other, known)
        case ast.Name(id=name):
            return known.get(name, frozenset())
        case _:
            return frozenset()


def bound(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the names that a module gives to sections, with what each may be."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, sections(value, {})
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                for target, value in zip(names, values, strict=False):
                    if isinstance(target, ast.Name):
                        yield target.id, sections(value, {})
            case ast.arg(arg=name, annotation=ast.Name(id=kind)) if kind in CLASSES:
                yield name, frozenset({CLASSES[kind]})
            case ast.arg(arg=name, annotation=ast.Name(id="Terms")):
                yield name, WAGERS
            case ast.comprehension(
                target=ast.Tuple(elts=[_, ast.Name(id=name)]),
                iter=ast.Call(func=ast.Attribute(value=ast.Attribute(value=of, attr="wagers"), attr="items")),
            ) if is_rules(of):
                yield name, WAGERS


def test_every_key_is_read_by_code_that_governs_something() -> None:
    read = set().union(*(keys_read(path.read_text(encoding="utf-8")) for path in files()))
    assert set() == set(KEYS) - read


def test_only_what_is_taken_from_a_books_values_counts_as_read() -> None:
    assert {"bank.cover", "seats"} == keys_read("a = table.rules.rules\nrules.bank.cover + book.rules.seats")
    assert {"limit.scope", "bonus.cents"} == keys_read(
        "def f(at: Limit):\n at.scope\n one, b = 1, rules.wagers[wager]\n b.cents"
    )
    offered = {"bonus.offered", "three_card.offered", "cover_all.offered"}
    for text in (
        "table.rules.wagers[wager].offered",
        "table.terms(wager).offered",
        "def f(terms: Terms):\n terms.offered",
        "[one.offered for wager, one in rules.wagers.items()]",
    ):
        assert offered == keys_read(text)
    assert set() == keys_read("table.declined, seat.bank.cover, 'bank.declined', void, layout.spots")
