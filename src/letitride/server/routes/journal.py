"""Journal: a table's rows as they were written, hashes and all, for auditors; it reveals no hidden card."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query
from pydantic import BaseModel, Field

from letitride.server.net.access import ANYWHERE, Auditor, TheHouse, refusals
from letitride.server.routes.history import TableId, TheHistory
from letitride.server.tables.audit_notes import people_of
from letitride.server.tables.disclosure import Disclosure, disclosure
from letitride.server.tables.stored_shuffles import published_of
from letitride.storage.journal import FORMAT, OpenedRow, Row
from letitride.storage.roles.audit import entries_between
from letitride.storage.roles.journal import NUMBER_MAX

router = APIRouter(prefix="/api/tables/{table_id}", tags=["audit"], responses=ANYWHERE)
ROWS_MAX = 500


class RowTold(BaseModel):
    """A row. Its hash is SHA-256 over the format, a line of JSON with the other fields, the events as they are kept."""

    number: int
    at_ms: int
    by: str
    person: str | None = Field(description="Of a round's rows: who of the house it was, where the audit has the name.")
    command: str
    epoch: int
    previous: str | None
    hash: str | None = Field(description="Null from the first row on that hides a card: it could be tried out.")
    events: str | None = Field(
        description="What happened, letter by letter; null while it would tell a hidden card, or in an archive."
    )
    sealed: str | None = Field(
        description="The events as they are kept, where they were sealed while a deck was in play."
    )
    row_key: str | None = Field(
        description="What opens them, 64 hexadecimal digits: AES-256-GCM, as docs/storage.md says."
    )


class JournalEnd(BaseModel):
    """Where a journal ends."""

    number: int
    hash: str | None = Field(description="Null where one of the last rows hides a card.")


class JournalTold(BaseModel):
    """Rows of a table's journal, and where it ends."""

    table: str
    format: str = Field(description="What every hash begins with.")
    rows: list[RowTold]
    next_after: int | None = Field(description="For later rows ask again with after=…; null: there are none.")
    end: JournalEnd
    shuffles: list[int] = Field(
        description="Of the round that was asked for: the numbers of the decks that are opened."
    )


@router.get("/journal", responses=refusals(401, 403, 404, 422))
async def journal(
    *,
    house: TheHouse,
    history: TheHistory,
    by: Auditor,  # noqa: ARG001 - who may ask
    table_id: TableId,
    after: Annotated[int, Query(ge=0, le=NUMBER_MAX, description="Rows after this number.")] = 0,
    limit: Annotated[int, Query(ge=1, le=ROWS_MAX)] = 100,
    round_number: Annotated[
        int | None, Query(alias="round", ge=1, le=NUMBER_MAX, description="Only rows of this round.")
    ] = None,
) -> JournalTold:
    """Rows of a journal in order; a row that would reveal a hidden card has no events yet, and no hash."""
    past = await history.of(table_id)

    def told() -> JournalTold:
        first, last = after, NUMBER_MAX
        if round_number is not None:
            one = next(past.rounds(round_number, round_number, running=True), None)
            if one is None:
                raise HTTPException(404, f"expected a round that was played at this table, got {round_number}")
            first, last = max(after, one.moments[0].number - 1), one.moments[-1].number
        # The end comes first: what is written after it is not told, and what was written before is judged by what is
        # secret later. The other way round a deck that is mixed in between would be judged by what it was before.
        end = house.stores.journal.last(table_id)
        secret = disclosure(past)
        open_end = end.number >= secret.secret_from
        found = list(house.stores.journal.rows(table_id, after=first, limit=min(limit, max(last - first, 0)) + 1))
        rows = [row for row in found if row.number <= min(last, end.number)][:limit]
        further = bool(rows) and rows[-1].number < min(last, end.number)
        known: dict[tuple[int, int], str] = {}
        if round_number is not None and rows:
            known = people_of(entries_between(house.stores.audit, rows[0].at, rows[-1].at), table_id)
        return JournalTold(
            table=table_id,
            format=FORMAT.decode(),
            rows=[_told(row, secret, known.get((row.number, row.at))) for row in rows],
            next_after=rows[-1].number if further else None,
            end=JournalEnd(number=end.number, hash=None if open_end else end.hash),
            shuffles=[] if round_number is None else published_of(house.stores.documents, table_id, round_number),
        )

    return await history.run_reading(told)


def _told(row: Row, secret: Disclosure, person: str | None) -> RowTold:
    told = not secret.withholds(row) and bool(row.events)
    opened = row if told and isinstance(row, OpenedRow) else None
    return RowTold(
        number=row.number,
        at_ms=row.at,
        by=row.by,
        person=person,
        command=row.command,
        epoch=row.epoch,
        previous=None if row.number > secret.secret_from else row.previous,
        hash=None if row.number >= secret.secret_from else row.hash,
        events=row.events.decode(errors="replace") if told else None,
        sealed=opened.kept.decode(errors="replace") if opened else None,
        row_key=opened.key.hex() if opened else None,
    )
