"""Coach: what the coach says at the terminal table, in words and lines; it computes nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from letitride.analysis.features import Feature
from letitride.analysis.strategy import Rides, frequency_of
from letitride.cli.terminal.language import t
from letitride.engine.state import Choice
from letitride.rules.money import dollars
from letitride.training.coach import Decision, fine_money


@dataclass(frozen=True, slots=True)
class Advice:
    """A decision as it is told to the player."""

    decision: Decision

    @property
    def bet(self) -> int:
        """Which bet the decision is about."""
        return self.decision.bet

    @property
    def best(self) -> str:
        """The best decision: 'ride', 'withdraw', or 'either' where both win the same."""
        return self.decision.best if self.gain else "either"

    @property
    def gain(self) -> Fraction:
        """What riding wins beyond taking the bet back, in units of the bet."""
        return self.decision.value.gain

    @property
    def cents(self) -> Fraction:
        """The same in cents."""
        return self.gain * self.decision.stake_cents

    @property
    def headline(self) -> str:
        """What to do, in a few words."""
        return t(f"coach.best.{self.best}", bet=self.bet)

    def values(self) -> Iterator[str]:
        """Yield what each decision wins."""
        unit, stake = f"{float(self.gain):+.4f}", dollars(self.decision.stake_cents)
        won = fine_money(self.cents, signed=True)
        yield t("coach.ride", won=won, stake=stake, unit=unit, exact=self.exact)
        yield t("coach.back")

    def rows(self) -> Iterator[str]:
        """Yield the same in short lines, for a narrow place."""
        unit = f"{float(self.gain):+.4f}"
        ride, back = t("coach.row.ride"), t("coach.row.back")
        width = max(len(ride), len(back)) + 2
        won, stake = fine_money(self.cents, signed=True), dollars(self.decision.stake_cents)
        yield f"{ride:<{width}}{won} ({unit} x {stake})"
        yield f"{back:<{width}}$0"
        yield t("coach.row.exact", exact=self.exact)

    @property
    def exact(self) -> str:
        """What riding wins, as a fraction."""
        return str(self.gain)

    @property
    def why(self) -> str:
        """What the cards are."""
        return feature_words(self.decision.value.feature)

    def cost_of(self, choice: Choice) -> Fraction:
        """Return what a decision gives away against the best one, in cents."""
        return self.decision.cost(choice)

    def mistake_words(self, choice: Choice, *, short: bool = False) -> str:
        """Return what is said after a decision that was not the best; in short for a narrow place."""
        gave = t(f"coach.cost.{choice}", cost=fine_money(self.cost_of(choice)))
        if short or not self.decision.rules_hold:  # hands of one class may differ under a maximum payout
            return gave
        often = 100 * frequency_of(self.decision.value.feature) * abs(self.gain)
        return f"{gave} {t('coach.often', hand=self.why, bets=f'{float(often):.2f}')}"


def feature_words(feature: Feature) -> str:
    """Return a class of three or four cards as a player says it."""
    if feature.kind in {"suited", "unsuited"}:
        return t(f"cards.{feature.kind}", cards=feature.cards, ways=feature.ways, highs=feature.highs)
    return t(f"cards.{feature.kind}")


def rule_words(rule: Rides | None, cards: int) -> str:
    """Return a line of the rule list as a player learns it."""
    if rule is None:
        return t("rule.paying")
    if rule.kind not in {"suited", "unsuited"}:
        return t(f"cards.{rule.kind}")
    highs = t("rule.highs", highs=rule.highs_min)
    if not rule.ways_max:
        return t(f"rule.{rule.kind}.any", cards=cards) + highs
    key = f"rule.{rule.kind}.exact" if rule.ways_min == rule.ways_max else f"rule.{rule.kind}.range"
    return t(key, cards=cards, least=rule.ways_min, ways=rule.ways_max) + highs
