"""Advantage: what it is worth to a player to see a card early, exactly; it catches no one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Final, Literal

from letitride.analysis.base import CASES, HANDS, scaled
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.dead_hand import bet1_with_hand
from letitride.rules.paytables import Pays

Sees = Literal["nothing", "community-1", "community-2", "both", "card", "hand"]
SEES: Final[tuple[Sees, ...]] = ("nothing", "community-1", "community-2", "both", "card", "hand")


def edge_with(pays: Pays, sees: Sees) -> Fraction:
    """Return the house's edge, per unit bet, against the best play of a player who sees more than allowed.

    They see it before their first decision: a community card, both, one card of another seat, or another whole hand.
    """
    nets, unit = scaled(pays)
    values = [sum(count * net for count, net in zip(row, nets, strict=True)) for row in FOUR_CARD_ROWS]
    always = sum(hands * ways * values[row] for hands, _, profile in PROFILES for row, ways in profile)
    match sees:
        case "nothing":
            gained = _three(values) + _four(values)
        case "community-1":
            gained = 2 * _four(values)
        case "community-2":  # it makes four cards for the first decision and all five for the second
            gained = _four(values) + _five(nets)
        case "both":
            gained = 2 * _five(nets)
        case "card":
            return -(Fraction(always, CASES) + _three_without(values) + _four_without(values, nets)) / unit
        case "hand":
            return -(Fraction(always, CASES * unit) + bet1_with_hand(pays) + bet2_with_dead(pays, 3))
    return -Fraction(always + gained, CASES * unit)


def _three(values: list[int]) -> int:
    """What bet 1 wins in all cases when it rides with the three cards that are worth it."""
    return sum(max(0, hands * sum(ways * values[row] for row, ways in profile)) for hands, _, profile in PROFILES)


def _four(values: list[int]) -> int:
    return sum(hands * ways * max(0, values[row]) for hands, _, profile in PROFILES for row, ways in profile)


def _five(nets: tuple[int, ...]) -> int:
    return sum(
        hands * ways * sum(count * max(0, net) for count, net in zip(FOUR_CARD_ROWS[row], nets, strict=True))
        for hands, _, profile in PROFILES
        for row, ways in profile
    )


def _three_without(values: list[int]) -> Fraction:
    """What bet 1 wins when one card is known to be dead: the pairs that hold it are those of a four-card hand."""
    won = Fraction(0)
    for hands, _, profile in PROFILES:
        pairs = sum(ways * values[row] for row, ways in profile)  # over 49 times 48: every pair twice
        won += sum(hands * ways * max(0, pairs - 2 * values[row]) for row, ways in profile)
    return won / (HANDS * 49 * 48 * 47)


def _four_without(values: list[int], nets: tuple[int, ...]) -> Fraction:
    won = 0
    for hands, _, profile in PROFILES:
        for row, ways in profile:
            dead = zip(FOUR_CARD_ROWS[row], nets, strict=True)
            won += hands * ways * sum(count * max(0, values[row] - net) for count, net in dead)
    return Fraction(won, HANDS * 49 * 48 * 47)


def bet2_with_dead(pays: Pays, dead: int) -> Fraction:
    """Return what bet 2 wins per unit where a number of cards, drawn at random, are known to be dead."""
    nets, unit = scaled(pays)
    won = Fraction(0)
    for hands, _, profile in PROFILES:
        for row, ways in profile:
            counts = FOUR_CARD_ROWS[row]
            value = sum(count * net for count, net in zip(counts, nets, strict=True))
            there = [column for column, count in enumerate(counts) if count]
            for chosen in combinations_with_replacement(there, dead):
                times = prod(comb(counts[column], chosen.count(column)) for column in set(chosen))
                left = value - sum(nets[column] for column in chosen)
                won += Fraction(hands * ways * times * max(0, left), comb(48, dead) * (48 - dead))
    return won / (HANDS * 49 * unit)
