"""Operators: the small changes that can be made to one node of a syntax tree; they never touch the tree itself.

What is not behaviour stays as it is: docstrings, annotations, sentences, the message of a `raise`, how a class is
declared.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass

NOTHING = "(nothing)"
WORD = re.compile(r"[a-z][a-z0-9_:@$.-]*")
"""What a string of the program's own looks like, in contrast to a sentence for people."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_EMPTY = {
    "tuple": "()",
    "Sequence": "()",
    "Collection": "()",
    "Iterable": "()",
    "Iterator": "iter(())",
    "Generator": "iter(())",
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "set": "set()",
    "frozenset": "frozenset()",
    "str": "''",
}


@dataclass(frozen=True, slots=True)
class Change:
    """Another node in the place of one, with what was and what is as text where the nodes say too much."""

    operator: str
    new: ast.AST
    was: str = ""
    now: str = ""


def changes(node: ast.AST, parent: ast.AST | None, returns: ast.expr | None) -> Iterator[Change]:
    """Yield every change of a node; `returns` is the annotation of the function around it."""
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BoolOp():
            yield from _joined(node)
        case ast.UnaryOp(op=ast.Not()):
            yield Change("not", node.operand)
        case ast.Constant():
            yield from _constant(node)
        case ast.BinOp() | ast.AugAssign() if type(node.op) in _COMPUTED and not _is_text(node):
            yield Change("arithmetic", _with(node, op=_COMPUTED[type(node.op)]()))
        case ast.IfExp():
            yield from _negated(node)
        case ast.Call():
            yield from _call(node)
        case ast.Tuple() | ast.List() | ast.Set():
            yield from _elements(node, parent, returns)
        case ast.Dict():
            yield from _entries(node)
        case ast.comprehension():
            for place, test in enumerate(node.ifs):
                left = [*node.ifs[:place], *node.ifs[place + 1 :]]
                yield Change("filter", _with(node, ifs=left), f"if {ast.unparse(test)}", NOTHING)
        case _:
            pass
    if isinstance(node, ast.stmt):
        yield from _statement(node, returns)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _compared(node: ast.Compare) -> Iterator[Change]:
    for place, op in enumerate(node.ops):
        yield Change("comparison", _with(node, ops=[*node.ops[:place], _COMPARED[type(op)](), *node.ops[place + 1 :]]))


def _joined(node: ast.BoolOp) -> Iterator[Change]:
    yield Change("and-or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
    for place in range(len(node.values)):
        left = [*node.values[:place], *node.values[place + 1 :]]
        yield Change("operand", _with(node, values=left) if len(left) > 1 else left[0])


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield Change("constant", _with(node, value=not value))
    elif isinstance(value, int):
        yield Change("constant", _with(node, value=value + 1))
    elif isinstance(value, str) and WORD.fullmatch(value):
        yield Change("string", _with(node, value=f"{value}_"))


def _is_text(node: ast.BinOp | ast.AugAssign) -> bool:
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.value,)
    texts = (ast.JoinedStr, ast.List, ast.Tuple)
    return any(isinstance(s, texts) or (isinstance(s, ast.Constant) and isinstance(s.value, str)) for s in sides)


def _negated(node: ast.If | ast.IfExp) -> Iterator[Change]:
    """A condition turned into its contrary, where no other operator does that already."""
    plain = isinstance(node.test, ast.Compare) and len(node.test.ops) == 1
    turned = plain and isinstance(node.test.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot)
    if turned or (isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)):
        return
    test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
    shown = ast.unparse(node.test)
    yield Change("negated", _with(node, test=test), f"if {shown}", f"if not ({shown})")


def _call(node: ast.Call) -> Iterator[Change]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if isinstance(node.func, ast.Name) and name in _TWINS:
        yield Change("twin", _with(node, func=ast.copy_location(ast.Name(_TWINS[name], ast.Load()), node.func)))
    if name == "replace" or name[:1].isupper():
        for place, keyword in enumerate(node.keywords):
            if keyword.arg:
                left = [*node.keywords[:place], *node.keywords[place + 1 :]]
                was = f"{ast.unparse(node.func)}({ast.unparse(keyword)})"
                yield Change("argument", _with(node, keywords=left), was, NOTHING)


def _elements(
    node: ast.Tuple | ast.List | ast.Set, parent: ast.AST | None, returns: ast.expr | None
) -> Iterator[Change]:
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or isinstance(parent, ast.Subscript):
        return
    if isinstance(parent, ast.Return) and returns is not None and "..." not in ast.unparse(returns):
        return  # a pair is taken apart where it arrives
    if isinstance(node, ast.Set) and len(node.elts) == 1:
        return
    for place, element in enumerate(node.elts):
        left = [*node.elts[:place], *node.elts[place + 1 :]]
        yield Change("element", _with(node, elts=left), ast.unparse(element), NOTHING)


def _entries(node: ast.Dict) -> Iterator[Change]:
    for place, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
        keys, values = ([*side[:place], *side[place + 1 :]] for side in (node.keys, node.values))
        was = f"{ast.unparse(key)}: {ast.unparse(value)}" if key else f"**{ast.unparse(value)}"
        yield Change("entry", _with(node, keys=keys, values=values), was, NOTHING)


def _statement(node: ast.stmt, returns: ast.expr | None) -> Iterator[Change]:
    gone = Change("statement", ast.copy_location(ast.Pass(), node), _line(node), "pass")
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            nothing = ast.parse("yield from ()").body[0]
            yield Change("yield", ast.copy_location(nothing, node), _line(node), "yield from ()")
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Continue() | ast.Break() | ast.Raise():
            yield gone
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield gone
        case ast.Return(value=None):
            yield gone
        case ast.Return():
            yield from _returned(node, returns)
        case ast.If():
            yield from _negated(node)
        case ast.For():
            empty = ast.copy_location(ast.Tuple([], ast.Load()), node.iter)
            was = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
            yield Change("loop", _with(node, iter=empty), was, f"for {ast.unparse(node.target)} in ()")
        case _:
            pass


def _returned(node: ast.Return, returns: ast.expr | None) -> Iterator[Change]:
    """What a function returns, emptied as its annotation allows."""
    kinds = _kinds(returns)
    if not kinds or node.value is None:
        return
    if "bool" in kinds and isinstance(node.value, ast.Call | ast.Attribute | ast.Name | ast.BoolOp | ast.Subscript):
        yield _return(node, ast.unparse(ast.UnaryOp(ast.Not(), node.value)))
    for kind in kinds:
        empty = "None" if kind == "None" else _EMPTY.get(kind)
        if empty and ast.unparse(node.value) not in {empty, "()", "[]", "{}", "iter(())"}:
            yield _return(node, empty)


def _return(node: ast.Return, value: str) -> Change:
    new = ast.parse(value, mode="eval").body
    for one in ast.walk(new):
        if isinstance(one, ast.expr):
            ast.copy_location(one, node)
    return Change("return", _with(node, value=new), _line(node), f"return {value}")


def _kinds(annotation: ast.expr | None) -> list[str]:
    match annotation:
        case ast.Constant(value=None):
            return ["None"]
        case ast.Name():
            return [annotation.id]
        case ast.Subscript(value=ast.Name()):
            return [annotation.value.id] if "..." in ast.unparse(annotation) or annotation.value.id != "tuple" else []
        case ast.BinOp(op=ast.BitOr()):
            return [*_kinds(annotation.left), *_kinds(annotation.right)]
        case _:
            return []


def _line(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())
