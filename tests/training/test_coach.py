"""One coach: page, API, terminal and Python give one value, which a count over every card not seen confirms."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from letitride import advise
from letitride.analysis.strategy import rules_ride
from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.game import Game
from letitride.engine.state import Table
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.settlement import Hand, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.server.routes.coach import SeatAdvice
from letitride.server.routes.coach import advice as advice_route
from letitride.training.coach import Decision, base_nets, decision_of, value_cards
from letitride.training.player import lesson_of, look_up
from tests.clauses.rounds import played

CUT = "payout.cap = 'maximum'", "payout.cents_max = 500000"
"""A maximum payout that changes the best play at $25 a bet."""


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A book whose tables may have a maximum payout, and whose players may be advised."""
    path = tmp_path_factory.mktemp("books") / "advised.toml"
    path.write_text('id = "advised"\ntitle = "Advised"\nextends = "nsw-1"\n[rules]\ncoach = true\n')
    return str(path)


def deciding(advised: str, cards: str, bet: int, *values: str, first: str = "rides", turned: str = "2d") -> Table:
    """Return a table where seat 1 decides about a bet of $25, with these cards in hand and this community card next."""
    lines = [
        "round",
        f"hand 1 {cards}",
        f"community {turned} 2h",
        "seat 1 bets 25",
        "seat 1 looks",
        f"seat 1 {first} 1",
        "seat 1 rides 2",
    ]
    done = played(advised, "\n".join(lines), *values, seated="seat 1 sits Ann 5000\n")
    tables = (one.after for one in done.steps)
    return next(table for table in tables if (found := decision_of(table, 1)) is not None and found.bet == bet)


def by_terminal(table: Table) -> Advice:
    """Return what the terminal table tells its player."""
    wanted = SimpleNamespace(coach="before", bet_cents=500)
    asked = SimpleNamespace(kind="choice")
    session: Any = SimpleNamespace(table=table, seat=1, hands=(1,), wanted=wanted, ask=lambda: asked)
    found = Game(session).advice()
    assert found is not None
    return found


def by_route(table: Table) -> SeatAdvice:
    """Return what the server answers to the player at seat 1."""
    room = SimpleNamespace(table=table, host=SimpleNamespace(lost=False))
    house: Any = SimpleNamespace(rooms={"t1": room})
    nothing: Any = None
    person: Any = SimpleNamespace(name="Ann")
    return asyncio.run(advice_route(house, nothing, person, "t1"))


def by_counting(rules: TableRules, stake: int, held: list[Card], *, ridden: bool) -> tuple[Fraction, Fraction]:
    """Return what letting a bet ride and taking it back win, in units, by settling every round that can still come."""
    unseen = [card for card in DECK if card not in held]

    def won(five: list[Card], out: frozenset[Any]) -> int:
        hand = Hand(1, tuple(five[:3]), dict.fromkeys(BASE_SPOTS, stake), out)
        return sum(one.net_cents for one in settle_round(rules, five[3:], [hand])[1])

    def second(four: list[Card], out: frozenset[Any]) -> tuple[int, int]:
        last = [card for card in unseen if card not in four]
        ride, back = (sum(won([*four, card], taken) for card in last) for taken in (out, out | {"base-2"}))
        return ride, back

    gone: frozenset[Any] = frozenset() if ridden else frozenset({"base-1"})
    if len(held) == 4:
        ride, back = second(held, gone)
        return Fraction(ride, 48 * stake), Fraction(back, 48 * stake)
    totals = [sum(max(second([*held, card], out)) for card in unseen) for out in (frozenset(), frozenset({"base-1"}))]
    return Fraction(totals[0], 49 * 48 * stake), Fraction(totals[1], 49 * 48 * stake)


def test_terminal_server_and_python_agree_on_a_hand_that_a_maximum_payout_changes(advised: str) -> None:
    table = deciding(advised, "8c 7c Tc", 1, *CUT)
    cards, pays = parse_cards("8c 7c Tc"), table.rules.pays["base"]
    terminal, server = by_terminal(table), by_route(table).decision
    python = advise(pays, cards, nets=base_nets(table.rules, 2_500))
    assert server is not None
    gains = {terminal.gain, python.value, Fraction(server.gain_cents.exact) / 2_500}
    ride, back = by_counting(table.rules, 2_500, list(cards), ridden=True)
    assert gains == {ride - back}
    assert (terminal.best, server.best, python.rides) == ("withdraw", "withdraw", False)
    assert float(ride - back) == pytest.approx(-0.1718, abs=5e-5)
    in_full = advise(pays, cards)
    assert (float(in_full.value), in_full.rides) == (pytest.approx(0.1684, abs=5e-5), True)


