"""The HTTP interface as its own schema describes it: whatever is sent, no 500, and answers that are as they are described.

schemathesis makes requests from the schema, good and bad ones, for every address there is, now and later.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from letitride.server.committer import Committer
from letitride.server.people import People
from letitride.storage.urls import open_store
from tests.server.conftest import Server
from tests.server.guest import COOKIE

EXAMPLES = 12
"""Requests for each address, method and kind of person."""
PASSWORD = "a long password"  # noqa: S105 - of nobody


async def with_an_administrator(server: Server) -> None:
    """Make the first administrator, as somebody with the database at hand can."""
    store = open_store(server.address)
    committer = Committer(store)
    try:
        await People(store, committer, lambda: 1_750_000_000_000).register("Ada", PASSWORD, ("administrator",))
    finally:
        committer.close()
        store.close()


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server, and the cookies of somebody of each kind."""
    server = Server(tmp_path_factory.mktemp("schema"))
    asyncio.run(with_an_administrator(server))
    server.start()
    with httpx.Client(base_url=server.base) as client:
        cookies = {"nobody": "", "guest": client.post("/api/guest").cookies[COOKIE]}
    with httpx.Client(base_url=server.base) as client:
        found = client.post("/api/login", json={"name": "Ada", "password": PASSWORD})
        cookies["administrator"] = found.cookies[COOKIE]
    yield server, cookies
    server.stop(signal.SIGKILL)


@pytest.mark.parametrize("who", ["nobody", "guest", "administrator"])
def test_whatever_is_sent_is_answered_as_described_and_never_by_a_500(
    asked: tuple[Server, dict[str, str]], who: str
) -> None:
    server, cookies = asked
    schema = schemathesis.openapi.from_url(f"{server.base}/openapi.json")
    headers = {"Cookie": f"{COOKIE}={cookies[who]}"} if cookies[who] else {}
    tried = 0
    for made in schema.get_all_operations():
        operation = made.ok()  # type: ignore[union-attr]
        if operation.path == "/api/logout":
            continue  # it would end the session all others are asked with; it takes nothing that could be wrong

        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def try_it(case: Any) -> None:
            answer = case.call(base_url=server.base, headers=headers)
            assert answer.status_code < 500, f"{case.as_curl_command()}\n{answer.text}"
            checks = [content_type_conformance, response_schema_conformance, status_code_conformance]
            case.validate_response(answer, checks=checks)
            if answer.status_code >= 400:
                assert answer.json()["detail"], "a refusal says why"

        try_it()
        tried += 1
    assert tried >= 5
    assert server.tables()  # it is there still
