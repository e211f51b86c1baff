"""Reader: every kind of line is read as the command it tells and written back, and a wrong one is refused in a sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from letitride.engine import commands, refusal
from letitride.engine.refusal import CODES, LINE_MAX, NAME_MAX
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.record import Dealt, Setting
from letitride.records.writer import write_command, write_record
from letitride.rules.cards import FACES
from letitride.rules.rulings import THEN

HEAD = "rulebook nsw-1\n"
BASE: Any = {"base-1": 1_000, "base-2": 1_000, "base-$": 1_000}
ME: Any = {"by": "seat:3", "seat": 3}


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("seat 3 sits out", commands.SitOut(**ME)),
        ("seat 3 sits Mary Ann 7.50", commands.Sit(**ME, player="Mary Ann", cents=750)),
        ("seat 3 rejoins", commands.SitOut(**ME, out=False)),
        ("seat 3 buys 100", commands.BuyChips(**ME, cents=10_000)),
        ("seat 3 buys 101.50", commands.BuyChips(**ME, cents=10_150)),
        ("seat 3 goes away", commands.WentAway(**ME)),
        ("seat 3 comes back", commands.CameBack(**ME)),
        ("seat 3 exchanges 20 chips", commands.ExchangeVoucher(**ME, cents=2_000, into="chips")),
        ("seat 3 exchanges 20 tokens", commands.ExchangeVoucher(**ME, cents=2_000, into="tokens")),
        ("seat 3 leaves", commands.Leave(**ME)),
        ("seat 3 inspects", commands.LookOver(**ME)),
        ("seat 3 looks", commands.Look(**ME)),
        ("seat 3 rides 1", commands.Choose(**ME, bet=1, choice="ride")),
        ("seat 3 withdraws 2", commands.Choose(**ME, bet=2, choice="withdraw")),
        ("seat 3 banks 30", commands.TakeBank(**ME, cents=3_000)),
        ("seat 3 declines", commands.DeclineBank(**ME)),
        ("seat 3 tucks", commands.Tuck(**ME)),
        ("seat 3 claims", commands.Claim(**ME, shown=True)),
        ("seat 3 waves", commands.Claim(**ME, shown=False)),
        ("seat 3 bets 10", commands.PlaceWagers(**ME, wagers=BASE)),
        ("seat 3 bets nothing", commands.PlaceWagers(**ME, wagers={})),
        ("seat 3 bets 10 match-play 7.50", commands.PlaceWagers(**ME, wagers=BASE, coupon_cents=750)),
        ("seat 3 bets 1=10 2=10 $=5", commands.PlaceWagers(**ME, wagers={**BASE, "base-$": 500})),
        (
            "seat 3 bets 10 bonus 1 three_card 5 cover_all 2",
            commands.PlaceWagers(**ME, wagers={**BASE, "bonus": 100, "three_card": 500, "cover_all": 200}),
        ),
        ("seat 3 bets 10 with plaques", commands.PlaceWagers(**ME, wagers=BASE, medium="plaques")),
        ("seat 3 bets 10 with tokens", commands.PlaceWagers(**ME, wagers=BASE, medium="tokens")),
        ("seat 3 bets 10 with vouchers", commands.PlaceWagers(**ME, wagers=BASE, medium="vouchers")),  # type: ignore[arg-type]  # legal refuses it
        ("seat 3 bets 10 with cash spoken", commands.PlaceWagers(**ME, wagers=BASE, medium="cash", spoken=True)),
        ("seat 3 corrects 10", commands.Correct(**ME, cents=1_000)),
        ("seat 3 folds", commands.Fold(**ME)),
        ("seat 3 refuses", commands.RefuseCorrection(**ME)),
        ("seat 3 appeals", commands.AppealDispute(**ME)),
        ("seat 3 asks advice", commands.AskAdvice(**ME)),
        ("seat 3 wants no advice", commands.AskAdvice(**ME, wanted=False)),
        ("seat 3 disputes the pay of bet 2", commands.RaiseDispute(**ME, about="the pay of bet 2")),
        ("seat 3 reports deck seat 3", commands.Report(by="seat:3", kind="deck", seat=3)),
        ("seat 3 advises seat 1: ride it", commands.Advise(by="seat:3", seat=1, words="ride it")),
        ("seat 3 by dealer goes away", commands.WentAway(by="dealer", seat=3)),
        ("seat 3 by floor comes back", commands.CameBack(by="floor", seat=3)),
        ("seat 3 by seat:1 rides 1", commands.Choose(by="seat:1", seat=3, bet=1, choice="ride")),
        ("mishap exposed seat 3 card 2", commands.Mishap(by="table", kind="exposed", seat=3, number=2)),
        ("mishap exposed community", commands.Mishap(by="table", kind="exposed")),
        ("mishap exposed_burn", commands.Mishap(by="table", kind="exposed_burn")),
        ("mishap long dealer", commands.Mishap(by="table", kind="long")),
        ("mishap short dealer", commands.Mishap(by="table", kind="short")),
        ("mishap short seat 3", commands.Mishap(by="table", kind="short", seat=3)),
        ("mishap stray seat 4", commands.Mishap(by="table", kind="stray", seat=4)),
        ("mishap drawn", commands.Mishap(by="table", kind="drawn")),
        ("mishap drawn seen", commands.Mishap(by="table", kind="drawn", number=1)),
        ("mishap unloaded", commands.Mishap(by="table", kind="unloaded")),
        ("mishap burn card 2", commands.Mishap(by="table", kind="burn", number=2)),
        (
            "mishap bets seat 3 1=5 2=10 $=10",
            commands.Mishap(by="table", kind="bets", seat=3, wagers={**BASE, "base-1": 500}),
        ),
        ("dealer reports exposed_community card 1", commands.Report(by="dealer", kind="exposed_community", number=1)),
        ("machine reports device_jam", commands.Report(by="machine", kind="device_jam")),
        ("inspector reports hand_count seat 2", commands.Report(by="inspector", kind="hand_count", seat=2)),
        ("spectator advises seat 3: ride", commands.Advise(by="spectator", seat=3, words="ride")),
        (
            "casino_supervisor orders bar seats 1,3 ground collusion because they talk",
            commands.Order(by="casino_supervisor", kind="bar", seats=(1, 3), ground="collusion", why="they talk"),
        ),
        (
            "floor orders limits min 10 max 500 at 20:05 from 21:30",
            commands.Order(by="floor", kind="limits", cents_min=1_000, cents_max=50_000, minute=1_205, when=1_290),
        ),
        (
            "operator orders change_deck deck 2 cards Qs,4d",
            commands.Order(by="operator", kind="change_deck", number=2, cards=("Qs", "4d")),
        ),
        (
            "games_supervisor decides dispute 1 upheld award 5 without floor,operator because of the film",
            commands.DecideDispute(
                by="games_supervisor", number=1, upheld=True, cents=500, absent=("floor", "operator"), why="of the film"
            ),
        ),
        (
            "operator decides dispute 2 rejected because it was right",
            commands.DecideDispute(by="operator", number=2, upheld=False, why="it was right"),
        ),
        ("dealer ask seat 3 number 1", commands.Do(by="dealer", kind="ask", seat=3, number=1)),
        ("floor verify_inspection", commands.Do(by="floor", kind="verify_inspection")),
        ("games_supervisor check_deck number 1", commands.Do(by="games_supervisor", kind="check_deck", number=1)),
        ("dealer pay seat 3 wager base-1", commands.Do(by="dealer", kind="pay", seat=3, wager="base-1")),
        ("dealer cut_deck cut 20", commands.Do(by="dealer", kind="cut_deck", cut=20)),
        ("dealer throw_dice throw 7", commands.Do(by="dealer", kind="throw_dice", throw=7)),
        ("dealer spread_idle face-up", commands.Do(by="dealer", kind="spread_idle", face_up=True)),
        (
            "dealer shuffle_deck order Th 9c^ 2d* Joker*",
            commands.Do(by="dealer", kind="shuffle_deck", order=("Th", "9c^", "2d*", "Joker*")),
        ),
    ],
)
def test_a_line_is_the_command_it_tells_and_is_written_back(line: str, command: commands.AnyCommand) -> None:
    (action,) = read_record(f"{HEAD}{line}").opening
    assert (action.command, action.line, action.refused, action.ruled) == (command, 2, "", ())
    assert write_command(command) == line
    (later,) = read_record(f"{HEAD}\nround\n{line}  # a comment\n").rounds[0].actions
    assert (later.command, later.line) == (command, 4)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("", "expected a line 'rulebook ID', got none"),
        ("# nothing\n", "expected a line 'rulebook ID', got none"),
        (f"{HEAD}seat 1 sits A\x1b[31mnn 300", "line 2: expected plain text, got the control character '\\x1b'"),
        (f"{HEAD}seat 1 disputes A\x00nn", "line 2: expected plain text, got the control character '\\x00'"),
        (f"{HEAD}round\x0bround", "line 2: expected plain text, got the control character '\\x0b'"),
        (f"{HEAD}seat 1 disputes {'x' * 16_384}", "expected a line of at most 16,384 characters, got one of 16,400"),
        (f"{HEAD}seat 1 sits {'A' * 25} 300", f"expected a name of at most 24 characters, got '{'A' * 25}'"),
        (f"{HEAD}seat 1 {'x' * 500}", f"'{'x' * 79}…{'x' * 29}'"),
        (f"{HEAD}round\ndeck{' Qh' * 5_000}", "expected at most 52 cards, and 2 that do not belong to the deck, got 5,000"),
        (f"{HEAD}seat 1 buys 1000000000", "expected an amount of at most 999999999.99 dollars, got '1000000000'"),
        (f"{HEAD}dealer ask seat 10000", "expected a whole number up to 9999, got '10000'"),
        (f"{HEAD}dealer report x", "or a step of the script, got 'report'; did you mean 'reports'?"),
        (f"{HEAD}floor dance", "expected 'floor' and 'reports', 'orders', 'decides', 'advises' or a step of the script"),
        (f"{HEAD}seat 1 looks => not_your_trun", "after '=>', got the unknown code 'not_your_trun'; did you mean 'not_your_turn'?"),
        (f"{HEAD}dealer reports deck => ruled mis_deal", "got the unknown ruling 'mis_deal'; did you mean 'misdeal'?"),
        ("round", "line 1: expected 'rulebook ID' before anything else, got 'round'"),
        ("rulebook", "expected one line 'rulebook ID', or"),
        ("rulebook a b", "expected one line 'rulebook ID', or"),
        ("rulebook a sha256:12", "expected one line 'rulebook ID', or"),
        (f"rulebook a sha256:{'0' * 64} b", "expected one line 'rulebook ID', or"),
        (
            f"{HEAD}rulebook nsw-1",
            "line 2: expected one record in a file, since 'rulebook' stands in line 1 already, got 'rulebook nsw-1'; a",
        ),
        (f"{HEAD}set seats", "line 2: expected 'set KEY = VALUE' before any player acts, got 'set seats'"),
        (f"{HEAD}seat 1 looks\nset seats = 5", "line 3: expected 'set KEY = VALUE' before any player acts"),
        (f"{HEAD}round\nset seats = 5", "line 3: expected 'set KEY = VALUE' before any player acts"),
        (f"{HEAD}round two", "expected 'round' alone, got 'round two'"),
        (f"{HEAD}redeal", "expected 'redeal' alone, once in a round"),
        (f"{HEAD}round\nredeal now", "expected 'redeal' alone, once in a round"),
        (f"{HEAD}round\nredeal\nredeal", "line 4: expected 'redeal' alone, once in a round"),
        (f"{HEAD}seat 1 looks\ndealer auto", "expected 'dealer auto' or 'dealer by hand' before any player acts"),
        (f"{HEAD}round\ndealer by hand", "expected 'dealer auto' or 'dealer by hand' before any player acts"),
        (f"{HEAD}rond", "got 'rond'; did you mean 'round'?"),
        (f"{HEAD}deck Th", "expected 'round' before 'deck', got none"),
        (f"{HEAD}round\ndeck", "expected 'deck' and the cards of the deck, got none"),
        (f"{HEAD}round\ndeck Th 9c Th", "line 3: expected 3 different cards, got Th twice"),
        (f"{HEAD}round\nhand 1 Th 9c", "expected 'hand SEAT' and three cards, got 'Th 9c'"),
        (f"{HEAD}round\nhand x Th 9c 2d", "expected the number of a seat, got 'x'"),
        (f"{HEAD}round\nhand", "expected the number of a seat, got ''"),
        (f"{HEAD}round\nhand 1 Th 9c 2d\nhand 1 3d 4d 5d", "expected one hand for each seat, got a second one for seat 1"),
        (f"{HEAD}round\nhand 1 Th 9c 2d\nhand 3 Th 4d 5d", "got Th twice"),
        (f"{HEAD}round\nhand 1 Th 9c 2d\ncommunity Th 4d", "got Th twice"),
        (f"{HEAD}round\ncommunity Th 4d\nburn Th", "got Th twice"),
        (f"{HEAD}round\nburn Th\nhand 1 Th 9c 2d", "got Th twice"),
        (f"{HEAD}round\ncommunity Th 4d\nmissing Th", "line 4: expected cards that no other line names, got Th, which line 3 names"),
        (f"{HEAD}round\ndeck Th^\nmissing Th", "line 4: expected cards that no other line names, got Th, which line 3 names"),
        (
            f"{HEAD}round\nhand 1 2c 3c 4c\nhand 3 Th^ 9c 2d\nmissing 9c",
            "line 5: expected cards that no other line names, got 9c, which line 4 names",
        ),
        (
            f"{HEAD}round\nmissing Qh\nhand 1 Qh 9c 2d",
            "line 4: expected cards that the deck has, got Qh, which is missing by line 3",
        ),
        (f"{HEAD}round\ncommunity Th", "expected 'community' and two cards, got 'Th'"),
        (f"{HEAD}round\nburn Th 9c 8d", "expected 'burn' and one or two cards, got 'Th 9c 8d'"),
        (f"{HEAD}round\ndice", "expected a whole number, got ''"),
        (f"{HEAD}round\ndice 3 4", "expected a whole number, got ''"),
        (f"{HEAD}round\ndeck Th\nhand 1 9c 2d 3d", "expected a deck, or hands and community cards, got both"),
        (f"{HEAD}round\ndeck Th\ncommunity 9c 2d", "expected a deck, or hands and community cards, got both"),
        (f"{HEAD}round\ndeck Th\nburn 9c", "expected a deck, or hands and community cards, got both"),
        (f"{HEAD}round\ndeck Joker", "expected 'Joker*', since a joker belongs to no deck, got 'Joker'"),
        (f"{HEAD}round\ndeck Xx", "expected a card like 'Th', got 'Xx'"),
        (f"{HEAD}seat 1 looks =>", "expected one refusal code after '=>', or 'ruled' and a decision, got ''"),
        (f"{HEAD}seat 1 looks => ruled", "expected one refusal code after '=>', or 'ruled' and a decision, got 'ruled'"),
        (f"{HEAD}dealer shuffle_deck order Th 9c Th", "expected 3 different cards, got Th twice"),
        (f"{HEAD}seat 1 by dealer", "expected 'seat N' and what the player does, got 'seat 1'"),
        (f"{HEAD}seat 1 looks => two codes", "expected one refusal code after '=>', or 'ruled' and a decision"),
        (f"{HEAD}machine jams", "expected 'machine' and one of reports, orders, decides, advises, got 'jams'"),
        (f"{HEAD}machine", "expected 'machine' and one of reports, orders, decides, advises, got ''"),
        (f"{HEAD}dealer", "expected 'dealer' and 'auto', 'by hand', 'reports', 'orders', 'decides', 'advises' or a step of the script, got ''"),
        (f"{HEAD}dealer aks", "got 'aks'; did you mean 'ask'?"),
        (f"{HEAD}dealer autom", "got 'autom'; did you mean 'auto'?"),
        (f"{HEAD}dealer ask seat", "expected seat N, wager NAME, number N, cut N, throw N, meter NAME AMOUNT, face-up or order CARDS, got 'seat'"),
        (f"{HEAD}dealer ask here", "face-up or order CARDS, got 'here'"),
        (f"{HEAD}dealer ask seat x", "expected a whole number, got 'x'"),
        (f"{HEAD}seat 1", "expected 'seat N' and what the player does, got 'seat 1'"),
        (f"{HEAD}seat 1 rids 1", "got 'rids 1'; did you mean 'rides'?"),
        (f"{HEAD}seat 1 looks twice", "expected 'looks' alone, got 'looks twice'"),
        (f"{HEAD}seat 1 rides 1 2", "expected 'rides 1' or 'rides 2', each on its own line, got 'rides 1 2'"),
        (f"{HEAD}seat 1 withdraws", "expected 'withdraws 1', 'withdraws 2' or 'withdraws' and a side bet, each on its own line, got 'withdraws'"),
        (f"{HEAD}seat 1 exchanges 20", "expected 'exchanges AMOUNT chips', 'exchanges AMOUNT tokens' or 'exchanges AMOUNT match_play', got 'exchanges 20'"),
        (f"{HEAD}seat 1 sits", "expected 'sits NAME AMOUNT' or 'sits out', got 'sits'"),
        (f"{HEAD}seat 1 bets", "expected what is bet, or 'nothing', got ''"),
        (f"{HEAD}seat 1 bets 10 20", "expected the base amount once, before the other wagers, got '20'"),
        (f"{HEAD}seat 1 bets 10 with buttons", "expected chips, plaques, tokens, vouchers or cash, got 'buttons'"),
        (f"{HEAD}seat 1 bets all", "expected an amount, 1=, 2=, $=, bonus, three_card, cover_all, with, spoken, match-play or nothing, got 'all'"),
        (f"{HEAD}seat 1 bets 10 nothing", "expected amounts, or 'nothing', got '10 nothing'"),
        (f"{HEAD}seat 1 bets spoken", "expected amounts, or 'nothing', got 'spoken'"),
        (f"{HEAD}seat 1 buys ten", "expected an amount in dollars like 10 or 7.50, got 'ten'"),
        (f"{HEAD}mishap", "expected 'mishap' and one of exposed, "),
        (f"{HEAD}mishap fire", "got 'fire'"),
        (f"{HEAD}mishap long community x", "expected seat N, card N, dealer, community, seen, or amounts like 1=5, got 'x'"),
        (f"{HEAD}mishap exposed seen", "got 'seen'"),
        (f"{HEAD}mishap drawn dealer", "got 'dealer'"),
        (f"{HEAD}floor reports", "expected 'reports' and one of exposed_card, "),
        (f"{HEAD}floor reports stub_count", "got 'stub_count'"),
        (f"{HEAD}floor reports deck here", "expected seat N or card N, got 'here'"),
        (f"{HEAD}floor reports deck seat 1 seat 2", "expected seat N or card N, got 'seat'"),
        (f"{HEAD}floor orders", "expected 'orders' and one of "),
        (f"{HEAD}floor orders tea", "got 'tea'"),
        (f"{HEAD}floor orders close soon", "ground WORD or because …, got 'soon'"),
        (f"{HEAD}floor orders close at 9", "expected a time like 14:20, got '9'"),
        (f"{HEAD}floor orders bar seats x", "expected a whole number, got 'x'"),
        (f"{HEAD}floor orders bar ground noise", "expected one of collusion, device, "),
        (f"{HEAD}floor decides dispute 1", "expected 'decides dispute N upheld' or 'rejected'"),
        (f"{HEAD}floor decides dispute 1 upheld rejected", "expected 'decides dispute N upheld' or 'rejected'"),
        (f"{HEAD}floor advises now seat 1: ride", "expected 'advises seat N: WORDS'"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_refused_in_one_sentence(lines: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as refused:
        read_record(lines)
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("record, line " if lines.startswith(HEAD[:8]) else "record")
    assert "line 0" not in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 500


def test_what_a_server_allows_can_be_read() -> None:
    """A name of an account, the longest message of a client, a comment of any length, every code and ruling."""
    name, words = "A" * NAME_MAX, "x" * (LINE_MAX - len("seat 1 disputes "))
    record = read_record(f"{HEAD}seat 1 sits {name} 300  # {'x' * 20_000}\nseat 1 disputes {words}\n")
    sits, disputes = (action.command for action in record.opening)
    assert isinstance(sits, commands.Sit)
    assert isinstance(disputes, commands.RaiseDispute)
    assert (sits.player, disputes.about) == (name, words)
    assert {*refusal_codes()} == {*CODES}
    for code in CODES:
        (action,) = read_record(f"{HEAD}seat 1 looks => {code}").opening
        assert action.refused == code
    for ruled in (*THEN, "annul:fraud", "bar:device", "count", "change_cards"):
        (action,) = read_record(f"{HEAD}floor orders count => ruled {ruled}").opening
        assert action.ruled == (ruled,)


def refusal_codes() -> set[str]:
    """Return the codes that the engine's source refuses with."""
    paths = Path(refusal.__file__).parent.glob("*.py")
    return {code for path in paths for code in re.findall(r'Refusal\(\s*"(\w+)"', path.read_text(encoding="utf-8"))}


