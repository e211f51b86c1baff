"""Worker pool: the workers of one `serve` and the process that watches over them; answers no client, opens no store.

Workers are copies of this process that share its listening socket. One that dies is replaced, and the others are told
whose tables are free. SIGHUP replaces all of them one by one by new code and settings: this process becomes the new
command by `exec`, keeps its number, its socket and its workers, and lets each go when the next is there.
"""

from __future__ import annotations

import logging
import os
import secrets
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from letitride.server.ops.setup import Setup
from letitride.server.runtime.worker_slot import WorkerSlot

log = logging.getLogger(__name__)
ADOPTED: Final = "LETITRIDE_CREW"
"""The variable by which a new command knows the worker pool that it takes over."""
STOP_SECONDS: Final = 12.0
"""How long a worker may take to stop."""
START_SECONDS: Final = 60.0
"""How long a worker may take to be ready before the next of a rolling restart is not begun."""
PAUSE_SECONDS: Final = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
"""How long is waited before a worker is replaced that died soon after its start, the first time, the second time …"""
SOON_SECONDS: Final = 10.0
INTERRUPTED: Final = 130
COMMAND: Final = "from letitride.cli.main import run; run()"


@dataclass(slots=True)
class Worker:
    """A process of the worker pool."""

    pid: int
    node: str
    line: socket.socket
    """What it says it is ready by, and is told by whose tables are free."""
    began: float = field(default_factory=time.monotonic)
    ready: bool = False
    asked_to_stop: bool = False


class InheritedWorkers(msgspec.Struct, frozen=True):
    """What a new command takes over."""

    leader: int
    listening: int
    folder: str
    workers: list[tuple[int, str, int]]


