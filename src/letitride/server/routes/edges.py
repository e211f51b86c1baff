"""Edges: the exact house edge of every bet at every table that you may see; worked out once for each book."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from fastapi import APIRouter
from pydantic import BaseModel, Field

from letitride.analysis.par import WagerSheet, wager_sheets
from letitride.analysis.rounding import percent
from letitride.rules.table_rules import TableRules
from letitride.server.net.access import ANYWHERE, OptionalPerson, TheHouse
from letitride.server.routes.history import TheHistory
from letitride.server.routes.lobby import lobby
from letitride.server.routes.rules import rules_in_force
from letitride.server.runtime.pricing import run_pricing

router = APIRouter(prefix="/api", tags=["lobby"], responses=ANYWHERE)
KEPT: Final = 256


class Edge(BaseModel):
    """The house edge of a bet by best play, decisions worth nothing taken back: what is lost on average of one bet.

    Of the base game, of one of its three equal bets. Before fees and maximum payouts of the base game.
    """

    wager: str
    hands: int | None = Field(description="Of a bet on the best hand at the table: with how many hands in the round.")
    exact: str = Field(description="The reduced fraction.")
    text: str = Field(description="In percent, rounded to four places.")
    risk_exact: str | None = Field(description="Of the base game: the same loss over what is left riding on average.")
    risk_text: str | None
    stake_cents: int | None = Field(description="At which stake, where that makes a difference.")


class TableEdges(BaseModel):
    """The edges of a table."""

    table: str
    edges: tuple[Edge, ...]


_known: dict[str, tuple[Edge, ...]] = {}
"""By the digest of a table's rules: its book with the table's own values."""


@router.get("/edges")
async def edges(house: TheHouse, history: TheHistory, person: OptionalPerson) -> list[TableEdges]:
    """The house edge of every bet, at all tables you may see."""
    every = lobby(house, person)
    seen = await asyncio.to_thread(lambda: [one for one in every if house.private.may_see(person, one.id)])
    found = []
    for one in seen:
        if one.sha256 not in _known:
            rules = await rules_in_force(house, history, one.id)
            made = await run_pricing(partial(_edges, rules))
            while len(_known) >= KEPT:
                del _known[next(iter(_known))]
            _known[one.sha256] = made
        found.append(TableEdges(table=one.id, edges=_known[one.sha256]))
    return found


def _edges(rules: TableRules) -> tuple[Edge, ...]:
    every = (sheet for wager in rules.wagers.values() for sheet in wager_sheets(rules.pays[wager.id]))
    return tuple(map(_edge, every))


def _edge(sheet: WagerSheet) -> Edge:
    risk, stake = sheet.element_of_risk, sheet.pays.priced_cents
    return Edge(
        wager=sheet.wager.id,
        hands=sheet.hands or None,
        exact=str(sheet.house_edge),
        text=percent(sheet.house_edge),
        risk_exact=None if risk is None else str(risk),
        risk_text=None if risk is None else percent(risk),
        stake_cents=None if stake is None else int(stake),
    )
