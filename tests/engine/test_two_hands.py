"""Two hands of one player: side by side, both seen by their player alone, and bet, decided and settled each by itself."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.autoplay.dealer import everybody_has_bet
from letitride.chance.seeded import Seeded
from letitride.engine import commands, events, places
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.engine.view import view
from letitride.ledger import accounts
from letitride.records.exported import record_of
from letitride.records.narrate import narrate
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.retold import command_of
from letitride.records.rounds import cut
from letitride.rules.catalog import ready_rules
from letitride.simulation.promises import check_views
from tests.engine.recorded import by_another
from tests.engine.test_bank import decline, do, on, take
from tests.records.moments import moments_of

RECORD = """
rulebook {book}
set hands_per_player = 2
dealer auto
seat 3 sits Ann 500
seat 4 sits Ann 300
seat 6 sits Bob 500

round
hand 3 Th Ts 2c
hand 4 3d 7s 9c
hand 6 4d 8s Jc
community Qh Kd
seat 3 bets 10
seat 4 bets 20
seat 6 bets 10
seat 3 looks
seat 4 looks
seat 6 looks
seat 3 rides 1
seat 4 withdraws 1
seat 6 withdraws 1
seat 3 rides 2
seat 4 withdraws 2
seat 6 withdraws 2
"""
OWN, OTHERS = {3: ("Th", "Ts", "2c"), 4: ("3d", "7s", "9c")}, ("4d", "8s", "Jc")


def a_round(ref: str = "shufflemaster-1", lines: str = RECORD) -> Replayed:
    return replay(read_record(lines.format(book=ref), "two.round"), "two.round")


def at(done: Replayed, phase: str) -> Table:
    """The last moment of a phase."""
    return [step.after for step in done.steps if step.after.phase == phase][-1]


def seated(ref: str = "shufflemaster-1", hands: int = 2, *people: tuple[int, str], **values: Any) -> Table:
    table, _ = open_table(ready_rules(ref, {"hands_per_player": hands, **values}))
    for number, name in people or ((3, "Ann"), (4, "Ann"), (6, "Bob")):
        table = do(table, sit(number, name))
    return table


def sit(seat: int, player: str) -> commands.Sit:
    return commands.Sit(by=f"seat:{seat}", seat=seat, player=player, cents=50_000)


def code(table: Table, command: commands.AnyCommand) -> str:
    refused = legal(table, command)
    return refused.code if refused else ""


def test_a_second_hand_is_played_beside_the_first_and_there_is_no_third() -> None:
    table = seated("shufflemaster-1", 2, (3, "Ann"), (6, "Bob"))
    assert ["not_adjacent", "", "", "not_adjacent", "not_adjacent"] == [
        code(table, sit(n, "Ann")) for n in (1, 2, 4, 5, 7)
    ]
    refused = legal(table, sit(7, "Ann"))
    assert refused is not None
    assert "Your hands have to be side by side. Seat 7 isn't next to seat 3." == refused.sentence
    both = do(table, sit(4, "Ann"))
    assert {"one_hand_per_player"} == {code(both, sit(n, "Ann")) for n in (1, 2, 5, 7)}
    assert "" == code(both, sit(5, "Bob"))


def test_the_first_and_the_last_seat_are_not_side_by_side() -> None:
    assert "not_adjacent" == code(seated("shufflemaster-1", 2, (1, "Ann")), sit(7, "Ann"))


def test_a_book_of_one_hand_offers_no_second_and_one_of_two_offers_the_free_seats_beside() -> None:
    def offered(table: Table, viewer: str) -> list[int]:
        return [one.seat for one in view(table, viewer).offers if isinstance(one, commands.Sit)]

    people = ((3, "Ann"), (4, "Bob"), (7, "Cy"))
    assert [] == offered(seated("shufflemaster-1", 1, *people), "seat:3")
    table = seated("shufflemaster-1", 2, *people)
    assert ([2], [5], [6], []) == tuple(offered(table, f"seat:{n}") for n in (3, 4, 7, 5))
    assert [] == offered(do(table, sit(2, "Ann")), "seat:3")


@pytest.mark.parametrize("hidden", [True, False])
def test_a_player_sees_both_hands_from_either_seat_and_other_players_as_the_book_has_it(hidden: bool) -> None:
    table = by_another(at(a_round(), "choice_2"), cards__hidden=hidden)
    for viewer in ("seat:3", "seat:4"):
        shown = view(table, viewer)
        assert OWN == {number: shown.seats[number].cards for number in OWN}
        assert hidden == (shown.seats[6].cards != OTHERS)
    assert hidden == (OWN != {number: view(table, "seat:6").seats[number].cards for number in OWN})
    assert all(card.startswith("[") for n in OWN for card in view(table, "spectator").seats[n].cards)


def test_two_worlds_that_differ_in_others_cards_look_the_same_to_a_player_with_two_hands() -> None:
    done = a_round()
    moments = [step.after for step in done.steps if step.after.phase in {"choice_1", "choice_2", "settling"}]
    for place, table in enumerate(moments[::3]):
        check_views(table, Seeded("two hands", place))


def test_a_hand_that_is_not_looked_at_yet_is_hidden_from_its_player_too() -> None:
    table = next(
        step.after for step in a_round().steps if isinstance(step.command, commands.Look) and step.command.seat == 3
    )
    shown = view(table, "seat:4")
    assert (OWN[3], True) == (shown.seats[3].cards, all(card.startswith("[") for card in shown.seats[4].cards))


def test_each_hand_is_asked_by_itself_in_the_order_of_the_seats_and_offered_to_both_viewers() -> None:
    done = a_round()
    asked = [
        (step.before.next_step, view(step.before, "seat:3").offer(commands.Choose), step.command)
        for step in done.steps
        if isinstance(step.command, commands.Choose) and step.command.seat in OWN
    ]
    assert [3, 4, 3, 4] == [command.seat for _, _, command in asked]
    for step, offer, command in asked:
        assert step == Step("await_choice", command.seat, number=command.bet)
        assert offer is not None
        assert (command.seat, f"seat:{command.seat}") == (offer.seat, offer.by)


def test_each_hand_has_its_own_wagers_chips_and_result() -> None:
    done = a_round()
    (outcome,) = done.outcomes
    nets = {seat: sum(row.net_cents for row in rows) for seat, rows in outcome.results.items()}
    assert {3: 3_000, 4: -2_000, 6: -1_000} == nets
    after = done.table
    assert [50_000 + 3_000, 30_000 - 2_000] == [after.cents(accounts.stack(seat)) for seat in (3, 4)]
    left = do(after, commands.Leave(by="seat:3", seat=3))
    assert (0, 28_000) == (left.cents(accounts.stack(3)), left.cents(accounts.stack(4)))
    assert ("", "Ann") == (left.seats[3].player, left.seats[4].player)


def test_a_second_hand_may_sit_out_while_the_first_plays() -> None:
    lines = RECORD.replace("seat 4 sits Ann 300\n", "seat 4 sits Ann 300\nseat 4 sits out\n")
    lines = "\n".join(
        line
        for line in lines.splitlines()
        if not line.startswith(("seat 4 bets", "seat 4 looks", "seat 4 with", "hand 4"))
    )
    (outcome,) = a_round(lines=lines).outcomes
    assert {3, 6} == set(outcome.results)


def test_a_round_with_two_hands_is_written_and_replays_to_the_same() -> None:
    done = a_round()
    (one,) = cut(moments_of(done))
    exported = record_of(one)
    assert "short" == exported.form
    assert {"seat 3 sits Ann 500", "seat 4 sits Ann 300", "set hands_per_player = 2"} <= set(exported.text.splitlines())
    assert done.outcomes[0].results == replay(read_record(exported.text)).outcomes[0].results


def test_what_is_told_to_a_player_names_the_cards_of_both_hands() -> None:
    told = [line for step in a_round().steps for line in narrate(step, "seat:3")]
    assert {
        "seat 3: looks at the cards: Th Ts 2c",
        "seat 4: looks at the cards: 3d 7s 9c",
        "seat 6: looks at the cards",
    } <= set(told)


def test_whoever_banks_makes_no_bet_at_a_second_hand_either_and_keeps_nobody_waiting() -> None:
    table = take(on(seated("california-1")), 3)
    bet = {"base-1": 1_000, "base-2": 1_000, "base-$": 1_000}
    refused = [code(table, commands.PlaceWagers(by=f"seat:{n}", seat=n, wagers=bet)) for n in (3, 4, 6)]
    assert ["bank_does_not_bet", "bank_does_not_bet", ""] == refused
    assert everybody_has_bet(do(table, commands.PlaceWagers(by="seat:6", seat=6, wagers=bet)))


def test_the_bank_is_offered_to_a_player_once() -> None:
    table = on(seated("california-1"))
    assert Step("await_bank", 3) == table.next_step
    assert Step("await_bank", 6) == on(decline(table, 3)).next_step
    open_to_all = decline(on(decline(table, 3)), 6)
    assert None is open_to_all.next_step
    assert 4 == take(open_to_all, 4).bank_seat


def test_the_place_apart_is_no_second_hand() -> None:
    table = seated("california-1", 2, (7, "Ann"), **{"bank.seat": "separate"})
    assert ("not_adjacent", "") == (code(table, sit(8, "Ann")), code(table, sit(6, "Ann")))


def order(kind: str, *seats: int) -> commands.Order:
    ground: Any = "collusion" if kind == "bar" else ""
    return commands.Order(by="casino_supervisor", kind=kind, seats=seats, ground=ground, why="seen")  # type: ignore[arg-type]  # kinds by name


def test_a_player_who_is_barred_or_separated_leaves_both_seats() -> None:
    table = a_round().table
    barred = do(table, order("bar", 4))
    assert ("", "", "Bob") == tuple(barred.seats[n].player for n in (3, 4, 6))
    apart = do(table, order("separate", 6, 3))
    assert ("", "", "Bob") == tuple(apart.seats[n].player for n in (3, 4, 6))
    stays = do(table, order("separate", 4, 6))
    assert ("Ann", "Ann", "") == tuple(stays.seats[n].player for n in (3, 4, 6))
    assert "which_seats" == code(table, order("separate", 3, 4))


def test_an_order_about_one_hand_is_retold_and_told_to_its_player_at_the_other() -> None:
    table = by_another(a_round().table, collusion=("act_first",))
    after, happened = play(table, order("act_first", 4))
    assert not isinstance(happened, Refusal)
    assert {3, 4} == {n for n, seat in after.seats.items() if seat.acts_first}
    assert order("act_first", 4) == command_of(table, "casino_supervisor", happened)
    assert (1, 1, 0) == tuple(len(view(after, viewer).rulings) for viewer in ("seat:3", "seat:4", "seat:6"))


def test_a_complaint_is_seen_from_both_seats_and_there_is_one_at_a_time() -> None:
    table = do(a_round().table, commands.RaiseDispute(by="seat:4", seat=4, about="the pay"))
    assert (1, 1, 0) == tuple(len(view(table, viewer).disputes) for viewer in ("seat:3", "seat:4", "seat:6"))
    assert "dispute_open" == code(table, commands.RaiseDispute(by="seat:3", seat=3, about="the pay"))


def test_a_player_who_acts_at_one_hand_is_back_at_both() -> None:
    table = next(step.before for step in a_round().steps if isinstance(step.command, commands.Choose))
    gone = {n: msgspec.structs.replace(table.seats[n], away=True) for n in (3, 4, 6)}
    away = msgspec.structs.replace(table, seats={**table.seats, **gone})
    after, happened = play(away, commands.Choose(by="seat:3", seat=3, bet=1, choice="ride"))
    assert [events.PlayerCameBack(seat=3), events.PlayerCameBack(seat=4)] == list(happened)[:2]  # type: ignore[arg-type]  # accepted
    assert (False, False, True) == tuple(after.seats[n].away for n in (3, 4, 6))


def test_a_foreign_card_in_the_second_hand_is_reported_from_the_first() -> None:
    table = at(a_round(), "choice_2")
    foreign = tuple(msgspec.structs.replace(card, serial=-1 - card.face.index) for card in table.at(places.hand(4)))
    odd = msgspec.structs.replace(table, cards={**table.cards, places.hand(4): foreign})
    reports = [commands.Report(by=by, kind="deck", seat=4) for by in ("seat:3", "seat:4", "seat:6")]
    assert ["", "", "nothing_wrong"] == [code(odd, report) for report in reports]
