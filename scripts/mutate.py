"""Changes the source of the game's rooms in small ways and says which changes no test notices."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
os.environ["HYPOTHESIS_PROFILE"] = "mutate"

from tests.mutation.mutants import (  # noqa: E402 - tests are not installed
    CAP_SECONDS,
    ROOMS,
    Module,
    Mutant,
    module_names,
)

RESULTS = ROOT / ".mutation" / "results.jsonl"
PROGRESS_SECONDS = 10.0


def arguments() -> argparse.Namespace:
    """Read the command line; nothing needs to be installed for it."""
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/mutate", allow_abbrev=False)
    parser.add_argument("--room", action="append", choices=ROOMS, help="only this room; may be given again")
    parser.add_argument("--module", action="append", help="only this module, as engine.agenda; may be given again")
    parser.add_argument("--function", action="append", help="only this function, as dealing or Pays.pay; - for none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work at once")
    parser.add_argument("--sample", type=float, metavar="SECONDS", help="try mutants drawn at random for so long")
    parser.add_argument("--seed", default="1", help="of the draw (1)")
    parser.add_argument("--cap", type=float, default=CAP_SECONDS, help="seconds of tests for one mutant (%(default)s)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file for the results (%(default)s)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="leave out what this file of results has already")
    parser.add_argument("--again", type=Path, metavar="FILE", help="try the survivors of this file of results again")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--no-measure", action="store_true", help="take what was measured of the tests as it is")
    parser.add_argument("--check-options", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    for name in wanted.module or ():
        if name not in module_names():
            refuse("a module like engine.agenda", "--module", name, module_names())
    if wanted.check_options:
        sys.exit(0)
    return wanted


def refuse(expected: str, option: str, given: str, names: Iterable[str]) -> NoReturn:
    """End with one sentence about a value that is none of the names."""
    near = difflib.get_close_matches(given, list(names))
    hint = f"; did you mean '{near[0]}'?" if near else ""
    print(f"mutate: expected {expected} after {option}, got '{given}'{hint}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    arguments()

from tests.mutation import reach as reaches  # noqa: E402 - help and bad options come before what must be installed
from tests.mutation.campaign import GOOD, KILLED, Campaign, Result  # noqa: E402 - as above
from tests.mutation.fresh import Zygote  # noqa: E402 - as above
from tests.mutation.live import Live  # noqa: E402 - as above
from tests.mutation.pool import Pool, with_tests  # noqa: E402 - as above
from tests.mutation.survivors import LIST, accepted  # noqa: E402 - as above


def chosen(wanted: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that were asked for, in their order."""
    names = wanted.module or module_names(tuple(wanted.room or ROOMS))
    found = [mutant for name in names for mutant in Module(name).mutants]
    functions = {mutant.function or "-" for mutant in found}
    for name in wanted.function or ():
        if name not in functions:
            refuse("a function of the modules chosen, with something to change,", "--function", name, functions)
    if wanted.function:
        found = [mutant for mutant in found if (mutant.function or "-") in wanted.function]
    if wanted.resume:
        done = {row["mutant"] for row in rows(wanted.resume)}
        found = [mutant for mutant in found if mutant.name not in done]
    if wanted.again:
        alive = {row["mutant"] for row in rows(wanted.again) if row["result"] not in GOOD}
        found = [mutant for mutant in found if mutant.name in alive]
    if wanted.sample:
        random.Random(wanted.seed).shuffle(found)  # noqa: S311 - a sample, no secret
    return found


