"""Effect: whether the tests marked with a clause kill a mutant of the code that carries it out.

Reads what happened to the marked tests (`pytest --clause-results`) and writes, for each clause, the mutant that was
killed and the test that killed it. A mutant that breaks the plain rounds at the test's table too is hollow: it makes
any test fail and proves no clause.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.mutation import reach as reaches
from tests.mutation.carriers import DataMutant, carriers
from tests.mutation.fresh import Zygote
from tests.mutation.live import Live
from tests.mutation.mutants import Mutant
from tests.mutation.pool import Job, Pool, with_tests

if TYPE_CHECKING:
    from letitride.rules.clauses import Clause

TRIES_MAX = 120
"""Mutants tried for one clause."""
PROGRESS_SECONDS = 20.0
PLAIN_ROUNDS = "tests/clauses/test_plain_rounds.py"


@dataclass(slots=True, eq=False)
class Try(Job):
    """A mutant of a clause's code, with the clause's tests."""

    chain: Chain | None = None
    name: str = ""
    killer: str = ""
    """The test that killed it, where that test is now run on the code as it is, or plain rounds are on the mutant."""
    origin: Try | None = None
    """What killed the mutant: a plain round is run on it in the same way."""
    controls: tuple[tuple[str, ...], ...] | None = None
    """The plain rounds that are left to be run on the mutant where these are broken."""


class Controls:
    """The plain rounds that a mutant has to leave as they are, by the table at which a test is played."""

    def __init__(self, items: Iterable[str], tests: Iterable[dict[str, Any]], documents: Mapping[str, str]) -> None:
        self.books = {document: book for book, document in documents.items()}
        self.rounds: dict[str, list[str]] = defaultdict(list)
        for item in items:
            if item.startswith(f"{PLAIN_ROUNDS}::"):
                self.rounds[item.partition("[")[2].removesuffix("]")].append(item)
        self.tables = {test["test"]: test["book"] or "" for test in tests}

    def of(self, clause: Clause, test: str) -> tuple[tuple[str, ...], ...]:
        """Return groups of plain rounds, of which a mutant has to leave one whole.

        What is ruled when something goes wrong has no part in a plain round: all of them stay as they are. What is
        done in every round may be broken in some of them, but not in each. Where each has it by the clause's own
        book, the row names a table that does without: all rounds there stay as they are.
        """
        if clause.without:
            assert clause.without in self.rounds, f"{clause.id}: expected a table with plain rounds in 'without'"
            return (tuple(self.rounds[clause.without]),)
        tables = self.tables.get(test, ""), self.tables.get(test, "").partition("+")[0], self.books[clause.document]
        rounds = next(self.rounds[table] for table in tables if table in self.rounds)
        return (tuple(rounds),) if clause.rulings else tuple((one,) for one in rounds)


class Chain:
    """The mutants of one clause, tried one after the other until one is killed."""

    def __init__(self, clause: Clause, tests: list[str], reach: reaches.Reach, controls: Controls) -> None:
        self.clause, self.tests, self.reach, self.controls = clause, tests, reach, controls
        self.tried = self.hollow = 0
        self.distrusted: set[str] = set()
        self.killed: dict[str, str] | None = None
        self.steps = self._steps()

    def _steps(self) -> Iterator[Try]:
        for mutant in carriers(self.clause):
            tests = self._that_reach(mutant)
            if tests:
                self.tried += 1
                yield self.of(mutant, tests)
            if self.tried >= TRIES_MAX:
                return

    def _that_reach(self, mutant: Mutant | DataMutant) -> list[str]:
        left = [test for test in self.tests if test not in self.distrusted]
        if isinstance(mutant, DataMutant) or mutant.scope.top is None:
            return left
        known = set(self.reach.tests_of(mutant))
        return [test for test in left if test in known or test not in self.reach.seconds]

    def of(self, mutant: Mutant | DataMutant, tests: list[str]) -> Try:
        """Return the try of one mutant."""
        if isinstance(mutant, DataMutant):
            return Try(tests, put=mutant.put, chain=self, name=mutant.name)
        if mutant.scope.top is None:
            return Try(tests, fresh=(mutant.module, mutant.name), chain=self, name=mutant.name)
        return Try(tests, put=lambda live: live.put(mutant), chain=self, name=mutant.name)


class Proof:
    """Tries every clause."""

    def __init__(self, pool: Pool, chains: list[Chain]) -> None:
        self.pool, self.chains = pool, chains
        self.trusted: set[str] = set()

    def run(self) -> None:
        """Try each clause until a mutant of it is killed or none is left."""
        left, waiting = iter(self.chains), list[Chain | Try]()
        told, start = time.monotonic(), time.monotonic()
        while True:
            while not self.pool.is_full:
                one = waiting.pop() if waiting else next(left, None)
                if one is None:
                    break
                job = next(one.steps, None) if isinstance(one, Chain) else one
                if job is not None:
                    self.pool.start(job)
            if not self.pool.at_work:
                return
            for job in self.pool.ended():
                assert isinstance(job, Try)
                waiting += self._judged(job)
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                done = sum(chain.killed is not None for chain in self.chains)
                print(f"effect: {done} of {len(self.chains)} in {told - start:.0f} s", file=sys.stderr, flush=True)

    def _judged(self, job: Try) -> list[Chain | Try]:
        verdict, test = job.verdict
        chain = job.chain
        assert chain is not None
        if job.controls is not None:
            return self._controlled(job, whole=verdict == "survived")
        if job.killer:
            if verdict != "survived":
                chain.distrusted.add(job.killer)
                print(f"effect: {job.killer} fails without a mutant and is left out", file=sys.stderr, flush=True)
                return [chain]
            self.trusted.add(job.killer)
            return [_control(job.origin or job, job.killer)]
        if verdict == "survived":
            return [chain]
        if verdict == "unfit":
            return [Try(job.tests, fresh=(job.name.partition(":")[0], job.name), chain=chain, name=job.name)]
        if verdict == "begun" or test in self.trusted or test not in chain.tests:
            return [_control(job, test)]
        fresh = (job.fresh[0], None) if job.fresh else None
        return [Try([test], fresh=fresh, chain=chain, name=job.name, killer=test, origin=job)]

    def _controlled(self, job: Try, *, whole: bool) -> list[Chain | Try]:
        """Count a mutant as killed where it leaves plain rounds as they are; else it is hollow, and the next is tried."""
        chain = job.chain
        assert chain is not None
        if whole:
            chain.killed = {"mutant": job.name, "by": job.killer}
            return []
        if job.controls:
            return [_control(job, job.killer, job.controls)]
        chain.hollow += 1
        return [chain]


def _control(job: Try, killer: str, left: tuple[tuple[str, ...], ...] | None = None) -> Try:
    """Return the run of plain rounds on a mutant that a test has killed."""
    chain = job.chain
    assert chain is not None
    rounds, *more = chain.controls.of(chain.clause, killer) if left is None else left
    return Try(list(rounds), job.put, job.fresh, chain=chain, name=job.name, killer=killer, controls=tuple(more))


def _taken_over(name: str) -> bool:
    """Whether a clause takes over others, whose proof by effect is its own."""
    from letitride.rules import catalog, clauses  # noqa: PLC0415 - not before the other process is forked

    register = catalog.register()
    return any(parent.provable for parent in clauses.inherited(register[name], register.values()))


def main() -> None:
    """Prove clauses by effect and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("marked", type=Path, help="what happened to the marked tests")
    parser.add_argument("target", type=Path, help="where to write what was found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--clause", action="append", help="only this clause, or those that begin so")
    wanted = parser.parse_args()
    tests = json.loads(wanted.marked.read_text(encoding="utf-8"))
    zygote = Zygote()
    reach = reaches.load()
    found: dict[str, Any] = {}

    def work(live: Live) -> None:
        from letitride.rules import catalog  # noqa: PLC0415 - not before the other process is forked

        documents = {book: catalog.rulebook(book).document for book in catalog.rulebook_ids()}
        controls = Controls(live.items, tests, documents)
        marked = defaultdict(list)
        for test in tests:
            if test["passed"] and not test["failed"] and test["test"] in live.items:
                for clause in test["clauses"]:
                    marked[clause].append(test["test"])
        chains = [
            Chain(
                catalog.clause(name), sorted(marked[name], key=lambda one: reach.seconds.get(one, 1.0)), reach, controls
            )
            for name in catalog.register()
            if marked[name]
            and not _taken_over(name)
            and (not wanted.clause or any(name.startswith(start) for start in wanted.clause))
        ]
        with Pool(live, zygote, reach.seconds, wanted.jobs) as pool:
            Proof(pool, chains).run()
        found.update(
            {one.clause.id: {"tried": one.tried, "hollow": one.hollow, **(one.killed or {})} for one in chains}
        )

    files = {test["test"].partition("::")[0] for test in tests} | {PLAIN_ROUNDS}
    with_tests(sorted(files), work, "-m", "clause or plain_round")
    wanted.target.write_text(json.dumps(found, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
