"""Events: what happened at a table, each carrying its whole outcome; never a request."""

from __future__ import annotations

import msgspec

from letitride.engine.places import Chips, Move
from letitride.engine.state import Choice, Phase
from letitride.engine.steps import Step
from letitride.rules.settlement import WagerName, WagerResult
from letitride.rules.table_rules import TableRules


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened."""

    chips: tuple[Chips, ...] = ()
    """The amounts that changed hands with it."""


class TableOpened(Event, frozen=True):
    """A table was set up by a rule book; it carries the resolved rules, so that a journal is complete in itself."""

    rules: TableRules


class PhaseBegan(Event, frozen=True):
    """A new part of the procedure began, with everything the dealer has to do in it."""

    phase: Phase
    agenda: tuple[Step, ...]
    round: int


class StepDone(Event, frozen=True):
    """The dealer, or whoever the script names, did the next step."""

    step: Step
    moves: tuple[Move, ...] = ()
    inserted: tuple[Step, ...] = ()
    """Steps that became due by it, before the rest of the agenda."""
    says: str = ""
    """What is announced with it."""
    found: int = 0
    """The seat that a throw of the dice found."""


class PlayerSat(Event, frozen=True):
    """A player bought in and took a seat."""

    seat: int
    player: str


class ChipsBought(Event, frozen=True):
    """A seated player bought more chips."""

    seat: int


class VoucherExchanged(Event, frozen=True):
    """A promotional voucher was exchanged for chips or tokens of equal value."""

    seat: int


class PlayerLeft(Event, frozen=True):
    """A player cashed out and left his seat."""

    seat: int


class SatOut(Event, frozen=True):
    """A player sits out, or takes part again."""

    seat: int
    out: bool


class WagersPlaced(Event, frozen=True):
    """A seat's wagers are these now."""

    seat: int
    wagers: dict[WagerName, int]
    medium: str
    returned: bool = False
    """Whether the dealer gave them back, because the seat is not dealt in."""
    inserted: tuple[Step, ...] = ()


class DeckLooked(Event, frozen=True):
    """A player looked the spread deck over."""

    seat: int


class CardsLooked(Event, frozen=True):
    """A player looked at his three cards."""

    seat: int


class ChoiceMade(Event, frozen=True):
    """A player let a bet ride or took it back."""

    seat: int
    bet: int
    choice: Choice
    signal: str = ""
    """How it was made known: in words, or by what was done with the cards."""
    inserted: tuple[Step, ...] = ()


class CardsTucked(Event, frozen=True):
    """A player tucked his cards early: every bet he has left rides."""

    seat: int


class SideBetClaimed(Event, frozen=True):
    """A player showed his three cards for the side bet, or waved them away."""

    seat: int
    shown: bool
    moves: tuple[Move, ...]
    inserted: tuple[Step, ...]
    results: tuple[WagerResult, ...]


class BankTaken(Event, frozen=True):
    """A player banks the coming hand."""

    seat: int
    stake_cents: int


class BankDeclined(Event, frozen=True):
    """A player let the bank go by; it is offered on."""

    seat: int
    inserted: tuple[Step, ...]


class RoundRead(Event, frozen=True):
    """The results of the round, as the settlement gives them, before any is taken or paid."""

    results: dict[int, tuple[WagerResult, ...]]


class RoundEnded(Event, frozen=True):
    """The round is over: every wager settled, every card in the rack."""

    round: int


AnyEvent = (
    TableOpened
    | PhaseBegan
    | StepDone
    | PlayerSat
    | ChipsBought
    | VoucherExchanged
    | PlayerLeft
    | SatOut
    | WagersPlaced
    | DeckLooked
    | CardsLooked
    | ChoiceMade
    | CardsTucked
    | SideBetClaimed
    | BankTaken
    | BankDeclined
    | RoundRead
    | RoundEnded
)
