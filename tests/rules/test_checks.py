"""Checks: what the values of a rule book must be together, on both sides of every rule."""

from __future__ import annotations

import re

import pytest

from letitride.errors import InvalidData
from letitride.rules.checks import check_rules
from letitride.rules.keys import FeeTier, Rules
from letitride.rules.keyspec import KEYS, build
from letitride.rules.values import Values

OWN: Values = {name: spec.default for name, spec in KEYS.items()}
"""A house's book that states nothing: a shuffler with one deck, the house banks, no side bet."""
BY_HAND: Values = {"device": "hand", "shuffle.by": "hand", "deal.unit": "single"}
TWO_DECKS: Values = {"decks": 2}
PLAYER: Values = {"bank.mode": "player", "payout.cap": "bank_stake"}
SHARED: Values = {"payout.cap": "maximum", "payout.cents_max": 1, "payout.scope": "round"}
CONTROLLER: Values = {"shuffler.controller": True}
BONUS: Values = {"bonus.offered": True, "settle.bets_order": ("base", "bonus"), "odds.wording": ("to", "win")}
THREE: Values = {"three_card.offered": True, "settle.bets_order": ("base", "three_card")}
THREE_FIRST: Values = {
    "three_card.offered": True,
    "settle.bets_order": ("three_card", "base"),
    "three_card.settle": "before_base",
}
COVER: Values = {"cover_all.offered": True, "settle.bets_order": ("base", "cover_all")}
IN_LINE: Values = {
    **BY_HAND,
    "deal.community": "each_pass",
    "burn.card": "first_community",
    "community.order": "second_third",
    "community.area": "three_in_line",
}
TOP: Values = {**BY_HAND, "burn.card": "top_before_each", "stub.to_discard": "after_deal"}
NXP: Values = {**COVER, "cover_all.software": "NXP v1.0.114"}
FLAT: Values = {"fee.kind": "flat", "limit.cents_max": 50_000}


def tiers(*limits: int) -> tuple[FeeTier, ...]:
    return tuple(FeeTier(limit_cents_max=limit, wager_cents=place, bank_cents=1) for place, limit in enumerate(limits))


