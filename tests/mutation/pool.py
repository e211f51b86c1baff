"""Pool: children that each run tests on one change, several at a time; it judges nothing.

A change inside a function is made in a fork of this process, in which every test is collected; one of what runs at
import in a fork of a process without letitride.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.mutation.fresh import Zygote
from tests.mutation.live import Live, Tell


@dataclass(slots=True, eq=False)
class Job:
    """Tests to be run on a change, and what came of them."""

    tests: list[str]
    put: Callable[[Live], bool] | None = None
    """Makes the change in a running process and says whether that was possible; None for the code as it is."""
    fresh: tuple[str, str | None] | None = None
    """The module and the mutant of a change that needs an import of its own."""
    started: float = field(default_factory=time.monotonic)
    pipe: int = -1
    child: int = 0
    told: str = ""
    folder: Path = Path()

    @property
    def verdict(self) -> tuple[str, str]:
        """What was told last: 'killed', 'survived', 'unfit', or 'begun' where it got stuck, and the test it is about."""
        lines = self.told.splitlines()
        verdict, _, test = lines[-1].partition(" ") if lines else ("begun", "", "")
        return verdict, test


class Pool:
    """Runs jobs on a number of processes."""

    def __init__(self, live: Live, zygote: Zygote, seconds: Mapping[str, float], jobs: int) -> None:
        self.live, self.zygote, self.seconds, self.jobs = live, zygote, seconds, jobs
        self.work = Path(tempfile.mkdtemp(prefix="letitride-mutate-"))
        self.at_work: dict[int, Job] = {}
        self.selector = selectors.DefaultSelector()
        self.count = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for job in self.at_work.values():
            told = job.told.split()
            if told[:1] == ["child"]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(told[1]), signal.SIGKILL)
            self._end(job)
        shutil.rmtree(self.work, ignore_errors=True)

    @property
    def is_full(self) -> bool:
        """Whether as many jobs are at work as may be."""
        return len(self.at_work) >= self.jobs

    def start(self, job: Job) -> None:
        """Begin a job."""
        self.count += 1
        job.folder = self.work / str(self.count)
        if job.fresh:
            job.pipe = self.zygote.start(*job.fresh, job.tests, self.seconds, job.folder)
        else:
            job.pipe, write = os.pipe()
            job.child = os.fork()
            if job.child == 0:
                os.close(job.pipe)
                self._be_child(job, write)
            os.close(write)
        self.at_work[job.pipe] = job
        self.selector.register(job.pipe, selectors.EVENT_READ)

    def ended(self) -> Iterator[Job]:
        """Wait until something is told; yield the jobs that are over."""
        for key, _ in self.selector.select() if self.at_work else ():
            job = self.at_work[key.fd]
            data = os.read(key.fd, 65536)
            job.told += data.decode(errors="replace")
            if not data:
                self.selector.unregister(key.fd)
                del self.at_work[key.fd]
                self._end(job)
                yield job

    def _be_child(self, job: Job, pipe: int) -> None:
        """Do the work of a job and end this process."""
        try:
            out = os.open(os.devnull, os.O_WRONLY)
            os.dup2(out, 1)
            os.dup2(out, 2)
            tell = Tell(pipe, self.seconds)
            tell.begun("import")
            if job.put is None or job.put(self.live):
                self.live.run(job.tests, tell, job.folder)
            else:
                tell.unfit()
        finally:
            os._exit(0)

    @staticmethod
    def _end(job: Job) -> None:
        os.close(job.pipe)
        if job.child:
            os.waitpid(job.child, 0)
        shutil.rmtree(job.folder, ignore_errors=True)


class AtWork:
    """Does something in place of the tests of a pytest session, once they are collected."""

    def __init__(self, work: Callable[[Live], None]) -> None:
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.work(Live(session.items))
        return True


def with_tests(files: Iterable[str], work: Callable[[Live], None], *words: str) -> None:
    """Collect tests and do something with them; what pytest itself says is shown only where it fails."""
    arguments = ["-qq", "--no-header", "--no-summary", "--capture=sys", "-p", "no:cacheprovider"]
    arguments += ["--continue-on-collection-errors", *words]
    kept = os.dup(1)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        os.dup2(said.fileno(), 1)
        try:
            code = pytest.main([*arguments, *files], plugins=[AtWork(work)])
        finally:
            sys.stdout.flush()
            os.dup2(kept, 1)
            os.close(kept)
        said.seek(0)
        if code == pytest.ExitCode.TESTS_FAILED:
            print(f"{said.read()[-3000:]}\nmutate: these files of tests could not be loaded", file=sys.stderr)
        elif code:
            sys.exit(f"{said.read()[-3000:]}\nmutate: the tests could not be collected")
