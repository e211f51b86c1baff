"""Sessions: the result of many rounds by convolution of the exact distribution of one, in double precision."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import erf, lcm, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.distribution import Distribution
from letitride.errors import InvalidData

Floats = NDArray[np.float64]

ROUNDS_MAX: Final = 10_000
_POINTS_MAX: Final = 64_000_000
_WORK_MAX: Final = 20_000_000_000
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(frozen=True, slots=True)
class Session:
    """So many rounds, in units of one bet."""

    rounds: int
    expected: Fraction
    standard_deviation: float
    ahead: float
    """The probability of having won."""
    even: float
    quantiles: tuple[tuple[float, Fraction], ...]
    """(probability, result that is not exceeded with it)."""


def session(one: Distribution, rounds: int) -> Session:
    """Return the result of a number of rounds; probabilities are right to about 1e-10."""
    if not 1 <= rounds <= ROUNDS_MAX:
        raise InvalidData(f"expected 1 to {ROUNDS_MAX:,} rounds, got {rounds}")
    unit, low, chances = _lattice(one)
    many = _power(chances, rounds)
    zero = -low * rounds
    sums = many.cumsum()
    found = []
    for probability in QUANTILES:
        place = int(sums.searchsorted(probability - 1e-12))
        found.append((probability, Fraction(low * rounds + place, unit)))
    return Session(
        rounds=rounds,
        expected=one.mean * rounds,
        standard_deviation=one.standard_deviation * sqrt(rounds),
        ahead=max(0.0, 1.0 - float(sums[zero])),
        even=max(0.0, float(many[zero])),
        quantiles=tuple(found),
    )


def _lattice(one: Distribution) -> tuple[int, int, Floats]:
    """Return a distribution as chances of whole steps: steps to a unit, the lowest result in steps, the chances."""
    unit = lcm(*(result.denominator for result in one.cases))
    steps = {int(result * unit): cases for result, cases in one.cases.items()}
    low = min(*steps, 0)
    if max(steps) - low >= _POINTS_MAX:
        raise InvalidData("expected pays whose results lie closer together, got some too far apart for a session")
    chances = np.zeros(max(steps) - low + 1)
    for step, cases in steps.items():
        chances[step - low] = cases / one.total
    return unit, low, chances


def _power(chances: Floats, rounds: int) -> Floats:
    """Return the chances of the sum of so many draws."""
    length = (len(chances) - 1) * rounds + 1
    if length > _POINTS_MAX:
        raise InvalidData(f"expected fewer rounds for pays that lie this far apart, got {rounds}")
    size = 1 << (length - 1).bit_length()
    found: Floats = np.fft.irfft(np.fft.rfft(chances, size) ** rounds, size)[:length]
    return np.clip(found, 0.0, None)


def risk_of_ruin(one: Distribution, bankroll: int, rounds: int, bets: int = 3) -> float:
    """Return how likely a bankroll is, within so many rounds, too small for the bets of the next one."""
    if bankroll < bets:
        raise InvalidData(f"expected a bankroll of {bets} units or more, got {bankroll}")
    if not 1 <= rounds <= ROUNDS_MAX:
        raise InvalidData(f"expected 1 to {ROUNDS_MAX:,} rounds, got {rounds}")
    unit, _, _ = _lattice(one)
    steps = [(int(result * unit), cases / one.total) for result, cases in one.cases.items()]
    worst = -min(step for step, _ in steps)
    size = worst * (rounds + 1) + bets * unit + 1
    if size * rounds * len(steps) > _WORK_MAX:
        raise InvalidData(f"expected fewer rounds for pays of such fine fractions, got {rounds}")
    held = np.zeros(size)  # the last place gathers all that can no longer be ruined
    held[min(bankroll * unit, size - 1)] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        after = np.zeros(size)
        playing = held[:-1]
        for step, chance in steps:
            moved = playing * chance
            if step >= 0:
                keep = max(size - 1 - step, 0)
                after[step : step + keep] += moved[:keep]
                after[-1] += moved[keep:].sum()
            else:
                after[: size - 1 + step] += moved[-step:]
        after[-1] += held[-1]
        ruined += float(after[: bets * unit].sum())
        after[: bets * unit] = 0.0
        held = after
    return ruined


@dataclass(frozen=True, slots=True)
class HoldBand:
    """Hold against handle: what share of the amount in action the house keeps, with a confidence band."""

    rounds: int
    handle: Fraction
    """Units in action."""
    hold: Fraction
    margin: float
    confidence: float


def hold_band(one: Distribution, average_wager: Fraction, rounds: int, z: float = 1.96) -> HoldBand:
    """Return the expected hold and how far it may lie off by chance, by the normal approximation."""
    handle = average_wager * rounds
    margin = z * one.standard_deviation * sqrt(rounds) / float(handle)
    return HoldBand(rounds, handle, -one.mean * rounds / handle, margin, erf(z / sqrt(2)))
