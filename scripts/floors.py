"""Tries the lowest versions that pyproject.toml allows: the built wheel among them, under the tests of every extra.

`requirements-floors.lock` names them. They are tried by the oldest Python: newer ones have no wheels of them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from scripts.fresh import MINORS, ROOT, NotTried, build, interpreters, must, report

TESTS: Final = (
    "tests/test_playing.py",
    "tests/test_public.py",
    "tests/cli",
    "tests/client",
    "tests/engine",
    "tests/ledger",
    "tests/records",
    "tests/reports",
    "tests/rl",
    "tests/rules",
    "tests/server/people",
    "tests/server/routes",
    "tests/storage/contracts",
)
"""What reaches every library that has a floor, without a page or a browser."""


def trial() -> str:
    """Install the floors and the wheel, and run the tests that are not slow."""
    must("make", "--silent", "build/tools/.installed")
    uv, oldest = ROOT / "build" / "tools" / "bin" / "uv", f"3.{MINORS[0]}"
    if oldest not in (found := interpreters()):
        raise NotTried(f"expected Python {oldest}, got {', '.join(found) or 'none'}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = folder / "floors" / "bin" / "python"
        must(uv, "venv", "--quiet", "--python", found[oldest], folder / "floors")
        pip = (uv, "pip", "install", "--quiet", "--python", python)
        must(*pip, "--require-hashes", "--requirement", ROOT / "requirements-floors.lock")
        must(*pip, "--no-deps", build(ROOT, folder / "built")[1])
        # Old libraries warn of new ones; what fails is what counts.
        quiet = ("-W", "ignore::DeprecationWarning", "-W", "ignore::PendingDeprecationWarning")
        words = ("-q", "-m", "not slow", "--copies", "2", "--maxfail=5", "-p", "no:cacheprovider", *quiet)
        environment = {"PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(folder / "numba"), "PYTEST_TIMEOUT": "0"}
        said = must(python, "-m", "pytest", *words, *TESTS, **environment)
    return f"Python {oldest}: {said.strip().splitlines()[-1]}"


if __name__ == "__main__":
    report(trial)
