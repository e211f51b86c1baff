"""Sheets: the exact figures of a paytable for programs; it rounds nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from letitride.analysis.caps import Capped, changed_classes
from letitride.analysis.exact import Exact
from letitride.analysis.par import WagerSheet, conventions
from letitride.rules.paytables import Pays, Paytable, PrintedClaims
from letitride.rules.plain import LEFT_OUT
from letitride.rules.wager_table import BASE


@dataclass(frozen=True, slots=True, kw_only=True)
class ParLine:
    """One category of one wager."""

    category: str
    combinations: int
    probability: Exact
    pay: str | None
    units_riding: Exact
    result: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class ParNet:
    """How often a result comes."""

    net: str
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParOfWager:
    """The exact figures of one wager."""

    wager: str
    hands: int | None = field(default=None, metadata=LEFT_OUT)
    award: str
    stake_cents: int | None = field(default=None, metadata=LEFT_OUT)
    """The stake that figures per unit hold at, where awards are in dollars."""
    house_edge: Exact
    element_of_risk: Exact | None = field(default=None, metadata=LEFT_OUT)
    average_wager: Exact | None = field(default=None, metadata=LEFT_OUT)
    bet1_ride_rate: Exact | None = field(default=None, metadata=LEFT_OUT)
    bet2_ride_rate: Exact | None = field(default=None, metadata=LEFT_OUT)
    hit_frequency: Exact
    standard_deviation: float
    variance: Exact
    skewness: float
    combinations: int
    lines: tuple[ParLine, ...]
    distribution: tuple[ParNet, ...]
    printed: PrintedClaims


@dataclass(frozen=True, slots=True, kw_only=True)
class ParCapped:
    """The base game under a maximum payout, and how many classes of cards it makes play otherwise."""

    stake_cents: int
    payout_cents_max: int
    scope: str
    house_edge: Exact
    element_of_risk: Exact
    average_wager: Exact
    bet1_ride_rate: Exact
    bet2_ride_rate: Exact
    standard_deviation: float
    variance: Exact
    bet1_classes_changed: int
    bet2_classes_changed: int
    classes_changed: tuple[str, ...]
    """Each class that is played otherwise than without the maximum, and how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverMaximum:
    """A bet over the table's maximum, which is settled up to it."""

    stake_cents: int
    settled_cents: int
    house_edge_of_what_is_settled: Exact
    house_edge_of_what_was_put_up: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheet:
    """The par sheet of one paytable, as `letitride par --json` prints it."""

    paytable: str
    title: str
    sha256: str
    conventions: dict[str, str]
    wagers: tuple[ParOfWager, ...]
    capped: ParCapped | None = field(default=None, metadata=LEFT_OUT)
    """Under a maximum payout, at the highest stake asked for."""
    capped_at: tuple[ParCapped, ...] | None = field(default=None, metadata=LEFT_OUT)
    """The same at each stake, where it was asked for more than one."""
    over_maximum: OverMaximum | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParSheets:
    """The par sheets of a paytable, or of all paytables in force by a rule book."""

    of: str
    sheets: tuple[ParSheet, ...]


def par_sheet(
    table: Paytable,
    wagers: Iterable[WagerSheet],
    ties: str,
    capped: Sequence[Capped] = (),
    over_maximum: OverMaximum | None = None,
) -> ParSheet:
    """Return the figures of a paytable, the base game also under a maximum payout or over the table's maximum."""
    under = tuple(capped_figures(one, table.pays[BASE.id]) for one in capped if BASE.id in table.pays)
    return ParSheet(
        paytable=table.id,
        title=table.title,
        sha256=table.digest,
        conventions={"ties": ties, **conventions(pays.wager for pays in table.pays.values()), **_alone(capped)},
        wagers=tuple(map(_wager, wagers)),
        capped=under[-1] if under else None,
        capped_at=under if len(under) > 1 else None,
        over_maximum=over_maximum,
    )


def _alone(capped: Sequence[Capped]) -> dict[str, str]:
    """Return whom the figures under a maximum payout are for, where that has to be said."""
    return {"capped": capped[-1].alone} if capped and capped[-1].alone else {}


def capped_figures(capped: Capped, pays: Pays) -> ParCapped:
    """Return the base game under a maximum payout."""
    bet1, bet2 = capped.ride_rates
    return ParCapped(
        stake_cents=capped.stake_cents,
        payout_cents_max=capped.payout_cents_max,
        scope=capped.scope,
        house_edge=Exact.of(capped.house_edge),
        element_of_risk=Exact.of(capped.element_of_risk),
        average_wager=Exact.of(capped.average_wager),
        bet1_ride_rate=Exact.of(bet1),
        bet2_ride_rate=Exact.of(bet2),
        standard_deviation=capped.results.standard_deviation,
        variance=Exact.of(capped.results.variance),
        bet1_classes_changed=capped.changed_bet1,
        bet2_classes_changed=capped.changed_bet2,
        classes_changed=tuple(one.words for one in changed_classes(pays, capped, capped.ties)),
    )


def _wager(sheet: WagerSheet) -> ParOfWager:
    return ParOfWager(
        wager=str(sheet.wager),
        hands=sheet.hands or None,
        award=str(sheet.pays.award),
        stake_cents=None if sheet.pays.priced_cents is None else int(sheet.pays.priced_cents),
        house_edge=Exact.of(sheet.house_edge),
        element_of_risk=Exact.known(sheet.element_of_risk),
        average_wager=Exact.known(sheet.average_wager),
        bet1_ride_rate=Exact.known(sheet.bet1_ride_rate),
        bet2_ride_rate=Exact.known(sheet.bet2_ride_rate),
        hit_frequency=Exact.of(sheet.hit_frequency),
        standard_deviation=sheet.results.standard_deviation,
        variance=Exact.of(sheet.results.variance),
        skewness=sheet.results.skewness,
        combinations=sheet.combinations,
        lines=tuple(
            ParLine(
                category=line.category,
                combinations=line.combinations,
                probability=Exact.of(line.probability),
                pay=None if line.pay is None else str(line.pay),
                units_riding=Exact.of(line.riding),
                result=Exact.of(line.result),
            )
            for line in sheet.lines
        ),
        distribution=tuple(
            ParNet(net=str(result), cases=cases) for result, cases in sorted(sheet.results.cases.items(), reverse=True)
        ),
        printed=PrintedClaims(par=sheet.pays.printed_par, hit_frequency=sheet.pays.printed_hit_frequency),
    )
