"""Shift data: a shift report for programs, the same over HTTP and from the command line; it computes no figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from letitride.analysis.exact import Exact
from letitride.reports.shift.figures import FORMAT, KIND, MeterLine, Shift, Told, WagerLine
from letitride.reports.shift.theory import BANDS, HANDS_NEEDED, Theory
from letitride.rules.plain import LEFT_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigures:
    """One wager in figures."""

    wager: str
    bets: int
    placed_cents: int
    handle_cents: int
    paid_cents: int
    win_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterFigures:
    """One jackpot in figures: opening, fed, seeded and what came from elsewhere, less paid, is closing."""

    wager: str
    shared: bool
    opening_cents: int
    fed_cents: int
    seeded_cents: int
    paid_cents: int
    elsewhere_cents: int
    closing_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TheoryFigures:
    """Win beside its exact expectation, at best play and as the hands were played."""

    hands_judged: int
    hands_needed: int
    win_judged_cents: int
    expected_win_cents: Exact
    by_wager: dict[str, Exact]
    standard_deviation_cents: float
    bands_cents: dict[str, tuple[float, float]]
    z: float | None
    decisions: int
    mistakes: int
    given_away_cents: Exact
    expected_win_as_played_cents: Exact
    bands_as_played_cents: dict[str, tuple[float, float]]
    z_as_played: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingFigures:
    """What was ruled, how often in the same words, and when; or one order, and when."""

    name: str
    count: int
    sentence: str
    clauses: tuple[str, ...]
    at_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeFigures:
    """Disputes and what happened to them."""

    raised: int
    upheld: int
    rejected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFigures:
    """The accounts of the table before and after."""

    before_cents: dict[str, int]
    after_cents: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftFigures:
    """What happened at a table within a time, in figures; `conventions` says what each means."""

    kind: str
    format: int
    table: str
    from_ms: int | None
    to_ms: int | None
    first_ms: int | None
    last_ms: int | None
    rulebooks: tuple[str, ...]
    paytables: dict[str, str]
    banked_by: str
    rounds: int
    void_rounds: int
    rounds_with_irregularities: int
    hands: int
    players: int
    placed_cents: int
    handle_cents: int
    average_base_bet: Exact | None
    drop_cents: int
    purchases: int
    cashed_out_cents: int
    vouchers_cents: int
    win_cents: int
    forfeited_cents: int
    fees_cents: int
    awards_cents: int
    hold_of_drop: Exact | None
    hold_of_handle: Exact | None
    wagers: tuple[WagerFigures, ...]
    theory: TheoryFigures
    irregularities: tuple[RulingFigures, ...]
    orders: tuple[RulingFigures, ...]
    disputes: DisputeFigures
    accounts: AccountFigures
    tray_change_cents: int
    tray_change_of_rounds_on_the_edges_cents: int
    zero_sum: bool
    conventions: dict[str, str]
    meters: tuple[MeterFigures, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The jackpots of the table; left out where it has none."""


def shift_figures(shift: Shift) -> ShiftFigures:
    """Return a shift for programs: money in cents, exact figures as fractions with their values."""
    money = shift.money
    return ShiftFigures(
        kind=KIND,
        format=FORMAT,
        table=shift.table,
        from_ms=shift.from_ms,
        to_ms=shift.to_ms,
        first_ms=shift.first_ms,
        last_ms=shift.last_ms,
        rulebooks=tuple(shift.rulebooks),
        paytables=shift.paytables,
        banked_by=shift.banked_by,
        rounds=shift.rounds,
        void_rounds=shift.void_rounds,
        rounds_with_irregularities=shift.rounds_with_trouble,
        hands=shift.hands,
        players=len(shift.players),
        placed_cents=shift.placed_cents,
        handle_cents=shift.handle_cents,
        average_base_bet=Exact.of(Fraction(shift.base_cents, shift.base_hands)) if shift.base_hands else None,
        drop_cents=money.drop_cents,
        purchases=money.purchases,
        cashed_out_cents=money.cashed_out_cents,
        vouchers_cents=money.vouchers_cents,
        win_cents=shift.win_cents,
        forfeited_cents=shift.forfeited_cents,
        fees_cents=money.fees_cents,
        awards_cents=money.awards_cents,
        hold_of_drop=Exact.known(shift.hold(money.drop_cents)),
        hold_of_handle=Exact.known(shift.hold(shift.handle_cents)),
        wagers=tuple(_wager(spot, line) for spot, line in shift.lines),
        theory=_theory(shift.theory),
        irregularities=_rulings(sorted(shift.irregularities, key=lambda one: one.name)),
        orders=_rulings(shift.orders),
        disputes=DisputeFigures(
            raised=shift.disputes_raised, upheld=shift.disputes_upheld, rejected=shift.disputes_rejected
        ),
        accounts=AccountFigures(before_cents=shift.accounts_before or {}, after_cents=shift.accounts_after),
        tray_change_cents=money.tray_cents,
        tray_change_of_rounds_on_the_edges_cents=shift.straddling_cents,
        zero_sum=shift.zero_sum,
        conventions=shift.conventions,
        meters=tuple(_meter(wager, line) for wager, line in shift.meters.items()) or None,
    )


def _wager(spot: str, line: WagerLine) -> WagerFigures:
    return WagerFigures(
        wager=spot,
        bets=line.bets,
        placed_cents=line.placed_cents,
        handle_cents=line.handle_cents,
        paid_cents=line.paid_cents,
        win_cents=line.win_cents,
    )


def _meter(wager: str, line: MeterLine) -> MeterFigures:
    return MeterFigures(
        wager=wager,
        shared=line.shared,
        opening_cents=line.opening_cents,
        fed_cents=line.fed_cents,
        seeded_cents=line.seeded_cents,
        paid_cents=line.paid_cents,
        elsewhere_cents=line.elsewhere_cents,
        closing_cents=line.closing_cents,
    )


def _theory(theory: Theory) -> TheoryFigures:
    return TheoryFigures(
        hands_judged=theory.hands,
        hands_needed=HANDS_NEEDED,
        win_judged_cents=theory.won_cents,
        expected_win_cents=Exact.of(theory.expected_cents),
        by_wager={wager: Exact.of(cents) for wager, cents in theory.expected.items()},
        standard_deviation_cents=theory.standard_deviation,
        bands_cents=_bands(theory, theory.expected_cents),
        z=theory.z(theory.expected_cents),
        decisions=theory.decisions,
        mistakes=theory.mistakes,
        given_away_cents=Exact.of(theory.given_away),
        expected_win_as_played_cents=Exact.of(theory.as_played_cents),
        bands_as_played_cents=_bands(theory, theory.as_played_cents),
        z_as_played=theory.z(theory.as_played_cents),
    )


def _bands(theory: Theory, expected: Fraction) -> dict[str, tuple[float, float]]:
    return {str(confidence): theory.band(confidence, expected) for confidence in BANDS}


def _rulings(found: Iterable[Told]) -> tuple[RulingFigures, ...]:
    return tuple(
        RulingFigures(
            name=one.name,
            count=one.count,
            sentence=one.sentence,
            clauses=one.clauses,
            at_ms=tuple(one.at_ms),
        )
        for one in found
    )
