"""Banks: what a player who banks against up to seven opponents wins and risks, by repetition, with its error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Final

import numpy as np

from letitride.analysis.bank import BankRisk, risk_over, wager_results
from letitride.analysis.base import CASES, best_play, cases_of, columns_of, plain_nets
from letitride.analysis.two_opponents import bank_risk_of_two
from letitride.errors import InvalidData
from letitride.rules.banking import bank_fee, wagers_fee
from letitride.rules.money import dollars
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.wagers import Award
from letitride.simulation.game import BLOCK, SEATS_MAX, Counts, PartData, blocks_of
from letitride.simulation.jobs import Chunk
from letitride.simulation.plan import Plan
from letitride.simulation.series import Estimate, Series, estimate, share

BINS: Final = 1 << 16
"""Results and stakes are counted in steps of one bet, from nothing to more than seven royal flushes' worth."""
LEVELS: Final = (0.9, 0.99, 0.999, 0.9999)
KINDS: Final = ("paid", "paid_in_part", "not_paid", "collected", "collected_in_part", "not_collected")
COVERS: Final = ("stake", "gross", "net")


@dataclass(frozen=True, slots=True)
class Setup:
    """A bank: its stake each round, and what the book says of cover, order of action, fees and rotation."""

    plan: Plan
    stake_cents: int

    def __post_init__(self) -> None:
        if self.plan.table.rules.bank.mode != "player":
            raise InvalidData(f"expected a book by which a player banks, got {self.plan.table.book.id}")
        if self.plan.table.base_pays.award is not Award.TO_ONE:
            raise InvalidData("expected base pays 'to one' against a bank, got total awards")
        if sides := [wager.title for wager in self.plan.wagers if not wager.is_base]:
            raise InvalidData(
                f"expected base bets alone against a bank of limited stake, got {', '.join(sides)} as well"
            )
        most = self.plan.table.rules.bank.stake_cents_max
        if isinstance(most, int) and self.stake_cents > most:
            raise InvalidData(f"expected a bank's stake of {dollars(most)} at most, got {dollars(self.stake_cents)}")
        worst = int(self.plan.game.base_nets.max()) * self.plan.game.seats
        if worst // self.bet_cents >= BINS // 2 or (worst // self.unit()) ** 2 >= 2**62:
            raise InvalidData(f"expected pays and stakes small enough to count, got a round of {dollars(worst)}")
        if self.stake_cents < self.bet_cents:
            raise InvalidData(
                f"expected a bank's stake of {dollars(self.bet_cents)} or more, a bet, got {dollars(self.stake_cents)}"
            )

    def unit(self, bankroll: int = 0) -> int:
        """Return the largest amount that everything is a multiple of: counting in it keeps squares small."""
        amounts = (self.bet_cents, self.stake_cents, self.bank_fee, self.player_fee, bankroll)
        return gcd(*amounts, *map(int, self.plan.spots.ravel()))

    @property
    def opponents(self) -> int:
        """How many hands are played against the bank."""
        return self.plan.game.seats

    @property
    def bet_cents(self) -> int:
        """Each of an opponent's three bets."""
        return self.plan.stakes[BASE.spot]

    @property
    def bank_fee(self) -> int:
        """What the bank pays for a hand."""
        return bank_fee(self.plan.table.rules)

    @property
    def player_fee(self) -> int:
        """What an opponent pays for their three wagers."""
        return wagers_fee(self.plan.table.rules, len(BASE_SPOTS))


def opponents_max(plan_seats: int, *, separate: bool) -> int:
    """Return how many opponents a bank can have at a table of so many seats."""
    return min(plan_seats if separate else plan_seats - 1, SEATS_MAX)


