"""Caps: the base game where payouts have a maximum: its exact value at a stake, and the play that it changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal

from letitride.analysis.base import (
    Nets,
    Play,
    Same,
    Ties,
    best_play,
    columns_of,
    distribution,
    plain_nets,
    ride_rates,
    row_of_three,
)
from letitride.analysis.base_rows import FOUR_CARD_ROWS, PROFILES
from letitride.analysis.classes import FOUR_CARDS, THREE_CARDS
from letitride.analysis.distribution import Distribution
from letitride.analysis.features import Feature, Kind
from letitride.errors import InvalidData
from letitride.rules.keys.wagers import Payout
from letitride.rules.paytables import Pays
from letitride.rules.settlement import cap_payouts, paid_on, share_payouts
from letitride.rules.table_rules import TableRules

Scope = Literal["player_round", "hand", "wager", "round"]

ONE_HAND: Final = "a player who has this hand alone"
ONE_PLAYER: Final = "one player at the table"


def taken_alone(payout: Payout, hands_per_player: int = 1) -> str:
    """Return whom exact values under a maximum payout are for, where other hands count towards it; else nothing.

    What they win of it follows from cards that are not seen: these values take it that no other hand is there.
    """
    return taken_over(payout.scope, hands_per_player) if payout.cap == "maximum" else ""


def taken_over(scope: Scope, hands_per_player: int = 1) -> str:
    """Return whom exact values are for under a maximum that is counted over a scope, as `taken_alone` does."""
    if scope == "round":
        return ONE_PLAYER
    return ONE_HAND if scope == "player_round" and hands_per_player > 1 else ""


@dataclass(frozen=True, slots=True)
class Capped:
    """The base game at one stake under a maximum payout, in units of one bet."""

    stake_cents: int
    payout_cents_max: int
    scope: Scope
    play: Play
    results: Distribution
    changed_bet1: int
    """How many of the classes of three cards are played otherwise on bet 1 than without the maximum."""
    changed_bet2: int
    """How many of the four-card rows are played otherwise on bet 2."""
    alone: str = ""
    """Whom the figures are for, where other hands count towards the maximum."""
    ties: Ties = "withdraw"

    @property
    def house_edge(self) -> Fraction:
        """Expected loss per unit bet."""
        return -self.results.mean

    @property
    def ride_rates(self) -> tuple[Fraction, Fraction]:
        """How often bet 1 and bet 2 ride under the maximum."""
        return ride_rates(self.play)

    @property
    def average_wager(self) -> Fraction:
        """How many of the three units are left riding on average."""
        return 1 + sum(self.ride_rates, Fraction(0))

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss per unit left riding."""
        return self.house_edge / self.average_wager


def capped_nets(pays: Pays, stake_cents: int, payout_cents_max: int, scope: Scope) -> Nets:
    """Return what a round wins at a stake, in units of one bet, by the settlement's own rule for the maximum.

    It is what one hand wins alone at the table: no other hand counts towards the maximum.
    """
    return _capped_nets(Same(pays), stake_cents, payout_cents_max, scope)


@lru_cache(256)
def _capped_nets(pays: Same[Pays], stake_cents: int, payout_cents_max: int, scope: Scope) -> Nets:
    listed = (*columns_of(pays.it), None)

    def nets(column: int, bets: int) -> Fraction:
        pay = listed[column]
        if pay is None:
            return Fraction(-bets)
        paid = paid_on(pay, stake_cents)
        if scope == "wager":
            return Fraction(bets * min(paid, payout_cents_max), stake_cents)
        cut = share_payouts if scope == "round" else cap_payouts
        return Fraction(sum(cut([paid] * bets, payout_cents_max)), stake_cents)

    return nets


def check_maximum(stake_cents: int, payout_cents_max: int) -> None:
    """Refuse a stake that is none, and a maximum payout under it."""
    if stake_cents < 1:
        raise InvalidData(f"expected a stake of a cent or more, got {stake_cents} cents")
    if payout_cents_max < stake_cents:
        raise InvalidData(f"expected a maximum payout of {stake_cents} cents or more, got {payout_cents_max} cents")


