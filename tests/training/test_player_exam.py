"""The player's exam: scores and costs, against what all hands come to when they are counted one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import msgspec
import pytest

from letitride.analysis.base import distribution, plain_nets, price
from letitride.analysis.features import feature_of
from letitride.analysis.strategy import BASIC, PAYING_ONLY, Strategy, play_of
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.training.player import Lesson, lesson_of
from letitride.training.player_exam import QUESTIONS, ExamReport, begin, exam_from, report, result_of, take
from tests.training.counted import Counted
from tests.training.learners import always_rides, examined, lost_per_hundred, never_rides, perfect

TABLES = ["LIRX-01", "LIRX-03", "LIRX-05", "HD-BASE", "LIRB-25"]


def lesson(table_id: str) -> Lesson:
    return lesson_of(catalog.paytable(table_id))


@pytest.mark.parametrize("table_id", TABLES)
def test_a_perfect_trainee_scores_100_percent_and_gives_nothing_away(table_id: str) -> None:
    one = lesson(table_id)
    found = examined(one, perfect(one.pays))
    assert (QUESTIONS, QUESTIONS) == (found.asked, found.right)
    assert 100 == found.score
    assert found.passed
    assert 0 == found.cost_per_hundred
    assert price(one.pays).house_edge == found.edge
    assert () == ExamReport.of(found).mistakes


@pytest.mark.parametrize("table_id", TABLES)
def test_one_who_always_rides_is_told_the_exact_cost(table_id: str) -> None:
    one = lesson(table_id)
    found = examined(one, always_rides)
    assert lost_per_hundred(one.pays, bets=3) == found.cost_per_hundred
    assert ExamReport.of(found).lost_per_hundred_rounds.exact == str(found.cost_per_hundred)
    assert not found.passed


@pytest.mark.parametrize("table_id", TABLES)
def test_one_who_never_rides_is_told_the_exact_cost(table_id: str) -> None:
    one = lesson(table_id)
    assert lost_per_hundred(one.pays, bets=1) == examined(one, never_rides).cost_per_hundred


def test_the_cost_of_always_riding_is_a_number_one_can_check_by_hand() -> None:
    assert Fraction(1172902, 10829) == examined(lesson("LIRX-01"), always_rides).cost_per_hundred


@pytest.mark.parametrize("strategy", [BASIC, PAYING_ONLY], ids=lambda one: one.name)
@pytest.mark.parametrize("table_id", TABLES)
def test_the_edge_against_play_as_answered_is_the_par_of_that_play(table_id: str, strategy: Strategy) -> None:
    one = lesson(table_id)
    rides = strategy.bet1 | strategy.bet2
    found = examined(one, lambda cards: "ride" if feature_of(cards) in rides else "withdraw")
    assert -distribution(plain_nets(one.pays), play_of(strategy)).mean == found.edge


def test_a_class_played_now_so_and_now_otherwise_costs_its_share() -> None:
    one = lesson("LIRX-01")
    exam = begin(one, Counted(3))
    answered: Counter[str] = Counter()
    best = perfect(one.pays)
    while (question := exam.question) is not None:
        wrong = question.kind == "4:low_pair" and answered[question.kind] == 0
        answered[question.kind] += 1
        exam = take(exam, question.number, "ride" if wrong else best(parse_cards(question.cards)))
    found = report(exam, one)
    (mistake,) = ExamReport.of(found).mistakes
    assert (1, answered["4:low_pair"]) == (mistake.wrong, mistake.asked)
    always = 100 * Fraction(50688, 270725) * Fraction(11, 24)
    assert always / answered["4:low_pair"] == found.cost_per_hundred
    assert QUESTIONS - 1 == found.right


def test_every_class_is_asked_at_least_twice_and_close_ones_more() -> None:
    one = lesson("LIRX-01")
    asked: Counter[str] = Counter(q.kind for seed in range(5) for q in begin(one, Counted(seed)).questions)
    assert set(one.classes) == set(asked)
    assert 10 == min(asked.values())
    close = sorted((kind for kind in asked if one.classes[kind].value), key=lambda kind: one.classes[kind].cost)
    assert sum(asked[kind] for kind in close[:16]) > 1.5 * sum(asked[kind] for kind in close[-16:])


def test_hands_are_of_the_class_they_are_asked_for() -> None:
    one = lesson("LIRX-01")
    for question in begin(one, Counted(9)).questions:
        cards = parse_cards(question.cards)
        assert one.classes[question.kind].feature == feature_of(cards)
        assert len(cards) - 2 == question.bet


def test_an_exam_goes_on_where_it_was_kept_and_ends_in_a_result() -> None:
    one = lesson("LIRX-03")
    exam = take(begin(one, Counted(4)), 1, "ride")
    assert exam == exam_from(msgspec.json.encode(exam), one)
    assert 2 == (exam.question and exam.question.number)
    result = result_of(report(exam, one), "Ann", 5)
    assert ("Ann", "player:LIRX-03:exam", 1, 5) == (result.person, result.drill, result.asked, result.finished_ms)


def test_answers_out_of_turn_are_refused() -> None:
    one = lesson("LIRX-01")
    exam = begin(one, Counted(4))
    with pytest.raises(InvalidData, match="expected an answer to question 1, got one to question 2"):
        take(exam, 2, "ride")
    for question in exam.questions:
        exam = take(exam, question.number, "ride")
    with pytest.raises(InvalidData, match="expected no more answers, got one to question 201"):
        take(exam, 201, "ride")


def test_an_exam_under_other_pays_or_of_other_bytes_is_not_gone_on_with() -> None:
    exam = begin(lesson("LIRX-01"), Counted(4))
    assert exam_from(msgspec.json.encode(exam), lesson("LIRX-02")) is None
    assert exam_from(None, lesson("LIRX-01")) is None
    with pytest.raises(InvalidData, match="expected an exam in player:LIRX-01:exam, got something else"):
        exam_from(b'{"digest": 3}', lesson("LIRX-01"))
