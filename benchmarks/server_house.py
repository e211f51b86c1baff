"""The house that `benchmarks/server.py` measures, in a process of its own: tables of seven, and an echo beside them."""

from __future__ import annotations

import sys

import uvicorn
from fastapi import WebSocket, WebSocketDisconnect

from letitride.server.app import UVICORN, create
from letitride.server.running import rare_collections
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.house import House
from letitride.storage.urls import open_store
from letitride.storage.vault import Vault, fresh_key


def main(port: int, database: str, tables: int) -> None:
    """Serve so many tables, with no limit on how fast players may act."""
    pace, vault = Pace(step=0.6, bets=15.0, choice=30.0), Vault(fresh_key())  # rows are sealed as in the field
    house = House(open_store(database), node="benchmark", pace=pace, vault=vault)
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
        sockets_from_max=10_000,
        sockets_max=10_000,
        frames_burst=10**6,
        frames_a_second=1e6,
        frames_from_a_second=1e9,
        socket_bytes_a_second=1e9,
    )
    app = create(house, demo=False)

    @app.post("/open")
    async def open_tables() -> int:
        for number in range(tables):
            await house.open(f"t{number:04}", f"Table {number}", "shufflemaster-1")
        rare_collections()
        return len(house.rooms)

    @app.websocket("/echo")
    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                await websocket.send_bytes((await websocket.receive_text()).encode())
        except WebSocketDisconnect:
            pass

    uvicorn.run(app, port=port, log_level="warning", **UVICORN)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
