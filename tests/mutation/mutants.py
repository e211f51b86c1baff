"""Mutants: finds every mutant of a module and compiles one; it runs nothing.

A mutant is known by its module, the function it is in, and the text before and after, so that its name stays what it
is when lines move. Where the same text comes twice in a function, the second is `#2`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import CodeType

from tests.mutation.operators import Change, changes

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "letitride"
ROOMS = ("rules", "engine", "ledger", "records")
TEXT_MAX = 160
CAP_SECONDS = 10.0
"""Seconds of tests, as they were measured, that are run on one mutant."""

_TYPES = {"Literal", "Annotated", "Callable", "TypeVar", "NewType", "ParamSpec", "cast", "assert_never"}
"""What speaks to the type checker alone."""
_DECLARED = {"annotation", "returns", "decorator_list", "bases", "keywords_of_class", "type_comment", "type_params"}
_SAME_ANYWAY = {"strict", "encoding"}
"""Arguments that change nothing on a machine whose text is UTF-8, or only guard against our own bugs."""
_SMALL = (ast.Constant, ast.Name, ast.Attribute, ast.keyword, ast.UnaryOp, ast.FormattedValue, ast.Starred, ast.Slice)

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Scope:
    """Where in a module a node stands."""

    function: str = ""
    top: Function | None = None
    """The outermost function around it: what can be changed in a running process."""
    returns: ast.expr | None = None
    statement: ast.AST | None = None
    defines: tuple[str, ...] = ()
    """The names that its statement gives to others, where it runs at import."""
    above: tuple[ast.AST, ...] = ()
    in_text: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Mutant:
    """One change of one module."""

    source: Module
    was: str
    now: str
    ordinal: int
    scope: Scope
    change: Change
    node: ast.AST
    field: str
    index: int | None

    @property
    def module(self) -> str:
        """The module, below letitride: 'engine.agenda'."""
        return self.source.name

    @property
    def function(self) -> str:
        """The qualified name of the function or class it is in; empty for the module's own statements."""
        return self.scope.function

    @property
    def name(self) -> str:
        """What the mutant is called in results and in the list of survivors."""
        again = f" #{self.ordinal}" if self.ordinal > 1 else ""
        return f"{self.module}:{self.function or '-'}: {self.was} -> {self.now}{again}"

    @property
    def line(self) -> int:
        """The line of the changed text."""
        return getattr(self.node, "lineno", None) or self.lines.start

    @property
    def lines(self) -> range:
        """The lines of its statement, without the blocks inside; those of a pattern where it is one."""
        patterns = [one for one in (*self.scope.above, self.node) if isinstance(one, ast.pattern)]
        return _lines(patterns[0] if patterns else self.scope.statement)

    def compiled(self) -> CodeType:
        """Return the code of the whole module with the change in it."""
        with _changed(self):
            return compile(self.source.tree, str(self.source.path), "exec", dont_inherit=True)


@dataclass(eq=False)
class Module:
    """A module of letitride with its syntax tree."""

    name: str

    @cached_property
    def path(self) -> Path:
        """Its file."""
        path = SOURCE.joinpath(*self.name.split("."))
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax tree."""
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Every mutant, in the order of the lines."""
        seen: Counter[tuple[str, str, str]] = Counter()
        found = []
        for mutant in _walk(self, self.tree, Scope()):
            named = self._named(mutant)
            key = (named.function, named.was, named.now)
            seen[key] += 1
            found.append(replace(named, ordinal=seen[key]))
        return tuple(found)

    def _named(self, mutant: Mutant) -> Mutant:
        if mutant.was:
            return replace(mutant, was=_cut(mutant.was), now=_cut(mutant.now))
        around = mutant.node
        for node in reversed(mutant.scope.above):
            if not isinstance(around, _SMALL) or not isinstance(node, ast.expr | ast.keyword):
                break
            if len(one_line(node)) > TEXT_MAX:
                break
            around = node
        was = one_line(around)
        with _changed(mutant):
            now = one_line(mutant.change.new if around is mutant.node else around)
        return replace(mutant, was=_cut(was), now=_cut(now))


