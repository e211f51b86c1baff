"""Tries the built wheel, not the tree: the same bytes twice, small, quick to start, and at work without any extra."""

from __future__ import annotations

import os
import re
import resource
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from scripts.fresh import ROOT, Failed, build, environment, interpreters, must, pins, report, run, unpack

MEGABYTES_MAX: Final = 80
"""What the slim package may take with all that it needs, as its files come: Python adds bytecode of a third.

The documentation that a house shows is counted by itself.
"""
SITE: Final = Path("letitride", "server", "site")
START_SECONDS_MAX: Final = 0.3
"""Processor time until the command has said what it has to say."""
STARTS: Final = 5
RECORD: Final = ROOT / "tests" / "records" / "examples" / "washington.round"

ROUND: Final = """
import letitride

def decide(decision):
    return decision.best

done = letitride.play_round("nsw-1", {1: 500, 3: 1_000}, decide, seed=6)
print(letitride.__file__, done.net_cents, letitride.read_record(letitride.record_of(done).text).rulebook)
"""

LINES: Final = {
    "price": (["par", "LIRX-01"], "3.5057%"),
    "compare": (["rules", "diff", "nsw-1", "hand-dealt-1", "--json"], '"key": "burn.card"'),
    "replay": (["replay", str(RECORD), "--as", "seat:3"], "round 1"),
    "teach": (["strategy", "LIRX-01", "--hand", "5h 6h 7h"], "3/14"),
}
"""Command lines of the slim package, and what their output must have."""

MISSING: Final = {
    "simulate --rulebook nsw-1 --rounds 1000": "sim",
    "serve": "server",
    "play nsw-1": "tui",
    "par LIRX-01 --pdf sheet.pdf": "reports",
}
"""Command lines that need an extra, and which."""


def same_bytes(folder: Path) -> tuple[Path, str]:
    """Build here and from the unpacked sdist elsewhere: what comes must be the same; return the wheel and a line."""
    first = build(ROOT, folder / "first")
    second = build(unpack(first[0], folder / "unpacked"), folder / "second")
    if others := different(first[1], second[1]):
        raise Failed(f"expected the same wheel from its own sdist, got others of {', '.join(others[:20])}")
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise Failed(f"expected {one.name} to be the same from its own sdist, got other bytes")
    told = ", ".join(f"{path.name} {sha256(path.read_bytes()).hexdigest()[:16]}" for path in first)
    return first[1], f"built twice alike: {told}"


def different(first: Path, second: Path) -> list[str]:
    """Return the files of two wheels that are in one alone, or differ."""
    with ZipFile(first) as one, ZipFile(second) as other:
        listed = [{name: archive.read(name) for name in archive.namelist()} for archive in (one, other)]
    return sorted({name for name, _ in listed[0].items() ^ listed[1].items()})


def megabytes(folder: Path) -> tuple[float, float]:
    """Return what installed files take, and the documentation; without bytecode and what a new environment has."""
    ours = (path for path in folder.iterdir() if not path.name.startswith(("pip", "setuptools", "pkg_resources")))
    files = (file for path in ours for file in (path.rglob("*") if path.is_dir() else [path]))
    taken = [0, 0]
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            taken[file.is_relative_to(folder / SITE)] += file.stat().st_size
    return taken[0] / 1e6, taken[1] / 1e6


def start_seconds(*words: str | Path, cwd: Path) -> float:
    """Return the least processor time of several starts of a command."""
    took = []
    for _ in range(STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        must(*words, cwd=cwd)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(took)


def tried(version: str, python: Path, wheel: Path, folder: Path) -> str:
    """Install the wheel alone by one interpreter and use it away from the sources."""
    home, away = folder / f"slim-{version}", folder / f"away-{version}"
    away.mkdir()
    commands = environment(python, home)
    interpreter, letitride = commands / "python", commands / "letitride"
    pip = (interpreter, "-m", "pip", "--quiet", "--disable-pip-version-check", "--retries", "1")
    must(*pip, "install", "--constraint", pins(away), wheel)
    must(interpreter, "-m", "pip", "check")
    installed = Path(
        must(interpreter, "-Ic", "import letitride; print(letitride.__path__[0])", cwd=away).strip()
    ).parent
    if not installed.is_relative_to(home.resolve()):
        raise Failed(f"expected the installed package in {home}, got {installed}")
    size, site = megabytes(installed)
    if size > MEGABYTES_MAX:
        raise Failed(f"expected {MEGABYTES_MAX} MB at most, got {size:.0f}")
    for line, expected in LINES.values():
        if expected not in (said := must(letitride, *line, cwd=away)):
            raise Failed(f"expected {expected!r} in the output of 'letitride {' '.join(line)}', got:\n{said[-1_000:]}")
    if "{1: 1500, 3: -1000} nsw-1" not in (said := must(interpreter, "-Ic", ROUND, cwd=away)):
        raise Failed(f"expected a round in which seats 1 and 3 net 1500 and -1000 cents, got: {said}")
    for line, extra in MISSING.items():
        done = run(letitride, *line.split(), cwd=away)
        if done.returncode != 2 or not re.fullmatch(
            rf"letitride: .*: pip install 'letitride\[{extra}\]'\n", done.stderr
        ):
            raise Failed(f"expected one sentence that names [{extra}] from 'letitride {line}', got: {done.stderr}")
    starts = {"--version": ["--version"], "--help": ["--help"], "the bare command": []}
    took = {name: start_seconds(letitride, *words, cwd=away) for name, words in starts.items()}
    if max(took.values()) > START_SECONDS_MAX:
        raise Failed(f"expected {START_SECONDS_MAX} s of processor time at most, got {took}")
    if (told := must(interpreter, "-m", "letitride", "--version", cwd=away)) != must(letitride, "--version", cwd=away):
        raise Failed(f"expected 'python -m letitride' to be the command, got: {told}")
    shown = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in took.items())
    return f"Python {version}: {size:.0f} MB and {site:.0f} of documentation; {shown}"


def trial() -> str:
    """Build, and try the wheel by every interpreter there is."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        folder = Path(name)
        wheel, told = same_bytes(folder)
        lines = [tried(version, python, wheel, folder) for version, python in interpreters().items()]
    return "\n".join([told, *lines])


if __name__ == "__main__":
    report(trial)
