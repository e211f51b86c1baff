"""Promise 9: acknowledged means durable. 5 kills with SIGKILL on SQLite, 3 on PostgreSQL and one with workers, hundreds in `make prove`."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.promises.kills import Killed, KilledWorkers, Toll, kill_once
from tests.storage.conftest import address, postgres

__all__ = ["address", "postgres"]


def killed(server: Killed, times: int, seed: int) -> Toll:
    """Kill a server so often, with everything checked after each kill; then all tables must go on."""
    chance, toll = random.Random(seed), Toll()
    server.start()
    try:
        for _ in range(times):
            kill_once(server, chance, toll)
        assert {table["state"] for table in server.tables()} == {"open"}
    finally:
        server.stop(signal.SIGKILL)
    return toll


@pytest.mark.slow
def test_after_5_kills_of_a_server_on_sqlite_everything_acknowledged_is_there(tmp_path: Path) -> None:
    toll = killed(Killed(tmp_path), 5, seed=9)
    assert toll.kills == 5
    assert len(toll.acknowledged) > 10
    assert toll.restored == 20  # four tables after each kill
    assert toll.rounds > 1  # rounds that were cut were played to their end


@pytest.mark.slow
def test_after_3_kills_of_a_server_on_postgresql_everything_acknowledged_is_there(
    tmp_path: Path, address: Callable[[str], str]
) -> None:
    toll = killed(Killed(tmp_path, address("postgres")), 3, seed=10)
    assert toll.kills == 3
    assert toll.acknowledged


@pytest.mark.slow
def test_after_a_kill_of_a_server_and_its_workers_everything_acknowledged_is_there(
    tmp_path: Path, address: Callable[[str], str]
) -> None:
    server = KilledWorkers(tmp_path, address("postgres"))
    toll = killed(server, 1, seed=11)
    assert server.killed_workers == 2 * server.workers  # with the end of the test
    assert toll.acknowledged
    assert toll.restored == 4  # four tables after the kill
