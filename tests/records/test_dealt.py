"""Dealt: the decks of a round as they were before their first card was drawn."""

from __future__ import annotations

from letitride.engine.decide import Events
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.records.dealt import decks_dealt, written
from letitride.records.reader import read_record
from letitride.records.record import Dealt
from letitride.records.replay import replay
from tests.records.moments import FOLDER

TOP = ("Th", "Td", "4c", "9h", "9d", "3c", "2c", "7d", "Kh", "Ks", "2d")


def happened(text: str) -> list[tuple[Table, Events]]:
    """Return what a record's commands led to, each with the table before it."""
    steps = replay(read_record(text)).steps
    return [(one.before, one.outcome) for one in steps if not isinstance(one.outcome, Refusal)]


def irregular(name: str) -> str:
    """Return the record of an irregularity: 'absent/nsw-1'."""
    return (FOLDER / "irregularities" / f"{name}.round").read_text(encoding="utf-8")


def decks(text: str) -> tuple[Dealt, Dealt | None]:
    first, second = decks_dealt(happened(text))
    assert first is not None
    return first, second


def test_a_round_has_the_deck_it_was_dealt_from_to_the_last_card() -> None:
    first, second = decks(irregular("exposed-card/shufflemaster-1"))
    assert (first.order[:11], len(first.order), first.missing, second) == (TOP, 52, (), None)
    assert decks_dealt(happened("rulebook nsw-1\nseat 1 sits Ann 500\n")) == (None, None)  # nothing was dealt


def test_a_round_that_is_dealt_again_has_both_decks() -> None:
    first, second = decks(irregular("unloaded/shufflemaster-1"))
    assert second is not None
    assert (first.order[:11], second.order[:5]) == (TOP, ("Jh", "Jd", "5s", "8c", "4d"))
    assert len(second.order) == 52


def test_a_card_that_goes_astray_before_the_deal_is_still_in_its_deck() -> None:
    seated = "seat 1 sits Ann 500\nseat 3 sits Bob 500\n"
    text = f"rulebook hand-dealt-1\n{seated}\nround\ndeck {' '.join(TOP)}\nseat 1 bets 10\ndealer call_no_more_bets\n"
    reported = "dealer reports drawn_card\nseat 1 rides 1\nseat 1 rides 2\n"  # it is dealt, or discarded if seen
    stray = "mishap stray seat 3\ndealer reports stray_hand seat 3\n"  # a misdeal
    for astray in (f"mishap drawn\n{reported}", f"mishap drawn seen\n{reported}", stray):
        first, second = decks(text + astray)
        assert (first.order[:11], len(first.order), second) == (TOP, 52, None), astray


def test_what_a_deck_lacks_is_missing_although_a_foreign_card_looks_the_same() -> None:
    text = irregular("deck-foreign/nsw-1").replace("2c Ks* Kh", "2c 7c* Kh^").replace("missing 7c", "missing 7c 3s")
    assert "7c*" in text
    first, _ = decks(text)
    assert first.missing == ("3s", "7c")
    assert [card for card in first.order if card[2:]] == ["7c*", "Kh^"]
    assert len(first.order) == 51


def test_a_card_of_a_deck_is_marked_where_it_lies_face_up_or_is_foreign() -> None:
    marks = [written("Th", up=up, foreign=foreign) for up in (False, True) for foreign in (False, True)]
    assert marks == ["Th", "Th*", "Th^", "Th^*"]
