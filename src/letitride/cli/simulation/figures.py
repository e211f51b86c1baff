"""Figures: what a simulation found, with the same for programs; it prints nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from letitride.analysis.exact import Exact
from letitride.cli.simulation.data import (
    BankData,
    CategoryData,
    CoverData,
    GameData,
    Interval,
    PlaceData,
    PooledData,
    Quantile,
    RemarkedVerdict,
    RotationData,
    RoundsVerdict,
    SeatData,
    SessionsData,
    SessionTallies,
    SimulationData,
    WagerData,
)
from letitride.cli.simulation.meter_data import EnvyData, MeterData
from letitride.rules.wager_table import BASE
from letitride.rules.words import quantity
from letitride.simulation.banks import BankFigures, bank_figures
from letitride.simulation.collusion import Collusion, exact_gain_of_two, linear_pays, sharing
from letitride.simulation.collusion import figures as collusion_figures
from letitride.simulation.figures import CONFIDENCE, WagerFigures, verdict, wager_figures
from letitride.simulation.pooled_figures import PooledFigures
from letitride.simulation.series import (
    Estimate,
    EstimateData,
    Series,
    SessionFigures,
    agree,
    exact_session,
    session_figures,
)
from letitride.simulation.tasks import Task

CONVENTIONS = {
    "mean": "mean result of a hand per unit bet, won less lost; the base game's unit is one of its three equal bets",
    "se": (
        "standard error of the mean; the round is the sampling unit, as its seats share cards; where the exact value "
        "is known, the exact variance of one hand is used"
    ),
    "z": "how many standard errors the mean is above the exact value",
    "chi_square": (
        "over the first seat of every round, whose hands are independent; for a bet on the best hand at the table, "
        "over all rounds"
    ),
    "verdict": (
        "each mean and each chi-square is one test, and a sound run fails any of them about once in a hundred. A mean "
        "that one hand could move by more than its standard error is not tested"
    ),
}


@dataclass(frozen=True, slots=True)
class Found:
    """The figures of a run, and the same as data."""

    title: str
    data: SimulationData
    consistent: bool | None
    """None where there is no exact value to compare with."""
    remark: str
    wagers: tuple[WagerFigures, ...] = ()
    bank: BankFigures | None = None
    sessions: SessionFigures | None = None
    shared: Collusion | None = None


def found(task: Task, part: Any, stated: str = "") -> Found:
    """Return the figures of a task; `stated` names the values used where the book leaves them to the table."""
    match task.kind:
        case "bank":
            return _bank(task, part, stated)
        case "sessions" | "bank sessions":
            return _sessions(task, part, stated)
        case "shared cards":
            return _shared(task, part, stated)
        case _:
            return _rounds(task, part, stated)


def _title(task: Task) -> str:
    seats = task.plan.game.seats
    tables = ", ".join(dict.fromkeys(task.plan.table.paytables.values()))
    who = "opponent" if task.bank_stake_cents else "seat"
    each = f", {task.plan.hands} hands per player" if task.plan.hands > 1 else ""
    book = task.plan.table.book
    return f"{book.title} ({book.id}), {tables}: {quantity(seats, who)}{each}, seed {task.seed}"


def _agreement(estimates: tuple[Estimate | None, ...], nothing: str) -> tuple[bool | None, str]:
    """Return whether estimates agree with their exact values, and how that is said."""
    consistent, limit = agree(estimates)
    if all(one is None or one.exact is None for one in estimates):
        return None, f"{nothing}; standard errors are given"
    if consistent is None:
        return None, "Too few to compare with the exact values; standard errors are given"
    said = "Consistent" if consistent else "NOT consistent"
    return (
        consistent,
        f"{said} with the exact values at {CONFIDENCE:.0%} confidence: every |z| must be within {limit:.2f}",
    )


def _if_covered(task: Task) -> str:
    """Return the remark for a player-banked table simulated without a bank stake."""
    banked = task.plan.table.rules.bank.mode == "player" and not task.bank_stake_cents
    return "; without --bank-stake, all bets count as covered in full" if banked else ""


def _game(task: Task, stated: str) -> GameData:
    table = task.plan.table
    return GameData(
        kind=task.kind,
        rulebook=table.book.id,
        paytables={str(wager): name for wager, name in table.paytables.items()},
        seats=task.plan.game.seats,
        hands=task.plan.hands if task.plan.hands > 1 else None,
        stake_cents={str(name): cents for name, cents in task.plan.stakes.items()},
        sha256=task.digest,
        stated=stated,
    )


def _rounds(task: Task, tallies: Any, stated: str) -> Found:
    wagers = wager_figures(task.plan, tallies)
    said = verdict(wagers)
    remark = "Consistent" if said.consistent else "NOT consistent"
    remark += f" with the exact values at {CONFIDENCE:.0%} confidence over {quantity(len(wagers), 'wager')}"
    remark += f": every |z| must be within {said.z_limit:.2f}, every p-value above {said.p_limit:.4f}"
    remark += f"; {said.caution}" if said.caution else ""
    remark += _if_covered(task)
    data = SimulationData(
        game=_game(task, stated),
        conventions=CONVENTIONS,
        tallies=tallies.as_data(),
        wagers=tuple(map(_wager_data, wagers)),
        verdict=RoundsVerdict.of(remark, said),
    )
    return Found(_title(task), data, said.consistent, remark, wagers=wagers)


def _wager_data(one: WagerFigures) -> WagerData:
    low, high = one.interval
    return WagerData(
        wager=str(one.wager),
        stake_cents=one.stake_cents,
        hands=one.hands,
        mean=one.mean,
        se=one.se,
        interval=Interval(confidence=CONFIDENCE, low=low, high=high),
        exact=float(one.exact),
        exact_fraction=str(one.exact),
        assumed=one.wager.assumed or None,
        z=one.z,
        categories=tuple(
            CategoryData(
                category=line.label,
                count=line.count,
                first_seat=line.first_seat,
                probability=Exact.of(line.probability),
            )
            for line in one.categories
        ),
        chi_square=one.agreement,
        meter=None if one.meter is None else MeterData.of(one.meter),
        envy=None if one.envy is None else EnvyData.of(one.envy),
        pooled=None if one.pooled is None else _pooled_data(one.pooled),
    )


def _pooled_data(one: PooledFigures) -> PooledData:
    return PooledData(
        hands_together=one.hands_together,
        payout_cents_max=one.most_cents,
        mean=one.mean,
        se=one.se,
        deviation=one.deviation,
        bound=one.bound.as_data(),
        cut=one.cut,
    )


def _base_data(one: Estimate, stake_cents: int | None = None) -> WagerData:
    exact = None if one.exact is None else float(one.exact)
    return WagerData(wager=BASE.id, stake_cents=stake_cents, mean=one.mean, se=one.se, exact=exact, z=one.z)


def _bank(task: Task, tallies: Any, stated: str) -> Found:
    setup = task.setup
    bank = bank_figures(setup, tallies)
    unit = setup.bet_cents * setup.opponents
    exact = None if bank.result.exact is None else -(bank.result.exact + setup.bank_fee) / unit
    base = Estimate(-(bank.result.mean + setup.bank_fee) / unit, bank.result.se / unit, exact)
    consistent, remark = _agreement(
        (bank.result, bank.if_covered, bank.uncovered), "No exact value is known against so many opponents"
    )
    rules = task.plan.table.rules.bank
    data = SimulationData(
        game=replace(_game(task, stated), bank_stake_cents=setup.stake_cents, cover=rules.cover),
        tallies=tallies.as_data(),
        wagers=(_base_data(base, setup.bet_cents),),
        bank=BankData(
            unit="cents a round, fee paid",
            fee_cents=setup.bank_fee,
            opponent_fee_cents=setup.player_fee,
            result=bank.result.as_data(),
            if_all_were_covered=bank.if_covered.as_data(),
            not_covered=bank.uncovered.as_data(),
            wagers=bank.wagers,
            order_of_action=tuple(_place(n, one.as_data()) for n, one in enumerate(bank.places, 1)),
            cover_by_stake=tuple(
                CoverData(rounds_covered_at_least=level, stake_cents=cents, covers=share)
                for level, cents, share in bank.cover
            ),
            rotation=RotationData(
                hands_each=rules.max_consecutive,
                orbits=bank.orbits,
                unit="cents per orbit in which each seat banks in turn, fees paid",
                seats=tuple(_seat(n, one.as_data()) for n, one in enumerate(bank.turns, 1)),
            ),
        ),
        verdict=RemarkedVerdict(consistent=consistent, remark=remark),
    )
    return Found(_title(task), data, consistent, remark, bank=bank)


def _place(place: int, one: EstimateData) -> PlaceData:
    return PlaceData(place=place, mean=one.mean, se=one.se, exact=one.exact, z=one.z)


def _seat(seat: int, one: EstimateData) -> SeatData:
    return SeatData(seat=seat, mean=one.mean, se=one.se, exact=one.exact, z=one.z)


def _sessions(task: Task, series: Series, stated: str) -> Found:
    ruined, mean, ruin = None, None, None
    if task.bank_stake_cents:
        if task.bankroll_cents:
            left = task.bankroll_cents + series.results - task.setup.bank_fee
            ruined = int((left < task.setup.bet_cents).sum())
    else:
        mean, ruin = exact_session(task.plan, task.rounds, task.bankroll_cents, task.fee_cents)
        if task.bankroll_cents:
            ruined = int((task.bankroll_cents + series.results < task.need_cents).sum())
    figures = session_figures(series, task.rounds, ruined, mean, ruin)
    consistent, remark = _agreement((figures.result, figures.ruined), "No exact value is known for these sessions")
    remark += _if_covered(task)
    arrays = b"".join(part.tobytes() for part in (series.results, series.drawdowns, series.played))
    game = _game(task, stated)
    data = SimulationData(
        game=replace(game, bankroll_cents=task.bankroll_cents, bank_stake_cents=task.bank_stake_cents),
        tallies=SessionTallies(
            sessions=figures.sessions,
            rounds=series.rounds,
            result_cents=int(series.results.sum()),
            ruined=ruined,
            sha256=sha256(arrays).hexdigest(),
        ),
        wagers=(),
        sessions=SessionsData(
            sessions=figures.sessions,
            rounds_each=figures.rounds,
            unit="cents a session",
            result=figures.result.as_data(),
            ahead=figures.ahead.as_data(),
            ruined=figures.ruined.as_data() if figures.ruined else None,
            rounds_played=figures.played.as_data(),
            drawdown=figures.drawdown.as_data(),
            result_quantiles=_quantiles(figures.result_quantiles),
            drawdown_quantiles=_quantiles(figures.drawdown_quantiles),
        ),
        verdict=RemarkedVerdict(consistent=consistent, remark=remark),
    )
    return Found(_title(task), data, consistent, remark, sessions=figures)


def _quantiles(found: tuple[tuple[float, int], ...]) -> tuple[Quantile, ...]:
    return tuple(Quantile(probability=level, cents=cents) for level, cents in found)


def _shared(task: Task, tallies: Any, stated: str) -> Found:
    pays = linear_pays(task.plan.table, task.plan.game.seats)
    shared = collusion_figures(sharing(pays, task.plan.game.seats), task.seed, tallies)
    gain = shared.expected_gain
    if shared.seats == 2:
        gain = Estimate(gain.mean, gain.se, exact_gain_of_two(pays))
    consistent, remark = _agreement((shared.alone, gain), "")
    remark += "; base bets only" + (
        "" if shared.seats == 2 else ", and no exact value is known for more than two seats"
    )
    data = SimulationData(
        game=_game(task, stated),
        tallies=tallies.as_data(),
        wagers=(_base_data(shared.shared),),
        shared_cards=shared.as_data(gain),
        verdict=RemarkedVerdict(consistent=consistent, remark=remark),
    )
    return Found(_title(task), data, consistent, remark, shared=shared)
