"""File values: reads texts, ids and numbers from TOML data, and refuses what is none in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from letitride.errors import InvalidData
from letitride.rules.words import did_you_mean, one_of, shortened, show_value

_ID_MAX: Final = 32
_AMOUNT_MAX: Final = 10**12


def refuse_unknown(data: Mapping[str, Any], allowed: Iterable[str], where: str, prefix: str = "") -> None:
    """Refuse a name that is not allowed."""
    names = tuple(map(str, allowed))
    for name in data:
        if name not in names:
            hint = did_you_mean(name, names)
            raise InvalidData(
                f"{where}: expected {one_of(names)}, got the unknown key {show_value(prefix + name)}{hint}"
            )


def read_text(value: object, where: str) -> str:
    """Return a text on one line, or refuse what is none."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        came = "nothing" if value is None else show_value(value)
        raise InvalidData(f"{where}: expected a text, got {came}")
    return value


def read_id(value: object, where: str) -> str:
    """Return an id, or refuse what is none."""
    name = read_text(value, where)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        came = show_value(shortened(name))
        raise InvalidData(f"{where}: expected small letters, digits and '_', like 'all_red', got {came}")
    if len(name) > _ID_MAX:
        raise InvalidData(f"{where}: expected {_ID_MAX} characters at most, got {len(name)}")
    return name


def read_among(value: object, allowed: tuple[str, ...], where: str) -> Any:
    """Return one of some texts, or refuse another."""
    if value not in allowed or not isinstance(value, str):
        came = "nothing" if value is None else show_value(value)
        raise InvalidData(f"{where}: expected {one_of(allowed)}, got {came}")
    return value


def read_whole(value: object, where: str, least: int = 0) -> int:
    """Return a whole number, or refuse what is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        came = "nothing" if value is None else show_value(value)
        raise InvalidData(f"{where}: expected a whole number, {least} or more, got {came}")
    if value > _AMOUNT_MAX:
        raise InvalidData(f"{where}: expected {_AMOUNT_MAX:,} at most, got {shortened(str(value))}")
    return value


def read_yes(value: object, where: str) -> bool:
    """Return true or false, or refuse what is neither."""
    if not isinstance(value, bool):
        raise InvalidData(f"{where}: expected true or false, got {show_value(value)}")
    return value
