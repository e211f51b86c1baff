"""New South Wales when a card is found that is not of the 52, and when the shuffler jams in mid-deal."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.faults import deck_is_whole
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    announced,
    dealer_does,
    faces,
    fates,
    played,
    refusal,
    results,
    ruled,
    rulings,
    stacks,
    step,
    steps,
)

UNTOUCHED = [50_000, 50_000, 50_000]
VOID = ["void"] * 3
HELD = THREE_SEATS.replace("9h 9d 3c", "Qs Qs* 3c")
JOKER = THREE_SEATS.replace("9h 9d 3c", "9h Joker* 3c")
FIRST = "seat 1 rides 1\nseat 3 rides 1\nseat 7 rides 1\n"
SECOND = "seat 1 rides 2\nseat 3 rides 2\nseat 7 rides 2\n"


@pytest.mark.clause("nsw:12.9", "nsw:12.9.2", "nsw:12.9.3")
@pytest.mark.parametrize("hands", [HELD, JOKER])
@pytest.mark.parametrize("moment", ["", FIRST, FIRST + SECOND])
@pytest.mark.parametrize(
    "report",
    ["seat 3 reports deck", "seat 3 reports deck seat 3", "dealer reports deck seat 3", "floor reports deck seat 3"],
)
def test_a_foreign_card_found_by_its_holder_voids_the_round(
    book: RuleBook, hands: str, moment: str, report: str
) -> None:
    done = played(book, f"{hands}seat 3 looks\n{moment}{report}\n")
    assert ruled(done) == ["deck:round_void"]
    assert {"nsw:12.9", "nsw:12.9.2", "nsw:12.9.3"} <= set(rulings(done)[0].clauses)
    assert done.outcomes[0].status == "void"
    assert stacks(done, 1, 3, 7) == UNTOUCHED  # all money of the round went back
    assert [fates(done, seat) for seat in (1, 3, 7)] == [VOID, VOID, VOID]
    assert deck_is_whole(done.table, 1)  # the deck was gone through and replaced
    assert any(card.foreign for card in done.table.at(places.OUTSIDE))


@pytest.mark.clause("nsw:12.9")
def test_who_has_not_seen_a_foreign_card_cannot_report_it(book: RuleBook) -> None:
    done = played(book, f"{HELD}seat 1 looks\nseat 3 looks\nseat 3 reports deck\n")
    dealt = next(one.after for one in done.steps if one.after.phase == "choice_1")
    looked = next(one.after for one in done.steps if one.after.seats[3].looked)
    unseen = commands.Report(by="seat:3", kind="deck")
    assert refusal(dealt, unseen) == "nothing_wrong"  # nobody has looked yet
    for by, seat in (("seat:1", 0), ("seat:1", 3), ("dealer", 0), ("floor", 1), ("seat:3", 1)):
        assert refusal(looked, commands.Report(by=by, kind="deck", seat=seat)) == "nothing_wrong"
    _, said = play(dealt, unseen)
    assert isinstance(said, Refusal)
    assert said.sentence == "Nothing in sight shows that the deck does not have the correct 52 cards. A count can tell."


@pytest.mark.clause("nsw:3.1", "nsw:12.9", "nsw:12.9.2")
def test_a_joker_that_is_turned_up_is_seen_by_all_and_nothing_is_paid_on_it(book: RuleBook) -> None:
    turned = THREE_SEATS.replace("community Ks 2d", "community Joker* 2d")
    done = played(book, f"{turned}{FIRST}dealer turn_community number 1\nseat 1 reports deck\n")
    assert (ruled(done), done.outcomes[0].status) == (["deck:round_void"], "void")
    opened = played(book, f"{turned}{FIRST}{SECOND}dealer reports deck\n")
    before = step(opened, "declare_round_void").before
    assert faces(before, "community:1") == ["Joker"]
    assert stacks(opened, 1, 3, 7) == stacks(done, 1, 3, 7) == UNTOUCHED
    assert not [words for words in steps(opened) if words.startswith(("pay", "take"))]


@pytest.mark.clause("nsw:3.1", "nsw:12.9", "nsw:12.9.2")
def test_a_hand_with_a_joker_has_no_result_and_waits_for_a_report(book: RuleBook) -> None:
    late = f"{JOKER}{FIRST}{SECOND}dealer open_hand seat 3\ndealer reports deck\n"
    done = played(book, late)
    table = step(done, "open_hand 3").after
    assert "a joker" in announced(done)
    assert table.seats[3].results == ()  # nothing is made of it
    chips = {account: cents for account, cents in table.accounts.items() if account.startswith("felt:3")}
    assert chips == {f"felt:3:base-{spot}": 1_000 for spot in ("1", "2", "$")}
    refused = ""
    while not refused:
        table, refused = dealer_does(table)
    assert (refused, table.next_step.seat if table.next_step else 0) == ("something_wrong", 3)
    assert chips.items() <= table.accounts.items()  # the dealer gets so far and no further
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)


SHUFFLERS = ["+shuffler", "+two_decks"]
JAM = "dealer deal_packet seat 1\nmachine reports device_jam\n"


def _jammed(book: RuleBook, device: str) -> Table:
    """A table whose shuffler has jammed when the first of three seats had its cards."""
    return step(played(book.id + device, f"{THREE_SEATS}{JAM}{CHOICES}"), "clear_jam").after


@pytest.mark.clause("nsw:13.1")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_after_a_jam_in_mid_deal_the_cards_in_the_device_are_shuffled_again_and_dealt(
    book: RuleBook, device: str
) -> None:
    table = _jammed(book, device)
    rest = faces(table, places.READY)
    assert len(rest) == 49
    table, refused = dealer_does(table, order=tuple(reversed(rest)))
    assert not refused
    assert faces(table, places.READY) == rest[::-1]
    assert faces(table, "hand:1") == ["Th", "Td", "4c"]  # what is dealt stays
    again = []
    while table.next_step is not None and table.next_step.kind != "deal_packet":
        again.append(table.next_step.kind)
        nest = tuple(faces(table, places.NEST))
        table, refused = dealer_does(table, order=nest[::-1])
        assert (not refused, faces(table, places.NEST)) == (True, list(nest[::-1]))
    assert again == (["start_shuffle"] if device == "+two_decks" else [])  # so is the other deck in the device
    table, _ = dealer_does(table)
    assert faces(table, "hand:3") == rest[:-4:-1]  # the first three of the new order
    assert [table.cents(f"felt:{seat}:base-$") for seat in (1, 3, 7)] == [1_000] * 3


@pytest.mark.clause("nsw:13.1")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_a_round_with_a_jam_in_mid_deal_is_played_to_its_end(book: RuleBook, device: str) -> None:
    done = played(book.id + device, f"{THREE_SEATS}{JAM}{CHOICES}")
    assert ruled(done) == ["device_jam:reshuffled"]
    assert rulings(done)[0].clauses == ("nsw:13.1",)
    plain = played(book.id + device, WHOLE_ROUND)
    assert done.outcomes[0].results == plain.outcomes[0].results
    assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7) != UNTOUCHED


@pytest.mark.clause("nsw:13.1")
def test_the_order_of_the_rest_names_every_card_left_and_no_other_changes_place(book: RuleBook) -> None:
    table = _jammed(book, "+shuffler")
    rest = faces(table, places.READY)
    for wrong in ((), tuple(rest[1:]), (*rest, rest[0]), (*rest[1:], "Joker")):
        assert dealer_does(table, order=wrong)[1] == "bad_order"
    whole = ("Th", *rest, "4c", "Td")  # the order of all 52 does as well
    after, _ = dealer_does(table, order=whole)
    assert (faces(after, places.READY), faces(after, "hand:1")) == (rest, ["Th", "Td", "4c"])


def test_a_shuffler_that_holds_no_cards_cannot_jam() -> None:
    done = played("nsw-1+shuffler", f"{THREE_SEATS}{CHOICES}")
    table = step(done, "ask 1 1").before
    assert refusal(table, commands.Report(by="floor", kind="device_jam")) == "nothing_wrong"  # it holds no cards


def test_where_the_house_wants_it_a_jam_in_mid_deal_voids_the_round() -> None:
    setting = "irreg.jam_in_deal = round_void"
    done = played("nsw-1+shuffler", f"{THREE_SEATS}{JAM}{WHOLE_ROUND}", setting)
    assert ruled(done) == ["device_jam:round_void"]
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]
    assert fates(done, 1) == VOID
    assert results(done, 1, 1)["base-$"].fate == "won"