@contextmanager
def _changed(mutant: Mutant) -> Iterator[None]:
    """The tree with one change in it, for as long as it is looked at."""
    parent = mutant.scope.above[-1]
    held = getattr(parent, mutant.field)
    if mutant.index is None:
        setattr(parent, mutant.field, mutant.change.new)
    else:
        setattr(parent, mutant.field, [*held[: mutant.index], mutant.change.new, *held[mutant.index + 1 :]])
    try:
        ast.fix_missing_locations(parent)
        yield
    finally:
        setattr(parent, mutant.field, held)


def module_names(rooms: tuple[str, ...] = ROOMS) -> list[str]:
    """Return every module of some rooms, by name."""
    found = []
    for room in rooms:
        for path in sorted((SOURCE / room).rglob("*.py")):
            parts = path.relative_to(SOURCE).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def one_line(node: ast.AST) -> str:
    """Return a node as text in one line."""
    return " ".join(ast.unparse(node).split())


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= TEXT_MAX else f"{text[: TEXT_MAX // 2]} … {text[-TEXT_MAX // 2 :]}"


def _lines(node: ast.AST | None) -> range:
    match node:
        case ast.If() | ast.While():
            return range(node.lineno, (node.test.end_lineno or node.lineno) + 1)
        case ast.For():
            return range(node.lineno, (node.iter.end_lineno or node.lineno) + 1)
        case ast.With():
            return range(node.lineno, (node.items[-1].context_expr.end_lineno or node.lineno) + 1)
        case ast.Match():
            return range(node.lineno, (node.subject.end_lineno or node.lineno) + 1)
        case ast.stmt() | ast.pattern():
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
        case _:
            return range(1, 2)


def header(statement: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that are its own, not those of the statements inside."""
    for name, value in ast.iter_fields(statement):
        if name in {"body", "orelse", "finalbody", "handlers"}:
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.match_case):
                yield from ast.walk(one.pattern)
                yield from ast.walk(one.guard) if one.guard else ()
            elif isinstance(one, ast.AST):
                yield from ast.walk(one)


def _walk(module: Module, node: ast.AST, scope: Scope) -> Iterator[Mutant]:
    """Yield the mutants below a node, unnamed as yet."""
    below = replace(scope, above=(*scope.above, node))
    for field, value in ast.iter_fields(node):
        if field in _DECLARED or (field == "keywords" and isinstance(node, ast.ClassDef)):
            continue
        if isinstance(node, ast.Raise) or (isinstance(node, ast.JoinedStr) and field == "format_spec"):
            continue
        for place, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not _silent(child, node):
                yield from _visit(module, child, field, place if isinstance(value, list) else None, below)


def _visit(module: Module, node: ast.AST, field: str, index: int | None, scope: Scope) -> Iterator[Mutant]:
    parent = scope.above[-1]
    if isinstance(node, ast.stmt):
        scope = replace(scope, statement=node)
        if scope.top is None:
            scope = replace(scope, defines=(*scope.defines, *defined(node)))
    if isinstance(node, ast.FormattedValue):
        scope = replace(scope, in_text=True)
    for change in changes(node, parent, scope.returns):
        if not (scope.in_text and change.operator == "string"):
            yield Mutant(module, change.was, change.now, 0, scope, change, node, field, index)
    if isinstance(node, Function):
        # Defaults are evaluated where the function is defined.
        name = f"{scope.function}.{node.name}" if scope.function else node.name
        yield from _walk(module, node.args, replace(scope, function=name, above=(*scope.above, node)))
        scope = replace(scope, function=name, top=scope.top or node, returns=node.returns)
        for place, one in enumerate(node.body):
            if not _silent(one, node):
                yield from _visit(module, one, "body", place, replace(scope, above=(*scope.above, node)))
    elif isinstance(node, ast.ClassDef):
        name = f"{scope.function}.{node.name}" if scope.function else node.name
        yield from _walk(module, node, replace(scope, function=name))
    else:
        yield from _walk(module, node, scope)


def _silent(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is no behaviour: a docstring, a type, text for people, what guards against our own bugs."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)):
            return name in _TYPES
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in _TYPES
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name.startswith("__")
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Raise(exc=ast.Name(id="NotImplementedError")):
            return True
        case ast.keyword(arg=name):
            return name in _SAME_ANYWAY
        case ast.Constant():
            return isinstance(parent, ast.JoinedStr)
        case _:
            return False


def defined(node: ast.stmt) -> tuple[str, ...]:
    """Return the names that a statement defines."""
    match node:
        case ast.Assign(targets=targets):
            return tuple(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return (name,)
        case _:
            return ()
