"""Runs the long proofs one after the other within a budget of minutes; what the budget cuts is said, not hidden."""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from letitride.rules.words import show_value

ROOT = Path(__file__).parent.parent
UNCAUGHT = ROOT / "tests" / "data" / "uncaught-keys.txt"
SEED = "20260101"
STORM = 20_000
ROUNDS = "2e8"
BOOKS = ("california-1", "hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")
BIN = Path(sys.executable).parent
TOLD = 3_000
"""Characters of what a failed proof said: the last ones have the reason."""

KILLED_LEAST = 0.95
"""The share of the source's mutants that tests notice; raised when more are, never lowered."""

Proof = Callable[[float], str]
"""Takes the seconds it may use; returns what it found, or raises ProofFailed."""


class ProofFailed(Exception):
    """A proof that ran and failed."""


class ProofCut(Exception):
    """A proof that the budget cut short."""


def pytest(*words: str, seconds: float, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest within a time limit."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )


def keys_are_tested(seconds: float) -> str:
    """Change each key of each book in turn: a test marked with its clauses must fail by what the code does with it."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.json"
        done = pytest(
            "tests", "-m", "clause", "--mutations", str(target), f"--mutation-seconds={seconds * 0.9}", seconds=seconds
        )
        if not target.exists():
            raise ProofFailed(done.stdout)
        report = json.loads(target.read_text(encoding="utf-8"))
    tally = Counter(row["result"] for row in report)
    named = [(row["result"], f"{row['book']} {row['key']} = {show_value(row.get('value'))}") for row in report]
    loose = {name for result, name in named if result in {"missed", "untested"}}
    known = dict(line.split(": ", 1) for line in UNCAUGHT.read_text("utf-8").splitlines() if not line.startswith("#"))
    if untried := tally["untried"]:
        raise ProofCut(f"{untried} of {len(report)} values were not tried")
    if new := sorted(loose - known.keys()):
        raise ProofFailed("no test notices what follows from these values:\n  " + "\n  ".join(new))
    if stale := sorted(known.keys() - loose):
        raise ProofFailed(f"these are noticed or not tried; take them out of {UNCAUGHT.name}:\n  " + "\n  ".join(stale))
    counts = ", ".join(f"{number} {result}" for result, number in sorted(tally.items()))
    bound = ", ".join(f"{row['book']} {row['key']}" for row in report if row["result"] == "bound")
    together = sum(row["result"] == "caught" and bool(row["with"]) for row in report)
    listed = "".join(f"\n  {name}: {known[name]}" for name in sorted(loose))
    return (
        f"{len({(row['book'], row['key']) for row in report})} keys of 5 books changed in turn, {len(report)} values: "
        f"{counts}; {together} of the caught only together with other keys that must change too.\n"
        f"With no other value that fits the book: {bound or 'none'}.\n"
        f"No test notices:{listed or ' none'}"
    )


def mutants_are_killed(seconds: float) -> str:
    """Change the source at random places, in a third of the time that is left: tests must notice as often as they did.

    KILLED_LEAST holds the share from below, less three standard errors of the sample. What the list of survivors
    accepts counts as noticed.
    """
    command = [sys.executable, str(ROOT / "scripts" / "mutate.py"), "--sample", str(seconds / 3), "--json"]
    seed = str(random.randrange(10**9))  # noqa: S311 - a sample, no secret
    done = subprocess.run(
        [*command, "--seed", seed], cwd=ROOT, capture_output=True, text=True, check=False, timeout=seconds
    )
    if not done.stdout.startswith("{"):
        raise ProofFailed(done.stdout + done.stderr)
    figures = json.loads(done.stdout)
    tried, alive = figures["mutants"], len(figures["survivors"])
    if not tried:
        raise ProofCut("no mutant was tried")
    share = 1 - alive / tried
    found = f"{share:.1%} of {tried} mutants noticed or accepted (seed {seed})"
    if share + 3 * math.sqrt(KILLED_LEAST * (1 - KILLED_LEAST) / tried) < KILLED_LEAST:
        listed = "\n  ".join(figures["survivors"])
        raise ProofFailed(f"{found}; expected {KILLED_LEAST:.0%} or more. No test notices:\n  {listed}")
    if figures["killed_though_listed"]:
        gone = "\n  ".join(figures["killed_though_listed"])
        raise ProofFailed(f"these mutants are killed now; take them out of surviving-mutants.txt:\n  {gone}")
    return found


def properties_hold(seconds: float) -> str:
    """Run every property test with many more examples than usual, from a fixed seed."""
    done = pytest(
        "tests", "-m", "hypothesis", "-n", "2", f"--hypothesis-seed={SEED}", seconds=seconds, HYPOTHESIS_PROFILE="prove"
    )
    if done.returncode:
        raise ProofFailed(done.stdout)
    return done.stdout.strip().splitlines()[-1]


def simulations_agree(seconds: float) -> str:
    """Simulate every book with all its seats and wagers, and set what comes beside the exact values."""
    told = []
    for book in BOOKS:
        command = [str(BIN / "letitride"), "simulate", "--rulebook", book, "--rounds", ROUNDS, "--seed", SEED, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        if done.returncode:
            raise ProofFailed(done.stdout + done.stderr)
        wagers = json.loads(done.stdout)["wagers"]
        told.append(f"{book} " + ", ".join(f"{one['wager']} z {one['z']:+.2f}" for one in wagers))
    return f"{float(ROUNDS):,.0f} rounds a book: " + "; ".join(told)


def storms_pass(seconds: float) -> str:
    """Throw as many random commands at every book as the time allows, up to ten million, from a fixed seed."""
    deadline = time.monotonic() + seconds * 0.95
    done = 0
    for number in range(10_000_000 // STORM // len(BOOKS)):
        for book in BOOKS:
            command = [str(BIN / "letitride"), "storm", "--rulebook", book, "--commands", str(STORM)]
            storm = subprocess.run(
                [*command, "--seed", f"{SEED}{number}"], capture_output=True, text=True, check=False, timeout=seconds
            )
            if storm.returncode:
                raise ProofFailed(storm.stdout + storm.stderr)
            done += STORM
            if time.monotonic() > deadline:
                return f"{done:,} commands, every promise held; the budget ended it"
    return f"{done:,} commands, every promise held"


def kills_lose_nothing(seconds: float) -> str:
    """Kill a server under load with SIGKILL up to 400 times, in a quarter of the time that is left."""
    return module("tests.promises.kills", "--kills", "400", "--minutes", f"{seconds / 240:.2f}", seconds=seconds)


def node_kills_lose_nothing(seconds: float) -> str:
    """Kill nodes of a house of three on one PostgreSQL under load, in a quarter of the time that is left."""
    return module("tests.server.node_kills", "--kills", "400", "--minutes", f"{seconds / 240:.2f}", seconds=seconds)


def failovers_lose_nothing(seconds: float) -> str:
    """Kill the primary of a PostgreSQL under two servers again and again, in a twentieth of the time that is left."""
    return module("tests.server.failovers", "--minutes", f"{seconds / 1200:.2f}", seconds=seconds)


def power_cuts_lose_nothing(seconds: float) -> str:
    """Cut the power at every moment of a play on SQLite, in a tenth of the time that is left."""
    return module("tests.storage.power", "--minutes", f"{seconds / 600:.2f}", seconds=seconds)


def torture_loses_nothing(seconds: float) -> str:
    """Torture a house from outside on both databases, in a fifth of the time that is left, ten minutes at most."""
    minutes = f"{min(seconds / 5, 600) / 2 / 60:.2f}"
    told = [
        module("benchmarks.torture", "--minutes", minutes, *more, seconds=seconds) for more in ((), ("--postgres",))
    ]
    return "\n".join(told)


def worlds_hold(seconds: float) -> str:
    """Live through as many troubled worlds as a quarter of the time that is left allows, each from its seed."""
    return module("tests.promises.world", "--minutes", f"{seconds / 240:.2f}", seconds=seconds)


def readers_hold(seconds: float) -> str:
    """Fuzz every reader of what comes from outside, in a tenth of the time that is left, ten minutes at most."""
    return module("tests.fuzz", "--seconds", f"{min(seconds / 10, 600):.0f}", *_seed(), seconds=seconds)


def _seed() -> tuple[str, str]:
    return "--seed", str(random.randrange(1, 10**6))  # noqa: S311 - a sample, no secret


def own_books_play(seconds: float) -> str:
    """Change keys of the books at random, in a tenth of the time that is left: by each, rounds come to their end."""
    return module("tests.simulation.own_books", "--minutes", f"{seconds / 600:.2f}", seconds=seconds)


def module(*words: str, seconds: float) -> str:
    """Run a module of the tests that says in one line what it found."""
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=seconds
    )
    if done.returncode:
        raise ProofFailed(done.stdout + done.stderr)
    return done.stdout.strip()


PROOFS: dict[str, Proof] = {
    "keys are tested": keys_are_tested,
    "properties hold": properties_hold,
    "simulations agree": simulations_agree,
    "kills lose nothing": kills_lose_nothing,
    "node kills lose nothing": node_kills_lose_nothing,
    "fail-overs lose nothing": failovers_lose_nothing,
    "power cuts lose nothing": power_cuts_lose_nothing,
    "torture loses nothing": torture_loses_nothing,
    "worlds hold": worlds_hold,
    "readers hold": readers_hold,
    "own books play": own_books_play,
    "mutants are killed": mutants_are_killed,
    "storms pass": storms_pass,
}


def main() -> None:
    """Run the proofs and say of each whether it held, failed, or was cut by the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="the whole budget")
    deadline = time.monotonic() + parser.parse_args().minutes * 60
    failed = held = 0
    for name, proof in PROOFS.items():
        left = deadline - time.monotonic()
        if left < 1:
            print(f"CUT     {name}: no time left; give it more with PROVE_MINUTES", flush=True)
            continue
        start = time.monotonic()
        try:
            found = proof(left)
        except ProofFailed as error:
            failed += 1
            print(f"FAILED  {name}\n{str(error)[-TOLD:]}", flush=True)
        except (ProofCut, subprocess.TimeoutExpired) as error:
            print(f"CUT     {name}: {error}; give it more with PROVE_MINUTES", flush=True)
        else:
            held += 1
            print(f"HELD    {name} ({time.monotonic() - start:.0f} s): {found}", flush=True)
    print(f"{held} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
