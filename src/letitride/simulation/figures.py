"""Figures: means with their errors beside the exact values, and whether the two agree; floats, never money.

Seats of one round share cards, so the round is the sampling unit. Where the exact value is known, the variance of one
hand is the exact one and only what the seats have in common is estimated: a sample without the rarest award would
otherwise think itself more certain than it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.wagers import Wager
from letitride.rules.words import quantity
from letitride.simulation.game import BROADWAY, CODES
from letitride.simulation.meter_figures import EnvyFigures, MeterFigures, Sample, envy_figures, meter_figures
from letitride.simulation.plan import LABELS, Exact, Plan
from letitride.simulation.plan import plan as plan_of
from letitride.simulation.pooled_figures import PooledFigures, pooled_figures
from letitride.simulation.tallies import STRAIGHT, Tallies

CONFIDENCE: Final = 0.99
PACK_CONFIDENCE: Final = 0.9999
"""At which an evidence pack is judged: each has hands of its own, and a sound one must not fail now and then."""
_SHARED: Final = ("community", "table_best")
"""What is the same cards for every seat of a round."""
LEAST_EXPECTED: Final = 5
"""Categories expected less often than this are counted together in a chi-square."""


def reach(se: float) -> float:
    """Return how far the confidence interval of a mean reaches to either side."""
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * se


@dataclass(frozen=True, slots=True)
class Category:
    """How often a hand was dealt, and its exact probability."""

    label: str
    count: int
    """Over all seats."""
    first_seat: int
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Agreement:
    """A chi-square of counts of independent rounds against exact probabilities."""

    statistic: float
    freedom: int
    p_value: float


@dataclass(frozen=True, slots=True)
class WagerFigures:
    """One wager: result per unit bet, won less lost; the error of its mean; the exact value and how far off it is."""

    wager: Wager
    stake_cents: int
    hands: int
    mean: float
    se: float
    exact: Fraction
    z: float
    judged: bool
    """Whether no single hand could move the mean by more than one error: else the error says little of it."""
    categories: tuple[Category, ...]
    agreement: Agreement
    variance: Fraction = Fraction(0)
    """Of one hand, in units squared, exactly."""
    sampled_variance: float = 0.0
    """The same as the simulation had it."""
    meter: MeterFigures | None = None
    """What happened to its meter; the figures above have it at its seed, and are without envy."""
    envy: EnvyFigures | None = None
    pooled: PooledFigures | None = None
    """What is paid where a maximum is counted over several hands; the figures above are those of one hand alone."""

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the mean."""
        far = reach(self.se)
        return self.mean - far, self.mean + far


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether every wager agrees with its exact value, at 99% confidence over all of them."""

    consistent: bool
    tests: int
    z_limit: float
    p_limit: float
    furthest: str
    """The wager whose mean is the furthest off."""
    not_judged: tuple[str, ...] = ()
    """The wagers with too few rounds to test their means, by id."""
    not_judged_titles: tuple[str, ...] = ()

    @property
    def caution(self) -> str:
        """The remark on means that are not tested."""
        if not self.not_judged:
            return ""
        names = ", ".join(self.not_judged_titles)
        return f"too few rounds to test the mean of {names}: one hand could move it by more than its standard error"


def wager_figures(plan: Plan, tallies: Tallies) -> tuple[WagerFigures, ...]:
    """Return the figures of every wager."""
    if tallies.rounds < 1:
        raise InvalidData("expected the tallies of a round or more, got none")
    hands, listed = int(tallies.cells.sum()), plan.game.listed.ids if plan.game.listed is not None else ()
    if hands != tallies.rounds * plan.game.seats or {*listed} != {*tallies.listed}:
        raise InvalidData(
            f"expected tallies of the plan's own game, {quantity(plan.game.seats, 'seat')} with its bets, got those of "
            "another"
        )
    return tuple(_figures(plan, tallies, exact) for exact in plan.exact)


def figures(plan: Plan | str, tallies: Tallies) -> dict[str, WagerFigures]:
    """Return the figures of every wager by its id, of a plan or of a rule book's by its id."""
    made = plan_of(plan) if isinstance(plan, str) else plan
    return {one.wager.id: one for one in wager_figures(made, tallies)}


def _figures(plan: Plan, tallies: Tallies, exact: Exact) -> WagerFigures:
    seats, rounds = plan.game.seats, tallies.rounds
    total, squares, own = _sums(plan, tallies, exact)
    alike = exact.wager.judged_on in _SHARED and not exact.wager.withdraw  # each player decides by own cards
    hands = rounds * seats
    mean = total / hands
    # The variance of a round is that of its hands and what they have in common; the latter is sampled.
    sampled = max(Fraction(squares, rounds) - Fraction(total, rounds) ** 2, Fraction(0))
    single = Fraction(own, hands) - Fraction(total, hands) ** 2
    together = (seats**2 - seats) * exact.variance if alike else sampled - seats * single
    variance = max(seats * exact.variance + together, exact.variance)
    se = sqrt(variance / rounds) / seats
    off = mean - float(exact.mean)
    categories = tuple(_categories(tallies, exact))
    pays = plan.table.pays[exact.wager.id]
    alike_by = float(together / exact.variance) / max(seats**2 - seats, 1) if exact.variance else 0.0
    sample = Sample(tallies, seats, exact.stake_cents, exact.column, max(alike_by, 0.0), plan.hands)
    return WagerFigures(
        wager=exact.wager,
        stake_cents=exact.stake_cents,
        hands=hands,
        mean=mean / exact.stake_cents,
        se=se / exact.stake_cents,
        exact=exact.mean / exact.stake_cents,
        z=off / se,
        judged=float(exact.furthest) <= se * hands,
        categories=categories,
        agreement=chi_square({one.label: (one.first_seat, one.probability) for one in categories}, rounds),
        variance=exact.variance / exact.stake_cents**2,
        sampled_variance=float(single / exact.stake_cents**2),
        meter=meter_figures(pays, sample),
        envy=envy_figures(pays, sample),
        pooled=pooled_figures(plan, tallies, total) if exact.wager.is_base else None,
    )


