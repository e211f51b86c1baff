"""Every deal: rounds dealt by each way of dealing and burning that a rule book may have, beside a deal by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import msgspec
from msgspec.structs import replace

from letitride.chance.seeded import Seeded
from letitride.engine import events, faults, places
from letitride.engine.decide import Events
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.record import Dealt
from letitride.rules.cards import FACES, parse_face
from letitride.rules.checks import check_rules
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS
from letitride.rules.roles import VIEWERS
from letitride.rules.settlement import Hand, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.staff.practice import Party, Practice

DEVICES: dict[str, tuple[str, Values]] = {
    "shoe": ("nsw-1", {}),
    "hand": ("nsw-1", {"device": "hand"}),
    "shuffler": ("nsw-1+shuffler", {}),
}
"""A book for each device, whose other values go with it."""
BLIND: Values = {"burn.card": "first_community", "community.order": "second_third"}
"""Values that a book by nsw-1 once passed with, though no round can be dealt by them."""
BANKED = "california-1"
"""A book by which a player banks."""
DEALS: dict[str, tuple[str | bool, ...]] = {
    name: tuple(KEYS[name].meanings) or (False, True)
    for name in KEYS
    if name.startswith(("deal.", "burn.", "community.")) and name != "deal.first"
} | {"stub.to_discard": ("after_deal", "end_of_round")}
"""The keys by which a round is dealt, and their values; who comes first is the bank's matter."""
NO_MATTER = ("deal.face", "deal.fanned", "deal.packet_top")
"""Keys that no other value depends on: the quick trial takes their values in turn."""


def changed(rules: Rules, values: Values) -> Rules:
    """Return rules with some values changed, whether they go together or not."""
    for name, value in values.items():
        section, _, key = name.partition(".")
        rules = replace(rules, **{section: replace(getattr(rules, section), **{key: value})})
    return rules


def dealt_by(rules: TableRules, values: Values) -> TableRules:
    """Return a table by a book with some values changed, unchecked."""
    return dataclasses.replace(rules, book=dataclasses.replace(rules.book, rules=changed(rules.rules, values)))


def accepted(rules: Rules, *, quick: bool) -> Iterator[Values]:
    """Yield the ways of dealing that the checks accept by a book; of those that come to the same thing, one."""
    free = [name for name in DEALS if not (quick and name in NO_MATTER)]
    found = set()
    for combination in product(*(DEALS[name] for name in free)):
        values: Any = dict(zip(free, combination, strict=True))
        one = changed(rules, values)
        try:
            check_rules(one, "own")
        except InvalidData:
            continue
        does = tuple((name, value) for name, value in values.items() if KEYS[name].applies_to(one))
        if does in found:
            continue
        found.add(does)
        turn = len(found)
        yield {**values, **{name: DEALS[name][turn >> place & 1] for place, name in enumerate(NO_MATTER) if quick}}


@dataclass(frozen=True, slots=True)
class ByHand:
    """Where the cards of a deck go, as a dealer lays them by a book."""

    hands: dict[int, list[str]]
    community: tuple[str, str]
    burned: list[str]


def by_hand(rules: Rules, order: tuple[str, ...], seats: tuple[int, ...]) -> ByHand:
    """Deal a deck by a book, without the engine."""
    deck = iter(order)
    deal, burn = rules.deal, rules.burn
    if deal.unit == "packet":
        hands = {seat: [next(deck), next(deck), next(deck)] for seat in seats}
        packet = [next(deck), next(deck), next(deck)]
        top, second, bottom = packet if deal.packet_top == "first_out" else packet[::-1]
        return ByHand(hands, (top, second), [bottom] if burn.card == "bottom_of_packet" else [])
    hands = {seat: [] for seat in seats}
    area, burned = [], []
    for _ in range(3):
        for seat in seats:
            hands[seat].append(next(deck))
        if deal.community == "each_pass":
            area.append(next(deck))
    before = {"top_before_first": "1", "top_before_second": "2", "top_before_each": "12"}.get(burn.card, "")
    if deal.community == "last":
        for number in "123" if burn.card in {"first_community", "last_community"} else "12":
            if number in before and burn.when == "at_deal":
                burned.append(next(deck))
            area.append(next(deck))
    if before and burn.when == "at_turn":
        burned = [next(deck) for _ in before]
    if burn.card == "first_community":
        burned.append(area.pop(0))
    if burn.card == "last_community":
        burned.append(area.pop())
    return ByHand(hands, (area[0], area[1]), burned)


