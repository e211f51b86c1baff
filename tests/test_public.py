"""The public face: wrong arguments are refused in a sentence, whichever function gets them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from inspect import signature, unwrap
from types import FunctionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import letitride
from letitride import Card, Category, Hand, InvalidData, LetItRideError, commands, parse_cards
from letitride.analysis.decision_value import paid_nets

FUNCTIONS = sorted(name for name in letitride.__all__ if isinstance(getattr(letitride, name), FunctionType))
STAKES = {"base-1": 500, "base-2": 500, "base-$": 500}
BASE = {
    "royal_flush": 1000,
    "straight_flush": 200,
    "four_of_a_kind": 50,
    "full_house": 11,
    "flush": 8,
    "straight": 5,
    "three_of_a_kind": 3,
    "two_pair": "2",
    "tens_or_better": Fraction(1),
}
OWN = {"id": "mine", "title": "Mine", "base": {"award": "to_one", "pays": BASE}}
CLUB = {
    "id": "club",
    "title": "Club Bonus",
    "label": "CB",
    "about": "Pays on your five-card hand.",
    "judged_on": "own_five",
    "ranking": "poker",
    "award": "to_one",
    "pays": {"royal_flush": 500, "straight_flush": 100},
    "keys": {"cents": 100},
}
ENDLESS: dict[str, Any] = {}
ENDLESS["pays"] = ENDLESS
RECORD = "rulebook nsw-1\nseat 1 sits Ann 300\n"
REASONABLE = {"rounds", "index", "seed"}
"""Arguments of which a large number means much work, not a mistake."""


@cache
def right() -> dict[str, tuple[Any, ...]]:
    """Arguments that each function takes."""
    table = letitride.table_rules("washington-1", {"base.paytable": "LIRB-06", "limit.cents_max": 10_000})
    opened, events = letitride.open_table(table)
    base = letitride.paytable("LIRX-01").pays["base"]
    made = letitride.plan(table, 1, letitride.stakes_of(table))
    record = letitride.read_record(RECORD)
    community, cards = parse_cards("Ks 2d"), parse_cards("Th Td 4c")
    hands = [Hand(3, cards, STAKES)]
    sit = commands.Sit(seat=1, player="Ann", cents=50_000)
    done = letitride.play_round("nsw-1", {1: 500}, seed=1)
    best = letitride.best_strategy(base)
    return {
        "advise": (base, cards),
        "announce": (letitride.evaluate(cards + community),),
        "announce_three": (cards,),
        "best_hands": (1, community),
        "best_strategy": (base, "ride"),
        "clause": ("nsw:7.1",),
        "cost": (base, best),
        "check_book": (letitride.rulebook("hand-dealt-1"),),
        "coupon_value": (base,),
        "decide": (opened, sit),
        "deck": (1, 5, 2),
        "design": (Fraction(1, 40), "house_edge"),
        "evaluate": (cards + community,),
        "evaluate_three": (cards,),
        "evolve": (opened, events[0]),
        "figures": (made, letitride.simulate(made, 1, 1_000)),
        "legal": (opened, sit),
        "open_table": (table,),
        "parse_cards": ("Th 9c",),
        "paytable": ("LIRX-01",),
        "paytable_from": (OWN,),
        "paytable_ids": (),
        "plan": (table, 1, letitride.stakes_of(table)),
        "play": (opened, sit),
        "play_round": ("nsw-1", {1: 500}, best),
        "price": (base, "withdraw"),
        "progressive": (letitride.paytable("examples/wagers/jackpot.toml").pays["jackpot"], 100, 1),
        "read_record": (RECORD,),
        "record_of": (done,),
        "replay": (record,),
        "rulebook": ("nsw-1",),
        "rulebook_ids": (),
        "script": (opened,),
        "settle_banked": (table, community, hands, 10_000),
        "settle_round": (table, community, hands, 1),
        "sheets": (letitride.paytable("3CB-1"),),
        "simulate": (made.game, 1, 10, 1),
        "stakes_of": (table, 500),
        "strategy_from": ({"bet1": ["three"], "bet2": []}, "mine"),
        "table_rules": ("nsw-1", {}),
        "view": (opened, "spectator"),
        "wager_from": (CLUB,),
        "wager_figures": (made, letitride.simulate(made.game, 1, 1_000)),
        "what_if": (record, "california-1"),
        "why": (letitride.replay(record),),
        "write_record": (record,),
    }


WRONG: tuple[Any, ...] = (None, True, 1.5, float("nan"), float("inf"), -1, -(2**70), 2**70, "x", "", "x" * 1_000_000)
WRONG += ("\u202e\x1b[2J\x00", "٣", b"x", [], {}, (), {1: 2}, [None], {"x": {"y": [None]}}, object(), 1j, Card, len)
WRONG += (parse_cards("Th"), [parse_cards("Th")[0]] * 3, [Hand(1, (), {})], Category.FLUSH, Fraction(1, 3), set())
NEVER_RIGHT = (object(), 1j)


def test_every_public_function_is_tried() -> None:
    assert sorted(right()) == FUNCTIONS


def returned(hint: Any) -> Iterator[type]:
    """Yield the types of this package that an annotation names."""
    if isinstance(hint, type) and not get_args(hint):
        yield from [hint] if hint.__module__.startswith("letitride") else []
    for part in () if get_origin(hint) is Literal else get_args(hint):
        yield from returned(part)


def test_every_type_that_a_public_function_returns_is_public() -> None:
    for name in FUNCTIONS:
        function = unwrap(getattr(letitride, name))
        for kind in returned(get_type_hints(function)["return"]):
            if kind.__module__ != letitride.events.__name__:  # they are public as `events.…`
                assert getattr(letitride, kind.__name__, None) is kind, f"{name} returns {kind.__name__}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_refused_in_a_sentence(name: str) -> None:
    function, known = getattr(letitride, name), right()[name]
    for place, parameter in enumerate(list(signature(function).parameters)[: len(known)]):
        for wrong in WRONG:
            if parameter in REASONABLE and isinstance(wrong, int) and wrong > 1:
                continue
            if name == "design" and place == 0:
                continue  # any fraction is a target; tests/analysis has what is none
            if parameter == "decide" and callable(wrong):
                continue  # what a caller's own function raises is theirs
            try:
                function(*known[:place], wrong, *known[place + 1 :])
            except LetItRideError as refused:
                said = str(refused)
                assert said
                assert len(said) < 5_000
                assert "\x1b" not in said
                assert "\u202e" not in said
            else:
                assert wrong not in NEVER_RIGHT, (name, parameter, wrong)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_random_hands_are_settled_or_refused(data: Any) -> None:
    table = right()["settle_round"][0]
    card = st.sampled_from(letitride.DECK)
    hand = st.builds(
        Hand,
        st.one_of(st.integers(0, 8), st.sampled_from([True, 1.0, "1"])),
        st.lists(card, min_size=2, max_size=4).map(tuple),
        st.dictionaries(
            st.sampled_from(["base-1", "base-2", "base-$", "bonus", "no"]),
            st.one_of(st.just(500), st.integers(-1, 10**12), st.just(5.0)),
        ),
        st.frozensets(st.sampled_from(["base-1", "base-2", "base-$", "bonus"]), max_size=2),
    )
    hands, community = data.draw(st.lists(hand, max_size=3)), data.draw(st.lists(card, max_size=3))
    lying = [*community, *(one for each in hands for one in each.cards)]
    sound = (
        len(set(lying)) == len(lying)
        and len(community) == 2
        and len({each.seat for each in hands}) == len(hands)
        and all(type(each.seat) is int and 1 <= each.seat <= 7 and len(each.cards) == 3 for each in hands)
        and all(
            "no" not in each.stakes
            and all(type(cents) is int and 1 <= cents <= 10**11 for cents in each.stakes.values())
            and each.withdrawn <= {"base-1", "base-2"}
            for each in hands
        )
    )
    try:
        results = letitride.settle_round(table, community, hands)
    except InvalidData:
        assert not sound
    else:
        assert sound
        assert {each.seat for each in hands} == set(results)


def seat(number: Any = 1, cards: str = "Th Td 4c", **more: Any) -> Hand:
    return Hand(number, parse_cards(cards), more.pop("stakes", STAKES), **more)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        ([seat(), seat(2, "Th 5d 5c")], "expected every card once in a round, got Th twice"),
        ([seat(1, "Ks 5d 5c")], "expected every card once in a round, got Ks twice"),
        ([seat(), seat(1, "Qh 5d 5c")], "expected one hand at a seat, got two at seat 1"),
        ([seat(0)], "expected a seat as a whole number from 1 to 7, got 0"),
        ([seat(True)], "expected a seat as a whole number from 1 to 7, got true"),
        ([seat(1, "Th 5d")], "expected 3 cards as the cards of seat 1, got 2"),
        (
            [seat(stakes={**STAKES, "base-1": -5})],
            "cents on base-1 as a whole number from 1 to 100,000,000,000, got -5",
        ),
        (
            [seat(stakes={**STAKES, "bonus": 1.0})],
            "cents on bonus as a whole number from 1 to 100,000,000,000, got 1.0",
        ),
        ([seat(stakes={"lucky": 5})], "got 'lucky'"),
        ([seat(withdrawn=frozenset({"base-$"}))], "expected bets that can be withdrawn, got 'base-$'"),
        ([seat(void=frozenset({"base-1"}))], "expected bets that can be void, got 'base-1'"),
    ],
)
def test_what_cannot_lie_on_one_table_is_not_settled(hands: list[Hand], sentence: str) -> None:
    table = right()["settle_round"][0]
    for settle in (letitride.settle_round, lambda *args: letitride.settle_banked(*args, 10_000)):
        with pytest.raises(InvalidData) as refused:
            settle(table, parse_cards("Ks 2d"), hands)
        assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("name", "args", "sentence"),
    [
        ("best_hands", (0,), "expected the number of hands as a whole number from 1 to 7, got 0"),
        ("best_hands", (1, parse_cards("Th") * 2), "expected every card once in the dead cards, got Th twice"),
        ("stakes_of", ("table", 0), "expected a base bet as a whole number from 1 to 100,000,000,000, got 0"),
        ("plan", ("table", 1, {}), "expected three equal base bets, got [unset, unset, unset]"),
        ("plan", ("table", 1, {**STAKES, "base-2": 700}), "expected three equal base bets, got [500, 700, 500]"),
        ("plan", ("table", 1, {**STAKES, "lucky": 100}), "got 'lucky'"),
        ("plan", ("table", 1, {**STAKES, "bonus": -100}), "expected cents on bonus as a whole number from 1"),
        ("simulate", ("game", 1, 10, 0), "expected the number of threads as a whole number from 1 to 1,024, got 0"),
        ("simulate", ("game", 1, True), "simulate: rounds: expected a whole number, got true"),
        ("deck", (1, 0, True), "deck: seats: expected a whole number, got true"),
        ("price", ("bonus",), "expected pays of the base game, got those of Bonus"),
        ("advise", ("bonus", parse_cards("Th Td 4c")), "expected pays of the base game, got those of Bonus"),
        ("coupon_value", ("bonus",), "expected pays of the base game, got those of Bonus"),
        ("price", ("base", "maybe"), "price: ties: expected one of 'withdraw', 'ride', got 'maybe'"),
        ("play", ("opened", 5), "play: command: expected one of"),
        ("settle_banked", ("table", parse_cards("Ks 2d"), [], -1), "expected the stake of a bank as a whole number"),
        ("paytable_from", ({**OWN, "id": "HD-BASE"},), "expected an id of its own, got 'HD-BASE'"),
        ("paytable_from", ({**OWN, "base": ENDLESS},), "paytable: expected tables within tables to end"),
        ("wager_figures", ("wide", "narrow"), "expected tallies of the plan's own game, 7 seats with its bets, got"),
        ("paytable_from", ({**OWN, 5: 5},), "paytable_from: data: expected a mapping"),
        ("paytable_from", ({**OWN, "base": {"award": "to_one", "pays": {"flush": 1.5}}},), "expected a pay"),
    ],
)
def test_what_cannot_be_meant_is_named(name: str, args: tuple[Any, ...], sentence: str) -> None:
    known = right()
    named = {
        "table": known["plan"][0],
        "game": known["simulate"][0],
        "bonus": letitride.paytable("LIRB-06").pays["bonus"],
        "base": known["price"][0],
        "opened": known["play"][0],
        "wide": letitride.plan(known["plan"][0], 7, *known["plan"][2:]),
        "narrow": letitride.simulate(known["simulate"][0], 1, 1_000),
    }
    given_ = [named[one] if isinstance(one, str) and one in named else one for one in args]
    with pytest.raises(InvalidData) as refused:
        getattr(letitride, name)(*given_)
    assert sentence in str(refused.value)


def test_a_mapping_that_does_not_fit_is_shown() -> None:
    for bets, shown in (({1: 5.0}, "{1: 5.0}"), ({"1": 500}, "{'1': 500}"), (dict.fromkeys("abcd", 1), "'c': 1, …}")):
        with pytest.raises(InvalidData) as refused:
            letitride.play_round("nsw-1", bets)  # type: ignore[arg-type]  # that is what is refused
        assert str(refused.value).endswith(shown)


def test_rounds_are_simulated_by_the_name_of_a_book() -> None:
    made = letitride.plan("nsw-1")
    named = letitride.figures("nsw-1", letitride.simulate("nsw-1", 1, 1_000))
    assert letitride.figures(made, letitride.simulate(made, 1, 1_000)) == named


def test_what_is_large_is_short_in_a_shell() -> None:
    base = letitride.paytable("LIRX-01").pays["base"]
    for shown in (
        letitride.NAMED_STRATEGIES["basic"],
        letitride.cost(base, letitride.NAMED_STRATEGIES["basic"]),
        base.wager,
    ):
        assert len(repr(shown)) < 500


def test_a_paytable_from_a_dict_is_that_of_its_file(tmp_path: Any) -> None:
    file = tmp_path / "mine.toml"
    rows = "\n".join(f'{hand} = "{pay}"' for hand, pay in BASE.items())
    file.write_text(f'id = "mine"\ntitle = "Mine"\n[base]\naward = "to_one"\n[base.pays]\n{rows}\n')
    made = letitride.paytable_from(OWN)
    assert letitride.paytable(file).digest == made.digest
    assert (
        letitride.price(made.pays["base"]).house_edge
        == letitride.price(letitride.paytable("LIRX-01").pays["base"]).house_edge
    )


def test_bets_as_they_are_paid_refuse_what_is_no_stake() -> None:
    pays = letitride.paytable("LIRX-01").pays["base"]
    wrong: list[tuple[Any, ...]] = [(pays, 0), (pays, 1.5), (pays, True), (pays, 100, -5), (pays, 100, 500_000, "x")]
    for args in (*wrong, (letitride.paytable("LIRB-06").pays["bonus"], 100)):
        with pytest.raises(InvalidData):
            paid_nets(*args)
