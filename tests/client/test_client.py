"""The client: the bot of the protocol's page plays and verifies; accounts, ids, refusals; the schema is what the types say."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from letitride import InvalidData, commands
from letitride.client import House, HouseRefused, TableClosed
from letitride.client.protocol import read_message
from tests.server.conftest import Server, server  # noqa: F401 - a fixture
from tests.server.inside import PASSWORD

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


async def used(address: str) -> None:
    """Use a house as a person with an account does."""
    house = House(address)
    assert "Ann" == await house.register("Ann", PASSWORD)
    tables = {one.id: one for one in await house.tables()}
    assert ("washington-1", 7) == (tables["washington-1"].rulebook, tables["washington-1"].seats)
    with pytest.raises(HouseRefused) as refused:
        await House(address).sign_in("Ann", "wrong password")
    assert refused.value.status == 403
    with pytest.raises(HouseRefused):
        await house.proof("washington-1", 99, 1)
    with pytest.raises(TableClosed, match="expected a table at"):
        async with house.table("nowhere"):
            pass
    async with house.table("washington-1") as table:
        poor = await table.sit(3, 20_000)
        assert ("not_enough_money", "Your wallet doesn't hold that much.") == (poor.code, poor.sentence)
    visitor = House(address)
    assert await visitor.guest() == visitor.name
    async with visitor.table("washington-1") as table:
        with pytest.raises(InvalidData, match="expected a view, got none yet"):
            _ = table.view
        first = await table.do(commands.Sit(seat=3, player="", cents=20_000), command_id="one")
        assert first.accepted, first
        assert first == await table.do(commands.Sit(seat=3, player="", cents=20_000), command_id="one")
        refused_bet = await table.do(commands.Leave(seat=5))
        assert not refused_bet.accepted
        assert refused_bet.sentence
        async for view in table.views():
            if table.seat == 3 and view.betting_open:
                break
        bet = await table.bet(500)
        assert bet.accepted, bet
        async for view in table.views():
            if (choose := table.offer(commands.Choose)) is not None:
                assert (await table.decide(choose.bet, "ride")).accepted
            if view.round > 1 or view.seats[3].results:
                break
        assert table.table is not None
        assert table.table.dealer == "automatic"


def test_the_bot_of_the_page_plays_and_verifies(
    server: Server,  # noqa: F811 - the fixture
    capsys: pytest.CaptureFixture[str],
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code.replace("http://127.0.0.1:8000", server.base), "protocol.md", "exec"), {})  # noqa: S102 - the page's own example
    told = capsys.readouterr().out.splitlines()
    assert "accepted=True" in told[0]
    assert len(told) > 2
    assert all(re.fullmatch(r"\d+ \[\]", line) for line in told[1:]), told  # each deck, and nothing wrong with it
    asyncio.run(asyncio.wait_for(used(server.base), 120))


def test_a_house_that_is_none_is_said_so() -> None:
    with pytest.raises(InvalidData, match="expected an address such as"):
        House("127.0.0.1:8000")
    with pytest.raises(HouseRefused, match="expected a house at http://127.0.0.1:1, got no answer"):
        asyncio.run(House("http://127.0.0.1:1").guest())


def test_what_is_no_message_is_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidData, match="expected a message of protocol 1, got something else"):
        read_message(b'{"type": "song"}')


def test_the_schema_is_what_the_types_say_and_knows_every_message() -> None:
    done = subprocess.run([sys.executable, ROOT / "scripts" / "protocol.py", "--check"], check=False)
    assert done.returncode == 0
    schema = json.loads((ROOT / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))
    assert f"version of the protocol is **{schema['version']}**" in PAGE
    for side in ("FromClient", "FromServer"):
        for part in schema["$defs"][side]["anyOf"]:
            name = part["$ref"].rpartition("/")[2]
            (kind,) = schema["$defs"][name]["properties"]["type"]["enum"]
            assert f"`{kind}`" in PAGE, kind
