"""Orders: what an order leaves on record and at the table: rulings, chips, seats, signs, who acts first."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.engine import commands, events
from letitride.engine.decide import Events, play
from letitride.engine.orders import came_back
from letitride.engine.refusal import Refusal
from letitride.engine.state import Ruling, Sign, Table
from letitride.ledger import accounts
from tests.engine.recorded import at, by_another

NSW = "new-south-wales"


def ordered(table: Table, kind: str, **said: Any) -> tuple[Table, Events]:
    """The table after an order, and what happened."""
    order = commands.Order(by="casino_supervisor", kind=kind, **said)  # type: ignore[arg-type]  # kinds by name
    after, outcome = play(table, order)
    assert not isinstance(outcome, Refusal), outcome
    return after, outcome


def ruling(outcome: Events) -> Ruling:
    """The ruling of an order."""
    return next(event.ruling for event in outcome if isinstance(event, events.Ruled | events.RoundVoided))


def seat(table: Table, number: int, **values: Any) -> Table:
    """The table with one seat changed."""
    changed = msgspec.structs.replace(table.seats[number], **values)
    return msgspec.structs.replace(table, seats={**table.seats, number: changed})


KEYS = [
    ("betting", "count", {}, "deck.count_ordered_by"),
    ("betting", "change_deck", {}, "supervisor"),
    ("betting", "limits", {}, "limit.change"),
    ("betting", "announce_minimum", {"cents_min": 2_000, "minute": 600, "when": 620}, "limit.notice_minutes"),
    ("betting", "announce_closing", {"minute": 600, "when": 620}, "close.notice_minutes"),
    ("idle", "close", {}, "close.notice_minutes"),
    ("betting", "act_first", {"seats": (4,)}, "collusion"),
    ("betting", "separate", {"seats": (4, 7)}, "collusion"),
    ("betting", "english_only", {}, "collusion"),
    ("betting", "bar", {"seats": (4,), "ground": "collusion"}, "collusion"),
    ("betting", "bar", {"seats": (4,), "ground": "device"}, "device_breach"),
    ("betting", "bar", {"seats": (4,), "ground": "refused_correction"}, "bet.unequal"),
    ("choice_1", "void_bets", {"seats": (4,), "ground": "device"}, "device_breach"),
    ("choice_1", "annul", {"ground": "fraud", "seats": (4,)}, "annul"),
    ("choice_1", "annul", {"ground": "disturbance"}, "annul"),
]


@pytest.mark.parametrize(("phase", "kind", "said", "key"), KEYS)
def test_an_order_is_on_record_with_its_key_its_seats_and_its_reason(
    phase: str, kind: str, said: dict[str, Any], key: str
) -> None:
    table = at(NSW, phase)
    table = seat(table, 4, defied=True) if table.seats[4].player else table
    _, outcome = ordered(table, kind, **said, why="a reason")
    told = ruling(outcome)
    named = said.get("seats", ())
    assert (told.key, told.by, told.why) == (key, "casino_supervisor", "a reason")
    assert (told.seat, told.seats) == (named[0] if named else 0, named)
    silent = ruling(ordered(table, kind, **said)[1])
    assert silent.why == said.get("ground", "").replace("_", " ")


def test_the_keys_of_a_cut_a_refused_bet_and_a_seat_given_up() -> None:
    hand_dealt = at("hand-dealt", "dealing")
    assert ruling(ordered(hand_dealt, "recut")[1]).key == "cut.recut"
    bets_down = at(NSW, "betting", last=True)
    assert ruling(ordered(bets_down, "refuse_bet", seats=(1,), why="late")[1]).key == "bet.refuse"
    table = at(NSW, "betting")
    sat = {n: msgspec.structs.replace(s, player=s.player or f"P{n}", idle_rounds=3) for n, s in table.seats.items()}
    after, outcome = ordered(msgspec.structs.replace(table, seats=sat), "give_up_seat", seats=(4,))
    assert ruling(outcome).key == "sitout.rounds_max"
    assert not after.seats[4].player


def test_new_limits_are_told_and_a_higher_minimum_cites_its_clauses() -> None:
    table = at(NSW, "betting")
    assert ruling(ordered(table, "limits")[1]).sentence.endswith("the limits change")
    both = ruling(ordered(table, "limits", cents_min=900, cents_max=9_000)[1])
    assert both.sentence.endswith(": minimum $9, maximum $90")
    assert "minimum" not in ruling(ordered(table, "limits", cents_max=9_000)[1]).sentence
    free = by_another(table, limit__notice_minutes=0)
    same = set(ruling(ordered(free, "limits", cents_min=1_000)[1]).clauses)
    raised = set(ruling(ordered(free, "limits", cents_min=1_001)[1]).clauses)
    assert same < raised
    assert raised - same <= set(table.rules.ruling_clauses["order:raise"])
    assert "maximum" not in ruling(ordered(table, "count")[1]).sentence
    counted = ruling(ordered(free, "count", cents_min=1_001)[1])
    assert not set(counted.clauses) & (raised - same)
    assert counted.sentence.endswith("counted")


def test_forfeiture_cites_its_clauses() -> None:
    table = at(NSW, "choice_1")
    plain = set(ruling(ordered(table, "annul", ground="fraud")[1]).clauses)
    forfeit = set(ruling(ordered(table, "annul", ground="fraud", seats=(4,))[1]).clauses)
    assert plain < forfeit


def test_a_sign_says_what_it_announces() -> None:
    table = at(NSW, "betting")
    after, outcome = ordered(table, "announce_minimum", cents_min=2_000, minute=600, when=620)
    assert after.signs == {"minimum": Sign(600, 620, 2_000)}
    assert isinstance(outcome[0], events.Ruled)
    after, outcome = ordered(table, "announce_closing", cents_min=2_000, minute=600, when=620)
    assert after.signs == {"closing": Sign(600, 620, 0)}
    after, outcome = ordered(at(NSW, "idle"), "close")
    assert after.phase == "closed"
    assert isinstance(outcome[0], events.Ruled)


def test_the_deck_that_is_named_is_changed() -> None:
    table = at("manufacturer", "betting")
    for number in (1, 2):
        after, _ = ordered(table, "change_deck", number=number)
        assert {step.number for step in after.agenda if step.kind in {"remove_deck", "introduce_deck"}} == {number}
        after, _ = ordered(table, "change_deck", number=number, cards=("Ks",))
        assert {step.number for step in after.agenda if step.number} >= {number}


def test_suspects_act_before_those_who_were_not_asked_yet() -> None:
    table = at(NSW, "choice_1")

    def asked(one: Table) -> list[int]:
        return list(dict.fromkeys(step.seat for step in one.agenda if step.seat))

    assert asked(table) == [1, 4, 7]
    assert asked(ordered(table, "act_first", seats=(7,))[0]) == [7, 1, 4]
    assert asked(ordered(table, "act_first", seats=(7, 4))[0]) == [4, 7, 1]
    assert asked(ordered(table, "separate", seats=(7, 4))[0]) == [1, 4, 7]
    assert sorted(ordered(table, "act_first", seats=(7,))[0].agenda, key=repr) == sorted(table.agenda, key=repr)
    waiting = next(
        one
        for one in (msgspec.structs.replace(table, agenda=table.agenda[n:]) for n in range(len(table.agenda)))
        if one.agenda[0].kind == "await_choice"
    )
    after, _ = ordered(waiting, "act_first", seats=(7,))
    assert after.agenda[0] == waiting.agenda[0]  # who was asked chooses first
    assert asked(after) == [1, 7, 4]
    bare = msgspec.structs.replace(table, agenda=())
    assert ordered(bare, "english_only")[0].english_only
    second = at(NSW, "choice_2")
    assert ordered(second, "act_first", seats=(7,))[0].agenda == second.agenda


def test_who_has_no_part_in_a_round_goes_at_once_and_the_others_when_it_is_over() -> None:
    table = at(NSW, "betting")
    after, outcome = ordered(table, "bar", seats=(4, 7), ground="collusion")
    gone = [(event.seat, event.why) for event in outcome if isinstance(event, events.PlayerLeft)]
    assert gone == [(4, "barred"), (7, "barred")]
    assert [number for number, one in after.seats.items() if one.player] == [1]
    after, outcome = ordered(table, "separate", seats=(1, 4, 7))
    gone = [(event.seat, event.why) for event in outcome if isinstance(event, events.PlayerLeft)]
    assert gone == [(4, "separated"), (7, "separated")]
    for busy in (
        seat(table, 4, wagers={"base-1": 500}),
        seat(table, 4, dealt_in=True),
        msgspec.structs.replace(table, bank_seat=4, bank_stake=500),
    ):
        after, outcome = ordered(busy, "bar", seats=(4,), ground="collusion")
        assert after.seats[4].player
        assert after.seats[4].leaves
    assert all(
        one.player for one in ordered(table, "act_first", seats=(4,))[0].seats.values() if one.number in {1, 4, 7}
    )


def test_a_refused_bet_goes_back_to_its_player() -> None:
    table = at(NSW, "betting", last=True)
    after, outcome = ordered(table, "refuse_bet", seats=(1, 4), why="late")
    for number in (1, 4):
        staked = sum(table.seats[number].wagers.values())
        stack = accounts.stack(number)
        assert staked > 0
        assert not after.seats[number].wagers
        assert after.cents(stack) == table.cents(stack) + staked
    assert after.seats[7].wagers == table.seats[7].wagers
    assert all(event.returned for event in outcome if isinstance(event, events.WagersPlaced))


def test_who_leaves_takes_the_chips_and_leaves_the_vouchers() -> None:
    table = at(NSW, "betting")
    given = {**table.accounts, accounts.tokens(4): 700, accounts.PROMOTIONS: table.cents(accounts.PROMOTIONS) - 700}
    table = msgspec.structs.replace(table, accounts=given)
    after, _ = ordered(table, "bar", seats=(4,), ground="collusion")
    assert (after.cents(accounts.stack(4)), after.cents(accounts.tokens(4))) == (0, 0)
    assert after.cents(accounts.PROMOTIONS) == table.cents(accounts.PROMOTIONS) + 700


def test_only_a_player_who_was_away_and_acts_has_come_back() -> None:
    table = at(NSW, "choice_1")
    gone = seat(table, 4, away=True)
    look = commands.Look(by="seat:4", seat=4)
    assert came_back(gone, look) == (events.PlayerCameBack(seat=4),)
    assert came_back(table, look) == ()
    assert came_back(gone, commands.Leave(by="seat:4", seat=4)) == ()
    assert came_back(gone, commands.Look(by="seat:1", seat=1)) == ()
    assert came_back(gone, commands.Look(by="floor", seat=4)) == ()
    assert came_back(gone, commands.Look(by="seat:99", seat=99)) == ()
