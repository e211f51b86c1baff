"""Promise 6: odds equal the physical game, and nothing adapts. Exact par against simulation, for every paytable and book:
tests/simulation/. Here: a table pays by one published paytable, no matter who wins, for four rounds."""

from __future__ import annotations

import asyncio

import pytest

from letitride.rules import catalog
from letitride.storage.memory.opening import memory_stores
from tests.server.virtual import Player, opened, run, until, virtual


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_what_a_table_pays_is_what_is_published_in_every_round(house: str) -> None:
    async def go() -> tuple[list[Player], dict[str, str]]:
        async with opened(memory_stores(), house) as (inside, app):
            players = [Player(inside, app, house, seat) for seat in (1, 2)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: inside.rooms[house].table.round > 4)
            rules = inside.rooms[house].table.rules
            for task in tasks:
                task.cancel()
            return players, {str(wager): name for wager, name in rules.paytables.items()}

    with virtual(f"adapts {house}") as (loop, _):
        players, paytables = run(loop, go())
    shown = [frame["view"] for player in players for frame in player.frames if frame["type"] == "view"]
    assert shown
    assert all(view["sign"]["paytables"] == paytables for view in shown)
    assert len({view["rules"]["sha256"] for view in shown}) == 1
    base = [view["sign"]["pays"]["base"] for view in shown]
    assert all(one == base[0] for one in base)
    published = catalog.ready_rules(house).pays["base"]
    assert base[0] == {category.label: published.odds(category, 1, 100) for category in published.listed}
