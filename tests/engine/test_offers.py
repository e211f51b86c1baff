"""Offers: what each viewer could do at each moment, and what the offers depend on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import commands, faults
from letitride.engine.decide import open_table
from letitride.engine.legal import legal
from letitride.engine.offers import grounds, offers, own_grounds
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.state import Dispute, Seat, Table
from letitride.engine.steps import KINDS, Step
from letitride.rules import catalog
from letitride.rules.cards import DECK
from tests.engine.recorded import ROUNDS, by_another, recorded

SIDES = {"bonus": 100, "three_card": 100, "cover_all": 100}


def a_table(ref: str = "nsw-1", seats: dict[int, Seat] | None = None, **changed: Any) -> Table:
    table, _ = open_table(catalog.ready_rules(ref))
    return replace(table, **{"seats": {**table.seats, **(seats or {})}, "agenda": (), "phase": "betting", **changed})


def could(table: Table, viewer: str) -> set[str]:
    return {type(command).__name__ for command in offers(table, viewer)}


OFFERED = (
    commands.Look | commands.Choose | commands.Tuck | commands.Claim | commands.LookOver | commands.DeclineBank
    | commands.Fold | commands.RefuseCorrection | commands.AppealDispute | commands.SitOut | commands.Leave
)  # fmt: skip
"""What a player is offered just as it can be done; bets and amounts are offered as examples."""


@pytest.mark.parametrize("name", ROUNDS)
def test_what_was_done_in_a_recorded_round_had_been_offered(name: str) -> None:
    for step in recorded(name).steps:
        command = step.command
        if isinstance(step.outcome, Refusal) or command is None:
            continue
        plain = isinstance(command, commands.Do) and not KINDS[command.kind].needs and not command.face_up
        if plain or (isinstance(command, OFFERED) and command.by.startswith("seat:")):
            assert command in offers(step.before, command.by)
        for report in faults.evident(step.before):
            for viewer in ("dealer", "floor"):
                told = replace(report, by=viewer)
                assert (legal(step.before, told) is None) is (told in offers(step.before, viewer))


@pytest.mark.parametrize(("ref", "sides"), [("nsw-1", {}), ("washington-1", SIDES)])
def test_while_bets_are_open_a_player_is_offered_the_least_of_the_base_of_all_and_none(ref: str, sides: dict[str, int]) -> None:  # fmt: skip
    table = a_table(
        ref,
        {3: Seat(3, "Ann", wagers={"base-1": 500, "base-2": 500, "base-$": 500})},
        agenda=(Step("call_no_more_bets"),),
        accounts={"stack:3": 100_000, "felt:3:base-1": 500, "felt:3:base-2": 500, "felt:3:base-$": 500},
    )
    placed = [command for command in offers(table, "seat:3") if isinstance(command, commands.PlaceWagers)]
    least = {"base-1": 500, "base-2": 500, "base-$": 500}
    assert [least, {}, {**least, **sides}] == [command.wagers for command in placed]
    assert {"seat:3"} == {command.by for command in offers(table, "seat:3")}
    assert commands.BuyChips(by="seat:3", seat=3, cents=10_000) in offers(table, "seat:3")
    assert () == offers(table, "seat:4") == offers(table, "spectator")


def test_a_player_may_sit_out_and_take_part_again() -> None:
    for out in (True, False):
        table = a_table(seats={3: Seat(3, "Ann", sitting_out=out)}, phase="idle")
        assert commands.SitOut(by="seat:3", seat=3, out=not out) in offers(table, "seat:3")
        assert commands.Leave(by="seat:3", seat=3) in offers(table, "seat:3")


def test_the_bank_is_offered_with_half_of_the_stack() -> None:
    table = a_table(
        "california-1", {3: Seat(3, "Ann")}, phase="banking", agenda=(Step("await_bank", 3),),
        accounts={"stack:3": 1_000_000},
    )  # fmt: skip
    given = offers(table, "seat:3")
    assert commands.DeclineBank(by="seat:3", seat=3) in given
    assert commands.TakeBank(by="seat:3", seat=3, cents=500_000) in given
    seats = {3: Seat(3, "Ann"), 4: Seat(4, "Bea")}
    banked = a_table("california-1", seats, bank_seat=3, bank_stake=900, bank_player="Ann", accounts={"bank": 900})
    assert {"DeclineBank"} == could(banked, "seat:3") & {"DeclineBank", "TakeBank"}
    assert set() == could(banked, "seat:4") & {"DeclineBank", "TakeBank"}


def test_the_dealer_is_offered_the_next_step_where_it_needs_nothing_more() -> None:
    bets: dict[Any, int] = {"base-1": 500, "base-2": 500, "base-$": 500}
    lying = {f"felt:3:{spot}": 500 for spot in bets}
    table = a_table(seats={3: Seat(3, "Ann", wagers=bets)}, accounts=lying, agenda=(Step("call_no_more_bets"),))
    assert (commands.Do(by="dealer", kind="call_no_more_bets"),) == offers(table, "dealer")
    assert not any(isinstance(one, commands.Do) for one in offers(table, "floor"))
    assert () == offers(a_table(), "dealer") == offers(a_table(), "floor")
    for kind in ("shuffle_deck", "cut_deck", "throw_dice"):  # they need an order, a depth, a throw
        assert () == offers(a_table(agenda=(Step(kind),)), "dealer")


def test_a_deck_that_others_may_check_is_offered_to_the_dealer_alone() -> None:
    table = a_table("washington-1+hand", phase="opening", agenda=(Step("check_deck", number=1),))
    assert None is legal(table, commands.Do(by="floor", kind="check_deck", number=1))
    assert (commands.Do(by="dealer", kind="check_deck", number=1),) == offers(table, "dealer")
    assert () == offers(table, "floor")


def test_cards_may_be_looked_at_and_tucked_until_the_showdown() -> None:
    bets: dict[Any, int] = {"base-1": 500, "base-2": 500, "base-$": 500}
    seat = Seat(3, "Ann", wagers=bets, dealt_in=True, looked=True)
    found = {}
    for phase in ("dealing", "choice_1", "choice_2", "settling"):
        table = by_another(a_table("shufflemaster-1", {3: seat}, phase=phase), decide__early_tuck="any_hand")
        found[phase] = could(table, "seat:3") & {"Look", "Tuck"}
    both = {"Look", "Tuck"}
    assert {"dealing": set(), "choice_1": both, "choice_2": both, "settling": set()} == found


def test_a_decision_may_be_appealed_by_the_player_who_complained() -> None:
    dispute = Dispute(number=1, seat=3, player="Ann", about="x", heard_by=("floor",), decisions=("dealer: rejected",))
    seats = {3: Seat(3, "Ann"), 4: Seat(4, "Bea")}
    table = a_table(seats=seats, disputes=(dispute,))
    assert commands.AppealDispute(by="seat:3", seat=3) in offers(table, "seat:3")
    assert "AppealDispute" not in could(table, "seat:4") | could(replace(table, disputes=()), "seat:3")


def test_uneven_bets_may_be_made_equal_at_what_lies_there_within_the_limits_or_left() -> None:
    wagers: dict[Any, int] = {"base-1": 900, "base-2": 400, "base-$": 600}
    lying = {f"felt:3:{spot}": cents for spot, cents in wagers.items()}
    seat = Seat(3, "Ann", wagers=wagers, dealt_in=True)
    table = a_table(
        seats={3: seat}, phase="choice_1", agenda=(Step("await_correction", 3),), accounts={"stack:3": 9_000, **lying}
    )

    def corrections(table: Table) -> list[int]:
        return [one.cents for one in offers(table, "seat:3") if isinstance(one, commands.Correct)]

    assert [600, 500, 900] == corrections(table)
    assert "RefuseCorrection" in could(table, "seat:3")
    withdrawn = replace(table, seats={**table.seats, 3: replace(seat, choices={1: "withdraw"})})
    assert [600, 500] == corrections(withdrawn)
    dear = {"felt:3:base-1": 900, "felt:3:base-2": 800, "felt:3:base-$": 700}
    assert [700, 800, 900, 500] == corrections(replace(table, accounts={"stack:3": 9_000, **dear}))
    first = replace(table, agenda=(Step("await_correction", 3, number=1),))
    assert {"Fold"} == could(first, "seat:3") & {"Fold", "RefuseCorrection"}
    missing: dict[Any, int] = {"base-1": 900, "base-2": 700}
    two = replace(table, accounts={"stack:3": 9_000, "felt:3:base-1": 900, "felt:3:base-2": 700})
    assert [500, 700, 900] == corrections(replace(two, seats={**table.seats, 3: replace(seat, wagers=missing)}))


# what offers depend on


def changed_grounds() -> list[tuple[str, dict[str, Any]]]:
    dispute = Dispute(number=1, seat=3, player="Ann", about="x", heard_by=("floor",))
    up = CardObject(1, 0, DECK[0], up=True)
    return [
        ("rules", {"rules": catalog.table_rules("washington-1")}),
        ("phase", {"phase": "settling"}),
        ("something to do", {"agenda": (Step("ask", 3),)}),
        ("bets open", {"agenda": (Step("call_no_more_bets"),)}),
        ("a community card up", {"cards": {"community:1": (up,)}}),
        ("the bank's seat", {"bank_seat": 3}),
        ("the bank's stake", {"bank_stake": 3}),
        ("the bank's player", {"bank_player": "Ann"}),
        ("the bank's hands", {"bank_hands": 3}),
        ("a dispute", {"disputes": (dispute,)}),
    ]


def test_offers_to_all_depend_on_whether_bets_are_open() -> None:
    called = a_table("shufflemaster-1", agenda=(Step("lock_out"),))
    assert grounds(called) != grounds(replace(called, agenda=(Step("call_no_more_bets"),)))


@pytest.mark.parametrize(("what", "changed"), changed_grounds())
def test_offers_to_all_depend_on(what: str, changed: dict[str, Any]) -> None:
    table = a_table("shufflemaster-1")
    assert grounds(table) == grounds(replace(table, version=99, exposed=3))
    assert grounds(table) != grounds(replace(table, **changed)), what


def test_offers_to_all_do_not_depend_on_what_lies_face_down_or_how_much_is_left_to_do() -> None:
    down = CardObject(1, 0, DECK[0])
    table = a_table("shufflemaster-1", agenda=(Step("ask", 3),))
    assert grounds(table) == grounds(replace(table, cards={**table.cards, "community:1": (down,)}))
    assert grounds(table) == grounds(replace(table, agenda=(Step("ask", 4), Step("ask", 3))))


@pytest.mark.parametrize(
    ("phase", "kind", "differs"),
    [
        ("dealing", "await_correction", True),
        ("dealing", "return_bets", True),
        ("dealing", "deal_packet", False),
        ("settling", "await_correction", False),
        ("settling", "return_bets", False),
    ],
)
def test_offers_to_all_depend_on_what_is_being_mended_in_the_deal(phase: str, kind: str, *, differs: bool) -> None:
    table = a_table("shufflemaster-1", phase=phase, agenda=(Step("deal_packet", 3),))
    assert differs is (grounds(table) != grounds(replace(table, agenda=(Step("deal_packet", 3), Step(kind, 3)))))


def test_a_bank_that_may_be_given_up_depends_on_the_bets_that_lie() -> None:
    table = a_table("california-1", {3: Seat(3, "Ann")})
    bets = {**table.seats, 3: Seat(3, "Ann", wagers={"base-1": 500})}
    assert grounds(table) == grounds(replace(table, seats=bets))
    banked = replace(table, bank_stake=900)
    assert grounds(banked) != grounds(replace(banked, seats=bets))


@pytest.mark.parametrize(
    ("seat", "differs"),
    [
        (Seat(3, "Ann", acts_first=True, dealt_in=True, wagers={"base-1": 5}), True),
        (Seat(3, "Ann", acts_first=True, dealt_in=True), False),
        (Seat(3, "Ann", acts_first=True, wagers={"base-1": 5}), False),
        (Seat(3, "Ann", dealt_in=True, wagers={"base-1": 5}), False),
    ],
)
def test_offers_to_all_depend_on_those_who_must_act_first(seat: Seat, *, differs: bool) -> None:
    table = a_table("shufflemaster-1")
    now = replace(table, seats={**table.seats, 3: seat})
    assert differs is (grounds(table) != grounds(now))
    chosen = replace(table, seats={**table.seats, 3: replace(seat, choices={1: "ride"})})
    assert differs is (grounds(now) != grounds(chosen))
    second = replace(table, seats={**table.seats, 3: replace(seat, choices={2: "ride"})})
    assert grounds(now) == grounds(second)
    other = replace(table, seats={**table.seats, 4: seat})
    assert differs is (grounds(now) != grounds(other))


def test_offers_to_one_player_depend_on_the_seat_its_chips_its_cards_and_its_turn() -> None:
    wagers = {3: Seat(3, "Ann", wagers={"bonus": 100})}
    table = a_table("shufflemaster-1", wagers, accounts={"felt:3:bonus": 100}, agenda=(Step("ask", 4),))
    own = own_grounds(table, 3)
    alike: tuple[dict[str, Any], ...] = (
        {"agenda": ()},
        {"agenda": (Step("ask", 5),)},
        {"accounts": {**table.accounts, "stack:4": 7}},
        {"cards": {"hand:4": (CardObject(1, 0, DECK[0]),)}},
    )
    for changed in alike:
        assert own == own_grounds(replace(table, **changed), 3), changed
    unlike: tuple[dict[str, Any], ...] = (
        {"agenda": (Step("ask", 3),)},
        {"seats": {**table.seats, 3: replace(table.seats[3], looked=True)}},
        {"accounts": {}},
        {"accounts": {**table.accounts, "stack:3": 10**6}},
        {"accounts": {**table.accounts, "tokens:3": 7}},
        {"cards": {"hand:3": (CardObject(1, 0, DECK[0]),)}},
    )
    for changed in unlike:
        assert own != own_grounds(replace(table, **changed), 3), changed


def test_while_bets_are_taken_offers_depend_on_whether_chips_suffice_and_not_on_how_many_there_are() -> None:
    def betting(stack: int, phase: str = "betting", **wagers: int) -> Table:
        accounts = {"stack:3": stack, **{f"felt:3:{name}": cents for name, cents in wagers.items()}}
        seats = {3: Seat(3, "Ann", wagers=dict(wagers))}
        return a_table("shufflemaster-1", seats, accounts=accounts, phase=phase, agenda=(Step("call_no_more_bets"),))

    table = betting(1_500)
    offered = {len(offer.wagers) for offer in offers(table, "seat:3") if isinstance(offer, commands.PlaceWagers)}
    assert offered == {0, 3}  # not for the side bets, too
    for other in (betting(1_501), betting(1_000, base=0), betting(1_599)):
        same = offers(table, "seat:3") == offers(other, "seat:3")
        assert same is (own_grounds(table, 3) == own_grounds(other, 3))
    one, more = betting(5_000, bonus=100), betting(4_900, bonus=200)
    assert own_grounds(one, 3) == own_grounds(more, 3)
    assert offers(one, "seat:3") == offers(more, "seat:3")
    for poorer in (betting(1_499), betting(0), betting(1_400, bonus=99)):
        assert own_grounds(table, 3) != own_grounds(poorer, 3)


def test_chips_are_grounds_of_offers_only_where_they_are_bet_or_staked() -> None:
    def holding(stack: int, phase: str, step: Step) -> Table:
        seat = Seat(3, "Ann", wagers={"base-1": 500, "base-2": 500, "base-$": 1_000}, dealt_in=True)
        return a_table("california-1", {3: seat}, accounts={"stack:3": stack}, phase=phase, agenda=(step,))

    def grounds_differ(phase: str, step: Step) -> bool:
        few, many = holding(10_000, phase, step), holding(60_000, phase, step)
        differ = own_grounds(few, 3) != own_grounds(many, 3)
        assert differ or offers(few, "seat:3") == offers(many, "seat:3")
        return differ

    assert not grounds_differ("choice_1", Step("await_choice", 3, number=1))
    assert not grounds_differ("settling", Step("collect_community"))
    assert grounds_differ("banking", Step("await_bank", 3))
    assert grounds_differ("dealing", Step("await_correction", 3, number=1))


def test_only_a_seat_that_is_taken_is_offered_anything() -> None:
    table = a_table(seats={3: Seat(3, "Ann")}, phase="idle")
    assert could(table, "seat:3")
    assert set() == could(table, "seat:4")