def test_no_rule_is_named_that_the_maximum_payout_overrules(advised: str) -> None:
    cut = by_route(deciding(advised, "8c 7c Tc", 1, *CUT)).decision
    free = by_route(deciding(advised, "8c 7c Tc", 1)).decision
    assert cut is not None
    assert free is not None
    assert (cut.rule, cut.rules) == (None, ())
    assert "the maximum payout changes the best play" in cut.convention
    assert free.rule in free.rules
    assert "maximum payout" not in free.convention
    assert "other hands" not in cut.convention
    shared = by_route(deciding(advised, "8c 7c Tc", 1, *CUT, "payout.scope = 'round'")).decision
    assert shared is not None
    assert "the values are those of one player at the table" in shared.convention
    assert cut.gain_cents == shared.gain_cents


@st.composite
def tables(draw: st.DrawFn) -> tuple[TableRules, int, list[Card], bool]:
    """Rules with or without a maximum payout, a stake, the cards in sight, and whether bet 1 rode."""
    stake = draw(st.sampled_from([500, 700, 2_500, 10_000]))
    values: dict[str, Any] = {}
    if (times := draw(st.sampled_from([0, 1, 8, 60, 250, 900]))) > 0:
        scope = draw(st.sampled_from(["player_round", "wager"]))
        values = {"payout.cap": "maximum", "payout.cents_max": max(times * stake, 50_000), "payout.scope": scope}
    rules = catalog.table_rules("nsw-1", values)
    held = draw(st.lists(st.sampled_from(DECK), min_size=3, max_size=4, unique=True))
    return rules, stake, held, draw(st.booleans())


@settings(max_examples=12, deadline=None)
@given(tables())
def test_the_value_is_what_every_round_that_can_come_settles_to(one: tuple[TableRules, int, list[Card], bool]) -> None:
    rules, stake, held, rode = one
    found = _decision(rules, stake, held, rode)
    assert (found.value.ride, found.value.withdraw) == by_counting(rules, stake, held, ridden=rode)


QUADS_AT_THE_MAXIMUM = (
    catalog.table_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 50_000, "payout.scope": "player_round"}),
    500,
    parse_cards("2c 2d 2h 2s"),
    True,
)
"""Bets 1 and $ alone win the maximum, so that bet 2 wins nothing more."""


@settings(max_examples=150, deadline=None)
@given(tables())
@example(QUADS_AT_THE_MAXIMUM)
def test_terminal_server_and_python_agree_on_every_hand(one: tuple[TableRules, int, list[Card], bool]) -> None:
    rules, stake, held, rode = one
    decision = _decision(rules, stake, held, rode)
    told, terminal = decision.as_data(), Advice(decision)
    value = {choice.choice: Fraction(choice.units.exact) for choice in told.choices}
    assert Fraction(terminal.exact) == value["ride"] - value["withdraw"]
    assert Fraction(told.gain_cents.exact) == terminal.cents
    python = advise(rules.pays["base"], held, nets=base_nets(rules, stake), ridden=rode)
    assert python.value == terminal.gain
    assert python.rides == (told.best == "ride") == (terminal.best == "ride")
    if decision.rules_hold:
        assert rules_ride(rules.pays["base"], held) == python.rides


@settings(max_examples=100, deadline=None)
@given(held=st.lists(st.sampled_from(DECK), min_size=3, max_size=4, unique=True))
def test_the_trainer_teaches_what_the_coach_says_of_a_bet_paid_in_full(held: list[Card]) -> None:
    table = catalog.paytable("LIRX-01")
    taught = look_up(lesson_of(table), held)
    assert taught.found == advise(table.pays["base"], held)


@pytest.mark.parametrize(("bet", "first"), [(1, "rides"), (2, "rides"), (2, "withdraws")])
def test_a_seat_at_a_table_is_advised_by_what_it_sees(advised: str, bet: int, first: str) -> None:
    table = deciding(advised, "9h Th Jh", bet, *CUT, first=first, turned="Qh")
    found = decision_of(table, 1)
    shown = ("Qh",) if bet == 2 else ()
    assert found == value_cards(table.rules, 2_500, ("9h", "Th", "Jh"), shown, ridden=bet == 2 and first == "rides")
    assert by_terminal(table).decision == found


def test_cards_of_one_hand_in_any_order_are_worth_the_same() -> None:
    rules = catalog.table_rules("washington-1")
    values = {value_cards(rules, 500, order, ()).value for order in permutations(("9h", "Th", "Jh"))}
    assert len(values) == 1


def _decision(rules: TableRules, stake: int, held: list[Card], rode: bool) -> Decision:
    cards = [str(card) for card in held]
    return value_cards(rules, stake, cards[:3], cards[3:], ridden=rode)


def test_rules_and_holdings_come_as_codes_beside_their_words() -> None:
    rules = catalog.table_rules("washington-1")
    due = value_cards(rules, 500, ("Th", "9c", "3d"), ()).as_data()
    assert due.holding_code == "unsuited:0:1"
    assert due.rule_codes[0] == "paying"
    assert len(due.rule_codes) == len(due.rules)
    assert "suited:1-2:2" in due.rule_codes
    four = value_cards(rules, 500, ("Th", "9c", "3d"), ("Kd",)).as_data()
    assert "suited::0" in four.rule_codes
