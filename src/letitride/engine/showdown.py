"""Showdown: what the dealer has to do from the first hand that is opened to the last card in the rack, by the book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from letitride.engine import places
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.banking import order_of_action
from letitride.rules.hands import Category, HandValue, evaluate
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.wagers import Wager

Results = Mapping[int, tuple[WagerResult, ...]]


def settling(table: Table, results: Results) -> tuple[Step, ...]:
    """The showdown, the taking and paying, and the way of all cards to the rack."""
    settled = list(_settled(table, results))
    best = [step.seat for step in settled if step.kind == "leave_exposed"]
    return (*settled, *_collect(table, _in_order(table), results, left=best[-1] if best else 0))


def _in_order(table: Table) -> tuple[int, ...]:
    """The seats in the order in which their hands are opened."""
    return table.dealt_in if table.rules.rules.reveal.direction == "left_to_right" else table.dealt_in[::-1]


def _settled(table: Table, results: Results) -> Iterator[Step]:
    """The hands opened, and all bets taken and paid."""
    rules = table.rules.rules
    seats = _in_order(table)
    by_action = rules.bank.mode == "player" and rules.bank.settle_from == "action_seat"
    first = _settled_first(table.rules, results)
    match rules.settle.method:
        case "losers_first":
            yield from (Step("open_hand", seat) for seat in seats)
            yield from _losers_first(table.rules, seats, results)
        case _ if first or _needs_all_hands(table.rules, results):
            yield from (Step("open_hand", seat) for seat in seats)
            for seat in seats:
                yield from _wager_steps(table.rules, seat, [r for r in results[seat] if r.wager in first])
            yield from _hand_after_hand(table, seats, results, first, open_already=True)
        case "lay_and_pay":
            yield from (Step("open_hand", seat) for seat in seats)
            yield from _hand_after_hand(table, seats, results, first, open_already=True)
        case "hand_by_hand" if by_action:
            yield from (Step("open_hand", seat) for seat in seats)
            in_order = order_of_action(rules, seats, table.action_seat)
            yield from _hand_after_hand(table, in_order, results, first, open_already=True)
        case "hand_by_hand" | "pick_and_pay":
            yield from _hand_after_hand(table, seats, results, first)
    if best := table.rules.on_best_hand:
        for seat in seats:
            yield from _wager_steps(table.rules, seat, [r for r in results[seat] if r.wager == best.spot])


def _settled_first(rules: TableRules, results: Results) -> tuple[Spot, ...]:
    """Return the spots of side bets that are settled before the base bets, which is when every hand is open."""
    early = _early_spots(rules)
    return tuple([spot for spot in early if _is_made(spot, results)]) if early else ()


@per_rules
def _early_spots(rules: TableRules) -> tuple[Spot, ...]:
    return tuple(one.spot for one in rules.sides if rules.terms(one.id).settle in {"before_base", "early_claim"})


def _is_made(spot: Spot, results: Results) -> bool:
    return any(result.wager == spot for rows in results.values() for result in rows)


def _needs_all_hands(rules: TableRules, results: Results) -> bool:
    """Whether what a hand wins depends on others that are open only later: by their part of a meter, or by envy."""
    return any(_is_made(wager.spot, results) for wager in rules.sides if wager.depends_on_others)


@per_rules
def settle_order(rules: TableRules) -> tuple[Wager, ...]:
    """Return the wagers in the order in which a player's are settled: as the book names them, and the others around.

    What the book does not name comes first where it is settled before the base, and last otherwise.
    """
    if not rules.sides:
        return tuple(rules.wagers.values())
    named = rules.rules.settle.bets_order
    others = [name for name in rules.wagers if name not in named]
    first = [name for name in others if rules.terms(name).settle in {"before_base", "early_claim"}]
    last = (name for name in others if name not in first)
    return tuple(rules.wagers[name] for name in (*first, *named, *last) if name in rules.wagers)


@per_rules
def _spots_in_order(rules: TableRules) -> tuple[Spot, ...]:
    """Return the spots of a seat as they are settled; what goes with the best hand of the table is left out."""
    return tuple(spot for wager in settle_order(rules) if not wager.by_hands for spot in wager.spots)


def _settle_seat(rules: TableRules, seat: int, results: Results, settled: tuple[Spot, ...]) -> list[Step]:
    """The bets of a seat, but for those that are settled before the others or with the best hand of the table."""
    mine = {row.wager: row for row in results[seat] if row.wager not in settled}
    return _wager_steps(rules, seat, [mine[spot] for spot in _spots_in_order(rules) if spot in mine])


@per_rules
def _spots_taken_before(rules: TableRules) -> frozenset[Spot]:
    """Return the spots whose stakes are in the tray by now."""
    return frozenset(wager.spot for wager in rules.taken_before_deal)


def _wager_steps(rules: TableRules, seat: int, results: list[WagerResult]) -> list[Step]:
    taken, steps = _spots_taken_before(rules), list[Step]()
    for result in results:
        if _is_paid(result):
            steps.append(Step("pay", seat, result.wager))
        elif result.fate == "lost" and result.wager not in taken:
            steps.append(Step("take", seat, result.wager))
        elif result.fate in {"returned", "void"}:  # not covered by a bank, or void by a ruling
            steps.append(Step("return_wager", seat, result.wager))
    return steps


def _is_paid(result: WagerResult) -> bool:
    """Whether something is paid for a bet: it won, or has envy."""
    return result.fate == "won" or result.envy_cents > 0


def _hand_after_hand(
    table: Table, seats: tuple[int, ...], results: Results, settled: tuple[Spot, ...], *, open_already: bool = False
) -> Iterator[Step]:
    """Each hand opened and settled in turn; where it is picked up at once, the best hand yet may stay on the felt.

    What is `settled` was so before.
    """
    rules = table.rules.rules
    on_best = table.rules.on_best_hand
    best_stays = on_best is not None and rules.wagers[on_best.id].expose_best
    exposed, best = 0, HandValue(Category.THREE_OF_A_KIND, ())  # any three of a kind is more than this
    community = table.community_cards()
    for seat in seats:
        if not open_already:
            yield Step("open_hand", seat)
        yield from _settle_seat(table.rules, seat, results, settled)
        if rules.settle.method != "pick_and_pay":
            continue
        exposes = best_stays and bool(results[seat])
        value = evaluate((*table.faces(seat), *community)) if exposes else best
        if value > best:
            yield Step("leave_exposed", seat)
            if exposed:
                yield Step("pick_up", exposed)
            exposed, best = seat, value
        else:
            yield Step("pick_up", seat)


def _losers_first(rules: TableRules, seats: tuple[int, ...], results: Results) -> Iterator[Step]:
    """All losers, then all winners; wagers that are not settled with the base have passes of their own."""
    order = [wager for wager in settle_order(rules) if not wager.by_hands]
    together = [one for one in order if one.is_base or rules.terms(one.id).settle == "with_base"]
    passes = [together, *([wager] for wager in order if wager not in together)]
    base = next(one for one in together if one.is_base)
    for wagers in sorted(passes, key=lambda one: order.index(base if one is together else one[0])):
        for seat in seats:
            mine = [r for r in results[seat] if any(r.wager in wager.spots for wager in wagers)]
            yield from _wager_steps(rules, seat, [r for r in mine if r.fate == "lost" and not _is_paid(r)])
            lost = not any(map(_is_paid, results[seat]))
            if rules.rules.cards.collect == "losers_at_once" and wagers is together and lost:
                yield Step("collect_hand", seat)
        for seat in seats:
            for wager in wagers:
                mine = [r for r in results[seat] if r.wager in wager.spots]
                yield from _wager_steps(rules, seat, [r for r in mine if _is_paid(r) or r.fate == "void"])


def _collect(table: Table, seats: tuple[int, ...], results: Results, left: int) -> Iterator[Step]:
    """The cards on their way to the rack; `left` is the seat whose hand was left face up as the best, if any."""
    rules = table.rules.rules
    if rules.settle.method == "pick_and_pay":
        if left:
            yield Step("pick_up", left)
        yield Step("collect_picked")
    else:
        at_once = rules.cards.collect == "losers_at_once"
        for seat in seats:
            if not at_once or any(map(_is_paid, results[seat])):
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
