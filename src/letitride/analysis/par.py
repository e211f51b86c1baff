"""Par: the exact figures of a paytable, wager by wager, with the conventions they are told in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from letitride.analysis.base import CASES, Nets, Play, Ties, best_play, cases_of, distribution, plain_nets, price
from letitride.analysis.best_hand import CATEGORIES
from letitride.analysis.best_hand_counts import stored
from letitride.analysis.distribution import Distribution
from letitride.analysis.find_rows import PAYING
from letitride.analysis.rounding import MINUS, percent, units
from letitride.analysis.side_bets import TAKEN_BACK, back_net, price_side
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays, Paytable
from letitride.rules.rankings import FIVE_CARD
from letitride.rules.shown import Page, Shown, grid
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Award, Wager
from letitride.rules.words import quantity

CONVENTIONS: Final = {
    "house_edge": "expected loss per unit bet; for the base game, per one of its three equal bets",
    "element_of_risk": "expected loss per unit left riding; printed as the par of a base paytable",
    "average_wager": "how many of the three base units are left riding on average",
    "hit_frequency": "how often the hand pays, including awards that only return the stake",
    "bet1_ride_rate": "how often bet 1 is let ride, of all hands",
    "bet2_ride_rate": "how often bet 2 is let ride, of all hands and first community cards",
    "standard_deviation": "of a round, in units of one bet",
    "to_one": "a pay of N wins N units, and the stake is returned",
    "total_award": "a pay of N is N units in total; the stake, collected before the deal, is not returned",
}
_FIXED: Final = {
    "fixed_dollars": (
        "a pay of N is N dollars in total, regardless of the bet; figures per unit hold at the stake given with them, "
        "by default the minimum bet"
    ),
}
"""The convention of awards in dollars, which no published paytable has."""
_BY_HANDS: Final = "two community cards and the hands one after the other"
_BY_CASES: Final = "three cards, first and second community card"
_BY_DECISION: Final = f"{_BY_CASES}, taken back where that is better"
NO_PAYING_HAND: Final = "no paying hand"

_CARDS: Final = {2: "two cards", 3: "three cards", 4: "four cards", 5: "five cards"}


@dataclass(frozen=True, slots=True)
class Line:
    """One category of one wager: how often it comes, what it pays, and what it gives back."""

    category: str
    combinations: int
    probability: Fraction
    pay: Fraction | None
    result: Fraction
    """What it adds to the expected result of a unit bet, won less lost."""
    riding: Fraction = Fraction(1)
    """How many units are in action on average when it comes."""


@dataclass(frozen=True, slots=True, repr=False)
class WagerSheet(Shown):
    """Everything exact about one wager of a paytable."""

    pays: Pays
    hands: int
    """Of a bet on the best hand at the table, how many hands are in the round; 0 otherwise."""
    combinations: int
    lines: tuple[Line, ...]
    house_edge: Fraction
    hit_frequency: Fraction
    results: Distribution
    element_of_risk: Fraction | None = None
    average_wager: Fraction | None = None
    bet1_ride_rate: Fraction | None = None
    bet2_ride_rate: Fraction | None = None
    ties: Ties | None = None

    def headline(self) -> str:
        """Return the sheet in one line."""
        hands = f", {quantity(self.hands, 'hand')}" if self.hands else ""
        return f"{self.wager.title}{hands}: house edge {percent(self.house_edge)} per unit bet{self.priced_at}"

    def shown(self) -> Page:
        """Return the figures and every hand with its part in them."""
        figures = {
            "house edge per unit bet": self.house_edge,
            "loss per unit in action": self.element_of_risk,
            "hit frequency": self.hit_frequency,
            "bet 1 rides": self.bet1_ride_rate,
            "bet 2 rides": self.bet2_ride_rate,
        }
        facts = [(name, f"{percent(one)} ({one})") for name, one in figures.items() if one is not None]
        facts += [("units in action", f"{float(self.average_wager):.4f}")] if self.average_wager is not None else []
        facts.append(("standard deviation", f"{self.results.standard_deviation:.4f} units of one bet"))
        rows = (
            (
                one.category,
                f"{one.combinations:,}",
                f"{float(one.probability):.8f}",
                self.told(one) or "-",
                f"{float(one.result):+.8f}",
            )
            for one in self.lines
        )
        columns = ("hand", "combinations", "probability", "pays", "adds to the result of a unit")
        return Page(self.headline(), tuple(facts), (grid(columns, rows, f"{self.combinations:,} combinations"),))

    @property
    def wager(self) -> Wager:
        """The wager."""
        return self.pays.wager

    @property
    def priced_at(self) -> str:
        """The stake that the figures hold at, in words; nothing where they hold at any."""
        cents = self.pays.priced_cents
        most = self.pays.most_cents
        paid = "" if most is None else f", {dollars(most)} paid at most"
        return "" if cents is None else f", at a stake of {dollars(int(cents))}{paid}"

    def told(self, line: Line) -> str:
        """Return what a line pays, in units or in dollars; nothing where it loses."""
        if line.pay is None:
            return ""
        return units(line.pay) if self.pays.award is not Award.FIXED else dollars(int(100 * line.pay))

    @property
    def par(self) -> Fraction:
        """The figure that the documents print: the element of risk of a base table, the edge of any other."""
        return self.house_edge if self.element_of_risk is None else self.element_of_risk


def conventions(wagers: Iterable[Wager]) -> dict[str, str]:
    """Return in which conventions the figures of wagers are told, those of a house's own among them."""
    wagers = tuple(wagers)
    fixed = _FIXED if any(Award.FIXED in wager.awards for wager in wagers) else {}
    own = tuple({wager.title: wager for wager in wagers if not wager.published}.values())
    return {**CONVENTIONS, **fixed, "combinations": _combinations((*PUBLISHED.values(), *own))}


