"""A gaming day of a house with two servers on one PostgreSQL; every figure of its report again from the journals."""

from __future__ import annotations

import asyncio
import csv
import io
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import isclose, sqrt
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import numpy as np

from letitride.analysis.base import best_play, plain_nets, price
from letitride.analysis.side_bets import combine, price_side
from letitride.engine import events
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.ledger.chips import DEFAULT_RACK
from letitride.reports.pit.gaming_day import GamingDays
from letitride.rules.paytables import Pays
from letitride.server.app import create
from letitride.server.runtime.pace import Pace
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.codec import decode
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from tests.analysis.independent import columns
from tests.server.cluster import database
from tests.server.inside import Inside
from tests.server.staffed import Visitor, asked, base, comes, until
from tests.storage.conftest import postgres

__all__ = ["postgres"]
ZONE = "America/Los_Angeles"
DAY = "2026-06-01"
BY_HAND, BY_ITSELF = "washington-1", "nsw-1"
PACE = Pace(step=0, bets=0, choice=10_000, share=0, grace=10_000, retry=0, patience=60)
LEASE_MS = 600_000
HOUR_MS = 3_600_000
SLIP = {"asked_by": "Dora", "brought_by": "Sam", "received_by": "Dora"}
TWO = {"counted_by": "Eve"}


def moment(hour: int, minute: int = 0) -> int:
    """A time of the day by the clock on the wall, in milliseconds since 1970."""
    return int(datetime(2026, 6, 1, hour, minute, tzinfo=ZoneInfo(ZONE)).timestamp()) * 1000


@asynccontextmanager
async def server(url: str, node: str) -> AsyncIterator[Inside]:
    """A server of the house, whose clock stands until it is moved."""
    house = House(open_store(url), node=node, address=f"http://{node}", pace=PACE, lease_ms=LEASE_MS)
    house.days = GamingDays(ZONE, 6)
    one = Inside(house, create(house, demo=False))
    one.now_ms = moment(5, 30)
    await house.start(demo=False)
    try:
        yield one
    finally:
        await one.close()


@dataclass
class Pit:
    """The house as the test plays in it."""

    one: Inside
    two: Inside

    def clock(self, hour: int, minute: int = 0) -> None:
        """Move both clocks."""
        self.one.now_ms = self.two.now_ms = moment(hour, minute)

    async def signed_in(self, name: str, here: Inside) -> httpx.AsyncClient:
        """Someone of the house who has just signed in at a server."""
        return here.client(await here.house.people.sessions.begin(name))

    async def sits(self, here: Inside, table: str, name: str, seat: int, cents: int) -> Visitor:
        """A player with money who sits down."""
        await here.account(name, cents=200_000)
        visitor = Visitor(here.house.room(table), name)
        assert (await visitor.ask("Sit", seat=seat, player="", cents=cents))["accepted"]
        return visitor


async def played(
    room: Room, players: dict[int, Visitor], bets: dict[int, dict[str, int]], *, dealer: Visitor | None = None
) -> None:
    """Play until the round is over; even seats take back what they may, odd ones let it ride."""
    number = rounds_over(room) + 1
    while rounds_over(room) < number:
        table = room.table
        step = table.next_step
        if asked(table, "await_inspection"):
            assert step is not None
            answer = await players[step.seat].ask("LookOver", seat=step.seat)
        elif asked(table, "await_choice"):
            assert step is not None
            choice = "withdraw" if step.seat % 2 == 0 else "ride"
            answer = await players[step.seat].ask("Choose", seat=step.seat, bet=step.number, choice=choice)
        elif table.phase == "betting" and (due := [n for n in bets if not table.seats[n].wagers]):
            answer = await players[due[0]].ask("PlaceWagers", seat=due[0], wagers=bets[due[0]])
        elif dealer is None or step is None:
            await until(room, lambda now, before=table: now is not before)
            continue
        else:
            who = dealer if KINDS[step.kind].actor == "dealer" else Visitor(room, "Flo", "floor", role="floor")
            answer = await who.say(type="next", id=f"{number} {table.version}", version=table.version)
        assert answer["accepted"] or answer["code"] == "stale", answer


def rounds_over(room: Room) -> int:
    """How many rounds have ended."""
    return room.table.round - (room.table.phase in {"betting", "dealing", "choice_1", "choice_2", "settling", "ruling"})