class WorkerPool:
    """The workers of one server."""

    def __init__(self, many: int, listening: socket.socket, kept: InheritedWorkers | None = None) -> None:
        self.many, self.listening = many, listening
        self.folder = Path(kept.folder if kept else tempfile.mkdtemp(prefix="letitride-"))
        self._code = Setup().make_code()
        self._workers: list[Worker] = []
        self._old = [
            Worker(pid, node, socket.socket(fileno=line), ready=True)
            for pid, node, line in (kept.workers if kept else ())
        ]
        self._deaths, self._due = 0, list[float]()
        """How many died soon after their start, and when others are to begin in their place."""
        self._stopping = self._again = False
        self._status = 0
        self._woken, self._wakes = socket.socketpair()

    def lead(self) -> WorkerSlot:
        """Look after the worker pool until it is told to stop; return in each worker, and there alone."""
        for end in (self._woken, self._wakes):
            end.setblocking(False)
        before = signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        handlers = {one: signal.signal(one, self._on_signal) for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
        handlers[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        place = self._supervise()
        if place is None:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise SystemExit(self._status)
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # it is for the process that looks after all of them
        return place

    def _supervise(self) -> WorkerSlot | None:
        if (place := self._start_worker(first=True)) is not None:
            return place
        first = self._workers[0]
        while not first.ready and self._workers and not self._stopping:  # it may have a database to make
            self._wait()
        for _ in range(self.many - 1 if first.ready and not self._stopping else 0):
            if (place := self._start_worker()) is not None:
                return place
        while self._workers or self._old or (self._due and not self._stopping):
            if (place := self._step()) is not None:
                return place
        return None

    def _step(self) -> WorkerSlot | None:
        """Do what is due, and wait for what comes next; something in a new worker."""
        if self._again and not self._stopping:
            self._again = False
            self._restart_in_place()
        now = time.monotonic()
        if self._due and min(self._due) <= now and not self._stopping:
            self._due.remove(min(self._due))
            if (place := self._start_worker()) is not None:
                return place
        self._retire_old_worker()
        self._wait()
        return None

    def _start_worker(self, *, first: bool = False) -> WorkerSlot | None:
        """Start a worker; return its place in it, and nothing in this process."""
        node = secrets.token_hex(8)
        ours, theirs = socket.socketpair()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            theirs.close()
            ours.setblocking(False)
            self._workers.append(Worker(pid, node, ours))
            return None
        for one in (ours, self._woken, self._wakes, *(worker.line for worker in (*self._workers, *self._old))):
            one.close()
        theirs.setblocking(False)
        return WorkerSlot(node=node, folder=self.folder, line=theirs, setup_code=self._code, first=first)

    def _retire_old_worker(self) -> None:
        """Let the next worker of the old code go, when one of the new is ready in its place."""
        ready = sum(worker.ready for worker in self._workers)
        going = sum(worker.asked_to_stop for worker in self._old)
        if self._old and not going and (ready >= self.many - len(self._old) + 1 or ready >= self.many):
            self._stop(self._old[0])

    def _wait(self) -> None:
        """Wait for a signal, for a worker to be ready or to die, or for the time when something is due."""
        until = min([*self._due, time.monotonic() + 1.0])
        lines = {worker.line: worker for worker in self._workers if not worker.ready}
        found, _, _ = select.select([self._woken, *lines], [], [], max(until - time.monotonic(), 0.0))
        for one in found:
            if one is self._woken:
                one.recv(4096)
            elif one.recv(64):
                lines[one].ready = True
        self._reap()

    def _reap(self) -> None:
        """Bury those who died, tell the others, and have them replaced."""
        for worker in (*self._workers, *self._old):
            gone, status = os.waitpid(worker.pid, os.WNOHANG)
            if not gone:
                continue
            for some in (self._workers, self._old):
                if worker in some:
                    some.remove(worker)
            worker.line.close()
            (self.folder / f"{worker.node}.sock").unlink(missing_ok=True)
            self.broadcast(f"dead {worker.node}\n")
            if not worker.asked_to_stop and not self._stopping:
                self._replace(worker, os.waitstatus_to_exitcode(status))

    def _replace(self, worker: Worker, code: int) -> None:
        alone = not (self._workers or self._old or self._due)
        if not worker.ready and alone:  # the first: what it cannot do no other can, and it has said why
            self._status, self._stopping = code if code > 0 else 1, True
            return
        soon = time.monotonic() - worker.began < SOON_SECONDS
        self._deaths = self._deaths + 1 if soon else 0
        pause = PAUSE_SECONDS[min(self._deaths, len(PAUSE_SECONDS) - 1)]
        log.error("worker %d exited with code %d and is replaced in %.1f s", worker.pid, code, pause)
        self._due.append(time.monotonic() + pause)

    def broadcast(self, line: str) -> None:
        """Tell all workers something."""
        for worker in (*self._workers, *self._old):
            try:
                worker.line.send(line.encode())
            except OSError:
                log.warning("worker %d could not be notified: %s", worker.pid, line.strip())

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """Take a signal."""
        if number == signal.SIGHUP:
            self._again = True
            return
        if self._stopping and number == signal.SIGINT:  # a second Ctrl-C is a kill
            for worker in (*self._workers, *self._old):
                _signal(worker, signal.SIGKILL)
            os._exit(INTERRUPTED)
        if not self._stopping:
            self._stopping = True
            for worker in (*self._workers, *self._old):
                self._stop(worker)

    def _stop(self, worker: Worker) -> None:
        worker.asked_to_stop = True
        _signal(worker, signal.SIGTERM)

    def _restart_in_place(self) -> None:
        """Go on as the command that is installed now, if it can read its settings."""
        words = [sys.executable, "-c", COMMAND, *sys.argv[1:]]
        silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]  # why not, it says where our own log is
        asked = os.posix_spawn(words[0], [*words, "--show-settings"], os.environ, file_actions=silent)
        if os.waitpid(asked, 0)[1]:
            log.error("the settings cannot be read; the workers keep their old ones")
            return
        every = [*self._workers, *self._old]
        for end in (self.listening, *(worker.line for worker in every)):
            end.set_inheritable(True)
        kept = InheritedWorkers(
            os.getpid(),
            self.listening.fileno(),
            str(self.folder),
            [(worker.pid, worker.node, worker.line.fileno()) for worker in every],
        )
        os.execve(words[0], words, {**os.environ, ADOPTED: msgspec.json.encode(kept).decode()})  # noqa: S606 - ourselves


def inherited_workers() -> InheritedWorkers | None:
    """Return the worker pool that this very process had before it became a new command."""
    said = os.environ.pop(ADOPTED, "")
    kept = msgspec.json.decode(said, type=InheritedWorkers) if said else None
    return kept if kept is not None and kept.leader == os.getpid() else None


def _signal(worker: Worker, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(worker.pid, number)
