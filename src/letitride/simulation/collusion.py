"""Collusion: what seats that share all their cards win, simulated beside playing alone; never a side bet or a bank.

Each seat decides by the exact value of its bet given every card the seats hold: bet 1 over all pairs of unseen
community cards, bet 2 over all unseen second cards. Pays are linear, so each bet is decided by itself, and one
worth exactly zero is taken back. Values are whole numbers, so none is rounded before it is compared with nothing.

Seats of one round share cards, so the round is the sampling unit. What sharing gains is found twice on the same decks:
by the results of the hands, and by the values of the decisions that differ when they were made. Both have the same
mean; the second leaves out the luck of the community cards, so its error is many times smaller, and no rare award
that a sample lacks can mislead it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.advantage import edge_with
from letitride.analysis.base import Price, best_play, plain_nets, price, scaled
from letitride.errors import InvalidData
from letitride.rules.paytables import Pays
from letitride.rules.table_rules import TableRules
from letitride.simulation.game import BLOCK, BROADWAY, FLUSHES, RANK_SETS, SEATS_MAX, Counts, PartData
from letitride.simulation.generator import check_seed
from letitride.simulation.hand_tables import NO_HAND, outcomes, packets
from letitride.simulation.jobs import CHUNK, Chunk, Job, on_threads
from letitride.simulation.series import Estimate, EstimateData
from letitride.simulation.tallies import STRAIGHT

SIZE: Final = 64 * BLOCK
"""Rounds that are counted in one go: fewer than elsewhere, for each takes longer."""
ROUNDS_MAX: Final = 10**12
SHARED, ALONE, GAIN, EXPECTED_GAIN = range(4)
"""The columns of the sums."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """A table of seats that share their cards, as arrays of whole numbers; what a unit wins is scaled by `unit`."""

    pays: Pays
    seats: int
    unit: int
    packets: NDArray[np.uint32]
    """As in `Game`, for the best play alone."""
    outcomes: NDArray[np.uint8]
    """As in `Game`."""
    nets: Counts
    """By code: what a unit wins."""
    prospects: Counts
    """By number of the three ranks and ranks of the community cards: what a unit wins, if it is no flush."""
    suited_adds: Counts
    """By code: what five cards win more for being of one suit."""

    @property
    def unseen(self) -> int:
        """How many cards no seat has seen before the first community card."""
        return 52 - 3 * self.seats


@dataclass(slots=True)
class SharedTallies:
    """What was counted, as whole numbers; tallies of parts add up to those of the whole."""

    rounds: int = 0
    choices: list[int] = field(default_factory=lambda: [0] * 16)
    """Hands by 8 x (bet 1 rides) + 4 x (bet 2 rides), both sharing, + 2 x (bet 1 rides) + (bet 2 rides), both alone."""
    sums: list[int] = field(default_factory=lambda: [0] * 4)
    """Of what the seats of a round win: sharing, alone, the gain as dealt, the expected gain.

    The last is over unseen x (unseen - 1) pairs of community cards, the others over one.
    """
    squares: list[int] = field(default_factory=lambda: [0] * 4)

    def __iadd__(self, other: SharedTallies) -> SharedTallies:
        self.rounds += other.rounds
        self.choices = [mine + theirs for mine, theirs in zip(self.choices, other.choices, strict=True)]
        self.sums = [mine + theirs for mine, theirs in zip(self.sums, other.sums, strict=True)]
        self.squares = [mine + theirs for mine, theirs in zip(self.squares, other.squares, strict=True)]
        return self

    def as_data(self) -> PartData:
        """Return the tallies as plain data."""
        return {"rounds": self.rounds, "choices": self.choices, "sums": self.sums, "squares": self.squares}

    @classmethod
    def from_data(cls, data: PartData) -> SharedTallies:
        """Return the tallies that `as_data` gave."""
        return cls(**data)

    def hands(self, bits: int, among: int) -> int:
        """Return how many hands made the decisions `bits`, of the decisions `among`."""
        return sum(many for choice, many in enumerate(self.choices) if choice & among == bits)


@dataclass(frozen=True, slots=True)
class Rides:
    """In how many hands a bet rode, sharing and alone, and in how many of them the two differ."""

    shared: int
    alone: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CollusionData:
    """The figures of seats that share cards, as `--json` prints them."""

    seats: int
    rounds: int
    seed: int
    hands: int
    shared: EstimateData
    alone: EstimateData
    gain: EstimateData
    expected_gain: EstimateData
    house_edge: EstimateData
    rides: dict[str, Rides]


@dataclass(frozen=True, slots=True)
class Collusion:
    """What seats that share their cards win: per hand, in units of one bet, of the three equal bets."""

    seats: int
    rounds: int
    seed: int
    shared: Estimate
    alone: Estimate
    """The best play of each seat by its own cards, on the same decks."""
    gain: Estimate
    """What sharing won more, round by round on the same decks."""
    expected_gain: Estimate
    """The same by the exact values of the decisions that differ: of the two, its error is far smaller."""
    bet1: Rides
    bet2: Rides
    exact_alone: Price
    """The exact value of the best play without sharing."""

    @property
    def hands(self) -> int:
        """Hands that were played."""
        return self.rounds * self.seats

    @property
    def house_edge(self) -> Estimate:
        """What the house wins of a unit bet by seats that share: its exact edge without that, less what they gain."""
        return Estimate(float(self.exact_alone.house_edge) - self.expected_gain.mean, self.expected_gain.se)

    def as_data(self, expected_gain: Estimate | None = None) -> CollusionData:
        """Return the figures as `--json` prints them, the gain by value beside its exact value where that is known."""
        return CollusionData(
            seats=self.seats,
            rounds=self.rounds,
            seed=self.seed,
            hands=self.hands,
            shared=self.shared.as_data(),
            alone=self.alone.as_data(),
            gain=self.gain.as_data(),
            expected_gain=(expected_gain or self.expected_gain).as_data(),
            house_edge=self.house_edge.as_data(),
            rides={"bet1": self.bet1, "bet2": self.bet2},
        )


def linear_pays(table: TableRules, seats: int) -> Pays:
    """Return what the base bets of a table pay, if seats there win on each bet whatever the others do."""
    rules, where = table.rules, f"table by {table.book.id}"
    if rules.bank.mode != "house":
        raise InvalidData(f"{where}: expected bank.mode 'house' for seats that share cards, got '{rules.bank.mode}'")
    if rules.payout.cap != "none":
        raise InvalidData(f"{where}: expected payout.cap 'none' for seats that share cards, got '{rules.payout.cap}'")
    if not 2 <= seats <= rules.seats:
        raise InvalidData(f"{where}: expected 2 to {rules.seats} seats that share cards, got {seats}")
    return table.base_pays


def sharing(pays: Pays, seats: int) -> Sharing:
    """Return the tables for a number of seats; a single seat has no one to share with and is the best play."""
    if not pays.wager.is_base:
        raise InvalidData(f"expected pays of the base wager, got those of the {pays.wager} wager")
    if not 1 <= seats <= SEATS_MAX:
        raise InvalidData(f"expected 1 to {SEATS_MAX} seats, got {seats}")
    scaled_nets, unit = scaled(pays)
    nets = np.zeros(16, np.int64)
    nets[: len(scaled_nets)] = scaled_nets
    nets[BROADWAY] = nets[STRAIGHT]
    play = best_play(plain_nets(pays), "withdraw")
    found = outcomes(play)
    codes = (found & 15).reshape(13, 13, RANK_SETS)
    suited_adds = nets[FLUSHES] - nets
    suited_adds[NO_HAND] = 0
    prospects = np.ascontiguousarray(nets[codes].transpose(2, 0, 1))
    return Sharing(pays, seats, unit, packets(play), found, nets, prospects, suited_adds)


def count(game: Sharing, seed: int, chunk: Chunk) -> SharedTallies:
    """Count the rounds of one chunk, which begins where a block does."""
    from letitride.simulation.collusion_kernel import tally  # noqa: PLC0415 - the compiler takes a moment to load

    start, stop = chunk
    if start % BLOCK or not 0 < stop - start <= CHUNK:
        raise InvalidData(f"expected 1 to {CHUNK:,} rounds from a multiple of {BLOCK} on, got {start} to {stop}")
    choices, sums, squares = np.zeros(16, np.int64), np.zeros(4, np.int64), np.zeros((3, 4), np.int64)
    tally(*_tables(game), game.nets, seed, start, stop, choices, sums, squares)
    low, both, high = (row.tolist() for row in squares)
    # (2^22 h + l)^2, put together where whole numbers have no end.
    whole = [l + (b << 23) + (h << 44) for l, b, h in zip(low, both, high, strict=True)]  # noqa: E741 - low, both, high
    return SharedTallies(stop - start, choices.tolist(), sums.tolist(), whole)


def shared_block(game: Sharing, seed: int, block: int) -> tuple[NDArray[np.uint8], Counts]:
    """Return the hands of a block with their decisions, and what bets 1 and 2 were worth, as the kernel writes them.

    Both have a row for each round and a column for each seat.
    """
    from letitride.simulation.collusion_kernel import share  # noqa: PLC0415 - the compiler takes a moment to load

    hands, values = np.empty(BLOCK * game.seats, np.uint8), np.empty((BLOCK * game.seats, 2), np.int64)
    share(*_tables(game), seed, block, BLOCK, hands, values)
    return hands.reshape(BLOCK, game.seats), values.reshape(BLOCK, game.seats, 2)


def _tables(
    game: Sharing,
) -> tuple[int, NDArray[np.uint32], NDArray[np.uint8], Counts, Counts, NDArray[np.uint8]]:
    return game.seats, game.packets, game.outcomes, game.prospects, game.suited_adds, FLUSHES


def figures(game: Sharing, seed: int, tallies: SharedTallies) -> Collusion:
    """Return the figures of what was counted."""
    return Collusion(
        seats=game.seats,
        rounds=tallies.rounds,
        seed=seed,
        shared=_estimate(game, tallies, SHARED),
        alone=_estimate(game, tallies, ALONE, -price(game.pays).house_edge),
        gain=_estimate(game, tallies, GAIN),
        expected_gain=_estimate(game, tallies, EXPECTED_GAIN),
        bet1=_rides(tallies, 8, 2),
        bet2=_rides(tallies, 4, 1),
        exact_alone=price(game.pays),
    )


def _estimate(game: Sharing, tallies: SharedTallies, column: int, exact: Fraction | None = None) -> Estimate:
    rounds, total, squares = tallies.rounds, tallies.sums[column], tallies.squares[column]
    scale = game.unit * game.seats * (game.unseen * (game.unseen - 1) if column == EXPECTED_GAIN else 1)
    variance = Fraction(rounds * squares - total * total, rounds * (rounds - 1))
    return Estimate(float(Fraction(total, rounds * scale)), sqrt(variance / rounds) / scale, exact)


def _rides(tallies: SharedTallies, shared: int, alone: int) -> Rides:
    both = shared | alone
    changed = tallies.hands(shared, both) + tallies.hands(alone, both)
    return Rides(tallies.hands(shared, shared), tallies.hands(alone, alone), changed)


def collusion_job(game: Sharing, seed: int, rounds: int, size: int = SIZE) -> Job[SharedTallies]:
    """Return the job of counting so many rounds of seats that share cards."""
    if not 2 <= game.seats <= SEATS_MAX:
        raise InvalidData(f"expected 2 to {SEATS_MAX} seats that share cards, got {game.seats}")
    if not 2 <= rounds <= ROUNDS_MAX:
        raise InvalidData(f"expected 2 to {ROUNDS_MAX:,} rounds, got {rounds}")
    check_seed(seed)
    return Job(count, game, (seed,), rounds, size, SharedTallies())


def collude(pays: Pays, seats: int, rounds: int, seed: int, *, threads: int = 1, size: int = SIZE) -> Collusion:
    """Simulate seats that share all their cards; the result depends on the pays, seats, rounds and seed alone."""
    game, total = sharing(pays, seats), SharedTallies()
    for _, part in on_threads(collusion_job(game, seed, rounds, size), 0, threads):
        total += part
    return figures(game, seed, total)


def exact_gain_of_two(pays: Pays) -> Fraction:
    """Return exactly what two seats gain per hand by sharing: each knows another whole hand before its first decision.

    For more seats bet 1 has not been counted, so there the simulation stands alone.
    """
    return edge_with(pays, "nothing") - edge_with(pays, "hand")
