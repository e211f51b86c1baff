"""Events: what happened at a table, each carrying its whole outcome; never a request."""

from __future__ import annotations

from typing import Final

import msgspec

from letitride.engine.places import Move
from letitride.engine.state import Choice, Dispute, Phase, Ruling, Sign
from letitride.engine.steps import Step
from letitride.ledger.transfers import Transfer
from letitride.rules.settlement import Spot, Takes, WagerResult
from letitride.rules.table_rules import TableRules


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something that happened."""

    chips: tuple[Transfer, ...] = ()
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
    """The dealer, or the actor whom the script names, did the next step."""

    step: Step
    moves: tuple[Move, ...] = ()
    inserted: tuple[Step, ...] = ()
    """Steps that became due by it, before the rest of the agenda."""
    says: str = ""
    """What is announced with it."""
    found: int = 0
    """The seat that a throw of the dice found, or the number of a count."""
    results: tuple[WagerResult, ...] = ()
    """The results of its seat's bets, where it voided or forfeited them."""
    wagers: dict[Spot, int] | None = None
    """The seat's bets after it, where it changes them."""


class FacesUnbound(Event, frozen=True):
    """A deck was mixed without an order: which of its cards lies where is bound when the first one is dealt."""

    deck: int


class FacesBound(Event, frozen=True):
    """The deck that is dealt from lies in this order, top first, after every cut; its first card is dealt now."""

    deck: int
    order: tuple[str, ...]


class PlayerSat(Event, frozen=True):
    """A player bought in and took a seat."""

    seat: int
    player: str


class ChipsBought(Event, frozen=True):
    """A seated player bought more chips."""

    seat: int


class VoucherExchanged(Event, frozen=True, omit_defaults=True):
    """A promotional voucher was exchanged for chips or tokens of equal value, or for a match-play coupon."""

    seat: int
    voucher: str = ""
    """Which one, where the house keeps account of them; elsewhere it is left out."""


class PlayerLeft(Event, frozen=True):
    """A player cashed out and left the seat."""

    seat: int
    why: str = ""


class SatOut(Event, frozen=True):
    """A player sits out, or takes part again."""

    seat: int
    out: bool


class WagersPlaced(Event, frozen=True):
    """A seat's wagers are these now."""

    seat: int
    wagers: dict[Spot, int]
    medium: str
    returned: bool = False
    """Whether the dealer gave them back, because the seat is not dealt in."""
    inserted: tuple[Step, ...] = ()


class CouponLaid(Event, frozen=True):
    """A match-play coupon of this value lies beside a seat's third bet."""

    seat: int
    cents: int


class DeckLooked(Event, frozen=True):
    """A player looked the spread deck over."""

    seat: int


class CardsLooked(Event, frozen=True):
    """A player looked at their three cards."""

    seat: int


RULED_FOR_ABSENT: Final = "ruled for a player who is away"
"""The signal of a decision that no player made: the cards were not handled by it."""


class ChoiceMade(Event, frozen=True):
    """A player let a bet ride or took it back."""

    seat: int
    bet: int
    choice: Choice
    signal: str = ""
    """How it was made known: in words, or by what was done with the cards."""
    inserted: tuple[Step, ...] = ()


class SideBetTakenBack(Event, frozen=True):
    """A player took a side bet back with a base decision; the dealer pushes it back."""

    seat: int
    wager: Spot
    signal: str = ""
    """That it was ruled for a player who is away, where it was."""
    inserted: tuple[Step, ...] = ()


class CardsTucked(Event, frozen=True):
    """A player tucked the cards early: every remaining bet rides."""

    seat: int


class SideBetClaimed(Event, frozen=True):
    """A player showed the dealer three cards for the side bet, or waved them away."""

    seat: int
    shown: bool
    moves: tuple[Move, ...]
    """Cards turned up by it: in journals from before hands were shown to the dealer alone."""
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


class MetersRead(Event, frozen=True):
    """What the meters that tables of the house share hold, in cents, by wager."""

    readings: dict[str, int]


