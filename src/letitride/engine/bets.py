"""Bets: which wagers a table takes, when, and from whom; it changes nothing."""

from __future__ import annotations

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import KINDS
from letitride.ledger import accounts
from letitride.rules.banking import wagers_fee
from letitride.rules.limits import BASE_BETS, SpotLimits, bet_alone, side_limits, spot_limits, spots_bound
from letitride.rules.money import dollars
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.words import escaped, shortened


def complete(table: Table, seat: Seat) -> bool:
    """Whether a seat's wagers let it be dealt in."""
    if seat.is_even:
        return True
    return bool(seat.wagers) and set(seat.wagers) <= set(bet_alone(table.rules.rules))


def refuse_close(table: Table) -> Refusal | None:
    """Return why betting cannot be closed, or None."""
    bettors = [seat for seat in table.seats.values() if seat.wagers]
    if not any(complete(table, seat) for seat in bettors):
        return Refusal("no_bets", "Nobody has three equal bets down.")
    if table.rules.rules.bet.unequal != "no_cards":
        for seat in bettors:
            if not complete(table, seat):
                return Refusal("bets_incomplete", f"Seat {seat.number} does not have three equal bets down.")
    return None


def taken_in(table: Table, seat: Seat) -> bool:
    """Whether the dealer has taken in a part of a seat's bets, as with one that goes to the tray before the deal."""
    return any(table.cents(accounts.felt(seat.number, name)) != cents for name, cents in seat.wagers.items())


def claimed_spot(table: Table) -> Spot:
    """Return the spot of the side bet that is claimed before the first decision, or nothing where none is."""
    claimed = table.rules.claimed_early
    return claimed.spot if claimed else ""


def may_take_back(table: Table, number: int) -> tuple[Spot, ...]:
    """Return the side bets that a seat may take back now: it is asked for the base decision that they go with."""
    step, seat = table.next_step, table.seats[number]
    if step is None or (step.kind, step.seat) != ("await_choice", number):
        return ()
    gone = seat.withdrawn | table.void_bets(number)
    sides = (wager for wager in table.rules.sides if step.number in wager.withdraw)
    return tuple(wager.spot for wager in sides if wager.spot in seat.wagers and wager.spot not in gone)


def refuse_take_back(table: Table, seat: Seat, spot: Spot) -> Refusal | None:
    """Return why a seat may not take a side bet back, or None."""
    wager = table.rules.by_spot.get(spot)
    if wager is None or spot not in seat.wagers:
        return Refusal("nothing_to_take_back", f"You have no bet on {escaped(shortened(spot, 60))}.")
    if not wager.withdraw:
        return Refusal("never_withdrawn", f"{wager.title} is no side bet that may be taken back.")
    if spot in seat.withdrawn:
        return Refusal("already_chosen", f"{wager.title} is taken back already.")
    if spot not in may_take_back(table, seat.number):
        bets = " or ".join(f"bet {bet}" for bet in wager.withdraw)
        return Refusal("not_your_turn", f"{wager.title} is taken back when you are asked about {bets}.")
    return None


def betting_open(table: Table) -> bool:
    """Whether wagers may be placed, raised or taken back now."""
    if table.phase == "betting":
        return any(step.kind == "call_no_more_bets" for step in table.agenda)
    after_call = table.rules.rules.bet.cutoff == "first_card"
    return table.phase == "dealing" and after_call and table.no_card_is_out


