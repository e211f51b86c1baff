"""A house in the process of the test: the whole application, asked over ASGI, on a database in a folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from fastapi import FastAPI

from letitride.server.app import create
from letitride.server.ops.settings import Settings
from letitride.server.tables.house import House, Pace
from letitride.storage.urls import open_store

PASSWORD = "long enough now"  # noqa: S105 - of no one's account


@asynccontextmanager
async def running(folder: Path, *, demo: bool = False, database: str = "", **wanted: object) -> AsyncIterator[FastAPI]:
    """Return an application that runs."""
    settings = Settings(data_dir=str(folder), db=database or str(folder / "house.db"), **wanted)
    house = House(open_store(settings.db), node="test", pace=Pace(step=0.001, share=0.0))
    app = create(house, demo=demo, settings=settings)
    async with app.router.lifespan_context(app):
        yield app


def client(app: FastAPI, address: tuple[str, int] = ("127.0.0.1", 5_000)) -> httpx.AsyncClient:
    """Return someone who asks, from an address."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=address), base_url="http://house")


@asynccontextmanager
async def somebody(app: FastAPI, name: str, *roles: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return someone with roles who is logged in."""
    await app.state.house.people.register(name, PASSWORD, ("player", *roles))
    async with client(app) as one:
        found = await one.post("/api/login", json={"name": name, "password": PASSWORD})
        assert found.status_code == 200, found.text
        yield one
