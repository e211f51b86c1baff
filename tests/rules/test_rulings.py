"""Rulings: what every value of every key says about every situation, and how it is said."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from letitride.engine.commands import Report
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.rules import catalog
from letitride.rules.keys import Rules
from letitride.rules.rulings import REPORTED, THEN, VOIDS, WHAT, Decision, Irregularity, Situation, Verdict, rule

VOID = "irreg.exposed_many=hands_void"
HANDLED: dict[str, Any] = {"hands": 3, "looked": 1}
"""One of three players has looked."""
MANY: dict[str, Any] = {"in_deal": True, "exposed": 2}


def rules_with(*values: str) -> Rules:
    """Return the default rules with some keys set: 'irreg.exposed_one=replaced'."""
    rules = Rules()
    for one in values:
        name, _, value = one.partition("=")
        section, _, key = name.partition(".")
        changed = msgspec.structs.replace(getattr(rules, section), **{key: value})
        rules = msgspec.structs.replace(rules, **{section: changed})
    return rules


def ruled(values: str, kind: Any, facts: dict[str, Any]) -> tuple[str, str, set[str]]:
    """Return the ruling's name, its key, and what else is ordered."""
    found = rule(rules_with(*values.split()), Situation(kind=kind, **facts))
    more = {name for name in ("count_deck", "check_deck", "new_deck", "new_device") if getattr(found, name)}
    return found.name, found.key, more


