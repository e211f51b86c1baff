"""Elsewhere: what the other published books say about the same thing, as pure functions of the facts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from threading import Lock
from typing import Final

from letitride.engine import commands, events
from letitride.engine.steps import KINDS, Step, say
from letitride.errors import InvariantBroken
from letitride.rules import catalog
from letitride.rules.banking import settle_hands_banked
from letitride.rules.cards import Card
from letitride.rules.explain import facts, in_words
from letitride.rules.keyspec import KEYS
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.money import dollars
from letitride.rules.rulings import Situation, rule
from letitride.rules.settlement import Hand, settle_hands
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.wagers import Wager
from letitride.training.staff.practice import Party, Practice, bank_seats, bank_stake, published_rules
from letitride.training.staff.questions import Cited, Elsewhere


def cited(clauses: tuple[str, ...]) -> tuple[Cited, ...]:
    """Return clauses with what they demand."""
    return tuple(Cited(name, catalog.clause(name).demand) for name in clauses)


def own_clauses(rules: TableRules, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some clauses that belong to the documents of a book."""
    documents = catalog.documents(rules.book)
    return tuple(name for name in clauses if catalog.clause(name).document in documents)


def others(rules: TableRules) -> Iterator[TableRules]:
    """Yield the published books other than a table's own."""
    return (published_rules(book) for book in catalog.rulebook_ids() if book != rules.book.id)


def rulings_elsewhere(rules: TableRules, case: Situation) -> tuple[Elsewhere, ...]:
    """Return what the other books rule on the same facts."""
    found = []
    for other in others(rules):
        verdict = rule(other.rules, case)
        if KEYS[verdict.key].applies_to(other.rules):
            clauses = other.ruling_clauses.get(verdict.name, ())
            found.append(Elsewhere(other.book.id, verdict.sentence, clauses))
        else:
            found.append(Elsewhere(other.book.id, "this cannot happen there", ()))
    return tuple(found)


def keys_elsewhere(rules: TableRules, key: str) -> tuple[Elsewhere, ...]:
    """Return what the other books say about a key."""
    spec = rules.book.keys[key]
    found = []
    for other in others(rules):
        if key not in other.book.keys:
            found.append(Elsewhere(other.book.id, "the wager is not offered", ()))
            continue
        (fact,) = facts(other.book, [spec])
        words = in_words(spec, fact.value) if fact.applies else "not applicable"
        found.append(Elsewhere(other.book.id, f"{spec.doc.rstrip('.')}: {words}", fact.demanding))
    return tuple(found)


def key_clauses(rules: TableRules, key: str) -> tuple[str, ...]:
    """Return the clauses behind a book's value of a key; none where it is a house default."""
    (fact,) = facts(rules.book, [rules.book.keys[key]])
    return fact.demanding


def steps_elsewhere(rules: TableRules, last: Step | None, due: Step) -> tuple[Elsewhere, ...]:
    """Return what comes at the same point of a round by the other books."""
    return tuple(_step_there(other, last, due) for other in others(rules))


def _step_there(other: TableRules, last: Step | None, due: Step) -> Elsewhere:
    steps = round_of(other)
    if last is not None:
        for one, following in pairwise(steps):
            if (one.kind, one.number) == (last.kind, last.number):
                words = f"the next step there: {in_general(following)}"
                return Elsewhere(other.book.id, words, other.step_clauses.get(following.kind, ()))
    if any(one.kind == due.kind for one in steps):
        return Elsewhere(other.book.id, f"the same step there: {in_general(due)}", other.step_clauses.get(due.kind, ()))
    return Elsewhere(other.book.id, "there is no such step there", ())


def in_general(step: Step) -> str:
    """Return a step in words, whichever seat it is for."""
    return say(step).replace(f"seat {step.seat}", "a seat") if step.seat else say(step)


def round_of(rules: TableRules) -> tuple[Step, ...]:
    """Return the steps of a plain round by a book, from an opened table to the next round: two seats, all bets ride."""
    with _LOCK:
        found = _ROUNDS.get(rules.book.digest)
        if found is None:
            if len(_ROUNDS) >= _ROUNDS_MAX:
                _ROUNDS.clear()
            found = _ROUNDS[rules.book.digest] = _play_round(rules)
        return found


_ROUNDS: Final[dict[str, tuple[Step, ...]]] = {}
"""By the digest of the book, because a round is asked for with every question."""
_ROUNDS_MAX: Final = 64
_LOCK: Final = Lock()


def _play_round(rules: TableRules) -> tuple[Step, ...]:
    least = spot_limits(rules.rules.limit).cents_min
    banker = bank_seats(rules.rules)[0] if rules.rules.bank.mode == "player" else 0
    seats = [seat for seat in range(1, rules.rules.seats + 1) if seat != banker][-2:]
    sides = {wager.spot: side_limits(wager, rules.terms(wager.id)).cents_min for wager in rules.sides}
    bets = {seat: {**dict.fromkeys(BASE_SPOTS, least), **sides} for seat in seats}
    riding = {(seat, bet): "ride" for seat in seats for bet in (1, 2)}
    who = Party(bets, banker, bank_stake(rules.rules, 100 * least) if banker else 0)
    practice = Practice(rules, _Still(), who, choices=riding)
    steps = []
    while not practice.over or practice.table.phase == "between":
        command = practice.due()
        if command is None:
            break
        if isinstance(command, commands.Do):
            steps.append(Step(command.kind, command.seat, command.wager, command.number))
        happened = practice.do(command)
        if any(isinstance(one, events.Ruled) for one in happened):
            raise InvariantBroken(f"expected a plain round by {rules.book.id} without a ruling, got one")
    if not practice.over:
        raise InvariantBroken(f"expected a plain round by {rules.book.id} that ends, got a table that waits")
    return tuple(steps)


class _Still:
    """No chance at all: where only the order of steps is wanted, any cards will do."""

    def below(self, limit: int) -> int:
        """Return the middle."""
        return limit // 2


def pays_elsewhere(
    rules: TableRules, community: tuple[Card, ...], hand: Hand, wager: Wager, *, bank_cents: int, hands: int
) -> tuple[Elsewhere, ...]:
    """Return what the other books pay for the same cards and stakes of one hand."""
    found = []
    for other in others(rules):
        if wager.id not in other.pays:
            found.append(Elsewhere(other.book.id, "the wager is not offered", ()))
            continue
        stakes = {name: cents for name, cents in hand.stakes.items() if name in wager.spots}
        alone = Hand(hand.seat, hand.cards, stakes, hand.withdrawn)
        if other.rules.bank.mode == "player":
            paid = settle_hands_banked(other, community, [alone], bank_cents or 10**9)[hand.seat]
        else:
            paid = settle_hands(other, community, [alone], hands)[hand.seat]
        words = f"{dollars(sum(one.paid_cents for one in paid))} by {other.paytables[wager.id]}"
        found.append(Elsewhere(other.book.id, words, own_clauses(other, other.pays[wager.id].clauses)))
    return tuple(found)


def actor_says(step: Step) -> str:
    """Return who does a step, and what."""
    return f"{KINDS[step.kind].actor}: {say(step)}"
