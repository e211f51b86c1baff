"""Live: a paytable's exact figures while it is edited: rounded, with conventions, beside a published table.

It serves a page that changes with every key; the whole par sheet is `document`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from letitride.analysis.base import Ties, ride_rates
from letitride.analysis.caps import Capped, changed_classes
from letitride.analysis.exact import Exact
from letitride.analysis.par import WagerSheet, conventions, lint, sheets
from letitride.analysis.rounding import decimal, fraction, odds, percent, units
from letitride.analysis.strategy import class_values, rule_codes, rule_list
from letitride.reports.paper import words
from letitride.reports.par.live_data import (
    LiveBet,
    LiveCapped,
    LiveChange,
    LiveClass,
    LiveFigure,
    LiveLine,
    LiveNet,
    LivePar,
    LiveRemark,
    LiveStrategy,
    LiveWager,
)
from letitride.rules import catalog
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.wager_table import BASE

KEPT: Final = 64
_SHARES: Final = frozenset({"house_edge", "element_of_risk", "hit_frequency", "bet1_ride_rate", "bet2_ride_rate"})
_NAMES: Final = {
    "house_edge": "House edge",
    "element_of_risk": "Element of risk",
    "average_wager": "Average wager",
    "hit_frequency": "Hit frequency",
    "standard_deviation": "Standard deviation",
    "bet1_ride_rate": "Bet 1 rides",
    "bet2_ride_rate": "Bet 2 rides",
    "variance": "Variance",
    "skewness": "Skewness",
}
_CONVENTIONS: Final = {
    **conventions(()),
    "variance": "of a round, in units of one bet squared",
    "skewness": "the third moment about the mean, in standard deviations",
}
_UNDER_MAXIMUM: Final = {
    "ride": "let it ride instead",
    "withdraw": "take it back instead",
    "depends": "it depends: on bet 2 whether bet 1 rides, on bet 1 which cards of the class they are",
}

Figures = dict[str, Fraction | float]


def live_par(table: Paytable, ties: Ties, against: str = "", capped: Capped | None = None) -> LivePar:
    """Return everything about a paytable; `against` is the id of a published one that it is compared with."""
    known = published_sheets(against, ties) if against else {}
    found = sheets(table, ties)
    base = table.pays.get(BASE.id)
    return LivePar(
        id=table.id,
        title=table.title,
        sha256=table.digest,
        published=_published(table),
        against=against or None,
        ties=ties,
        wagers=tuple(_wager(sheet, known.get((sheet.wager.id, sheet.hands))) for sheet in found),
        strategy=None if base is None else _strategy(base, ties, known.get((BASE.id, 0))),
        capped=None if capped is None or base is None else _capped(base, capped, ties, found[0]),
    )


@lru_cache(KEPT)
def published_sheets(ref: str, ties: Ties) -> dict[tuple[str, int], WagerSheet]:
    """Return the sheets of a published paytable by the wager's id and the number of hands."""
    return {(sheet.wager.id, sheet.hands): sheet for sheet in sheets(catalog.paytable(ref), ties)}


def _published(table: Paytable) -> str | None:
    """Return the id of the published paytable that pays just the same, if there is one."""
    same = (ref for ref in catalog.paytable_ids() if catalog.paytable(ref).digest == table.digest)
    return next(same, None)


def _wager(sheet: WagerSheet, before: WagerSheet | None) -> LiveWager:
    was = {line.category: line.pay for line in before.lines} if before else {}
    return LiveWager(
        wager=sheet.wager.id,
        hands=sheet.hands or None,
        heading=words.heading(sheet.pays, sheet.hands),
        figures=tuple(_figures(_of(sheet), _of(before) if before else {})),
        lines=tuple(
            LiveLine(
                category=line.category,
                pay=None if line.pay is None else units(line.pay),
                pay_before=units(pay) if (pay := was.get(line.category)) is not None else None,
                combinations=line.combinations,
                probability=Exact.of(line.probability),
                odds=(seldom := odds(line.probability)) if line.probability else "never",
                one_in=seldom.removeprefix("1 in ") if line.probability else None,
                result=Exact.of(line.result),
                result_text=decimal(line.result, 6, signed=True),
            )
            for line in sheet.lines
        ),
        distribution=_distribution(sheet),
        distribution_before=_distribution(before) if before and before.results != sheet.results else None,
        remarks=tuple(f"This wager {remark.text}." for remark in lint(sheet)),
        remark_parts=tuple(LiveRemark(code=remark.code, values=dict(remark.values)) for remark in lint(sheet)),
    )


