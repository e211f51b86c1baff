"""Paying: hands that lie open and bets that wait for their pay, against the clock; the settlement is the judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from letitride.engine import meters
from letitride.engine.script import clauses_in
from letitride.engine.steps import Step
from letitride.errors import InvariantBroken
from letitride.rules.banking import order_of_action
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.money import dollars
from letitride.rules.settlement import read_cards
from letitride.rules.table_rules import TableRules
from letitride.rules.wagers import Wager
from letitride.training.chance import Chance
from letitride.training.staff.drill import Drill
from letitride.training.staff.elsewhere import cited, own_clauses, pays_elsewhere
from letitride.training.staff.positions import Position, position, with_cap
from letitride.training.staff.practice import Sides, side_bets
from letitride.training.staff.questions import (
    Elsewhere,
    Judged,
    Mark,
    Question,
    amount_field,
    new_mark,
    new_question,
)
from letitride.training.staff.scene import scene

HANDS: Final = {1: 2, 2: 3, 3: 5, 4: 7, 5: 7}
SIDE: Final[dict[int, Sides]] = {1: "none", 2: "single", 3: "all", 4: "all", 5: "all"}
STEPS: Final = {1: 2, 2: 4, 3: 8, 4: 15, 5: 40}
"""Up to how many times the least a bet is."""
SECONDS: Final = {1: 20, 2: 15, 3: 12, 4: 9, 5: 7}
"""How long each amount may take at each level."""
NAMED_UP_TO: Final = 1
"""Up to this level the hands are read out; after it the trainee reads them."""
_CAPPED_AT: Final = 5


class Paying(Drill):
    """Pay the table: for each seat, what its base bets and each side bet are paid, without returned stakes."""

    name = "pay"

    def __init__(self, rules: TableRules, chance: Chance, *, level: int = 1, length: int = 8) -> None:
        super().__init__(rules, chance, level=level, length=length)
        self._position: Position | None = None

    def _ask(self) -> Question | None:
        if len(self.sheet.marks) >= self.length:
            return None
        least = spot_limits(self.rules.rules.limit).cents_min
        rules = with_cap(self.rules, 150 * least) if self.level >= _CAPPED_AT else self.rules
        side = side_bets(rules, SIDE[self.level])
        found = position(rules, self.chance, HANDS[self.level], side, steps=STEPS[self.level])
        self._position = found
        fields = tuple(
            amount_field(f"{seat}:{wager}", f"seat {seat}, {bets_of(wager)}", seat)
            for seat in found.hands
            for wager in found.wagers(seat)
        )
        hands = {seat: found.named(seat) for seat in found.hands} if self.level <= NAMED_UP_TO else {}
        return new_question(
            kind="pay",
            text="What is each seat paid? Enter the amount paid in addition to the stake; 0 for a bet that loses.",
            seen=scene(found.table, pays_told(found), hands=hands),
            fields=fields,
            seconds=SECONDS[self.level] * len(fields),
        )

    def _judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        found = self._position
        if found is None:
            raise InvariantBroken("expected a position that was asked about, got none")
        judged, wrong = [], []
        for one in question.fields:
            wager = self.rules.wagers[one.name.partition(":")[2]]
            due, said = found.paid_cents(one.seat, wager), int(given[one.name])
            right = said == due
            judged.append(Judged(one.name, one.label, dollars(said), dollars(due), right))
            wrong += [] if right else [(one.seat, wager)]
        clauses = pay_clauses(found, wrong[0][1]) if wrong else ()
        paid = sum(found.paid_cents(seat, wager) for seat in found.hands for wager in found.wagers(seat))
        return new_mark(
            outcome="wrong" if wrong else "right",
            sentence=_sentence(found, wrong) if wrong else f"All paid: {dollars(paid)} in total.",
            judged=tuple(judged),
            points=len(judged) - len(wrong),
            points_max=len(judged),
            clauses=cited(clauses),
            house_default=False,
            elsewhere=paid_elsewhere(found, *wrong[0]) if wrong else (),
        )


def bets_of(wager: Wager) -> str:
    """Return what a seat's bets of one kind are called."""
    return "base bets" if wager.is_base else wager.title


def pay_clauses(found: Position, wager: Wager) -> tuple[str, ...]:
    """Return the clauses behind what a wager is paid: those of the act, and those of its schedule."""
    rules = found.table.rules
    act = clauses_in(rules, Step("pay", 1, wager.spots[0]))
    return tuple(dict.fromkeys((*act, *own_clauses(rules, rules.pays[wager.id].clauses))))


def pays_told(found: Position) -> tuple[str, ...]:
    """Return the schedules in force as the felt shows them, for the wagers that are down."""
    rules = found.table.rules
    down = {wager for seat in found.hands for wager in found.wagers(seat)}
    lines = []
    for wager in (one for one in rules.wagers.values() if one in down):
        pays = rules.pays[wager.id]
        unit = side_limits(wager, rules.terms(wager.id)).cents_min  # of which awards told as amounts are multiples
        hands = found.table.awards_hands
        listed = ", ".join(f"{label} {odds}" for label, odds in pays.on_the_felt(hands, unit).items())
        lines.append(f"{bets_of(wager)}{_paytable(rules, wager)}: {listed}")
        if wager.meter is not None:
            lines.append(f"the meter of {wager.title} holds {dollars(meters.held(found.table)[wager.id])}")
        if wager.envy:
            envy = ", ".join(f"{rank.label} {dollars(cents)}" for rank, cents in wager.envy.items())
            lines.append(f"envy, to every other player with the {wager.title} bet: {envy}")
    if found.table.bank_stake:
        rule = rules.rules
        lines.append(f"seat {found.table.bank_seat} banks with {dollars(found.table.bank_stake)}; {_order(found)}")
        lines.append(f"what the bank's stake covers: {rule.bank.cover}")
    return tuple(lines)


def _paytable(rules: TableRules, wager: Wager) -> str:
    """Return by which paytable a wager is paid; a house's own wager has its pays in its own file."""
    return f" ({rules.paytables[wager.id]})" if wager.published else ""


def _order(found: Position) -> str:
    rules = found.table.rules.rules
    seats = order_of_action(rules, found.hands, found.table.action_seat)
    return f"settled in the order of seats {', '.join(map(str, seats))}"


def _sentence(found: Position, wrong: list[tuple[int, Wager]]) -> str:
    told = [
        f"seat {seat} ({found.named(seat)}) is paid {dollars(found.paid_cents(seat, wager))} on its {bets_of(wager)}"
        for seat, wager in wrong[:4]
    ]
    more = f"; and {len(wrong) - 4} more" if len(wrong) > 4 else ""
    return f"S{'; '.join(told)[1:]}{more}."


def paid_elsewhere(found: Position, seat: int, wager: Wager) -> tuple[Elsewhere, ...]:
    """Return what the other books pay for the same bets of a seat."""
    table = found.table
    hand = replace(table.hand_of(seat), cards=found.cards(seat))
    if wager.by_hands:  # it is paid on the best hand of the table
        best = max(found.hands, key=lambda one: read_cards(wager, found.cards(one), found.community))
        hand = replace(hand, cards=found.cards(best))
    return pays_elsewhere(
        table.rules,
        found.community,
        hand,
        wager,
        bank_cents=table.bank_stake,
        hands=table.awards_hands or len(found.hands),
    )
