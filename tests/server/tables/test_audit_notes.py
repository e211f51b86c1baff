"""Who did it: every act of those who run a table beyond plain dealing is in the audit under the person's own name."""

from __future__ import annotations

import asyncio
from pathlib import Path

from letitride.server.tables.house import House
from letitride.storage.urls import open_store
from tests.server.staffed import PATIENT, Visitor, asking, base, betting, open_house, seated


def acts(house: House) -> list[tuple[str, str, str]]:
    return [(row.who, row.what, row.why) for row in house.stores.audit.rows() if "as " in row.why]


def test_orders_decisions_and_reports_are_on_record_with_who_gave_them_and_in_which_row(tmp_path: Path) -> None:
    async def work() -> None:
        async with open_house("nsw-1", pace=PATIENT, store=open_store(str(tmp_path / "house.db"))) as house:
            room = house.room("nsw-1")
            ann = await seated(house, room, 1, "Ann")
            await betting(room)
            sue = Visitor(room, "Sue", "casino_supervisor", role="casino_supervisor")
            ina = Visitor(room, "Ina", "inspector", role="inspector")
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            refused = await sue.ask("Order", kind="bar", seats=[1], ground="fraud", why="no such ground")
            assert not refused["accepted"]
            assert (await sue.ask("Order", "limits-1", kind="limits", cents_max=20_000, why="a busy night"))["accepted"]
            limits_row = room.host.head.number
            assert (await sue.ask("Order", "limits-1", kind="limits", cents_max=20_000, why="a busy night"))["accepted"]
            assert room.host.head.number == limits_row  # sent again, nothing happens, and nothing is noted
            assert (await ann.ask("RaiseDispute", seat=1, about="My bet"))["accepted"]
            decided = await sue.ask(
                "DecideDispute", number=1, upheld=True, cents=3_000, why="the camera", absent=["games_supervisor"]
            )
            assert decided["accepted"]
            dispute_row = room.host.head.number
            await dora.say(type="take_shift")
            assert (await ann.ask("PlaceWagers", seat=1, wagers=base(1_000)))["accepted"]
            noted = len(list(house.stores.audit.rows()))
            while room.table.phase != "choice_1":
                assert (await dora.say(type="next", id=f"n{room.table.version}"))["accepted"]
            assert noted == len(list(house.stores.audit.rows()))  # plain dealing is in the journal alone
            assert (await dora.ask("WentAway", seat=1))["accepted"]
            away_row = room.host.head.number
            assert (await ina.ask("Order", kind="count"))["accepted"]
            count_row = room.host.head.number
            decision = "dispute 1, $30 paid, without games supervisor: the camera"
            assert [
                (
                    "Sue",
                    "order.limits nsw-1",
                    f"row {limits_row}, as casino supervisor: maximum $200: a busy night",
                ),
                (
                    "Sue",
                    "dispute.upheld nsw-1",
                    f"row {dispute_row}, as casino supervisor: {decision}",
                ),
                ("Dora", "report.away nsw-1", f"row {away_row}, as dealer: seat 1"),
                ("Ina", "order.count nsw-1", f"row {count_row}, as inspector"),
            ] == acts(house)
            async with asking(house, "Ivo", "inspector") as client:
                told = (await client.get("/api/audit?latest=true")).json()
                journal = (await client.get(f"/api/tables/nsw-1/journal?round={room.table.round}&limit=500")).json()
            assert {"Sue", "Ina", "Dora"} <= {one["who"] for one in told}
            named = {one["number"]: one["person"] for one in journal["rows"] if one["person"]}
            assert {away_row: "Dora", count_row: "Ina"}.items() <= named.items()

    asyncio.run(work())
