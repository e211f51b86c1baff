"""Faults: what is wrong at a table is found as the cards and chips lie, and nothing that is right is taken for it."""

from __future__ import annotations

from msgspec.structs import replace

from letitride.engine import commands, faults, places
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Ruling, Seat, Table
from letitride.engine.steps import Step
from letitride.ledger import accounts
from letitride.rules.cards import DECK
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS
from tests.engine.layouts import a_table, laid
from tests.engine.recorded import by_another

PACKETS, BY_HAND, SHOE, LAST_BURNED = "shufflemaster-1", "hand-dealt-1", "nsw-1", "washington-1+hand"
STUB = "2c 3c 4c 5c"


def seen(table: Table) -> list[str]:
    """What an attentive dealer would report, as 'kind seat number'."""
    return [f"{one.kind} {one.seat or one.number or ''}".strip() for one in faults.evident(table)]


def test_a_hand_should_have_the_cards_that_were_dealt_and_not_taken_away() -> None:
    first, second = Seat(1, "Ann", dealt_in=True), Seat(2, "Bob", dealt_in=True)
    rows: list[tuple[list[Step], int]] = [
        ([], 3),
        ([Step("deal_packet", 1)], 0),
        ([Step("deal_packet", 2), Step("deal_card", 2), Step("replace_card", 2)], 3),
        ([Step("deal_card", 1, number=3)], 2),
        ([Step("deal_card", 1, number=2), Step("deal_card", 2, number=2), Step("deal_card", 1, number=3)], 1),
        ([Step("discard_exposed", 1), Step("replace_card", 1)], 3),
        ([Step("replace_card", 1)], 2),
        ([Step("replace_card", 1), Step("deal_card", 1, number=3)], 1),
        ([Step("discard_exposed", 2), Step("replace_card", 1)], 2),
    ]
    for steps, due in rows:
        assert due == faults.cards_due(a_table(steps=steps, seats=(first, second)), 1), steps
    assert 0 == faults.cards_due(a_table(seats=(Seat(1, "Ann"),)), 1)


def test_the_dealer_should_have_what_was_dealt_and_neither_burned_nor_taken_away() -> None:
    slides = ("slide_left", "slide_right")
    rows: list[tuple[str, str, tuple[str, ...], int]] = [
        (PACKETS, "dealing", ("deal_dealer_packet", *slides, "burn_bottom"), 0),
        (PACKETS, "dealing", (*slides, "burn_bottom"), 3),
        (PACKETS, "dealing", ("burn_bottom",), 3),
        (PACKETS, "dealing", ("discard_community", "replace_community", "burn_bottom"), 3),
        (PACKETS, "dealing", ("replace_community", "burn_bottom"), 2),
        (PACKETS, "dealing", ("unload_stub",), 2),
        (PACKETS, "choice_1", ("turn_community",), 2),
        (PACKETS, "choice_2", (), 2),
        (PACKETS, "settling", (), 2),
        (BY_HAND, "dealing", ("deal_community", "deal_community", "deal_community"), 0),
        (BY_HAND, "dealing", ("deal_community", "deal_community"), 1),
        (BY_HAND, "dealing", ("rack_stub",), 3),
        (BY_HAND, "choice_1", ("burn_first", "turn_community"), 3),
        (BY_HAND, "choice_1", ("turn_community",), 2),
        (BY_HAND, "choice_2", ("turn_community",), 2),
        (BY_HAND, "settling", (), 2),
        (LAST_BURNED, "dealing", ("deal_community", "burn_last"), 2),
        (LAST_BURNED, "dealing", ("burn_last",), 3),
        (LAST_BURNED, "dealing", ("rack_stub",), 2),
        (LAST_BURNED, "choice_1", (), 2),
        (SHOE, "dealing", ("deal_community", "deal_community"), 0),
        (SHOE, "dealing", ("deal_community",), 1),
        (SHOE, "dealing", (), 2),
        (SHOE, "dealing", ("discard_community", "replace_community"), 2),
        (SHOE, "dealing", ("replace_community",), 1),
        (SHOE, "choice_1", (), 2),
    ]
    for book, phase, steps, due in rows:
        assert due == faults.dealer_cards_due(a_table(book, phase, steps)), (book, phase, steps)
    kept = by_another(a_table(phase="choice_1"), burn__card="none")
    assert 3 == faults.dealer_cards_due(kept)  # the third card of the packet stays where it is
    later = by_another(a_table(), burn__when="after_bet_1")
    assert [3, 3, 2] == [
        faults.dealer_cards_due(later),
        faults.dealer_cards_due(replace(later, phase="choice_1", agenda=(Step("burn_bottom"),))),
        faults.dealer_cards_due(replace(later, phase="choice_1")),
    ]


