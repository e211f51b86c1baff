"""Mishaps: what can go wrong when, what cannot, and where cards and chips lie afterwards."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.engine import commands, events, faults, places
from letitride.engine.decide import play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.rules.cards import DECK
from tests.engine.recorded import at, by_another, recorded

NSW = "new-south-wales"
ORDER = tuple(map(str, DECK))


def mishap(kind: str, **said: Any) -> commands.Mishap:
    values = {"by": "table"} | said
    return commands.Mishap(kind=kind, **values)  # type: ignore[arg-type]  # kinds by name


def code(table: Table, kind: str, **said: Any) -> str:
    """Why a mishap cannot have happened, or ''."""
    refusal = legal(table, mishap(kind, **said))
    return refusal.code if refusal else ""


def played(table: Table, told: commands.Mishap) -> list[events.MishapHappened]:
    """What is kept of a mishap."""
    _, outcome = play(table, told)
    assert not isinstance(outcome, Refusal), outcome
    return [event for event in outcome if isinstance(event, events.MishapHappened)]


def after(table: Table, kind: str, **said: Any) -> Table:
    """The table after a mishap."""
    found, outcome = play(table, mishap(kind, **said))
    assert not isinstance(outcome, Refusal), outcome
    return found


def dealing(name: str = NSW) -> Table:
    """A table in mid-deal: every hand has cards, and the deal goes on."""
    return at(name, "dealing", last=True)


def with_cards(table: Table, place: str, count: int) -> Table:
    """The table with so many cards in a place, the others gone."""
    return msgspec.structs.replace(table, cards={**table.cards, place: table.at(place)[:count]})


def sentence(table: Table, kind: str, **said: Any) -> str:
    """What is said of a mishap that cannot have happened."""
    refusal = legal(table, mishap(kind, **said))
    return refusal.sentence if refusal else ""


def test_a_refusal_says_where_nothing_can_go_wrong_in_this_deal_any_more() -> None:
    table, asked = dealing(), at(NSW, "choice_1")
    assert len(table.at(places.hand(4))) > 1
    for kind in ("exposed", "long", "short", "bets"):
        for one in (table, asked):
            assert "Seat 2 isn't dealt in." == sentence(one, kind, seat=2), kind
        assert "isn't dealt in" not in sentence(asked, kind, seat=4), kind
    for seat, words in ((4, "Seat 4 is dealt in"), (2, "happens only while cards are dealt")):
        assert words in sentence(asked, "stray", seat=seat)
    for kind in ("exposed", "stray"):  # who is dealt in is not known before
        for seat in (2, 4):
            found = sentence(at(NSW, "betting", last=True), kind, seat=seat)
            assert "happens only while cards are dealt" in found, (kind, seat)
    last = len(table.at(places.hand(4)))
    for number in (1, last):
        shown = after(table, "exposed", seat=4, number=number)
        assert f"Card {number} is already face up." == sentence(shown, "exposed", seat=4, number=number)
        assert "at this point of the round" in sentence(shown, "exposed", seat=4, number=last + 1)
    assert "at this point of the round" in sentence(shown, "exposed", seat=4)  # its last card, which is not named
    for number in (1, 2):
        shown = after(asked, "exposed", number=number)
        assert f"Card {number} is already face up." == sentence(shown, "exposed", number=number)
    burns = next(
        step.after
        for step in recorded("examples/hand-dealt").steps
        if step.after.agenda[:1] and step.after.agenda[0].kind == "burn_first"
    )
    face_up = {
        place: tuple(msgspec.structs.replace(card, up=True) for card in burns.at(place)) for place in places.COMMUNITY
    }
    assert "" == code(msgspec.structs.replace(burns, cards={**burns.cards, **face_up}), "burn", number=2)


@pytest.mark.parametrize(
    ("kind", "said", "expected"),
    [
        ("exposed", {"seat": 4, "by": "dealer"}, "not_your_role"),
        ("drawn", {"seat": 4}, "bad_mishap"),
        ("long", {"seat": 4, "number": 1}, "bad_mishap"),
        ("unloaded", {"number": 1}, "bad_mishap"),
        ("drawn", {"number": 2}, "bad_mishap"),
        ("burn", {"number": 4}, "bad_mishap"),
        ("exposed", {"seat": 4, "number": 10}, "bad_mishap"),
        ("exposed", {"seat": 4, "number": 9}, "not_now"),
        ("exposed", {"seat": 4, "number": -1}, "bad_mishap"),
        ("exposed", {"seat": 4, "wagers": {"base-1": 500}}, "bad_mishap"),
        ("bets", {"seat": 4, "wagers": {"three_card": 500}}, "bad_mishap"),
        ("exposed", {"seat": 99}, "no_such_seat"),
    ],
)
def test_a_mishap_says_where_it_happened_and_no_more(kind: str, said: dict[str, Any], expected: str) -> None:
    assert code(dealing(), kind, **said) == expected


def test_a_card_of_a_hand_is_exposed_while_it_is_dealt() -> None:
    table = dealing()
    hand = places.hand(4)
    held = len(table.at(hand))
    assert held > 1
    for number in range(1, held + 1):
        shown = after(table, "exposed", seat=4, number=number).at(hand)
        assert [card.up for card in shown] == [place == number for place in range(1, held + 1)]
    once = after(table, "exposed", seat=4, number=1)
    assert code(once, "exposed", seat=4, number=1) == "not_now"
    assert [card.up for card in after(once, "exposed", seat=4).at(hand)][:: held - 1] == [True, True]
    assert code(table, "exposed", seat=4, number=held + 1) == "not_now"
    assert code(table, "exposed", seat=2) == "not_now"
    assert code(at(NSW, "choice_1"), "exposed", seat=4) == "not_now"
    assert code(with_cards(table, places.READY, 0), "exposed", seat=4) == "not_now"
    assert code(by_another(table, deal__face="up"), "exposed", seat=4) == "not_now"


def test_a_community_card_is_exposed_until_it_is_turned() -> None:
    table = at(NSW, "choice_1")
    shown = after(table, "exposed", number=2)
    assert [card.up for card in shown.community()] == [False, True]
    assert code(shown, "exposed", number=2) == "not_now"
    assert code(shown, "exposed", number=1) == ""
    assert after(table, "exposed").cards == shown.cards  # without a number it is the last
    assert code(table, "exposed", number=3) == "not_now"
    assert code(at(NSW, "dealing"), "exposed") == "not_now"
    assert code(at(NSW, "settling"), "exposed", number=1) == "not_now"
    assert code(msgspec.structs.replace(table, phase="betting"), "exposed", number=1) == "not_now"


@pytest.mark.parametrize("kind", ["long", "short"])
def test_a_hand_that_is_right_becomes_too_long_or_too_short(kind: str) -> None:
    table = dealing()
    hand = places.hand(4)
    held, ready = table.at(hand), table.at(places.READY)
    wrong = after(table, kind, seat=4)
    if kind == "long":
        assert wrong.at(hand) == (*held, ready[0])
        assert wrong.at(places.READY) == ready[1:]
    else:
        assert wrong.at(hand) == held[:-1]
        assert wrong.at(places.READY)[0].serial == held[-1].serial
        assert len(wrong.at(places.READY)) == len(ready) + 1
    assert code(wrong, kind, seat=4) == "not_now"
    assert code(table, kind, seat=2) == "not_now"
    assert code(with_cards(table, places.READY, 0), kind, seat=4) == "not_now"
    turned = {**table.cards, places.READY: (msgspec.structs.replace(ready[0], up=True), *ready[1:])}
    assert after(msgspec.structs.replace(table, cards=turned), kind, seat=4).at(hand)[-1].up is (kind == "long")


@pytest.mark.parametrize("kind", ["long", "short"])
@pytest.mark.parametrize(("name", "step"), [("manufacturer", "slide_left"), ("hand-dealt", "rack_stub")])
def test_the_dealer_s_cards_are_too_many_or_too_few_while_they_are_dealt(kind: str, name: str, step: str) -> None:
    dealt = [one.after for one in recorded(f"examples/{name}").steps if one.after.phase == "dealing"]
    table = next(one for one in dealt if one.agenda[0].kind == step)
    wrong = after(table, kind)
    more = 1 if kind == "long" else -1
    assert faults.dealer_cards(wrong) == 3 + more
    assert len(wrong.at(places.READY)) == len(table.at(places.READY)) - more
    for again in ("long", "short"):
        assert code(wrong, again) == "not_now"  # what is wrong already is not made worse
    assert code(with_cards(table, places.READY, 0), kind) == "not_now"
    assert code(dealt[0], kind) == "not_now"
    assert code(at(name, "choice_1"), kind) == "not_now"
    single = [one for one in dealt if faults.dealer_cards(one) == 1]
    assert [code(one, kind) for one in single] == [""] * len(single)
    assert bool(single) is (name == "hand-dealt")
    if name == "manufacturer":  # once a card was slid the packet is not what is counted
        assert code(next(one for one in dealt if one.agenda[0].kind == "slide_right"), kind) == "not_now"


def test_a_hand_strays_to_a_seat_that_is_not_in_the_round() -> None:
    table = dealing()
    ready = table.at(places.READY)
    stray = after(table, "stray", seat=2)
    assert stray.at(places.hand(2)) == ready[:3]
    assert stray.at(places.READY) == ready[3:]
    assert code(stray, "stray", seat=2) == "not_now"
    assert code(table, "stray", seat=4) == "not_now"
    assert code(table, "stray") == "not_now"
    assert code(with_cards(table, places.READY, 3), "stray", seat=2) == ""
    assert code(with_cards(table, places.READY, 2), "stray", seat=2) == "not_now"
    for values in ({"void": True}, {"dealt_in": True}):
        seat = msgspec.structs.replace(table.seats[2], **values)
        assert code(msgspec.structs.replace(table, seats={**table.seats, 2: seat}), "stray", seat=2) == "not_now"


def test_a_card_is_drawn_in_error_face_down_or_up() -> None:
    table = dealing()
    ready = table.at(places.READY)
    for number in (0, 1):
        drawn = after(table, "drawn", number=number)
        assert [(card.serial, card.up) for card in drawn.at(places.DRAWN)] == [(ready[0].serial, bool(number))]
        assert drawn.at(places.READY) == ready[1:]
        assert code(drawn, "drawn") == "not_now"
    turned = (msgspec.structs.replace(ready[0], up=True), *ready[1:])
    in_deck = msgspec.structs.replace(table, cards={**table.cards, places.READY: turned})
    assert after(in_deck, "drawn").at(places.DRAWN)[0].up
    assert code(with_cards(table, places.READY, 0), "drawn") == "not_now"
    assert at(NSW, "choice_1").at(places.READY)
    assert code(at(NSW, "choice_1"), "drawn") == "not_now"


def test_the_burn_card_of_the_packet_is_exposed_once() -> None:
    table = next(
        step.after
        for step in recorded("examples/manufacturer").steps
        if step.after.phase == "dealing" and code(step.after, "exposed_burn") == ""
    )
    packet = table.at(places.PACKET)
    shown = after(table, "exposed_burn")
    assert [card.serial for card in shown.at(places.PACKET)] == [card.serial for card in packet]
    assert [card.up for card in shown.at(places.PACKET)] == [*(card.up for card in packet[:-1]), True]
    assert code(shown, "exposed_burn") == "not_now"
    assert code(dealing(), "exposed_burn") == "not_now"


def test_the_rest_of_the_deck_comes_out_before_the_dealer_s_packet() -> None:
    found = {
        tuple(one.kind for one in step.after.agenda): code(step.after, "unloaded") == ""
        for step in recorded("examples/manufacturer").steps
        if step.after.phase == "dealing" and step.after.at(places.READY)
    }
    assert set(found.values()) == {True, False}
    for kinds, possible in found.items():
        assert possible == ("deal_dealer_packet" in kinds and "deal_packet" not in kinds)
    table = next(
        step.after
        for step in recorded("examples/manufacturer").steps
        if step.after.phase == "dealing" and code(step.after, "unloaded") == ""
    )
    out = after(table, "unloaded")
    assert not out.at(places.READY)
    assert {card.serial for card in table.at(places.READY)} <= {card.serial for card in out.at(places.RACK)}
    assert code(with_cards(table, places.READY, 0), "unloaded") == "not_now"


def test_bets_that_lie_wrong_are_changed_by_their_player_s_own_chips() -> None:
    table = dealing()
    assert set(table.seats[4].wagers) >= {"base-1", "base-2", "base-$"}
    base = [table.seats[4].wagers[spot] for spot in ("base-1", "base-2", "base-$")]
    stack = accounts.stack(4)
    spare = table.cents(stack)
    uneven = after(table, "bets", seat=4, wagers={"base-1": 0, "base-2": base[1], "base-$": base[2]})
    assert uneven.cents(stack) == spare + base[0]
    assert "base-1" not in uneven.seats[4].wagers
    sided = msgspec.structs.replace(table.seats[4], wagers={**table.seats[4].wagers, "three_card": 300})
    beside = msgspec.structs.replace(table, seats={**table.seats, 4: sided})
    assert after(beside, "bets", seat=4, wagers={"base-2": 700}).seats[4].wagers == {"base-2": 700, "three_card": 300}
    everything = {"base-1": base[0] + spare, "base-2": base[1], "base-$": base[2]}
    assert after(table, "bets", seat=4, wagers=everything).cents(stack) == 0
    assert code(table, "bets", seat=4, wagers=everything | {"base-2": base[1] + 1}) == "not_now"
    assert code(table, "bets", seat=4, wagers={"base-1": 0, "base-2": 0, "base-$": 0}) == "not_now"
    assert code(table, "bets", seat=4, wagers={"base-1": -1, "base-2": 500, "base-$": 500}) == "not_now"
    assert code(table, "bets", seat=2, wagers={"base-1": 500}) == "not_now"
    assert code(table, "bets", wagers={"base-1": 500}) == "not_now"
    assert code(at(NSW, "betting", last=True), "bets", seat=4, wagers={"base-1": 500}) == "not_now"
    bare = {"base-2": base[1], "base-$": base[2]}  # what a spot without a bet gets is new
    assert code(uneven, "bets", seat=4, wagers={**bare, "base-1": base[0] + spare}) == ""
    assert code(uneven, "bets", seat=4, wagers={**bare, "base-1": base[0] + spare + 1}) == "not_now"
    undealt = at(NSW, "dealing")
    assert code(undealt, "bets", seat=4, wagers={"base-1": 500}) == ""
    assert code(by_another(undealt, bet__cutoff="first_card"), "bets", seat=4, wagers={"base-1": 500}) == "not_now"
    for values in ({"dealt_in": False}, {"wagers": {}}):
        seat = msgspec.structs.replace(table.seats[4], **values)
        other = msgspec.structs.replace(table, seats={**table.seats, 4: seat})
        assert code(other, "bets", seat=4, wagers={"base-1": base[0]}) == "not_now"


def test_the_wrong_community_card_is_burned() -> None:
    moments = [
        step.after
        for step in recorded("examples/hand-dealt").steps
        if step.after.agenda and step.after.agenda[0].kind in {"burn_first", "burn_last"}
    ]
    assert moments
    moments += [msgspec.structs.replace(one, agenda=(Step("burn_last"), *one.agenda[1:])) for one in moments]
    for table in moments:
        due = {"burn_first": 1, "burn_last": 3}[table.agenda[0].kind]
        lying = [number for number in (1, 2, 3) if table.at(places.community(number))]
        for number in (0, 1, 2, 3):
            possible = number in lying and number != due
            assert code(table, "burn", number=number) == ("" if possible else "not_now")
            if possible:
                burned = after(table, "burn", number=number)
                assert not burned.at(places.community(number))
                assert len(burned.at(places.RACK)) == len(table.at(places.RACK)) + 1
        gone = msgspec.structs.replace(table, cards={**table.cards, places.community(2): ()})
        assert code(gone, "burn", number=2) == "not_now"
    assert code(dealing(), "burn", number=1) == "not_now"
    asked = at("hand-dealt", "choice_1")
    assert asked.at(places.community(2))
    assert code(asked, "burn", number=2) == "not_now"
    assert [event.number for event in played(moments[0], mishap("burn", number=2))] == [2]


@pytest.mark.parametrize("kind", ["device_jam", "device_failure"])
def test_no_card_comes_off_a_deck_that_is_to_be_mixed_again(kind: str) -> None:
    def done(table: Table, command: commands.AnyCommand) -> Table:
        after, outcome = play(table, command)
        assert not isinstance(outcome, Refusal), outcome
        return after

    tables = [step.after for step in recorded("irregularities/device-jam/nsw-1").steps]
    table = next(one for one in tables if one.phase == "dealing" and one.agenda[0].kind == "deal_packet")
    assert ("", "") == (code(table, "stray", seat=2), code(table, "drawn"))
    table = done(table, commands.Report(by="floor", kind=kind))  # type: ignore[arg-type]  # kinds by name
    told = "No card comes off the deck before it is gathered and mixed again."
    while table.agenda[0].kind != "deal_packet":
        if any(step.kind == "gather_deck" for step in table.agenda):
            assert (told, told) == (sentence(table, "stray", seat=2), sentence(table, "drawn"))
        step = table.agenda[0]
        brought: dict[str, Any] = {"order": ORDER} if step.kind == "start_shuffle" else {}
        table = done(table, commands.Do(by=KINDS[step.kind].actor, kind=step.kind, number=step.number, **brought))
    assert 52 == len(table.at(places.READY))
    assert ("", "") == (code(table, "stray", seat=2), code(table, "drawn"))
