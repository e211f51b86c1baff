"""Coach: the value of a player's decisions and what they cost, from what the seat itself saw; never from hidden cards.

Everything starts from a seat's own view: what is hidden from a seat cannot change a word of its advice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from letitride.analysis.base import Nets, best_play, plain_nets
from letitride.analysis.caps import ONE_HAND, ONE_PLAYER, taken_alone
from letitride.analysis.decision_value import DecisionValue, decision_value, paid_nets
from letitride.analysis.exact import Exact
from letitride.analysis.par import best_hand_sheet
from letitride.analysis.rounding import decimal, money
from letitride.analysis.side_bets import combine, price_side
from letitride.analysis.strategy import rule_codes, rule_list, rule_of
from letitride.engine.events import CardsTucked, ChoiceMade
from letitride.engine.state import Table
from letitride.engine.view import laid_out, seat_view
from letitride.errors import InvalidData
from letitride.records.rounds import PlayedRound
from letitride.rules.cards import JOKER, Card
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.training.coach_data import ChoiceValue, DueChoice, ReviewedChoice, RoundReviewed, Side

CONVENTION: Final = (
    "what the base bets win on average, given your cards and the community card that is turned, with best play from "
    "there on. Side bets are decided already and not included"
)
COVERED: Final = ". The bank is assumed to cover all wins, though it pays no more than its stake"
"""What has to be said where a player banks: what is left for a player's own hand depends on cards that are not seen."""
SHARED: Final = ". Other hands count towards the maximum payout: the values are those of {whom}"
CUT: Final = ". At this stake the maximum payout changes the best play, so the usual rules do not apply"
PLAYED_OUT: Final = frozenset({"won", "lost", "withdrawn"})
KEPT: Final = 512

Stakes = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that a seat has, or had, to make."""

    rules: TableRules
    bet: Literal[1, 2]
    stake_cents: int
    cards: tuple[str, ...]
    community: tuple[str, ...]
    """The community cards that are turned."""
    value: DecisionValue

    @property
    def best(self) -> Literal["ride", "withdraw"]:
        """The better decision; where both are worth the same, to take the bet back, as in the documents' pars."""
        return "ride" if self.value.gain > 0 else "withdraw"

    def cost(self, choice: str, *, all_ride: bool = False) -> Fraction:
        """Return what a decision gives away, in cents; `all_ride` where the later bet was let ride with it, unseen."""
        chosen = self.value.ride if choice == "ride" else self.value.withdraw
        return (self.value.best - (self.value.all_ride if all_ride else chosen)) * self.stake_cents

    @property
    def rules_hold(self) -> bool:
        """Whether the rules of the paytable are the best play at this stake: a maximum payout may change it."""
        return _rules_hold(_Key(self.rules), self.stake_cents)

    @property
    def rule(self) -> str | None:
        """The line of the rule list that lets it ride, where one does."""
        return rule_of(self.rules.base_pays, self.value.feature) if self.best == "ride" else None

    @property
    def rule_code(self) -> str:
        """The code of that line; empty where none does."""
        return rule_codes(self.rules.base_pays, self.bet + 2).get(self.rule, "") if self.rule else ""

    def as_data(self) -> DueChoice:
        """Return it with the value of each decision."""
        gain = self.value.gain * self.stake_cents
        return DueChoice(
            bet=self.bet,
            stake_cents=self.stake_cents,
            cards=self.cards,
            community=self.community,
            holding=self.value.feature.words,
            best=self.best,
            even=self.value.gain == 0,
            rule=self.rule,
            rules=tuple(rule_list(self.rules.base_pays, self.bet + 2)) if self.rules_hold else (),
            choices=(self._choice("ride", self.value.ride), self._choice("withdraw", self.value.withdraw)),
            gain_cents=Exact.of(gain),
            gain_text=fine_money(abs(gain)),
            convention=CONVENTION
            + (COVERED if self.rules.rules.payout.cap == "bank_stake" else "")
            + (SHARED.format(whom=whom) if (whom := shared_with(self.rules)) else "")
            + ("" if self.rules_hold else CUT),
            convention_codes=self._conventions(),
            holding_code=self.value.feature.name,
            rule_codes=self._rule_codes(),
        )

    def _rule_codes(self) -> tuple[str, ...]:
        """Return the rule list as codes, in the order of its lines."""
        return tuple(rule_codes(self.rules.base_pays, self.bet + 2).values()) if self.rules_hold else ()

    def _conventions(self) -> tuple[str, ...]:
        """Return the parts of the convention by their codes, in the order of its words."""
        whom = {ONE_PLAYER: "one_player", ONE_HAND: "one_hand"}.get(shared_with(self.rules), "")
        covered = "covered" if self.rules.rules.payout.cap == "bank_stake" else ""
        return tuple(filter(None, ("average", covered, whom, "" if self.rules_hold else "cut")))

    def _choice(self, choice: Side, value: Fraction) -> ChoiceValue:
        return ChoiceValue(
            choice=choice,
            units=Exact.of(value),
            units_text=decimal(value, 4, signed=True),
            cents=Exact.of(value * self.stake_cents),
            text=money(value * self.stake_cents, signed=True),
        )


