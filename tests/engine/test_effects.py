"""Effects: where the cards lie after each step, which chips it moves, what is counted and said with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from letitride.engine import amounts, commands, effects, events, places
from letitride.engine.decide import open_table
from letitride.engine.evolve import evolve
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.cards import DECK, FACES, Card
from letitride.rules.settlement import WagerResult
from tests.engine.recorded import by_another

IN = {1: Seat(1, "Ann", dealt_in=True), 2: Seat(2, "Ben")}
SLIDES = (Step("slide_left", number=1), Step("slide_right", number=2), Step("burn_bottom"))
BASE = {"base-1": 500, "base-2": 500, "base-$": 500}
UP = {"deal__face": "up"}
IN_LINE = {"ref": "hand-dealt-1"}


def lying(text: str) -> tuple[CardObject, ...]:
    """Cards as they lie, '^' face up, ' of the second deck."""
    read = [(Card.parse(one.rstrip("^'")), one) for one in text.split()]
    return tuple(CardObject(2 if "'" in one else 1, face.index, face, "^" in one) for face, one in read)


def shown(table: Table) -> dict[str, str]:
    """The cards of a table as text, by place."""
    return {
        place: " ".join(f"{card.face}{'^' * card.up}{chr(39) * (card.deck == 2)}" for card in held)
        for place, held in table.cards.items()
    }


def a_table(cards: Mapping[str, str] | None = None, by: dict[str, Any] | None = None, **changed: Any) -> Table:
    """A table with just these cards, in mid-deal by a book of its own."""
    keys = {"ref": "nsw-1"} | (by or {})
    table, _ = open_table(catalog.ready_rules(keys.pop("ref")))
    laid = {place: lying(text) for place, text in (cards or {}).items()}
    begun = {"phase": "dealing", "cards": laid, "seats": {**table.seats, **IN}}
    return by_another(replace(table, **{**begun, **changed}), **keys)


def done(table: Table, step: Step, **said: Any) -> Table:
    """The table after a step."""
    command = commands.Do(kind=step.kind, **said)
    return evolve(table, events.StepDone(step=step, moves=tuple(effects.moves(table, step, command))))


