"""The clause register: complete, unchanged, and tied to keys and paytables."""

from __future__ import annotations

import csv
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

from letitride.errors import MissingData
from letitride.rules import catalog
from letitride.rules.clauses import inherited
from letitride.rules.keyspec import KEYS

IDS = Path(__file__).parent.parent / "data" / "clause-ids.csv"


def test_the_register_has_just_the_clauses_of_the_documents() -> None:
    with IDS.open(encoding="utf-8") as file:
        listed = {row["id"]: row["kind"] for row in csv.DictReader(file)}
    assert listed == {clause.id: clause.kind for clause in catalog.register().values()}
    assert len(listed) >= 644  # rows are added where a document says more, never taken away


def test_every_clause_names_what_it_becomes() -> None:
    for clause in catalog.register().values():
        assert clause.demand
        assert clause.keys or clause.paytables or clause.behaviour, clause.id
        assert set(clause.keys) <= set(KEYS), clause.id
        assert set(clause.paytables) <= set(catalog.paytable_ids()), clause.id


def test_the_code_of_a_clause_exists() -> None:
    for clause in catalog.register().values():
        for name in clause.code:
            assert not isinstance(pkgutil.resolve_name(f"letitride.{name}"), ModuleType), (clause.id, name)


def test_every_key_is_named_by_a_clause_but_those_that_no_document_speaks_of() -> None:
    named = {key for clause in catalog.register().values() for key in clause.keys}
    house = {
        "deal.packet_top",
        "bet.lone_side",
        "bonus.taken",
        "cover_all.cents_min",
        "cover_all.cents_max",
        "payout.sides",
    }
    assert house == set(KEYS) - named


def test_the_clauses_of_a_paytable_name_that_paytable() -> None:
    for table_id in catalog.paytable_ids():
        for pays in catalog.paytable(table_id).pays.values():
            assert pays.clauses, table_id
            assert all(table_id in catalog.clause(clause).paytables for clause in pays.clauses), table_id


def test_the_paytables_of_a_clause_name_that_clause() -> None:
    for clause in catalog.register().values():
        for table_id in clause.paytables:
            sources = [name for pays in catalog.paytable(table_id).pays.values() for name in pays.clauses]
            assert clause.id in sources


def test_every_manual_clause_is_taken_over_or_replaced_by_washington() -> None:
    register = catalog.register().values()
    taken = {one.id for clause in register if clause.document == "wa" for one in inherited(clause, register)}
    left = {clause.id for clause in register if clause.document == "sm" and clause.provable} - taken
    assert {"sm:lir.1", "sm:lir.5", "sm:felt.1", "sm:felt.5", "sm:3cb.opt1.overview.7"} == left


def test_an_unknown_clause_is_refused_with_a_hint() -> None:
    with pytest.raises(MissingData, match="expected a clause id like 'nsw:12.6.s1', got 'nsw:12.66'; did you mean"):
        catalog.clause("nsw:12.66")