def test_a_community_card_is_early_where_more_lie_face_up_than_were_turned() -> None:
    slides = (Step("slide_left", number=1), Step("slide_right", number=2))
    rows: list[tuple[Table, list[int]]] = [
        (a_table(cards={"community:1": "Ah", "community:2": "Kd^"}), [2]),
        (a_table(cards={"packet": "Ah^ Kd 3c^"}, steps=slides), [1]),
        (a_table(cards={"community:1": "Ah^", "packet": "Kd^ 3c^"}, steps=slides[1:]), [1, 2]),
        (a_table(cards={"packet": "Ah^"}), []),
        (a_table(phase="choice_1", cards={"community:1": "Ah", "community:2": "Kd"}), []),
        (a_table(phase="choice_1", cards={"community:1": "Ah^", "community:2": "Kd^"}), [1, 2]),
        (a_table(phase="choice_1", cards={"packet": "Ah^"}, steps=slides), []),
        (a_table(phase="choice_2", community_up=1, cards={"community:1": "Ah^", "community:2": "Kd"}), []),
        (a_table(phase="choice_2", community_up=1, cards={"community:1": "Ah^", "community:2": "Kd^"}), [2]),
        (a_table(phase="settling", community_up=2, cards={"community:1": "Ah^", "community:2": "Kd^"}), []),
    ]
    for table, early in rows:
        assert early == [number for number, _ in faults.early_community(table)], (table.phase, table.cards)


def test_cards_of_a_hand_are_exposed_while_they_should_lie_face_down() -> None:
    hands = {"hand:1": "Ah^ Kd 3c^", "hand:2": "5c 6c 7c", "hand:3": "9h^"}
    seats = [Seat(number, "Ann", dealt_in=True) for number in (1, 2, 3)]
    table = a_table(cards=hands, seats=seats)
    for phase in ("dealing", "choice_1", "choice_2"):
        assert {1: 2, 3: 1} == faults.exposed_seats(replace(table, phase=phase)), phase
    assert {} == faults.exposed_seats(replace(table, phase="settling"))  # where hands are opened
    assert {} == faults.exposed_seats(by_another(table, deal__face="up"))


def test_the_burn_card_is_the_last_of_the_packet_and_exposed_only_where_cards_lie_face_down() -> None:
    slides = (Step("slide_left", number=1), Step("slide_right", number=2))
    whole = a_table(cards={"packet": "Ah Kd 3c^"}, steps=(*slides, "burn_bottom"))
    assert faults.has_burn(whole)
    assert faults.burn_is_exposed(whole)
    alone = a_table(cards={"packet": "3c^"}, steps=("burn_bottom",))
    assert faults.burn_is_exposed(alone)
    assert not faults.burn_is_exposed(a_table(cards={"packet": "Ah^ Kd^ 3c"}, steps=slides))
    assert not faults.has_burn(a_table(cards={"packet": "Ah Kd^"}, steps=slides))  # a packet that came short
    assert not faults.burn_is_exposed(by_another(whole, deal__face="up"))
    assert not faults.has_burn(by_another(whole, burn__card="none"))


def test_every_card_that_a_deal_exposed_counts_once() -> None:
    assert 0 == faults.cards_exposed(a_table())
    table = a_table(
        cards={"hand:1": "Ah^ Kd^ 2c", "community:1": "9h^", "drawn": "8h^", "packet": "Qh^"},
        steps=("burn_bottom",),
        exposed=4,
    )
    assert 4 + 2 + 1 + 1 + 1 == faults.cards_exposed(table)
    down = replace(table, cards={**table.cards, "drawn": laid("8h"), "packet": laid("Qh")})
    assert 4 + 2 + 1 == faults.cards_exposed(down)
    handled = replace(down, phase="choice_1", seats={1: Seat(1, "Ann", dealt_in=True, looked=True)})
    assert 4 + 2 == faults.cards_exposed(handled)  # what shows after the cards were handled is no part of the deal
    assert 4 + 2 + 1 == faults.cards_exposed(replace(handled, exposed_early=(1,)))
    assert 4 + 2 == faults.cards_exposed(replace(handled, exposed_early=(2,)))


