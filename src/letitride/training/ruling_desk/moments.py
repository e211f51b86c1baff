"""Moments: rounds of three hands, stopped where something may come to light; nothing is wrong in them yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from letitride.engine import faults
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.ruling_desk.questions import HANDS, Given
from letitride.training.staff.practice import Party, Practice, bank_seats, bank_stake

_STEPS_MAX = 400


class _Still:
    """No chance at all: which cards fall is no matter here."""

    def below(self, limit: int) -> int:
        """Return the middle."""
        return limit // 2


def moment(rules: TableRules, given: Given, *, asked: bool) -> Table:
    """Return a table at the moment that answers describe; `asked`: while a player's decision is due."""
    return _moment(_Rules(rules), _reached(given), asked)


def _reached(given: Given) -> str:
    """Return how far the round is: as early as the answers allow."""
    if given.get("out") == "no":
        return "first"
    if given.get("looked", "none") != "none":
        return given["looked"]
    if given.get("own") == "yes":
        return "some"
    return "after" if given.get("when", "after") == "after" else "deal"


class _Rules:
    """A table's rules as the key of a cache."""

    __slots__ = ("rules",)

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules

    def __hash__(self) -> int:
        return hash(self.rules.book.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self.rules.book.digest == other.rules.book.digest


@cache
def _moment(of: _Rules, reached: str, asked: bool) -> Table:
    practice = Practice(
        of.rules, _Still(), _party(of.rules), choices={(n, b): "ride" for n in range(1, 20) for b in (1, 2)}
    )
    is_there = _IS_THERE[reached]
    for _ in range(_STEPS_MAX):
        table = practice.table
        due = table.next_step is not None and table.next_step.kind == "await_choice"
        if table.phase in faults.ROUND and is_there(table) and (due or not asked):
            return table
        practice.step()
    raise InvariantBroken(f"expected a round by {of.rules.book.id} that comes to '{reached}', got one that does not")


def _party(rules: TableRules) -> Party:
    limits = spot_limits(rules.rules.limit)
    least = limits.cents_min or 100
    banker = bank_seats(rules.rules)[0] if rules.rules.bank.mode == "player" else 0
    seats = [seat for seat in range(1, rules.rules.seats + 1) if seat != banker][:HANDS]
    sides = {one.spot: side_limits(one, rules.terms(one.id)).cents_min for one in rules.sides}
    bets = {seat: {**dict.fromkeys(BASE_SPOTS, least), **sides} for seat in seats}
    return Party(bets, banker, bank_stake(rules.rules, 1_000 * least) if banker else 0)


def _looked(table: Table) -> int:
    return sum(table.seats[number].handled for number in table.dealt_in)


_IS_THERE: dict[str, Callable[[Table], bool]] = {
    "first": lambda table: table.phase == "dealing" and table.no_card_is_out and faults.in_deal(table),
    "deal": lambda table: faults.in_deal(table) and not table.no_card_is_out and faults.dealer_cards(table) > 0,
    "after": lambda table: table.phase != "dealing",
    "some": lambda table: _looked(table) >= 1,
    "all": lambda table: _looked(table) >= len(table.dealt_in),
}
