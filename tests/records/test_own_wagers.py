"""A house's own wagers at a table: bet, taken, read, settled and told like the published ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.hands import Category

FILES = {
    "lucky.toml": """
        id = "lucky"
        title = "Lucky Three"
        judged_on = "own_three"
        award = "to_one"
        first_wins = true
        pays = { trips = 50, pips = 2 }
        keys = { cents_min = 100, cents_max = 10000, alone = true }
        rank = [
          { id = "trips", when = { same_rank = 3 } },
          { id = "pips", title = "28 pips or more", when = { pips_min = 28 } },
          { id = "rest" },
        ]""",
    "four.toml": """
        id = "four"
        title = "Four Suited"
        judged_on = "own_four"
        award = "to_one"
        pays = { suited = 60 }
        keys = { cents_min = 100, cents_max = 10000, cents_step = 100 }
        rank = [{ id = "suited", when = { same_suit = 4 } }, { id = "rest" }]""",
    "two.toml": """
        id = "two"
        title = "Community Pair"
        judged_on = "community"
        award = "to_one"
        pays = { pair = 14 }
        keys = { cents_min = 100, cents_max = 10000 }
        rank = [{ id = "pair", when = { same_rank = 2 } }, { id = "rest" }]""",
    "jackpot.toml": """
        id = "jackpot"
        title = "Jackpot Dollar"
        judged_on = "own_five"
        ranking = "poker"
        award = "total_award"
        pays = { royal_flush = 5000, straight_flush = 500, four_of_a_kind = 100, full_house = 30 }
        keys = { cents = 100, taken = "before_deal" }""",
    "club.toml": """
        id = "club"
        title = "Club Award"
        judged_on = "own_three"
        award = "fixed_dollars"
        pays = { suited = "75/2" }
        keys = { cents_min = 200, cents_max = 2500, alone = true }
        rank = [{ id = "suited", when = { same_suit = 3 } }, { id = "rest" }]""",
    "awards.toml": """
        id = "awards-1"
        title = "A room with awards in dollars"
        extends = "nsw-1"
        wagers = ["club.toml"]
        rules.odds.wording = ["to", "win"]""",
    "room.toml": """
        id = "room-1"
        title = "A room with bets of its own"
        extends = "nsw-1"
        wagers = ["lucky.toml", "four.toml", "two.toml", "jackpot.toml"]
        [rules]
        odds.wording = ["to", "win"]
        four.cents_max = 5000""",
}


@pytest.fixture
def room(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text("\n".join(line[8:] for line in text.splitlines()), encoding="utf-8")
    return tmp_path / "room.toml"


RECORD = """
rulebook {book}
dealer auto
seat 1 sits Ann 100
seat 2 sits Bob 100

