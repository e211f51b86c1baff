"""Burned cards: one or two off the top of the deck, at their moments, hidden, told by records, put right if wrong."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from letitride.engine import commands, events, faults, places
from letitride.engine.decide import play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.script import line
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.errors import InvalidData
from letitride.records.narrate import narrate
from letitride.records.played import Played
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.writer import write_record
from tests.clauses.rounds import faces, happened, kinds, step, steps

BOOK = """
id = "burns-1"
title = "A room that burns"
extends = "{extends}"
[rules]
burn.card = "{card}"
burn.when = "{when}"
{more}
"""
ROUND = """
rulebook {book}
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
{burn}
seat 1 bets 10
seat 3 bets 10
seat 1 rides 1
seat 3 withdraws 1
{late}
seat 1 rides 2
seat 3 rides 2
{later}
"""
DECK = "deck Th 9h Td 9d 4c 3c {rest}"


class Room:
    """Rounds by a book of the room's own."""

    def __init__(self, folder: Path) -> None:
        self.book = folder / "burns.toml"

    def says(self, card: str, when: str = "at_turn", more: str = "", extends: str = "nsw-1") -> Room:
        """Write the book."""
        self.book.write_text(BOOK.format(card=card, when=when, more=more, extends=extends), encoding="utf-8")
        return self

    def text(self, burn: str = "", late: str = "", later: str = "") -> str:
        """Return the record of a round, with what else is said of its cards, and done after bet 1 and after bet 2."""
        return ROUND.format(book=self.book, burn=burn, late=late, later=later)

    def plays(self, burn: str = "") -> Replayed:
        """Play a round."""
        return replay(read_record(self.text(burn)))

    def decked(self, rest: str, **acts: str) -> Replayed:
        """Play a round from a deck, of which the record names what comes after the hands."""
        named = self.text(DECK.format(rest=rest), **acts).partition("#")[0].splitlines()  # which ends the record
        return replay(read_record("\n".join(one for one in named if not one.startswith(("hand", "community")))))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def stacks(done: Replayed) -> list[int]:
    return [done.steps[-1].after.cents(f"stack:{seat}") for seat in (1, 3)]


def ruled(done: Replayed) -> list[str]:
    return [event.ruling.name for event in happened(done) if isinstance(event, events.Ruled)]


ENDS = [53_000, 48_000]
"""Tens, with a king and a two in the community area, are paid even money three times; nines lose two bets."""
AREA = ["burn_top 1", "turn_community 1", "burn_top 2", "turn_community 2"]
DEALT = ["burn_top 1", "deal_community 1", "burn_top 2", "deal_community 2"]


@pytest.mark.parametrize(
    ("card", "when", "burned", "wanted"),
    [
        ("top_before_each", "at_turn", "5c 6d", AREA),
        ("top_before_first", "at_turn", "5c", [AREA[0], AREA[1], AREA[3]]),
        ("top_before_second", "at_turn", "5c", [AREA[1], AREA[2], AREA[3]]),
        ("top_before_each", "at_deal", "5c 6d", DEALT),
        ("top_before_first", "at_deal", "5c", [DEALT[0], DEALT[1], DEALT[3]]),
        ("top_before_second", "at_deal", "5c", [DEALT[1], DEALT[2], DEALT[3]]),
    ],
)
def test_cards_off_the_deck_are_burned_each_before_its_community_card(
    room: Room, card: str, when: str, burned: str, wanted: list[str]
) -> None:
    done = room.says(card, when).plays(f"burn {burned}")
    assert [one for one in steps(done) if one in {*AREA, *DEALT} and one in wanted] == wanted
    assert kinds(done).count("burn_top") == len(burned.split())
    last = step(done, wanted[-1]).after
    assert faces(last, places.RACK) == burned.split()
    assert not any(card.up for card in last.at(places.RACK))
    assert sorted(map(str, last.community_cards())) == ["2d", "Ks"]
    assert stacks(done) == ENDS


def test_a_record_with_two_burned_cards_is_read_back_as_it_was_written(room: Room) -> None:
    record = read_record(room.says("top_before_each").text("burn 5c 6d"))
    assert record.rounds[0].dealt.burn == ("5c", "6d")
    assert "\nburn 5c 6d\n" in write_record(record)
    assert read_record(write_record(record)).rounds[0].dealt == record.rounds[0].dealt


@pytest.mark.parametrize(
    ("card", "burned", "came"),
    [("top_before_first", "5c 6d", "got 5c"), ("none", "5c", "got no burned card")],
)
def test_a_record_that_names_more_burned_cards_than_the_book_burns_is_refused(
    room: Room, card: str, burned: str, came: str
) -> None:
    with pytest.raises(InvalidData, match=f"{burned} to be burned.*{came}"):
        room.says(card).plays(f"burn {burned}")


def test_the_script_names_each_burn_and_takes_no_other_step_in_its_place(room: Room) -> None:
    done = room.says("top_before_each").plays()
    for number in (1, 2):
        due = step(done, f"burn_top {number}").before
        told = line(due, due.agenda[0])
        assert told.text == f"burn the top card of the deck, unseen, to the rack, before community card {number}"
        skipped = legal(due, commands.Do(by="dealer", kind="turn_community", number=number))
        assert skipped is not None
        assert skipped.code == "out_of_order"


def _told(one: Played, viewer: str = "") -> str:
    return " ".join(narrate(one, viewer))


