"""The gaming day of a house: every figure again from the ledger, dealers by name, and a day that cannot be."""

from __future__ import annotations

import asyncio

from letitride.reports.pit.gaming_day import GamingDays
from letitride.server.ops.pit_days import report_of
from tests.server.staffed import QUICK, Visitor, asking, base, betting, open_house, seated, until

BOOKS = ("nsw-1", "washington-1")


def test_a_gaming_day_over_all_tables_agrees_with_the_ledger_to_the_cent() -> None:
    async def go() -> None:
        async with open_house(*BOOKS, pace=QUICK) as house, asking(house, "Flo", "floor") as floor:
            for book in BOOKS:
                room = house.room(book)
                ann = await seated(house, room, 1, f"Ann of {book}")
                await betting(room)
                assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
                await until(room, lambda table: not table.seats[1].wagers)
            dora = Visitor(house.room("nsw-1"), "Dora", "dealer", role="dealer")
            assert {} == await dora.say(type="take_shift")
            assert {} == await dora.say(type="end_shift")
            told = (await floor.get("/api/pit")).json()
            by_table = {one["table"]: one for one in told["tables"]}
            assert set(BOOKS) == set(by_table)
            for book in BOOKS:
                moved = house.stores.wallets.transfers(book, 0)
                won = sum((one.target == "tray") * one.cents - (one.source == "tray") * one.cents for one in moved)
                figures = by_table[book]["figures"]
                assert (1, 50_000, won) == (figures["rounds"], figures["drop_cents"], figures["win_cents"])
                assert [{"dealer": "automatic", "rounds": 1, "win_cents": won}] == by_table[book]["dealt"]
                assert "few" == figures["band"]
            assert sum(one["figures"]["win_cents"] for one in told["tables"]) == told["total"]["win_cents"]
            assert [("Dora", "Dora")] == [(one["dealer"], one["ended_by"]) for one in by_table["nsw-1"]["dealers"]]
            assert {f"Ann of {book}" for book in BOOKS} == {one["player"] for one in told["ratings"]}
            # Another day has nothing, and what is no day is a sentence.
            assert [] == (await floor.get("/api/pit?day=2001-01-01")).json()["tables"]
            for asked, sentence in (
                ("day=2026-13-01", "a day like 2026-03-08"),
                ("month=26-1", "a month like 2026-03"),
                ("day=2026-01-01&month=2026-01", "got both"),
            ):
                answer = await floor.get(f"/api/pit?{asked}")
                assert (422, True) == (answer.status_code, sentence in answer.text)
            month = report_of(house.stores, GamingDays(), "", told["day"][:7], house.clock_ms())
            assert told["total"]["win_cents"] == month.total.win_cents
            # Another server of the house tells the same.
            async with open_house(store=house.stores, node="two") as two, asking(two, "Ina", "inspector") as ina:
                again = (await ina.get("/api/pit")).json()
                assert [told["tables"], told["total"]] == [again["tables"], again["total"]]

    asyncio.run(go())
