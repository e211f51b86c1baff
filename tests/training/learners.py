"""Scripted trainees, and what they are worth by a second method: all hands counted one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from letitride.analysis.base import CASES, scaled
from letitride.rules.cards import Card, parse_cards
from letitride.rules.paytables import Pays
from letitride.training.player import Choice, Lesson
from letitride.training.player_exam import Report, begin, report, take
from tests.analysis import independent
from tests.training.counted import Counted

Trainee = Callable[[Sequence[Card]], Choice]


def perfect(pays: Pays) -> Trainee:
    """One who knows what every hand wins by having counted it."""
    counts, hands = independent.prospects()
    nets, _ = scaled(pays)
    places = {tuple(hand): place for place, hand in enumerate(hands.tolist())}

    def choose(cards: Sequence[Card]) -> Choice:
        four = counts[places[tuple(sorted(card.index for card in cards[:3]))]] @ np.array(nets)
        won = four.sum() if len(cards) == 3 else four[cards[3].index]
        return "ride" if won > 0 else "withdraw"

    return choose


def always_rides(_: Sequence[Card]) -> Choice:
    """One who never takes a bet back."""
    return "ride"


def never_rides(_: Sequence[Card]) -> Choice:
    """A player who takes back every bet that may be."""
    return "withdraw"


def examined(lesson: Lesson, trainee: Trainee, seed: int = 1) -> Report:
    """Return the report of an exam that a trainee takes."""
    exam = begin(lesson, Counted(seed))
    while (question := exam.question) is not None:
        exam = take(exam, question.number, trainee(parse_cards(question.cards)))
    return report(exam, lesson)


def lost_per_hundred(pays: Pays, bets: int) -> Fraction:
    """Return what leaving always so many bets in action gives away in a hundred rounds, over all 51,979,200 cases."""
    nets, unit = scaled(pays)
    counts, _ = independent.prospects()
    best, *_ = independent.base_game(np.array(nets), "withdraw")
    return 100 * Fraction(best - bets * int((counts @ np.array(nets)).sum()), CASES * unit)
