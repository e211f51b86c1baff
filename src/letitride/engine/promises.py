"""Promises: what must hold at a table after every command, each as a check that can fail; never a matter of chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from letitride.engine import commands, events
from letitride.engine.decide import Events, play
from letitride.engine.evolve import evolve
from letitride.engine.legal import legal
from letitride.engine.places import COMMUNITY, DRAWN, PACKET, hand
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.ledger.accounts import BANK, FEES, TRAY, Kind, parse
from letitride.ledger.transfers import Unbalanced
from letitride.rules.settlement import Results


class PromiseBroken(InvariantBroken):
    """A promise that did not hold, by its name."""

    def __init__(self, promise: str, what: str) -> None:
        super().__init__(f"{promise}: {what}")
        self.promise = promise


def demand(promise: str, holds: bool, what: str) -> None:
    """Say which promise does not hold, if it does not."""
    if not holds:
        raise PromiseBroken(promise, what)


def play_checked(table: Table, command: commands.AnyCommand) -> tuple[Table, Events | Refusal]:
    """Play a command and check what must hold after each: money, cards, the bank, and that events tell all.

    Nothing is decided or evolved twice for it: `check_again` does that.
    """
    try:
        after, outcome = play(table, command)
    except Unbalanced as error:
        raise PromiseBroken("money is conserved", str(error)) from error
    except Exception as error:
        raise PromiseBroken("never an exception", f"{type(error).__name__}: {error}") from error
    if isinstance(outcome, Refusal):
        demand("a refusal changes nothing", after is table, f"{command} changed the table")
        return after, outcome
    told = after.version - table.version == len(outcome)  # every event changes the table once
    demand("replay equals live", told, f"{len(outcome)} events gave version {after.version} after {table.version}")
    # What these events could not have changed held before them, and is not looked at again.
    if after.accounts is not table.accounts:
        demand("money is conserved", not sum(after.accounts.values()), "the table's accounts do not balance")
    if after.cards is not table.cards:
        cards_in_one_place(after)
    if after.cards is not table.cards or after.unbound is not table.unbound:
        bound_before_dealt(after)
    check_table(after, outcome)
    return after, outcome


def check_again(table: Table, command: commands.AnyCommand, after: Table, outcome: Events | Refusal) -> None:
    """Check that a command comes to the same once more: `legal` answers as it did, and the events alone give the table.

    It does everything twice, so it is for trials such as fuzzing, not for a live table.
    """
    refused = legal(table, command)
    agrees = outcome == refused if isinstance(outcome, Refusal) else refused is None
    demand("legal refuses what decide refuses", agrees, f"{command} gave {outcome}, legal says {refused}")
    replayed = table
    for event in () if isinstance(outcome, Refusal) else outcome:
        replayed = evolve(replayed, event)
    demand("replay equals live", replayed == after, "the events alone give another table")


@dataclass(slots=True)
class Round:
    """What changed hands since a round's bets could be placed, as the transfers tell it."""

    game: dict[int, int] = field(default_factory=dict)
    """What each seat got from the house or the bank, less what it gave, in cents."""
    fees: int = 0
    """What the house was paid for the use of the table."""

    def watch(self, table: Table, outcome: Events) -> None:
        """Follow the money; when the round ends, see that every seat got what its results say."""
        for event in outcome:
            if isinstance(event, events.DisputeDecided):
                continue  # what is paid for a dispute is no part of the round
            for moved in event.chips:
                self._count(moved.source, moved.target, -moved.cents)
                self._count(moved.target, moved.source, moved.cents)
            if isinstance(event, events.RoundEnded):
                self._end(table, {n: seat.results for n, seat in table.seats.items()})
            if isinstance(event, events.RoundVoided):
                kept = any(result.fate == "forfeited" for rows in event.results.values() for result in rows)
                demand("a void round costs nothing", kept or not self.fees, f"the house kept {self.fees} cents")
                self._end(table, event.results)

    def _count(self, account: str, other: str, cents: int) -> None:
        if account == FEES:
            self.fees += cents
        seat = parse(account).seat
        if seat and other in {TRAY, BANK}:
            self.game[seat] = self.game.get(seat, 0) + cents

    def _end(self, before: Table, results: Results) -> None:
        """`before` is the table at the last command of the round."""
        nets = {n: sum(r.net_cents for r in rows) for n, rows in results.items()}
        if before.bank_stake:
            won = -sum(nets.values())
            demand("the bank is limited by its stake", abs(won) <= before.bank_stake, f"it won {won} cents")
            nets[before.bank_seat] = won
        got = {number: cents for number, cents in self.game.items() if cents}
        due = {number: cents for number, cents in nets.items() if cents}
        demand("every result is paid", got == due, f"the seats got {got}, the results say {due}")
        self.game.clear()
        self.fees = 0


_ENDS: Final = (events.RoundEnded, events.RoundVoided)


def check_table(table: Table, outcome: Events) -> None:
    """Check what must be true between rounds and of the bank at all times."""
    if any(isinstance(event, _ENDS) for event in outcome):
        left = [account for account in table.accounts if parse(account).kind in {Kind.FELT, Kind.BANK, Kind.TAKEN}]
        demand("the felt is clear after a round", not left, f"chips are left on {left}")
    if hands := table.bank_hands:
        most = table.rules.rules.bank.max_consecutive
        demand("the bank goes round", hands <= most, f"seat {table.bank_seat} banked {hands} hands")


def bound_before_dealt(table: Table) -> None:
    """Check that no card of a deck without faces lies anywhere but with its deck."""
    if table.unbound:
        laid = (*(hand(number) for number in table.seats), *COMMUNITY, PACKET, DRAWN)
        early = {card.deck for place in laid for card in table.at(place)} & table.unbound.keys()
        demand("no card is dealt before its deck is bound", not early, f"cards of {early} lie there")


def cards_in_one_place(table: Table) -> None:
    """Check that no card is missing and none is in two places."""
    # A foreign card has a serial below zero; its property would cost more than the rest of this check.
    found = [(card.deck, card.serial) for held in table.cards.values() for card in held if card.serial >= 0]
    whole = 52 * table.rules.rules.decks + table.cards_brought
    demand("every card is in one place", len(found) == len(set(found)) == whole, f"{len(set(found))} of {whole} cards")
