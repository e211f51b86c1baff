"""Checks: what the values of a rule book must be together; each by itself is checked by its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.rules.keys import Rules
from letitride.rules.keys.play import TOP_BURNS
from letitride.rules.keys.table import PLAIN_MODE
from letitride.rules.keys.wagers import Terms
from letitride.rules.keyspec import Keys, keys_with
from letitride.rules.limits import find_spot_limits
from letitride.rules.money import CENTS_MAX
from letitride.rules.wager_table import BASE, PUBLISHED
from letitride.rules.wagers import Award, Wager
from letitride.rules.words import one_of, show_value

SIDES_MAX: Final = 6
"""A seat has room for so many spots beside the base game; a book may know more wagers than it offers."""
SHOWN_AS_WIN: Final = "a list with 'win', because total awards are shown as 'win $N'"
Fault = tuple[str, str]
"""The key in question, and what was expected of it."""


class Contradiction(InvalidData):
    """Rules of which two contradict one another, with what was found, so that a remedy can be looked for."""

    def __init__(self, message: str, rules: Rules, wagers: Mapping[str, Wager], fault: Fault) -> None:
        super().__init__(message)
        self.rules, self.wagers, self.fault = rules, wagers, fault


def check_rules(rules: Rules, where: str, wagers: Mapping[str, Wager] = PUBLISHED) -> None:
    """Refuse rules that contradict one another, naming the first such key."""
    for name, expected in find_faults(rules, wagers):
        came = show_value(keys_with(wagers)[name].read(rules))
        raise Contradiction(f"{where}: {name}: expected {expected}, got {came}", rules, wagers, (name, expected))


def find_faults(rules: Rules, wagers: Mapping[str, Wager] = PUBLISHED) -> Iterator[Fault]:
    """Yield what contradicts something else in rules: the key in question, and what was expected of it."""
    keys = keys_with(wagers)
    yield from _amounts(rules, keys)
    yield from _limits(rules, wagers)
    yield from _lists(rules, keys)
    for check in _CHECKS:
        yield from check(rules)
    yield from _side_wagers(rules, wagers)
    yield from _settlement(rules)
    yield from _fees(rules)


def _amounts(rules: Rules, keys: Keys) -> Iterator[Fault]:
    """No amount is so large that cents could run over."""
    for name, spec in keys.items():
        amounts: list[object] = [spec.read(rules)] if "cents" in spec.last else []
        if name == "fee.tiers":
            amounts = [cents for tier in rules.fee.tiers or () for cents in msgspec.structs.astuple(tier)]
        if any(isinstance(cents, int) and cents > CENTS_MAX for cents in amounts):
            yield name, f"{CENTS_MAX:,} cents at most"


def _limits(rules: Rules, wagers: Mapping[str, Wager]) -> Iterator[Fault]:
    limit = rules.limit
    bounds = [("limit", limit.cents_min, limit.cents_max)]
    for name, wager in wagers.items():
        if "cents_max" in wager.keys:
            bounds.append((name, rules.wagers[name].cents_min, rules.wagers[name].cents_max))
    for section, low, high in bounds:
        if low is not None and high is not None and high < low:
            yield f"{section}.cents_max", f"at least the minimum of {low} cents"
    if limit.cents_min is not None and limit.cents_max is not None and find_spot_limits(limit) is None:
        yield "limit.scope", "'wager', because no three equal bets keep these limits and this step together"


def _lists(rules: Rules, keys: Keys) -> Iterator[Fault]:
    for name, spec in keys.items():
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
    if player and "match_play" in rules.bet.media:
        yield "bet.media", "a list without 'match_play', because a player banks and coupons are the house's to pay"
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
    shared = rules.payout.cap == "maximum" and rules.payout.scope == "round"
    if shared and rules.settle.method not in {"lay_and_pay", "losers_first"}:
        yield "settle.method", "'lay_and_pay' or 'losers_first', because all players share a maximum payout"


def _device(rules: Rules) -> Iterator[Fault]:
    shuffler = rules.shuffler
    if rules.device == "shuffler":
        if shuffler.model and shuffler.models and shuffler.model not in shuffler.models:
            yield "shuffler.model", f"one of {', '.join(shuffler.models)}"
        if rules.cut.who != "nobody":
            yield "cut.who", "'nobody', because a shuffler's cards are not cut"
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
    if rules.burn.card in TOP_BURNS and rules.deal.unit == "packet":
        yield "burn.card", "'bottom_of_packet' or 'none', because packets are dealt and no single card"
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
    if rules.community.area == "three_in_line" and rules.burn.card not in {"first_community", "last_community"}:
        yield (
            "community.area",
            f"another area than 'three_in_line', because burn.card is '{rules.burn.card}' and two cards lie there",
        )
    yield from _time_of_burn(rules)


def _time_of_burn(rules: Rules) -> Iterator[Fault]:
    burn = rules.burn
    if burn.card == "none":
        return
    if burn.card in {"first_community", "last_community"} and burn.when == "at_turn":
        yield "burn.when", f"another value than 'at_turn', because burn.card is '{burn.card}' and no card off the deck"
    if rules.community.area == "three_in_line" and burn.when == "after_bet_2":
        yield (
            "burn.when",
            "'at_deal' or 'after_bet_1', because in a line of three one card is burned before another is turned",
        )
    if burn.card in TOP_BURNS and burn.when in {"after_bet_1", "after_bet_2"}:
        yield "burn.when", f"'at_deal' or 'at_turn', because burn.card is '{burn.card}'"
    if burn.card in TOP_BURNS and burn.when == "at_turn" and rules.stub.to_discard == "after_deal":
        yield "burn.when", "'at_deal', because the stub is in the rack by then (stub.to_discard is 'after_deal')"


def _side_wagers(rules: Rules, wagers: Mapping[str, Wager]) -> Iterator[Fault]:
    controller = rules.device == "shuffler" and rules.shuffler.controller
    offered = {name: wager for name, wager in wagers.items() if rules.wagers[name].offered}
    yield from _mode(rules, wagers)
    for name in [name for name, wager in offered.items() if not wager.is_base][SIDES_MAX:]:
        yield f"{name}.offered", f"false, because a seat has room for {SIDES_MAX} side bets"
    for name, wager in offered.items():
        terms = rules.wagers[name]
        if Award.TO_ONE not in wager.awards and "win" not in rules.odds.wording:  # else its paytable decides
            yield "odds.wording", SHOWN_AS_WIN
        if terms.alone and rules.bet.lone_side == "never":
            yield f"{name}.alone", "false, because the three base bets are compulsory (bet.lone_side = 'never')"
        yield from ((f"{name}.{key}", expected) for key, expected in withdrawal_faults(wager, terms))
        if terms.taken == "before_deal" and terms.stake_handling == "sensor" and not controller:
            yield f"{name}.stake_handling", "'lammer', because no table controller reads sensors"
        if wager.meter is not None and terms.cents != wager.keys["cents"]:
            yield f"{name}.cents", f"{wager.keys['cents']}, because its meter is calculated for that stake"
        if rules.bank.mode == "player" and wager.withdraw_percent < 100:
            yield f"{name}.offered", "false, because a player banks, and what stays of a bet taken back is the house's"
        if rules.bank.mode == "player" and (wager.meter is not None or wager.envy):
            yield f"{name}.offered", "false, because a player banks, and the house keeps meters and pays envy"
    yield from _capped_sides(rules, wagers)
    if rules.bet.cutoff == "call_and_lockout" and not controller:
        yield "bet.cutoff", "another value than 'call_and_lockout', because there is no table controller"
    yield from _order(rules, wagers, offered)
    for name in offered:
        yield from _settled(rules, name)
    claims = [name for name in offered if rules.wagers[name].settle == "early_claim"]
    for name in claims:
        if wagers[name].judged_on != "own_three":
            yield (
                f"{name}.settle",
                "another value than 'early_claim', because it is not judged on the player's three cards",
            )
        if name != claims[0]:
            yield (
                f"{name}.settle",
                f"another value than 'early_claim', because {wagers[claims[0]].title} is claimed early",
            )
    for wager in offered.values():
        yield from _shuffler_for(rules, wager)


def withdrawal_faults(wager: Wager, terms: Terms) -> Iterator[Fault]:
    """Yield the terms of a wager that do not go with taking it back, by what its file or a rule book says of it."""
    if wager.withdraw and terms.alone:
        yield "alone", "false, because it may be taken back, which is a matter of the base decisions"
    if wager.withdraw and terms.taken == "before_deal":
        yield "taken", "'settlement', because it may be taken back"
    for key in ("cents",) if wager.fixed_stake else ("cents_min", "cents_step"):
        if getattr(terms, key) * wager.withdraw_percent % 100:
            yield key, f"an amount of which {wager.withdraw_percent} % are whole cents, because it may be taken back"


def _capped_sides(rules: Rules, wagers: Mapping[str, Wager]) -> Iterator[Fault]:
    """The maximum payout binds side bets whose pays are the house's own, one bet at a time."""
    sides = {name: wager for name, wager in wagers.items() if not wager.is_base}
    for name in rules.payout.sides if rules.payout.cap == "maximum" else ():
        if name not in sides:
            yield "payout.sides", f"a list of side bets, each {one_of(sides)}"
        elif sides[name].depends_on_others:
            yield "payout.sides", f"a list without '{name}', because a meter or envy pays on it besides"