PACKET = {"packet": "2c^ 3c^ 4c"}
ALL = {"hand:1": "2c 3c^", "hand:2": "4c", "community:2": "5c^", "packet": "6c", "picked": "7c^", "drawn": "8c^"}
MOVES: tuple[tuple[Step, dict[str, Any], dict[str, str], dict[str, str]], ...] = (
    (Step("spread_deck"), {}, {"chest": "4d 3c 2d 2s 2c"}, {"spread": "2c^ 3c^ 2d^ 4d^ 2s^"}),
    (Step("turn_up_spread"), {}, {"spread": "2c 3c^"}, {"spread": "2c^ 3c^"}),
    (Step("wash_deck", number=2), {}, {"spread": "2c^ 3c^'"}, {"spread": "2c^ 3c'"}),
    (Step("load_deck", number=1), {}, {"chest": "2c 3c'", "spread": "4c"}, {"chest": "3c'", "nest": "2c 4c"}),
    (Step("rack_deck", number=2), {}, {"chest": "2c 3c'"}, {"chest": "2c", "rack": "3c'"}),
    (Step("gather_deck"), {}, {"rack": "2c", "ready": "3c", "drawn": "4c^"}, {"spread": "2c 3c 4c"}),
    (Step("load_shoe"), {}, {"spread": "2c 3c^"}, {"ready": "2c 3c^"}),
    (Step("hold_deck"), {}, {"spread": "2c 3c^"}, {"ready": "2c 3c^"}),
    (Step("free_deck"), {}, {"nest": "2c 3c^"}, {"ready": "2c 3c^"}),
    (Step("swap_decks"), {}, {"nest": "2c 3c^", "rack": "4c^'"}, {"ready": "2c 3c^", "nest": "4c'"}),
    (Step("deal_packet", 1), {}, {"ready": "2c 3c^ 4c 5c"}, {"hand:1": "2c 3c^ 4c", "ready": "5c"}),
    (Step("deal_packet", 1), UP, {"ready": "2c 3c^ 4c 5c"}, {"hand:1": "2c^ 3c^ 4c^", "ready": "5c"}),
    (Step("deal_card", 1), {}, {"ready": "2c 3c^"}, {"hand:1": "2c", "ready": "3c^"}),
    (Step("deal_card", 1), {}, {"ready": "2c^ 3c"}, {"hand:1": "2c^", "ready": "3c"}),
    (Step("deal_card", 1), UP, {"ready": "2c 3c"}, {"hand:1": "2c^", "ready": "3c"}),
    (Step("deal_community", number=2), UP, {"ready": "2c 3c^"}, {"community:2": "2c", "ready": "3c^"}),
    (Step("deal_community", number=2), {}, {"ready": "2c^ 3c"}, {"community:2": "2c^", "ready": "3c"}),
    (Step("deal_dealer_packet"), {}, {"ready": "2c 3c^ 4c 5c"}, {"packet": "2c 3c^ 4c", "ready": "5c"}),
    (
        Step("deal_dealer_packet"),
        {"deal__packet_top": "last_out"},
        {"ready": "2c 3c^ 4c 5c"},
        {"packet": "4c 3c^ 2c", "ready": "5c"},
    ),
    (Step("slide_left", number=1), {}, PACKET, {"community:1": "2c^", "packet": "3c^ 4c"}),
    (Step("burn_bottom"), {}, {"packet": "2c^ 3c^"}, {"packet": "2c^", "rack": "3c"}),
    (Step("burn_first"), {}, {"community:1": "2c^", "community:3": "3c"}, {"rack": "2c", "community:3": "3c"}),
    (Step("burn_last"), {}, {"community:1": "2c", "community:3": "3c^"}, {"rack": "3c", "community:1": "2c"}),
    (Step("unload_stub"), {}, {"ready": "2c 3c^"}, {"rack": "2c 3c"}),
    (
        Step("turn_community", number=2),
        {},
        {"community:1": "2c", "community:2": "3c"},
        {"community:1": "2c", "community:2": "3c^"},
    ),
    (
        Step("turn_community", number=1),
        IN_LINE,
        {"community:2": "2c", "community:3": "3c"},
        {"community:3": "3c 2c^"},
    ),
    (
        Step("move_community", number=1),
        IN_LINE,
        {"community:3": "3c 2c^"},
        {"community:3": "3c", "community:4": "2c^"},
    ),
    (Step("tuck_cards", 1), {}, {"hand:1": "2c^ 3c"}, {"hand:1": "2c 3c"}),
    (Step("lay_cards", 1), {}, {"hand:1": "2c^ 3c"}, {"hand:1": "2c 3c"}),
    (Step("open_hand", 1), {}, {"hand:1": "2c 3c"}, {"hand:1": "2c^ 3c^"}),
    (Step("pick_up", 1), {}, {"hand:1": "2c 3c"}, {"picked": "2c^ 3c^"}),
    (Step("collect_hand", 1), {}, {"hand:1": "2c^ 3c^"}, {"rack": "2c 3c"}),
    (Step("collect_picked"), {}, {"picked": "2c^ 3c^"}, {"rack": "2c 3c"}),
    (
        Step("collect_community"),
        {},
        ALL,
        {"hand:1": "2c 3c^", "picked": "7c^", "rack": "5c 6c 8c 4c"},
    ),
    # what a ruling has done
    (Step("turn_down", 1), {}, {"hand:1": "2c^ 3c"}, {"hand:1": "2c 3c"}),
    (Step("discard_exposed", 1), {}, {"hand:1": "2c^ 3c"}, {"hand:1": "3c", "rack": "2c"}),
    (Step("replace_card", 1), {}, {"ready": "2c^ 3c"}, {"hand:1": "2c^", "ready": "3c"}),
    (Step("replace_card", 1), {}, {"ready": "2c 3c^"}, {"hand:1": "2c", "ready": "3c^"}),
    (
        Step("turn_down_community", number=2),
        {},
        {"community:1": "2c^", "community:2": "3c^"},
        {"community:1": "2c^", "community:2": "3c"},
    ),
    (
        Step("discard_community", number=2),
        {},
        {"community:1": "2c^", "community:2": "3c^"},
        {"community:1": "2c^", "rack": "3c"},
    ),
    (Step("replace_community", number=2), {}, {"ready": "2c^ 3c"}, {"community:2": "2c^", "ready": "3c"}),
    (Step("replace_community", number=2), {}, {"ready": "2c 3c^"}, {"community:2": "2c", "ready": "3c^"}),
    (Step("turn_down_burn"), {}, {"packet": "2c 3c^ 4c^"}, {"packet": "2c 3c^ 4c"}),
    (Step("use_drawn"), {}, {"drawn": "2c^", "ready": "3c 4c^"}, {"ready": "2c 3c 4c^"}),
    (Step("discard_drawn"), {}, {"drawn": "2c^"}, {"rack": "2c"}),
    (Step("discard_hand", 1), {}, {"hand:1": "2c^ 3c"}, {"rack": "2c 3c"}),
    (Step("collect_round"), {}, {**ALL, "ready": "9c^"}, {"rack": "2c 3c 4c 5c 6c 7c 8c 9c"}),
    (Step("floor_collects"), {}, {**ALL, "ready": "9c^"}, {"ready": "9c^", "rack": "2c 3c 4c 5c 6c 7c 8c"}),
    (Step("floor_unloads"), {}, {"ready": "9c^"}, {"rack": "9c"}),
    (Step("take_back_deck"), {}, {"ready": "2c 3c^"}, {"spread": "2c 3c^"}),
    (
        Step("remove_deck", number=2),
        {},
        {"rack": "2c 3c^'", "ready": "4c'", "outside": "5c'"},
        {"rack": "2c", "outside": "5c' 3c' 4c'"},
    ),
    # what moves no card
    (Step("declare_misdeal"), {}, ALL, ALL),
    (Step("change_card", wager="Kh", number=1), {}, {"ready": "2c"}, {"ready": "2c"}),
    (Step("take_back_burned"), {}, {"rack": "2c"}, {"rack": "2c"}),
)


