"""Permissions: docs/permissions.md, compared with what the house does: every request by everyone, and the audit rows."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import httpx
import pytest
from starlette.routing import Route, WebSocketRoute

from letitride.engine import commands
from letitride.ledger.chips import DEFAULT_RACK
from letitride.rules.roles import STAFF_ACCOUNTS, spoken
from letitride.server.app import ROUTERS
from letitride.server.net import wire
from letitride.server.ops.backups import Backups
from letitride.server.people.accounts import Person
from letitride.server.people.approval_records import AwaitsApproval, Wish
from letitride.server.runtime.rates import Rates, changed
from letitride.server.runtime.table_facts import PrivateFacts
from letitride.server.tables.house import House
from tests.promises.test_18_who_may_what import MATRIX
from tests.server.inside import Inside, inside
from tests.server.staffed import session

PAGE = Path(__file__).parents[3] / "docs" / "permissions.md"
KINDS: Final = ("anonymous", "guest", *STAFF_ACCOUNTS)
OWN_TABLE: Final = "the owner"
DUTY: Final = {"administrator": "operator", "guest": "dealer", "anonymous": "dealer"}
"""As what they ask for a desk, where that is not what their account is called."""
GROUPS: Final = {
    "everyone": set(KINDS),
    "everyone who has the setup code": set(KINDS),
    "signed in": set(KINDS) - {"anonymous"},
    OWN_TABLE: set(),
    "the dealer who has the shift": set(),
    "this machine, or who has the metrics token": set(KINDS),
    **{spoken(role): {role} for role in STAFF_ACCOUNTS},
}


class Line(NamedTuple):
    """A line of the page."""

    method: str
    path: str
    body: dict[str, Any]
    who: str
    record: tuple[str, ...]

    @property
    def may(self) -> set[str]:
        """The kinds of people it names."""
        parts = [self.who] if self.who in GROUPS else self.who.split(", ")
        return set().union(*(GROUPS[part] for part in parts))


def rows(heading: str) -> list[list[str]]:
    part = PAGE.read_text(encoding="utf-8").partition(f"## {heading}")[2].partition("\n## ")[0]
    table = [line.strip("|").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in table[1:]]


def requests() -> list[Line]:
    found = []
    for what, _, who, record in rows("Requests"):
        first, *rest = re.findall(r"`([^`]*)`", what)
        if first == "GET /":
            continue  # the pages, which tests/server/routes/test_page.py knows
        method, path = first.split(" ")
        body = json.loads(rest[0]) if rest else {}
        found.append(Line(method, path, body, who, tuple(re.findall(r"`([^`]*)`", record))))
    return found


REQUESTS = requests()


def test_every_route_is_on_the_page() -> None:
    known = {
        (method, route.path)
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, Route)
        and not route.path.startswith(
            ("/assets", "/docs", "/api/docs", "/openapi", "/rounds/", "/sw.js", "/manifest", "/{path")
        )
        for method in route.methods or ()
    }
    assert known - {("HEAD", path) for _, path in known} == {(line.method, line.path) for line in REQUESTS}
    assert {route.path for router in ROUTERS for route in router.routes if isinstance(route, WebSocketRoute)} == {
        "/api/tables/{table_id}/socket"
    }


def test_each_line_says_what_it_does_in_the_words_of_the_source() -> None:
    """The interface's own description says the same, since it is made of the same sentences."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, Route)]
    sources: dict[str, Any] = {
        f"{method} {route.path}": route.endpoint for route in routes for method in route.methods or ()
    }
    sources |= {kind.__struct_config__.tag: kind for kind in get_args(wire.Incoming)}
    sources |= {command["type"]: getattr(commands, command["type"]) for command, _ in MATRIX}
    lines = rows("Requests") + rows("Messages over the WebSocket")
    told = {re.findall(r"`([^`]*)`", what)[0]: does for what, does, _, _ in lines}
    del told["GET /"]  # the pages and their files
    expected = {name: " ".join((inspect.getdoc(sources[name]) or "").partition("\n\n")[0].split()) for name in told}
    assert expected == told


async def as_(here: Inside, kind: str) -> httpx.AsyncClient:
    """Return a client with a new session of a person of a kind."""
    role = [one for one in STAFF_ACCOUNTS if one == kind]
    cookie = "" if kind == "anonymous" else await session(here.house, f"The {kind}", "player", *role)
    return here.client(cookie, address="127.0.0.1")


