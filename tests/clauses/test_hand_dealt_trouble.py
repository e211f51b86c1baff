"""The hand-dealt house when the deal goes wrong, and its second cut."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    announced,
    faces,
    kinds,
    order,
    played,
    refusal,
    ruled,
    stacks,
    step,
)

UNTOUCHED = [50_000, 50_000, 50_000]


@pytest.mark.clause("hd:irreg.1.s1")
@pytest.mark.parametrize(
    "body", [f"{THREE_SEATS}mishap exposed seat 3\n", THREE_SEATS.replace("9h 9d 3c", "9h^ 9d 3c")]
)
def test_one_card_face_up_goes_to_the_rack_and_the_next_takes_its_place(book: RuleBook, body: str) -> None:
    done = played(book, f"{body}dealer reports exposed_card seat 3\n{CHOICES}")
    assert ruled(done) == ["exposed_card:replaced"]
    assert "9h" in faces(step(done, "discard_exposed 3").after, "rack")
    assert len(faces(step(done, "open_hand 3").before, "hand:3")) == 3
    assert "9h" not in faces(step(done, "open_hand 3").before, "hand:3")
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("hd:irreg.1.s1")
def test_a_community_card_face_up_is_treated_like_a_players(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}mishap exposed community\ndealer reports exposed_community card 1\n{CHOICES}")
    assert ruled(done) == ["exposed_community:replaced"]


@pytest.mark.clause("hd:irreg.1.s2")
def test_more_than_one_voids_all_hands_and_the_cards_are_shuffled_again(book: RuleBook) -> None:
    two = "mishap exposed seat 1\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n"
    done = played(book, f"{THREE_SEATS}{two}{WHOLE_ROUND}")
    assert ruled(done) == ["exposed_cards:hands_void"]
    assert "all hands are void" in announced(done)
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]
    assert kinds(done).count("shuffle_deck") == 2


@pytest.mark.clause("hd:irreg.2")
def test_a_card_drawn_by_mistake_unseen_is_the_next_card(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}mishap drawn\ndealer reports drawn_card\n{CHOICES}")
    assert ruled(done) == ["drawn_card:used_next"]
    assert done.outcomes[0].results == played(book, WHOLE_ROUND).outcomes[0].results
    drawn = step(done, "use_drawn")
    assert drawn.after.at("ready")[0].face == drawn.before.at("drawn")[0].face


@pytest.mark.clause("hd:irreg.3")
@pytest.mark.parametrize(
    ("mishap", "report"),
    [
        ("long seat 3", "hand_count seat 3"),
        ("short seat 3", "hand_count seat 3"),
        ("long dealer", "dealer_count"),
        ("short dealer", "dealer_count"),
    ],
)
def test_a_wrong_number_of_cards_voids_all_hands_and_the_cards_are_shuffled_again(
    book: RuleBook, mishap: str, report: str
) -> None:
    done = played(book, f"{THREE_SEATS}mishap {mishap}\nseat 1 looks\ndealer reports {report}\n{WHOLE_ROUND}")
    assert [name.partition(":")[2] for name in ruled(done)] == ["hands_void"]
    assert "all hands are void" in announced(done)
    voided = next(one.after for one in done.steps if one.after.round == 1 and one.after.phase == "between")
    assert [voided.cents(f"stack:{seat}") for seat in (1, 3, 7)] == UNTOUCHED
    assert kinds(done).count("shuffle_deck") == 2
    stray = played(book, f"{THREE_SEATS}mishap stray seat 5\ndealer reports stray_hand seat 5\n")
    assert "misdeal: all hands are void" in announced(stray)  # what is void by any misdeal here: the hands
    assert done.outcomes[1].status == "settled"
    assert stacks(done, 1, 3, 7) != UNTOUCHED


@pytest.mark.clause("hd:cut.recut")
def test_a_casino_supervisor_orders_the_cut_again_before_any_card_is_dealt(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}casino_supervisor orders recut because it was too thin\n{CHOICES}")
    assert ruled(done) == ["order:recut"]
    order(done, "take_back_deck", "call_no_more_bets")
    assert kinds(done).count("cut_deck") == 2
    table = step(done, "call_no_more_bets").after
    again = commands.Order(by="casino_supervisor", kind="recut")
    for by in ("dealer", "floor", "games_supervisor", "inspector", "seat:1"):
        assert refusal(table, commands.Order(by=by, kind="recut")) == "not_your_role"
    assert refusal(step(done, "deal_card 1 1").after, again) == "not_now"
