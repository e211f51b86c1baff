"""Counts the clauses of the rule documents that are proven by marked tests which ran and passed."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from letitride.rules import catalog
from letitride.rules.clauses import Clause, inherited

Test = dict[str, Any]


def run_marked_tests() -> list[Test]:
    """Run every clause-marked test of the suite and return what came of each."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "tests",
            "-m",
            "clause",
            "-q",
            "-n",
            "2",
            "--clause-results",
            results,
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if not results.exists():
            sys.exit(f"{done.stdout}\nclauses: the marked tests could not be run")
        if done.returncode:
            print(done.stdout, file=sys.stderr)
        return json.loads(results.read_text(encoding="utf-8"))


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


def report(proven: set[str]) -> dict[str, Any]:
    """Return the counts, whole and by document."""
    rows = [clause for clause in catalog.register().values() if clause.provable]
    books = {
        document: {
            "total": sum(clause.document == document for clause in rows),
            "proven": sum(clause.document == document and clause.id in proven for clause in rows),
        }
        for document in dict.fromkeys(clause.document for clause in rows)
    }
    return {
        "total": len(rows),
        "proven": len(proven),
        "books": books,
        "unproven": [clause.id for clause in rows if clause.id not in proven],
    }


def main() -> None:
    """Print the report as a table or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    counts = report(proven_clauses(run_marked_tests()))
    if wanted.json:
        print(json.dumps(counts, indent=2))
        return
    for document, book in counts["books"].items():
        print(f"{document:4} {book['proven']:4} of {book['total']:4} proven")
    print(f"all  {counts['proven']:4} of {counts['total']:4} proven\n\nnot proven:")
    for clause_id in counts["unproven"]:
        clause = catalog.clause(clause_id)
        print(f"  {clause.id:24} {clause.kind:10} {clause.demand}")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
    main()
