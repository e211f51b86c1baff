"""Taken back: the exact results of a side bet whose player may take it back, and decides best.

A player who is asked for a base decision has seen three cards, or four. What the bet is worth then is counted over all
cards that may come; it is kept where that is more than the result of taking it back. Where it may be taken
back at both decisions, the first one is never the better: the second one knows more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import lcm

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.joint import Ints, alike, chunks_of_cases, hands_of_kinds, judged, kept_places, reader
from letitride.analysis.side_bets import back_net
from letitride.rules.cards import DECK, Card
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory
from letitride.rules.settlement import read_cards
from letitride.rules.wagers import Wager


@dataclass(frozen=True, slots=True)
class Decided:
    """How often a bet stays with each rank, best first, and how often it is taken back; of all cases."""

    kept: tuple[int, ...]
    back: int
    hands: Ints
    """One three-card hand of each kind that the bet cannot tell apart."""
    stays: NDArray[np.bool_]
    """Whether it stays, by those hands and, where the first community card is seen, by that card."""


def decision_of(wager: Wager) -> int:
    """Return the base decision with which a bet is best taken back, the last one that may be; 0: with none."""
    return max(wager.withdraw, default=0)


def nets_of(pays: Pays) -> tuple[int, ...]:
    """Return what each rank wins or loses, best first, and a bet taken back, in a unit in which all are whole."""
    nets = [*(pays.net(pays.pay(rank)) for rank in pays.wager.ranking.ranks), back_net(pays.wager)]
    unit = lcm(*(net.denominator for net in nets))
    return tuple(int(net * unit) for net in nets)


def decided(wager: Wager, nets: Sequence[int]) -> Decided:
    """Return how a bet stays or is taken back over all cases; `nets` are as `nets_of` gives them."""
    return _decided(wager, wager.digest, tuple(nets))  # two wagers of one name may have other conditions


@lru_cache(16)
def _decided(wager: Wager, _digest: str, nets: tuple[int, ...]) -> Decided:
    hands, weights = hands_of_kinds((wager,))
    read, decision = reader(wager.ranking), decision_of(wager)
    counted = np.zeros(len(nets), np.int64)
    stay = []
    for some, many, held, first, second in chunks_of_cases(hands, weights):
        shape = np.broadcast_shapes((len(some), 1, 1), first.shape, second.shape)
        place = np.broadcast_to(read(judged(wager, held, first, second)), shape)
        kept, stays = kept_places(place, nets, decision)
        stay.append(stays)
        weight = np.broadcast_to(many[:, None, None], shape)
        counted += np.bincount(kept.ravel(), weights=weight.ravel(), minlength=len(counted)).astype(np.int64)
    *of_ranks, back = (int(one) for one in counted)
    return Decided(tuple(of_ranks), back, hands, np.concatenate(stay))


def stays_by_cards(wager: Wager, nets: Sequence[int]) -> NDArray[np.bool_]:
    """Return whether a bet stays by three cards in any order and, where it is seen, the first community card."""
    found, decision = decided(wager, nets), decision_of(wager)
    whole = np.zeros((len(DECK),) * (2 + decision), np.bool_)
    left = np.ones((len(found.hands), len(DECK)), np.bool_)
    np.put_along_axis(left, found.hands, False, axis=1)
    firsts = np.nonzero(left)[1].reshape(len(found.hands), -1)
    for suits in alike((wager,)):
        renamed, others = (cards // 4 * 4 + suits[cards % 4] for cards in (found.hands, firsts))
        for order in permutations(range(3)):
            cards = tuple(renamed[:, place] for place in order)
            if decision == 1:
                whole[cards] = found.stays
            else:
                whole[*(card[:, None] for card in cards), others] = found.stays
    return whole


def riding_value(pays: Pays, cards: Sequence[Card]) -> Fraction:
    """Return what a unit bet is worth that stays, to a player who has seen three cards, or four with the community's.

    Where it may still be taken back at the second decision, that is counted in.
    """
    wager, held, first = pays.wager, tuple(cards[:3]), tuple(cards[3:4])
    rest = [card for card in DECK if card not in cards]
    if first:
        nets = [_net(pays, held, (*first, second)) for second in rest]
        return Fraction(sum(nets), len(nets))
    if decision_of(wager) > 1:
        later = [max(riding_value(pays, (*held, one)), back_net(wager)) for one in rest]
        return Fraction(sum(later), len(later))
    if wager.judged_on == "own_four":
        nets = [_net(pays, held, (one,)) for one in rest]
    else:
        nets = [_net(pays, held, pair) for pair in combinations(rest, 2)]
    return Fraction(sum(nets), len(nets))


def _net(pays: Pays, held: tuple[Card, ...], community: tuple[Card, ...]) -> Fraction:
    return pays.net(pays.pay(read_cards(pays.wager, held, community)))


def kept_counts(pays: Pays) -> tuple[dict[AnyCategory, int], int]:
    """Return in how many cases a bet stays with each rank, best first, and in how many it is taken back."""
    found = decided(pays.wager, nets_of(pays))
    return dict(zip(pays.wager.ranking.ranks, found.kept, strict=True)), found.back
