"""Measure the GPU back end: hands a second, and tallies to compare with the CPU's for the same seed.

    python benchmarks/gpu.py pack FOLDER        write the games to measure, on a machine with letitride installed
    python benchmarks/gpu.py run FOLDER         run them; needs NumPy, CuPy and a CUDA device alone
    python benchmarks/gpu.py check FOLDER       count the same rounds on the CPU and compare
    python benchmarks/gpu.py meters FOLDER      compare meters alone, GPU and CPU, on a machine that has all of it

The three steps may be on three machines: FOLDER carries games there and tallies back. `meters` is one step.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from letitride.simulation.plan import Plan

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

CHECK_ROUNDS = 100_000_000
LONG_ROUNDS = 20_000_000_000
SEED = 1
METER_ROOM = 1
"""No more room for hits than a block may need: a launch comes in parts."""
OWN = "own"
PROGRESSIVE = "progressive"
LISTED_PROGRESSIVE = "listed progressive"
"""The same beside another bet on five cards: its hands are told by tables."""
METERS = {PROGRESSIVE: "nsw-1", LISTED_PROGRESSIVE: "washington-1"}
GAMES = {
    "seven-seats-all-bets": ("washington-1", 7),
    "seven-seats-base": ("nsw-1", 7),
    "one-seat-base": ("nsw-1", 1),
    "seven-seats-own-wagers": (OWN, 7),
    "seven-seats-progressive": (PROGRESSIVE, 7),
    "seven-seats-listed-progressive": (LISTED_PROGRESSIVE, 7),
}


def pack(folder: Path) -> None:
    """Write the games as plain arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (book, seats) in GAMES.items():
        np.savez(folder / f"{name}.npz", **_plan(book, seats).game.arrays())


def _plan(book: str, seats: int) -> Plan:
    from letitride.rules import catalog
    from letitride.simulation.plan import plan, stakes_of
    from simulation import own_wagers

    if book == OWN or book in METERS:
        with TemporaryDirectory() as folder:
            extends = METERS.get(book, "nsw-1")
            table = catalog.ready_rules(str(own_wagers(Path(folder), meters=book in METERS, extends=extends)))
    else:
        table = catalog.table_rules(book, {"base.paytable": "LIRB-06"} if book == "washington-1" else {})
    return plan(table, seats, stakes_of(table))


def run(folder: Path) -> None:
    """Time every game for some seconds, and keep the tallies of the rounds to check."""
    from letitride.simulation.game import Game
    from letitride.simulation.gpu import CHUNK, device, on_gpu
    from letitride.simulation.jobs import chunks_of  # no more of letitride than needs NumPy alone
    from letitride.simulation.tallies import nothing

    print(device())
    found = {}
    for name in GAMES:
        game = Game.from_arrays(dict(np.load(folder / f"{name}.npz")))
        total = nothing()
        for _, part in on_gpu(game, SEED, chunks_of(CHECK_ROUNDS, CHUNK)):  # compiles and warms up
            total += part
        rates = []
        for _ in range(3):
            long, start = nothing(), time.perf_counter()
            for _, part in on_gpu(game, SEED, chunks_of(LONG_ROUNDS, CHUNK)):
                long += part
            rates.append(long.rounds * game.seats / (time.perf_counter() - start))
        long.hits.clear()  # millions: those of the rounds to check are enough to compare
        found[name] = {"tallies": total.as_data(), "long": long.as_data(), "hands_a_second": max(rates)}
        shown = ", ".join(f"{rate / 1e9:.1f}" for rate in rates)
        print(f"{name}: {shown} billion hands a second ({max(rates) / game.seats / 1e9:.2f} billion rounds)")
    (folder / "gpu.json").write_text(json.dumps(found), encoding="utf-8")


def check(folder: Path) -> None:
    """Count the same rounds on this machine's CPU, and set the long run beside the exact values."""
    from letitride.simulation.figures import verdict, wager_figures
    from letitride.simulation.game import Game
    from letitride.simulation.jobs import processors
    from letitride.simulation.run import simulate
    from letitride.simulation.tallies import Tallies

    for name, kept in json.loads((folder / "gpu.json").read_text(encoding="utf-8")).items():
        game = Game.from_arrays(dict(np.load(folder / f"{name}.npz")))
        same = simulate(game, SEED, CHECK_ROUNDS, processors()).as_data() == kept["tallies"]
        print(f"{name}: {CHECK_ROUNDS:,} rounds, GPU and CPU tallies {'equal' if same else 'DIFFER'}")
        wagers = wager_figures(_plan(*GAMES[name]), Tallies.from_data(kept["long"]))
        shown = ", ".join(f"{one.wager} {one.mean:+.7f} ± {one.se:.7f} (z {one.z:+.2f})" for one in wagers)
        said = "consistent" if verdict(wagers).consistent else "NOT consistent"
        print(f"  {LONG_ROUNDS:,} rounds on the GPU, {said} with the exact values: {shown}")
        if not same:
            sys.exit(1)


def meters(folder: Path) -> None:
    """Count rounds of progressives on GPU and CPU, in whole launches and in parts, and compare what came of them."""
    from letitride.simulation.gpu import CHUNK, HITS, device, on_gpu
    from letitride.simulation.jobs import processors
    from letitride.simulation.run import rounds_job, simulate

    folder.mkdir(parents=True, exist_ok=True)
    print(device())
    for name, (book, seats) in GAMES.items():
        if book not in METERS:
            continue
        one = _plan(book, seats)
        wanted = simulate(one.game, SEED, CHECK_ROUNDS, processors(), one.meters).as_data()
        (folder / f"{name}.json").write_text(json.dumps(wanted), encoding="utf-8")
        for room in (HITS, METER_ROOM):
            job = rounds_job(one.game, SEED, CHECK_ROUNDS, CHUNK, one.meters)
            total, parts, start = job.begin(), 0, time.perf_counter()
            for _, part in on_gpu(one.game, SEED, job.chunks(), room):
                total, parts = job.add(total, part), parts + 1
            same = total.as_data() == wanted
            said = "equal" if same else "DIFFER"
            hits = sum(sum(tally.hits) for tally in total.meters.values())
            print(f"{name}: {CHECK_ROUNDS:,} rounds in {parts} parts, {hits:,} hits, GPU and CPU {said}", end="")
            print(f"; {time.perf_counter() - start:.1f} s")
            if not same:
                sys.exit(1)


STEPS = {"pack": pack, "run": run, "check": check, "meters": meters}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in STEPS:
        sys.exit(__doc__)
    STEPS[sys.argv[1]](Path(sys.argv[2]))
