"""The dealer's and the floor's drills: judged by the engine, for every book, and for one of a user's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from letitride.chance.seeded import Seeded
from letitride.engine import places
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.catalog import ready_rules
from letitride.rules.keyspec import build
from letitride.rules.plain import plain
from letitride.rules.rulings import rule
from letitride.rules.values import Values
from letitride.rules.words import one_of, show_value
from letitride.training.staff.catalogue import LENGTHS, Plan, Sitting, begin, result_of
from letitride.training.staff.drill import LEVELS
from letitride.training.staff.irregularities import PLANTED_KINDS, plant
from letitride.training.staff.paying import Paying
from letitride.training.staff.practice import Practice, party
from letitride.training.staff.scene import scene
from letitride.training.staff.watching import Watching
from tests.training.counted import Counted
from tests.training.staff_trainees import cries_misdeal, looks_away, perfect, run

BOOKS = catalog.rulebook_ids()
VARIANTS = [f"{book}+{name}" for book in BOOKS for name in catalog.rulebook(book).variants]
LONG = {"deal": 90, "pay": 14, "watch": 40, "floor": 40}


@pytest.mark.parametrize("house", BOOKS)
@pytest.mark.parametrize("name", LONG)
def test_one_who_answers_by_the_engine_scores_a_hundred_percent_and_climbs_to_the_top(house: str, name: str) -> None:
    drill = run(begin(Plan(name=name, length=LONG[name]), ready_rules(house), Counted(7)), perfect)
    assert (100.0, LEVELS) == (drill.score, drill.level)
    assert drill.sheet.points_max >= LONG[name]
    found = drill.summary()
    assert (0, 0) == (found.misses, found.false_alarms)
    if name in {"watch", "floor"}:
        assert min(found.catches, found.all_clear) > 4


@pytest.mark.parametrize("house", VARIANTS)
def test_the_variants_of_the_books_are_drilled_as_well(house: str) -> None:
    for name in LENGTHS:
        drill = run(begin(Plan(name=name, level=3, length=8), ready_rules(house), Counted(2)), perfect)
        assert drill.score == 100.0


@pytest.mark.parametrize("house", BOOKS)
def test_one_who_cries_misdeal_at_everything_is_marked_for_false_alarms(house: str) -> None:
    drill = run(begin(Plan(name="watch", length=40), ready_rules(house), Counted(5)), cries_misdeal)
    quiet = [mark for mark in drill.sheet.marks if mark.kind == "notice" and mark.outcome == "false_alarm"]
    found = drill.summary()
    assert (len(quiet), 0) == (found.false_alarms, found.all_clear)
    assert found.false_alarms > 10
    assert drill.score < 20
    assert all("not so" in mark.sentence or "Nothing is wrong" in mark.sentence for mark in quiet)


@pytest.mark.parametrize("house", BOOKS)
def test_a_floor_that_stops_everything_is_marked_for_false_alarms_and_one_that_lets_be_for_misses(house: str) -> None:
    stops = run(begin(Plan(name="floor", level=3, length=40), ready_rules(house), Counted(5)), cries_misdeal)
    lets = run(begin(Plan(name="floor", level=3, length=40), ready_rules(house), Counted(5)), looks_away)
    assert stops.summary().false_alarms > 3
    assert stops.summary().all_clear == 0
    assert (0, 0) == (lets.summary().false_alarms, lets.summary().catches)
    assert lets.summary().misses > 3
    assert max(stops.score, lets.score) < 60


@pytest.mark.parametrize("house", BOOKS)
def test_a_miss_costs_the_ruling_and_tells_the_clauses_and_what_the_other_books_say(house: str) -> None:
    rules = ready_rules(house)
    drill = run(begin(Plan(name="watch", level=2, length=30), rules, Counted(3)), looks_away)
    misses = [mark for mark in drill.sheet.marks if mark.outcome == "miss"]
    assert len(misses) > 8
    for mark in misses:
        assert (0, 4) == (mark.points, mark.points_max)
        assert bool(mark.clauses) != mark.house_default
        assert [one.book for one in mark.elsewhere] == [book for book in BOOKS if book != house]
        assert all(one.demand == catalog.clause(one.id).demand for one in mark.clauses)
    assert drill.summary().false_alarms == 0


def test_what_the_other_books_say_is_their_own_ruling_on_the_same_facts() -> None:
    drill = Watching(ready_rules("nsw-1"), Counted(1), level=1, length=6, only="card too many")
    seen = 0
    while (question := drill.question) is not None:
        case = drill._trial.ruling.case if drill._trial else None
        given = perfect(drill, question) if question.kind == "notice" else cries_misdeal(drill, question)
        mark = drill.answer(given)
        if case is not None and not mark.right:
            seen += 1
            for other in mark.elsewhere:
                assert rule(ready_rules(other.book).rules, case).sentence == other.says
    assert seen > 1


OWN = """
id = "our-house"
title = "Our house"
extends = "nsw-1"
[rules]
irreg.count_player = "{ruling}"
"""


def _decisions(path: Path) -> set[tuple[str, str, bool]]:
    """What a perfect trainee rules on a hand of four cards by a book."""
    drill = Watching(ready_rules(str(path)), Counted(4), level=1, length=12, only="card too many")
    found = set()
    while (question := drill.question) is not None:
        given = perfect(drill, question)
        mark = drill.answer(given)
        assert mark.right
        if question.kind == "rule":
            found.add((str(given["decision"]), str(given["effect"]), mark.house_default))
    return found


def test_a_users_own_book_is_drilled_and_judged_by_its_own_rulings(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    judged = {}
    for ruling in ("hand_void", "all_void", "misdeal_count_deck"):
        path.write_text(OWN.format(ruling=ruling))
        judged[ruling] = _decisions(path)
    # By the book it extends it is a misdeal as long as no player has looked, by clauses of that document …
    assert {("misdeal", "all_back", False)} == judged["hand_void"]
    # … and what the house changes is judged by the change; no clause of the document says so.
    assert {("hands_void", "all_back", True)} == judged["all_void"]
    assert {("misdeal", "all_back", True)} == judged["misdeal_count_deck"]


def test_by_a_users_own_book_the_published_answer_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN.format(ruling="all_void"))
    drill = Watching(ready_rules(str(path)), Counted(4), level=1, length=12, only="card too many")
    wrong = 0
    while (question := drill.question) is not None:
        if question.kind != "rule":
            drill.answer(perfect(drill, question))
            continue
        mark = drill.answer({"decision": "misdeal", "effect": "all_back"})
        wrong += 1
        assert [False, True] == [one.right for one in mark.judged]
        assert "nsw-1" in [one.book for one in mark.elsewhere]
    assert wrong > 1


@pytest.mark.parametrize("name", LENGTHS)
def test_a_drill_is_taken_up_where_it_was_left_and_comes_to_the_same(name: str) -> None:
    plan, rules = Plan(name=name, level=2, length=6), ready_rules("washington-1")
    whole = Sitting(plan, rules, Counted(11))
    while whole.question is not None:
        whole.answer(perfect(whole.drill, whole.question), 1.5)
    parts = Sitting(plan, rules, Counted(11))
    for _ in range(3):
        assert parts.question is not None
        parts.answer(perfect(parts.drill, parts.question), 1.5)
    open_question = parts.question
    again = Sitting(plan, rules, _Elsewhere(parts), parts.kept)
    assert open_question == again.question
    while again.question is not None:
        again.answer(perfect(again.drill, again.question), 1.5)
    assert whole.drill.sheet == again.drill.sheet


class _Elsewhere:
    """The rest of what a source would have given."""

    def __init__(self, sitting: Sitting) -> None:
        self._source = sitting.tape._source

    def below(self, limit: int) -> int:
        """Return what comes next there."""
        return self._source.below(limit)


def test_a_tape_that_does_not_fit_is_refused() -> None:
    plan, rules = Plan(name="deal", length=3), ready_rules("nsw-1")
    kept = Sitting(plan, rules, Counted(1)).kept
    kept.drawn[0] = 10_000
    with pytest.raises(InvalidData, match="expected the tape of a drill of this version"):
        Sitting(plan, rules, Counted(1), kept)


@pytest.mark.parametrize("house", BOOKS)
def test_no_face_that_is_down_is_shown(house: str) -> None:
    drill = begin(Plan(name="watch", level=4, length=40), ready_rules(house), Counted(9))
    downs = 0
    while (question := drill.question) is not None:
        table: Any = drill._practice.table
        if question.kind == "notice":
            for seat in question.scene.seats:
                held = table.at(places.hand(seat.number))
                downs += sum(not card.up for card in held)
                assert [str(card.face) if card.up else "[" for card in held] == [
                    shown[0] if shown.startswith("[") else shown for shown in seat.cards
                ]
        drill.answer(perfect(drill, question))
    assert downs > 30


def test_it_grows_harder_with_what_goes_right_and_easier_again_but_not_under_its_start() -> None:
    drill = begin(Plan(name="deal", level=2, length=40), ready_rules("nsw-1"), Counted(3))
    levels = []
    for number in range(20):
        question = drill.question
        assert question is not None
        right = perfect(drill, question)["step"]
        wrong = next(option.id for option in question.fields[0].options if option.id != right)
        drill.answer({"step": right if number < 9 else wrong})
        levels.append(drill.level)
    assert [2, 2, 3, 3, 3, 4, 4, 4, 5] == levels[:9]
    assert [5, 4, 4, 3, 3, 2, 2, 2, 2] == levels[9:18]


def test_an_answer_after_its_time_is_right_and_late_and_does_not_make_it_harder() -> None:
    drill = begin(Plan(name="pay", length=3), ready_rules("nsw-1"), Counted(3))
    while (question := drill.question) is not None:
        assert question.seconds > 0
        mark = drill.answer(perfect(drill, question), question.seconds + 1.0)
        assert (True, True) == (mark.right, mark.late)
    assert (1, 3, 100.0) == (drill.level, drill.summary().late, drill.score)


def test_what_is_paid_is_capped_where_the_book_lets_a_table_cap_it() -> None:
    drill = Paying(ready_rules("nsw-1"), Counted(2), level=5, length=10)
    capped = 0
    while (question := drill.question) is not None:
        assert "at most $750 is paid on the base bets to each player in a round" in question.scene.limits
        right = perfect(drill, question)
        capped += 75_000 in right.values()
        assert drill.answer(right).right
    assert capped


@pytest.mark.parametrize("house", BOOKS)
def test_seven_hands_with_every_side_bet_the_book_has_are_paid_at_the_top(house: str) -> None:
    rules = ready_rules(house)
    drill = Paying(rules, Counted(6), level=4, length=4)
    wagers = set()
    while (question := drill.question) is not None:
        assert len({one.seat for one in question.fields}) == 7 - (rules.rules.bank.mode == "player")
        wagers |= {one.name.partition(":")[2] for one in question.fields}
        drill.answer(perfect(drill, question))
    assert set(map(str, rules.pays)) == wagers


def test_a_wrong_pay_is_told_hand_by_hand_with_the_schedules_clause() -> None:
    drill = Paying(ready_rules("hand-dealt-1"), Counted(2), length=1)
    question = drill.question
    assert question is not None
    right = perfect(drill, question)
    first = question.fields[0]
    mark = drill.answer({**right, first.name: int(right[first.name]) + 100})
    assert (len(question.fields) - 1, len(question.fields)) == (mark.points, mark.points_max)
    assert mark.sentence.startswith(f"Seat {first.seat} (")
    assert "hd:pay.base" in [one.id for one in mark.clauses]
    assert "nsw-1" in [one.book for one in mark.elsewhere]


@pytest.mark.parametrize("house", BOOKS)
def test_everything_a_dealer_can_meet_by_a_book_is_met(house: str) -> None:
    base = {"exposed_card", "exposed_community", "drawn_card", "hand_count", "dealer_count", "stray_hand"}
    bets = {"uneven_bets", "over_maximum", "under_minimum", "absent"}
    machine = {"device_jam", "device_failure", "device_miscount"}
    rules = catalog.rulebook(house).rules
    late_burn = {"wrong_burn"} if rules.burn.card == "first_community" else set()
    wanted = base | bets | (machine if rules.device == "shuffler" else set()) | late_burn
    met: set[str] = set()
    for seed in range(20):
        if wanted <= met:
            break
        drill = begin(Plan(name="watch", level=5, length=50), ready_rules(house), Seeded(seed))
        while (question := drill.question) is not None:
            given = perfect(drill, question)
            met |= {str(given.get("what", "ok"))}
            drill.answer(given)
    assert wanted <= met


@pytest.mark.parametrize("house", [house for house in BOOKS if catalog.rulebook(house).rules.deal.unit == "packet"])
def test_an_exposed_burn_card_is_seen_and_ruled_in_a_drill(house: str) -> None:
    drill = Watching(ready_rules(house), Seeded(2), level=5, length=200, only="burn card exposed")
    asked = []
    while (question := drill.question) is not None and len(asked) < 3:
        given = perfect(drill, question)
        if asked or given.get("what") == "exposed_burn":
            asked.append(question)
        mark = drill.answer(given)
        assert mark.points == mark.points_max
    assert ["notice", "rule"] == [one.kind for one in asked[:2]]
    assert not asked[0].scene.packet_cards[-1].startswith("[")  # it is there to be seen
    said = [option.text for option in asked[1].fields[0].options]
    assert any("goes to the rack as the burn card" in one for one in said)


@pytest.mark.parametrize("house", BOOKS)
def test_what_goes_wrong_can_be_seen_and_nobody_says_so(house: str) -> None:
    rules, chance = ready_rules(house), Counted(8)
    shuffler = rules.rules.device == "shuffler"
    machine = {"jam", "device failure", "miscount", "unloaded", "burn card exposed"}
    burned_late = rules.rules.burn.card == "first_community"
    never = (set() if shuffler else machine) | (set() if burned_late else {"wrong burn"})
    wanted = {one.name for one in PLANTED_KINDS} - never
    seen: set[str] = set()
    for _ in range(3):
        if seen == wanted:
            break
        practice = Practice(rules, chance, party(rules.rules, chance, 5, (), steps=3))
        while not practice.over:
            before, told = practice.table, list(practice.told)
            for kind in PLANTED_KINDS:
                planted = plant(practice, chance, 5, {}, kind.name)
                if planted is not None:
                    signals = (planted[1].signal,) if planted[1].signal else ()
                    assert scene(before) != scene(practice.table, signals=signals), kind.name
                    assert told == practice.told
                    seen.add(kind.name)
                practice.table = before
            practice.step()
    assert wanted == seen


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({}, "expected an answer to step, got one to nothing"),
        ({"step": "z"}, "expected one of a, b, c for step, got 'z'"),
        ({"step": 1}, "expected one of a, b, c for step, got 1"),
        ({"step": "a", "more": 1}, "expected an answer to step, got one to step, more"),
    ],
)
def test_an_answer_that_is_none_is_refused_and_asked_for_again(answer: dict[str, Any], sentence: str) -> None:
    drill = begin(Plan(name="deal", length=3), ready_rules("nsw-1"), Counted(1))
    question = drill.question
    with pytest.raises(InvalidData) as error:
        drill.answer(answer)
    assert sentence == str(error.value)
    assert question == drill.question


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan(name="sing"), f"expected {one_of(LENGTHS)}, got the drill 'sing'"),
        (Plan(name="deal", level=6), "expected a level from 1 to 5, got 6"),
        (Plan(name="deal", length=201), "expected a length from 1 to 200, got 201"),
    ],
)
def test_a_drill_that_cannot_be_is_refused(plan: Plan, sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        begin(plan, ready_rules("nsw-1"), Counted(1))
    assert sentence == str(error.value)


@pytest.mark.parametrize("name", LENGTHS)
@pytest.mark.parametrize("wrong", [{"burn.card": "bottom_of_packet"}, {"bank.mode": "player", "seats": 1}], ids=str)
def test_a_book_by_which_no_round_comes_to_its_end_is_refused_in_a_sentence(name: str, wrong: Values) -> None:
    """No book that passes its checks is known by which none does; should there be one, it is told in a sentence."""
    ready = ready_rules("hand-dealt-1")
    unchecked = replace(ready.book, id="own", rules=build({**ready.book.values(), **wrong}))
    with pytest.raises(InvalidData) as error:
        begin(Plan(name=name), replace(ready, book=unchecked), Counted(1))
    expected = "expected a rule book by which a round can be dealt to its end, got 'own', by which none can"
    assert expected == str(error.value)


@pytest.mark.parametrize("values", [{"seats": 2}, {"limit.scope": "area"}, {"deck.prepared": True}])
def test_a_book_for_a_small_table_or_with_a_short_opening_is_drilled(tmp_path: Path, values: dict[str, Any]) -> None:
    path = tmp_path / "own.toml"
    keys = "\n".join(f"{key} = {show_value(value)}" for key, value in values.items())
    path.write_text(f'id = "own"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\n{keys}\n')
    for name in LENGTHS:
        drill = run(begin(Plan(name=name, level=4, length=6), ready_rules(str(path)), Counted(3)), perfect)
        assert drill.score == 100.0


def test_a_result_names_the_trade_the_book_and_the_drill() -> None:
    plan = Plan(name="watch", length=4)
    drill = run(begin(plan, ready_rules("nsw-1"), Counted(1)), perfect)
    result = result_of(drill, plan, "Ann", 1_000)
    assert ("Ann", "dealer:nsw-1:watch", 100.0, 1_000) == (
        result.person,
        result.drill,
        result.score,
        result.finished_ms,
    )
    assert (drill.sheet.points_max, plain(drill.summary())) == (result.asked, result.details)