def _combinations(wagers: Iterable[Wager]) -> str:
    """Return over what the cases of wagers are counted."""
    return "; ".join(f"{wager.title}: {_counted_over(wager)}" for wager in wagers)


def _counted_over(wager: Wager) -> str:
    if wager.is_base or wager.withdraw:
        return _BY_DECISION if wager.withdraw else _BY_CASES
    return _BY_HANDS if wager.by_hands else _CARDS[wager.ranking.cards]


def sheets(table: Paytable, ties: Ties = "withdraw") -> tuple[WagerSheet, ...]:
    """Return the sheets of all wagers a table prices; one for each number of hands where the pays depend on it."""
    return tuple(one for pays in table.pays.values() for one in wager_sheets(pays, ties))


def wager_sheets(pays: Pays, ties: Ties = "withdraw") -> Iterator[WagerSheet]:
    """Yield the sheets of one wager: one for each number of hands where its pays depend on it."""
    if pays.wager.is_base:
        yield base_sheet(pays, ties)
    elif pays.wager.by_hands:
        yield from (best_hand_sheet(pays, hands) for hands in range(1, len(pays.columns) + 1))
    else:
        yield _side_sheet(pays)


def base_sheet(pays: Pays, ties: Ties = "withdraw") -> WagerSheet:
    """Return the sheet of a base table under best play."""
    found, nets = price(pays, ties), plain_nets(pays)
    play = best_play(nets, ties)
    return WagerSheet(
        pays=pays,
        hands=0,
        combinations=CASES,
        lines=tuple(_base_lines(pays, nets, play)),
        house_edge=found.house_edge,
        hit_frequency=found.hit_frequency,
        results=distribution(nets, play),
        element_of_risk=found.element_of_risk,
        average_wager=found.average_wager,
        bet1_ride_rate=found.bet1_ride_rate,
        bet2_ride_rate=found.bet2_ride_rate,
        ties=ties,
    )


def _base_lines(pays: Pays, nets: Nets, play: Play) -> Iterator[Line]:
    cases: Counter[int] = Counter()
    units: Counter[int] = Counter()
    won: dict[int, Fraction | int] = {}
    for many, _, bets, column in cases_of(play):
        cases[column] += many
        units[column] += many * bets
        won[column] = won.get(column, 0) + many * nets(column, bets)
    for column, category in enumerate([*PAYING, None]):
        yield Line(
            category=category.label if category else NO_PAYING_HAND,
            combinations=cases[column],
            probability=Fraction(cases[column], CASES),
            pay=pays.pay(category) if category else None,
            result=Fraction(won[column]) / CASES,
            riding=Fraction(units[column], cases[column]),
        )


def _side_sheet(pays: Pays) -> WagerSheet:
    found = price_side(pays)
    counts, total = found.ranks, found.results.total
    # Of five cards only what pays is listed; the ranks of any other hand are few.
    listed = pays.wager.paying if pays.wager.ranking == FIVE_CARD else pays.wager.ranking.ranks
    rows = [(rank.label, counts[rank], pays.pay(rank)) for rank in listed]
    if len(listed) < len(counts):
        rows.append((NO_PAYING_HAND, total - found.back - sum(counts[rank] for rank in listed), None))
    lines = [_line(pays, label, many, total, pay) for label, many, pay in rows]
    if pays.wager.withdraw:
        often = Fraction(found.back, total)
        lines.append(Line(TAKEN_BACK, found.back, often, None, often * back_net(pays.wager), Fraction(0)))
    return WagerSheet(
        pays=pays,
        hands=0,
        combinations=total,
        lines=tuple(lines),
        house_edge=found.house_edge,
        hit_frequency=found.hit_frequency,
        results=found.results,
    )


