"""Spacing: when a kind of decision should be asked again, as FSRS computes it; knows nothing of the rules.

Nothing is left to chance here: the same answers at the same times give the same schedule.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from fsrs import Card, Rating, Scheduler, State

_SCHEDULER: Final = Scheduler(enable_fuzzing=False)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
SLOW_SECONDS: Final = 20
"""Right after more thought than a table gives: what was known is asked again sooner. Learning may take its time."""
QUICK_SECONDS: Final = 5


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """How well a player knows one kind of decision."""

    asked: int
    right: int
    last_right: bool
    state: int
    """FSRS's: 1 learning, 2 known and reviewed, 3 learned again."""
    step: int | None
    stability: float
    """After how many days nine of ten would still be right."""
    difficulty: float
    """From 1, easy, to 10."""
    due_ms: int
    last_ms: int

    @property
    def learning(self) -> bool:
        """Whether it is not known yet, or no longer."""
        return self.state != State.Review.value


def reviewed(memory: Memory | None, *, right: bool, seconds: float | None, now_ms: int) -> Memory:
    """Return what is known after an answer, which took so many seconds if that is known."""
    rating = _rating(memory, right=right, seconds=seconds)
    card, _ = _SCHEDULER.review_card(_card(memory, now_ms), rating, _time(now_ms))
    return Memory(
        asked=1 + (memory.asked if memory else 0),
        right=right + (memory.right if memory else 0),
        last_right=right,
        state=card.state.value,
        step=card.step,
        stability=card.stability or 0.0,
        difficulty=card.difficulty or 0.0,
        due_ms=_ms(card.due),
        last_ms=now_ms,
    )


def need(memory: Memory, now_ms: int) -> int:
    """Return how much a kind of decision needs to be asked, 1 to 20: it was missed, or it may be forgotten by now."""
    forgotten = 1 - _SCHEDULER.get_card_retrievability(_card(memory, now_ms), _time(now_ms))
    return min(math.ceil(memory.difficulty) + math.floor(10 * forgotten), 20)


def _rating(memory: Memory | None, *, right: bool, seconds: float | None) -> Rating:
    if not right:
        return Rating.Again
    if seconds is not None and seconds > SLOW_SECONDS and memory is not None and not memory.learning:
        return Rating.Hard
    # One of two answers is easily guessed once: quick counts from the second right answer in a row on.
    quick = seconds is not None and seconds <= QUICK_SECONDS and memory is not None and memory.last_right
    return Rating.Easy if quick else Rating.Good


def _card(memory: Memory | None, now_ms: int) -> Card:
    if memory is None:
        return Card(card_id=0, due=_time(now_ms))
    return Card(
        card_id=0,
        state=State(memory.state),
        step=memory.step,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=_time(memory.due_ms),
        last_review=_time(min(memory.last_ms, now_ms)),
    )


def _time(ms: int) -> datetime:
    return _EPOCH + timedelta(milliseconds=ms)


def _ms(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(milliseconds=1)
