"""The `simulate` command: figures beside exact values, the same tallies anywhere, and work that is never lost."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet

from letitride.simulation.banks import opponents_max
from tests.cli.command import COMMAND, SECONDS, process, run
from tests.server.cluster import wait_for

if TYPE_CHECKING:
    from distributed import LocalCluster

WASHINGTON = ("simulate", "--rulebook", "washington-1", "--paytable", "LIRB-06", "--seed", "1")
PLAIN = ("simulate", "--rulebook", "shufflemaster-1")


def found(*words: str, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    done = run(*words, "--json")
    assert done.returncode in codes, done.stderr
    return dict(json.loads(done.stdout))


def without_run(data: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in data.items() if name != "run"}


@contextmanager
def counting(*words: str | Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A simulation whose first rounds are counted, and the terminal on which it says so."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        patience = Timer(SECONDS, process.kill)
        patience.start()
        try:
            said = b""
            while b"s left" not in said:
                said += os.read(ours, 4096)
            yield process, ours
        finally:
            patience.cancel()
            process.kill()
            os.close(ours)


def ended(process: subprocess.Popen[bytes], terminal: int) -> tuple[str, str]:
    """What a simulation prints and says on its terminal to its end."""
    said = b""
    with suppress(OSError):  # the terminal is gone with the last who wrote to it
        while part := os.read(terminal, 4096):
            said += part
    out, _ = process.communicate(timeout=SECONDS)
    return out.decode(), said.decode()


def local_cluster(workers: int) -> LocalCluster:
    """A cluster of so many processes on this machine."""
    from distributed import LocalCluster  # noqa: PLC0415 - slow to load, and every worker collects this file

    own = {"dashboard_address": "127.0.0.1:0"}  # any port: there may be another cluster on this machine
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_kwargs=own
    )


def test_seven_seats_with_every_bet_agree_with_the_exact_values(tmp_path: Path) -> None:
    table, picture = tmp_path / "counts.parquet", tmp_path / "means.svg"
    one = found(*WASHINGTON, "--seats", "7", "--rounds", "2e6", "--threads", "1")
    two = found(
        *WASHINGTON,
        "--seats",
        "7",
        "--rounds",
        "2000000",
        "--threads",
        "2",
        "--parquet",
        str(table),
        "--plot",
        str(picture),
    )
    assert without_run(one) == without_run(two)
    assert (one["run"]["seed"], one["run"]["rounds"]) == (1, 2_000_000)
    assert [wager["wager"] for wager in one["wagers"]] == ["base", "bonus", "three_card", "cover_all"]
    for wager in one["wagers"]:
        assert set(wager) >= {"mean", "se", "exact", "z", "interval", "categories", "chi_square"}
        assert wager["z"] == pytest.approx((wager["mean"] - wager["exact"]) / wager["se"])
    assert one["verdict"]["consistent"] is True
    assert one["tallies"]["rounds"] == 2_000_000
    rows = parquet.read_table(table).to_pylist()
    for wager in one["wagers"]:
        own = [row for row in rows if row["wager"] == wager["wager"]]
        seats = 7 if wager["wager"] == "cover_all" else 1
        total = seats * sum(row["count"] * row["net_cents"] for row in own)
        assert total / (14_000_000 * wager["stake_cents"]) == pytest.approx(wager["mean"])
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_a_seed_is_chosen_and_told_where_none_is_given() -> None:
    # One seed in a hundred disagrees with the exact values by chance, and says so by its exit code.
    first, second = (found(*PLAIN, "--rounds", "1000", "--seats", "1", codes=(0, 1)) for _ in range(2))
    assert first["run"]["seed"] != second["run"]["seed"]
    again = found(*PLAIN, "--rounds", "1000", "--seats", "1", "--seed", str(first["run"]["seed"]), codes=(0, 1))
    assert without_run(again) == without_run(first)
    shown = run(*PLAIN, "--rounds", "1000", "--seats", "1", "--seed", "77")
    assert "seed 77" in shown.stdout
    assert "exact" in shown.stdout
    assert "Consistent with the exact values at 99%" in shown.stdout


def test_an_interrupted_run_tells_what_it_has_and_goes_on_to_the_same_tallies(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    words = [COMMAND, *WASHINGTON, "--rounds", "1e12", "--state", str(state), "--json"]
    with counting(*words) as (process, terminal):
        process.send_signal(signal.SIGINT)
        out, talk = ended(process, terminal)
    assert process.returncode == 130, talk
    assert f"resume with: letitride simulate --resume {state}" in talk
    so_far = json.loads(out)
    done = so_far["run"]["rounds"]
    assert 0 < done < 10**12
    assert so_far["run"]["stopped"] == "interrupted"
    assert so_far["tallies"] == found(*WASHINGTON, "--rounds", str(done))["tallies"]
    longer = str(done + 500_000)
    resumed = found("simulate", "--resume", str(state), "--rounds", longer)
    assert resumed["tallies"] == found(*WASHINGTON, "--rounds", longer)["tallies"]
    less = run("simulate", "--resume", str(state), "--rounds", "1000")
    assert less.returncode == 2
    assert "or more to resume, got 1,000" in less.stderr


def test_a_finished_run_goes_further(tmp_path: Path) -> None:
    state = str(tmp_path / "state.json")
    words = (*PLAIN, "--seats", "2", "--seed", "5")
    first = found(*words, "--rounds", "100000", "--state", state)  # ends with a part of a block
    assert first["tallies"]["rounds"] == 100_000
    again = found("simulate", "--resume", state)
    assert again["tallies"] == first["tallies"]
    further = found("simulate", "--resume", state, "--rounds", "250000")
    assert further["tallies"] == found(*words, "--rounds", "250000")["tallies"]
    assert not list(tmp_path.glob("*.part"))
    mixed = run("simulate", "--resume", state, "--seed", "7")
    assert (mixed.returncode, mixed.stdout) == (2, "")
    assert "expected --resume with no option but --rounds, got seed as well" in mixed.stderr


@pytest.mark.parametrize(
    "change",
    [{"done": "x"}, {"done": -1024}, {"done": 5}, {"part": {}}, {"request": {}}, {"request": [1]}, {"format": 9}],
)
def test_a_damaged_state_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    state = tmp_path / "state.json"
    found(*PLAIN, "--rounds", "2048", "--seats", "2", "--seed", "5", "--state", str(state))
    state.write_text(json.dumps({**json.loads(state.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    done = run("simulate", "--resume", str(state))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "state.json: expected" in done.stderr


def test_a_state_of_another_game_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    found(*PLAIN, "--rounds", "2048", "--seats", "2", "--seed", "5", "--state", str(state))
    data = json.loads(state.read_text(encoding="utf-8"))
    data["request"]["seats"] = 3
    state.write_text(json.dumps(data), encoding="utf-8")
    done = run("simulate", "--resume", str(state))
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected the rule book and paytables of the saved run" in done.stderr
    for text in ("", "[]", '{"format": 2}', "no json"):
        state.write_text(text, encoding="utf-8")
        done = run("simulate", "--resume", str(state))
        assert done.returncode == 2
        assert "expected a simulation saved by --state" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_disk_loses_no_result() -> None:
    done = run(*PLAIN, "--rounds", "2048", "--seats", "1", "--seed", "5", "--state", "/dev/full", "--json")
    assert "cannot save progress to '/dev/full': No space left on device" in done.stderr
    assert json.loads(done.stdout)["tallies"]["rounds"] == 2048


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rulebook", "nowhere"], "nowhere"),
        (["--rounds", ""], "expected a whole number of rounds"),
        (["--sessions", "2x1e11"], "expected 1 to 100,000,000 rounds a session, got 100000000000"),
        (["--bankroll", ""], "expected an amount like 25 or 7.50 after --bankroll, got ''"),
        (["--stake", "150000"], "for base-1, got $150,000"),
        (["--stake", "bonus=25"], "expected $1 to $1 for bonus, got $25"),
        (["--parquet", "nowhere/x.parquet"], "expected a file in a folder that exists after --parquet, got 'nowhere/x.parquet'"),
        (["--state", "nowhere/x.json"], "expected a file in a folder that exists after --state"),
        (["--share-cards", "--strategy", "basic"], "expected the best strategy with --share-cards, got 'basic'"),
        (["--share-cards", "--plot", "x.svg"], "expected rounds, a bank or sessions for --plot, got seats that share cards"),
        (["--resume", "-"], "expected a file after --resume"),
        (["--rounds", "0"], "expected a whole number of rounds, such as 1000000 or 1e6, after --rounds, got '0'"),
        (["--rounds", "-5"], "expected a whole number of rounds, such as 1000000 or 1e6, after --rounds, got '-5'"),
        (["--rounds", "1.5"], "expected a whole number of rounds"),
        (["--seats", "8"], "expected 1 to 7 seats by shufflemaster-1, got 8"),
        (["--seats", "0"], "expected 1 to 7 seats by shufflemaster-1, got 0"),
        (["--seats", "7", "--rulebook", "california-1", "--bank-stake", "100"], "expected 1 to 6 seats against the bank, got 7"),
        (["--strategy", "lucky"], "expected one of 'best', 'basic'"),
        (["--paytable", "COVER-ALL"], "cover_all"),
        (["--paytable", "LIRX-01", "--paytable", "LIRX-02"], "expected one paytable for the base wager, got LIRX-01 and LIRX-02"),
        (["--stake", "0"], "expected an amount like 25 or 7.50 after --stake, got '0'"),
        (["--set", "limit.cents_step=500", "--stake", "7"], "expected $5 and steps of $5 for base-1, got $7"),
        (["--stake", "nothing=5"], "before '=' in --stake, got 'nothing'"),
        (["--seed", "-1"], "expected a seed from 0 to"),
        (["--threads", "0"], "expected 1 to 1024 threads after --threads, got 0"),
        (["--threads", "2", "--gpu"], "expected one of --threads, --cluster and --gpu, got more"),
        (["--sessions", "5"], "expected sessions and rounds such as 10000x500 after --sessions, got '5'"),
        (["--sessions", "5x5", "--rounds", "5"], "expected --rounds or --sessions, got both"),
        (["--sessions", "5x5", "--bankroll", "1"], "expected a bankroll of"),
        (["--bankroll", "100"], "expected sessions for a bankroll, got rounds alone"),
        (["--bank-stake", "100"], "expected a book by which a player banks, got shufflemaster-1"),
        (["--rulebook", "california-1", "--bank-stake", "1"], "expected a bank's stake of $5 or more, a bet, got $1"),
        (["--share-cards", "--seats", "1"], "expected 2 to 7 seats that share cards, got 1"),
        (["--plot", "x.png"], "expected a file that ends in .svg after --plot, got 'x.png'"),
        (["--cluster", "foo"], "expected a Dask scheduler such as 'tcp://10.0.0.5:8786' after --cluster, got 'foo'"),
        (["--cluster", "tcp://127.0.0.1:1"], "expected a Dask scheduler at 'tcp://127.0.0.1:1' after --cluster"),
        (["--resume", "nowhere.json"], "expected a file of a saved simulation, got 'nowhere.json', which does not exist"),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(words: list[str], sentence: str) -> None:
    named = "--rulebook" in words or "--resume" in words
    done = run(*(["simulate"] if named else PLAIN), *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_server_that_is_no_scheduler_is_named_in_a_sentence() -> None:
    def answer(other: socket.socket) -> None:
        theirs, _ = other.accept()
        with theirs:
            theirs.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as other:
        Thread(target=answer, args=(other,), daemon=True).start()
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        done = run(*PLAIN, "--cluster", address)
    expected = f"expected a Dask scheduler at '{address}' after --cluster, got an answer that is none of Dask's\n"
    assert (2, "", f"letitride: {expected}") == (done.returncode, done.stdout, done.stderr)


def test_a_book_must_be_named() -> None:
    done = run("simulate")
    assert done.returncode == 2
    assert done.stderr.startswith("letitride: expected --rulebook with one of 'california-1'")


def test_banks_sessions_and_shared_cards_state_their_errors(tmp_path: Path) -> None:
    bank = found("simulate", "--rulebook", "california-1", "--bank-stake", "100", "--rounds", "3e5", "--seed", "2", "--plot", str(tmp_path / "b.svg"))  # fmt: skip
    told = bank["bank"]
    assert told["result"]["se"] > 0
    assert len(told["order_of_action"]) == opponents_max(7, separate=False) == 6
    assert len(told["rotation"]["seats"]) == 7
    assert told["cover_by_stake"][0]["stake_cents"] < told["cover_by_stake"][-1]["stake_cents"]
    assert bank["verdict"]["consistent"] is None
    assert "Limits and fees" in bank["game"]["stated"]
    one = found(
        "simulate", "--rulebook", "california-1", "--seats", "1", "--bank-stake", "60", "--rounds", "3e5", "--seed", "2"
    )
    assert one["verdict"]["consistent"] is True
    assert one["wagers"][0]["exact"] is not None
    sessions = (
        "simulate",
        "--rulebook",
        "nsw-1",
        "--seats",
        "1",
        "--sessions",
        "4000x100",
        "--bankroll",
        "60",
        "--seed",
        "3",
    )
    several = found(*sessions, "--threads", "2", "--parquet", str(tmp_path / "s.parquet"))
    assert without_run(several) == without_run(found(*sessions, "--threads", "1"))
    assert several["verdict"]["consistent"] is True
    assert several["sessions"]["ruined"]["exact"] is not None
    assert several["sessions"]["rounds_played"]["mean"] < 100
    rows = parquet.read_table(tmp_path / "s.parquet").to_pydict()
    assert sum(rows["result_cents"]) == several["tallies"]["result_cents"]
    ruin = found(
        "simulate",
        "--rulebook",
        "california-1",
        "--bank-stake",
        "200",
        "--sessions",
        "500x300",
        "--bankroll",
        "300",
        "--seed",
        "3",
    )
    assert 0 < ruin["sessions"]["ruined"]["mean"] < 1
    shared = found(
        "simulate", "--share-cards", "--rulebook", "nsw-1", "--seats", "6", "--rounds", "60000", "--seed", "3"
    )
    assert shared["shared_cards"]["expected_gain"]["mean"] > 5 * shared["shared_cards"]["expected_gain"]["se"]
    for words in (sessions[:-2], ("simulate", "--rulebook", "california-1", "--bank-stake", "100", "--rounds", "5000")):
        assert "seed" in run(*words).stdout


@contextmanager
def killing_a_busy_worker(cluster: LocalCluster) -> Iterator[Event]:
    """Kill one of a cluster's workers at the moment when all of them have something to count, and say when it is done."""
    from distributed import SchedulerPlugin  # noqa: PLC0415 - slow to load

    killed, scheduler = Event(), cluster.scheduler

    class Kill(SchedulerPlugin):  # type: ignore[misc]  # Dask has no types
        def transition(self, _key: Any, _start: Any, finish: str, *_: Any, **__: Any) -> None:
            """Look whenever a worker is given a task."""
            every = scheduler.workers.values()
            counting = finish == "processing" and all(one.processing for one in every)
            if counting and any(one.has_what for one in every) and not killed.is_set():  # what all tasks need is there
                killed.set()
                os.kill(next(iter(cluster.workers.values())).process.process.pid, signal.SIGKILL)

    scheduler.add_plugin(Kill(), name="kill")
    try:
        yield killed
    finally:
        scheduler.remove_plugin(name="kill")