def rows(path: Path) -> list[dict[str, str]]:
    """Read a file of results, if there is one; a line that was not finished is left out."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


class Progress:
    """Says now and then how far it is."""

    def __init__(self, total: int) -> None:
        self.total, self.tally, self.start, self.last = total, Counter[str](), time.monotonic(), 0.0

    def add(self, result: Result) -> None:
        """Count a result."""
        self.tally[result.result] += 1
        now = time.monotonic()
        if now - self.last > PROGRESS_SECONDS:
            self.last = now
            counts = ", ".join(f"{number} {name}" for name, number in self.tally.most_common())
            done = self.tally.total()
            print(f"mutate: {done} of {self.total} in {now - self.start:.0f} s: {counts}", file=sys.stderr, flush=True)


def run(wanted: argparse.Namespace, mutants: list[Mutant]) -> list[Result]:
    """Try the mutants and write what comes of each."""
    zygote = Zygote()  # before anything imports letitride
    reach = reaches.load()
    known = lessons(wanted)
    progress, found = Progress(len(mutants)), list[Result]()
    end = time.monotonic() + wanted.sample if wanted.sample else None
    wanted.results.parent.mkdir(parents=True, exist_ok=True)

    def work(live: Live) -> None:
        mode = "a" if wanted.resume == wanted.results else "w"
        with (
            Pool(live, zygote, reach.seconds, wanted.jobs) as pool,
            wanted.results.open(mode, encoding="utf-8", buffering=1) as file,
        ):
            campaign = Campaign(pool, reach, wanted.cap)
            for mutant, by in known:
                campaign.learn(mutant, by)
            try:
                for result in campaign.results(mutants, lambda: end is None or time.monotonic() < end):
                    file.write(json.dumps(result.as_json(), ensure_ascii=False) + "\n")
                    found.append(result)
                    progress.add(result)
            except KeyboardInterrupt:
                told = f"mutate: stopped; go on with --resume {wanted.results} --results {wanted.results}"
                print(told, file=sys.stderr)

    with_tests(files_of(mutants, reach) if not wanted.sample else reaches.files(), work)
    return found


def lessons(wanted: argparse.Namespace) -> list[tuple[Mutant, str]]:
    """Return the mutants that earlier results say were killed, with the test that killed each."""
    found = []
    for path in {wanted.resume, wanted.again, RESULTS} - {None}:
        killed = {row["mutant"]: row["by"] for row in rows(path) if row["result"] == KILLED}
        for name in {name.partition(":")[0] for name in killed} & set(module_names()):
            found += [(mutant, killed[mutant.name]) for mutant in Module(name).mutants if mutant.name in killed]
    return found


def files_of(mutants: Iterable[Mutant], reach: reaches.Reach) -> list[str]:
    """Return the test files that mutants need."""
    tests = {test for mutant in mutants for test in (*reach.tests_of(mutant), *reach.tests_of_import(mutant))}
    return sorted({test.partition("::")[0] for test in tests}) or reaches.files()[:1]


def summary(found: list[Result]) -> dict[str, object]:
    """Return the figures, whole and by module, and what has to be done about them."""
    listed = accepted()
    alive = {result.mutant for result in found if result.result not in GOOD}
    dead = {result.mutant for result in found} - alive
    killed = {
        result.mutant for result in found if result.result == KILLED
    }  # a test that got stuck may be a slow machine
    modules = {
        name: {
            "mutants": sum(one.module == name for one in found),
            "killed": sum(one.module == name and one.result in GOOD for one in found),
        }
        for name in sorted({one.module for one in found})
    }
    return {
        "mutants": len(found),
        "killed": len(dead),
        "results": dict(Counter(one.result for one in found)),
        "modules": modules,
        "accepted": sorted(alive & set(listed)),
        "survivors": sorted(alive - set(listed)),
        "killed_though_listed": sorted(killed & set(listed)),
    }


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Try mutants, print the figures, and fail on a survivor that is not listed or a listed one that was killed."""
    wanted = arguments()
    mutants = chosen(wanted)
    if wanted.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is no error
        print("\n".join(mutant.name for mutant in mutants))
        return
    for number in (signal.SIGINT, signal.SIGTERM):  # who works in the background is told so too
        signal.signal(number, _interrupted)
    if mutants and not wanted.no_measure:
        reaches.refresh(wanted.jobs)
    results = run(wanted, mutants) if mutants else []
    figures = summary(results)
    if wanted.json:
        print(json.dumps(figures, indent=2, ensure_ascii=False))
    else:
        tell(figures)
    if not results:
        print(f"mutate: nothing was tried: {why_nothing(wanted, mutants)}", file=sys.stderr)
    untried = wanted.sample and not results
    sys.exit(1 if untried or figures["survivors"] or figures["killed_though_listed"] else 0)


def why_nothing(wanted: argparse.Namespace, mutants: list[Mutant]) -> str:
    """Return why no mutant was tried."""
    if not mutants:
        return "no mutant is left of those that were chosen"
    if wanted.sample:
        return f"to load the tests took all of the {wanted.sample:g} seconds; give --sample more"
    return "it was stopped before the first"


def tell(figures: dict[str, object]) -> None:
    """Print the figures for a person."""
    for name, module in figures["modules"].items():  # type: ignore[attr-defined]  # made above
        print(f"{name:24} {module['killed']:5} of {module['mutants']:5} killed")
    print(f"{'all':24} {figures['killed']:5} of {figures['mutants']:5} killed")
    for what, key in (
        ("No test notices", "survivors"),
        ("Accepted", "accepted"),
        (f"Killed: take them out of {LIST.name}", "killed_though_listed"),
    ):
        if figures[key]:
            print(f"\n{what}:", *figures[key], sep="\n  ")  # type: ignore[misc]  # as above


if __name__ == "__main__":
    main()
