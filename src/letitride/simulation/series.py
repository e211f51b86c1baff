"""Series: sessions with a bankroll, one after another, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

import numpy as np

from letitride.analysis.base import distribution
from letitride.analysis.sessions import risk_of_ruin
from letitride.errors import InvalidData
from letitride.simulation.game import Counts, Game, blocks_of
from letitride.simulation.jobs import Chunk
from letitride.simulation.plan import Plan

SESSIONS_MAX: Final = 10_000_000
"""Every session's result is kept."""
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@dataclass(slots=True)
class Series:
    """Sessions one after another: what each came to in cents, how far it once fell, how many rounds it lasted."""

    results: Counts
    drawdowns: Counts
    played: Counts

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.played.sum())

    def __iadd__(self, other: Series) -> Series:
        self.results = np.concatenate([self.results, other.results])
        self.drawdowns = np.concatenate([self.drawdowns, other.drawdowns])
        self.played = np.concatenate([self.played, other.played])
        return self

    def as_data(self) -> dict[str, Any]:
        """Return the sessions as plain data."""
        return {name: getattr(self, name).tolist() for name in self.__slots__}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Series:
        """Return the sessions that `as_data` gave."""
        return cls(*(np.array(data[name], np.int64) for name in cls.__slots__))


def empty_series(size: int = 0) -> Series:
    """Return so many sessions that nobody has played yet."""
    return Series(*(np.zeros(size, np.int64) for _ in range(3)))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error, and the exact value where there is one."""

    mean: float
    se: float
    exact: Fraction | None = None

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is off."""
        return None if self.exact is None or not self.se else (self.mean - float(self.exact)) / self.se

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        exact = None if self.exact is None else {"exact": str(self.exact), "value": float(self.exact)}
        return {"mean": self.mean, "se": self.se, "exact": exact, "z": self.z}


def estimate(total: int, squares: int, many: int, exact: Fraction | None = None, unit: int = 1) -> Estimate:
    """Return the mean of so many draws, in units, from their sum and the sum of their squares."""
    mean = Fraction(total, many)
    variance = max(Fraction(squares, many) - mean**2, Fraction(0))
    return Estimate(float(mean / unit), sqrt(variance / many) / unit, exact)


def share(count: int, many: int, exact: Fraction | None = None) -> Estimate:
    """Return how often something came in so many draws."""
    part = count / many
    return Estimate(part, sqrt(part * (1 - part) / many), exact)


def player_sessions(  # noqa: PLR0917 - what a job hands on
    game: Game, seed: int, rounds: int, bankroll: int, need: int, chunk: Chunk
) -> Series:
    """Play sessions of the first seat, which needs so much for a round and stops when it has less."""
    from letitride.simulation.session_kernel import sessions  # noqa: PLC0415 - the compiler takes a moment to load

    found = empty_series(chunk[1] - chunk[0])
    sessions(
        game.seats,
        game.packets,
        game.outcomes,
        game.base,
        game.bonus,
        game.three,
        game.cover,
        game.sides,
        seed,
        chunk[0] * blocks_of(rounds),
        rounds,
        bankroll,
        need,
        found.results,
        found.drawdowns,
        found.played,
    )
    return found


@dataclass(frozen=True, slots=True)
class SessionFigures:
    """Sessions as a whole; money in cents."""

    sessions: int
    rounds: int
    """The most that a session has."""
    result: Estimate
    ahead: Estimate
    ruined: Estimate | None
    played: Estimate
    """Rounds that a session lasted: time on device."""
    drawdown: Estimate
    result_quantiles: tuple[tuple[float, int], ...]
    drawdown_quantiles: tuple[tuple[float, int], ...]


def session_figures(
    series: Series, rounds: int, ruined: int | None, mean: Fraction | None = None, ruin: Fraction | None = None
) -> SessionFigures:
    """Return the figures of sessions; `mean` and `ruin` are the exact values where there are any."""
    many = len(series.results)
    return SessionFigures(
        sessions=many,
        rounds=rounds,
        result=_of(series.results, mean),
        ahead=share(int((series.results > 0).sum()), many),
        ruined=None if ruined is None else share(ruined, many, ruin),
        played=_of(series.played),
        drawdown=_of(series.drawdowns),
        result_quantiles=_quantiles(series.results),
        drawdown_quantiles=_quantiles(series.drawdowns),
    )


def _of(values: Counts, exact: Fraction | None = None) -> Estimate:
    squares = sum(int(value) ** 2 for value in values.tolist())
    return estimate(int(values.sum()), squares, len(values), exact)


def _quantiles(values: Counts) -> tuple[tuple[float, int], ...]:
    found = np.quantile(values, QUANTILES, method="inverted_cdf")
    return tuple((level, int(value)) for level, value in zip(QUANTILES, found, strict=True))


def exact_session(plan: Plan, rounds: int, bankroll: int) -> tuple[Fraction | None, Fraction | None]:
    """Return the exact mean of sessions that never end early, or the chance of ruin where base bets alone are made."""
    if not bankroll:
        return rounds * sum((one.mean for one in plan.exact), Fraction(0)), None
    bet = plan.stakes["base-$"]
    if len(plan.exact) > 1 or bankroll % bet:
        return None, None
    base = plan.game.base
    results = distribution(lambda column, bets: Fraction(int(base[4 * column + (0, 2, 3)[bets - 1]]), bet), plan.play)
    try:
        return None, Fraction(risk_of_ruin(results, bankroll // bet, rounds))
    except InvalidData:  # too many rounds for the recursion
        return None, None
