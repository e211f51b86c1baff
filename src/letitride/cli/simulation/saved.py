"""The files of a simulation: what is kept of it to go on, and what is written of its result."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from letitride.cli.io.files import read_text
from letitride.cli.simulation.figures import Found
from letitride.cli.simulation.request import Asked
from letitride.errors import InvalidData, InvariantBroken, MissingData
from letitride.rules.wager_table import BASE
from letitride.simulation.game import PartData
from letitride.simulation.jobs import Job
from letitride.simulation.tasks import Task

FORMAT = 1


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A simulation to go on with: what was asked, how far it is, and what came of it so far."""

    request: Asked
    digest: str
    done: int
    part: PartData
    format: int = FORMAT


def read_state(file: str) -> State:
    """Return what was kept."""
    if file == "-":
        raise InvalidData("expected a file after --resume, where the rest is kept as well, got standard input")
    text = read_text(file, "a simulation to go on with")
    try:
        state = msgspec.json.decode(text, type=State)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        state = None
    if state is None or state.format != FORMAT or state.done < 0:
        raise InvalidData(f"{file}: expected a simulation kept by --state, got something else")
    return state


def check_state(state: State, task: Task, job: Job[Any], file: str) -> None:
    """Refuse a state of another game, or one that does not fit together."""
    if state.digest != task.digest:
        raise InvalidData(f"{file}: expected the game it was begun with, got another: a book or paytable has changed")
    if state.done > job.units:
        raise InvalidData(f"expected {state.done:,} {task.unit} or more to go on with, got {job.units:,}")
    try:
        part = job.begin(state.part)
        whole = len(part.results) if task.sessions else part.rounds
    except InvalidData as error:
        raise InvalidData(f"{file}: {error}") from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, InvariantBroken):
        whole = -1
    if whole != state.done or state.done % job.step:
        raise InvalidData(f"{file}: expected tallies of the {state.done:,} {task.unit} it names, got others")


def write_state(file: str, state: State) -> str:
    """Keep a state; return a sentence if that cannot be done. What was there before is replaced or stays whole."""
    path, beside = Path(file), Path(f"{file}.part")
    try:
        if path.exists() and not path.is_file():  # a device is written as it is
            path.write_bytes(msgspec.json.encode(state))
        else:
            beside.write_bytes(msgspec.json.encode(state))
            beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        return f"what is done cannot be kept in '{file}': {error.strerror}; the result so far follows"
    return ""


def check_outputs(task: Task, parquet: str | None, plot: str | None, state: str | None) -> None:
    """Say before a long run what could not be written after it."""
    for option, file in (("--parquet", parquet), ("--plot", plot), ("--state", state)):
        if file is not None and not (Path(file).parent.is_dir() and not Path(file).is_dir()):
            raise InvalidData(f"expected a file in a folder that exists after {option}, got '{file}'")
    if plot is not None and not plot.endswith(".svg"):
        raise InvalidData(f"expected a file that ends in .svg after --plot, got '{plot}'")
    if plot is not None and task.share_cards:
        raise InvalidData("expected rounds, a bank or sessions for --plot, got seats that share cards")
    if parquet is not None and task.kind not in {"rounds", "sessions", "bank sessions"}:
        raise InvalidData(f"expected rounds or sessions for --parquet, got {task.kind}")
    if parquet is not None and find_spec("pyarrow") is None:
        raise MissingData("expected PyArrow for --parquet (pip install 'letitride[data]'), got none")


def write_outputs(result: Found, task: Task, part: Any, parquet: str | None, plot: str | None) -> None:
    """Write the files that were asked for."""
    if plot is parquet is None:
        return
    from letitride.reports.data.simulation import write_parquet, write_plot

    if plot is not None:
        write_plot(Path(plot), result.title, result.wagers, part, task.plan.stakes[BASE.spot])
    if parquet is not None:
        write_parquet(Path(parquet), task, part)