def test_only_the_whole_record_tells_the_face_of_a_card_burned_off_the_deck(room: Room) -> None:
    done = room.says("top_before_each").plays("burn 5c 6d")
    first = step(done, "burn_top 1")
    assert ": 5c" in _told(first)
    assert not any("5c" in _told(first, viewer) for viewer in ("seat:1", "dealer", "floor", "inspector", "spectator"))


@pytest.mark.parametrize(("number", "kept"), [(1, "2d"), (2, "Ks")])
def test_a_community_card_burned_for_the_decks_top_card_goes_back_at_the_first_burn(
    room: Room, number: int, kept: str
) -> None:
    acts = f"mishap burn card {number}\ndealer reports wrong_burn => ruled put_right"
    done = room.says("top_before_each").decked("Ks 2d 5c 6d", late=acts)
    missing = step(done, "take_back_burned").before
    assert [str(card) for card in missing.community_cards()] == [kept]
    assert steps(done).count("burn_top 1") == 1
    last = step(done, "turn_community 2").after
    assert faces(last, places.RACK) == ["5c", "6d"]
    assert sorted(map(str, last.community_cards())) == ["2d", "Ks"]
    assert stacks(done) == ENDS


def test_it_goes_back_at_the_second_burn_too_though_a_community_card_is_turned(room: Room) -> None:
    acts = "mishap burn card 2\ndealer reports wrong_burn => ruled put_right"
    done = room.says("top_before_each").decked("Ks 2d 5c 6d", later=acts)
    back = step(done, "take_back_burned").after
    assert back.next_step == Step("burn_top", number=2)
    case = back.rulings[-1].case
    assert case is not None
    assert not case.seen  # no card was turned since
    assert faces(step(done, "turn_community 2").after, places.RACK) == ["5c", "6d"]
    assert stacks(done) == ENDS


def test_no_card_is_turned_until_the_wrong_burn_is_reported(room: Room) -> None:
    with pytest.raises(
        InvalidData, match="can't turn community card 1: the wrong card was burned. Report the irregularity"
    ):
        room.says("top_before_each").decked("Ks 2d 5c 6d", late="mishap burn card 1")


def test_where_the_book_says_so_a_wrong_burn_voids_all_hands(room: Room) -> None:
    acts = "mishap burn card 1\ndealer reports wrong_burn => ruled hands_void\n#"
    done = room.says("top_before_each", more='irreg.wrong_burn = "all_void"').decked("Ks 2d 5c 6d", late=acts)
    assert stacks(done) == [50_000, 50_000]


def at_burn(done: Replayed, words: str) -> Table:
    return step(done, words).before


def test_a_turned_card_is_not_burned_nor_any_in_place_of_a_card_dealt_from_the_hand(room: Room) -> None:
    turning = room.says("top_before_each").plays()
    dealing = room.says("top_before_each", "at_deal").plays()
    wrong = [commands.Mishap(by="table", kind="burn", number=number) for number in (1, 2, 3)]
    moments = {"burn_top 1": [True, True, False], "burn_top 2": [False, True, False]}
    for words, possible in moments.items():
        assert [legal(at_burn(turning, words), one) is None for one in wrong] == possible
        assert [legal(at_burn(dealing, words), one) is None for one in wrong] == [False] * 3


def test_a_card_that_lies_face_up_when_it_is_burned_in_the_deal_counts_as_exposed(room: Room) -> None:
    done = room.says("top_before_first", "at_deal").decked("5c^ Ks 2d")
    burned = step(done, "burn_top 1")
    assert (burned.before.exposed, burned.after.exposed) == (0, 1)
    assert [(str(card.face), card.up) for card in burned.after.at(places.RACK)] == [("5c", False)]
    later = step(room.says("top_before_first").decked("Ks 2d 5c^"), "burn_top 1").after
    assert later.exposed == 0


@pytest.mark.parametrize(
    ("report", "decisions", "shown"),
    [("dealer reports wrong_burn => ruled put_right", ["wrong_burn:put_right"], "2d"), ("", [], "5c")],
    ids=["reported", "unnoticed"],
)
def test_a_wrong_burn_after_bet_2_is_put_right_before_the_turn_and_stands_after_it(
    room: Room, report: str, decisions: list[str], shown: str
) -> None:
    done = room.says("last_community", "after_bet_2").decked("Ks 2d 5c", later=f"mishap burn card 2\n{report}")
    assert ruled(done) == decisions
    turned = step(done, "turn_community 2").after
    assert [str(card.face) for card in turned.community() if card.up] == ["Ks", shown]
    assert len(turned.community()) == 2


def test_the_bottom_of_the_packet_may_be_burned_after_bet_2(room: Room) -> None:
    done = room.says("bottom_of_packet", "after_bet_2", extends="nsw-1+shuffler").plays("burn 5c")
    order = [one for one in steps(done) if one in {"turn_community 1", "burn_bottom", "turn_community 2"}]
    assert order == ["turn_community 1", "burn_bottom", "turn_community 2"]
    assert faces(step(done, "burn_bottom").before, places.PACKET) == ["5c"]
    assert stacks(done) == ENDS


def test_a_deck_that_is_out_of_cards_stops_the_burn_with_a_reason(room: Room) -> None:
    due = at_burn(room.says("top_before_first").plays(), "burn_top 1")
    assert faults.blocked(due, due.agenda[0]) == ""
    without = msgspec.structs.replace(due, cards={**due.cards, places.READY: ()})
    assert faults.blocked(without, due.agenda[0]) == "the deck has no card left"
    assert isinstance(play(without, commands.Do(by="dealer", kind="burn_top", number=1))[1], Refusal)