round
hand 1 {ann}
hand 2 2c 7d 9s
community {community}
seat 1 bets 5 lucky 5 four 5 two 5 jackpot 1
seat 2 bets 5
seat 1 looks
seat 2 looks
seat 1 rides 1
seat 2 rides 1
seat 1 rides 2
seat 2 rides 2
"""


@pytest.mark.parametrize(
    ("ann", "community", "won"),
    [
        ("Kh Kd Ks", "Kc 2h", 3 * 50 * 500 + 50 * 500 - 500 - 500 + 9_900),  # base at 50 to 1, trips, four of a kind
        (
            "Th Jh Qh",
            "2h 2d",
            -1_500 + 2 * 500 + 60 * 500 + 14 * 500 - 100,
        ),  # 30 pips, four hearts, the twos are no pay
        ("2d 5h 8c", "Jc Qs", -1_500 - 500 - 500 - 500 - 100),
    ],
)
def test_every_kind_of_own_wager_is_settled_on_its_own_cards(room: Path, ann: str, community: str, won: int) -> None:
    text = RECORD.format(book=room, ann=ann, community=community)
    table = replay(read_record(text, "own.round"), "own.round").steps[-1].after
    assert 10_000 + won == table.accounts["stack:1"], table.seats[1]
    assert 0 == sum(cents for name, cents in table.accounts.items() if name.startswith("felt:"))


@pytest.mark.parametrize("stake", [2, 25])
def test_an_award_in_dollars_is_the_same_at_every_stake_and_the_stake_is_taken(room: Path, stake: int) -> None:
    text = (
        f"rulebook {room.with_name('awards.toml')}\ndealer auto\nseat 1 sits Ann 100\nseat 2 sits Bob 100\n\nround\n"
        f"hand 1 2h 7h 9h\nhand 2 2c 7d 9s\ncommunity Jc Qs\nseat 1 bets 5 club {stake}\nseat 2 bets 5 club {stake}\n"
        "seat 1 withdraws 1\nseat 2 withdraws 1\nseat 1 withdraws 2\nseat 2 withdraws 2\n"
    )
    played = replay(read_record(text, "club.round"), "club.round")
    assert [("won", 3_750, 0), ("lost", 0, 0)] == [
        (row.fate, row.paid_cents, row.back_cents)
        for rows in played.outcomes[0].results.values()
        for row in rows
        if row.wager == "club"
    ]
    stacks = [played.table.accounts[f"stack:{seat}"] for seat in (1, 2)]
    assert [10_000 - 500 + 3_750 - 100 * stake, 10_000 - 500 - 100 * stake] == stacks
    assert {"suited": "win $37.50"} == view(played.table, "spectator").sign.pays["club"]


def test_awards_in_dollars_are_shown_as_what_is_won(room: Path) -> None:
    book = room.with_name("awards.toml")
    book.write_text(book.read_text(encoding="utf-8").replace('["to", "win"]', '["to"]'), encoding="utf-8")
    with pytest.raises(InvalidData, match=r"odds\.wording: expected a list with 'win'"):
        catalog.ready_rules(book)


def test_own_wagers_are_told_on_the_sign_with_titles_limits_and_pays(room: Path) -> None:
    table, _ = open_table(catalog.ready_rules(room))
    sign = view(table, "spectator").sign
    assert [
        ("lucky", "Lucky Three", 100, 10_000, 1),
        ("four", "Four Suited", 100, 5_000, 100),
        ("two", "Community Pair", 100, 10_000, 1),
        ("jackpot", "Jackpot Dollar", 100, 100, 1),
    ] == [(bet.spot, bet.title, bet.cents_min, bet.cents_max, bet.cents_step) for bet in sign.side_bets]
    assert {"trips": "50 to 1", "28 pips or more": "2 to 1"} == sign.pays["lucky"]
    assert "win $5,000" == sign.pays["jackpot"]["royal flush"]
    assert ("lucky",) == sign.bet_alone


REFUSED = """
rulebook {book}
dealer auto
seat 1 sits Ann 1000

round
hand 1 2d 5h 8c
community Jc Qs
seat 1 bets lucky 5
seat 1 bets 5 four 1.50 => off_step
seat 1 bets 5 four 51 => above_maximum
seat 1 bets 5 two 0.50 => below_minimum
seat 1 bets 5 jackpot 2 => bonus_amount
seat 1 bets 5 three_card 5 => not_offered
seat 1 bets 5 jackpot 1
dealer place_lammer
seat 1 withdraws 1
seat 1 withdraws 2
"""


def test_amounts_of_own_wagers_are_refused_by_their_own_limits(room: Path) -> None:
    played = replay(read_record(REFUSED.format(book=room), "own.round"), "own.round")
    lying = [step.after.accounts.get("felt:1:jackpot", 0) for step in played.steps]
    dealt = next(n for n, step in enumerate(played.steps) if step.after.at("hand:1"))
    assert (100, 0) == (max(lying), lying[dealt])  # taken to the tray before the first card
    assert 100_000 - 500 - 100 == played.table.accounts["stack:1"]


def test_a_bet_that_may_be_made_alone_is_dealt_in_and_another_is_not(room: Path) -> None:
    head = f"rulebook {room}\nseat 1 sits Ann 100\nround\nhand 1 Th Jh Qc\ncommunity 2h 3d\n"
    alone = replay(read_record(f"{head}seat 1 bets lucky 5\n", "own.round"), "own.round").steps[-1].after
    assert 10_000 + 2 * 500 == alone.accounts["stack:1"]
    with pytest.raises(InvalidData, match="no_bets"):
        replay(read_record(f"{head}seat 1 bets two 5\n", "own.round"), "own.round")


BONUS = """
rulebook {book}
dealer auto
seat 1 sits Ann 100