LONG = (*WASHINGTON, "--seats", "7", "--rounds", "1e7")


@cache
def counted_here() -> dict[str, Any]:
    """What a cluster has to count, counted in this process."""
    return without_run(found(*LONG))


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A cluster of two workers; the last test that has it closes it."""
    with local_cluster(workers=2) as one:
        yield one


def test_a_cluster_counts_the_same_though_a_worker_is_killed(cluster: LocalCluster) -> None:
    with killing_a_busy_worker(cluster) as killed:
        address = cluster.scheduler_address
        done = process(*LONG, "--cluster", address, "--json")
    assert done.returncode == 0, done.stderr
    assert killed.is_set()
    there = json.loads(done.stdout)
    assert without_run(there) == counted_here()
    assert there["run"]["back_end"] == f"Dask cluster {address}"


def test_the_only_worker_of_a_cluster_may_die(cluster: LocalCluster) -> None:
    workers = cluster.scheduler.workers
    wait_for(lambda: len(workers) == 2)  # the one that was killed is started anew
    cluster.scale(1)
    wait_for(lambda: len(workers) == 1)
    with killing_a_busy_worker(cluster) as killed:
        done = process(*LONG, "--cluster", cluster.scheduler_address, "--json")
    assert done.returncode == 0, done.stderr
    assert killed.is_set()
    assert without_run(json.loads(done.stdout)) == counted_here()


def test_a_cluster_that_is_gone_costs_nothing_that_was_done(cluster: LocalCluster, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    words = (*WASHINGTON, "--seats", "7", "--rounds", "1e12", "--state", str(state))
    address = cluster.scheduler_address
    with counting(COMMAND, *words, "--cluster", address, "--json") as (process, terminal):
        cluster.close()
        out, talk = ended(process, terminal)
    assert process.returncode == 2, talk
    assert "resume with: letitride simulate --resume" in talk
    done = json.loads(out)["tallies"]["rounds"]
    assert done > 0
    assert json.loads(state.read_text(encoding="utf-8"))["done"] == done
