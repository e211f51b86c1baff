"""The contract of links to rounds, the same for every store."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from letitride.errors import MissingData
from letitride.server.people.round_links import RoundLinks
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.stores import Stores
from letitride.training.own_rounds import OwnRound

ROUND = OwnRound(
    table="t1",
    round=7,
    seat=3,
    status="settled",
    began_ms=1,
    ended_ms=2,
    book="nsw-1",
    book_title="NSW rules",
    paytable="LIRX-01",
    result_cents=500,
    cards=("Th", "Td", "2c"),
)


def test_a_link_is_found_by_its_token_until_it_is_withdrawn_by_its_player(store: Stores) -> None:
    async def walk() -> None:
        committer = Committer(store.journal)
        links, again = (RoundLinks(store.documents, committer, lambda: 99) for _ in range(2))  # two servers of a house
        try:
            made = await links.make("Ann", ROUND, shows_name=False)
            assert len(made.token) == 32
            assert await again.find(made.token) == made
            assert (made.player, made.table, made.round) == ("", "t1", replace(ROUND, table=""))
            named = await again.make("Ann", ROUND, shows_name=True)
            assert (named.token, named.player) == (made.token, "Ann")  # one round, one link
            other = await links.make("Ann", replace(ROUND, round=8), shows_name=False)
            assert other.token != made.token
            assert {one.token for one in await again.of("Ann")} == {made.token, other.token}
            assert await links.of("An") == []
            for token, name in ((made.token, "Ben"), ("0" * 32, "Ann")):
                with pytest.raises(MissingData):
                    await links.withdraw(name, token)
            await again.withdraw("ANN", made.token)
            with pytest.raises(MissingData, match="unknown or was withdrawn"):
                await links.find(made.token)
            assert [one.token for one in await links.of("Ann")] == [other.token]
            fresh = await links.make("Ann", ROUND, shows_name=False)
            assert fresh.token != made.token  # what was withdrawn stays withdrawn
            await links.take_over_from_guest("Ann", "Zoe")
            assert await links.of("Ann") == []
            assert {one.token for one in await links.of("Zoe")} == {other.token, fresh.token}
            await links.withdraw("Zoe", other.token)
        finally:
            committer.close()

    asyncio.run(walk())
