"""The hand-dealt house: the deck from its inspection to the stub, shuffled, cut and dealt by hand."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.view import view
from letitride.records.player import Played
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import refused
from tests.clauses.rounds import (
    CHOICES,
    SEATED,
    THREE_SEATS,
    WHOLE_ROUND,
    dealer_does,
    faces,
    hands,
    happened,
    kinds,
    moment,
    order,
    played,
    refusal,
    ruled,
    stacks,
    step,
    step_event,
    steps,
)

IN_SEQUENCE = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
STACKED = (
    "\nround\ndeck Th 9h 2c 5h Td 9d 7d Ks 4c 3c Kh 2d\nseat 1 bets 10\nseat 3 bets 10\nseat 7 bets 10\n" + CHOICES
)
"""The cards of the whole round as they leave the dealer's hand, one after another."""


@pytest.mark.clause("hd:deck.1")
def test_one_deck_of_one_colour(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 2)
    for one in done.steps:
        cards = [card for held in one.after.cards.values() for card in held]
        assert ({card.deck for card in cards}, len(cards)) == ({1}, 52)
    backs = [view(one.after, "spectator").seats[1].cards for one in done.steps if one.after.phase == "choice_1"]
    assert set(backs) == {("[red]",) * 3}
    assert "which the book fixes" in refused(book, decks=2)


