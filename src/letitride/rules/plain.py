"""Plain: frozen dataclasses as the plain data that JSON is made of; it reads none back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

Kind = TypeVar("Kind")

LEFT_OUT: Final[Mapping[str, Any]] = {"left_out": True}
"""The metadata of a field that has no key in JSON where its value is None."""


def plain(value: object) -> Any:
    """Return a value as plain data: a field's key is its name, or the `alias` of its metadata."""
    kind: type[object] = type(value)
    if is_dataclass(kind):
        return {
            key: plain(found)
            for name, key, left_out in _keys(kind)
            if (found := getattr(value, name)) is not None or not left_out
        }
    match value:
        case Mapping():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
        case _:
            return msgspec.to_builtins(value)


def encoded(value: object) -> bytes:
    """Return a value as JSON without spaces."""
    return msgspec.json.encode(plain(value))


def extended(kind: type[Kind], base: Any, **more: object) -> Kind:
    """Return a dataclass of this kind with the fields of a `base` that it extends, and those of its own."""
    return kind(**{one.name: getattr(base, one.name) for one in fields(base)}, **more)


@cache
def _keys(kind: type[Any]) -> tuple[tuple[str, str, bool], ...]:
    """Return the name of each field of a dataclass, its key in JSON, and whether None leaves it out."""
    found: tuple[Field[Any], ...] = fields(kind)
    return tuple((one.name, one.metadata.get("alias", one.name), one.metadata.get("left_out", False)) for one in found)
