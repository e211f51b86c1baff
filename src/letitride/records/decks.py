"""Decks: the order a deck must have so that a record's hands come out of it by the book's own deal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from letitride.engine import agenda, commands, places
from letitride.records.record import Action, Dealt
from letitride.rules.cards import DECK
from letitride.rules.keys import Rules
from letitride.rules.keys.play import TOP_BURNS


def order_of(dealt: Dealt, rules: Rules, seats: tuple[int, ...]) -> tuple[str, ...]:
    """Return a whole deck, top first: the record's own order, or one that deals the record's hands."""
    fixed = _by_draw(dealt, rules, seats) if not dealt.order else dict(enumerate(dealt.order))
    foreign = sum(card.endswith("*") for card in fixed.values())
    used = {card.rstrip("^*") for card in fixed.values() if not card.endswith("*")} | set(dealt.missing)
    spare = (str(card) for card in DECK if str(card) not in used)
    return tuple(fixed.get(place) or next(spare) for place in range(52 + foreign - len(dealt.missing)))


def named_cards(dealt: Dealt) -> tuple[str, ...]:
    """Return the cards of the 52 that a record names for a deal."""
    named = (*dealt.order, *(card for _, cards in dealt.hands for card in cards), *dealt.community, *dealt.burn)
    return tuple(card.rstrip("^") for card in named if not card.endswith("*"))


def without(dealt: Dealt, lost: Collection[str]) -> Dealt:
    """Return a deal by a deck that has lost some cards in an earlier round."""
    order = tuple(card for card in dealt.order if card.rstrip("^") not in lost)
    return replace(dealt, order=order, missing=tuple(dict.fromkeys((*dealt.missing, *sorted(lost)))))


def before_cut(order: tuple[str, ...], depth: int) -> tuple[str, ...]:
    """Return the order that a cut of so many cards turns into the given one."""
    return (*order[-depth:], *order[:-depth]) if depth else order


def cuts_to_come(actions: Iterable[Action], depth: int) -> tuple[int, ...]:
    """Return how deep a deck is cut before it is dealt, cut by cut: as lines say, or else so many cards."""
    cuts = [depth]
    for action in actions:
        match action.command:
            case commands.Do(kind="cut_deck", cut=cut) if cut and not action.refused:
                cuts[-1] = cut
            case commands.Order(kind="recut") if not action.refused:
                cuts.append(depth)
            case _:
                pass
    return tuple(cuts)


def _by_draw(dealt: Dealt, rules: Rules, seats: tuple[int, ...]) -> dict[int, str]:
    """Return {place in the deck: card} for the cards a record names."""
    wanted = {places.hand(seat): list(cards) for seat, cards in dealt.hands}
    first = 2 if rules.community.order == "second_third" else 1
    for number, card in enumerate(dealt.community, first):
        wanted[places.community(number)] = [card]
    burned = places.RACK if rules.burn.card in TOP_BURNS else places.community(1 if first == 2 else 3)
    wanted |= {burned: list(dealt.burn)} if dealt.burn else {}
    draws = enumerate(_draws(rules, seats))
    return {place: wanted[target].pop(0) for place, target in draws if wanted.get(target)}


def _draws(rules: Rules, seats: tuple[int, ...]) -> Iterator[str]:
    """Yield where each card goes, in the order in which the cards leave the deck."""
    turning = (step for bet in (1, 2) for step in agenda.top_burn(rules, bet, "at_turn"))
    for step in (*agenda.deal(rules, seats), *turning):
        match step.kind:
            case "deal_packet":
                yield from [places.hand(step.seat)] * 3
            case "deal_card":
                yield places.hand(step.seat)
            case "deal_community":
                yield places.community(step.number)
            case "burn_top":
                yield places.RACK
            case "deal_dealer_packet":
                packet = [places.community(number) for number in (1, 2, 3)]
                yield from packet if rules.deal.packet_top == "first_out" else reversed(packet)