def test_the_deal_goes_on_while_the_deck_has_cards() -> None:
    assert faults.in_deal(a_table(cards={"ready": "2c"}))
    assert not faults.in_deal(a_table())
    assert not faults.in_deal(a_table(phase="choice_1", cards={"ready": "2c"}))


def test_the_deck_in_play_is_the_one_dealt_from_or_the_next_to_be() -> None:
    order = ("ready", "hand:1", "hand:2", "community:1", "community:2", "community:3", "community:4", "nest", "chest")
    table = a_table(seats=(Seat(1), Seat(2)))
    for place, others in ((place, order[index + 1 :]) for index, place in enumerate(order)):
        lying = dict.fromkeys((*others, "rack"), laid("2c 3c"))
        assert 2 == faults.deck_in_play(replace(table, cards={**lying, place: laid("Ah", deck=2)})), place
    assert 1 == faults.deck_in_play(replace(table, cards={"spread": laid("2c 3c")}))


def test_a_card_belongs_to_a_deck_by_its_serial_number() -> None:
    table, face = a_table(), DECK[0]
    known = [number for number in (-53, -1, 0, 51, 52, 104) if faults.belongs(table, CardObject(1, number, face), 1)]
    assert [0, 51] == known
    assert not faults.belongs(table, CardObject(2, 0, face), 1)
    replaced = replace(table, deck_serials={1: frozenset({3, 52})})
    assert [3, 52] == [n for n in (0, 3, 51, 52, 53) if faults.belongs(replaced, CardObject(1, n, face), 1)]
    assert faults.belongs(replaced, CardObject(2, 0, face), 2)


def test_a_deck_is_whole_with_its_52_cards_at_the_table_and_none_beside() -> None:
    deck = tuple(CardObject(1, face.index, face) for face in DECK)
    two = tuple(CardObject(2, face.index, face) for face in DECK)
    alien = laid("Ah*")
    rows: list[tuple[dict[str, tuple[CardObject, ...]], int, bool]] = [
        ({"nest": deck[:50], "rack": deck[50:]}, 52, True),
        ({"nest": deck, "rack": two[1:], "outside": two[:1]}, 52, True),
        ({"nest": deck, "outside": alien}, 52, True),
        ({"nest": deck[1:], "outside": deck[:1]}, 51, False),
        ({"nest": (*deck, *alien)}, 53, False),
        ({"nest": (*deck[1:], *alien)}, 52, False),
    ]
    for cards, count, whole in rows:
        table = replace(a_table(), cards=cards)
        assert (count, whole) == (faults.deck_count(table, 1), faults.deck_is_whole(table, 1)), count


def test_a_card_in_use_is_found_where_it_lies_and_never_outside() -> None:
    unfit, alien = CardObject(1, 99, DECK[0]), CardObject(1, -1, DECK[0])
    three, two = laid("3c 2c")
    table = replace(a_table(), cards={"outside": laid("2c"), "nest": (unfit, alien, three), "rack": (two,)})
    assert (two, "rack") == faults.card_in_use(table, 1, "2c")
    assert (three, "nest") == faults.card_in_use(table, 1, "3c")
    assert (None, None) == (faults.card_in_use(table, 1, "4c"), faults.card_in_use(table, 2, "2c"))


def test_a_foreign_card_is_found_by_the_player_who_looked_at_it() -> None:
    for looked, hand, found in (
        (True, "2c Ah*", True),
        (False, "2c Ah*", False),
        (True, "2c Ah", False),
        (True, "", False),
    ):
        table = a_table(seats=(Seat(1, "Ann", looked=looked),), cards={"hand:1": hand})
        assert found == faults.holds_foreign(table, 1), (looked, hand)


