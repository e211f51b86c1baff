"""Meter figures: the results of simulated meters and envy, with the exact values; floats, never money.

Rounds are independent, but what a meter holds in them is not. It begins again whenever all of it was taken, and what
happens from one such moment to the next, a cycle, is independent of every other: errors of what depends on the meter
come from cycles. What the house keeps does not depend on it where hands take shares alone, if what went into the meter
counts as the players': then its error is that of the hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import hypot, sqrt

from letitride.analysis.find_rows import LOSES, PAYING
from letitride.analysis.progressive import Progressive, envy_pay, pays_beside, progressive, rank_chances
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wagers import Meter
from letitride.simulation.columns import Column
from letitride.simulation.game import BROADWAY, CODES
from letitride.simulation.meter_tallies import MeterTally, ratio_error
from letitride.simulation.meters import Metered, meter_tally
from letitride.simulation.tallies import STRAIGHT, Tallies


@dataclass(frozen=True, slots=True)
class Sample:
    """The rounds of which a wager's figures are made."""

    tallies: Tallies
    seats: int
    stake_cents: int
    column: Column
    alike: float
    """How much the results of two seats of a round have in common: 0 for nothing, 1 for everything."""
    own: int = 1
    """Hands of each player: none of them envies another."""

    @property
    def envious(self) -> int:
        """How many players each hand would have to be among for as many awards of envy, if all had one hand."""
        return self.seats - self.own + 1

    @property
    def hands(self) -> int:
        """How many hands were dealt."""
        return self.tallies.rounds * self.seats

    def error(self, chances: Mapping[AnyCategory, Fraction], worth: Mapping[AnyCategory, Fraction]) -> float:
        """Return the error of the mean of what hands are worth by their ranks; the variance of one hand is exact."""
        mean = sum((chance * worth[rank] for rank, chance in chances.items()), Fraction(0))
        square = sum((chance * worth[rank] ** 2 for rank, chance in chances.items()), Fraction(0))
        return sqrt((square - mean**2) * (1 + (self.seats - 1) * Fraction(self.alike)) / self.hands)


@dataclass(frozen=True, slots=True)
class MeterMean:
    """A mean, its error where one can be stated, and the exact value where it is known."""

    mean: float
    se: float | None
    exact: Fraction | None

    @property
    def z(self) -> float | None:
        """How many errors the mean is above the exact value."""
        return None if self.exact is None or not self.se else (self.mean - float(self.exact)) / self.se


@dataclass(frozen=True, slots=True)
class MeterHits:
    """The hands of one rank that took of a meter, and what they won by it."""

    rank: AnyCategory
    hands: int
    won_cents: int


@dataclass(frozen=True, slots=True)
class MeterFigures:
    """What happened to a meter; means in cents, edges of a unit bet."""

    tally: MeterTally
    seed_cents: int
    fed_cents: int
    """What bets put in."""
    hits: tuple[MeterHits, ...]
    at_hit: MeterMean | None
    """What it held when a hand took of it; None where none did."""
    before_round: MeterMean
    """What it held when a round began."""
    house_edge: MeterMean
    """What the house keeps where all that went into the meter, seeds among it, counts as the players'."""
    edge_paid: float
    """What the house keeps where only what was paid counts, and what the meter holds above its seed is the house's."""

    @property
    def won_cents(self) -> int:
        """What players won of it, with what the house added."""
        return sum(self.tally.won_cents)


@dataclass(frozen=True, slots=True)
class EnvyFigures:
    """What other players won by hands that they envied, of a unit bet."""

    hands: int
    paid_cents: int
    mean: MeterMean


