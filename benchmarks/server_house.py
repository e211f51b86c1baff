"""The house that `benchmarks/server.py` measures, in a process of its own: tables of seven, and an echo beside them."""

from __future__ import annotations

import secrets
import socket
import sys
from typing import Annotated

import uvicorn
from fastapi import Query, WebSocket, WebSocketDisconnect

from letitride.server.app import UVICORN, create
from letitride.server.ops.settings import Settings
from letitride.server.running import Running, listen_inside
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.files import files_allowed
from letitride.server.runtime.garbage import collect_rarely
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.house import House
from letitride.server.worker_pool import WorkerPool
from letitride.storage.urls import open_store
from letitride.storage.vault import Vault, fresh_key


def main(port: int, database: str, tables: int, workers: int = 1, key: str = "") -> None:
    """Serve so many tables, with no limit on how fast players may act."""
    files_allowed()  # asks for as many as it can have
    listening = socket.create_server(("127.0.0.1", port), backlog=4096)
    place = WorkerPool(workers, listening).lead() if workers > 1 else None
    # Rows are sealed as in the field.
    pace, vault = Pace(step=0.6, bets=15.0, choice=30.0), Vault(bytes.fromhex(key) or fresh_key())
    address = f"http://127.0.0.1:{port}"
    node = place.node if place is not None else secrets.token_hex(8)
    house = House(open_store(database, sole=True), node=node, pace=pace, vault=vault, address=address)
    inner = None
    if not house.stores.leases.alone():
        inner, house.nodes.inner = listen_inside(Settings())
        house.nodes.pool = place.folder.name if place is not None else ""
    free = Rate(10**9, 10**9)
    house.rates = Rates(
        calls_from=free,
        calls_of=free,
        messages_of=free,
        messages_by=free,
        messages_from=free,
        sockets_of=free,
        guests_from=free,
    )
    house.budgets = Budgets(
        rows_max=10**9,
        sockets_from_max=20_000,
        sockets_max=20_000,
        waiting_max=20_000,
        waiting_from_max=20_000,
        requests_from_max=1_000,
        requests_waiting_max=20_000,
        busy_seconds_burst=1e9,
        busy_a_second=1e9,
        frames_burst=10**6,
        frames_a_second=1e6,
        frames_from_a_second=1e9,
        socket_bytes_a_second=1e9,
    )
    app = create(house, demo=False)

    @app.post("/open")
    async def open_tables(many: Annotated[int, Query(alias="tables")] = tables) -> int:
        for number in range(many):
            await house.open(f"t{number:04}", f"Table {number}", "shufflemaster-1")
        collect_rarely()
        return len(house.rooms)

    @app.websocket("/echo")
    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                await websocket.send_bytes((await websocket.receive_text()).encode())
        except WebSocketDisconnect:
            pass

    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=4, **UVICORN)
    Running(config, app, lambda: None, inner, place).run(sockets=[listening])


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), *map(int, sys.argv[4:5]), *sys.argv[5:6])