def test_a_round_is_handled_by_one_player_in_it_and_mended_by_a_step_of_a_ruling() -> None:
    ann, bob, gone = Seat(1, dealt_in=True), Seat(2, dealt_in=True, looked=True), Seat(3, looked=True)
    assert faults.is_handled(a_table(seats=(ann, bob)))
    assert not faults.is_handled(a_table(seats=(ann, gone)))
    mended = [faults.is_mending(a_table(steps=steps)) for steps in ((), ("turn_down",), ("ask", "turn_down"))]
    assert [False, True, False] == mended


def test_a_foreign_card_is_in_sight_wherever_it_lies_face_up_on_the_felt() -> None:
    for place in ("hand:1", *places.COMMUNITY, "packet", "drawn", "picked"):
        assert faults.foreign_up(a_table(cards={place: "2c^ Ah^*"})), place
        assert not faults.foreign_up(a_table(cards={place: "2c^ Ah*"})), place
        assert not faults.foreign_up(a_table(cards={place: "2c^ Ah^"})), place
    for place in ("ready", "nest", "rack", "outside"):
        assert not faults.foreign_up(a_table(cards={place: "Ah^*"})), place


def on_felt(*cents: int) -> dict[str, int]:
    return {accounts.felt(1, spot): amount for spot, amount in zip(BASE_SPOTS, cents, strict=True)}


def test_a_bet_is_over_the_maximum_by_what_lies_on_its_spot() -> None:
    seat = Seat(1, "Ann", dealt_in=True)
    table = by_another(a_table(bet_cents_max=500), limit__scope="wager")
    rows: list[tuple[Table, Seat, dict[str, int]]] = [
        (replace(table, accounts=on_felt(500, 500, 500)), seat, {}),
        (replace(table, accounts=on_felt(501, 500, 700)), seat, {"base-1": 1, "base-$": 200}),
        (replace(table, accounts=on_felt(0, 700, 700)), seat, {"base-2": 200, "base-$": 200}),
        (replace(table, accounts=on_felt(700, 700, 700)), replace(seat, choices={1: "withdraw", 2: "ride"}), {"base-2": 200, "base-$": 200}),
        (replace(table, accounts=on_felt(700, 700, 700), bet_cents_max=0), seat, {}),
        (by_another(replace(table, accounts=on_felt(166, 167, 166)), limit__scope="area"), seat, {"base-2": 1}),
    ]  # fmt: skip
    for here, of, over in rows:
        assert over == faults.over_maximum(here, of), (here.accounts, of)


def test_a_bet_is_under_the_minimum_where_there_is_one_and_it_is_less() -> None:
    table = by_another(a_table(bet_cents_min=500), limit__scope="wager")
    rows: list[tuple[dict[Spot, int], bool]] = [
        ({"base-1": 500, "base-2": 500, "base-$": 500}, False),
        ({"base-1": 500, "base-2": 499, "base-$": 500}, True),
        ({"base-1": 1, "base-2": 500, "base-$": 500}, True),
        ({"base-2": 500, "base-$": 500}, False),  # uneven, and none of them too low
        ({"three_card": 100}, False),
    ]
    for wagers, under in rows:
        assert under == faults.under_minimum(table, Seat(1, "Ann", wagers=wagers)), wagers


def ruling(name: str, seat: int = 0, number: int = 0) -> Ruling:
    return Ruling(name=name, sentence="It is so.", seat=seat, number=number)


