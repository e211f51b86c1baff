"""Own rounds: your results as expectation, mistakes and luck, and your rounds to look through and to keep as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Annotated, Final, Literal, cast

import msgspec
from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.requests import HTTPConnection

from letitride.errors import InvalidData
from letitride.rules.hands import Category
from letitride.rules.words import plain_cell
from letitride.server.net.access import ANYWHERE, CurrentPerson, check_rate, refusals
from letitride.server.routes.history import NUMBER_MAX, From, To, span_ms
from letitride.server.tables.own_rounds import KnownRounds, OwnRounds
from letitride.training.own_rounds import Outcome, OwnRound
from letitride.training.statistics import BookSums, Point, Sums, best_hands, by_book, points_of, session_of, sums_of

router = APIRouter(prefix="/api/me", tags=["history"], responses=ANYWHERE)

ROUNDS_MAX: Final = 50
HANDS: Final = tuple(one.name.lower() for one in Category)
ASKED: Final = refusals(401, 422)
NAME_MAX: Final = 200

Scope = Literal["session", "table", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """What tables and books are called, by id."""

    tables: dict[str, str]
    books: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Your rounds summed up: of this session, of a table, or of all time."""

    scope: Scope
    since_ms: int | None
    sums: Sums
    points: tuple[Point, ...]
    best: list[OwnRound]
    books: tuple[BookSums, ...]
    titles: Titles
    more: bool
    """Whether not all of your rounds are read yet: ask again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRoundsPage:
    """Your rounds, the latest first."""

    rounds: list[OwnRound]
    found: int
    """How many fit what was asked for, on all pages."""
    next_before: str | None
    """For older rounds ask again with before=…; null: there are none."""
    titles: Titles
    more: bool
    """Whether not all of your rounds are read yet: ask again."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rounds are asked for."""

    book: Annotated[str, Query(max_length=NAME_MAX)] = ""
    table: Annotated[str, Query(max_length=NAME_MAX)] = ""
    first: From = None
    to: To = None
    outcome: Annotated[Outcome | None, Query(description="Rounds that were won, lost, or neither.")] = None
    hand: Annotated[str, Query(max_length=40, description="The hand of five cards: 'full_house'.")] = ""
    mistake: Annotated[bool, Query(description="Only rounds with a decision that gave something away.")] = False


def the_own_rounds(connection: HTTPConnection) -> OwnRounds:
    """Return everybody's own rounds."""
    return cast("OwnRounds", connection.app.state.own_rounds)


TheOwnRounds = Annotated[OwnRounds, Depends(the_own_rounds)]
Filter = Annotated[Wanted, Depends()]


@router.get("/statistics", responses=ASKED)
async def statistics(
    *,
    request: Request,
    own: TheOwnRounds,
    person: CurrentPerson,
    scope: Scope = "all",
    table: Annotated[str, Query(max_length=NAME_MAX, description="The table, where its rounds are asked for.")] = "",
) -> Statistics:
    """Your result, what best play wins on average, what your mistakes cost, and what was luck."""
    known = await _known(request, own, person.name)
    rounds = known.rounds
    if scope == "session":
        rounds = session_of(rounds)
    elif scope == "table":
        rounds = [one for one in rounds if one.table == table]
    return Statistics(
        scope=scope,
        since_ms=rounds[0].began_ms if rounds else None,
        sums=sums_of(rounds),
        points=points_of(rounds),
        best=best_hands(rounds),
        books=by_book(rounds),
        titles=await _titles(own, rounds),
        more=known.more,
    )


@router.get("/rounds", responses=ASKED)
async def rounds_of_mine(
    *,
    request: Request,
    own: TheOwnRounds,
    person: CurrentPerson,
    wanted: Filter,
    before: Annotated[str, Query(max_length=NAME_MAX + 80, description="Rounds before this one.")] = "",
    limit: Annotated[int, Query(ge=1, le=ROUNDS_MAX)] = 20,
) -> OwnRoundsPage:
    """Your rounds at all tables, the latest first."""
    known = await _known(request, own, person.name)
    fitting = list(_fitting(known.rounds, wanted))[::-1]
    end = _key(before) if before else None
    older = fitting if end is None else [one for one in fitting if one.key < end]
    page = older[:limit]
    return OwnRoundsPage(
        rounds=page,
        found=len(fitting),
        next_before=_name(page[-1]) if len(older) > limit else None,
        titles=await _titles(own, known.rounds),
        more=known.more,
    )


