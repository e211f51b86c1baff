"""The `serve` command: tables on a network, with an automatic dealer at each."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from letitride.cli.io.output import Json, print_json, print_lines, print_table
from letitride.errors import InvalidData
from letitride.rules.words import show_value
from letitride.server.ops.settings import Resolved, Settings, resolve
from letitride.server.ops.setup import FILE, Setup
from letitride.storage.urls import POSTGRES, open_store
from letitride.version import __version__

if TYPE_CHECKING:
    from fastapi import FastAPI

    from letitride.server.runtime.worker_slot import WorkerSlot


def serve(  # noqa: PLR0917 - the options of a command
    host: Annotated[str | None, typer.Option("--host", help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option("--port", help="The port to listen on; 0 picks a free one.")] = None,
    db: Annotated[
        str | None, typer.Option("--db", help="A SQLite file or postgresql://…; a file in the data folder by default.")
    ] = None,
    data_dir: Annotated[
        str | None, typer.Option("--data-dir", help="The folder for the database, backups and letitride.toml.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", help="A TOML file with settings.", metavar="FILE")] = None,
    address: Annotated[
        str | None, typer.Option("--address", help="The URL at which players reach this server.")
    ] = None,
    internal_address: Annotated[
        str | None, typer.Option("--internal-address", help="The host at which your other servers reach this one.")
    ] = None,
    host_names: Annotated[
        str | None,
        typer.Option("--host-names", help="More host names it answers to, separated by commas."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", help="Worker processes, with PostgreSQL; 1 by default."),
    ] = None,
    pace: Annotated[float | None, typer.Option("--pace", help="Seconds between the dealer's steps.")] = None,
    pace_bets: Annotated[float | None, typer.Option("--pace-bets", help="Seconds to place bets.")] = None,
    pace_decision: Annotated[float | None, typer.Option("--pace-decision", help="Seconds for a decision.")] = None,
    bots: Annotated[int | None, typer.Option("--bots", help="Bots at each demo table.")] = None,
    demo: Annotated[
        bool | None, typer.Option("--demo/--no-demo", help="Open demo tables in an empty database.")
    ] = None,
    browser: Annotated[
        bool | None, typer.Option("--browser/--no-browser", help="Open a browser, if there is one.")
    ] = None,
    log_level: Annotated[str | None, typer.Option("--log-level", help="debug, info, warning or error.")] = None,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print all settings and where each comes from, then exit.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run tables on a network, with automatic dealers.

    An empty database opens with one demo table for each published rule book.
    """
    flags: dict[str, object] = {
        "host": host,
        "port": port,
        "db": db,
        "data_dir": data_dir,
        "address": address,
        "internal_address": internal_address,
        "workers": workers,
        "host_names": None if host_names is None else [one.strip() for one in host_names.split(",") if one.strip()],
        "pace": pace,
        "pace_bets": pace_bets,
        "pace_decision": pace_decision,
        "bots": bots,
        "demo": demo,
        "browser": browser,
        "log_level": log_level,
    }
    resolved = resolve(flags, os.environ, config)
    if show_settings:
        _show(resolved, as_json=as_json)
        return
    # Half the time of a start: not loaded for help, for the settings, or for another command.
    from letitride.server.running import listen, run
    from letitride.server.worker_pool import WorkerPool, inherited_workers

    make_folder(resolved.folder)
    many, kept = how_many_workers(resolved.settings), inherited_workers()
    with socket.socket(fileno=kept.listening) if kept else listen(resolved.settings) as listening:
        # Before the database is opened: each worker has connections of its own.
        place = WorkerPool(many, listening, kept).lead() if many > 1 or kept else None
        stores = open_store(resolved.settings.db, sole=True)
        run(resolved, stores, listening, lambda app, where: _told(resolved, app, where, place), place)


def how_many_workers(settings: Settings) -> int:
    """Return how many processes serve, or say why they cannot."""
    shared, forks = settings.db.startswith(POSTGRES), hasattr(os, "fork")
    if settings.workers == 0:
        return 1
    if settings.workers > 1 and not shared:
        many = settings.workers
        raise InvalidData(f"expected 1 worker on SQLite, whose file one process writes, got {many}: use postgresql://…")
    if settings.workers > 1 and not forks:
        raise InvalidData(f"expected 1 worker on a system without fork, got {settings.workers}")
    return settings.workers


def make_folder(folder: Path) -> None:
    """Make the data folder, readable by its owner alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidData(f"expected a folder for the database, got '{folder}': {error.strerror}") from None


def _show(resolved: Resolved, *, as_json: bool) -> None:
    shown = resolved.shown()
    if as_json:
        print_json(shown)
    else:
        print_table(["setting", "value", "from"], [(k, show_value(one.value), one.origin) for k, one in shown.items()])


def _told(resolved: Resolved, app: FastAPI, where: str, place: WorkerSlot | None) -> None:
    """Print the address, and how to set the server up; among workers, the first prints it."""
    setup: Setup = app.state.setup
    if place is not None and not place.first:
        if not app.state.house.people.administrators():
            setup.make_code(place.setup_code)
            setup.file = resolved.folder / FILE
        return
    digest: str = app.state.code_at_start
    print_lines(f"letitride is running at {where} (Ctrl-C stops it; all chips are kept)")
    print_lines(f"version {__version__}, code sha256 {digest}")
    if not app.state.house.people.administrators():
        setup.make_code(place.setup_code if place is not None else "")
        _show_code(setup, resolved.folder, where)
    if resolved.settings.browser and _has_browser():
        Thread(target=_open_browser, args=(where,), daemon=True).start()


def _show_code(setup: Setup, folder: Path, where: str) -> None:
    """Show the setup code at a terminal; otherwise the output is a log that others read, and a file has the code."""
    if sys.stdout.isatty():
        print_lines(f"There is no administrator yet. Setup code: {setup.code} (use it at {where}/staff)")
        return
    with suppress(OSError):
        print_lines(f"There is no administrator yet. The setup code for {where}/staff is in {setup.write(folder)}")


def _has_browser() -> bool:
    """Whether there is a screen; without one a browser would take over the terminal."""
    screen = sys.platform in {"darwin", "win32"} or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return sys.stdout.isatty() and screen


def _open_browser(where: str) -> None:
    with suppress(Exception):  # a desktop may fail, the server goes on
        webbrowser.open(where)
