"""State: what a seat and a table say about themselves, and how they are where nothing has happened yet."""

from __future__ import annotations

import pytest
from msgspec.structs import asdict, replace

from letitride.engine import commands, events, places
from letitride.engine.decide import open_table
from letitride.engine.evolve import new_table
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal, is_plain, refuse_words
from letitride.engine.state import Dispute, Ruling, Seat, Sign
from letitride.engine.steps import Step
from letitride.rules import catalog
from letitride.rules.cards import DECK

CARD = CardObject(1, 0, DECK[0])


def test_an_empty_seat_has_nothing_and_has_done_nothing() -> None:
    seat = asdict(Seat(3))
    assert (3, "chips") == (seat.pop("number"), seat.pop("medium"))
    assert not any(seat.values()), seat


def test_a_new_table_counts_from_nothing() -> None:
    table = new_table(events.TableOpened(rules=catalog.table_rules("nsw-1")))
    given = {"rules", "phase", "seats", "cards"}
    assert {} == {name: value for name, value in asdict(table).items() if name not in given and value}


def test_what_is_left_out_of_a_journal_is_nothing() -> None:
    """Journals leave out what has its default: another default would change what they tell."""
    step = Step("count_stub")
    said = Ruling(name="x", sentence="X.")
    left_out = [
        (said, {"name", "sentence"}),
        (Dispute(number=1, seat=1, player="Ann", about="x", heard_by=("floor",)), {"number", "seat", "player", "about", "heard_by"}),
        (Sign(1, 2), {"minute", "when"}),
        (events.StepDone(step=step), {"step"}),
        (events.MishapHappened(kind="long", seat=3), {"kind", "seat"}),
        (events.Ruled(ruling=said, agenda=(step,), phase="ruling", round=1), {"ruling", "agenda", "phase", "round"}),
        (events.BetsCorrected(seat=3, wagers={"base-1": 1}), {"seat", "wagers"}),
        (events.HandFolded(seat=3, agenda=(step,)), {"seat", "agenda"}),
        (commands.Do(kind="count_stub"), {"kind", "by"}),
        (commands.ExchangeVoucher(seat=3, cents=1), {"seat", "cents", "into", "by"}),
        (commands.Mishap(kind="long"), {"kind", "by"}),
        (commands.Report(kind="hand_count"), {"kind", "by"}),
        (commands.Order(kind="count"), {"kind", "by"}),
        (commands.DecideDispute(number=1, upheld=True), {"number", "upheld", "by"}),
    ]  # fmt: skip
    for told, given in left_out:
        assert {} == {name: value for name, value in asdict(told).items() if name not in given and value}, told
    assert ("tokens", "dealer") == (commands.ExchangeVoucher(seat=3, cents=1).into, commands.Do(kind="x").by)
    assert commands.SitOut(seat=3).out
    assert commands.AskAdvice(seat=3).wanted
    assert "chips" == commands.PlaceWagers(seat=3, wagers={}).medium


def test_places_are_called_as_journals_call_them() -> None:
    assert ("chest", "ready", "nest", "rack", "spread", "packet", "picked", "drawn", "outside") == (
        places.CHEST,
        places.READY,
        places.NEST,
        places.RACK,
        places.SPREAD,
        places.PACKET,
        places.PICKED,
        places.DRAWN,
        places.OUTSIDE,
    )
    assert "hand:3" == places.hand(3)
    assert ("community:1", "community:2", "community:3", "community:4") == places.COMMUNITY
    assert [False, True, False] == [CardObject(1, serial, DECK[0]).foreign for serial in (0, -1, 1)]


@pytest.mark.parametrize(
    ("seat", "may"),
    [
        (Seat(3, "Ann"), True),
        (Seat(3), False),
        (Seat(3, "Ann", sitting_out=True), False),
        (Seat(3, "Ann", leaves="barred"), False),
        (Seat(3, "Ann", away=True), False),
    ],
)
def test_the_bank_is_for_a_player_who_is_there_and_stays(seat: Seat, *, may: bool) -> None:
    assert may is seat.may_bank


def test_cards_are_handled_by_a_look_or_a_choice() -> None:
    assert [False, True, True] == [s.handled for s in (Seat(3), Seat(3, looked=True), Seat(3, decided=True))]


@pytest.mark.parametrize(
    ("wagers", "withdrawn", "base", "even"),
    [
        ((500, 500, 500), (), True, True),
        ((1, 1, 1), (), True, True),
        ((0, 0, 0), (), True, False),
        ((500, 500, 600), (), True, False),
        ((600, 500, 500), (), True, False),
        ((600, 500, 500), (1,), True, True),
        ((600, 700, 500), (1, 2), True, True),
        ((600, 700, 500), (2,), True, False),
        ((None, 500, 500), (), True, False),
        ((None, 1, 1), (), True, False),
        ((500, 500, None), (), True, False),
        ((500, None, None), (), True, False),
        ((None, None, None), (), False, False),
    ],
)
def test_base_bets_are_even_where_all_that_were_not_withdrawn_are_equal(
    wagers: tuple[int | None, ...], withdrawn: tuple[int, ...], *, base: bool, even: bool
) -> None:
    placed = dict(zip(("base-1", "base-2", "base-$"), wagers, strict=True))
    seat = Seat(
        3,
        wagers={name: cents for name, cents in placed.items() if cents is not None} | {"bonus": 100},  # type: ignore[misc]  # wager names
        choices={1: "ride", 2: "ride"} | dict.fromkeys(withdrawn, "withdraw"),
    )
    assert (base, even) == (seat.has_base, seat.is_even)
    assert {f"base-{bet}" for bet in withdrawn} == seat.withdrawn


def test_no_card_is_out_until_one_lies_before_a_player_in_the_area_or_beside_the_deck() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    assert (True, True) == (table.no_card_is_out, table.no_hand_is_out)
    for place, hand_out, out in [
        ("hand:3", True, True), ("community:1", False, True), ("community:4", False, True), ("drawn", False, True),
        ("rack", False, False),
    ]:  # fmt: skip
        lying = replace(table, cards={place: (CARD,)})
        assert (not out, not hand_out) == (lying.no_card_is_out, lying.no_hand_is_out), place


def test_a_seat_banks_while_its_stake_lies() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    assert not table.banks(0)
    banked = replace(table, bank_seat=3, bank_stake=100)
    assert [False, True, False] == [
        banked.banks(4),
        banked.banks(3),
        replace(banked, bank_stake=0).banks(3),
    ]


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("the film shows it", True),
        ("", True),
        ("two  spaces", False),
        (" before", False),
        ("after ", False),
        ("two\nlines", False),
        ("a bell \x07", False),
        ("bell\x07", False),
        ("seat #3", False),
        ("this => that", False),
        ("a = b > c", True),
    ],
)
def test_words_on_record_are_one_plain_line(words: str, *, plain: bool) -> None:
    assert plain is is_plain(words)
    refusal = refuse_words(words)
    assert refusal is None if plain else isinstance(refusal, Refusal) and "bad_words" == refusal.code
    assert ("control characters" in str(refusal)) is not words.isprintable()
