"""Copies: tests that run in copies of pytest's process come to what they come to in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FIRST = """
import pytest

@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    yield tmp_path_factory.mktemp("own")
    print("the folder is put away")

@pytest.fixture
def breaks():
    yield
    raise ValueError("in the end")

def test_good(folder):
    assert folder.is_dir()

def test_bad(folder):
    print("said before")
    assert 1 == 2

def test_left_out():
    pytest.skip("not here")

def test_that_ends_badly(breaks):
    pass
"""
SECOND = """
import os

def test_before():
    assert True

def test_that_ends_its_process():
    os._exit(3)

def test_after():
    assert int(os.environ["PYTEST_COPY"]) < 2
"""

HANGS = """
import asyncio, signal, time
import pytest

@pytest.mark.timeout(1)
def test_whose_loop_keeps_the_failure():
    async def wait_for_ever():
        asyncio.get_running_loop().call_soon(time.sleep, 600)
        await asyncio.Event().wait()
    asyncio.run(wait_for_ever())

def test_between():
    pass

@pytest.mark.timeout(1)
def test_that_will_not_end():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            time.sleep(600)
        except BaseException:
            pass

def test_after():
    pass
"""


@pytest.fixture(autouse=True)
def _reachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def ran(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run the tests there are with a pytest of their own."""
    return pytester.runpytest_subprocess("-p", "tests.plugins.copies", "-p", "no:schemathesis", "--quiet", *words)


def test_each_outcome_is_told_and_a_process_that_dies_fails_its_test_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_first=FIRST, test_second=SECOND)
    done = ran(pytester, "--copies", "2")
    done.assert_outcomes(passed=4, failed=2, errors=1, skipped=1)
    done.stdout.fnmatch_lines_random(
        [
            "the process that ran it ended with exit code 3",
            "said before",
            "the folder is put away",
            "FAILED test_second.py::test_that_ends_its_process*",
            "FAILED test_first.py::test_bad*",
            "ERROR test_first.py::test_that_ends_badly*",
        ]
    )
    assert done.ret == pytest.ExitCode.TESTS_FAILED


def test_what_failed_in_a_copy_is_known_to_the_next_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_first=FIRST)
    ran(pytester, "--copies", "2")
    ran(pytester, "--last-failed").assert_outcomes(failed=1, errors=1, passed=1)


def test_a_run_that_is_to_end_with_a_failure_ends(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(**{f"test_{number}": "def test_it():\n    assert 1 == 2\n" for number in range(20)})
    done = ran(pytester, "--copies", "2", "--maxfail=1")
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert done.parseoutcomes()["failed"] <= 2


def test_a_test_that_keeps_its_limit_from_failing_it_is_ended_and_the_rest_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_hangs=HANGS)
    pytester.makeconftest("from tests.plugins import copies\ncopies.GRACE_SECONDS = 0.5")
    done = ran(pytester, "--copies", "1")
    done.assert_outcomes(passed=2, failed=2)
    done.stdout.fnmatch_lines(["it took longer than 1 s, and the process that ran it was ended"] * 2)
