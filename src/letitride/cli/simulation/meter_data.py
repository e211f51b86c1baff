"""Meter data: the types of what `simulate --json` prints of meters and envy; it counts nothing."""

from __future__ import annotations

from dataclasses import dataclass

from letitride.analysis.exact import Exact
from letitride.simulation.meter_figures import EnvyFigures, MeterFigures, MeterMean


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterMeanData:
    """A mean with its error, null where too few resets stand behind it, beside the exact value where it is known."""

    mean: float
    se: float | None
    exact: Exact | None
    z: float | None

    @classmethod
    def of(cls, one: MeterMean) -> MeterMeanData:
        """Return a mean as data."""
        return cls(mean=one.mean, se=one.se, exact=Exact.known(one.exact), z=one.z)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterHitsData:
    """The hands of one rank that took of the meter, and what they won by it."""

    rank: str
    hands: int
    won_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterData:
    """What happened to a wager's meter: means and amounts in cents, edges of a unit bet."""

    first_round: int
    """The round before which it opened at its seed, from 0."""
    rounds: int
    seed_cents: int
    fed_cents: int
    hits: tuple[MeterHitsData, ...]
    won_cents: int
    resets: int
    """How often all of it was taken, and the house put in a new seed."""
    house_added_cents: int
    """What the house added to amounts that the meter did not hold."""
    held_cents: int
    highest_cents_at_a_hit: int
    at_a_hit: MeterMeanData | None
    before_a_round: MeterMeanData
    house_edge: MeterMeanData
    """With all that went into the meter counted as the players'; the exact value is the long run's."""
    house_edge_by_what_was_paid: float

    @classmethod
    def of(cls, one: MeterFigures) -> MeterData:
        """Return figures as data."""
        return cls(
            first_round=one.tally.first,
            rounds=one.tally.played,
            seed_cents=one.seed_cents,
            fed_cents=one.fed_cents,
            hits=tuple(
                MeterHitsData(rank=line.rank.name.lower(), hands=line.hands, won_cents=line.won_cents)
                for line in one.hits
            ),
            won_cents=one.won_cents,
            resets=one.tally.resets,
            house_added_cents=one.tally.added_cents,
            held_cents=one.tally.held_cents,
            highest_cents_at_a_hit=one.tally.highest_cents,
            at_a_hit=None if one.at_hit is None else MeterMeanData.of(one.at_hit),
            before_a_round=MeterMeanData.of(one.before_round),
            house_edge=MeterMeanData.of(one.house_edge),
            house_edge_by_what_was_paid=one.edge_paid,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvyData:
    """What the other seats won by hands with an envy award: the mean is of a unit bet."""

    hands: int
    paid_cents: int
    result: MeterMeanData

    @classmethod
    def of(cls, one: EnvyFigures) -> EnvyData:
        """Return figures as data."""
        return cls(hands=one.hands, paid_cents=one.paid_cents, result=MeterMeanData.of(one.mean))