def unhurried(house: House) -> None:
    """Let everybody ask as often as they like: this is about who may, not how often."""
    house.rates = changed(house.rates, dict.fromkeys(Rates.__struct_fields__, 1e6))


def changes_what_others_may(line: Line) -> bool:
    return line.path.startswith("/api/private-tables/") or line.body == {"act": "take"}


def test_a_request_is_answered_to_those_on_the_page_and_refused_to_all_others() -> None:
    async def check() -> None:
        async with inside() as here:
            unhurried(here.house)
            await here.house.open("t1", "Table t1", "washington-1")
            await here.account("Ann")
            for kind in KINDS:  # one of Ann's own for each to close
                await here.house.open(f"private-{kind}", "Ours", "nsw-1", own=PrivateFacts(owner="Ann"))
            for line in sorted(REQUESTS, key=changes_what_others_may):
                own, answers = OWN_TABLE in line.who, {}
                for kind in KINDS:
                    table = f"private-{kind}" if own else "t1"
                    path = line.path.replace("{table_id}", table).replace("{name}", "Ann")
                    path = re.sub(r"\{[^}]*\}", "1", path)
                    role = {"role": DUTY.get(kind, kind)} if path.endswith("/desk") else {}
                    body = {} if line.method == "GET" else {"json": line.body}
                    client = await as_(here, kind)
                    answers[kind] = (await client.request(line.method, path, params=role, **body)).status_code
                refused = {401, 403, 404} if own else {401, 403}
                may = {kind for kind, status in answers.items() if status not in refused}
                assert may == line.may, (line, answers)

    asyncio.run(check())


ACTS: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("POST", "/api/tables/{table_id}/state"): {"state": "closing", "why": "it is late"},
    ("PUT", "/api/tables/{table_id}/limits"): {"loss_day_cents": 1_000, "why": "a quiet table"},
    ("POST", "/api/tables/{table_id}/tray"): {
        "kind": "opener",
        "tray": 0,
        "version": 0,
        "row": 1,
        "chips": dict.fromkeys(DEFAULT_RACK, 0),
        "counted_by": "Eve",
    },
    ("PUT", "/api/tables/{table_id}/tray/rack"): {"denominations_cents": [100, 500]},
    ("POST", "/api/tables"): {"name": "New", "rulebook": "nsw-1"},
    ("POST", "/api/learn/assignments"): {"person": "Ann", "drill": "dealer:nsw-1:watch"},
    ("POST", "/api/staff"): {"name": "Dan", "password": "correct horse battery", "roles": ["dealer"]},
    ("PATCH", "/api/staff/{name}"): {"roles": ["dealer"], "why": "a new dealer"},
    ("PATCH", "/api/people/{name}/limits"): {"loss_day_cents": 1_000, "why": "a wish by letter"},
    ("POST", "/api/people/{name}/exclusion"): {"days": 1, "why": "a wish by letter"},
    ("POST", "/api/people/{name}/verification"): {"reference": "passport 1", "why": "seen at the cage"},
    ("POST", "/api/wallets/{name}/deposit"): {"cents": 500, "reference": "in-1", "why": "cash"},
    ("POST", "/api/wallets/{name}/withdraw"): {"cents": 100, "reference": "out-1", "why": "cash"},
    ("POST", "/api/vouchers/{name}"): {"cents": 100, "days": None, "reference": "v-1", "why": "a promotion"},
}
"""What each act of staff needs to be done."""
PREPARED: Final = {
    "/api/approvals/{approval_id}/approve",
    "/api/approvals/{approval_id}/decline",
    "/api/tables/{table_id}/recover",
    "/api/learn/assignments/{assignment}",
    "/api/backups/{name}",
}
"""What needs something that only another act makes."""


def of_staff(line: Line) -> bool:
    return bool(line.record) and not line.may & {"anonymous", "guest"}


def test_every_act_of_staff_leaves_a_row() -> None:
    changing = [line for line in REQUESTS if line.method != "GET" and not line.may & {"anonymous", "guest"}]
    assert [] == [line for line in changing if not line.record]