def refuse(table: Table, seat: Seat, command: commands.PlaceWagers) -> Refusal | None:
    """Return why wagers are refused, or None."""
    rules = table.rules.rules
    if table.phase == "dealing" and any(KINDS[s.kind].mends or s.kind == "await_correction" for s in table.agenda):
        return Refusal("ruling_first", "The last ruling is carried out first.")
    if not betting_open(table):
        return Refusal("betting_closed", "Betting is closed.")
    if taken_in(table, seat):
        return Refusal("bet_taken_in", "A bet of which the dealer has taken something in is not changed any more.")
    if seat.sitting_out:
        return Refusal("sitting_out", "A player who sits out does not bet.")
    if seat.leaves and command.wagers:
        return Refusal("must_leave", f"You are {seat.leaves}.")
    if table.player_banks(seat.number):
        return Refusal("bank_does_not_bet", "The player who banks makes no bets.")
    if seat.number > rules.seats:
        return Refusal("no_betting_area", "The place apart has no betting area: it is for banking.")
    if command.medium == "cash" or command.spoken:
        if not rules.bet.spoken_cash:
            return Refusal("spoken_cash_refused", "A spoken bet with cash is not taken: put chips on the spots.")
        if command.medium not in {"cash", "chips"}:
            return Refusal("medium_refused", f"Spoken bets are made with cash or chips, not with {command.medium}.")
    elif command.medium not in rules.bet.media or command.medium == "vouchers":
        return Refusal("medium_refused", f"Bets at this table are not made with {command.medium}.")
    for name, cents in command.wagers.items():
        refusal = _amount(table, name, cents)
        if refusal:
            return refusal
    if command.coupon_cents is not msgspec.UNSET and (refusal := _coupon(table, command, command.coupon_cents)):
        return refusal
    after_call = msgspec.structs.replace(seat, wagers=command.wagers)
    if table.phase == "dealing" and command.wagers and not complete(table, after_call):
        return Refusal("bets_incomplete", "After the call a seat has three equal bets or none.")
    return _not_enough(table, seat, command)


def _coupon(table: Table, command: commands.PlaceWagers, cents: int) -> Refusal | None:
    """Return why a match-play coupon is not laid beside the third bet, or None."""
    if "match_play" not in table.rules.rules.bet.media:
        return Refusal("medium_refused", "Match-play coupons are not taken at this table.")
    if cents <= 0:
        return Refusal("bad_amount", f"A coupon's value is more than nothing, not {cents} cents.")
    beside = command.wagers.get(BASE.spot, 0)
    if not beside or command.medium == "tokens":
        return Refusal("coupon_alone", "A match-play coupon is laid beside chips on the third bet.")
    if cents > beside:
        return Refusal(
            "coupon_over_bet",
            f"A coupon of {dollars(cents)} needs a bet of as much; the third bet is {dollars(beside)}.",
        )
    have = table.cents(accounts.coupons(command.seat)) + table.cents(accounts.laid_coupon(command.seat))
    if cents > have:
        return Refusal("not_enough", f"The coupon is {dollars(cents)}; you have {dollars(have)} in coupons.")
    return None


def _not_enough(table: Table, seat: Seat, command: commands.PlaceWagers) -> Refusal | None:
    """Return that a seat cannot pay for its wagers, or None: stakes in chips or tokens, and the fee always in chips."""
    stakes, fee = sum(command.wagers.values()), wagers_fee(table.rules.rules, len(command.wagers))
    back = sum(seat.wagers.values())  # what lies there goes back first to where it came from
    chips = table.cents(accounts.stack(seat.number)) + (0 if seat.medium == "tokens" else back)
    if command.medium == "tokens":
        tokens = table.cents(accounts.tokens(seat.number)) + (back if seat.medium == "tokens" else 0)
        if stakes > tokens:
            return Refusal("not_enough", f"The wagers come to {dollars(stakes)}; you have {dollars(tokens)} in tokens.")
        if fee > chips:
            return Refusal("not_enough", f"The fees come to {dollars(fee)} in chips; you have {dollars(chips)}.")
        return None
    needed = fee + (0 if command.medium == "cash" else stakes)  # cash becomes chips on the spots
    if needed > chips:
        return Refusal("not_enough", f"The wagers and fees come to {dollars(needed)}; you have {dollars(chips)}.")
    return None


def _amount(table: Table, name: str, cents: int) -> Refusal | None:
    wager = table.rules.by_spot.get(name)
    if wager is None:
        return Refusal("not_offered", f"The wager {escaped(shortened(name, 60))} is not offered at this table.")
    what, times, bounds = _bounds(table.rules, name)
    counted = times * cents
    if wager.fixed_stake and not wager.is_base and cents != bounds.cents_min:
        return Refusal("bonus_amount", f"{wager.title} is bet at exactly {dollars(bounds.cents_min)}.")
    if counted < bounds.cents_min:
        return Refusal("below_minimum", f"The least for {what} is {dollars(bounds.cents_min)}.")
    if counted > bounds.cents_max:
        return Refusal("above_maximum", f"The most for {what} is {dollars(bounds.cents_max)}.")
    if (counted - bounds.cents_min) % bounds.cents_step:
        step = dollars(bounds.cents_step)
        return Refusal("off_step", f"Bets over {dollars(bounds.cents_min)} go up in steps of {step}.")
    return None


