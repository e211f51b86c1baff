"""Reasons: why a wager was won or lost: the cards it was judged on, what they make and pay; it settles nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from letitride.rules.cards import Card
from letitride.rules.hands import Category
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory, ListedRank
from letitride.rules.settlement import Hand, Spot, WagerResult, judged_cards, value_of
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Wager


class Reason(msgspec.Struct, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Why a wager was won or lost."""

    wager: Spot
    hand: str
    """What the judged cards are called, as paytables name it: 'two pair'."""
    cards: tuple[str, ...]
    """The cards that it was judged on."""
    made: tuple[str, ...] = ()
    """Those of them that make the hand."""
    row: str = ""
    """The row of the paytable that pays it; left out where none does."""
    odds: tuple[int, int] | None = None
    """What that row pays to one: 5 to 2; left out where it was lost, or where an amount is won instead."""
    seat: int = 0
    """Whose hand it was, where that is the best one at the table."""
    hands: int = 0
    """How many hands the pay is for, where that makes a difference."""
    full_cents: int = 0
    """What the row pays, where less was paid: a maximum payout, or a bank that covers no more, cut it down."""
    beside_cents: int = 0
    """What was paid beyond the row: from a jackpot, or as envy for another player's hand."""


Best = tuple[int, int]
"""Of a wager on the best hand at the table: whose hand that is, and for how many hands the pays are."""


def best_of(table: TableRules, wager: Wager, hands: Sequence[Hand], community: Sequence[Card], awards: int) -> Best:
    """Return whose hand is the best of those that compete, the first where several are, and how many hands do."""
    every = table.terms(wager.id).count == "hands_dealt"
    rivals = [hand for hand in hands if every or BASE.spot in hand.stakes]
    if not rivals:
        return 0, 0
    best = max(rivals, key=lambda hand: value_of(community, hand))
    return best.seat, awards or len(rivals)


@lru_cache(maxsize=2048)
def reason(
    table: TableRules, community: tuple[Card, ...], cards: tuple[Card, ...], result: WagerResult, best: Best = (0, 0)
) -> Reason | None:
    """Return why a wager was won or lost that is judged on a hand; None where no cards decided it."""
    wager, (seat, hands) = table.by_spot[result.wager], best
    pays, judged = table.pays[wager.id], judged_cards(wager, cards, community)
    if result.fate not in {"won", "lost", "returned"} or len(judged) != wager.ranking.cards:
        return None
    rank = wager.ranking.read(judged)
    pay = pays.pay(rank, hands)
    full = 0 if pay is None else int(pay * pays.paid_per(result.stake_cents))
    return Reason(
        wager=result.wager,
        hand=rank.label,
        cards=tuple(map(str, judged)),
        made=tuple(map(str, made_of(rank, judged))),
        row=_row(pays, rank) if pay is not None else "",
        odds=(pay.numerator, pay.denominator) if pay is not None and pays.returns_stake else None,
        seat=seat,
        hands=hands,
        full_cents=full if full > result.paid_cents and result.fate != "lost" else 0,
        beside_cents=max(result.paid_cents - full, 0),
    )


def made_of(rank: AnyCategory, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards that make a hand what it is: those of one rank, or all of a straight; none of a high card."""
    if isinstance(rank, ListedRank):
        return tuple(cards)
    held = Counter(card.rank for card in cards)
    paired = tuple(card for card in cards if held[card.rank] > 1)
    if paired:
        return paired
    return tuple(cards) if rank.value > Category.HIGH_CARD else ()


def _row(pays: Pays, rank: AnyCategory) -> str:
    """Return the row of a paytable under which a rank is paid; some are paid as another."""
    listed = rank if rank in pays.listed else pays.wager.unlisted.get(rank, rank)
    return listed.label