def fine_money(cents: Fraction, *, signed: bool = False) -> str:
    """Return an amount that may be less than a cent: the closest decisions are about that close."""
    if not cents or abs(cents) >= 1:
        return money(cents, signed=signed)
    return f"{decimal(cents, 2, signed=signed)}\N{CENT SIGN}"


def value_cards(
    rules: TableRules, stake_cents: int, cards: Sequence[str], community: Sequence[str], *, ridden: bool = False
) -> Decision:
    """Return the decision about cards seen: bet 1 on three, bet 2 with one turned (`ridden` where bet 1 rode)."""
    held = [Card.parse(card) for card in (*cards, *community)]
    value = decision_value(base_nets(rules, stake_cents), held, ridden=ridden)
    return Decision(rules, value.bet, stake_cents, tuple(cards), tuple(community), value)


def decision_of(table: Table, seat: int) -> Decision | None:
    """Return the decision that a seat has to make now, as far as it sees its cards; nothing where it has none."""
    seen = seat_view(table, table.seats[seat], f"seat:{seat}")
    phase = {"choice_1": 1, "choice_2": 2}.get(table.phase, 0)
    turned = [card for card in laid_out(table).community if not card.startswith("[")]
    cards = seen.cards
    if not phase or len(turned) != phase - 1 or len(cards) != 3 or any(card.startswith("[") for card in cards):
        return None
    stake = seen.wagers.get(BASE_SPOTS[phase - 1], 0)
    odd = len({*cards, *turned}) != 2 + phase or str(JOKER) in {*cards, *turned}  # there is a foreign card
    if phase in seen.choices or stake < 1 or odd:
        return None
    return value_cards(table.rules, stake, cards, turned, ridden=seen.choices.get(1) == "ride")


def why_none(table: Table, seat: int) -> str:
    """Return in a sentence why a seat has no decision to make, by what it sees itself."""
    seen = seat_view(table, table.seats[seat], f"seat:{seat}")
    due = {"choice_1": 1, "choice_2": 2}.get(table.phase, 0)
    if due and seen.cards and due not in seen.choices and not seen.looked:
        return "Look at your cards first: advice goes by what you see."
    return "There is nothing for you to decide now."


def base_nets(rules: TableRules, stake_cents: int) -> Nets:
    """Return what the base bets of a table win at a stake, its maximum payout considered."""
    payout = rules.rules.payout
    most = payout.cents_max if payout.cap == "maximum" else None
    return paid_nets(rules.base_pays, stake_cents, most, payout.scope)


def shared_with(rules: TableRules) -> str:
    """Return whom a table's values are for where other hands count towards its maximum payout; else nothing."""
    return taken_alone(rules.rules.payout, rules.rules.hands_per_player)


@dataclass(frozen=True, slots=True)
class Expectation:
    """The average result of stakes before a card is dealt, and its variance; in cents."""

    mean: Fraction
    variance: Fraction


def reviews(one: PlayedRound, player: str) -> tuple[RoundReviewed, ...]:
    """Return the review of a player's decisions in a round, hand by hand; each hand is judged by itself."""
    own = (number for number, name in one.players.items() if name == player)
    return tuple(found for number in own if (found := review(one, number)) is not None)


class Made(NamedTuple):
    """A decision that a player made, what it was about where they had looked, and what it gave away."""

    choice: ChoiceMade
    decision: Decision | None
    cost: Fraction | None


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand of a round that was played out: what its wagers were worth, and the player's own decisions."""

    hoped: Expectation
    mistakes: Fraction
    """What the decisions gave away, in cents."""
    decisions: tuple[Made, ...]