@pytest.mark.parametrize(
    ("values", "kind", "facts", "name", "key"),
    [
        # One card: replaced while cards are dealt; found later it has its hand already.
        ("irreg.exposed_one=replaced", "exposed_card", {"in_deal": True}, "exposed_card:replaced", "irreg.exposed_one"),
        ("irreg.exposed_one=replaced", "exposed_card", {}, "exposed_card:turned_over", "irreg.exposed_one"),
        ("", "exposed_card", {"in_deal": True}, "exposed_card:turned_over", "irreg.exposed_one"),
        ("", "exposed_card", {}, "exposed_card:turned_over", "irreg.exposed_one"),
        # More than one: by the book, in the deal and after it.
        ("", "exposed_card", MANY, "exposed_cards:misdeal", "irreg.exposed_many"),
        ("", "exposed_card", {"exposed": 2}, "exposed_late:misdeal", "irreg.exposed_many"),
        ("", "exposed_card", {"exposed": 2, **HANDLED}, "exposed_late:misdeal", "irreg.exposed_many"),
        ("irreg.exposed_many=hands_void", "exposed_card", MANY, "exposed_cards:hands_void", "irreg.exposed_many"),
        (
            "irreg.exposed_many=hands_void",
            "exposed_card",
            {"exposed": 2},
            "exposed_late:hands_void",
            "irreg.exposed_many",
        ),
        (
            "irreg.exposed_many=hands_void",
            "exposed_card",
            {"exposed": 2, **HANDLED},
            "exposed_card:turned_over",
            "irreg.exposed_many",
        ),
        ("", "exposed_cards", MANY, "exposed_cards:misdeal", "irreg.exposed_many"),
        ("", "exposed_late", {"exposed": 2}, "exposed_late:misdeal", "irreg.exposed_many"),
        # The burn card goes to the rack alone, and counts among others.
        ("", "exposed_burn", {"in_deal": True}, "exposed_burn:burned", "irreg.exposed_one"),
        ("", "exposed_burn", MANY, "exposed_cards:misdeal", "irreg.exposed_many"),
        (VOID, "exposed_burn", {"exposed": 2, **HANDLED}, "exposed_burn:burned", "irreg.exposed_many"),
        # A community card.
        ("", "exposed_community", {"in_deal": True}, "exposed_community:misdeal", "irreg.exposed_community"),
        ("", "exposed_community", {}, "exposed_community:misdeal", "irreg.exposed_community"),
        ("", "exposed_community", HANDLED, "exposed_community:go_on", "irreg.exposed_community"),
        ("", "exposed_community", MANY, "exposed_cards:misdeal", "irreg.exposed_many"),
        ("", "exposed_community", {"exposed": 2, **HANDLED}, "exposed_community:go_on", "irreg.exposed_community"),
        (
            "irreg.exposed_community=as_player_card",
            "exposed_community",
            {"in_deal": True},
            "exposed_community:turned_over",
            "irreg.exposed_community",
        ),
        (
            "irreg.exposed_community=as_player_card irreg.exposed_one=replaced",
            "exposed_community",
            {"in_deal": True},
            "exposed_community:replaced",
            "irreg.exposed_community",
        ),
        (
            "irreg.exposed_community=as_player_card",
            "exposed_community",
            HANDLED,
            "exposed_community:go_on",
            "irreg.exposed_community",
        ),
        # A card drawn in error: unseen it is the next card, seen it is an exposed one.
        ("", "drawn_card", {}, "drawn_card:used_next", "irreg.unseen_extra"),
        ("", "drawn_card", {"exposed": 2}, "drawn_card:used_next", "irreg.unseen_extra"),
        ("", "drawn_card", {"seen": True}, "drawn_card:used_next", "irreg.exposed_one"),
        (
            "irreg.exposed_one=replaced",
            "drawn_card",
            {"seen": True},
            "drawn_card:discarded",
            "irreg.exposed_one",
        ),
        ("", "drawn_card", {"seen": True, **MANY}, "exposed_cards:misdeal", "irreg.exposed_many"),
        (VOID, "drawn_card", {"seen": True, "exposed": 2, **HANDLED}, "drawn_card:discarded", "irreg.exposed_many"),
        ("irreg.unseen_extra=misdeal", "drawn_card", {}, "drawn_card:misdeal", "irreg.unseen_extra"),
        ("irreg.unseen_extra=misdeal", "drawn_card", {"seen": True}, "drawn_card:misdeal", "irreg.unseen_extra"),
        ("irreg.unseen_extra=misdeal", "drawn_card", HANDLED, "drawn_card:discarded", "irreg.unseen_extra"),
        # A wrong number of cards.
        ("", "hand_count", {}, "hand_count:misdeal", "irreg.count_player"),
        ("", "hand_count", HANDLED, "hand_count:hand_void", "irreg.count_player"),
        ("irreg.count_player=all_void", "hand_count", HANDLED, "hand_count:hands_void", "irreg.count_player"),
        ("", "dealer_count", HANDLED, "dealer_count:misdeal", "irreg.count_dealer"),
        ("irreg.count_dealer=all_void", "dealer_count", {}, "dealer_count:hands_void", "irreg.count_dealer"),
        # A wrong burn goes back until a community card is turned.
        ("", "wrong_burn", {}, "wrong_burn:put_right", "irreg.wrong_burn"),
        ("", "wrong_burn", {"seen": True}, "wrong_burn:go_on", "irreg.wrong_burn"),
        ("burn.card=top_before_each", "wrong_burn", {"seen": True}, "wrong_burn:put_right", "irreg.wrong_burn"),
        ("irreg.wrong_burn=all_void", "wrong_burn", {}, "wrong_burn:hands_void", "irreg.wrong_burn"),
        ("irreg.wrong_burn=all_void", "wrong_burn", {"seen": True}, "wrong_burn:hands_void", "irreg.wrong_burn"),
        # A hand where no bet lies.
        ("", "stray_hand", {}, "stray_hand:misdeal", "irreg.empty_area_hand"),
        ("", "stray_hand", HANDLED, "stray_hand:discarded", "irreg.empty_area_hand"),
        ("irreg.empty_area_hand=discarded", "stray_hand", {}, "stray_hand:discarded", "irreg.empty_area_hand"),
        # The rest of the deck came out too early.
        ("", "unloaded", {}, "unloaded:misdeal", "irreg.unload_before_community"),
        (
            "irreg.unload_before_community=same_round",
            "unloaded",
            {},
            "unloaded:redealt",
            "irreg.unload_before_community",
        ),
        # The count of the stub that only bears on the next round.
        ("irreg.stub_miscount=next_round", "stub_count", {}, "stub_count:new_deck_next", "irreg.stub_miscount"),
        # The device.
        ("", "device_miscount", {"cards_out": True}, "device_miscount:counted", "irreg.device_failure"),
        ("", "device_miscount", {}, "device_miscount:reshuffled", "irreg.device_failure"),
        (
            "irreg.device_failure=count_cards",
            "device_miscount",
            {},
            "device_miscount:counted",
            "irreg.device_failure",
        ),
        ("irreg.device_failure=count_cards", "device_jam", {}, "device_jam:reshuffled", "irreg.device_failure"),
        ("", "device_jam", {}, "device_jam:reshuffled", "irreg.device_failure"),
        ("", "device_jam", {"cards_out": True}, "device_jam:reshuffled", "irreg.jam_in_deal"),
        (
            "irreg.jam_in_deal=round_void",
            "device_jam",
            {"cards_out": True},
            "device_jam:round_void",
            "irreg.jam_in_deal",
        ),
        ("irreg.jam_in_deal=round_void", "device_jam", {}, "device_jam:reshuffled", "irreg.device_failure"),
        # The bets.
        ("bet.unequal=no_cards", "uneven_bets", {}, "uneven_bets:hand_void", "bet.unequal"),
        ("bet.unequal=dealer_waits", "uneven_bets", {}, "uneven_bets:must_correct", "bet.unequal"),
        ("bet.unequal=correct_or_fold", "uneven_bets", {}, "uneven_bets:correct_or_fold", "bet.unequal"),
        (
            "bet.unequal=correct_or_fold",
            "uneven_bets",
            {"own_look": True},
            "uneven_bets:must_correct",
            "bet.unequal",
        ),
        ("", "under_minimum", {}, "under_minimum:stands", "limit.under_min"),
        ("limit.under_min=returned", "under_minimum", {}, "under_minimum:hand_void", "limit.under_min"),
        ("", "over_maximum", {}, "over_maximum:to_maximum", "limit.over_max"),
        ("limit.over_max=returned", "over_maximum", {}, "over_maximum:hand_void", "limit.over_max"),
        # A player who is away.
        ("", "absent", {}, "absent:hand_void", "irreg.absent"),
        ("", "absent", {"own_look": True}, "absent:ride", "irreg.absent"),
        ("bet.unequal=correct_or_fold", "absent", {"uneven": True}, "absent_uneven:hand_void", "bet.unequal"),
        ("", "absent", {"uneven": True, "own_look": True}, "absent:ride", "irreg.absent"),
        ("bet.unequal=dealer_waits", "absent", {"uneven": True}, "absent:hand_void", "irreg.absent"),
        ("irreg.absent=withdraw", "absent", {"uneven": True}, "absent:withdraw", "irreg.absent"),
        ("irreg.absent=withdraw", "absent", {}, "absent:withdraw", "irreg.absent"),
        ("irreg.absent=withdraw", "absent", {"own_look": True}, "absent:withdraw", "irreg.absent"),
    ],
)
def test_a_book_rules_by_its_key_and_orders_nothing_else(
    values: str, kind: str, facts: dict[str, Any], name: str, key: str
) -> None:
    assert ruled(values, kind, facts) == (name, key, set())