async def slip(client: httpx.AsyncClient, table: str, kind: str, status: int = 201, **more: Any) -> Any:
    """Write a slip of a tray as it stands."""
    saw = (await client.get(f"/api/tables/{table}/tray")).json()
    place = {name: saw[name] for name in ("tray", "version", "row")}
    answer = await client.post(f"/api/tables/{table}/tray", json={"kind": kind, **place, **more})
    assert answer.status_code == status, answer.text
    return answer.json()


def chips(cents: int) -> dict[str, int]:
    """A whole count of so much, all of it in $5 chips but for what does not go into them."""
    fives, ones = cents // 500 * 500, cents % 500
    return {str(one): {500: fives, 100: ones}.get(one, 0) for one in DEFAULT_RACK}


async def approved(client: httpx.AsyncClient, act: str) -> Any:
    """Approve the one request of a kind that waits."""
    (one,) = [
        one for one in (await client.get("/api/approvals")).json() if (one["state"], one["act"]) == ("waiting", act)
    ]
    return (await client.post(f"/api/approvals/{one['id']}/approve", json={"why": "seen on camera"})).json()


# the day


async def the_day(pit: Pit) -> None:
    """Open, fill, deal by hand and by itself, irregularities, a dispute, relief, close by the book, count."""
    one, two = pit.one, pit.two
    await one.house.open(BY_HAND, "Table 1", BY_HAND)
    await two.house.open(BY_ITSELF, "Table 2", BY_ITSELF)
    by_hand, alone = one.house.room(BY_HAND), two.house.room(BY_ITSELF)
    await one.account("Flo", "floor")
    await one.account("Carl", "casino_supervisor")
    # The last round of the day before.
    ann = await pit.sits(two, BY_ITSELF, "Ann", 1, 50_000)
    await played(alone, {1: ann}, {1: base()})

    pit.clock(6, 5)
    flo, flo_two = await pit.signed_in("Flo", one), await pit.signed_in("Flo", two)
    await slip(flo, BY_HAND, "opener", chips=chips(400_000), **TWO)
    await slip(flo_two, BY_ITSELF, "opener", chips=chips(300_000), **TWO)
    await slip(flo, BY_HAND, "fill", chips={"500": 50_000}, **SLIP)
    no = await slip(flo, BY_HAND, "fill", 409, chips={"500": 250_000}, **SLIP)
    assert no["code"] == "awaits_approval"
    assert (await approved(await pit.signed_in("Carl", one), "fill"))["state"] == "done"

    # Dora deals by hand; the other table deals by itself at the other server.
    pit.clock(6, 30)
    bob = await pit.sits(one, BY_HAND, "Bob", 1, 80_000)
    cid = await pit.sits(one, BY_HAND, "Cid", 2, 60_000)
    players = {1: bob, 2: cid}
    bets = {1: base() | {"bonus": 100, "three_card": 1_000}, 2: base(1_000)}
    dora = Visitor(by_hand, "Dora", "dealer", role="dealer")
    assert {} == await dora.say(type="take_shift")
    there = Visitor(alone, "Dora", "dealer", role="dealer")
    assert f"deals at {BY_HAND}" in (await there.say(type="take_shift"))["sentence"]
    await played(by_hand, players, bets, dealer=dora)
    pit.clock(7, 10)
    await played(alone, {1: ann}, {1: base(2_500)})
    # Ann is away when she is to decide.
    await until(alone, lambda table: table.phase == "betting")
    assert (await ann.ask("PlaceWagers", seat=1, wagers=base()))["accepted"]
    await until(alone, lambda table: asked(table, "await_choice"))
    floor = Visitor(alone, "Flo", "floor", role="floor")
    number = rounds_over(alone)
    assert (await floor.ask("Report", kind="absent", seat=1))["accepted"]
    await until(alone, lambda _: rounds_over(alone) > number)

    # Relief; the shuffler stops once the cards are dealt, and the hands are played out.
    pit.clock(7, 50)
    assert {} == await dora.say(type="end_shift")
    pit.clock(8, 0)
    dan = Visitor(by_hand, "Dan", "dealer", role="dealer")
    assert {} == await dan.say(type="take_shift")
    number = rounds_over(by_hand) + 1
    dealt = asyncio.create_task(played(by_hand, players, bets, dealer=dan))
    await until(by_hand, lambda table: table.phase == "choice_1" and table.round == number)
    floor = Visitor(by_hand, "Flo", "floor", role="floor")
    assert (await floor.ask("Report", kind="device_failure"))["accepted"]
    await dealt

    # A dispute whose award needs two people.
    pit.clock(8, 40)
    assert (await bob.ask("RaiseDispute", seat=1, about=f"round {number}, 3 Card Bonus, $2,000"))["accepted"]
    role = by_hand.table.disputes[0].heard_by[0]
    judge = Visitor(by_hand, "Flo", "floor", role=role)
    wish = {"number": 1, "upheld": True, "why": "The camera shows a straight", "cents": 200_000}
    assert "approval" in (await judge.ask("DecideDispute", **wish))["sentence"]
    assert (await approved(await pit.signed_in("Carl", one), "award"))["state"] == "done"

    # The rest of the day by itself: Dan goes, Cid leaves, and both tables close, one of them with notice.
    pit.clock(9, 15)
    assert {} == await dan.say(type="end_shift")
    assert (await cid.ask("Leave", seat=2))["accepted"]
    await played(by_hand, {1: bob}, {1: base()})
    pit.clock(10, 0)
    flo, flo_two = await pit.signed_in("Flo", one), await pit.signed_in("Flo", two)
    closing = {"state": "closing", "why": "the end of the day"}
    assert (await flo_two.post(f"/api/tables/{BY_ITSELF}/state", json=closing)).status_code == 409
    games = Visitor(alone, "Flo", "floor", role="games_supervisor")
    assert (await games.ask("Order", kind="announce_closing", when=alone_minute(two) + 20))["accepted"]
    pit.clock(10, 20)
    alone.host.wake()
    assert (await flo.post(f"/api/tables/{BY_HAND}/state", json=closing)).status_code == 200
    for room in (by_hand, alone):
        await comes(room, lambda room=room: room.state == "closed")
    pit.clock(10, 45)
    for client, table, off in ((flo, BY_HAND, 0), (flo_two, BY_ITSELF, -500)):
        due = (await client.get(f"/api/tables/{table}/tray")).json()["expected_cents"]
        await slip(client, table, "closer", chips=chips(due + off), **TWO)
        drop = sum(
            row.cents for row in transfers(one.house.stores, table, moment(6)) if row.source.startswith("wallet:")
        )
        await slip(client, table, "drop", box_cents=drop, **TWO)


