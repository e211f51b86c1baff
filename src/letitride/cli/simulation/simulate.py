"""The `simulate` command: rounds, sessions, banks and collusion simulated, and compared with the exact values."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
import typer

from letitride.cli.io.interrupts import kept_back
from letitride.cli.io.output import Json, print_json
from letitride.cli.io.values import Set
from letitride.cli.simulation.figures import found
from letitride.cli.simulation.printed import print_found
from letitride.cli.simulation.request import Asked, stated_for, task_of
from letitride.cli.simulation.saved import State, check_outputs, check_state, read_state, write_outputs, write_state
from letitride.errors import InvalidData, LetItRideError
from letitride.rules import catalog
from letitride.rules.plain import plain
from letitride.rules.words import one_of, quantity, show_value
from letitride.simulation.game import PartData
from letitride.simulation.generator import SEED_MAX
from letitride.simulation.jobs import Chunk, Job, on_threads, processors
from letitride.simulation.tasks import Task
from letitride.version import __version__

INTERRUPTED = 130
INCONSISTENT = 1
KEEP_SECONDS = 60.0
"""How often a run with --state or --resume saves its progress."""


def simulate(  # noqa: PLR0917 - the options of a command
    rulebook: Annotated[str | None, typer.Option("--rulebook", help="The rule book.", metavar="BOOK")] = None,
    paytable: Annotated[
        list[str] | None,
        typer.Option(
            "--paytable", help="A paytable for the wagers that it prices; may be repeated.", metavar="ID|FILE"
        ),
    ] = None,
    seats: Annotated[int | None, typer.Option("--seats", help="Seats in play; all by default.")] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", help="Hands of each player, at adjacent seats; 1 by default.")
    ] = None,
    rounds: Annotated[str | None, typer.Option("--rounds", help="How many rounds: 1000000 or 1e6.")] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy", help="best (the default), or a strategy as for `strategy --compare`.", metavar="NAME|FILE"
        ),
    ] = None,
    stake: Annotated[
        list[str] | None,
        typer.Option(
            "--stake",
            help="Each base bet, such as 5, or a side bet as WAGER=2; the minimum by default.",
            metavar="[WAGER=]AMOUNT",
        ),
    ] = None,
    values: Set = None,
    sessions: Annotated[
        str | None,
        typer.Option("--sessions", help="Simulate sessions: 10000x500 is 10,000 of 500 rounds.", metavar="NxROUNDS"),
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", help="The bankroll at the start of a session.", metavar="AMOUNT")
    ] = None,
    bank_stake: Annotated[
        str | None,
        typer.Option("--bank-stake", help="Simulate a player-dealer's bank with this stake.", metavar="AMOUNT"),
    ] = None,
    share_cards: Annotated[
        bool, typer.Option("--share-cards", help="Simulate collusion: all seats share their cards.")
    ] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same tallies.")] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads; one per processor by default.")] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Run on the workers of this Dask scheduler.", metavar="ADDRESS")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Run on a CUDA GPU.")] = False,
    parquet: Annotated[
        str | None, typer.Option("--parquet", help="Write the counts, or all sessions, to this file.", metavar="FILE")
    ] = None,
    plot: Annotated[str | None, typer.Option("--plot", help="Draw a chart to this SVG file.", metavar="FILE")] = None,
    state: Annotated[
        str | None, typer.Option("--state", help="Save progress to this file, to resume later.", metavar="FILE")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Resume a saved run; only --rounds may change.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Simulate rounds and compare with exact values.

    Rounds of a table by default; sessions, a player-dealer's bank or collusion with the options below.
    """
    described = {
        "rulebook": rulebook,
        "paytables": paytable,
        "seats": seats,
        "hands": hands,
        "strategy": strategy,
        "stakes": stake,
        "values": values,
        "sessions": sessions,
        "bankroll": bankroll,
        "bank_stake": bank_stake,
        "share_cards": share_cards or None,
        "seed": seed,
    }
    if resume is not None:
        if given := [name for name, value in described.items() if value is not None]:
            raise InvalidData(
                f"expected --resume with no option but --rounds, got {given[0].replace('_', '-')} as well"
            )
        saved = read_state(resume)
        asked, done, part = saved.request, saved.done, saved.part
        asked = asked if rounds is None else msgspec.structs.replace(asked, rounds=rounds)
    elif rulebook is None:
        raise InvalidData(f"expected --rulebook with {one_of(list(catalog.rulebook_ids()))}, got none")
    else:
        chosen = {name: value for name, value in described.items() if value is not None}
        asked = msgspec.convert({"seed": secrets.randbelow(SEED_MAX), "rounds": rounds, **chosen}, Asked)
        saved, done, part = None, 0, None
    task = task_of(asked)
    job = task.job()
    if saved is not None:
        check_state(saved, task, job, str(resume))
    check_outputs(task, parquet, plot, state)
    total = job.begin(part)
    keep = state or resume
    work = _Work(task, job, total, done, asked, keep or f"simulate-{task.seed}-{task.digest[:8]}.json")
    failure = _run(work, _Back(threads, cluster, gpu), done, keeps=keep is not None)
    if failure is not None or keep is not None:
        work.save()
    if failure is not None:
        _tell(f"{failure} after {work.done:,} {task.unit}; resume with: letitride simulate --resume {work.where}")
    if not work.done:
        raise typer.Exit(INTERRUPTED)
    stated = ", ".join(f"{key} = {show_value(value)}" for key, value in stated_for(asked).items())
    result = found(
        task, work.total, stated and f"Limits and fees that the rule book leaves to the table, as set here: {stated}"
    )
    if as_json:
        print_json({"run": _run_data(work, done, failure), **plain(result.data)})
    else:
        print_found(result, work.seconds, work.done - done)
    write_outputs(result, task, work.total, parquet, plot)
    if failure is not None:
        raise typer.Exit(INTERRUPTED if failure == "interrupted" else 2)
    if result.consistent is False:
        raise typer.Exit(INCONSISTENT)


