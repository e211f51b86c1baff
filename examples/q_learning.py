"""Q-learning: finds the best play of a paytable from rewards alone, and holds it against the exact analysis.

The learner is a table of 99 states and two actions. It tries actions at random, learns bet 2 from the rewards, then
bet 1 from what bet 2 has turned out to be worth. `python examples/q_learning.py LIRX-01` takes some seconds.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import letitride.rl
from letitride.analysis.base import price
from letitride.analysis.strategy import Strategy, cost
from letitride.rules.catalog import paytable
from letitride.rules.paytables import Wager

SEATS = 8192
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Rate:
    """How often a bet rode, and how far that is from what is best, in standard errors."""

    measured: float
    lowest: Fraction
    """The least and the most that any best play rides: they differ where a choice is worth nothing either way."""
    highest: Fraction
    rounds: int

    @property
    def z(self) -> float:
        """Return how many standard errors the rate lies outside what is best."""
        nearest = min(max(self.measured, float(self.lowest)), float(self.highest))
        return (self.measured - nearest) / sqrt(nearest * (1 - nearest) / self.rounds)


def make(table: str) -> Any:
    """Return many seats that see the class of their cards, dealt anew as soon as a round is over."""
    return gymnasium.make_vec(
        "LetItRide-v1",
        num_envs=SEATS,
        vectorization_mode="vector_entry_point",
        paytable=table,
        observation="classes",
        autoreset_mode="SameStep",
    )


def learn(table: str, rounds: int, seed: int) -> Values:
    """Return what each action is worth in each state, in units of one bet, after so many rounds of trying."""
    envs, chance = make(table), np.random.default_rng(seed)
    values, visits = np.zeros((100, 2)), np.zeros((100, 2))

    def update(states: Any, actions: Any, targets: Any) -> None:
        cells = 2 * states + actions
        visits.ravel()[:] += (many := np.bincount(cells, minlength=200))
        sums = np.bincount(cells, targets, minlength=200)
        values.ravel()[:] += (sums - many * values.ravel()) / np.maximum(visits.ravel(), 1)

    three, _ = envs.reset(seed=seed)
    batches = rounds // SEATS
    for batch in range(batches):
        first, second = chance.integers(0, 2, (2, SEATS))
        four, *_ = envs.step(first)
        dealt, rewards, *_ = envs.step(second)
        if batch < batches // 2:
            update(four, second, rewards)
        else:  # bet 2 is known by now: bet 1 is worth what the best choice after it is worth
            update(three, first, values.max(axis=1)[four])
        three = dealt
    return values


def ride_rates(table: str, policy: Any, rounds: int, seed: int) -> tuple[Rate, Rate, float]:
    """Return how often both bets ride when a policy is played, and what a round wins."""
    envs = make(table)
    state, _ = envs.reset(seed=seed)
    riding, won = [0, 0], 0.0
    for _ in range(rounds // SEATS):
        for bet in (0, 1):
            actions = policy[state]
            riding[bet] += int(actions.sum())
            state, rewards, *_ = envs.step(actions)
        won += float(rewards.sum())
    pays, played = paytable(table).pays[Wager.BASE], rounds // SEATS * SEATS
    low, high = price(pays, "withdraw"), price(pays, "ride")
    bet1 = Rate(riding[0] / played, low.bet1_ride_rate, high.bet1_ride_rate, played)
    bet2 = Rate(riding[1] / played, low.bet2_ride_rate, high.bet2_ride_rate, played)
    return bet1, bet2, won / played


def strategy_of(policy: Any) -> Strategy:
    """Return a policy in the words of the analysis, which knows exactly what it costs; bet 1 taken back or not."""
    rides = [letitride.rl.CLASSES[state] for state in range(66) if policy[state]]
    return Strategy("learned", frozenset(f for f in rides if f.cards == 3), frozenset(f for f in rides if f.cards == 4))


def main(table: str = "LIRX-01") -> None:
    """Learn, and print what was learned beside what is exact."""
    policy = learn(table, 48_000_000, seed=1).argmax(axis=1)
    bet1, bet2, won = ride_rates(table, policy, 4_000_000, seed=10**9)
    for name, rate in (("bet 1", bet1), ("bet 2", bet2)):
        exact = f"{float(rate.lowest):.4%}" + (f" to {float(rate.highest):.4%}" if rate.highest > rate.lowest else "")
        print(f"{name} rides {rate.measured:.4%}; best play {exact}; z {rate.z:+.2f}")
    pays = paytable(table).pays[Wager.BASE]
    print(f"a round wins {won:+.4f} units per unit bet; best play {-float(price(pays).house_edge):+.4f}")
    print(f"the learned play gives away {float(cost(pays, strategy_of(policy)).per_hundred):.4f} units in 100 rounds")


if __name__ == "__main__":
    main(*sys.argv[1:])
