"""Tallies: what a simulation has counted, as whole numbers; tallies of parts add up to those of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

import numpy as np

from letitride.errors import InvalidData
from letitride.simulation.game import BLOCK, BROADWAY, CODES, THREES, Counts, Game, PartData

STRAIGHT: Final = 5
SQUARED: Final = ("base", "bonus", "three_card")
"""The wagers of which the squares of a round's results are summed; of Cover All they follow from the counts."""


@dataclass(slots=True)
class Tallies:
    """Counts of rounds; `cells` and `threes` have a row for the first seat and one for all others."""

    rounds: int
    cells: Counts
    """(2, 44): by code of the hand, whether bet 1 rode and whether bet 2 rode."""
    threes: Counts
    """(2, 7): by three-card category."""
    best: Counts
    """(11): by code of the best hand of the table."""
    squares: list[int]
    """Of what all seats together won in a round, in cents squared: base, bonus, three-card bet."""

    def __iadd__(self, other: Tallies) -> Tallies:
        self.rounds += other.rounds
        self.cells += other.cells
        self.threes += other.threes
        self.best += other.best
        self.squares = [mine + theirs for mine, theirs in zip(self.squares, other.squares, strict=True)]
        return self

    def as_data(self) -> PartData:
        """Return the tallies as plain data, as `--json` prints them and a saved state keeps them."""
        return {
            "rounds": self.rounds,
            "cells": {"first_seat": self.cells[0].tolist(), "other_seats": self.cells[1].tolist()},
            "three_card": {"first_seat": self.threes[0].tolist(), "other_seats": self.threes[1].tolist()},
            "best_hand": self.best.tolist(),
            "squares": dict(zip(SQUARED, self.squares, strict=True)),
        }

    @classmethod
    def from_data(cls, data: PartData) -> Tallies:
        """Return the tallies that `as_data` gave."""
        return cls(
            rounds=data["rounds"],
            cells=_rows(data["cells"]),
            threes=_rows(data["three_card"]),
            best=np.array(data["best_hand"], np.int64),
            squares=[data["squares"][name] for name in SQUARED],
        )


def _rows(data: dict[str, list[int]]) -> Counts:
    return np.array([data["first_seat"], data["other_seats"]], np.int64)


def nothing() -> Tallies:
    """Return the tallies of no rounds."""
    return Tallies(
        0, np.zeros((2, 4 * CODES), np.int64), np.zeros((2, THREES), np.int64), np.zeros(CODES, np.int64), [0, 0, 0]
    )


def in_units(game: Game) -> tuple[tuple[Counts, Counts, Counts], tuple[int, int, int]]:
    """Return the results of base, bonus and three-card bet in the largest unit of each, and those units.

    The squares of a block's rounds are summed in 63 bits; what does not fit there is refused.
    """
    nets, units = [], []
    for part in (game.base, game.bonus, game.three):
        unit = gcd(*(int(net) for net in part)) or 1
        largest = int(np.abs(part).max()) // unit * game.seats
        if game.seats > 1 and largest**2 * BLOCK >= 2**63:
            raise InvalidData(
                f"expected results whose squares can be counted, got {largest} units of {unit} cents a round: "
                "smaller or rounder stakes will do"
            )
        nets.append(part // unit)
        units.append(unit)
    return (nets[0], nets[1], nets[2]), (units[0], units[1], units[2])


def counted(game: Game, rounds: int, counts: tuple[Counts, Counts, Counts, Counts], units: Sequence[int]) -> Tallies:
    """Return what a back end has counted as tallies: equal, whatever it was counted on.

    The counts are cells, three-card categories, best hands and squares, these in two rows, the second in units of 2^32.
    and in units. With one seat its hand is the table's, and the squares follow from the counts.
    """
    cells, threes, best, squares = counts
    cells, threes, best = cells[:, : 4 * CODES], threes[:, :THREES], best[:CODES].copy()
    if game.seats == 1:
        ones = cells[0].reshape(CODES, 4).sum(axis=1) if game.sides else np.zeros(CODES, np.int64)
        best = ones.copy()
        best[STRAIGHT] += best[BROADWAY]
        best[BROADWAY] = 0
        sums = [
            _dot(cells[0], game.base),
            _dot(cells[0], game.bonus),
            _dot(threes[0], game.three[:THREES]),
        ]
    else:
        sums = [(int(low) + (int(high) << 32)) * unit**2 for low, high, unit in zip(*squares, units, strict=True)]
    return Tallies(rounds, cells.copy(), threes.copy(), best, sums)


def _dot(counts: Counts, nets: Counts) -> int:
    return sum(int(count) * int(net) ** 2 for count, net in zip(counts, nets, strict=True))
