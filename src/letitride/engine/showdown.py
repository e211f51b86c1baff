"""Showdown: what the dealer has to do from the first hand that is opened to the last card in the rack, by the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from letitride.engine import places
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.banking import order_of_action
from letitride.rules.hands import Category, HandValue
from letitride.rules.keys import Rules
from letitride.rules.settlement import WagerResult, value_of, wager_of

Results = Mapping[int, tuple[WagerResult, ...]]


def settling(table: Table, results: Results) -> Iterator[Step]:
    """The showdown, the taking and paying, and the way of all cards to the rack."""
    rules = table.rules.rules
    seats = table.dealt_in if rules.reveal.direction == "left_to_right" else table.dealt_in[::-1]
    by_action = rules.bank.mode == "player" and rules.bank.settle_from == "action_seat"
    side_first = _side_bets_first(rules, results)
    match rules.settle.method:
        case "losers_first":
            yield from (Step("open_hand", seat) for seat in seats)
            yield from _losers_first(rules, seats, results)
        case _ if side_first:
            yield from (Step("open_hand", seat) for seat in seats)
            for seat in seats:
                yield from _wager_steps(seat, [r for r in results[seat] if r.wager == "three_card"])
            yield from _hand_after_hand(table, seats, results, open_already=True)
        case "lay_and_pay":
            yield from (Step("open_hand", seat) for seat in seats)
            yield from _hand_after_hand(table, seats, results, open_already=True)
        case "hand_by_hand" if by_action:
            yield from (Step("open_hand", seat) for seat in seats)
            in_order = order_of_action(rules, seats, table.action_seat)
            yield from _hand_after_hand(table, in_order, results, open_already=True)
        case "hand_by_hand" | "pick_and_pay":
            yield from _hand_after_hand(table, seats, results)
    for seat in seats:
        yield from _wager_steps(seat, [r for r in results[seat] if r.wager == "cover_all"])
    yield from _collect(table, seats, results)


def _side_bets_first(rules: Rules, results: Results) -> bool:
    """Whether 3 Card Bonus bets are settled before the base bets, which is when every hand is open."""
    waiting = any(result.wager == "three_card" for rows in results.values() for result in rows)
    return waiting and rules.three_card.settle in {"before_base", "early_claim"}


def _settle_seat(rules: Rules, seat: int, results: Results) -> Iterator[Step]:
    settled = {"cover_all", "three_card"} if _side_bets_first(rules, results) else {"cover_all"}
    for wager in rules.settle.bets_order:
        if wager not in settled:
            yield from _wager_steps(seat, [r for r in results[seat] if wager_of(r.wager) == wager])


def _wager_steps(seat: int, results: list[WagerResult]) -> Iterator[Step]:
    for result in results:
        if result.fate == "won":
            yield Step("pay", seat, result.wager)
        elif result.fate == "lost" and result.wager != "bonus":  # a bonus dollar lies in the tray already
            yield Step("take", seat, result.wager)
        elif result.fate == "returned":
            yield Step("return_wager", seat, result.wager)


def _hand_after_hand(
    table: Table, seats: tuple[int, ...], results: Results, *, open_already: bool = False
) -> Iterator[Step]:
    """Each hand opened and settled in turn; where it is picked up at once, the best so far may stay on the felt."""
    rules = table.rules.rules
    exposed, best = 0, HandValue(Category.THREE_OF_A_KIND, ())  # any three of a kind is more than this
    for seat in seats:
        if not open_already:
            yield Step("open_hand", seat)
        yield from _settle_seat(rules, seat, results)
        if rules.settle.method != "pick_and_pay":
            continue
        exposes = rules.cover_all.offered and rules.cover_all.expose_best and bool(results[seat])
        value = value_of(table.community_cards(), table.hand_of(seat)) if exposes else best
        if value > best:
            yield Step("leave_exposed", seat)
            if exposed:
                yield Step("pick_up", exposed)
            exposed, best = seat, value
        else:
            yield Step("pick_up", seat)


def _losers_first(rules: Rules, seats: tuple[int, ...], results: Results) -> Iterator[Step]:
    """All losers, then all winners; wagers that are not settled with the base have passes of their own."""
    with_base = rules.three_card.offered and rules.three_card.settle == "with_base"
    together: list[str] = ["base", "three_card"] if with_base else ["base"]
    order: list[str] = [wager for wager in rules.settle.bets_order if wager != "cover_all"]
    passes: list[list[str]] = [together, *([wager] for wager in order if wager not in together)]
    for wagers in sorted(passes, key=lambda one: order.index(one[0])):
        for seat in seats:
            mine = [r for r in results[seat] if wager_of(r.wager) in wagers]
            yield from _wager_steps(seat, [r for r in mine if r.fate == "lost"])
            lost = not any(r.fate == "won" for r in results[seat])
            if rules.cards.collect == "losers_at_once" and wagers is together and lost:
                yield Step("collect_hand", seat)
        for seat in seats:
            for wager in sorted(wagers, key=order.index):
                won = [r for r in results[seat] if r.fate == "won" and wager_of(r.wager) == wager]
                yield from _wager_steps(seat, won)


def _collect(table: Table, seats: tuple[int, ...], results: Results) -> Iterator[Step]:
    rules = table.rules.rules
    if rules.settle.method == "pick_and_pay":
        left = [step.seat for step in _hand_after_hand(table, seats, results) if step.kind == "leave_exposed"]
        if left:
            yield Step("pick_up", left[-1])
        yield Step("collect_picked")
    else:
        at_once = rules.cards.collect == "losers_at_once"
        for seat in seats:
            if not at_once or any(r.fate == "won" for r in results[seat]):
                yield Step("collect_hand", seat)
    yield Step("collect_community")
    if table.at(places.READY):
        yield Step("collect_stub")
    if any(table.seats[seat].lammer for seat in seats):
        yield Step("collect_lammers")
    if table.bank_stake:
        yield Step("return_stake", table.bank_seat)
    if rules.device == "shuffler" and rules.shuffler.controller:
        yield Step("game_over")
