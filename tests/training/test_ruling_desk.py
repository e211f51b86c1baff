"""Ruling desk: what is typed in the words of the trade finds its situation, and the engine's own ruling answers it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from letitride.engine.events import Ruled
from letitride.engine.refusal import Refusal
from letitride.records.player import rules_of
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.rulings import Situation
from letitride.training.ruling_desk import phrases as index
from letitride.training.ruling_desk.answers import desk, situations
from letitride.training.ruling_desk.phrases import find, phrases
from letitride.training.ruling_desk.questions import case_of
from letitride.training.ruling_desk.told import RulingAnswer, SituationTold

RECORDS = sorted((Path(__file__).parents[1] / "records" / "irregularities").glob("*/*.round"))

TYPED = [
    tuple(line.split(" -> "))
    for line in Path(__file__).with_name("desk_situations.txt").read_text("utf-8").splitlines()
    if " -> " in line and not line.startswith("#")
]


@pytest.mark.parametrize(("typed", "meant"), TYPED)
def test_words_of_the_trade_find_their_situation_among_the_first_three(typed: str, meant: str) -> None:
    assert meant in [one.situation for one in find(typed, phrases().said)][:3]


def test_the_60_situations_are_half_synonyms_and_typing_mistakes() -> None:
    text = Path(__file__).with_name("desk_situations.txt").read_text("utf-8")
    plain, other = text.split("---")
    assert (30, 30) == (plain.count(" -> "), other.count(" -> "))
    assert set(phrases().said) <= {meant for _, meant in TYPED}


def _missed(monkeypatch: pytest.MonkeyPatch, **changed: object) -> int:
    """How many situations are not found where the index knows less."""
    for kept in (index._weights, index._phrases_of, index._heads):
        kept.cache_clear()
    with monkeypatch.context() as less:
        for name, value in changed.items():
            less.setattr(index, name, value)
        said = index.phrases().said
        missed = sum(meant not in [one.situation for one in find(typed, said)][:3] for typed, meant in TYPED)
    for kept in (index._weights, index._phrases_of, index._heads):
        kept.cache_clear()
    return missed


def test_without_its_synonyms_or_its_ear_for_mistakes_the_index_misses_situations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = phrases()
    assert not {typed for typed, _ in TYPED} & {one for every in known.said.values() for one in every}
    assert _missed(monkeypatch) == 0
    assert _missed(monkeypatch, phrases=lambda: replace(known, same={})) >= 5
    assert _missed(monkeypatch, is_near=lambda *_: False) >= 5


def test_no_situation_asks_more_than_three_questions_and_each_way_to_answer_has_a_ruling() -> None:
    for book in catalog.rulebook_ids():
        for one in desk(catalog.ready_rules(book)).situations:
            assert len(one.questions) <= 3
            assert one.answers
            for answer in one.answers:
                assert answer.ruling
                assert answer.clauses or answer.house_default or answer.decision == "none"
                assert len(answer.elsewhere) == len(catalog.rulebook_ids()) - 1


def fitting(told: SituationTold, case: Situation) -> list[RulingAnswer]:
    """The answers that describe a situation met at a real table."""
    asked = [one.id for one in told.questions]
    same = {
        "when": lambda one: case_of(case.kind, one.given).in_deal == case.in_deal,
        "looked": lambda one: one.given["looked"] == _who(case),
        "own": lambda one: (one.given["own"] == "yes") == case.own_look,
        "many": lambda one: (one.given["many"] == "more") == (case.exposed > 1),
        "seen": lambda one: (one.given["seen"] == "yes") == case.seen,
        "out": lambda one: (one.given["out"] == "yes") == case.cards_out,
        "uneven": lambda one: (one.given["uneven"] == "yes") == (case.uneven is True),
    }
    return [one for one in told.answers if all(same[name](one) for name in asked)]


def _who(case: Situation) -> str:
    return "none" if not case.looked else "all" if case.looked >= case.hands else "some"


def test_the_desk_rules_what_the_engine_ruled_at_a_table() -> None:
    compared = 0
    for path in RECORDS:
        record = read_record(path.read_text("utf-8"), str(path))
        replayed = replay(record, str(path), rules_of(record, str(path), ""))
        rules = replayed.table.rules
        told = situations(rules)
        for ruling in (
            event.ruling
            for one in replayed.steps
            if not isinstance(one.outcome, Refusal)
            for event in one.outcome
            if isinstance(event, Ruled)
        ):
            if ruling.case is None or ruling.case.kind not in told:
                continue
            answers = fitting(told[ruling.case.kind](), ruling.case)
            assert answers, (path, ruling.case)
            for answer in answers:
                assert ruling.name.partition(":")[2] == answer.decision, (path, ruling.case)
                assert list(ruling.clauses) == [clause.id for clause in answer.clauses]
            compared += 1
    assert compared > 50
