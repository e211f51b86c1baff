"""Decide: what follows from a command in cards and chips, the same each time; from a refused one nothing does."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands, events, places
from letitride.engine.decide import Events, decide, open_table, play
from letitride.engine.legal import legal
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS
from tests.engine.recorded import ROUNDS, by_another, recorded

NOT_TO_BE_MADE = (
    commands.Sit(by="seat:1", seat=1, player="Eve", cents=-1),
    commands.Choose(by="seat:1", seat=1, bet=3, choice="ride"),
    commands.Order(by="seat:1", kind="close"),
    commands.Mishap(by="floor", kind="exposed"),
)


@pytest.mark.parametrize("name", ROUNDS)
def test_every_command_of_a_recorded_round_is_decided_the_same_again(name: str) -> None:
    played = [step for step in recorded(name).steps if step.command is not None]
    assert played
    for step in played:
        assert step.command is not None
        assert step.outcome == decide(step.before, step.command)


@pytest.mark.parametrize("name", ROUNDS)
def test_a_command_that_must_be_refused_changes_nothing_at_any_moment(name: str) -> None:
    for step in recorded(name).steps:
        for command in NOT_TO_BE_MADE:
            after, outcome = play(step.after, command)
            assert after is step.after
            assert isinstance(outcome, Refusal)
            assert outcome == legal(step.after, command)


def test_a_table_opens_with_its_rules_and_what_is_done_first() -> None:
    for book in catalog.rulebook_ids():
        table, happened = open_table(catalog.ready_rules(book))
        assert ("opening", book) == (table.phase, table.rules.book.id)
        assert ["TableOpened", "PhaseBegan"] == [type(event).__name__ for event in happened]
        assert table.agenda


# what follows from a command

SOURCE = Fixed(FACES, dice=4)
BASE = dict.fromkeys(BASE_SPOTS, 500)
BONUS = {**BASE, "bonus": 100}


def acted(table: Table, *acts: commands.AnyCommand) -> tuple[Table, Events]:
    """The table after commands that are allowed, and what followed from the last."""
    outcome: Events | Refusal = ()
    for act in acts:
        table, outcome = play_checked(table, act)
        assert not isinstance(outcome, Refusal), outcome
    assert not isinstance(outcome, Refusal)
    return table, outcome


def after(table: Table, *acts: commands.AnyCommand) -> Table:
    return acted(table, *acts)[0]


def until(table: Table, kind: str, seat: int = 0) -> Table:
    """The table when the script comes to a step, the dealer having done what comes before."""
    while (step := table.agenda[0]).kind != kind or (seat and step.seat != seat):
        table = after(table, command_for(table, step, SOURCE))
    return table


def seated(ref: str, *seats: int, **keys: Any) -> Table:
    """A table by a book with some keys changed, opened, with players at some seats."""
    table, _ = open_table(ready_rules(ref))
    table = by_another(table, **keys)
    while table.phase == "opening" or table.agenda:
        table = after(table, command_for(table, table.agenda[0], SOURCE))
    return after(table, *(sit(seat) for seat in seats))


def sit(seat: int) -> commands.Sit:
    return commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=100_000)


def bet(seat: int, wagers: dict[Spot, int] = BASE, **said: Any) -> commands.PlaceWagers:
    return commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers, **said)


def choose(seat: int, number: Any, choice: Any) -> commands.Choose:
    return commands.Choose(by=f"seat:{seat}", seat=seat, bet=number, choice=choice)


def bank(seat: int) -> commands.TakeBank:
    return commands.TakeBank(by=f"seat:{seat}", seat=seat, cents=50_000)


def kinds(table: Table) -> list[str]:
    return [f"{step.kind} {step.seat}" if step.seat else step.kind for step in table.agenda]


def with_seat(table: Table, number: int, **values: Any) -> Table:
    return replace(table, seats={**table.seats, number: replace(table.seats[number], **values)})


def phases(happened: Events) -> list[str]:
    return [event.phase for event in happened if isinstance(event, events.PhaseBegan)]


CALL = commands.Do(kind="call_no_more_bets")


def test_a_bet_after_the_call_takes_a_seat_into_the_deal_or_out_and_nothing_is_done_twice() -> None:
    keys = {"bet__cutoff": "first_card", "bank__settle_from": "action_seat"}
    table = until(seated("california-1", 1, 2, 3, 4, **keys), "await_bank")
    table = until(after(table, bank(1), bet(2), bet(3)), "call_no_more_bets")
    table = after(table, CALL, commands.Do(kind="collect_fee", seat=2))
    shuffle = ["throw_dice", "swap_decks", "mix_deck"]
    deal = ["deal_dealer_packet", "slide_left", "slide_right", "burn_bottom", "unload_stub"]
    table = after(table, bet(3, {}))
    assert ["collect_fee 1", *shuffle, "deal_packet 2", *deal] == kinds(table)
    table = after(table, bet(3))
    assert ["collect_fee 3", "collect_fee 1", *shuffle, "deal_packet 2", "deal_packet 3", *deal] == kinds(table)
    table = after(until(table, "swap_decks"), bet(4))
    three = ["deal_packet 2", "deal_packet 3", "deal_packet 4"]
    assert ["collect_fee 4", "swap_decks", "mix_deck", *three, *deal] == kinds(table)
    table = after(until(table, "deal_packet"), bet(4, dict.fromkeys(BASE_SPOTS, 600)))
    assert [*three, *deal] == kinds(table)
    assert 3 * 150 + 200 == table.cents("fees")
    table = until(table, "unload_stub")
    assert [3, 3, 3] == [len(table.at(places.hand(seat))) for seat in (2, 3, 4)]
    assert table.action_seat


def test_a_bonus_dollar_after_the_call_is_taken_in_once_and_the_deck_is_not_counted_again() -> None:
    for ref in ("shufflemaster-1", "shufflemaster-1+felt"):
        table = until(seated(ref, 1, 2, 3, bet__cutoff="first_card"), "invite_bonus")
        table = after(until(after(table, bet(1, BONUS), bet(2, BONUS)), "call_no_more_bets"), CALL)
        taken = table.agenda[0].kind
        table = after(table, command_for(table, table.agenda[0], SOURCE), bet(2, {}), bet(2, BONUS))
        assert [f"{taken} 2", "count_deck", "swap_decks", "mix_deck", "deal_packet 1"] == kinds(table)[:5]
        table, (placed, *_) = acted(until(table, "deal_packet"), bet(3, BONUS))
        assert isinstance(placed, events.WagersPlaced)
        assert () == placed.inserted  # no lamp is looked at after the call
        assert [f"{taken} 3", "deal_packet 1", "fan_packet 1", "deal_packet 2"] == kinds(table)[:4]
        table = until(table, "deal_packet")
        assert 300 == table.cents("tray")
        assert [100_000 - 1_600] * 3 == [table.cents(f"stack:{seat}") for seat in (1, 2, 3)]


def test_a_bet_refused_after_the_call_is_not_dealt_to_and_another_order_leaves_the_deal_alone() -> None:
    table = until(seated("nsw-1", 1, 4), "call_no_more_bets")
    table = after(table, bet(1), bet(4), CALL)
    refused = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(1,), why="late")
    after_it = until(after(table, refused), "deal_community")
    assert [0, 3] == [len(after_it.at(places.hand(seat))) for seat in (1, 4)]
    assert [100_000, 98_500] == [after_it.cents(f"stack:{seat}") for seat in (1, 4)]
    counting = after(table, commands.Order(by="casino_supervisor", kind="count"))
    assert ["count_cards", *kinds(table)] == kinds(counting)


def test_red_lamps_are_confirmed_once_for_every_bonus_bet_that_comes_before_the_call() -> None:
    table = until(seated("shufflemaster-1", 1, 2), "invite_bonus")
    table = after(table, bet(1, BONUS))
    close = ["call_no_more_bets", "lock_out"]
    assert ["invite_bonus", "confirm_lamps", *close] == kinds(table)
    table = until(table, "call_no_more_bets")
    assert close == kinds(after(table, bet(2)))
    assert ["confirm_lamps", *close] == kinds(after(table, bet(2, BONUS)))
    felt = until(after(until(seated("shufflemaster-1+felt", 1), "invite_bonus"), bet(1)), "call_no_more_bets")
    assert ["call_no_more_bets"] == kinds(after(felt, bet(1, BONUS)))


def test_a_bet_with_cash_comes_out_of_the_wallet_and_goes_back_as_chips() -> None:
    table = until(seated("shufflemaster-1", 1, bet__spoken_cash=True), "invite_bonus")
    cash = after(table, bet(1, medium="cash"))
    assert (-101_500, 100_000) == (cash.cents("wallet"), cash.cents("stack:1"))
    assert "chips" == cash.seats[1].medium
    back = after(cash, bet(1, {}))
    assert (-101_500, 101_500) == (back.cents("wallet"), back.cents("stack:1"))
    again = after(cash, bet(1, {}, medium="cash"))  # nothing is put down, so nothing comes out of the wallet
    assert (-101_500, 101_500, {}) == (again.cents("wallet"), again.cents("stack:1"), again.seats[1].wagers)


def test_the_call_gives_back_what_is_no_bet_and_touches_no_other_seat() -> None:
    table = until(seated("hand-dealt-1", 1, 2, 3), "await_inspection")
    table = until(after(table, commands.LookOver(by="seat:1", seat=1)), "call_no_more_bets")
    table, happened = acted(table, bet(1), bet(2, {"base-1": 500}), CALL)
    returned = [(event.seat, event.returned) for event in happened if isinstance(event, events.WagersPlaced)]
    assert [(2, True)] == returned
    assert [98_500, 100_000, 100_000] == [table.cents(f"stack:{seat}") for seat in (1, 2, 3)]
    assert (1,) == table.dealt_in


def test_how_a_choice_is_made_known_is_told() -> None:
    table = until(after(until(seated("nsw-1", 1), "call_no_more_bets"), bet(1)), "await_choice")
    felt = until(after(until(seated("shufflemaster-1+felt", 1), "invite_bonus"), bet(1)), "await_choice")
    for asked, choice, number, words in (
        (table, "ride", 1, "answer to the dealer"),
        (table, "withdraw", 1, "answer to the dealer"),
        (felt, "withdraw", 1, "scratching"),
        (felt, "ride", 1, "beneath bet 2"),
        (until(after(felt, choose(1, 1, "ride")), "await_choice"), "ride", 2, "beneath bet $"),
    ):
        _, (made, *_) = acted(asked, choose(1, number, choice))
        assert isinstance(made, events.ChoiceMade)
        assert words in made.signal


def test_an_early_tuck_lets_every_bet_ride_that_was_not_decided() -> None:
    table = at_choice("nsw-1", 1, 2, decide__early_tuck="any_hand")
    look, tuck = commands.Look(by="seat:1", seat=1), commands.Tuck(by="seat:1", seat=1)
    tucked, happened = acted(table, look, tuck)
    assert {1: "ride", 2: "ride"} == tucked.seats[1].choices
    assert ["by an early tuck"] * 2 == [event.signal for event in happened if isinstance(event, events.ChoiceMade)]
    assert ["ask 2", "await_choice 2", "turn_community"] == kinds(tucked)
    later = until(after(table, look, choose(1, 1, "withdraw")), "await_choice", 2)
    later, happened = acted(until(after(later, choose(2, 1, "ride")), "await_choice", 1), tuck)
    assert {1: "withdraw", 2: "ride"} == later.seats[1].choices
    assert ["ask 2", "await_choice 2", "turn_community"] == kinds(later)


def test_advice_that_was_asked_for_is_told_with_who_gave_it() -> None:
    table = at_choice("nsw-1", 1)
    ask, advise = commands.AskAdvice(by="seat:1", seat=1), commands.Advise(by="spectator", seat=1, words="let it ride")
    asked, _ = acted(table, ask)
    assert asked.seats[1].wants_advice
    _, (given,) = acted(asked, advise)
    assert events.AdviceGiven(seat=1, by="spectator", words="let it ride") == given


# players who are away


def ruled(kind: Any, seat: int = 0, number: int = 0) -> commands.Report:
    return commands.Report(by="dealer", kind=kind, seat=seat, number=number)


def at_choice(ref: str, *seats: int, uneven: int = 0, **keys: Any) -> Table:
    """A table at which the first player is to choose; the bets of a seat may have become uneven in the deal."""
    table = until(seated(ref, *seats, **keys), "invite_bonus" if "shuffle" in ref else "call_no_more_bets")
    table = after(table, *(bet(seat) for seat in seats))
    while table.phase != "dealing":
        table = after(table, command_for(table, table.agenda[0], SOURCE))
    if uneven:
        wrong = {**BASE, "base-2": 700}
        table = after(table, commands.Mishap(by="table", kind="bets", seat=uneven, wagers=wrong))
    return until(table, "await_choice")


def test_a_bet_that_is_withdrawn_for_a_player_who_is_away_comes_back() -> None:
    table = at_choice("nsw-1", 1, 2, irreg__absent="withdraw")
    away = after(table, ruled("absent", 1))
    assert ({1: "withdraw"}, False) == (away.seats[1].choices, away.seats[1].handled)
    away = until(away, "await_choice")
    assert ([99_000, 98_500], 2) == ([away.cents(f"stack:{seat}") for seat in (1, 2)], away.agenda[0].seat)


def test_a_player_away_from_a_correction_has_no_choice_made_and_nor_has_another() -> None:
    for ref in ("nsw-1", "shufflemaster-1+felt"):
        table = at_choice(ref, 1, 2, uneven=2, irreg__absent="withdraw")
        away = after(table, ruled("uneven_bets", 2), ruled("absent", 2))
        assert [{}, {}] == [away.seats[seat].choices for seat in (1, 2)]
        assert table.agenda == away.agenda
        away = until(after(away, choose(1, 1, "ride")), "await_choice")
        away = after(away, ruled("absent", 2))
        assert [{1: "ride"}, {1: "withdraw"}] == [away.seats[seat].choices for seat in (1, 2)]


def test_a_player_who_was_said_to_be_away_is_there_again() -> None:
    away = after(at_choice("nsw-1", 1, 2), commands.WentAway(seat=2))
    assert [False, True] == [away.seats[seat].away for seat in (1, 2)]
    back, happened = acted(away, commands.CameBack(seat=2))
    assert (events.PlayerCameBack(seat=2),) == happened
    assert [False, False] == [back.seats[seat].away for seat in (1, 2)]


def test_a_ruling_that_lets_play_go_on_chooses_for_nobody() -> None:
    table = after(at_choice("nsw-1", 1, 2), commands.Look(by="seat:1", seat=1))
    shown = commands.Mishap(by="table", kind="exposed", number=1)
    on = after(table, shown, ruled("exposed_community", number=1))
    assert "exposed_community:go_on" == on.rulings[-1].name
    assert ({}, table.agenda) == (on.seats[1].choices, on.agenda)


FOLD = ruled("uneven_bets", 1), commands.Fold(by="seat:1", seat=1)


def test_the_round_is_over_when_its_last_hand_is_folded() -> None:
    for seats, phase in (((1,), "ruling"), ((1, 2), "choice_1")):
        table = after(at_choice("nsw-1", *seats, uneven=1), *FOLD)
        assert phase == table.phase
        table = until(table, "discard_hand")
        assert 100_000 == table.cents("stack:1")
        table = after(table, commands.Do(kind="discard_hand", seat=1))
        assert (3, ()) == (len(table.at(places.RACK)), table.at(places.hand(1)))
    alone = after(at_choice("nsw-1", 1, uneven=1), *FOLD)
    _, happened = acted(until(alone, "collect_round"), commands.Do(kind="collect_round"))
    assert events.RoundVoided in map(type, happened)
    assert ["between"] == phases(happened)


# who is there, and what part of the procedure comes


def test_a_bank_that_is_given_back_leaves_the_round_for_another() -> None:
    table = after(until(seated("california-1", 1, 2), "await_bank"), bank(1))
    assert ("betting", 1) == (table.phase, table.round)
    table, happened = acted(table, commands.DeclineBank(by="seat:1", seat=1))
    assert (["banking"], 0, 100_000) == (phases(happened), table.round, table.cents("stack:1"))
    table = after(until(table, "await_bank"), bank(2))
    assert ("betting", 1, 2) == (table.phase, table.round, table.bank_seat)


def test_a_player_who_must_leave_goes_when_the_bank_is_given_back() -> None:
    for why in ("barred", "separated"):
        table = with_seat(after(until(seated("california-1", 1, 2), "await_bank"), bank(1)), 1, leaves=why)
        table, happened = acted(table, commands.DeclineBank(by="seat:1", seat=1))
        assert [why] == [event.why for event in happened if isinstance(event, events.PlayerLeft)]
        assert ("", 0, -100_000) == (table.seats[1].player, table.cents("stack:1"), table.cents("wallet"))
        assert Step("offer_bank", 2) == table.agenda[0]


def test_the_bank_is_offered_on_when_the_player_it_is_offered_to_goes() -> None:
    for kind in ("offer_bank", "await_bank"):
        table = until(seated("california-1", 1, 2), kind)
        table, happened = acted(table, commands.Leave(by="seat:1", seat=1))
        assert (["banking"], Step("offer_bank", 2)) == (phases(happened), table.agenda[0])
        table, happened = acted(table, commands.Leave(by="seat:2", seat=2))
        assert ["idle"] == phases(happened)


def test_where_players_bank_the_bank_is_offered_before_betting() -> None:
    table, _ = open_table(ready_rules("california-1"))
    last = replace(table, phase="between", agenda=(Step("square_deck"),), round=7)
    _, happened = acted(last, commands.Do(kind="square_deck"))
    assert ["idle"] == phases(happened)
    _, happened = acted(with_seat(last, 3, player="Ann"), commands.Do(kind="square_deck"))
    assert ["banking"] == phases(happened)
    house, _ = open_table(ready_rules("nsw-1"))
    last = with_seat(replace(house, phase="between", agenda=(Step("square_deck"),), round=7), 3, player="Ann")
    after_it, happened = acted(last, commands.Do(kind="square_deck"))
    assert (["betting"], 8) == (phases(happened), after_it.round)


def test_a_round_that_is_not_played_has_no_number() -> None:
    table = until(seated("nsw-1", 1), "call_no_more_bets")
    left, happened = acted(table, commands.Leave(by="seat:1", seat=1))
    assert (1, ["idle"], 0) == (table.round, phases(happened), left.round)
    again = until(after(left, sit(2)), "call_no_more_bets")
    assert (1, "betting") == (again.round, again.phase)


def test_a_step_tells_what_is_said_and_brings_what_becomes_due() -> None:
    table = after(until(seated("nsw-1", 1), "call_no_more_bets"), bet(1))
    _, (called, *_) = acted(table, CALL)
    assert isinstance(called, events.StepDone)
    assert "no more bets" == called.says
    opened, _ = open_table(ready_rules("nsw-1"))
    missing = replace(opened, cards={places.CHEST: opened.at(places.CHEST)[1:]})
    checked, (found, *_) = acted(missing, commands.Do(kind="check_deck", number=1))
    assert isinstance(found, events.StepDone)
    assert (51, ["remove_deck", "introduce_deck", "check_deck"]) == (found.found, kinds(checked)[:3])


def test_the_deck_is_shown_to_the_next_player_when_the_first_goes() -> None:
    table = until(seated("hand-dealt-1", 1, 2), "await_inspection")
    leave = commands.Leave(by="seat:1", seat=1)
    next_one, happened = acted(table, leave)
    assert ["between"] == phases(happened)
    assert Step("await_inspection", 2) == until(next_one, "await_inspection").agenda[0]
    alone, happened = acted(until(seated("hand-dealt-1", 1), "await_inspection"), leave)
    assert ["idle"] == phases(happened)
    assert Step("await_inspection", 1) == until(after(alone, sit(1)), "await_inspection").agenda[0]


def test_a_round_without_a_result_says_what_was_bet_and_those_who_must_go_are_gone() -> None:
    steps = recorded("irregularities/deck-missing/nsw-1").steps
    (last,) = [step for step in steps if any(type(event) is events.RoundVoided for event in step.outcome)]
    assert last.command is not None
    _, happened = acted(last.before, last.command)
    (voided,) = [event for event in happened if isinstance(event, events.RoundVoided)]
    bettors = [number for number, seat in last.before.seats.items() if seat.wagers]
    assert bettors == list(voided.results)
    assert len(bettors) < len(last.before.seats)
    gone, away, out = bettors
    table = with_seat(with_seat(last.before, gone, leaves="barred"), away, away=True)
    table, happened = acted(with_seat(table, out, away=True, sitting_out=True), last.command)
    assert [(gone, "barred")] == [(one.seat, one.why) for one in happened if isinstance(one, events.PlayerLeft)]
    assert [away] == [one.seat for one in happened if isinstance(one, events.SatOut)]
    assert ("", True) == (table.seats[gone].player, table.seats[away].sitting_out)


# bets over the maximum, found when bets are being settled

OVER = """rulebook washington-1
dealer auto
seat 1 sits Hal 500
seat 3 sits Ida 5000

