"""Settlement: what every wager of a round comes to, as a pure function; never who is paid first at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, assert_never

from letitride.rules.cards import Card
from letitride.rules.hands import Category, HandValue, evaluate, made_category
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.wagers import Wager

Spot = str
"""The name of a spot in records and journals: one of the three of the base game, or another wager's id."""
Fate = Literal["won", "lost", "withdrawn", "returned", "void", "forfeited"]


@dataclass(frozen=True, slots=True)
class Hand:
    """One seat's part in a round: its three cards and its stakes in cents, by wager."""

    seat: int
    cards: tuple[Card, ...]
    stakes: Mapping[Spot, int]
    withdrawn: frozenset[Spot] = frozenset()
    void: frozenset[Spot] = frozenset()
    """The side bets that go back by a ruling, while the hand plays on."""
    player: str = ""
    """Who plays it; two hands may be one player's. Where that is not known, each hand is a player's own."""


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What one wager came to. `paid_cents` is what is paid on top of, or for a total award instead of, the stake.

    A bet that is lost is paid where another player's hand gives it envy: that is all of it.
    """

    wager: Spot
    stake_cents: int
    fate: Fate
    paid_cents: int = 0
    back_cents: int = 0
    """How much of the stake goes back to the player."""

    @property
    def envy_cents(self) -> int:
        """What a bet that is lost is paid for another player's hand."""
        return self.paid_cents if self.fate == "lost" else 0

    @property
    def net_cents(self) -> int:
        """What the player won or lost by it."""
        return self.paid_cents + self.back_cents - self.stake_cents


Results = dict[int, tuple[WagerResult, ...]]
Takes = dict[str, dict[int, tuple[int, bool]]]
"""What seats take of meters in a round, by wager, then by seat: the cents, and whether it was all there was."""


def settle_round(table: TableRules, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int = 0) -> Results:
    """Return every wager's result, by seat, for a round played to its end with the house as the bank.

    `awards_hands` is how many hands the awards on show are for, where that was fixed before a hand was void.
    """
    best = {
        name: _best_rank(wager, table.terms(name).count, community, hands, awards_hands)
        for name, wager in table.wagers.items()
        if wager.by_hands
    }
    return {hand.seat: _settle_hand(table, community, hand, best) for hand in hands}


def settle_meters(
    table: TableRules, community: Sequence[Card], hands: Sequence[Hand], results: Results, meters: Mapping[str, int]
) -> tuple[Results, Takes]:
    """Return the results with what hands win of meters and by envy, and what they take of each meter.

    `meters` are what the meters hold, by wager. Where two hands take of one, the seat further on the dealer's left is
    first. Envy is the house's own money.
    """
    takes: Takes = {}
    for wager in table.sides:
        bettors = [hand for hand in hands if wager.spot in hand.stakes and wager.spot not in hand.void]
        if (wager.meter is None and not wager.envy) or not bettors:
            continue
        held, won = meters.get(wager.id, 0), dict.fromkeys((hand.seat for hand in bettors), 0)
        for hand in sorted(bettors, key=lambda one: one.seat):
            rank = read_cards(wager, hand.cards, community)
            if wager.meter is not None and rank in wager.meter.takes:
                took = wager.meter.taken(rank, held), wager.meter.takes[rank].percent == 100
                takes.setdefault(wager.id, {})[hand.seat] = took
                at_seed = wager.meter.won(rank, wager.meter.seed_cents)  # which the pays have already
                won[hand.seat] += wager.meter.won(rank, held) - at_seed
                held = wager.meter.left(rank, held)
            for other in bettors:
                won[other.seat] += 0 if _is_same_player(other, hand) else wager.envy.get(rank, 0)
        results = {
            seat: tuple(_raised(one, won[seat]) if one.wager == wager.spot and won[seat] else one for one in rows)
            if seat in won
            else rows
            for seat, rows in results.items()
        }
    return results, takes


def _is_same_player(one: Hand, other: Hand) -> bool:
    return one.seat == other.seat or (one.player != "" and one.player == other.player)


def _raised(result: WagerResult, cents: int) -> WagerResult:
    """Return a result with so much paid beside it; what the own cards lost stays lost."""
    return replace(result, paid_cents=result.paid_cents + cents)


def value_of(community: Sequence[Card], hand: Hand) -> HandValue:
    """Return what a hand and both community cards are worth."""
    return evaluate((*hand.cards, *community))


def category_of(community: Sequence[Card], hand: Hand) -> Category:
    """Return what a hand and both community cards make."""
    return value_of(community, hand).category


def _settle_hand(
    table: TableRules, community: Sequence[Card], hand: Hand, best: Mapping[str, tuple[AnyCategory, int] | None]
) -> tuple[WagerResult, ...]:
    results: dict[Spot, WagerResult] = {}
    for name, stake in hand.stakes.items():
        if name in hand.withdrawn:
            results[name] = WagerResult(name, stake, "withdrawn", back_cents=stake)
            continue
        if name in hand.void:
            results[name] = WagerResult(name, stake, "void", back_cents=stake)
            continue
        wager = table.by_spot[name]
        found = best.get(wager.id)
        if found is not None:
            results[name] = settle_wager(table.pays[wager.id], name, stake, *found)
        else:
            results[name] = settle_own(table, name, stake, hand.cards, community)
    _cap(table, results)
    return tuple(results[name] for name in table.by_spot if name in results)


def settle_wager(pays: Pays, name: Spot, stake: int, category: AnyCategory, hands: int = 0) -> WagerResult:
    """Return what one wager comes to for a category; a fraction of a cent is not paid."""
    pay = pays.pay(category, hands)
    if pay is None:
        return WagerResult(name, stake, "lost")
    return WagerResult(name, stake, "won", paid_on(pay, pays.paid_per(stake)), stake if pays.returns_stake else 0)


def settle_own(
    table: TableRules, name: Spot, stake: int, cards: Sequence[Card], community: Sequence[Card] = ()
) -> WagerResult:
    """Return what a bet comes to that a player's own cards or the community cards decide."""
    wager = table.by_spot[name]
    return settle_wager(table.pays[wager.id], name, stake, read_cards(wager, cards, community))


def read_cards(wager: Wager, cards: Sequence[Card], community: Sequence[Card] = ()) -> AnyCategory:
    """Return what the cards that a wager is judged on are called."""
    match wager.judged_on:
        case "own_three":
            judged: Sequence[Card] = cards
        case "own_four":
            judged = (*cards, *community[:1])
        case "own_five" | "table_best":
            judged = (*cards, *community)
        case "community":
            judged = community
        case _:
            assert_never(wager.judged_on)
    return wager.ranking.read(judged)


def pays_already(table: TableRules, cards: Sequence[Card]) -> bool:
    """Whether the base wagers are paid for what the cards in sight make already."""
    return table.base_pays.pay(made_category(cards)) is not None


def paid_on(pay: Fraction, stake: int) -> int:
    """Return what a pay comes to on a stake, in cents: a fraction of a cent is not paid."""
    return int(pay * stake)


def _best_rank(
    wager: Wager, count: str, community: Sequence[Card], hands: Sequence[Hand], awards_hands: int
) -> tuple[AnyCategory, int] | None:
    """Return the best hand of the table and how many hands compete."""
    counted = [hand for hand in hands if count == "hands_dealt" or BASE.spot in hand.stakes]
    if not counted:
        return None
    read = [read_cards(wager, hand.cards, community) for hand in counted]
    return max(read), awards_hands or len(counted)


def _cap(table: TableRules, results: dict[Spot, WagerResult]) -> None:
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
