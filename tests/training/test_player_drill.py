"""The player's drill: what is asked, what is said about it, and when it is asked again."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import msgspec
import pytest

from letitride.analysis.features import feature_of
from letitride.engine.state import Choice
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.training.chance import one_of, shuffled, weighted
from letitride.training.hands import _ranks_of_classes, draw_hand
from letitride.training.player import Lesson, LookedUp, judge, lesson_of, look_up
from letitride.training.player_drill import Progress, answer, ask, finish, progress_from, standing
from tests.paytables import base_paytable
from tests.training.counted import Counted, Told

DAY_MS = 86_400_000
NOW_MS = 1_800_000_000_000


def lesson(table_id: str = "LIRX-01") -> Lesson:
    return lesson_of(catalog.paytable(table_id))


def best_of(one: Lesson, kind: str) -> Choice:
    return "ride" if one.classes[kind].value > 0 else "withdraw"


def drilled(
    one: Lesson, questions: int, missed: set[str], seconds_each: float = 8
) -> tuple[Progress, Counter[str], int]:
    """Return progress, what was asked how often, and the time, of one who misses some kinds always."""
    chance, now_ms = Counted(7), NOW_MS
    progress, asked = progress_from(None, one), Counter[str]()
    for _ in range(questions):
        progress = ask(progress, one, chance, now_ms)
        assert progress.question is not None
        kind, best = progress.question.kind, best_of(one, progress.question.kind)
        wrong: Choice = "ride" if best == "withdraw" else "withdraw"
        asked[kind] += 1
        now_ms += int(1000 * seconds_each)
        choice = wrong if kind in missed else best
        progress, judged = answer(progress, one, choice, now_ms=now_ms, seconds=seconds_each)
        assert judged.right == (kind not in missed or not one.classes[kind].value)
    return progress, asked, now_ms


def test_all_orders_are_as_likely() -> None:
    found = Counter(shuffled(Told(*draws), "abcd") for draws in product(range(4), range(3), range(2)))
    assert dict.fromkeys(permutations("abcd"), 1) == found


def test_values_come_as_often_as_they_weigh() -> None:
    assert ["a", "a", "c"] == [weighted(Told(draw), "abc", [2, 0, 1]) for draw in range(3)]
    assert ["a", "b"] == [one_of(Told(draw), "ab") for draw in range(2)]
    with pytest.raises(InvalidData, match="expected something to choose from, got nothing"):
        one_of(Told(), "")


@pytest.mark.parametrize("cards", [3, 4])
def test_each_hand_of_a_class_is_as_likely(cards: int) -> None:
    # Suits are drawn for a set of ranks; a class must have as many choices of them for each of its sets.
    suits = {
        "four": 1,
        "three": 4,
        "two_pair": 36,
        "high_pair": 6,
        "low_pair": 6,
        "suited": 4,
        "unsuited": 4**cards - 4,
    }
    left_over = {"three": cards - 3, "high_pair": cards - 2, "low_pair": cards - 2}
    classes = [one for one in lesson().classes.values() if one.feature.cards == cards]
    assert 33 == len(classes)
    for one in classes:
        kind = one.feature.kind
        choices = suits[kind] * 4 ** left_over.get(kind, 0)
        assert one.hands == choices * len(_ranks_of_classes(cards)[one.feature]), one.feature.name


def test_hands_are_drawn_of_their_class() -> None:
    chance = Counted(1)
    for one in lesson().classes.values():
        for _ in range(20):
            hand = draw_hand(one.feature, chance)
            assert one.feature == feature_of(hand)
            assert one.feature.cards == len(set(hand))


def test_feedback_has_the_exact_values_the_cost_and_the_rule() -> None:
    judged = judge(lesson(), parse_cards("9h 9c 2d 4s"), "ride")
    assert not judged.right
    # eleven outs of 48 give more than even money back at 3 to 1 or 2 to 1: 2 trips, 9 two pair
    assert Fraction(2 * 3 + 6 * 2 - 40, 48) == judged.advice.found.value == Fraction(-11, 24)
    assert Fraction(11, 24) == judged.cost
    assert 100 * Fraction(50688, 270725) * Fraction(11, 24) == judged.cost_per_hundred
    assert ("withdraw",) == judged.advice.best
    assert "Not on the list of what rides; no hand of this kind is." == judged.advice.why
    rides = look_up(lesson(), parse_cards("Ts Js Qs"))
    assert ("ride",) == rides.best
    assert "three of one suit with 3 ways to a straight flush" == rides.rule
    near = look_up(lesson(), parse_cards("7h 8h Jd Td"))
    assert near.rule is None
    assert ("four cards of different ranks with 2 ways to a straight and 1 or more high cards",) == near.near


def test_where_riding_is_worth_nothing_either_answer_is_right() -> None:
    one = lesson()
    ties = [kind for kind, found in one.classes.items() if not found.value]
    assert 2 == len(ties)
    for kind in ties:
        cards = draw_hand(one.classes[kind].feature, Counted(2))
        for choice in ("ride", "withdraw"):
            judged = judge(one, cards, choice)
            assert judged.right
            assert 0 == judged.cost_per_hundred
        assert ["ride", "withdraw"] == list(LookedUp.of(look_up(one, cards)).best)
    assert not [found for found in lesson("LIRX-03").classes.values() if not found.value]


def test_what_is_missed_is_asked_more_often() -> None:
    one = lesson()
    missed = {"3:low_pair", "4:unsuited:1:2", "3:suited:1:1"}
    _, asked, _ = drilled(one, 300, missed)
    others = [many for kind, many in asked.items() if kind not in missed]
    assert min(asked[kind] for kind in missed) > 4 * sum(others) / len(others)


def test_what_is_close_is_asked_earlier_than_what_is_plain() -> None:
    one = lesson()
    close = sorted((kind for kind in one.classes if one.classes[kind].value), key=lambda kind: one.classes[kind].cost)
    early: Counter[str] = Counter()
    for seed in range(200):
        question = ask(progress_from(None, one), one, Counted(seed), NOW_MS).question
        assert question is not None
        early[question.kind] += 1
    assert sum(early[kind] for kind in close[:16]) > 2 * sum(early[kind] for kind in close[-16:])


def test_a_perfect_learner_sees_every_kind_and_is_left_in_peace_until_it_is_due() -> None:
    one = lesson()
    progress, asked, now_ms = drilled(one, 400, set(), seconds_each=30)
    assert set(one.classes) == set(asked)
    told = standing(progress, one, now_ms)
    assert (66, 0, 400, 400) == (told.kinds, told.new, told.asked, told.right)
    assert 60 < told.known
    later = standing(progress, one, now_ms + 400 * DAY_MS)
    assert told.due < 10
    assert 66 == later.due


def test_a_mistake_comes_back_within_minutes_and_never_twice_in_a_row() -> None:
    one = lesson()
    chance, progress, before = Counted(3), progress_from(None, one), ""
    for number in range(60):
        progress = ask(progress, one, chance, NOW_MS + number * 5000)
        assert progress.question is not None
        assert progress.question.kind != before
        before = progress.question.kind
        progress, _ = answer(progress, one, "ride", now_ms=NOW_MS + number * 5000)
    wrong = [memory for memory in progress.known.values() if not memory.last_right]
    assert wrong
    assert all(memory.due_ms - memory.last_ms <= 10 * 60_000 for memory in wrong)


def test_the_schedule_repeats_for_the_same_answers_at_the_same_times() -> None:
    one = lesson()
    assert drilled(one, 80, {"3:low_pair"}) == drilled(one, 80, {"3:low_pair"})


def test_an_open_question_stays_and_progress_survives_being_kept() -> None:
    one = lesson()
    progress = ask(progress_from(None, one), one, Counted(1), NOW_MS)
    assert progress is ask(progress, one, Counted(2), NOW_MS + DAY_MS)
    assert progress == progress_from(msgspec.json.encode(progress), one)
    with pytest.raises(InvalidData, match="expected an answer to a question, got one where none was asked"):
        answer(progress_from(None, one), one, "ride", now_ms=NOW_MS)
    with pytest.raises(InvalidData, match="expected progress in player:LIRX-01, got something else"):
        progress_from(b"[]", one)


def test_a_set_ends_in_a_result_with_what_its_mistakes_cost_together() -> None:
    one = lesson()
    progress, asked, now_ms = drilled(one, 20, set(one.classes))
    after, result = finish(progress, one, "Ann", now_ms)
    assert () == after.answers
    assert ("Ann", "player:LIRX-01", 20) == (result.person, result.drill, result.asked)
    classes = [one.classes[kind] for kind in asked]
    lost = sum((100 * found.frequency * found.cost for found in classes), Fraction(0))
    assert str(lost) == result.details["lost_per_hundred_rounds"]["exact"]
    assert sum(not one.classes[kind].value for kind in asked.elements()) == result.right


def own_table(folder: Path, straight: int) -> Lesson:
    path = folder / f"mine-{straight}.toml"
    path.write_text(base_paytable("MINE", straight=straight), encoding="utf-8")
    return lesson_of(catalog.paytable(str(path)))


def test_a_table_of_ones_own_is_drilled_by_its_own_pays_and_anew_when_they_change(tmp_path: Path) -> None:
    plain, generous = own_table(tmp_path, 5), own_table(tmp_path, 7)
    hand = parse_cards("4c 5d 6h 7s")
    assert {"ride", "withdraw"} == set(look_up(plain, hand).best)
    assert ("ride",) == look_up(generous, hand).best
    progress, *_ = drilled(plain, 5, set())
    assert Progress(digest=generous.digest) == progress_from(msgspec.json.encode(progress), generous)


def test_a_table_without_the_base_game_cannot_be_drilled() -> None:
    sides = [one for one in catalog.paytable_ids() if "base" not in {str(w) for w in catalog.paytable(one).pays}]
    with pytest.raises(MissingData, match="expected a paytable that prices the base wager, got"):
        lesson(sides[0])


@pytest.mark.parametrize("cards", ["", "Ts", "Ts Js", "Ts Js Qs Ks As"])
def test_a_look_up_wants_three_or_four_cards(cards: str) -> None:
    with pytest.raises(InvalidData, match="expected three cards, or four with the first community card, got"):
        look_up(lesson(), parse_cards(cards))
