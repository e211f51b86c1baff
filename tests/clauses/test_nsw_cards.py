"""New South Wales and its cards: who checks a deck before it is used, and how unfit cards are replaced."""

from __future__ import annotations

from typing import Any

import pytest

from letitride.engine import commands, events, faults
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    happened,
    played,
    refusal,
    rulings,
    step,
    steps,
)


@pytest.mark.clause("nsw:3.7.s1", "nsw:3.4")
@pytest.mark.parametrize("device", ["", "+shuffler", "+two_decks"])
def test_single_unfit_cards_are_replaced_and_the_deck_checked_and_mixed_before_it_is_used(
    book: RuleBook, device: str
) -> None:
    body = f"{WHOLE_ROUND}\nround\ncasino_supervisor orders change_deck cards Th,Ks because they are bent\n"
    done = played(book.id + device, body + THREE_SEATS.partition("round")[2] + CHOICES)
    (ruling,) = rulings(done)
    assert ("order:change_cards", ("nsw:3.7.s1",)) == (ruling.name, ruling.clauses)
    words = steps(done)
    changes = [n for n, one in enumerate(words) if one.startswith("change_card")]
    deck = int(words[changes[0]].split()[-1])
    old, new = in_use(step(done, words[changes[0]]).before, deck), in_use(step(done, words[changes[-1]]).after, deck)
    assert sorted(old.values()) == sorted(new.values())
    assert {"Th", "Ks"} == {new[serial] for serial in new.keys() - old.keys()}
    assert {"Th", "Ks"} == {old[serial] for serial in old.keys() - new.keys()}
    away = step(done, words[changes[-1]]).after.at("outside")
    assert not any(faults.belongs(done.table, card, deck) for card in away)  # no shuffle takes an unfit card again
    assert f"check_deck {deck}" == words[changes[-1] + 1]
    rest = words[changes[-1] :]
    mixed = next(n for n, one in enumerate(rest) if one in {f"shuffle_deck {deck}", f"start_shuffle {deck}"})
    dealt = next(n for n, one in enumerate(rest) if one.startswith("deal_"))
    assert mixed < dealt
    assert not device or "cut_deck 1" not in rest
    second = next(one.after for one in done.steps if one.after.round == 2 and one.after.phase == "choice_1")
    (ten,) = [card for card in second.at("hand:1") if str(card.face) == "Th"]
    assert ten.serial in new.keys() - old.keys()  # the next round is dealt with it
    assert "settled" == done.outcomes[1].status


def in_use(table: Table, deck: int) -> dict[int, str]:
    """Return the cards of a deck that are at the table, by their serial numbers."""
    held = (card for place, cards in table.cards.items() if place != "outside" for card in cards)
    return {card.serial: str(card.face) for card in held if card.deck == deck}


@pytest.mark.clause("nsw:3.7.s1")
def test_cards_are_changed_by_a_supervisor_between_rounds_and_only_those_the_deck_has(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    bets_down = next(one.after for one in reversed(done.steps) if one.after.seats[7].wagers)
    at_rest = next(one.after for one in done.steps if one.after.phase == "betting")

    def refused(table: Table, *cards: str, by: str = "casino_supervisor", **more: Any) -> str:
        return refusal(table, commands.Order(**{"by": by, "kind": "change_deck", "cards": cards, **more}))

    assert "round_running" == refused(bets_down, "Th")
    assert "not_your_role" == refused(at_rest, "Th", by="dealer")
    assert "no_such_card" == refused(at_rest, "Th", "Xx")
    assert "bad_cards" == refused(at_rest, "Th", "Th")
    assert "bad_cards" == refused(at_rest, "Th", kind="count")
    assert "no_such_deck" == refused(at_rest, "Th", number=2)


@pytest.mark.clause("nsw:3.4", "nsw:3.7.s2")
@pytest.mark.parametrize("device", ["", "+shuffler", "+two_decks"])
def test_a_deck_that_fails_its_check_is_replaced_whole_before_a_card_is_dealt(book: RuleBook, device: str) -> None:
    change = "round\nmissing 7c\ncasino_supervisor orders change_deck cards Ks because it is bent\n"
    done = played(book.id + device, WHOLE_ROUND + "\n" + change + THREE_SEATS.partition("round")[2] + CHOICES)
    checks = [
        event for event in happened(done) if isinstance(event, events.StepDone) and event.step.kind == "check_deck"
    ]
    before = 2 if device == "+two_decks" else 1
    assert [52] * before + [51, 52] == [event.found for event in checks]
    assert "51 cards, not the 52 of the deck" == checks[before].says
    words = steps(done)
    failed = [n for n, one in enumerate(words) if one.startswith("check_deck")][before]
    deck = checks[before].step.number
    assert words[failed + 1 : failed + 4] == [f"remove_deck {deck}", f"introduce_deck {deck}", f"check_deck {deck}"]
    assert not any(one.startswith("deal_") for one in words[failed : words.index(f"introduce_deck {deck}")])
    second = next(one.after for one in done.steps if one.after.round == 2 and one.after.phase == "choice_1")
    assert all(card.serial >= 52 for number in (1, 3, 7) for card in second.at(f"hand:{number}"))


@pytest.mark.clause("nsw:3.4")
def test_a_deck_is_checked_by_the_dealer_a_casino_supervisor_or_a_device_and_by_no_one_else(book: RuleBook) -> None:
    table, _ = open_table(catalog.ready_rules(book.id))
    for by in ("dealer", "games_supervisor", "casino_supervisor", "machine"):
        after, outcome = play(table, commands.Do(by=by, kind="check_deck", number=1))
        assert not isinstance(outcome, Refusal), by
        (checked,) = [event for event in outcome if isinstance(event, events.StepDone)]
        assert (52, "52 cards, all of them right") == (checked.found, checked.says)
        assert "idle" == after.phase  # what follows is up to the players
    for by in ("floor", "inspector", "spectator", "seat:1"):
        assert "not_your_role" == refusal(table, commands.Do(by=by, kind="check_deck", number=1))
    assert "not_your_role" == refusal(table, commands.Do(by="machine", kind="shuffle_deck", number=1))
    unchecked = commands.Do(by="dealer", kind="shuffle_deck", number=1, order=tuple(map(str, DECK)))
    assert "out_of_order" == refusal(table, unchecked)  # no card is used before the check
    manual, _ = open_table(catalog.ready_rules("shufflemaster-1"))
    while manual.next_step is not None and manual.next_step.kind != "check_deck":
        step_ = manual.next_step
        manual, _ = play(manual, commands.Do(kind=step_.kind, wager=step_.wager, number=step_.number))
    assert "not_your_role" == refusal(manual, commands.Do(by="machine", kind="check_deck", number=1))
