"""Wager data: what the `wagers` commands print of wagers for programs; never for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from letitride.analysis.exact import Exact
from letitride.analysis.par import WagerSheet, sheets
from letitride.analysis.progressive import Progressive, progressive
from letitride.analysis.side_bets import rank_counts
from letitride.rules import catalog
from letitride.rules.paytables import Pays, Paytable, pays_of
from letitride.rules.plain import LEFT_OUT
from letitride.rules.rankings import BY_POKER, AnyCategory, Condition, ListedRank
from letitride.rules.refs import is_path
from letitride.rules.values import PlainValue
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Wager

LISTED: Final = "listed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSummary:
    """A wager in short."""

    id: str
    title: str
    label: str
    about: str
    published: bool
    judged_on: str
    ranking: str
    """'poker' or 'listed'."""
    awards: tuple[str, ...]
    taken: str
    priced_with: str | None
    keys: dict[str, PlainValue]
    sha256: str
    withdraw: tuple[int, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The base decisions with which it may be taken back; left out where it never is."""
    withdraw_percent: int | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankFigures:
    """One rank: how often the judged cards have it, and what it pays."""

    rank: str
    title: str
    when: dict[str, Condition] | None = field(default=None, metadata=LEFT_OUT)
    hands: int
    probability: Exact
    pays: tuple[str | None, ...] | None
    """One, or one for each number of hands; nothing where no paytable is at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerFigures:
    """What a wager is worth; for one number of hands where the pays depend on it."""

    hands: int | None = field(default=None, metadata=LEFT_OUT)
    house_edge: Exact
    element_of_risk: Exact | None = field(default=None, metadata=LEFT_OUT)
    hit_frequency: Exact
    standard_deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterFigures:
    """What a progressive bet is worth, for one player: per unit bet, and amounts in cents."""

    seed_cents: int
    contribution: Exact
    edge_at_seed: Exact
    break_even_cents: Exact | None
    average_cents_at_a_hit: Exact | None
    long_run_edge: Exact | None
    envy_for_each_other_player: Exact
    players: int | None = field(default=None, metadata=LEFT_OUT)
    """How many players make the bet, where that was asked for; break-even and long run are for so many."""
    meter_cents: int | None = field(default=None, metadata=LEFT_OUT)
    """What the meter holds, where that was asked for."""
    edge_at_meter: Exact | None = field(default=None, metadata=LEFT_OUT)
    contribution_for_house_edge: Exact | None = field(default=None, metadata=LEFT_OUT)
    """What goes in of each stake so that the house keeps as much as was asked for, in the long run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownWager:
    """All there is to say of a wager."""

    wager: WagerSummary
    paytable: str | None
    award: str | None
    ranks: tuple[RankFigures, ...]
    figures: tuple[WagerFigures, ...]
    meter: MeterFigures | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedWager:
    """A wager's file that fits, and what the wager is worth."""

    id: str
    title: str
    valid: bool
    sha256: str
    """Of how it is played: all but what it pays."""
    pays_sha256: str | None
    """Of what it pays."""
    figures: tuple[WagerFigures, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PricedWager:
    """A wager with the paytable that prices it and its exact sheets, where there is one."""

    wager: Wager
    table: Paytable | None
    sheets: tuple[WagerSheet, ...]

    @property
    def pays(self) -> Pays | None:
        """What the paytable pays for it."""
        return self.table.pays[self.wager.id] if self.table else None


def priced_wager(ref: str, paytable: str | None = None) -> PricedWager:
    """Return a wager by id or by path, priced by a paytable or by the one that it names itself."""
    wager = catalog.wager(ref)
    table = _table(wager, ref, paytable)
    found = sheets(table) if table else ()
    return PricedWager(wager, table, tuple(sheet for sheet in found if sheet.wager.id == wager.id))


def _table(wager: Wager, ref: str, paytable: str | None) -> Paytable | None:
    if paytable is not None:
        table = catalog.paytable(paytable)
        pays_of(table, wager.id)  # says so where it does not price it
        return table
    if is_path(ref):
        return catalog.paytable(ref)
    named = PUBLISHED[wager.priced_with or wager.id].keys.get("paytable")
    table = catalog.paytable(str(named))
    return table if wager.id in table.pays else None


def summary(wager: Wager) -> WagerSummary:
    """Return a wager in short."""
    return WagerSummary(
        id=wager.id,
        title=wager.title,
        label=wager.label,
        about=wager.about,
        published=wager.published,
        judged_on=wager.judged_on,
        ranking=ranking_name(wager),
        awards=tuple(map(str, wager.awards)),
        taken="before_deal" if wager.before_deal else "settlement",
        priced_with=wager.priced_with or None,
        keys=dict(wager.keys),
        sha256=wager.digest,
        withdraw=wager.withdraw or None,
        withdraw_percent=wager.withdraw_percent if wager.withdraw else None,
    )


def ranking_name(wager: Wager) -> str:
    """Return 'poker' where a wager goes by poker's own ranking, otherwise 'listed'."""
    return wager.ranking.id if wager.ranking in BY_POKER.values() else LISTED


@dataclass(frozen=True, slots=True)
class MeterAsked:
    """What is asked of a progressive: what its meter holds, how many players bet it, what the house is to keep."""

    meter_cents: int | None = None
    players: int = 1
    house_edge: Fraction | None = None


def shown_wager(found: PricedWager, asked: MeterAsked = MeterAsked()) -> ShownWager:  # noqa: B008 - frozen
    """Return all there is to say of a wager; of a progressive, as it was asked for."""
    return ShownWager(
        wager=summary(found.wager),
        paytable=found.table.id if found.table else None,
        award=str(found.pays.award) if found.pays else None,
        ranks=tuple(_ranks(found)),
        figures=tuple(map(figures, found.sheets)),
        meter=_meter(found, asked),
    )


def progressive_of(found: PricedWager, players: int = 1) -> Progressive | None:
    """Return the figures of a progressive bet, where the wager is one."""
    if found.pays is None or found.wager.meter is None:
        return None
    return progressive(found.pays, found.wager.unit_cents, players)


def _meter(found: PricedWager, asked: MeterAsked) -> MeterFigures | None:
    meter_cents, players, wanted = asked.meter_cents, asked.players, asked.house_edge
    alone, beside = progressive_of(found, players), progressive_of(found, 2)
    if alone is None or beside is None:
        return None
    return MeterFigures(
        seed_cents=alone.meter.seed_cents,
        contribution=Exact.of(alone.contribution),
        edge_at_seed=Exact.of(alone.house_edge(alone.meter.seed_cents)),
        break_even_cents=Exact.known(alone.break_even_cents),
        average_cents_at_a_hit=Exact.known(alone.average_meter_cents),
        long_run_edge=Exact.known(alone.long_run_edge),
        envy_for_each_other_player=Exact.of(beside.envy_return),
        players=players if players > 1 else None,
        meter_cents=meter_cents,
        edge_at_meter=None if meter_cents is None else Exact.of(alone.house_edge(meter_cents)),
        contribution_for_house_edge=None if wanted is None else Exact.of(alone.contribution_for(wanted)),
    )


def _ranks(found: PricedWager) -> list[RankFigures]:
    counts = rank_counts(found.wager)
    total, pays = sum(counts.values()), found.pays
    return [
        RankFigures(
            rank=rank.name.lower(),
            title=rank.label,
            when=dict(rank.when) if isinstance(rank, ListedRank) else None,
            hands=hands,
            probability=Exact.of(Fraction(hands, total)),
            pays=_pays(pays, rank) if pays else None,
        )
        for rank, hands in counts.items()
    ]


def _pays(pays: Pays, rank: AnyCategory) -> tuple[str | None, ...]:
    found = (column.get(rank) for column in pays.columns)
    return tuple(None if pay is None else str(pay) for pay in found)


def figures(sheet: WagerSheet) -> WagerFigures:
    """Return what a wager is worth by a sheet."""
    return WagerFigures(
        hands=sheet.hands or None,
        house_edge=Exact.of(sheet.house_edge),
        element_of_risk=Exact.known(sheet.element_of_risk),
        hit_frequency=Exact.of(sheet.hit_frequency),
        standard_deviation=sheet.results.standard_deviation,
    )
