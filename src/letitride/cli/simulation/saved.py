"""Saved: the files of a simulation, to resume it and with its results."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from letitride.cli.io.files import read_text
from letitride.cli.simulation.figures import Found
from letitride.cli.simulation.request import Asked
from letitride.errors import InvalidData, InvariantBroken
from letitride.extras import missing_extra
from letitride.rules.wager_table import BASE
from letitride.simulation.game import PartData
from letitride.simulation.jobs import Job
from letitride.simulation.tasks import Task

FORMAT = 1


class State(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A simulation to resume: its options, how far it is, and its results up to there."""

    request: Asked
    digest: str
    done: int
    part: PartData
    format: int = FORMAT


def read_state(file: str) -> State:
    """Return a saved simulation."""
    if file == "-":
        raise InvalidData("expected a file after --resume, where progress is saved as well, got standard input")
    text = read_text(file, "a saved simulation")
    try:
        state = msgspec.json.decode(text, type=State)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        state = None
    if state is None or state.format != FORMAT or state.done < 0:
        raise InvalidData(f"{file}: expected a simulation saved by --state, got something else")
    return state


def check_state(state: State, task: Task, job: Job[Any], file: str) -> None:
    """Refuse a saved run of another table, or one whose parts do not agree."""
    if state.digest != task.digest:
        raise InvalidData(
            f"{file}: expected the rule book and paytables of the saved run, got others: they have changed since"
        )
    if state.done > job.units:
        raise InvalidData(f"expected {state.done:,} {task.unit} or more to resume, got {job.units:,}")
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
    """Save a run; return a sentence if that fails. An earlier file is replaced or stays whole."""
    path, beside = Path(file), Path(f"{file}.part")
    try:
        if path.exists() and not path.is_file():  # a device is written as it is
            path.write_bytes(msgspec.json.encode(state))
        else:
            beside.write_bytes(msgspec.json.encode(state))
            beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        return f"cannot save progress to '{file}': {error.strerror}; the results up to here follow"
    return ""


def check_outputs(task: Task, parquet: str | None, plot: str | None, state: str | None) -> None:
    """Refuse before a long run what could not be written after it."""
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
        raise missing_extra("--parquet", "pyarrow")


def write_outputs(result: Found, task: Task, part: Any, parquet: str | None, plot: str | None) -> None:
    """Write the files that the options name."""
    if plot is parquet is None:
        return
    from letitride.reports.data.simulation import write_parquet, write_plot

    if plot is not None:
        write_plot(Path(plot), result.title, result.wagers, part, task.plan.stakes[BASE.spot])
    if parquet is not None:
        write_parquet(Path(parquet), task, part)
