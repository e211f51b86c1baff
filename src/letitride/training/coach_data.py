"""Coach data: the types of a coach's advice and reviews, the same over HTTP and for programs; `coach` fills them in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from letitride.analysis.exact import Exact

Side = Literal["ride", "withdraw"]
CoachMode = Literal["before", "after", "off"]
"""When the coach speaks: before a decision, after it, or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceValue:
    """The average value of a decision, in units of one bet and in cents at this stake."""

    choice: Side
    units: Exact
    units_text: str
    cents: Exact
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DueChoice:
    """A decision that is due: the value of each side of it, and the line of the rule list that covers it."""

    bet: Literal[1, 2]
    stake_cents: int
    cards: tuple[str, ...]
    community: tuple[str, ...]
    holding: str
    best: Side
    even: bool = field(metadata={"description": "Whether both decisions are worth the same."})
    rule: str | None = field(
        metadata={"description": "The rule that lets it ride; null: no rule does, so it is taken back."}
    )
    rules: tuple[str, ...]
    choices: tuple[ChoiceValue, ...]
    gain_cents: Exact = field(metadata={"description": "What letting it ride wins beyond taking it back."})
    gain_text: str
    convention: str
    convention_codes: tuple[str, ...] = field(
        default=(),
        metadata={"description": "The parts of the convention: average, covered, one_player or one_hand, cut."},
    )
    holding_code: str = field(
        default="",
        metadata={"description": "The class of the cards by its name: high_pair, suited:2:1 (ways, high cards)."},
    )
    rule_codes: tuple[str, ...] = field(
        default=(), metadata={"description": "The rules for clients that word them: paying, high_pair, suited:1-2:2."}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedChoice:
    """A decision that was made; nothing is said of one made without looking at the cards."""

    bet: Literal[1, 2]
    chosen: Side
    best: Side | None = None
    even: bool = False
    stake_cents: int = 0
    cards: tuple[str, ...] = ()
    community: tuple[str, ...] = ()
    holding: str | None = None
    rule: str | None = None
    cost_cents: Exact | None = None
    cost_text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReviewed:
    """A hand of a player's round: its result, the average result of such bets, and what mistakes gave away."""

    round: int
    seat: int = field(metadata={"description": "Where the hand was played: a player may have two in a round."})
    ended_ms: int
    result_cents: int
    expected_cents: Exact = field(
        metadata={"description": "With the best play, before a card is dealt; all wagers together."}
    )
    variance: float = field(metadata={"description": "Of the result, in cents squared."})
    mistakes_cents: Exact
    decisions: tuple[ReviewedChoice, ...]
