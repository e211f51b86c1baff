"""Live shuffles: the deck tests on as many decks as wanted, each made by house and seats as a live table makes it.

`python benchmarks/live_shuffles.py 1e7` takes all processors; the chance is the operating system's, so no run repeats
another. Exit code 0: consistent with chance at 99 % over all ten tests; 1: twice not.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from letitride.chance.fair import Fair, close, throw
from letitride.chance.live import Live
from letitride.chance.secret import draw
from letitride.chance.shares import Reveal, ShuffleId, pledge
from letitride.rules.cards import FACES
from letitride.simulation.shuffle_tests import Decks, Family, deck_tests

BLOCK = 10_000
_INDEX = {face: number for number, face in enumerate(FACES)}


def made(first: int) -> Decks:
    """Return a block of decks: two seats reveal, a cut and the dice come between, as the rules may have them."""
    live = Live()
    found = np.empty((BLOCK, 52), np.uint8)
    for at in range(BLOCK):
        shuffle = ShuffleId("long", first + at + 1)
        reveals = (Reveal(1, live.secret(32)), Reveal(2, live.secret(32)))
        links = tuple(one.link for one in reveals)
        secret = draw(shuffle)
        commitment = close(secret, [pledge(shuffle, one) for one in reveals], [1 + live.below(51)], dice=1)
        dice = throw(secret, commitment, links)
        found[at] = [_INDEX[face] for face in Fair(secret, commitment, reveals, links, (dice,)).order]
    return found


def sample(decks: int, workers: int) -> Family:
    """Make so many decks, and test them together."""

    def blocks() -> Iterator[Decks]:
        start, done = time.monotonic(), 0
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            for block in pool.map(made, range(0, decks, BLOCK)):
                done += len(block)
                if not done % (100 * BLOCK):
                    print(f"{done:,} decks after {time.monotonic() - start:,.0f} s", flush=True)
                yield block

    return deck_tests(blocks())


def main() -> int:
    """Test, once more where it fails, and print each test."""
    decks = int(float(sys.argv[1])) if sys.argv[1:] else 100_000
    workers = int(sys.argv[2]) if sys.argv[2:] else len(os.sched_getaffinity(0))
    for _ in range(2):
        start = time.monotonic()
        found = sample(decks, workers)
        for test in found.tests:
            print(f"{test.name:<28} {test.sample:>12,} {test.unit:<12} p = {test.p_value:.4f}")
        said = "consistent with chance" if found.consistent else "NOT consistent with chance"
        print(f"{decks:,} decks, {said} (p limit {found.p_limit:.4f}), {time.monotonic() - start:,.0f} s")
        if found.consistent:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
