"""Learn to ride: a tabular learner that finds the best play of a paytable from rewards alone, and knows how surely.

It keeps one number for each of 99 states: how much better riding has turned out than taking the bet back, in units of
one bet, with its standard error. Seats come in pairs that are dealt the same cards, for they have the same seed; where
one of the two rides and the other does not, the difference of their rewards is what that bet alone was worth.

`python examples/learn_to_ride.py LIRX-01` takes some seconds, and prints what was learned beside what is exact.
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
from letitride.analysis.strategy import class_values
from letitride.rules.catalog import paytable
from letitride.rules.paytables import base_pays

PAIRS = 4096
STATES = 100
SURE = 3
"""Standard errors from zero, from which on a decision counts as settled."""
FEW = 30
"""Visits below which a standard error says nothing."""


@dataclass(frozen=True)
class Learned:
    """What riding wins against taking the bet back, by state."""

    advantage: NDArray[np.float64]
    error: NDArray[np.float64]

    @property
    def policy(self) -> NDArray[np.int64]:
        """The better action of each state, as far as it is known."""
        return (self.advantage > 0).astype(np.int64)

    @property
    def sure(self) -> NDArray[np.bool_]:
        """The states whose better action is beyond sampling error."""
        return np.abs(self.advantage) > SURE * self.error


@dataclass(frozen=True)
class Rate:
    """How often a bet rode in so many rounds, and how often the learner was not sure."""

    rides: float
    unsure: float
    rounds: int
    exact: Fraction

    @property
    def allowed(self) -> float:
        """How far the rate may be from the exact one: what is not decided, and four standard errors of the count."""
        return self.unsure + 4 * sqrt(float(self.exact * (1 - self.exact)) / self.rounds)


def make(table: str, seats: int) -> Any:
    """Return many seats that see the class of their cards, and are dealt anew as soon as a round is over."""
    return gymnasium.make_vec(
        "LetItRide-v1",
        num_envs=seats,
        vectorization_mode="vector_entry_point",
        paytable=table,
        observation="classes",
        autoreset_mode="SameStep",
    )


def learn(table: str, hands: int, seed: int) -> Learned:
    """Play so many hands, each on a pair of seats, and learn from them."""
    envs = make(table, 2 * PAIRS)
    chance = np.random.default_rng(seed)
    visits, sums, squares = np.zeros((3, STATES))
    both = np.repeat([[1], [0]], PAIRS)  # one of each pair rides, the other does not
    state, _ = envs.reset(seed=[*range(seed, seed + PAIRS)] * 2)
    for batch in range(hands // PAIRS):
        alike = np.tile(chance.integers(0, 2, PAIRS), 2)
        tries_bet_1 = batch % 4 > 0  # its decisions are closer
        three = state
        four, *_ = envs.step(both if tries_bet_1 else alike)
        state, rewards, *_ = envs.step(alike if tries_bet_1 else both)
        seen = (three if tries_bet_1 else four)[:PAIRS]
        gain = rewards[:PAIRS] - rewards[PAIRS:]
        visits += np.bincount(seen, minlength=STATES)
        sums += np.bincount(seen, gain, STATES)
        squares += np.bincount(seen, gain * gain, STATES)
    many = np.maximum(visits, 2)
    mean = sums / many
    error = np.sqrt((squares / many - mean**2) / (many - 1))
    return Learned(mean, np.where(visits < FEW, np.inf, error))


def ride_rates(table: str, learned: Learned, rounds: int, seed: int) -> tuple[Rate, Rate]:
    """Return how often bet 1 and bet 2 ride when the learned policy is played, beside the exact rates of best play."""
    envs = make(table, PAIRS)
    policy, sure = learned.policy, learned.sure
    riding, unsure = [0, 0], [0, 0]
    state, _ = envs.reset(seed=seed)
    for _ in range(rounds // PAIRS):
        for bet in (0, 1):
            riding[bet] += int(policy[state].sum())
            unsure[bet] += int((~sure[state]).sum())
            state, *_ = envs.step(policy[state])
    exact, many = price(base_pays(paytable(table))), rounds // PAIRS * PAIRS
    return (
        Rate(riding[0] / many, unsure[0] / many, many, exact.bet1_ride_rate),
        Rate(riding[1] / many, unsure[1] / many, many, exact.bet2_ride_rate),
    )


@dataclass(frozen=True)
class Distance:
    """How far a state is from what is exact: what riding wins there, as it was learned and as it is."""

    name: str
    learned: float
    exact: float
    error: float
    frequency: float

    @property
    def lost(self) -> float:
        """What the learned decision gives away in a round, on average, in units of one bet."""
        return self.frequency * abs(self.exact) if (self.learned > 0) != (self.exact > 0) else 0.0


def distances(table: str, learned: Learned) -> list[Distance]:
    """Return every class of cards with its distance from the exact advantage, the furthest in standard errors first.

    The classes of four cards come twice, for bet 1 taken back and for bet 1 riding.
    """
    pays = base_pays(paytable(table))
    exact = [*class_values(pays, 3), *class_values(pays, 4), *class_values(pays, 4)]
    found = [
        Distance(one.feature.words, float(mean), float(one.value), float(error), float(one.frequency))
        for one, mean, error in zip(exact, learned.advantage, learned.error, strict=False)
    ]
    return sorted(found, key=lambda one: -abs(one.learned - one.exact) / one.error if one.error else 0.0)


def main(table: str = "LIRX-01", hands: str = "48000000") -> None:
    """Learn, and print what was learned beside what is exact."""
    learned = learn(table, int(hands), seed=1)
    for bet, rate in enumerate(ride_rates(table, learned, 4_000_000, seed=10**9), 1):
        print(f"bet {bet} rides {rate.rides:.3%}, {rate.unsure:.3%} not decided yet; exactly {float(rate.exact):.3%}")
    best = letitride.rl.best_actions(base_pays(paytable(table)))
    wrong = learned.sure & (learned.policy != best)
    off = distances(table, learned)
    print(f"the policy gives away at most {sum(one.lost for one in off):.7f} units a round against best play")
    for one in off:
        print(f"  {one.name}: learned {one.learned:+.4f} ± {one.error:.4f}, exactly {one.exact:+.4f}")
    print(f"{learned.sure[:99].sum()} of 99 states are decided, {wrong[:99].sum()} of them against the best play")
    for state in np.flatnonzero(~learned.sure[:99]):
        name = letitride.rl.CLASSES[state if state < 66 else state - 33].words
        print(f"  open: {name}: {learned.advantage[state]:+.4f} ± {learned.error[state]:.4f} units")


if __name__ == "__main__":
    main(*sys.argv[1:])