def _sums(plan: Plan, tallies: Tallies, exact: Exact) -> tuple[int, int, int]:
    """Return the sum over all hands, the sum of squares over rounds and the sum of squares over hands, in cents."""
    nets, wager, seats = exact.nets.tolist(), exact.wager, plan.game.seats
    match exact.column:
        case "best":
            rows = list(zip(tallies.best.tolist(), nets, strict=False))
            total = seats * sum(count * net for count, net in rows)
            own = seats * sum(count * net * net for count, net in rows)
            return total, seats * own, own
        case "threes":
            counts, squares = tallies.threes, tallies.squares[2]
        case "listed":
            counts, squares = tallies.listed[wager.id], tallies.listed_squares[wager.id]
        case _:
            counts, squares = tallies.cells, tallies.squares[0 if wager.is_base else 1]
    rows = list(zip(counts.sum(axis=0).tolist(), nets, strict=False))
    return sum(count * net for count, net in rows), squares, sum(count * net * net for count, net in rows)


def _categories(tallies: Tallies, exact: Exact) -> list[Category]:
    match exact.column:
        case "best":
            codes = tallies.best.tolist()
            found = {label: (codes[n],) * 2 for n, label in enumerate(LABELS) if label in exact.probabilities}
            rest = tallies.rounds - sum(first for label, (first, _) in found.items() if label != LABELS[-1])
            found[LABELS[-1]] = (rest, rest)
            return [Category(label, *counts, exact.probabilities[label]) for label, counts in found.items()]
        case "threes":
            counts, labels = tallies.threes[:, ::-1], exact.labels[::-1]  # best first, as everywhere
        case "listed":
            counts, labels = tallies.listed[exact.wager.id], exact.labels
        case _:
            counts, labels = tallies.cells.reshape(2, CODES, 4).sum(axis=2), exact.labels
            counts[:, STRAIGHT] += counts[:, BROADWAY]
    return [
        Category(label, int(counts[:, n].sum()), int(counts[0, n]), exact.probabilities[label])
        for n, label in enumerate(labels)
    ]


def chi_square(counts: Mapping[str, tuple[int, Fraction]], total: int) -> Agreement:
    """Return how far counts are from what they should be; what should come rarely is counted together."""
    rare = [one for one in counts.values() if one[1] * total < LEAST_EXPECTED]
    groups = [one for one in counts.values() if one[1] * total >= LEAST_EXPECTED]
    if rare:
        pooled = (sum(count for count, _ in rare), sum((chance for _, chance in rare), Fraction(0)))
        if pooled[1] * total >= LEAST_EXPECTED or not groups:
            groups.append(pooled)
        else:  # too rare even together: they go with the rarest group
            groups.sort(key=lambda one: one[1])
            groups[0] = (groups[0][0] + pooled[0], groups[0][1] + pooled[1])
    statistic = sum(float((count - chance * total) ** 2 / (chance * total)) for count, chance in groups)
    freedom = len(groups) - 1
    return Agreement(statistic, freedom, chi_square_tail(statistic, freedom))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return how likely a chi-square is to be this large or larger: a finite series, as the freedom is whole."""
    if freedom < 1 or statistic <= 0:
        return 1.0
    half = statistic / 2
    # Each term is taken from its logarithm: with thousands of degrees of freedom the first ones are below any float.
    powers = (k / 2 for k in range(freedom - 2, -1, -2))
    total = sum(exp(power * log(half) - half - lgamma(power + 1)) for power in powers)
    return min(total + (erfc(sqrt(half)) if freedom % 2 else 0.0), 1.0)


def verdict(wagers: tuple[WagerFigures, ...], confidence: float = CONFIDENCE) -> Verdict:
    """Return whether all wagers agree with their exact values: each mean and each chi-square is one test of several."""
    judged = [one for one in wagers if one.judged]
    tests = len(judged) + len(wagers)
    p_limit = (1 - confidence) / tests
    z_limit = NormalDist().inv_cdf(1 - p_limit / 2)
    furthest = max(wagers, key=lambda one: abs(one.z))
    consistent = all(abs(one.z) <= z_limit for one in judged) and all(
        one.agreement.p_value >= p_limit for one in wagers
    )
    missing = [one.wager for one in wagers if not one.judged]
    ids, titles = tuple(map(str, missing)), tuple(wager.title for wager in missing)
    return Verdict(consistent, tests, z_limit, p_limit, str(furthest.wager), ids, titles)