def alone_minute(here: Inside) -> int:
    """The minute of the day as signs at a table tell it."""
    return here.now_ms // 60_000 % (24 * 60)


def transfers(stores: Stores, table: str, from_ms: int) -> Iterator[Any]:
    """The chips that moved at a table since a time, by its journal."""
    for row in stores.journal.rows(table):
        if row.at >= from_ms:
            yield from (chips for event in decode(row.events) for chips in event.chips)


# the second computation


@dataclass
class Counted:
    """A table's day as the events of its journal add up; nothing here comes from the reports."""

    figures: Counter[str] = field(default_factory=Counter)
    theoretical: Fraction = Fraction(0)
    given_away: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    log: list[tuple[str, int, str]] = field(default_factory=list)
    dealt: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    ratings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    edges: defaultdict[str, Fraction] = field(default_factory=lambda: defaultdict(Fraction))


def counted(stores: Stores, table_id: str, dealers: list[tuple[int, int, str]]) -> Counted:
    """Count a table's day, where `dealers` say who dealt by hand from when to when."""
    found = Counted()
    table: Table | None = None
    players: dict[int, str] = {}
    since: dict[str, int] = {}
    bets: dict[int, dict[str, int]] = {}
    wrong: list[tuple[int, Fraction]] = []
    last_step, moved = "", 0
    for row in stores.journal.rows(table_id):
        today = row.at >= moment(6)
        for event in decode(row.events):
            before, table = (
                table,
                new_table(event) if isinstance(event, events.TableOpened) else evolve(_there(table), event),
            )
            tray = sum(((one.target == "tray") - (one.source == "tray")) * one.cents for one in event.chips)
            moved += 0 if isinstance(event, events.DisputeDecided) else tray
            if today:
                _money(found, event)
            match event:
                case events.PlayerSat():
                    players[event.seat] = event.player
                    since[event.player] = max(row.at, moment(6))
                case events.PlayerLeft():
                    name = players.pop(event.seat)
                    found.ratings[name]["ms"] += row.at - since.pop(name)
                case events.WagersPlaced():
                    bets[event.seat] = dict(event.wagers)
                case events.ChoiceMade():
                    if not event.signal.startswith("ruled"):
                        wrong.append((event.seat, _mistake(_there(before), event)))
                    if event.choice == "withdraw":
                        bets[event.seat].pop(f"base-{event.bet}")
                case events.StepDone() if row.by == "dealer":
                    hand = [who for start, end, who in dealers if row.command and start <= row.at <= end]
                    last_step = hand[0] if hand else "automatic"
                case events.Ruled() | events.DisputeRaised() | events.DisputeDecided() if today:
                    found.log.append(_logged(event))
                case events.RoundEnded() | events.RoundVoided():
                    settled = isinstance(event, events.RoundEnded)
                    if today:
                        found.figures.update(rounds=1, void_rounds=not settled)
                        found.dealt[last_step].update(rounds=1, win_cents=moved)
                        found.figures["win_cents"] += moved
                        if settled:
                            _settled(found, _there(before), bets, wrong, players)
                    bets, wrong, moved = {}, [], 0
                case _:
                    continue
    for name, began in since.items():
        found.ratings[name]["ms"] += moment(11) - began
    return found


