"""Real rounds drawn from a seed: bets within the limits of a book, cards and decisions at random."""

from __future__ import annotations

from random import Random

from letitride.records.real_round import RealHand, RealRound
from letitride.rules.cards import FACES
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS


def real_round(rules: TableRules, draw: Random) -> RealRound:
    """Return a round at a table by some rules."""
    banked = rules.rules.bank.mode == "player"
    seats = list(range(1, max(rules.rules.seats, 2 if banked else 1) + 1))
    bank = seats.pop(draw.randrange(len(seats))) if banked else 0
    # A bank stake that covers nothing is as good a round as one that covers all.
    taken = sorted(draw.sample(seats, draw.randint(1, min(len(seats), 7 if not banked else 6))))
    deck = list(FACES)
    draw.shuffle(deck)
    if draw.random() < 0.5:  # hands that pay are rare: many high cards and few suits make more of them
        deck.sort(key=lambda face: (face[0] not in "TJQKA", draw.random()))
    hands = tuple(
        RealHand(
            seat=seat,
            cards=tuple(deck.pop(0) for _ in range(3)),
            wagers=_wagers(rules, draw),
            rides=tuple(bet for bet in (1, 2) if draw.random() < 0.6),
        )
        for seat in taken
    )
    return RealRound(
        rulebook=rules.book.id,
        hands=hands,
        community=tuple(deck[:2]),
        bank_seat=bank,
        bank_cents=100 * draw.choice([10, 50, 300, 2_000, 20_000]) if banked else 0,
    )


def _wagers(rules: TableRules, draw: Random) -> dict[str, int]:
    limits = spot_limits(rules.rules.limit)
    base = min(limits.cents_min + limits.cents_step * draw.randint(0, 40), limits.cents_max)
    base -= (base - limits.cents_min) % limits.cents_step
    wagers = dict.fromkeys(BASE_SPOTS, base)
    for wager in rules.sides:
        side = side_limits(wager, rules.terms(wager.id))
        if draw.random() < 0.6:
            most = side.cents_min if wager.fixed_stake else min(side.cents_max, side.cents_min + 20 * side.cents_step)
            cents = draw.randrange(side.cents_min, most + 1, side.cents_step)
            wagers[wager.spot] = cents
    return wagers
