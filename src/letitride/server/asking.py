"""Asking: who asks, of which house, and whether he may; what every route has in common."""

from __future__ import annotations

from typing import Annotated, Any, Final, cast
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Response
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from letitride.server.house import House
from letitride.server.people import Person, Role

COOKIE: Final = "letitride_session"
COOKIE_SECONDS: Final = 12 * 3600


class Refused(BaseModel):
    """Why something was refused, in a sentence."""

    detail: str


def refused(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how a route says that it may refuse with these."""
    return {status: {"model": Refused} for status in statuses}


def the_house(connection: HTTPConnection) -> House:
    """Return the house that is asked."""
    return cast("House", connection.app.state.house)


def whoever(connection: HTTPConnection) -> Person | None:
    """Return who asks, if he has a session."""
    return the_house(connection).people.by_session(connection.cookies.get(COOKIE, ""))


def somebody(connection: HTTPConnection) -> Person:
    """Return who asks; nobody in particular is refused."""
    person = whoever(connection)
    if person is None:
        raise HTTPException(401, "expected a session, got none that is valid: POST /api/guest begins one")
    return person


class Having:
    """Somebody who has one of some roles; others are refused."""

    def __init__(self, *roles: Role) -> None:
        self._roles = roles

    def __call__(self, connection: HTTPConnection) -> Person:
        person = somebody(connection)
        if not set(self._roles) & set(person.roles):
            raise HTTPException(403, f"expected somebody with the role {' or '.join(self._roles)}, got {person.name}")
        return person


TheHouse = Annotated[House, Depends(the_house)]
Somebody = Annotated[Person, Depends(somebody)]
Whoever = Annotated[Person | None, Depends(whoever)]
Administrator = Annotated[Person, Depends(Having("administrator"))]
Supervisor = Annotated[Person, Depends(Having("floor", "casino_supervisor", "administrator"))]
Inspector = Annotated[Person, Depends(Having("inspector", "floor", "casino_supervisor", "administrator"))]


def welcome(response: Response, token: str) -> None:
    """Give somebody his session: no script can read it, and no other site can send it."""
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=COOKIE_SECONDS)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether something comes from our own pages, or from no browser at all."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
