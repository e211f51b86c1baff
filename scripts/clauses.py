"""Counts the clauses of the rule documents that are proven by marked tests which ran and passed.

A clause is proven by effect when these tests also kill a mutant of the code that carries it out.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any


def arguments() -> argparse.Namespace:
    """Read the command line; nothing needs to be installed for it."""
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/clauses", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--no-effect", action="store_true", help="leave out what mutants show, which takes minutes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many mutants are tried at once")
    parser.add_argument("--check-options", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.check_options:
        sys.exit(0)
    return wanted


if __name__ == "__main__":
    arguments()

from letitride.rules import catalog  # noqa: E402 - help and bad options come before what must be installed
from letitride.rules.clauses import Clause, inherited  # noqa: E402 - as above

ROOT = Path(__file__).parent.parent
Test = dict[str, Any]


def run_marked_tests(folder: Path) -> Path:
    """Run every clause-marked test of the suite and return the file that says what came of each."""
    results = folder / "results.json"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tests",
        "-m",
        "clause",
        "-q",
        "--copies",
        "2",
        "--clause-results",
        results,
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if not results.exists():
        sys.exit(f"{done.stdout}\nclauses: the marked tests could not be run")
    if done.returncode:
        print(done.stdout, file=sys.stderr)
    return results


def killed_mutants(results: Path, jobs: int) -> dict[str, Test]:
    """Return, by clause, how many mutants were tried on its marked tests, and which one was killed by which test."""
    target = results.with_name("effect.json")
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "mutate"}
    command = [sys.executable, "-m", "tests.mutation.effect", results, target, "--jobs", str(jobs)]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        sys.exit("clauses: no mutants could be tried")
    return json.loads(target.read_text(encoding="utf-8"))


def proven_clauses(tests: list[Test]) -> set[str]:
    """Return the clauses that count as proven."""
    marked: dict[str, list[Test]] = defaultdict(list)
    for test in tests:
        for clause in test["clauses"]:
            marked[clause].append(test)
    register = catalog.register()
    return {clause.id for clause in register.values() if clause.provable and _proven(clause, marked, register)}


def _proven(clause: Clause, marked: dict[str, list[Test]], register: Any) -> bool:
    own = marked[clause.id]
    if any(test["failed"] or not test["passed"] for test in own):
        return False
    if not clause.inherits:
        return bool(own)
    # A row that takes over others counts only when their tests also ran under its own book.
    books = {book_id for book_id in catalog.rulebook_ids() if catalog.rulebook(book_id).document == clause.document}
    parents = [parent for parent in inherited(clause, register.values()) if parent.provable]
    return bool(own or parents) and all(
        _proven(parent, marked, register) and _all_ran_under(books, marked[parent.id]) for parent in parents
    )


def _all_ran_under(books: set[str], tests: list[Test]) -> bool:
    """Whether each test function, of those marked with a clause, also ran under one of the books."""
    functions: dict[str, bool] = defaultdict(bool)
    for test in tests:
        functions[test["test"].partition("[")[0]] |= (test["book"] or "").partition("+")[0] in books
    return all(functions.values())


def proven_by_effect(proven: set[str], killed: Collection[str]) -> set[str]:
    """Return the clauses whose tests killed a mutant, and those that take over nothing but such clauses."""
    register = catalog.register()

    def by_effect(clause: Clause) -> bool:
        if clause.id not in proven or not clause.inherits:
            return clause.id in proven and clause.id in killed
        parents = [parent for parent in inherited(clause, register.values()) if parent.provable]
        return all(map(by_effect, parents)) if parents else clause.id in killed

    return {clause.id for clause in register.values() if by_effect(clause)}


def report(proven: set[str], by_effect: set[str] | None = None) -> dict[str, Any]:
    """Return the counts, whole and by document, by effect too where that was tried."""
    rows = [clause for clause in catalog.register().values() if clause.provable]
    counted = {"proven": proven, **({} if by_effect is None else {"proven_by_effect": by_effect})}
    books = {
        document: {
            "total": sum(clause.document == document for clause in rows),
            **{
                name: sum(clause.document == document and clause.id in found for clause in rows)
                for name, found in counted.items()
            },
        }
        for document in dict.fromkeys(clause.document for clause in rows)
    }
    return {
        "total": len(rows),
        **{name: len(found) for name, found in counted.items()},
        "books": books,
        **{f"un{name}": [clause.id for clause in rows if clause.id not in found] for name, found in counted.items()},
    }


def tests_by_clause(tests: list[Test]) -> dict[str, list[str]]:
    """Return, by clause, the test functions that are marked with it."""
    found: dict[str, set[str]] = defaultdict(set)
    for test in tests:
        for clause in test["clauses"]:
            found[clause].add(test["test"].partition("[")[0])
    return {clause: sorted(names) for clause, names in sorted(found.items())}


def main() -> None:
    """Print the report as a table or as JSON."""
    wanted = arguments()
    with tempfile.TemporaryDirectory() as folder:
        results = run_marked_tests(Path(folder))
        tests = json.loads(results.read_text(encoding="utf-8"))
        proven = proven_clauses(tests)
        effect = {} if wanted.no_effect else killed_mutants(results, wanted.jobs)
    killed = [clause for clause, facts in effect.items() if "mutant" in facts]
    counts = report(proven, None if wanted.no_effect else proven_by_effect(proven, killed))
    if wanted.json:
        whole = {**counts, "tests": tests_by_clause(tests), **({"effect": effect} if effect else {})}
        print(json.dumps(whole, indent=2, ensure_ascii=False))
        return
    print(*told(counts), sep="\n")


def told(counts: dict[str, Any]) -> Iterator[str]:
    """Yield the report for a person, a line each; what is proven whole has no list of what is not."""
    for name, book in [*counts["books"].items(), ("all", counts)]:
        by_effect = f", {book['proven_by_effect']:4} by effect" if "proven_by_effect" in book else ""
        yield f"{name:4} {book['proven']:4} of {book['total']:4} proven{by_effect}"
    for title, key in (("not proven", "unproven"), ("not proven by effect", "unproven_by_effect")):
        if counts.get(key):
            yield f"\n{title}:"
        for clause_id in counts.get(key, ()):
            clause = catalog.clause(clause_id)
            yield f"  {clause.id:24} {clause.kind:10} {clause.demand}"


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
    main()
