"""Long fuzz run: ten million commands, or as many as wanted, over the five books and ten books of a house's own.

    python -m tests.simulation.long_fuzz                       1e7 commands from the usual seed, on all processors
    python -m tests.simulation.long_fuzz --commands 1e6 --seed 7 --json

An own book is a published one with up to three keys changed. Every promise is checked after every command. Ctrl-C ends
it early and says what was done until then.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import get_context
from typing import Any

from letitride.chance.seeded import Seeded
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.simulation.fuzz import Tally, Wreck, fuzz
from tests.simulation.own_books import TABLES, combinations

SEED = 20260101
OWN = 10
PART = 20_000
"""Commands of one piece of work; its number is part of its seed."""


@cache
def own_books(seed: int) -> dict[str, TableRules]:
    """Return the own books of a seed, each by a name that says what is changed."""
    found: dict[str, TableRules] = {}
    for ref, values, rules in combinations(Seeded("own books", str(seed)), TABLES):
        changed = ", ".join(f"{key} = {value}" for key, value in values.items())
        if values:
            found.setdefault(f"{ref} with {changed}", rules)
        if len(found) == OWN:
            return found
    raise AssertionError  # there is no end of combinations


def part(book: str, seed: int, number: int, count: int) -> Tally | Wreck:
    """Throw one part of a fuzz run at a book."""
    rules = own_books(seed).get(book) or catalog.ready_rules(book)
    return fuzz(rules, count, seed * 1_000_000 + number)


@dataclass
class Weathered:
    """What the fuzz runs over one book found."""

    commands: int = 0
    accepted: int = 0
    refused: int = 0
    rounds: int = 0
    rulings: int = 0
    looks: int = 0
    """How often two worlds' views were compared or the script was followed to its end."""
    codes: Counter[str] = field(default_factory=Counter)

    def add(self, tally: Tally) -> None:
        """Count a part in."""
        self.commands += tally.commands
        self.accepted += tally.accepted
        self.refused += tally.refused
        self.rounds += tally.rounds
        self.rulings += sum(tally.rulings.values())
        self.looks += tally.view_checks + tally.script_checks
        self.codes.update(tally.codes)


def parts(books: list[str], commands: int) -> Iterator[tuple[str, int, int]]:
    """Yield book, number and size of every piece of work, book by book in turn."""
    each = -(-commands // len(books))
    for number in range(-(-each // PART)):
        for book in books:
            yield book, number, min(PART, each - number * PART)


def run(commands: int, seed: int, workers: int) -> tuple[dict[str, Weathered], str]:
    """Fuzz all books; return what was found, and the first broken promise if there was one."""
    books = [*catalog.rulebook_ids(), *own_books(seed)]
    found, began, told = {book: Weathered() for book in books}, time.monotonic(), time.monotonic()
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    try:
        work = {pool.submit(part, book, seed, number, size): book for book, number, size in parts(books, commands)}
        for one in as_completed(work):
            tally = one.result()
            if isinstance(tally, Wreck):
                return found, f"{work[one]}, seed {tally.seed}, episode {tally.episode}: {tally.what}\n{tally.record}"
            found[work[one]].add(tally)
            if time.monotonic() > told + 30:
                told = time.monotonic()
                done = sum(book.commands for book in found.values())
                sys.stderr.write(f"{told - began:,.0f} s: {done:,} of {commands:,} commands\n")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; what was done until now:\n")
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return found, ""


def main() -> int:
    """Fuzz, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=lambda text: int(float(text)), default=10_000_000, help="all together")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    began = time.monotonic()
    found, wreck = run(asked.commands, asked.seed, asked.workers)
    total = Weathered()
    for one in found.values():
        for name in ("commands", "accepted", "refused", "rounds", "rulings", "looks"):
            setattr(total, name, getattr(total, name) + getattr(one, name))
        total.codes += one.codes
    seconds = round(time.monotonic() - began, 1)
    again = f"python -m tests.simulation.long_fuzz --commands {asked.commands} --seed {asked.seed}"
    if asked.json:
        told: dict[str, Any] = {book: vars(one) for book, one in found.items()}
        print(json.dumps({"books": told, "total": vars(total), "seconds": seconds, "wreck": wreck, "again": again}))  # noqa: T201 - what was asked for
    else:
        rows = [f"{book}: {told_of(one)}" for book, one in found.items()]
        end = wreck and f"A PROMISE WAS BROKEN: {wreck}"
        rows.append(
            f"{len(found)} books: {told_of(total)}, {len(total.codes)} kinds of refusal; {end or 'every promise held'}"
        )
        print("\n".join([*rows, f"{seconds:,.0f} s; again: {again}"]))  # noqa: T201 - as above
    return bool(wreck)


def told_of(one: Weathered) -> str:
    """Return figures in words."""
    return (
        f"{one.commands:,} commands, {one.accepted:,} accepted, {one.refused:,} refused, {one.rounds:,} rounds, "
        f"{one.rulings:,} rulings, {one.looks:,} looks"
    )


if __name__ == "__main__":
    sys.exit(main())
