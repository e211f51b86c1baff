"""Results: what every wager of a round comes to as the cards lie; it pays none."""

from __future__ import annotations

from dataclasses import replace

from letitride.engine import faults, meters
from letitride.engine.state import Table
from letitride.rules.banking import order_of_action, settle_banked
from letitride.rules.settlement import Results, Spot, Takes, settle_meters, settle_round
from letitride.rules.wager_table import BASE_SPOTS


def round_results(table: Table) -> Results:
    """Return what every wager of the round comes to."""
    return read_round(table)[0]


def read_round(table: Table) -> tuple[Results, Takes]:
    """Return what every wager of the round comes to, and what hands take of meters."""
    rules, community = table.rules.rules, table.community_cards()
    unread = {number: () for number in table.dealt_in if faults.unreadable(table, number)}  # has no result
    read = [number for number in table.dealt_in if number not in unread]
    if rules.bank.mode == "house":
        hands = [table.hand_of(number) for number in read]
        plain = settle_round(table.rules, community, hands, table.awards_hands)
        results, takes = settle_meters(table.rules, community, hands, plain, meters.held(table))
        return unread | results, takes
    in_order = [table.hand_of(number) for number in order_of_action(rules, read, table.action_seat)]
    return unread | settle_banked(table.rules, community, in_order, table.bank_stake), {}


def base_anew(table: Table, number: int) -> Results:
    """Return a seat's results with the base bets at what they are now; those that are settled come out as they did."""
    hand = table.hand_of(number)
    base: dict[Spot, int] = {name: cents for name, cents in hand.stakes.items() if name in BASE_SPOTS}
    (rows,) = settle_round(table.rules, table.community_cards(), [replace(hand, stakes=base)]).values()
    anew = {row.wager: row for row in rows}
    return {number: tuple(anew.get(row.wager, row) for row in table.seats[number].results)}