def _there(table: Table | None) -> Table:
    assert table is not None
    return table


def _money(found: Counted, event: events.AnyEvent) -> None:
    for one in event.chips:
        if one.source.startswith("wallet:"):
            found.figures["drop_cents"] += one.cents
            found.ratings[one.source.removeprefix("wallet:")]["drop_cents"] += one.cents
    match event:
        case events.DisputeRaised():
            found.figures["disputes_raised"] += 1
        case events.DisputeDecided():
            found.figures["disputes_upheld"] += event.upheld
            found.figures["awards_cents"] += sum(one.cents for one in event.chips)
        case events.Ruled():
            found.figures["orders" if event.ruling.name.startswith("order:") else "irregularities"] += 1
        case _:
            return


def _settled(
    found: Counted,
    table: Table,
    left: dict[int, dict[str, int]],
    wrong: list[tuple[int, Fraction]],
    players: dict[int, str],
) -> None:
    """Count a round as it lay before its end: what was left of each seat's bets, and its mistakes."""
    for seat, riding in left.items():
        placed = {**riding, **{f"base-{number}": riding["base-$"] for number in (1, 2)}}
        found.figures.update(hands=1, handle_cents=sum(riding.values()))
        unit, sides = placed["base-$"], {name: cents for name, cents in placed.items() if "base" not in name}
        theory = edge(table, "base") * unit + sum(edge(table, name) * cents for name, cents in sides.items())
        found.theoretical += theory
        found.variance += unit**2 * spread(table, tuple((name, Fraction(cents, unit)) for name, cents in sides.items()))
        found.edges[players[seat]] += theory
        won = sum(result.net_cents for result in table.seats[seat].results)
        found.ratings[players[seat]].update(hands=1, base_cents=unit, win_cents=-won)
    found.given_away += sum((cents for seat, cents in wrong if seat in left), Fraction(0))


def edge(table: Table, wager: str) -> Fraction:
    """The exact house edge of a bet."""
    pays = table.rules.pays[wager]
    return (price(pays) if wager == "base" else price_side(pays)).house_edge


def spread(table: Table, sides: tuple[tuple[str, Fraction], ...]) -> Fraction:
    """The variance of a hand's bets together, in units of one base bet."""
    nets = plain_nets(table.rules.base_pays)
    cases = combine(nets, best_play(nets), {name: (table.rules.pays[name], stake) for name, stake in sides}).results
    mean = Fraction(sum(net * many for net, many in cases.cases.items()), cases.total)
    return Fraction(sum(net**2 * many for net, many in cases.cases.items()), cases.total) - mean**2


def _mistake(table: Table, made: events.ChoiceMade) -> Fraction:
    """What a decision gave away, in cents: every case of the cards that its player had not seen, one by one."""
    known = [face.index for face in table.faces(made.seat)]
    known += [one.face.index for one in table.community() if one.up]
    rest = [card for card in range(52) if card not in known]
    cases = np.array([(*known, *more) for more in combinations(rest, 5 - len(known))], dtype=np.int64)
    nets = nets_of(table.rules.base_pays)
    worth = Fraction(sum(nets[column] for column in columns(cases)), len(cases))
    stake = table.seats[made.seat].wagers[f"base-{made.bet}"]
    is_wrong = worth < 0 if made.choice == "ride" else worth > 0
    return abs(worth) * stake if is_wrong else Fraction(0)


