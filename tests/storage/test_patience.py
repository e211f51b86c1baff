"""Patience: a server that starts while its database fails over waits for it, for a bounded time, and says so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from letitride.errors import StoreDown
from letitride.rules import catalog
from letitride.server.tables.house import House
from letitride.storage.patience import Patience, wait_for
from letitride.storage.urls import open_store, start_seconds
from letitride.storage.verify import verify
from tests.server.cluster import database
from tests.server.proxy import proxied
from tests.storage.conftest import postgres

__all__ = ["postgres"]


@contextmanager
def when_told(act: Callable[[], None]) -> Iterator[list[str]]:
    """Act as soon as someone is told that the database is waited for."""
    said: list[str] = []

    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())
            act()

    logger, heard = logging.getLogger("letitride.storage.patience"), Heard()
    logger.addHandler(heard)
    try:
        yield said
    finally:
        logger.removeHandler(heard)


def test_waiting_grows_has_an_end_and_ends_in_a_sentence() -> None:
    waits: list[float] = []
    patience = Patience(3.0, lambda: sum(waits))
    away = StoreDown("the database postgresql://x cannot be reached or used: it is gone")
    while sum(waits) < 3.0:
        waits.append(patience.pause(away))
    assert waits == sorted(waits)
    assert 3.0 <= sum(waits) < 4.0
    with pytest.raises(StoreDown, match=r"^the database .* it is gone; it did not come back within 3 s$"):
        patience.pause(away)


def test_only_a_database_that_is_away_is_waited_for() -> None:
    asked = []

    def wrong() -> None:
        asked.append(1)
        raise ValueError("this stays as it is")

    with pytest.raises(ValueError, match="stays as it is"):
        wait_for(wrong, Patience(30.0))
    assert [1] == asked


def test_a_file_is_not_waited_for() -> None:
    away = StoreDown("the database house.db cannot be used: no such table")
    with (
        pytest.raises(StoreDown, match="^the database house.db cannot be used: no such table$"),
        when_told(pytest.fail),
    ):
        Patience(start_seconds("sqlite:///house.db")).pause(away)


def test_a_server_opens_a_database_that_comes_back_while_it_waits(postgres: str) -> None:
    with database(postgres) as url, proxied(url) as line:
        line.cut()
        with pytest.raises(StoreDown, match="cannot be reached or used"):
            open_store(line.url)  # what an operator asks for once is answered at once
        with when_told(line.heal) as said:
            store = open_store(line.url, sole=True)
        assert 1 == len(said)
        assert said[0].endswith("; waiting up to 30 s for it")
        assert [] == store.tables.all()
        store.close()


def test_a_house_whose_database_goes_away_while_it_opens_its_tables_opens_all_of_them(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go(url: str) -> tuple[set[str], list[str]]:
        with proxied(url) as line, when_told(line.heal) as said:
            house = House(open_store(line.url), node="one")
            house.start_seconds = start_seconds(line.url)
            opened = house.open

            async def cut_at_the_third(table_id: str, name: str, book: str) -> None:
                if len(house.rooms) == 2 and not said:
                    line.cut()
                await opened(table_id, name, book)

            monkeypatch.setattr(house, "open", cut_at_the_third)
            await house.start(demo=True)
            rooms = set(house.rooms)
            await house.close()
            return rooms, said

    with database(postgres) as url:
        rooms, said = asyncio.run(go(url))
        assert set(catalog.rulebook_ids()) == rooms
        assert 1 == len(said)
        store = open_store(url, read_only=True)
        assert verify(store).good
        store.close()