@dataclass(slots=True)
class BankTallies:
    """Counts of rounds against a bank; money in cents."""

    sums: list[int]
    """Rounds, rounds not covered in full, orbits; the bank's results, their squares; the same if all were covered."""
    wagers: Counts
    places: Counts
    """By place in the order of action and base bet: what the opponents won."""
    place_squares: list[int]
    needs: Counts
    """By stake in bets, rounded up: rounds that this stake covers in full and no smaller one does."""
    results: Counts
    """By result in bets, rounded down; the middle one is nothing."""
    turns: Counts
    """By seat: what was won in whole orbits, in which each seat banks in turn; fees paid."""
    turn_squares: list[int]

    @property
    def rounds(self) -> int:
        """How many rounds were counted."""
        return self.sums[0]

    def __iadd__(self, other: BankTallies) -> BankTallies:
        self.sums = [a + b for a, b in zip(self.sums, other.sums, strict=True)]
        self.wagers += other.wagers
        self.places += other.places
        self.place_squares = [a + b for a, b in zip(self.place_squares, other.place_squares, strict=True)]
        self.needs += other.needs
        self.results += other.results
        self.turns += other.turns
        self.turn_squares = [a + b for a, b in zip(self.turn_squares, other.turn_squares, strict=True)]
        return self

    def as_data(self) -> PartData:
        """Return the tallies as plain data; of long lists only what was counted, by its place."""
        return {
            "sums": self.sums,
            "wagers": dict(zip(KINDS, self.wagers.tolist(), strict=True)),
            "places": self.places.tolist(),
            "place_squares": self.place_squares,
            "stakes_needed": _counted(self.needs),
            "results": _counted(self.results, BINS // 2),
            "turns": self.turns.tolist(),
            "turn_squares": self.turn_squares,
        }

    @classmethod
    def from_data(cls, data: PartData) -> BankTallies:
        """Return the tallies that `as_data` gave."""
        return cls(
            data["sums"],
            np.array([data["wagers"][kind] for kind in KINDS], np.int64),
            np.array(data["places"], np.int64),
            data["place_squares"],
            _uncounted(data["stakes_needed"]),
            _uncounted(data["results"], BINS // 2),
            np.array(data["turns"], np.int64),
            data["turn_squares"],
        )


def _counted(counts: Counts, middle: int = 0) -> dict[str, int]:
    return {str(int(place) - middle): int(counts[place]) for place in np.flatnonzero(counts)}


def _uncounted(data: dict[str, int], middle: int = 0) -> Counts:
    counts = np.zeros(BINS, np.int64)
    for place, count in data.items():
        counts[int(place) + middle] = count
    return counts


def empty_bank(opponents: int) -> BankTallies:
    """Return the tallies of no rounds."""
    return BankTallies(
        [0] * 7,
        np.zeros(len(KINDS), np.int64),
        np.zeros((opponents, 3), np.int64),
        [0] * opponents,
        np.zeros(BINS, np.int64),
        np.zeros(BINS, np.int64),
        np.zeros(opponents + 1, np.int64),
        [0] * (opponents + 1),
    )


def bank_rounds(setup: Setup, seed: int, chunk: Chunk) -> BankTallies:
    """Count the rounds of a chunk against a bank that puts up its stake every round."""
    tallies, _ = _play(setup, seed, chunk[0] // BLOCK, (1, 0), (chunk[1] - chunk[0], 0))
    return tallies


def bank_sessions(setup: Setup, seed: int, rounds: int, bankroll: int, chunk: Chunk) -> Series:
    """Play sessions of a bank that stakes what it has left of a bankroll."""
    many = chunk[1] - chunk[0]
    _, played = _play(setup, seed, chunk[0] * blocks_of(rounds), (many, many), (rounds, bankroll))
    return played


def _play(
    setup: Setup, seed: int, first: int, series: tuple[int, int], each: tuple[int, int]
) -> tuple[BankTallies, Series]:
    """Play so many series from a block on, keep so many of them by themselves; each has rounds and a bankroll."""
    from letitride.simulation.bank_kernel import bank  # noqa: PLC0415 - the compiler takes a moment to load

    (many, kept), (rounds, bankroll) = series, each
    rules, game, opponents = setup.plan.table.rules, setup.plan.game, setup.opponents
    found = empty_bank(opponents)
    unit = setup.unit(bankroll)
    ends = [np.zeros(kept, np.int64) for _ in range(3)]
    sums, place_squares = np.zeros(9, np.int64), np.zeros((opponents, 2), np.int64)
    turn_squares = np.zeros((opponents + 1, 2), np.int64)
    bank(
        opponents,
        game.packets,
        game.outcomes,
        setup.plan.spots // unit,
        setup.bet_cents // unit,
        COVERS.index(rules.bank.cover),
        setup.stake_cents // unit,
        rules.bank.settle_from == "action_seat",
        rules.bank.max_consecutive,
        setup.bank_fee // unit,
        setup.player_fee // unit,
        seed,
        first,
        many,
        rounds,
        bankroll // unit,
        found.wagers,
        found.places,
        place_squares,
        sums,
        found.needs,
        found.results,
        found.turns,
        turn_squares,
        *ends,
    )
    counted, uncovered, orbits, won, low, high, full, full_low, full_high = (int(number) for number in sums)
    squares = [_whole((low, high), unit), _whole((full_low, full_high), unit)]
    found.sums = [counted, uncovered, orbits, won * unit, squares[0], full * unit, squares[1]]
    found.places *= unit
    found.turns *= unit
    found.place_squares = [_whole(parts, unit) for parts in place_squares.tolist()]
    found.turn_squares = [_whole(parts, unit) for parts in turn_squares.tolist()]
    return found, Series([(ends[0] * unit, ends[1] * unit, ends[2])])


def _whole(parts: Sequence[int], unit: int) -> int:
    """Return a sum of squares that was kept in two parts, the second in units of 2^32."""
    return (parts[0] + (parts[1] << 32)) * unit**2


@dataclass(frozen=True, slots=True)
class BankFigures:
    """A bank by repetition: cents a round, its fee paid."""

    rounds: int
    result: Estimate
    if_covered: Estimate
    uncovered: Estimate
    """How often the stake does not cover a wager in full."""
    wagers: dict[str, int]
    places: tuple[Estimate, ...]
    """What an opponent wins of one bet by their place in the order of action, before fees."""
    cover: tuple[tuple[float, int, float], ...]
    """(share of rounds, the stake in cents that covers them in full, the share it was found to cover)."""
    orbits: int
    turns: tuple[Estimate, ...]
    """What each seat wins in an orbit, in which each seat banks in turn, fees paid; in cents."""


def bank_figures(setup: Setup, tallies: BankTallies) -> BankFigures:
    """Return the figures of a bank."""
    rounds, uncovered, orbits, won, squares, full, full_squares = tallies.sums
    exact = exact_risk(setup)
    bet = setup.bet_cents
    return BankFigures(
        rounds=rounds,
        result=estimate(won, squares, rounds, exact.results if exact else None),
        if_covered=estimate(full, full_squares, rounds, exact.full if exact else None),
        uncovered=share(uncovered, rounds, exact.uncovered if exact else None),
        wagers=dict(zip(KINDS, tallies.wagers.tolist(), strict=True)),
        places=tuple(
            estimate(int(own.sum()), square, rounds, unit=bet)
            for own, square in zip(tallies.places, tallies.place_squares, strict=True)
        ),
        cover=tuple(_cover(tallies.needs, rounds, bet)),
        orbits=orbits,
        turns=tuple(
            estimate(int(own), square, orbits)
            for own, square in zip(tallies.turns, tallies.turn_squares, strict=True)
            if orbits
        ),
    )


def _cover(needs: Counts, rounds: int, bet: int) -> list[tuple[float, int, float]]:
    covered = np.cumsum(needs) / rounds
    found = []
    for level in LEVELS:
        place = int(np.searchsorted(covered, level))
        found.append((level, place * bet, float(covered[place])))
    return found


def exact_risk(setup: Setup) -> BankRisk | None:
    """Return the exact risk, where the analysis has it: against one opponent, and two who play best."""
    rules, plan = setup.plan.table.rules, setup.plan
    pays, cover = plan.table.base_pays, rules.bank.cover
    if setup.opponents == 1:
        listed = (*columns_of(pays), None)
        rounds = (
            (cases, wager_results(bets, setup.bet_cents, listed[column]))
            for cases, _, bets, column in cases_of(plan.play)
        )
        return risk_over(rounds, CASES, setup.stake_cents, cover, setup.bank_fee)
    if setup.opponents == 2 and plan.play == best_play(plain_nets(pays)):
        return bank_risk_of_two(pays, setup.stake_cents, setup.bet_cents, cover, setup.bank_fee)
    return None