@pytest.mark.parametrize(
    "line", [line for line in REQUESTS if of_staff(line)], ids=lambda line: f"{line.method} {line.path} {line.body}"
)
def test_an_act_of_staff_is_on_the_record(line: Line, tmp_path: Path) -> None:
    async def check() -> None:
        async with inside("t1") as here:
            unhurried(here.house)
            here.app.state.backups = Backups(tmp_path)
            ann, _ = await here.account("Ann", cents=10_000)
            private = (await ann.post("/api/private-tables", json={"rulebook": "nsw-1", "name": "Ours"})).json()["id"]
            await ann.post(f"/api/tables/{private}/invitations", json={})
            table = private if OWN_TABLE in line.who else "t1"
            kind = max(line.may)
            boss = await as_(here, kind)
            path = line.path.replace("{table_id}", table).replace("{name}", "Ann")
            body = line.body or ACTS.get((line.method, line.path), {})
            if line.body == {"act": "end"}:
                await here.house.room("t1").shift.take(Person(name="The dealer", roles=("dealer",)))
            if line.path in PREPARED:
                path, body = await prepared(here, boss, line)
            before = len(here.audited())
            answer = await boss.request(line.method, path, **({} if line.method == "GET" else {"json": body}))
            assert answer.is_success, answer.text
            written = here.audited()[before:]
            assert any(who == f"The {kind}" and what.startswith(line.record) for who, what in written), written

    asyncio.run(check())


async def prepared(here: Inside, boss: httpx.AsyncClient, line: Line) -> tuple[str, dict[str, Any]]:
    """Return the address and the body of an act, once there is something to do it to."""
    if line.path.startswith("/api/backups"):
        return f"/api/backups/{(await boss.post('/api/backups')).json()['name']}", {}
    if line.path.startswith("/api/learn"):
        wish = {"person": "Ann", "drill": "dealer:nsw-1:watch"}
        return f"/api/learn/assignments/{(await boss.post('/api/learn/assignments', json=wish)).json()['id']}", {}
    if line.path.startswith("/api/approvals"):
        _, asker = await here.account("Asker", "floor")
        award = b'{"type": "DecideDispute", "number": 1, "upheld": true}'
        wish = Wish(act="award", cents=400_000, about="pay Ann", why="so", reference="1", body=award, table="t1")
        with pytest.raises(AwaitsApproval):
            await here.house.approvals.clear(asker, wish)
        return line.path.replace("{approval_id}", here.house.approvals.listed()[0].id), {"why": "seen"}
    await here.house.room("t1").host.halt("a test")
    return "/api/tables/t1/recover", {"how": "resume", "why": "it is mended"}


@pytest.mark.parametrize("role", ["dealer", "inspector"])
def test_who_does_not_oversee_tables_decides_nothing_about_a_private_one(role: Any) -> None:
    async def check() -> None:
        async with inside() as here:
            ann, _ = await here.account("Ann")
            table = (await ann.post("/api/private-tables", json={"rulebook": "nsw-1", "name": "Ours"})).json()["id"]
            other, _ = await here.account("Other", role)
            told = [
                await other.post(f"/api/tables/{table}/invitations", json={}),
                await other.delete(f"/api/tables/{table}/invitations"),
                await other.delete(f"/api/private-tables/{table}"),
                await other.post(f"/api/tables/{table}/shift", json={"act": "end"}),
            ]
            assert [403, 403, 403, 403] == [one.status_code for one in told]
            asked = [f"refused: {one.request.method} {one.request.url.path}" for one in told]
            assert asked == [what for who, what, *_ in here.audited() if who == "Other" and what.startswith("refused")]
            assert table in here.house.rooms
            assert 204 == (await ann.delete(f"/api/private-tables/{table}")).status_code

    asyncio.run(check())


def test_every_message_and_command_is_on_the_page_with_who_may_send_it() -> None:
    told = {re.findall(r"`([^`]*)`", what)[0]: who for what, _, who, _ in rows("Messages over the WebSocket")}
    tags = {kind.__struct_config__.tag for kind in get_args(wire.Incoming)} - {"command"}
    sent = {command["type"] for command, _ in MATRIX}
    assert tags | sent == set(told)
    phrases = {"player": "player", "another player": "neighbour", "who does not sit there yet": "spectator"}
    for command in sent - {"DecideDispute", "Mishap"}:
        may = set().union(*(who for one, who in MATRIX if one["type"] == command))
        assert may == {phrases.get(part, part.replace(" ", "_")) for part in told[command].split(", ")}, command
