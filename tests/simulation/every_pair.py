"""Every pair: each pair of keys of each published book at each pair of their values is refused, or dealt to the end.

    python -m tests.simulation.every_pair --jobs 16 --out pairs.json
    python -m tests.simulation.every_pair --jobs 16 --out plain.json --undisturbed    # no irregularities

Amounts and lists are sampled (`own_books.other_values`, `OTHERS` below), all other values are tried. A pair is refused
where the checks of a rule book refuse it; else every scenario of `autoplay.trial_rounds` is dealt by it, undisturbed
rounds and irregularities. A scenario is not dealt again where one was dealt that read the same values of the same keys
(`autoplay/read_keys.py`): then it can only come to the same. A pair of which every scenario was known so is
counted as alike. What is left when the time is over is said, and done by the next run with the same `--out`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from letitride.autoplay.read_keys import Known, Reads, with_reader
from letitride.autoplay.trial_rounds import SCENARIOS, UNDISTURBED
from letitride.chance.seeded import Seeded
from letitride.engine.promises import PromiseBroken
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.checks import find_faults
from letitride.rules.frozen import Frozen
from letitride.rules.keys import FeeTier, Rules
from letitride.rules.keyspec import KEYS
from letitride.rules.table_rules import TableRules, resolve
from letitride.rules.words import show_value
from tests.simulation.key_values import other_values

TIERS = (FeeTier(limit_cents_max=10_000, wager_cents=50, bank_cents=200),)
SLICES = 4
"""The pairs of one key are done in so many tasks."""
Change = tuple[str, Any]
Task = tuple[str, int, int]
Found = list[tuple[str, Any, Reads, str]]
"""What was dealt: the scenario, the wagers' paytables, the values that were read, and what was wrong."""


@dataclass
class Book:
    """A published book, its keys with their other values, and what is known of rounds dealt by it."""

    ref: str
    undisturbed: bool = False
    """Whether only rounds are dealt in which nothing goes wrong."""
    known: dict[tuple[str, Any], Known[str]] = field(default_factory=dict)

    @cached_property
    def rules(self) -> TableRules:
        return catalog.ready_rules(self.ref)

    @cached_property
    def values(self) -> dict[str, Any]:
        return {name: spec.read(self.rules.rules) for name, spec in KEYS.items()}

    @cached_property
    def changes(self) -> list[list[Change]]:
        return [[(name, value) for value in other_values(spec, self.values[name])] for name, spec in KEYS.items()]

    def changed(self, *changes: Change) -> TableRules | None:
        """Return the table's rules with values changed, or None where the book is refused with them."""
        values = _changed(self.rules.rules, *changes)
        if values.fee.kind == "flat" and values.fee.tiers is None:  # a table states it
            values = _changed(values, ("fee.tiers", TIERS))
        if next(find_faults(values), None) is not None:
            return None
        # Its own values are no part of this, nor are variants and options of the book.
        book = replace(self.rules.book, rules=values, variants=Frozen({}), options=Frozen({}))
        try:
            return resolve(book, catalog.paytable)
        except InvalidData:
            return None

    def deal(self, rules: TableRules, *changes: Change) -> tuple[str, Found]:
        """Deal by changed rules whatever is not known; return what is wrong, or '', and what was dealt."""
        wrong, dealt = "", []
        offered = tuple(rules.paytables.items())
        values = rules.rules
        read = {**self.values, "fee.tiers": values.fee.tiers, **dict(changes)}.__getitem__
        for name, scenario in SCENARIOS.items():
            if self.undisturbed and name not in UNDISTURBED:
                continue
            known = self.known.setdefault((name, offered), Known[str]())
            found = known.find(read)
            if found is None:
                noted, reads = with_reader(rules, values)
                try:
                    scenario(noted)
                    found = ""
                except PromiseBroken as broken:
                    found = str(broken)
                known.add(reads, found)
                dealt.append((name, offered, reads, found))
            if found and not wrong:
                wrong = f"{name}: {found}"
        return wrong, dealt

    def learn(self, found: Found) -> None:
        """Take over what another process has dealt."""
        for name, offered, reads, wrong in found:
            self.known.setdefault((name, offered), Known[str]()).add(reads, wrong)


