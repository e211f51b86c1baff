"""Wagers: what each bet is: what it is judged on, how its cards are named, when its stake is taken; never its pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final, Literal

from letitride.rules.digest import sha256
from letitride.rules.frozen import Frozen
from letitride.rules.money import dollars
from letitride.rules.rankings import AnyCategory, ListedRank, Ranking
from letitride.rules.values import PlainValue

JudgedOn = Literal["own_three", "own_four", "own_five", "community", "table_best"]
CARDS: Final[Mapping[JudgedOn, int]] = {"own_three": 3, "own_four": 4, "own_five": 5, "community": 2, "table_best": 5}
"""How many cards decide a wager."""
JUDGED_ON: Final[Mapping[JudgedOn, str]] = {
    "own_three": "the player's own three cards",
    "own_four": "the player's three cards with the first community card",
    "own_five": "the player's five-card hand",
    "community": "the two community cards",
    "table_best": "the best five-card hand at the table",
}
LATER: Final = frozenset({"void_on"})
"""Keys of a house's own wagers that came after the first ones: a digest leaves them out where they say nothing."""
HANDS_MAX: Final = 7
"""A wager on the best hand at the table has one column of pays for each number of hands, 1 to 7."""


class Award(StrEnum):
    """What a pay of N means."""

    TO_ONE = "to_one"
    """N units are won and the stake comes back."""
    TOTAL = "total_award"
    """N units in total: the stake is not returned."""
    FIXED = "fixed_dollars"
    """N dollars in total, whatever was bet: the stake is not returned."""


@dataclass(frozen=True, slots=True)
class Take:
    """What a rank takes of a meter: a share of it, or an amount."""

    percent: int = 0
    """100 is all of it, and the meter begins again at its seed."""
    cents: int = 0
    """An amount; where the meter holds less, the house pays the rest."""

    def __str__(self) -> str:
        if self.cents:
            return f"{dollars(self.cents)} of the meter"
        return "the whole meter" if self.percent == 100 else f"{self.percent}% of the meter"


_NO_TAKE: Final = Take()


@dataclass(frozen=True, slots=True)
class Meter:
    """A jackpot that a wager feeds and that some of its ranks take from; the house keeps it, apart from its tray."""

    seed_cents: int
    """What the house puts in when it opens, and when a rank has taken all of it."""
    contribution_ppm: int
    """What goes in of each stake, in millionths, when the round is over."""
    takes: Mapping[AnyCategory, Take]
    shared: bool = False
    """Whether all tables of the house that offer the bet have one meter together."""

    def contribution(self, stake_cents: int) -> int:
        """Return what a stake adds, in cents: a fraction of a cent stays with the house."""
        return stake_cents * self.contribution_ppm // 1_000_000

    def taken(self, rank: AnyCategory, held_cents: int) -> int:
        """Return what a rank takes of what the meter holds: a fraction of a cent stays in it."""
        take = self.takes.get(rank, _NO_TAKE)
        return min(take.cents, held_cents) if take.cents else held_cents * take.percent // 100

    def won(self, rank: AnyCategory, held_cents: int) -> int:
        """Return what a player wins by it: what the rank takes, and what the house adds to an amount."""
        return self.takes.get(rank, _NO_TAKE).cents or self.taken(rank, held_cents)

    def left(self, rank: AnyCategory, held_cents: int) -> int:
        """Return what the meter holds when a rank has taken its part."""
        all_of_it = self.takes.get(rank, _NO_TAKE).percent == 100
        return self.seed_cents if all_of_it else held_cents - self.taken(rank, held_cents)