def find_deal_fault(rules: TableRules, seats: tuple[int, ...] = (1, 5), seed: int = 1) -> str:
    """Deal an undisturbed round by a book; return what is not as it is dealt by hand, or ''.

    The seats are named as they are dealt to; where a player banks, seat 3 does.
    """
    order = Seeded("every deal", seed).shuffled(FACES)
    least = rules.rules.limit.cents_min or 500
    banker = 3 if rules.rules.bank.mode == "player" else 0
    bets = {seat: dict.fromkeys(BASE_SPOTS, least) for seat in seats}
    party = Party(bets, banker, 1_000 * least if banker else 0)
    choices = {(seat, bet): ("ride", "withdraw")[(seat + bet + seed) % 2] for seat in seats for bet in (1, 2)}
    practice = Practice(rules, Seeded("choices", seed), party, {1: Dealt(order=order)}, choices)
    expected = by_hand(rules.rules, order, seats)
    while not practice.over:
        command = practice.due()
        if command is None:
            return f"the table waits at {practice.table.next_step}"
        before = practice.table
        happened = practice.do(command)
        if fault := _fault(before, practice.table, happened, expected):
            return f"{fault} after {command}"
    whole = sum(len(practice.table.at(place)) for place in (places.RACK, places.READY, places.SPREAD))
    return "" if whole == 52 else f"{whole} cards are gathered"


def _fault(before: Table, table: Table, happened: Events, expected: ByHand) -> str:
    if any(isinstance(event, events.Ruled | events.RoundVoided) for event in happened):
        return "something was ruled"
    if reports := list(faults.evident(table)):
        return f"{reports[0].kind} would be reported"
    up = [str(card.face) for card in before.community() if card.up]
    for event in happened:
        match event:
            case events.ChoiceMade() if up != list(expected.community[: event.bet - 1]):
                return f"bet {event.bet} is decided with {up} in sight"
            case events.PhaseBegan(phase="choice_1" | "choice_2" | "settling" as phase):
                if seen := _seen(table, expected.burned):
                    return f"{seen} sees a burned card"
                if phase == "settling":
                    return _unlike(table, expected)
            case _:
                pass
    return ""


def _seen(table: Table, burned: list[str]) -> str:
    """Return a viewer who is told the face of a burned card, or ''."""
    for viewer in (*VIEWERS, *(f"seat:{number}" for number in table.dealt_in)):
        told = msgspec.json.encode(view(table, viewer))
        if any(f'"{card}"'.encode() in told for card in burned):
            return viewer
    return ""


def _unlike(table: Table, expected: ByHand) -> str:
    """Return what is another thing than by hand when all cards are on the felt, or ''."""
    if sorted(str(card.face) for card in table.community() if card.up) != sorted(expected.community):
        return f"{table.community_cards()} lie in the community area, by hand {expected.community}"
    if set(expected.burned) - {str(card.face) for card in table.at(places.RACK)}:
        return f"{expected.burned} are not all burned"
    held = {seat: [str(card.face) for card in table.at(places.hand(seat))] for seat in expected.hands}
    if held != expected.hands:
        return f"the hands are {held}, by hand {expected.hands}"
    hands = []
    for seat, cards in expected.hands.items():
        stakes, withdrawn = table.seats[seat].wagers, frozenset(table.seats[seat].withdrawn)
        hands.append(Hand(seat, tuple(map(parse_face, cards)), stakes, withdrawn))
    settled = settle_round(table.rules, tuple(map(parse_face, expected.community)), hands)
    otherwise = [seat for seat, results in settled.items() if results != table.seats[seat].results]
    return f"seat {otherwise[0]} is settled otherwise" if otherwise else ""