NAMES = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")


def nets_of(pays: Pays) -> list[Fraction]:
    """What a base bet wins by each column of hands."""
    paid = {rank.name.lower(): pay for rank, pay in pays.columns[0].items()}
    return [*(paid.get(name, Fraction(-1)) for name in (*NAMES, "two_pair", "tens_or_better")), Fraction(-1)]


def _logged(event: Any) -> tuple[str, int, str]:
    if isinstance(event, events.Ruled):
        kind = "order" if event.ruling.name.startswith("order:") else "irregularity"
        return kind, event.ruling.seat, event.ruling.sentence
    if isinstance(event, events.DisputeRaised):
        return "dispute", event.dispute.seat, event.dispute.about
    return "ruling on a dispute", event.seat, event.why


def both_of(found: dict[str, Counted]) -> Counted:
    """The two tables together."""
    one, two = found.values()
    figures = one.figures.copy()
    figures.update(two.figures)  # a sum of counters leaves out what is below 0
    return Counted(
        figures=figures,
        theoretical=one.theoretical + two.theoretical,
        given_away=one.given_away + two.given_away,
        variance=one.variance + two.variance,
    )


def same_figures(told: dict[str, Any], found: Counted) -> None:
    """Every figure of a table, or of the house."""
    counts = found.figures
    for name in (
        *("rounds", "void_rounds", "hands", "handle_cents", "drop_cents", "win_cents", "awards_cents"),
        *("irregularities", "orders", "disputes_raised", "disputes_upheld", "bank_win_cents", "fees_cents"),
    ):
        assert (name, told.pop(name)) == (name, counts[name])
    hold = str(Fraction(counts["win_cents"], counts["drop_cents"])) if counts["drop_cents"] else None
    played = found.theoretical + found.given_away
    assert told.pop("theoretical_win_cents")["exact"] == str(found.theoretical)
    assert told.pop("theoretical_as_played_cents")["exact"] == str(played)
    assert (told.pop("hold") or {}).get("exact") == hold
    assert isclose(told.pop("standard_deviations"), float(counts["win_cents"] - played) / sqrt(found.variance))
    assert told.pop("band_sentence").endswith(": too few to judge the win; 700 are needed")
    assert told == {"band": "few", "band_low_cents": None, "band_high_cents": None, "alarm": False}


def same_log(told: list[dict[str, Any]], found: dict[str, Counted]) -> None:
    """Every entry of the incident log, with the names of those who reported or ruled."""
    for table, one in found.items():
        entries = [entry for entry in told if entry["table"] == table]
        assert [(entry["kind"], entry["seat"] or 0) for entry in entries] == [entry[:2] for entry in one.log]
        for entry, (_, _, said) in zip(entries, one.log, strict=True):
            assert said in entry["ruling"]
    # At its announced time the table closed by itself.
    assert [(entry["kind"], entry["reporter_name"]) for entry in told] == [
        ("irregularity", "Flo"),
        ("irregularity", "Flo"),
        ("dispute", "Bob"),
        ("ruling on a dispute", "Flo"),
        ("order", "Flo"),
        ("order", None),
    ]


def same_file(text: str, told: dict[str, Any]) -> None:
    """The ratings as CSV say in dollars what the report says."""
    lines = list(csv.DictReader(io.StringIO(text)))
    assert {(told["day"], one["player"]) for one in told["ratings"]} == {
        (one["gaming_day"], one["player"]) for one in lines
    }
    for line, one in zip(lines, told["ratings"], strict=True):
        bet = one["average_bet_cents"]
        exact = [Fraction(one[what]["exact"]) for what in ("theoretical_win_cents", "decisions_an_hour")]
        assert (line["average_bet"] == "") == (bet is None)
        assert bet is None or abs(Decimal(line["average_bet"]) * 100 - Decimal(bet["value"])) <= 1
        assert abs(Fraction(line["theoretical_win"]) * 100 - exact[0]) <= 1
        assert abs(Fraction(line["decisions_an_hour"]) - exact[1]) <= Fraction(1, 10)
        assert (int(line["hands"]), *(round(Fraction(line[what]) * 100) for what in ("drop", "win"))) == (
            one["hands"],
            one["drop_cents"],
            one["win_cents"],
        )


