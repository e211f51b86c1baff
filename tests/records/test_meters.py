"""A progressive bet at a table: its meter is fed, taken from, refilled and kept through rounds that do not count."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.cli.terminal.story import fate
from letitride.engine.view import view
from letitride.engine.view_types import PayView
from letitride.errors import InvalidData
from letitride.records.narrate import summary
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.rules import catalog

JACKPOT = """
id = "jackpot"
title = "Jackpot"
judged_on = "own_five"
ranking = "poker"
award = "total_award"
pays = { four_of_a_kind = 300, full_house = 50, flush = 40 }
envy = { royal_flush = 1000, straight_flush = 300 }

[keys]
cents = 100
taken = "before_deal"

[meter]
seed_cents = 1000000
contribution_ppm = 250000
takes = { royal_flush = 100, straight_flush = 10, four_of_a_kind = "$200" }
"""
BOOK = (
    'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["jackpot.toml"]\nrules.odds.wording = ["to", "win"]\n'
)
HEAD = "dealer auto\nseat 1 sits Ann 500\nseat 2 sits Bob 500\nseat 3 sits Cem 500\n"
SEED = 1_000_000


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "jackpot.toml").write_text(JACKPOT, encoding="utf-8")
    (tmp_path / "room.toml").write_text(BOOK, encoding="utf-8")
    return tmp_path / "room.toml"


def a_round(ann: str, bob: str, cem: str, community: str, bets: tuple[str, ...] = ("jackpot 1",) * 3) -> str:
    lines = [f"hand {n} {cards}" for n, cards in enumerate((ann, bob, cem), 1)]
    lines += [f"community {community}", *(f"seat {n} bets 5 {side}" for n, side in enumerate(bets, 1))]
    lines += [f"seat {n} withdraws {bet}" for bet in (1, 2) for n in (1, 2, 3)]
    return "\n".join(["round", *lines, ""])


def played(room: Path, *rounds: str) -> Replayed:
    return replay(read_record(f"rulebook {room}\n{HEAD}{''.join(rounds)}", "meter.round"), "meter.round")


NOTHING = a_round("2c 7d 9s", "3c 8d Ts", "4c 6d Js", "Qh Kd")


def test_a_meter_opens_at_its_seed_and_a_share_of_each_stake_goes_in_when_a_round_is_over(room: Path) -> None:
    first = played(room, NOTHING)
    meters = [step.after.accounts["meter:jackpot"] for step in first.steps]
    assert (SEED, SEED + 75) == (meters[0], meters[-1])
    assert [SEED, SEED + 75] == sorted(set(meters))
    assert {"jackpot": SEED + 75} == view(first.table, "spectator").meters
    assert (
        SEED + 75 + 50
        == played(room, NOTHING, NOTHING.replace("seat 2 bets 5 jackpot 1", "seat 2 bets 5")).table.accounts[
            "meter:jackpot"
        ]
    )


@pytest.mark.parametrize(
    ("hands", "won", "left"),
    [
        (("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah"), (SEED + 75, 100_000, 100_000), SEED),
        (("8h 9h Th", "2c 7d 9s", "3c 8d 9d", "Jh Qh"), (100_007, 30_000, 30_000), SEED + 75 - 100_007),
        (("8h 8d 8c", "2c 7d 9s", "3c 4d 9d", "8s Qh"), (30_000 + 20_000, 0, 0), SEED + 75 - 20_000),
        (("4h 6h 8h", "2c 7d 9s", "3c 4d 9d", "Jh Qh"), (4_000, 0, 0), SEED + 75),
        # Two hands in one round: the first of them takes all, the second its share of the new seed.
        (
            ("Qh Kh Ah", "7h 8h 9h", "3c 8d 9d", "Th Jh"),
            (SEED + 75 + 30_000, 100_000 + 100_000, 100_000 + 30_000),
            SEED - 100_000,
        ),
    ],
)
def test_hands_win_their_part_of_the_meter_and_the_others_envy(
    room: Path, hands: tuple[str, ...], won: tuple[int, ...], left: int
) -> None:
    before = played(room, NOTHING).table
    table = played(room, NOTHING, a_round(*hands)).table
    got = tuple(table.accounts[f"stack:{n}"] - before.accounts[f"stack:{n}"] for n in (1, 2, 3))
    results = played(room, NOTHING, a_round(*hands)).outcomes[1].results
    jackpot = {seat: row.net_cents for seat, rows in results.items() for row in rows if row.wager == "jackpot"}
    assert {n: cents - 100 for n, cents in enumerate(won, 1)} == jackpot
    assert sum(got) == sum(row.net_cents for rows in results.values() for row in rows)
    assert left + 75 == table.accounts["meter:jackpot"]


LOW = JACKPOT.replace("pays = { four_of_a_kind = 300, full_house = 50, flush = 40 }", "pays = { four_of_a_kind = 300 }")
LOW = LOW.replace('"$200" }', '"$200", full_house = "$7", flush = 100 }')


def test_a_hand_below_the_lowest_pay_wins_what_it_takes_of_the_meter(tmp_path: Path, room: Path) -> None:
    (tmp_path / "jackpot.toml").write_text(LOW, encoding="utf-8")
    flush, full = (
        played(room, NOTHING, a_round(*hands)).outcomes[1].results[1][-1]
        for hands in (("4h 6h 8h", "2c 7d 9s", "3c 4d 9d", "Jh Qh"), ("4h 4d 8h", "2c 7d 9s", "3c Td 9d", "4s 8s"))
    )
    assert (flush.fate, flush.paid_cents) == ("won", SEED + 75)
    assert (full.fate, full.paid_cents) == ("won", 700)
    (tmp_path / "jackpot.toml").write_text(f'pays_from = "full_house"\n{LOW}', encoding="utf-8")
    wanted = "pays_from: expected 'flush' or a lower rank, because that takes of the meter, got 'full_house'"
    with pytest.raises(InvalidData, match=wanted):
        catalog.rulebook(str(room))


def test_only_those_with_the_bet_have_envy(room: Path) -> None:
    text = a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah", ("jackpot 1", "", "jackpot 1"))
    results = played(room, text).outcomes[0].results
    assert {1: SEED - 100, 3: 100_000 - 100} == {
        seat: row.net_cents for seat, rows in results.items() for row in rows if row.wager == "jackpot"
    }


def test_a_hand_that_wins_without_the_bet_leaves_the_meter_alone(room: Path) -> None:
    table = played(room, a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah", ("", "jackpot 1", ""))).table
    assert SEED + 25 == table.accounts["meter:jackpot"]


def test_a_round_that_is_void_never_touched_the_meter(room: Path) -> None:
    text = a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah").replace(
        "seat 1 withdraws 1", "casino_supervisor orders annul ground disturbance because fire\nseat 1 withdraws 1"
    )
    text = text[: text.index("seat 1 withdraws 1")]
    table = played(room, text).table
    assert SEED == table.accounts["meter:jackpot"]
    assert [50_000] * 3 == [table.accounts[f"stack:{n}"] for n in (1, 2, 3)]


def test_the_sign_tells_what_each_hand_takes(room: Path) -> None:
    assert {
        "royal flush": "the whole meter",
        "straight flush": "10% of the meter",
        "four of a kind": "$200 of the meter and $300",
        "full house": "win $50",
        "flush": "win $40",
    } == view(played(room, NOTHING).table, "spectator").sign.pays["jackpot"]
    parts = view(played(room, NOTHING).table, "spectator").sign.pay_values["jackpot"]
    assert [(PayView(meter_percent=100),), (PayView(meter_percent=10),)] == list(parts.values())[:2]
    assert [(PayView(meter_cents=200_00, win_cents=300_00),), (PayView(win_cents=50_00),)] == list(parts.values())[2:4]


def test_the_house_knows_its_meter_by_its_book(room: Path) -> None:
    meter = catalog.rulebook(room).wagers["jackpot"].meter
    assert meter is not None
    assert (SEED, 250_000) == (meter.seed_cents, meter.contribution_ppm)


def test_a_hand_earns_no_envy_by_another_hand_of_the_same_player(room: Path) -> None:
    room.write_text(BOOK + "rules.hands_per_player = 2\n", encoding="utf-8")
    best = a_round("8h 9h Th", "2c 7d 9s", "3c 8d 9d", "Jh Qh")

    def envied(second: str) -> tuple[int, ...]:
        seats = HEAD.replace("Bob", second)
        done = replay(read_record(f"rulebook {room}\n{seats}{best}", "meter.round"), "meter.round")
        results = done.outcomes[0].results
        return tuple(row.paid_cents for n in (2, 3) for row in results[n] if row.wager == "jackpot")

    assert ((30_000, 30_000), (0, 30_000)) == (envied("Bob"), envied("Ann"))


ENVIED = """
id = "green"
title = "Green"
judged_on = "own_five"
ranking = "poker"
award = "to_one"
pays = { royal_flush = 100, straight_flush = 50 }
envy = { royal_flush = 10 }
keys = { cents_min = 100, cents_max = 2500 }
"""


@pytest.mark.parametrize("method", ["losers_first", "lay_and_pay", "pick_and_pay"])
def test_a_bet_that_is_lost_stays_lost_and_is_paid_its_envy(tmp_path: Path, method: str) -> None:
    (tmp_path / "green.toml").write_text(ENVIED, encoding="utf-8")
    book = BOOK.replace("jackpot.toml", "green.toml") + f'rules.settle.method = "{method}"\n'
    (tmp_path / "room.toml").write_text(book, encoding="utf-8")
    done = played(
        tmp_path / "room.toml",
        a_round("Th Jh Qh", "2c 7d 9s", "3c 8d 9d", "Kh Ah", ("green 5", "green 5", "")),
    )
    rows = {seat: row for seat, found in done.outcomes[0].results.items() for row in found if row.wager == "green"}
    assert [("won", 50_000, 500, 0), ("lost", 1_000, 0, 1_000)] == [
        (row.fate, row.paid_cents, row.back_cents, row.envy_cents) for row in rows.values()
    ]
    assert 50_000 - 500 - 500 + 1_000 == done.table.accounts["stack:2"]
    assert 0 == sum(done.table.accounts.values())
    told = "\n".join(summary(done.outcomes[0]))
    assert "green $5 lost, envy $10" in told
    assert "green $5 won, paid $500" in told
    assert "lost $5, envy bonus $10" == fate(rows[2])


@pytest.mark.parametrize("step", ["", "dealer turn_community number 2\n", "dealer open_hand seat 3\n"])
def test_a_hand_that_is_void_before_bets_are_settled_gives_no_envy_and_takes_nothing(room: Path, step: str) -> None:
    """The order comes before the second community card is turned, or when the round was read already."""
    straight_flush = a_round("8h 9h Th", "2c 7d 9s", "3c 8d 9d", "Jh Qh")
    order = "casino_supervisor orders void_bets seats 1 ground device because a phone was used\n"
    plain, done = played(room, straight_flush), played(room, straight_flush + step + order)
    paid = [[row.paid_cents for row in one.outcomes[0].results[2] if row.wager == "jackpot"] for one in (plain, done)]
    assert [[30_000], [0]] == paid
    assert SEED + 2 * 25 == done.table.accounts["meter:jackpot"]
    assert 0 == sum(done.table.accounts.values())