BROKEN: tuple[tuple[Values, Values, str, str], ...] = (
    ({}, {"limit.cents_min": 500, "limit.cents_max": 499}, "limit.cents_max", "at least the minimum of 500 cents, got 499"),
    ({}, {"three_card.cents_min": 200, "three_card.cents_max": 199}, "three_card.cents_max", "at least the minimum of 200 cents, got 199"),
    ({}, {"cover_all.cents_min": 300, "cover_all.cents_max": 299}, "cover_all.cents_max", "at least the minimum of 300 cents, got 299"),
    ({}, {"limit.scope": "area", "limit.cents_min": 100, "limit.cents_step": 3}, "limit.scope", "'wager', because no three equal bets"),
    ({}, {"bet.media": ("chips", "tokens", "chips")}, "bet.media", "no value twice"),
    ({}, {"fee.tiers": (*tiers(1), *tiers(1))}, "fee.tiers", "no value twice"),
    ({}, {"base.paytables": ()}, "base.paytables", "at least one paytable"),
    ({}, {"three_card.paytables": ()}, "three_card.paytables", "at least one paytable"),
    ({}, {"cover_all.paytables": ()}, "cover_all.paytables", "at least one paytable"),
    ({}, {"layout.spots": ("1", "2")}, "layout.spots", "the three labels 1, 2 and $, got ['1', '2']"),
    ({}, {"bet.media": ()}, "bet.media", "a list with 'chips', because wins are paid in chips, got []"),
    ({}, {"bet.media": ("plaques",)}, "bet.media", "a list with 'chips', because wins are paid in chips"),
    ({}, {"odds.wording": ("win",)}, "odds.wording", "a list with 'to'"),
    ({}, {"shuffle.when": ("after_round", "after_vacant")}, "shuffle.when", "a list with 'before_play'"),
    (BY_HAND, {"shuffle.when": ("before_play", "after_vacant")}, "shuffle.when", "a list with 'after_round', because every round"),
    (PLAYER, {"payout.cap": "none"}, "payout.cap", "'bank_stake', because a player banks, got 'none'"),
    (PLAYER, {"bet.media": ("chips", "tokens")}, "bet.media", "a list without 'tokens' and 'vouchers', because a player banks"),
    (PLAYER, {"bet.media": ("chips", "vouchers")}, "bet.media", "a list without 'tokens' and 'vouchers', because a player banks"),
    (PLAYER, {"seats": 1}, "seats", "at least 2, because one of the seats banks, got 1"),
    (PLAYER, {"settle.method": "lay_and_pay"}, "settle.method", "'hand_by_hand', because a player's stake is used up"),
    ({}, {"payout.cap": "bank_stake"}, "payout.cap", "another value than 'bank_stake', because the house banks"),
    ({}, {"deal.first": "bank_left"}, "deal.first", "'dealer_left', because the house banks"),
    ({}, {"decide.order": "bank_left"}, "decide.order", "'dealer_left', because the house banks"),
    ({}, {"payout.cap": "maximum"}, "payout.cents_max", "an amount in cents, because payout.cap is 'maximum', got unset"),
    (PLAYER, {"bet.media": ("chips", "match_play")}, "bet.media", "a list without 'match_play', because a player banks"),
    ({}, {**SHARED, "settle.method": "pick_and_pay"}, "settle.method", "'lay_and_pay' or 'losers_first', because all players share"),
    ({}, {"shuffler.model": "C", "shuffler.models": ("A", "B")}, "shuffler.model", "one of A, B, got 'C'"),
    ({}, {"cut.who": "dealer"}, "cut.who", "'nobody', because a shuffler's cards are not cut"),
    ({}, {"shuffler.mode": "cover_all"}, "shuffler.mode", "'let_it_ride', because Cover All is not offered"),
    (TWO_DECKS, {"shuffle.by": "hand"}, "shuffle.by", "'machine', because two decks alternate in a shuffler"),
    (TWO_DECKS, {"idle": "spread"}, "idle", "another value than 'spread', because two decks alternate in a shuffler"),
    (TWO_DECKS, {"deck.check": "inspect_and_show"}, "deck.check", "another value than 'inspect_and_show', because two decks"),
    (BY_HAND, {"idle": "dead_game"}, "idle", "another value than 'dead_game', because no shuffler is used"),
    (BY_HAND, {"decks": 2}, "decks", "1, because only a shuffler alternates two decks, got 2"),
    (BY_HAND, {"shuffle.by": "machine"}, "shuffle.by", "'hand', because no shuffler is used"),
    (BY_HAND, {"deal.unit": "packet"}, "deal.unit", "'single', because only a shuffler delivers packets"),
    ({}, {"burn.card": "last_community"}, "burn.card", "another card than 'last_community'"),
    (IN_LINE, {"burn.card": "last_community"}, "burn.card", "another card than 'last_community'"),
    (BY_HAND, {"burn.card": "bottom_of_packet"}, "burn.card", "another card than 'bottom_of_packet', because single cards"),
    ({}, {"community.order": "second_third"}, "community.order", "'first_second', because burn.card is 'none'"),
    (IN_LINE, {"community.order": "first_second"}, "community.order", "'second_third', because burn.card is 'first_community'"),
    (IN_LINE, {"device": "shuffler", "deal.unit": "packet"}, "deal.community", "'last', because packets are dealt in one pass"),
    (IN_LINE, {"burn.card": "none", "community.order": "first_second"}, "burn.card", "'first_community', because three single"),
    (IN_LINE, {"device": "shuffler", "deal.unit": "packet", "deal.community": "last"}, "burn.card", "another card than 'first_community', because packets"),
    (IN_LINE, {"community.area": "two_boxes"}, "community.area", "'three_in_line', because burn.card is 'first_community'"),
    ({}, {"community.area": "three_in_line"}, "community.area", "another area than 'three_in_line', because burn.card is 'none' and two cards"),
    ({}, {"burn.card": "top_before_each"}, "burn.card", "'bottom_of_packet' or 'none', because packets are dealt and no single card"),
    (TOP, {"deal.community": "each_pass"}, "burn.card", "'first_community', because three single community cards are dealt"),
    (TOP, {"community.order": "second_third"}, "community.order", "'first_second', because burn.card is 'top_before_each'"),
    (TOP, {"community.area": "three_in_line"}, "community.area", "another area than 'three_in_line', because burn.card is 'top_before_each'"),
    (TOP, {"burn.when": "after_bet_1"}, "burn.when", "'at_deal' or 'at_turn', because burn.card is 'top_before_each'"),
    (TOP, {"burn.when": "after_bet_2"}, "burn.when", "'at_deal' or 'at_turn', because burn.card is 'top_before_each'"),
    (TOP, {"burn.when": "at_turn"}, "burn.when", "'at_deal', because the stub is in the rack by then (stub.to_discard is 'after_deal')"),
    (IN_LINE, {"burn.when": "at_turn"}, "burn.when", "another value than 'at_turn', because burn.card is 'first_community' and no card off"),
    (IN_LINE, {"burn.when": "after_bet_2"}, "burn.when", "'at_deal' or 'after_bet_1', because in a line of three one card is burned before"),
    (BONUS, {"bonus.stake_handling": "sensor"}, "bonus.stake_handling", "'lammer', because no table controller reads sensors"),
    ({**BONUS, **BY_HAND, **CONTROLLER}, {"bonus.stake_handling": "sensor"}, "bonus.stake_handling", "'lammer'"),
    ({}, {"bet.cutoff": "call_and_lockout"}, "bet.cutoff", "another value than 'call_and_lockout', because there is no table"),
    ({}, {"settle.bets_order": ("bonus",)}, "settle.bets_order", "a list with 'base', because it is offered, got ['bonus']"),
    (BONUS, {"settle.bets_order": ("base",)}, "settle.bets_order", "a list with 'bonus', because it is offered"),
    (THREE, {"settle.bets_order": ("base",)}, "settle.bets_order", "a list with 'three_card', because it is offered"),
    (COVER, {"settle.bets_order": ("base",)}, "settle.bets_order", "a list with 'cover_all', because it is offered"),
    (THREE, {"settle.bets_order": ("three_card", "base")}, "settle.bets_order", "'base' before 'three_card', because three_card.settle"),
    (THREE_FIRST, {"settle.bets_order": ("base", "three_card")}, "settle.bets_order", "'three_card' before 'base', because three_card.settle"),
    (THREE, {"three_card.settle": "early_claim"}, "settle.bets_order", "'three_card' before 'base', because three_card.settle"),
    (THREE, {"three_card.settle": "with_base"}, "three_card.settle", "another value than 'with_base'"),
    (COVER, {"settle.bets_order": ("cover_all", "base")}, "settle.bets_order", "'cover_all' last, because the best hand is known"),
    (THREE_FIRST, {"three_card.vendors": ("A", "B")}, "three_card.settle", "another value than 'before_base' without a shuffler of A, B"),
    ({**THREE_FIRST, **BY_HAND, "shuffler.vendor": "A"}, {"three_card.vendors": ("A",)}, "three_card.settle", "another value than 'before_base' without a shuffler of A"),
    (COVER, {"cover_all.models": ("A", "B"), "shuffler.mode": "cover_all"}, "shuffler.model", "one of A, B, because Cover All is offered"),
    ({**COVER, "shuffler.model": "A"}, {"cover_all.models": ("A",)}, "shuffler.mode", "'cover_all', because Cover All is offered"),
    (COVER, {"cover_all.software": "NXP"}, "cover_all.software", "a name and a release like 'NXP v1.0.114', got 'NXP'"),
    (NXP, {"shuffler.software": "NXP v1.0.113"}, "shuffler.software", "NXP v1.0.114 or later, because Cover All is offered"),
    (NXP, {"shuffler.software": "NXP v1.0"}, "shuffler.software", "NXP v1.0.114 or later"),
    (NXP, {"shuffler.software": "ABC v2.0.0"}, "shuffler.software", "NXP v1.0.114 or later"),
    (NXP, {"shuffler.software": "NXP"}, "shuffler.software", "NXP v1.0.114 or later, because Cover All is offered, got 'NXP'"),
    ({}, {"cards.collect": "losers_at_once"}, "cards.collect", "'after_all_paid', because losers are not taken first"),
    ({}, {"fee.tiers": tiers(200, 100)}, "fee.tiers", "the lowest limit first"),
    ({}, {"fee.tiers": tiers(100, 100)}, "fee.tiers", "the lowest limit first"),
    (FLAT, {"fee.tiers": tiers(10_000, 49_999)}, "fee.tiers", "a row for the table's limit of 50000 cents"),
    (FLAT, {"fee.tiers": ()}, "fee.tiers", "a row for the table's limit of 50000 cents, got []"),
)  # fmt: skip

