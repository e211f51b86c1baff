"""Desk: what those who run the tables see at a glance, and what each may do at one of them now; it changes nothing."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final, Literal

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import BaseModel, Field, TypeAdapter

from letitride.autoplay.steps import plain
from letitride.engine import directing
from letitride.engine.agenda import NO_BANK, bank_stands_open
from letitride.engine.legal import legal
from letitride.engine.mixing import needed
from letitride.engine.script import ScriptLine, coming
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.rules.chapters import ClauseText, clause_texts
from letitride.rules.roles import ROLES, STAFF_ACCOUNTS, Role, spoken
from letitride.server.net.access import ANYWHERE, CurrentPerson, RequireRole, TheHouse, refusals
from letitride.server.net.forwarding import Forwarder
from letitride.server.people.accounts import Person
from letitride.server.people.duties import duties
from letitride.server.people.invitations import is_private
from letitride.server.routes.floor import minute_of_day
from letitride.server.runtime.table_facts import facts_of
from letitride.server.tables.door import CLOSING
from letitride.server.tables.house import House
from letitride.server.tables.messages import Clock, State
from letitride.server.tables.room import Room
from letitride.storage.roles.tables import TableRecord

router = APIRouter(prefix="/api", tags=["floor"], responses=ANYWHERE)
Staff = Annotated[Person, Depends(RequireRole(*STAFF_ACCOUNTS))]


class NoticeTold(BaseModel):
    """How long the closing of a table has to be on a sign while players sit there, and where the book says so."""

    minutes: int
    clauses: tuple[ClauseText, ...]


class DeskTable(BaseModel):
    """A table at a glance, for those who run it."""

    id: str
    name: str
    rulebook: str
    limits_cents: list[int | None]
    seats: int
    state: State
    reason: str | None = Field(description="Why it is halted, closing or closed.")
    here: bool = Field(description="Whether a server that can be asked plays it; of others only the state is known.")
    phase: str
    round: int
    players: list[str]
    dealer: str = Field(description="'automatic', or who has the shift.")
    clock: Clock | None
    waits_for: str | None = Field(description="The next step in words.")
    side_bets: dict[str, str] = Field(description="The names of its side bets, by id.")
    actor: Literal["dealer", "floor", "player"] | None = Field(description="Who has to do it.")
    disputes: int
    disputes_wait_for: list[str] = Field(description="Whose turn it is to decide, of each that waits for a decision.")
    roles: list[Role] = Field(description="The roles in which you may work there.")
    rulings: list[str] = Field(description="Rulings and orders since the last round ended.")
    closing_notice: NoticeTold | None = Field(description="What the book wants before it closes with players there.")


_TABLES: Final = TypeAdapter(list[DeskTable])


class LineTold(BaseModel):
    """One line of the script with what its clauses demand; without clauses it is house procedure."""

    step: dict[str, Any]  # JSON of a step: FastAPI cannot describe msgspec's structs
    actor: Literal["dealer", "floor", "player"]
    text: str
    mends: bool = Field(description="Whether it carries out a ruling.")
    clauses: tuple[ClauseText, ...]


class OrderTold(BaseModel):
    """An order that the book knows for a role: what has to be said with it, and why it is refused now, if it is."""

    kind: str
    asks: tuple[directing.Asked, ...]
    seats: tuple[int, ...]
    seats_min: int
    seats_max: int
    decks: tuple[int, ...]
    grounds: tuple[str, ...]
    notice_minutes: int
    notice_clauses: tuple[ClauseText, ...]
    refused: str | None


class ReportTold(BaseModel):
    """Something that is so now and may be reported: the command, and what is wrong in words."""

    command: dict[str, Any]  # JSON of a command, likewise
    what: str


class RulingCited(BaseModel):
    """What was ruled or ordered, with what its clauses demand."""

    name: str
    sentence: str
    seat: int | None
    by: str
    why: str | None
    clauses: tuple[ClauseText, ...]


class DeskOfTable(BaseModel):
    """What a person in a role may do at a table at one version of it, and what comes next there."""

    table: str
    version: int
    role: str
    script: list[LineTold] = Field(description="The next lines, as far as they tell nothing of hidden cards.")
    blocked: str | None = Field(description="Why the person it names can't do the next line now.")
    reports: list[ReportTold]
    orders: list[OrderTold]
    decisions: list[directing.DecisionOffer]
    rulings: list[RulingCited]
    minute: int = Field(description="The time that notice is reckoned by: minutes of the day, UTC.")


@router.get("/desk", responses=refusals(401, 403))
async def desk(house: TheHouse, person: Staff, request: Request) -> list[DeskTable]:
    """All tables of the house as staff see them, halted and closed ones too."""
    forwarder: Forwarder = request.app.state.forwarder
    records = await asyncio.to_thread(house.stores.tables.all)
    gone = {record.id for record in records if record.state == "closed" and is_private(record.id)}
    others = [_TABLES.validate_json(bytes(one.body)) for one in await forwarder.ask_all(request)]
    elsewhere = {one.id: one for tables in others for one in tables if one.here}
    every = (_glance(house, record, person) for record in records if record.number and record.id not in gone)
    return [one if one.here else elsewhere.get(one.id, one) for one in every]


@router.get("/tables/{table_id}/desk", responses=refusals(401, 403, 404, 409))
async def desk_of_table(
    house: TheHouse,
    person: CurrentPerson,
    table_id: str,
    role: Annotated[Role, Query(description="Your role at the table.")],
) -> DeskOfTable:
    """What you may do at a table now in a role: each offer would be accepted, each refusal says why not."""
    if role not in duties(person, None):
        raise HTTPException(403, f"expected a person with the role {spoken(ROLES[role].account)}, got {person.name}")
    room = await house.room_here(table_id)
    if role not in duties(person, room.table.rules.rules):
        raise HTTPException(403, f"expected a role that this table's book knows, got {spoken(role)}")
    minute = minute_of_day(house)
    # Everything that might be ordered or reported is tried: that is too much for the loop that plays the tables.
    return await asyncio.to_thread(_desk, table_id, room.table, role, minute)


def _desk(table_id: str, table: Table, role: Role, minute: int) -> DeskOfTable:
    return DeskOfTable(
        table=table_id,
        version=table.version,
        role=role,
        script=[_line(one) for one in coming(table)],
        blocked=_blocked(table),
        reports=[
            ReportTold(command=msgspec.to_builtins(one.command), what=one.what)
            for one in directing.reports(table, role)
        ],
        orders=[_order(table, one) for one in directing.orders(table, role, minute)],
        decisions=list(directing.decisions(table, role)),
        rulings=_rulings(table),
        minute=minute,
    )


def _glance(house: House, record: TableRecord, person: Person) -> DeskTable:
    """Return a table at a glance; of one that is played elsewhere, what the servers tell each other."""
    room = house.rooms.get(record.id)
    if room is not None and not room.host.lost:
        return _live(room, record, person)
    facts, elsewhere = facts_of(record), house.nodes.listing().get(record.id)
    closing = record.state == "open" and record.reason.startswith(CLOSING)
    return DeskTable(
        id=record.id,
        name=record.name,
        rulebook=facts.rulebook,
        limits_cents=facts.limits_cents,
        seats=facts.seats,
        state="closing" if closing else record.state,
        reason=record.reason.removeprefix(CLOSING) or None,
        here=False,
        phase=elsewhere.phase if elsewhere is not None and record.state == "open" else "",
        round=elsewhere.round if elsewhere is not None else 0,
        players=[],
        dealer="automatic",
        clock=None,
        waits_for=None,
        side_bets=facts.side_bets,
        actor=None,
        disputes=0,
        disputes_wait_for=[],
        roles=list(duties(person, None)),
        rulings=[],
        closing_notice=None,
    )


def _live(room: Room, record: TableRecord, person: Person) -> DeskTable:
    """Return a table of this server at a glance."""
    facts, table, known = facts_of(record), room.table, room.standing()
    reason = room.host.halted or room.record.reason.removeprefix(CLOSING)
    limit, step = table.rules.rules.limit, next(iter(coming(table, 1)), None)
    return DeskTable(
        id=record.id,
        name=record.name,
        rulebook=facts.rulebook,
        limits_cents=[limit.cents_min, limit.cents_max],
        seats=facts.seats,
        state=known.state,
        reason=reason or None,
        here=True,
        phase=table.phase,
        round=table.round,
        players=[seat.player for seat in table.seats.values() if seat.player],
        dealer=known.dealer,
        clock=known.clock,
        waits_for=step.text if step is not None else NO_BANK if bank_stands_open(table) else None,
        side_bets={wager.id: wager.title for wager in table.rules.sides},
        actor=None if step is None else step.actor,
        disputes=len(table.disputes),
        disputes_wait_for=[one.heard_by[0] for one in table.disputes if one.appealed or not one.decisions],
        roles=list(duties(person, table.rules.rules)),
        rulings=[ruling.sentence for ruling in table.rulings],
        closing_notice=_closing_notice(table),
    )


def _closing_notice(table: Table) -> NoticeTold | None:
    minutes = table.rules.rules.close.notice_minutes
    if not minutes or not any(seat.player for seat in table.seats.values()):
        return None
    return NoticeTold(minutes=minutes, clauses=_cited(table, "order:close"))


def _cited(table: Table, ruling: str) -> tuple[ClauseText, ...]:
    return clause_texts(table.rules.ruling_clauses.get(ruling, ()))


def _line(one: ScriptLine) -> LineTold:
    return LineTold(
        step=msgspec.to_builtins(one.step),
        actor=one.actor,
        text=one.text,
        mends=KINDS[one.step.kind].mends,
        clauses=clause_texts(one.clauses),
    )


def _blocked(table: Table) -> str | None:
    """Return why the next step is refused to the role that has to do it; what the server adds is not asked for."""
    step = table.next_step
    if step is None or KINDS[step.kind].actor == "player" or needed(table, step):
        return None
    refusal = legal(table, plain(step))
    return None if refusal is None else refusal.sentence


def _order(table: Table, one: directing.OrderOffer) -> OrderTold:
    # New limits need no notice as such: a higher minimum does.
    ruling = "order:raise" if one.kind == "limits" else f"order:{one.kind}"
    clauses = _cited(table, ruling) if one.notice_minutes else ()
    return OrderTold(
        kind=one.kind,
        asks=one.asks,
        seats=one.seats,
        seats_min=one.seats_min,
        seats_max=one.seats_max,
        decks=one.decks,
        grounds=one.grounds,
        notice_minutes=one.notice_minutes,
        notice_clauses=clauses,
        refused=one.refusal.sentence if one.refusal is not None else None,
    )


def _rulings(table: Table) -> list[RulingCited]:
    return [
        RulingCited(
            name=one.name,
            sentence=one.sentence,
            seat=one.seat or None,
            by=one.by,
            why=one.why or None,
            clauses=clause_texts(one.clauses),
        )
        for one in table.rulings
    ]
