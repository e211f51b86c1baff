"""Keys: every key of a rule book, typed, documented and with its legal values; never a book's values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from letitride.rules.keys.deck import Cut, Deck, Shuffle, Stub
from letitride.rules.keys.irregularities import Close, Irreg, Misdeal, Sitout
from letitride.rules.keys.meta import Section, key
from letitride.rules.keys.play import Burn, Cards, Deal, Decide, Reveal, Round, Settle
from letitride.rules.keys.table import Bank, Community, Layout, Shuffler
from letitride.rules.keys.wagers import (
    Bet,
    Fee,
    FeeTier,
    Limit,
    Odds,
    Payout,
    Terms,
)
from letitride.rules.roles import Role

__all__ = ["FeeTier", "Role", "Rules", "Terms"]


class Rules(Section, frozen=True):
    """The values of a whole rule book, as the table, the analyzer and the simulator read them."""

    seats: Annotated[int, key("Seats on the players' side.", unit="seats", ge=1, le=7)] = 7
    device: Annotated[
        Literal["shuffler", "shoe", "hand"],
        key("What the cards are dealt from.", shuffler="an automatic shuffler", shoe="a shoe", hand="the hand"),
    ] = "shuffler"
    decks: Annotated[
        Literal[1, 2],
        key(
            "How many decks alternate, round by round.",
            **{"1": "one deck", "2": "two, each every second round"},
        ),
    ] = 1
    idle: Annotated[
        Literal["dead_game", "reshuffle", "spread"],
        key(
            "What happens at an open table without players.",
            dead_game="the shuffler's dead-game mode",
            reshuffle="the cards are shuffled before play begins again",
            spread="the cards lie spread; they are shown, washed and shuffled for the first player",
        ),
    ] = "reshuffle"
    hands_per_player: Annotated[
        int,
        key(
            "How many hands one player may play in a round, at seats side by side. Each hand has its own chips, bets "
            "and decisions; all of them are their player's to see. A player who banks bets at none of them.",
            unit="hands",
            ge=1,
            le=7,
        ),
    ] = 1
    collusion: Annotated[
        tuple[Literal["act_first", "separate", "english_only", "bar"], ...],
        key(
            "What a supervisor may order on suspicion that players share their cards.",
            act_first="suspects act before others touch their cards and before community card 1 is shown",
            separate="suspects may not sit at one table",
            english_only="only English is spoken at the table",
            bar="suspects are barred from play",
        ),
    ] = ("separate", "bar")
    annul: Annotated[
        Literal["refund", "refund_or_forfeit"],
        key(
            "What a supervisor may order when fire, a disturbance or fraud disrupts a round.",
            refund="all bets are returned",
            refund_or_forfeit="all bets may be returned, and a cheat's bets may be forfeited",
        ),
    ] = "refund"
    dispute: Annotated[tuple[Role, ...], key("Who rules on a dispute, in the order of appeal.")] = (
        "floor",
        "casino_supervisor",
        "operator",
    )
    supervisor: Annotated[
        Literal["floor", "casino_supervisor", "games_supervisor"],
        key(
            "The lowest role that may give a supervisor's orders: limits, refusing bets, barring, annulling a round.",
            floor="the floor person at the table, or any supervisor",
            casino_supervisor="a casino supervisor or the operator",
            games_supervisor="the games supervisor at the table, or a higher one",
        ),
    ] = "floor"
    device_breach: Annotated[
        tuple[Literal["void_bets", "bar"], ...],
        key(
            "What a supervisor may order against a person who uses a device to record, analyze or alter play.",
            void_bets="that person's bets are void",
            bar="that person is barred from play",
        ),
    ] = ("void_bets", "bar")
    advice: Annotated[
        Literal["on_request", "free"],
        key(
            "Whether spectators and other players may advise a player.",
            on_request="only a player who asks for it",
            free="nothing is said about it",
        ),
    ] = "free"
    coach: Annotated[bool, key("Whether a player may be shown playing advice at a live table.")] = True

    bank: Bank = Bank()
    layout: Layout = Layout()
    shuffler: Shuffler = Shuffler()
    deck: Deck = Deck()
    shuffle: Shuffle = Shuffle()
    cut: Cut = Cut()
    stub: Stub = Stub()
    bet: Bet = Bet()
    limit: Limit = Limit()
    fee: Fee = Fee()
    wagers: Mapping[str, Terms] = msgspec.field(default_factory=dict)
    """What the book says of each wager; a key such as 'ID.cents_max' is that wager's."""
    odds: Odds = Odds()
    payout: Payout = Payout()
    deal: Deal = Deal()
    community: Community = Community()
    burn: Burn = Burn()
    decide: Decide = Decide()
    cards: Cards = Cards()
    reveal: Reveal = Reveal()
    settle: Settle = Settle()
    round: Round = Round()
    irreg: Irreg = Irreg()
    misdeal: Misdeal = Misdeal()
    sitout: Sitout = Sitout()
    close: Close = Close()
