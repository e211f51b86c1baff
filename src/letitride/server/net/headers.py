"""Headers: what every answer carries against framing, sniffing, caching and referrers; it changes no answer.

It stands before everything else, so that refusals, files and addresses that do not exist have them, too. What a route
says itself stays: the page has a policy of its own, and its files may be kept.
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from letitride.server.net.access import is_https

_NOTHING: Final = "default-src 'none'; {}base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
DATA_POLICY: Final = _NOTHING.format("")
"""Of what is no page."""
REPORT_POLICY: Final = _NOTHING.format("style-src 'unsafe-inline'; img-src data:; ") + "; sandbox"
"""Of a report as HTML, which has its style and pictures inside and nothing that runs."""
PDF_POLICY: Final = _NOTHING.format("style-src 'unsafe-inline'; object-src 'self'; ")
"""Browsers show a PDF by a page of their own, which the policy holds for."""
ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cache-Control": "no-store",
}
HTTPS_ALONE: Final = "max-age=31536000; includeSubDomains"
"""A browser that came by https once comes by nothing else for a year, to this host and all names below it."""
_STARTS: Final = frozenset({"http.response.start", "websocket.http.response.start"})


class Headers:
    """Stands before the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, and put on its answer what is missing there."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return

        async def harden(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = list(message.get("headers", ()))
                add_missing_headers(MutableHeaders(raw=message["headers"]), HTTPConnection(scope))
            await send(message)

        await self._app(scope, receive, harden)


def add_missing_headers(headers: MutableHeaders, connection: HTTPConnection) -> None:
    """Put on an answer's headers what is not there yet."""
    for name, value in ALWAYS.items():
        headers.setdefault(name, value)
    kind = headers.get("content-type", "").partition(";")[0]
    policies = {"text/html": REPORT_POLICY, "application/pdf": PDF_POLICY}
    headers.setdefault("Content-Security-Policy", policies.get(kind, DATA_POLICY))
    if is_https(connection):
        headers.setdefault("Strict-Transport-Security", HTTPS_ALONE)
