"""Bets: which wagers a table takes, when, and from whom; it changes nothing."""

from __future__ import annotations

from typing import NamedTuple

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
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.wager_table import BASE, BASE_SPOTS, bet_name
from letitride.rules.wagers import Wager
from letitride.rules.words import escaped, shortened


def complete(table: Table, seat: Seat) -> bool:
    """Whether a seat's wagers let it be dealt in."""
    if not seat.wagers or seat.is_even:
        return bool(seat.wagers)
    return set(seat.wagers) <= set(bet_alone(table.rules.rules))


def refuse_close(table: Table) -> Refusal | None:
    """Return why betting cannot be closed, or None."""
    bettors = [seat for seat in table.seats.values() if seat.wagers]
    if not any(complete(table, seat) for seat in bettors):
        return Refusal("no_bets", "No player has three equal bets down.")
    if table.rules.rules.bet.unequal != "no_cards":
        for seat in bettors:
            if not complete(table, seat):
                return Refusal(
                    "bets_incomplete",
                    f"Seat {seat.number} doesn't have three equal bets down.",
                    values={"seat": seat.number},
                )
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
        return Refusal(
            "nothing_to_take_back",
            f"You have no bet on {escaped(shortened(spot, 60))}.",
            values={"spot": escaped(shortened(spot, 60))},
        )
    if not wager.withdraw:
        return Refusal("never_withdrawn", f"{wager.title} can't be taken back.", "side", values={"bet": wager.title})
    if spot in seat.withdrawn:
        return Refusal("already_chosen", f"{wager.title} is already taken back.", "side", values={"bet": wager.title})
    if spot not in may_take_back(table, seat.number):
        bets = " or ".join(f"bet {bet}" for bet in wager.withdraw)
        return Refusal(
            "not_your_turn",
            f"You can take {wager.title} back when you're asked about {bets}.",
            "side",
            values={"bet": wager.title, "bets": ", ".join(map(str, wager.withdraw))},
        )
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
        return Refusal("ruling_first", "The last ruling has to be carried out first.")
    if not betting_open(table):
        return Refusal("betting_closed", "Betting is closed.")
    if taken_in(table, seat):
        return Refusal("bet_taken_in", "The dealer has already taken in part of this bet, so it can't be changed.")
    if seat.sitting_out:
        return Refusal("sitting_out", "You're sitting out, so you can't bet.")
    if seat.leaves and command.wagers:
        return Refusal("must_leave", f"You have to leave: {seat.leaves}.", values={"why": seat.leaves})
    if table.player_banks(seat.number):
        return Refusal("bank_does_not_bet", "You have the bank, so you can't bet this round.")
    if seat.number > rules.seats:
        return Refusal("no_betting_area", "The separate seat has no betting area. It's for banking.")
    if command.medium == "cash" or command.spoken:
        if not rules.bet.spoken_cash:
            return Refusal("spoken_cash_refused", "Spoken bets with cash aren't taken here. Put chips on the spots.")
        if command.medium not in {"cash", "chips"}:
            return Refusal(
                "medium_refused", f"Spoken bets are made in cash or chips, not in {command.medium}.", "spoken"
            )
    elif command.medium not in rules.bet.media or command.medium == "vouchers":
        return Refusal(
            "medium_refused", f"This table doesn't take bets in {command.medium}.", values={"medium": command.medium}
        )
    for name, cents in command.wagers.items():
        refusal = _amount(table, name, cents)
        if refusal:
            return refusal
    if command.coupon_cents is not msgspec.UNSET and (refusal := _coupon(table, command, command.coupon_cents)):
        return refusal
    after_call = msgspec.structs.replace(seat, wagers=command.wagers)
    if table.phase == "dealing" and command.wagers and not complete(table, after_call):
        return Refusal(
            "bets_incomplete", "After the call “no more bets” you have three equal bets or none.", "after_call"
        )
    return _not_enough(table, seat, command)


def _coupon(table: Table, command: commands.PlaceWagers, cents: int) -> Refusal | None:
    """Return why a match-play coupon is not laid beside the third bet, or None."""
    if "match_play" not in table.rules.rules.bet.media:
        return Refusal("medium_refused", "This table doesn't take match-play coupons.", "coupons")
    if cents <= 0:
        return Refusal("bad_amount", "A coupon has to be worth more than $0.", "coupon")
    beside = command.wagers.get(BASE.spot, 0)
    if not beside or command.medium == "tokens":
        return Refusal("coupon_alone", "A match-play coupon needs chips on bet $.")
    if cents > beside:
        return Refusal(
            "coupon_over_bet",
            f"A coupon of {dollars(cents)} needs at least as much on bet $. You have {dollars(beside)} there.",
            values={"coupon_cents": cents, "bet_cents": beside},
        )
    have = table.cents(accounts.coupons(command.seat)) + table.cents(accounts.laid_coupon(command.seat))
    if cents > have:
        return Refusal(
            "not_enough",
            f"The coupon is {dollars(cents)}. You have {dollars(have)} in coupons.",
            "coupons",
            values={"needed_cents": cents, "have_cents": have},
        )
    return None


