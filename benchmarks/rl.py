"""Measures the environments in one run: decisions a second of the compiled one beside the plain one, Gymnasium's own
vectors of it, the same work in NumPy, and the simulation's kernel, which deals and settles but shows nothing."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import letitride.rl
from letitride.analysis.vector_hands import columns
from letitride.rl.table import LetItRideTable
from letitride.rl.terms import terms_of
from letitride.simulation.game import BLOCK
from letitride.simulation.plan import plan, stakes_of
from letitride.simulation.run import count

TIMES = 7
SEATS = 4096


def best(work: Callable[[], int], times: int = TIMES) -> float:
    """Return the most decisions a second of several tries."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        done = work()
        found.append(done / (time.perf_counter() - start))
    return max(found)


def one_seat(rounds: int = 3_000) -> float:
    """Return the decisions a second of the plain environment, without wrappers."""
    env: Any = gymnasium.make(letitride.rl.ENV_ID).unwrapped
    env.reset(seed=1)

    def work() -> int:
        for _ in range(rounds):
            env.step(1)
            env.step(0)
            env.reset()
        return 2 * rounds

    return best(work)


def of_many(envs: Any, rounds: int, *, same_step: bool) -> float:
    """Return the decisions a second of a vector; a step that only deals counts for nothing."""
    envs.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 2, envs.num_envs)
    steps = 2 if same_step else 3
    for _ in range(steps):
        envs.step(actions)

    def work() -> int:
        for _ in range(steps * rounds):
            envs.step(actions)
        return int(2 * rounds * envs.num_envs)

    return best(work)


def gymnasiums(kind: str, seats: int = 64) -> float:
    """Return the same of Gymnasium's own vector of plain environments."""
    return of_many(gymnasium.make_vec(letitride.rl.ENV_ID, seats, vectorization_mode=kind), 20, same_step=False)


def compiled(observation: str, mode: str, seats: int = SEATS) -> float:
    """Return the same of the compiled environment."""
    envs = gymnasium.make_vec(
        letitride.rl.ENV_ID,
        seats,
        vectorization_mode="vector_entry_point",
        observation=observation,
        autoreset_mode=mode,
    )
    return of_many(envs, max(200 * SEATS // seats, 2), same_step=mode == "SameStep")


def in_numpy(seats: int = SEATS, rounds: int = 40) -> float:
    """Return the same of plain NumPy, as one would write it: deal, show the cards at both decisions, settle."""
    random, units = np.random.default_rng(1), terms_of().units_by_cell()
    first, second = random.integers(0, 2, (2, seats))

    def work() -> int:
        for _ in range(rounds):
            cards = np.empty((seats, 5), np.int64)
            for place in range(5):  # the n-th card of those that are left, told from the lowest on
                drawn = random.integers(0, 52 - place, seats)
                for earlier in np.sort(cards[:, :place], axis=1).T:
                    drawn += drawn >= earlier
                cards[:, place] = drawn
            for stage in (0, 1, 2):
                shown = np.zeros((seats, 8), np.int8)
                shown[:, 0] = stage
                shown[:, 1] = (first + 1) * (stage > 0)
                shown[:, 2] = (second + 1) * (stage > 1)
                shown[:, 3:6] = np.sort(cards[:, :3], axis=1) + 1
                shown[:, 6 : 6 + stage] = cards[:, 3 : 3 + stage] + 1
            units[4 * columns(cards) + 2 * first + second].sum()
        return 2 * rounds * seats

    return best(work)


def kernel(blocks: int = 4_000) -> float:
    """Return the same of the simulation's kernel, which plays by itself and only counts."""
    table = letitride.table_rules("nsw-1", {"limit.cents_max": 10_000})
    stakes: Any = {name: cents for name, cents in stakes_of(table).items() if name.startswith("base")}
    game = plan(table, 1, stakes).game
    count(game, 1, (0, BLOCK))

    def work() -> int:
        count(game, 1, (0, blocks * BLOCK))
        return 2 * blocks * BLOCK

    return best(work)


def table_of_seven(house: str, rounds: int = 20) -> float:
    """Return the decisions a second of seven seats on the real engine, each observed by its own view."""
    table = LetItRideTable(house)
    table.reset(seed=1)

    def work() -> int:
        done = 0
        for _ in range(rounds):
            table.reset()
            while not any(table.terminations.values()):
                table.last()
                table.step(1)
                done += 1
        return done

    return best(work, 3)


def main() -> None:
    """Print one row for each, and how many times as fast as the plain environment it is."""
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, {SEATS} seats unless said otherwise")
    plain = one_seat()
    rows = {
        "plain environment": plain,
        "Gymnasium's SyncVectorEnv, 64 seats": gymnasiums("sync"),
        "NumPy, by hand": in_numpy(),
        "compiled, cards": compiled("cards", "NextStep"),
        "compiled, cards, SameStep": compiled("cards", "SameStep"),
        "compiled, classes, SameStep": compiled("classes", "SameStep"),
        "compiled, cards, SameStep, 64 seats": compiled("cards", "SameStep", 64),
        "simulation kernel, shows nothing": kernel(),
    }
    for name, rate in rows.items():
        print(f"{name:<38} {rate:14,.0f} decisions/s {rate / plain:10,.1f} x plain")
    ours = rows["compiled, cards, SameStep"]
    print(f"the compiled one is {ours / rows['NumPy, by hand']:.1f} x NumPy", end=", ")
    print(f"and {ours / rows['simulation kernel, shows nothing']:.2f} x the kernel that shows nothing")
    for house in ("nsw-1", "washington-1", "california-1"):
        print(f"{'seven seats, ' + house:<38} {table_of_seven(house):14,.0f} decisions/s")


if __name__ == "__main__":
    main()
