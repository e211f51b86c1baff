"""Bank: the risk of a player-dealer against one opponent: the result, and how often the stake does not cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from letitride.analysis.base import CASES, best_play, cases_of, columns_of
from letitride.analysis.distribution import Distribution
from letitride.errors import InvalidData
from letitride.rules.banking import Cover, cover_results
from letitride.rules.paytables import Pays
from letitride.rules.settlement import WagerResult, paid_on
from letitride.rules.wager_table import BASE_SPOTS


@dataclass(frozen=True, slots=True)
class BankRisk:
    """A bank of one stake, in cents."""

    results: Distribution
    """What the bank wins in a round, its fee paid."""
    uncovered: Fraction
    """How often the stake does not cover a wager in full."""
    full: Distribution
    """What it would win if its stake covered everything."""


def bank_risk(pays: Pays, stake_cents: int, bet_cents: int, cover: Cover = "stake", fee_cents: int = 0) -> BankRisk:
    """Return the exact risk of a bank against one opponent with three bets of an amount, who plays best against it."""
    if stake_cents < 1 or bet_cents < 1 or fee_cents < 0:
        raise InvalidData("expected a stake and a bet of a cent or more, and a fee that is not negative")
    listed = (*columns_of(pays), None)

    def covered_net(column: int, bets: int) -> int:
        results = wager_results(bets, bet_cents, listed[column])
        return sum(result.net_cents for result in cover_results(cover, stake_cents, results))

    rounds = (
        (cases, wager_results(bets, bet_cents, listed[column]))
        for cases, _, bets, column in cases_of(best_play(covered_net))
    )
    return risk_over(rounds, CASES, stake_cents, cover, fee_cents)


def risk_over(
    rounds: Iterable[tuple[int, list[WagerResult]]], total: int, stake_cents: int, cover: Cover, fee_cents: int
) -> BankRisk:
    """Return a bank's risk from the frequency of rounds and the results of their wagers, in order of action."""
    won: Counter[Fraction] = Counter()
    whole: Counter[Fraction] = Counter()
    short = 0
    for cases, results in rounds:
        covered = cover_results(cover, stake_cents, results)
        won[Fraction(-sum(result.net_cents for result in covered) - fee_cents)] += cases
        whole[Fraction(-sum(result.net_cents for result in results) - fee_cents)] += cases
        short += cases if covered != results else 0
    return BankRisk(Distribution(dict(won), total), Fraction(short, total), Distribution(dict(whole), total))


def wager_results(bets: int, bet_cents: int, pay: Fraction | None) -> list[WagerResult]:
    """Return the results of the riding bets of one hand, before the bank's cover is applied."""
    if pay is None:
        return [WagerResult(spot, bet_cents, "lost") for spot in BASE_SPOTS[:bets]]
    paid = paid_on(pay, bet_cents)
    return [WagerResult(spot, bet_cents, "won", paid, bet_cents) for spot in BASE_SPOTS[:bets]]