class MetersTaken(Event, frozen=True):
    """What hands of the round take of meters, as the settlement gives it.

    A table's own meters give it when the round is over; of shared ones it is set aside at once.
    """

    takes: Takes


class RoundEnded(Event, frozen=True):
    """The round is over: every wager settled, every card in the rack."""

    round: int


class MishapHappened(Event, frozen=True):
    """Something went wrong at the table, noticed or not."""

    kind: str
    seat: int
    number: int = 0
    moves: tuple[Move, ...] = ()
    wagers: dict[Spot, int] | None = None


class PlayerWentAway(Event, frozen=True):
    """A player was seen to leave the table during a round, leaving chips and cards behind."""

    seat: int


class PlayerCameBack(Event, frozen=True):
    """A player who was said to be away is there: they acted, or the report was taken back."""

    seat: int


class Ruled(Event, frozen=True):
    """Something was ruled or ordered: by whom, by which clause, and what the dealer has to do now."""

    ruling: Ruling
    agenda: tuple[Step, ...]
    phase: Phase
    round: int
    voids_round: bool = False
    void_seat: int = 0
    """The seat whose hand alone is void."""
    exposed: int = 0
    """How many cards are exposed in this deal up to now."""
    rules: TableRules | None = None
    """The table's rules from now on, where its limits were changed."""


class BetsCorrected(Event, frozen=True):
    """A player made their bets equal, or refused to."""

    seat: int
    wagers: dict[Spot, int]
    refused: bool = False


class HandFolded(Event, frozen=True):
    """A player whose bets were uneven gave up their cards."""

    seat: int
    agenda: tuple[Step, ...]
    last: bool = False
    """Whether it was the last hand of the round."""


class SignPosted(Event, frozen=True):
    """A notice was put up at the table."""

    kind: str
    sign: Sign
    by: str


class SuspectsNamed(Event, frozen=True):
    """A supervisor's measure that stays with players or with the table."""

    measure: str
    seats: tuple[int, ...]
    players: tuple[str, ...]


class DisputeRaised(Event, frozen=True):
    """A player raised a dispute."""

    dispute: Dispute


class DisputeDecided(Event, frozen=True):
    """An instance decided a dispute; upheld it is closed, and after the last instance it is final."""

    number: int
    seat: int
    by: str
    upheld: bool
    why: str
    final: bool
    next: tuple[str, ...] = ()
    """Who could still review it."""
    clauses: tuple[str, ...] = ()
    inserted: tuple[Step, ...] = ()


class DisputeAppealed(Event, frozen=True):
    """A player appealed a ruling."""

    number: int
    seat: int
    to: str


class AdviceAsked(Event, frozen=True):
    """A player asked for advice, or no longer wants any."""

    seat: int
    wanted: bool


class AdviceGiven(Event, frozen=True):
    """A player was given advice."""

    seat: int
    by: str
    words: str


class RoundVoided(Event, frozen=True):
    """The round is over without a result: its stakes were returned, but for what was forfeited."""

    round: int
    results: dict[int, tuple[WagerResult, ...]]


class TableClosed(Event, frozen=True):
    """The table is closed."""

    by: str


AnyEvent = (
    TableOpened
    | PhaseBegan
    | StepDone
    | FacesUnbound
    | FacesBound
    | PlayerSat
    | ChipsBought
    | VoucherExchanged
    | PlayerLeft
    | SatOut
    | WagersPlaced
    | CouponLaid
    | DeckLooked
    | CardsLooked
    | ChoiceMade
    | SideBetTakenBack
    | CardsTucked
    | SideBetClaimed
    | BankTaken
    | BankDeclined
    | RoundRead
    | MetersRead
    | MetersTaken
    | RoundEnded
    | MishapHappened
    | PlayerWentAway
    | PlayerCameBack
    | Ruled
    | BetsCorrected
    | HandFolded
    | SignPosted
    | SuspectsNamed
    | DisputeRaised
    | DisputeDecided
    | DisputeAppealed
    | AdviceAsked
    | AdviceGiven
    | RoundVoided
    | TableClosed
)
