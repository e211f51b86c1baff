"""Keys of the deck: what it is, who checks, shuffles, cuts and counts it."""

from __future__ import annotations

from typing import Annotated, Literal

from letitride.rules.keys.meta import Section, key
from letitride.rules.roles import Role

_CUT = ("cut.who", "dealer")


class Deck(Section, frozen=True):
    """The deck."""

    check: Annotated[
        Literal["machine_count", "before_use", "inspect_and_show"],
        key(
            "How a deck is verified.",
            machine_count="verified and washed at opening; the shuffler counts to 52 at every shuffle",
            before_use="checked before use by the dealer, a casino supervisor or a deck-checking device",
            inspect_and_show=(
                "the dealer inspects it, the floor verifies that, and the first player sees it spread face up"
            ),
        ),
    ] = "before_use"
    reviewed: Annotated[
        int,
        key("How many decks are reviewed at opening before the one or two in use.", unit="decks", ge=1, le=2),
    ] = 1
    prepared: Annotated[
        bool, key("Whether decks come to the table checked and mixed beforehand, and kept secured until then.")
    ] = False
    count_ordered_by: Annotated[tuple[Role, ...], key("Who may order the cards counted at any time.")] = (
        "floor",
        "games_supervisor",
        "casino_supervisor",
        "inspector",
    )


class Cut(Section, frozen=True):
    """The cut before the deal."""

    who: Annotated[
        Literal["nobody", "dealer"],
        key("Who cuts.", nobody="there is no cut", dealer="the dealer, and no one else"),
    ] = "nobody"
    card: Annotated[
        Literal["none", "cutting_card", "cover_card"],
        key(
            "The extra card used in cutting.",
            applies=_CUT,
            none="no such card",
            cutting_card="a cutting card, on which the pack is set",
            cover_card="a cover card of one solid color, laid before the deck and then racked",
        ),
    ] = "none"
    cards_min: Annotated[
        int, key("The fewest cards a cut may take from the top.", unit="cards", applies=_CUT, ge=1, le=51)
    ] = 1
    recut: Annotated[
        Literal["no", "casino_supervisor"],
        key(
            "Whether a bad cut may be done again before the first card.",
            applies=_CUT,
            no="not provided for",
            casino_supervisor="a casino supervisor may order it",
        ),
    ] = "no"


class Shuffle(Section, frozen=True):
    """The shuffle."""

    when: Annotated[
        tuple[Literal["before_play", "after_round", "after_vacant"], ...],
        key(
            "The moments at which the cards are shuffled.",
            before_play="just before play begins",
            after_round="after each completed round",
            after_vacant="before play begins again at a table that stood empty",
        ),
    ] = ("before_play", "after_round")
    by: Annotated[
        Literal["machine", "hand"],
        key("What mixes the cards.", machine="the shuffler", hand="the dealer's hands"),
    ] = "machine"
    hand_first: Annotated[
        bool,
        key(
            "Whether the dealer shuffles by hand before loading the shuffler.",
            applies=("shuffle.by", "machine"),
        ),
    ] = False


class Stub(Section, frozen=True):
    """The cards left over after the deal."""

    to_discard: Annotated[
        Literal["after_deal", "end_of_round"],
        key(
            "When the left-over cards go to the discard rack, unseen.",
            after_deal="as soon as all hands are out",
            end_of_round="with the other cards when the round is over",
        ),
    ] = "after_deal"
    count: Annotated[
        Literal["after_irregularity", "on_order", "every_rounds"],
        key(
            "When the left-over cards are counted.",
            after_irregularity="only to settle an irregularity",
            on_order="when a supervisor or inspector orders it",
            every_rounds="as a routine, at least once in so many rounds",
        ),
    ] = "on_order"
    count_rounds: Annotated[
        int,
        key(
            "At least once in how many rounds the stub is counted.",
            unit="rounds",
            applies=("stub.count", "every_rounds"),
            ge=1,
        ),
    ] = 5