def _distribution(sheet: WagerSheet) -> tuple[LiveNet, ...]:
    total = sheet.results.total
    return tuple(
        LiveNet(
            net=units(net),
            value=float(net),
            cases=cases,
            probability=Exact.of(Fraction(cases, total)),
            text=percent(Fraction(cases, total), 6),
        )
        for net, cases in sorted(sheet.results.cases.items())
    )


def _of(sheet: WagerSheet) -> Figures:
    told: dict[str, Fraction | float | None] = {
        "house_edge": sheet.house_edge,
        "element_of_risk": sheet.element_of_risk,
        "average_wager": sheet.average_wager,
        "hit_frequency": sheet.hit_frequency,
        "bet1_ride_rate": sheet.bet1_ride_rate,
        "bet2_ride_rate": sheet.bet2_ride_rate,
        "standard_deviation": sheet.results.standard_deviation,
        "variance": sheet.results.variance,
        "skewness": sheet.results.skewness,
    }
    return {name: value for name, value in told.items() if value is not None}


def _figures(now: Figures, before: Figures) -> Iterator[LiveFigure]:
    for name, value in now.items():
        was = before.get(name)
        yield LiveFigure(
            name=name,
            words=_NAMES[name],
            text=_set(name, value),
            value=float(value),
            exact=fraction(value) if isinstance(value, Fraction) else None,
            convention=_CONVENTIONS[name],
            before=None if was is None else _set(name, was),
            change=_with_unit(name, changed := None if was is None else _difference(name, value, was)),
            change_number=changed,
            is_share=name in _SHARES,
        )


def _set(name: str, value: Fraction | float) -> str:
    return percent(value) if name in _SHARES else decimal(value)


def _difference(name: str, now: Fraction | float, was: Fraction | float) -> str | None:
    """Return by how much a figure has changed, where it has as it is printed."""
    if _set(name, now) == _set(name, was):
        return None
    by = Fraction(now) - Fraction(was)
    return decimal(by * 100 if name in _SHARES else by, signed=True)


def _with_unit(name: str, changed: str | None) -> str | None:
    return f"{changed} points" if changed and name in _SHARES else changed


def _strategy(pays: Pays, ties: Ties, before: WagerSheet | None) -> LiveStrategy:
    was = before.pays if before else None
    return LiveStrategy(bet1=_bet(pays, 3, ties, was), bet2=_bet(pays, 4, ties, was))


def _bet(pays: Pays, cards: int, ties: Ties, before: Pays | None) -> LiveBet:
    rules = rule_list(pays, cards, ties)
    known = rule_list(before, cards, ties) if before else rules
    rode = {one.feature: one.rides for one in class_values(before, cards, ties)} if before else {}
    classes = tuple(
        LiveClass(
            name=one.feature.name,
            words=one.feature.words,
            hands=one.hands,
            frequency=Exact.of(one.frequency),
            rides=one.rides,
            rode=rode.get(one.feature),
            value=Exact.of(one.value),
            text=decimal(one.value, 4, signed=True),
        )
        for one in class_values(pays, cards, ties)
    )
    return LiveBet(
        rules=tuple(rules),
        new_rules=tuple(rule for rule in rules if rule not in known),
        gone_rules=tuple(rule for rule in known if rule not in rules),
        classes=classes,
        changed=tuple(one for one in classes if one.rode not in {None, one.rides}),
        codes={**(rule_codes(before, cards, ties) if before else {}), **rule_codes(pays, cards, ties)},
    )


def _capped(pays: Pays, capped: Capped, ties: Ties, sheet: WagerSheet) -> LiveCapped:
    bet1, bet2 = ride_rates(capped.play)
    now: Figures = {
        "house_edge": capped.house_edge,
        "element_of_risk": capped.house_edge / (1 + bet1 + bet2),
        "average_wager": 1 + bet1 + bet2,
        "bet1_ride_rate": bet1,
        "bet2_ride_rate": bet2,
        "standard_deviation": capped.results.standard_deviation,
    }
    changed = (
        LiveChange(
            bet=one.feature.cards - 2,
            words=one.feature.words,
            name=one.feature.name,
            rode=one.rode,
            now=_UNDER_MAXIMUM[one.now],
            now_code=one.now,
        )
        for one in changed_classes(pays, capped, ties)
    )
    return LiveCapped(
        stake_cents=capped.stake_cents,
        payout_cents_max=capped.payout_cents_max,
        scope=capped.scope,
        figures=tuple(_figures(now, _of(sheet))),
        changed=tuple(changed),
    )
