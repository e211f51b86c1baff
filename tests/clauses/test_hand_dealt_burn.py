"""The hand-dealt house when the wrong community card is burned."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    faces,
    fates,
    played,
    refusal,
    ruled,
    rulings,
    stacks,
    step,
)

OF_THE_BOOK = pytest.mark.books("hand-dealt-1")
DEALT = THREE_SEATS.replace("community Ks 2d", "community Ks 2d\nburn 8s")
FIRST, SECOND = CHOICES[: CHOICES.index("seat 1 rides 2")], CHOICES[CHOICES.index("seat 1 rides 2") :]


@pytest.mark.clause("hd:round.8", "hd:round.9")
@pytest.mark.parametrize("card", [2, 3])
@pytest.mark.parametrize("who", ["dealer", "floor", "seat 3"])
def test_a_wrong_burn_seen_before_a_card_is_turned_is_put_right(book: RuleBook, card: int, who: str) -> None:
    done = played(book, f"{DEALT}{FIRST}mishap burn card {card}\n{who} reports wrong_burn\n{SECOND}")
    assert ruled(done) == ["wrong_burn:put_right"]
    assert rulings(done)[0].clauses == ("hd:round.8",)
    wrong = step(done, "take_back_burned")
    burned = {2: "Ks", 3: "2d"}[card]
    assert burned in faces(wrong.before, "rack")
    assert faces(wrong.after, f"community:{card}") == [burned]  # back in its place
    assert not any(one.up for one in (*wrong.after.community(), *wrong.after.at("rack")))  # unseen
    right = step(done, "burn_first").after
    assert (faces(right, "community:1"), faces(right, "rack")[-1]) == ([], "8s")
    assert view(step(done, "turn_community 1").after, "spectator").community[-1] == "Ks"
    plain = played(book, f"{DEALT}{CHOICES}")
    assert done.outcomes[0].results == plain.outcomes[0].results
    assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7)


@pytest.mark.clause("hd:round.8")
def test_a_wrong_burn_of_a_card_that_was_exposed_is_put_right_too(book: RuleBook) -> None:
    shown = "seat 1 looks\nmishap exposed community card 3\ndealer reports exposed_community card 3\n"
    done = played(book, f"{DEALT}{shown}{FIRST}mishap burn card 3\ndealer reports wrong_burn\n{SECOND}")
    assert ruled(done) == ["exposed_community:go_on", "wrong_burn:put_right"]
    assert faces(step(done, "take_back_burned").after, "community:3") == ["2d"]
    assert done.outcomes[0].results == played(book, f"{DEALT}{CHOICES}").outcomes[0].results


@OF_THE_BOOK
@pytest.mark.parametrize(("card", "second", "fate"), [(2, "2d", "lost"), (3, "Ks", "won")])
def test_a_wrong_burn_seen_after_a_card_was_turned_stands(book: RuleBook, card: int, second: str, fate: str) -> None:
    late = f"mishap burn card {card}\ndealer turn_community number 1\nseat 7 reports wrong_burn\n"
    done = played(book, f"{DEALT}{FIRST}{late}{SECOND}")
    assert (ruled(done), rulings(done)[0].house) == (["wrong_burn:go_on"], True)
    assert [one for one in view(step(done, "turn_community 1").after, "seat:7").community if one[0] != "["] == ["8s"]
    assert sorted(map(str, step(done, "turn_community 2").after.community_cards())) == sorted(["8s", second])
    assert fates(done, 7) == [fate, "withdrawn", fate]  # seat 7 holds a king, a seven and a two
    again = commands.Report(by="dealer", kind="wrong_burn")
    assert refusal(step(done, "ask 1 2").after, again) == "already_ruled"


@OF_THE_BOOK
def test_a_wrong_burn_that_is_never_seen_is_played_as_the_cards_lie(book: RuleBook) -> None:
    done = played(book, f"{DEALT}{FIRST}mishap burn card 2\n{SECOND}")
    assert (ruled(done), done.outcomes[0].status) == ([], "settled")
    assert "Ks" in faces(step(done, "turn_community 1").before, "rack")


@OF_THE_BOOK
def test_where_the_house_wants_it_a_wrong_burn_voids_all_hands(book: RuleBook) -> None:
    body = f"{DEALT}{FIRST}mishap burn card 2\ndealer reports wrong_burn\n{WHOLE_ROUND}"
    done = played(book, body, "irreg.wrong_burn = all_void")
    assert ruled(done) == ["wrong_burn:hands_void"]
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]
    assert [fates(done, seat) for seat in (1, 3, 7)] == [["void"] * 3, ["withdrawn", "void", "void"], ["void"] * 3]


@OF_THE_BOOK
def test_only_a_wrong_card_is_burned_by_mistake_and_only_when_a_burn_is_due(book: RuleBook) -> None:
    done = played(book, f"{DEALT}{CHOICES}")
    due, later = step(done, "burn_first").before, step(done, "turn_community 1").before
    assert refusal(due, commands.Report(by="dealer", kind="wrong_burn")) == "nothing_wrong"
    for number, code in ((0, "not_now"), (1, "not_now"), (4, "bad_mishap")):
        assert refusal(due, commands.Mishap(by="table", kind="burn", number=number)) == code
    assert refusal(later, commands.Mishap(by="table", kind="burn", number=2)) == "not_now"
    nsw = step(played("nsw-1", WHOLE_ROUND), "turn_community 1").before
    assert refusal(nsw, commands.Mishap(by="table", kind="burn", number=2)) == "not_now"
