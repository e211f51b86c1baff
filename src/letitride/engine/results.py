"""Results: what every wager of a round comes to as the cards lie; it pays none."""

from __future__ import annotations

from letitride.engine import faults, meters
from letitride.engine.state import Table
from letitride.rules.banking import order_of_action, settle_hands_banked
from letitride.rules.settlement import Results, Takes, settle_hands, settle_less, settle_meters


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
        plain = settle_hands(table.rules, community, hands, table.awards_hands)
        results, takes = settle_meters(table.rules, community, hands, plain, meters.held(table))
        return unread | results, takes
    in_order = [table.hand_of(number) for number in order_of_action(rules, read, table.action_seat)]
    return unread | settle_hands_banked(table.rules, community, in_order, table.bank_stake), {}


def base_anew(table: Table, number: int) -> Results:
    """Return the results of a seat whose base bets became smaller, and of hands that a maximum payout ties to it."""
    before = {one: table.seats[one].results for one in table.dealt_in if table.seats[one].results}
    hands = [table.hand_of(one) for one in before]
    return settle_less(table.rules, table.community_cards(), hands, before, number)