def test_every_step_leaves_the_cards_where_and_as_they_should_lie() -> None:
    for step, by, before, after in MOVES:
        assert after == shown(done(a_table(before, by), step)), step
    idle = a_table({"rack": "2c^", "ready": "3c", "drawn": "4c"})
    assert {"spread": "2c^ 3c^ 4c^"} == shown(done(idle, Step("spread_idle"), face_up=True))
    assert {"spread": "4c^ 2c 3c"} == shown(done(a_table({"spread": "2c 3c 4c^"}), Step("cut_deck"), cut=2))


def test_a_community_card_that_shows_in_the_packet_is_put_right_in_its_place() -> None:
    cases = (
        (Step("turn_down_community", number=1), {"packet": "2c 3c^ 4c"}),
        (Step("turn_down_community", number=2), {"packet": "2c^ 3c 4c"}),
        (Step("discard_community", number=1), {"packet": "3c^ 4c", "rack": "2c"}),
        (Step("discard_community", number=2), {"packet": "2c^ 4c", "rack": "3c"}),
    )
    for step, after in cases:
        assert after == shown(done(a_table(PACKET, agenda=(step, *SLIDES)), step)), step
    for number, packet in ((1, "5c^ 2c 4c"), (2, "2c 5c^ 4c")):
        step = Step("replace_community", number=number)
        table = a_table({"packet": "2c 4c", "ready": "5c^ 6c"}, agenda=(step, *SLIDES))
        assert {"packet": packet, "ready": "6c"} == shown(done(table, step))


