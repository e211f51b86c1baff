"""State: a table at one moment, frozen; it knows what is, never what may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from letitride.engine import places
from letitride.engine.places import CardObject
from letitride.engine.steps import Step
from letitride.rules.cards import Card
from letitride.rules.settlement import BASE_SPOTS, Hand, WagerName, WagerResult
from letitride.rules.table_rules import TableRules

Phase = Literal["opening", "idle", "banking", "betting", "dealing", "choice_1", "choice_2", "settling", "between"]
Choice = Literal["ride", "withdraw"]


class Seat(msgspec.Struct, frozen=True):
    """A seat: who sits there, what he has bet, and how far he is in the round."""

    number: int
    player: str = ""
    sitting_out: bool = False
    wagers: Mapping[WagerName, int] = msgspec.field(default_factory=dict)
    """The stakes of this round, as they were placed."""
    medium: str = "chips"
    dealt_in: bool = False
    looked: bool = False
    choices: Mapping[int, Choice] = msgspec.field(default_factory=dict)
    tucked: bool = False
    lammer: bool = False
    claim: Literal["", "claimed", "waved"] = ""
    results: tuple[WagerResult, ...] = ()

    @property
    def withdrawn(self) -> frozenset[WagerName]:
        """The base wagers taken back."""
        return frozenset(BASE_SPOTS[bet - 1] for bet, choice in self.choices.items() if choice == "withdraw")

    @property
    def has_base(self) -> bool:
        """Whether three equal base wagers are down."""
        return len({self.wagers.get(spot, 0) for spot in BASE_SPOTS}) == 1 and self.wagers.get("base-$", 0) > 0


class Table(msgspec.Struct, frozen=True):
    """Everything about a table: rules, seats, cards, chips, and what the dealer has still to do."""

    rules: TableRules
    phase: Phase
    agenda: tuple[Step, ...]
    """What is still to be done in this phase, in the book's order."""
    seats: Mapping[int, Seat]
    cards: Mapping[str, tuple[CardObject, ...]]
    """The card objects in each place, first or topmost first."""
    accounts: Mapping[str, int]
    """The cents in each account of the table."""
    round: int = 0
    rounds_since_count: int = 0
    community_up: int = 0
    bank_seat: int = 0
    """The seat that banks this round, or banked the last one; 0: the house banks, or nobody has yet."""
    bank_stake: int = 0
    """What the bank staked for this round, in cents; 0: nobody banks now."""
    bank_player: str = ""
    """Who banks, or banked last; he may have left, or sit elsewhere by now."""
    bank_hands: int = 0
    """How many hands in a row that player has banked."""
    declined: tuple[int, ...] = ()
    """The seats that declined the bank since it was last taken."""
    awards_hands: int = 0
    """How many hands the Cover All awards on show are for; 0: they have not been counted."""
    action_seat: int = 0
    """The seat found with the dice cup, at which settling starts."""
    version: int = 0

    def at(self, place: str) -> tuple[CardObject, ...]:
        """The cards in a place."""
        return self.cards.get(place, ())

    def cents(self, account: str) -> int:
        """The amount in an account."""
        return self.accounts.get(account, 0)

    @property
    def next_step(self) -> Step | None:
        """What comes next, if the script has anything left."""
        return self.agenda[0] if self.agenda else None

    @property
    def dealt_in(self) -> tuple[int, ...]:
        """The seats with cards this round, from the dealer's left, clockwise."""
        return tuple(number for number, seat in self.seats.items() if seat.dealt_in)

    def community(self) -> tuple[CardObject, ...]:
        """The cards of the community area as they lie, from the dealer's left."""
        return tuple(card for place in places.COMMUNITY for card in self.at(place))

    def community_cards(self) -> tuple[Card, ...]:
        """The faces of the cards in the community area, whether turned or not."""
        return tuple(card.face for card in self.community())

    @property
    def no_card_is_out(self) -> bool:
        """Whether the first card of the round has not left the device yet."""
        return not any(self.at(places.hand(number)) for number in self.seats) and not self.community()

    def hand_of(self, number: int) -> Hand:
        """A seat's part in the round as the settlement wants it."""
        seat = self.seats[number]
        return Hand(
            seat=number,
            cards=tuple(card.face for card in self.at(places.hand(number))),
            stakes=seat.wagers,
            withdrawn=frozenset(spot for spot in BASE_SPOTS if spot in seat.withdrawn),
        )