def _changed(rules: Rules, *changes: Change) -> Rules:
    for name, value in changes:
        section, _, key = name.rpartition(".")
        if section in rules.wagers:
            terms = {**rules.wagers, section: msgspec.structs.replace(rules.wagers[section], **{key: value})}
            rules = msgspec.structs.replace(rules, wagers=terms)
        elif section:
            part = msgspec.structs.replace(getattr(rules, section), **{key: value})
            rules = msgspec.structs.replace(rules, **{section: part})
        else:
            rules = msgspec.structs.replace(rules, **{key: value})
    return rules


BOOKS: dict[str, Book] = {}
"""By their ids; a process that is forked has what its parent knew."""


def pairs(book: Book, first: int, part: int) -> Iterator[tuple[Change, Change]]:
    """Yield the pairs of one key's values with those of the keys after it, one part of them."""
    for second in range(first + 1 + part, len(book.changes), SLICES):
        yield from ((one, other) for one in book.changes[first] for other in book.changes[second])


def one_alone(task: tuple[str, int]) -> tuple[str, Counter[str], list[str], Found]:
    """Deal by a book with each other value of one key alone."""
    ref, number = task
    counts, failed, found, book = Counter[str](), [], Found(), BOOKS[ref]
    for change in book.changes[number]:
        rules = book.changed(change)
        counts["values"] += 1
        if rules is not None:
            wrong, dealt = book.deal(rules, change)
            found += dealt
            if wrong:
                failed.append(_told(ref, (change,), wrong))
        counts["values refused"] += rules is None
    return ref, counts, failed, found


def one_task(task: Task) -> tuple[Task, Counter[str], list[str]]:
    """Deal by a book with each pair of a task."""
    ref, first, part = task
    counts, book = Counter[str](), BOOKS[ref]
    failed = [try_pair(book, counts, *changes) for changes in pairs(book, first, part)]
    return task, counts, [wrong for wrong in failed if wrong]


def try_pair(book: Book, counts: Counter[str], *changes: Change) -> str:
    """Deal by a book with a pair of values, count what came of it, and return the book that fails with why, or ''."""
    counts["tried"] += 1
    rules = book.changed(*changes)
    if rules is None:
        counts["refused"] += 1
        return ""
    wrong, dealt = book.deal(rules, *changes)
    counts["dealt" if dealt else "alike"] += 1
    counts["scenarios dealt"] += len(dealt)
    counts["failed"] += bool(wrong)
    return _told(book.ref, changes, wrong) if wrong else ""


def _told(ref: str, changes: tuple[Change, ...], wrong: str) -> str:
    lines = "\n".join(f"{name} = {show_value(msgspec.to_builtins(value))}" for name, value in changes)
    return f'# {wrong}\nid = "pair-1"\ntitle = "A pair"\nextends = "{ref}"\n[rules]\n{lines}\n'


def _tasks(refs: list[str], part: tuple[int, int]) -> list[Task]:
    every = [(ref, first, one) for ref in refs for first in range(len(KEYS)) for one in range(SLICES)]
    return every[part[0] - 1 :: part[1]]