def test_a_community_card_burned_in_error_goes_back_to_its_place_unseen() -> None:
    for up in ("", "^"):
        (card,) = lying("2c")
        way = Move(card, places.community(2), places.RACK, bool(up))
        table = a_table({"rack": f"3c 2c{up}"}, misburned=way)
        assert {"rack": "3c", "community:2": "2c"} == shown(done(table, Step("take_back_burned")))


def test_cards_that_are_brought_have_numbers_that_no_card_of_their_deck_had() -> None:
    deck = {"chest": " ".join(FACES)}
    second = {place: f"{text}'" for place, text in {"rack": "2c"}.items()}
    away = done(a_table({**deck, **second}), Step("remove_deck", number=1))
    for first in (52, 104):
        brought = done(away, Step("introduce_deck", number=1))
        chest = brought.at(places.CHEST)
        assert [(1, first + face.index, face, False) for face in DECK] == [
            (card.deck, card.serial, card.face, card.up) for card in chest
        ]
        away = done(brought, Step("remove_deck", number=1))
    table = a_table({"rack": "2c^ 3c 4c", "ready": "2c'"})
    for face, serial in (("2c", 52), ("4c", 112), ("3c", 160)):
        (old,) = (card for card in table.at(places.RACK) if str(card.face) == face)
        table = done(table, Step("change_card", wager=face, number=1))
        new = table.at(places.RACK)[-1]
        assert (1, serial, face, old.up) == (new.deck, new.serial, str(new.face), new.up)
        assert replace(old, up=False) in table.at(places.OUTSIDE)
    assert {"rack": "2c^ 4c 3c", "ready": "2c'", "outside": "2c 4c 3c"} == shown(table)


# chips

CA = "california-1"
WON, LOST = WagerResult("base-1", 500, "won", 1000, 500), WagerResult("base-2", 500, "lost", back_cents=200)
RESULTS = (WON, LOST, WagerResult("base-$", 500, "returned", back_cents=500))
ON_FELT = {f"felt:1:{spot}": 500 for spot in BASE}
CHIPS: tuple[tuple[Step, str, dict[str, Any], dict[str, int], list[str]], ...] = (
    (Step("collect_bonus", 1, "bonus"), "nsw-1", {}, {"felt:1:bonus": 100}, ["felt:1:bonus > tray 100"]),
    (Step("place_lammer", 1, "bonus"), "nsw-1", {}, {"felt:1:bonus": 100}, ["felt:1:bonus > tray 100"]),
    (Step("push_back", 1, "base-1", 1), "nsw-1", {}, ON_FELT, ["felt:1:base-1 > stack:1 500"]),
    (Step("push_back", 1, "base-1", 1), "nsw-1", {"medium": "tokens"}, ON_FELT, ["felt:1:base-1 > tokens:1 500"]),
    (Step("push_back", 1, "base-1", 1), "nsw-1", {}, {}, []),
    (Step("pay", 1, "base-1"), "nsw-1", {}, ON_FELT, ["tray > stack:1 1000", "felt:1:base-1 > stack:1 500"]),
    (
        Step("pay", 1, "base-1"),
        CA,
        {"medium": "tokens"},
        ON_FELT,
        ["bank > stack:1 1000", "felt:1:base-1 > tokens:1 500"],
    ),
    (Step("take", 1, "base-2"), CA, {}, ON_FELT, ["felt:1:base-2 > bank 300", "felt:1:base-2 > stack:1 200"]),
    (Step("return_wager", 1, "base-$"), CA, {}, ON_FELT, ["felt:1:base-$ > stack:1 500"]),
    (Step("collect_fee", 1), CA, {}, {}, ["stack:1 > fees 150"]),
    (Step("collect_fee", 2), CA, {}, {}, ["stack:2 > fees 200"]),
    (Step("collect_fee", 1), "nsw-1", {}, {}, []),
    (Step("restore_bonus", 1, "bonus"), "nsw-1", {"wagers": {"bonus": 100}}, {}, ["tray > felt:1:bonus 100"]),
    (Step("return_stake", 2), CA, {}, {"bank": 700}, ["bank > stack:2 700"]),
    (Step("return_stake", 2), CA, {}, {}, []),
    (Step("return_excess", 1), "nsw-1", {}, {**ON_FELT, "felt:1:base-$": 600}, ["felt:1:base-$ > stack:1 100"]),
    (Step("open_hand", 1), "nsw-1", {}, ON_FELT, []),
    (Step("collect_round"), "nsw-1", {}, ON_FELT, []),
    # all of it goes back: what lies, what was taken for what was paid, and the fee
    (Step("return_bets", 1), "nsw-1", {}, ON_FELT, [f"felt:1:{spot} > stack:1 500" for spot in BASE]),
    (
        Step("return_bets", 1),
        CA,
        {"medium": "tokens", "choices": {1: "withdraw"}, "taken_cents": 500, "paid_cents": 70, "fee_cents": 150},
        {"felt:1:base-2": 500},
        ["felt:1:base-2 > tokens:1 500", "stack:1 > bank 70", "bank > tokens:1 500", "fees > stack:1 150"],
    ),
    # forfeited is what was not taken back, with what was paid for it; a fee stays paid
    (
        Step("forfeit_bets", 1),
        "nsw-1",
        {"choices": {1: "withdraw"}, "taken_cents": 500, "fee_cents": 150},
        {"felt:1:base-1": 500, "felt:1:base-2": 500},
        ["felt:1:base-1 > stack:1 500", "felt:1:base-2 > tray 500"],
    ),
    (
        Step("forfeit_bets", 1),
        "nsw-1",
        {"back": {"base-1": 500}, "paid_cents": 1000},
        {"felt:1:base-$": 500},
        ["stack:1 > tray 500", "felt:1:base-$ > tray 500", "stack:1 > tray 1000"],
    ),
)


