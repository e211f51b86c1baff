"""Legal: whatever is refused is refused with a code and a sentence, and every code there is is met by a test."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import letitride.engine
from letitride.engine import commands, legal
from letitride.engine.decide import open_table, play
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.banking import bank_fee
from letitride.rules.cards import FACES, parse_face
from letitride.rules.roles import MACHINE, STAFF
from letitride.rules.settlement import Spot
from letitride.simulation.fuzz import Tally, fuzz
from tests.engine.recorded import by_another, recorded

SOURCES = Path(letitride.engine.__file__).parent
TESTS = Path(__file__).parent.parent
CODE = re.compile(r'Refusal\(\s*"([a-z_]+)"')


def every_code() -> set[str]:
    """Return the codes of all refusals in the source of the engine."""
    return {code for path in SOURCES.glob("*.py") for code in CODE.findall(path.read_text(encoding="utf-8"))}


@cache
def met_by_fuzzing() -> frozenset[str]:
    """Return the codes that a short fuzz run by each book meets."""
    tallies = [fuzz(catalog.ready_rules(book), 3_000, seed=1) for book in catalog.rulebook_ids()]
    return frozenset(code for tally in tallies if isinstance(tally, Tally) for code in tally.codes)


def code(table: Table, command: commands.AnyCommand) -> str:
    """Return the code with which a command is refused."""
    refusal = legal.legal(table, command)
    assert refusal is not None
    assert refusal.sentence.endswith(".")
    return refusal.code


def opened(ref: str) -> Table:
    table, _ = open_table(catalog.ready_rules(ref))
    for seat in (1, 2):
        table, outcome = play(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=90_000))
        assert not isinstance(outcome, Refusal), outcome
    return table


def complained(ref: str) -> Table:
    table, outcome = play(opened(ref), commands.RaiseDispute(by="seat:1", seat=1, about="the last payment"))
    assert not isinstance(outcome, Refusal), outcome
    return table


def test_an_order_that_nobody_knows() -> None:
    assert "unknown_order" == code(opened("nsw-1"), commands.Order(by="floor", kind="sing"))


def test_a_mishap_that_says_what_it_cannot_know() -> None:
    assert "bad_mishap" == code(opened("nsw-1"), commands.Mishap(by="table", kind="unloaded", wagers={"base-1": 5}))


def test_a_choice_that_is_none() -> None:
    asked = next(
        step.before
        for step in recorded("examples/new-south-wales").steps
        if isinstance(step.command, commands.Choose) and step.before is not step.after
    )
    step = asked.next_step
    assert step is not None
    wish = commands.Choose(by=f"seat:{step.seat}", seat=step.seat, bet=step.number, choice="double")
    assert "bad_choice" == code(asked, wish)


def test_a_second_complaint_waits_for_the_first() -> None:
    again = commands.RaiseDispute(by="seat:1", seat=1, about="the one before")
    assert "dispute_open" == code(complained("nsw-1"), again)


def test_the_house_pays_nothing_for_a_players_bank() -> None:
    table = complained("california-1")
    (dispute,) = table.disputes
    wish = commands.DecideDispute(by=dispute.heard_by[0], number=dispute.number, upheld=True, cents=500, why="so it is")
    assert "house_does_not_pay" == code(table, wish)


def test_a_bet_that_the_book_lets_nobody_refuse() -> None:
    betting = next(step.after for step in recorded("examples/hand-dealt").steps if step.after.phase == "betting")
    table = replace(betting, rules=catalog.ready_rules("hand-dealt-1", {"bet.refuse": "no"}))
    seat = next(number for number, one in table.seats.items() if one.player)
    assert "no_refusal" == code(table, commands.Order(by="floor", kind="refuse_bet", seats=(seat,), why="a reason"))


def test_who_was_told_to_leave_neither_bets_nor_joins_again() -> None:
    steps = recorded("examples/new-south-wales").steps
    table = next(step.after for step in steps if step.after.phase == "betting" and step.after.seats[1].wagers)
    bar = commands.Order(by="casino_supervisor", kind="bar", seats=(1,), ground="collusion")
    barred, outcome = play(table, bar)
    assert not isinstance(outcome, Refusal)
    bets = commands.PlaceWagers(by="seat:1", seat=1, wagers=dict(table.seats[1].wagers))
    assert "must_leave" == code(barred, bets)
    assert "must_leave" == code(barred, commands.SitOut(by="seat:1", seat=1, out=False))


def test_a_deck_that_is_not_in_use_is_not_changed() -> None:
    table = next(step.after for step in recorded("examples/new-south-wales").steps if step.after.phase == "idle")
    by = table.rules.rules.supervisor
    assert "no_such_deck" == code(table, commands.Order(by=by, kind="change_deck", number=9, why="a reason"))


def test_what_was_ruled_and_stands_is_not_ruled_again() -> None:
    steps = recorded("irregularities/under-minimum/nsw-1").steps
    ruled = next(step for step in steps if isinstance(step.command, commands.Report))
    assert isinstance(ruled.command, commands.Report)
    assert not isinstance(ruled.outcome, Refusal)
    assert "already_ruled" == code(ruled.after, ruled.command)
    assert "nothing_wrong" == code(ruled.after, replace(ruled.command, seat=1))


def test_a_side_bet_that_was_not_made_is_not_claimed() -> None:
    claim = commands.Claim(by="seat:1", seat=1, shown=True)
    refs = [f"{book}+{variant}" for book in catalog.rulebook_ids() for variant in catalog.rulebook(book).variants]
    ref = next(ref for ref in refs if catalog.ready_rules(ref).rules.wagers["three_card"].settle == "early_claim")
    assert "nothing_to_claim" == code(opened(ref), claim)


def test_a_player_who_was_told_to_leave_does_not_take_part_again() -> None:
    bets = "rulebook nsw-1\nseat 1 sits Ann 500\nround\nseat 1 bets 10\nseat 1 looks\n"
    barred = "casino_supervisor orders bar seats 1 ground device\nseat 1 rejoins => must_leave\n"
    done = replay(read_record(f"{bets}{barred}seat 1 rides 1\nseat 1 rides 2\n"))
    assert done.table.seats[1].player == ""  # gone with the end of the round
    assert done.table.barred == ("Ann",)


def test_every_code_of_a_refusal_is_met_by_fuzzing_or_named_by_a_test() -> None:
    named = "".join(path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py")))
    unmet = {one for one in every_code() - met_by_fuzzing() if not re.search(rf'(?:"|=> ){one}\b', named)}
    assert set() == unmet


# each answer at tables that were laid out for it

BASE: dict[Spot, int] = {"base-1": 500, "base-2": 500, "base-$": 500}
ANN = Seat(3, "Ann")
DEALT = Seat(3, "Ann", dealt_in=True, looked=True, wagers=BASE)
BANKS = {"bank_seat": 3, "bank_stake": 500}


def laid_out(ref: str = "nsw-1", *seats: Seat, own: dict[str, Any] | None = None, **changed: Any) -> Table:
    """A table in the first choice, nothing left to do and no card on it, but for what is said."""
    table, _ = open_table(catalog.ready_rules(ref, own))
    values = {"phase": "choice_1", "agenda": (), "cards": {}, **changed}
    return replace(table, seats={**table.seats, **{seat.number: seat for seat in seats}}, **values)


def cards(faces: str, *, up: bool = False) -> tuple[CardObject, ...]:
    """Cards of deck 1; a foreign one has a star."""
    marked = ((parse_face(face.rstrip("*")), "*" in face) for face in faces.split())
    return tuple(CardObject(1, -1 - face.index if foreign else face.index, face, up) for face, foreign in marked)


def answer(table: Table, command: commands.AnyCommand) -> str:
    """The code of the refusal; nothing where the command is allowed."""
    return "" if legal.legal(table, command) is None else code(table, command)


def test_a_player_can_go_away_who_has_a_part_in_the_round_and_is_there() -> None:
    moments: list[tuple[Seat, dict[str, Any], str]] = [
        (ANN, {}, "not_in_round"),
        (ANN, {"bank_seat": 3}, "not_in_round"),
        (replace(ANN, dealt_in=True), {}, ""),
        (replace(ANN, void=True), {}, ""),
        (ANN, BANKS, ""),
        (replace(ANN, dealt_in=True, away=True), {}, "not_in_round"),
    ]
    for seat, changed, expected in moments:
        assert expected == answer(laid_out("nsw-1", seat, **changed), commands.WentAway(seat=3)), (seat, changed)


def test_a_step_takes_what_it_needs_within_its_bounds_and_nothing_else() -> None:
    brought: list[tuple[str, dict[str, Any], str]] = [
        ("square_deck", {}, ""),
        ("square_deck", {"order": FACES}, "not_needed"),
        ("square_deck", {"cut": 20}, "not_needed"),
        ("square_deck", {"throw": 9}, "not_needed"),
        ("cut_deck", {"cut": 20, "throw": 9}, "not_needed"),
        ("shuffle_deck", {"order": FACES}, ""),
        ("shuffle_deck", {}, "bad_order"),
        *(("cut_deck", {"cut": cut}, "" if 10 <= cut <= 51 else "bad_cut") for cut in (0, 9, 10, 51, 52)),
        *(("throw_dice", {"throw": eyes}, "" if 3 <= eyes <= 18 else "bad_throw") for eyes in (0, 2, 3, 18, 19)),
    ]
    for kind, said, expected in brought:
        table = laid_out("hand-dealt-1", agenda=(Step(kind, number=1),), cards={"spread": cards(" ".join(FACES))})
        assert expected == answer(table, commands.Do(kind=kind, number=1, **said)), (kind, said)


@pytest.mark.clause("nsw:3.4")
def test_a_deck_is_checked_by_the_dealer_and_by_some_books_by_a_supervisor_or_a_device() -> None:
    others = {"games_supervisor", "casino_supervisor", "operator", MACHINE}
    floor = {"floor", *others}
    for ref, checkers in (("nsw-1", others), ("washington-1+hand", floor), ("hand-dealt-1", set())):
        for kind in ("check_deck", "wash_deck"):
            table = laid_out(ref, agenda=(Step(kind, number=1),))
            for by in (*STAFF, MACHINE, "spectator", "seat:3"):
                able = by == "dealer" or (by in checkers and kind == "check_deck")
                said = answer(table, commands.Do(by=by, kind=kind, number=1))
                assert said == ("" if able else "not_your_role"), (ref, kind, by)
        other = commands.Do(by="operator", kind="wash_deck", number=1)
        assert "not_your_role" == answer(laid_out(ref, agenda=(Step("check_deck", number=1),)), other)


def test_a_mixed_deck_is_the_52_but_for_two_that_are_missing_or_foreign() -> None:
    whole = {"spread": cards(" ".join(FACES))}
    elsewhere = {"spread": cards(" ".join(FACES[1:])), "hand:1": cards(FACES[0])}
    orders: list[tuple[dict[str, Any], tuple[str, ...], bool]] = [
        (whole, FACES, True),
        (whole, FACES[:50], True),
        (whole, FACES[:49], False),
        (whole, (*FACES[:49], "Ah*"), False),
        (whole, (f"{FACES[0]}^", *FACES[1:]), True),
        (whole, (*FACES, FACES[0]), False),
        (whole, (*FACES[1:], "Joker"), False),
        (whole, (*FACES[1:], "Zz"), False),
        (whole, (*FACES[2:], "Ah*", "Joker*"), True),
        (whole, (*FACES[3:], "Ah*", "Kh*", "Joker*"), False),
        (whole, (*FACES, "Ah*", "Kh*", "Joker*"), False),
        (whole, (*FACES, "Ah*", "Ah*"), False),
        (whole, (*FACES, "Zz*"), False),
        (elsewhere, FACES, False),
        (elsewhere, FACES[1:], True),
    ]
    for there, order, right in orders:
        table = laid_out("hand-dealt-1", agenda=(Step("shuffle_deck", number=1),), cards=there)
        said = answer(table, commands.Do(kind="shuffle_deck", number=1, order=order))
        assert said == ("" if right else "bad_order"), order


def test_the_order_of_the_rest_names_all_that_belongs_to_it() -> None:
    table = laid_out(agenda=(Step("mix_rest", number=1),), cards={"ready": cards("As Kd Qs*"), "hand:3": cards("2c")})
    orders = [
        ("Kd As", True),
        ("Kd Qs* As", True),
        ("Kd Qs As Qs*", True),
        ("As Kd 2c", True),
        (" ".join(FACES), True),
        ("As", False),
        ("As As Kd", False),
        ("As Kd Zz", False),
        ("As Kd Joker", False),
    ]
    for order, right in orders:
        said = answer(table, commands.Do(kind="mix_rest", number=1, order=tuple(order.split())))
        assert said == ("" if right else "bad_order"), order


def test_who_sits_down_has_a_name_chips_and_nothing_against_it() -> None:
    seats = (Seat(1, "Ann"), Seat(2, "Cy"))
    table = laid_out("nsw-1", *seats, barred=("Eve",), separated=(("Ann", "Ben"), ("Cy", "Dee", "Flo")))
    players = {
        "Gus": "",
        "Mary-Lou O'Neil": "",
        "P.1": "",
        "Eve": "barred",
        "Ben": "separated",
        "Dee": "separated",
        "Ann": "one_hand_per_player",
        **dict.fromkeys(("", "out", "-x", " Ann", "A  B", "Ann!", "Ann "), "bad_name"),
    }
    for player, expected in players.items():
        assert expected == answer(table, commands.Sit(by="seat:3", seat=3, player=player, cents=100)), player
    for cents, expected in ((1, ""), (0, ""), (-1, "bad_amount")):  # with nothing, to redeem a voucher
        assert expected == answer(table, commands.Sit(by="seat:3", seat=3, player="Gus", cents=cents)), cents
    sits = commands.Sit(by="seat:1", seat=1, player="Gus", cents=100)
    assert "seat_taken" == answer(table, sits)
    alone = replace(table, seats={**table.seats, 1: Seat(1)})
    assert "" == answer(alone, replace(sits, player="Ben"))  # Ann has gone
    assert "closed" == answer(replace(alone, phase="closed"), sits)
    other, _ = open_table(catalog.ready_rules("hand-dealt-1"))
    assert "bad_amount" == answer(other, replace(sits, cents=0))


def test_chips_are_bought_for_more_than_nothing_and_for_vouchers_where_they_are_taken() -> None:
    for ref, taken in (("nsw-1", ""), ("california-1", "medium_refused")):
        for cents, chips, vouchers in (
            (-1, "bad_amount", "bad_amount"),
            (0, "bad_amount", "bad_amount"),
            (1, "", taken),
        ):
            table = laid_out(ref, ANN)
            bought = answer(table, commands.BuyChips(by="seat:3", seat=3, cents=cents))
            exchanged = answer(table, commands.ExchangeVoucher(by="seat:3", seat=3, cents=cents))
            assert (chips, vouchers) == (bought, exchanged), (ref, cents)


def test_the_bank_is_taken_where_it_is_offered_for_what_a_player_has() -> None:
    rules = catalog.ready_rules("california-1").rules
    fee, most = bank_fee(rules), 20_000
    assert fee
    offered = {"phase": "banking", "agenda": (Step("await_bank", 3),)}
    free = {"phase": "banking", "agenda": ()}
    take = commands.TakeBank(by="seat:3", seat=3, cents=most)
    decline = commands.DeclineBank(by="seat:3", seat=3)
    moments: list[tuple[dict[str, Any], str, str]] = [
        (offered, "", ""),
        (free, "", "bank_not_offered"),
        ({**free, "phase": "betting"}, "bank_not_offered", "bank_not_offered"),
        ({**free, "agenda": (Step("await_bank", 4),)}, "bank_not_offered", "bank_not_offered"),
        ({**free, "bank_player": "Ann", "bank_hands": 2}, "bank_not_offered", "bank_not_offered"),
        ({**free, "bank_player": "Ann", "bank_hands": 1}, "", "bank_not_offered"),
        ({**free, "bank_player": "Ben", "bank_hands": 2}, "", "bank_not_offered"),
        ({**offered, "seat": replace(ANN, sitting_out=True)}, "sitting_out", "sitting_out"),
        ({**offered, "seat": replace(ANN, leaves="barred")}, "sitting_out", "sitting_out"),
        ({**BANKS, "phase": "betting"}, "bank_not_offered", ""),
        ({**BANKS, "phase": "betting", "other": Seat(4, "Ben", wagers=BASE)}, "bank_not_offered", "round_running"),
        ({**BANKS, "phase": "dealing"}, "bank_not_offered", "round_running"),
    ]

    def at(changed: dict[str, Any], cents: int = most + fee) -> Table:
        seats = (changed.get("seat", ANN), changed.get("other", Seat(4)))
        values = {name: value for name, value in changed.items() if name not in {"seat", "other"}}
        table = laid_out("california-1", *seats, accounts={"stack:3": cents}, **values)
        return by_another(table, bank__stake_cents_max=most)

    for changed, taken, declined in moments:
        assert (taken, declined) == (answer(at(changed), take), answer(at(changed), decline)), changed
    for cents, expected in ((0, "bad_amount"), (1, ""), (most, ""), (most + 1, "above_maximum")):
        assert expected == answer(at(offered, 90_000), replace(take, cents=cents)), cents
    assert "not_enough" == answer(at(offered, most + fee - 1), take)


def test_a_player_with_chips_or_cards_in_the_round_stays() -> None:
    moments: list[tuple[Seat, dict[str, Any], str]] = [
        (ANN, {}, ""),
        (replace(ANN, wagers=BASE), {}, "wagers_down"),
        (replace(ANN, dealt_in=True), {}, "round_running"),
        (ANN, BANKS, "round_running"),
    ]
    for seat, changed, expected in moments:
        table = laid_out("nsw-1", seat, **changed)
        leaves, sits_out = commands.Leave(by="seat:3", seat=3), commands.SitOut(by="seat:3", seat=3)
        assert [expected] * 2 == [answer(table, leaves), answer(table, sits_out)], (seat, changed)


def test_players_look_at_their_cards_in_the_choices_where_the_book_lets_them() -> None:
    suspect = Seat(5, "Eve", dealt_in=True, wagers=BASE, acts_first=True)
    moments: list[tuple[str, tuple[Seat, ...], dict[str, Any], str]] = [
        ("nsw-1", (DEALT,), {}, ""),
        ("nsw-1", (DEALT,), {"phase": "choice_2"}, ""),
        ("nsw-1", (DEALT,), {"phase": "dealing"}, "cards_not_yours"),
        ("nsw-1", (replace(DEALT, dealt_in=False),), {}, "cards_not_yours"),
        ("nsw-1", (DEALT,), {"agenda": (Step("await_correction", 3, number=1),)}, "correct_first"),
        ("nsw-1", (DEALT,), {"agenda": (Step("await_correction", 3, number=2),)}, ""),
        ("nsw-1", (DEALT,), {"agenda": (Step("await_correction", 4, number=1),)}, ""),
        ("hand-dealt-1", (DEALT,), {"own": {"cards.touch": "dealer_only"}}, "hands_off"),
        ("hand-dealt-1", (replace(DEALT, choices={1: "ride"}),), {}, ""),
        ("hand-dealt-1", (replace(DEALT, choices={1: "ride", 2: "ride"}),), {}, "hands_off"),
        ("nsw-1", (replace(DEALT, choices={1: "ride", 2: "ride"}),), {}, ""),
        ("nsw-1", (replace(DEALT, tucked=True),), {}, "hands_off"),
        ("nsw-1", (DEALT, suspect), {}, "suspects_first"),
        ("nsw-1", (replace(DEALT, acts_first=True), suspect), {}, ""),
        ("nsw-1", (DEALT, suspect), {"phase": "choice_2"}, ""),
        ("nsw-1", (DEALT, suspect), {"agenda": (Step("await_choice", 3, number=1),)}, ""),
        ("nsw-1", (DEALT, suspect), {"agenda": (Step("await_choice", 3, number=2),)}, "suspects_first"),
        ("nsw-1", (DEALT, suspect), {"agenda": (Step("await_choice", 5, number=1),)}, "suspects_first"),
        ("nsw-1", (DEALT, suspect), {"agenda": (Step("ask", 3, number=1),)}, "suspects_first"),
        ("nsw-1", (DEALT, replace(suspect, choices={1: "ride"})), {}, ""),
        ("nsw-1", (DEALT, replace(suspect, choices={2: "ride"})), {}, "suspects_first"),
        ("nsw-1", (DEALT, replace(suspect, wagers={"bonus": 100})), {}, ""),
        ("nsw-1", (DEALT, replace(suspect, dealt_in=False)), {}, ""),
    ]
    for ref, seats, changed, expected in moments:
        assert expected == answer(laid_out(ref, *seats, **changed), commands.Look(by="seat:3", seat=3)), (
            seats,
            changed,
        )


def test_cards_are_tucked_early_where_what_is_in_sight_pays() -> None:
    tens, none = {"hand:3": cards("Th Td 4c")}, {"hand:3": cards("Th 9d 4c")}
    joker = {"hand:3": cards("Th Td Joker*"), "community:1": cards("2c", up=True), "community:2": cards("3d", up=True)}
    turned = {**tens, "community:1": cards("Joker*", up=True), "community:2": cards("3d", up=True)}
    moments: list[tuple[Seat, dict[str, Any], str]] = [
        (DEALT, {"cards": tens}, ""),
        (DEALT, {"cards": tens, "phase": "choice_2"}, ""),
        (DEALT, {"cards": tens, "phase": "dealing"}, "nothing_to_tuck"),
        (replace(DEALT, dealt_in=False), {"cards": tens}, "nothing_to_tuck"),
        (replace(DEALT, wagers={"bonus": 100}), {"cards": tens}, "nothing_to_tuck"),
        (replace(DEALT, tucked=True), {"cards": tens}, "nothing_to_tuck"),
        (replace(DEALT, looked=False), {"cards": tens}, "not_looked"),
        (DEALT, {"cards": none}, "no_paying_hand"),
        (DEALT, {"cards": none, "own": {"decide.early_tuck": "any_hand"}}, ""),
        (DEALT, {"cards": {**none, "community:1": cards("Ts", up=True)}}, ""),
        (DEALT, {"cards": {**none, "community:1": cards("Ts")}}, "no_paying_hand"),
        (DEALT, {"cards": joker}, ""),
        (DEALT, {"cards": turned}, ""),
    ]
    for seat, changed, expected in moments:
        assert expected == answer(laid_out("nsw-1", seat, **changed), commands.Tuck(by="seat:3", seat=3)), (
            seat,
            changed,
        )
    assert "no_early_tuck" == answer(laid_out("hand-dealt-1", DEALT, cards=tens), commands.Tuck(by="seat:3", seat=3))


def test_a_side_bet_is_claimed_with_three_cards_that_win_and_waved_away_with_others() -> None:
    book = "shufflemaster-1+three_card_claim"
    wins, loses = {"hand:3": cards("Th Td 4c")}, {"hand:3": cards("Th 9d 4c")}
    bets = replace(DEALT, wagers={**BASE, "three_card": 500})
    moments: list[tuple[str, Seat, dict[str, Any], str, str]] = [
        (book, bets, {"cards": wins}, "", "winning_hand"),
        (book, bets, {"cards": loses}, "no_winning_hand", ""),
        ("shufflemaster-1", bets, {"cards": wins}, "no_early_claim", "no_early_claim"),
        (book, DEALT, {"cards": wins, "own": {"three_card.offered": False}}, "no_early_claim", "no_early_claim"),
        (book, bets, {"cards": wins, "phase": "choice_2"}, "nothing_to_claim", "nothing_to_claim"),
        (book, DEALT, {"cards": wins}, "nothing_to_claim", "nothing_to_claim"),
        (book, replace(bets, claim="waved"), {"cards": wins}, "nothing_to_claim", "nothing_to_claim"),
        (book, replace(bets, choices={1: "ride"}), {"cards": wins}, "nothing_to_claim", "nothing_to_claim"),
        (book, replace(bets, looked=False), {"cards": wins}, "not_looked", "not_looked"),
        *(
            (book, bets, {"cards": {"hand:3": cards(held)}}, "something_wrong", "something_wrong")
            for held in ("Th Td", "Th Td 4c 5c", "Th Th* 4c", "Th Td Joker*")
        ),
    ]
    for ref, seat, changed, shown, waved in moments:
        table = laid_out(ref, seat, **changed)
        said = [answer(table, commands.Claim(by="seat:3", seat=3, shown=show)) for show in (True, False)]
        assert [shown, waved] == said, (ref, seat, changed)
