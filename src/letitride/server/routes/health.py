"""Health: whether the server runs, is ready, what it counts, and what code and books it runs by."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from letitride.server.net.access import ANYWHERE, Refused, Responses, TheHouse, check_rate, too_many
from letitride.server.net.forwarding import Forwarder
from letitride.server.ops.digests import digests
from letitride.server.runtime.summed_metrics import summed
from letitride.version import __version__

router = APIRouter(tags=["health"], responses=ANYWHERE)
TEXT: Final[Responses] = {503: {"content": {"text/plain": {}}, "description": "Why not."}}


class DigestsHere(BaseModel):
    """The SHA-256 of what runs here; code that was changed since the start shows as two digests."""

    version: str
    code: str
    code_at_start: str
    page: str
    """Of the page's own files, which are also part of the code; empty where it was not built."""
    rulebooks: dict[str, str]
    paytables: dict[str, str]


@router.get("/healthz", response_class=PlainTextResponse)
async def healthy() -> str:
    """Whether the server runs."""
    return "ok"


@router.get("/readyz", response_class=PlainTextResponse, responses=TEXT)
async def ready(request: Request) -> PlainTextResponse:
    """Whether the server is ready: its tables have owners and the database can be written to."""
    reason = await request.app.state.readiness.reason()
    return PlainTextResponse(reason or "ready", 503 if reason else 200)


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={403: {"description": "A request from elsewhere, or without the token."}},
)
async def metrics(house: TheHouse, request: Request) -> Response:
    """What the server's workers count, for Prometheus: with the metrics token, or from this machine without one."""
    if not _may_scrape(request):
        raise HTTPException(
            403, "expected the metrics token, or a request from this machine where none is set, got another"
        )
    forwarder: Forwarder = request.app.state.forwarder
    others = await forwarder.ask_all(request, house.nodes.pool_workers)
    told = house.metrics.text()
    if others:
        told = summed(bytes(one).decode() for one in (told, *(other.body for other in others))).encode()
    return Response(told, media_type=CONTENT_TYPE_LATEST)


@router.get("/api/digests", responses={429: {"model": Refused}})  # here the model itself: all others refer to it
async def show_digests(request: Request) -> DigestsHere:
    """The digests of the code, the rule books and the paytables, taken now."""
    check_rate(request, "digests_from")
    taking: asyncio.Lock = request.app.state.taking_digests
    if taking.locked():  # every file is read for it, and anybody may ask
        seconds = 1
        raise HTTPException(429, too_many(seconds), headers={"Retry-After": str(seconds)})
    async with taking:
        found = await asyncio.to_thread(digests)
    return DigestsHere(
        version=__version__,
        code=found.code,
        code_at_start=request.app.state.code_at_start,
        page=found.page,
        rulebooks=found.rulebooks,
        paytables=found.paytables,
    )


def _may_scrape(request: Request) -> bool:
    token: str = request.app.state.settings.metrics_token
    if token:
        given = request.headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    # What a proxy on this machine passes on comes from elsewhere.
    if any(name in request.headers for name in ("forwarded", "x-forwarded-for", "x-real-ip")) or request.client is None:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