def judge(one: PlayedRound, seat: int) -> Judged | None:
    """Return what a seat's wagers and decisions were worth, whatever the book says of advice: the round is over.

    Nothing unless the bets were played out and can be priced.
    """
    results = one.results.get(seat, ())
    rules = one.last.rules
    stakes = tuple((result.wager, result.stake_cents) for result in results)
    if one.status != "settled" or not results or not _is_even(dict(stakes)):
        return None
    if any(result.fate not in PLAYED_OUT for result in results):
        return None
    try:
        hoped = expectation(_Key(rules), stakes, one.last.awards_hands)
    except InvalidData:  # a house's own bet on the best hand of the table that cannot be priced exactly
        return None
    decisions = list(_decisions(one, seat))
    mistakes = sum((made.cost for made in decisions if made.cost), Fraction(0))
    return Judged(hoped, mistakes, tuple(decisions))


def review(one: PlayedRound, seat: int) -> RoundReviewed | None:
    """Return the review of a seat's decisions in a round that is over; nothing where they cannot be judged."""
    judged = judge(one, seat)
    if judged is None:
        return None
    return RoundReviewed(
        round=one.number,
        seat=seat,
        ended_ms=one.ended_ms,
        result_cents=sum(result.net_cents for result in one.results[seat]),
        expected_cents=Exact.of(judged.hoped.mean),
        variance=float(judged.hoped.variance),
        mistakes_cents=Exact.of(judged.mistakes),
        decisions=tuple(_reviewed(*made) for made in judged.decisions),
    )


def _reviewed(choice: ChoiceMade, decision: Decision | None, cost: Fraction | None) -> ReviewedChoice:
    bet: Literal[1, 2] = 1 if choice.bet == 1 else 2
    if decision is None:  # made without looking at the cards: what the player knew cannot be said
        return ReviewedChoice(bet=bet, chosen=choice.choice)
    return ReviewedChoice(
        bet=bet,
        chosen=choice.choice,
        best=decision.best,
        even=decision.value.gain == 0,
        stake_cents=decision.stake_cents,
        cards=decision.cards,
        community=decision.community,
        holding=decision.value.feature.words,
        rule=decision.rule,
        cost_cents=Exact.known(cost),
        cost_text=None if cost is None else fine_money(cost),
    )


def _decisions(one: PlayedRound, seat: int) -> Iterator[Made]:
    """Yield the player's own decisions, with the cards seen and what each gave away; not what was ruled for them."""
    for moment in one.moments:
        if moment.by != f"seat:{seat}" or moment.before is None:
            continue
        made = [event for event in moment.events if isinstance(event, ChoiceMade) and event.seat == seat]
        tucked = any(isinstance(event, CardsTucked) for event in moment.events)
        decision = decision_of(moment.before, seat) if made else None
        for choice in made[:1]:  # an early tuck lets the later bet ride with this one: one decision for both
            cost = decision.cost(choice.choice, all_ride=tucked) if decision else None
            yield Made(choice, decision, cost)


def _is_even(stakes: Mapping[str, int]) -> bool:
    return len({stakes.get(spot, 0) for spot in BASE_SPOTS}) == 1


class _Key:
    """Table rules as the key of a cache: what counts is the book, its values and its pays."""

    __slots__ = ("_name", "rules")

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self._name = (rules.book.digest, *rules.paytables.values())

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._name == other._name


@lru_cache(KEPT)
def _rules_hold(key: _Key, stake_cents: int) -> bool:
    return best_play(base_nets(key.rules, stake_cents)) == best_play(plain_nets(key.rules.base_pays))


@lru_cache(KEPT)
def expectation(key: _Key, stakes: Stakes, hands: int) -> Expectation:
    """Return the average result of stakes with best play, all wagers together; `hands` is how many hands take part."""
    rules, put = key.rules, dict(stakes)
    base = put.get(BASE.spot, 0)
    made = [wager for wager in rules.sides if wager.spot in put]
    sides = {wager.id: (rules.pays[wager.id].at(put[wager.spot]), put[wager.spot]) for wager in made}
    single = {wager: (pays, stake) for wager, (pays, stake) in sides.items() if not pays.wager.by_hands}
    mean = variance = Fraction(0)
    if base:
        nets = base_nets(rules, base)
        beside = {wager: (pays, Fraction(stake, base)) for wager, (pays, stake) in single.items()}
        results = combine(nets, best_play(nets), beside).results
        mean, variance = results.mean * base, results.variance * base**2
    for wager, (pays, stake) in sides.items():
        if base and wager in single:
            continue
        # A bet on the best of all hands depends on other players' cards too: its covariance with their own is left out.
        results = (price_side(pays) if wager in single else best_hand_sheet(pays, max(hands, 1))).results
        mean, variance = mean + results.mean * stake, variance + results.variance * stake**2
    return Expectation(mean, variance)
