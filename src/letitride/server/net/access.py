"""Access: who asks, of which house, and whether they may; what every route has in common."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal, cast
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Response
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from letitride.errors import InvalidData
from letitride.rules.roles import AUDITORS, REVIEWERS, SUPERVISORS, AccountRole, spoken
from letitride.rules.words import plural, quantity
from letitride.server.people.accounts import Origin, Person
from letitride.server.people.devices import device_name
from letitride.server.people.factor_records import FactorAgain, FactorFirst
from letitride.server.people.known_devices import device_of
from letitride.server.people.pending_sign_ins import PENDING_MS
from letitride.server.people.sessions import MINUTE_MS, Session, hash_of
from letitride.server.runtime.rates import network_of
from letitride.server.tables.house import House

COOKIE: Final = "letitride_session"
HOST_ALONE: Final = "__Host-"
"""What names of cookies begin with over https: a browser takes such a cookie from this very host alone, by https."""
COOKIE_SECONDS: Final = 12 * 3600
DEVICE: Final = "letitride_device"
"""Says that an account has signed in on a device, which does not wait for strangers' wrong passwords; opens nothing."""
DEVICE_SECONDS: Final = 180 * 24 * 3600
DEVICE_MAX: Final = 100
BACKGROUND: Final = "x-background"
"""The header of what a page asks for by itself, every few seconds."""
ADDRESS_MAX: Final = 64
WHAT_MAX: Final = 200
PENDING: Final = "letitride_pending"
"""Says which sign-in waits for its second factor; by itself it opens nothing."""
HINT: Final = "letitride_known"
"""Says no more than that there is a session: the page, which cannot see the session itself, asks for it only then."""


class Refused(BaseModel):
    """Why something is refused, in a sentence; by a code and its values, where there is one, clients word it."""

    detail: str
    code: str | None = None
    values: dict[str, str | int] | None = None


class PasswordRequired(InvalidData):
    """Something that moves money or gives roles, asked for too long after the password was given."""

    code = "password_again"


REFUSED: Final = {"$ref": f"#/components/schemas/{Refused.__name__}"}
"""By reference: a model would be made ready anew for every status of every address, at every start of a server."""
Responses = dict[int | str, dict[str, Any]]
"""How an address may answer, by status: FastAPI's own type."""


def refusals(*statuses: int) -> Responses:
    """Return how an address may refuse, for its description."""
    return {status: {"content": {"application/json": {"schema": REFUSED}}} for status in statuses}


ANYWHERE: Final = refusals(403, 413, 422, 429, 503)
"""How every address may refuse."""


def house_of(connection: HTTPConnection) -> House:
    """Return the house that is asked."""
    return cast("House", connection.app.state.house)


def optional_person(connection: HTTPConnection) -> Person | None:
    """Return who asks, if they have a session and have given in it all that the house wants."""
    found = _entered(connection)
    return None if found is None or house_of(connection).people.waits_for_factor(*found) else found[0]


def _entered(connection: HTTPConnection) -> tuple[Person, Session] | None:
    """Return who asks and their session; what a page asks for by itself is no activity of its owner."""
    people, token = house_of(connection).people, token_of(connection)
    found = people.entered(token)
    if found is not None and not connection.headers.get(BACKGROUND):
        people.sessions.touch(hash_of(token))
    return found


def token_of(connection: HTTPConnection) -> str:
    """Return the token of a session that comes with something, if any."""
    return connection.cookies.get(name_of_cookie(connection, COOKIE), "")


def current_person(connection: HTTPConnection) -> Person:
    """Return who asks; without a session, or without a second factor that the house wants, it is refused."""
    person, session = _signed_in(connection)
    if house_of(connection).people.waits_for_factor(person, session):
        raise FactorFirst
    return person


def entered_person(connection: HTTPConnection) -> Person:
    """Return who asks, also where their session opens nothing yet but setting up a second factor."""
    return _signed_in(connection)[0]


def _signed_in(connection: HTTPConnection) -> tuple[Person, Session]:
    found = _entered(connection)
    if found is None:
        minutes = house_of(connection).people.sessions.idle_minutes(token_of(connection))
        if minutes:
            over = f"got one that ended after {quantity(minutes, 'minute')} without activity: sign in again"
            raise HTTPException(401, f"expected a session, {over}")
        raise HTTPException(
            401, "expected a session, got none that is valid: sign in, or begin one with POST /api/guest"
        )
    return found