@pytest.mark.parametrize(
    ("values", "kind", "facts", "name", "key"),
    [
        ("irreg.count_player=misdeal_count_deck", "hand_count", HANDLED, "misdeal count_deck", "irreg.count_player"),
        ("irreg.count_player=misdeal_count_deck", "dealer_count", {}, "misdeal count_deck", "irreg.count_dealer"),
        ("", "deck", {}, "round_void check_deck", "irreg.deck_count"),
        ("irreg.deck_count=misdeal_new_deck", "deck", {}, "misdeal new_deck", "irreg.deck_count"),
        ("", "stub_count", {}, "round_void check_deck", "irreg.stub_miscount"),
        ("irreg.deck_count=misdeal_new_deck", "stub_count", {}, "misdeal new_deck", "irreg.stub_miscount"),
        ("", "device_failure", {}, "reshuffled new_device", "irreg.device_failure"),
        (
            "",
            "device_failure",
            {"cards_out": True, "in_deal": True},
            "round_void new_deck new_device",
            "irreg.device_failure",
        ),
        ("", "device_failure", {"cards_out": True}, "round_void new_deck new_device", "irreg.failure_dealt"),
        (
            "irreg.failure_dealt=played_out",
            "device_failure",
            {"cards_out": True, "in_deal": True},
            "round_void new_deck new_device",
            "irreg.device_failure",
        ),
        (
            "irreg.failure_dealt=played_out",
            "device_failure",
            {"cards_out": True},
            "go_on new_device",
            "irreg.failure_dealt",
        ),
    ],
)
def test_a_ruling_on_the_deck_or_the_device_orders_what_comes_after_it(
    values: str, kind: str, facts: dict[str, Any], name: str, key: str
) -> None:
    decision, *more = name.split()
    assert ruled(values, kind, facts) == (f"{kind}:{decision}", key, set(more))


