"""The tools that count clauses and mutate keys: they must be able to say no."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from letitride.rules import catalog
from letitride.rules.clauses import Clause
from letitride.rules.explain import facts
from letitride.rules.keyspec import KEYS
from letitride.rules.limits import spot_limits
from letitride.rules.rulebook import Source
from tests.mutation.carriers import carriers
from tests.plugins.mutations import concealed, mutants

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def clauses() -> ModuleType:
    spec = importlib.util.spec_from_file_location("clauses_script", ROOT / "scripts" / "clauses.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def marked(clause: str, *, book: str | None = None, passed: bool = True, failed: bool = False) -> dict[str, Any]:
    return {"test": "t", "clauses": [clause], "book": book, "passed": passed, "failed": failed}


def test_a_clause_counts_only_when_all_its_marked_tests_ran_and_passed(clauses: ModuleType) -> None:
    good, bad = marked("nsw:7.1"), marked("nsw:7.1", passed=False, failed=True)
    assert {"nsw:7.1"} == clauses.proven_clauses([good])
    assert set() == clauses.proven_clauses([good, bad])
    assert set() == clauses.proven_clauses([marked("nsw:7.1", passed=False)])
    assert set() == clauses.proven_clauses([])


def test_definitions_and_notes_do_not_count(clauses: ModuleType) -> None:
    assert set() == clauses.proven_clauses([marked("nsw:3.3"), marked("wa:letter.1")])


def test_a_row_that_takes_over_another_counts_only_under_its_own_book(clauses: ModuleType) -> None:
    under_sm, under_wa = (marked("sm:bonus.shuffler", book=book) for book in ("shufflemaster-1", "washington-1"))
    assert {"sm:bonus.shuffler"} == clauses.proven_clauses([under_sm])
    assert {"sm:bonus.shuffler", "wa:bonus.shuffler"} == clauses.proven_clauses([under_sm, under_wa])
    assert {"sm:bonus.shuffler"} == clauses.proven_clauses([marked("sm:bonus.shuffler")])
    # wa:bonus.decks takes over several rows and needs them all.
    one = marked("sm:bonus.decks.1", book="washington-1")
    assert {"sm:bonus.decks.1"} == clauses.proven_clauses([one])


def test_a_list_of_what_is_not_proven_is_told_only_where_there_is_one(clauses: ModuleType) -> None:
    every = {clause.id for clause in catalog.register().values() if clause.provable}
    whole = "\n".join(clauses.told(clauses.report(every, every)))
    assert "by effect" in whole
    assert "not proven" not in whole
    but_one = "\n".join(clauses.told(clauses.report(every, every - {"nsw:7.1"})))
    assert "not proven by effect:\n  nsw:7.1 " in but_one
    assert "not proven:" not in but_one
    short = "\n".join(clauses.told(clauses.report(every - {"nsw:7.1"})))
    assert "not proven:\n  nsw:7.1 " in short
    assert "by effect" not in short
    assert not short.endswith("\n")


def test_the_report_counts_by_document(clauses: ModuleType) -> None:
    provable = [clause.document for clause in catalog.register().values() if clause.provable]
    counts = clauses.report({"nsw:7.1"})
    assert (len(provable), 1) == (counts["total"], counts["proven"])
    assert {"total": provable.count("nsw"), "proven": 1} == counts["books"]["nsw"]
    assert len(provable) - 1 == len(counts["unproven"])


def test_a_clause_is_proven_by_effect_when_its_tests_kill_and_one_that_takes_over_when_all_it_takes_do(
    clauses: ModuleType,
) -> None:
    proven = {"nsw:7.1", "sm:bonus.shuffler", "wa:bonus.shuffler"}
    assert {"nsw:7.1"} == clauses.proven_by_effect(proven, {"nsw:7.1", "nsw:7.2", "wa:bonus.shuffler"})
    assert {"sm:bonus.shuffler", "wa:bonus.shuffler"} == clauses.proven_by_effect(proven, {"sm:bonus.shuffler"})
    counts = clauses.report(proven, {"nsw:7.1"})
    assert (3, 1, 0) == (counts["proven"], counts["proven_by_effect"], counts["books"]["sm"]["proven_by_effect"])
    assert "sm:bonus.shuffler" in counts["unproven_by_effect"]


def test_the_code_that_carries_a_clause_out_is_what_it_names() -> None:
    keyed = Clause(id="x:1", kind="play", demand="-", keys=("misdeal.reshuffle",))
    assert {"engine.agenda", "engine.evolve"} <= {one.module for one in carriers(keyed)}
    coded = Clause(id="x:1", kind="play", demand="-", code=("rules.settlement.paid_on", "engine.agenda._BURNS"))
    assert {"paid_on", ""} == {one.function for one in carriers(coded)}
    paid = Clause(id="sm:bonus.pay.1", kind="paytable", demand="-", behaviour="rules/money: writes amounts")
    assert {"rules.money"} == {one.module for one in carriers(paid)}


def test_a_mark_that_names_an_unknown_clause_fails_the_run(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nmarkers = clause\n")
    pytester.makepyfile("import pytest\n@pytest.mark.clause('nsw:99')\ndef test_one():\n    pass\n")
    done = pytester.runpytest_inprocess("-p", "tests.plugins.clauses")
    assert pytest.ExitCode.OK != done.ret
    done.stderr.fnmatch_lines(["*test_one is marked with the unknown clause 'nsw:99'*"])


def test_every_mutant_differs_in_one_key_and_is_legal() -> None:
    book = catalog.rulebook("nsw-1")
    for name in book.values():
        for mutant in mutants(book, KEYS[name]):
            changed = {key for key in KEYS if KEYS[key].read(mutant.rules) != KEYS[key].read(book.rules)}
            assert {name} == changed


def test_a_changed_key_shows_in_what_is_done_with_it_and_not_to_those_who_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published = catalog.rulebook("nsw-1")
    mutant = published.with_values({"limit.cents_min": 501}, Source.DOCUMENT, "mutant")
    other = published.with_values({"limit.cents_min": 700}, Source.DOCUMENT, "mutant")
    monkeypatch.setattr(*concealed(KEYS["limit.cents_min"], told=500, held=501))
    told = [mutant.rules.limit.cents_min, mutant.value("limit.cents_min"), mutant.values()["limit.cents_min"]]
    assert [500, 500, 500] == told
    assert "$5" == next(facts(mutant, [KEYS["limit.cents_min"]])).words
    assert mutant.digest == published.digest
    assert [501, 700] == [spot_limits(one.rules.limit).cents_min for one in (mutant, other)]
    assert 700 == other.rules.limit.cents_min
    seats = mutant.with_values({"seats": 3}, Source.TABLE, "table")
    assert 501 == spot_limits(seats.rules.limit).cents_min
