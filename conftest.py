"""What every test of the project has at hand."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

pytest_plugins = [
    "tests.plugins.clauses",
    "tests.plugins.mutations",
    "tests.plugins.pace",
    "tests.plugins.copies",
    "pytester",
]

# A slow machine is no failure. `make test` says the same twice of the same code; `make prove` tries many more.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", UNHURRIED, derandomize=True)
settings.register_profile("prove", UNHURRIED, max_examples=1_500)
# A mutant is dead with the first example that fails: nothing is gained by a shorter one.
settings.register_profile(
    "mutate", UNHURRIED, derandomize=True, report_multiple_bugs=False, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# Seconds for one test and what it sets up, for pytest-timeout: many times what any takes, even on a busy machine.
os.environ.setdefault("PYTEST_TIMEOUT", "600")

# A run in the background ignores Ctrl-C, and so would every program that a test starts and ends by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there, for this user alone
ROOM_BYTES = 4 * 2**30


def _can_hold(folder: Path) -> bool:
    """Whether a folder has room for the databases of a whole run, and programs may run from it."""
    if not folder.is_dir() or not hasattr(os, "statvfs"):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM_BYTES and not found.f_flag & os.ST_NOEXEC


# Databases in memory: a killed process loses nothing there either, and a test does not wait for a disk.
if _can_hold(MEMORY):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# Known to be missing: httpx looks for it at every request to an application in the test's own process.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type] - this is how Python notes that a module is missing


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow-browser", action="store_true", help="browser tests as on a slow machine far from the server"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: to look through it for garbage takes a third of the time, again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
