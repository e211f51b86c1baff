"""Rules: what is in force at a table, chapter by chapter with its clauses, and what can be reported there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import msgspec
from fastapi import APIRouter, Response

from letitride.engine.reporting import reportable
from letitride.engine.view import fixed, shared
from letitride.rules import catalog
from letitride.rules.chapters import ClauseText, RulesText, clause_texts, rules_text
from letitride.rules.explain import KeyFacts, facts
from letitride.rules.table_rules import TableRules
from letitride.server.net.access import ANYWHERE, TheHouse, refusals
from letitride.server.routes.history import MISSING, TableId, TheHistory
from letitride.server.routes.par import Ref, known_book
from letitride.server.runtime.pricing import run_pricing
from letitride.server.tables.house import House
from letitride.training.ruling_desk.told import RulingDesk

router = APIRouter(prefix="/api", tags=["rules"], responses=ANYWHERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleOutcome:
    """What a report may come to."""

    decision: str
    sentence: str
    clauses: tuple[ClauseText, ...]
    house_default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidingRule:
    """A rule that decides an irregularity."""

    key: str
    about: str
    says: str
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleIrregularity:
    """Something that may be wrong: who may report it, what a report has to say, and what it may come to."""

    kind: str
    what: str
    asks: tuple[Literal["seat", "community_card"], ...] = field(
        metadata={"description": "The fields of a Report beside its kind: `seat`, or `number` for a community card."}
    )
    reporters: tuple[str, ...] = field(metadata={"description": "Roles, and 'player' for every player at the table."})
    rules: tuple[DecidingRule, ...]
    outcomes: tuple[PossibleOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleIrregularities:
    """What can be reported under a book."""

    book: str
    irregularities: tuple[PossibleIrregularity, ...]


@router.get("/rulebooks/{ref}/rules", responses=MISSING)
async def rules_of_book(ref: Ref) -> RulesText:
    """The rules of a published book, chapter by chapter, with its clauses."""
    return await run_pricing(lambda: _of_book(known_book(ref)))


@router.get("/tables/{table_id}/rules", responses=MISSING)
async def rules_of_table(house: TheHouse, history: TheHistory, table_id: TableId) -> RulesText:
    """The rules in force at a table, its own values among them."""
    rules = await rules_in_force(house, history, table_id)
    return await run_pricing(lambda: _of_table(_InForce(rules)))


@router.get("/tables/{table_id}/sign", responses=refusals(404, 409))
async def sign_of_table(house: TheHouse, table_id: TableId) -> Response:
    """What the signs at a table say, as its view has it: `sign`, `meters` and `notices`."""
    table = (await house.room_here(table_id)).table
    now = shared(table)
    told = {"sign": fixed(table).sign, "meters": now.meters, "notices": now.notices}
    return Response(msgspec.json.encode(told), media_type="application/json")


@router.get("/rulebooks/{ref}/irregularities", responses=MISSING)
async def irregularities_of_book(ref: Ref) -> PossibleIrregularities:
    """What can be reported under a published book."""
    return await run_pricing(lambda: _reports_of_book(known_book(ref)))


@router.get("/rulebooks/{ref}/rulings", responses=MISSING)
async def rulings_of_book(ref: Ref) -> RulingDesk:
    """The ruling desk of a published book: every situation, how people say it, what to ask, and every ruling."""
    return await run_pricing(lambda: _desk_of_book(known_book(ref)))


@router.get("/tables/{table_id}/irregularities", responses=MISSING)
async def irregularities_of_table(house: TheHouse, history: TheHistory, table_id: TableId) -> PossibleIrregularities:
    """What can be reported at a table by the rules in force there; not whether anything is wrong."""
    rules = await rules_in_force(house, history, table_id)
    return await run_pricing(lambda: _reports_of_table(_InForce(rules)))


async def rules_in_force(house: House, history: TheHistory, table_id: str) -> TableRules:
    """Return the rules of a table: as they are now where it is played, otherwise as it was opened."""
    room = await house.room_if_reachable(table_id)
    if room is not None:
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
def _of_table(one: _InForce) -> RulesText:
    return rules_text(one.rules.book)


@lru_cache(64)
def _reports_of_table(one: _InForce) -> PossibleIrregularities:
    return _reports(one.rules)


@lru_cache(64)
def _of_book(ref: str) -> RulesText:
    return rules_text(catalog.rulebook(ref))


@lru_cache(64)
def _reports_of_book(ref: str) -> PossibleIrregularities:
    """Return the irregularities of a book; what it leaves open to each table decides none of them."""
    return _reports(catalog.ready_rules(ref))


@lru_cache(16)
def _desk_of_book(ref: str) -> RulingDesk:
    from letitride.training.ruling_desk.answers import desk  # noqa: PLC0415 - only who asks waits for it

    return desk(catalog.ready_rules(ref))


def _reports(rules: TableRules) -> PossibleIrregularities:
    known = {fact.spec.name: fact for fact in facts(rules.book)}
    found = (
        PossibleIrregularity(
            kind=one.kind,
            what=one.what,
            asks=one.asks,
            reporters=one.reporters,
            rules=tuple(_deciding(known[key]) for key in one.keys),
            outcomes=tuple(
                PossibleOutcome(
                    decision=outcome.decision,
                    sentence=outcome.sentence,
                    clauses=clause_texts(outcome.clauses),
                    house_default=not outcome.clauses,
                )
                for outcome in one.outcomes
            ),
        )
        for one in reportable(rules)
    )
    return PossibleIrregularities(book=rules.book.id, irregularities=tuple(found))


def _deciding(fact: KeyFacts) -> DecidingRule:
    return DecidingRule(key=fact.spec.name, about=fact.spec.doc, says=fact.words, origin=fact.origin)