def test_what_was_ruled_and_let_stand_is_not_reported_again() -> None:
    rows: list[tuple[Ruling, commands.Report, bool]] = [
        (ruling("exposed_community:go_on", number=2), commands.Report(kind="exposed_community", number=2), True),
        (ruling("exposed_community:go_on", number=1), commands.Report(kind="exposed_community", number=2), False),
        (ruling("wrong_burn:go_on"), commands.Report(kind="wrong_burn"), True),
        (ruling("wrong_burn:go_on"), commands.Report(kind="drawn_card"), False),
        (ruling("wrong_burn:put_right"), commands.Report(kind="wrong_burn"), False),
        (ruling("under_minimum:stands", seat=1), commands.Report(kind="under_minimum", seat=1), True),
        (ruling("under_minimum:stands", seat=2), commands.Report(kind="under_minimum", seat=1), False),
        (ruling("uneven_bets:must_correct", seat=1), commands.Report(kind="uneven_bets", seat=1), True),
        (ruling("uneven_bets:correct_or_fold", seat=1), commands.Report(kind="uneven_bets", seat=1), False),
        (ruling("exposed_card:turned_over", seat=1), commands.Report(kind="exposed_card", seat=1), False),
        (ruling("absent:ride", seat=1), commands.Report(kind="absent", seat=1), False),  # for each bet anew
    ]
    for one, report, ruled in rows:
        assert ruled == faults.was_ruled(a_table(rulings=(ruling("deck:counted"), one)), report), (one.name, report)
    low = Seat(1, "Ann", dealt_in=True, wagers=dict.fromkeys(BASE_SPOTS, 100))
    table = a_table(SHOE, seats=(low,), bet_cents_min=500, phase="choice_1")
    table = replace(table, cards={"hand:1": laid("2c 3c 4c"), "community:1": laid("5c"), "community:2": laid("6c")})
    assert ["under_minimum 1"] == seen(table)
    assert [] == seen(replace(table, rulings=(ruling("under_minimum:stands", seat=1),)))
    assert [] == seen(replace(table, phase="between"))


def test_a_dealer_sees_all_that_is_wrong_and_the_most_urgent_first() -> None:
    uneven = Seat(1, "Ann", dealt_in=True, wagers={"base-1": 100, "base-2": 500, "base-$": 500})
    alone = Seat(2, "Bob", dealt_in=True, wagers={"three_card": 500})
    not_dealt = Seat(3, "Cy", wagers={"base-1": 100})
    void = Seat(4, "Dee", void=True)
    stray, empty = Seat(5, "Eve"), Seat(6)
    hands = {"hand:1": "2c 3c", "hand:2": "4c 5c 6c", "hand:4": "7c 8c 9c", "hand:5": "2d 3d 4d"}
    table = a_table(
        SHOE,
        cards={**hands, "community:1": "Ah", "ready": STUB},
        steps=(Step("deal_community", number=2),),
        seats=(uneven, alone, not_dealt, void, stray, empty),
        bet_cents_min=500,
        bet_cents_max=600,
        accounts=on_felt(100, 500, 700),
    )
    bets = ["uneven_bets 1", "over_maximum 1", "under_minimum 1"]
    assert ["hand_count 1", "stray_hand 5", *bets] == seen(table)
    assert "house" == table.rules.rules.bank.mode
    assert ["hand_count 1", "over_maximum 1"] == seen(replace(table, phase="settling"))
    collected = {place: held for place, held in table.cards.items() if place != "hand:1"}
    assert ["over_maximum 1"] == seen(replace(table, phase="settling", cards=collected))
    banked = a_table("california-1", "settling", seats=(uneven,), bet_cents_max=600, accounts=table.accounts)
    assert [] == seen(banked)  # a bank has paid by the stake that was there
    cards = {
        "hand:1": laid("2c^ 3c 4c"),
        "hand:2": laid("5c 6c 7c"),
        "community:1": laid("Ah^*"),
        "drawn": laid("Kh"),
        "ready": laid(STUB),
    }
    wrong = replace(
        table, cards=cards, misburned=Move(laid("9h")[0], "community:2", "rack", up=False), seats={2: alone}
    )
    first = ["deck", "exposed_community 1", "drawn_card", "wrong_burn"]
    assert first == seen(wrong)
    shown = replace(wrong, seats={1: Seat(1, "Ann", dealt_in=True), 2: alone})
    assert ["deck", "exposed_card 1", *first[1:]] == seen(shown)
    packet = a_table(cards={"hand:1": "2c 3c 4c", "packet": "Kh^"}, steps=("burn_bottom",))
    assert ["exposed_burn", "dealer_count"] == seen(packet)
    away = replace(wrong, cards={}, misburned=None, seats={}, agenda=(Step("await_choice", 2, number=1),))
    for gone in (True, False):
        player = {2: Seat(2, "Bob", away=gone)}
        assert ["absent 2"] * gone == seen(replace(away, seats=player, phase="settling"))
    assert [] == seen(replace(away, seats={2: Seat(2, away=True)}, phase="settling", agenda=(Step("ask", 2),)))


