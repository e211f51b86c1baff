"""Signatures: a public function that refuses, in a sentence, arguments which its signature does not allow."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import signature
from itertools import islice
from math import isfinite
from numbers import Integral, Rational
from typing import Any, Final, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from letitride.errors import InvalidData
from letitride.rules.arguments import described
from letitride.rules.words import one_of

P = ParamSpec("P")
T = TypeVar("T")
Fits = Callable[[Any], bool]
Check = tuple[Fits, str]
"""Whether a value fits, and what was expected."""


_ENTRIES: Final = 3
_KINDS: Final[dict[Any, str]] = {Sequence: "a sequence", Iterable: "an iterable", Collection: "a collection"}


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Return a function that looks at its arguments before it begins."""
    known = signature(function)
    named = tuple(known.parameters)

    @cache
    def checks() -> dict[str, Check]:
        hints = get_type_hints(function)
        return {name: check_of(hints[name]) for name in known.parameters if name in hints}

    @wraps(function)
    def edge(*args: P.args, **kwargs: P.kwargs) -> T:
        for name, value in (*zip(named, args, strict=False), *kwargs.items()):
            fits, expected = checks().get(name, (_anything, ""))
            if not fits(value):
                raise InvalidData(f"{function.__name__}: {name}: expected {expected}, got {_shown(value)}")
        return function(*args, **kwargs)

    return edge


def _shown(value: object) -> str:
    """Return what came; of a mapping its first entries, for one of them is what does not fit."""
    if not isinstance(value, Mapping) or not value:
        return described(value)
    shown = ", ".join(f"{described(key)}: {described(one)}" for key, one in islice(value.items(), _ENTRIES))
    return f"{{{shown}{', …' if len(value) > _ENTRIES else ''}}}"


def check_of(hint: Any) -> Check:
    """Return what a value must be by its annotation."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or isinstance(hint, (TypeVar, str)):
        return _anything, "anything"
    if hint is None or hint is type(None):
        return (lambda value: value is None), "nothing"
    if origin is Literal:
        return (lambda value: any(type(value) is type(one) and value == one for one in inner)), one_of(inner)
    if origin in {Union, types.UnionType}:
        return _either([check_of(one) for one in inner])
    if isinstance(origin, type):
        return _filled(origin, inner)
    return _plain(hint) if isinstance(hint, type) else (_anything, "anything")


def _anything(_: Any) -> bool:
    return True


def _either(checks: Sequence[Check]) -> Check:
    words = list(dict.fromkeys(expected for _, expected in checks))
    few = " or ".join(words) if len(words) <= 4 else f"one of {len(words)} kinds, such as {words[0]}"
    return (lambda value: any(fits(value) for fits, _ in checks)), few


def _plain(kind: type) -> Check:
    if kind is int:
        return (lambda value: isinstance(value, Integral) and not isinstance(value, bool)), "a whole number"
    if kind is float:
        return _is_number, "a number"
    words = {str: "a text", bool: "true or false", bytes: "bytes"}
    return (lambda value: isinstance(value, kind)), words.get(kind, f"a {kind.__name__}")


def _is_number(value: object) -> bool:
    if isinstance(value, Rational):
        return not isinstance(value, bool)
    return isinstance(value, float) and isfinite(value)


def _filled(origin: type, inner: tuple[Any, ...]) -> Check:
    """Return what a collection must be, as far as it can be looked into without using it up."""
    if origin.__name__ == "Callable" or issubclass(origin, type):
        return callable, "a function"
    if issubclass(origin, Mapping) and len(inner) == 2:
        key, value = check_of(inner[0]), check_of(inner[1])
        return (
            lambda given: (
                isinstance(given, Mapping) and all(key[0](one) and value[0](other) for one, other in given.items())
            ),
            f"a mapping from {key[1]} to {value[1]}",
        )
    if issubclass(origin, Iterable) and inner and (inner[-1] is Ellipsis or len(inner) == 1):
        item = check_of(inner[0])
        return (
            lambda given: _holds(given, origin, item[0])
        ), f"{_KINDS.get(origin, origin.__name__)} of items that are {item[1]}"
    return (lambda given: isinstance(given, origin)), f"a {origin.__name__}"


def _holds(given: Any, origin: type, fits: Fits) -> bool:
    if isinstance(given, (str, bytes)) or not isinstance(given, origin):
        return False
    return all(map(fits, given)) if isinstance(given, Collection) else True