@dataclass(slots=True)
class _Work:
    task: Task
    job: Job[Any]
    total: Any
    done: int
    asked: Asked
    where: str
    seconds: float = 0.0
    back_end: str = ""
    whole: tuple[int, PartData] | None = None
    """The state before the last, partial block, from which a longer run continues."""

    def add(self, chunk: Chunk, part: Any) -> None:
        """Add the results of a chunk."""
        if chunk[1] % self.job.step:
            self.whole = chunk[0], self.total.as_data()
        self.total = self.job.add(self.total, part)
        self.done = chunk[1]

    def save(self) -> None:
        """Save the progress; an earlier save is replaced only by a complete one."""
        done, part = self.whole or (self.done, self.total.as_data())
        sentence = write_state(self.where, State(request=self.asked, digest=self.task.digest, done=done, part=part))
        if sentence:
            _tell(sentence)


@dataclass(frozen=True, slots=True)
class _Back:
    threads: int | None
    cluster: str | None
    gpu: bool


def _run(work: _Work, back: _Back, start: int, *, keeps: bool) -> str | None:
    """Do the work; return what stopped it, with all progress kept."""
    begun = kept = time.monotonic()
    try:
        with ExitStack() as stack:
            stop_if_interrupted = stack.enter_context(kept_back())
            for chunk, part in _parts(work, back, stack, stop_if_interrupted):
                work.add(chunk, part)
                now = time.monotonic()
                work.seconds = now - begun
                if keeps and now - kept > KEEP_SECONDS:
                    kept = now
                    work.save()
                _progress(work, start)
                if work.done < work.job.units:
                    stop_if_interrupted()
    except KeyboardInterrupt:
        return "interrupted" if work.done < work.job.units else None
    except LetItRideError as error:
        if work.done == start:  # nothing was done: it could not begin
            raise
        return str(error)
    finally:
        work.seconds = time.monotonic() - begun
        if sys.stderr.isatty():
            sys.stderr.write("\n")
    return None


def _parts(work: _Work, back: _Back, stack: ExitStack, pulse: Callable[[], None]) -> Iterator[tuple[Chunk, Any]]:
    if back.gpu + (back.cluster is not None) + (back.threads is not None) > 1:
        raise InvalidData("expected one of --threads, --cluster and --gpu, got more")
    if back.gpu:
        from letitride.simulation.gpu import CHUNK, device, on_gpu

        work.back_end = f"GPU {device()}"
        if work.task.kind != "rounds":
            raise InvalidData(f"expected rounds of a table for --gpu, got {work.task.kind}, which run on threads")
        return on_gpu(work.task.plan.game, work.task.seed, replace(work.job, size=CHUNK).chunks(work.done))
    if back.cluster is not None:
        from letitride.simulation.cluster import connected, on_cluster

        client = stack.enter_context(connected(back.cluster))
        work.back_end = f"Dask cluster {back.cluster}"
        return on_cluster(work.job, work.done, client, pulse)
    threads = processors() if back.threads is None else back.threads
    if not 1 <= threads <= 1024:
        raise InvalidData(f"expected 1 to 1024 threads after --threads, got {threads}")
    work.back_end = quantity(threads, "thread")
    return on_threads(work.job, work.done, threads)


def _progress(work: _Work, start: int) -> None:
    if sys.stderr.isatty():
        rate = (work.done - start) / max(work.seconds, 1e-9)
        left = (work.job.units - work.done) / rate
        sys.stderr.write(
            f"\r{work.done:,} of {work.job.units:,} {work.task.unit}, {rate:,.0f} per second, {left:,.0f} s left   "
        )
        sys.stderr.flush()


def _tell(sentence: str) -> None:
    sys.stderr.write(f"letitride: {sentence}\n")


def _run_data(work: _Work, start: int, failure: str | None) -> dict[str, object]:
    rate = (work.done - start) / work.seconds if work.seconds else None
    return {
        "letitride": __version__,
        "seed": work.task.seed,
        work.task.unit: work.done,
        "of": work.job.units,
        "back_end": work.back_end,
        "seconds": round(work.seconds, 3),
        f"{work.task.unit}_a_second": rate,
        "stopped": failure,
        "request": msgspec.to_builtins(work.asked),
    }
