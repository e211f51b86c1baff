"""Limits: what a table's limits leave for each base spot, and what may be bet alone; it takes and refuses no bet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.keys import Rules, Terms
from letitride.rules.keys.wagers import Limit
from letitride.rules.keyspec import default_terms
from letitride.rules.money import dollars
from letitride.rules.wagers import Wager

PAID_OVER: Final = {
    "player_round": "to each player in a round",
    "hand": "on each hand",
    "wager": "on each bet",
    "round": "to all players together in a round, shared in proportion to what they win",
}
"""Over what a maximum payout is counted, as a sign says it, by `payout.scope`."""
BASE_BETS: Final = 3
"""How many equal bets the base game takes, one on each spot of a playing area."""


@dataclass(frozen=True, slots=True)
class SpotLimits:
    """What a bet on one spot may be: from the minimum to the maximum, in steps, in cents."""

    cents_min: int
    cents_max: int
    cents_step: int


def spots_bound(limit: Limit) -> int:
    """Return how many base spots the limits bind together: one, or all three of a playing area."""
    return BASE_BETS if limit.scope == "area" else 1


def spot_floor(limit: Limit, cents_min: int) -> int:
    """Return the lowest bet on one spot that keeps a minimum of this table's kind."""
    return -(-cents_min // spots_bound(limit))


def spot_ceiling(limit: Limit, cents_max: int) -> int:
    """Return the highest bet on one spot that keeps a maximum of this table's kind."""
    return cents_max // spots_bound(limit)


def find_spot_limits(limit: Limit) -> SpotLimits | None:
    """Return what each of three equal base bets may be, or None where limits and step leave no bet."""
    least, most, step, bound = limit.cents_min, limit.cents_max, limit.cents_step, spots_bound(limit)
    if least is None or most is None:
        return None
    # The step counts from the minimum of what the limits bind: three equal bets reach it at every third step, or never.
    reached = (least + steps * step for steps in range(bound))
    lowest = next((cents // bound for cents in reached if not cents % bound), None)
    if lowest is None or lowest * bound > most:
        return None
    per_spot = step if step % bound else step // bound
    return SpotLimits(lowest, lowest + (most // bound - lowest) // per_spot * per_spot, per_spot)


def spot_limits(limit: Limit) -> SpotLimits:
    """Return what each of three equal base bets may be at a table that is ready to open."""
    found = find_spot_limits(limit)
    if found is None:
        raise InvariantBroken("limits that leave no bet are refused before a table opens")
    return found


def payout_words(rules: Rules) -> str:
    """Return what a sign says of the maximum payout, or nothing where the table has none."""
    if rules.payout.cap != "maximum" or rules.payout.cents_max is None:
        return ""
    sides = ", and on each side bet of " + ", ".join(rules.payout.sides) if rules.payout.sides else ""
    return f"at most {dollars(rules.payout.cents_max)} is paid on the base bets {PAID_OVER[rules.payout.scope]}{sides}"


def bet_alone(rules: Rules) -> tuple[str, ...]:
    """Return the side bets that a player may make without the three base bets."""
    return tuple(wager for wager, terms in rules.wagers.items() if terms.offered and terms.alone)


def side_limits(wager: Wager, terms: Terms) -> SpotLimits:
    """Return what a side bet may be."""
    if wager.fixed_stake:
        return SpotLimits(terms.cents, terms.cents, 1)
    return SpotLimits(terms.cents_min, terms.cents_max, terms.cents_step)


def check_own_stake(wager: Wager, cents: int, where: str) -> None:
    """Refuse a stake that the file of a house's own wager does not allow; a rule book says it of published ones."""
    if wager.published:
        return
    limits = side_limits(wager, default_terms(wager))
    if wager.fixed_stake and cents != limits.cents_min:
        raise InvalidData(f"{where}: expected {dollars(limits.cents_min)} for {wager.title}, got {dollars(cents)}")
    if not limits.cents_min <= cents <= limits.cents_max:
        allowed = f"{dollars(limits.cents_min)} to {dollars(limits.cents_max)}"
        raise InvalidData(f"{where}: expected {allowed} for {wager.title}, got {dollars(cents)}")
    if (cents - limits.cents_min) % limits.cents_step:
        allowed = f"{dollars(limits.cents_min)} and steps of {dollars(limits.cents_step)}"
        raise InvalidData(f"{where}: expected {allowed} for {wager.title}, got {dollars(cents)}")


def buy_in_min(rules: Rules) -> int:
    """Return the fewest chips with which a player sits down: none where a voucher can be exchanged for some."""
    return 0 if "vouchers" in rules.bet.media else 1
