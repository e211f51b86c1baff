"""New South Wales: the table, its cards, the shuffle and the cut, as they lie there."""

from __future__ import annotations

import pytest

from letitride.engine import commands, events, places
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.player import Played
from letitride.records.replay import Replayed
from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import refused
from tests.clauses.rounds import (
    SEATED,
    WHOLE_ROUND,
    bets,
    dealer_does,
    faces,
    hands,
    happened,
    kinds,
    moment,
    order,
    played,
    refusal,
    seen,
    step,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]
SEVEN = range(1, 8)
SEVEN_SEATED = "".join(f"seat {n} sits P{n} 500\n" for n in SEVEN)
SEVEN_BET = (
    "round\n"
    + "".join(f"seat {n} bets 10\n" for n in SEVEN)
    + "".join(f"seat {n} rides {bet}\n" for bet in (1, 2) for n in SEVEN)
)
THE_52 = sorted(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def all_cards(table: Table) -> list[places.CardObject]:
    """Every card at the table, wherever it lies."""
    return [card for place, held in table.cards.items() if place != places.OUTSIDE for card in held]


def first_cards(done: Replayed) -> list[Played]:
    """The moments at which the first card of each round leaves the device."""
    return [
        one
        for one in done.steps
        if not isinstance(one.outcome, Refusal)
        and one.before.no_card_is_out
        and any(isinstance(e, events.StepDone) and e.step.kind in {"deal_card", "deal_packet"} for e in one.outcome)
    ]


def last_shuffle(done: Replayed, first: Played) -> Played:
    """The last shuffle, before a round's first card, of the deck that is dealt from."""
    deck = first.before.at(places.READY)[0].deck
    earlier = done.steps[: done.steps.index(first)]
    return [
        one
        for one in earlier
        if isinstance(one.command, commands.Do) and one.command.order and one.command.number == deck
    ][-1]


def lies_on_the_felt(table: Table, deck: int) -> bool:
    """Whether a card of a deck lies in a hand or the community area."""
    felt = (*(places.hand(number) for number in table.seats), *places.COMMUNITY)
    return any(card.deck == deck for place in felt for card in table.at(place))


@pytest.mark.clause("nsw:2.1", "nsw:2.2")
def test_players_sit_on_one_side_and_the_felt_shows_what_is_in_front_of_them(book: RuleBook) -> None:
    felt = view(played(book, WHOLE_ROUND).table, "spectator").felt
    assert (felt.players_side, felt.dealer_side) == ((1, 2, 3, 4, 5, 6, 7), ("community", "tray", "rack"))
    assert (felt.spots, felt.community) == (("$", "2", "1"), "two_places")


@pytest.mark.clause("nsw:2.2.1")
@pytest.mark.parametrize("device", DEVICES)
def test_seven_players_are_dealt_in_and_there_is_no_eighth_area(book: RuleBook, device: str) -> None:
    table = moment(played(book.id + device, SEVEN_BET, seated=SEVEN_SEATED), "choice_1")
    assert {seat: len(cards) for seat, cards in hands(table).items()} == dict.fromkeys(SEVEN, 3)
    assert refusal(table, commands.Sit(by="seat:8", seat=8, player="P8", cents=10_000)) == "no_such_seat"
    assert "which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("nsw:2.2.1.1")
def test_each_area_takes_bets_on_the_spots_dollar_2_and_1_and_on_no_other(book: RuleBook) -> None:
    table = moment(played(book, SEVEN_BET, seated=SEVEN_SEATED), "betting")
    spots = view(table, "spectator").felt.spots
    assert spots == ("$", "2", "1")
    for seat in SEVEN:
        assert view(table, "spectator").seats[seat].wagers == {f"base-{spot}": 1_000 for spot in spots}
    assert bets(table, 1, **{"base-3": 1_000}) == "not_offered"


@pytest.mark.clause("nsw:2.2.2")
@pytest.mark.parametrize("device", DEVICES)
def test_the_community_cards_lie_in_two_places_before_the_dealer_and_are_turned_there(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    for table in (moment(done, "choice_1"), step(done, "turn_community 1").after, step(done, "turn_community 2").after):
        assert [faces(table, place) for place in places.COMMUNITY] == [["Ks"], ["2d"], [], []]
        felt = view(table, "spectator").felt
        assert (felt.community, felt.dealer_side[0]) == ("two_places", "community")
    back = "[red]"
    assert view(moment(done, "choice_1"), "spectator").community == (back, back)
    assert view(step(done, "turn_community 1").after, "spectator").community == ("Ks", back)


@pytest.mark.clause("nsw:2.3.1", "nsw:3.6")
@pytest.mark.parametrize(
    ("device", "shown", "decks"), [("", "shoe", 1), ("+shuffler", "shuffler", 1), ("+two_decks", "shuffler", 2)]
)
def test_every_card_is_dealt_from_a_shoe_with_one_deck_or_a_shuffler_with_one_or_two(
    book: RuleBook, device: str, shown: str, decks: int
) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    assert view(done.table, "spectator").felt.device == shown
    assert len(all_cards(done.steps[0].after)) == 52 * decks
    loaded = step(done, "load_deck 1" if device else "load_shoe").after
    assert len(loaded.at(places.NEST if device else places.READY)) == 52
    dealt = [
        event for event in happened(done) if isinstance(event, events.StepDone) and event.step.kind.startswith("deal_")
    ]
    assert {move.source for event in dealt for move in event.moves} == {places.READY}
    assert sum(len(event.moves) for event in dealt) == (12 if device else 11)
    assert "hold_deck" not in kinds(done)


@pytest.mark.clause("nsw:2.3.1", "nsw:3.6")
def test_no_table_by_the_book_is_dealt_by_hand(book: RuleBook) -> None:
    assert "which the book fixes" in refused(book, device="hand")
    with pytest.raises(InvalidData, match="expected one of 'shuffler', 'two_decks', got the unknown variant 'hand'"):
        catalog.rulebook(f"{book.id}+hand")


@pytest.mark.clause("nsw:2.3.2")
@pytest.mark.parametrize("device", DEVICES)
def test_the_rack_holds_one_deck_and_ends_a_round_with_all_of_it(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND * 2)
    for one in done.steps:
        rack = one.after.at(places.RACK)
        assert len(rack) <= 52
        assert len({card.deck for card in rack}) <= 1
    last = step(done, "collect_community" if device else "collect_stub").after
    assert sorted(faces(last, places.RACK)) == THE_52


@pytest.mark.clause("nsw:3.1")
@pytest.mark.parametrize("device", ["", "+shuffler"])
def test_one_deck_of_the_52_with_one_back_is_played_with(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND * 2)
    for one in done.steps:
        assert sorted(str(card.face) for card in all_cards(one.after)) == THE_52
    backs = {
        card
        for one in done.steps
        for card in (*seen(one.after, "spectator", 1), *view(one.after, "spectator").community)
        if card.startswith("[")
    }
    assert backs == {"[red]"}
    assert "decks: expected 1, which the book fixes" in refused(book, decks=2)  # a shoe holds one deck


@pytest.mark.clause("nsw:3.2.1")
def test_a_second_deck_may_wait_in_the_shuffler_while_the_first_is_in_play(book: RuleBook) -> None:
    two = played(f"{book.id}+two_decks", WHOLE_ROUND * 2)
    for number, in_play in ((1, 1), (2, 2)):
        table = next(one.after for one in two.steps if one.after.round == number and one.after.phase == "choice_1")
        assert {card.deck for seat in (1, 3, 7) for card in table.at(places.hand(seat))} == {in_play}
        assert [card.deck for card in table.at(places.NEST)] == [3 - in_play] * 52
    one_deck = moment(played(f"{book.id}+shuffler", WHOLE_ROUND), "choice_1")
    assert one_deck.at(places.NEST) == ()
    assert len(all_cards(one_deck)) == 52


@pytest.mark.clause("nsw:3.2.2")
def test_the_deck_in_play_has_backs_of_another_colour_than_the_one_in_the_shuffler(book: RuleBook) -> None:
    done = played(f"{book.id}+two_decks", WHOLE_ROUND * 2)
    for number, colour in ((1, "red"), (2, "blue")):
        table = next(one.after for one in done.steps if one.after.round == number and one.after.phase == "choice_1")
        assert {card for seat in (1, 3, 7) for card in seen(table, "spectator", seat)} == {f"[{colour}]"}
        assert {*view(table, "spectator").community} == {f"[{colour}]"}


@pytest.mark.clause("nsw:3.5")
@pytest.mark.parametrize(("device", "first"), [("", "shuffle_deck 1"), ("+shuffler", "wash_deck 1")])
def test_cards_that_were_checked_beforehand_stay_secured_until_they_are_needed(
    book: RuleBook, device: str, first: str
) -> None:
    prepared = played(book.id + device, WHOLE_ROUND, "deck.prepared = true")
    assert "check_deck" not in kinds(prepared)
    assert len(step(prepared, first).before.at(places.CHEST)) == 52
    assert steps(played(book.id + device, WHOLE_ROUND)).count("check_deck 1") == 1
    (first_card,) = first_cards(prepared)
    assert len(first_card.before.at(places.READY)) == 52  # shuffled and dealt from like any other deck


@pytest.mark.clause("nsw:4.1.1", "nsw:4.1.2")
@pytest.mark.parametrize("device", DEVICES)
def test_each_round_is_dealt_from_a_deck_shuffled_since_it_was_last_in_play(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND * 3)
    firsts = first_cards(done)
    assert [one.before.round for one in firsts] == [1, 2, 3]
    shuffles = [last_shuffle(done, first) for first in firsts]
    assert len({id(one) for one in shuffles}) == 3
    for first, shuffle in zip(firsts, shuffles, strict=True):
        since = done.steps[done.steps.index(shuffle) : done.steps.index(first)]
        assert not any(lies_on_the_felt(one.before, shuffle.command.number) for one in since)
        dealt, depth = list(shuffle.command.order), 0 if device else 20
        assert faces(first.before, places.READY) == dealt[depth:] + dealt[:depth]  # as it was mixed, but for a cut
        assert not any(card.up for card in first.before.at(places.READY))


@pytest.mark.clause("nsw:4.1.3")
@pytest.mark.parametrize("device", DEVICES)
def test_cards_are_shuffled_before_play_begins_again_at_a_table_that_stood_empty(book: RuleBook, device: str) -> None:
    leave = "seat 1 leaves\nseat 3 leaves\nseat 7 leaves\n"
    again = SEATED + WHOLE_ROUND.replace("round\n", "")
    done = played(book.id + device, WHOLE_ROUND + "round\n" + leave + again)
    empty = max(n for n, one in enumerate(done.steps) if one.after.phase == "idle" and one.after.round == 1)
    _, second = first_cards(done)
    shuffle = last_shuffle(done, second)
    assert done.steps.index(shuffle) > empty
    assert sorted(faces(second.before, places.READY)) == sorted(shuffle.command.order) == THE_52
    assert [outcome.number for outcome in done.outcomes] == [1, 2]


@pytest.mark.clause("nsw:4.2", "nsw:4.3")
def test_with_a_shoe_the_dealer_alone_cuts_and_loads_the_whole_pack(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "shuffle_deck 1", "cut_deck 1", "load_shoe", "deal_card 1 1")
    assert steps(done)[steps(done).index("cut_deck 1") + 1] == "load_shoe"  # no card is racked: the cutting card stays
    cut, loaded = step(done, "cut_deck 1"), step(done, "load_shoe")
    depth = cut.command.cut
    before = faces(cut.before, places.SPREAD)
    assert faces(cut.after, places.SPREAD) == before[depth:] + before[:depth]
    assert faces(loaded.after, places.READY) == before[depth:] + before[:depth]
    assert (len(before), loaded.after.at(places.SPREAD)) == (52, ())
    for by in ("seat:1", "floor", "inspector", "casino_supervisor"):
        refused_cut = refusal(cut.before, commands.Do(by=by, kind="cut_deck", number=1, cut=20))
        assert refused_cut == "not_your_role"
    assert dealer_does(cut.before, cut=0)[1] == dealer_does(cut.before, cut=52)[1] == "bad_cut"


@pytest.mark.clause("nsw:4.4")
@pytest.mark.parametrize("device", ["+shuffler", "+two_decks"])
def test_with_a_shuffler_the_cards_go_into_the_device_and_are_dealt_as_it_mixed_them(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND * 2)
    loaded = step(done, "load_deck 1").after
    assert [card.deck for card in loaded.at(places.NEST)] == [1] * 52
    for first in first_cards(done):
        shuffle = last_shuffle(done, first)
        assert len(shuffle.before.at(places.NEST)) == 52
        assert faces(first.before, places.READY) == list(shuffle.command.order)  # uncut
    cut = commands.Do(by="dealer", kind="cut_deck", number=1, cut=20)
    assert refusal(step(done, "start_shuffle 1").after, cut) in {"out_of_order", "nothing_to_do"}
    assert not {"cut_deck", "load_shoe", "shuffle_deck"} & set(kinds(done))


@pytest.mark.clause("nsw:4.5")
def test_a_manual_shuffle_before_the_machines_is_optional_and_a_step_of_its_own(book: RuleBook) -> None:
    done = played(f"{book.id}+shuffler", WHOLE_ROUND * 2, "shuffle.hand_first = true")
    assert kinds(done).count("hand_shuffle_first") == kinds(done).count("start_shuffle") == 2
    order(done, "hand_shuffle_first 1", "load_deck 1", "start_shuffle 1")
    assert len(step(done, "hand_shuffle_first 1").after.at(places.NEST)) == 0  # before they go in
    assert "hand_shuffle_first" not in kinds(played(f"{book.id}+shuffler", WHOLE_ROUND))