def _line(pays: Pays, label: str, many: int, total: int, pay: Fraction | None) -> Line:
    probability = Fraction(many, total)
    return Line(label, many, probability, pay, probability * pays.net(pay))


def best_hand_sheet(pays: Pays, hands: int) -> WagerSheet:
    """Return the sheet of a bet on the best of a number of hands in the round."""
    total, counts = stored()[hands - 1]
    paying = zip(CATEGORIES, counts, strict=True)
    rows = [(category.label, many, pays.pay(category, hands)) for category, many in paying]
    rows.append((NO_PAYING_HAND, total - sum(counts), None))
    counted: Counter[Fraction] = Counter()
    for _, many, pay in rows:
        counted[pays.net(pay)] += many
    results = Distribution(dict(counted), total)
    return WagerSheet(
        pays=pays,
        hands=hands,
        combinations=total,
        lines=tuple(_line(pays, label, many, total, pay) for label, many, pay in rows),
        house_edge=-results.mean,
        hit_frequency=Fraction(sum(many for _, many, pay in rows if pay is not None), total),
        results=results,
    )


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a reader of a paytable should know; `wrong` where a printed figure is not the exact one."""

    wrong: bool
    text: str
    code: str
    """Which remark it is, for clients that word it."""
    values: Mapping[str, str] = field(default_factory=dict)


RARE: Final = Fraction(1, 100_000_000)
LEAST_RETURN: Final = Fraction(3, 4)


def matches(printed: str, exact: Fraction) -> bool:
    """Whether a printed percentage is an exact figure, rounded to as many digits as it has."""
    digits = len(printed.rstrip("%").partition(".")[2])
    return printed.replace("-", MINUS) == percent(exact, digits)


def differs_by_ties(sheet: WagerSheet, printed: str) -> bool:
    """Whether a printed par is the exact one under the documents' own tie rule, and the sheet goes by the other."""
    if sheet.ties != "ride" or printed != sheet.pays.printed_par:
        return False
    return matches(printed, price(sheet.pays, "withdraw").element_of_risk)


def lint(sheet: WagerSheet) -> Iterator[Remark]:
    """Yield what is wrong with a wager's printed figures, or remarkable about its pays."""
    pays = sheet.pays
    for name, printed, exact in (
        ("par", pays.printed_par, sheet.par),
        ("hit frequency", pays.printed_hit_frequency, sheet.hit_frequency),
    ):
        if printed is None or matches(printed, exact):
            continue
        if differs_by_ties(sheet, printed):
            words = f"prints a {name} of {printed}, by the tie rule 'withdraw'; by 'ride' it is {percent(exact)}"
            yield Remark(False, words, "printed_ties", {"printed": printed, "exact": percent(exact)})
        else:
            words = f"prints a {name} of {printed}; it is {percent(exact)}"
            yield Remark(True, words, "printed", {"printed": printed, "exact": percent(exact)})
    if sheet.house_edge < 0:
        more = percent(-sheet.house_edge)
        yield Remark(False, f"pays the player {more} more than is bet", "pays_player", {"share": more})
    if 1 - sheet.par < LEAST_RETURN:
        share = percent(1 - sheet.par, 2)
        yield Remark(False, f"returns {share} of what is bet, less than 75%", "returns_little", {"share": share})
    for line in sheet.lines:
        if line.pay is not None and line.probability < RARE:
            words = f"pays for a {line.category}, which is dealt less than once in 100 million"
            yield Remark(False, words, "rare", {"hand": line.category})
    listed = [line.pay for line in sheet.lines if line.pay is not None]
    if sheet.ties is not None and _has_ties(pays):
        yield Remark(False, "has decisions worth exactly zero: the tie rule changes its par", "ties")
    if not pays.returns_stake and any(pays.units(pay) <= 1 for pay in listed):
        yield Remark(False, "has an award that returns no more than the stake", "stake_only")


def _has_ties(pays: Pays) -> bool:
    nets = plain_nets(pays)
    return best_play(nets, "withdraw") != best_play(nets, "ride")
