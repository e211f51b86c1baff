"""Disputes: who hears a complaint and in which order, what a decision pays and from where, and who may give advice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.engine import commands, events
from letitride.engine.decide import play
from letitride.engine.disputes import told
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import DisputedBet, Table
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from tests.engine.recorded import at, by_another

NSW = "new-south-wales"


def done(table: Table, command: commands.AnyCommand) -> Table:
    """The table after a command that is taken."""
    after, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


def code(table: Table, command: commands.AnyCommand) -> str:
    """Why a command is refused, or ''."""
    refusal = legal(table, command)
    return refusal.code if refusal else ""


def complaint(seat: int, about: str = "my flush was not paid") -> commands.RaiseDispute:
    return commands.RaiseDispute(by=f"seat:{seat}", seat=seat, about=about)


def decision(by: str, number: int = 1, **said: Any) -> commands.DecideDispute:
    values = {"upheld": False, "why": "it was no flush"} | said
    return commands.DecideDispute(by=by, number=number, **values)


def appeal(seat: int) -> commands.AppealDispute:
    return commands.AppealDispute(by=f"seat:{seat}", seat=seat)


@pytest.fixture
def raised() -> Table:
    """A table at which seats 1 and 4 have complained."""
    return done(done(at(NSW, "betting"), complaint(1)), complaint(4, "my bet was refused"))


def test_a_complaint_says_what_it_is_about_and_one_is_open_at_a_time(raised: Table) -> None:
    assert [(one.number, one.seat, one.about) for one in raised.disputes] == [
        (1, 1, "my flush was not paid"),
        (2, 4, "my bet was refused"),
    ]
    assert code(raised, complaint(1)) == "dispute_open"
    assert code(raised, complaint(7)) == ""
    assert code(raised, complaint(7, "")) == "about_what"
    assert code(raised, complaint(7, "two\nlines")) == "bad_words"


def test_a_dispute_names_round_bet_and_amount_of_what_was_dealt_there() -> None:
    table = at(NSW, "betting")
    assert table.round >= 1

    def about(number: int, wager: str = "base-1", cents: int = 2_000) -> commands.RaiseDispute:
        bet = DisputedBet(round=number, wager=wager, cents=cents)
        return msgspec.structs.replace(complaint(1), concerns=bet)

    assert code(table, about(0)) == code(table, about(table.round + 1)) == "no_such_round"
    assert code(table, about(1, "bonus")) == "not_offered"
    assert code(table, about(1, cents=-1)) == "bad_amount"
    after = done(table, about(table.round))
    assert after.disputes[0].concerns == DisputedBet(round=table.round, wager="base-1", cents=2_000)
    assert told(after.disputes[0], after) == f"round {table.round}, bet 1, $20: my flush was not paid"
    plain = done(table, complaint(1))
    assert told(plain.disputes[0], plain) == "my flush was not paid"
    # As of old nothing is written of what was not named.
    assert b"concerns" not in msgspec.json.encode(plain.disputes[0])


@pytest.mark.parametrize(
    ("by", "said", "expected"),
    [
        ("games_supervisor", {}, ""),
        ("games_supervisor", {"number": 2}, ""),
        ("games_supervisor", {"number": 3}, "nothing_to_decide"),
        ("casino_supervisor", {}, "not_your_role"),
        ("casino_supervisor", {"absent": ("games_supervisor",)}, ""),
        ("operator", {"absent": ("games_supervisor", "casino_supervisor", "operator")}, ""),
        ("inspector", {}, "not_your_role"),
        ("games_supervisor", {"why": ""}, "say_why"),
        ("games_supervisor", {"why": "two\nlines"}, "bad_words"),
        ("games_supervisor", {"cents": 500}, "bad_amount"),
        ("games_supervisor", {"cents": -500}, "bad_amount"),
        ("games_supervisor", {"cents": -500, "upheld": True}, "bad_amount"),
        ("games_supervisor", {"cents": 500, "upheld": True}, ""),
        ("games_supervisor", {"upheld": True}, ""),
    ],
)
def test_a_decision_is_taken_from_the_instance_whose_turn_it_is(
    raised: Table, by: str, said: dict[str, Any], expected: str
) -> None:
    assert code(raised, decision(by, **said)) == expected


def test_a_decision_is_appealed_to_the_next_instance_once(raised: Table) -> None:
    assert code(raised, appeal(1)) == "nothing_to_appeal"
    assert code(raised, appeal(7)) == "nothing_to_appeal"
    first = done(raised, decision("games_supervisor"))
    assert code(first, decision("casino_supervisor")) == "nothing_to_decide"
    again, outcome = play(first, appeal(1))
    assert not isinstance(outcome, Refusal)
    assert outcome[0] == events.DisputeAppealed(number=1, seat=1, to="casino_supervisor")
    assert code(again, appeal(1)) == "nothing_to_appeal"
    assert code(again, decision("games_supervisor")) == "not_your_role"
    assert code(again, decision("casino_supervisor")) == ""
    _, other = play(done(raised, decision("games_supervisor", 2)), appeal(4))
    assert not isinstance(other, Refusal)
    assert other[0] == events.DisputeAppealed(number=2, seat=4, to="casino_supervisor")


@pytest.mark.parametrize(("name", "by_inspector"), [(NSW, True), ("hand-dealt", False)])
def test_the_last_word_of_the_house_is_final_and_told_to_the_inspector_of_the_book(
    name: str, by_inspector: bool
) -> None:
    table = at(name, "betting")
    seat = next(number for number, one in table.seats.items() if one.player)
    table = done(table, complaint(seat))
    *lower, last = table.disputes[0].heard_by
    for by, final in ((lower[0], False), (last, True)):
        absent = tuple(lower) if final else ()
        for upheld in (False, True):
            _, outcome = play(table, decision(by, absent=absent, upheld=upheld))
            assert not isinstance(outcome, Refusal), outcome
            event = next(one for one in outcome if isinstance(one, events.DisputeDecided))
            assert (event.final, event.upheld, event.seat) == (final, upheld, seat)
            assert event.next == (() if final else (*lower[1:], last))
            told = [step.kind for step in event.inserted]
            assert told == (["tell_inspector"] if final and by_inspector and not upheld else [])
            by_clauses = ("nsw:14.12.s2", "nsw:14.13.s1", "nsw:14.13.s2") if final else ("nsw:14.12.s1",)
            assert event.clauses == (by_clauses if by_inspector else ())


def test_a_review_that_passes_over_an_instance_is_not_a_first_decision_made_in_its_absence(raised: Table) -> None:
    reviewed = done(done(raised, decision("games_supervisor")), appeal(1))
    _, outcome = play(reviewed, decision("operator", absent=("casino_supervisor",)))
    assert not isinstance(outcome, Refusal), outcome
    clauses = [event.clauses for event in outcome if isinstance(event, events.DisputeDecided)]
    assert clauses == [("nsw:14.13.s1", "nsw:14.13.s2")]


def test_what_is_paid_goes_to_the_player_at_the_table_or_away_from_it(raised: Table) -> None:
    paid = done(raised, decision("games_supervisor", 2, upheld=True, cents=500))
    stack, tray = accounts.stack(4), accounts.TRAY
    assert paid.cents(stack) == raised.cents(stack) + 500
    assert paid.cents(tray) == raised.cents(tray) - 500
    player = raised.seats[4].player
    left = done(raised, commands.Leave(by="seat:4", seat=4))
    _, outcome = play(left, decision("games_supervisor", 2, upheld=True, cents=500))
    assert not isinstance(outcome, Refusal), outcome
    assert [one for event in outcome for one in event.chips] == [Transfer(tray, accounts.wallet(player), 500)]


def test_a_player_s_bank_pays_for_no_complaint() -> None:
    table = done(at("california", "betting"), complaint(1))
    assert code(table, decision("floor", upheld=True, cents=500)) == "house_does_not_pay"
    assert code(table, decision("floor", upheld=True)) == ""


def test_a_player_is_advised_as_the_book_allows() -> None:
    def advice(by: str, seat: int = 1, words: str = "let it ride") -> commands.Advise:
        return commands.Advise(by=by, seat=seat, words=words)

    table = at(NSW, "choice_1")
    assert code(table, advice("seat:4")) == "no_advice"
    assert code(table, advice("seat:1")) == ""
    assert code(table, advice("seat:4", 2)) == "seat_empty"
    assert code(table, advice("seat:4", 99)) == "seat_empty"
    assert code(table, advice("dealer")) == "no_advice"
    asks = msgspec.structs.replace(table.seats[1], wants_advice=True)
    asking = msgspec.structs.replace(table, seats={**table.seats, 1: asks})
    assert code(asking, advice("seat:4")) == ""
    assert code(asking, advice("seat:4", words="two\nlines")) == "bad_words"
    assert code(by_another(table, advice="free"), advice("seat:4")) == ""
    assert code(at("hand-dealt", "choice_1"), advice("dealer", 2)) == ""
