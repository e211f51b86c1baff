"""Rules: what is in force at a table, chapter by chapter with its clauses, and what can be reported there."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from letitride.engine.reporting import reportable
from letitride.rules import catalog
from letitride.rules.chapters import chapters_data, clauses_data
from letitride.rules.explain import KeyFacts, facts, identity_data
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import RuleBook
from letitride.rules.table_rules import TableRules
from letitride.server.net.access import TheHouse
from letitride.server.routes.history import MISSING, TableId, TheHistory
from letitride.server.routes.par import Ref, known_book
from letitride.server.runtime.pricing import priced
from letitride.server.tables.house import House

router = APIRouter(prefix="/api", tags=["rules"])


class ClauseTold(BaseModel):
    """A clause of a rule document, and what it demands in our own words."""

    id: str
    demand: str


class RuleTold(BaseModel):
    """One rule: what it is about, what it says here, where that comes from, and the clauses behind it."""

    key: str
    about: str
    says: str
    origin: Literal["ruled", "omission", "house", "table"]
    origin_words: str
    clauses: list[ClauseTold]
    note: str | None


class ChapterTold(BaseModel):
    """Rules that belong together."""

    name: str
    title: str
    rules: list[RuleTold]


class RulesTold(BaseModel):
    """The rules of a book, or of a table with its own values."""

    id: str
    title: str
    edition: str | None
    extends: list[str]
    sha256: str
    chapters: list[ChapterTold]


class OutcomeTold(BaseModel):
    """What a report may come to."""

    decision: str
    sentence: str
    clauses: list[ClauseTold]
    house_default: bool


class DecidingRule(BaseModel):
    """A rule that decides an irregularity."""

    key: str
    about: str
    says: str
    origin: str


class IrregularityTold(BaseModel):
    """Something that may be wrong: who may report it, what a report has to say, and what it may come to."""

    kind: str
    what: str
    asks: list[Literal["seat", "community_card"]] = Field(
        description="The fields of a Report beside its kind: `seat`, or `number` for a community card."
    )
    reporters: list[str] = Field(description="Roles, and 'player' for anybody who sits at the table.")
    rules: list[DecidingRule]
    outcomes: list[OutcomeTold]


class IrregularitiesTold(BaseModel):
    """What can be reported under a book."""

    book: str
    irregularities: list[IrregularityTold]


@router.get("/rulebooks/{ref}/rules", responses=MISSING)
async def rules_of_book(ref: Ref) -> RulesTold:
    """The rules of a published book, chapter by chapter, with its clauses."""
    return RulesTold.model_validate(await priced(lambda: _of_book(known_book(ref))))


@router.get("/tables/{table_id}/rules", responses=MISSING)
async def rules_of_table(house: TheHouse, history: TheHistory, table_id: TableId) -> RulesTold:
    """The rules in force at a table, its own values among them."""
    rules = await _rules(house, history, table_id)
    return RulesTold.model_validate(await priced(lambda: _of_table(_InForce(rules))))


@router.get("/rulebooks/{ref}/irregularities", responses=MISSING)
async def irregularities_of_book(ref: Ref) -> IrregularitiesTold:
    """What can be reported under a published book."""
    return IrregularitiesTold.model_validate(await priced(lambda: _reports_of_book(known_book(ref))))


@router.get("/tables/{table_id}/irregularities", responses=MISSING)
async def irregularities_of_table(house: TheHouse, history: TheHistory, table_id: TableId) -> IrregularitiesTold:
    """What can be reported at a table by the rules in force there; whether anything is wrong is not told."""
    rules = await _rules(house, history, table_id)
    return IrregularitiesTold.model_validate(await priced(lambda: _reports_of_table(_InForce(rules))))


async def _rules(house: House, history: TheHistory, table_id: str) -> TableRules:
    """Return the rules of a table: as they are now where it is played here, otherwise as it was opened."""
    room = house.rooms.get(table_id)
    if room is not None and not room.host.lost:
        return room.table.rules
    return (await history.of(table_id)).opened_by


class _InForce:
    """The very rules of a table as the key of a cache: a digest says nothing of where values come from."""

    __slots__ = ("rules",)

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _InForce) and self.rules is other.rules


@lru_cache(64)
def _of_table(one: _InForce) -> dict[str, Any]:
    return _chapters(one.rules.book)


@lru_cache(64)
def _reports_of_table(one: _InForce) -> dict[str, Any]:
    return _reports(one.rules)


@lru_cache(64)
def _of_book(ref: str) -> dict[str, Any]:
    return _chapters(catalog.rulebook(ref))


def _chapters(book: RuleBook) -> dict[str, Any]:
    return {**identity_data(book), "chapters": chapters_data(book)}


@lru_cache(64)
def _reports_of_book(ref: str) -> dict[str, Any]:
    """Return the irregularities of a book; what it leaves open to each table decides none of them."""
    return _reports(catalog.ready_rules(ref))


def _reports(rules: TableRules) -> dict[str, Any]:
    told = {fact.spec.name: fact for fact in facts(rules.book, [KEYS[name] for name in KEYS])}
    return {
        "book": rules.book.id,
        "irregularities": [
            {
                "kind": one.kind,
                "what": one.what,
                "asks": list(one.asks),
                "reporters": list(one.reporters),
                "rules": [_deciding(told[key]) for key in one.keys],
                "outcomes": [
                    {
                        "decision": outcome.decision,
                        "sentence": outcome.sentence,
                        "clauses": list(clauses_data(outcome.clauses)),
                        "house_default": not outcome.clauses,
                    }
                    for outcome in one.outcomes
                ],
            }
            for one in reportable(rules)
        ],
    }


def _deciding(fact: KeyFacts) -> dict[str, str]:
    return {"key": fact.spec.name, "about": fact.spec.doc, "says": fact.words, "origin": fact.origin}