def _part(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    return int(number), int(of)


@dataclass
class Report:
    """What was found, kept in a file so that a run can go on where another one ended."""

    file: Path | None
    done: dict[str, dict[str, int]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    alone: Counter[str] = field(default_factory=Counter)

    def read(self) -> None:
        if self.file and self.file.exists():
            data = json.loads(self.file.read_text(encoding="utf-8"))
            self.done, self.failed = data["done"], data["failed"]

    def write(self) -> None:
        if self.file:
            whole = {"total": self.total(), "alone": self.alone, "failed": self.failed, "done": self.done}
            self.file.write_text(json.dumps(whole, indent=1), encoding="utf-8")

    def total(self) -> Counter[str]:
        whole = Counter[str]()
        for counts in self.done.values():
            whole.update(counts)
        return whole


def run(books: list[Book], jobs: int, part: tuple[int, int], seconds: float, report: Report) -> int:
    """Deal every pair of a part within some seconds; return how many tasks are left."""
    deadline = time.monotonic() + seconds
    refs = [book.ref for book in books]
    for book in books:
        BOOKS[book.ref] = book
        book.deal(book.rules)
    todo = [task for task in _tasks(refs, part) if "/".join(map(str, task)) not in report.done]
    context = multiprocessing.get_context("fork")
    with context.Pool(jobs) as pool:
        singles = [(ref, number) for ref in refs for number in range(len(KEYS))]
        for ref, counts, failed, found in pool.imap_unordered(one_alone, singles):
            BOOKS[ref].learn(found)
            report.alone.update(counts)
            report.failed += [one for one in failed if one not in report.failed]
    _say(f"{dict(report.alone)} each alone; {len(todo)} tasks to do")
    left = len(todo)
    with context.Pool(jobs) as pool:
        for number, (task, counts, failed) in enumerate(pool.imap_unordered(one_task, todo), 1):
            report.done["/".join(map(str, task))] = dict(counts)
            report.failed += failed
            left -= 1
            if number % 20 == 0 or not left:
                report.write()
                _say(f"{number} of {len(todo)} tasks: {dict(report.total())}, {len(report.failed)} failures")
            if time.monotonic() > deadline:
                break
        pool.terminate()
    report.write()
    return left


def sampled(chance: Seeded, books: list[Book], many: int, seconds: float) -> Report:
    """Deal by pairs drawn by chance, until there are so many of them or the time is over."""
    report, counts, deadline = Report(None), Counter[str](), time.monotonic() + seconds
    while counts["tried"] < many and time.monotonic() < deadline:
        book = chance.choice(books)
        keys = chance.shuffled([changes for changes in book.changes if changes])[:2]
        one, other = (chance.choice(changes) for changes in keys)
        wrong = try_pair(book, counts, one, other)
        report.failed += [wrong] if wrong else []
    report.done["sample"] = dict(counts)
    return report


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - how far the proof is


def _tell(text: str) -> None:
    print(text)  # noqa: T201 - what the proof says


def main() -> None:
    """Deal by every pair, or as many as the time allows, and say in one line what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", type=_part, default=(1, 1), help="K/M: every Mth task, beginning with the Kth")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no task after so long")
    parser.add_argument("--out", type=Path, help="where to keep what was found; what is there is not done again")
    parser.add_argument("--book", action="append", help="one of the published books or their variants; all books")
    parser.add_argument("--undisturbed", action="store_true", help="deal only rounds in which nothing goes wrong")
    parser.add_argument("--sample", type=int, default=0, help="so many pairs drawn by chance instead of all")
    parser.add_argument("--seed", default="20260101")
    wanted = parser.parse_args()
    books = [Book(ref, wanted.undisturbed) for ref in wanted.book or catalog.rulebook_ids()]
    if wanted.sample:
        report, left = sampled(Seeded("pairs", wanted.seed), books, wanted.sample, wanted.seconds), 0
    else:
        report = Report(wanted.out)
        report.read()
        left = run(books, wanted.jobs, wanted.part, wanted.seconds, report)
    total = report.total()
    counts = ", ".join(f"{total[name]:,} {name}" for name in ("tried", "refused", "dealt", "alike", "failed"))
    _tell(f"pairs of {len(books)} books: {counts}; {total['scenarios dealt']:,} scenarios dealt, {left} tasks left")
    for failure in report.failed:
        _tell(failure)
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