def meter_figures(pays: Pays, sample: Sample) -> MeterFigures | None:
    """Return what happened to a wager's meter; None where it has none, or no round of it was reckoned."""
    wager, meter = pays.wager, pays.wager.meter
    if meter is None:
        return None
    metered = Metered(wager, meter, sample.stake_cents, sample.seats)
    tally = meter_tally(metered, sample.tallies)
    if not tally.played:
        return None
    exact, hits = progressive(pays, sample.stake_cents, sample.envious), sum(tally.hits)
    marks, average = tally.marks, exact.average_meter_cents
    by_hit = ratio_error(tally.resets, marks.seen_cents, marks.hits, tally.by_hit)
    by_round = ratio_error(tally.resets, marks.level_cents, marks.rounds, tally.by_round)
    kept = _house_edge(pays, meter, sample, tally, exact)
    grown = tally.held_cents - meter.seed_cents
    return MeterFigures(
        tally=tally,
        seed_cents=meter.seed_cents,
        fed_cents=metered.fed_cents * tally.played,
        hits=tuple(
            MeterHits(rank, many, won)
            for rank, many, won in zip(wager.ranking.ranks, tally.hits, tally.won_cents, strict=True)
            if rank in meter.takes
        ),
        at_hit=MeterMean(tally.seen_cents / hits, by_hit, average) if hits else None,
        before_round=MeterMean(tally.level_cents / tally.played, by_round, average),
        house_edge=kept,
        edge_paid=kept.mean + grown / (tally.played * sample.seats * sample.stake_cents),
    )


def _house_edge(pays: Pays, meter: Meter, sample: Sample, tally: MeterTally, exact: Progressive) -> MeterMean:
    stake, seats, beside = sample.stake_cents, sample.seats, pays_beside(pays)
    resets = {rank for rank, take in meter.takes.items() if take.percent == 100}
    worth = {
        rank: beside[rank]
        + envy_pay(pays.wager, rank, stake, sample.envious)
        + (Fraction(meter.seed_cents, stake) if rank in resets else 0)
        for rank in exact.chances
    }
    counts = _hands_by_rank(pays, sample)
    given = sum((many * worth[rank] for rank, many in counts.items()), Fraction(0)) / sample.hands
    added = Fraction(tally.added_cents, tally.played * seats * stake)
    error: float | None = sample.error(exact.chances, worth)
    if tally.added_cents and error is not None:
        of_cycles = ratio_error(tally.resets, tally.marks.added_cents, tally.marks.rounds, tally.added)
        error = None if of_cycles is None else hypot(error, of_cycles / (seats * stake))
    return MeterMean(float(1 - given - exact.contribution - added), error, exact.long_run_edge)


def envy_figures(pays: Pays, sample: Sample) -> EnvyFigures | None:
    """Return the figures of envy; None where a wager has none."""
    wager = pays.wager
    if not wager.envy:
        return None
    counts, chances = _hands_by_rank(pays, sample), rank_chances(wager)
    worth = {rank: envy_pay(wager, rank, sample.stake_cents, sample.envious) for rank in chances}
    paid = sum((counts.get(rank, 0) * worth[rank] for rank in wager.envy), Fraction(0))
    expected = sum((chance * worth[rank] for rank, chance in chances.items()), Fraction(0))
    return EnvyFigures(
        hands=sum(counts.get(rank, 0) for rank in wager.envy),
        paid_cents=int(paid * sample.stake_cents),
        mean=MeterMean(float(paid / sample.hands), sample.error(chances, worth), expected),
    )


def _hands_by_rank(pays: Pays, sample: Sample) -> dict[AnyCategory, int]:
    """Return how many hands had each rank, over all seats; a column of cells tells those that win."""
    tallies, wager = sample.tallies, pays.wager
    match sample.column:
        case "cells":
            codes = tallies.cells.sum(axis=0).reshape(CODES, 4).sum(axis=1).tolist()
            codes[STRAIGHT] += codes[BROADWAY]
            return dict(zip(PAYING, codes[:LOSES], strict=True))
        case "threes":
            return dict(zip(ThreeCardCategory, tallies.threes.sum(axis=0).tolist(), strict=True))
        case _:
            return dict(zip(wager.ranking.ranks, tallies.listed[wager.id].sum(axis=0).tolist(), strict=True))
