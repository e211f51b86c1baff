"""Campaign: tries mutants and says of each whether a test noticed; it changes no file.

Tests that killed a mutant of the same function before come first. A test that kills is once run on the code as it is:
one that fails there too is not asked again.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from tests.mutation.mutants import CAP_SECONDS, Mutant
from tests.mutation.pool import Job, Pool
from tests.mutation.reach import Reach, top_name
from tests.mutation.relevance import Relevance

KILLED, SURVIVED, CAPPED, UNREACHED, TIMEOUT = "killed", "survived", "survived (capped)", "unreached", "timeout"
GOOD = {KILLED, TIMEOUT}
CLOSE_FIRST = 8
"""Tests that are closest to a mutant and come first."""
WIDE_NEXT = 4
"""Tests that reach the most and come next: what they compare is wide."""
FRESH_TESTS_MAX = 150
"""More tests than that are not run on a mutant that needs an import of its own: their files take long to load."""
FRESH_FILES_FIRST = 2
"""Test files that are loaded for such a mutant at first; the others only where it survives these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a mutant."""

    mutant: str
    module: str
    line: int
    operator: str
    result: str
    by: str = ""
    """The test that killed it."""
    tests: int = 0
    """How many tests were to be run."""
    seconds: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return it as a row of the results."""
        return asdict(self)


@dataclass(slots=True, eq=False)
class Try(Job):
    """A mutant, with the tests that are run on it."""

    mutant: Mutant | None = None
    capped: bool = False
    later: tuple[str, ...] = ()
    """The tests that are run on it where it survives these."""
    killer: str = ""
    """The test that killed it, where that test is now run on the code as it is."""


