"""Player: which line is done when, which deck is mixed for which deal, and the sentence where a record fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from letitride.engine import commands, places
from letitride.engine.state import Ruling
from letitride.engine.steps import Step
from letitride.errors import InvalidData
from letitride.records.player import Player, bettors, read_settings, rules_of
from letitride.records.reader import read_record
from letitride.records.record import Action, Dealt, Record, Round, Setting
from letitride.records.replay import Replayed
from letitride.records.whatif import what_if
from letitride.records.writer import write_command
from letitride.rules import catalog
from tests.records.told import played, refused

TWO = "seat 1 sits Ann 500\nseat 3 sits Bob 500\n"
CHOICES = "seat 1 rides 1\nseat 3 rides 1\nseat 1 rides 2\nseat 3 rides 2\n"
NSW = f"rulebook nsw-1\n{TWO}\nround\n"
BETS = "seat 1 bets 10\nseat 3 bets 10\n"


def commands_of(done: Replayed) -> list[str]:
    return [write_command(one.command).partition(" order ")[0] for one in done.steps if one.command is not None]


def settings(*lines: tuple[str, str]) -> Record:
    return Record("nsw-1", tuple(Setting(key, value, line) for line, (key, value) in enumerate(lines, 2)), (), ())


def test_a_setting_is_one_key_once_with_a_value_it_may_have() -> None:
    given = settings(("limit.max", "700"), ("base.paytable", "LIRX-02"), ("bet.media", "['chips']"), ("close", "30"))
    assert read_settings(given, "r") == {
        "limit.cents_max": 700,
        "base.paytable": "LIRX-02",
        "bet.media": ["chips"],
        "close.notice_minutes": 30,
    }
    for lines, said in (
        ((("limit", "700"),), "r, line 2: expected one key that is not set yet, got the section 'limit'"),
        ((("fee", "700"),), "r, line 2: expected one key that is not set yet, got the section 'fee'"),
        (
            (("limit.cents_max", "700"), ("limit.max", "800")),
            "r, line 3: expected one key that is not set yet, got 'limit.cents_max' a second time",
        ),
        ((("seat", "700"),), "r, line 2: expected a rule-book key, got 'seat'"),
        ((("base.paytable", "7"),), "r, line 2: base.paytable: expected a text, got 7"),
    ):
        with pytest.raises(InvalidData) as error:
            read_settings(settings(*lines), "r")
        assert str(error.value).startswith(said)


def test_the_rules_of_a_record_are_its_own_book_or_the_file_that_is_named(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('id = "mine-1"\ntitle = "Mine"\nextends = "nsw-1"\n', encoding="utf-8")
    digest, other = catalog.table_rules("nsw-1").book.digest, "0123456789abcdef" * 4
    for text, rulebook, book in (
        ("rulebook nsw-1", "", "nsw-1"),
        ("rulebook nsw-1+shuffler", "", "nsw-1+shuffler"),
        (f"rulebook nsw-1 sha256:{digest}", "", "nsw-1"),
        ("rulebook mine-1", str(mine), "mine-1"),
        ("rulebook elsewhere/other.toml", str(mine), "mine-1"),
        (f"rulebook {mine}", "", "mine-1"),
    ):
        assert rules_of(read_record(text), "r", rulebook).book.id == book, text
    option = "--rulebook FILE"
    for text, rulebook, said, hinted in (
        ("rulebook nsw-1", str(mine), "r, line 1: expected the book 'nsw-1' after --rulebook, got 'mine-1'", False),
        ("rulebook house-1", "", "r, line 1: expected a path ending in .toml or the id of a rule book", True),
        ("rulebook house-1+felt", "", "r, line 1: expected a path ending in .toml or the id of a rule book", True),
        ("rulebook nsw-1+felt", "", "r, line 1: nsw-1: expected one of", False),
        ("rulebook nsw-1\nset seats = 3", "", "r, line 2: table by nsw-1: seats: expected 7", False),
        (f"rulebook {tmp_path}/none.toml", "", "r, line 1: expected a TOML file", False),
        (
            f"rulebook nsw-1 sha256:{other}",
            "",
            f"r, line 1: expected 'nsw-1' as it was played by, with the SHA-256 {other[:16]}…, got one with {digest[:16]}…: ",
            False,
        ),
    ):
        with pytest.raises(InvalidData) as error:
            rules_of(read_record(text), "r", rulebook)
        assert str(error.value).startswith(said)
        assert (option in str(error.value)) == hinted, text


def test_the_dealer_does_what_is_due_before_a_line_and_no_more() -> None:
    """A table is made ready before its first player comes, not before the second, and not for an order."""
    done = played(f"rulebook hand-dealt-1\n{TWO}\nround\n{BETS}{CHOICES}")
    first = ["dealer review_decks number 2", "dealer inspect_deck", "floor verify_inspection", "dealer spread_deck"]
    then = ["seat 1 sits Ann 500", "seat 3 sits Bob 500", "seat 1 inspects", "dealer wash_deck number 1"]
    assert commands_of(done)[:8] == [*first, *then]
    assert [one.line for one in done.steps[:9]] == [0, 0, 0, 0, 0, 2, 3, 0, 0]  # the first is the opening of the table
    assert done.steps[0].command is None
    ordered = played(f"rulebook shufflemaster-1\ncasino_supervisor orders limits max 400\n{TWO}")
    assert commands_of(ordered)[-4:] == [
        "casino_supervisor orders limits max 400",
        "dealer dead_game",
        *TWO.splitlines(),
    ]
    assert commands_of(played(f"rulebook shufflemaster-1\ndealer by hand\n{TWO}")) == TWO.splitlines()


def test_a_step_is_filled_in_where_its_line_leaves_something_out() -> None:
    cards = "hand 1 2c 3d 7h\nhand 3 4c 5d 9h\ncommunity Js Kd\n"
    done = played(f"{NSW}{cards}dealer cut_deck number 1 => bad_cut\n{BETS}{CHOICES}dealer take\n")
    assert [write_command(one.command) for one in done.steps if one.line and isinstance(one.command, commands.Do)] == [
        "dealer cut_deck number 1",
        "dealer take seat 3 wager base-1",
    ]
    cut = played(f"{NSW}dealer cut_deck cut 30\n{BETS}{CHOICES}")
    assert "dealer cut_deck number 1 cut 30" in commands_of(cut)


RECUT = """rulebook hand-dealt-1
seat 1 sits Ann 500

