"""The `simulate` command: a table's rounds repeated, beside the exact values; sessions, banks, and shared cards."""

from __future__ import annotations

import json
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from letitride import __version__
from letitride.cli.files import read_text
from letitride.cli.interrupts import kept_back
from letitride.cli.output import Json, print_json
from letitride.cli.par import cents_of
from letitride.cli.simulate_figures import Found, found, print_found
from letitride.cli.storm import STATED
from letitride.cli.strategy import strategy_of
from letitride.cli.values import Set, parse_values, parse_whole
from letitride.errors import InvalidData, LetItRideError
from letitride.rules import catalog
from letitride.rules.paytables import Wager
from letitride.rules.settlement import WagerName
from letitride.rules.table_rules import TableRules
from letitride.rules.words import one_of, show_value
from letitride.simulation.banks import opponents_max
from letitride.simulation.generator import SEED_MAX
from letitride.simulation.jobs import Chunk, Job, on_threads, processors
from letitride.simulation.plan import plan, stakes_of
from letitride.simulation.tasks import ROUNDS_MAX, Task

INTERRUPTED = 130
INCONSISTENT = 1


def simulate(  # noqa: PLR0917 - the options of a command
    rulebook: Annotated[str | None, typer.Option("--rulebook", help="The rule book.", metavar="BOOK")] = None,
    paytable: Annotated[
        list[str] | None,
        typer.Option("--paytable", help="A paytable for the wagers it prices; may be repeated.", metavar="ID|FILE"),
    ] = None,
    seats: Annotated[int | None, typer.Option("--seats", help="Seats that play; all of them by default.")] = None,
    rounds: Annotated[str | None, typer.Option("--rounds", help="How many rounds: 1000000 or 1e6.")] = None,
    strategy: Annotated[
        str, typer.Option("--strategy", help="best, or as `strategy --compare` has it.", metavar="NAME|FILE")
    ] = "best",
    stake: Annotated[
        list[str] | None,
        typer.Option(
            "--stake",
            help="Each base bet, such as 5; or another wager's, such as three_card=2. The least allowed by default.",
            metavar="[WAGER=]AMOUNT",
        ),
    ] = None,
    values: Set = None,
    sessions: Annotated[
        str | None,
        typer.Option("--sessions", help="Sessions of so many rounds, such as 10000x500.", metavar="NxROUNDS"),
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", help="What a session starts with.", metavar="AMOUNT")
    ] = None,
    bank_stake: Annotated[
        str | None, typer.Option("--bank-stake", help="What a player who banks puts up.", metavar="AMOUNT")
    ] = None,
    share_cards: Annotated[bool, typer.Option("--share-cards", help="All seats know one another's cards.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same tallies.")] = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads; one a processor by default.")] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="A Dask scheduler to work on.", metavar="ADDRESS")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Work on a CUDA GPU.")] = False,
    parquet: Annotated[
        str | None, typer.Option("--parquet", help="Write the counts, or every session, there.", metavar="FILE")
    ] = None,
    plot: Annotated[str | None, typer.Option("--plot", help="Draw the figures there, as SVG.", metavar="FILE")] = None,
    state: Annotated[
        str | None, typer.Option("--state", help="Where to keep what is done, to go on later.", metavar="FILE")
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Go on from there; all but --rounds is as it was.", metavar="FILE")
    ] = None,
    as_json: Json = False,
) -> None:
    """Repeat a table's rounds and set what they come to beside the exact values."""
    if plot is not None and not plot.endswith(".svg"):
        raise InvalidData(f"expected a file that ends in .svg after --plot, got '{plot}'")
    if resume is not None:
        saved = _read_state(resume)
        request, done, part = dict(saved["request"]), saved["done"], saved["part"]
        request["rounds"] = rounds or request["rounds"]
    elif rulebook is None:
        raise InvalidData(f"expected --rulebook with {one_of(list(catalog.rulebook_ids()))}, got none")
    else:
        used = secrets.randbelow(SEED_MAX) if seed is None else seed
        request = {
            "rulebook": rulebook,
            "paytables": paytable or [],
            "seats": seats,
            "rounds": rounds,
            "strategy": strategy,
            "stakes": stake or [],
            "values": values or [],
            "sessions": sessions,
            "bankroll": bankroll,
            "bank_stake": bank_stake,
            "share_cards": share_cards,
            "seed": used,
        }
        done, part = 0, None
    task = _task(request)
    job = task.job()
    if part is not None:
        _check_state(saved, task, job, str(resume))
    total = job.empty if part is None else type(job.empty).from_data(part)
    work = _Work(task, job, total, done)
    where = state or resume or f"simulate-{task.seed}-{task.digest[:8]}.json"
    failure = _run(work, _Back(threads, cluster, gpu), done)
    if failure is not None or state is not None or resume is not None:
        _save_state(where, request, work)
    if failure is not None:
        _tell(f"{failure} after {work.done:,} {task.unit}; to go on: letitride simulate --resume {where}")
    if not work.done:
        raise typer.Exit(INTERRUPTED)
    stated = ", ".join(f"{key} = {show_value(value)}" for key, value in _stated(request).items())
    result = found(task, work.total, stated and f"limits and fees the book leaves to the table, taken here: {stated}")
    if as_json:
        print_json({"run": _run_data(request, work, failure), **result.data})
    else:
        print_found(result, work.seconds, work.done - done)
    _write_files(result, task, work, parquet, plot)
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
    seconds: float = 0.0
    back_end: str = ""


