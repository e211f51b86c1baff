"""Words: how values and refusals are put to a person, the same everywhere."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import msgspec

from letitride.errors import escaped, shortened

__all__ = ["did_you_mean", "escaped", "one_of", "plural", "quantity", "shortened", "show_value"]


def plural(noun: str, number: int) -> str:
    """Return a noun as it stands after a number: 'card' after 1, 'cards' after 2 or none, 'sixes'."""
    return noun if number == 1 else noun + ("es" if noun.endswith("x") else "s")


def quantity(number: int, noun: str) -> str:
    """Return so many of something: '1 card', '2 cards', '1,000 rounds'."""
    return f"{number:,} {plural(noun, number)}"


def show_value(value: object) -> str:
    """Return a value as TOML writes it."""
    match value:
        case None:
            return "unset"
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}'" if value.isprintable() else ascii(value)
        case list() | tuple():
            return "[" + ", ".join(map(show_value, value)) + "]"
        case msgspec.Struct():
            return show_value(msgspec.structs.asdict(value))
        case dict():
            return "{" + ", ".join(f"{name} = {show_value(item)}" for name, item in value.items()) + "}"
        case _:
            return str(value)


def one_of(values: Iterable[object]) -> str:
    """Return 'a', or 'one of a, b, c'."""
    shown = [show_value(value) for value in values]
    return shown[0] if len(shown) == 1 else "one of " + ", ".join(shown)


def did_you_mean(text: str, names: Iterable[str]) -> str:
    """Return '; did you mean …?' with the nearest name, or nothing."""
    near = difflib.get_close_matches(text, list(names))
    return f"; did you mean '{near[0]}'?" if near else ""


def plain_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