def _mode(rules: Rules, wagers: Mapping[str, Wager]) -> Iterator[Fault]:
    """The shuffler's program is its plain one, or that of a wager on offer which has one."""
    mode = rules.shuffler.mode
    if rules.device != "shuffler" or mode == PLAIN_MODE:
        return
    named = [name for name, wager in wagers.items() if "models" in wager.keys]
    if mode not in named:
        yield "shuffler.mode", one_of((PLAIN_MODE, *named))
    elif not rules.wagers[mode].offered:
        yield "shuffler.mode", f"'{PLAIN_MODE}', because {wagers[mode].title} is not offered"


def _order(rules: Rules, wagers: Mapping[str, Wager], offered: Mapping[str, Wager]) -> Iterator[Fault]:
    order = rules.settle.bets_order
    best = [name for name, wager in offered.items() if wager.by_hands]
    if len(best) > 1:
        yield f"{best[1]}.offered", f"false, because {wagers[best[0]].title} is judged on the best hand, too"
    if not order:  # then they are settled as they lie on the felt
        return
    for name in order:
        if name not in wagers:
            yield "settle.bets_order", f"a list of wagers, each {one_of(wagers)}"
    for name, wager in offered.items():
        if wager.published and name not in order:
            yield "settle.bets_order", f"a list with '{name}', because it is offered"
    for name, wager in offered.items():
        settle = rules.wagers[name].settle
        if "settle" in wager.keys and name in order and settle != "with_base":
            wanted = (BASE.id, name) if settle == "after_base" else (name, BASE.id)
            if tuple(one for one in order if one in wanted) != wanted:
                yield "settle.bets_order", "'{}' before '{}', because {}.settle says so".format(*wanted, name)
    last = [name for name in best if name in order]
    if last and order[-1] not in last:
        yield "settle.bets_order", f"'{last[0]}' last, because the best hand is known when all are settled"


