"""Keys of the round: the deal, the decisions, the showdown and the settlement."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from letitride.rules.keys.meta import Section, key

TOP_BURNS: Final[dict[str, tuple[int, ...]]] = {
    "top_before_first": (1,),
    "top_before_second": (2,),
    "top_before_each": (1, 2),
}
"""The values of `burn.card` by which cards come off the top of the deck, and the community cards they come before."""


class Deal(Section, frozen=True):
    """The deal."""

    first: Annotated[
        Literal["dealer_left", "bank_left"],
        key(
            "Which seat gets the first card or packet; the others follow clockwise.",
            dealer_left="the occupied seat farthest on the dealer's left",
            bank_left="the seat to the player-dealer's left",
        ),
    ] = "dealer_left"
    unit: Annotated[
        Literal["packet", "single"],
        key("What is dealt at a time.", packet="a packet of three cards", single="one card, in three passes"),
    ] = "packet"
    community: Annotated[
        Literal["last", "each_pass"],
        key(
            "When the community area gets its cards.",
            last="after every hand is complete",
            each_pass="one card after each pass, three in all",
        ),
    ] = "last"
    face: Annotated[Literal["down", "up"], key("How players' cards are dealt.", down="face down", up="face up")] = (
        "down"
    )
    fanned: Annotated[
        bool, key("Whether a packet is fanned on delivery to prove its count.", applies=("deal.unit", "packet"))
    ] = False
    packet_top: Annotated[
        Literal["first_out", "last_out"],
        key(
            "Which card of a packet is its top card.",
            applies=("deal.unit", "packet"),
            first_out="the first out of the device",
            last_out="the last out of the device",
        ),
    ] = "first_out"


class Burn(Section, frozen=True):
    """The burn cards: none, one or two."""

    card: Annotated[
        Literal[
            "none",
            "bottom_of_packet",
            "first_community",
            "last_community",
            "top_before_first",
            "top_before_second",
            "top_before_each",
        ],
        key(
            "Which card is burned, or which two.",
            none="none",
            bottom_of_packet="the bottom card of the dealer's packet",
            first_community="the first of three cards dealt to the community area, leftmost to the dealer",
            last_community="the last of three single cards dealt to the community area",
            top_before_first="the top card of the deck, before the first community card is dealt or turned",
            top_before_second="the top card of the deck, before the second community card is dealt or turned",
            top_before_each="two cards: the top card of the deck, before each community card is dealt or turned",
        ),
    ] = "none"
    when: Annotated[
        Literal["at_deal", "after_bet_1", "after_bet_2", "at_turn"],
        key(
            "When it is burned.",
            applies=("burn.card", "bottom_of_packet", "first_community", "last_community", *TOP_BURNS),
            at_deal="at the deal",
            after_bet_1="when all decisions on bet 1 are made",
            after_bet_2="when all decisions on bet 2 are made",
            at_turn="just before its community card is turned; the bottom card of a packet: before the first is",
        ),
    ] = "at_deal"


class Decide(Section, frozen=True):
    """The two decisions of a player."""

    order: Annotated[
        Literal["dealer_left", "bank_left"],
        key(
            "The seat that decides first; the others follow clockwise.",
            dealer_left="the seat at the dealer's left",
            bank_left="the seat to the player-dealer's left",
        ),
    ] = "dealer_left"
    signal: Annotated[
        Literal["asked", "scratch_or_tuck"],
        key(
            "How a decision is signaled.",
            asked="the dealer asks by word or gesture, the player answers",
            scratch_or_tuck=(
                "scratching the table with the cards takes the bet back, tucking them under a bet lets it ride"
            ),
        ),
    ] = "asked"
    early_tuck: Annotated[
        Literal["no", "paying_hand", "any_hand"],
        key(
            "Whether a player may tuck the cards early to let all remaining bets ride.",
            no="not provided for",
            paying_hand="when the player already holds a paying hand",
            any_hand="with any hand",
        ),
    ] = "no"
    after_bet_2: Annotated[
        Literal["tucked", "face_down", "held"],
        key(
            "Where a player's cards stay after the decision on bet 2.",
            tucked="they lie face down beneath the third bet",
            face_down="they lie face down on the felt and the player may not touch them again",
            held="the player may keep holding them",
        ),
    ] = "tucked"


class Cards(Section, frozen=True):
    """Who may touch and see the players' cards, and when they are gathered."""

    touch: Annotated[
        Literal["player_and_dealer", "player_until_bet_2", "dealer_only"],
        key(
            "Who may handle a player's cards.",
            player_and_dealer="that player and the dealer",
            player_until_bet_2="that player until the decision on bet 2, and the dealer",
            dealer_only="the dealer alone",
        ),
    ] = "player_and_dealer"
    hidden: Annotated[
        bool,
        key("Whether players must hide their cards from one another.", applies=("deal.face", "down")),
    ] = True
    collect: Annotated[
        Literal["after_all_paid", "losers_at_once"],
        key(
            "When the cards are gathered into the rack.",
            after_all_paid="after every wager is taken or paid",
            losers_at_once="a losing hand with its wagers, unless its side bet has won; the others when all are paid",
        ),
    ] = "after_all_paid"


class Reveal(Section, frozen=True):
    """The order in which hands are opened."""

    direction: Annotated[
        Literal["right_to_left", "left_to_right"],
        key(
            "The direction in which hands are opened and settled, as the dealer sees it.",
            right_to_left="from the seat farthest right, counterclockwise",
            left_to_right="from the seat farthest left, clockwise",
        ),
    ] = "right_to_left"


class Settle(Section, frozen=True):
    """Taking and paying bets."""

    method: Annotated[
        Literal["hand_by_hand", "pick_and_pay", "lay_and_pay", "losers_first"],
        key(
            "How hands are settled.",
            hand_by_hand="each hand is read and settled before the next is read",
            pick_and_pay="each hand is opened, settled and picked up before the next",
            lay_and_pay="all hands are laid open, then settled seat by seat",
            losers_first="all hands are laid open, all losers are taken, then all winners are paid",
        ),
    ] = "hand_by_hand"
    bets_order: Annotated[
        tuple[str, ...],
        key(
            "The order in which a player's wagers are settled, by their ids; what is not named comes last, as it lies "
            "on the felt."
        ),
    ] = ()


class Round(Section, frozen=True):
    """What a round is."""

    start: Annotated[
        Literal["bets_placed", "first_card"],
        key(
            "When a round begins.",
            bets_placed="when the bets are down",
            first_card="when the first card is drawn",
        ),
    ] = "bets_placed"
