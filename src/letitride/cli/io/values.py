"""Values: what is typed after an option: a table's own values, whole numbers such as 1e6, amounts."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from fractions import Fraction
from typing import Annotated, Final

import typer

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.keyspec import KEYS, find_keys
from letitride.rules.values import RuleValue, Values
from letitride.rules.words import show_value

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="Set a value that the rule book leaves to the table; may be repeated.", metavar="KEY=VALUE"
    ),
]

OwnBook = Annotated[
    str | None,
    typer.Option(
        "--rulebook", help="The file of the record's rule book, if it is not a published one.", metavar="FILE"
    ),
]


_NUMBER: Final = re.compile(r"\+?[0-9]{1,20}(\.[0-9]{1,20})?([eE]\+?[0-9]{1,2})?")


def parse_values(pairs: list[str], *books: str) -> Values:
    """Read KEY=VALUE pairs for rule books; a value is written as in TOML, a text also without its quotes."""
    values: dict[str, RuleValue] = {}
    keys = {name: spec for book in books if pairs for name, spec in catalog.rulebook(book).keys.items()} or KEYS
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or "\n" in pair:
            raise InvalidData(f"expected KEY=VALUE after --set, got {show_value(pair)}")
        specs = find_keys(name.strip(), keys)
        if len(specs) > 1:
            raise InvalidData(f"expected one key before '=' in --set, got the section '{name.strip()}'")
        if specs[0].name in values:
            raise InvalidData(f"expected each key once after --set, got {specs[0].name} twice")
        try:
            values[specs[0].name] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[specs[0].name] = text.strip()
        except (ValueError, RecursionError):
            raise InvalidData(f"--set: {specs[0].name}: expected {specs[0].expected}, got too much to read") from None
    return values


def parse_whole(text: str, what: str, option: str, least: int = 1, most: float = 1e12) -> int:
    """Read a whole number of something, written plainly or like 1e6."""
    number = float(text) if _NUMBER.fullmatch(text) else 0.0
    if not 1 <= number <= most or number != int(number):
        raise InvalidData(f"expected a whole number of {what}, such as 1000000 or 1e6, after {option}, got '{text}'")
    if number < least:
        raise InvalidData(f"expected {least:,} {what} or more after {option}, got '{text}'")
    return int(number)


def cents_of(text: str, name: str, *, zero: bool = False) -> int:
    """Read an amount of dollars as cents."""
    match = re.fullmatch(r"\$?([0-9]{1,9})(?:\.([0-9]{2}))?", text)
    cents = 100 * int(match[1]) + int(match[2] or 0) if match else -1
    if cents < (0 if zero else 1):
        raise InvalidData(f"expected an amount like 25 or 7.50 after {name}, got '{text}'")
    return cents


def given_date(text: str, option: str) -> str:
    """Return a date that was typed as YYYY-MM-DD, or say what was expected."""
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise InvalidData(f"expected a date like 2025-03-31 after {option}, got '{text}'")


def share_of(text: str, option: str, least: int = -100) -> Fraction:
    """Read a percentage such as 2.5 or 2.5%, as a share."""
    if not re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]{1,9})?%?", text, re.ASCII):
        raise InvalidData(f"expected a percentage like 2.5 after {option}, got '{text}'")
    value = Fraction(text.removesuffix("%")) / 100
    if not -1 < value < 1 or 100 * value < least:
        raise InvalidData(f"expected a percentage between {least} and 100 after {option}, got '{text}'")
    return value