round
hand 1 {ann}
community 4s 9d
seat 1 bets 5 bonus 1
seat 1 withdraws 1
seat 1 withdraws 2
"""


@pytest.mark.parametrize("taken", ["before_deal", "settlement"])
@pytest.mark.parametrize("award", [("to_one", 100), ("total_award", 0)])
@pytest.mark.parametrize("won", [("4h 4d 4c", 50 * 500, 100), ("4h 9c Ks", 2 * 500, 4), ("2h 6c Ks", -500, 0)])
def test_a_bonus_may_be_paid_to_one_or_as_a_total_and_taken_early_or_late(
    tmp_path: Path, taken: str, award: tuple[str, int], won: tuple[str, int, int]
) -> None:
    (named, back), (ann, base, pay) = award, won
    (tmp_path / "pays.toml").write_text(
        'id = "OWN"\ntitle = "Own"\n[base]\naward = "to_one"\n[base.pays]\nroyal_flush = 1000\nstraight_flush = 200\n'
        "four_of_a_kind = 50\nfull_house = 11\nflush = 8\nstraight = 5\nthree_of_a_kind = 3\ntwo_pair = 2\n"
        f'tens_or_better = 1\n[bonus]\naward = "{named}"\n[bonus.pays]\nroyal_flush = 20000\nstraight_flush = 2000\n'
        "four_of_a_kind = 100\nfull_house = 75\nflush = 50\nstraight = 25\nthree_of_a_kind = 8\ntwo_pair = 4\n",
        encoding="utf-8",
    )
    (tmp_path / "own.toml").write_text(
        'id = "own-1"\ntitle = "Own"\nextends = "shufflemaster-1"\n[rules]\nbase.paytables = ["pays.toml"]\n'
        f'base.paytable = "pays.toml"\nbonus.taken = "{taken}"\n',
        encoding="utf-8",
    )
    table = replay(read_record(BONUS.format(book=tmp_path / "own.toml", ann=ann), "own.round"), "own.round").table
    bonus = pay * 100 + back - 100 if pay else -100
    assert 10_000 + base + bonus == table.accounts["stack:1"]
    assert 0 == sum(cents for name, cents in table.accounts.items() if name.startswith("felt:"))


ALIKE = """
id = "{id}"
title = "{id}"
judged_on = "own_three"
award = "to_one"
pays = {{ trips = 50 }}
keys = {{ cents_min = 100, cents_max = 10000}}
rank = [{{ id = "trips", when = {{ same_rank = 3 }} }}, {{ id = "rest" }}]
"""


def six_and_a_seventh(folder: Path, offered: str) -> Path:
    names = [f"bet_{number}" for number in range(1, 8)]
    for name in names:
        (folder / f"{name}.toml").write_text(ALIKE.format(id=name), encoding="utf-8")
    listed = ", ".join(f'"{name}.toml"' for name in names)
    head = f'id = "six-1"\ntitle = "Six"\nextends = "nsw-1"\nwagers = [{listed}]\n'
    (folder / "six.toml").write_text(f"{head}[rules]\nbet_7.offered = {offered}\n", encoding="utf-8")
    return folder / "six.toml"


def test_six_bets_of_a_house_are_settled_at_one_seat(tmp_path: Path) -> None:
    bets = " ".join(f"bet_{number} {number}" for number in range(1, 7))
    text = RECORD.format(book=six_and_a_seventh(tmp_path, "false"), ann="Kh Kd Ks", community="Qc 2h")
    text = text.replace("lucky 5 four 5 two 5 jackpot 1", bets)
    table = replay(read_record(text, "six.round"), "six.round").steps[-1].after
    base = 3 * table.rules.base_pays.pay(Category.THREE_OF_A_KIND) * 500
    assert 10_000 + base + 50 * 100 * (1 + 2 + 3 + 4 + 5 + 6) == table.accounts["stack:1"]


def test_a_seventh_side_bet_on_offer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match="bet_7.offered: expected false, because a seat has room for 6 side bets"):
        catalog.ready_rules(six_and_a_seventh(tmp_path, "true"))
