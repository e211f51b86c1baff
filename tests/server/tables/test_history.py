"""History: rounds as they were played, told to viewers as they were allowed to see them then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import httpx
import msgspec
import pytest
from pydantic import TypeAdapter

from letitride.engine import places
from letitride.engine.state import Table
from letitride.records.rounds import PlayedRound, cut
from letitride.server.people.accounts import Person
from letitride.server.routes.history import Rounds
from letitride.server.tables.history import History, RoundHistory, RoundSummary, StepView
from letitride.server.tables.house import House
from letitride.storage.journal import Head, Row
from letitride.storage.memory.opening import memory_stores
from letitride.storage.past import MARK_EVERY
from letitride.storage.roles.stores import Stores
from letitride.storage.tables_codec import decode_table, encode_table
from tests.server.conftest import Server
from tests.server.guest import COOKIE, Guest
from tests.server.instead import Instead
from tests.server.journals import HOUSES, enter, fuzz_into, fuzzed, opened, past_of, rules_of

IN_PLAY = {"dealing", "choice_1", "choice_2", "settling"}


@pytest.mark.parametrize("house", HOUSES)
def test_a_journal_falls_into_its_rounds_without_a_gap(house: str) -> None:
    past = past_of(fuzzed(house), "t1")
    moments = list(past.moments())
    rounds = list(cut(moments, running=True))
    assert [moment for one in rounds for moment in one.moments] == moments
    assert [one.number for one in rounds] == list(range(1, len(rounds) + 1))
    assert len(rounds) > 4
    assert rounds[-1].number == past.last_round() + 1


class Counting(Instead):
    """A journal that counts the rows it reads out."""

    read = 0

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        for row in self.real.rows(table_id, after, limit):
            self.read += 1
            yield row


@pytest.fixture(scope="module")
def long_table() -> Stores:
    """A table with several thousand rows, marked as a server marks it."""
    real = memory_stores()
    store = replace(real, journal=Counting(real.journal))
    fuzz_into(store, "t1", rules_of("nsw-1"), 9_000)
    past = past_of(store, "t1")
    for found in past.unmarked():
        past.mark(*found)
    return store


def test_old_rounds_are_found_without_walking_the_whole_journal(long_table: Stores) -> None:
    rows, last = long_table.journal.last("t1").number, past_of(long_table, "t1").last_round()
    counting = cast("Counting", long_table.journal)
    assert rows > 4 * MARK_EVERY
    every = list(past_of(long_table, "t1").rounds())
    for first in (last - 9, last // 2, 3):
        counting.read = 0
        found = list(past_of(long_table, "t1").rounds(first, first + 9))
        assert found == every[first - 1 : first + 9]
        assert counting.read <= 2 * MARK_EVERY


def test_marks_save_time_and_change_nothing(long_table: Stores) -> None:
    marked, plain = (
        past_of(long_table, "t1"),
        past_of(long_table, "t1"),
    )
    plain.marks = []
    assert len(marked.marks) >= 4
    first, last = plain.last_round() // 2, plain.last_round()
    span = next(plain.rounds(first, first)).ended_ms, next(plain.rounds(last - 5, last - 5)).ended_ms
    assert list(marked.rounds_between(*span)) == list(plain.rounds_between(*span))
    assert [one.number for one in plain.rounds_between(*span)] == list(range(first, last - 5))


def test_a_mark_that_does_not_fit_the_journal_is_passed_over(long_table: Stores) -> None:
    past = past_of(long_table, "t1")
    good = past.marks[-1]
    past.marks = [type(good)(row=good.row, hash="0" * 64, round=good.round, at_ms=good.at_ms)]
    last = past.last_round()
    assert [one.number for one in past.rounds(last, last)] == [last]


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_is_written_and_read_exactly(house: str) -> None:
    past = past_of(fuzzed(house), "t1")
    for moment in past.moments():
        if moment.number % 7 == 0:
            assert decode_table(encode_table(moment.after, past.opened_by), past.opened_by) == moment.after


def test_a_server_marks_the_journals_of_its_tables() -> None:
    store = memory_stores()
    fuzz_into(store, "t1", rules_of("nsw-1"), 5_000)
    store.tables.set_state("t1", "open")

    async def mark() -> None:
        async with opened(store) as (house, _):
            history, known = History(house), {}
            room = house.room("t1")
            await history._mark(room, known)
            assert known["t1"].marks == past_of(store, "t1").marks != []
            assert not known["t1"].due(Head(known["t1"].marks[-1].row + 1))

    asyncio.run(mark())


def tellers(table: Table) -> list[RoundHistory]:
    """Those who look: two players, a stranger, and an inspector."""
    names = sorted({seat.player for seat in table.seats.values() if seat.dealt_in or seat.void})
    return [
        *(RoundHistory(Person(name=name)) for name in names[:2]),
        RoundHistory(Person(name="nobody here")),
        RoundHistory(Person(name="boss", roles=("inspector",)), "inspector"),
    ]


def visible(step: StepView, number: int) -> set[str]:
    return {card for card in step.view.seats[number].cards if not card.startswith("[")}


@pytest.mark.parametrize("house", HOUSES)
def test_recall_shows_a_hand_only_to_those_who_saw_it(house: str) -> None:
    past = past_of(fuzzed(house), "t1")
    looked_at = hidden_to_others = 0
    for one in past.rounds(2, 14):
        truth = {moment.number: moment.after for moment in one.moments}
        for teller in tellers(one.last):
            steps, further = teller.steps(one, 0, 10_000)
            assert further is None
            for step in steps:
                table = truth[step.row]
                for number in table.seats:
                    cards = table.at(places.hand(number))
                    up = {str(card.face) for card in cards if card.up}
                    shown = visible(step, number)
                    open_book = not table.rules.rules.cards.hidden and step.viewer.startswith("seat:")
                    if shown - up:
                        assert step.viewer == f"seat:{number}" or open_book
                        looked_at += 1
                    elif cards and not up:
                        hidden_to_others += 1
    assert looked_at
    assert hidden_to_others


def test_a_hand_that_was_never_turned_up_is_told_to_no_one_else() -> None:
    found = 0
    for one in past_of(fuzzed("nsw-1", 3_000), "t1").rounds():
        hidden = list(never_shown(one))
        for teller in tellers(one.last) if hidden else ():
            told = [step for step in teller.steps(one, 0, 10_000)[0] if step.view.phase in IN_PLAY]
            words = str([(step.sentences, step.view.seats, step.view.community) for step in told])
            for number, face in hidden:
                if not any(step.viewer == f"seat:{number}" for step in told):
                    assert face not in words
                    assert face not in str(teller.summary(one).seats)
                    found += 1
    assert found > 20


def never_shown(one: PlayedRound) -> Iterator[tuple[int, str]]:
    """Yield the cards of hands that no one turned up: of rounds that were void, of hands that were folded."""
    held: dict[tuple[int, str], bool] = {}
    for moment in one.moments:
        if moment.after.phase in IN_PLAY:
            for number in moment.after.seats:
                for card in moment.after.at(places.hand(number)):
                    key = (number, str(card.face))
                    held[key] = held.get(key, False) or card.up
    shown_elsewhere = {
        str(card.face)
        for moment in one.moments
        for held_there in moment.after.cards.values()
        for card in held_there
        if card.up and moment.after.phase in IN_PLAY
    }
    yield from (key for key, up in held.items() if not up and key[1] not in shown_elsewhere)


def test_a_suspicion_is_a_step_only_for_those_it_is_for() -> None:
    found = 0
    for one in past_of(fuzzed("nsw-1", 3_000, seed=2), "t1").rounds():
        for moment in one.moments:
            names = {ruling.name for event in moment.events if (ruling := getattr(event, "ruling", None)) is not None}
            if names == {"order:act_first"}:
                stranger = RoundHistory(Person(name="nobody here"))
                floor = RoundHistory(Person(name="boss", roles=("floor",)))
                assert moment.number not in {step.row for step in stranger.steps(one, 0, 10_000)[0]}
                assert moment.number in {step.row for step in floor.steps(one, 0, 10_000)[0]}
                assert names.isdisjoint(ruling.name for ruling in stranger.summary(one).rulings)
                assert names <= {ruling.name for ruling in floor.summary(one).rulings}
                found += 1
    assert found


def test_no_one_but_staff_learns_that_the_table_itself_did_something() -> None:
    rounds = [
        one for one in past_of(fuzzed("nsw-1", 3_000), "t1").rounds() if any(m.by == "table" for m in one.moments)
    ]
    assert rounds
    steps, _ = RoundHistory(Person(name="nobody here")).steps(rounds[0], 0, 10_000)
    assert all(step.by != "table" for step in steps)
    assert not any("unnoticed" in sentence for step in steps for sentence in step.sentences)


def test_history_by_http_pages_through_everything_and_refuses_nonsense() -> None:
    async def ask() -> None:
        async with opened(fuzzed("hand-dealt-1", 3_000)) as (_, client):
            assert (await client.get("/api/tables/t1/rounds")).status_code == 401
            await client.post("/api/guest")
            last = past_of(fuzzed("hand-dealt-1", 3_000), "t1").last_round()
            first = Rounds.model_validate((await client.get("/api/tables/t1/rounds")).json())
            assert first.recall
            assert [one.round for one in first.rounds] == list(range(last, last - 10, -1))
            seen = list(first.rounds)
            before = first.next_before
            while before is not None:
                page = (await client.get("/api/tables/t1/rounds", params={"before": before, "limit": 7})).json()
                seen += Rounds.model_validate(page).rounds
                before = page["next_before"]
            assert [one.round for one in seen] == list(range(last, 0, -1))
            for address, status in {
                "rounds/0": 422,
                f"rounds/{last + 2}": 404,
                "rounds/x": 422,
                "rounds?limit=51": 422,
                "rounds?before=0": 422,
                "rounds?role=inspector": 422,
                "rounds/1?after=-1": 422,
            }.items():
                answer = await client.get(f"/api/tables/t1/{address}")
                assert answer.status_code == status, address
            for name in ("nowhere", "a%00b", "%F0%9F%82%A1"):
                assert (await client.get(f"/api/tables/{name}/rounds")).status_code == 404

    asyncio.run(ask())


def test_steps_come_in_pages_that_join() -> None:
    async def ask() -> None:
        async with opened(fuzzed("nsw-1", 3_000)) as (_, client):
            await client.post("/api/guest")
            whole = (await client.get("/api/tables/t1/rounds/3")).json()
            TypeAdapter(RoundSummary).validate_python({name: whole[name] for name in RoundSummary.__slots__})
            msgspec.convert(whole["steps"], list[StepView], str_keys=True)
            assert whole["recall"] is True
            joined: list[Any] = []
            after: int | None = 0
            while after is not None:
                page = (await client.get("/api/tables/t1/rounds/3", params={"after": after, "limit": 9})).json()
                joined += page["steps"]
                after = page["next_after"]
            assert joined == whole["steps"]

    asyncio.run(ask())


def test_staff_look_as_what_they_are() -> None:
    async def ask() -> None:
        async with opened(fuzzed("nsw-1", 3_000)) as (house, client):
            await enter(house, client, "Ivy", "inspector")
            told = (await client.get("/api/tables/t1/rounds/2")).json()
            assert {step["viewer"] for step in told["steps"]} == {"inspector"}
            assert (await client.get("/api/tables/t1/rounds/2?role=floor")).status_code == 422

    asyncio.run(ask())


def test_recall_shows_a_guest_just_what_they_saw_live(server: Server) -> None:
    """Every view a client got over its socket is the view that recall gives for the same version, for ten rounds."""

    async def play() -> Guest:
        guest = Guest(server.base, "hand-dealt-1")
        await guest.arrive()
        socket = await guest.connect()
        try:
            await asyncio.wait_for(guest.play(socket, 10), 120)
        finally:
            await socket.close()
        return guest

    guest = asyncio.run(play())
    live = {frame["view"]["version"]: frame["view"] for frame in guest.frames if frame["type"] == "view"}
    with httpx.Client(base_url=server.base, cookies={COOKIE: guest.cookie}, timeout=30, verify=False) as client:
        listed = client.get("/api/tables/hand-dealt-1/rounds").json()["rounds"]
        assert [one["round"] for one in listed] == list(range(10, 0, -1))
        recalled: dict[int, dict[str, Any]] = {}
        for one in listed:
            told = client.get(f"/api/tables/hand-dealt-1/rounds/{one['round']}").json()
            assert told["recall"] is True
            assert told["status"] == "settled"
            recalled |= {step["view"]["version"]: step["view"] for step in told["steps"]}
            mine = next(seat for seat in one["seats"] if seat["player"] == guest.name)
            assert mine["net_cents"] == sum(wager["net_cents"] for wager in mine["wagers"])
            assert len(mine["cards"]) == 3
    common = set(live) & set(recalled)
    assert len(common) > 0.8 * len([version for version in live if version <= max(recalled)])
    for version in common:
        assert recalled[version] == live[version]


def test_the_round_that_is_on_tells_a_stranger_no_card_and_no_result() -> None:
    past = past_of(fuzzed("nsw-1", 3_000), "t1")
    moments = list(past.moments())
    stranger = RoundHistory(Person(name="nobody here"))
    on = next(m for m in moments if m.after.phase == "choice_2" and len(m.after.dealt_in) > 1)
    one = list(cut(moments[: on.number], running=True))[-1]
    assert one.status == "running"
    told = stranger.summary(one)
    assert all(not seat.cards and seat.net_cents is None for seat in told.seats)
    assert {wager.fate for seat in told.seats for wager in seat.wagers} <= {"open", "withdrawn"}


def test_a_house_without_the_table_still_tells_its_past() -> None:
    async def ask() -> None:
        store = fuzzed("nsw-1", 3_000)
        async with opened(store) as (house, client):
            assert isinstance(house, House)
            assert "t1" not in house.rooms  # closed, or another server's
            await client.post("/api/guest")
            assert (await client.get("/api/tables/t1/rounds")).status_code == 200

    asyncio.run(ask())
