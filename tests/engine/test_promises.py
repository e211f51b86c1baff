"""Promises: each check fails where its promise is broken, on a live table as in a trial."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import commands, decide, events, evolve, promises
from letitride.engine.decide import open_table
from letitride.engine.promises import PromiseBroken, Round, check_again, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.catalog import ready_rules
from letitride.rules.settlement import Results, WagerResult
from tests.engine.recorded import recorded

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
    monkeypatch.setattr(decide, "_goes_on", lambda _: False)
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


def test_a_broken_promise_names_itself_and_says_what_is_wrong() -> None:
    with pytest.raises(PromiseBroken) as error:
        promises.demand("money is conserved", False, "a cent is missing")
    assert (str(error.value), error.value.promise) == ("money is conserved: a cent is missing", "money is conserved")
    promises.demand("money is conserved", True, "a cent is missing")


def test_a_refusal_that_changes_the_table_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promises, "play", lambda t, _: (replace(t, exposed=1), Refusal("no", "No.")))
    assert "a refusal changes nothing" == broken(table)


def test_a_command_after_which_a_card_is_missing_is_found(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = {**table.cards, "chest": table.at("chest")[1:]}
    ended = events.RoundEnded(round=1)
    monkeypatch.setattr(promises, "play", lambda t, _: (replace(t, cards=fewer, version=t.version + 1), (ended,)))
    assert "every card is in one place" == broken(table)


@pytest.mark.parametrize("place", [accounts.felt(1, "base-1"), accounts.BANK])
@pytest.mark.parametrize("ended", [events.RoundEnded(round=1), events.RoundVoided(round=1, results={})])
def test_chips_left_after_a_round_are_found(
    table: Table, monkeypatch: pytest.MonkeyPatch, place: str, ended: events.AnyEvent
) -> None:
    told = (events.TableClosed(by="floor"), ended)
    left = replace(table, accounts={place: 500, accounts.TRAY: -500}, version=table.version + 2)
    monkeypatch.setattr(promises, "play", lambda *_: (left, told))
    assert "the felt is clear after a round" == broken(table)
    monkeypatch.setattr(promises, "play", lambda *_: (left, (told[0], told[0])))
    play_checked(table, SIT)


def test_a_bank_that_does_not_go_round_is_found(table: Table) -> None:
    most = table.rules.rules.bank.max_consecutive
    promises.check_table(replace(table, bank_hands=most), ())
    with pytest.raises(PromiseBroken, match="the bank goes round"):
        promises.check_table(replace(table, bank_hands=most + 1), ())


PAID = Transfer(accounts.TRAY, accounts.stack(1), 500)
FEE = Transfer(accounts.stack(1), accounts.FEES, 100)
WON = {1: (WagerResult("base-1", 500, "won", 500, 500),)}
ENDED = events.RoundEnded(round=1)


def seated(table: Table, results: Results) -> Table:
    seats = {n: replace(one, results=results.get(n, ())) for n, one in table.seats.items()}
    return replace(table, seats=seats)


def test_every_recorded_round_is_paid_as_its_results_say() -> None:
    for name in ("examples/california", "examples/new-south-wales", "examples/washington"):
        money = Round()
        ends = 0
        for step in recorded(name).steps:
            if not isinstance(step.outcome, Refusal):
                money.watch(step.before, step.outcome)
                ends += any(isinstance(event, events.RoundEnded) for event in step.outcome)
        assert ends


def test_a_seat_that_gets_other_than_its_results_is_found(table: Table) -> None:
    chips = replace(events.TableClosed(by="floor"), chips=(PAID,))
    won = seated(table, WON)
    Round().watch(won, (chips, ENDED))
    Round().watch(table, (ENDED,))
    for wrong in ((ENDED,), (chips, chips, ENDED)):
        with pytest.raises(PromiseBroken, match="every result is paid"):
            Round().watch(won, wrong)
    with pytest.raises(PromiseBroken, match="every result is paid"):
        Round().watch(table, (chips, events.RoundVoided(round=1, results={})))
    money = Round()
    money.watch(won, (chips, ENDED))
    money.watch(table, (ENDED,))  # each round begins at nothing


def test_what_a_complaint_is_worth_and_what_the_house_moves_is_no_part_of_the_game(table: Table) -> None:
    decided = events.DisputeDecided(number=1, seat=1, by="floor", upheld=True, why="so", final=False, chips=(PAID,))
    moved = replace(events.TableClosed(by="floor"), chips=(Transfer(accounts.TRAY, accounts.FEES, 100),))
    money = Round()
    money.watch(table, (decided, moved, ENDED))
    assert (money.game, money.fees) == ({}, 0)


def test_a_void_round_for_which_the_house_keeps_a_fee_is_found(table: Table) -> None:
    fee = replace(events.TableClosed(by="floor"), chips=(FEE,))
    back = replace(events.TableClosed(by="floor"), chips=(Transfer(accounts.FEES, accounts.stack(1), 100),))
    void = events.RoundVoided(round=1, results={})
    Round().watch(table, (void,))
    Round().watch(table, (fee, back, void))
    Round().watch(table, (fee, ENDED, void))
    with pytest.raises(PromiseBroken, match="the house kept 100 cents"):
        Round().watch(table, (fee, void))
    lost = replace(events.TableClosed(by="floor"), chips=(Transfer(accounts.stack(1), accounts.TRAY, 500),))
    stakes = (WagerResult("base-1", 500, "forfeited"), WagerResult("base-2", 500, "returned", 0, 500))
    Round().watch(table, (fee, lost, events.RoundVoided(round=1, results={1: stakes})))


def test_a_bank_that_wins_or_loses_more_than_its_stake_is_found(table: Table) -> None:
    chips = replace(events.TableClosed(by="floor"), chips=(Transfer(accounts.BANK, accounts.stack(1), 500),))
    bank = replace(events.TableClosed(by="floor"), chips=(Transfer(accounts.stack(4), accounts.BANK, 500),))
    banked = replace(seated(table, WON), bank_seat=4, bank_stake=500)
    Round().watch(banked, (chips, bank, ENDED))
    with pytest.raises(PromiseBroken, match="the bank is limited by its stake"):
        Round().watch(replace(banked, bank_stake=499), (chips, bank, ENDED))