def table_cap(table: TableRules, stake_cents: int, ties: Ties = "withdraw") -> Capped | None:
    """Return the base game of a table at a stake under its maximum payout, or nothing where it has none."""
    payout = table.rules.payout
    if payout.cap != "maximum" or payout.cents_max is None:
        return None
    many = table.rules.hands_per_player
    return cap(table.base_pays, stake_cents, payout.cents_max, payout.scope, ties, hands_per_player=many)


def cap(
    pays: Pays,
    stake_cents: int,
    payout_cents_max: int,
    scope: Scope = "player_round",
    ties: Ties = "withdraw",
    *,
    hands_per_player: int = 1,
) -> Capped:
    """Return the exact value of a base table at a stake under a maximum payout, and the play that is best then.

    It is that of one hand alone at the table; `alone` says so where players or hands count towards one maximum.
    """
    check_maximum(stake_cents, payout_cents_max)
    nets = capped_nets(pays, stake_cents, payout_cents_max, scope)
    play, free = best_play(nets, ties), best_play(plain_nets(pays), ties)
    return Capped(
        stake_cents=stake_cents,
        payout_cents_max=payout_cents_max,
        scope=scope,
        play=play,
        results=distribution(nets, play),
        changed_bet1=len({row_of_three(PROFILES[n][2]) for n, ride in enumerate(play.bet1) if ride != free.bet1[n]}),
        changed_bet2=sum(a != b for a, b in zip(play.bet2[True], free.bet2[True], strict=True)),
        alone=taken_over(scope, hands_per_player),
        ties=ties,
    )


@dataclass(frozen=True, slots=True)
class Played:
    """How a class of cards is played under a maximum payout, and how without it."""

    feature: Feature
    rode: bool
    """Whether its bet rides without the maximum."""
    now: Literal["ride", "withdraw", "depends"]
    """'depends': on bet 2, on whether bet 1 rides; on bet 1, on which cards of the class they are."""

    @property
    def changed(self) -> bool:
        """Whether it is played otherwise than without the maximum."""
        return self.now != ("ride" if self.rode else "withdraw")

    @property
    def words(self) -> str:
        """What changes: 'four to a flush: takes bet 2 back, where it rides without the maximum'."""
        bet = 1 if self.feature.cards == 3 else 2
        before = "rides" if self.rode else "is taken back"
        depends = "rides or not, depending on bet 1" if bet == 2 else "rides or not, depending on the exact cards"
        now = {"ride": "rides", "withdraw": "is taken back", "depends": depends}[self.now]
        return f"{self.feature.words}: bet {bet} {now}; without the maximum it {before}"


def changed_classes(pays: Pays, capped: Capped, ties: Ties = "withdraw") -> Iterator[Played]:
    """Yield the classes that are played otherwise under a maximum payout, those of bet 1 first."""
    return (one for one in classes_under(pays, capped, ties) if one.changed)


def classes_under(pays: Pays, capped: Capped, ties: Ties = "withdraw") -> Iterator[Played]:
    """Yield how every class of cards is played under a maximum payout, those of bet 1 first."""
    free = best_play(plain_nets(pays), ties)
    named = {tuple((c, many) for c, many in enumerate(row) if many): (k, w, h) for k, w, h, _, row in THREE_CARDS}
    rides: dict[tuple[Kind, int, int], set[tuple[bool, bool]]] = defaultdict(set)
    for number, (_, _, profile) in enumerate(PROFILES):
        rides[named[row_of_three(profile)]].add((free.bet1[number], capped.play.bet1[number]))
    for (kind, ways, highs), found in rides.items():
        yield _played(Feature(3, kind, ways, highs), found)
    places = {row: number for number, row in enumerate(FOUR_CARD_ROWS)}
    for kind, ways, highs, _, row in FOUR_CARDS:
        number = places[row]
        found = {(free.bet2[True][number], capped.play.bet2[ridden][number]) for ridden in (False, True)}
        yield _played(Feature(4, kind, ways, highs), found)


def _played(feature: Feature, found: set[tuple[bool, bool]]) -> Played:
    """Return how a class is played, of whose cards each is told as (rode, rides)."""
    (rode, rides), *more = sorted(found)
    return Played(feature, rode, "depends" if more else "ride" if rides else "withdraw")
