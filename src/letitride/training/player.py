"""Player: what there is to learn about a paytable, hand by hand, for bets paid in full; never a table's maximum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

from letitride.analysis.exact import Exact
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.strategy import ClassValue, class_values, rule_codes, rule_list, rule_of, rules_near
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules.cards import Card, distinct
from letitride.rules.paytables import Pays, Paytable, base_pays

CHOICES: Final[tuple[Choice, ...]] = ("ride", "withdraw")
TERMS: Final = (
    "Ways: how many different straights, of one suit straight flushes, the cards can still become. "
    "High cards: tens, jacks, queens, kings and aces."
)
"""What the words of the rules mean."""
CONVENTIONS: Final = {
    "value": "expected result of this one bet, per unit bet; a bet that is taken back neither wins nor loses",
    "cost": "what the worse decision loses against the better one, per unit bet",
    "cost_per_hundred_rounds": (
        "units of one bet given away in a hundred rounds by always deciding like that with such hands"
    ),
    "frequency": "how often such hands come, of all hands of three cards, or of three and the first community card",
    "house_edge": "expected loss per unit bet, per one of the three equal bets",
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """One paytable as something to learn: its classes of three and of four cards, each a kind of decision."""

    paytable: str
    title: str
    pays: Pays
    digest: str
    """Of what the table pays: progress under other pays is of no use."""
    classes: dict[str, ClassValue]
    reasons: dict[str, tuple[str | None, tuple[str, ...]]]
    """Of each class the rule by which it rides, if it does, and the rules of others of its kind that ride."""

    @property
    def drill(self) -> str:
        """The name of its drill."""
        return f"player:{self.paytable}"

    @property
    def exam(self) -> str:
        """The name of its exam."""
        return f"{self.drill}:exam"

    def rules(self, cards: int) -> tuple[str, ...]:
        """Return the rules of thumb: ride with any of these, otherwise withdraw."""
        return rule_list(self.pays, cards)

    def codes(self, cards: int) -> dict[str, str]:
        """Return the codes of the rules of thumb by their words."""
        return rule_codes(self.pays, cards)


def lesson_of(table: Paytable) -> Lesson:
    """Return what there is to learn about a paytable that prices the base wager."""
    return _lesson(_Table(table.id, table.title, table.digest, base_pays(table)))


@dataclass(frozen=True, slots=True)
class _Table:
    id: str
    title: str
    digest: str
    pays: Pays = field(compare=False)  # equal digests, equal pays


@lru_cache(maxsize=64)
def _lesson(table: _Table) -> Lesson:
    classes = {key_of(one.feature): one for cards in (3, 4) for one in class_values(table.pays, cards)}
    reasons = {
        kind: (rule_of(table.pays, one.feature), rules_near(table.pays, one.feature)) for kind, one in classes.items()
    }
    return Lesson(table.id, table.title, table.pays, table.digest, classes, reasons)


def key_of(feature: Feature) -> str:
    """Return the name of a kind of decision: '3:suited:2:1'."""
    return f"{feature.cards}:{feature.name}"


def best_of(found: ClassValue) -> tuple[Choice, ...]:
    """Return the best decisions with a class: both where riding neither gains nor loses."""
    return CHOICES if not found.value else ("ride",) if found.value > 0 else ("withdraw",)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do with some cards, and why: the values of both decisions, and the rule of thumb."""

    cards: tuple[Card, ...]
    found: ClassValue
    rule: str | None
    """The rule by which such hands ride; None where they do not."""
    near: tuple[str, ...]
    """Where they do not: the rules of hands of the same kind that do."""
    codes: Mapping[str, str] = field(default_factory=dict)
    """The codes of rules by their words, for clients that word them."""

    @property
    def bet(self) -> int:
        """Which bet the decision is about: 1 on three cards, 2 on four."""
        return len(self.cards) - 2

    @property
    def best(self) -> tuple[Choice, ...]:
        """The best decisions: both where riding neither gains nor loses."""
        return best_of(self.found)

    @property
    def cost_per_hundred(self) -> Fraction:
        """What it costs in a hundred rounds, in units of one bet, always to choose the worse with such hands."""
        return 100 * self.found.frequency * self.found.cost

    @property
    def why(self) -> str:
        """The rule of thumb as a sentence."""
        if not self.found.value:
            return "Riding gains and loses nothing here compared with taking the bet back: either decision is right."
        if self.rule is not None:
            return f"On the list of what rides: {self.rule}."
        if self.near:
            return f"Not on the list of what rides. Closest to it: {'; or '.join(self.near)}."
        return "Not on the list of what rides; no hand of this kind is."


