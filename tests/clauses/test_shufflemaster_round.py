"""The manufacturer's manuals at the table; every test also runs under the Washington packet, which takes them over."""

from __future__ import annotations

from itertools import pairwise

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.engine.view import view
from letitride.ledger import accounts
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    ENDS,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    choices,
    dealer_does,
    faces,
    hands,
    kinds,
    moment,
    order,
    played,
    refusal,
    results,
    ruled,
    seen,
    stacks,
    step,
    step_event,
    steps,
)

FULL = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1 three_card 5") + CHOICES


# opening


OPENING = [
    "power_on",
    "set_mode",
    "insert_key 1",
    "check_deck 1",
    "wash_deck 1",
    "load_deck 1",
    "start_shuffle 1",
    "check_deck 2",
    "wash_deck 2",
    "rack_deck 2",
]


@pytest.mark.clause("sm:bonus.open.1", "sm:bonus.open.2", "sm:bonus.open.3", "sm:bonus.open.4", "sm:bonus.open.5.s1")
def test_the_table_opens_step_by_step_with_both_decks_checked_and_washed(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert [words.removesuffix(f" {book.rules.shuffler.mode}") for words in steps(done)[:10]] == OPENING
    chest = step(done, "power_on").before.at(places.CHEST)
    decks = {deck: [card for card in chest if card.deck == deck] for deck in (1, 2)}
    for words, later in pairwise(steps(done)[:10]):  # none of them is left out
        assert dealer_does(step(done, words).before, later.split()[0])[1] == "out_of_order"
        assert step(done, words).command.by == "dealer"
    assert list(step(done, "load_deck 1").after.at(places.NEST)) == decks[1]
    mixed = step(done, "start_shuffle 1")
    assert faces(mixed.after, places.NEST) == list(mixed.command.order) != faces(mixed.before, places.NEST)
    assert list(step(done, "rack_deck 2").after.at(places.RACK)) == decks[2]
    assert faces(step(done, "check_deck 2").before, places.NEST) == faces(mixed.after, places.NEST)  # meanwhile


@pytest.mark.clause("sm:bonus.open.5.s2")
def test_an_open_table_without_players_goes_to_dead_game_mode(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    dead = step(done, "dead_game").after
    assert (dead.phase, dead.next_step, any(seat.player for seat in dead.seats.values())) == ("idle", None, False)
    assert moment(done, "betting").seats[1].player == "Ann"  # it wakes when a player comes


@pytest.mark.clause("sm:bonus.deal.1.s1", "sm:bonus.decks.2b")
def test_the_machine_mixes_before_play_and_one_deck_while_the_other_is_dealt(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 3)
    order(done, "start_shuffle 1", "swap_decks", "mix_deck 2", "deal_packet 1")
    mixed = [one for one in done.steps if _is(one, "start_shuffle", 0) or _is(one, "mix_deck", 0)]
    assert [one.command.number for one in mixed] == [1, 2, 1, 2]
    for one in mixed:  # as the shuffle has it, whatever the order was before
        assert faces(one.after, places.NEST) == list(one.command.order)
    freed = [one.after for one in done.steps if _is(one, "swap_decks", 0)]
    assert [faces(table, places.READY) for table in freed] == [list(one.command.order) for one in mixed[:3]]
    dealing = step(done, "deal_packet 1").after
    assert {card.deck for card in dealing.at(places.NEST)} == {2}
    assert {card.deck for card in dealing.at(places.READY)} == {1}


@pytest.mark.clause("sm:bonus.deal.1.s2", "sm:bonus.deal.5")
def test_the_rack_deck_in_the_nest_frees_the_mixed_one_as_one_stack(book: RuleBook) -> None:
    swapped = step(played(book, WHOLE_ROUND), "swap_decks")
    assert [card.deck for card in swapped.before.at(places.RACK)] == [2] * 52
    assert [card.deck for card in swapped.after.at(places.NEST)] == [2] * 52
    assert swapped.after.at(places.READY) == swapped.before.at(places.NEST)
    assert not swapped.after.at(places.RACK)


@pytest.mark.clause("sm:bonus.decks.2c")
def test_each_deck_serves_every_second_round(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 4)
    dealt = [one.before.at(places.READY)[0].deck for one in done.steps if _is(one, "deal_packet", 1)]
    assert dealt == [1, 2, 1, 2]


def _is(one: object, kind: str, seat: int) -> bool:
    command = one.command
    return isinstance(command, commands.Do) and (command.kind, command.seat) == (kind, seat)


@pytest.mark.clause("sm:bonus.decks.2d")
def test_the_rack_never_mixes_decks(book: RuleBook) -> None:
    for one in played(book, WHOLE_ROUND * 3).steps:
        assert len({card.deck for card in one.after.at(places.RACK)}) <= 1


@pytest.mark.clause("sm:bonus.deal.4.s1", "sm:bonus.deal.4.s2")
def test_the_shuffler_counts_the_deck_and_a_miscount_is_seen_to(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    counted = step_event(done, "count_deck")
    assert (counted.says, counted.found) == ("52 cards", 52)
    order(done, "lock_out", "count_deck", "swap_decks", "deal_packet 1")
    assert ruled(done) == []
    short = played(book, THREE_SEATS.replace("seat 1 bets", "missing 7c\nseat 1 bets", 1))
    counted = step_event(short, "count_deck")
    assert (counted.says, counted.found) == ("51 cards", 51)
    assert ruled(short) == ["device_miscount:counted", "deck:misdeal"]
    assert stacks(short, 1, 3, 7) == [50_000] * 3


@pytest.mark.clause("sm:bonus.table.4.s2", "sm:bonus.table.4.s3", "sm:bonus.table.2.s3")
def test_the_controller_takes_the_key_and_records_each_bonus_bet(book: RuleBook) -> None:
    done = played(book, FULL)
    order(done, "insert_key 1", "start_shuffle 1", "lock_out", "game_over")
    on_it = [step(done, words) for words in ("insert_key 1", "lock_out", "game_over")]
    assert [one.command.by for one in on_it] == ["dealer"] * 3
    for one in on_it:  # the game waits until the dealer has done it
        later = one.before.agenda[1].kind if len(one.before.agenda) > 1 else "invite_bonus"
        assert dealer_does(one.before, later)[1] == "out_of_order"
    for phase in ("betting", "choice_1"):  # the lamp stays lit when the dollar has gone to the tray
        seats = view(_with_bets(done, phase), "dealer").seats
        assert {number: bool(seat.lamps) for number, seat in seats.items()} == {
            **dict.fromkeys(range(1, 8), False),
            1: True,
        }
    felt = played(f"{book.id}+felt", FULL)
    assert not {"insert_key", "lock_out", "game_over", "confirm_lamps"} & set(kinds(felt))


def _with_bets(done: object, phase: str) -> object:
    return next(one.after for one in done.steps if one.after.phase == phase and one.after.seats[1].wagers)


# betting


@pytest.mark.clause("sm:lir.2", "sm:how.bets", "sm:bonus.bets.3.s1", "sm:felt.2", "sm:bonus.deal.2.s1")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_the_dealer_waits_for_three_equal_bets(book: RuleBook, variant: str) -> None:
    waits = "dealer call_no_more_bets => bets_incomplete\nseat 3 bets 10\n"
    if variant != "+base":
        waits = waits.replace("call_no_more_bets", "invite_bonus")
    for uneven in ("1=10 2=10 $=5", "1=10 2=10"):
        body = THREE_SEATS.replace("seat 3 bets 10", f"seat 3 bets {uneven}")
        done = played(book.id + variant, body + waits + CHOICES)
        assert results(done, 3)["base-$"].stake_cents == 1_000
    if variant != "+base":
        order(done, "invite_bonus", "call_no_more_bets")


@pytest.mark.clause("sm:bonus.bets.1.s1")
def test_bets_are_chips_or_plaques(book: RuleBook) -> None:
    table = moment(played(book, THREE_SEATS + CHOICES), "betting")
    assert bets(table, 1, base=1_000) == bets(table, 1, base=1_000, medium="plaques") == ""
    for medium in ("tokens", "vouchers", "match_play"):
        assert bets(table, 1, base=1_000, medium=medium) == "medium_refused"
    assert refusal(table, commands.ExchangeVoucher(by="seat:1", seat=1, cents=1_000)) == "medium_refused"
    assert bets(table, 1, base=1_000, medium="cash", spoken=True) == "spoken_cash_refused"


@pytest.mark.clause("sm:bonus.bets.2.s1", "sm:bonus.bets.2.s2", "sm:bonus.deal.2.s3")
def test_no_bet_is_added_raised_or_removed_after_the_call_and_lock_out(book: RuleBook) -> None:
    done = played(book, FULL)
    assert step_event(done, "call_no_more_bets").says == "no more bets"
    order(done, "call_no_more_bets", "lock_out", "collect_bonus 1 bonus", "deal_packet 1")
    called = step(done, "call_no_more_bets").after
    assert called.next_step == Step("lock_out")
    assert not view(called, "seat:1").betting_open
    assert bets(called, 3, base=1_000, bonus=100) == "betting_closed"  # added
    assert bets(called, 3, base=2_000) == "betting_closed"  # raised
    assert bets(called, 3) == "betting_closed"  # removed
    assert bets(step(done, "confirm_lamps").after, 3, base=2_000) == ""


@pytest.mark.clause("sm:bonus.bets.3.s2")
def test_bets_1_and_2_may_be_taken_back_and_bet_3_never(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + CHOICES.replace("rides", "withdraws"))
    fates = {name: result.fate for name, result in results(done, 1).items()}
    assert fates == {"base-1": "withdrawn", "base-2": "withdrawn", "base-$": "won"}
    asked = moment(done, "choice_1")
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    assert refusal(asked, third) == "never_withdrawn"
    assert stacks(done, 1) == [51_000]  # two bets came back, the third was paid


@pytest.mark.clause("sm:bonus.bets.4", "sm:how.buck.1", "sm:felt.2a.s1")
@pytest.mark.parametrize("variant", ["", "+felt"])
def test_the_bonus_bet_is_optional_and_exactly_one_dollar(book: RuleBook, variant: str) -> None:
    table = moment(played(book.id + variant, WHOLE_ROUND), "betting")
    assert bets(table, 1, base=1_000) == bets(table, 1, base=1_000, bonus=100) == ""
    for cents in (50, 99, 101, 200, 500):
        assert bets(table, 1, base=1_000, bonus=cents) == "bonus_amount"
    done = played(book.id + variant, _royal("bonus 1"), "base.paytable = LIRB-06")
    assert step_event(done, "pay 1 bonus").chips[0].cents == 2_000_000  # in the same round, and no other
    assert stacks(done, 1) == [50_000 + 3 * 500 * 1_000 - 100 + 2_000_000]


def _royal(extra: str = "") -> str:
    return (
        f"""
round
hand 1 Th Jh Qh
hand 3 2c 7d 9s
hand 7 3c 8d Ts
community Kh Ah
seat 1 bets 5 {extra}
seat 3 bets 5
seat 7 bets 5
"""
        + CHOICES
    )


@pytest.mark.clause("sm:bonus.deal.2.s2")
def test_every_bonus_bet_has_its_lamp_lit_before_the_call(book: RuleBook) -> None:
    done = played(book, FULL)
    order(done, "invite_bonus", "confirm_lamps", "call_no_more_bets")
    confirmed = step(done, "confirm_lamps").after
    late, _ = play(
        confirmed, commands.PlaceWagers(by="seat:3", seat=3, wagers={**confirmed.seats[3].wagers, "bonus": 100})
    )
    assert late.next_step == Step("confirm_lamps")  # a bonus bet that comes late is seen to as well
    seats = view(step(done, "confirm_lamps").after, "dealer").seats
    assert [number for number, seat in seats.items() if seat.lamps] == [1]
    assert "confirm_lamps" not in kinds(played(f"{book.id}+felt", FULL))  # where sensors exist


@pytest.mark.clause("sm:how.buck.2")
def test_the_table_shows_its_own_bonus_schedule(book: RuleBook) -> None:
    for table_id, quads in (("LIRB-06", "win $100"), ("LIRB-09", "win $300")):
        done = played(book, WHOLE_ROUND, f"base.paytable = {table_id}")
        assert view(done.table, "spectator").sign.pays["bonus"]["four of a kind"] == quads
        assert view(done.table, "spectator").sign.paytables["bonus"] == table_id


@pytest.mark.clause("sm:bonus.deal.3")
def test_the_bonus_dollar_goes_to_the_tray_before_any_card_and_stays_there_on_a_win(book: RuleBook) -> None:
    done = played(book, _royal("bonus 1"))
    order(done, "collect_bonus 1 bonus", "deal_packet 1")
    (chips,) = step_event(done, "collect_bonus 1 bonus").chips
    assert (chips.source, chips.target, chips.cents) == ("felt:1:bonus", "tray", 100)
    won = results(done, 1)["bonus"]
    assert won.net_cents == won.paid_cents - 100
    assert [c.target for c in step_event(done, "pay 1 bonus").chips] == ["stack:1"]  # the award, not the dollar


@pytest.mark.clause("sm:felt.2a.s2", "sm:felt.15")
def test_without_sensors_a_lammer_stands_for_the_bonus_dollar_and_is_gathered_at_the_end(book: RuleBook) -> None:
    done = played(f"{book.id}+felt", FULL)
    placed = step(done, "place_lammer 1 bonus")
    assert (placed.before.seats[1].lammer, placed.after.seats[1].lammer) == (False, True)
    assert placed.after.cents("tray") == 100
    gathered = step(done, "collect_lammers")
    settling = [n for n, words in enumerate(steps(done)) if words.startswith(("pay", "take"))]
    assert steps(done).index("place_lammer 1 bonus") < steps(done).index("deal_packet 1")
    assert max(settling) < steps(done).index("collect_lammers")
    assert (gathered.before.seats[1].lammer, gathered.after.seats[1].lammer) == (True, False)
    assert "place_lammer" not in kinds(played(book, FULL))


# the deal


@pytest.mark.clause(
    "sm:lir.3", "sm:felt.3", "sm:how.deal", "sm:bonus.deal.6.s1", "sm:bonus.deal.6.s2", "sm:bonus.deal.6.s3"
)
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_packets_of_three_go_face_down_from_the_dealers_left_and_the_dealer_comes_last(
    book: RuleBook, variant: str
) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    dealt = [words for words in steps(done) if words.startswith(("deal_", "fan_"))]
    assert dealt == [
        *("deal_packet 1", "fan_packet 1"),
        *("deal_packet 3", "fan_packet 3"),
        *("deal_packet 7", "fan_packet 7"),
        "deal_dealer_packet",
    ]
    table = step(done, "deal_dealer_packet").after
    assert hands(table) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert not any(card.up for seat in (1, 3, 7) for card in table.at(places.hand(seat)))
    first = step(done, "deal_packet 1")
    assert first.after.at(places.hand(1)) == first.before.at(places.READY)[:3]


@pytest.mark.clause(
    "sm:lir.4.s1", "sm:lir.4.s2", "sm:felt.4", "sm:bonus.deal.6a", "sm:bonus.deal.6b", "sm:bonus.deal.6c"
)
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_the_dealers_packet_gives_two_community_cards_and_a_burned_one(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h"))
    order(done, "deal_dealer_packet", "slide_left 1", "slide_right 2", "burn_bottom", "unload_stub")
    assert faces(step(done, "deal_dealer_packet").after, places.PACKET) == ["Ks", "2d", "5h"]
    assert faces(step(done, "slide_left 1").after, places.community(1)) == ["Ks"]
    assert faces(step(done, "slide_right 2").after, places.community(2)) == ["2d"]
    burned = step(done, "burn_bottom").after
    assert (faces(burned, places.PACKET), faces(burned, places.RACK)) == ([], ["5h"])
    down = [burned.at(places.community(1))[0], burned.at(places.community(2))[0], burned.at(places.RACK)[0]]
    assert not any(card.up for card in down)
    for viewer in ("seat:1", "dealer", "floor", "inspector", "spectator"):
        assert "5h" not in str(view(burned, viewer))


@pytest.mark.clause("sm:bonus.deal.7")
def test_the_rest_goes_to_the_rack_unseen_before_the_first_choice(book: RuleBook) -> None:
    the_rest_is_unloaded(book.id)


@pytest.mark.clause("sm:lir.5")
@pytest.mark.books("shufflemaster-1")
def test_the_base_games_rest_goes_to_the_rack_unseen(book: RuleBook) -> None:
    the_rest_is_unloaded(f"{book.id}+base")


@pytest.mark.clause("sm:felt.5")
@pytest.mark.books("shufflemaster-1")
def test_the_felt_versions_rest_goes_to_the_rack_unseen(book: RuleBook) -> None:
    the_rest_is_unloaded(f"{book.id}+felt")


@pytest.mark.clause("wa:lir.5", "wa:felt.5")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
@pytest.mark.books("washington-1")
def test_the_rest_goes_to_the_rack_unseen_whichever_shuffler_is_used(book: RuleBook, variant: str) -> None:
    the_rest_is_unloaded(book.id + variant)


def the_rest_is_unloaded(book_id: str) -> None:
    done = played(book_id, WHOLE_ROUND)
    unloaded = step(done, "unload_stub")
    assert len(unloaded.before.at(places.READY)) == 52 - 3 * 4
    assert not unloaded.after.at(places.READY)
    rack = unloaded.after.at(places.RACK)
    assert len(rack) == 52 - 3 * 3 - 2
    assert not any(card.up for card in rack)
    assert unloaded.after.seats[1].choices == {}
    order(done, "burn_bottom", "unload_stub", "turn_community 1")


# the choices


@pytest.mark.clause("sm:lir.6a", "sm:felt.6a", "sm:how.play.2", "sm:lir.8a", "sm:felt.8a", "sm:how.play.3")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_each_player_keeps_or_takes_back_bet_1_and_then_bet_2(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    made = [(event.seat, event.bet, event.choice) for event in choices(done)]
    assert made == [
        *((1, 1, "ride"), (3, 1, "withdraw"), (7, 1, "ride")),
        *((1, 2, "ride"), (3, 2, "ride"), (7, 2, "withdraw")),
    ]
    assert results(done, 3)["base-1"].fate == "withdrawn"
    assert results(done, 7)["base-2"].fate == "withdrawn"
    assert stacks(done, 1, 3, 7) == ENDS
    assert moment(done, "choice_1").community_up == 0  # bet 1 on three cards
    assert moment(done, "choice_2").community_up == 1  # bet 2 on four


@pytest.mark.clause("sm:lir.6a.i", "sm:felt.6a.i", "sm:lir.8a.i", "sm:felt.8a.i")
@pytest.mark.parametrize("variant", ["+felt", "+base"])
def test_scratching_withdraws_and_the_dealer_slides_the_chips_back(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    signals = {(event.seat, event.bet): event.signal for event in choices(done)}
    assert signals[3, 1] == signals[7, 2] == "by scratching the cards on the table"
    for words, spot in (("push_back 3 base-1 1", "felt:3:base-1"), ("push_back 7 base-2 2", "felt:7:base-2")):
        (chips,) = step_event(done, words).chips
        assert (chips.source, chips.target, chips.cents) == (spot, f"stack:{words.split()[1]}", 1_000)
    assert "ask" not in kinds(done)


@pytest.mark.clause("sm:lir.6a.ii", "sm:felt.6a.ii")
@pytest.mark.parametrize("variant", ["+felt", "+base"])
def test_tucking_beneath_bet_2_keeps_bet_1(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    signals = {(event.seat, event.bet): event.signal for event in choices(done)}
    assert signals[1, 1] == "by tucking the cards beneath bet 2"
    assert step(done, "open_hand 1").before.cents("felt:1:base-1") == 1_000
    assert "push_back 1 base-1 1" not in steps(done)


@pytest.mark.clause("sm:bonus.round.2", "sm:bonus.round.4.s1")
def test_choices_are_asked_for_from_the_dealers_left_clockwise(book: RuleBook) -> None:
    asked = [words for words in steps(played(book, WHOLE_ROUND)) if words.startswith("ask")]
    assert asked == ["ask 1 1", "ask 3 1", "ask 7 1", "ask 1 2", "ask 3 2", "ask 7 2"]
    done = played(book, WHOLE_ROUND)
    for bet in (1, 2):
        early = moment(done, f"choice_{bet}")
        assert early.community_up == bet - 1
        assert refusal(early, commands.Choose(by="seat:3", seat=3, bet=bet, choice="ride")) == "not_your_turn"
    assert [(event.seat, event.bet) for event in choices(done)] == [(n, bet) for bet in (1, 2) for n in (1, 3, 7)]


@pytest.mark.clause("sm:bonus.round.2.s2")
def test_players_may_examine_their_cards_before_the_first_of_them_is_asked(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    dealing = step(done, "unload_stub").before
    asked = moment(done, "choice_1")
    assert asked.next_step == Step("ask", 1, number=1)
    for seat, cards in ((1, ["Th", "Td", "4c"]), (3, ["9h", "9d", "3c"]), (7, ["2c", "7d", "Kh"])):
        look = commands.Look(by=f"seat:{seat}", seat=seat)
        assert refusal(dealing, look) == "cards_not_yours"  # not before the deal is complete
        asked, _ = play(asked, look)
        assert seen(asked, f"seat:{seat}", seat) == cards
    assert asked.next_step == Step("ask", 1, number=1)
    # A player who answers counts as having examined them: a community card shown too early stands from then on.
    chosen = next(one.after for one in done.steps if one.after.seats[1].choices)
    assert not chosen.seats[1].looked
    assert _card_shown_early(moment(done, "choice_1")) == "exposed_community:misdeal"
    assert _card_shown_early(chosen) == "exposed_community:go_on"


def _card_shown_early(table: Table) -> str:
    shown, _ = play(table, commands.Mishap(by="table", kind="exposed", number=2))
    ruled_on, _ = play(shown, commands.Report(kind="exposed_community", number=2))
    return ruled_on.rulings[-1].name


@pytest.mark.clause("sm:bonus.round.2a", "sm:bonus.round.4a")
def test_a_riding_bet_cannot_move_until_the_round_ends(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for bet, spot in ((1, "felt:1:base-1"), (2, "felt:1:base-2")):
        chosen = next(one for one in done.steps if bet in one.after.seats[1].choices)
        change = commands.Choose(by="seat:1", seat=1, bet=bet, choice="withdraw")
        assert refusal(chosen.after, change) == "already_chosen"
        assert bets(chosen.after, 1) == "betting_closed"
        assert chosen.after.cents(spot) == step(done, "open_hand 1").after.cents(spot) == 1_000


@pytest.mark.clause("sm:bonus.round.2b", "sm:bonus.round.4b")
def test_a_withdrawn_bet_is_pushed_to_the_player_at_once(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for words, spot in (("push_back 3 base-1 1", "felt:3:base-1"), ("push_back 7 base-2 2", "felt:7:base-2")):
        pushed = step(done, words)
        assert (pushed.before.cents(spot), pushed.after.cents(spot)) == (1_000, 0)
        seat = int(words.split()[1])
        assert pushed.after.cents(accounts.stack(seat)) == pushed.before.cents(accounts.stack(seat)) + 1_000
        chosen = next(i for i, one in enumerate(done.steps) if int(words[-1]) in one.after.seats[seat].choices)
        assert done.steps[chosen + 1] is pushed


@pytest.mark.clause("sm:bonus.round.4.s2")
@pytest.mark.parametrize("first", ["rides", "withdraws"])
@pytest.mark.parametrize("second", ["rides", "withdraws"])
def test_the_bet_2_choice_is_free_of_the_bet_1_choice(book: RuleBook, first: str, second: str) -> None:
    body = THREE_SEATS + CHOICES.replace("seat 1 rides 1", f"seat 1 {first} 1").replace(
        "seat 1 rides 2", f"seat 1 {second} 2"
    )
    fates = {"rides": "won", "withdraws": "withdrawn"}
    found = results(played(book, body), 1)
    assert (found["base-1"].fate, found["base-2"].fate) == (fates[first], fates[second])
    won = 1 + (first == "rides") + (second == "rides")  # a pair of tens pays every bet that rides 1 to 1
    assert stacks(played(book, body), 1) == [50_000 + won * 1_000]


@pytest.mark.clause("sm:lir.7", "sm:felt.7", "sm:bonus.round.3", "sm:lir.10", "sm:felt.10", "sm:bonus.round.5")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_the_left_card_is_turned_after_all_bet_1_choices_and_the_right_one_after_all_bet_2_choices(
    book: RuleBook, variant: str
) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    first, second = step(done, "turn_community 1"), step(done, "turn_community 2")
    assert [set(first.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1}] * 3
    assert [set(second.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1, 2}] * 3
    assert view(first.after, "seat:1").community == ("Ks", "[red]")
    assert view(second.after, "seat:1").community == ("Ks", "2d")
    assert view(first.before, "seat:1").community == ("[red]", "[red]")


@pytest.mark.clause("sm:lir.9", "sm:felt.9", "sm:bonus.round.4c")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_after_the_bet_2_choice_the_cards_lie_beneath_the_third_bet(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    for seat in (1, 3, 7):
        tucked = step(done, f"tuck_cards {seat}")
        assert 2 in tucked.before.seats[seat].choices
        assert tucked.after.seats[seat].tucked
        assert not any(card.up for card in tucked.after.at(places.hand(seat)))
        assert refusal(tucked.after, commands.Look(by=f"seat:{seat}", seat=seat)) == "hands_off"
        third = commands.Choose(by=f"seat:{seat}", seat=seat, bet=3, choice="withdraw")
        assert refusal(tucked.after, third) == "never_withdrawn"
    order(done, "tuck_cards 1", "tuck_cards 3", "tuck_cards 7", "turn_community 2")
    face_up = played(book.id + variant, WHOLE_ROUND, "deal.face = up")
    assert not any(card.up for card in step(face_up, "tuck_cards 1").after.at(places.hand(1)))


@pytest.mark.clause("sm:bonus.round.1.s1")
def test_only_the_bettor_and_the_dealer_handle_a_hand(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "choice_1")
    for by in ("seat:3", "floor", "dealer", "spectator", "inspector"):
        assert refusal(table, commands.Look(by=by, seat=1)) == "not_your_seat"
        assert refusal(table, commands.Choose(by=by, seat=1, bet=1, choice="ride")) == "not_your_seat"
    own, _ = play(table, commands.Look(by="seat:1", seat=1))
    assert seen(own, "seat:1", 1) == ["Th", "Td", "4c"]
    assert dealer_does(step(played(book, WHOLE_ROUND), "open_hand 7").before)[1] == ""


@pytest.mark.clause("sm:bonus.round.1.s2")
def test_cards_stay_in_the_dealers_sight(book: RuleBook) -> None:
    for one in played(book, WHOLE_ROUND).steps:
        if one.after.phase in {"choice_1", "choice_2"}:
            assert [len(seen(one.after, "dealer", seat)) for seat in (1, 3, 7)] == [3, 3, 3]


@pytest.mark.clause("sm:how.play.5")
def test_each_seats_cards_are_hidden_from_the_others_until_the_showdown(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    for one in done.steps:
        if one.after.phase in {"choice_1", "choice_2"}:
            assert seen(one.after, "seat:3", 1) == seen(one.after, "spectator", 1) == ["[red]"] * 3
    looked = next(one.after for one in done.steps if one.after.seats[1].looked)
    assert seen(looked, "seat:1", 1) == ["Th", "Td", "4c"]
    for viewer in ("seat:3", "seat:7", "dealer", "floor", "inspector", "spectator"):
        assert seen(looked, viewer, 1) == ["[red]"] * 3
    assert seen(looked, "seat:1", 3) == ["[red]"] * 3
    opened = step(done, "open_hand 1").after
    assert seen(opened, "seat:3", 1) == ["Th", "Td", "4c"]
    face_up = played(book, WHOLE_ROUND, "deal.face = up")  # with a face-up deal there is nothing to hide
    assert seen(moment(face_up, "choice_1"), "seat:3", 1) == ["Th", "Td", "4c"]


# showdown and settlement


@pytest.mark.clause("sm:lir.11.s1", "sm:felt.11.s1", "sm:bonus.round.7.s1")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_hands_are_opened_from_the_dealers_right(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    opened = [words for words in steps(done) if words.startswith("open_hand")]
    assert opened == ["open_hand 7", "open_hand 3", "open_hand 1"]
    for words, closed in (("open_hand 7", (3, 1)), ("open_hand 3", (1,)), ("open_hand 1", ())):
        shown, seat = step(done, words), int(words[-1])
        assert shown.command.by == "dealer"
        assert seen(shown.before, "spectator", seat) == ["[red]"] * 3
        assert "[red]" not in seen(shown.after, "spectator", seat)
        assert [seen(shown.after, "spectator", other) for other in closed] == [["[red]"] * 3] * len(closed)


@pytest.mark.clause("sm:lir.11.s2", "sm:felt.11.s2", "sm:bonus.round.6", "sm:bonus.round.7.s2")
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_each_hand_is_read_from_three_own_and_two_community_cards(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    assert step_event(done, "open_hand 7").says == "two pair, kings and twos"
    assert step_event(done, "open_hand 3").says == "pair of nines"
    assert step_event(done, "open_hand 1").says == "pair of tens"
    assert [results(done, seat)["base-$"].fate for seat in (1, 3, 7)] == ["won", "lost", "won"]
    royal = played(book.id + variant, _royal(), "base.paytable = LIRX-01", *_no_bonus(variant))
    assert results(royal, 1)["base-$"].paid_cents == 1_000 * 500  # all five cards are needed
    assert stacks(royal, 1) == [50_000 + 3 * 1_000 * 500]


def _no_bonus(variant: str) -> list[str]:
    return [] if variant == "+base" else ["bonus.offered = false"]


@pytest.mark.clause(
    "sm:lir.12", "sm:lir.12a", "sm:how.win", "sm:how.play.4", "sm:felt.overview.2", "sm:felt.13", "sm:felt.13a"
)
@pytest.mark.parametrize("variant", ["", "+felt", "+base"])
def test_tens_or_better_win_every_bet_still_working_and_less_loses(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, WHOLE_ROUND)
    tens, nines, two_pair = (results(done, seat) for seat in (1, 3, 7))
    assert [(r.fate, r.paid_cents) for r in tens.values()] == [("won", 1_000)] * 3
    assert [nines[spot].fate for spot in ("base-2", "base-$")] == ["lost", "lost"]
    assert [(two_pair[spot].fate, two_pair[spot].paid_cents) for spot in ("base-1", "base-$")] == [("won", 2_000)] * 2
    assert stacks(done, 1, 3, 7) == ENDS
    assert done.table.cents("tray") == -sum(ENDS) + 3 * 50_000
    assert all(not cents for account, cents in done.table.accounts.items() if account.startswith("felt"))
    assert view(step(done, "pay 7 base-1").before, "spectator").community == ("Ks", "2d")  # after the second card
    shown = view(done.table, "spectator").sign.pays["base"]
    assert (shown["two pair"], shown["tens or better"]) == ("2 to 1", "1 to 1")


@pytest.mark.clause("sm:bonus.round.8.s1", "sm:bonus.round.8.s2", "sm:bonus.round.8.s3", "sm:bonus.round.8.s4")
def test_base_bets_not_withdrawn_are_paid_from_the_tray_or_lost_to_it(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    (won, back) = step_event(done, "pay 7 base-$").chips
    assert (won.source, won.target, won.cents) == ("tray", "stack:7", 2_000)
    assert (back.source, back.target, back.cents) == ("felt:7:base-$", "stack:7", 1_000)
    (lost,) = step_event(done, "take 3 base-2").chips
    assert (lost.source, lost.target, lost.cents) == ("felt:3:base-2", "tray", 1_000)
    assert {"pay 7 base-2", "take 3 base-1", "pay 3 base-1"}.isdisjoint(steps(done))  # withdrawn bets get nothing
    shown = view(done.table, "spectator").sign.pays["base"]["two pair"]
    assert shown == "2 to 1"
    assert stacks(done, 1, 3, 7) == ENDS


@pytest.mark.clause("sm:bonus.round.9.s1", "sm:bonus.odds.2.s2", "sm:felt.14")
@pytest.mark.parametrize("variant", ["", "+felt"])
def test_every_listed_hand_with_a_bonus_dollar_gets_its_award_and_none_without(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, _royal("bonus 1"), "base.paytable = LIRB-06")
    won = results(done, 1)["bonus"]
    assert (won.fate, won.paid_cents) == ("won", 2_000_000)
    assert [(c.source, c.target, c.cents) for c in step_event(done, "pay 1 bonus").chips] == [
        ("tray", "stack:1", 2_000_000)
    ]
    without = played(book.id + variant, _royal(), "base.paytable = LIRB-06")
    assert "bonus" not in results(without, 1)
    assert "pay 1 bonus" not in steps(without)
    tens = played(book.id + variant, FULL, "base.paytable = LIRB-06")
    assert (results(tens, 1)["bonus"].fate, results(tens, 1)["bonus"].paid_cents) == ("lost", 0)


@pytest.mark.clause("sm:bonus.round.9.s2")
def test_all_cards_of_the_round_join_its_deck_in_the_rack(book: RuleBook) -> None:
    done = played(book, FULL)
    end = step(done, "collect_community").after
    assert len(end.at(places.RACK)) == 52
    assert {card.deck for card in end.at(places.RACK)} == {1}
    last_pay = max(place for place, words in enumerate(steps(done)) if words.startswith("pay"))
    assert steps(done).index("collect_community") > last_pay
    assert steps(done).index("collect_picked") > last_pay


@pytest.mark.clause("sm:bonus.round.10")
def test_game_over_ends_the_round_on_the_controller(book: RuleBook) -> None:
    done = played(book, _royal("bonus 1"))
    ended = step(done, "game_over")
    assert steps(done)[-1] == "game_over"
    order(done, "pay 1 bonus", "game_over")
    assert ended.command.by == "dealer"
    assert [view(table, "spectator").round_running for table in (ended.before, ended.after)] == [True, False]
    felt = played(f"{book.id}+felt", FULL)
    assert "game_over" not in kinds(felt)
    assert felt.outcomes[0].status == "settled"


# the 3 Card Bonus


@pytest.mark.clause("sm:felt.12")
def test_a_players_wagers_are_settled_base_first_then_3_card_bonus_then_the_dollar(book: RuleBook) -> None:
    done = played(f"{book.id}+felt", _royal("bonus 1 three_card 5"))
    settled = [words for words in steps(done) if words.startswith(("pay 1", "open_hand 1", "take 1"))]
    spots = ("base-1", "base-2", "base-$", "three_card", "bonus")
    assert settled == ["open_hand 1", *(f"pay 1 {spot}" for spot in spots)]
    for spot in spots:  # each is paid at its own step
        paid = step(done, f"pay 1 {spot}")
        assert paid.after.cents("stack:1") - paid.before.cents("stack:1") > 500


@pytest.mark.clause("sm:felt.overview.1")
@pytest.mark.books("shufflemaster-1")
def test_there_are_three_component_bets(book: RuleBook) -> None:
    sign = view(played(book, WHOLE_ROUND).table, "spectator").sign
    assert list(sign.pays) == ["base", "bonus", "three_card"]


@pytest.mark.clause("sm:bonus.def.round")
def test_a_round_runs_from_the_bets_to_their_settlement(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert view(moment(done, "betting"), "spectator").round_running
    assert view(moment(done, "settling"), "spectator").round_running
    assert not view(done.table, "spectator").round_running


THREE = """
round
hand 1 6h 6d 4c
hand 3 2h 8s Jc
hand 7 Kd 7d 4d
community Ks Tc
seat 1 bets 10 three_card 5
seat 3 bets 10 three_card 5
seat 7 bets 10 three_card 5
"""


OWN_THREE = THREE.replace("hand 3 2h 8s Jc", "hand 3 2h 8s Kc")  # pairs the board, not itself


@pytest.mark.books("shufflemaster-1", "washington-1")
@pytest.mark.parametrize(
    "variant",
    [
        pytest.param("+felt", marks=pytest.mark.clause("sm:felt.overview.4")),
        *(
            pytest.param(
                variant,
                marks=pytest.mark.clause(
                    *(f"sm:3cb.{option}.{row}" for row in ("overview.2", "overview.3", "overview.6", "2"))
                ),
            )
            for variant, option in (("+three_card_first", "opt1"), ("+three_card_claim", "opt2"))
        ),
    ],
)
def test_a_pair_or_better_in_the_players_own_three_cards_wins_and_less_loses(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, OWN_THREE + CHOICES)
    found = {seat: results(done, seat)["three_card"] for seat in (1, 3, 7)}
    assert {seat: (r.fate, r.paid_cents) for seat, r in found.items()} == {
        1: ("won", 500),  # a pair of sixes, though the five cards lose
        3: ("lost", 0),
        7: ("won", 2_000),  # a flush of three, paid 4 to 1; the kings are on the board
    }
    base = {seat: [results(done, seat)[spot].fate for spot in ("base-1", "base-2", "base-$")] for seat in (1, 3, 7)}
    assert base == {1: ["lost"] * 3, 3: ["withdrawn", "won", "won"], 7: ["won", "withdrawn", "won"]}
    # Sixes lose three bets and win five dollars; kings pay two bets on each side, less one side bet, more four.
    assert stacks(done, 1, 3, 7) == [50_000 - 3_000 + 500, 50_000 + 2_000 - 500, 50_000 + 2_000 + 2_000]
    without = played(book.id + variant, WHOLE_ROUND, "three_card.offered = false")
    assert bets(moment(without, "betting"), 1, base=1_000, three_card=500) == "not_offered"


@pytest.mark.clause("sm:3cb.opt1.1.s1", "sm:3cb.opt2.1.s1")
@pytest.mark.parametrize("variant", ["+three_card_first", "+three_card_claim"])
def test_the_side_bet_is_down_before_any_card_is_seen(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, THREE + CHOICES)
    assert bets(moment(done, "betting"), 1, base=1_000, three_card=500) == ""
    for phase in ("dealing", "choice_1"):
        assert bets(moment(done, phase), 1, base=1_000, three_card=1_000) == "betting_closed"


@pytest.mark.clause("sm:3cb.opt1.std", "sm:3cb.opt1.3.s1", "sm:3cb.opt1.3.s2", "sm:3cb.opt1.4", "sm:3cb.opt1.5")
@pytest.mark.parametrize("method", ["pick_and_pay", "lay_and_pay"])
def test_option_1_settles_the_side_bets_when_every_hand_is_open_and_before_any_base_bet(
    book: RuleBook, method: str
) -> None:
    done = played(f"{book.id}+three_card_first", THREE + CHOICES, f'settle.method = "{method}"')
    words = steps(done)
    side = [word for word in words if word.endswith("three_card")]
    assert ["pay 7 three_card", "take 3 three_card", "pay 1 three_card"] == side
    first = step(done, side[0]).before
    for seat, hand in ((1, ["6h", "6d", "4c"]), (3, ["2h", "8s", "Jc"]), (7, ["Kd", "7d", "4d"])):
        assert hand == seen(first, "spectator", seat)  # every hand lies open before a side bet moves
        assert (first.cents(f"felt:{seat}:three_card"), first.cents(f"felt:{seat}:base-$")) == (500, 1_000)
    assert ["Ks", "Tc"] == faces(first, "community:1") + faces(first, "community:2")
    last = step(done, side[-1]).after
    assert {seat: last.cents(f"felt:{seat}:base-$") for seat in (1, 3, 7)} == dict.fromkeys((1, 3, 7), 1_000)
    assert {seat: last.cents(f"felt:{seat}:three_card") for seat in (1, 3, 7)} == dict.fromkeys((1, 3, 7), 0)
    assert done.outcomes[0].status == "settled"  # and the game goes on: each base bet is settled and cleared
    assert not any(account.startswith("felt:") for account in done.table.accounts)
    plain = [word for word in words if "three_card" not in word and not word.startswith("open_hand")]
    after_base = steps(played(book, THREE + CHOICES, f'settle.method = "{method}"'))
    assert plain == [word for word in after_base if "three_card" not in word and not word.startswith("open_hand")]


@pytest.mark.clause("sm:3cb.opt1.std")
def test_without_a_side_bet_option_1_opens_and_settles_hand_by_hand_as_usual(book: RuleBook) -> None:
    bare = THREE.replace(" three_card 5", "")
    assert steps(played(book, bare + CHOICES)) == steps(played(f"{book.id}+three_card_first", bare + CHOICES))


CLAIMS = "seat 1 looks\nseat 1 claims\nseat 3 looks\nseat 3 waves\n"


@pytest.mark.clause("sm:3cb.opt2.std", "sm:3cb.opt2.3", "sm:3cb.opt2.4.s1", "sm:3cb.opt2.4.s2", "sm:3cb.opt2.6")
def test_option_2_pays_a_hand_shown_to_the_dealer_at_once_and_takes_a_waved_one_unseen(book: RuleBook) -> None:
    done = played(f"{book.id}+three_card_claim", THREE + CLAIMS + CHOICES)
    order(done, "pay 1 three_card", "take 3 three_card", "turn_community 1", "open_hand 7", "pay 7 three_card")
    paying, taking = step(done, "pay 1 three_card"), step(done, "take 3 three_card")
    assert paying.after.seats[1].choices == {}  # before the bet 1 choice
    assert paying.after.cents("stack:1") - paying.before.cents("stack:1") == 1_000  # the stake and a pair's even money
    assert paying.after.cents("felt:1:three_card") == 0
    assert taking.before.cents("felt:3:three_card") == 500
    assert taking.after.cents("felt:3:three_card") == 0
    assert taking.after.cents("stack:3") == taking.before.cents("stack:3")
    assert steps(done).count("pay 1 three_card") == 1
    assert done.outcomes[0].status == "settled"
    with_pair = played(f"{book.id}+three_card_claim", THREE + "seat 1 looks\nseat 1 waves => winning_hand\n" + CHOICES)
    assert results(with_pair, 1)["three_card"].fate == "won"
    played(f"{book.id}+three_card_claim", THREE + "seat 3 looks\nseat 3 claims => no_winning_hand\n" + CHOICES)
    assert dealer_does(moment(done, "choice_1"), "pay")[1] == "out_of_order"


@pytest.mark.clause("sm:3cb.opt2.3", "sm:3cb.opt2.4.s1", "sm:how.play.5")
def test_option_2_shows_a_claimed_hand_to_the_dealer_alone_and_only_until_it_is_paid(book: RuleBook) -> None:
    done = played(f"{book.id}+three_card_claim", THREE + CLAIMS + CHOICES)
    paying, taking = step(done, "pay 1 three_card"), step(done, "take 3 three_card")
    others = ("seat:3", "seat:7", "spectator", "floor", "inspector")
    assert ["6h", "6d", "4c"] == seen(paying.before, "dealer", 1) == seen(paying.before, "seat:1", 1)
    for viewer in others:
        assert ["[red]"] * 3 == seen(paying.before, viewer, 1) == seen(paying.after, viewer, 1)
    assert ["[red]"] * 3 == seen(paying.after, "dealer", 1)
    assert not any(card.up for card in paying.after.at("hand:1"))
    for viewer in (*others[1:], "seat:1", "dealer"):  # a waved hand is seen by its holder alone
        assert ["[red]"] * 3 == seen(taking.before, viewer, 3) == seen(taking.after, viewer, 3)
    told = view(paying.after, "seat:7").seats[1].results
    assert [("three_card", "won", 500)] == [(r.wager, r.fate, r.paid_cents) for r in told]  # all see the chips
    assert () == view(paying.before, "dealer").seats[1].results == view(taking.before, "seat:7").seats[3].results


@pytest.mark.clause("sm:3cb.opt2.5")
def test_option_2_settles_what_was_not_claimed_once_every_hand_is_open(book: RuleBook) -> None:
    done = played(f"{book.id}+three_card_claim", THREE + "seat 3 looks\nseat 3 waves\n" + CHOICES)
    side = [word for word in steps(done) if word.endswith("three_card")]
    assert ["take 3 three_card", "pay 7 three_card", "pay 1 three_card"] == side
    first = step(done, "pay 7 three_card").before
    assert ["6h", "6d", "4c"] == seen(first, "spectator", 1)
    assert ["2h", "8s", "Jc"] == seen(first, "spectator", 3)
    assert {1: 500, 3: 0, 7: 500} == {seat: first.cents(f"felt:{seat}:three_card") for seat in (1, 3, 7)}
    assert {1: 1_000, 3: 1_000, 7: 1_000} == {seat: first.cents(f"felt:{seat}:base-$") for seat in (1, 3, 7)}


@pytest.mark.clause("sm:bonus.bets.1.s2")
def test_where_the_house_takes_it_a_spoken_wager_with_cash_becomes_chips_on_the_spots(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 with cash spoken")
    done = played(book, body + CHOICES, "bet.spoken_cash = true")
    assert [r.fate for r in results(done, 1).values()] == ["won"] * 3
    assert done.table.cents("wallet") == -3 * 50_000 - 3_000  # the cash came from outside the table
    assert done.table.cents("stack:1") == 50_000 + 3_000 + 3_000


@pytest.mark.clause("sm:3cb.opt1.note", "sm:3cb.opt2.note")
def test_where_the_house_allows_it_the_side_bet_alone_gets_a_hand_and_no_choices(book: RuleBook) -> None:
    body = THREE.replace("seat 3 bets 10 three_card 5", "seat 3 bets three_card 5")
    acts = CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", "")
    done = played(book, body + acts, "three_card.alone = true")
    assert list(results(done, 3)) == ["three_card"]
    assert stacks(done, 3) == [49_500]
    assert "ask 3 1" not in steps(done)
    assert "open_hand 3" in steps(done)
    refused = "round\nseat 1 bets three_card 5\ndealer invite_bonus => no_bets\nseat 1 bets 10\nseat 1 rides 1\nseat 1 rides 2\n"
    assert played(book, refused).outcomes[0].status == "settled"