def same_ratings(told: list[dict[str, Any]], found: dict[str, Counted]) -> None:
    """Every player's rating."""
    assert {one["player"] for one in told} == {"Ann", "Bob", "Cid"}
    for one in told:
        ((counts, theory),) = [
            (t.ratings[one["player"]], t.edges) for t in found.values() if one["player"] in t.ratings
        ]
        hours = Fraction(counts["ms"], HOUR_MS)
        assert (one["minutes"], one["hands"]) == (counts["ms"] / 60_000, counts["hands"])
        assert (one["drop_cents"], one["win_cents"]) == (counts["drop_cents"], counts["win_cents"])
        assert one["average_bet_cents"]["exact"] == str(Fraction(counts["base_cents"], counts["hands"]))
        assert one["decisions_an_hour"]["exact"] == str(counts["hands"] / hours)
        assert one["theoretical_win_cents"]["exact"] == str(theory[one["player"]])


def same_tray(told: dict[str, Any], stores: Stores, table: str, fills: int, off: int) -> None:
    """The result of a tray: closer + drop - opener - fills, beside what the transfers of the day moved in it."""
    moved, drop = 0, 0
    for one in transfers(stores, table, moment(6, 5)):
        moved += one.cents * ((one.target == "tray") - (one.source == "tray"))
        drop += one.cents * one.source.startswith("wallet:")
    assert told["result_cents"] == told["counted_cents"] + drop - told["opener_cents"] - fills == moved + off
    assert (told["result_ledger_cents"], told["difference_cents"], told["fills_cents"]) == (moved, off, fills)


def test_every_figure_of_a_gaming_day_with_two_servers_is_what_the_journals_add_up_to(postgres: str) -> None:
    async def go(url: str) -> None:
        async with AsyncExitStack() as both:
            one = await both.enter_async_context(server(url, "one"))
            two = await both.enter_async_context(server(url, "two"))
            pit = Pit(one, two)
            await the_day(pit)
            pit.clock(11, 0)
            flo, flo_two = await pit.signed_in("Flo", one), await pit.signed_in("Flo", two)
            told = (await flo.get(f"/api/pit?day={DAY}")).json()
            assert told == (await flo_two.get(f"/api/pit?day={DAY}")).json()
            month = (await flo.get(f"/api/pit?month={DAY[:7]}")).json()
            assert month["total"] == told["total"]
            before = (await flo.get("/api/pit?day=2026-05-31")).json()["tables"]
            day_before = [(one["table"], one["figures"]["rounds"], one["figures"]["drop_cents"]) for one in before]
            assert day_before == [(BY_ITSELF, 1, 50_000), (BY_HAND, 0, 0)]
            stores = one.house.stores
            by_hand = [(moment(6, 30), moment(7, 50), "Dora"), (moment(8), moment(9, 15), "Dan")]
            found = {
                table: counted(stores, table, by_hand if table == BY_HAND else []) for table in (BY_ITSELF, BY_HAND)
            }
            assert [one["table"] for one in told["tables"]] == list(found)
            for table in told["tables"]:
                same_figures(table["figures"], found[table["table"]])
                dealt = {who: dict(did) for who, did in found[table["table"]].dealt.items()}
                assert dealt == {one.pop("dealer"): one for one in table["dealt"]}
            same_figures(told["total"], both_of(found))
            same_log(told["log"], found)
            same_ratings(told["ratings"], found)
            same_file((await flo_two.get(f"/api/pit/ratings?day={told['day']}")).text, told)
            times = [(one["dealer"], one["since"][11:16], one["until"][11:16]) for one in told["tables"][1]["dealers"]]
            assert times == [("Dora", "06:30", "07:50"), ("Dan", "08:00", "09:15")]
            for table, fills, off in ((BY_HAND, 300_000, 0), (BY_ITSELF, 0, -500)):
                result = (await (flo if table == BY_HAND else flo_two).get(f"/api/tables/{table}/tray")).json()[
                    "result"
                ]
                same_tray(result, stores, table, fills, off)

    with database(postgres) as url:
        asyncio.run(go(url))
