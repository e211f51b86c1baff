"""Pooled figures: what hands are paid out of a maximum that they have together; floats, never money."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from letitride.rules.wager_table import BASE
from letitride.simulation.plan import Plan
from letitride.simulation.series import Estimate, share
from letitride.simulation.tallies import Tallies


@dataclass(frozen=True, slots=True)
class PooledFigures:
    """The base bets as they are paid: means of a unit bet, and what the maximum did."""

    hands_together: int
    most_cents: int
    mean: float
    """What a hand wins of a unit bet, won less lost."""
    se: float
    """Its standard error; the round is the sampling unit."""
    deviation: float
    """Of one hand, in units, as sampled."""
    bound: Estimate
    """The share of rounds in which the maximum was reached."""
    cut: float
    """What a hand loses of a unit bet because other hands count as well."""


def pooled_figures(plan: Plan, tallies: Tallies, alone_cents: int) -> PooledFigures | None:
    """Return the figures of the base bets; `alone_cents` is what hands alone at the table would have won in total."""
    pooled, tally = plan.game.pooled, tallies.pooled
    if pooled is None or tally is None:
        return None
    stake, rounds, hands = plan.stakes[BASE.spot], tallies.rounds, tallies.rounds * plan.game.seats
    total = alone_cents - tally.cut_cents
    of_round = Fraction(tally.squares, rounds) - Fraction(total, rounds) ** 2
    of_hand = Fraction(tally.hand_squares, hands) - Fraction(total, hands) ** 2
    return PooledFigures(
        hands_together=pooled.hands,
        most_cents=pooled.most_cents,
        mean=total / hands / stake,
        se=sqrt(of_round / rounds) / plan.game.seats / stake,
        deviation=sqrt(of_hand) / stake,
        bound=share(tally.bound, rounds),
        cut=tally.cut_cents / hands / stake,
    )