def _not_enough(table: Table, seat: Seat, command: commands.PlaceWagers) -> Refusal | None:
    """Return that a seat cannot pay for its wagers, or None: stakes in chips or tokens, and the fee always in chips."""
    stakes, fee = sum(command.wagers.values()), wagers_fee(table.rules.rules, len(command.wagers))
    back = sum(seat.wagers.values())  # what lies there is first returned to where it came from
    chips = table.cents(accounts.stack(seat.number)) + (0 if seat.medium == "tokens" else back)
    if command.medium == "tokens":
        tokens = table.cents(accounts.tokens(seat.number)) + (back if seat.medium == "tokens" else 0)
        if stakes > tokens:
            return Refusal(
                "not_enough",
                f"Your bets are {dollars(stakes)} together. You have {dollars(tokens)} in promotional tokens.",
                "tokens",
                values={"needed_cents": stakes, "have_cents": tokens},
            )
        if fee > chips:
            return Refusal(
                "not_enough",
                f"The collection fee is {dollars(fee)} in chips. You have {dollars(chips)}.",
                "fee",
                values={"needed_cents": fee, "have_cents": chips},
            )
        return None
    needed = fee + (0 if command.medium == "cash" else stakes)  # cash becomes chips on the spots
    if needed > chips:
        beside = " and the collection fee" if fee else ""
        return Refusal(
            "not_enough",
            f"Your bets{beside} are {dollars(needed)} together. You have {dollars(chips)}.",
            "bets",
            values={"needed_cents": needed, "have_cents": chips},
        )
    return None


def _amount(table: Table, name: str, cents: int) -> Refusal | None:
    found = _bounds(table.rules).get(name)
    if found is None:
        bet = escaped(shortened(bet_name(name), 60))
        return Refusal("not_offered", f"This table doesn't offer {bet}.", values={"bet": bet})
    wager, what, case, times, bounds, is_fixed = found
    counted = times * cents
    if is_fixed and cents != bounds.cents_min:
        return Refusal(
            "bonus_amount",
            f"{wager.title} is always {dollars(bounds.cents_min)}.",
            values={"bet": wager.title, "amount_cents": bounds.cents_min},
        )
    if counted < bounds.cents_min:
        return Refusal(
            "below_minimum",
            f"The minimum for {what} is {dollars(bounds.cents_min)}.",
            case,
            values={"bet": what, "least_cents": bounds.cents_min},
        )
    if counted > bounds.cents_max:
        return Refusal(
            "above_maximum",
            f"The maximum for {what} is {dollars(bounds.cents_max)}.",
            case,
            values={"bet": what, "most_cents": bounds.cents_max},
        )
    if (counted - bounds.cents_min) % bounds.cents_step:
        step = dollars(bounds.cents_step)
        return Refusal(
            "off_step",
            f"Bets above {dollars(bounds.cents_min)} go up in steps of {step}.",
            values={"least_cents": bounds.cents_min, "step_cents": bounds.cents_step},
        )
    return None


class _Bounds(NamedTuple):
    """What is limited where a bet is made on a spot."""

    wager: Wager
    what: str
    case: str
    times: int
    """How many times the bet the limits speak of."""
    limits: SpotLimits
    is_fixed: bool = False
    """Whether one amount alone may be bet."""


@per_rules
def _bounds(rules: TableRules) -> dict[Spot, _Bounds]:
    return {name: _bounds_of(rules, wager) for name, wager in rules.by_spot.items()}


def _bounds_of(table_rules: TableRules, wager: Wager) -> _Bounds:
    rules = table_rules.rules
    if not wager.is_base:
        return _Bounds(wager, wager.title, "", 1, side_limits(wager, rules.wagers[wager.id]), wager.fixed_stake)
    limits = SpotLimits(table_rules.cents_min, table_rules.cents_max, rules.limit.cents_step)
    if spots_bound(rules.limit) == BASE_BETS:  # where the sign speaks of the three spots together
        return _Bounds(wager, "the three base bets together", "area", BASE_BETS, limits)
    return _Bounds(wager, "each base bet", "spot", 1, limits)


def refuse_correction(
    table: Table, seat: Seat, command: commands.Correct | commands.Fold | commands.RefuseCorrection
) -> Refusal | None:
    """Return why a seat whose bets are uneven may not do that, or None."""
    step = table.next_step
    if step is None or (step.kind, step.seat) != ("await_correction", seat.number):
        return Refusal("nothing_to_correct", "You're not asked to make your bets equal.")
    may_fold = step.number == 1
    match command:
        case commands.Fold() if not may_fold:
            return Refusal("must_correct", "You've handled your cards. Make your three bets equal.")
        case commands.RefuseCorrection() if may_fold:
            return Refusal("correct_or_fold", "Make your three bets equal, or fold and take them back.")
        case commands.Correct():
            if refusal := _amount(table, BASE.spot, command.cents) or _beyond_bets(table, seat, command.cents):
                return refusal
            more = sum(corrected(seat, command.cents).values()) - sum(seat.wagers.values())
            have = spare_cents(table, seat)
            if more > have:
                return Refusal(
                    "not_enough",
                    f"That takes {dollars(more)} more. You have {dollars(max(0, have))}.",
                    "more",
                    values={"needed_cents": more, "have_cents": max(0, have)},
                )
            return None
        case _:
            return None


def _beyond_bets(table: Table, seat: Seat, cents: int) -> Refusal | None:
    least, most = correction_bounds(table, seat)
    if cents < least:
        return Refusal(
            "below_staying",
            f"Make your bets equal at {dollars(least)} or more. A bet that stays can't be lowered.",
            values={"least_cents": least},
        )
    if cents > most:
        return Refusal(
            "above_highest",
            f"Make your bets equal at {dollars(most)} or less. A bet can't be raised above your highest.",
            values={"most_cents": most},
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