SOUND: dict[str, Values] = {
    "nothing stated": {},
    "one amount for every wager": {
        **{f"{section}.cents_min": 700 for section in ("limit", "three_card", "cover_all")},
        **{f"{section}.cents_max": 700 for section in ("limit", "three_card", "cover_all")},
    },
    "no limits yet": {"limit.cents_min": None, "limit.cents_max": None, "limit.scope": "area"},
    "a player banks": {**PLAYER, "deal.first": "bank_left", "decide.order": "bank_left"},
    "a player banks against chips and plaques": {**PLAYER, "bet.media": ("chips", "plaques")},
    "two seats, one of which banks": {**PLAYER, "seats": 2},
    "one seat beside the bank": {**PLAYER, "seats": 1, "bank.seat": "separate"},
    "one seat against the house": {"seats": 1},
    "a maximum payout with its amount": {"payout.cap": "maximum", "payout.cents_max": 1},
    "a maximum payout that is shared when all hands are open": {**SHARED, "settle.method": "losers_first"},
    "any model, since the document names none": {"shuffler.model": "C"},
    "no model on the table": {"shuffler.models": ("A", "B")},
    "a model that is named": {"shuffler.model": "B", "shuffler.models": ("A", "B")},
    "one deck in a shuffler, spread, shown and mixed by hand": {
        "idle": "spread",
        "deck.check": "inspect_and_show",
        "shuffle.by": "hand",
    },
    "two decks": TWO_DECKS,
    "two decks, of which one is mixed while the other is dealt": {**TWO_DECKS, "shuffle.when": ("before_play",)},
    "dead games in a shuffler": {"idle": "dead_game"},
    "by hand with a cut": {**BY_HAND, "cut.who": "dealer"},
    "three community cards in line": IN_LINE,
    "the last community card burned": {**BY_HAND, "burn.card": "last_community"},
    "the bottom of the packet burned": {"burn.card": "bottom_of_packet"},
    "the bottom of the packet burned late": {"burn.card": "bottom_of_packet", "burn.when": "after_bet_2"},
    "the bottom of the packet burned at the turn": {"burn.card": "bottom_of_packet", "burn.when": "at_turn"},
    "two cards burned off the deck at the deal": TOP,
    "two cards burned off the stub": {**TOP, "burn.when": "at_turn", "stub.to_discard": "end_of_round"},
    "no card burned, whenever": {"burn.when": "after_bet_2"},
    "sensors with a controller": {**BONUS, **CONTROLLER, "bonus.stake_handling": "sensor"},
    "sensors of a bonus that is not offered": {"bonus.stake_handling": "sensor"},
    "a lock-out with a controller": {**CONTROLLER, "bet.cutoff": "call_and_lockout"},
    "the side bet after the base": {**THREE, "three_card.vendors": ("A",)},
    "the side bet before the base": THREE_FIRST,
    "the side bet claimed early": {**THREE_FIRST, "three_card.settle": "early_claim", "three_card.vendors": ("A",)},
    "the side bet before the base with the maker's shuffler": {
        **THREE_FIRST,
        "three_card.vendors": ("B", "A"),
        "shuffler.vendor": "A",
    },
    "makers of a side bet that is not offered": {"three_card.settle": "before_base", "three_card.vendors": ("A",)},
    "a side bet with the base that is not offered, hand by hand": {"three_card.settle": "with_base"},
    "the side bet with the base, losers first": {
        **THREE,
        "three_card.settle": "with_base",
        "settle.method": "losers_first",
        "cards.collect": "losers_at_once",
    },
    "Cover All on any shuffler": COVER,
    "Cover All on its model": {
        **COVER,
        "cover_all.models": ("A", "B"),
        "shuffler.model": "B",
        "shuffler.mode": "cover_all",
    },
    "Cover All by hand, where models and software mean nothing": {
        **NXP,
        **BY_HAND,
        "cover_all.models": ("A",),
        "shuffler.software": "ABC",
    },
    "models and software for a Cover All that is not offered": {
        "cover_all.models": ("A",),
        "cover_all.software": "NXP v1.0.114",
        "shuffler.software": "ABC",
    },
    "any software, since none is asked for": {**COVER, "shuffler.software": "ABC"},
    "software that a table does not state": NXP,
    "the oldest software": {**NXP, "shuffler.software": "NXP v1.0.114"},
    "later software": {**NXP, "shuffler.software": "NXP v1.1"},
    "later software by number, not by letter": {**NXP, "shuffler.software": "NXP v1.0.1000"},
    "losers taken at once": {"settle.method": "losers_first", "cards.collect": "losers_at_once"},
    "a fee for just the table's limit": {**FLAT, "fee.tiers": tiers(10_000, 50_000)},
    "a fee that the table must state": FLAT,
    "a fee schedule before there is a limit": {**FLAT, "fee.tiers": tiers(100), "limit.cents_max": None},
    "a fee schedule that is not charged": {"fee.tiers": tiers(100)},
}


@pytest.mark.parametrize(
    ("around", "values", "key", "expected"), BROKEN, ids=[f"{key}: {expected[:50]}" for _, _, key, expected in BROKEN]
)
def test_a_book_that_contradicts_itself_is_refused_with_the_key_at_fault(
    around: Values, values: Values, key: str, expected: str
) -> None:
    check_rules(build({**OWN, **around}), "own")
    with pytest.raises(InvalidData, match="^" + re.escape(f"own: {key}: expected {expected}")):
        check_rules(build({**OWN, **around, **values}), "own")


@pytest.mark.parametrize("values", SOUND.values(), ids=list(SOUND))
def test_a_book_on_the_right_side_of_every_rule_is_taken(values: Values) -> None:
    rules = build({**OWN, **values})
    check_rules(rules, "own")
    assert rules != Rules() or not values