round
hand 1 8h 8d 8c
hand 3 Th Td 7c
community 8s 9c
burn 4s
seat 1 bets 10
seat 3 bets 10 cover_all 5
mishap bets seat 3 1=510 2=510 $=510
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
dealer pay seat 3 wager base-1
dealer reports over_maximum seat 3 => ruled to_maximum house
"""


def test_a_hand_that_is_void_after_another_was_picked_up_leaves_what_was_read() -> None:
    tables = (step.after for step in recorded("examples/washington").steps)
    table = next(one for one in tables if one.phase == "settling" and one.at(places.PICKED))
    seat = next(n for n in table.dealt_in if table.at(places.hand(n)))
    order = commands.Order(by="floor", kind="void_bets", ground="device", seats=(seat,), why="a phone")
    after, happened = acted(table, order)
    assert events.RoundRead not in map(type, happened)
    assert {n: table.seats[n].results for n in table.seats if n != seat} == {
        n: after.seats[n].results for n in after.seats if n != seat
    }


def test_what_is_over_the_maximum_goes_back_and_only_the_base_bets_are_settled_anew() -> None:
    steps = replay(read_record(OVER), "over").steps
    (table,) = {s.before.version: s.before for s in steps if "return_excess 3" in kinds(s.before)[:1]}.values()
    cut, happened = acted(table, commands.Do(kind="return_excess", seat=3))
    before, now = ({row.wager: row for row in one.seats[3].results} for one in (table, cut))
    assert [51_000, 50_000, 50_000] == [now[spot].stake_cents for spot in BASE_SPOTS]
    assert [51_000, 50_000, 50_000] == [now[spot].paid_cents for spot in BASE_SPOTS]
    assert before["cover_all"] == now["cover_all"]  # by the best hand of the table, which is another's
    assert ("won", before["base-1"]) == (now["cover_all"].fate, now["base-1"])
    assert events.RoundRead in map(type, happened)
    assert 2_000 == cut.cents("stack:3") - table.cents("stack:3")
    # A hand that cannot be read has no result, and gets none.
    twice = replace(table.at(places.hand(3))[0], serial=-1)
    held = {**table.cards, places.hand(3): (twice, *table.at(places.hand(3))[:2])}
    unread = with_seat(replace(table, cards=held), 3, results=())
    cut, happened = play(unread, commands.Do(kind="return_excess", seat=3))
    assert [events.StepDone] == list(map(type, happened))
    assert ((), 2_000) == (cut.seats[3].results, cut.cents("stack:3") - table.cents("stack:3"))
    # Before the showdown nothing is read, whatever a seat has from a side bet that was claimed.
    early = replace(with_seat(table, 3, results=(before["cover_all"],)), phase="choice_2")
    _, happened = play(early, commands.Do(kind="return_excess", seat=3))
    assert events.RoundRead not in map(type, happened)