def test_a_deck_is_unloaded_where_it_cannot_give_the_dealers_packet() -> None:
    due = (Step("deal_dealer_packet"), Step("slide_left", number=1))
    rows: list[tuple[Table, bool]] = [
        (a_table(steps=due), True),
        (a_table(steps=due, cards={"ready": "2c 3c"}), True),
        (a_table(steps=due, cards={"ready": "2c 3c 4c"}), False),
        (a_table(steps=(Step("deal_packet", 2), *due)), False),
        (a_table(steps=(Step("swap_decks"), Step("deal_packet", 2), *due)), False),
        (a_table(steps=due[1:]), False),
    ]
    for table, unloaded in rows:
        assert unloaded == faults.is_unloaded(table), (table.agenda, table.cards)
        assert unloaded == ("unloaded" in seen(table))


def test_a_step_is_blocked_where_the_cards_for_it_are_not_there() -> None:
    due = {"deal_packet": 3, "deal_dealer_packet": 3, "deal_card": 1, "deal_community": 1}
    for kind, least in (due | {"replace_card": 1, "replace_community": 1}).items():
        step = Step(kind, 1, number=1)
        stub = STUB.split()
        ready = [faults.blocked(a_table(cards={"ready": " ".join(stub[:count])}), step) for count in range(5)]
        assert ["" if count >= least else ready[count] for count in range(5)] == ready, kind
        assert all(why.startswith("the deck has ") for why in ready[:least]), ready
    assert "the deck has 2 cards left" == faults.blocked(a_table(cards={"ready": "2c 3c"}), Step("deal_packet", 1))
    for kind in ("slide_left", "slide_right", "burn_bottom"):
        assert "the dealer's packet has no card left" == faults.blocked(a_table(), Step(kind)), kind
        assert "" == faults.blocked(a_table(cards={"packet": "2c"}), Step(kind)), kind
    for kind, place, other in (("burn_first", 1, 3), ("burn_last", 3, 1)):
        beside = {places.community(2): "2c", places.community(other): "3c"}
        assert "there is no card to burn" == faults.blocked(a_table(cards=beside), Step(kind)), kind
        assert "" == faults.blocked(a_table(cards={places.community(place): "2c"}), Step(kind)), kind
    assert "" == faults.blocked(a_table(), Step("call_no_more_bets"))


def test_no_community_card_is_turned_while_the_dealers_are_too_many_or_too_few() -> None:
    turns = [Step("turn_community", number=1), Step("turn_community", number=2), Step("move_community", number=1)]
    right = {"hand:1": "2c 3c 4c", "community:1": "Ah", "community:2": "Kh"}
    why = "the dealer's cards are too many or too few"
    rows: list[tuple[dict[str, str], list[str]]] = [
        (right, ["", "", ""]),
        (right | {"community:2": ""}, [why] * 3),
        (right | {"packet": "9h"}, [why] * 3),
        (right | {"hand:1": "2c 3c"}, ["", "", ""]),  # a hand is counted when it is seen
        (right | {"hand:1": "2c 3c 4c 5c"}, ["", "", ""]),
    ]
    seats = (Seat(1, "Ann", dealt_in=True), Seat(2, "Bob"))
    for cards, blocked in rows:
        table = a_table(phase="choice_2", cards=cards, seats=seats)
        assert blocked == [faults.blocked(table, step) for step in turns], cards


def test_a_hand_that_cannot_be_read_is_neither_paid_nor_taken() -> None:
    board = {"community:1": "Ah", "community:2": "Kh"}
    rows = [("2c 3c 4c", ""), ("2c 3c Ah*", "seat 1 has a card twice"), ("2c 3c Joker*", "seat 1 has a joker")]
    rows += [("2c 3c", "seat 1 has 2 cards"), ("2c 3c 4c 5c", "seat 1 has 4 cards"), ("", "")]
    for hand, why in rows:
        table = a_table(phase="settling", cards={**board, "hand:1": hand})
        for kind in ("pay", "take", "return_wager", "pick_up", "leave_exposed", "collect_hand"):
            assert why == faults.blocked(table, Step(kind, 1, "base-1")), (kind, hand)
            assert "" == faults.blocked(replace(table, phase="choice_1"), Step(kind, 1, "three_card")), (kind, hand)
        assert "" == faults.blocked(table, Step("open_hand", 1))