@dataclass(frozen=True, slots=True)
class _Back:
    threads: int | None
    cluster: str | None
    gpu: bool


def _task(request: dict[str, Any]) -> Task:
    table = _table(request)
    rules = table.rules
    seats, rounds = request["seats"], request["rounds"]
    banked = rules.bank.mode == "player"
    if seats is None:
        seats = opponents_max(rules.seats, separate=rules.bank.seat == "separate") if banked else rules.seats
    many, each = _sessions(request["sessions"]) if request["sessions"] else (0, 0)
    if many and rounds is not None:
        raise InvalidData("expected --rounds or --sessions, got both: a session says how many rounds it has")
    strategy = None if request["strategy"] == "best" else strategy_of(request["strategy"], "--strategy")
    return Task(
        plan=plan(table, seats, _stakes(table, request["stakes"]), strategy),
        seed=request["seed"],
        rounds=each or (parse_whole(rounds, "rounds", "--rounds", most=ROUNDS_MAX) if rounds else 10_000_000),
        sessions=many,
        bankroll_cents=cents_of(request["bankroll"], "--bankroll") if request["bankroll"] else 0,
        bank_stake_cents=cents_of(request["bank_stake"], "--bank-stake") if request["bank_stake"] else 0,
        share_cards=request["share_cards"],
    )


def _table(request: dict[str, Any]) -> TableRules:
    ref, own = request["rulebook"], parse_values(request["values"])
    for name in request["paytables"]:
        for wager in catalog.paytable(name).pays:
            key = f"{'base' if wager is Wager.BONUS else wager}.paytable"
            if own.get(key, name) != name:
                raise InvalidData(f"expected one paytable for the {wager} wager, got {own[key]} and {name}")
            own[key] = name
    return catalog.table_rules(ref, {**_stated(request), **own})


