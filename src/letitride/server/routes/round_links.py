"""Round links: a round that its player shows by a link: made and withdrawn by the player, seen by all who have it."""

from __future__ import annotations

import asyncio
import html
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, cast

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from letitride.chance.proof import Document
from letitride.errors import MissingData
from letitride.rules.money import dollars
from letitride.server.net.access import (
    ANYWHERE,
    CurrentPerson,
    TheHouse,
    check_rate,
    is_https,
    refusals,
    set_session_hint,
)
from letitride.server.net.pages import Pages
from letitride.server.people.round_links import RoundLink, RoundLinks
from letitride.server.routes.history import NUMBER_MAX
from letitride.server.routes.own_rounds import TheOwnRounds
from letitride.server.routes.page import plain
from letitride.server.runtime.pricing import run_drawing
from letitride.server.tables.stored_shuffles import cards_opened
from letitride.training.own_rounds import OwnRound

router = APIRouter(tags=["round links"], responses=ANYWHERE)

PICTURES_MAX: Final = 200
"""Pictures that are kept at hand."""
RoundToken = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]
MISSING: Final = refusals(404, 422)


class LinkWish(BaseModel):
    """A round of your own to show to everybody who has the link."""

    table: str = Field(max_length=200)
    round: int = Field(ge=1, le=NUMBER_MAX)
    seat: int = Field(ge=1, le=255)
    name: bool = Field(False, description="Whether your name is shown with it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLinkShown:
    """A link of yours."""

    token: str
    address: str
    made_ms: int
    name: bool
    table: str
    round: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedRound:
    """A round as its player saw it; of other players there is nothing."""

    player: str
    """Empty where the player did not want to be named."""
    made_ms: int
    round: OwnRound


@dataclass(frozen=True, slots=True, kw_only=True)
class CardProofs:
    """A proof for each of the player's cards and the community cards; of no other card of the deck."""

    cards: list[Document]
    """As docs/fairness.md describes them."""


def the_links(connection: HTTPConnection) -> RoundLinks:
    """Return all links to rounds."""
    return cast("RoundLinks", connection.app.state.round_links)


TheLinks = Annotated[RoundLinks, Depends(the_links)]


@router.post("/api/me/links", status_code=201, responses=refusals(401, 404, 422))
async def make(
    request: Request, own: TheOwnRounds, links: TheLinks, person: CurrentPerson, wish: LinkWish
) -> RoundLinkShown:
    """Make a link to a round of your own that is over. It shows your hand to everybody who has the link."""
    check_rate(request, "links_of", person.name)
    known = await own.of(person.name)
    place = (wish.table, wish.round, wish.seat)
    mine = next((one for one in known.rounds if (one.table, one.round, one.seat) == place), None)
    if mine is None:
        raise MissingData("expected a round that you have played and that is over, got another")
    return _mine(await links.make(person.name, mine, shows_name=wish.name))


@router.get("/api/me/links", responses=refusals(401))
async def links_of_mine(request: Request, links: TheLinks, person: CurrentPerson) -> list[RoundLinkShown]:
    """The links you have made, the latest first."""
    check_rate(request, "links_of", person.name)
    return [_mine(one) for one in await links.of(person.name)]


@router.delete("/api/me/links/{token}", status_code=204, responses=refusals(401, 404, 422))
async def withdraw(request: Request, links: TheLinks, person: CurrentPerson, token: RoundToken) -> None:
    """Withdraw a link: from then on it shows nothing."""
    check_rate(request, "links_of", person.name)
    await links.withdraw(person.name, token)


@router.get("/api/rounds/{token}", responses=MISSING)
async def shared(request: Request, links: TheLinks, token: RoundToken) -> SharedRound:
    """A round that its player shows."""
    check_rate(request, "shared_rounds_from")
    link = await links.find(token)
    return SharedRound(player=link.player, made_ms=link.made_ms, round=link.round)


@router.get("/api/rounds/{token}/proof", responses=MISSING)
async def proof(request: Request, house: TheHouse, links: TheLinks, token: RoundToken) -> CardProofs:
    """The proofs of the cards that are shown; none till the deck is opened."""
    check_rate(request, "shared_rounds_from")
    link = await links.find(token)
    faces = (*link.round.cards, *link.round.community)
    return CardProofs(
        cards=await asyncio.to_thread(cards_opened, house.stores.documents, link.table, link.round.round, faces)
    )


@router.get(
    "/api/rounds/{token}/picture.png",
    responses={**MISSING, 200: {"content": {"image/png": {}}}},
    response_class=Response,
)
async def picture(request: Request, links: TheLinks, token: RoundToken) -> Response:
    """The round as a picture, for previews of the link."""
    check_rate(request, "shared_rounds_from")
    link = await links.find(token)
    made: OrderedDict[tuple[str, int], bytes] = request.app.state.round_pictures
    key = (token, link.made_ms)
    if key not in made:
        made[key] = await run_drawing(partial(_drawn, link))
        while len(made) > PICTURES_MAX:
            made.popitem(last=False)
    return Response(made[key], media_type="image/png", headers={"Cross-Origin-Resource-Policy": "cross-origin"})


@router.api_route("/rounds/{token}", methods=["GET", "HEAD"], include_in_schema=False)
async def page(house: TheHouse, request: Request, links: TheLinks, token: str) -> Response:
    """The web client, with what previews of the link show."""
    check_rate(request, "shared_rounds_from")
    try:
        head, status = _tags(request, await links.find(token)), 200
    except MissingData:
        head, status = "", 404
    pages: Pages = request.app.state.pages
    if not pages.is_built:
        return HTMLResponse(plain(house), status)
    found = pages.page(request, house.nodes.addresses, head=head, status=status)
    set_session_hint(request, found)
    return found


def _mine(link: RoundLink) -> RoundLinkShown:
    return RoundLinkShown(
        token=link.token,
        address=f"/rounds/{link.token}",
        made_ms=link.made_ms,
        name=bool(link.player),
        table=link.table,
        round=link.round.round,
        seat=link.round.seat,
    )


def title_of(one: OwnRound) -> str:
    """Return a round in a line: 'Full house, tens over fours: +$120'."""
    words = one.reading.words if one.reading else "a round"
    return f"{words[0].upper()}{words[1:]}: {dollars(one.result_cents, signed=True)}"


def _about(link: RoundLink) -> str:
    one = link.round
    by = f"{link.player} at" if link.player else "Played at"
    return f"{by} {one.book_title}, {dollars(one.base_cents)} a bet: hand, decisions, bets and the proof of the cards."


def _tags(request: Request, link: RoundLink) -> str:
    base = f"{'https' if is_https(request) else 'http'}://{request.headers.get('host', '')}"
    address = f"{base}/rounds/{link.token}"
    image = f"{base}/api/rounds/{link.token}/picture.png"
    tags = {
        "og:type": "article",
        "og:site_name": "Let It Ride",
        "og:title": title_of(link.round),
        "og:description": _about(link),
        "og:url": address,
        "og:image": image,
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    named = {"twitter:card": "summary_large_image", "robots": "noindex"}
    return "".join(
        f'<meta {kind}="{name}" content="{html.escape(content)}">'
        for kind, several in (("property", tags), ("name", named))
        for name, content in several.items()
    )


def _drawn(link: RoundLink) -> bytes:
    # What sets a paper is loaded only for one.
    from letitride.reports.paper.round_picture import RoundPicture, as_png  # noqa: PLC0415 - slow to load

    one = link.round
    wagers = tuple((each.title, each.fate, dollars(each.net_cents, signed=True)) for each in one.wagers)
    return as_png(
        RoundPicture(
            title=title_of(one),
            about=one.book_title,
            cards=one.cards,
            community=one.community,
            wagers=wagers,
            player=link.player,
        )
    )
