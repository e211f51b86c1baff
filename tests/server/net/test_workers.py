"""Workers: processes behind one port are one house; killed or replaced one by one, they lose nothing."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import httpx
import pytest

from letitride.cli.house.serve import how_many_workers
from letitride.errors import InvalidData
from letitride.server.ops.settings import Settings
from letitride.server.ops.setup import FILE
from letitride.server.runtime.summed_metrics import summed
from tests.server.cluster import wait_for
from tests.server.guest import PATIENCE
from tests.server.node_kills import Found, check
from tests.server.worker_kills import PoolCluster, PoolNode, kill_workers, restart_rolling, worker_pool
from tests.storage.conftest import postgres

__all__ = ["postgres"]


@pytest.mark.slow
def test_workers_killed_and_restarted_under_load_are_one_house_and_lose_nothing(tmp_path: Path, postgres: str) -> None:
    found = Found()
    with worker_pool(tmp_path, postgres) as house:
        one_house(house)
        end = time.monotonic() + 120.0
        asyncio.run(kill_workers(house, random.Random(5), found, kills=1, end=end))
        asyncio.run(restart_rolling(house, found))
        assert house.leader.stop() == 0
        assert not house.workers()
        check(house, found)
    assert found.kills == 1
    assert found.taken_over
    assert len(found.acknowledged) > 20


def one_house(house: PoolCluster) -> None:
    """Whichever worker a connection comes to, it is told of the whole house, and may set it up once."""
    base = house.leader.base
    many = PoolNode.workers
    wait_for(lambda: len({node for node, _ in house.tables().values()}) == many, house.told)  # they share the tables

    def ask(path: str) -> httpx.Response:  # a connection of its own: at any worker
        return httpx.get(f"{base}{path}", timeout=PATIENCE)

    assert {len(ask("/api/tables").json()) for _ in range(2 * many)} == {5}

    def counted() -> float:
        lines = [line for line in ask("/metrics").text.splitlines() if line.startswith("letitride_tables{")]
        return sum(float(line.rpartition(" ")[2]) for line in lines)

    wait_for(lambda: counted() == 5, house.told)  # a table on its way from one worker to another is at neither
    code = house.leader.folder / FILE
    wait_for(code.exists, house.told)
    boss = {"name": "Boss", "password": "correct battery horse"}
    first = {"code": code.read_text(encoding="utf-8"), **boss}
    assert 201 == httpx.post(f"{base}/api/setup", json=first, timeout=PATIENCE).status_code
    assert {ask("/api/setup").json()["needed"] for _ in range(2 * many)} == {False}
    for table in house.tables():
        assert ask(f"/api/tables/{table}/state").json()["state"] == "open"
    wrong = {**boss, "password": "another password"}
    answers = [httpx.post(f"{base}/api/login", json=wrong, timeout=PATIENCE).status_code for _ in range(4 * many)]
    assert {403, 429} == set(answers)  # five for each worker would be more than these


def test_there_is_one_worker_unless_more_are_asked_for_where_the_database_is_shared() -> None:
    shared = "postgresql://house@db/letitride"
    assert [how_many_workers(Settings(db=db, workers=many)) for db, many in (("h.db", 0), ("h.db", 1))] == [1, 1]
    assert how_many_workers(Settings(db=shared)) == 1
    assert how_many_workers(Settings(db=shared, workers=3)) == 3
    with pytest.raises(InvalidData, match="expected 1 worker on SQLite, whose file one process writes, got 2"):
        how_many_workers(Settings(db="h.db", workers=2))


def test_metrics_of_workers_are_added_up_and_of_the_worst_the_worst_counts() -> None:
    one = """# HELP letitride_commands_total Commands.
# TYPE letitride_commands_total counter
letitride_commands_total{outcome="accepted"} 3.0
# HELP letitride_loop_lag_seconds Lag.
# TYPE letitride_loop_lag_seconds gauge
letitride_loop_lag_seconds 0.25
# HELP letitride_command_seconds Time.
# TYPE letitride_command_seconds histogram
letitride_command_seconds_bucket{le="+Inf"} 2.0
letitride_command_seconds_count 2.0
letitride_command_seconds_sum 0.5
"""
    other = one.replace("3.0", "4.0").replace("0.25", "0.125").replace('"accepted"', '"refused"')
    together = summed([one, one, other])
    assert 'letitride_commands_total{outcome="accepted"} 6.0' in together
    assert 'letitride_commands_total{outcome="refused"} 4.0' in together
    assert "letitride_loop_lag_seconds 0.25" in together
    assert 'letitride_command_seconds_bucket{le="+Inf"} 6.0' in together
    assert "# TYPE letitride_commands_total counter" in together
    assert together == summed([together])
