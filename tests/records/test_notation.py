"""Round records: read, written, replayed, refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.engine import commands
from letitride.engine.state import DisputedBet
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.record import Action, Dealt, Record, Round, Setting
from letitride.records.replay import replay
from letitride.records.writer import write_record
from letitride.rules.cards import DECK
from letitride.rules.rulings import REPORTED
from letitride.rules.wager_table import BASE_SPOTS, PUBLISHED_SPOTS
from tests.clauses.rounds import SEATED, WHOLE_ROUND

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.round"))

cents = st.integers(1, 10_000_000)
seats = st.integers(1, 7)
words = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,8}", fullmatch=True)


@st.composite
def player_commands(draw: Any) -> commands.AnyCommand:
    seat = draw(seats)
    by = draw(st.sampled_from([f"seat:{seat}"] * 5 + ["spectator", "floor", "seat:2"]))
    wagers = draw(st.dictionaries(st.sampled_from(PUBLISHED_SPOTS), cents, max_size=6))
    ordered = {name: wagers[name] for name in PUBLISHED_SPOTS if name in wagers}
    return draw(
        st.sampled_from(
            [
                commands.Sit(by=by, seat=seat, player=draw(words), cents=draw(cents)),
                commands.BuyChips(by=by, seat=seat, cents=draw(cents)),
                commands.ExchangeVoucher(
                    by=by, seat=seat, cents=draw(cents), into=draw(st.sampled_from(["chips", "tokens", "match_play"]))
                ),
                commands.Leave(by=by, seat=seat),
                commands.SitOut(by=by, seat=seat, out=draw(st.booleans())),
                commands.PlaceWagers(
                    by=by,
                    seat=seat,
                    wagers=ordered,
                    medium=draw(st.sampled_from(["chips", "plaques", "tokens", "cash"])),
                    spoken=draw(st.booleans()),
                    coupon_cents=draw(st.one_of(st.just(msgspec.UNSET), cents)),
                ),
                commands.LookOver(by=by, seat=seat),
                commands.Look(by=by, seat=seat),
                commands.Choose(
                    by=by,
                    seat=seat,
                    bet=draw(st.sampled_from([1, 2])),
                    choice=draw(st.sampled_from(["ride", "withdraw"])),
                ),
                commands.Tuck(by=by, seat=seat),
                commands.Claim(by=by, seat=seat, shown=draw(st.booleans())),
                commands.Do(
                    by=draw(st.sampled_from(["dealer", "floor"])),
                    kind=draw(st.sampled_from(["deal_card", "cut_deck", "start_shuffle", "pay"])),
                    seat=draw(st.integers(0, 7)),
                    wager=draw(st.sampled_from(["", "base-1", "bonus"])),
                    number=draw(st.integers(0, 3)),
                    cut=draw(st.integers(0, 51)),
                    face_up=draw(st.booleans()),
                    order=draw(st.sampled_from([(), tuple(map(str, DECK))])),
                ),
            ]
        )
    )


said = st.lists(words.filter(lambda word: word != "because"), min_size=1, max_size=4).map(" ".join)
staff = st.sampled_from(["dealer", "floor", "games_supervisor", "casino_supervisor", "operator", "inspector", "seat:2"])


@st.composite
def trouble_commands(draw: Any) -> commands.AnyCommand:
    seat = draw(seats)
    by = f"seat:{seat}"
    spots = draw(st.dictionaries(st.sampled_from(BASE_SPOTS), cents, min_size=1))
    return draw(
        st.sampled_from(
            [
                commands.Mishap(
                    by="table", kind="exposed", seat=draw(st.integers(0, 7)), number=draw(st.integers(0, 3))
                ),
                commands.Mishap(
                    by="table", kind=draw(st.sampled_from(["long", "short"])), seat=draw(st.integers(0, 7))
                ),
                commands.Mishap(by="table", kind="drawn", number=draw(st.integers(0, 1))),
                commands.Mishap(by="table", kind="unloaded"),
                commands.Mishap(by="table", kind="stray", seat=seat),
                commands.Mishap(by="table", kind="bets", seat=seat, wagers=spots),
                commands.Report(
                    by=draw(st.one_of(staff, st.just("machine"))),
                    kind=draw(st.sampled_from(REPORTED)),
                    seat=draw(st.integers(0, 7)),
                    number=draw(st.integers(0, 4)),
                ),
                commands.WentAway(by="dealer", seat=seat),
                commands.CameBack(by="dealer", seat=seat),
                commands.Correct(by=by, seat=seat, cents=draw(cents)),
                commands.Fold(by=by, seat=seat),
                commands.RefuseCorrection(by=by, seat=seat),
                commands.Order(
                    by=draw(staff),
                    kind=draw(st.sampled_from(get_args(commands.OrderKind))),
                    seats=tuple(draw(st.lists(seats, max_size=3))),
                    number=draw(st.integers(0, 2)),
                    cents_min=draw(st.integers(0, 100_000)),
                    cents_max=draw(st.integers(0, 100_000)),
                    minute=draw(st.integers(0, 1_439)),
                    when=draw(st.integers(0, 1_439)),
                    ground=draw(st.sampled_from(["", "collusion", "device", "fraud", "disturbance"])),
                    why=draw(st.one_of(st.just(""), said)),
                ),
                commands.RaiseDispute(
                    by=by,
                    seat=seat,
                    about="the pay of " + draw(said),
                    concerns=draw(
                        st.just(msgspec.UNSET)
                        | st.builds(
                            DisputedBet,
                            round=st.integers(1, 9_999),
                            wager=st.sampled_from(["", "base-1", "base-$", "cover_all"]),
                            cents=st.integers(0, 99_999),
                        )
                    ),
                ),
                commands.DecideDispute(
                    by=draw(staff),
                    number=draw(st.integers(0, 99)),
                    upheld=draw(st.booleans()),
                    cents=draw(st.integers(0, 999)),
                    why=draw(said),
                    absent=draw(st.sampled_from([(), ("games_supervisor", "casino_supervisor")])),
                ),
                commands.AppealDispute(by=by, seat=seat),
                commands.AskAdvice(by=by, seat=seat, wanted=draw(st.booleans())),
                commands.Advise(by=draw(st.one_of(staff, st.just("spectator"))), seat=seat, words=draw(said)),
            ]
        )
    )


actions = st.one_of(
    st.builds(Action, player_commands(), st.just(0), st.sampled_from(["", "betting_closed"])),
    st.builds(
        Action, trouble_commands(), st.just(0), st.just(""), st.sampled_from([(), ("misdeal", "nsw:12.1"), ("go_on",)])
    ),
)
marked = st.sampled_from(["", "", "", "^", "*"])
dealt = st.one_of(
    st.builds(lambda order: Dealt(order=tuple(map(str, order))), st.permutations(DECK)),
    st.permutations(DECK).map(
        lambda d: Dealt(
            hands=((2, tuple(map(str, d[:3]))),),
            community=(str(d[3]), str(d[4])),
            burn=tuple(map(str, d[5 : 6 + d[0].index % 2])),
        )
    ),
    st.tuples(st.permutations(DECK), marked).map(
        lambda d: Dealt(order=(f"{d[0][0]}{d[1]}", *map(str, d[0][1:50])), missing=tuple(map(str, d[0][50:])))
    ),
    st.just(Dealt()),
)
records = st.builds(
    Record,
    rulebook=st.sampled_from(["nsw-1", "washington-1+felt", "rooms/mine.toml"]),
    settings=st.lists(st.builds(Setting, st.just("limit.cents_max"), st.sampled_from(["500", "'x'"])), max_size=2).map(
        tuple
    ),
    opening=st.lists(actions, max_size=4).map(tuple),
    rounds=st.lists(
        st.builds(Round, dealt, st.lists(actions, max_size=5).map(tuple), st.just(0), st.one_of(st.none(), dealt)),
        max_size=3,
    ).map(tuple),
    auto=st.booleans(),
)


@given(records)
def test_a_record_is_read_back_as_it_was_written(record: Record) -> None:
    text = write_record(record)
    assert record == read_record(text)
    assert text == write_record(read_record(text))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_replayed_to_its_end_and_written_back_line_by_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text, path.name)
    done = replay(record, path.name)
    assert ["settled"] * len(record.rounds) == [outcome.status for outcome in done.outcomes]
    said = [line.partition("#")[0].strip() for line in text.splitlines()]
    assert [line for line in said if line] == [line for line in write_record(record).splitlines() if line]


def test_there_is_an_example_for_every_house_banked_book() -> None:
    books = {read_record(path.read_text(), path.name).rulebook for path in EXAMPLES}
    assert {"hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1"} <= books


HEAD = f"rulebook nsw-1\n{SEATED}round\n"
BAD = {
    "nothing": ("", "r.round: expected a line 'rulebook ID', got none"),
    "no rule book": ("round", "line 1: expected 'rulebook ID' before anything else, got 'round'"),
    "unknown rule book": ("rulebook nsw-9", "r.round, line 1: expected a path ending in .toml or the id of a rule book"),
    "two rule books": ("rulebook nsw-1\nrulebook nsw-1", "line 2: expected one record in a file"),
    "unknown word": (HEAD + "rond", "line 6: expected a line that begins with one of "),
    "hint": (HEAD + "rond", "got 'rond'; did you mean 'round'?"),
    "setting without value": ("rulebook nsw-1\nset seats", "line 2: expected 'set KEY = VALUE'"),
    "unknown setting": ("rulebook nsw-1\nset seat = 3", "r.round, line 2: expected a rule-book key, got 'seat'"),
    "fixed setting": ("rulebook nsw-1\nset seats = 3", "r.round, line 2: table by nsw-1: seats: expected 7, which the book fixes"),
    "bad card": (HEAD + "deck Ah 1h", "line 6: expected a card like 'Th', got '1h'"),
    "card twice": (HEAD + "deck Ah Ah", "line 6: expected 2 different cards, got Ah twice"),
    "card in two hands": (HEAD + "hand 1 Ah Kh Qh\nhand 3 Ah 2c 3c", "line 7: expected 6 different cards, got Ah twice"),
    "hand of two": (HEAD + "hand 1 Ah Kh", "line 6: expected 'hand SEAT' and three cards"),
    "deck and hands": (HEAD + "deck Ah\nhand 1 2c 3c 4c", "line 7: expected a deck, or hands and community cards, got both"),
    "cards outside a round": ("rulebook nsw-1\ndeck Ah", "line 2: expected 'round' before 'deck', got none"),
    "no seat": (HEAD + "seat x bets 10", "line 6: expected the number of a seat, got 'x'"),
    "no act": (HEAD + "seat 1", "line 6: expected 'seat N' and what the player does"),
    "unknown act": (HEAD + "seat 1 bet 10", "line 6: expected one of sits, rejoins"),
    "bad amount": (HEAD + "seat 1 bets 1.234", "line 6: expected an amount in dollars like 10 or 7.50, got '1.234'"),
    "no amount": (HEAD + "seat 1 bets 10 bonus", "line 6: expected an amount in dollars like 10 or 7.50, got ''"),
    "bad medium": (HEAD + "seat 1 bets 10 with gold", "line 6: expected chips, plaques, tokens, vouchers or cash, got 'gold'"),
    "unknown wager": (HEAD + "seat 1 bets 10 insurance 5", "not_offered, This table doesn't offer insurance"),
    "no wager": (HEAD + "seat 1 bets 10 Insurance 5", "got 'Insurance'"),
    "unknown step": (HEAD + "dealer deals", "line 6: expected 'dealer' and 'auto', 'by hand', 'reports', 'orders', 'decides', 'advises' or a step of the script, got 'deals'"),
    "bet twice": (HEAD + "round\nseat 1 bets 10 bonus 1 bonus 5", "line 7: expected one amount for bonus, got a second one, '5'"),
    "spot twice": (HEAD + "round\nseat 1 bets 1=10 1=5 2=5 $=5", "line 7: expected one amount for base-1, got a second one, '5'"),
    "coupon twice": (HEAD + "round\nseat 1 bets 10 match-play 5 match-play 5", "line 7: expected one coupon, got a second one"),
    "other digits": (HEAD + "round\nseat 1 bets ２５", "line 7: expected an amount"),
    "bad step": (HEAD + "dealer deal_card to 3", "line 6: expected seat N, wager NAME, number N, cut N, throw N, meter NAME AMOUNT, face-up or order CARDS"),
    "refusal without code": (HEAD + "seat 1 bets 10 =>", "line 6: expected one refusal code after '=>'"),
    "an act that is refused": (HEAD + "seat 1 bets 1", "line 6: expected an act that is allowed, got 'seat 1 bets 1': below_minimum"),
    "a refusal that does not come": (HEAD + "seat 1 bets 10 => below_minimum\nseat 1 bets 10", "expected a refusal with below_minimum"),
    "a missing choice": (HEAD + "seat 1 bets 10", "line 6: expected seat 1 to choose on bet 1 before the round ends"),
    "three burned cards": (HEAD + "burn Ah Kh Qh", "line 6: expected 'burn' and one or two cards, got 'Ah Kh Qh'"),
    "no burned card": (HEAD + "burn", "line 6: expected 'burn' and one or two cards, got ''"),
    "a hand that is not dealt": (HEAD + "hand 5 Ah Kh Qh\nseat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2", "line 6: expected seat 5 to be dealt Ah Kh Qh, got no cards"),
    "a burned card where none is burned": (HEAD + "burn Ah\nseat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2", "line 6: expected Ah to be burned, got no burned card"),
    "a second hand for a seat": (HEAD + "hand 1 Ah Kh Qh\nhand 1 2c 3c 4c", "line 7: expected one hand for each seat, got a second one for seat 1"),
    "an empty deck": (HEAD + "deck", "line 6: expected 'deck' and the cards of the deck, got none"),
    "a section to set": ("rulebook nsw-1\nset limit = 700", "line 2: expected one key that is not set yet, got the section 'limit'"),
    "a key set twice": ("rulebook nsw-1\nset limit.cents_max = 700\nset limit.max = 800", "line 3: expected one key that is not set yet"),
    "a bad setting": ("rulebook nsw-1\nset limit.cents_max = 'x'", "line 2: limit.cents_max: expected a whole number, 1 or more, got 'x'"),
    "two base amounts": (HEAD + "seat 1 bets 10 20", "line 6: expected the base amount once, before the other wagers, got '20'"),
    "something and nothing": (HEAD + "seat 1 bets 10 nothing", "line 6: expected amounts, or 'nothing', got '10 nothing'"),
    "bets without a word": (HEAD + "seat 1 bets", "line 6: expected what is bet, or 'nothing', got ''"),
    "a dealer who changes": (HEAD + "dealer by hand", "line 6: expected 'dealer auto' or 'dealer by hand' before any player acts"),
    "uneven bets": (HEAD + "seat 1 bets 1=10 2=10\nseat 1 rides 1", "line 7: expected an act that is allowed, got 'seat 1 rides 1': no_bets"),
    "no player bets": (HEAD + "seat 1 sits out", "before the round ends, got none: no_bets"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), BAD.values(), ids=list(BAD))
def test_a_bad_record_is_refused_with_file_line_and_what_was_expected(text: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        replay(read_record(text, "r.round"), "r.round")
    assert sentence in str(error.value)
    assert str(error.value).startswith("r.round")
    assert "\n" not in str(error.value)


def test_a_deck_may_name_only_its_first_cards() -> None:
    body = WHOLE_ROUND.replace(
        "hand 1 Th Td 4c\nhand 3 9h 9d 3c\nhand 7 2c 7d Kh\ncommunity Ks 2d\n", "deck As Ks Qs\n"
    )
    done = replay(read_record(f"rulebook shufflemaster-1\n{SEATED}{body}"))
    dealt = next(one.after for one in done.steps if one.after.seats[1].dealt_in and "hand:1" in one.after.cards)
    assert ["As", "Ks", "Qs"] == [str(card.face) for card in dealt.cards["hand:1"]]


def test_a_dealer_who_is_not_automatic_does_every_step_himself() -> None:
    with pytest.raises(InvalidData, match="expected an act that is allowed, got 'seat 1 bets 10': betting_closed"):
        replay(read_record(f"rulebook nsw-1\ndealer by hand\n{SEATED}round\nseat 1 bets 10\n"))
    steps = "dealer check_deck number 1\nseat 1 sits Ann 100\ndealer shuffle_deck number 1 order {}\n"
    rest = "dealer square_deck\ndealer cut_deck number 1 cut 10\ndealer load_shoe\nround\nseat 1 bets 10\n"
    text = f"rulebook nsw-1\ndealer by hand\n{steps.format(' '.join(map(str, DECK)))}{rest}"
    assert {"base-1": 1_000, "base-2": 1_000, "base-$": 1_000} == replay(read_record(text)).table.seats[1].wagers
