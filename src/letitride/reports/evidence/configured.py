"""Configured: the game as a book has it: every wager, paytable and number of hands at its lowest and highest stake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from letitride.analysis.caps import Capped, cap
from letitride.analysis.exact import Exact
from letitride.analysis.exposure import Exposure, most_lost
from letitride.analysis.par import WagerSheet, sheets
from letitride.rules import catalog
from letitride.rules.limits import SpotLimits, side_limits, spot_limits
from letitride.rules.paytables import Paytable
from letitride.rules.plain import LEFT_OUT
from letitride.rules.table_rules import TableRules
from letitride.rules.wagers import Wager


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedWager:
    """One wager by one paytable, at one stake or at all."""

    wager: str
    title: str
    paytable: str
    in_force: bool
    """Whether it is the paytable of this table, rather than another that the book permits."""
    hands: int | None = field(default=None, metadata=LEFT_OUT)
    stakes_cents: tuple[int, ...]
    """The stakes that these figures hold at: the lowest, the highest, or both."""
    capped: bool
    """Whether the maximum payout binds at that stake."""
    house_edge: Exact
    element_of_risk: Exact | None = field(default=None, metadata=LEFT_OUT)
    hit_frequency: Exact
    variance: Exact
    standard_deviation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """The most that a round can cost the bank, with the cards that do it."""

    of: str
    cents: int
    hands: int
    community: tuple[str, ...]
    dealt: tuple[str, ...]
    upper_bound_for: tuple[str, ...]
    """Wagers that were not searched but taken at their best award: the sum is then an upper bound."""


def stakes_of_wager(table: TableRules, wager: Wager) -> SpotLimits:
    """Return the lowest and the highest stake of a wager."""
    return spot_limits(table.rules.limit) if wager.is_base else side_limits(wager, table.terms(wager.id))


def permitted(table: TableRules, wager: Wager) -> tuple[Paytable, ...]:
    """Return the paytables that a book permits for a wager, the one in force first."""
    names = dict.fromkeys([table.paytables[wager.id], *table.terms(wager.priced_with or wager.id).paytables])
    found = (table.book.paytables.get(name) or catalog.paytable(name) for name in names)
    return tuple(one for one in found if wager.id in one.pays)


def prices(table: TableRules) -> tuple[PricedWager, ...]:
    """Return the exact figures of every wager by every paytable that the book permits for it."""
    known: dict[str, tuple[WagerSheet, ...]] = {}
    found: list[PricedWager] = []
    for wager in table.wagers.values():
        limits = stakes_of_wager(table, wager)
        for paytable in permitted(table, wager):
            for stakes in _stakes(paytable, wager, limits, capped=wager.is_base and _has_cap(table)):
                priced = paytable.at({wager.id: stakes[-1]})
                key = f"{paytable.id} {stakes[-1] if priced != paytable else 0}"
                if key not in known:
                    known[key] = sheets(priced, "withdraw")
                found += [
                    _priced(table, paytable, sheet, stakes)
                    for sheet in known[key]
                    if sheet.wager.id == wager.id and sheet.hands <= table.rules.seats
                ]
    return tuple(sorted(found, key=lambda one: not one.in_force))


def _has_cap(table: TableRules) -> bool:
    return table.rules.payout.cap == "maximum" and table.rules.payout.cents_max is not None


def _stakes(paytable: Paytable, wager: Wager, limits: SpotLimits, *, capped: bool) -> Iterator[tuple[int, ...]]:
    """Yield the stakes that have figures of their own: the lowest and the highest, together where a unit wins alike."""
    ends = tuple(dict.fromkeys((limits.cents_min, limits.cents_max)))
    by_stake = capped or paytable.pays[wager.id].priced_cents is not None
    yield from ((one,) for one in ends) if by_stake else (ends,)


def _priced(table: TableRules, paytable: Paytable, sheet: WagerSheet, stakes: tuple[int, ...]) -> PricedWager:
    edge, risk, results = sheet.house_edge, sheet.element_of_risk, sheet.results
    bound: Capped | None = None
    payout = table.rules.payout
    if sheet.wager.is_base and _has_cap(table) and payout.cents_max is not None:
        many = table.rules.hands_per_player
        bound = cap(sheet.pays, stakes[-1], payout.cents_max, payout.scope, hands_per_player=many)
    binds = bound is not None and bound.results.cases != results.cases
    if bound is not None:
        edge, risk, results = bound.house_edge, bound.element_of_risk, bound.results
    return PricedWager(
        wager=sheet.wager.id,
        title=sheet.wager.title,
        paytable=paytable.id,
        in_force=table.paytables[sheet.wager.id] == paytable.id,
        hands=sheet.hands or None,
        stakes_cents=stakes,
        capped=binds,
        house_edge=Exact.of(edge),
        element_of_risk=Exact.known(risk),
        hit_frequency=Exact.of(sheet.hit_frequency),
        variance=Exact.of(results.variance),
        standard_deviation=results.standard_deviation,
    )


def exposures(table: TableRules) -> tuple[Lost, ...]:
    """Return the most that one player and a full table can cost the bank in a round, at the highest stakes."""
    hands = table.rules.hands_per_player
    return (
        _lost("one player" + (f" with {hands} hands" if hands > 1 else ""), most_lost(table, hands)),
        _lost("all seats together", most_lost(table)),
    )


def _lost(of: str, found: Exposure) -> Lost:
    return Lost(
        of=of,
        cents=found.cents,
        hands=found.hands,
        community=tuple(map(str, found.community)),
        dealt=tuple(" ".join(map(str, hand)) for hand in found.dealt),
        upper_bound_for=found.bounded,
    )
