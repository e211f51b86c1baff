"""Rooms covered: measures which lines the tests reach and prints a line for each room; it judges no figure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = ROOT / ".coverage"
PACKAGE = "src/letitride/"


def coverage(*words: str) -> int:
    """Run a command of coverage.py in the root of the project."""
    return subprocess.run([sys.executable, "-m", "coverage", *words], cwd=ROOT, check=False).returncode


def rooms(report: Path) -> dict[str, tuple[int, int]]:
    """Return for each room how many of its statements the tests reach, and how many there are."""
    reached: dict[str, int] = defaultdict(int)
    there: dict[str, int] = defaultdict(int)
    for name, found in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        room = name.removeprefix(PACKAGE).partition("/")[0].removesuffix(".py")
        reached[room] += found["summary"]["covered_lines"]
        there[room] += found["summary"]["num_statements"]
    return {room: (reached[room], there[room]) for room in sorted(there) if there[room]}


def main() -> None:
    """Run the tests named on the command line, or all, and print what they reach."""
    if sys.version_info >= (3, 12):
        # The interpreter tells of a line once and then no more; what the tests start is measured in the same way.
        os.environ.setdefault("COVERAGE_CORE", "sysmon")
    else:
        print("Measuring takes three times as long as the tests; with Python 3.12 or newer, hardly longer.", flush=True)
    DATA.mkdir(exist_ok=True)
    coverage("erase")
    failed = coverage("run", "-m", "pytest", "--quiet", *sys.argv[1:])
    if coverage("combine", "--quiet"):
        sys.exit("nothing was measured")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        coverage("json", "--quiet", "-o", str(report))
        found = rooms(report)
    for room, (reached, there) in found.items():
        print(f"{room:12} {100 * reached / there:3.0f} %  {there:6} statements")
    reached, there = (sum(one[at] for one in found.values()) for at in (0, 1))
    print(f"{'all':12} {100 * reached / there:3.0f} %  {there:6} statements; compiled kernels are left out")
    sys.exit(failed)


if __name__ == "__main__":
    main()
