"""Wager: one wager's exact figures laid out as the parts of a report; rounds them, and never changes one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from typing import Final

from letitride.analysis import par
from letitride.analysis.caps import Capped, changed_classes
from letitride.analysis.par import WagerSheet, lint
from letitride.analysis.rounding import decimal, fraction, odds, percent, units
from letitride.reports.paper import plots, words
from letitride.reports.paper.model import Block, Cell, Grid, Part, Plot, Text, WagerPart
from letitride.reports.par.bet_terms import bet_terms, conditions
from letitride.rules.money import dollars
from letitride.rules.wagers import Wager

HANDLES: Final = (1_000, 10_000, 100_000, 1_000_000)
"""The numbers of rounds for which the interval of the win is printed."""

NEAR_NORMAL: Final = 0.5
"""A skewness of the mean result under which the normal approximation is not called rough."""

_SCOPES: Final = {
    "player_round": "all bets of a player in a round",
    "hand": "each hand",
    "wager": "each wager",
    "round": "all players in a round",
}


def wager_part(
    sheet: WagerSheet, anchor: str, published: str, capped: tuple[Capped, ...], play: tuple[Part, ...]
) -> WagerPart:
    """Return everything about one wager; `published` is the id of a published table that pays the same, or nothing."""
    return WagerPart(
        anchor=anchor,
        heading=words.heading(sheet.pays, sheet.hands),
        summary=_summary(sheet),
        parts=tuple(_parts(sheet, published, capped, play)),
    )


def _parts(sheet: WagerSheet, published: str, capped: tuple[Capped, ...], play: tuple[Part, ...]) -> Iterator[Part]:
    if not sheet.wager.published:
        yield Part("The bet", (_terms(sheet.wager),))
    yield Part("Hands and pays", (_lines(sheet), _contributions(sheet)))
    yield Part("House edge and element of risk", (_edges(sheet),))
    yield Part("Volatility", (_figures(sheet), *_results(sheet), _spread(sheet)))
    yield Part("Win % of handle", (*_holds(sheet), _hold_remark(sheet), _fan(sheet)))
    if sheet.average_wager is not None:
        yield Part("Ride rates", (_ride_rates(sheet, sheet.average_wager),))
    yield from play
    yield Part("Maximum exposure", (_exposure(sheet),))
    for one in capped:
        heading = f"With a maximum payout, at {dollars(one.stake_cents)} a bet"
        yield Part(heading, (_capped(one), _changed(sheet, one), Text((_CAPPED,))))
    yield Part("Printed figures", (_printed(sheet),))
    if remarks := tuple(f"This wager {remark.text}." for remark in lint(sheet)):
        yield Part("Remarks", (Text(remarks, listed=True),))
    yield Part("Evidence", (Text(words.evidence(sheet.pays, sheet.hands, published), listed=True),))


def _terms(wager: Wager) -> Text:
    """Return what the file of a house's own wager says of it."""
    ranks = ((rank.label, conditions(rank)) for rank in wager.ranking.ranks)
    said = (*bet_terms(wager), *((label, when) for label, when in ranks if when))
    return Text(tuple(f"{name[0].upper()}{name[1:]}: {what}." for name, what in said), listed=True)


def figure(value: Fraction, text: str) -> Cell:
    """Return a rounded figure with its fraction, where it is not whole."""
    return Cell(text, "" if value.denominator == 1 else fraction(value))


def _summary(sheet: WagerSheet) -> str:
    edge = f"House edge {percent(sheet.house_edge)} of one bet"
    if sheet.element_of_risk is not None:
        edge += f", element of risk {percent(sheet.element_of_risk)}"
    deviation = decimal(sheet.results.standard_deviation)
    return f"{edge}; hit frequency {percent(sheet.hit_frequency)}; standard deviation {deviation} units per round."


