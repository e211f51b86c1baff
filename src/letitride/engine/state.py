"""State: a table at one moment, frozen; it knows what is, never what may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from letitride.engine import places
from letitride.engine.places import CardObject, Move
from letitride.engine.steps import Step
from letitride.rules.cards import Card
from letitride.rules.rulings import Situation
from letitride.rules.settlement import Hand, Spot, WagerResult
from letitride.rules.shown import Page, Shown
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.wagers import Wager

REDEALT: Final = "unloaded:redealt"
"""The ruling by which a round is dealt again with the same bets."""
Phase = Literal[
    "opening",
    "idle",
    "banking",
    "betting",
    "dealing",
    "choice_1",
    "choice_2",
    "settling",
    "between",
    "ruling",
    "closed",
]
Choice = Literal["ride", "withdraw"]
"""What a player decides about a bet: to let it ride or to take it back."""
_BASE: Final = frozenset(BASE_SPOTS)
_NOTHING: Final[frozenset[Spot]] = frozenset()


class Coupon(msgspec.Struct, frozen=True, gc=False):
    """A match-play coupon in a round: its value, and what happened to it."""

    cents: int
    fate: Literal["laid", "won", "lost"] = "laid"


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat: its player, their bets, and how far they are in the round."""

    number: int
    player: str = ""
    sitting_out: bool = False
    wagers: Mapping[Spot, int] = msgspec.field(default_factory=dict)
    """The stakes of this round, as they were placed."""
    medium: str = "chips"
    dealt_in: bool = False
    looked: bool = False
    decided: bool = False
    """Whether its player has made a decision; one that was ruled for a player who is away does not count."""
    choices: Mapping[int, Choice] = msgspec.field(default_factory=dict)
    tucked: bool = False
    lammer: bool = False
    claim: Literal["", "claimed", "waved"] = ""
    results: tuple[WagerResult, ...] = ()
    taken_cents: int = 0
    """What the house or the bank has taken of its stakes this round."""
    paid_cents: int = 0
    """What the house or the bank has paid it this round."""
    back: Mapping[str, int] = msgspec.field(default_factory=dict)
    """What of its stakes was returned to it in the settlement, by wager."""
    fee_cents: int = 0
    """What it has paid the house for this round."""
    void: bool = False
    """Whether its hand was ruled void in this round."""
    away: bool = False
    """Whether its player was seen to leave the table during a round, and has done nothing since."""
    leaves: str = ""
    """Why its player must leave when the round is over, if so ordered."""
    acts_first: bool = False
    """Whether its player, under suspicion, acts before the others touch their cards."""
    wants_advice: bool = False
    defied: bool = False
    """Whether its player has refused to make uneven bets equal."""
    idle_rounds: int = 0
    """How many rounds running its player has not taken part."""
    coupon: Coupon | msgspec.UnsetType = msgspec.UNSET
    """The coupon that was laid in this round, if one was."""
    taken_back: tuple[Spot, ...] | msgspec.UnsetType = msgspec.UNSET
    """The side bets that its player took back in this round, if any were."""

    @property
    def may_bank(self) -> bool:
        """Whether its player is there to take the bank."""
        return bool(self.player) and not (self.sitting_out or self.leaves or self.away)

    @property
    def handled(self) -> bool:
        """Whether its player has handled the cards: a decision is asked for when they were examined."""
        return self.looked or self.decided

    @property
    def withdrawn(self) -> frozenset[Spot]:
        """The wagers taken back, base and side bets."""
        if not self.choices and self.taken_back is msgspec.UNSET:
            return _NOTHING
        base = frozenset([BASE_SPOTS[bet - 1] for bet, choice in self.choices.items() if choice == "withdraw"])
        return base if self.taken_back is msgspec.UNSET else base.union(self.taken_back)

    @property
    def has_base(self) -> bool:
        """Whether any base wager is down."""
        return not _BASE.isdisjoint(self.wagers)

    @property
    def is_even(self) -> bool:
        """Whether three equal base wagers are down, or as many of them as were not withdrawn."""
        wagers, withdrawn = self.wagers, self.withdrawn
        left = {wagers.get(spot, 0) for spot in BASE_SPOTS if spot not in withdrawn}
        return len(left) == 1 and wagers.get(BASE.spot, 0) > 0