def test_words_that_begin_a_line_and_acts_of_a_seat_are_all_named_where_another_came() -> None:
    begins = "rulebook set dealer floor seat round deck hand community burn dice missing redeal mishap machine"
    roles = "games_supervisor casino_supervisor operator inspector spectator"
    with pytest.raises(InvalidData) as refused:
        read_record(f"{HEAD}nonsense")
    named = str(refused.value).partition("one of ")[2].partition(", got")[0].replace("'", "").split(", ")
    assert named == f"{begins} {roles}".split()
    acts = (
        "sits rejoins buys exchanges leaves bets inspects looks rides withdraws tucks claims waves banks declines "
        "corrects folds refuses goes comes disputes appeals asks wants reports advises"
    )
    with pytest.raises(InvalidData) as refused:
        read_record(f"{HEAD}seat 1 nonsense")
    assert str(refused.value).partition("one of ")[2].partition(", with what")[0].split(", ") == acts.split()


def test_what_must_follow_is_read_with_the_act() -> None:
    record = read_record(f"{HEAD}seat 1 looks => betting_closed\ndealer reports deck => ruled misdeal sm:1 house\n")
    assert [(one.refused, one.ruled) for one in record.opening] == [
        ("betting_closed", ()),
        ("", ("misdeal", "sm:1", "house")),
    ]
    assert write_record(record).splitlines()[-2:] == [
        "seat 1 looks => betting_closed",
        "dealer reports deck => ruled misdeal sm:1 house",
    ]