def _lines(sheet: WagerSheet) -> Grid:
    base = sheet.wager.is_base
    rows = []
    for line in sheet.lines:
        cells = [
            Cell(line.category),
            Cell(f"{line.combinations:,}"),
            figure(line.probability, decimal(line.probability, 10)),
            Cell(sheet.told(line) or "loses"),
            figure(line.riding, decimal(line.riding)),
            figure(line.result, decimal(line.result, 8, signed=True)),
        ]
        rows.append(tuple(cells if base else [*cells[:4], *cells[5:]]))
    average = sheet.average_wager or Fraction(1)
    foot = [
        Cell("all hands"),
        Cell(f"{sheet.combinations:,}"),
        Cell("1"),
        Cell(""),
        figure(average, decimal(average)),
        figure(-sheet.house_edge, decimal(-sheet.house_edge, 8, signed=True)),
    ]
    columns = ["Hand", "Combinations", "Probability", "Pay", "Units riding", "Result"]
    total = words.AWARDS[sheet.pays.award] + sheet.priced_at
    return Grid(
        caption=f"Every hand with its number of combinations and its pay ({total}); fractions are exact",
        columns=tuple(columns if base else [*columns[:4], *columns[5:]]),
        rows=tuple(rows),
        foot=tuple(foot if base else [*foot[:4], *foot[5:]]),
    )


def _edges(sheet: WagerSheet) -> Grid:
    bases = [("one bet (house edge, par)", Fraction(1), sheet.house_edge)]
    if sheet.element_of_risk is not None and sheet.average_wager is not None:
        bases = [
            ("one of the three equal bets (house edge)", Fraction(1), sheet.house_edge),
            ("all three bets at the start", Fraction(3), sheet.house_edge / 3),
            ("units left riding (element of risk, par)", sheet.average_wager, sheet.element_of_risk),
        ]
    rows = tuple(
        (
            Cell(name),
            figure(many, decimal(many)),
            figure(edge, percent(edge)),
            figure(1 - edge, percent(1 - edge)),
        )
        for name, many, edge in bases
    )
    return Grid("Expected loss as a share of the amount bet", ("Amount bet", "Units per round", "Edge", "Return"), rows)


def _figures(sheet: WagerSheet) -> Grid:
    results, deviation = sheet.results, sheet.results.standard_deviation
    volatility = words.VOLATILITY_Z * deviation
    rows = (
        (
            Cell("hit frequency"),
            figure(sheet.hit_frequency, percent(sheet.hit_frequency)),
            Cell(f"of rounds, {odds(sheet.hit_frequency)}" if sheet.hit_frequency else "of rounds"),
        ),
        (Cell("variance"), figure(results.variance, decimal(results.variance)), Cell("units squared, per round")),
        (
            Cell("standard deviation"),
            Cell(decimal(deviation)),
            Cell("units per round, the square root of the variance"),
        ),
        (
            Cell("skewness"),
            Cell(decimal(results.skewness)),
            Cell("third moment about the mean, in standard deviations"),
        ),
        (
            Cell("volatility index"),
            Cell(decimal(volatility)),
            Cell(f"z × standard deviation, z = {words.VOLATILITY_Z} (90%), one round of one unit"),
        ),
    )
    return Grid("Spread of the result of a round", ("Figure", "Value", "Basis"), rows, words=(0, 2))


def _results(sheet: WagerSheet) -> Iterator[Grid]:
    """Yield the distribution of the net result, where the table of hands does not show it already."""
    if not sheet.wager.is_base:
        return
    rows = tuple(
        (Cell(units(net)), Cell(f"{cases:,}"), Cell(decimal(chance, 10)), Cell(fraction(chance)))
        for net, cases in sorted(sheet.results.cases.items(), reverse=True)
        if (chance := Fraction(cases, sheet.results.total))
    )
    columns = ("Net result, units", "Cases", "Probability", "Exact")
    caption = f"Distribution of the net result of a round, over {sheet.combinations:,} cases"
    yield Grid(caption, columns, rows, words=())


def _holds(sheet: WagerSheet) -> Iterator[Grid]:
    average = sheet.average_wager
    yield _hold(sheet, Fraction(1), "in units of one bet" if average is None else "handle: one of the three bets")
    if average is not None:
        yield _hold(sheet, average, "handle: units left riding, at their average")