class Campaign:
    """Tries mutants one after the other."""

    def __init__(self, pool: Pool, reach: Reach, cap: float = CAP_SECONDS) -> None:
        self.pool, self.reach, self.cap = pool, reach, cap
        self.kills: dict[str, Counter[str]] = defaultdict(Counter)
        self.trusted: set[str] = set()
        self.distrusted: set[str] = set()
        self.waiting: deque[Try] = deque()
        self.relevance = Relevance(pool.live.items)

    def learn(self, mutant: Mutant, by: str) -> None:
        """Remember which test killed a mutant: it is likely to kill others near it."""
        self.kills[_where(mutant)][by] += 1
        self.kills[mutant.module][by] += 1

    def results(self, mutants: Iterable[Mutant], goes_on: Callable[[], bool] = lambda: True) -> Iterator[Result]:
        """Yield what comes of each mutant, as soon as it is known."""
        left = iter(mutants)
        while True:
            while not self.pool.is_full:
                if self.waiting:
                    self.pool.start(self.waiting.popleft())
                elif goes_on() and (mutant := next(left, None)) is not None:
                    first = self._first(mutant)
                    if first is None:
                        yield _result(mutant, UNREACHED)
                    else:
                        self.pool.start(first)
                else:
                    break
            if not self.pool.at_work:
                return
            for job in self.pool.ended():
                assert isinstance(job, Try)
                result = self._judged(job)
                if result is not None:
                    yield result

    def _first(self, mutant: Mutant) -> Try | None:
        if mutant.scope.top is None:
            return self._planned(mutant, self.reach.tests_of(mutant), fresh=True)
        return self._planned(mutant, self.reach.tests_of(mutant), fresh=False) or self._planned(
            mutant, self.reach.tests_of_import(mutant), fresh=True
        )

    def _planned(self, mutant: Mutant, tests: Iterable[str], *, fresh: bool) -> Try | None:
        """Return a try of a mutant: the tests most likely to kill it first, as many as the cap allows."""
        known = [test for test in tests if test in self.pool.live.items and test not in self.distrusted]
        own = {*self.reach.own_tests(mutant.module)}
        near, wide, scores = self.kills[_where(mutant)], self.kills[mutant.module], self.relevance.scores(mutant)

        def worth(test: str) -> tuple[int, float]:
            likely = (2 + scores[test]) * (1 + wide[test])
            # Of the tests of another module one case comes before the second; of its own all are likely.
            likely *= 100 if test in own else 1 / (1 + self.reach.variants[test])
            return -near[test], -likely / (self.reach.seconds[test] + 0.01)

        known.sort(key=worth)
        wide_ranging = sorted(known[CLOSE_FIRST:], key=self.reach.price_of_breadth)[:WIDE_NEXT]
        known = list(dict.fromkeys([*known[:CLOSE_FIRST], *wide_ranging, *known]))
        chosen, spent = list[str](), 0.0
        for test in known:
            spent += self.reach.seconds[test]
            if chosen and (spent > self.cap or (fresh and len(chosen) == FRESH_TESTS_MAX)):
                break
            chosen.append(test)
        if not chosen:
            return None
        return self._try(mutant, chosen, fresh=fresh, capped=len(chosen) < len(known))

    def _try(self, mutant: Mutant, tests: list[str], *, fresh: bool, capped: bool, killer: str = "") -> Try:
        later: list[str] = []
        if fresh and not killer:
            files = list(dict.fromkeys(map(_file, tests)))[:FRESH_FILES_FIRST]
            later = [test for test in tests if _file(test) not in files]
            tests = [test for test in tests if _file(test) in files]
        return Try(
            tests,
            put=None if killer else lambda live: live.put(mutant),
            fresh=(mutant.module, None if killer else mutant.name) if fresh else None,
            mutant=mutant,
            capped=capped,
            later=tuple(later),
            killer=killer,
        )

    def _judged(self, job: Try) -> Result | None:
        """Return what came of a mutant, or None where another try is needed."""
        mutant, (verdict, test) = job.mutant, job.verdict
        assert mutant is not None
        if job.killer:
            return self._judged_killer(job, mutant, passed=verdict == "survived")
        again: Try | None = None
        match verdict:
            case "killed" if test in self.trusted or test not in self.pool.live.items:
                return self._killed(job, mutant, test)
            case "killed":
                again = self._try(mutant, [test], fresh=job.fresh is not None, capped=job.capped, killer=test)
            case "unfit":
                again = self._planned(mutant, self.reach.tests_of(mutant), fresh=True)
            case "survived" if not job.fresh:
                again = self._planned(mutant, self.reach.tests_of_import(mutant), fresh=True)
            case "survived":
                again = self._again(job, mutant)
            case _:
                return _result(mutant, TIMEOUT, job, test)
        if again is None:
            return _result(mutant, CAPPED if job.capped else SURVIVED, job)
        again.started, again.capped = job.started, again.capped or job.capped
        self.waiting.append(again)
        return None

    def _again(self, job: Try, mutant: Mutant) -> Try | None:
        """Return the try of the tests that were left for later, all of them at once."""
        if not job.later:
            return None
        return Try(list(job.later), fresh=job.fresh, mutant=mutant, capped=job.capped)

    def _judged_killer(self, job: Try, mutant: Mutant, *, passed: bool) -> Result | None:
        """Believe a test that killed a mutant if it passes on the code as it is; else ask the others."""
        if passed:
            self.trusted.add(job.killer)
            return self._killed(job, mutant, job.killer)
        if job.killer not in self.distrusted:
            print(f"mutate: {job.killer} fails without a mutant and is left out", file=sys.stderr, flush=True)
        self.distrusted.add(job.killer)
        again = self._first(mutant)
        if again is None:
            return _result(mutant, UNREACHED)
        self.waiting.append(again)
        return None

    def _killed(self, job: Try, mutant: Mutant, by: str) -> Result:
        self.learn(mutant, by)
        return _result(mutant, KILLED, job, by)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _where(mutant: Mutant) -> str:
    return f"{mutant.module}:{top_name(mutant) if mutant.scope.top else mutant.function}"


def _result(mutant: Mutant, result: str, job: Try | None = None, by: str = "") -> Result:
    return Result(
        mutant=mutant.name,
        module=mutant.module,
        line=mutant.line,
        operator=mutant.change.operator,
        result=result,
        by=by,
        tests=len(job.tests) if job else 0,
        seconds=round(time.monotonic() - job.started, 2) if job else 0.0,
    )
