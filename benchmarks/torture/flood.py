"""Flood: one address that asks for more than its share, for a moment, in the ways that cost a house most."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

IDLE = 60
CALLERS = 6
PATHS = ("/api/tables", "/api/rulebooks", "/openapi.json", "/docs")
GONE = (OSError, TimeoutError, WebSocketException, httpx.HTTPError)


async def flood(base: str, seconds: float) -> None:
    """Hold idle connections, send half a request, ask for pages, send frames that mean nothing; then let go."""
    host, port = base.removeprefix("http://").split(":")
    tasks = [asyncio.create_task(_idle(host, int(port))) for _ in range(IDLE)]
    tasks += [asyncio.create_task(_call(base, PATHS[number % len(PATHS)])) for number in range(CALLERS)]
    tasks.append(asyncio.create_task(_frames(base)))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _idle(host: str, port: int) -> None:
    with suppress(*GONE):
        _, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: flood\r\nX-Long: " + b"a" * 2000)
            await writer.drain()
            await asyncio.sleep(3600)
        finally:
            writer.transport.abort()


async def _call(base: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=base, verify=False) as client:  # noqa: S501 - there is no TLS on loopback
        while True:
            with suppress(*GONE):
                await client.get(path, timeout=5)
            await asyncio.sleep(0)


async def _frames(base: str) -> None:
    with suppress(*GONE, KeyError):
        async with httpx.AsyncClient(base_url=base, verify=False) as client:  # noqa: S501 - as above
            found = await client.post("/api/guest", timeout=5)
        cookie = f"letitride_session={found.cookies['letitride_session']}"
        url = f"{base.replace('http', 'ws', 1)}/api/tables/nsw-1/socket"
        async with connect(url, additional_headers={"Cookie": cookie}, ping_interval=None) as socket:
            while True:
                await socket.send(os.urandom(500))
                await socket.ping()
                await asyncio.sleep(0.0005)
