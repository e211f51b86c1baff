"""Sign: what the sign at a table says of limits, fees, side bets and pays, by its rules alone; it sees no card.

Pays are told in English and in parts, so that a client words them in its own language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import msgspec

from letitride.engine.view_types import PayView, SideBetView, SignView
from letitride.rules.banking import fee_tier, round_cents_min
from letitride.rules.limits import bet_alone, side_limits, spot_limits
from letitride.rules.paytables import FeltPay
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.wagers import Take, Wager


def sign(rules: TableRules, awards_hands: int) -> SignView:
    """Return what the sign of a table says; hands whose pays depend on the round's are told once they are counted."""
    return _signs(rules)(awards_hands)


@per_rules
def _signs(rules: TableRules) -> Callable[[int], SignView]:
    return cache(partial(_sign, rules))


def _sign(table_rules: TableRules, awards_hands: int) -> SignView:
    rules = table_rules.rules
    pays = {str(wager): _pays(table_rules, wager, awards_hands) for wager in table_rules.pays}
    spot = spot_limits(rules.limit)
    return SignView(
        limits_cents=(rules.limit.cents_min, rules.limit.cents_max),
        limits_scope=rules.limit.scope,
        step_cents=rules.limit.cents_step,
        spot_cents_min=spot.cents_min,
        spot_cents_max=spot.cents_max,
        round_cents_min=round_cents_min(rules),
        bet_alone=bet_alone(rules),
        side_bets=tuple(_side_bet(table_rules, wager) for wager in table_rules.sides),
        fees=None if rules.fee.kind == "none" else rules.fee.tiers,
        fee=fee_tier(rules),
        payout_cents_max=rules.payout.cents_max if rules.payout.cap == "maximum" else None,
        payout_scope=rules.payout.scope if rules.payout.cap == "maximum" else msgspec.UNSET,
        payout_sides=_capped_sides(table_rules) or msgspec.UNSET,
        paytables={str(wager): table_id for wager, table_id in table_rules.paytables.items()},
        pays={
            wager: {
                hand: " … ".join(map(str, (found[0], *found[1:][-1:]))) if found else None
                for hand, found in hands.items()
            }
            for wager, hands in pays.items()
        },
        pay_values={
            wager: {hand: tuple(map(_pay_view, found)) for hand, found in hands.items()}
            for wager, hands in pays.items()
        },
        bet_media=rules.bet.media,
    )


def _capped_sides(rules: TableRules) -> tuple[str, ...]:
    return tuple(wager.title for wager in rules.sides if rules.pays[wager.id].most_cents is not None)


def _side_bet(rules: TableRules, wager: Wager) -> SideBetView:
    limits = side_limits(wager, rules.terms(wager.id))
    return SideBetView(
        spot=wager.spot,
        title=wager.title,
        label=wager.label,
        about=wager.about,
        cents_min=limits.cents_min,
        cents_max=limits.cents_max,
        cents_step=limits.cents_step,
        withdraw=wager.withdraw,
        withdraw_percent=wager.withdraw_percent,
    )


def _pays(rules: TableRules, wager: str, hands: int) -> dict[str, tuple[FeltPay, ...]]:
    """The schedule as the felt shows it; where it depends on the hands in the round, theirs, once they are counted."""
    pays = rules.pays[wager]
    if len(pays.columns) > 1 and not hands:
        numbers = range(1, len(pays.columns) + 1)
        return {
            rank.label: tuple(replace(one, hands=n) for n in numbers if (one := pays.felt_pay(rank, n)) is not None)
            for rank in pays.listed
        }
    unit = side_limits(pays.wager, rules.terms(wager)).cents_min  # of which awards told as amounts are multiples
    return {hand: () if one is None else (one,) for hand, one in pays.on_the_felt(hands, unit).items()}


def _pay_view(pay: FeltPay) -> PayView:
    take = pay.take or Take()
    return PayView(
        odds=pay.odds,
        win_cents=pay.win_cents,
        meter_percent=take.percent,
        meter_cents=take.cents,
        hands=pay.hands,
    )