@pytest.mark.parametrize(
    ("by", "hands", "looked", "handled"),
    [
        ("any", 3, 0, False),
        ("any", 3, 1, True),
        ("any", 3, 3, True),
        ("all", 3, 2, False),
        ("all", 3, 3, True),
        ("all", 1, 0, False),
        ("all", 1, 1, True),
        ("all", 0, 0, False),
    ],
)
def test_cards_are_handled_when_any_player_or_every_player_has_looked(
    by: str, hands: int, looked: int, handled: bool
) -> None:
    facts = {"hands": hands, "looked": looked}
    name, *_ = ruled(f"irreg.handled_by={by}", "hand_count", facts)
    assert name == ("hand_count:hand_void" if handled else "hand_count:misdeal")


def test_a_situation_is_told_by_its_kind_alone_and_then_nothing_else_happened() -> None:
    nothing_else: dict[str, Any] = {
        "in_deal": False,
        "hands": 0,
        "looked": 0,
        "own_look": False,
        "exposed": 1,
        "seen": False,
        "cards_out": False,
    }
    everyone = rules_with("irreg.handled_by=all")
    for kind in get_args(Irregularity):
        told = Situation(kind=kind)
        assert told == Situation(kind=kind, **nothing_else)
        assert rule(everyone, told) == rule(everyone, Situation(kind=kind, **nothing_else))


def test_a_ruling_says_what_is_wrong_what_is_done_and_what_comes_after_it() -> None:
    wrong, done = WHAT["deck"], THEN["misdeal"]
    said = {
        (): f"{wrong}: {done}",
        ("count_deck",): f"{wrong}: {done}; the floor counts the deck",
        ("check_deck",): f"{wrong}: {done}; the deck is checked",
        ("new_deck",): f"{wrong}: {done}; a new deck is brought",
        ("new_device",): f"{wrong}: {done}; play goes on with another device",
        ("new_device", "new_deck"): f"{wrong}: {done}; play goes on with another device and a new deck",
    }
    brought = Verdict(kind="deck", decision="go_on", key="irreg.deck_count", new_device=True)
    assert brought.sentence == f"{wrong}: {THEN['go_on']}; another device is brought"
    for ordered, sentence in said.items():
        verdict = Verdict(kind="deck", decision="misdeal", key="irreg.deck_count", **dict.fromkeys(ordered, True))
        assert verdict.sentence == sentence


def test_every_irregularity_is_ruled_and_has_its_words() -> None:
    assert get_args(Irregularity) == tuple(WHAT)
    assert get_args(Decision) == tuple(THEN)
    assert all(rule(Rules(), Situation(kind=kind)).sentence for kind in get_args(Irregularity))
    assert len(set(WHAT.values())) == len(WHAT)
    assert len(set(THEN.values())) == len(THEN)
    assert VOIDS < set(THEN)


def test_what_shows_of_itself_is_not_reported() -> None:
    """That a second card is exposed shows when it is reported, and a wrong count of the stub when it is counted."""
    table, _ = open_table(catalog.table_rules("nsw-1"))
    of_itself = set()
    for kind in get_args(Irregularity):
        _, refused = play(table, Report(by="floor", kind=kind))
        if not isinstance(refused, Refusal):
            continue
        of_itself |= {kind} if refused.code == "unknown_trouble" else set()
    assert of_itself == {"exposed_cards", "exposed_late", "stub_count", "absent_uneven"}
    assert of_itself == set(get_args(Irregularity)) - set(REPORTED)
