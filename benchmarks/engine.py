"""Measures the engine: commands and seven-seat rounds a second through decide, evolve and ledger, beside pokerkit."""

from __future__ import annotations

import platform
import time
from functools import partial

from pokerkit import Automation, NoLimitTexasHoldem

from letitride.autoplay.steps import Drawn, command_for
from letitride.chance.seeded import Seeded
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.ledger.transfers import post
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.rules.wager_table import BASE_SPOTS

SEATS = range(1, 8)
ROUNDS = 300


class Play:
    """Plays rounds with every seat taken, every wager bet and every step a command of its own."""

    def __init__(self, ref: str) -> None:
        self.table, _ = open_table(ready_rules(ref))
        chance = Seeded(1)
        self.source = Drawn(chance, partial(chance.shuffled, FACES))
        self.balances: dict[str, int] = {}
        self.commands = 0

    def do(self, command: commands.AnyCommand) -> None:
        self.table, outcome = play(self.table, command)
        if isinstance(outcome, Refusal):
            raise SystemExit(f"the benchmark measures nothing: {command} was refused, {outcome.sentence}")
        for event in outcome:
            if event.chips:
                self.balances = post(self.balances, event.chips)
        self.commands += 1

    def rounds(self, count: int) -> None:
        last = self.table.round + count
        while self.table.round <= last:
            self.do(self.next())
            if self.table.phase == "betting" and not any(seat.wagers for seat in self.table.seats.values()):
                for seat in SEATS:
                    if seat != self.table.bank_seat:
                        wagers = wagers_of(self.table)
                        self.do(commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers))

    def next(self) -> commands.AnyCommand:
        step = self.table.next_step
        if step is None:
            empty = next(number for number, seat in self.table.seats.items() if not seat.player)
            return commands.Sit(by=f"seat:{empty}", seat=empty, player=f"P{empty}", cents=10**11)
        by = f"seat:{step.seat}"
        match step.kind:
            case "await_choice":
                choice = "ride" if step.seat % 2 else "withdraw"
                return commands.Choose(by=by, seat=step.seat, bet=step.number, choice=choice)
            case "await_bank":
                return commands.TakeBank(by=by, seat=step.seat, cents=100_000)
            case "await_inspection":
                return commands.LookOver(by="seat:1", seat=1)
            case _:
                return command_for(self.table, step, self.source)


def wagers_of(table: Table) -> dict[str, int]:
    """Return every wager the table offers."""
    offered = {"bonus": 100, "three_card": 500, "cover_all": 200}
    side = {name: cents for name, cents in offered.items() if name in table.rules.wagers}
    return {**dict.fromkeys(BASE_SPOTS, 1_000), **side}


def ours(ref: str) -> tuple[float, float, float]:
    """Return commands and rounds a second, and the cost of a command late in the game against early."""
    game = Play(ref)
    for seat in SEATS:
        game.do(commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=10**11))
    game.rounds(5)
    costs = []
    start, before = time.perf_counter(), game.commands
    for _ in range(3):
        part, done = time.perf_counter(), game.commands
        game.rounds(ROUNDS // 3)
        costs.append((time.perf_counter() - part) / (game.commands - done))
    taken = time.perf_counter() - start
    return (game.commands - before) / taken, ROUNDS / taken, costs[-1] / costs[0]


def pokerkit_actions(hands: int = 150) -> float:
    """Return pokerkit's actions a second over hands of seven players who check or call to the end."""
    actions = 0
    start = time.perf_counter()
    automations = (
        *(Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING),
        *(Automation.HOLE_CARDS_SHOWING_OR_MUCKING, Automation.HAND_KILLING, Automation.CHIPS_PUSHING),
        Automation.CHIPS_PULLING,
    )
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (1, 2), 2, 200, 7)
        while state.status:
            if state.can_deal_hole():
                state.deal_hole()
            elif state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_board():
                state.deal_board()
            else:
                state.check_or_call()
            actions += 1
    return actions / (time.perf_counter() - start)


def main() -> None:
    """Print one row for each book, and pokerkit's."""
    theirs = pokerkit_actions()
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, seven seats, {ROUNDS} rounds a book")
    print(f"{'pokerkit 7-seat hold em':24} {theirs:10,.0f} actions/s")
    for ref in ("california-1", "hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1"):
        rate, rounds, growth = ours(ref)
        print(
            f"{ref:24} {rate:10,.0f} commands/s {rate / theirs:6.1f} x pokerkit {rounds:7.0f} rounds/s "
            f"late/early cost {growth:.2f}"
        )


if __name__ == "__main__":
    main()