def look_up(lesson: Lesson, cards: Sequence[Card]) -> Advice:
    """Return what to do with three cards, or with three and the first community card."""
    held = distinct(cards)
    if len(held) not in {3, 4}:
        raise InvalidData(f"expected three cards, or four with the first community card, got {len(held)}")
    kind = key_of(feature_of(held))
    return Advice(held, lesson.classes[kind], *lesson.reasons[kind], lesson.codes(len(held)))


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer and what is to be said about it."""

    advice: Advice
    choice: Choice

    @property
    def right(self) -> bool:
        """Whether neither decision is better."""
        return self.choice in self.advice.best

    @property
    def cost(self) -> Fraction:
        """What the answer loses per unit bet; nothing if it is right."""
        return Fraction(0) if self.right else self.advice.found.cost

    @property
    def cost_per_hundred(self) -> Fraction:
        """What it loses in a hundred rounds, in units of one bet, if such hands are always played so."""
        return Fraction(0) if self.right else self.advice.cost_per_hundred


def judge(lesson: Lesson, cards: Sequence[Card], choice: Choice) -> Judged:
    """Judge what a player would do with some cards."""
    return Judged(look_up(lesson, cards), choice)


@dataclass(frozen=True, slots=True)
class ChoiceValues:
    """The value of both decisions, per unit bet."""

    ride: Exact
    withdraw: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """What to do with some cards, and why."""

    cards: tuple[str, ...]
    bet: int
    kind: str
    words: str
    best: tuple[Choice, ...]
    value: ChoiceValues
    frequency: Exact
    cost: Exact
    cost_per_hundred_rounds: Exact
    rule: str | None
    near: tuple[str, ...]
    why: str
    rule_code: str | None = None
    """The rule for clients that word it, as are those of `near`."""
    near_codes: tuple[str, ...] = ()

    @classmethod
    def of(cls, advice: Advice) -> LookedUp:
        """Return advice for a page or a program."""
        found = advice.found
        return cls(
            cards=tuple(map(str, advice.cards)),
            bet=advice.bet,
            kind=key_of(found.feature),
            words=found.feature.words,
            best=advice.best,
            value=ChoiceValues(Exact.of(found.value), Exact.of(Fraction(0))),
            frequency=Exact.of(found.frequency),
            cost=Exact.of(found.cost),
            cost_per_hundred_rounds=Exact.of(advice.cost_per_hundred),
            rule=advice.rule,
            near=advice.near,
            why=advice.why,
            rule_code=advice.codes.get(advice.rule or ""),
            near_codes=tuple(advice.codes[rule] for rule in advice.near if rule in advice.codes),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerJudgment:
    """What is to be said about an answer."""

    choice: Choice
    right: bool
    lost: Exact
    lost_per_hundred_rounds: Exact
    advice: LookedUp

    @classmethod
    def of(cls, judged: Judged) -> PlayerJudgment:
        """Return an answer and what is to be said about it, for a page or a program."""
        return cls(
            choice=judged.choice,
            right=judged.right,
            lost=Exact.of(judged.cost),
            lost_per_hundred_rounds=Exact.of(judged.cost_per_hundred),
            advice=LookedUp.of(judged.advice),
        )
