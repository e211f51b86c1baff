"""Side bets that a player takes back with a base decision: chips, results, refusals, offers and records."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.chance.seeded import Seeded
from letitride.engine import commands, events
from letitride.engine.decide import open_table
from letitride.engine.promises import Round, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.narrate import narrate, summary
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.writer import write_command
from letitride.reports.shift.figures import Shift, _wager
from letitride.rules import catalog
from letitride.rules.settlement import WagerResult
from letitride.simulation.fuzz import fuzz
from letitride.simulation.random_commands import next_command
from letitride.storage.codec import decode, encode
from letitride.storage.rules_codec import from_wire, to_wire

HALF = """
id = "half"
title = "Half Back"
judged_on = "own_five"
award = "to_one"
withdraw = ["bet_1"]
withdraw_percent = 50
rank = [{ id = "pair", when = { same_rank = 2 } }, { id = "rest" }]
pays = { pair = 2 }
keys = { cents_min = 100, cents_max = 2500, cents_step = 2 }
"""
TWO_UP = """
id = "two_up"
title = "Two Up"
judged_on = "community"
award = "to_one"
withdraw = ["bet_1", "bet_2"]
pays = { pair = 14 }
rank = [{ id = "pair", when = { same_rank = 2 } }, { id = "rest" }]
keys = { cents_min = 100, cents_max = 2500, void_on = ["exposed_card"] }
"""
BOOK = """
id = "room-1"
title = "Room"
extends = "PARENT"
wagers = ["half.toml", "two_up.toml"]
"""
ROUND = """dealer auto
seat 1 sits Ann 500

