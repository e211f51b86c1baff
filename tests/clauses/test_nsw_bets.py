"""New South Wales where bets are uneven or over the maximum, and where players decide on cards they have not looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine import commands
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.engine.view import view
from letitride.records.replay import Replayed
from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    faces,
    fates,
    played,
    refusal,
    results,
    ruled,
    rulings,
    seen,
    stacks,
    step,
)

DEVICES = ["", "+shuffler", "+two_decks"]
RICH = "seat 1 sits Ann 5000\nseat 3 sits Bob 5000\nseat 7 sits Cy 500\n"
RIDE = "seat 1 rides 1\nseat 3 rides 1\nseat 7 rides 1\nseat 1 rides 2\nseat 3 rides 2\nseat 7 rides 2\n"
WINNER = THREE_SEATS.replace("9h 9d 3c", "Jh Jd 3c")
OVER = f"{WINNER}mishap bets seat 3 1=600 2=600 $=600\n{RIDE}"
CUT = "dealer reports over_maximum seat 3\n"


@pytest.mark.clause("nsw:6.3.s1")
@pytest.mark.parametrize("device", DEVICES)
def test_over_maximum_found_when_one_bet_is_paid_the_others_are_paid_to_the_maximum(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, f"{OVER}dealer pay seat 3 wager base-1\n{CUT}", seated=RICH)
    assert [(one.name, one.clauses) for one in rulings(done)] == [("over_maximum:to_maximum", ("nsw:6.3.s1",))]
    amounts = [(one.stake_cents, one.paid_cents, one.back_cents) for one in results(done, 3).values()]
    assert amounts == [(60_000, 60_000, 60_000), (50_000, 50_000, 50_000), (50_000, 50_000, 50_000)]
    returned = step(done, "return_excess 3")
    moved = returned.after.cents("stack:3") - returned.before.cents("stack:3")
    assert moved == 20_000  # of the two that lie there
    assert [returned.after.cents(f"felt:3:base-{spot}") for spot in "12$"] == [0, 50_000, 50_000]
    assert stacks(done, 3) == [500_000 + 60_000 + 50_000 + 50_000]


@pytest.mark.clause("nsw:6.3.s1")
def test_over_maximum_found_at_any_moment_of_the_settlement(book: RuleBook) -> None:
    paid = {"": 150_000, "pay seat 3 wager base-1": 160_000, "pay seat 3 wager base-2": 170_000}
    for moment, won in paid.items():
        done = played(book, OVER + (f"dealer {moment}\n" if moment else "dealer open_hand seat 3\n") + CUT, seated=RICH)
        assert stacks(done, 3) == [500_000 + won], moment
    lost = OVER.replace("Jh Jd 3c", "5h 6d 8c")
    for moment, taken in (("open_hand seat 3", 150_000), ("take seat 3 wager base-1", 160_000)):
        done = played(book, f"{lost}dealer {moment}\n{CUT}", seated=RICH)
        assert stacks(done, 3) == [500_000 - taken], moment
    over = step(played(book, OVER, seated=RICH), "pay 3 base-$").after
    assert refusal(over, commands.Report(kind="over_maximum", seat=3)) == "too_late"  # all is paid


@pytest.mark.clause("nsw:6.3.s1")
def test_over_maximum_found_when_one_bet_is_paid_keeps_within_the_maximum_payout(book: RuleBook) -> None:
    cap = ("payout.cap = maximum", "payout.cents_max = 100000")
    done = played(book, f"{OVER}dealer pay seat 3 wager base-1\n{CUT}", *cap, seated=RICH)
    assert [one.paid_cents for one in results(done, 3).values()] == [60_000, 40_000, 0]
    assert stacks(done, 3) == [500_000 + 100_000]


DECIDED = f"{THREE_SEATS}mishap long seat 3\n{CHOICES}"


@pytest.mark.clause("nsw:12.7", "nsw:8.3.s2")
@pytest.mark.parametrize("device", DEVICES)
def test_a_hand_of_four_cards_found_after_all_decisions_is_void_alone(book: RuleBook, device: str) -> None:
    done = played(book.id + device, f"{DECIDED}dealer reports hand_count seat 3\n")
    assert ruled(done) == ["hand_count:hand_void"]
    assert not any(one.after.seats[number].looked for one in done.steps for number in (1, 3, 7))
    assert (fates(done, 3), stacks(done, 3)) == (["withdrawn", "void", "void"], [50_000])
    assert {*fates(done, 1), *fates(done, 7)} <= {"won", "lost", "withdrawn"}  # the others play on
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("nsw:12.14", "nsw:12.13")
def test_who_has_decided_and_left_rides_whether_or_not_there_was_a_look(book: RuleBook) -> None:
    gone = "seat 1 rides 1\nseat 3 rides 1\nseat 7 rides 1\nseat 1 rides 2\ndealer reports absent seat 3\n"
    done = played(book, f"{THREE_SEATS}{gone}seat 7 withdraws 2\n")
    assert ruled(done) == ["absent:ride"]
    assert (fates(done, 3), stacks(done, 3)) == (["lost"] * 3, [50_000 - 3_000])


@pytest.mark.clause("nsw:12.10.2")
@pytest.mark.parametrize("report", ["seat 1 rides 1\n", "dealer reports uneven_bets seat 3\n"])
def test_who_is_away_with_uneven_bets_has_folded(book: RuleBook, report: str) -> None:
    body = f"{THREE_SEATS}mishap bets seat 3 1=40 2=50 $=50\n{report}dealer reports absent seat 3\n"
    done = played(book, body + RIDE.replace("seat 3 rides 1\n", "").replace("seat 3 rides 2\n", "").replace(report, ""))
    (*_, ruling) = rulings(done)
    assert ruling.clauses == ("nsw:12.10.2", "nsw:1.1.void")  # 12.13 is about three equal bets
    assert (fates(done, 3), stacks(done, 3)) == (["void"] * 3, [50_000])
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("nsw:12.13", "nsw:12.1")
def test_a_choice_that_is_ruled_for_an_absent_player_is_no_handling(book: RuleBook, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'id = "own"\ntitle = "Own"\nextends = "{book.id}"\n[rules]\nirreg.absent = "withdraw"\n')
    body = f"{THREE_SEATS}mishap long seat 3\ndealer reports absent seat 1\ndealer push_back seat 1 wager base-1 number 1\n"
    done = played(str(own), f"{body}dealer reports hand_count seat 3\n")
    assert ruled(done) == ["absent:withdraw", "hand_count:misdeal"]
    assert stacks(done, 1, 3, 7) == [50_000] * 3


PUSHED = "dealer push_back seat 3 wager base-1 number 1\n"
WITHDRAWN = (
    f"seat 1 rides 1\nseat 3 withdraws 1\n{PUSHED}seat 7 rides 1\nseat 1 rides 2\nseat 3 withdraws 2\n"
    "dealer push_back seat 3 wager base-2 number 2\n"
)
UNEVEN = f"{THREE_SEATS}mishap bets seat 3 1=40 2=50 $=50\n"
ASKED = "dealer reports uneven_bets seat 3\n"


def _asked(done: Replayed) -> Table:
    """Return the table where seat 3 is asked to make its bets equal."""
    return next(one.after for one in done.steps if one.after.next_step in _CORRECTION)


_CORRECTION = {Step("await_correction", 3, number=number) for number in (1, 2)}


def _corrected(table: Table, cents: int) -> list[int] | str:
    """Return what lies on the spots of seat 3 after a correction, or why it is refused."""
    after, outcome = play(table, commands.Correct(by="seat:3", seat=3, cents=cents))
    return outcome.code if isinstance(outcome, Refusal) else [after.cents(f"felt:3:base-{spot}") for spot in "12$"]


def _offered(table: Table) -> list[int]:
    """Return at what the view of seat 3 offers to make its bets equal."""
    return [one.cents for one in view(table, "seat:3").offers if isinstance(one, commands.Correct)]


@pytest.mark.clause("nsw:12.11.s1", "nsw:5.4", "nsw:8.9")
@pytest.mark.parametrize("device", DEVICES)
def test_on_seen_cards_bets_are_corrected_among_themselves_and_never_next_to_a_fold(
    book: RuleBook, device: str
) -> None:
    table = _asked(played(book.id + device, f"{UNEVEN}seat 3 looks\n{ASKED}seat 3 corrects 50\n{CHOICES}"))
    assert [_corrected(table, cents) for cents in (500, 4_000, 4_999)] == ["below_staying"] * 3
    assert _corrected(table, 5_000) == [5_000, 5_000, 5_000]
    assert _corrected(table, 5_100) == "above_highest"
    assert _offered(table) == [5_000]


@pytest.mark.clause("nsw:12.11.s1", "nsw:8.9", "nsw:8.10")
@pytest.mark.parametrize(
    ("bets", "before", "bounds"),
    [
        ("1=50 2=50 $=40", "seat 3 looks\n", (4_000, 5_000)),  # bets 1 and 2 could be withdrawn anyway
        ("1=50 2=50", "seat 3 looks\n", (5_000, 5_000)),
        ("1=50 2=50 $=40", "seat 1 rides 1\nseat 3 rides 1\n", (5_000, 5_000)),  # bet 1 rides, and stays whole
        ("1=50 2=30 $=40", f"seat 1 rides 1\nseat 3 withdraws 1\n{PUSHED}", (4_000, 4_000)),
        ("1=50 2=30", WITHDRAWN, (3_000, 5_000)),  # the third bet alone is left, and was never made
        ("1=3 2=3 $=2", "seat 3 looks\n", (500, 500)),  # the table's limits come first
        ("1=600 2=600 $=590", "seat 3 looks\n", (50_000, 50_000)),
    ],
)
def test_no_bet_that_must_stay_is_lowered_and_none_is_raised_over_the_highest(
    book: RuleBook, bets: str, before: str, bounds: tuple[int, int]
) -> None:
    body = f"{THREE_SEATS}mishap bets seat 3 {bets}\n{before}{ASKED}seat 3 corrects {bounds[0] // 100}\n"
    table = _asked(played(book, body + _rest(before), seated=RICH))
    least, most = bounds
    assert {_corrected(table, least - 1), _corrected(table, most + 1)} <= _OUTSIDE
    for cents in bounds:
        assert set(_corrected(table, cents)) <= {0, cents}
    assert set(_offered(table)) <= set(range(least, most + 1))
    assert _offered(table)


_OUTSIDE = {"below_staying", "above_highest", "below_minimum", "above_maximum"}


def _rest(before: str) -> str:
    """Return the choices that are left after some were made."""
    made = {(line.split()[1], line[-1]) for line in before.splitlines()}
    return "".join(f"{line}\n" for line in CHOICES.split("\n") if line and (line.split()[1], line[-1]) not in made)


@pytest.mark.clause("nsw:12.11.s1", "nsw:6.1.s3")
def test_a_correction_keeps_to_the_steps_of_the_sign(book: RuleBook) -> None:
    body = f"{THREE_SEATS}mishap bets seat 3 1=50 2=50 $=42\nseat 3 looks\n{ASKED}seat 3 corrects 45\n{CHOICES}"
    table = _asked(played(book, body, "limit.cents_step = 500"))
    codes = [_corrected(table, cents) for cents in (4_000, 4_200, 4_600)]
    assert codes == ["below_staying", "off_step", "off_step"]
    assert _corrected(table, 4_500) == [4_500, 4_500, 4_500]  # the third bet is not lowered
    assert _offered(table) == [4_500, 5_000]


@pytest.mark.clause("nsw:12.10.1")
@pytest.mark.parametrize("device", DEVICES)
def test_before_the_cards_are_handled_only_the_tables_limits_bound_a_correction(book: RuleBook, device: str) -> None:
    done = played(book.id + device, f"{UNEVEN}{ASKED}seat 3 corrects 60\n{CHOICES}")
    assert [one.stake_cents for one in results(done, 3).values()] == [6_000] * 3
    assert stacks(done, 3) == [50_000 - 12_000]  # bet 1 was withdrawn, the hand loses
    table = _asked(done)
    assert (_corrected(table, 499), _corrected(table, 50_001)) == ("below_minimum", "above_maximum")
    assert _corrected(table, 500) == [500, 500, 500]
    assert _corrected(table, 20_000) == "not_enough"
    assert _offered(table) == [5_000, 4_000, 500]


@pytest.mark.clause("nsw:12.10.2", "nsw:12.11.s1")
def test_who_may_still_fold_does_not_look_first(book: RuleBook) -> None:
    late = f"{UNEVEN}dealer ask seat 1 number 1\n{ASKED}seat 3 looks => correct_first\nseat 3 folds\n"
    others = "".join(f"{line}\n" for line in CHOICES.splitlines() if not line.startswith("seat 3"))
    done = played(book, late + others)
    asked = _asked(done)
    assert seen(asked, "seat:3", 3) == ["[red]"] * 3
    assert (fates(done, 3), stacks(done, 3)) == (["void"] * 3, [50_000])
    assert faces(step(done, "discard_hand 3").after, "hand:3") == []


@pytest.mark.clause("nsw:12.11.s1")
def test_a_house_may_leave_corrections_on_seen_cards_to_the_tables_limits(book: RuleBook, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'id = "own"\ntitle = "Own"\nextends = "{book.id}"\n[rules]\nbet.correction = "table_limits"\n')
    table = _asked(played(str(own), f"{UNEVEN}seat 3 looks\n{ASKED}seat 3 corrects 5\n{CHOICES}"))
    assert _corrected(table, 500) == [500, 500, 500]
    assert catalog.rulebook(str(own)).digest != catalog.rulebook(book.id).digest
