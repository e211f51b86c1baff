"""Simulation data: the types of what `simulate --json` prints; `figures` fills them in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from letitride.analysis.exact import Exact
from letitride.cli.simulation.meter_data import EnvyData, MeterData
from letitride.rules.plain import LEFT_OUT
from letitride.simulation.collusion import CollusionData
from letitride.simulation.figures import Agreement, Verdict
from letitride.simulation.game import PartData
from letitride.simulation.series import EstimateData


@dataclass(frozen=True, slots=True, kw_only=True)
class GameData:
    """The table that was simulated."""

    kind: str
    rulebook: str
    paytables: Mapping[str, str]
    seats: int
    hands: int | None = field(default=None, metadata=LEFT_OUT)
    """Of each player, where a player has more than one."""
    stake_cents: Mapping[str, int]
    sha256: str
    bankroll_cents: int | None = field(default=None, metadata=LEFT_OUT)
    bank_stake_cents: int | None = field(default=None, metadata=LEFT_OUT)
    cover: str | None = field(default=None, metadata=LEFT_OUT)
    stated: str
    """What was taken where the book leaves something open, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval of confidence."""

    confidence: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryData:
    """How often a hand was dealt, and its exact probability."""

    category: str
    count: int
    first_seat: int
    probability: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledData:
    """The base bets as they are paid out of a maximum over several hands: means of a unit bet."""

    hands_together: int
    payout_cents_max: int
    mean: float
    se: float
    deviation: float
    """Of one hand, as sampled."""
    bound: EstimateData
    """The share of rounds in which the maximum was reached."""
    cut: float
    """What a hand loses because other hands count as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerData:
    """What a wager won of a unit bet, beside its exact value."""

    wager: str
    stake_cents: int | None = field(default=None, metadata=LEFT_OUT)
    hands: int | None = field(default=None, metadata=LEFT_OUT)
    mean: float
    se: float
    interval: Interval | None = field(default=None, metadata=LEFT_OUT)
    exact: float | None
    exact_fraction: str | None = field(default=None, metadata=LEFT_OUT)
    assumed: str | None = field(default=None, metadata=LEFT_OUT)
    """What its exact value assumes of the table, and so does the run: a meter at its seed."""
    z: float | None
    categories: tuple[CategoryData, ...] | None = field(default=None, metadata=LEFT_OUT)
    chi_square: Agreement | None = field(default=None, metadata=LEFT_OUT)
    meter: MeterData | None = field(default=None, metadata=LEFT_OUT)
    """What happened to its meter; everything above has it at its seed, and is without envy."""
    envy: EnvyData | None = field(default=None, metadata=LEFT_OUT)
    pooled: PooledData | None = field(default=None, metadata=LEFT_OUT)
    """What is paid where a maximum is counted over several hands; everything above is of one hand alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceData:
    """What one place in the order of action won."""

    place: int
    mean: float
    se: float
    exact: Exact | None
    z: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatData:
    """What one seat won in an orbit."""

    seat: int
    mean: float
    se: float
    exact: Exact | None
    z: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverData:
    """The stake that covers a share of rounds."""

    rounds_covered_at_least: float
    stake_cents: int
    covers: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationData:
    """What each seat wins where each seat banks in turn."""

    hands_each: int
    orbits: int
    unit: str
    seats: tuple[SeatData, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BankData:
    """What a bank won, and what its stake covered."""

    unit: str
    fee_cents: int
    opponent_fee_cents: int
    result: EstimateData
    if_all_were_covered: EstimateData
    not_covered: EstimateData
    wagers: Mapping[str, int]
    order_of_action: tuple[PlaceData, ...]
    cover_by_stake: tuple[CoverData, ...]
    rotation: RotationData


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTallies:
    """The totals of all sessions; the digest is of every single one."""

    sessions: int
    rounds: int
    result_cents: int
    ruined: int | None
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """A share of sessions had this result or less."""

    probability: float
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsData:
    """How sessions ended."""

    sessions: int
    rounds_each: int
    unit: str
    result: EstimateData
    ahead: EstimateData
    ruined: EstimateData | None
    rounds_played: EstimateData
    drawdown: EstimateData
    result_quantiles: tuple[Quantile, ...]
    drawdown_quantiles: tuple[Quantile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemarkedVerdict:
    """Whether estimates agree with their exact values, and how that is said; null where nothing exact is known."""

    consistent: bool | None
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsVerdict:
    """Whether all wagers agree with their exact values, and in words."""

    remark: str
    consistent: bool
    tests: int
    z_limit: float
    p_limit: float
    furthest: str
    not_judged: tuple[str, ...]

    @classmethod
    def of(cls, remark: str, verdict: Verdict) -> RoundsVerdict:
        """Return how all wagers agree, with the sentence for it."""
        return cls(
            remark=remark,
            consistent=verdict.consistent,
            tests=verdict.tests,
            z_limit=verdict.z_limit,
            p_limit=verdict.p_limit,
            furthest=verdict.furthest,
            not_judged=verdict.not_judged,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationData:
    """What a simulation found."""

    game: GameData
    conventions: Mapping[str, str] | None = field(default=None, metadata=LEFT_OUT)
    tallies: PartData | SessionTallies
    wagers: tuple[WagerData, ...]
    bank: BankData | None = field(default=None, metadata=LEFT_OUT)
    sessions: SessionsData | None = field(default=None, metadata=LEFT_OUT)
    shared_cards: CollusionData | None = field(default=None, metadata=LEFT_OUT)
    verdict: RoundsVerdict | RemarkedVerdict
