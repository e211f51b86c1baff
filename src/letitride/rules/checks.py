"""Checks: what the values of a rule book must be together; each by itself is checked by its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS
from letitride.rules.limits import find_spot_limits
from letitride.rules.words import show_value

Fault = tuple[str, str]
"""The key at fault, and what was expected of it."""


def check_rules(rules: Rules, where: str) -> None:
    """Refuse rules that contradict one another, naming the first key at fault."""
    for check in _CHECKS:
        for name, expected in check(rules):
            came = show_value(KEYS[name].read(rules))
            raise InvalidData(f"{where}: {name}: expected {expected}, got {came}")


def _limits(rules: Rules) -> Iterator[Fault]:
    limit, three, cover = rules.limit, rules.three_card, rules.cover_all
    for section, low, high in (
        ("limit", limit.cents_min, limit.cents_max),
        ("three_card", three.cents_min, three.cents_max),
        ("cover_all", cover.cents_min, cover.cents_max),
    ):
        if low is not None and high is not None and high < low:
            yield f"{section}.cents_max", f"at least the minimum of {low} cents"
    if limit.cents_min is not None and limit.cents_max is not None and find_spot_limits(limit) is None:
        yield "limit.scope", "'wager', because no three equal bets keep these limits and this step together"


def _lists(rules: Rules) -> Iterator[Fault]:
    for name, spec in KEYS.items():
        value = spec.read(rules)
        if isinstance(value, tuple) and len(set(map(str, value))) != len(value):
            yield name, "no value twice"
        if name.endswith(".paytables") and not value:
            yield name, "at least one paytable"
    if len(rules.layout.spots) != 3:
        yield "layout.spots", "the three labels 1, 2 and $"
    if "chips" not in rules.bet.media:
        yield "bet.media", "a list with 'chips', because wins are paid in chips"
    if "to" not in rules.odds.wording:
        yield "odds.wording", "a list with 'to'"
    if "before_play" not in rules.shuffle.when:
        yield "shuffle.when", "a list with 'before_play'"
    if "after_round" not in rules.shuffle.when and rules.decks == 1:
        yield "shuffle.when", "a list with 'after_round', because every round is dealt from the same deck"


def _bank(rules: Rules) -> Iterator[Fault]:
    player = rules.bank.mode == "player"
    if player and rules.payout.cap != "bank_stake":
        yield "payout.cap", "'bank_stake', because a player banks"
    if player and rules.settle.method != "hand_by_hand":
        yield "settle.method", "'hand_by_hand', because a player's stake is used up in order of action"
    if player and {"tokens", "vouchers"} & set(rules.bet.media):
        yield "bet.media", "a list without 'tokens' and 'vouchers', because a player banks and wins them as chips"
    if player and rules.bank.seat == "among_seats" and rules.seats == 1:
        yield "seats", "at least 2, because one of the seats banks"
    if not player:
        if rules.payout.cap == "bank_stake":
            yield "payout.cap", "another value than 'bank_stake', because the house banks"
        if rules.deal.first == "bank_left":
            yield "deal.first", "'dealer_left', because the house banks"
        if rules.decide.order == "bank_left":
            yield "decide.order", "'dealer_left', because the house banks"
    if rules.payout.cap == "maximum" and rules.payout.cents_max is None:
        yield "payout.cents_max", "an amount in cents, because payout.cap is 'maximum'"


def _device(rules: Rules) -> Iterator[Fault]:
    shuffler = rules.shuffler
    if rules.device == "shuffler":
        if shuffler.model and shuffler.models and shuffler.model not in shuffler.models:
            yield "shuffler.model", f"one of {', '.join(shuffler.models)}"
        if rules.cut.who != "nobody":
            yield "cut.who", "'nobody', because a shuffler's cards are not cut"
        if shuffler.mode == "cover_all" and not rules.cover_all.offered:
            yield "shuffler.mode", "'let_it_ride', because Cover All is not offered"
        if rules.decks == 2:
            yield from _two_decks(rules)
        return
    if rules.idle == "dead_game":
        yield "idle", "another value than 'dead_game', because no shuffler is used"
    if rules.decks == 2:
        yield "decks", "1, because only a shuffler alternates two decks"
    if rules.shuffle.by == "machine":
        yield "shuffle.by", "'hand', because no shuffler is used"
    if rules.deal.unit == "packet":
        yield "deal.unit", "'single', because only a shuffler delivers packets"


def _two_decks(rules: Rules) -> Iterator[Fault]:
    """One deck lies in the machine while the other is dealt: neither is ever spread, nor shuffled by hand."""
    if rules.shuffle.by != "machine":
        yield "shuffle.by", "'machine', because two decks alternate in a shuffler"
    if rules.idle == "spread":
        yield "idle", "another value than 'spread', because two decks alternate in a shuffler"
    if rules.deck.check == "inspect_and_show":
        yield "deck.check", "another value than 'inspect_and_show', because two decks alternate in a shuffler"


def _burn(rules: Rules) -> Iterator[Fault]:
    if rules.burn.card == "last_community" and (rules.deal.unit, rules.deal.community) != ("single", "last"):
        yield "burn.card", "another card than 'last_community', because no single community cards are dealt last"
    if rules.burn.card == "bottom_of_packet" and rules.deal.unit != "packet":
        yield "burn.card", "another card than 'bottom_of_packet', because single cards are dealt"
    wanted = "second_third" if rules.burn.card == "first_community" else "first_second"
    if rules.community.order != wanted:
        yield "community.order", f"'{wanted}', because burn.card is '{rules.burn.card}'"
    if rules.deal.community == "each_pass" and rules.deal.unit != "single":
        yield "deal.community", "'last', because packets are dealt in one pass"
    if rules.deal.community == "each_pass" and rules.burn.card != "first_community":
        yield "burn.card", "'first_community', because three single community cards are dealt"
    if rules.burn.card == "first_community" and rules.deal.unit == "packet":
        yield "burn.card", "another card than 'first_community', because packets are dealt"
    if rules.burn.card == "first_community" and rules.community.area != "three_in_line":
        yield "community.area", "'three_in_line', because burn.card is 'first_community'"


def _side_wagers(rules: Rules) -> Iterator[Fault]:
    three, cover, order = rules.three_card, rules.cover_all, rules.settle.bets_order
    controller = rules.device == "shuffler" and rules.shuffler.controller
    if rules.bonus.offered and "win" not in rules.odds.wording:
        yield "odds.wording", "a list with 'win', because bonus awards are shown as 'win $N'"
    if rules.bonus.offered and rules.bonus.stake_handling == "sensor" and not controller:
        yield "bonus.stake_handling", "'lammer', because no table controller reads sensors"
    if rules.bet.cutoff == "call_and_lockout" and not controller:
        yield "bet.cutoff", "another value than 'call_and_lockout', because there is no table controller"
    for wager in ("base", "bonus", "three_card", "cover_all"):
        if (wager == "base" or getattr(rules, wager).offered) and wager not in order:
            yield "settle.bets_order", f"a list with '{wager}', because it is offered"
    if three.offered and three.settle != "with_base":
        wanted = ("base", "three_card") if three.settle == "after_base" else ("three_card", "base")
        if tuple(wager for wager in order if wager in wanted) != wanted:
            yield "settle.bets_order", "'{}' before '{}', because three_card.settle says so".format(*wanted)
    if three.offered and three.settle == "with_base" and rules.settle.method != "losers_first":
        yield "three_card.settle", "another value than 'with_base', because hands are settled one after the other"
    if cover.offered and order[-1] != "cover_all":
        yield "settle.bets_order", "'cover_all' last, because the best hand is known when all are settled"
    if three.offered and three.settle == "before_base" and three.vendors:
        ours = rules.device == "shuffler" and rules.shuffler.vendor in three.vendors
        if not ours:
            makers = ", ".join(three.vendors)
            yield "three_card.settle", f"another value than 'before_base' without a shuffler of {makers}"
    if cover.offered and rules.device == "shuffler" and cover.models:
        if rules.shuffler.model not in cover.models:
            yield "shuffler.model", f"one of {', '.join(cover.models)}, because Cover All is offered"
        if rules.shuffler.mode != "cover_all":
            yield "shuffler.mode", "'cover_all', because Cover All is offered"
    if cover.offered and rules.device == "shuffler" and cover.software:
        yield from _software(rules.shuffler.software, cover.software)


def _software(running: str, oldest: str) -> Iterator[Fault]:
    """Cover All runs on the named software or a later release of it; a table need not say which one it has."""
    least = _release(oldest)
    found = _release(running) if running else least
    if least is None:
        yield "cover_all.software", "a name and a release like 'NXP v1.0.114'"
    elif found is None or found[0] != least[0] or found[1] < least[1]:
        yield "shuffler.software", f"{oldest} or later, because Cover All is offered"


def _release(software: str) -> tuple[str, list[int]] | None:
    """Return the name of a shuffler's software and its release, or None where there is no release in it."""
    found = re.fullmatch(r"(\w+) v(\d+(?:\.\d+)*)", software)
    return (found[1], [int(part) for part in found[2].split(".")]) if found else None


def _settlement(rules: Rules) -> Iterator[Fault]:
    if rules.cards.collect == "losers_at_once" and rules.settle.method != "losers_first":
        yield "cards.collect", "'after_all_paid', because losers are not taken first"


def _fees(rules: Rules) -> Iterator[Fault]:
    tiers, most = rules.fee.tiers, rules.limit.cents_max
    limits = [tier.limit_cents_max for tier in tiers or ()]
    if any(high <= low for low, high in pairwise(limits)):
        yield "fee.tiers", "the lowest limit first"
    if rules.fee.kind == "flat" and tiers is not None and most is not None and (not limits or limits[-1] < most):
        yield "fee.tiers", f"a row for the table's limit of {most} cents"


_CHECKS: Final[tuple[Callable[[Rules], Iterator[Fault]], ...]] = (
    _limits, _lists, _bank, _device, _burn, _side_wagers, _settlement, _fees,
)  # fmt: skip