round
hand 1 Th Jh 2c
community Kh Kc
seat 1 bets 5 half 5.02 two_up 3
"""
STAYS = "seat 1 withdraws 1\nseat 1 withdraws 2\n"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    for name, text in (("half", HALF), ("two_up", TWO_UP), ("room", BOOK.replace("PARENT", "nsw-1"))):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path / "room.toml"


def played(room: Path, rest: str) -> Replayed:
    return replay(read_record(f"rulebook {room}\n{ROUND}{rest}", "back.round"), "back.round")


def results(found: Replayed) -> dict[str, WagerResult]:
    return {row.wager: row for row in found.outcomes[0].results[1]}


def test_half_of_a_bet_goes_back_and_the_house_keeps_the_rest(room: Path) -> None:
    kept, back = played(room, STAYS), played(room, f"seat 1 withdraws half\n{STAYS}")
    assert results(kept)["half"] == WagerResult("half", 502, "won", 1004, 502)
    assert results(back)["half"] == WagerResult("half", 502, "withdrawn", back_cents=251)
    assert kept.table.cents("stack:1") - back.table.cents("stack:1") == 1004 + 251
    assert back.table.cents("tray") - kept.table.cents("tray") == 1004 + 251
    assert results(back)["two_up"] == results(kept)["two_up"]


def test_a_bet_is_taken_back_with_the_decisions_that_its_file_names(room: Path) -> None:
    first = played(room, f"seat 1 withdraws two_up\n{STAYS}")
    second = played(room, "seat 1 withdraws 1\nseat 1 withdraws two_up\nseat 1 withdraws 2\n")
    for found in (first, second):
        assert results(found)["two_up"] == WagerResult("two_up", 300, "withdrawn", back_cents=300)
    with pytest.raises(InvalidData, match="You can take Half Back back when you're asked about bet 1"):
        played(room, "seat 1 withdraws 1\nseat 1 withdraws half\n")
    with pytest.raises(InvalidData, match="Two Up is already taken back"):
        played(room, "seat 1 withdraws two_up\nseat 1 withdraws two_up\n")
    played(
        room, f"seat 1 withdraws quarter => nothing_to_take_back\nseat 1 withdraws base-1 => never_withdrawn\n{STAYS}"
    )


def test_what_may_be_taken_back_is_offered_and_the_felt_and_the_sign_tell_of_it(room: Path) -> None:
    done = played(room, f"seat 1 looks\nseat 1 withdraws half\n{STAYS}")
    asked = [view(one.after, "seat:1") for one in done.steps if one.after.next_step and one.after.next_step.seat == 1]
    offered = [[one.wager for one in seen.offers if isinstance(one, commands.TakeBack)] for seen in asked]
    assert [spots for spots in offered if spots] == [["half", "two_up"], ["two_up"], ["two_up"]]
    assert asked[-1].seats[1].wagers["half"] == 0
    sign = asked[0].sign.side_bets
    assert [(one.withdraw, one.withdraw_percent) for one in sign] == [((1,), 50), ((1, 2), 100)]


def test_an_absent_players_bets_go_back_where_the_book_withdraws_for_them(room: Path) -> None:
    (room.parent / "room.toml").write_text(BOOK.replace("PARENT", "california-1"), encoding="utf-8")
    refused = "half.offered: expected false, because a player banks"
    with pytest.raises(InvalidData, match=refused):
        catalog.ready_rules(str(room))
    text = BOOK.replace("PARENT", "nsw-1") + '[rules]\nirreg.absent = "withdraw"\n'
    (room.parent / "room.toml").write_text(text, encoding="utf-8")
    found = played(room, "seat 1 by floor goes away\ndealer reports absent seat 1\ndealer reports absent seat 1\n")
    assert {row.fate for name, row in results(found).items() if name in {"half", "two_up"}} == {"withdrawn"}


def test_an_irregularity_that_voids_it_leaves_what_was_taken_back(room: Path) -> None:
    found = played(room, f"seat 1 withdraws two_up\n{STAYS}")
    assert found.table.void_bets(1) == frozenset()


def test_records_and_journals_keep_it(room: Path) -> None:
    assert write_command(commands.TakeBack(by="seat:1", seat=1, wager="half")) == "seat 1 withdraws half"
    found = played(room, f"seat 1 withdraws half\n{STAYS}")
    told = [step for step in found.steps if any(isinstance(one, events.SideBetTakenBack) for one in step.outcome)]
    assert [decode(encode(step.outcome)) for step in told] == [step.outcome for step in told]
    assert next(iter(narrate(told[0]))) == "seat 1: takes Half Back back"
    assert "half $5.02 taken back, $2.51 of it returned" in next(iter(summary(found.outcomes[0])))
    rules = catalog.ready_rules(str(room))
    assert from_wire(to_wire(rules)) == rules
    assert from_wire(to_wire(rules)).wagers["half"].withdraw_percent == 50


def test_fuzzing_over_such_bets_breaks_no_promise(room: Path) -> None:
    rules, taken = catalog.ready_rules(str(room)), 0
    assert fuzz(rules, 300, seed=20).rounds > 1
    table, chance, watch = open_table(rules)[0], Seeded(20), Round()
    for _ in range(700):
        command = next_command(table, chance)
        after, outcome = play_checked(table, command)
        check_again(table, command, after, outcome)
        happened = () if isinstance(outcome, Refusal) else outcome
        watch.watch(table, happened)
        taken += any(isinstance(one, events.SideBetTakenBack) for one in happened)
        table = after
    assert taken > 2


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (("bet_1", "bet_3"), "withdraw: expected .*'bet_1'.*'bet_2', got 'bet_3'"),
        (('"own_five"', '"own_three"'), "withdraw: expected nothing, because all of its cards are seen at bet 1, got"),
        (
            ("withdraw_percent = 50", "withdraw_percent = 101"),
            "withdraw_percent: expected 100 at most, the whole stake",
        ),
        (
            ("withdraw_percent = 50", "withdraw_percent = 0"),
            "withdraw_percent: expected a whole number, 1 or more, got 0",
        ),
        (('["bet_1"]', "[]"), "withdraw_percent: expected no value, because it is never taken back, got 50"),
        (('["bet_1"]', '"bet_1"'), "withdraw: expected a list of"),
        (('["bet_1"]', '["bet_1", "bet_1"]'), "withdraw: expected no value twice"),
        (
            ("step = 2", "step = 1"),
            "keys.cents_step: expected an amount of which 50 % are whole cents, because it may be taken back, got 1",
        ),
        (
            (", cents_step = 2", ""),
            "keys.cents_step: expected an amount of which 50 % are whole cents, because it may be taken back, got 1",
        ),
        (("keys = {", "keys = { alone = true,"), "keys.alone: expected false, because it may be taken back"),
        (
            ("keys = {", 'keys = { taken = "before_deal",'),
            "keys.taken: expected 'settlement', because it may be taken back",
        ),
        (("keys = {", "envy = { pair = 5 }\nkeys = {"), "because what it wins depends on a meter or on other players"),
    ],
)
def test_a_file_whose_bet_cannot_be_taken_back_so_is_refused(room: Path, change: tuple[str, str], refused: str) -> None:
    (room.parent / "half.toml").write_text(HALF.replace(*change), encoding="utf-8")
    with pytest.raises(InvalidData, match=refused):
        catalog.wager(str(room.parent / "half.toml"))


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("half.alone = true", "half.alone: expected false, because it may be taken back"),
        ('half.taken = "before_deal"', "half.taken: expected 'settlement', because it may be taken back"),
        ("half.cents_step = 5", "half.cents_step: expected an amount of which 50 % are whole cents"),
    ],
)
def test_a_book_that_leaves_no_decision_or_no_stake_is_refused(room: Path, line: str, refused: str) -> None:
    text = BOOK.replace("PARENT", "nsw-1") + f"[rules]\nbet.lone_side = 'by_wager'\n{line}\n"
    room.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData, match=refused):
        catalog.ready_rules(str(room))


def test_a_shift_counts_what_the_house_kept_as_handle_and_win(room: Path) -> None:
    shift, half = Shift("table", 0, 1), results(played(room, f"seat 1 withdraws half\n{STAYS}"))["half"]
    _wager(shift, half, void=False)
    assert (shift.wagers["half"].handle_cents, shift.wagers["half"].win_cents) == (251, 251)
