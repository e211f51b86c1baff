"""Page: the web client at every address that is no other's, and a plain page where it was not built."""

from __future__ import annotations

import html
from typing import Any, Final, cast

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.responses import Response

from letitride.server.net import api_docs as described
from letitride.server.net.access import ANYWHERE, TheHouse, set_session_hint
from letitride.server.net.pages import Pages, policy
from letitride.server.net.site import Site
from letitride.server.people.invitations import is_private
from letitride.server.routes.lobby import lobby
from letitride.server.tables.house import House

router = APIRouter(responses=ANYWHERE)
WITHOUT: Final = (
    "The page of this house was not built: run 'make install' (or 'python scripts/web.py') and load this again. "
    "Everything works without it."
)


class ClientPath(StringConvertor):
    """Any address of the client's own: nothing of the interface, and no file."""

    regex = r"(?!api(?:/|$)|assets(?:/|$)|docs(?:/|$))[^.]*"


LOOKS: Final = ["GET", "HEAD"]

register_url_convertor("client", cast("Any", ClientPath()))


@router.api_route("/assets/{name}", methods=LOOKS, include_in_schema=False)
async def asset(request: Request, name: str) -> Response:
    """A file of the web client."""
    pages: Pages = request.app.state.pages
    found = pages.file(request, name)
    if found is None:
        raise HTTPException(404, f"expected a file of the page, got '{name}'")
    return found


@router.api_route("/sw.js", methods=LOOKS, include_in_schema=False)
@router.api_route("/manifest.webmanifest", methods=LOOKS, include_in_schema=False)
async def root_file(request: Request) -> Response:
    """The worker and the manifest, by which a browser installs the page."""
    pages: Pages = request.app.state.pages
    found = pages.root_file(request, request.url.path.removeprefix("/"))
    if found is None:
        raise HTTPException(404, f"expected a file of the page, got '{request.url.path}'")
    return found


@router.api_route("/docs", methods=LOOKS, include_in_schema=False)
async def site() -> Response:
    """The documentation, whose pages are below its own address."""
    return RedirectResponse("/docs/")


@router.api_route("/docs/{path:path}", methods=LOOKS, include_in_schema=False)
async def documentation(request: Request, path: str) -> Response:
    """A page or a file of the documentation."""
    found: Site = request.app.state.site
    return await found.file(request, path or ".")


@router.api_route("/api/docs", methods=LOOKS, include_in_schema=False)
async def interface(request: Request) -> Response:
    """The interface, described for people."""
    told, _ = await request.app.state.interface.forms()
    return HTMLResponse(told, headers={"Content-Security-Policy": described.POLICY})


@router.api_route("/openapi.json", methods=LOOKS, include_in_schema=False)
async def interface_for_programs(request: Request) -> Response:
    """The interface, described for programs."""
    _, told = await request.app.state.interface.forms()
    return Response(told, media_type="application/json")


@router.api_route("/{path:client}", methods=LOOKS, include_in_schema=False)
async def page(house: TheHouse, request: Request, path: str) -> Response:  # noqa: ARG001 - the client reads it itself
    """The web client, which finds the page by its address."""
    pages: Pages = request.app.state.pages
    if pages.is_built:
        found = pages.page(request, house.nodes.addresses)
        set_session_hint(request, found)
        return found
    return HTMLResponse(plain(house), headers={"Content-Security-Policy": policy()})


def plain(house: House) -> str:
    """A plain page: the tables, and where the interface is described."""
    rows = "".join(
        f"<tr><td>{html.escape(one.name)}</td><td>{one.seated} of {one.seats}</td>"
        f"<td>{html.escape(one.phase)}</td><td>{one.round}</td></tr>"
        for one in lobby(house)
        if not is_private(one.id)
    )
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>letitride</title><h1>letitride</h1>"
        f"<p>{WITHOUT}</p><p>Tables of this house. The interface is at <a href='/api/docs'>/api/docs</a>.</p>"
        f"<table><tr><th>table</th><th>seated</th><th>now</th><th>round</th></tr>{rows}</table></html>"
    )
