"""New South Wales: uneven bets put right, and cards counted on order, by where chips and cards lie."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    announced,
    faces,
    fates,
    played,
    refusal,
    results,
    ruled,
    stacks,
    step,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]
UNEVEN = f"{THREE_SEATS}mishap bets seat 3 1=5 2=10 $=10\n"
MISSING_BET = f"{THREE_SEATS}mishap bets seat 3 1=10 $=10\n"
LIE = {UNEVEN: [500, 1_000, 1_000], MISSING_BET: [1_000, 0, 1_000]}
NO_CHOICES_3 = "\n".join(line for line in CHOICES.splitlines() if not line.startswith("seat 3")) + "\n"


@pytest.mark.clause("nsw:12.10", "nsw:12.10.2")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("body", [UNEVEN, MISSING_BET], ids=["uneven", "missing"])
def test_a_player_who_folds_before_handling_cards_gives_them_up_and_has_the_bet_back(
    book: RuleBook, body: str, device: str
) -> None:
    dealt = "seat 1 looks\n"  # every card is dealt, and seat 3 has touched none
    done = played(book.id + device, f"{body}{dealt}dealer reports uneven_bets seat 3\nseat 3 folds\n{NO_CHOICES_3}")
    assert ruled(done) == ["uneven_bets:correct_or_fold"]
    fold = next(one for one in done.steps if isinstance(one.command, commands.Fold))
    assert faces(fold.before, "hand:3") == ["9h", "9d", "3c"]
    assert [fold.before.cents(f"felt:3:base-{spot}") for spot in "12$"] == LIE[body]
    back, gone = step(done, "return_bets 3"), step(done, "discard_hand 3")
    assert back.before.cents("stack:3") == 50_000 - sum(LIE[body])
    assert [back.after.cents(f"felt:3:base-{spot}") for spot in "12$"] == [0, 0, 0]
    assert back.after.cents("stack:3") == 50_000
    assert gone.command.by == "dealer"
    assert faces(gone.after, "hand:3") == []
    assert {"9h", "9d", "3c"} <= set(faces(gone.after, places.RACK))
    assert set(fates(done, 3)) == {"void"}
    assert not {"ask 3 1", "ask 3 2", "open_hand 3"} & set(steps(done)[steps(done).index("discard_hand 3") :])
    plain = played(book.id + device, WHOLE_ROUND)
    assert [done.outcomes[0].results[n] for n in (1, 7)] == [plain.outcomes[0].results[n] for n in (1, 7)]
    assert stacks(done, 1, 3, 7) == [stacks(plain, 1)[0], 50_000, stacks(plain, 7)[0]]


@pytest.mark.clause("nsw:12.11.s1")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("body", [UNEVEN, MISSING_BET], ids=["uneven", "missing"])
def test_a_player_who_has_handled_the_cards_must_make_the_bets_equal_and_may_not_fold(
    book: RuleBook, body: str, device: str
) -> None:
    late = "seat 3 looks\ndealer reports uneven_bets seat 3\nseat 3 corrects 10\n"
    done = played(book.id + device, body + late + CHOICES)
    assert ruled(done) == ["uneven_bets:must_correct"]
    correct = next(one for one in done.steps if isinstance(one.command, commands.Correct))
    waiting, after = correct.before, correct.after
    assert refusal(waiting, commands.Fold(by="seat:3", seat=3)) == "must_correct"
    for command in (
        commands.Choose(by="seat:1", seat=1, bet=1, choice="ride"),
        commands.Do(kind="ask", seat=1, number=1),
    ):
        assert isinstance(play(waiting, command)[1], Refusal)  # nothing goes on until it is done
    assert [waiting.cents(f"felt:3:base-{spot}") for spot in "12$"] == LIE[body]
    assert [after.cents(f"felt:3:base-{spot}") for spot in "12$"] == [1_000] * 3
    assert (waiting.cents("stack:3"), after.cents("stack:3")) == (50_000 - sum(LIE[body]), 47_000)
    assert faces(after, "hand:3") == ["9h", "9d", "3c"]  # the hand plays on
    assert [(r.stake_cents, r.fate) for r in results(done, 3).values()] == [
        (1_000, "withdrawn"),
        (1_000, "lost"),
        (1_000, "lost"),
    ]
    assert stacks(done, 3) == [48_000]


@pytest.mark.clause("nsw:12.11.s2")
def test_a_player_who_fails_to_correct_may_be_barred_and_the_bets_play_as_they_lie(book: RuleBook) -> None:
    body = f"{UNEVEN}seat 3 looks\ndealer reports uneven_bets seat 3\nseat 3 refuses\n"
    barred = played(book, f"{body}casino_supervisor orders bar seats 3 ground refused_correction\n{CHOICES}")
    assert [r.stake_cents for r in results(barred, 3).values()] == [500, 1_000, 1_000]
    assert barred.table.seats[3].player == ""
    again = commands.Sit(by="seat:4", seat=4, player="Bob", cents=10_000)
    assert refusal(barred.table, again) == "barred"
    let_off = played(book, body + CHOICES)  # it may be ordered, and need not be
    assert (let_off.table.seats[3].player, stacks(let_off, 3)) == ("Bob", [48_000])


@pytest.mark.clause("nsw:3.8")
@pytest.mark.parametrize("device", DEVICES)
def test_a_supervisor_or_an_inspector_has_the_cards_counted_at_any_time(book: RuleBook, device: str) -> None:
    done = played(book.id + device, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    tables = [one.after for one in done.steps if one.after.phase != "opening"]
    assert {"betting", "dealing", "choice_1", "choice_2", "settling"} <= {table.phase for table in tables}
    for table in tables:
        for by in ("games_supervisor", "casino_supervisor", "inspector"):
            ordered, _ = play(table, commands.Order(by=by, kind="count"))
            due = ordered.next_step
            assert due is not None
            counted, outcome = play(ordered, commands.Do(kind="count_cards", number=due.number))
            assert not isinstance(outcome, Refusal)
            assert [(event.found, event.says) for event in outcome if hasattr(event, "found")] == [(52, "52 cards")]
            assert (counted.agenda, counted.cards, counted.accounts) == (table.agenda, table.cards, table.accounts)
        for by in ("dealer", "floor", "spectator", "seat:1"):
            assert refusal(table, commands.Order(by=by, kind="count")) == "not_your_role"


@pytest.mark.clause("nsw:3.8")
@pytest.mark.parametrize("device", DEVICES)
def test_a_count_on_order_finds_what_is_missing(book: RuleBook, device: str) -> None:
    missing = THREE_SEATS.replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)
    done = played(book.id + device, f"{missing}seat 1 looks\ncasino_supervisor orders count\n")
    assert "51 cards" in announced(done)
    assert done.outcomes[0].status == "void"
