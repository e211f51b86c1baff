"""Directing: what is offered to those who run a table is taken, what is refused says why, and nothing hidden is told."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from letitride.engine import commands, faults
from letitride.engine.decide import open_table, play
from letitride.engine.directing import OrderOffer, decisions, orders, reports
from letitride.engine.refusal import Refusal
from letitride.engine.script import coming
from letitride.engine.state import Table
from letitride.records.reader import read_record
from letitride.records.replay import replay
from tests.engine.recorded import at, by_another
from tests.server.journals import HOUSES, rules_of

RECORDS = Path(__file__).parent.parent / "records" / "irregularities"
ROLES = ("dealer", "floor", "casino_supervisor", "inspector")


@cache
def tables(house: str) -> list[Table]:
    """The table after each step of the records of a book's irregularities."""
    found = []
    for path in sorted(RECORDS.glob(f"*/{house}*.round"))[::3]:
        found += [step.after for step in replay(read_record(path.read_text(encoding="utf-8")), str(path)).steps]
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_every_report_and_order_that_is_offered_is_taken(house: str) -> None:
    taken: set[str] = set()
    wrong = [table for table in tables(house) if next(faults.evident(table), None) is not None]
    for table in (*tables(house)[::35], *wrong[::11]):
        for role in ROLES:
            for one in reports(table, role):
                _, outcome = play(table, one.command)
                assert not isinstance(outcome, Refusal), outcome
                taken.add(one.command.__class__.__name__)
            for offer in orders(table, role, 600):
                order = commands.Order(
                    by=role,
                    kind=offer.kind,
                    seats=offer.seats[: max(offer.seats_min, 0)],
                    number=offer.decks[0] if offer.decks else 0,
                    cents_min=(table.rules.rules.limit.cents_min or 0) + 500 * (offer.kind == "announce_minimum"),
                    cents_max=table.rules.rules.limit.cents_max or 0,
                    minute=600,
                    when=600 + offer.notice_minutes,
                    ground=offer.grounds[0] if offer.grounds else "",
                    why="a reason",
                )
                _, outcome = play(table, order)
                assert isinstance(outcome, Refusal) == (offer.refusal is not None), (offer, outcome)
                taken |= {offer.kind} if offer.refusal is None else set()
    assert {"Report", "WentAway", "count", "limits", "annul"} <= taken


@pytest.mark.parametrize("house", HOUSES)
def test_the_next_lines_tell_nothing_of_what_lies_face_down(house: str) -> None:
    longest = 0
    for table in tables(house):
        lines = [one.step.kind for one in coming(table)]
        assert lines[:1] == [step.kind for step in table.agenda[:1]]
        if "open_hand" in lines:
            assert set(lines[lines.index("open_hand") :]) == {"open_hand"}
        longest = max(longest, len(lines))
    assert longest == 12