def _settled(rules: Rules, name: str) -> Iterator[Fault]:
    terms = rules.wagers[name]
    if terms.settle == "with_base" and rules.settle.method != "losers_first":
        yield f"{name}.settle", "another value than 'with_base', because hands are settled one after the other"
    if terms.settle == "before_base" and terms.vendors:
        ours = rules.device == "shuffler" and rules.shuffler.vendor in terms.vendors
        if not ours:
            makers = ", ".join(terms.vendors)
            yield f"{name}.settle", f"another value than 'before_base' without a shuffler of {makers}"


def _shuffler_for(rules: Rules, wager: Wager) -> Iterator[Fault]:
    """What a wager demands of the shuffler, where one deals."""
    terms = rules.wagers[wager.id]
    if rules.device != "shuffler":
        return
    if terms.models:
        if rules.shuffler.model not in terms.models:
            yield "shuffler.model", f"one of {', '.join(terms.models)}, because {wager.title} is offered"
        if rules.shuffler.mode != wager.id:
            yield "shuffler.mode", f"'{wager.id}', because {wager.title} is offered"
    if terms.software:
        yield from _software(rules.shuffler.software, wager, terms.software)


def _software(running: str, wager: Wager, oldest: str) -> Iterator[Fault]:
    """A wager runs on the named software or a later release of it; a table need not say which one it has."""
    least = _release(oldest)
    found = _release(running) if running else least
    if least is None:
        yield f"{wager.id}.software", "a name and a release like 'NXP v1.0.114'"
    elif found is None or found[0] != least[0] or found[1] < least[1]:
        yield "shuffler.software", f"{oldest} or later, because {wager.title} is offered"


def _release(software: str) -> tuple[str, list[int]] | None:
    """Return the name of a shuffler's software and its release, or None where there is no release in it."""
    found = re.fullmatch(r"(\w+) v([0-9]{1,9}(?:\.[0-9]{1,9})*)", software)
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


_CHECKS: Final[tuple[Callable[[Rules], Iterator[Fault]], ...]] = (_bank, _device, _burn)
