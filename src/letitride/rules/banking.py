"""Banking: how far a player-dealer's stake covers the wagers against it, in order of action; never whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from letitride.rules.arguments import cents
from letitride.rules.cards import Card
from letitride.rules.keys import FeeTier, Rules
from letitride.rules.limits import BASE_BETS, spot_limits
from letitride.rules.settlement import Hand, Results, WagerResult, check_round, settle_hands
from letitride.rules.table_rules import TableRules

Cover = Literal["stake", "gross", "net"]


@dataclass(slots=True)
class _Bank:
    """A bank's stake while wagers are settled against it."""

    cover: Cover
    stake: int
    paid: int = 0
    collected: int = 0

    def can_pay(self) -> int:
        """How much may still be paid to a winner."""
        if self.cover == "net":
            return self.stake + self.collected - self.paid
        return self.stake - self.paid

    def can_collect(self) -> int:
        """How much may still be taken from a loser."""
        match self.cover:
            case "gross":
                return self.stake - self.collected
            case "stake" if self.paid >= self.stake:
                return 0  # the stake is paid out: from here on every wager is returned
            case "stake" | "net":
                return self.stake - (self.collected - self.paid)
            case _:
                assert_never(self.cover)


def settle_banked(table: TableRules, community: Sequence[Card], hands: Sequence[Hand], stake_cents: int) -> Results:
    """Return every wager's result against a bank of a given stake; `hands` come in order of action."""
    check_round(table, community, hands)
    return settle_hands_banked(table, community, hands, cents(stake_cents, "the stake of a bank", 0))


def settle_hands_banked(
    table: TableRules, community: Sequence[Card], hands: Sequence[Hand], stake_cents: int
) -> Results:
    """Return what `settle_banked` does, for cards, seats and stakes that are known to be sound."""
    uncovered = settle_hands(table, community, hands)
    covered = iter(
        cover_results(
            table.rules.bank.cover, stake_cents, [result for hand in hands for result in uncovered[hand.seat]]
        )
    )
    return {hand.seat: tuple(next(covered) for _ in uncovered[hand.seat]) for hand in hands}


def cover_results(cover: Cover, stake_cents: int, results: Sequence[WagerResult]) -> list[WagerResult]:
    """Return wagers' results, in order of action, as far as a bank of a given stake covers them."""
    bank = _Bank(cover, stake_cents)
    return [_cover(bank, result) for result in results]


def _cover(bank: _Bank, result: WagerResult) -> WagerResult:
    """Return a wager's result as far as the bank covers it."""
    if result.fate == "won":
        left = bank.can_pay()
        if left <= 0:
            return replace(result, fate="returned", paid_cents=0)
        paid = min(result.paid_cents, left)
        bank.paid += paid
        # Paid what is left, and keeps the wager.
        return result if paid == result.paid_cents else replace(result, paid_cents=paid)
    if result.fate == "lost":
        taken = min(result.stake_cents, max(bank.can_collect(), 0))
        bank.collected += taken
        if taken and taken == result.stake_cents:
            return result
        fate: Literal["lost", "returned"] = "lost" if taken else "returned"
        return replace(result, fate=fate, back_cents=result.stake_cents - taken)
    return result


def order_of_action(rules: Rules, seats: Sequence[int], action_seat: int) -> tuple[int, ...]:
    """Return the seats in the order in which their wagers are settled.

    From the dealer's right they go counterclockwise, as the hands are opened; from the action seat clockwise.
    """
    if rules.bank.settle_from == "dealer_right":
        return tuple(sorted(seats, reverse=True))
    return clockwise(seats, action_seat)


def clockwise(seats: Sequence[int], first: int) -> tuple[int, ...]:
    """Return seats clockwise from one of them, or from the next one where that is empty."""
    ordered = sorted(seats)
    start = next((place for place, seat in enumerate(ordered) if seat >= first), 0)
    return tuple(ordered[start:] + ordered[:start])


def seat_of_throw(throw: int, bank: int, seats: Sequence[int]) -> int:
    """Return the seat that a throw of the dice cup finds: the bank counts as one, and on it means the seat after it."""
    ring = clockwise([*seats, bank], bank)
    found = ring[(throw - 1) % len(ring)]
    return ring[1] if found == bank else found


def fee_tier(rules: Rules) -> FeeTier | None:
    """Return the row of the fee schedule for the table's limit, where there is a fee and both are stated."""
    if rules.fee.kind == "none":
        return None
    tiers, most = rules.fee.tiers, rules.limit.cents_max
    if tiers is None or most is None:
        return None
    return next(tier for tier in tiers if tier.limit_cents_max >= most)


def wagers_fee(rules: Rules, wagers: int) -> int:
    """Return a player's fee for so many wagers."""
    tier = fee_tier(rules)
    return tier.wager_cents * wagers if tier else 0


def round_cents_min(rules: Rules) -> int:
    """Return the fewest chips with which a player can bet on a round: three base bets and their fees."""
    return BASE_BETS * spot_limits(rules.limit).cents_min + wagers_fee(rules, BASE_BETS)


def bank_fee(rules: Rules) -> int:
    """Return the player-dealer's fee for a banked hand."""
    tier = fee_tier(rules)
    return tier.bank_cents if tier else 0
