"""Keys: what a house's book says where it states nothing, what each number may be, and when each key means anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.keyspec import KEYS, build
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.values import RuleValue, Values

TOP = ("top_before_first", "top_before_second", "top_before_each")
DEFAULTS: Values = {
    "seats": 7,
    "device": "shuffler",
    "decks": 1,
    "idle": "reshuffle",
    "hands_per_player": 1,
    "collusion": ("separate", "bar"),
    "annul": "refund",
    "dispute": ("floor", "casino_supervisor", "operator"),
    "supervisor": "floor",
    "device_breach": ("void_bets", "bar"),
    "advice": "free",
    "coach": True,
    "bank.mode": "house",
    "bank.max_consecutive": 2,
    "bank.cover": "stake",
    "bank.stake_cents_max": "unlimited",
    "bank.seat": "among_seats",
    "bank.settle_from": "dealer_right",
    "layout.spots": ("1", "2", "$"),
    "shuffler.vendor": "",
    "shuffler.models": (),
    "shuffler.model": "",
    "shuffler.mode": "let_it_ride",
    "shuffler.controller": False,
    "shuffler.software": "",
    "deck.check": "before_use",
    "deck.reviewed": 1,
    "deck.prepared": False,
    "deck.count_ordered_by": ("floor", "games_supervisor", "casino_supervisor", "inspector"),
    "shuffle.when": ("before_play", "after_round"),
    "shuffle.by": "machine",
    "shuffle.hand_first": False,
    "cut.who": "nobody",
    "cut.card": "none",
    "cut.cards_min": 1,
    "cut.recut": "no",
    "stub.to_discard": "after_deal",
    "stub.count": "on_order",
    "stub.count_rounds": 5,
    "bet.media": ("chips",),
    "bet.spoken_cash": False,
    "bet.cutoff": "call",
    "bet.unequal": "dealer_waits",
    "bet.correction": "between_bets",
    "bet.lone_side": "by_wager",
    "bet.refuse": "before_first_card",
    "limit.cents_min": 500,
    "limit.cents_max": 50000,
    "limit.cents_step": 1,
    "limit.scope": "wager",
    "limit.under_min": "stands",
    "limit.over_max": "settled_to_max",
    "limit.change": "between_rounds",
    "limit.notice_minutes": 0,
    "fee.kind": "none",
    "fee.tiers": None,
    "base.paytables": ("LIRX-01",),
    "base.paytable": "LIRX-01",
    "base.odds_floor": "exact",
    "bonus.offered": False,
    "bonus.cents": 100,
    "bonus.stake_handling": "lammer",
    "bonus.taken": "before_deal",
    "three_card.offered": False,
    "three_card.cents_min": 100,
    "three_card.cents_max": 2500,
    "three_card.alone": False,
    "three_card.settle": "after_base",
    "three_card.vendors": (),
    "three_card.paytables": ("3CB-1",),
    "three_card.paytable": "3CB-1",
    "cover_all.offered": False,
    "cover_all.cents_min": 100,
    "cover_all.cents_max": 2500,
    "cover_all.count": "hands_dealt",
    "cover_all.expose_best": True,
    "cover_all.models": (),
    "cover_all.software": "",
    "cover_all.paytables": ("COVER-ALL",),
    "cover_all.paytable": "COVER-ALL",
    "odds.wording": ("to",),
    "payout.cap": "none",
    "payout.cents_max": None,
    "payout.scope": "player_round",
    "payout.sides": (),
    "deal.first": "dealer_left",
    "deal.unit": "packet",
    "deal.community": "last",
    "deal.face": "down",
    "deal.fanned": False,
    "deal.packet_top": "first_out",
    "community.area": "two_boxes",
    "community.order": "first_second",
    "burn.card": "none",
    "burn.when": "at_deal",
    "decide.order": "dealer_left",
    "decide.signal": "asked",
    "decide.early_tuck": "no",
    "decide.after_bet_2": "tucked",
    "cards.touch": "player_and_dealer",
    "cards.hidden": True,
    "cards.collect": "after_all_paid",
    "reveal.direction": "right_to_left",
    "settle.method": "hand_by_hand",
    "settle.bets_order": (),
    "round.start": "bets_placed",
    "irreg.exposed_one": "turned_over",
    "irreg.exposed_many": "misdeal",
    "irreg.exposed_community": "misdeal_until_handled",
    "irreg.handled_by": "any",
    "irreg.count_player": "hand_void",
    "irreg.count_dealer": "misdeal",
    "irreg.wrong_burn": "put_right",
    "irreg.deck_count": "round_void",
    "irreg.unseen_extra": "next_card",
    "irreg.empty_area_hand": "misdeal_until_handled",
    "irreg.unload_before_community": "misdeal",
    "irreg.device_failure": "reshuffle_or_void",
    "irreg.jam_in_deal": "rest_mixed",
    "irreg.failure_dealt": "round_void",
    "irreg.absent": "void_unless_looked",
    "irreg.stub_miscount": "as_deck_count",
    "misdeal.effect": "bets_void",
    "misdeal.declared_by": "dealer",
    "misdeal.reshuffle": True,
    "sitout.rounds_max": "unlimited",
    "close.notice_minutes": 0,
}
"""The house's answer to every question that a book may leave open."""

