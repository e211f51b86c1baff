"""Chance for drills: what a trainer asks of the source of chance it is given; it draws none itself.

A server hands in its live generator, a command or a test a seeded one: both have `below`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from letitride.errors import InvalidData

T = TypeVar("T")


class Chance(Protocol):
    """A source of whole numbers, each as likely as any other."""

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to limit - 1."""


def one_of(chance: Chance, values: Sequence[T]) -> T:
    """Return one of some values, each as likely."""
    if not values:
        raise InvalidData("expected something to choose from, got nothing")
    return values[chance.below(len(values))]


def shuffled(chance: Chance, values: Sequence[T]) -> tuple[T, ...]:
    """Return the values in an order of which each is as likely."""
    order = list(values)
    for top in range(len(order) - 1, 0, -1):
        other = chance.below(top + 1)
        order[top], order[other] = order[other], order[top]
    return tuple(order)


def weighted(chance: Chance, values: Sequence[T], weights: Sequence[int]) -> T:
    """Return one of some values, each as likely as its weight is of all weights."""
    drawn = chance.below(sum(weights))
    for value, weight in zip(values, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return value
    raise InvalidData("expected weights of 0 or more and one above 0, got others")