@pytest.mark.clause("hd:open.1", "hd:open.2")
def test_of_two_decks_one_is_chosen_and_inspected_and_the_floor_verifies_it(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert steps(done)[:4] == ["review_decks 2", "inspect_deck", "verify_inspection", "spread_deck"]
    reviewing = step(done, "review_decks 2").before
    for skipped in ("inspect_deck", "spread_deck", "shuffle_deck"):
        assert dealer_does(reviewing, skipped)[1] == "out_of_order"
    verified = step(done, "verify_inspection")
    assert verified.command.by == "floor"
    assert refusal(verified.before, commands.Do(by="dealer", kind="verify_inspection")) == "not_your_role"
    assert dealer_does(verified.before, "spread_deck")[1] == "out_of_order"  # not shown before it is verified


@pytest.mark.clause("hd:open.3")
def test_the_deck_is_spread_face_up_by_suit_and_in_sequence_for_the_first_player(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    spread = step(done, "spread_deck").after
    assert faces(spread, places.SPREAD) == IN_SEQUENCE
    assert all(card.up for card in spread.at(places.SPREAD))
    assert view(spread, "seat:1").spread == tuple(IN_SEQUENCE)  # everybody can see them
    looking = _looked(done.steps).before
    assert faces(looking, places.SPREAD) == IN_SEQUENCE
    assert refusal(looking, commands.LookOver(by="seat:3", seat=3)) == "no_deck_shown"  # it is for the first
    assert dealer_does(looking, "wash_deck")[1] == "waiting_for_player"


@pytest.mark.clause("hd:open.4", "hd:open.5")
def test_after_that_look_the_deck_is_turned_down_washed_and_shuffled(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    looked, washed, shuffled = _looked(done.steps), step(done, "wash_deck 1"), step(done, "shuffle_deck 1")
    assert [done.steps.index(one) for one in (washed, shuffled)] == [
        done.steps.index(looked) + later for later in (1, 2)
    ]
    assert len(washed.after.at(places.SPREAD)) == 52
    assert not any(card.up for card in washed.after.at(places.SPREAD))
    assert view(washed.after, "seat:1").spread == ("[red]",) * 52
    assert faces(shuffled.after, places.SPREAD) == list(shuffled.command.order) != IN_SEQUENCE


def _looked(every: list[Played]) -> Played:
    """Return the moment at which the first player looks the spread deck over."""
    return next(one for one in every if isinstance(one.command, commands.LookOver))


@pytest.mark.clause("hd:shuffle.1", "hd:shuffle.2")
def test_the_dealer_shuffles_before_play_and_after_each_round_into_one_stack(book: RuleBook) -> None:
    done = played(book, STACKED * 2)
    shuffles = [
        one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "shuffle_deck"
    ]
    assert [one.before.round for one in shuffles] == [0, 1]
    for one in shuffles:
        assert len(one.before.at(places.SPREAD)) == 52  # all of them, gathered
        assert faces(one.after, places.SPREAD) == list(one.command.order)
        assert one.command.by == "dealer"
    squared = step(done, "square_deck").after
    assert {place: len(held) for place, held in squared.cards.items()} == {
        places.SPREAD: 52
    }  # one stack, no card apart
    order(done, "shuffle_deck 1", "square_deck", "deal_card 1 1")
    assert not {"start_shuffle", "load_deck"} & set(kinds(done))


@pytest.mark.clause("hd:deck.2", "hd:cut.1", "hd:cut.2")
def test_ten_cards_or_more_go_under_the_rest_and_the_cover_card_to_the_rack(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    cut, covered = step(done, "cut_deck 10"), step(done, "rack_cover_card")
    before, depth = faces(cut.before, places.SPREAD), cut.command.cut
    assert faces(cut.after, places.SPREAD) == before[depth:] + before[:depth]
    for cards in (10, 30):
        after, code = dealer_does(cut.before, cut=cards)
        assert (code, faces(after, places.SPREAD)) == ("", before[cards:] + before[:cards])
    assert dealer_does(cut.before, cut=9)[1] == "bad_cut"
    # The cover card is none of the 52: it goes to the rack, and they stay in the dealer's hand.
    assert dealer_does(covered.before, "hold_deck")[1] == "out_of_order"
    assert covered.after.cards == covered.before.cards
    assert len(step(done, "hold_deck").after.at(places.READY)) == 52
    order(done, "cut_deck 10", "rack_cover_card", "hold_deck", "deal_card 1 1")


@pytest.mark.clause("hd:cut.0")
def test_the_cut_is_the_tables_choice_and_the_dealers_act(book: RuleBook) -> None:
    uncut, cut = played(book, STACKED, "cut.who = nobody"), played(book, STACKED)
    assert not {"cut_deck", "rack_cover_card"} & set(kinds(uncut))
    mixed = step(uncut, "shuffle_deck 1").command.order
    assert faces(step(uncut, "hold_deck").after, places.READY) == list(mixed)
    cutting = step(cut, "cut_deck 10")
    assert cutting.command.by == "dealer"
    assert refusal(cutting.before, commands.Do(by="floor", kind="cut_deck", number=10, cut=10)) == "not_your_role"
    assert faces(step(cut, "hold_deck").after, places.READY) != list(step(cut, "shuffle_deck 1").command.order)


@pytest.mark.clause("hd:cut.recut")
def test_a_casino_supervisor_orders_the_cut_again_before_any_card_is_dealt(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}casino_supervisor orders recut because it was too thin\n{CHOICES}")
    assert ruled(done) == ["order:recut"]
    first, second = (
        one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "cut_deck"
    )
    back, depth = step(done, "take_back_deck"), second.command.cut
    assert faces(back.after, places.SPREAD) == faces(first.after, places.SPREAD)  # as it was cut before
    lying = faces(second.before, places.SPREAD)
    assert faces(second.after, places.SPREAD) == lying[depth:] + lying[:depth]
    assert not any(hands(one.after) for one in done.steps[: done.steps.index(second)])
    order(done, "take_back_deck", "call_no_more_bets")
    table = step(done, "call_no_more_bets").after
    again = commands.Order(by="casino_supervisor", kind="recut")
    for by in ("dealer", "floor", "games_supervisor", "inspector", "seat:1"):
        assert refusal(table, commands.Order(by=by, kind="recut")) == "not_your_role"
    assert refusal(step(done, "deal_card 1 1").after, again) == "not_now"
    assert refusal(step(done, "cut_deck 10").before, again) == "not_now"  # and not before the first cut
    uncut = played(book, WHOLE_ROUND, "cut.who = nobody")
    assert refusal(moment(uncut, "betting"), again) == "no_recut"  # without a cut there is none to do again


@pytest.mark.clause("hd:idle.1", "hd:idle.2", "hd:idle.3")
def test_at_an_empty_table_the_cards_lie_spread_and_are_shown_washed_and_shuffled_for_the_next_player(
    book: RuleBook,
) -> None:
    leave = "round\nseat 1 leaves\nseat 3 leaves\nseat 7 leaves\n"
    done = played(book, WHOLE_ROUND + leave + SEATED + WHOLE_ROUND.replace("round\n", ""))
    spread = step(done, "spread_idle").after.at(places.SPREAD)
    assert (len(spread), any(card.up for card in spread)) == (52, False)
    assert all(card.up for card in step(done, "turn_up_spread").after.at(places.SPREAD))
    again = steps(done)[steps(done).index("spread_idle") :]
    assert again[:5] == ["spread_idle", "turn_up_spread", "wash_deck 1", "shuffle_deck 1", "square_deck"]
    looked = [one for one in done.steps if isinstance(one.command, commands.LookOver)]
    assert [one.before.round for one in looked] == [0, 1]  # the first player of each sitting
    assert all(card.up for card in looked[1].before.at(places.SPREAD))
    washed = done.steps[done.steps.index(looked[1]) + 1].after
    assert not any(card.up for card in washed.at(places.SPREAD))
    by_hand = leave + "dealer spread_idle face-up\n" + SEATED + WHOLE_ROUND.replace("round\n", "")
    face_up = played(book, WHOLE_ROUND + by_hand)
    assert all(card.up for card in step(face_up, "spread_idle").after.at(places.SPREAD))
    assert "turn_up_spread" not in steps(face_up)  # spread face up they lie ready


@pytest.mark.clause("hd:deal.hold")
def test_the_deck_is_held_in_the_hand_and_drawn_from_its_top(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    held = step(done, "hold_deck")
    assert held.after.at(places.READY) == held.before.at(places.SPREAD)
    for words, place in (("deal_card 1 1", places.hand(1)), ("deal_community 1", places.community(1))):
        drawn = step(done, words)
        assert drawn.after.at(place) == drawn.before.at(places.READY)[:1]
        assert not drawn.after.at(place)[0].up
    assert not {"load_shoe", "load_deck", "power_on"} & set(kinds(done))


@pytest.mark.clause("hd:deal.start", "hd:deal.1", "hd:deal.2", "hd:deal.3", "hd:deal.4", "hd:deal.5", "hd:deal.6")
def test_three_passes_from_the_far_left_each_followed_by_a_community_card_to_the_right(book: RuleBook) -> None:
    done = played(book, STACKED)
    whole = {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    line = ["5h", "Ks", "2d"]
    for number in (1, 2, 3):
        for place, seat in enumerate((1, 3, 7)):
            table = step(done, f"deal_card {seat} {number}").after
            out = {one: cards[: number if at <= place else number - 1] for at, (one, cards) in enumerate(whole.items())}
            assert hands(table) == {one: cards for one, cards in out.items() if cards}
            assert not any(card.up for one in out for card in table.at(places.hand(one)))
        laid = step(done, f"deal_community {number}").after
        assert [faces(laid, places.community(n)) for n in (1, 2, 3)] == [
            [card] if n <= number else [] for n, card in enumerate(line, 1)
        ]
        assert view(laid, "seat:1").community == ("[red]",) * number
    assert view(moment(done, "choice_1"), "seat:1").felt.community == "three_in_line"


@pytest.mark.clause("hd:deal.stub")
def test_the_stub_goes_to_the_rack_unseen(book: RuleBook) -> None:
    racked = step(played(book, WHOLE_ROUND), "rack_stub")
    stub = racked.before.at(places.READY)
    assert len(stub) == 52 - 3 * 4
    assert not racked.after.at(places.READY)
    assert racked.after.at(places.RACK)[-40:] == stub
    assert not any(card.up for card in racked.after.at(places.RACK))
    assert view(racked.after, "dealer").rack == 40  # a number, never faces


@pytest.mark.clause("hd:deal.count")
def test_the_stub_is_counted_once_in_five_rounds(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 10)
    counted = [one for one in done.steps if isinstance(one.command, commands.Do) and one.command.kind == "count_stub"]
    assert [one.after.round for one in counted] == [5, 10]
    assert step_event(done, "count_stub").says == "40 cards"  # 52 - 3 * (3 + 1)
    assert dealer_does(counted[0].before, "rack_stub")[1] == "out_of_order"
    assert not any(card.up for card in counted[0].after.at(places.READY))


@pytest.mark.clause("hd:deal.count")
def test_a_count_of_the_stub_finds_a_card_that_is_missing_and_no_card_that_was_not_used(book: RuleBook) -> None:
    short = THREE_SEATS.replace("hand 1", "missing 7c\nhand 1")
    lost = played(book, WHOLE_ROUND * 4 + short)
    assert ruled(lost) == ["stub_count:round_void"]
    assert [o.status for o in lost.outcomes] == ["settled"] * 4 + ["void"]
    assert stacks(lost, 1, 3, 7) == stacks(played(book, WHOLE_ROUND * 4), 1, 3, 7)
    exposed = THREE_SEATS + "mishap exposed seat 3\ndealer reports exposed_card seat 3\n" + CHOICES
    found = played(book, WHOLE_ROUND * 4 + exposed)
    (count,) = [e for e in happened(found) if getattr(getattr(e, "step", None), "kind", "") == "count_stub"]
    assert (count.says, ruled(found)) == ("39 cards", ["exposed_card:replaced"])  # one lies in the rack: it is right