class RequireRole:
    """A person with one of some roles; others are refused, on record."""

    def __init__(self, *roles: AccountRole) -> None:
        self._roles = roles

    async def __call__(self, connection: HTTPConnection) -> Person:
        person = await asyncio.to_thread(current_person, connection)
        if not set(self._roles) & set(person.roles):
            await record_refusal(connection, person, f"{connection.scope['method']} {connection.scope['path']}")
            wanted = " or ".join(map(spoken, self._roles))
            raise HTTPException(403, f"expected a person with the role {wanted}, got {person.name}")
        return person


class RequireProof(RequireRole):
    """A person with one of some roles who proved a short while ago who they are; others are asked to."""

    async def __call__(self, connection: HTTPConnection) -> Person:
        return await proven(connection, await super().__call__(connection))


async def proven(connection: HTTPConnection, person: Person) -> Person:
    """Return who gave the second factor a short while ago, or the password where the account has no other."""
    people, now = house_of(connection).people, house_of(connection).clock_ms()
    session = await asyncio.to_thread(people.sessions.find, token_of(connection))
    minutes = quantity(people.proof_ms // MINUTE_MS, "minute")
    what = "as moving money, giving roles and changing how you sign in require, got it longer ago"
    if (await asyncio.to_thread(people.factors.of, person.name)).is_set:
        if session is None or now - session.factor_ms > people.proof_ms:
            raise FactorAgain(
                f"expected your second factor given within the last {minutes}, {what}: send a code to"
                " POST /api/me/factors/proof and try again"
            )
    elif session is None or now - session.proven_ms > people.proof_ms:
        raise PasswordRequired(
            f"expected your password given within the last {minutes}, {what}: send it to POST /api/me/proof and try"
            " again"
        )
    return person


async def proven_account(connection: HTTPConnection) -> Person:
    """Return who asks, has an account, and proved a short while ago who they are."""
    person = await asyncio.to_thread(entered_person, connection)
    if person.guest:
        raise InvalidData("expected a person with an account, got a guest: create an account first")
    return await proven(connection, person)


async def check_other(connection: HTTPConnection, by: Person, person: Person, what: str) -> None:
    """Refuse what people may not do to their own account, on record."""
    if by.name == person.name:
        await record_refusal(connection, by, f"{what} {person.name}, which is themselves")
        raise InvalidData(f"expected another person's account, got your own: no one may {what} themselves")


async def record_refusal(connection: HTTPConnection, person: Person, what: str) -> None:
    """Put on record that a person was refused what their roles do not allow, and from where it was asked."""
    record = house_of(connection).people.record
    await record.add("refusal", person.name, f"refused: {_printable(what, WHAT_MAX)}", origin_of(connection).address)


def pending_of(connection: HTTPConnection) -> str:
    """Return the token of a sign-in that waits for its second factor, if any."""
    return connection.cookies.get(name_of_cookie(connection, PENDING), "")


TheHouse = Annotated[House, Depends(house_of)]
PendingToken = Annotated[str, Depends(pending_of)]
Token = Annotated[str, Depends(token_of)]
CurrentPerson = Annotated[Person, Depends(current_person)]
EnteredPerson = Annotated[Person, Depends(entered_person)]
"""For what a person does before they have given a second factor that the house wants."""
OptionalPerson = Annotated[Person | None, Depends(optional_person)]
Administrator = Annotated[Person, Depends(RequireRole("administrator"))]
ProvenAdministrator = Annotated[Person, Depends(RequireProof("administrator"))]
"""For money and roles."""
ProvenAccount = Annotated[Person, Depends(proven_account)]
"""For how one signs in."""
Supervisor = Annotated[Person, Depends(RequireRole(*SUPERVISORS))]
Inspector = Annotated[Person, Depends(RequireRole(*REVIEWERS))]
ProvenSupervisor = Annotated[Person, Depends(RequireProof(*SUPERVISORS))]
Auditor = Annotated[Person, Depends(RequireRole(*AUDITORS))]


def is_secure(connection: HTTPConnection) -> bool:
    """Whether cookies are for https alone."""
    return is_https(connection) or house_of(connection).secure_cookies


def name_of_cookie(connection: HTTPConnection, name: str) -> str:
    """Return what a cookie is called on a connection; over https no other name is believed."""
    return f"{HOST_ALONE}{name}" if is_secure(connection) else name


def set_session_cookies(connection: HTTPConnection, response: Response, token: str) -> None:
    """Give a person their session: no script can read it, and no other site can send it."""
    set_cookie(connection, response, COOKIE, token, COOKIE_SECONDS)


def remember_device(connection: HTTPConnection, response: Response, person: Person) -> None:
    """Let a browser say later that this person has signed in on it."""
    mark = device_of(person.name, person.password, house_of(connection).clock_ms())
    set_cookie(connection, response, DEVICE, mark, DEVICE_SECONDS)


def set_session_hint(connection: HTTPConnection, response: Response, token: str = "") -> None:
    """Let the page know that something came with a session, or begins one."""
    if token or token_of(connection):
        set_cookie(connection, response, HINT, "1", COOKIE_SECONDS, httponly=False)


def set_pending_cookie(connection: HTTPConnection, response: Response, token: str) -> None:
    """Let a browser go on with a sign-in that waits for its second factor."""
    set_cookie(connection, response, PENDING, token, PENDING_MS // 1000)


def clear_pending_cookie(connection: HTTPConnection, response: Response) -> None:
    """Take back the cookie of a sign-in that waits no more."""
    _clear_cookie(connection, response, PENDING)


def clear_session_cookies(connection: HTTPConnection, response: Response) -> None:
    """Take a session's cookie back."""
    _clear_cookie(connection, response, COOKIE)


def _clear_cookie(connection: HTTPConnection, response: Response, name: str) -> None:
    named, secure = name_of_cookie(connection, name), is_secure(connection)
    response.delete_cookie(named, httponly=True, samesite="strict", secure=secure)


def set_cookie(
    connection: HTTPConnection,
    response: Response,
    name: str,
    value: str,
    seconds: int,
    *,
    httponly: bool = True,
    samesite: Literal["strict", "lax"] = "strict",
) -> None:
    """Have a browser keep something; no other site can have it sent, but for a link to us where it is lax."""
    secure = is_secure(connection)
    named = name_of_cookie(connection, name)
    response.set_cookie(named, value, httponly=httponly, samesite=samesite, secure=secure, max_age=seconds)


def is_https(connection: HTTPConnection) -> bool:
    """Whether something came over a connection that no one can read, to us or to a proxy we trust."""
    told = connection.headers.get("x-forwarded-proto", "") if _by_proxy(connection) else ""
    return connection.url.scheme in {"https", "wss"} or told.strip().lower() in {"https", "wss"}


def address_of(connection: HTTPConnection) -> str:
    """Return where something comes from, as it is counted."""
    return network_of(_source(connection))


def origin_of(connection: HTTPConnection) -> Origin:
    """Return where something comes from: as it goes on record, as it is counted, and on which device."""
    source = _source(connection)
    device = connection.cookies.get(name_of_cookie(connection, DEVICE), "")[:DEVICE_MAX]
    browser = device_name(connection.headers.get("user-agent", ""))
    return Origin(address=_printable(source, ADDRESS_MAX), network=network_of(source), device=device, browser=browser)


def _printable(text: str, most: int) -> str:
    """Return a text of a client's as it can be put on record."""
    return "".join(sign if sign.isprintable() else "?" for sign in text[:most])


def _source(connection: HTTPConnection) -> str:
    """Return the address of a client; a proxy we trust says it of those behind it."""
    address = connection.client.host if connection.client else ""
    told = connection.headers.get("x-forwarded-for", "") if _by_proxy(connection) else ""
    return told.rpartition(",")[2].strip() or address


def _by_proxy(connection: HTTPConnection) -> bool:
    return connection.client is not None and connection.client.host in house_of(connection).trusted_proxies


def same_origin(connection: HTTPConnection) -> bool:
    """Whether something comes from our own pages, from others that the house allows, or from no browser at all."""
    origin = connection.headers.get("origin")
    house = house_of(connection)
    if origin is None or origin in house.origins or origin in house.nodes.addresses:
        return True
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False


def check_rate(connection: HTTPConnection, what: str, whose: str = "") -> None:
    """Refuse what is asked for too often; who asks is an address where no name is given."""
    house = house_of(connection)
    seconds = house.buckets.take(what, whose or address_of(connection), getattr(house.rates, what))
    if seconds:
        raise HTTPException(429, too_many(seconds), headers={"Retry-After": str(seconds)})


def too_many(seconds: int) -> str:
    """Return the sentence for a client that asks too often."""
    return f"expected fewer requests, got too many: try again in {seconds} {plural('second', seconds)}"