def _bounds(table_rules: TableRules, name: Spot) -> tuple[str, int, SpotLimits]:
    """Return what is limited where a bet is made on a spot, how many times the bet it is, and its limits."""
    rules, wager = table_rules.rules, table_rules.by_spot[name]
    if not wager.is_base:
        return wager.title, 1, side_limits(wager, rules.wagers[wager.id])
    bounds = SpotLimits(table_rules.cents_min, table_rules.cents_max, rules.limit.cents_step)
    if spots_bound(rules.limit) == BASE_BETS:  # where the sign speaks of the three spots together
        return "the three base wagers together", BASE_BETS, bounds
    return "a base bet", 1, bounds


def refuse_correction(
    table: Table, seat: Seat, command: commands.Correct | commands.Fold | commands.RefuseCorrection
) -> Refusal | None:
    """Return why a seat whose bets are uneven may not do that, or None."""
    step = table.next_step
    if step is None or (step.kind, step.seat) != ("await_correction", seat.number):
        return Refusal("nothing_to_correct", "You are not asked to make your bets equal.")
    may_fold = step.number == 1
    match command:
        case commands.Fold() if not may_fold:
            return Refusal("must_correct", "You have handled your cards: make your bets equal.")
        case commands.RefuseCorrection() if may_fold:
            return Refusal("correct_or_fold", "Make your bets equal, or fold and take them back.")
        case commands.Correct():
            if refusal := _amount(table, BASE.spot, command.cents) or _beyond_bets(table, seat, command.cents):
                return refusal
            more = sum(corrected(seat, command.cents).values()) - sum(seat.wagers.values())
            have = spare_cents(table, seat)
            if more > have:
                return Refusal("not_enough", f"That takes {dollars(more)} more; you have {dollars(max(0, have))}.")
            return None
        case _:
            return None


def _beyond_bets(table: Table, seat: Seat, cents: int) -> Refusal | None:
    least, most = correction_bounds(table, seat)
    if cents < least:
        return Refusal(
            "below_staying", f"Make your bets equal at {dollars(least)} or more: no bet that stays is lowered."
        )
    if cents > most:
        return Refusal(
            "above_highest", f"Make your bets equal at {dollars(most)} or less: no bet is raised over the highest."
        )
    return None


def correction_bounds(table: Table, seat: Seat) -> tuple[int, int]:
    """Return the least and the most at which a seat's uneven base bets may be made equal now."""
    rules = table.rules.rules
    limits = spot_limits(rules.limit)
    if not seat.handled or rules.bet.correction == "table_limits":
        return limits.cents_min, limits.cents_max
    made = {spot: seat.wagers.get(spot, 0) for spot in BASE_SPOTS}
    lying = {spot: cents for spot, cents in made.items() if spot not in seat.withdrawn}
    stay = [cents for spot, cents in lying.items() if spot == BASE.spot or BASE_SPOTS.index(spot) + 1 in seat.choices]
    # Where all that lay there was withdrawn, the third bet is as high as one of those that were made.
    there = [cents for cents in lying.values() if cents] or [cents for cents in made.values() if cents]
    least = max(stay) or min(there)
    on_step = limits.cents_min - (limits.cents_min - least) // limits.cents_step * limits.cents_step
    least = min(max(on_step, limits.cents_min), limits.cents_max)
    return least, max(least, min(max(there), limits.cents_max))


def spare_cents(table: Table, seat: Seat) -> int:
    """What a seat may still bet: its chips or tokens, less the fee that is still to be collected."""
    if seat.medium == "tokens":
        return table.cents(accounts.tokens(seat.number))
    due = any((step.kind, step.seat) == ("collect_fee", seat.number) for step in table.agenda)
    fee = wagers_fee(table.rules.rules, len(seat.wagers)) if due else 0
    return table.cents(accounts.stack(seat.number)) - fee


def corrected(seat: Seat, cents: int) -> dict[Spot, int]:
    """Return a seat's bets with every base bet that is not withdrawn at one amount."""
    base: dict[Spot, int] = {s: seat.wagers.get(s, 0) if s in seat.withdrawn else cents for s in BASE_SPOTS}
    side = {name: amount for name, amount in seat.wagers.items() if name not in BASE_SPOTS}
    return {**{name: amount for name, amount in base.items() if amount}, **side}
