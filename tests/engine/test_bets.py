"""Bets: which are taken, when, from whom and for how much; also by books in which keys meet as in no published one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from letitride.autoplay.steps import command_for
from letitride.engine import agenda, bets, commands, places
from letitride.engine.decide import open_table
from letitride.engine.places import CardObject
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.rules.cards import DECK
from letitride.rules.catalog import ready_rules
from letitride.rules.wager_table import BASE_SPOTS
from tests.autoplay.at_work import seeded
from tests.engine.recorded import by_another

BASE = {"base-1": 500, "base-2": 500, "base-$": 500}


def done(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play_checked(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


@pytest.mark.parametrize("handling", ["sensor", "lammer"])
def test_a_bet_whose_bonus_dollar_is_taken_in_is_not_changed_before_the_first_card(
    tmp_path: Path, handling: str
) -> None:
    path = tmp_path / "own.toml"
    keys = f'bet.cutoff = "first_card"\nbonus.stake_handling = "{handling}"'
    path.write_text(f'id = "own"\ntitle = "Own"\nextends = "shufflemaster-1"\n[rules]\n{keys}\n')
    table, _ = open_table(ready_rules(str(path)))
    source = seeded(1)
    table = done(table, commands.Sit(by="seat:1", seat=1, player="Ann", cents=50_000))
    while table.phase != "betting":
        table = done(table, command_for(table, table.agenda[0], source))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers={**BASE, "bonus": 100}))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=BASE))
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers={**BASE, "bonus": 100}))
    while table.cents("felt:1:bonus"):
        table = done(table, command_for(table, table.agenda[0], source))
    assert table.phase == "dealing"
    assert table.no_card_is_out  # until then others may still bet
    for wagers in ({}, BASE, {**BASE, "bonus": 100}):
        after, outcome = play_checked(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers))
        assert isinstance(outcome, Refusal)
        assert (after, outcome.code) == (table, "bet_taken_in")


def a_table(ref: str = "shufflemaster-1", *, phase: str = "betting", **seat: Any) -> Table:
    """A table that takes bets, with $50 in chips and $20 in tokens at seat 1."""
    table, _ = open_table(ready_rules(ref))
    steps = agenda.betting(table.rules) if phase == "betting" else (Step("deal_packet", 1),)
    ann = Seat(1, "Ann", **seat)
    held = {"stack:1": 5_000, "tokens:1": 2_000}
    return replace(table, phase=phase, agenda=tuple(steps), seats={**table.seats, 1: ann}, accounts=held)


def code(table: Table, wagers: dict[str, int] = BASE, seat: int = 1, **said: Any) -> str:
    """Why wagers are refused, or ''."""
    command = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers, **said)
    refusal = bets.refuse(table, table.seats[seat], command)
    return refusal.code if refusal else ""


def test_bets_are_taken_until_the_call_or_by_some_books_until_the_first_card() -> None:
    open_to_bets = a_table()
    called = replace(open_to_bets, agenda=(Step("lock_out"),))
    dealing = a_table(phase="dealing")
    until_card = by_another(dealing, bet__cutoff="first_card")
    assert "" == code(open_to_bets)
    assert "" == code(by_another(open_to_bets, bet__cutoff="first_card"))
    assert ["betting_closed"] * 2 == [code(called), code(dealing)]
    assert "" == code(until_card)
    out = {places.hand(2): (CardObject(1, 0, DECK[0]),)}
    assert "betting_closed" == code(replace(until_card, cards=out))
    assert "betting_closed" == code(replace(until_card, phase="choice_1"))
    assert ["bets_incomplete", ""] == [code(until_card, {"base-1": 500}), code(open_to_bets, {"base-1": 500})]
    assert "" == code(until_card, {})


def test_a_ruling_is_carried_out_before_bets_change_after_the_call() -> None:
    until_card = by_another(a_table(phase="dealing"), bet__cutoff="first_card")
    counted = Step("count_cards", number=1)
    for due in (counted, Step("await_correction", 2, number=1)):
        assert "ruling_first" == code(replace(until_card, agenda=(due, *until_card.agenda)))
    open_to_bets = a_table()
    assert "" == code(replace(open_to_bets, agenda=(counted, *open_to_bets.agenda)))


def test_some_seats_may_not_bet_or_no_longer() -> None:
    assert "sitting_out" == code(a_table(sitting_out=True))
    leaving = a_table(leaves="barred", wagers=BASE)
    leaving = replace(leaving, accounts={f"felt:1:{spot}": cents for spot, cents in BASE.items()})
    assert ["must_leave", ""] == [code(leaving), code(leaving, {})]
    assert "bet_taken_in" == code(replace(leaving, accounts={}), {})
    bank = replace(a_table("california-1"), bank_seat=1, bank_stake=500)
    assert ["bank_does_not_bet", ""] == [code(bank), code(replace(bank, bank_stake=0))]
    apart = replace(bank, seats={**bank.seats, 8: Seat(8, "Bob")}, bank_stake=0)
    assert "no_betting_area" == code(apart, seat=8)
    rich = replace(apart, seats={**apart.seats, 7: Seat(7, "Eve")}, accounts={"stack:7": 5_000})
    assert "" == code(rich, seat=7)


def test_bets_are_made_with_what_the_book_takes() -> None:
    table = a_table()
    media = by_another(table, bet__media=("chips", "tokens", "vouchers"))
    cash = by_another(table, bet__spoken_cash=True)
    assert ["", "medium_refused", "medium_refused"] == [
        code(table, medium=medium) for medium in ("plaques", "tokens", "vouchers")
    ]
    assert ["medium_refused", "", "medium_refused"] == [
        code(media, medium=medium) for medium in ("plaques", "tokens", "vouchers")
    ]
    for said in ({"medium": "cash"}, {"spoken": True}):
        assert ["spoken_cash_refused", ""] == [code(table, **said), code(cash, **said)]
    much = dict.fromkeys(BASE, 2_000)  # more than the chips at the seat
    assert ["not_enough", ""] == [code(cash, much, spoken=True), code(cash, much, medium="cash")]


def test_a_seat_bets_no_more_than_it_has_where_the_bets_come_from() -> None:
    table = by_another(a_table("nsw-1"), bet__media=("chips", "tokens"))

    def evenly(cents: int) -> dict[str, int]:
        return {"base-1": cents, "base-2": cents, "base-$": 5_000 - 2 * cents}

    assert ["", "not_enough"] == [code(table, evenly(1_000)), code(table, {**evenly(1_000), "base-1": 1_001})]
    tokens = {"base-1": 500, "base-2": 500, "base-$": 1_000}
    assert ["", "not_enough"] == [
        code(table, wagers, medium="tokens") for wagers in (tokens, {**tokens, "base-1": 501})
    ]
    # What lies there comes back first, if it is of the same kind.
    for lying, medium, most in (
        ("chips", "chips", 6_500),
        ("chips", "tokens", 2_000),
        ("tokens", "chips", 5_000),
        ("tokens", "tokens", 3_500),
    ):
        down = replace(table, seats={1: Seat(1, "Ann", wagers=BASE, medium=lying)})
        down = replace(down, accounts={**table.accounts, **{f"felt:1:{spot}": 500 for spot in BASE}})
        exact = {"base-1": 500, "base-2": 500, "base-$": most - 1_000}
        assert ["", "not_enough"] == [code(down, wagers, medium=medium) for wagers in (exact, {**exact, "base-1": 501})]
    # A fee of 50 cents for each wager is paid besides.
    fee = replace(a_table("california-1"), accounts={"stack:1": 1_650})
    assert ["", "not_enough"] == [code(fee), code(fee, {**BASE, "base-1": 501})]
    # It is paid in chips where the bets are made with cash.
    for chips, expected in ((150, ""), (149, "not_enough")):
        short = by_another(replace(fee, accounts={"stack:1": chips}), bet__spoken_cash=True)
        assert expected == code(short, medium="cash")
    refusal = bets.refuse(fee, fee.seats[1], commands.PlaceWagers(seat=1, wagers=dict.fromkeys(BASE_SPOTS, 600)))
    assert refusal is not None
    assert "$19.50" in refusal.sentence
    assert "$16.50" in refusal.sentence


def test_every_wager_has_its_amounts() -> None:
    washington = replace(a_table("washington-1"), accounts={"stack:1": 10_000_000})
    stepped = by_another(washington, limit__cents_min=500, limit__cents_max=10_000, limit__cents_step=300)
    area = by_another(washington, limit__scope="area", limit__cents_min=1_500, limit__cents_max=3_000)
    side = by_another(area, three_card__cents_min=200, three_card__cents_max=900)
    cases = (
        (washington, "bonus", {99: "bonus_amount", 100: "", 101: "bonus_amount"}),
        (washington, "cover_all", {99: "below_minimum", 100: "", 2_500: "", 2_501: "above_maximum"}),
        (
            stepped,
            "base-1",
            {499: "below_minimum", 500: "", 501: "off_step", 800: "", 9_800: "", 10_001: "above_maximum"},
        ),
        (stepped, "cover_all", {501: ""}),
        (area, "base-2", {499: "below_minimum", 500: "", 1_000: "", 1_001: "above_maximum"}),
        (area, "cover_all", {100: "", 2_500: ""}),
        (side, "three_card", {199: "below_minimum", 200: "", 201: "", 900: "", 901: "above_maximum"}),
        (a_table("nsw-1"), "three_card", {500: "not_offered"}),
        (a_table("nsw-1"), "base-3", {500: "not_offered"}),
    )
    for table, name, amounts in cases:
        assert amounts == {cents: code(table, {name: cents}) for cents in amounts}, name


# bets that are made equal

UNEVEN = {"base-1": 500, "base-2": 700, "base-$": 500}


def correcting(cents: int, *, stack: int = 5_000, choices: dict[int, str] | None = None) -> Refusal | None:
    """Why uneven bets of $5, $7, $5 may not be made equal at an amount."""
    step = Step("await_correction", 1, number=1)
    table = a_table("nsw-1", phase="dealing", wagers=UNEVEN, dealt_in=True, choices=choices or {})
    table = replace(table, agenda=(step, *table.agenda), accounts={**table.accounts, "stack:1": stack})
    return bets.refuse_correction(table, table.seats[1], commands.Correct(by="seat:1", seat=1, cents=cents))


def test_bets_are_made_equal_with_what_a_seat_has_besides() -> None:
    for cents, stack, choices, code in (
        (700, 400, {}, ""),
        (700, 399, {}, "not_enough"),
        (700, 200, {1: "withdraw"}, ""),
        (700, 199, {1: "withdraw"}, "not_enough"),
        (500, 0, {}, ""),
        (499, 0, {}, "below_minimum"),
    ):
        refusal = correcting(cents, stack=stack, choices=choices)
        assert code == (refusal.code if refusal else "")
    short = correcting(700, stack=399)
    assert short is not None
    assert "$4 more. You have $3.99" in short.sentence


def test_only_the_seat_that_is_asked_makes_its_bets_equal() -> None:
    table = a_table("nsw-1", wagers=UNEVEN)
    for steps in ((), (Step("await_choice", 1, number=1),), (Step("await_correction", 2, number=1),)):
        waiting = replace(table, agenda=steps)
        for act in (commands.Correct(seat=1, cents=500), commands.Fold(seat=1), commands.RefuseCorrection(seat=1)):
            refusal = bets.refuse_correction(waiting, table.seats[1], act)
            assert refusal is not None
            assert "nothing_to_correct" == refusal.code
    for number, fold, refuse in ((1, "", "correct_or_fold"), (2, "must_correct", "")):
        asked = replace(table, agenda=(Step("await_correction", 1, number=number),))
        acts = commands.Fold(seat=1), commands.RefuseCorrection(seat=1)
        found = [bets.refuse_correction(asked, table.seats[1], act) for act in acts]
        assert [fold, refuse] == [one.code if one else "" for one in found]


def test_a_fee_that_is_due_is_kept_back() -> None:
    table = a_table("california-1", wagers=BASE)
    due, others = Step("collect_fee", 1), (Step("collect_fee", 2), Step("deal_packet", 1))
    for steps, spare in (((due, *others), 4_850), (others, 5_000), ((), 5_000)):
        assert spare == bets.spare_cents(replace(table, agenda=steps), table.seats[1])
    tokens = replace(table.seats[1], medium="tokens")
    assert 2_000 == bets.spare_cents(replace(table, agenda=(due,)), tokens)
    # Bets that crept up ate the fee: what is left is nothing, not less.
    uneven = replace(tokens, wagers=UNEVEN, medium="chips")
    asked = (Step("await_correction", 1, number=1), due)
    poor = replace(table, phase="dealing", agenda=asked, accounts={"stack:1": 100}, seats={1: uneven})
    refusal = bets.refuse_correction(poor, uneven, commands.Correct(seat=1, cents=700))
    assert refusal is not None
    assert ("not_enough", True) == (refusal.code, refusal.sentence.endswith("You have $0."))


def test_equal_bets_leave_alone_what_was_withdrawn_and_the_side_bets() -> None:
    side = {"bonus": 100, "three_card": 300}
    for wagers, choices, expected in (
        (UNEVEN, {}, dict.fromkeys(BASE, 600)),
        ({**UNEVEN, **side}, {1: "withdraw", 2: "ride"}, {"base-1": 500, "base-2": 600, "base-$": 600, **side}),
        ({"base-2": 700, **side}, {1: "withdraw"}, {"base-2": 600, "base-$": 600, **side}),
    ):
        assert expected == bets.corrected(Seat(1, "Ann", wagers=wagers, choices=choices), 600)
