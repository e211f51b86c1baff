"""Runs the long proofs one after the other within a budget of minutes; what is cut or not tried is said, not hidden."""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from scripts.fresh import NOT_TRIED

from letitride.rules.words import show_value

ROOT = Path(__file__).parent.parent
UNCAUGHT = ROOT / "tests" / "data" / "uncaught-keys.txt"
SEED = "20260101"
COMMANDS = 20_000
ROUNDS = "2e8"
BOOKS = ("california-1", "hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")
BIN = Path(sys.executable).parent
TOLD = 2_400
"""Characters of what failed proofs said, all together: they are the last that is printed."""
GRACE_SECONDS = 60.0
"""How long a proof that the budget cuts has to end its servers and databases."""

KILLED_LEAST = 0.95
"""The share of the source's mutants that tests notice; raised when more are, never lowered."""

Proof = Callable[[float], str]
"""Takes the seconds it may use; returns what it found, or raises ProofFailed."""


class ProofFailed(Exception):
    """A proof that ran and failed: what it said, and the command that runs it again."""

    def __init__(self, said: str, command: str) -> None:
        super().__init__(said)
        self.command = command

    def told(self, most: int) -> str:
        """Return the command and what was said, its beginning and its end where it is long."""
        said = str(self).strip()
        if len(said) > most:
            said = f"{said[: most // 4]}\n[…]\n{said[-most * 3 // 4 :]}"
        return f"run it again: {self.command}\n{said}"


class ProofCut(Exception):
    """A proof that the budget cut short."""


class ProofNotTried(Exception):
    """Why a proof could not be tried here."""


class Done:
    """A command that has ended: what it printed, and how it is run again."""

    def __init__(self, words: list[str], environment: dict[str, str], code: int, out: str, errors: str) -> None:
        shown = ["python" if word == sys.executable else word for word in words]
        self.command = " ".join([*(f"{name}={value}" for name, value in environment.items()), shlex.join(shown)])
        self.code, self.out, self.said = code, out, errors + out  # figures and losses last: the end is what is kept

    def must_pass(self) -> str:
        """Return what it printed, or raise that it failed."""
        if self.code:
            ended = f"ended by {signal.Signals(-self.code).name}" if self.code < 0 else f"exit code {self.code}"
            raise ProofFailed(f"{self.said}\n{ended}", self.command)
        return self.out.strip()


def run(words: list[str], seconds: float, **environment: str) -> Done:
    """Run a command within a time limit; one that is cut is asked to end, so that nothing of it runs on."""
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
    ):
        # Files, not pipes: what a killed process leaves behind would hold a pipe open.
        process = subprocess.Popen(
            words, cwd=ROOT, env={**os.environ, **environment}, stdout=out, stderr=errors, start_new_session=True
        )
        in_time = False
        try:
            in_time = _ends_within(process, seconds)
        finally:
            _end(process)
        if not in_time:
            raise ProofCut(f"it had {seconds:.0f} s")
        out.seek(0)
        errors.seek(0)
        return Done(words, environment, process.returncode, out.read(), errors.read())