round
CARDS
{}
seat 1 bets 10
seat 1 rides 1
seat 1 rides 2
"""
ORDER = "casino_supervisor orders recut because it was too thin"


def dealt_from(done: Replayed) -> list[str]:
    """The deck as the first card of the round is dealt from it."""
    ready = next(one.before for one in done.steps if not one.after.no_card_is_out).at(places.READY)
    return [str(card.face) for card in ready]


def test_the_cards_that_are_named_are_those_after_the_last_cut() -> None:
    first = ["Th", "Ks", "9d", "Td", "2d", "4c"]
    orders = (
        ORDER,
        f"{ORDER}\n{ORDER}",
        f"dealer cut_deck cut 30\n{ORDER}",
        f"{ORDER}\ndealer cut_deck cut 40",
        f"dealer cut_deck cut 30\n{ORDER}\ndealer cut_deck cut 11\n{ORDER}",
        "dealer cut_deck cut 30",
        f"floor orders recut => not_your_role\n{ORDER}",
        f"casino_supervisor orders change_deck because it is worn\n{ORDER}",
        f"{ORDER}\ncasino_supervisor orders change_deck because it is worn",
    )
    for lines in orders:
        deck = played(RECUT.replace("CARDS", f"deck {' '.join(first)}").format(lines))
        assert dealt_from(deck)[:6] == first, lines
        (hands,) = played(RECUT.replace("CARDS", "hand 1 Th Td 4c\ncommunity Ks 2d").format(lines)).outcomes
        assert [one.paid_cents for one in hands.results[1]] == [1_000, 1_000, 1_000], lines
    before = RECUT.replace("CARDS", f"deck {' '.join(first)}").replace("\nround", f"{ORDER}\nround").format("")
    assert dealt_from(played(before))[:6] == first


def test_under_a_book_without_a_second_cut_the_deck_is_the_same() -> None:
    record = read_record(RECUT.replace("CARDS", "hand 1 Th Td 4c\ncommunity Ks 2d").format(ORDER))
    found = what_if(record, "nsw-1")
    assert [one.why for one in found.left_out] == ["The rules don't provide for a second cut."]
    assert dealt_from(found.under) == dealt_from(found.recorded)


def test_a_shuffle_that_is_named_waits_for_the_deck_it_is_of() -> None:
    """A count in round 5 finds that the deck has lost a card: round 6 is dealt from a new one, which has it."""
    plays = "seat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2\n"
    lost = f"\nround\n{plays}" * 4 + f"\nround\nmissing 7c\n{plays}"
    head = "rulebook hand-dealt-1\nset irreg.stub_miscount = next_round\nseat 1 sits Ann 500\n"
    done = played(f"{head}{lost}\nround\nhand 1 7c Td 4c\ndealer shuffle_deck\n{plays}")
    dealt = next(one.after for one in done.steps if one.after.round == 6 and one.after.phase == "choice_1")
    assert [str(card.face) for card in dealt.at(places.hand(1))] == ["7c", "Td", "4c"]


UNLOADED = """mishap unloaded
dealer reports unloaded
mishap long seat 1
seat 3 looks
dealer reports hand_count seat 1
"""
FAILS = {
    "a line of round 1 is not done in round 2": (
        f"nsw-1\n{TWO}\nround\n{BETS}{CHOICES}seat 1 rides 1\n",
        "got 'seat 1 rides 1': not_your_turn",
    ),
    "nor is one before the first round": (
        f"nsw-1\n{TWO}{BETS}{CHOICES}seat 1 rides 1\n",
        "got 'seat 1 rides 1': not_your_turn",
    ),
    "betting is not closed for a bet that is refused": (
        f"nsw-1\n{TWO}\nround\n{BETS}seat 1 bets 1\n",
        "got 'seat 1 bets 1': below_minimum",
    ),
    "a choice out of turn": (f"nsw-1\n{TWO}\nround\n{BETS}seat 3 rides 1\n", "got 'seat 3 rides 1': not_your_turn"),
    "a step at a table without players": ("nsw-1\ndealer deal_card\n", "got 'dealer deal_card': nothing_to_do"),
    "a step before its time": (f"nsw-1\n{TWO}\nround\ndealer deal_card\n", "got 'dealer deal_card': out_of_order"),
    "a choice that no bets lead to": (f"nsw-1\n{TWO}\nround\nseat 1 rides 1\n", "got 'seat 1 rides 1': no_bets"),
    "a card that the deck has lost": (
        f"nsw-1\n{TWO}\nround\nmissing 7c 7d\n{BETS}{CHOICES}\nround\nhand 1 7d 7c 4c\n{BETS}{CHOICES}",
        "line 15: expected cards that the deck still has, or a new deck, got 7d, which an earlier round lost",
    ),
    "no player": ("nsw-1\n\nround\n", "expected three equal bets before the round ends, got none"),
    "no bets": (f"nsw-1\n{TWO}\nround\n", "expected three equal bets before the round ends, got none: no_bets"),
    "no choice": (f"nsw-1\n{TWO}\nround\n{BETS}", "expected seat 1 to choose on bet 1 before the round ends, got none"),
    "a second deal that does not bring what it names": (
        f"shufflemaster-1\n{TWO}\nround\nhand 1 Th Td 4c\nredeal\nhand 1 Jh Jd 5s\nhand 3 8c 4d Qh\n{BETS}{UNLOADED}",
        "expected seat 3 to be dealt 8c 4d Qh, got 2c 4d Qh, since 'mishap unloaded' in line 12 shifts the deal",
    ),
    "a hand for a seat without a bet": (
        f"nsw-1\n{TWO}\nround\nhand 5 Ah Kh Qh\n{BETS}{CHOICES}",
        "line 6: expected seat 5 to be dealt Ah Kh Qh, got no cards",
    ),
    "no ruling": (
        f"nsw-1\n{TWO}\nround\n{BETS}seat 1 looks => ruled misdeal\n",
        "expected the ruling misdeal, got no ruling",
    ),
}


def test_a_record_that_cannot_go_on_says_what_was_expected_and_what_came() -> None:
    for name, (text, said) in FAILS.items():
        assert said in refused(f"rulebook {text}"), name


def test_a_ruling_rests_on_every_clause_its_line_names() -> None:
    """Of a hand of four cards, found when another player has looked: void by two clauses."""
    report = "mishap long seat 1\nseat 3 looks\ndealer reports hand_count seat 1 => ruled"
    text = f"{NSW}{BETS}{report} RULED\nseat 3 rides 1\nseat 3 rides 2\n"
    for named in ("hand_void", "hand_void nsw:12.7", "hand_void nsw:1.1.void nsw:12.7", "hand_void nsw:1.1"):
        assert [one.status for one in played(text.replace("RULED", named)).outcomes] == ["settled"]
    for named in (
        "misdeal",
        "hand_void nsw:12.1",
        "hand_void nsw:1.1.v",
        "hand_void nsw:12.7.s1",
        "hand_void nsw:12.1 nsw:12.7",
        "hand_void nsw:12.7 house",
    ):
        said = f"line 10: expected the ruling {named}, got hand_void nsw:12.7 nsw:1.1.void"
        assert said in refused(text.replace("RULED", named))


def wagers(seat: int, refused: str = "", **given: int) -> Action:
    names = {name.replace("base_", "base-").replace("base-d", "base-$"): cents for name, cents in given.items()}
    command = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=names)  # type: ignore[arg-type]  # as above
    return Action(command, 0, refused)


def bet(seat: int, cents: int, refused: str = "") -> Action:
    return wagers(seat, refused, base_1=cents, base_2=cents, base_d=cents)


def test_those_with_three_equal_bets_are_dealt_in_and_a_side_bet_alone_where_it_may_be() -> None:
    plain = catalog.ready_rules("nsw-1").rules
    offered = msgspec.structs.replace(plain.wagers["three_card"], offered=True, alone=True)
    alone = msgspec.structs.replace(plain, wagers={**plain.wagers, "three_card": offered})
    for actions, seats in (
        ((bet(5, 1_000), bet(2, 1)), (2, 5)),
        ((bet(5, 1_000), wagers(5)), ()),
        ((wagers(5), bet(5, 1_000)), (5,)),
        ((bet(5, 1_000, "below_minimum"),), ()),
        ((wagers(5, base_1=1_000, base_2=1_000),), ()),
        ((wagers(5, base_1=1_000, base_2=1_000, base_d=500),), ()),
        ((wagers(5, bonus=100),), ()),
    ):
        assert bettors(Round(Dealt(), actions), plain) == seats, actions
        assert bettors(Round(Dealt(), actions), alone) == seats, actions
    side = Round(Dealt(), (wagers(5, three_card=500), wagers(3, three_card=500, bonus=100)))
    assert bettors(side, plain) == ()
    assert bettors(side, alone) == (5,)


def test_where_a_player_banks_the_deal_starts_at_the_banks_left() -> None:
    rules = catalog.ready_rules("california-1").rules

    def bank(seat: int, refused: str = "") -> Action:
        return Action(commands.TakeBank(by=f"seat:{seat}", seat=seat, cents=30_000), 0, refused)

    bets = tuple(bet(seat, 1_000) for seat in (1, 2, 3, 4, 5, 7))
    for first, seats in (
        ((bank(3),), (4, 5, 7, 1, 2, 3)),
        ((bank(3), bank(1, "bank_not_offered")), (4, 5, 7, 1, 2, 3)),
        ((), (1, 2, 3, 4, 5, 7)),
    ):
        assert bettors(Round(Dealt(), (*first, *bets)), rules) == seats, first
        assert bettors(Round(Dealt(), (*first, *bets)), catalog.ready_rules("nsw-1").rules) == (1, 2, 3, 4, 5, 7)


ROUNDS = (
    Round(Dealt(order=("As",), dice=7), (), redealt=Dealt(order=("Js",))),
    Round(Dealt(order=("Ks",), dice=9), ()),
    Round(Dealt(order=("Qs",)), ()),
)
DECKS: dict[str, tuple[tuple[str, int, str, str, str], ...]] = {
    "nsw-1+shuffler": (
        ("opening", 0, "start_shuffle", "", "As"),
        ("betting", 1, "start_shuffle", "", "As"),
        ("dealing", 1, "start_shuffle", "", "As"),
        ("dealing", 1, "mix_rest", "", "As"),
        ("dealing", 1, "mix_rest", "redealt", "Js"),
        ("dealing", 1, "start_shuffle", "redealt", "Js"),
        ("dealing", 1, "start_shuffle", "misdeal", "As"),
        ("choice_1", 1, "mix_rest", "", "As"),
        ("between", 1, "start_shuffle", "redealt", "Ks"),
        ("between", 2, "start_shuffle", "", "Qs"),
        ("dealing", 2, "mix_rest", "redealt", "Ks"),
        ("dealing", 3, "start_shuffle", "", "Qs"),
        ("between", 3, "start_shuffle", "", "2c"),
        ("dealing", 4, "mix_rest", "", "2c"),
    ),
    "shufflemaster-1": (
        ("opening", 0, "start_shuffle", "", "As"),
        ("betting", 1, "start_shuffle", "", "As"),
        ("dealing", 1, "mix_deck", "", "Js"),
        ("dealing", 1, "mix_deck", "redealt", "Ks"),
        ("dealing", 1, "mix_rest", "", "As"),
        ("dealing", 1, "mix_rest", "redealt", "Js"),
        ("dealing", 2, "start_shuffle", "swap", "Ks"),
        ("dealing", 2, "mix_deck", "", "Qs"),
        ("ruling", 2, "start_shuffle", "swap", "Qs"),
        ("between", 2, "start_shuffle", "", "Qs"),
    ),
}
"""By book: the phase, the round, the step that mixes, what is special, and the first card of the deck it brings."""


def test_a_deck_is_mixed_for_the_deal_it_will_be_used_in() -> None:
    for book, rows in DECKS.items():
        player = Player(Record(book, (), (), ROUNDS), "r", catalog.ready_rules(book))
        for phase, number, kind, special, first in rows:
            step = Step(kind, number=1)
            fields: dict[str, Any] = {"phase": phase, "round": number, "agenda": (step, Step("count_deck"))}  # by name
            if special == "swap":
                fields["agenda"] = (step, Step("swap_decks"), Step("count_deck"))
            elif special:
                fields["rulings"] = tuple(
                    Ruling(name=name, sentence="so") for name in ("order:count", f"unloaded:{special}")
                )
            table = msgspec.structs.replace(player.table, **fields)
            assert player.order(table, step)[0] == first, (book, phase, number, kind, special)


def test_the_dice_of_a_round_are_those_its_lines_tell() -> None:
    player = Player(Record("nsw-1", (), (), ROUNDS), "r")
    thrown = [player.throw(msgspec.structs.replace(player.table, round=number)) for number in range(6)]
    assert thrown == [0, 7, 9, 0, 0, 0]