class Ruling(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What was ruled at this table, by which clauses, and at whose report or order."""

    name: str
    """'hand_count:hand_void', or 'order:annul:fraud' where a supervisor ordered it."""
    sentence: str
    seat: int = 0
    seats: tuple[int, ...] = ()
    """All seats it concerns, where it names more than one."""
    number: int = 0
    key: str = ""
    """The key of the rule book that decides it."""
    clauses: tuple[str, ...] = ()
    by: str = ""
    """Who reported or ordered it."""
    why: str = ""
    case: Situation | None = None
    """What the ruling depended on, so that another book can be asked about it."""

    @property
    def house(self) -> bool:
        """Whether the book's documents are silent, so that it is a house default."""
        return not self.clauses


class DisputedBet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a dispute is about: a round, and of it a wager and an amount where its player names them."""

    round: int
    wager: Spot = ""
    cents: int = 0


class Dispute(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A player's dispute, and how far it has gone."""

    number: int
    seat: int
    """Where its player sat when it was raised."""
    player: str
    about: str
    heard_by: tuple[str, ...]
    """Who may still decide it, the next one first."""
    decisions: tuple[str, ...] = ()
    appealed: bool = False
    """Whether it was appealed and waits for the next ruling."""
    concerns: DisputedBet | msgspec.UnsetType = msgspec.UNSET
    """Which round and bet; not written where its player named none, as of old."""


class Sign(msgspec.Struct, frozen=True, gc=False):
    """A notice at the table: a higher minimum to come, or the closing."""

    minute: int
    """When it was put up, in minutes on the wall clock."""
    when: int
    """The time it announces."""
    cents: int = 0


class Table(Shown, msgspec.Struct, frozen=True, gc=False):
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
    """The seat that banks this round, or banked the last one; 0: the house banks, or no player has yet."""
    bank_stake: int = 0
    """What the bank staked for this round, in cents; 0: no player banks now."""
    bank_player: str = ""
    """Who banks, or banked last; they may have left, or sit elsewhere by now."""
    bank_hands: int = 0
    """How many hands in a row that player has banked."""
    declined: tuple[int, ...] = ()
    """The seats that declined the bank since it was last taken."""
    awards_hands: int = 0
    """For how many hands the awards for the best one are on show; 0: they have not been counted."""
    takes: Mapping[str, Mapping[int, tuple[int, bool]]] = msgspec.field(default_factory=dict)
    """What the hands of this round take of meters, by wager and seat."""
    elsewhere: Mapping[str, int] = msgspec.field(default_factory=dict)
    """What other tables had put into shared meters, less what they had taken, when these were last read; by wager."""
    meters_read: bool = False
    """Whether the shared meters were read for this round."""
    action_seat: int = 0
    """The seat found with the dice cup, at which settling starts."""
    rulings: tuple[Ruling, ...] = ()
    """What was ruled since the last round ended."""
    bet_cents_min: int = 0
    bet_cents_max: int = 0
    """The limits that were in force when betting closed, by which the round's bets are judged; 0: none."""
    exposed: int = 0
    """How many cards were exposed in this deal."""
    exposed_early: tuple[int, ...] = ()
    """The community cards that showed when the first player handled the cards, by the numbers of their places."""
    misburned: Move | None = None
    """The way of the community card that was burned in place of another in this round, if one was."""
    voiding: bool = False
    """Whether the ruling being carried out ends a round."""
    unmixed: bool = False
    """Whether the deck that was misdealt is used again as it is."""
    new_deck_due: int = 0
    """The deck that is replaced before the next round."""
    deck_serials: Mapping[int, frozenset[int]] = msgspec.field(default_factory=dict)
    """The serial numbers of a deck's 52 cards, where any of them are not those that the table was opened with."""
    unbound: Mapping[int, tuple[int, ...]] = msgspec.field(default_factory=dict)
    """The decks that lie mixed with their faces not bound yet, each with how deep it was cut since, cut by cut."""
    cards_brought: int = 0
    """How many cards were brought to the table since it was opened."""
    barred: tuple[str, ...] = ()
    separated: tuple[tuple[str, ...], ...] = ()
    """Players who may not sit at this table together."""
    english_only: bool = False
    signs: Mapping[str, Sign] = msgspec.field(default_factory=dict)
    """The notices on show, by 'minimum' and 'closing'."""
    disputes: tuple[Dispute, ...] = ()
    """Those that are not closed, oldest first."""
    disputes_raised: int = 0
    version: int = 0

    def headline(self) -> str:
        """Return the table in one line."""
        return f"by {self.rules.book.id}: round {self.round}, {self.phase}"

    def shown(self) -> Page:
        """Return what a spectator sees of the table, and what the dealer does next: never a hidden card."""
        from letitride.engine.picture import picture  # noqa: PLC0415 - it knows the table, not the other way round

        return picture(self)

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
        return tuple([number for number, seat in self.seats.items() if seat.dealt_in])

    def community(self) -> tuple[CardObject, ...]:
        """The cards of the community area as they lie, from the dealer's left."""
        return tuple([card for place in places.COMMUNITY for card in self.cards.get(place, ())])

    def community_cards(self) -> tuple[Card, ...]:
        """The faces of the cards in the community area, whether turned or not."""
        return tuple([card.face for place in places.COMMUNITY for card in self.cards.get(place, ())])

    def banks(self, seat: int) -> bool:
        """Whether a seat banks the round that is on."""
        return bool(self.bank_stake) and seat == self.bank_seat

    def own_seats(self, number: int) -> tuple[int, ...]:
        """The seats of the player at a seat, in order: more than one where the book lets a player have more hands."""
        if self.rules.rules.hands_per_player == 1 or number not in self.seats or not self.seats[number].player:
            return (number,)
        return tuple(other for other, seat in self.seats.items() if seat.player == self.seats[number].player)

    def viewers_of(self, number: int) -> frozenset[str]:
        """The names under which the player at a seat looks at the table."""
        return frozenset(f"seat:{own}" for own in self.own_seats(number))

    def player_banks(self, number: int) -> bool:
        """Whether the player at a seat banks the round that is on, from there or from another seat."""
        return bool(self.bank_stake) and self.bank_seat in self.own_seats(number)

    @property
    def no_card_is_out(self) -> bool:
        """Whether the first card of the round has not left the device yet."""
        return self.no_hand_is_out and not self.community() and not self.at(places.DRAWN)

    @property
    def no_hand_is_out(self) -> bool:
        """Whether no area has a card."""
        return not any(self.at(places.hand(number)) for number in self.seats)

    def faces(self, number: int) -> tuple[Card, ...]:
        """The faces of a seat's cards, whether turned or not."""
        return tuple([card.face for card in self.at(places.hand(number))])

    def hand_of(self, number: int) -> Hand:
        """A seat's part in the round as the settlement wants it."""
        seat = self.seats[number]
        return Hand(
            seat=number,
            cards=self.faces(number),
            stakes=seat.wagers,
            withdrawn=seat.withdrawn,
            player=seat.player,
            void=self.void_bets(number) if self.rulings else frozenset(),
        )

    def void_bets(self, number: int) -> frozenset[Spot]:
        """The side bets of a seat that are returned though its hand plays on, by what was ruled in this deal."""
        found: set[Spot] = set()
        for ruling in self.rulings:
            if ruling.name == REDEALT:  # what went wrong before has nothing to do with these cards
                found.clear()
            found |= {wager.spot for wager in self.voided_by(ruling) if number in self.concerned(ruling, wager)}
        seat = self.seats[number]
        if seat.claim and self.rules.claimed_early is not None:  # it was settled when it was claimed
            found.discard(self.rules.claimed_early.spot)
        return frozenset(found & seat.wagers.keys()) - seat.withdrawn

    def voided_by(self, ruling: Ruling) -> tuple[Wager, ...]:
        """The side bets that a ruling makes void where the round goes on."""
        kind = ruling.name.partition(":")[0]
        return tuple(wager for wager in self.rules.sides if kind in self.rules.terms(wager.id).void_on)

    def concerned(self, ruling: Ruling, wager: Wager) -> tuple[int, ...]:
        """The seats whose side bets a ruling concerns: the hand that it names, or all where it names none.

        A bet on the best hand at the table goes by every hand.
        """
        one = ruling.seat in self.dealt_in and not wager.by_hands
        return (ruling.seat,) if one else tuple(self.seats)