def test_a_record_has_its_book_its_values_its_rounds_and_their_cards() -> None:
    digest = "0123456789abcdef" * 4
    record = read_record(
        f"# told in words\nrulebook own-1 sha256:{digest}\nset seats = 5\nset limit.cents_min = 600\ndealer by hand\n"
        "\nround\nhand 1 Th9c2d\nhand 3 10s,3c^,4c*\ncommunity Ks 2c\nburn joker*\ndice 7\nmissing As\n"
        "\nround\ndeck Th 9c\nseat 1 looks\nredeal\ndeck 2c 3c\nseat 1 looks\n"
    )
    assert (record.rulebook, record.digest, record.line, record.auto) == ("own-1", digest, 2, False)
    assert record.settings == (Setting("seats", "5", 3), Setting("limit.cents_min", "600", 4))
    first, second = record.rounds
    assert first.dealt == Dealt(
        hands=((1, ("Th", "9c", "2d")), (3, ("Ts", "3c^", "4c*"))),
        community=("Ks", "2c"),
        burn=("Joker*",),
        dice=7,
        missing=("As",),
    )
    assert (first.line, first.redealt, second.line) == (7, None, 15)
    assert (second.dealt, second.redealt) == (Dealt(order=("Th", "9c")), Dealt(order=("2c", "3c")))
    assert [action.line for action in second.actions] == [17, 20]
    assert write_record(record) == (
        f"rulebook own-1 sha256:{digest}\nset seats = 5\nset limit.cents_min = 600\ndealer by hand\n"
        "\nround\nhand 1 Th 9c 2d\nhand 3 Ts 3c^ 4c*\ncommunity Ks 2c\nburn Joker*\nmissing As\ndice 7\n"
        "\nround\ndeck Th 9c\nredeal\ndeck 2c 3c\nseat 1 looks\nseat 1 looks\n"
    )
    assert read_record(HEAD).auto
    assert read_record(write_record(record)).rounds[0].dealt == first.dealt
    assert write_record(read_record(write_record(record))) == write_record(record)