def _hold(sheet: WagerSheet, base: Fraction, what: str) -> Grid:
    rows = []
    for rounds in HANDLES:
        half = words.HOLD_Z * sheet.results.standard_deviation / sqrt(rounds) / float(base)
        hold = sheet.house_edge / base
        rows.append(
            (
                Cell(f"{rounds:,}"),
                Cell(decimal(rounds * base, 0 if base == 1 else 1)),
                Cell(decimal(rounds * sheet.house_edge, 1)),
                Cell(percent(hold)),
                Cell(f"{percent(float(hold) - half, 2)} to {percent(float(hold) + half, 2)}"),
                Cell(decimal(sheet.results.skewness / sqrt(rounds), 2)),
            )
        )
    columns = ("Rounds", "Handle, units", "Theoretical win, units", "Theoretical win %", "95% interval", "Skewness")
    return Grid(f"Theoretical win with the 95% interval of the actual win ({what})", columns, tuple(rows))


def _hold_remark(sheet: WagerSheet) -> Text:
    skewness = sheet.results.skewness
    enough = next((rounds for rounds in HANDLES if abs(skewness) / sqrt(rounds) < NEAR_NORMAL), None)
    if enough == HANDLES[0]:
        caution = f"here it is below {NEAR_NORMAL} at every handle listed."
    else:
        rough = f"below {enough:,} rounds" if enough else "even at the largest handle listed"
        why = ", because one rare large award takes the win far below it" * (skewness > 0)
        caution = f"here the interval is rough {rough}{why}."
    formula = f"theoretical win ± {words.HOLD_Z} × standard deviation ÷ √rounds"
    told = (
        f"Normal approximation: {formula}, for independent rounds of equal bets. The skewness is that of the mean "
        f"result over so many rounds. The approximation is good where it is near 0; {caution}"
    )
    return Text((told,))


def _ride_rates(sheet: WagerSheet, average: Fraction) -> Grid:
    rows = [
        (Cell(name), figure(rate, percent(rate)), Cell(of))
        for name, rate, of in (
            ("bet 1", sheet.bet1_ride_rate, "of all hands"),
            ("bet 2", sheet.bet2_ride_rate, "of all hands and first community cards"),
        )
        if rate is not None
    ]
    rows += [
        (Cell("bet 3"), Cell(percent(Fraction(1))), Cell("always rides")),
        (Cell("average wager"), figure(average, decimal(average)), Cell("units left riding, of three")),
    ]
    caption = f"How often each bet rides with best play ({words.tie_rule(sheet.ties or 'withdraw')})"
    return Grid(caption, ("Bet", "Rate", "Basis"), tuple(rows), words=(0, 2))


def _exposure(sheet: WagerSheet) -> Grid:
    best = max((line for line in sheet.lines if line.pay is not None), key=lambda line: line.pay or 0)
    pay = sheet.pays.units(best.pay or Fraction(0))
    cases = [("one bet", 1)] + [("all three bets riding", 3)] * (sheet.wager.is_base)
    rows = tuple(
        (
            Cell(name),
            Cell(best.category),
            Cell(units(many * pay)),
            Cell(units(many * sheet.pays.net(best.pay))),
            Cell(units(many * (pay + sheet.pays.returns_stake))),
        )
        for name, many in cases
    )
    columns = ("Bets", "Hand", "Award", "Loss to the house", "Paid out with the stake")
    return Grid("Largest award in units of one bet, without a maximum payout", columns, rows, words=(0, 1))


def _printed(sheet: WagerSheet) -> Block:
    pays = sheet.pays
    name = "par (house edge)" if sheet.element_of_risk is None else "par (element of risk)"
    rows = tuple(
        (
            Cell(what),
            Cell(printed),
            Cell(percent(exact, 2)),
            figure(exact, percent(exact, 6)),
            Cell(_verdict(sheet, printed, exact)),
        )
        for what, printed, exact in (
            (name, pays.printed_par, sheet.par),
            ("hit frequency", pays.printed_hit_frequency, sheet.hit_frequency),
        )
        if printed is not None
    )
    if not rows:
        return Text(("The source of this paytable prints no par and no hit frequency for this wager.",))
    source = f", {pays.printed_in}," if pays.printed_in else ""
    columns = ("Figure", "Printed", "Exact, rounded", "Exact", "Result")
    return Grid(f"Figures printed in the source{source} beside the exact ones", columns, rows, words=(0, 4))


