"""Day data: a gaming day or a month of a house as programs and the page get it; it computes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from letitride.analysis.exact import Exact
from letitride.reports.pit.bands import Band, band
from letitride.reports.pit.figures import Figures, total
from letitride.reports.pit.gaming_day import GamingDays
from letitride.reports.pit.ratings import Rating, merged
from letitride.reports.pit.rotation import Dealt, Stint
from letitride.reports.pit.table_day import TableDay


@dataclass(frozen=True, slots=True, kw_only=True)
class PitFigures:
    """What a table did, or all of them: money in cents; hold is win divided by drop."""

    rounds: int
    void_rounds: int
    hands: int
    handle_cents: int
    drop_cents: int
    win_cents: int
    bank_win_cents: int
    fees_cents: int
    awards_cents: int
    theoretical_win_cents: Exact
    """Best play, by the exact house edge of every bet."""
    theoretical_as_played_cents: Exact
    hold: Exact | None
    standard_deviations: float | None
    """How far the win lies from the theoretical win as played."""
    irregularities: int
    orders: int
    disputes_raised: int
    disputes_upheld: int
    band: str
    """'few', 'within', 'watch', 'big_hands' or 'outside'."""
    band_sentence: str
    band_low_cents: float | None
    band_high_cents: float | None
    alarm: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTime:
    """A dealer's time at a table, in the house's time zone."""

    dealer: str
    since: str
    until: str | None
    ended_by: str | None
    why: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerRounds:
    """What a dealer dealt; a round counts for the one who did its last step."""

    dealer: str
    rounds: int
    win_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedIncident:
    """An entry of the incident log."""

    at: str
    table: str
    round: int
    kind: str
    seat: int | None
    player: str | None
    reporter: str
    reporter_name: str | None
    ruling: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRating:
    """A player's play, for a player-tracking system."""

    player: str
    minutes: float
    hands: int
    average_bet_cents: Exact | None
    decisions_an_hour: Exact | None
    drop_cents: int
    win_cents: int
    theoretical_win_cents: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class PitTable:
    """A table within the time of the report."""

    table: str
    name: str
    figures: PitFigures
    dealers: tuple[DealerTime, ...]
    dealt: tuple[DealerRounds, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PitReport:
    """All tables of a house over a gaming day or a month."""

    day: str
    """The date of the gaming day, or the month."""
    zone: str
    since: str
    until: str
    tables: tuple[PitTable, ...]
    total: PitFigures
    log: tuple[LoggedIncident, ...]
    ratings: tuple[PlayerRating, ...]


def pit_report(day: str, days: GamingDays, found: Sequence[tuple[str, TableDay]], span: tuple[int, int]) -> PitReport:
    """Return the report of tables by the names they have."""
    log = sorted((entry for _, one in found for entry in one.log), key=lambda entry: entry.at_ms)
    return PitReport(
        day=day,
        zone=days.zone,
        since=days.told(span[0]),
        until=days.told(span[1]),
        tables=tuple(_table(name, one, days) for name, one in found),
        total=_figures(total(one.figures for _, one in found)),
        log=tuple(
            LoggedIncident(
                at=days.told(entry.at_ms),
                table=entry.table,
                round=entry.round,
                kind=entry.kind,
                seat=entry.seat or None,
                player=entry.player or None,
                reporter=entry.reporter,
                reporter_name=entry.reporter_name or None,
                ruling=entry.ruling,
                clauses=entry.clauses,
            )
            for entry in log
        ),
        ratings=tuple(map(_rating, merged([rating for _, one in found for rating in one.ratings]))),
    )


def _table(name: str, one: TableDay, days: GamingDays) -> PitTable:
    return PitTable(
        table=one.table,
        name=name,
        figures=_figures(one.figures),
        dealers=tuple(_time(stint, days) for stint in one.stints),
        dealt=tuple(map(_rounds, one.dealt)),
    )


def _time(one: Stint, days: GamingDays) -> DealerTime:
    until = None if one.to_ms is None else days.told(one.to_ms)
    return DealerTime(
        dealer=one.dealer, since=days.told(one.from_ms), until=until, ended_by=one.ended_by or None, why=one.why or None
    )


def _rounds(one: Dealt) -> DealerRounds:
    return DealerRounds(dealer=one.dealer, rounds=one.rounds, win_cents=one.win_cents)


def _rating(one: Rating) -> PlayerRating:
    return PlayerRating(
        player=one.player,
        minutes=one.seated_ms / 60_000,
        hands=one.hands,
        average_bet_cents=Exact.known(one.average_bet),
        decisions_an_hour=Exact.known(one.decisions_an_hour),
        drop_cents=one.drop_cents,
        win_cents=one.win_cents,
        theoretical_win_cents=Exact.of(one.theoretical_cents),
    )


def _figures(one: Figures) -> PitFigures:
    lies: Band = band(one)
    return PitFigures(
        rounds=one.rounds,
        void_rounds=one.void_rounds,
        hands=one.hands,
        handle_cents=one.handle_cents,
        drop_cents=one.drop_cents,
        win_cents=one.win_cents,
        bank_win_cents=one.bank_win_cents,
        fees_cents=one.fees_cents,
        awards_cents=one.awards_cents,
        theoretical_win_cents=Exact.of(one.expected_cents),
        theoretical_as_played_cents=Exact.of(one.as_played_cents),
        hold=Exact.known(one.hold),
        standard_deviations=one.z,
        irregularities=one.irregularities,
        orders=one.orders,
        disputes_raised=one.disputes_raised,
        disputes_upheld=one.disputes_upheld,
        band=lies.state,
        band_sentence=lies.sentence,
        band_low_cents=lies.low_cents,
        band_high_cents=lies.high_cents,
        alarm=lies.alarm,
    )