def _ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process ends in time; its number stays its own, and its group's, until it is waited for."""
    end = time.monotonic() + seconds
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to end, if it runs, and kill whatever it leaves behind."""
    if not _ends_within(process, 0):
        process.send_signal(signal.SIGINT)
        _ends_within(process, GRACE_SECONDS)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def pytest(*words: str, seconds: float, **environment: str) -> Done:
    """Run pytest; how long one test takes is of no account here, the budget is."""
    return run([sys.executable, "-m", "pytest", "-q", *words], seconds, PYTEST_TIMEOUT="0", **environment)


def module(*words: str, seconds: float) -> str:
    """Run a module of the tests that says in one line what it found."""
    return run([sys.executable, "-m", *words], seconds).must_pass()


def wheel_works(seconds: float) -> str:
    """Build the wheel twice, and use it by every Python there is, away from the sources."""
    return fresh("built_wheel", seconds)


def floors_hold(seconds: float) -> str:
    """Install the lowest versions of everything, and test the wheel there."""
    return fresh("floors", seconds)


def fresh(script: str, seconds: float) -> str:
    """Run a trial in a fresh environment, which needs a package index."""
    done = run([sys.executable, "-m", f"scripts.{script}"], seconds)
    if done.code == NOT_TRIED:
        raise ProofNotTried(done.said.strip())
    return done.must_pass()


def keys_are_tested(seconds: float) -> str:
    """Change each key of each book in turn: a test marked with its clauses must fail by what the code does with it."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "report.json"
        done = pytest(
            "tests", "-m", "clause", "--mutations", str(target), f"--mutation-seconds={seconds * 0.9}", seconds=seconds
        )
        again = done.command.replace(str(target), "report.json")
        if not target.exists():
            raise ProofFailed(done.said, again)
        report = json.loads(target.read_text(encoding="utf-8"))
    tally = Counter(row["result"] for row in report)
    named = [(row["result"], f"{row['book']} {row['key']} = {show_value(row.get('value'))}") for row in report]
    loose = {name for result, name in named if result in {"missed", "untested"}}
    known = dict(line.split(": ", 1) for line in UNCAUGHT.read_text("utf-8").splitlines() if not line.startswith("#"))
    if untried := tally["untried"]:
        raise ProofCut(f"{untried} of {len(report)} values were not tried")
    if new := sorted(loose - known.keys()):
        raise ProofFailed("no test notices what follows from these values:\n  " + "\n  ".join(new), again)
    if stale := sorted(known.keys() - loose):
        what = f"these are noticed or not tried; take them out of {UNCAUGHT.name}:\n  " + "\n  ".join(stale)
        raise ProofFailed(what, again)
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
    command = [sys.executable, "scripts/mutate.py", "--sample", f"{seconds / 3:.0f}", "--json"]
    seed = SEED
    done = run([*command, "--seed", seed], seconds)
    if not done.out.startswith("{"):
        raise ProofFailed(done.said, done.command)
    figures = json.loads(done.out)
    tried, alive = figures["mutants"], len(figures["survivors"])
    if not tried:
        raise ProofCut("no mutant was tried")
    share = 1 - alive / tried
    found = f"{share:.1%} of {tried} mutants noticed or accepted (seed {seed})"
    if share + 3 * math.sqrt(KILLED_LEAST * (1 - KILLED_LEAST) / tried) < KILLED_LEAST:
        listed = "\n  ".join(figures["survivors"])
        raise ProofFailed(f"{found}; expected {KILLED_LEAST:.0%} or more. No test notices:\n  {listed}", done.command)
    gone = "".join(f"\n  {name}" for name in figures["killed_though_listed"])
    return found + (f"\nTests notice these now; take them out of surviving-mutants.txt:{gone}" if gone else "")


def properties_hold(seconds: float) -> str:
    """Run all tests that draw or are marked `longer`, with many more examples than usual, from a fixed seed."""
    words = ("tests", "-m", "hypothesis or longer", "--copies", "2", "--maxfail=1", f"--hypothesis-seed={SEED}")
    return pytest(*words, seconds=seconds, HYPOTHESIS_PROFILE="prove").must_pass().splitlines()[-1]


def simulations_agree(seconds: float) -> str:
    """Simulate every book with all its seats and wagers, and set what comes beside the exact values."""
    told = []
    for book in BOOKS:
        words = ["simulate", "--rulebook", book, "--rounds", ROUNDS, "--seed", SEED, "--json"]
        wagers = json.loads(run([str(BIN / "letitride"), *words], seconds).must_pass())["wagers"]
        told.append(f"{book} " + ", ".join(f"{one['wager']} z {one['z']:+.2f}" for one in wagers))
    return f"{float(ROUNDS):,.0f} rounds a book: " + "; ".join(told)


