"""Played: the cards of a round as they came, the line that shifts them, and what a record named in vain."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from letitride.engine import commands, events, places
from letitride.engine.decide import open_table
from letitride.engine.places import CardObject, Move
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling
from letitride.engine.steps import Step
from letitride.records.played import Played, cards_of_round, not_as_named, shifted_by, went_otherwise
from letitride.records.record import Dealt
from letitride.rules import catalog
from letitride.rules.cards import Card

OPENED, _ = open_table(catalog.ready_rules("nsw-1"))
FIRST, SECOND = (msgspec.structs.replace(OPENED, round=number) for number in (1, 2))
LONG = events.MishapHappened(kind="long", seat=1)
MISHAP = commands.Mishap(by="table", kind="long", seat=1)
REPORT = commands.Report(by="dealer", kind="exposed_card", seat=3)


def ruled(name: str) -> events.Ruled:
    return events.Ruled(ruling=Ruling(name=name, sentence="so"), agenda=(), phase="dealing", round=1)


RECUT = ruled("order:recut")


def moved(kind: str, target: str, *faces: str) -> events.StepDone:
    cards = (CardObject(1, serial, Card.parse(face)) for serial, face in enumerate(faces))
    return events.StepDone(step=Step(kind), moves=tuple(Move(card, places.READY, target, False) for card in cards))


def test_a_mishap_or_a_card_that_is_not_used_shifts_the_deal_and_names_its_line() -> None:
    for event, shifts in (
        (LONG, True),
        (ruled("exposed_card:replaced"), True),
        (ruled("drawn_card:discarded"), True),
        (ruled("exposed_card:turned_over"), False),
        (ruled("replaced:go_on"), False),
        (RECUT, False),
        (moved("deal_card", "hand:1", "Th"), False),
    ):
        steps = (
            Played(6, MISHAP, (LONG,), SECOND, SECOND),  # of another round
            Played(7, MISHAP, Refusal("not_now", "Not now."), FIRST, FIRST),
            Played(0, None, (LONG,), FIRST, FIRST),  # no line, none to name
            Played(8, REPORT, (moved("pay", "rack", "2c"), event), FIRST, FIRST),
            Played(9, MISHAP, (LONG,), FIRST, FIRST),
        )
        first = "'dealer reports exposed_card seat 3' in line 8" if shifts else "'mishap long seat 1' in line 9"
        assert shifted_by(steps, 1) == first, event
        assert shifted_by(steps[:4], 1) == (first if shifts else ""), event
        assert went_otherwise(steps, 1) == (isinstance(event, events.Ruled) and event != RECUT), event
    assert shifted_by((), 1) == ""


def test_the_cards_of_a_round_are_told_deal_by_deal() -> None:
    one = (
        moved("deal_card", "hand:1", "Th", "Td"),
        moved("deal_card", "hand:1", "4c"),
        moved("slide_left", places.community(1), "Ks"),
        moved("burn_bottom", places.RACK, "5c"),
        moved("collect_hand", places.RACK, "Th"),
        ruled("unloaded:misdeal"),
        moved("deal_community", places.community(2), "2d"),
    )
    again = (ruled("unloaded:redealt"), moved("deal_packet", "hand:1", "9h"), moved("burn_first", places.RACK, "3c"))
    steps = [Played(0, REPORT, (event,), FIRST, FIRST) for event in (*one, *again)]
    steps.append(Played(0, REPORT, (moved("deal_card", "hand:5", "As"),), SECOND, SECOND))
    first = {
        "hand:1": ["Th", "Td", "4c"],
        places.community(1): ["Ks"],
        places.community(2): ["2d"],
        "burned": ["5c"],
    }
    assert cards_of_round(steps, 1) == [first, {"hand:1": ["9h"], "burned": ["3c"]}]
    assert cards_of_round(steps, 2) == [{"hand:5": ["As"]}]


def test_what_was_named_and_did_not_come_is_told_with_what_came() -> None:
    left, right = places.community(1), places.community(2)
    hand = Dealt(hands=((1, ("Th", "Td^", "4c")),))
    twice = Dealt(hands=((1, ("Qs", "Qs*", "3c")),))
    shown = Dealt(community=("Ks", "2d"))
    burn = Dealt(burn=("5c^",))
    in_hand, on_table, in_rack = "seat 1 to be dealt Th Td^ 4c", "the community cards Ks 2d", "5c^ to be burned"
    lines = (("hand 1", 4), ("community", 5), ("burn", 6))
    for dealt, came, whole, broken in (
        (hand, {"hand:1": ["4c", "Th", "Td"]}, [], []),
        (hand, {"hand:1": ["4c", "Th"]}, [(in_hand, "4c Th")], []),
        (hand, {"hand:1": ["4c", "9h"]}, [(in_hand, "4c 9h")], [(in_hand, "4c 9h")]),
        (hand, {}, [(in_hand, "no cards")], []),
        (twice, {"hand:1": ["3c", "Qs"]}, [("seat 1 to be dealt Qs Qs* 3c", "3c Qs")], []),
        (shown, {left: ["2d"], right: ["Ks"]}, [], []),
        (shown, {left: ["2d"], right: ["Ks", "9h"]}, [], []),
        (shown, {left: ["9h"], right: ["2d"]}, [(on_table, "9h 2d")], [(on_table, "9h 2d")]),
        (shown, {left: ["9h"]}, [(on_table, "9h")], []),
        (shown, {}, [(on_table, "none")], []),
        (burn, {"burned": ["5c"]}, [], []),
        (burn, {"burned": ["9h", "5c"]}, [], []),
        (burn, {"burned": ["9h", "2d"]}, [(in_rack, "9h 2d")], [(in_rack, "9h 2d")]),
        (burn, {}, [(in_rack, "no burned card")], []),
        (Dealt(), {"hand:1": ["9h"], left: ["2d"], "burned": ["3c"]}, [], []),
    ):
        line = 4 if dealt.hands else 5 if dealt.community else 6
        for broken_off, expected in ((False, whole), (True, broken)):
            found = list(not_as_named(dealt, came, broken_off=broken_off))
            assert found == [(*one, 0) for one in expected], (dealt, came)
            found = list(not_as_named(replace(dealt, lines=lines), came, broken_off=broken_off))
            assert found == [(*one, line) for one in expected], (dealt, came)
