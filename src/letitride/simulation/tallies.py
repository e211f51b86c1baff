"""Tallies: what a simulation has counted, as whole numbers; tallies of parts add up to those of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Final

import numpy as np

from letitride.errors import InvalidData
from letitride.simulation.game import BLOCK, BROADWAY, CODES, THREES, Counts, Game, PartData
from letitride.simulation.listed import RANKS
from letitride.simulation.meter_tallies import MeterTally
from letitride.simulation.pooled import PooledTally
from letitride.simulation.stored_names import BY_THREES, SQUARED
from letitride.simulation.takes import Hits, later, no_hits

STRAIGHT: Final = 5
_LISTED: Final = "listed"
_METERS: Final = "meters"
_HITS: Final = "hits"
_POOLED: Final = "pooled"


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
    """Of what all seats together won in a round, in cents squared: base bets, bet on five cards, bet on three cards."""
    listed: dict[str, Counts] = field(default_factory=dict)
    """By listed wager, (2, ranks): by rank, best first, for the first seat and for all others."""
    listed_squares: dict[str, int] = field(default_factory=dict)
    """By listed wager, as `squares`."""
    hits: dict[str, Hits] = field(default_factory=dict)
    """By wager with a meter: the hands that took of it and were not reckoned yet, by round from the first one on."""
    meters: dict[str, MeterTally] = field(default_factory=dict)
    """By wager: what happened to its meter, as far as it was reckoned (`meters.fold_meters`)."""
    pooled: PooledTally | None = None
    """The results of hands that are paid out of one maximum, where there are any."""

    def __iadd__(self, other: Tallies) -> Tallies:
        for wager, hits in other.hits.items():  # in the order of rounds: the other rounds come after these
            self.hits[wager] = np.concatenate([self.hits.get(wager, no_hits()), later(hits, self.rounds)])
        self.rounds += other.rounds
        self.cells += other.cells
        self.threes += other.threes
        self.best += other.best
        self.squares = [mine + theirs for mine, theirs in zip(self.squares, other.squares, strict=True)]
        for wager, counts in other.listed.items():
            self.listed[wager] = self.listed.get(wager, np.zeros_like(counts)) + counts
            self.listed_squares[wager] = self.listed_squares.get(wager, 0) + other.listed_squares[wager]
        if other.pooled is not None:
            self.pooled = (self.pooled or PooledTally()) + other.pooled
        return self

    def as_data(self) -> PartData:
        """Return the tallies as plain data, as `--json` prints them and a saved state keeps them."""
        listed = {wager: _by_seat(counts) for wager, counts in self.listed.items()}
        return {
            "rounds": self.rounds,
            "cells": _by_seat(self.cells),
            BY_THREES: _by_seat(self.threes),
            "best_hand": self.best.tolist(),
            "squares": dict(zip(SQUARED, self.squares, strict=True)) | self.listed_squares,
        } | {name: part for name, part in self._optional(listed).items() if part}

    def _optional(self, listed: PartData) -> PartData:
        """Return what the tallies of some games alone have; hits only where they are still to be reckoned."""
        open_hits = {name: hits.tolist() for name, hits in self.hits.items() if hits.size or name not in self.meters}
        meters = {wager: tally.as_data() for wager, tally in self.meters.items()}
        pooled = {} if self.pooled is None else self.pooled.as_data()
        return {_LISTED: listed, _METERS: meters, _HITS: open_hits, _POOLED: pooled}

    @classmethod
    def from_data(cls, data: PartData) -> Tallies:
        """Return the tallies that `as_data` gave."""
        return cls(
            rounds=data["rounds"],
            cells=_rows(data["cells"]),
            threes=_rows(data[BY_THREES]),
            best=np.array(data["best_hand"], np.int64),
            squares=[data["squares"][name] for name in SQUARED],
            listed={wager: _rows(counts) for wager, counts in data.get(_LISTED, {}).items()},
            listed_squares={wager: data["squares"][wager] for wager in data.get(_LISTED, {})},
            hits={wager: np.array(hits, np.int64) for wager, hits in data.get(_HITS, {}).items()},
            meters={wager: MeterTally.from_data(tally) for wager, tally in data.get(_METERS, {}).items()},
            pooled=PooledTally(**data[_POOLED]) if _POOLED in data else None,
        )


def _by_seat(counts: Counts) -> dict[str, list[int]]:
    return {"first_seat": counts[0].tolist(), "other_seats": counts[1].tolist()}


def _rows(data: dict[str, list[int]]) -> Counts:
    return np.array([data["first_seat"], data["other_seats"]], np.int64)


def nothing() -> Tallies:
    """Return the tallies of no rounds."""
    return Tallies(
        0, np.zeros((2, 4 * CODES), np.int64), np.zeros((2, THREES), np.int64), np.zeros(CODES, np.int64), [0, 0, 0]
    )


def in_units(game: Game) -> tuple[tuple[Counts, Counts, Counts], tuple[int, int, int]]:
    """Return the results of base bets, five-card bet and three-card bet in the largest unit of each, and those units.

    The squares of a block's rounds are summed in 63 bits; what does not fit there is refused.
    """
    nets, units = zip(*(_unit(game, part) for part in (game.base_nets, game.five_nets, game.three_nets)), strict=True)
    return (nets[0], nets[1], nets[2]), (units[0], units[1], units[2])


def listed_in_units(game: Game) -> tuple[Counts, tuple[int, ...]]:
    """Return the results of the listed wagers in the largest unit of each, and those units."""
    if game.listed is None:
        return np.zeros((0, 0), np.int64), ()
    found = [_unit(game, row) for row in game.listed.nets]
    return np.stack([nets for nets, _ in found]), tuple(unit for _, unit in found)


def _unit(game: Game, nets: Counts) -> tuple[Counts, int]:
    unit = gcd(*(int(net) for net in nets)) or 1
    largest = int(np.abs(nets).max()) // unit * game.seats
    if game.seats > 1 and largest**2 * BLOCK >= 2**63:
        raise InvalidData(
            f"expected results whose squares can be counted, got {largest} units of {unit} cents a round: "
            "smaller or rounder stakes will do"
        )
    return nets // unit, unit


def counted(  # noqa: PLR0917 - what back ends count
    game: Game,
    rounds: int,
    counts: tuple[Counts, Counts, Counts, Counts],
    units: Sequence[int],
    listed: tuple[Counts, Counts] | None = None,
    hits: Hits | None = None,
    pooled: Counts | None = None,
) -> Tallies:
    """Return what a back end has counted as tallies: equal, whatever it was counted on.

    The counts are cells, three-card categories, best hands and squares, these in two rows, the second in units of 2^32,
    and in units; of listed wagers, ranks and squares; of meters, the hits in any order; of a maximum over several hands
    what `pooled` says. With one seat its hand is the
    table's, and the squares follow from the counts.
    """
    cells, threes, best, squares = counts
    cells, threes, best = cells[:, : 4 * CODES], threes[:, :THREES], best[:CODES].copy()
    if game.seats == 1:
        ones = cells[0].reshape(CODES, 4).sum(axis=1) if game.sides else np.zeros(CODES, np.int64)
        best = ones.copy()
        best[STRAIGHT] += best[BROADWAY]
        best[BROADWAY] = 0
        sums = [
            _dot(cells[0], game.base_nets),
            _dot(cells[0], game.five_nets),
            _dot(threes[0], game.three_nets[:THREES]),
        ]
    else:
        sums = _whole(squares, units)
    found = Tallies(rounds, cells.copy(), threes.copy(), best, sums)
    if game.listed is not None and listed is not None:
        ranks, listed_squares = listed
        for place, wager in enumerate(game.listed.ids):
            many = int(game.listed.heads[place, RANKS])
            found.listed[wager] = ranks[place, :, :many].copy()
            found.listed_squares[wager] = (
                _dot(found.listed[wager][0], game.listed.nets[place, :many])
                if game.seats == 1
                else _whole(listed_squares[:, place : place + 1], listed_in_units(game)[1][place : place + 1])[0]
            )
    if game.takes is not None and hits is not None:
        found.hits = game.takes.by_wager(hits)
    if game.pooled is not None and pooled is not None:
        found.pooled = PooledTally.of(pooled)
    return found


def _whole(squares: Counts, units: Sequence[int]) -> list[int]:
    return [(int(low) + (int(high) << 32)) * unit**2 for low, high, unit in zip(*squares, units, strict=True)]


def _dot(counts: Counts, nets: Counts) -> int:
    return sum(int(count) * int(net) ** 2 for count, net in zip(counts, nets, strict=True))
