"""Drills about the deck and the device: a joker, a jam in mid-deal, a wrong burn; each is there to be seen and ruled."""

from __future__ import annotations

import pytest

from letitride.chance.seeded import Seeded
from letitride.records.record import Dealt
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.rules.values import Values
from letitride.training.staff.dealing import Dealing
from letitride.training.staff.irregularities import bad_deck, what_is_wrong
from letitride.training.staff.practice import Practice, party
from letitride.training.staff.scene import scene
from letitride.training.staff.watching import Watching
from tests.simulation.own_books import own_rules
from tests.training.staff_trainees import perfect

TWO_BURNS: Values = {"burn.card": "top_before_each", "burn.when": "at_turn"}


def test_each_burn_off_the_deck_is_demanded_at_its_moment() -> None:
    drill = Dealing(own_rules("nsw-1", TWO_BURNS), Seeded(4), length=60)
    burned: list[str] = []
    while (question := drill.question) is not None and len(burned) < 2:
        given = perfect(drill, question)
        chosen = next(option.text for option in question.fields[0].options if option.id == given["step"])
        mark = drill.answer(given)
        assert mark.points == 1
        burned += [mark.sentence] if "burn the top card" in chosen else []
    assert [sentence[-17:] for sentence in burned] == ["community card 1.", "community card 2."]


@pytest.mark.parametrize(
    ("house", "only", "kind", "decision"),
    [
        ("nsw-1+shuffler", "jam", "device_jam", "reshuffled"),
        ("hand-dealt-1", "wrong burn", "wrong_burn", "put_right"),
        (TWO_BURNS, "wrong burn", "wrong_burn", "put_right"),
    ],
)
def test_it_is_noticed_and_ruled_by_the_book(house: str | Values, only: str, kind: str, decision: str) -> None:
    rules = ready_rules(house) if isinstance(house, str) else own_rules("nsw-1", house)
    drill = Watching(rules, Seeded(3), level=5, length=200, only=only)
    ruled: list[str] = []
    while (question := drill.question) is not None and not ruled:
        given = perfect(drill, question)
        if given.get("what") == kind:
            assert any("JAM" in line or "card of the community area" in line for line in question.scene.signals)
        mark = drill.answer(given)
        assert mark.points == mark.points_max
        dealt = any(seat.cards for seat in question.scene.seats)
        ruled += [str(given["decision"])] if "decision" in given and dealt else []
    assert ruled == [decision]


def test_a_joker_that_is_turned_up_is_there_to_be_seen() -> None:
    rules, chance = ready_rules("nsw-1"), Seeded(5)
    who = party(rules.rules, chance, 2, ())
    practice = Practice(rules, chance, who, dealt={1: Dealt(order=("Joker*", *FACES))})
    while not what_is_wrong(practice.table, ()):
        practice.step()
    seen = scene(practice.table)
    assert [one.kind for one in what_is_wrong(practice.table, ())] == ["deck"]
    assert [card for seat in seen.seats for card in seat.cards if card == "Joker"] == ["Joker"]
    assert [line for line in seen.signals if line.startswith("A joker lies in seat ")]


def test_bad_decks_have_a_joker_now_and_then() -> None:
    decks = [bad_deck(Seeded(seed), seats=3) for seed in range(60)]
    assert 0 < sum("Joker*" in deck.order for deck in decks) < 20
