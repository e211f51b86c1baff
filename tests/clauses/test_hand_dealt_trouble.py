"""The hand-dealt house when the deal goes wrong."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.script import clauses_of
from letitride.records.replay import Replayed
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    after_void,
    announced,
    faces,
    hands,
    nothing_is_lost_by_a_void_round,
    played,
    ruled,
    rulings,
    stacks,
    step,
)

SIDE_BETS = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5")


def all_hands_are_void_and_the_cards_shuffled_again(done: Replayed) -> None:
    """Assert that the first round has no result and costs nobody anything, and that the next has a new order."""
    assert "all hands are void" in announced(done)
    nothing_is_lost_by_a_void_round(done, seat_1=50_000, seat_3=50_000, seat_7=50_000)
    assert {result.fate for rows in done.outcomes[0].results.values() for result in rows} <= {"void", "withdrawn"}
    shuffles = [
        one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "shuffle_deck"
    ]
    assert [one.before.round for one in shuffles] == [0, 1]  # before play, and because of it
    again = shuffles[1]
    assert len(again.before.at("spread")) == 52  # every card of the round is among them
    assert faces(again.after, "spread") == list(again.command.order)
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]
    assert stacks(done, 1, 3, 7) == [53_000, 48_000, 54_000]  # the round that was played


@pytest.mark.clause("hd:irreg.1.s1")
@pytest.mark.parametrize(
    "body", [f"{THREE_SEATS}mishap exposed seat 3\n", THREE_SEATS.replace("9h 9d 3c", "9h^ 9d 3c")]
)
def test_one_card_face_up_goes_to_the_rack_and_the_next_takes_its_place(book: RuleBook, body: str) -> None:
    done = played(book, f"{body}dealer reports exposed_card seat 3\n{CHOICES}")
    assert ruled(done) == ["exposed_card:replaced"]
    discarded, replaced = step(done, "discard_exposed 3"), step(done, "replace_card 3")
    assert faces(discarded.after, "rack") == ["9h"]
    assert not discarded.after.at("rack")[0].up
    assert replaced.after.at("hand:3")[-1] == replaced.before.at("ready")[0]
    assert len(faces(step(done, "open_hand 3").before, "hand:3")) == 3
    assert "9h" not in faces(step(done, "open_hand 3").before, "hand:3")
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("hd:irreg.1.s1")
def test_a_community_card_face_up_is_treated_like_a_players(book: RuleBook) -> None:
    body = THREE_SEATS.replace("community Ks 2d", "community Ks 2d\nburn 5h")
    done = played(book, f"{body}mishap exposed community\ndealer reports exposed_community card 1\n{CHOICES}")
    assert ruled(done) == ["exposed_community:replaced"]
    discarded, replaced = step(done, "discard_community 1"), step(done, "replace_community 1")
    assert faces(discarded.after, "rack") == ["5h"]
    assert not discarded.after.at("rack")[0].up
    assert replaced.after.at("community:1") == replaced.before.at("ready")[:1]
    assert not replaced.after.at("community:1")[0].up
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("hd:irreg.1.s1")
def test_a_card_drawn_in_error_and_seen_is_not_used_either(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}mishap drawn seen\ndealer reports drawn_card\n{CHOICES}")
    assert ruled(done) == ["drawn_card:discarded"]
    assert rulings(done)[0].clauses == ("hd:irreg.1.s1",)
    discarded = step(done, "discard_drawn")
    (drawn,) = discarded.before.at("drawn")
    assert [(card.face, card.up) for card in discarded.after.at("rack")] == [(drawn.face, False)]
    assert not any(
        drawn.face == card.face for seat in (1, 3, 7) for card in step(done, "open_hand 7").after.at(f"hand:{seat}")
    )


@pytest.mark.clause("hd:irreg.1.s2")
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f"{SIDE_BETS}mishap exposed seat 1\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n",
            id="two-hands",
        ),
        pytest.param(
            SIDE_BETS.replace("9h 9d 3c", "9h^ 9d^ 3c")
            + "dealer deal_card seat 3 number 2\ndealer reports exposed_card seat 3\n",
            id="two-in-the-deck",
        ),
        pytest.param(
            f"{SIDE_BETS}mishap exposed seat 1\nmishap exposed community\ndealer reports exposed_community card 1\n",
            id="a-hand-and-the-community-area",
        ),
        pytest.param(
            f"{SIDE_BETS}mishap exposed seat 1\ndealer reports exposed_card seat 1 => ruled replaced hd:irreg.1.s1\n"
            "dealer deal_card seat 3 number 1\nmishap exposed seat 3\ndealer reports exposed_card seat 3\n",
            id="one-after-the-other",
        ),
        pytest.param(
            f"{SIDE_BETS}mishap exposed seat 1\nmishap drawn seen\ndealer reports drawn_card\n",
            id="a-hand-and-a-card-drawn-in-error",
        ),
    ],
)
def test_more_than_one_voids_all_hands_and_the_cards_are_shuffled_again(book: RuleBook, body: str) -> None:
    done = played(book, f"{body}{WHOLE_ROUND}")
    assert ruled(done)[-1] == "exposed_cards:hands_void"
    assert rulings(done)[-1].clauses[0] == "hd:irreg.1.s2"
    all_hands_are_void_and_the_cards_shuffled_again(done)


@pytest.mark.clause("hd:irreg.2")
@pytest.mark.parametrize(("before", "gets"), [("", "hand:1"), ("dealer deal_card seat 7 number 1\n", "community:1")])
def test_a_card_drawn_by_mistake_unseen_is_the_next_card(book: RuleBook, before: str, gets: str) -> None:
    done = played(book, f"{THREE_SEATS}{before}mishap drawn\ndealer reports drawn_card\n{CHOICES}")
    assert ruled(done) == ["drawn_card:used_next"]
    used = step(done, "use_drawn")
    (drawn,) = used.before.at("drawn")
    following = done.steps[done.steps.index(used) + 1]
    assert following.after.at(gets)[-1] == drawn  # and nobody has seen it
    assert not drawn.up
    assert done.outcomes[0].results == played(book, WHOLE_ROUND).outcomes[0].results


@pytest.mark.clause("hd:irreg.2")
@pytest.mark.parametrize("seen_after", ["", "dealer discard_exposed seat 3\n"])
def test_a_card_drawn_by_mistake_goes_to_the_hand_that_waits_for_a_replacement(book: RuleBook, seen_after: str) -> None:
    deck = "deck Th 9h 2c 5h Td Jd^ 9d 7d Ks 4c 9c Kh 2d"
    bets = "".join(f"seat {seat} bets 10\n" for seat in (1, 3, 7))
    ends = CHOICES.replace("withdraws", "rides")
    wrong = f"dealer reports exposed_card seat 3\nmishap drawn\n{seen_after}dealer reports drawn_card\n"
    done = played(book, f"\nround\n{deck}\n{bets}{wrong}{ends}")
    assert ruled(done) == ["exposed_card:replaced", "drawn_card:used_next"]
    used, replaced = step(done, "use_drawn"), step(done, "replace_card 3")
    (drawn,) = used.before.at("drawn")
    assert replaced.after.at("hand:3")[-1] == drawn
    assert not drawn.up
    opened = step(done, "open_hand 1").after
    assert [faces(opened, f"hand:{seat}") for seat in (1, 3, 7)] == [
        ["Th", "Td", "4c"],
        ["9h", "9d", "9c"],
        ["2c", "7d", "Kh"],
    ]
    assert stacks(done, 1, 3, 7) == [53_000, 59_000, 56_000]
    assert clauses_of(used.before, used.before.agenda[0]) == ("hd:irreg.2",)
    assert clauses_of(replaced.before, replaced.before.agenda[0]) == ("hd:irreg.1.s1",)


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
@pytest.mark.parametrize(
    "found",
    [
        pytest.param("", id="in-the-deal"),
        pytest.param("seat 1 looks\n", id="after-it"),
        pytest.param("seat 1 rides 1\nseat 3 withdraws 1\nseat 7 rides 1\n", id="after-bet-one"),
    ],
)
def test_a_wrong_number_of_cards_voids_all_hands_and_the_cards_are_shuffled_again(
    book: RuleBook, mishap: str, report: str, found: str
) -> None:
    done = played(book, f"{SIDE_BETS}mishap {mishap}\n{found}dealer reports {report}\n{WHOLE_ROUND}")
    assert [name.partition(":")[2] for name in ruled(done)] == ["hands_void"]
    assert rulings(done)[0].clauses[0] == "hd:irreg.3"
    all_hands_are_void_and_the_cards_shuffled_again(done)


@pytest.mark.clause("hd:irreg.3")
@pytest.mark.parametrize("mishap", ["long", "short"])
def test_a_wrong_number_of_cards_found_at_the_showdown_voids_all_hands(book: RuleBook, mishap: str) -> None:
    found = "dealer open_hand seat 3\ndealer reports hand_count seat 3\n"
    done = played(book, f"{SIDE_BETS}mishap {mishap} seat 3\n{CHOICES}{found}{WHOLE_ROUND}")
    assert len(step(done, "open_hand 3").after.at("hand:3")) == {"long": 4, "short": 2}[mishap]
    assert ruled(done) == ["hand_count:hands_void"]
    all_hands_are_void_and_the_cards_shuffled_again(done)


@pytest.mark.clause("hd:irreg.3")
def test_by_any_other_misdeal_too_it_is_the_hands_that_are_void(book: RuleBook) -> None:
    stray = played(book, f"{THREE_SEATS}mishap stray seat 5\ndealer reports stray_hand seat 5\n{WHOLE_ROUND}")
    assert "misdeal: all hands are void" in announced(stray)
    assert not hands(after_void(stray))