@router.get(
    "/rounds/file",
    responses={**ASKED, 200: {"content": {"text/csv": {}, "application/json": {}}}},
    response_class=Response,
)
async def rounds_file(
    *,
    request: Request,
    own: TheOwnRounds,
    person: CurrentPerson,
    wanted: Filter,
    file_format: Annotated[Literal["csv", "json"], Query(alias="format")] = "csv",
) -> Response:
    """Your rounds as a file, the oldest first: amounts in dollars as CSV, exact as JSON."""
    known = await _known(request, own, person.name)
    while known.more:  # a file is whole
        known = await own.of(person.name)
    rounds = list(_fitting(known.rounds, wanted))
    titles = await _titles(own, rounds)
    if file_format == "json":
        body = msgspec.json.format(msgspec.json.encode({"rounds": rounds, "titles": titles}), indent=1)
        media = "application/json"
    else:
        body, media = as_csv(rounds, titles.tables).encode(), "text/csv; charset=utf-8"
    shown = {"Content-Disposition": f'attachment; filename="rounds.{file_format}"'}
    return Response(body, media_type=media, headers=shown)


async def _known(request: Request, own: OwnRounds, name: str) -> KnownRounds:
    check_rate(request, "reviews_of", name)
    return await own.of(name)


async def _titles(own: OwnRounds, rounds: list[OwnRound]) -> Titles:
    return Titles(tables=await own.table_names(rounds), books={one.book: one.book_title for one in rounds})


def _fitting(rounds: Iterable[OwnRound], wanted: Wanted) -> Iterable[OwnRound]:
    if wanted.hand and wanted.hand not in HANDS:
        raise InvalidData(f"expected a hand such as full_house, got {wanted.hand!r}")
    since, until = span_ms(wanted.first, wanted.to)
    hand = HANDS.index(wanted.hand) if wanted.hand else None
    return (
        one
        for one in rounds
        if (not wanted.book or one.book == wanted.book)
        and (not wanted.table or one.table == wanted.table)
        and since <= one.ended_ms < until
        and (wanted.outcome is None or one.outcome == wanted.outcome)
        and (hand is None or one.hand == hand)
        and (not wanted.mistake or one.mistakes > 0)
    )


def _name(one: OwnRound) -> str:
    return f"{one.ended_ms}.{one.table}.{one.round}.{one.seat}"


def _key(name: str) -> tuple[int, str, int, int]:
    ended, _, rest = name.partition(".")
    table, *numbers = rest.rsplit(".", 2)
    if len(numbers) != 2 or not all(one.isascii() and one.isdigit() for one in (ended, *numbers)):
        raise InvalidData(f"expected the place of a round as next_before gives it, got {name!r}")
    return min(int(ended), NUMBER_MAX), table, int(numbers[0]), int(numbers[1])


def as_csv(rounds: Iterable[OwnRound], tables: dict[str, str]) -> str:
    """Return rounds as CSV, amounts in dollars."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    decided = [f"{what}_{bet}" for bet in (1, 2) for what in ("decision", "best", "cost")]
    writer.writerow(
        (
            *("table", "round", "seat", "status", "began_utc", "ended_utc", "rulebook", "paytable", "cards"),
            *("community", "hand", "base_bet", "wagered", "result", "fee", "as_bank"),
            *("expected", "mistakes", "luck", *decided),
        )
    )
    for one in rounds:
        name = tables.get(one.table, one.table)
        writer.writerow(
            (
                plain_cell(name),
                *(one.round, one.seat, one.status, _moment(one.began_ms), _moment(one.ended_ms), one.book),
                *(one.paytable, " ".join(one.cards), " ".join(one.community)),
                HANDS[one.hand] if one.hand >= 0 else "",
                *(_dollars(cents) for cents in (one.base_cents, one.wagered_cents, one.result_cents)),
                *(_dollars(cents) for cents in (one.fee_cents, one.bank_net_cents)),
                *_worth(one),
                *_decided(one),
            )
        )
    return file.getvalue()


def _worth(one: OwnRound) -> tuple[str, str, str]:
    if one.worth is None:
        return "", "", ""
    expected, mistakes = Fraction(one.worth.expected.exact), Fraction(one.worth.mistakes.exact)
    return _fine(expected), _fine(-mistakes), _fine(one.wagers_cents - expected + mistakes)


def _decided(one: OwnRound) -> list[str]:
    cells: list[str] = []
    for bet in (1, 2):
        made = next((each for each in one.decisions if each.bet == bet), None)
        if made is None:
            cells += ("", "", "")
        else:
            cells += (made.chosen, made.best, "" if made.cost is None else _fine(Fraction(made.cost.exact)))
    return cells


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, tz=UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _dollars(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _fine(cents: Fraction) -> str:
    return f"{float(cents) / 100 + 0.0:.4f}"
