"""A meter that tables share, at one table: it pays as one of its own, by what the dealer reads, and gives back."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from letitride.engine import commands, events, meters
from letitride.engine.decide import open_table
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.writer import write_command
from letitride.rules import catalog
from tests.records.test_meters import BOOK, JACKPOT, NOTHING, SEED, a_round, played

ROYAL = a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah")
STRAIGHT_FLUSH = a_round("8h 9h Th", "2c 7d 9s", "3c 8d 9d", "Jh Qh")
BOTH = a_round("Qh Kh Ah", "7h 8h 9h", "3c 8d 9d", "Th Jh")
FOURS = a_round("8h 8d 8c", "2c 7d 9s", "3c 4d 9d", "8s Qh")
SHARED = JACKPOT.replace("[meter]\n", "[meter]\nshared = true\n")
METER, ASIDE = "shared_meter:jackpot", "taken:jackpot"


def room_of(folder: Path, wager: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "jackpot.toml").write_text(wager, encoding="utf-8")
    (folder / "room.toml").write_text(BOOK, encoding="utf-8")
    return folder / "room.toml"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Rooms whose tables have a meter of their own, and one that they share."""
    folder = tmp_path_factory.mktemp("rooms")
    return room_of(folder / "own", JACKPOT), room_of(folder / "shared", SHARED)


@pytest.mark.parametrize("rounds", [(NOTHING, ROYAL), (STRAIGHT_FLUSH, BOTH), (STRAIGHT_FLUSH, ROYAL), (FOURS,)])
def test_where_one_table_alone_has_it_a_shared_meter_pays_like_an_own_one(
    rooms: tuple[Path, Path], rounds: tuple[str, ...]
) -> None:
    own, shared = (played(room, *rounds).table for room in rooms)
    assert {("meter:jackpot" if name == METER else name): cents for name, cents in shared.accounts.items()} == dict(
        own.accounts
    )
    assert view(own, "spectator").meters == view(shared, "spectator").meters


def test_a_take_is_set_aside_when_the_round_is_read_and_no_view_tells_it_before_the_round_is_over(
    rooms: tuple[Path, Path],
) -> None:
    steps = played(rooms[1], NOTHING, STRAIGHT_FLUSH).steps
    read = next(at for at, step in enumerate(steps) if step.after.accounts.get(ASIDE))
    table = steps[read].after
    assert "read_meters" == getattr(steps[read].command, "kind", "")
    assert (SEED + 75 - 100_007, 100_007) == (table.cents(METER), table.cents(ASIDE))
    during = [step.after for step in steps[read:] if step.after.phase == "settling"]
    assert len(during) > 5
    assert {SEED + 75} == {view(one, "dealer").meters["jackpot"] for one in during}
    assert SEED + 150 - 100_007 == view(steps[-1].after, "dealer").meters["jackpot"] == steps[-1].after.cents(METER)


def _at_the_reading(replayed: Replayed) -> Table:
    return [step.before for step in replayed.steps if getattr(step.command, "kind", "") == "read_meters"][-1]


def _after_round(table: Table, reading: int) -> Table:
    """Go on from the reading to the end of the round, as the dealer does."""
    table, happened = play_checked(table, commands.ReadMeters(kind="read_meters", meters={"jackpot": reading}))
    assert not isinstance(happened, Refusal), happened
    while table.phase == "settling":
        step = table.agenda[0]
        do = commands.Do(kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)
        table, happened = play_checked(table, do)
        assert not isinstance(happened, Refusal), happened
    return table


@pytest.mark.parametrize(
    ("text", "reading", "won", "left"),
    [
        (ROYAL, 3_000_000, 3_000_000, SEED),
        (ROYAL, 400_000, 400_000, SEED),  # below its seed: the house adds the rest when the round is over
        (ROYAL, 0, 0, SEED),
        (STRAIGHT_FLUSH, 3_000_000, 300_000, 2_700_000),
        (FOURS, 15_000, 30_000 + 20_000, 0),
        (NOTHING, 3_000_000, 0, 3_000_000),
    ],
)
def test_what_is_won_is_of_what_the_dealer_reads(
    rooms: tuple[Path, Path], text: str, reading: int, won: int, left: int
) -> None:
    before = _at_the_reading(played(rooms[1], text))
    table = _after_round(before, reading)
    jackpot = table.cents("stack:1") - before.cents("stack:1")
    base = jackpot - won  # what her base bets brought beside it: the same whatever the meter holds
    assert base == _base_of_ann(rooms, text)
    assert left + 75 == reading + table.cents(METER) - before.cents(METER)
    assert {"jackpot": left + 75} == view(table, "spectator").meters
    assert not table.cents(ASIDE)


def _base_of_ann(rooms: tuple[Path, Path], text: str) -> int:
    """What she gets back and is paid beside the jackpot, after the reading: the bet that rode, and no more where lost."""
    replayed = played(rooms[0], text)
    rows = replayed.outcomes[0].results[1]
    return sum(row.paid_cents + row.back_cents for row in rows if row.wager == "base-$")