def _verdict(sheet: WagerSheet, printed: str, exact: Fraction) -> str:
    if par.matches(printed, exact):
        return "agrees"
    return "differs by the tie rule only" if par.differs_by_ties(sheet, printed) else "differs"


_CAPPED: Final = (
    "Best play with the maximum may differ from best play without it. These figures are checked for consistency with "
    "those without a maximum, not by the second method named under Evidence."
)


def _changed(sheet: WagerSheet, capped: Capped) -> Text:
    """Return the classes of cards that are played differently because of the maximum, by name."""
    found = tuple(f"{one.words}." for one in changed_classes(sheet.pays, capped, capped.ties))
    return Text(found or ("The maximum changes no decision: best play is the same as without it.",), listed=bool(found))


def _capped(capped: Capped) -> Grid:
    results, (bet1, bet2) = capped.results, capped.ride_rates
    rows = (
        (Cell("stake of one bet"), Cell(dollars(capped.stake_cents))),
        (
            Cell(
                f"maximum payout, counted over {_SCOPES[capped.scope]}" + (f" ({capped.alone})" if capped.alone else "")
            ),
            Cell(dollars(capped.payout_cents_max)),
        ),
        (Cell("house edge on one bet"), figure(capped.house_edge, percent(capped.house_edge))),
        (Cell("element of risk (par)"), figure(capped.element_of_risk, percent(capped.element_of_risk))),
        (Cell("average wager, units of three"), figure(capped.average_wager, decimal(capped.average_wager))),
        (Cell("bet 1 rides"), figure(bet1, percent(bet1))),
        (Cell("bet 2 rides"), figure(bet2, percent(bet2))),
        (Cell("variance"), figure(results.variance, decimal(results.variance))),
        (Cell("standard deviation, units per round"), Cell(decimal(results.standard_deviation))),
        (Cell("three-card classes played differently"), Cell(str(capped.changed_bet1))),
        (Cell("four-card classes played differently"), Cell(str(capped.changed_bet2))),
    )
    return Grid("The base game at one stake, with the maximum payout", ("Figure", "Value"), rows)


def _plot(kind: str, svg: str, caption: str, alt: str) -> Plot:
    return Plot(f"{kind}-{sha256(svg.encode()).hexdigest()[:16]}", caption, alt, svg)


def _contributions(sheet: WagerSheet) -> Plot:
    told = "; ".join(f"{line.category} {decimal(line.result, 4, signed=True)}" for line in sheet.lines)
    return _plot(
        "contributions",
        plots.contributions(tuple((line.category, float(line.result)) for line in sheet.lines)),
        "Contribution of each hand to the expected result of a unit bet",
        f"Horizontal bars, one for each hand, of its contribution to the expected result in units: {told}.",
    )


def _spread(sheet: WagerSheet) -> Plot:
    cases = sorted(sheet.results.cases.items())
    bars = tuple((units(net), many / sheet.results.total) for net, many in cases if many)
    likely = max(bars, key=lambda bar: bar[1])
    (least, least_chance), (most, most_chance) = bars[0], bars[-1]
    return _plot(
        "spread",
        plots.spread(bars),
        "Probability of each net result of a round",
        f"Bars on a logarithmic scale, one for each of {len(bars)} net results. They go from {least} units with "
        f"probability {least_chance:.3g} to {most} units with probability {most_chance:.3g}. The likeliest "
        f"is {likely[0]} units with probability {likely[1]:.3g}.",
    )


def _fan(sheet: WagerSheet) -> Plot:
    rounds, mean, deviation = words.SESSION_ROUNDS, float(sheet.results.mean), sheet.results.standard_deviation
    bands = " and ".join(
        f"{share}% of sessions end between {decimal(mean * rounds - z * deviation * sqrt(rounds), 1)} and "
        f"{decimal(mean * rounds + z * deviation * sqrt(rounds), 1)}"
        for share, z in reversed(words.SESSION_BANDS)
    )
    return _plot(
        "fan",
        plots.fan(mean, deviation),
        f"The player's cumulative result over {rounds:,} rounds: mean, 50% and 90% bands (normal approximation)",
        f"A line of the mean and two bands that widen with the rounds. After {rounds:,} rounds the mean is "
        f"{decimal(mean * rounds, 1)} units; by the normal approximation {bands}.",
    )
