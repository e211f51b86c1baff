"""Keys of the wagers: how bets are made, their limits, the fee, and what a book says of each wager."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from letitride.rules.irregularities import WHAT, Survived
from letitride.rules.keys.meta import Section, key

_SURVIVED = {kind: WHAT[kind] for kind in get_args(Survived)}
_FLAT_FEE = ("fee.kind", "flat")

Cents = Annotated[int, msgspec.Meta(ge=1)]


class Bet(Section, frozen=True):
    """How a bet is made."""

    media: Annotated[
        tuple[Literal["chips", "plaques", "tokens", "vouchers", "match_play"], ...],
        key(
            "What may be bet.",
            chips="gaming chips",
            plaques="gaming plaques",
            tokens="the casino's promotional tokens",
            vouchers="promotional vouchers, exchanged for chips or tokens of equal value first",
            match_play=(
                "the casino's match-play coupons, beside chips of at least their value on the third bet. A coupon that "
                "wins is paid its value once; every coupon is surrendered with the bet"
            ),
        ),
    ] = ("chips",)
    spoken_cash: Annotated[bool, key("Whether a spoken bet backed by cash is taken.")] = False
    cutoff: Annotated[
        Literal["call", "call_and_lockout", "call_and_first_card", "first_card"],
        key(
            "The moment that closes betting.",
            call="the dealer's call of no more bets",
            call_and_lockout="the call, with the controller's lock-out pressed",
            call_and_first_card="the call; a bet may still be refused until the first card is drawn",
            first_card="the drawing of the first card",
        ),
    ] = "call"
    unequal: Annotated[
        Literal["dealer_waits", "correct_or_fold", "no_cards"],
        key(
            "What happens where the three base wagers are missing or not equal.",
            dealer_waits="the dealer does not go on until they are",
            correct_or_fold=(
                "before the player has handled the cards: correct, or fold with the bet returned; after: correct"
            ),
            no_cards="the seat is dealt no cards",
        ),
    ] = "dealer_waits"
    correction: Annotated[
        Literal["between_bets", "table_limits"],
        key(
            "At what uneven base wagers may be made equal once their player has handled the cards.",
            applies=("bet.unequal", "correct_or_fold", "dealer_waits"),
            later=True,
            between_bets=(
                "at no more than the highest of them, and no less than any that must stay: the third, and one that "
                "rides. Once cards are seen, a hand can't be folded or its bets raised"
            ),
            table_limits="at any amount within the limits, as before the cards were handled",
        ),
    ] = "between_bets"
    lone_side: Annotated[
        Literal["by_wager", "never"],
        key(
            "Whether a side bet may be made without the three base bets.",
            later=True,
            by_wager="where what the book says of that wager allows it",
            never="never: the three base bets are compulsory",
        ),
    ] = "by_wager"
    refuse: Annotated[
        Literal["no", "before_first_card"],
        key(
            "Whether a casino supervisor may refuse a bet.",
            no="not provided for",
            before_first_card="on reasonable grounds, until the first card is drawn",
        ),
    ] = "before_first_card"


class Limit(Section, frozen=True):
    """The table limits of each base wager."""

    cents_min: Annotated[Cents | None, key("The lowest wager; unset: the table must state it.", unit="cents")] = 500
    cents_max: Annotated[Cents | None, key("The highest wager; unset: the table must state it.", unit="cents")] = 50_000
    cents_step: Annotated[
        int, key("Amounts over the minimum go up in steps of this; 1: any amount.", unit="cents", ge=1)
    ] = 1
    scope: Annotated[
        Literal["wager", "area"],
        key(
            "What the limits bind.",
            wager="each of the three base wagers",
            area="the three base wagers of a playing area together",
        ),
    ] = "wager"
    under_min: Annotated[
        Literal["stands", "returned"],
        key(
            "A wager below the minimum found after betting closed.",
            stands="is valid and plays",
            returned="is void and returned",
        ),
    ] = "stands"
    over_max: Annotated[
        Literal["settled_to_max", "returned"],
        key(
            "A wager above the maximum found late; earlier rounds stand.",
            settled_to_max="is settled up to the maximum and the excess is returned",
            returned="is void and returned",
        ),
    ] = "settled_to_max"
    change: Annotated[
        Literal["any_time", "between_rounds"],
        key(
            "When a casino supervisor may change the limits.",
            any_time="at any time, a higher minimum after notice",
            between_rounds="between two rounds, a higher minimum after notice",
        ),
    ] = "between_rounds"
    notice_minutes: Annotated[
        int, key("How long a sign announces a higher minimum beforehand.", unit="minutes", ge=0)
    ] = 0


class FeeTier(Section, frozen=True):
    """One row of a fee schedule."""

    limit_cents_max: Annotated[
        int, msgspec.Meta(ge=1, description="Tables with this maximum or a lower one.", examples=[5000])
    ]
    wager_cents: Annotated[int, msgspec.Meta(ge=0, description="A player's fee for each wager.", examples=[100])]
    bank_cents: Annotated[
        int, msgspec.Meta(ge=0, description="The player-dealer's fee for each hand banked.", examples=[200])
    ]


class Fee(Section, frozen=True):
    """What the house charges for the use of the table: never a share of a bet."""

    kind: Annotated[
        Literal["none", "flat"],
        key("The fee.", none="there is none", flat="flat amounts, announced beforehand, by table limit"),
    ] = "none"
    tiers: Annotated[
        tuple[FeeTier, ...] | None,
        key("The fee schedule, lowest limit first; unset: the table must state it.", applies=_FLAT_FEE),
    ] = None


class Terms(Section, frozen=True):
    """What a rule book says of one wager; a wager's own file lists which of these it has."""

    offered: Annotated[bool, key("Whether it is offered.")] = True
    cents: Annotated[int, key("The only amount that may be bet.", unit="cents", ge=1)] = 100
    stake_handling: Annotated[
        Literal["sensor", "lammer"],
        key(
            "How the bet is taken to the tray before the deal.",
            sensor="a lit sensor keeps the record after lock-out",
            lammer="a lammer is exchanged for the money",
        ),
    ] = "lammer"
    taken: Annotated[
        Literal["before_deal", "settlement"],
        key(
            "When the stake is taken from its spot.",
            before_deal="to the tray before the first card",
            settlement="it lies there until it is settled",
        ),
    ] = "settlement"
    cents_min: Annotated[int, key("The lowest bet.", unit="cents", ge=1)] = 100
    cents_max: Annotated[int, key("The highest bet.", unit="cents", ge=1)] = 2_500
    cents_step: Annotated[
        int, key("Amounts over the minimum go up in steps of this; 1: any amount.", unit="cents", ge=1)
    ] = 1
    alone: Annotated[bool, key("Whether it may be bet without the base wagers.")] = False
    settle: Annotated[
        Literal["after_base", "before_base", "with_base", "early_claim"],
        key(
            "When it is settled.",
            after_base="at the end, after the base wagers",
            before_base="when every hand is open, before the base wagers",
            with_base="losers are taken and winners paid together with the base wagers",
            early_claim="when a player shows the dealer the hand or waves it away, before bet 1; else before the base",
        ),
    ] = "after_base"
    void_on: Annotated[
        tuple[Survived, ...],
        key(
            "Irregularities after which the bet is returned although the round goes on; none: it stands with its hand.",
            **_SURVIVED,
        ),
    ] = ()
    vendors: Annotated[
        tuple[str, ...], key("Makers with whose shuffler alone it may be settled before the base; none: any.")
    ] = ()
    count: Annotated[
        Literal["hands_dealt", "base_hands"],
        key(
            "Which hands choose the award column and compete for the best.",
            hands_dealt="every hand dealt in the round, a side-bet-only hand too",
            base_hands="the hands with base wagers",
        ),
    ] = "hands_dealt"
    expose_best: Annotated[bool, key("Whether the best hand yet stays open while others are settled.")] = True
    models: Annotated[tuple[str, ...], key("Shuffler models that can run it, where a shuffler deals; none: any.")] = ()
    software: Annotated[str, key("The oldest shuffler software that may run it; empty: any.")] = ""
    paytables: Annotated[tuple[str, ...], key("The paytables a table may choose from, in the order offered.")] = ()
    paytable: Annotated[str, key("The paytable in force.")] = ""
    odds_floor: Annotated[
        Literal["exact", "at_least"],
        key(
            "Whether a table may pay other odds than a listed paytable.",
            exact="one of the listed paytables, as it stands",
            at_least="a listed paytable, or one that pays no hand less",
        ),
    ] = "exact"