BOUNDS: dict[str, tuple[int, int | None]] = {
    "seats": (1, 7),
    "hands_per_player": (1, 7),
    "bank.max_consecutive": (1, None),
    "bank.stake_cents_max": (1, None),
    "deck.reviewed": (1, 2),
    "cut.cards_min": (1, 51),
    "stub.count_rounds": (1, None),
    "limit.cents_min": (1, None),
    "limit.cents_max": (1, None),
    "limit.cents_step": (1, None),
    "limit.notice_minutes": (0, None),
    "bonus.cents": (1, None),
    "three_card.cents_min": (1, None),
    "three_card.cents_max": (1, None),
    "cover_all.cents_min": (1, None),
    "cover_all.cents_max": (1, None),
    "payout.cents_max": (1, None),
    "sitout.rounds_max": (1, None),
    "close.notice_minutes": (0, None),
}
"""The least and the most of every key that is a number."""

APPLIES: dict[tuple[str, *tuple[RuleValue, ...]], list[str]] = {
    ("bank.mode", "player"): [
        "bank.max_consecutive",
        "bank.cover",
        "bank.stake_cents_max",
        "bank.seat",
        "bank.settle_from",
    ],
    ("device", "shuffler"): [
        "shuffler.vendor",
        "shuffler.models",
        "shuffler.model",
        "shuffler.mode",
        "shuffler.controller",
        "shuffler.software",
        "irreg.unload_before_community",
        "irreg.device_failure",
        "irreg.jam_in_deal",
        "irreg.failure_dealt",
    ],
    ("shuffle.by", "machine"): ["shuffle.hand_first"],
    ("cut.who", "dealer"): ["cut.card", "cut.cards_min", "cut.recut"],
    ("stub.count", "every_rounds"): ["stub.count_rounds", "irreg.stub_miscount"],
    ("bet.unequal", "correct_or_fold", "dealer_waits"): ["bet.correction"],
    ("fee.kind", "flat"): ["fee.tiers"],
    ("bonus.offered", True): ["bonus.cents", "bonus.stake_handling", "bonus.taken"],
    ("three_card.offered", True): [
        "three_card.cents_min",
        "three_card.cents_max",
        "three_card.alone",
        "three_card.settle",
        "three_card.vendors",
        "three_card.paytables",
        "three_card.paytable",
    ],
    ("cover_all.offered", True): [
        "cover_all.cents_min",
        "cover_all.cents_max",
        "cover_all.count",
        "cover_all.expose_best",
        "cover_all.models",
        "cover_all.software",
        "cover_all.paytables",
        "cover_all.paytable",
    ],
    ("payout.cap", "maximum"): ["payout.cents_max", "payout.scope", "payout.sides"],
    ("deal.unit", "packet"): ["deal.fanned", "deal.packet_top"],
    ("burn.card", "bottom_of_packet", "first_community", "last_community", *TOP): ["burn.when"],
    ("deal.face", "down"): ["cards.hidden", "irreg.exposed_one", "irreg.exposed_many"],
    ("burn.card", "first_community", "last_community", *TOP): ["irreg.wrong_burn"],
}
"""The keys that mean something only under some values of another."""


def test_a_book_that_states_nothing_has_the_houses_answers(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\ntitle = "Own"\n')
    book = catalog.rulebook(str(path))
    assert DEFAULTS == {name: book.value(name) for name in KEYS}
    assert {Source.HOUSE} == {origin.source for origin in book.origins.values()}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_number_is_taken_from_its_least_to_its_most(name: str) -> None:
    (low, high), spec = BOUNDS[name], KEYS[name]
    assert low == spec.check(low, "own")
    with pytest.raises(InvalidData, match=f"own: {name}: expected a whole number"):
        spec.check(low - 1, "own")
    assert (high or 10**9) == spec.check(high or 10**9, "own")
    if high is not None:
        with pytest.raises(
            InvalidData, match=f"own: {name}: expected a whole number from {low} to {high}, got {high + 1}"
        ):
            spec.check(high + 1, "own")


def test_every_other_key_is_no_number() -> None:
    for name in KEYS.keys() - BOUNDS.keys() - {"decks"}:
        with pytest.raises(InvalidData, match=f"own: {name}: expected "):
            KEYS[name].check(1, "own")


def test_a_key_means_something_just_where_the_other_key_has_one_of_its_values() -> None:
    conditional = {name: condition for condition, names in APPLIES.items() for name in names}
    for (other, *wanted), names in APPLIES.items():
        for value in legal(other):
            book = RuleBook("own-1", "Own", build({**DEFAULTS, other: value}))
            for name in names:
                assert (name in book.values()) == (value in wanted), (name, other, value)
    for name in KEYS.keys() - conditional.keys():
        assert () == KEYS[name].applies


def legal(name: str) -> tuple[RuleValue, ...]:
    """Return every value of a key that others depend on."""
    return (False, True) if isinstance(DEFAULTS[name], bool) else tuple(KEYS[name].meanings)
