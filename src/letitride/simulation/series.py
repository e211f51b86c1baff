"""Series: sessions with a bankroll, one after another, and their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from letitride.analysis.base import distribution
from letitride.analysis.distribution import Distribution
from letitride.analysis.exact import Exact
from letitride.analysis.sessions import risk_of_ruin
from letitride.errors import InvalidData
from letitride.rules.wager_table import BASE
from letitride.simulation.game import Counts, Game, PartData, blocks_of
from letitride.simulation.jobs import Chunk
from letitride.simulation.plan import Plan
from letitride.simulation.pooled import pooled_terms

SESSIONS_MAX: Final = 10_000_000
"""Every session's result is kept."""
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class Series:
    """Sessions one after another: the result of each in cents, its largest drawdown, how many rounds it lasted."""

    def __init__(self, parts: Sequence[tuple[Counts, Counts, Counts]] = ()) -> None:
        self._parts = list(parts)

    def _columns(self) -> tuple[Counts, Counts, Counts]:
        """Return all parts as one; joined only when asked for, as joining at every part would copy all of them."""
        if len(self._parts) != 1:
            empty = np.zeros(0, np.int64)
            columns = list(zip(*self._parts, strict=True)) or [(empty,)] * 3
            results, drawdowns, played = (np.concatenate(column) for column in columns)
            self._parts = [(results, drawdowns, played)]
        return self._parts[0]

    @property
    def results(self) -> Counts:
        """The result of each, in cents."""
        return self._columns()[0]

    @property
    def drawdowns(self) -> Counts:
        """How far each once fell from its highest, in cents."""
        return self._columns()[1]

    @property
    def played(self) -> Counts:
        """How many rounds each lasted."""
        return self._columns()[2]

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.played.sum())

    def __iadd__(self, other: Series) -> Series:
        self._parts += other._parts
        return self

    def as_data(self) -> PartData:
        """Return the sessions as plain data."""
        return {name: getattr(self, name).tolist() for name in _COLUMNS}

    @classmethod
    def from_data(cls, data: PartData) -> Series:
        """Return the sessions that `as_data` gave."""
        results, drawdowns, played = (np.array(data[name], np.int64) for name in _COLUMNS)
        return cls([(results, drawdowns, played)])


_COLUMNS: Final = ("results", "drawdowns", "played")


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateData:
    """An estimate as `--json` prints it."""

    mean: float
    se: float
    exact: Exact | None
    z: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error, and the exact value where there is one."""

    mean: float
    se: float
    exact: Fraction | None = None
    judged: bool = True
    """Whether so many draws are enough for a normal law to judge by."""

    @property
    def z(self) -> float | None:
        """How many standard errors the mean is off."""
        return None if self.exact is None or not self.se else (self.mean - float(self.exact)) / self.se

    def as_data(self) -> EstimateData:
        """Return it as `--json` prints it."""
        return EstimateData(mean=self.mean, se=self.se, exact=Exact.known(self.exact), z=self.z)


def estimate(total: int, squares: int, many: int, exact: Distribution | None = None, unit: int = 1) -> Estimate:
    """Return the mean of so many draws, in units, from their sum and the sum of their squares.

    Where the exact distribution is known, its variance gives the error, and the draws are judged if none of them alone
    could move the mean by more than one error.
    """
    mean = Fraction(total, many)
    if exact is None:
        variance = max(Fraction(squares, many) - mean**2, Fraction(0))
        return Estimate(float(mean / unit), sqrt(variance / many) / unit)
    largest = max(abs(result - exact.mean) for result in exact.cases)
    judged = float(largest) <= sqrt(exact.variance * many)
    return Estimate(float(mean / unit), sqrt(exact.variance / many) / unit, exact.mean / unit, judged)


ENOUGH: Final = 25
"""A share is judged where it is expected to come, and not to come, so often at least."""


def share(count: int, many: int, exact: Fraction | None = None) -> Estimate:
    """Return how often something happened in some draws; the exact value, where there is one, gives the error."""
    part = float(exact) if exact is not None else count / many
    return Estimate(count / many, sqrt(part * (1 - part) / many), exact, min(part, 1 - part) * many >= ENOUGH)


def agree(estimates: Sequence[Estimate | None]) -> tuple[bool | None, float]:
    """Return whether all that can be judged agrees with the exact values, at 99 % over all of it, and the limit."""
    zs = [one.z for one in estimates if one is not None and one.judged and one.z is not None]
    limit = NormalDist().inv_cdf(1 - 0.01 / (2 * max(len(zs), 1)))
    return (all(abs(z) <= limit for z in zs) if zs else None), limit


def player_sessions(  # noqa: PLR0917 - what a job hands on
    game: Game, seed: int, rounds: int, bankroll: int, need: int, fee: int, chunk: Chunk, hands: int = 1
) -> Series:
    """Play sessions of the first player, who pays a fee and needs so much for a round, and stops on having less."""
    from letitride.simulation.session_kernel import sessions  # noqa: PLC0415 - the compiler takes a moment to load

    results, drawdowns, played = (np.zeros(chunk[1] - chunk[0], np.int64) for _ in range(3))
    sessions(
        game.seats,
        game.packets,
        game.outcomes,
        game.base_nets,
        game.five_nets,
        game.three_nets,
        game.best_nets,
        game.sides,
        None
        if game.listed is None
        else (game.listed.tables(), (game.listed.backs_at, game.listed.backs), game.listed.nets),
        None if game.pooled is None else pooled_terms(game.pooled),
        hands,
        seed,
        chunk[0] * blocks_of(rounds),
        rounds,
        bankroll,
        need,
        fee,
        results,
        drawdowns,
        played,
    )
    return Series([(results, drawdowns, played)])


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
    found = estimate(int(values.sum()), squares, len(values))
    return found if exact is None else Estimate(found.mean, found.se, exact, len(values) >= ENOUGH)


def _quantiles(values: Counts) -> tuple[tuple[float, int], ...]:
    found = np.quantile(values, QUANTILES, method="inverted_cdf")
    return tuple((level, int(value)) for level, value in zip(QUANTILES, found, strict=True))


def exact_session(plan: Plan, rounds: int, bankroll: int, fee: int = 0) -> tuple[Fraction | None, Fraction | None]:
    """Return the exact mean of sessions that never end early, or the chance of ruin where base bets alone are made."""
    if plan.game.pooled is not None:
        return None, None
    if not bankroll:
        return rounds * (plan.hands * sum((one.mean for one in plan.exact), Fraction(0)) - fee), None
    bet = plan.stakes[BASE.spot]
    if len(plan.exact) > 1 or plan.hands > 1 or bankroll % bet or fee:
        return None, None
    base = plan.game.base_nets
    results = distribution(lambda column, bets: Fraction(int(base[4 * column + (0, 2, 3)[bets - 1]]), bet), plan.play)
    try:
        return None, Fraction(risk_of_ruin(results, bankroll // bet, rounds))
    except InvalidData:  # too many rounds for the recursion
        return None, None
