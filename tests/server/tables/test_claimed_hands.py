"""A hand claimed for the 3 Card Bonus: its cards go to the dealer's client until it is paid, and to no other."""

from __future__ import annotations

import pytest

from letitride.engine.state import Table
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules.rulebook import RuleBook
from letitride.server.tables.frames import Frames

CLAIM = """
rulebook {book}+three_card_claim
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 {pair} 4c
hand 3 2h 8s Jc
community Ks Tc
seat 1 bets 10 three_card 5
seat 3 bets 10 three_card 5
seat 1 looks
seat 1 claims
seat 3 looks
seat 3 waves
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
"""
OTHERS = ("seat:3", "spectator", "floor", "inspector")


def tables(book: RuleBook, pair: str) -> list[Table]:
    """Return the table after every step of the round."""
    return [step.after for step in replay(read_record(CLAIM.format(book=book.id, pair=pair))).steps]


def differs(one: list[Table], other: list[Table], viewer: str) -> list[int]:
    """Return the moments at which a client could tell two worlds apart, by whole views and by changes alike."""
    found = []
    here, there = Frames(), Frames()
    last = None
    for moment, (table, twin) in enumerate(zip(one, other, strict=True)):
        now = here.frame_for(table, viewer), there.frame_for(twin, viewer)
        changes = [] if last is None else [frame.changes_since(before) for frame, before in zip(now, last, strict=True)]
        if now[0].whole() != now[1].whole() or len(set(changes)) > 1:
            found.append(moment)
        last = now
    return found


@pytest.mark.clause("sm:3cb.opt2.3", "sm:how.play.5")
def test_two_pairs_that_pay_the_same_look_different_to_the_dealer_alone_and_only_until_they_are_paid(
    book: RuleBook,
) -> None:
    sixes, nines = tables(book, "6h 6d"), tables(book, "9h 9d")
    opened = next(n for n, table in enumerate(sixes) if table.phase == "settling" and table.at("hand:1")[0].up)
    looked = next(n for n, table in enumerate(sixes) if table.seats[1].looked)
    claimed = next(n for n, table in enumerate(sixes) if table.seats[1].claim)
    paid = next(n for n, table in enumerate(sixes) if table.seats[1].claim and not table.cents("felt:1:three_card"))
    assert looked < claimed < paid < opened
    for viewer in OTHERS:
        assert opened == differs(sixes, nines, viewer)[0], viewer
    of_the_dealer = [moment for moment in differs(sixes, nines, "dealer") if moment < opened]
    assert list(range(claimed, paid)) == of_the_dealer
    assert looked == differs(sixes, nines, "seat:1")[0]
    shown = Frames().frame_for(sixes[claimed], "dealer").whole()
    assert b'"cards":["6h","6d","4c"]' in shown
    assert b'"6h"' not in Frames().frame_for(sixes[paid], "dealer").whole()
