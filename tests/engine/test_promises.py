"""Promises: each check fails where its promise is broken, on a live table as in a trial."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import commands, decide, evolve, promises
from letitride.engine.decide import open_table
from letitride.engine.promises import PromiseBroken, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.ledger.transfers import Transfer
from letitride.rules.catalog import ready_rules

SIT = commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000)


@pytest.fixture
def table() -> Table:
    return open_table(ready_rules("nsw-1"))[0]


def broken(table: Table, command: commands.AnyCommand = SIT) -> str:
    with pytest.raises(PromiseBroken) as error:
        play_checked(table, command)
    return error.value.promise


def test_a_sound_command_passes_every_check_twice(table: Table) -> None:
    after, outcome = play_checked(table, SIT)
    check_again(table, SIT, after, outcome)
    same, refusal = play_checked(after, SIT)
    assert isinstance(refusal, Refusal)
    assert same is after
    check_again(after, SIT, same, refusal)


def test_a_broken_promise_is_our_own_bug() -> None:
    assert issubclass(PromiseBroken, InvariantBroken)


def test_an_event_that_changes_the_table_and_is_not_told_is_found(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = decide._evolved

    def forgetful(before: Any, following: Any, happened: Any) -> Any:
        return honest(before, following, [] if happened else happened)

    monkeypatch.setattr(
        decide, "_next_phase", lambda t: iter(()) if t.version > 3 else iter(decide.open_table(t.rules)[1][1:])
    )
    monkeypatch.setattr(decide, "_evolved", forgetful)
    assert "replay equals live" == broken(table)


@pytest.mark.parametrize(
    ("moved", "promise"),
    [
        (Transfer("stack:2", "stack:1", 5), "money is conserved"),
        (Transfer("tray", "stack:1", 0), "money is conserved"),
        (Transfer("tray", "tray", 5), "money is conserved"),
    ],
)
def test_money_that_cannot_move_is_found(
    table: Table, monkeypatch: pytest.MonkeyPatch, moved: Transfer, promise: str
) -> None:
    honest = decide._follow
    monkeypatch.setattr(decide, "_follow", lambda t, c: (replace(e, chips=(*e.chips, moved)) for e in honest(t, c)))
    assert promise == broken(table)


def test_money_out_of_nothing_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = evolve.post
    monkeypatch.setattr(evolve, "post", lambda *given: {**honest(*given), "stack:1": 50_001})
    assert "money is conserved" == broken(table)


def test_an_exception_is_told_as_a_broken_promise(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "_follow", lambda *_: 1 // 0)
    assert "never an exception" == broken(table)


def test_a_card_in_two_places_is_found(table: Table) -> None:
    twice = {**table.cards, "rack": table.at("chest")[:1]}
    with pytest.raises(PromiseBroken, match="every card is in one place"):
        promises.cards_in_one_place(replace(table, cards=twice))


def test_a_table_that_its_events_do_not_give_is_found_in_a_trial(table: Table) -> None:
    after, outcome = play_checked(table, SIT)
    with pytest.raises(PromiseBroken, match="replay equals live"):
        check_again(table, SIT, replace(after, exposed=1), outcome)


def test_a_refusal_that_legal_does_not_give_is_found_in_a_trial(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    after, outcome = play_checked(table, SIT)
    monkeypatch.setattr(promises, "legal", lambda *_: Refusal("no", "No."))
    with pytest.raises(PromiseBroken, match="legal refuses what decide refuses"):
        check_again(table, SIT, after, outcome)