def test_a_foreign_card_may_come_twice() -> None:
    (one,) = read_record(f"{HEAD}round\nhand 3 Qs Qs* 3c\n").rounds
    assert one.dealt.hands == ((3, ("Qs", "Qs*", "3c")),)
    (one,) = read_record(f"{HEAD}round\nhand 3 Qs 4c 3c\ncommunity Qs* 2d\n").rounds
    assert one.dealt.community == ("Qs*", "2d")


@pytest.mark.parametrize(
    ("lines", "came"),
    [
        ("", "none"),
        (f"{HEAD}deck Th", "none"),
        (f"{HEAD}round\ndeck", "none"),
        (f"{HEAD}round\ndeck Th\nburn 9c", "both"),
    ],
)
def test_a_refusal_ends_with_what_came(lines: str, came: str) -> None:
    with pytest.raises(InvalidData, match=f", got {came}$"):
        read_record(lines)


def test_a_deck_is_the_52_cards_and_two_that_do_not_belong_to_it() -> None:
    for lines in ("round\ndeck", "dealer shuffle_deck order"):
        full = f"{HEAD}{lines} {' '.join(FACES)} Joker* Qs*"
        assert "\n" + f"{lines} {' '.join(FACES)} Joker* Qs*" in write_record(read_record(full))
        with pytest.raises(InvalidData, match="expected at most 52 cards, and 2 that do not .*, got 55$"):
            read_record(f"{full} 4d*")


def test_chips_may_be_named_and_need_not_be() -> None:
    plain, named = read_record(f"{HEAD}seat 3 bets 10\nseat 3 bets 10 with chips\n").opening
    assert plain.command == named.command


def test_what_a_line_leaves_out_is_none() -> None:
    decided, said = (one.command for one in read_record(f"{HEAD}floor decides upheld\nfloor advises : ride\n").opening)
    assert decided == commands.DecideDispute(by="floor", number=0, upheld=True)
    assert said == commands.Advise(by="floor", seat=0, words="ride")


def test_three_spots_that_differ_are_written_one_by_one() -> None:
    for spots in ("1=10 2=10 $=5", "1=10 2=5 $=10", "1=5 2=10 $=10", "2=10 $=10", "$=10"):
        (one,) = read_record(f"{HEAD}seat 3 bets {spots}").opening
        assert write_command(one.command) == f"seat 3 bets {spots}"