def test_every_step_moves_the_chips_that_it_says_and_no_others() -> None:
    for step, ref, seat, held, expected in CHIPS:
        ann = replace(IN[1], **{"wagers": BASE, "results": RESULTS, **seat})
        table = a_table(by={"ref": ref}, accounts=held, bank_seat=2, bet_cents_max=500, seats={1: ann, 2: IN[2]})
        found = [f"{one.source} > {one.target} {one.cents}" for one in amounts.chips(table, step)]
        assert expected == found, (step, seat)


def test_bets_become_others_spot_by_spot() -> None:
    cases: tuple[tuple[dict[str, Any], dict[str, int], list[str]], ...] = (
        ({}, {"base-1": 501, "base-2": 500, "base-$": 499}, ["stack:1 > felt:1:base-1 1", "felt:1:base-$ > stack:1 1"]),
        ({"choices": {1: "withdraw"}}, {"base-1": 9, "base-2": 500}, ["felt:1:base-$ > stack:1 500"]),
        ({"medium": "tokens"}, {**BASE, "base-2": 700}, ["tokens:1 > felt:1:base-2 200"]),
    )
    for seat, wagers, expected in cases:
        table = a_table(accounts=ON_FELT, seats={1: replace(IN[1], wagers=BASE, **seat)})
        found = amounts.changed_bets(table, 1, wagers)
        assert expected == [f"{one.source} > {one.target} {one.cents}" for one in found]


def test_bets_that_are_void_go_back_and_forfeited_ones_do_not() -> None:
    seat = replace(IN[1], wagers=BASE, choices={1: "withdraw", 2: "ride"})
    table = a_table(seats={1: seat})
    back, void = WagerResult("base-1", 500, "withdrawn", back_cents=500), WagerResult("base-2", 500, "void", 0, 500)
    third = WagerResult("base-$", 500, "void", 0, 500)
    lost = tuple(WagerResult(name, 500, "forfeited") for name in ("base-2", "base-$"))
    assert (back, void, third) == effects.results(table, Step("return_bets", 1))
    assert (back, *lost) == effects.results(table, Step("forfeit_bets", 1))
    assert () == effects.results(table, Step("take", 1))


