"""Live data: the types of what is shown of a paytable while it is edited; `live` fills them in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from letitride.analysis.caps import Scope
from letitride.analysis.exact import Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigure:
    """One figure: rounded, exact where it is a fraction, what it means, and what it was in the other table."""

    name: str
    words: str
    text: str
    value: float
    exact: str | None
    convention: str
    before: str | None
    change: str | None = field(
        metadata={"description": "Null where it is printed alike, or there is nothing to compare with."}
    )
    change_number: str | None = field(metadata={"description": "The change without its unit."})
    is_share: bool = field(metadata={"description": "Whether it is a share in percent, which changes by points."})


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLine:
    """One hand of one wager: what it pays, how often it comes, and what it adds to the result of a unit bet."""

    category: str
    pay: str | None
    pay_before: str | None
    combinations: int
    probability: Exact
    odds: str
    one_in: str | None
    """In how many it comes once; null: never."""
    result: Exact
    result_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveNet:
    """A result of a round in units of one bet, and how often it comes."""

    net: str
    value: float
    cases: int
    probability: Exact
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRemark:
    """Something remarkable about a wager's pays: which, and its values."""

    code: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveWager:
    """One wager; for one number of hands where the pays depend on it."""

    wager: str
    hands: int | None
    heading: str
    figures: tuple[LiveFigure, ...]
    lines: tuple[LiveLine, ...]
    distribution: tuple[LiveNet, ...]
    distribution_before: tuple[LiveNet, ...] | None = field(
        metadata={"description": "Of the other table, where it is another one."}
    )
    remarks: tuple[str, ...]
    remark_parts: tuple[LiveRemark, ...]
    """The same for clients that word them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveClass:
    """A class of cards, what letting the bet ride wins with it per unit, and whether it rides now and rode before."""

    name: str
    words: str
    hands: int
    frequency: Exact
    rides: bool
    rode: bool | None
    value: Exact
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBet:
    """The best play of one bet: ride with any of the rules, otherwise take it back."""

    rules: tuple[str, ...]
    new_rules: tuple[str, ...]
    gone_rules: tuple[str, ...]
    classes: tuple[LiveClass, ...]
    changed: tuple[LiveClass, ...]
    codes: dict[str, str]
    """The rules for clients that word them, by their words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveStrategy:
    """The best play of the base game."""

    bet1: LiveBet
    bet2: LiveBet


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChange:
    """A class of cards that is played otherwise because of the maximum payout."""

    bet: int
    words: str
    name: str
    """Of the class, as `LiveClass` has it."""
    rode: bool
    now: str
    now_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveCapped:
    """The base game under a maximum payout, beside the same without one."""

    stake_cents: int
    payout_cents_max: int
    scope: Scope
    figures: tuple[LiveFigure, ...]
    changed: tuple[LiveChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePar:
    """Everything about a paytable that is being edited."""

    id: str
    title: str
    sha256: str
    published: str | None = field(
        metadata={"description": "The published paytable that pays just the same, if there is one."}
    )
    against: str | None
    ties: Literal["withdraw", "ride"]
    wagers: tuple[LiveWager, ...]
    strategy: LiveStrategy | None
    capped: LiveCapped | None
