"""View: who sees which part of a table, field by field, and nothing that hidden cards could change."""

from __future__ import annotations

import msgspec
import pytest

from letitride.chance.seeded import Seeded
from letitride.engine import places
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules.roles import STAFF_VIEWERS, VIEWERS
from letitride.simulation.promises import check_views
from tests.engine.recorded import ROUNDS, recorded

FIELDS = {
    "viewer", "version", "book", "rules", "sign", "felt", "coach", "absent", "absent_open", "phase", "round", "round_running", "betting_open",
    "bank", "meters", "notices", "community", "packet", "deck", "drawn", "spread", "rack", "seats", "rulings", "disputes", "script",
    "offers",
}  # fmt: skip
"""Everything that may be told of a table; a new field is a decision about who may know it."""
SEAT_FIELDS = {
    "player", "sitting_out", "stack_cents", "tokens_cents", "wagers", "medium", "fee_cents", "lammer", "lamps",
    "looked", "choices", "tucked", "cards", "hand", "results",
}  # fmt: skip
OWN = {"viewer", "seats", "rulings", "disputes", "script", "offers"}
"""The fields in which viewers may differ."""
BACKS = {"[red]", "[blue]"}


def viewers(table: Table) -> list[str]:
    return [*VIEWERS, *(f"seat:{number}" for number in table.seats)]


def moments(name: str) -> list[Table]:
    """Some tables from the course of a recorded round, others than of the round before, which is often the same trouble."""
    steps = recorded(name).steps
    apart = max(1, len(steps) // 4)
    return [step.after for step in steps[ROUNDS.index(name) % apart :: apart]]


@pytest.mark.parametrize("name", ROUNDS)
def test_a_view_has_the_fields_that_are_allowed_and_viewers_differ_in_their_own_alone(name: str) -> None:
    for table in moments(name):
        shown = {viewer: msgspec.to_builtins(view(table, viewer), str_keys=True) for viewer in viewers(table)}
        for told in shown.values():
            assert set(told) == FIELDS
            for seat in told["seats"].values():
                assert set(seat) - {"reading", "reasons"} == SEAT_FIELDS
                assert ("reading" in seat) is bool(seat["hand"])  # the same, in parts: who may hear it may read it
        for field in FIELDS - OWN:
            assert 1 == len({msgspec.json.encode(told[field]) for told in shown.values()}), field


@pytest.mark.parametrize("name", ROUNDS)
def test_a_reason_names_no_card_that_its_viewer_does_not_see(name: str) -> None:
    for table in moments(name):
        for viewer in viewers(table):
            told = view(table, viewer)
            seen = {card for cards in (told.community, *(one.cards for one in told.seats.values())) for card in cards}
            for seat in told.seats.values():
                reasons = seat.reasons or ()
                assert {one.wager for one in reasons} <= {one.wager for one in seat.results}
                for one in reasons:
                    assert set(one.made) <= set(one.cards) <= seen - BACKS


@pytest.mark.parametrize("name", ROUNDS)
def test_a_card_that_lies_face_down_is_a_back_to_all_who_have_not_looked_at_it(name: str) -> None:
    for table in moments(name):
        hidden = table.rules.rules.cards.hidden
        for viewer in viewers(table):
            for number, seat in view(table, viewer).seats.items():
                looked = table.seats[number].looked
                may_know = looked and viewer.startswith("seat:") and (viewer == f"seat:{number}" or not hidden)
                cards = table.at(places.hand(number))
                for held, told in zip(cards, seat.cards, strict=True):
                    assert held.up or may_know or told in BACKS


@pytest.mark.parametrize("name", ROUNDS)
def test_two_worlds_that_differ_in_hidden_cards_look_the_same(name: str) -> None:
    for place, table in enumerate(moments(name)):
        check_views(table, Seeded("two worlds", name, place))


def test_complaints_are_told_to_staff_and_to_whoever_made_them() -> None:
    told = [
        (table, view(table, viewer)) for name in ROUNDS for table in moments(name)[-1:] for viewer in viewers(table)
    ]
    for table, shown in told:
        mine = tuple(one for one in table.disputes if shown.viewer in {*STAFF_VIEWERS, f"seat:{one.seat}"})
        assert mine == shown.disputes


def test_nobody_else_is_shown_anything() -> None:
    (table, *_) = moments(ROUNDS[0])
    for viewer in ("seat:99", "cashier", "", "seat:0"):
        with pytest.raises(InvalidData, match="expected one of dealer, floor, inspector, spectator or seat:1"):
            view(table, viewer)