def test_a_reading_names_just_the_meters_that_are_bet_on(rooms: tuple[Path, Path]) -> None:
    table = _at_the_reading(played(rooms[1], NOTHING))
    for given in ({}, {"other": 5}, {"jackpot": -1}, {"jackpot": 5, "other": 5}):
        _, refused = play_checked(table, commands.ReadMeters(kind="read_meters", meters=given))
        assert isinstance(refused, Refusal)
        assert "bad_reading" == refused.code
    _, refused = play_checked(table, commands.ReadMeters(by="seat:1", kind="read_meters", meters={"jackpot": 5}))
    assert isinstance(refused, Refusal)
    none = played(rooms[1], NOTHING.replace(" jackpot 1", ""))
    assert not [step for step in none.steps if getattr(step.command, "kind", "") == "read_meters"]


def test_a_round_that_is_void_after_the_reading_gives_back_what_it_had_taken(rooms: tuple[Path, Path]) -> None:
    table = _at_the_reading(played(rooms[1], STRAIGHT_FLUSH))
    table, _ = play_checked(table, commands.ReadMeters(kind="read_meters", meters={"jackpot": 3_000_000}))
    assert 300_000 == table.cents(ASIDE)
    annul = commands.Order(by="casino_supervisor", kind="annul", ground="disturbance", why="fire")
    table, happened = play_checked(table, annul)
    assert not isinstance(happened, Refusal), happened
    while table.phase == "ruling":
        step = table.agenda[0]
        by = "floor" if step.kind.startswith("floor") else "dealer"
        do = commands.Do(by=by, kind=step.kind, seat=step.seat, wager=step.wager, number=step.number)
        table, happened = play_checked(table, do)
        assert not isinstance(happened, Refusal), happened
    assert (SEED, 0) == (table.cents(METER), table.cents(ASIDE))
    assert {"jackpot": 3_000_000} == view(table, "spectator").meters
    assert [50_000] * 3 == [table.cents(f"stack:{n}") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("void", "left"),
    [
        (1, 3_000_000 - 100_000 + 50),  # who would have had all of it: what the other took of the seed is all that goes
        (2, SEED + 50),
        (0, SEED - 100_000 + 75),
    ],
)
def test_a_hand_that_is_void_after_the_reading_takes_nothing(rooms: tuple[Path, Path], void: int, left: int) -> None:
    before = _at_the_reading(played(rooms[1], BOTH))
    table, _ = play_checked(before, commands.ReadMeters(kind="read_meters", meters={"jackpot": 3_000_000}))
    if void:
        seat = table.seats[void]
        rows = tuple(dataclasses.replace(row, fate="void") if row.wager == "jackpot" else row for row in seat.results)
        table = replace(table, seats={**table.seats, void: replace(seat, results=rows)})
    moved = meters.moved(table)
    change = sum(way.cents * ((way.target == METER) - (way.source == METER)) for way in moved)
    assert left == 3_000_000 + table.cents(METER) - before.cents(METER) + change
    aside = sum(way.cents * ((way.target == ASIDE) - (way.source == ASIDE)) for way in meters.moved(table))
    assert 0 == table.cents(ASIDE) + aside


def test_a_record_by_hand_tells_the_reading_and_replays_by_it(rooms: tuple[Path, Path]) -> None:
    steps = played(rooms[1], ROYAL).steps
    lines = []
    for step in steps[1:]:
        command = step.command
        assert command is not None
        if isinstance(command, commands.ReadMeters):
            command = replace(command, meters={"jackpot": 1_234_567})
        lines.append(write_command(command))
    assert "dealer read_meters meter jackpot 12345.67" in lines
    at = next(n for n, line in enumerate(lines) if "invite_bonus" in line or " bets " in line)
    text = "\n".join([f"rulebook {rooms[1]}", "dealer by hand", *lines[:at], "round", *lines[at:], ""])
    table = replay(read_record(text, "by hand"), "by hand").table
    before = next(step.before for step in steps if getattr(step.command, "kind", "") == "read_meters")
    assert 1_234_567 - SEED == -(table.cents(METER) - before.cents(METER) - 75)


def test_the_opening_of_a_second_table_reads_what_the_first_has_seeded(rooms: tuple[Path, Path]) -> None:
    rules = catalog.ready_rules(rooms[1])
    first, opened = open_table(rules)
    second, read = open_table(rules, {"jackpot": SEED + 10})
    assert (SEED, 0) == (first.cents(METER), second.cents(METER))
    assert [-SEED, 0] == [first.cents("tray"), second.cents("tray")]
    assert not [event for event in opened if isinstance(event, events.MetersRead)]
    assert [{"jackpot": SEED + 10}] == [event.readings for event in read if isinstance(event, events.MetersRead)]
    assert {"jackpot": SEED + 10} == view(second, "spectator").meters


def test_shared_says_true_or_false(tmp_path: Path) -> None:
    room = room_of(tmp_path / "bad", JACKPOT.replace("[meter]\n", '[meter]\nshared = "yes"\n'))
    with pytest.raises(InvalidData, match=r"meter\.shared: expected true or false, got 'yes'"):
        catalog.rulebook(room)


def test_a_bet_that_is_shared_has_another_digest_and_an_own_one_the_digest_it_had(rooms: tuple[Path, Path]) -> None:
    own, shared = (catalog.rulebook(room).wagers["jackpot"] for room in rooms)
    assert own.digest != shared.digest