class Odds(Section, frozen=True):
    """How odds are shown."""

    wording: Annotated[
        tuple[Literal["to", "win"], ...],
        key(
            "The words in which odds are shown; 'for' is never one of them.",
            to="'5 to 1': the stake comes back as well",
            win="'win $5': the whole award; the stake is not returned",
        ),
    ] = ("to",)


class Payout(Section, frozen=True):
    """What limits a payout."""

    cap: Annotated[
        Literal["none", "bank_stake", "maximum"],
        key(
            "What caps the payouts.",
            none="nothing",
            bank_stake="the player-dealer's stake",
            maximum="the operator's maximum payout, shown at the table",
        ),
    ] = "none"
    cents_max: Annotated[
        Cents | None,
        key("The maximum payout, winnings only.", unit="cents", applies=("payout.cap", "maximum")),
    ] = None
    scope: Annotated[
        Literal["player_round", "hand", "wager", "round"],
        key(
            "What the maximum payout is counted over.",
            applies=("payout.cap", "maximum"),
            player_round="all base wagers of a player in a round",
            hand="the base wagers of one hand",
            wager="each wager by itself",
            round="all base wagers of all players in a round, every payout cut in the same proportion",
        ),
    ] = "player_round"
    sides: Annotated[
        tuple[str, ...],
        key(
            "The side bets that the maximum payout binds as well, each bet by itself; none: the base wagers alone.",
            applies=("payout.cap", "maximum"),
            later=True,
        ),
    ] = ()