def _stated(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the book leaves to the table and nobody has set."""
    missing, own = catalog.rulebook(request["rulebook"]).missing(), parse_values(request["values"])
    return {key: value for key, value in STATED.items() if key in missing and key not in own}


def _stakes(table: TableRules, texts: list[str]) -> dict[WagerName, int]:
    given: dict[str, int] = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        name = name if equals else "base"
        if name in given:
            raise InvalidData(f"expected one stake for each wager after --stake, got {name} twice")
        given[name] = cents_of(amount, "--stake")
    stakes = stakes_of(table, given.pop("base", None))
    side: list[WagerName] = [name for name in stakes if not name.startswith("base")]
    for name, cents in given.items():
        if name not in side:
            raise InvalidData(f"expected {one_of(['base', *side])} before '=' in --stake, got '{name}'")
        stakes[name] = cents
    return stakes


def _sessions(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9.e]+)[x×*]([0-9.e]+)", text.replace(" ", ""), re.IGNORECASE)
    if match is None:
        raise InvalidData(f"expected sessions and their rounds such as 10000x500 after --sessions, got '{text}'")
    return parse_whole(match[1], "sessions", "--sessions"), parse_whole(
        match[2], "rounds", "--sessions", most=ROUNDS_MAX
    )


def _run(work: _Work, back: _Back, start: int) -> str | None:
    """Do the work; return what stopped it, with all that was done kept."""
    begun = time.monotonic()
    try:
        with ExitStack() as stack:
            stop_if_interrupted = stack.enter_context(kept_back()) if back.cluster is None else _go_on
            for (_, stop), part in _parts(work, back, stack):
                work.total += part
                work.done = stop
                work.seconds = time.monotonic() - begun
                _progress(work, start)
                stop_if_interrupted()
    except KeyboardInterrupt:
        return "interrupted"
    except LetItRideError as error:
        if work.done == start:  # nothing was done: it could not begin
            raise
        return str(error)
    finally:
        work.seconds = time.monotonic() - begun
        if sys.stderr.isatty():
            sys.stderr.write("\n")
    return None


def _go_on() -> None:
    """Workers elsewhere hold none of our locks: Ctrl-C may come at once."""


def _parts(work: _Work, back: _Back, stack: ExitStack) -> Iterator[tuple[Chunk, Any]]:
    if back.gpu + (back.cluster is not None) + (back.threads is not None) > 1:
        raise InvalidData("expected one of --threads, --cluster and --gpu, got more")
    if back.gpu:
        from letitride.simulation.gpu import device, on_gpu  # noqa: PLC0415 - an extra

        work.back_end = f"GPU {device()}"
        if work.task.kind != "rounds":
            raise InvalidData(f"expected rounds of a table for --gpu, got {work.task.kind}: these run on threads")
        return on_gpu(work.task.plan.game, work.task.seed, work.done, work.job.units)
    if back.cluster is not None:
        from letitride.simulation.cluster import connected, on_cluster  # noqa: PLC0415 - an extra

        client = stack.enter_context(connected(back.cluster))
        work.back_end = f"Dask cluster {back.cluster}"
        return on_cluster(work.job, work.done, client)
    threads = processors() if back.threads is None else back.threads
    if not 1 <= threads <= 1024:
        raise InvalidData(f"expected 1 to 1024 threads after --threads, got {threads}")
    work.back_end = f"{threads} thread{'s' * (threads > 1)}"
    return on_threads(work.job, work.done, threads)


def _progress(work: _Work, start: int) -> None:
    if sys.stderr.isatty():
        rate = (work.done - start) / max(work.seconds, 1e-9)
        left = (work.job.units - work.done) / rate
        sys.stderr.write(
            f"\r{work.done:,} of {work.job.units:,} {work.task.unit}, {rate:,.0f} a second, {left:,.0f} s left   "
        )
        sys.stderr.flush()


def _tell(sentence: str) -> None:
    sys.stderr.write(f"letitride: {sentence}\n")


def _run_data(request: dict[str, Any], work: _Work, failure: str | None) -> dict[str, Any]:
    rate = work.done / work.seconds if work.seconds else None
    return {
        "letitride": __version__,
        "seed": work.task.seed,
        work.task.unit: work.done,
        "of": work.job.units,
        "back_end": work.back_end,
        "seconds": round(work.seconds, 3),
        f"{work.task.unit}_a_second": rate,
        "stopped": failure,
        "request": request,
    }


def _save_state(file: str, request: dict[str, Any], work: _Work) -> None:
    data = {
        "format": 1,
        "request": request,
        "digest": work.task.digest,
        "done": work.done,
        "part": work.total.as_data(),
    }
    try:
        Path(file).write_text(json.dumps(data), encoding="utf-8")
    except OSError as error:
        _tell(f"what is done cannot be kept in '{file}': {error.strerror}; the result so far follows")


def _read_state(file: str) -> dict[str, Any]:
    text = read_text(file, "a simulation to go on with")
    try:
        data = json.loads(text)
        if data["format"] != 1 or not {"request", "digest", "done", "part"} <= set(data):
            raise InvalidData(f"{file}: expected a simulation kept by --state, got another format")
    except (ValueError, KeyError, TypeError):
        raise InvalidData(f"{file}: expected a simulation kept by --state, got something else") from None
    return dict(data)


def _check_state(saved: dict[str, Any], task: Task, job: Job[Any], file: str) -> None:
    if saved["digest"] != task.digest:
        raise InvalidData(f"{file}: expected the game it was begun with, got another: a book or paytable has changed")
    if saved["done"] > job.units:
        raise InvalidData(f"expected {saved['done']:,} {task.unit} or more to go on with, got {job.units:,}")
    if saved["done"] < job.units and saved["done"] % (1 if task.sessions else 1024):
        raise InvalidData(f"{file}: expected a run that stopped between blocks, got one that ended with a part of one")


def _write_files(result: Found, task: Task, work: _Work, parquet: str | None, plot: str | None) -> None:
    from letitride.reports.simulation import write_parquet, write_plot  # noqa: PLC0415 - only where asked for

    if parquet is not None:
        write_parquet(Path(parquet), task, work.total)
    if plot is not None:
        write_plot(Path(plot), result.title, result.wagers, work.total, task.plan.stakes["base-$"])
