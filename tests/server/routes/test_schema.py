"""The HTTP interface as its own schema describes it: whatever is sent, no 500, and answers that are as they are described.

schemathesis makes requests from the schema, good and bad ones, for every address there is, now and later. Half of them
name a table, a book or a person that exists, so that they come to what an address does, and not only to its door.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from letitride.server.people.accounts import People
from letitride.server.runtime.write_batching import Committer
from letitride.storage.urls import open_store
from tests.counts import tries
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE

EXAMPLES = {"nobody": tries(1, 10), "guest": tries(3, 20), "administrator": tries(4, 40)}
"""Requests for each address and method, by who asks."""
PASSWORD = "a long password"  # noqa: S105 - of no one
REAL = {
    "table_id": "hand-dealt-1",
    "ref": "hand-dealt-1",
    "name": "Bob",
    "paytable": "LIRX-01",
    "number": 1,
    "round_number": 1,
    "shuffle": 1,
}
"""What exists, for the words in the paths."""
SESSIONS = 150
ENDS_ALL = {("delete", "/api/me/sessions"), ("delete", "/api/me/oidc")}
"""What ends all other sessions of who asks."""


async def with_people(server: Server) -> tuple[list[str], str]:
    """Make an administrator and others, as anyone with the database can; return sessions of the first, and Eve's."""
    store = open_store(server.address)
    committer = Committer(store.journal)
    try:
        people = People(store.documents, store.wallets, store.audit, committer, lambda: time.time_ns() // 1_000_000)
        await people.register("Ada", PASSWORD, ("administrator", "floor"))
        await people.register("Bob", PASSWORD)
        await people.register("Eve", PASSWORD)
        return [await people.sessions.begin("Ada") for _ in range(SESSIONS)], await people.sessions.begin("Eve")
    finally:
        committer.close()
        store.close()


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, list[str], str]]:
    """A server, sessions of its administrator, and one of Eve, who ends hers."""
    server = Server(tmp_path_factory.mktemp("schema"))
    sessions, eve = asyncio.run(with_people(server))
    server.start()
    yield server, sessions, eve
    server.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def operations(asked: tuple[Server, list[str], str]) -> list[Any]:
    """Every address and method that the server describes, read once for all who ask."""
    import schemathesis  # noqa: PLC0415 - as long to import as a server is: where it is used, and not by every worker

    schema = schemathesis.openapi.from_url(f"{asked[0].base}/openapi.json")
    return [made.ok() for made in schema.get_all_operations()]


def session(server: Server, who: str, sessions: list[str]) -> str:
    """A session of someone's own for each address: some of them end the one they are asked with."""
    if who == "guest":
        return str(httpx.post(f"{server.base}/api/guest", timeout=PATIENCE, verify=False).cookies[COOKIE])
    return sessions.pop() if who == "administrator" else ""


@pytest.mark.longer
@pytest.mark.parametrize("who", ["nobody", "guest", "administrator"])
def test_whatever_is_sent_is_answered_as_described_and_never_by_a_500(
    asked: tuple[Server, list[str], str], operations: list[Any], who: str
) -> None:
    from schemathesis.specs.openapi.checks import (  # noqa: PLC0415 - as above
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    server, sessions, eve = asked
    told: dict[str, set[int]] = defaultdict(set)
    for operation in sorted(operations, key=lambda one: "everywhere" in one.path):  # it ends all sessions there are
        ends_all = (operation.method, operation.path) in ENDS_ALL
        token = eve if ends_all and who == "administrator" else session(server, who, sessions)
        headers = {"Cookie": f"{COOKIE}={token}"} if token else {}

        @settings(
            max_examples=EXAMPLES[who],
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), real=st.booleans())
        def try_it(case: Any, real: bool) -> None:
            if real:
                case.path_parameters |= {word: REAL[word] for word in case.path_parameters if word in REAL}
            answer = case.call(base_url=server.base, headers=headers, timeout=PATIENCE)  # noqa: B023 - it is tried at once
            told[f"{operation.method} {operation.path}"].add(answer.status_code)  # noqa: B023 - as above
            assert answer.status_code < 500, f"{case.as_curl_command()}\n{answer.text}"
            checks = [content_type_conformance, response_schema_conformance, status_code_conformance]
            case.validate_response(answer, checks=checks)
            if answer.status_code >= 400:
                assert answer.json()["detail"], "a refusal says why"

        try_it()
    at_the_door = {name for name, statuses in told.items() if statuses == {401}}
    assert len(told) >= 50
    if who != "nobody":
        assert not at_the_door, "nobody asked with a session that holds"
    assert server.tables()  # it is there still
