"""Arguments: refuses in a sentence what a caller of the library cannot mean; never asked by the engine's own calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from numbers import Rational
from operator import index
from typing import TypeVar

from letitride.errors import InvalidData
from letitride.rules.cards import Card
from letitride.rules.money import CENTS_MAX
from letitride.rules.words import shortened, show_value

Kind = TypeVar("Kind")


def described(value: object) -> str:
    """Return what came for a message: a plain value as it is written, of anything else its kind."""
    if value is None or isinstance(value, (str, int, float, bytes)):
        return shortened(show_value(value))
    return f"a {type(value).__name__}"


def whole(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number within its bounds; true, 1.0 and '1' are none."""
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]  # refused if it is none
    except TypeError:
        number = None
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        edges = "" if least is None else f" of {least:,} or more" if most is None else f" from {least:,} to {most:,}"
        raise InvalidData(f"expected {what} as a whole number{edges}, got {described(value)}")
    return number


def cents(value: object, what: str, least: int = 1) -> int:
    """Return an amount in whole cents that books and ledgers can hold."""
    return whole(value, what, least, CENTS_MAX)


def rational(value: object, what: str) -> Fraction:
    """Return an exact number."""
    if isinstance(value, bool) or not isinstance(value, Rational):
        raise InvalidData(f"expected {what} as a Fraction or a whole number, got {described(value)}")
    return Fraction(value)


def positive(value: object, what: str) -> float:
    """Return a number above nothing, which neither a NaN nor an infinity is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value) or value <= 0:
        raise InvalidData(f"expected {what} of more than nothing, got {described(value)}")
    return float(value)


def instance(value: object, kind: type[Kind], what: str) -> Kind:
    """Return a value of a kind."""
    if not isinstance(value, kind):
        raise InvalidData(f"expected {what}, got {described(value)}")
    return value


def mapping(value: object, what: str) -> Mapping[object, object]:
    """Return a mapping."""
    if not isinstance(value, Mapping):
        raise InvalidData(f"expected {what}, got {described(value)}")
    return value


def sequence(value: object, what: str) -> Sequence[object]:
    """Return a sequence that is no text."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise InvalidData(f"expected {what}, got {described(value)}")
    return value


def cards(value: object, what: str, *counts: int) -> tuple[Card, ...]:
    """Return so many different cards."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise InvalidData(f"expected {what} as cards, got {described(value)}")
    found = tuple(value)
    for one in found:
        instance(one, Card, f"{what} as cards")
    if counts and len(found) not in counts:
        many = " or ".join(map(str, counts))
        raise InvalidData(f"expected {many} cards as {what}, got {len(found)}")
    refuse_twice(found, what)
    return found


def refuse_twice(found: Iterable[Card], what: str) -> None:
    """Refuse a card that comes twice."""
    seen: set[Card] = set()
    for card in found:
        if card in seen:
            raise InvalidData(f"expected every card once in {what}, got {card} twice")
        seen.add(card)
