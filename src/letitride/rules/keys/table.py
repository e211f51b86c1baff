"""Keys of the table itself: the bank, the felt, the dealing device."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from letitride.rules.keys.meta import Section, key

_PLAYER_BANK = ("bank.mode", "player")
_SHUFFLER = ("device", "shuffler")


class Bank(Section, frozen=True):
    """Who banks the table."""

    mode: Annotated[
        Literal["house", "player"],
        key(
            "Who pays the winners and takes the lost wagers.",
            house="the house, from its chip tray",
            player="one of the players, the player-dealer, from their own stake",
        ),
    ] = "house"
    max_consecutive: Annotated[
        int,
        key(
            "How many hands in a row one player may bank before the bank is offered on.",
            unit="hands",
            applies=_PLAYER_BANK,
            ge=1,
        ),
    ] = 2
    cover: Annotated[
        Literal["stake", "gross", "net"],
        key(
            "How far the bank's stake covers the wagers against it.",
            applies=_PLAYER_BANK,
            stake=(
                "the stake pays winners in order of action until it is paid out, and then every wager is returned. "
                "Until then lost wagers are collected while the bank's net win is within the stake"
            ),
            gross="what the bank pays and what it collects are each limited to the stake",
            net="collected wagers enlarge what can be paid; only the net result is limited to the stake",
        ),
    ] = "stake"
    stake_cents_max: Annotated[
        Annotated[int, msgspec.Meta(ge=1)] | Literal["unlimited"],
        key(
            "The highest stake of a player as the bank.",
            unit="cents",
            applies=_PLAYER_BANK,
            unlimited="there is no upper limit",
        ),
    ] = "unlimited"
    seat: Annotated[
        Literal["among_seats", "separate"],
        key(
            "Where the player-dealer sits.",
            applies=_PLAYER_BANK,
            among_seats="in one of the seats, so there is one opponent fewer than seats",
            separate="there is one place more than seats, without a betting area; the bank goes round all of them",
        ),
    ] = "among_seats"
    settle_from: Annotated[
        Literal["dealer_right", "action_seat"],
        key(
            "Where settling starts, which decides who is paid when the stake is short.",
            applies=_PLAYER_BANK,
            dealer_right="at the dealer's right, counterclockwise, as the hands are opened",
            action_seat="at the seat found with the dice cup, then clockwise",
        ),
    ] = "dealer_right"


class Layout(Section, frozen=True):
    """What the felt shows."""

    spots: Annotated[
        tuple[Literal["1", "2", "$"], ...],
        key("The labels of the three base spots of a seat, in printed order."),
    ] = ("1", "2", "$")


class Community(Section, frozen=True):
    """The community cards and where they lie."""

    area: Annotated[
        Literal["two_boxes", "two_places", "three_in_line"],
        key(
            "The place for the community cards before the tray.",
            two_boxes="two boxes, left and right",
            two_places="two marked places",
            three_in_line="three cards laid left to right, of which one is burned",
        ),
    ] = "two_boxes"
    order: Annotated[
        Literal["first_second", "second_third"],
        key(
            "Which of the cards dealt to the area become community card 1 and 2.",
            first_second="the first and the second card dealt to it",
            second_third="the second and the third, the first being burned",
        ),
    ] = "first_second"


PLAIN_MODE = "let_it_ride"
"""The shuffler's program where no wager needs one of its own."""


class Shuffler(Section, frozen=True):
    """The automatic shuffler, where one deals."""

    vendor: Annotated[str, key("The maker whose shufflers the document names; empty: any.", applies=_SHUFFLER)] = ""
    models: Annotated[tuple[str, ...], key("The models the document names; none: any model.", applies=_SHUFFLER)] = ()
    model: Annotated[str, key("The model on this table; empty: one that is not named.", applies=_SHUFFLER)] = ""
    mode: Annotated[
        str,
        key(
            "The program the shuffler runs: 'let_it_ride', or the id of a wager whose hands it counts and awards it "
            "shows.",
            applies=_SHUFFLER,
            let_it_ride="packets of three cards",
        ),
    ] = PLAIN_MODE
    controller: Annotated[
        bool,
        key(
            "Whether a table controller drives the shuffler, locks betting and reads the bonus sensors.",
            applies=_SHUFFLER,
        ),
    ] = False
    software: Annotated[
        str, key("The software of the shuffler on this table; empty: not stated.", applies=_SHUFFLER, later=True)
    ] = ""
