"""Operator: tables opened while the house is open; on record, with who and why."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field

from letitride.errors import InvalidData
from letitride.rules.roles import MANAGERS
from letitride.server.net.access import ANYWHERE, RequireRole, TheHouse, refusals
from letitride.server.ops.opening import TEXT_MAX, TableRequest, open_here, own_values
from letitride.server.people.accounts import Person

router = APIRouter(prefix="/api/tables", tags=["operator"], responses=ANYWHERE)
Operator = Annotated[Person, Depends(RequireRole(*MANAGERS))]
TEXTS_MAX = 12


class NewTable(BaseModel):
    """A table to open. `rulebook` is an id, a variant, or a name ending in .toml of one of the texts sent along."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=60)
    rulebook: str = Field(min_length=1, max_length=200)
    id: str = Field("", max_length=48, description="Made from the name if left out.")
    limits_cents: tuple[int, int] | None = Field(None, description="Minimum and maximum of one bet.")
    paytables: dict[str, str] = Field(default_factory=dict, description="The paytable of a wager, such as base.")
    values: dict[str, Any] = Field(  # as it came: the keys' own types check it
        default_factory=dict, description="Other values of the table's own, by key."
    )
    texts: dict[str, Annotated[str, Field(max_length=TEXT_MAX)]] = Field(default_factory=dict, max_length=TEXTS_MAX)


class TableOpenedHere(BaseModel):
    """A table that was opened."""

    id: str


@router.post("", status_code=201, responses=refusals(422, 401, 403))
async def open_table(house: TheHouse, person: Operator, new: NewTable) -> TableOpenedHere:
    """Open a table by a published rule book or by one of your own."""
    values = own_values(new.limits_cents, new.paytables, new.values)
    try:
        wanted = TableRequest(name=new.name, rulebook=new.rulebook, id=new.id, values=values, texts=new.texts)
        return TableOpenedHere(id=await open_here(house, wanted, person.name))
    except msgspec.MsgspecError as error:
        raise InvalidData(f"expected values of a table, got others: {error}") from None
