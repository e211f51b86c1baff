"""Measures the simulation in one run: the kernel beside plain C, NumPy and the engine; threads, cluster and memory."""

from __future__ import annotations

import ctypes
import json
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from engine import SEATS, Play
from letitride.analysis.vector_hands import columns
from letitride.engine import commands
from letitride.rules.catalog import ready_rules
from letitride.simulation import game as g
from letitride.simulation.cluster import connected, on_cluster
from letitride.simulation.game import Game
from letitride.simulation.jobs import processors
from letitride.simulation.meters import folded, opened
from letitride.simulation.plan import Plan, plan, stakes_of
from letitride.simulation.run import count, rounds_job, simulate
from letitride.simulation.tallies import Tallies, counted, in_units

HERE = Path(__file__).parent
TIMES = 5
# Read on 2026-11-15 in the project's own performance guide; not measured here.
PUBLISHED = "github.com/ChrisHenryOC/let_it_ride (Python), docs: about 38,000 hands a second, 120,000 on four workers"


def best(work: Callable[[], object], times: int = TIMES) -> float:
    """Return the shortest time of several."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


class PlainC:
    """The same work in C, compiled on the spot."""

    def __init__(self, game: Game, folder: Path) -> None:
        self.game = game
        library = folder / f"simulation-{game.seats}-{int(game.sides)}.so"
        defines = [f"-DSEATS={game.seats}", f"-DSIDES={int(game.sides)}"]
        compiler = shutil.which("cc") or sys.exit("a C compiler is needed to measure against")
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, *defines, "-o", str(library), str(HERE / "simulation.c")], check=True)
        self.tally = ctypes.CDLL(str(library)).tally

    def count(self, seed: int, blocks: int) -> Tallies:
        """Count blocks of rounds."""
        game = self.game
        cells, threes = np.zeros((2, 64), np.int64), np.zeros((2, 8), np.int64)
        best_hands, squares = np.zeros(16, np.int64), np.zeros((2, 3), np.int64)
        nets, units = in_units(game)
        self.tally(
            *map(_pointer, (g.card_words(), game.packets, game.outcomes, g.FLUSHES, g.PACKET_REJECTS)),
            ctypes.c_uint32(int(g.COMMUNITY_REJECTS[game.seats])),
            *map(_pointer, nets),
            ctypes.c_uint64(seed),
            ctypes.c_uint64(blocks),
            *map(_pointer, (cells, threes, best_hands, squares)),
        )
        return counted(game, blocks * g.BLOCK, (cells, threes, best_hands, squares), units)


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def beside_c(name: str, game: Game, blocks: int, folder: Path) -> float:
    """Measure kernel and C in turn, on one core, and check that they count the same; return ns a hand."""
    c, rounds = PlainC(game, folder), blocks * g.BLOCK
    if c.count(1, 64).as_data() != count(game, 1, (0, 64 * g.BLOCK)).as_data():
        sys.exit(f"the benchmark measures nothing: kernel and C differ on {name}")
    pairs = [(best(lambda: count(game, 1, (0, rounds)), 1), best(lambda: c.count(1, blocks), 1)) for _ in range(TIMES)]
    ours, theirs = (min(times) / rounds / game.seats * 1e9 for times in zip(*pairs, strict=True))
    print(f"{name:<28} {ours:7.2f} ns a hand, plain C {theirs:7.2f}: ratio {ours / theirs:.2f}; {1e3 / ours:,.0f} M/s")
    return ours


def own_wagers(folder: Path, *, meters: bool = False, extends: str = "nsw-1") -> Path:
    """Write a book that offers the example wagers without a meter, or those with one; return its path."""
    files = sorted((HERE.parent / "examples" / "wagers").glob("*.toml"))
    wagers = [str(file) for file in files if ("[meter]" in file.read_text(encoding="utf-8")) == meters]
    book = folder / f"own-{meters}-{extends}.toml"
    text = f'id = "own"\ntitle = "Own"\nextends = "{extends}"\nwagers = {json.dumps(wagers)}\n'
    text += '[rules]\nodds.wording = ["to", "win"]\n'
    book.write_text(text, encoding="utf-8")
    return book


def beside_base(name: str, game: Game, base: Game, blocks: int) -> None:
    """Measure a game and the base game in turn, on one core."""
    rounds = blocks * g.BLOCK
    pairs = [tuple(best(lambda one=one: count(one, 1, (0, rounds)), 1) for one in (game, base)) for _ in range(TIMES)]
    ours, plain = (min(times) / rounds / game.seats * 1e9 for times in zip(*pairs, strict=True))
    print(f"{name:<28} {ours:7.2f} ns a hand, {ours / plain:.2f} times the base game; {1e3 / ours:,.0f} M/s")


def fold_rate(progressive: Plan, rounds: int = 4_000_000) -> float:
    """Return how long a hit takes to be reckoned, in millionths of a second."""
    (metered,) = progressive.meters
    hits = simulate(progressive.game, 1, rounds, processors()).hits[metered.wager.id]
    return best(lambda: folded(metered, opened(metered), hits, rounds)) / len(hits) * 1e6


def numpy_rate(seats: int, rounds: int = 20_000) -> float:
    """Return ns a hand of a vectorised simulation that only deals and names hands."""
    random = np.random.default_rng(1)

    def work() -> None:
        decks = random.permuted(np.broadcast_to(np.arange(52), (rounds, 52)), axis=1)
        community = decks[:, 3 * seats : 3 * seats + 2]
        for seat in range(seats):
            columns(np.hstack([decks[:, 3 * seat : 3 * seat + 3], community]))

    return best(work, 3) / rounds / seats * 1e9


def engine_rate(rounds: int = 60) -> float:
    """Return ns a hand of rounds played at the real table."""
    table = Play("washington-1")
    for seat in SEATS:
        table.do(commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=10**11))
    table.rounds(1)
    return best(lambda: table.rounds(rounds), 1) / rounds / 7 * 1e9


def scaling(game: Game) -> None:
    """Show one thread and several, and cluster workers."""
    rounds = 20_000_000
    alone = best(lambda: simulate(game, 1, rounds, 1), 3)
    both = best(lambda: simulate(game, 1, rounds, processors()), 3)
    print(f"threads: {processors()} are {alone / both:.2f} times as fast as one")
    from distributed import LocalCluster

    times = {}
    for workers in (1, 2):
        with (
            LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
            connected(cluster.scheduler_address) as client,
        ):
            job = rounds_job(game, 1, rounds)
            times[workers] = best(lambda job=job, client=client: sum(1 for _ in on_cluster(job, 0, client)), 3)
    print(f"cluster: two workers are {times[1] / times[2]:.2f} times as fast as one, on {processors()} processors")


def memory(game: Game) -> None:
    """Show that memory does not grow with the rounds."""
    used = []
    for rounds in (2_000_000, 100_000_000):
        simulate(game, 1, rounds, processors())
        used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(f"memory: {used[0]:.0f} MB at most after 2 million rounds, {used[1]:.0f} MB after 100 million")


def main() -> None:
    """Measure everything."""
    print(f"{platform.machine()}, {processors()} processors, Python {platform.python_version()}")
    tables = {ref: ready_rules(ref) for ref in ("nsw-1", "washington-1")}
    one, seven, every = (
        plan(tables[ref], seats, stakes_of(tables[ref])).game
        for ref, seats in (("nsw-1", 1), ("nsw-1", 7), ("washington-1", 7))
    )
    with tempfile.TemporaryDirectory() as folder:
        beside_c("one seat, base game", one, 20_000, Path(folder))
        beside_c("seven seats, base game", seven, 4_000, Path(folder))
        ours = beside_c("seven seats, every bet", every, 4_000, Path(folder))
        house = ready_rules(str(own_wagers(Path(folder))))
        wagers = f"seven seats, {len(house.sides)} own wagers"
        beside_base(wagers, plan(house, 7, stakes_of(house)).game, seven, 4_000)
        fed = ready_rules(str(own_wagers(Path(folder), meters=True)))
        progressive = plan(fed, 7, stakes_of(fed))
        beside_base("seven seats, a progressive", progressive.game, seven, 4_000)
        print(f"{'folding its meter':<28} {fold_rate(progressive):7.2f} µs a hit")
    for name, theirs in (("NumPy, names only", numpy_rate(7)), ("the engine, every bet", engine_rate())):
        print(f"{name:<28} {theirs:10,.0f} ns a hand: the kernel is {theirs / ours:,.0f} times as fast")
    print(f"published elsewhere: {PUBLISHED}")
    scaling(every)
    memory(every)


if __name__ == "__main__":
    main()
