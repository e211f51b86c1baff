"""Side bets that an irregularity makes void while the round goes on: they go back, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.rules import catalog
from letitride.rules.settlement import WagerResult
from letitride.storage.rules_codec import from_wire, to_wire

SUITED = """
id = "suited"
title = "Three Suited"
judged_on = "own_three"
award = "to_one"
pays = { suited = 20 }
rank = [{ id = "suited", when = { same_suit = 3 } }, { id = "rest" }]
keys = { cents_min = 100, cents_max = 10000, void_on = ["exposed_card"] }
"""
POT = """
id = "pot"
title = "Pot"
judged_on = "own_five"
ranking = "poker"
award = "total_award"
pays = { full_house = 50, flush = 40 }
envy = { royal_flush = 1000 }
keys = { cents = 100, taken = "before_deal", void_on = ["exposed_card", "exposed_community"] }
[meter]
seed_cents = 1000000
contribution_ppm = 250000
takes = { royal_flush = 100, straight_flush = 10, four_of_a_kind = "$200" }
"""
TOP = """
id = "top"
title = "Top Hand"
judged_on = "table_best"
ranking = "poker"
award = "to_one"
keys = { cents_min = 100, cents_max = 1000, void_on = ["exposed_card"] }
[pays]
royal_flush = [9, 9, 9, 9, 9, 9, 9]
"""
BOOK = """
id = "room-1"
title = "Room"
extends = "{parent}"
wagers = ["suited.toml", "pot.toml", "top.toml"]
[rules]
odds.wording = ["to", "win"]
"""
SIDES = "suited 5 pot 1 top 1"
ROUND = f"""dealer auto
seat 1 sits Ann 500
seat 2 sits Bob 500

round
hand 1 Th Jh Qh
hand 2 2c 7c 9c
community Kh Ah
seat 1 bets 5 {SIDES}
seat 2 bets 5 {SIDES}
"""
CHOICES = "".join(f"seat {n} withdraws {bet}\n" for bet in (1, 2) for n in (1, 2))
EXPOSED = "mishap exposed seat 1\ndealer reports exposed_card seat 1\n"
EARLY = "seat 1 looks\nmishap exposed community\ndealer reports exposed_community card {card} => ruled go_on\n"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    for name, text in (("suited", SUITED), ("pot", POT), ("top", TOP), ("room", BOOK.format(parent="nsw-1"))):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path / "room.toml"


def played(room: Path, more: str, sides: str = SIDES) -> Replayed:
    text = f"rulebook {room}\n{ROUND.replace(SIDES, sides)}{more}{CHOICES}"
    return replay(read_record(text, "void.round"), "void.round")


def results(done: Replayed) -> dict[tuple[int, str], WagerResult]:
    rows = done.outcomes[0].results
    return {(seat, row.wager): row for seat, found in rows.items() for row in found if "base" not in row.wager}


def test_a_card_that_is_exposed_voids_the_bets_of_its_hand_and_those_on_the_best_hand(room: Path) -> None:
    found = results(played(room, EXPOSED))
    assert {1: "void", 2: "won"} == {seat: found[seat, "suited"].fate for seat in (1, 2)}
    assert {1: "void", 2: "lost"} == {seat: found[seat, "pot"].fate for seat in (1, 2)}
    assert {"void"} == {found[seat, "top"].fate for seat in (1, 2)}
    assert [0] * 4 == [one.net_cents for one in found.values() if one.fate == "void"]


def test_what_is_void_goes_back_whole_and_touches_no_meter(room: Path) -> None:
    plain, void = played(room, "").table, played(room, EXPOSED).table
    # Ann's royal flush would have taken the meter and three side bets; Bob would have had envy.
    won = {1: 20 * 500 + 1_000_000 - 100 + 9 * 100, 2: 100_000 + 9 * 100}
    for seat, cents in won.items():
        assert cents == plain.accounts[f"stack:{seat}"] - void.accounts[f"stack:{seat}"]
    assert (1_000_000 + 50, 1_000_000 + 25) == (plain.accounts["meter:pot"], void.accounts["meter:pot"])
    for table in (plain, void):
        assert 0 == sum(table.accounts.values())
        assert 0 == sum(cents for name, cents in table.accounts.items() if name.startswith("felt:"))


def test_an_irregularity_of_the_table_voids_the_bet_of_every_hand(room: Path) -> None:
    found = results(played(room, EARLY.format(card=2), "suited 5 pot 1"))
    assert {"won"} == {found[seat, "suited"].fate for seat in (1, 2)}
    assert {"void"} == {found[seat, "pot"].fate for seat in (1, 2)}


def test_the_ruling_says_which_bets_go_back_and_the_script_returns_them(room: Path) -> None:
    done = played(room, EXPOSED)
    ruled = next(step.after.rulings[-1] for step in done.steps if step.after.rulings)
    assert ruled.sentence.endswith(
        "; the Three Suited bet of seat 1 goes back; the Pot bet of seat 1 goes back; all Top Hand bets go back"
    )
    said = [line.text for step in done.steps if (line := view(step.after, "dealer").script)]
    for text in ("return seat 1's Three Suited", "return seat 1's Pot", "return seat 2's Top Hand"):
        assert text in said


@pytest.mark.parametrize("method", ["lay_and_pay", "losers_first", "pick_and_pay"])
def test_what_is_void_goes_back_by_every_way_to_settle(room: Path, method: str) -> None:
    with room.open("a", encoding="utf-8") as book:
        book.write(f'settle.method = "{method}"\n')
    table = played(room, EXPOSED).table
    assert 50_000 + 500 * 1000 == table.accounts["stack:1"]
    assert 0 == sum(cents for name, cents in table.accounts.items() if name.startswith("felt:"))


def test_a_book_may_say_after_what_a_bet_is_void(room: Path) -> None:
    with room.open("a", encoding="utf-8") as book:
        book.write("suited.void_on = []\n")
    assert "won" == results(played(room, EXPOSED))[1, "suited"].fate
    rules = catalog.ready_rules(room)
    assert ((), ("exposed_card", "exposed_community")) == (rules.terms("suited").void_on, rules.terms("pot").void_on)
    assert rules == from_wire(to_wire(rules))


def test_another_word_than_an_irregularity_is_refused(room: Path) -> None:
    path = room.with_name("suited.toml")
    path.write_text(SUITED.replace('"exposed_card"', '"exposed"'), encoding="utf-8")
    with pytest.raises(InvalidData, match=r"suited.*void_on.*expected a list, each one of 'exposed_card'.*got"):
        catalog.ready_rules(room)