def fuzz_runs_pass(seconds: float) -> str:
    """Throw as many random commands at every book as the time allows, up to ten million, from a fixed seed."""
    deadline = time.monotonic() + seconds * 0.95
    done = 0
    for number in range(10_000_000 // COMMANDS // len(BOOKS)):
        for book in BOOKS:
            words = ["fuzz", "--rulebook", book, "--commands", str(COMMANDS), "--seed", f"{SEED}{number}"]
            run([str(BIN / "letitride"), *words], seconds).must_pass()
            done += COMMANDS
            if time.monotonic() > deadline:
                return f"{done:,} commands, every promise held; the budget ended it"
    return f"{done:,} commands, every promise held"


def kills_lose_nothing(seconds: float) -> str:
    """Kill a server under load with SIGKILL up to 400 times, in a quarter of the time that is left."""
    return module("tests.promises.kills", "--kills", "400", "--minutes", f"{seconds / 240:.2f}", seconds=seconds)


def node_kills_lose_nothing(seconds: float) -> str:
    """Kill nodes of a house of three on one PostgreSQL under load, in a quarter of the time that is left."""
    return module("tests.server.node_kills", "--kills", "400", "--minutes", f"{seconds / 240:.2f}", seconds=seconds)


def worker_kills_lose_nothing(seconds: float) -> str:
    """Kill and replace the workers of one server on PostgreSQL under load, in a tenth of the time that is left."""
    return module("tests.server.worker_kills", "--kills", "400", "--minutes", f"{seconds / 600:.2f}", seconds=seconds)


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


def desk_pays_as_the_engine(seconds: float) -> str:
    """Ten thousand random rounds of all books, paid by the payout desk and by the engine."""
    pytest("tests/records/test_payout.py", seconds=seconds, LETITRIDE_PAYOUT_ROUNDS="10000").must_pass()
    return "10,000 random rounds are paid alike"


def _seed() -> tuple[str, str]:
    return "--seed", str(random.randrange(1, 10**6))  # noqa: S311 - a sample, no secret


def own_books_play(seconds: float) -> str:
    """Change keys of the books at random, in a tenth of the time that is left: by each, rounds come to their end."""
    return module("tests.simulation.own_books", "--minutes", f"{seconds / 600:.2f}", seconds=seconds)


def pairs_are_dealt(seconds: float) -> str:
    """Change pairs of keys, in a tenth of the time that is left: each is refused or dealt to its end."""
    words = ("--sample", "1000000", "--seconds", f"{seconds / 10:.0f}", "--seed", SEED)
    return module("tests.simulation.every_pair", *words, seconds=seconds)


PROOFS: dict[str, Proof] = {
    "the wheel works": wheel_works,
    "floors hold": floors_hold,
    "keys are tested": keys_are_tested,
    "properties hold": properties_hold,
    "simulations agree": simulations_agree,
    "kills lose nothing": kills_lose_nothing,
    "node kills lose nothing": node_kills_lose_nothing,
    "worker kills lose nothing": worker_kills_lose_nothing,
    "fail-overs lose nothing": failovers_lose_nothing,
    "power cuts lose nothing": power_cuts_lose_nothing,
    "torture loses nothing": torture_loses_nothing,
    "worlds hold": worlds_hold,
    "readers hold": readers_hold,
    "the payout desk pays": desk_pays_as_the_engine,
    "own books play": own_books_play,
    "pairs are dealt": pairs_are_dealt,
    "mutants are killed": mutants_are_killed,
    "fuzz runs pass": fuzz_runs_pass,
}


def main() -> None:
    """Run the proofs and say of each whether it held, failed, or was cut by the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="the whole budget")
    asked = parser.parse_args()
    # What runs in the background ignores Ctrl-C, and so would the proofs, which are ended by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    deadline = time.monotonic() + asked.minutes * 60
    failed: dict[str, ProofFailed] = {}
    held = cut = untried = 0
    for name, proof in PROOFS.items():
        left = deadline - time.monotonic()
        if left < 1:
            cut += 1
            print(f"CUT     {name}: no time left; give it more with PROVE_MINUTES", flush=True)
            continue
        start = time.monotonic()
        try:
            found = proof(left)
        except ProofFailed as error:
            failed[name] = error
            print(f"FAILED  {name} ({time.monotonic() - start:.0f} s)\n{error.told(TOLD)}", flush=True)
        except ProofCut as error:
            cut += 1
            print(f"CUT     {name}: {error}; give it more with PROVE_MINUTES", flush=True)
        except ProofNotTried as error:
            untried += 1
            print(f"UNTRIED {name}: {error}", flush=True)
        else:
            held += 1
            print(f"HELD    {name} ({time.monotonic() - start:.0f} s): {found}", flush=True)
    without = f", {untried} not tried here" if untried else ""
    print(f"{held} held, {len(failed)} failed, {cut} cut by the budget of {asked.minutes:g} minutes{without}")
    for name, error in failed.items():  # once more, where the last lines are all that is kept
        print(f"\nFAILED  {name}\n{error.told(TOLD // len(failed))}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
