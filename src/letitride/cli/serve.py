"""The `serve` command: the house on a network, with an automatic dealer at every table."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
import uvicorn
from platformdirs import user_data_path

from letitride.cli.output import print_lines
from letitride.errors import InvalidData
from letitride.server.app import UVICORN, create
from letitride.server.house import House
from letitride.server.pace import Pace
from letitride.storage.urls import open_store


def serve(
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen at; 0 takes a free one.")] = 8765,
    database: Annotated[
        str | None, typer.Option("--db", help="A SQLite file, or postgresql://…; a file of yours by default.")
    ] = None,
    pace: Annotated[float, typer.Option("--pace", help="Seconds the dealer takes over a step.")] = 0.6,
) -> None:
    """Open the house: one demo table for each rule book, dealt automatically, kept in a database."""
    if not 0 <= port <= 65535 or not 0 <= pace <= 60:
        raise InvalidData(f"expected a port up to 65535 and a pace of 0 to 60 seconds, got {port} and {pace}")
    store = open_store(database or str(_data_folder() / "house.db"))
    house = House(store, node=secrets.token_hex(8), pace=Pace(step=pace), address=f"http://{host}:{port}")
    print_lines(f"letitride is at http://{host}:{port} (Ctrl-C stops it; every chip is kept)")
    # The server closes cleanly at a signal, and then sends it to us once more.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        uvicorn.run(create(house), host=host, port=port, **UVICORN)


def _data_folder() -> Path:
    folder = Path(os.environ.get("LETITRIDE_DATA_DIR") or user_data_path("letitride"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidData(f"expected a folder for the database, got '{folder}': {error.strerror}") from None
    return folder