# what is found and said

COUNTED = {"ready": "2c 3c 4c", "hand:1": "5c 6c", "rack": "7c' 8c", "outside": "9c"}
COUNTS: tuple[tuple[Step, dict[str, str], int, str], ...] = (
    (Step("count_hand", 1), COUNTED, 2, "2 cards"),
    (Step("count_stub"), COUNTED, 3, "3 cards"),
    (Step("count_deck"), COUNTED, 3, "3 cards"),
    (Step("count_deck"), {**COUNTED, "nest": "Tc'"}, 1, "1 cards"),
    *((Step(kind, number=1), COUNTED, 6, "6 cards") for kind in ("count_cards", "floor_counts", "count_down")),
    *((Step(kind, number=1), COUNTED, 6, "6 cards, not") for kind in ("check_through", "check_deck")),
    *(
        (Step(kind, number=1), {"nest": " ".join(FACES)}, 52, "52 cards, all")
        for kind in ("check_deck", "check_through")
    ),
    (Step("throw_dice"), COUNTED, 1, "4: the action starts at seat 1"),
    (Step("deal_card", 1), COUNTED, 0, ""),
    (Step("call_no_more_bets"), COUNTED, 0, "no more bets"),
    (Step("declare_misdeal"), COUNTED, 0, "misdeal: all bets are void"),
    (Step("floor_declares_misdeal"), COUNTED, 0, "misdeal: all bets are void"),
    (Step("declare_hands_void"), COUNTED, 0, "all hands are void"),
    (Step("declare_round_void"), COUNTED, 0, "the round is void"),
    (Step("show_awards", number=2), COUNTED, 0, "2 hands"),
)


def test_every_count_finds_what_is_there_and_says_it() -> None:
    for step, cards, found, said in COUNTS:
        table, command = a_table(cards, bank_seat=2), commands.Do(kind=step.kind, throw=4)
        assert found == effects.count(table, step, command), step
        says = effects.says(table, step, command)
        assert says == said or (said and says.startswith(f"{said} ")), (step, says)
    hands = a_table(COUNTED, {"ref": "hand-dealt-1"})
    for kind in ("declare_misdeal", "floor_declares_misdeal"):
        assert "misdeal: all hands are void" == effects.says(hands, Step(kind), commands.Do(kind=kind))


def test_a_hand_is_read_with_the_community_cards_and_its_three_where_they_were_bet_on() -> None:
    laid = {"hand:1": "Kh Kd 2c", "community:1": "Ks", "community:2": "7d"}
    for wagers, three in ((BASE, ""), ({**BASE, "three_card": 500}, "; three cards: pair of kings")):
        table = replace(
            a_table(laid, seats={1: replace(IN[1], wagers=wagers)}), rules=catalog.ready_rules("washington-1")
        )
        command = commands.Do(kind="open_hand", seat=1)
        assert f"three of a kind, kings{three}" == effects.says(table, Step("open_hand", 1), command)
    assert "a card twice" == effects.read_hand(a_table({**laid, "community:2": "Kd"}), 1)
    assert "4 cards" == effects.read_hand(a_table({**laid, "hand:1": "Kh Kd 2c 3c"}), 1)


WRONG_BURN = """\
rulebook washington-1+hand
dealer auto
seat 1 sits Ann 100

round
deck 3h 7d Qc Tc Qd 8h
seat 1 bets 10
dealer call_no_more_bets
mishap burn card 2
seat 1 rides 1
seat 1 rides 2
"""


def test_after_a_wrong_burn_that_goes_unnoticed_the_card_that_is_left_is_turned_before_hands_are_read() -> None:
    done = replay(read_record(WRONG_BURN))
    read = [one.after for one in done.steps if one.after.phase == "settling"]
    assert read
    for table in read:
        assert all(card.up for card in table.community())
        assert {"Tc", "8h"} == {str(card.face) for card in table.community()}
