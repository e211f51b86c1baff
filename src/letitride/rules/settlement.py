"""Settlement: what every wager of a round comes to, as a pure function; never who is paid first at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from letitride.rules.cards import Card
from letitride.rules.hands import Category, HandValue, evaluate, made_category
from letitride.rules.paytables import AnyCategory, Pays, Wager
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import evaluate_three

BaseSpot = Literal["base-1", "base-2", "base-$"]
WagerName = Literal["base-1", "base-2", "base-$", "bonus", "three_card", "cover_all"]
Fate = Literal["won", "lost", "withdrawn", "returned", "void", "forfeited"]

BASE_SPOTS: tuple[BaseSpot, ...] = ("base-1", "base-2", "base-$")
WAGER_NAMES: tuple[WagerName, ...] = (*BASE_SPOTS, "bonus", "three_card", "cover_all")


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's part in a round: its three cards and its stakes in cents, by wager."""

    seat: int
    cards: tuple[Card, ...]
    stakes: Mapping[WagerName, int]
    withdrawn: frozenset[BaseSpot] = frozenset()


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What one wager came to. `paid_cents` is what is paid on top of, or for a total award instead of, the stake."""

    wager: WagerName
    stake_cents: int
    fate: Fate
    paid_cents: int = 0
    back_cents: int = 0
    """How much of the stake goes back to the player."""

    @property
    def net_cents(self) -> int:
        """What the player won or lost by it."""
        return self.paid_cents + self.back_cents - self.stake_cents


Results = dict[int, tuple[WagerResult, ...]]


def settle_round(table: TableRules, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int = 0) -> Results:
    """Return every wager's result, by seat, for a round played to its end with the house as the bank.

    `awards_hands` is how many hands the Cover All awards on show are for, where that was fixed before a hand was void.
    """
    best = _best_category(table, community, hands, awards_hands)
    return {hand.seat: _settle_hand(table, community, hand, best) for hand in hands}


def value_of(community: Sequence[Card], hand: Hand) -> HandValue:
    """Return what a hand and both community cards are worth."""
    return evaluate((*hand.cards, *community))


def category_of(community: Sequence[Card], hand: Hand) -> Category:
    """Return what a hand and both community cards make."""
    return value_of(community, hand).category


def _settle_hand(
    table: TableRules, community: Sequence[Card], hand: Hand, best: tuple[Category, int] | None
) -> tuple[WagerResult, ...]:
    results: dict[WagerName, WagerResult] = {}
    for name, stake in hand.stakes.items():
        if name in hand.withdrawn:
            results[name] = WagerResult(name, stake, "withdrawn", back_cents=stake)
            continue
        pays = table.pays[wager_of(name)]
        if name == "cover_all" and best is not None:
            results[name] = settle_wager(pays, name, stake, *best)
        elif name == "three_card":
            results[name] = settle_three_card(table, stake, hand.cards)
        else:
            results[name] = settle_wager(pays, name, stake, category_of(community, hand))
    _cap(table, results)
    return tuple(results[name] for name in WAGER_NAMES if name in results)


def settle_wager(pays: Pays, name: WagerName, stake: int, category: AnyCategory, hands: int = 0) -> WagerResult:
    """Return what one wager comes to for a category; a fraction of a cent is not paid."""
    pay = pays.pay(category, hands)
    if pay is None:
        return WagerResult(name, stake, "lost")
    return WagerResult(name, stake, "won", paid_on(pay, stake), stake if pays.returns_stake else 0)


def settle_three_card(table: TableRules, stake: int, cards: Sequence[Card]) -> WagerResult:
    """Return what a three-card bet comes to, which a player's own three cards decide."""
    return settle_wager(table.pays[Wager.THREE_CARD], "three_card", stake, evaluate_three(cards))


def pays_already(table: TableRules, cards: Sequence[Card]) -> bool:
    """Whether the base wagers are paid for what the cards in sight make already."""
    return table.pays[Wager.BASE].pay(made_category(cards)) is not None


def paid_on(pay: Fraction, stake: int) -> int:
    """Return what a pay comes to on a stake, in cents: a fraction of a cent is not paid."""
    return int(pay * stake)


def wager_of(name: WagerName) -> Wager:
    """Return the wager that a spot belongs to: 'base-1' to base."""
    return Wager.BASE if name.startswith("base") else Wager(name)


def _best_category(
    table: TableRules, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int
) -> tuple[Category, int] | None:
    """Return the best hand of the table and how many hands compete, where Cover All is offered."""
    if Wager.COVER_ALL not in table.pays:
        return None
    counted = [hand for hand in hands if table.rules.cover_all.count == "hands_dealt" or "base-$" in hand.stakes]
    if not counted:
        return None
    return max(category_of(community, hand) for hand in counted), awards_hands or len(counted)


def _cap(table: TableRules, results: dict[WagerName, WagerResult]) -> None:
    """Cut base payouts down to the maximum payout, where the table has one."""
    most = table.rules.payout.cents_max
    if table.rules.payout.cap != "maximum" or most is None:
        return
    base = [name for name in BASE_SPOTS if name in results]
    by_wager = table.rules.payout.scope == "wager"
    capped = cap_payouts([results[name].paid_cents for name in base], most, by_wager=by_wager)
    for name, paid in zip(base, capped, strict=True):
        results[name] = replace(results[name], paid_cents=paid)


def cap_payouts(paid: Sequence[int], most: int, *, by_wager: bool) -> list[int]:
    """Return payouts cut down to a maximum, each by itself or all of them together, the first one first."""
    left, capped = most, []
    for cents in paid:
        capped.append(min(cents, most if by_wager else left))
        left -= capped[-1]
    return capped