def test_a_complaint_is_offered_to_who_may_decide_it() -> None:
    table, _ = open_table(rules_of("nsw-1"))
    table, _ = play(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    table, _ = play(table, commands.RaiseDispute(by="seat:1", seat=1, about="my flush was not paid"))
    heard_by = table.disputes[0].heard_by
    deciders = {role: offers[0] for role in ROLES if (offers := decisions(table, role))}
    assert set(deciders) == set(ROLES) & set(heard_by)
    for role, offer in deciders.items():
        assert offer.absent == heard_by[: heard_by.index(role)]
        decide = commands.DecideDispute(by=role, number=1, upheld=True, cents=500, why="it was so", absent=offer.absent)
        _, outcome = play(table, decide)
        assert not isinstance(outcome, Refusal)
    assert not decisions(msgspec.structs.replace(table, disputes=()), "floor")


def offered(table: Table, role: str = "casino_supervisor", minute: int = 23 * 60 + 50) -> dict[str, OrderOffer]:
    """The orders offered ten minutes before midnight, by their names."""
    return {one.kind: one for one in orders(table, role, minute)}


def codes(table: Table, role: str = "casino_supervisor") -> dict[str, str]:
    """Why each order that the book knows is refused now; '' where it is not."""
    return {kind: one.refusal.code if one.refusal else "" for kind, one in offered(table, role).items()}


ALWAYS = {"count": "", "limits": "", "announce_minimum": "", "announce_closing": "", "english_only": ""}
NSW = {
    "idle": ALWAYS
    | dict.fromkeys(("refuse_bet", "act_first", "separate", "bar", "give_up_seat"), "which_seats")
    | {"change_deck": "", "close": "", "void_bets": "no_bets", "annul": "not_now"},
    "between": ALWAYS
    | {"act_first": "", "bar": "", "separate": "which_seats", "change_deck": "not_now", "close": "notice_too_short"}
    | {"refuse_bet": "no_bets", "void_bets": "no_bets", "annul": "not_now", "give_up_seat": "may_stay"},
    "betting": ALWAYS
    | {"act_first": "", "bar": "", "separate": "", "change_deck": "", "close": "notice_too_short"}
    | {"refuse_bet": "no_bets", "void_bets": "no_bets", "annul": "not_now", "give_up_seat": "may_stay"},
    "choice_1": ALWAYS
    | {"act_first": "", "bar": "", "separate": "", "change_deck": "round_running", "close": "round_running"}
    | {"refuse_bet": "not_now", "void_bets": "", "annul": "", "give_up_seat": "may_stay"},
}


@pytest.mark.parametrize("phase", NSW)
def test_each_order_is_open_or_says_why_it_is_not(phase: str) -> None:
    table = at("new-south-wales", phase)
    assert codes(table) == NSW[phase]
    assert set(codes(table, "inspector")) == {"count"}
    assert not codes(table, "dealer")


def test_a_table_that_is_not_open_takes_no_order_and_refuses_each() -> None:
    told = codes(at("new-south-wales", "opening"))
    assert told == dict.fromkeys(get_args(commands.OrderKind), "not_now")


def test_what_a_book_does_not_know_is_not_offered() -> None:
    table = at("hand-dealt", "choice_1")
    assert not {"act_first", "english_only"} & set(codes(table))
    assert codes(table)["recut"] == "not_now"
    assert "recut" not in codes(by_another(table, cut__recut="no"))
    assert "refuse_bet" not in codes(by_another(table, bet__refuse="no"))
    assert "void_bets" not in codes(by_another(table, device_breach=("bar",)))
    assert codes(by_another(table, device_breach=("bar",)))["bar"] == ""


ASKED = {
    "count": ("why",),
    "change_deck": ("number", "cards", "why"),
    "refuse_bet": ("seats", "why"),
    "limits": ("cents_min", "cents_max", "why"),
    "announce_minimum": ("cents_min", "when", "why"),
    "announce_closing": ("when", "why"),
    "close": ("why",),
    "act_first": ("seats", "why"),
    "separate": ("seats", "why"),
    "english_only": ("why",),
    "bar": ("seats", "ground", "why"),
    "void_bets": ("seats", "ground", "why"),
    "annul": ("ground", "seats", "why"),
    "give_up_seat": ("seats", "why"),
}


def test_an_order_asks_for_what_it_needs() -> None:
    told = offered(at("new-south-wales", "choice_1"))
    assert {kind: one.asks for kind, one in told.items()} == ASKED
    assert offered(at("hand-dealt", "choice_1"))["recut"].asks == ("why",)
    assert offered(at("hand-dealt", "choice_1"))["annul"].asks == ("ground", "why")  # there nobody forfeits


def test_an_order_names_the_seats_it_may_concern() -> None:
    told = offered(at("new-south-wales", "choice_1"))
    everybody = (1, 4, 7)
    named = {kind: (one.seats, one.seats_min, one.seats_max) for kind, one in told.items() if one.seats}
    assert named == {
        "act_first": (everybody, 1, 3),
        "separate": (everybody, 2, 3),
        "bar": (everybody, 1, 3),
        "void_bets": (everybody, 1, 1),
        "annul": (everybody, 0, 3),
    }
    assert (told["give_up_seat"].seats_min, told["give_up_seat"].seats_max) == (1, 1)
    assert {told[kind].seats_min for kind in ("count", "limits", "change_deck")} == {0}
    assert {told[kind].seats_max for kind in ("count", "limits", "change_deck")} == {0}
    assert offered(at("hand-dealt", "choice_1"))["separate"].seats == (2, 5)
    bets_down = offered(at("new-south-wales", "betting", last=True))["refuse_bet"]
    assert (bets_down.seats, bets_down.seats_min, bets_down.seats_max, bets_down.refusal) == (everybody, 1, 3, None)


def test_an_order_names_its_grounds_decks_and_notice() -> None:
    table = at("new-south-wales", "choice_1")
    grounds = {kind: one.grounds for kind, one in offered(table).items() if one.grounds}
    assert grounds == {
        "bar": ("collusion", "device"),
        "void_bets": ("device",),
        "annul": ("disturbance", "fraud"),
    }
    defied = {n: msgspec.structs.replace(seat, defied=n == 4) for n, seat in table.seats.items()}
    bar = offered(msgspec.structs.replace(table, seats=defied))["bar"]
    assert bar.grounds == ("collusion", "device", "refused_correction")
    decks = {kind: one.decks for kind, one in offered(at("new-south-wales", "idle")).items() if one.decks}
    assert decks == {"change_deck": (0, 1)}
    assert offered(at("manufacturer", "idle"))["change_deck"].decks == (0, 1, 2)
    varied = by_another(table, limit__notice_minutes=800, close__notice_minutes=900)
    notice = {kind: one.notice_minutes for kind, one in offered(varied).items() if one.notice_minutes}
    assert notice == {"limits": 800, "announce_minimum": 800, "announce_closing": 900, "close": 900}
    assert not offered(varied)["announce_closing"].refusal
    assert not offered(varied)["announce_minimum"].refusal


def test_a_player_s_bank_pays_no_complaint() -> None:
    for name, pays in (("california", False), ("hand-dealt", True)):
        table = at(name, "betting")
        seat = next(number for number, one in table.seats.items() if one.player)
        table, _ = play(table, commands.RaiseDispute(by=f"seat:{seat}", seat=seat, about="my flush was not paid"))
        assert [(one.number, one.pays) for one in decisions(table, "floor")] == [(1, pays)]


def test_what_is_so_is_offered_as_a_report_of_the_role_that_asks() -> None:
    table = at("manufacturer", "dealing")
    device = {commands.Report(by="floor", kind=kind) for kind in ("device_miscount", "device_jam", "device_failure")}
    away = {commands.WentAway(by="floor", seat=number) for number in (1, 6)}
    assert {one.command for one in reports(table, "floor")} == device | away
    gone, _ = play(table, commands.WentAway(by="floor", seat=6))
    told = {one.command: one.what for one in reports(gone, "floor")}
    assert told[commands.CameBack(by="floor", seat=6)] == "the player is at the table after all"
    assert told[commands.WentAway(by="floor", seat=1)] == "the player has left the table"
    assert commands.WentAway(by="floor", seat=6) not in told


def test_what_went_wrong_with_a_card_is_offered_where_it_did() -> None:
    table = at("new-south-wales", "choice_1")
    for number in (1, 2):
        mishap = commands.Mishap(by="table", kind="exposed", number=number)
        fallen, outcome = play(table, mishap)
        assert not isinstance(outcome, Refusal), outcome
        found = {one.command for one in reports(fallen, "dealer") if isinstance(one.command, commands.Report)}
        assert found == {commands.Report(by="dealer", kind="exposed_community", number=number)}
    table = at("new-south-wales", "dealing", last=True)
    fallen, outcome = play(table, commands.Mishap(by="table", kind="exposed", seat=4, number=1))
    assert not isinstance(outcome, Refusal), outcome
    found = {one.command for one in reports(fallen, "dealer") if isinstance(one.command, commands.Report)}
    assert found == {commands.Report(by="dealer", kind="exposed_card", seat=4)}
