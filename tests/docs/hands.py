"""Hands: what a tutorial's reader does on the page, by the requests that the page makes."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import httpx

from letitride import NAMED_STRATEGIES, commands, parse_cards
from letitride.client import House, TableConnection

CHIPS: Final = {10_000: 10, 2_500: 40, 500: 100}
"""The opener: how many chips of each value, in cents."""
ROUNDS: Final = 3


def do(act: str, table: str, address: str, password: str) -> None:
    """Do one thing on the page: 'opener', 'closer' and 'drop' as Flo, who counts with Ida, or 'play' as a guest."""
    if act == "play":
        asyncio.run(_play(table, address))
        return
    with httpx.Client(base_url=address) as client:
        client.post("/api/login", json={"name": "Flo", "password": password}).raise_for_status()
        tray = client.get(f"/api/tables/{table}/tray").raise_for_status().json()
        slip: dict[str, Any] = {
            "kind": act,
            "counted_by": "Ida",
            **{one: tray[one] for one in ("tray", "version", "row")},
        }
        if act == "drop":
            slip["box_cents"] = 50_000
        else:
            counted = {one: one * many for one, many in CHIPS.items()} if act == "opener" else _as_chips(tray)
            slip["chips"] = {str(one): counted.get(one, 0) for one in tray["rack"]}
        answer = client.post(f"/api/tables/{table}/tray", json=slip)
        assert answer.status_code == 201, answer.text


def _as_chips(tray: dict[str, Any]) -> dict[int, int]:
    """Return what should lie in a tray, in as few chips as can be."""
    left, found = tray["expected_cents"], {}
    for one in sorted(tray["rack"], reverse=True):
        found[one] = left // one * one
        left -= found[one]
    assert left == 0
    return found


async def _play(table: str, address: str) -> None:
    house = House(address)
    await house.guest()
    async with house.table(table) as connection:
        await _rounds(connection)


async def _rounds(table: TableConnection) -> None:
    played = 0
    async for view in table.views():
        if not table.seat:
            free = [number for number, seat in view.seats.items() if seat.player is None]
            await table.sit(free[0], 50_000)
            continue
        me = view.seats[table.seat]
        if "[" in str(me.cards) and (look := table.offer(commands.Look)) is not None:
            await table.do(look)
        elif (decision := table.offer(commands.Choose)) is not None:
            seen = [card for card in (*me.cards, *view.community) if not card.startswith("[")]
            await table.decide(decision.bet, NAMED_STRATEGIES["basic"].choice(parse_cards(" ".join(seen))))
        elif table.offer(commands.PlaceWagers) is not None and not me.wagers:
            if played == ROUNDS:
                break
            played += (await table.bet(1_000)).accepted
    await table.leave()
