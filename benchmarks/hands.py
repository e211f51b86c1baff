"""Measures hand evaluation: ours beside phevaluator, pokerkit and a plain C loop, in one run, as ratios."""

from __future__ import annotations

import ctypes
import platform
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from phevaluator import evaluate_cards
from pokerkit import Card as PokerKitCard
from pokerkit import StandardLookup

from letitride.rules.cards import DECK
from letitride.rules.hands import evaluate

HANDS = 100_000
REPEATS = 3
C_SOURCE = r"""
int tens_or_better(const unsigned char *cards, int hands) {
    int paid = 0;
    for (int h = 0; h < hands; h++, cards += 5) {
        unsigned long long counts = 0; unsigned ranks = 0, suits = 0;
        for (int i = 0; i < 5; i++) {
            counts += 1ULL << (4 * (cards[i] >> 2)); ranks |= 1u << (cards[i] >> 2); suits |= 1u << (cards[i] & 3);
        }
        int kinds = __builtin_popcount(ranks), low = __builtin_ctz(ranks);
        int straight = kinds == 5 && (ranks >> low == 31 || ranks == 0x100F);
        int high_pair = kinds == 4 && (counts & 0x2222200000000ULL) != 0;
        paid += kinds < 4 || straight || (suits & (suits - 1)) == 0 || high_pair;
    }
    return paid;
}
"""


def seconds(work: Callable[[], object]) -> float:
    """Return the best time of a few runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def c_loop(hands: list[tuple[int, ...]], paid: int) -> float | None:
    """Return the time of a plain C loop that asks only whether a hand pays, or None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "hands.c", Path(folder) / "hands.so"
        source.write_text(C_SOURCE)
        subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", source, "-o", library], check=True)
        loop = ctypes.CDLL(str(library)).tens_or_better
        packed = bytes(index for hand in hands for index in hand)
        if loop(packed, len(hands)) != paid:
            raise SystemExit("the C loop and the evaluator disagree: the benchmark measures nothing")
        return seconds(lambda: loop(packed, len(hands)))


def main() -> None:
    """Print one row for each evaluator."""
    generator = random.Random(1)  # noqa: S311 - a fixed sample, not a shuffle
    indexes = [tuple(sorted(generator.sample(range(52), 5))) for _ in range(HANDS)]
    cards = [tuple(DECK[index] for index in hand) for hand in indexes]
    theirs = [next(iter(PokerKitCard.parse(str(card)))) for card in DECK]
    kit = [[theirs[index] for index in hand] for hand in indexes]
    lookup = StandardLookup()
    ours = seconds(lambda: [evaluate(hand) for hand in cards])
    rows: list[tuple[str, float | None]] = [
        ("letitride.evaluate: category and kickers, checked", ours),
        ("phevaluator.evaluate_cards: rank number", seconds(lambda: [evaluate_cards(*hand) for hand in indexes])),
        ("pokerkit StandardLookup.get_entry", seconds(lambda: [lookup.get_entry(hand) for hand in kit])),
        ("plain C, -O3: only whether the hand pays", c_loop(indexes, sum(evaluate(h).category >= 2 for h in cards))),
    ]
    print(f"Python {platform.python_version()}, {platform.machine()}, {HANDS:,} random hands, best of {REPEATS}")
    for name, taken in rows:
        if taken is None:
            print(f"{name:52} not measured: no C compiler")
        else:
            print(f"{name:52} {taken / HANDS * 1e9:9.1f} ns/hand   {ours / taken:8.2f} x ours")


if __name__ == "__main__":
    main()