@dataclass(frozen=True, slots=True)
class Wager:
    """One bet that a table may offer, as its file describes it."""

    id: str
    title: str
    """Its name for people: 'Red or Black'."""
    about: str
    """What it is, in a sentence."""
    label: str
    """What the felt prints on its spot: 'R/B'."""
    order: int
    """Its place among the wagers of a seat, on the felt and in records."""
    spots: tuple[str, ...]
    """The names of its spots in records and journals; the base game has three, any other wager one."""
    judged_on: JudgedOn
    ranking: Ranking
    pays_from: AnyCategory
    """The lowest rank that may pay."""
    awards: tuple[Award, ...]
    """How its pays may be meant."""
    keys: Mapping[str, PlainValue]
    """What a rule book may say of it, by the last part of the key, with the value where the book is silent."""
    unlisted: Mapping[AnyCategory, AnyCategory] = field(default_factory=dict)
    """What a rank that a paytable does not list pays as."""
    later: frozenset[str] = frozenset()
    """Those of its keys that came after the published books, whose digests leave them out at their default."""
    withdraw: tuple[int, ...] = ()
    """The base decisions, 1 and 2, with which a player may take it back, before the cards that decide it are seen."""
    withdraw_percent: int = 100
    """The part of the stake returned to a player who takes it back; the house keeps the rest."""
    meter: Meter | None = None
    """The jackpot that it feeds, where it has one."""
    envy: Mapping[AnyCategory, int] = field(default_factory=dict)
    """What every other player with this bet wins when a hand has such a rank, in cents."""
    priced_with: str = ""
    """The wager whose paytable prices this one too."""
    published: bool = True
    """Whether it comes with letitride rather than with a house's own file."""

    def __str__(self) -> str:
        return self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Wager {self.id}: {self.title}>"

    @property
    def is_base(self) -> bool:
        """Whether it is the game itself, of whose three bets two may be taken back."""
        return len(self.spots) > 1

    @property
    def spot(self) -> str:
        """The name of its only spot, or of the one that cannot be taken back."""
        return self.spots[-1]

    @property
    def by_hands(self) -> bool:
        """Whether its pays depend on the number of hands in the round."""
        return self.judged_on == "table_best"

    @property
    def paying(self) -> tuple[AnyCategory, ...]:
        """The ranks that may pay, best first."""
        return tuple(rank for rank in self.ranking.ranks if rank >= self.pays_from)  # type: ignore[operator]  # of one kind

    @property
    def awarded(self) -> frozenset[AnyCategory]:
        """The ranks that win without a pay of their own: by a part of the meter."""
        return frozenset(self.meter.takes) if self.meter is not None else frozenset()

    @property
    def assumed(self) -> str:
        """What its exact price assumes of the table, in words; nothing of a bet that one player's cards settle."""
        said = [f"meter at its seed of {dollars(self.meter.seed_cents)}"] if self.meter is not None else []
        return ", ".join([*said, "no envy won"] if self.envy else said)

    def seed_pay(self, rank: AnyCategory) -> Fraction:
        """Return what a rank takes of the meter at its seed, per unit of the stake."""
        if self.meter is None:
            return Fraction(0)
        return Fraction(self.meter.won(rank, self.meter.seed_cents), self.unit_cents)

    def withdrawn_cents(self, stake_cents: int) -> int:
        """Return the part of a stake that is returned to a player who takes it back, in whole cents."""
        return stake_cents * self.withdraw_percent // 100

    @property
    def depends_on_others(self) -> bool:
        """Whether what a hand wins by it depends on other hands: on what they take of the meter, or by envy."""
        return self.meter is not None or bool(self.envy)

    @property
    def fixed_stake(self) -> bool:
        """Whether one amount alone may be bet."""
        return "cents" in self.keys

    @property
    def unit_cents(self) -> int:
        """The unit in which awards are told: its one stake, or a dollar where it has limits."""
        return int(str(self.keys.get("cents", 100)))

    @property
    def lowest_cents(self) -> int:
        """The lowest stake by its file, at which awards in dollars are priced: its one stake, or its minimum."""
        return int(str(self.keys.get("cents", self.keys.get("cents_min", self.unit_cents))))

    @property
    def before_deal(self) -> bool:
        """Whether its stake is taken before the deal where a rule book says nothing."""
        return self.keys.get("taken") == "before_deal"

    @property
    def digest(self) -> str:
        """SHA-256 over all that decides how it is played, but not what it pays."""
        ranks = [
            [rank.name, dict(rank.when)] if isinstance(rank, ListedRank) else rank.name for rank in self.ranking.ranks
        ]
        judged = [self.judged_on, ranks, self.pays_from.name, [*self.awards], self.priced_with]
        keys = {name: value for name, value in self.keys.items() if value or name not in self.later}
        whole: dict[str, object] = {"id": self.id, "spots": [*self.spots], "judged": judged, "keys": keys}
        if self.meter is not None:
            takes = {rank.name: [take.percent, take.cents] for rank, take in self.meter.takes.items()}
            whole["meter"] = [self.meter.seed_cents, self.meter.contribution_ppm, takes]
            whole |= {"shared": True} if self.meter.shared else {}
        whole |= {"withdraw": [*self.withdraw, self.withdraw_percent]} if self.withdraw else {}
        if self.envy:
            whole["envy"] = {rank.name: cents for rank, cents in self.envy.items()}
        return sha256(whole)


def base_of(wagers: Mapping[str, Wager]) -> Wager:
    """Return the game itself among wagers."""
    return next(wager for wager in wagers.values() if wager.is_base)


def by_spot(wagers: Mapping[str, Wager]) -> Mapping[str, Wager]:
    """Return wagers by the names of their spots, in the order of the felt."""
    ordered = sorted(wagers.values(), key=lambda wager: wager.order)
    return Frozen({spot: wager for wager in ordered for spot in wager.spots})
