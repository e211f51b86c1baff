"""New South Wales: the deal, the decisions and the settlement, by where cards and chips lie."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    choices,
    faces,
    hands,
    moment,
    order,
    played,
    refusal,
    results,
    seen,
    stacks,
    step,
    step_event,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]
SHUFFLERS = DEVICES[1:]
BURNED = WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h")
DEALT = {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}


@pytest.mark.clause("nsw:7.1", "nsw:7.2.2", "nsw:7.3.1", "nsw:7.3.2", "nsw:7.3.3")
def test_from_a_shoe_three_passes_of_single_cards_then_two_community_cards_all_face_down(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    pack = faces(step(done, "deal_card 1 1").before, places.READY)
    passes = [(seat, number) for number in (1, 2, 3) for seat in (1, 3, 7)]
    for place, (seat, number) in enumerate(passes):
        dealt = step(done, f"deal_card {seat} {number}")
        assert len(dealt.before.at(places.hand(seat))) == number - 1
        assert faces(dealt.after, places.hand(seat))[-1] == pack[place]  # the next card of the shoe
        assert not any(card.up for card in dealt.after.at(places.hand(seat)))
    for number in (1, 2):
        dealt = step(done, f"deal_community {number}")
        assert faces(dealt.after, places.community(number)) == [pack[8 + number]]
        assert not any(card.up for card in dealt.after.at(places.community(number)))
    table = moment(done, "choice_1")
    assert hands(table) == DEALT  # none at the areas without bets
    assert [faces(table, place) for place in places.COMMUNITY] == [["Ks"], ["2d"], [], []]
    assert (table.at(places.RACK), len(table.at(places.READY))) == ((), 52 - 11)  # nothing is burned


@pytest.mark.clause("nsw:7.1", "nsw:7.2.2", "nsw:7.4.1", "nsw:7.4.2")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_from_a_shuffler_a_packet_of_three_face_down_to_each_area_with_bets_then_one_to_the_dealer(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, BURNED)
    pack = faces(step(done, "deal_packet 1").before, places.READY)
    for place, seat in enumerate((1, 3, 7)):
        dealt = step(done, f"deal_packet {seat}")
        assert faces(dealt.before, places.hand(seat)) == []
        assert faces(dealt.after, places.hand(seat)) == pack[3 * place : 3 * place + 3]
        assert not any(card.up for card in dealt.after.at(places.hand(seat)))
    packet = step(done, "deal_dealer_packet")
    assert hands(packet.before) == DEALT  # after all players', and none at the areas without bets
    assert faces(packet.after, places.PACKET) == pack[9:12] == ["Ks", "2d", "5h"]
    assert not any(card.up for card in packet.after.at(places.PACKET))
    table = moment(done, "choice_1")
    assert [faces(table, place) for place in places.COMMUNITY] == [["Ks"], ["2d"], [], []]
    assert not any(card.up for card in table.community())


@pytest.mark.clause("nsw:7.4.3")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_the_bottom_card_of_the_dealers_packet_goes_to_the_rack_unseen(book: RuleBook, device: str) -> None:
    done = played(book.id + device, BURNED)
    burn = step(done, "burn_bottom")
    assert (faces(burn.before, places.PACKET), faces(burn.before, places.RACK)) == (["5h"], [])
    assert (faces(burn.after, places.PACKET), faces(burn.after, places.RACK)) == ([], ["5h"])
    assert not any(card.up for card in burn.after.at(places.RACK))
    for viewer in ("seat:1", "dealer", "inspector", "spectator"):
        assert "5h" not in str(view(burn.after, viewer))
        assert view(burn.after, viewer).rack == 1


@pytest.mark.clause("nsw:8.1")
@pytest.mark.parametrize(("device", "last"), [("", "deal_card 1 3"), ("+shuffler", "deal_packet 1")])
def test_players_may_look_at_their_cards_after_the_deal(book: RuleBook, device: str, last: str) -> None:
    done = played(book.id + device, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    look = commands.Look(by="seat:1", seat=1)
    assert refusal(step(done, last).after, look) == "cards_not_yours"  # the others' cards are still to come
    assert seen(moment(done, "choice_1"), "seat:1", 1) == ["[red]"] * 3
    looked = next(one.after for one in done.steps if one.after.seats[1].looked)
    assert seen(looked, "seat:1", 1) == ["Th", "Td", "4c"]


@pytest.mark.clause("nsw:8.2.s1", "nsw:8.2.s2")
def test_cards_stay_in_the_dealers_view_and_hidden_from_the_other_players(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\nseat 3 looks\n" + CHOICES)
    asked = [one.after for one in done.steps if one.after.phase in {"choice_1", "choice_2"}]
    for table in asked:
        assert [len(seen(table, "dealer", seat)) for seat in (1, 3, 7)] == [3, 3, 3]
        for viewer in ("seat:3", "seat:7", "spectator", "dealer"):
            assert seen(table, viewer, 1) == ["[red]"] * 3
    assert seen(asked[-1], "seat:1", 1) == ["Th", "Td", "4c"]


@pytest.mark.clause("nsw:8.3")
@pytest.mark.parametrize("device", DEVICES)
def test_each_player_is_asked_about_bet_1_in_turn_from_the_dealers_left(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    for asked, others in ((1, (3, 7)), (3, (7,)), (7, ())):
        table = step(done, f"ask {asked} 1").after
        assert set(table.seats[asked].choices) == set()
        assert all(set(table.seats[seat].choices) == {1} for seat in (1, 3, 7) if seat < asked)
        for seat in others:
            early = commands.Choose(by=f"seat:{seat}", seat=seat, bet=1, choice="ride")
            assert refusal(table, early) == "not_your_turn"
    assert view(step(done, "ask 7 1").after, "seat:7").community == ("[red]", "[red]")


@pytest.mark.clause("nsw:8.3.s2")
@pytest.mark.parametrize("device", DEVICES)
def test_all_can_examine_their_cards_before_the_first_is_asked_and_a_player_who_answers_has(
    book: RuleBook, device: str
) -> None:
    asking = step(played(book.id + device, WHOLE_ROUND), "ask 1 1").before
    for seat in (1, 3, 7):
        assert seen(asking, f"seat:{seat}", seat) == ["[red]"] * 3
        looked, _ = play(asking, commands.Look(by=f"seat:{seat}", seat=seat))
        assert seen(looked, f"seat:{seat}", seat) == DEALT[seat]
    # Seat 3 answers on bet 1 and is away for bet 2: the hand counts as examined, so what is left of the bets rides.
    gone = played(book.id + device, THREE_SEATS + CHOICES.replace("seat 3 rides 2", "dealer reports absent seat 3"))
    assert not any(one.after.seats[3].looked for one in gone.steps)
    assert [r.fate for r in results(gone, 3).values()] == ["withdrawn", "lost", "lost"]
    assert stacks(gone, 3) == [48_000]


@pytest.mark.clause("nsw:8.3.1", "nsw:8.3.2", "nsw:8.10")
@pytest.mark.parametrize("device", DEVICES)
def test_bet_1_goes_back_by_the_dealer_or_rides_on_its_spot_until_it_is_settled(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    back = step(done, "push_back 3 base-1 1")
    assert back.command.by == "dealer"
    assert (back.before.cents("felt:3:base-1"), back.before.cents("stack:3")) == (1_000, 47_000)
    assert (back.after.cents("felt:3:base-1"), back.after.cents("stack:3")) == (0, 48_000)
    ride = next(n for n, one in enumerate(done.steps) if 1 in one.after.seats[1].choices)
    paid = done.steps.index(step(done, "pay 1 base-1"))
    riding = [one.after for one in done.steps[ride:paid]]
    assert {(table.cents("felt:1:base-1"), table.cents("stack:1")) for table in riding} == {(1_000, 47_000)}
    again = commands.Choose(by="seat:1", seat=1, bet=1, choice="withdraw")
    assert refusal(step(done, "ask 3 1").after, again) == "already_chosen"


@pytest.mark.clause("nsw:8.4", "nsw:8.6")
@pytest.mark.parametrize("device", DEVICES)
def test_community_card_1_comes_before_the_bet_2_choices_and_card_2_after_them(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    first, second = step(done, "turn_community 1"), step(done, "turn_community 2")
    assert {seat: set(first.before.seats[seat].choices) for seat in (1, 3, 7)} == {1: {1}, 3: {1}, 7: {1}}
    assert {seat: set(second.before.seats[seat].choices) for seat in (1, 3, 7)} == {1: {1, 2}, 3: {1, 2}, 7: {1, 2}}
    assert view(first.before, "seat:1").community == ("[red]", "[red]")
    for table in (first.after, second.before):
        assert view(table, "seat:1").community == ("Ks", "[red]")
    assert view(second.after, "seat:1").community == ("Ks", "2d")
    for asked, others in ((1, (3, 7)), (3, (7,)), (7, ())):  # in the order of bet 1
        for seat in others:
            early = commands.Choose(by=f"seat:{seat}", seat=seat, bet=2, choice="ride")
            assert refusal(step(done, f"ask {asked} 2").after, early) == "not_your_turn"
    back = step(done, "push_back 7 base-2 2")
    assert back.after.cents("stack:7") - back.before.cents("stack:7") == back.before.cents("felt:7:base-2") == 1_000


@pytest.mark.clause("nsw:8.5")
@pytest.mark.parametrize("bet_1", ["rides", "withdraws"])
@pytest.mark.parametrize("bet_2", ["rides", "withdraws"])
def test_the_bet_2_choice_does_not_depend_on_bet_1(book: RuleBook, bet_1: str, bet_2: str) -> None:
    chosen = CHOICES.replace("seat 1 rides 1", f"seat 1 {bet_1} 1").replace("seat 1 rides 2", f"seat 1 {bet_2} 2")
    done = played(book, THREE_SEATS + chosen)
    made = {event.bet: event.choice for event in choices(done) if event.seat == 1}
    assert made == {1: bet_1.removesuffix("s"), 2: bet_2.removesuffix("s")}
    riding = 1 + (bet_1 == "rides") + (bet_2 == "rides")
    assert stacks(done, 1) == [50_000 + riding * 1_000]  # tens pay even money on what was left


@pytest.mark.clause("nsw:8.7", "nsw:8.8", "nsw:9.4")
@pytest.mark.parametrize("device", DEVICES)
def test_every_hand_of_five_is_opened_and_announced_at_its_best(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}
    for seat in (1, 3, 7):
        opened = step(done, f"open_hand {seat}")
        assert seen(opened.before, "spectator", seat) == ["[red]"] * 3
        assert seen(opened.after, "spectator", seat) == DEALT[seat]
        assert view(opened.after, "spectator").seats[seat].hand == said[seat]


@pytest.mark.clause("nsw:8.9")
def test_bet_dollar_is_never_open_to_withdrawal(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for phase, words in (("choice_1", "ask 1 1"), ("choice_2", "ask 1 2")):
        table = step(done, words).after
        assert table.phase == phase
        third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
        assert refusal(table, third) == "never_withdrawn"
        assert not any(getattr(offer, "bet", 0) == 3 for offer in view(table, "seat:1").offers)
    assert step(done, "pay 1 base-$").before.cents("felt:1:base-$") == 1_000


@pytest.mark.clause("nsw:8.11")
def test_a_player_who_already_holds_a_paying_hand_may_tuck_and_is_asked_no_more(book: RuleBook) -> None:
    acts = "seat 1 looks\nseat 1 tucks\n" + CHOICES.replace("seat 1 rides 1\n", "").replace("seat 1 rides 2\n", "")
    done = played(book, THREE_SEATS + acts)
    assert [r.fate for r in results(done, 1).values()] == ["won"] * 3
    assert not {"ask 1 1", "ask 1 2"} & set(steps(done))
    assert stacks(done, 1) == [53_000]
    table = moment(played(book, WHOLE_ROUND), "choice_1")
    assert refusal(table, commands.Tuck(by="seat:1", seat=1)) == "not_looked"  # nothing is told before a look
    late = "seat 3 looks\nseat 3 tucks => no_paying_hand\nseat 3 withdraws 1\n"  # nines do not pay
    late += "seat 7 looks\nseat 7 rides 1\nseat 7 tucks => no_paying_hand\n"
    kings = played(book, THREE_SEATS + "seat 1 rides 1\n" + late + "seat 1 rides 2\nseat 3 rides 2\nseat 7 tucks\n")
    assert results(kings, 7)["base-2"].fate == "won"  # with the king on the board it pays, at any stage


@pytest.mark.clause("nsw:9.1", "nsw:9.2.1", "nsw:9.2.2")
@pytest.mark.parametrize("device", DEVICES)
def test_when_all_hands_are_read_those_below_tens_are_collected_and_then_tens_or_better_paid(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    order(done, "open_hand 1", "take 3 base-2", "take 3 base-$", "pay 7 base-1", "pay 7 base-$", "pay 1 base-1")
    first = step(done, "take 3 base-2")
    assert all(card.up for seat in (1, 3, 7) for card in first.before.at(places.hand(seat)))  # every hand was read
    assert [first.before.cents(f"stack:{seat}") for seat in (1, 3, 7)] == [47_000, 48_000, 48_000]
    collected = step(done, "pay 7 base-1").before
    assert [collected.cents(f"felt:3:base-{spot}") for spot in "12$"] == [0, 0, 0]
    assert collected.cents("tray") == 2_000
    assert [(r.fate, r.paid_cents) for r in results(done, 1).values()] == [("won", 1_000)] * 3
    assert [(r.fate, r.paid_cents) for r in results(done, 7).values()] == [
        ("won", 2_000),
        ("withdrawn", 0),
        ("won", 2_000),
    ]
    assert [r.fate for r in results(done, 3).values()] == ["withdrawn", "lost", "lost"]
    assert stacks(done, 1, 3, 7) == [53_000, 48_000, 54_000]
    assert done.table.cents("tray") == 2_000 - 3_000 - 4_000


@pytest.mark.clause("nsw:9.3")
@pytest.mark.parametrize("device", DEVICES)
def test_cards_go_to_the_rack_after_bets_are_taken_or_paid(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    settled = [words for words in steps(done) if words.startswith(("pay", "take"))]
    table = step(done, settled[-1]).after
    assert hands(table) == DEALT  # all still there when the last bet was settled
    assert len(table.community()) == 2
    collected = step(done, "collect_community").after
    assert (hands(collected), collected.community()) == ({}, ())
    shown = {face for cards in DEALT.values() for face in cards} | {"Ks", "2d"}
    assert shown <= set(faces(collected, places.RACK))
    last = collected if device else step(done, "collect_stub").after
    assert len(last.at(places.RACK)) == 52  # and the rest of the deck


@pytest.mark.clause("nsw:10.2.s1", "nsw:10.2.s2")
def test_a_maximum_payout_caps_what_is_paid_and_is_shown(book: RuleBook) -> None:
    royal = WHOLE_ROUND.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("Ks 2d", "Ks Ts")
    royal = royal.replace("hand 7 2c 7d Kh", "hand 7 2c 7d 8h")
    capped = played(book, royal, "payout.cap = maximum", "payout.cents_max = 2500000")
    assert sum(r.paid_cents for r in results(capped, 1).values()) == 2_500_000
    assert stacks(capped, 1) == [50_000 + 2_500_000]
    assert sum(r.paid_cents for r in results(played(book, royal), 1).values()) == 3_000_000
    each = played(book, royal, "payout.cap = maximum", "payout.cents_max = 800000", "payout.scope = wager")
    assert [r.paid_cents for r in results(each, 1).values()] == [800_000] * 3
    by_hand = played(book, royal, "payout.cap = maximum", "payout.cents_max = 2500000", "payout.scope = hand")
    assert sum(r.paid_cents for r in results(by_hand, 1).values()) == 2_500_000
    assert view(capped.table, "spectator").sign.payout_cents_max == 2_500_000
    assert view(capped.table, "spectator").sign.payout_scope == "player_round"
    assert view(played(book, royal).table, "spectator").sign.payout_cents_max is None
