"""Keys of irregularities: what is ruled when something goes wrong, and by whom."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from letitride.rules.keys.meta import Section, key
from letitride.rules.keys.play import TOP_BURNS


class Irreg(Section, frozen=True):
    """Irregularities of the deal."""

    exposed_one: Annotated[
        Literal["replaced", "turned_over"],
        key(
            "One player card found or dealt face up.",
            applies=("deal.face", "down"),
            replaced=(
                "it is not used and goes to the rack, and another takes its place; noticed after the deal, it is "
                "turned face down in its hand"
            ),
            turned_over="it is turned face down in its hand and play goes on",
        ),
    ] = "turned_over"
    exposed_many: Annotated[
        Literal["hands_void", "misdeal"],
        key(
            "Two or more cards face up in one deal.",
            applies=("deal.face", "down"),
            hands_void=(
                "every hand is void and the cards are reshuffled; noticed after the deal, only until players have "
                "handled their cards"
            ),
            misdeal="a misdeal, whenever it is noticed: every bet is void and a new round is dealt",
        ),
    ] = "misdeal"
    exposed_community: Annotated[
        Literal["as_player_card", "misdeal_until_handled"],
        key(
            "A community card exposed too early.",
            as_player_card="as a player's card",
            misdeal_until_handled="a misdeal, unless players have handled their cards: then play goes on",
        ),
    ] = "misdeal_until_handled"
    handled_by: Annotated[
        Literal["any", "all"],
        key(
            "Whose handling counts where a ruling asks whether players have handled their cards: looked at them, or "
            "made a decision.",
            any="that of any player",
            all="that of every player",
        ),
    ] = "any"
    count_player: Annotated[
        Literal["misdeal_count_deck", "hand_void", "all_void"],
        key(
            "A player's hand with more or fewer than three cards.",
            misdeal_count_deck="a misdeal: every hand is void; the floor counts the deck",
            hand_void="before anyone handled cards a misdeal, afterwards that hand alone is void",
            all_void="every hand is void and the cards are reshuffled",
        ),
    ] = "hand_void"
    count_dealer: Annotated[
        Literal["misdeal", "all_void"],
        key(
            "A wrong number of cards in the dealer's packet or the community area.",
            misdeal="a misdeal",
            all_void="every hand is void and the cards are reshuffled",
        ),
    ] = "misdeal"
    wrong_burn: Annotated[
        Literal["put_right", "all_void"],
        key(
            "A community card burned in place of the one that is to be burned.",
            applies=("burn.card", "first_community", "last_community", *TOP_BURNS),
            later=True,
            put_right=(
                "until a community card is turned, it is put back and the right one is burned; after that it stands. "
                "A card burned in place of the deck's top card is always put back"
            ),
            all_void="every hand is void and the cards are reshuffled",
        ),
    ] = "put_right"
    deck_count: Annotated[
        Literal["misdeal_new_deck", "round_void"],
        key(
            "A deck without the correct 52 cards, or with a foreign card.",
            misdeal_new_deck="a misdeal and a new deck; if it has the correct 52 cards, play goes on",
            round_void="the round is void and all bets are returned, earlier rounds stand, the deck is checked",
        ),
    ] = "round_void"
    unseen_extra: Annotated[
        Literal["next_card", "misdeal"],
        key(
            "A card drawn in error that belongs to no hand.",
            next_card="if its face was not seen it is used as the next card, otherwise it is an exposed card",
            misdeal="seen or not, a misdeal if noticed before any player has handled their cards",
        ),
    ] = "next_card"
    empty_area_hand: Annotated[
        Literal["misdeal_until_handled", "discarded"],
        key(
            "A hand dealt to an area without bets.",
            misdeal_until_handled="a misdeal until a player has handled their cards; then it is counted and discarded",
            discarded="it is counted and discarded, and the round goes on",
        ),
    ] = "misdeal_until_handled"
    unload_before_community: Annotated[
        Literal["same_round", "misdeal"],
        key(
            "The rest of the deck unloaded before the dealer's packet was taken.",
            applies=("device", "shuffler"),
            same_round="a misdeal, redealt as the same round: stakes stay and no bonus bet is added",
            misdeal="a misdeal",
        ),
    ] = "misdeal"
    device_failure: Annotated[
        Literal["count_cards", "reshuffle_or_void"],
        key(
            "A shuffler that miscounts, jams or stops.",
            applies=("device", "shuffler"),
            count_cards="a miscount has the hands and the deck counted, whenever it is signaled; the count decides",
            reshuffle_or_void="a jam or, before a card is out, a miscount: reshuffle; a failure in a round: void",
        ),
    ] = "reshuffle_or_void"
    jam_in_deal: Annotated[
        Literal["rest_mixed", "round_void"],
        key(
            "A shuffler that jams when cards of the round are out.",
            applies=("device", "shuffler"),
            later=True,
            rest_mixed="the cards that it still holds are mixed again and the round goes on; what is dealt stays",
            round_void="the round is void and all bets are returned",
        ),
    ] = "rest_mixed"
    failure_dealt: Annotated[
        Literal["round_void", "played_out"],
        key(
            "A shuffler that stops working once the last card of the round is dealt.",
            applies=("device", "shuffler"),
            later=True,
            round_void="the round is void and all bets are returned",
            played_out="the dealt hands are played out, with another shuffler for the next round",
        ),
    ] = "round_void"
    absent: Annotated[
        Literal["void_unless_looked", "withdraw"],
        key(
            "A player who is away when a decision is due.",
            void_unless_looked=(
                "the hand is void and its bets are returned, unless the player had looked: then all bets ride"
            ),
            withdraw="every bet that may be taken back is taken back for the player",
        ),
    ] = "void_unless_looked"
    stub_miscount: Annotated[
        Literal["as_deck_count", "next_round"],
        key(
            "A routine stub count that is wrong.",
            applies=("stub.count", "every_rounds"),
            as_deck_count="ruled as a deck without the correct 52 cards",
            next_round="the round stands; the deck is replaced before the next round",
        ),
    ] = "as_deck_count"


class Misdeal(Section, frozen=True):
    """The effect of a misdeal."""

    effect: Annotated[
        Literal["hands_void", "bets_void"],
        key(
            "What is void.",
            hands_void="the hands; stakes are returned or carried to the redeal, as the ruling says",
            bets_void="the bets: stakes are returned and a new round is dealt",
        ),
    ] = "bets_void"
    declared_by: Annotated[
        Literal["dealer", "floor"],
        key("Who declares a misdeal.", dealer="the dealer", floor="the floor"),
    ] = "dealer"
    reshuffle: Annotated[bool, key("Whether the cards are reshuffled before dealing goes on.")] = True


class Sitout(Section, frozen=True):
    """Sitting out."""

    rounds_max: Annotated[
        Annotated[int, msgspec.Meta(ge=1)] | Literal["unlimited"],
        key(
            "How many rounds in a row a player may sit out at a full table before losing the seat.",
            unit="rounds",
            unlimited="without limit",
        ),
    ] = "unlimited"


class Close(Section, frozen=True):
    """Closing the table."""

    notice_minutes: Annotated[
        int, key("How long a sign announces the closing of a table with players.", unit="minutes", ge=0)
    ] = 0
