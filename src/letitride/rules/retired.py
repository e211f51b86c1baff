"""Retired keys: what older books stated and all tables do alike; known to digests and old files, never to a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_PLAYER_BANK: Final = ("bank.mode", "player")


@dataclass(frozen=True, slots=True)
class RetiredKey:
    """A key that is no key any more: the value it had, where it applied, and what holds at every table instead."""

    name: str
    value: str
    holds: str
    applies: tuple[Any, ...] = ()
    """The key and the values of it under which this key meant anything, as in `key`."""


RETIRED: Final = (
    RetiredKey("backing", "off", "only the player in a seat bets there"),
    RetiredKey("ace_wrap", "excluded", "an ace is high or low and never stands inside a sequence"),
    RetiredKey("void", "stakes_returned", "every stake of a void round is returned, collected side bets included"),
    RetiredKey(
        "bank.partial_cover",
        "to_the_limit",
        "the bet on which a bank's stake runs out is settled as far as the stake goes",
        _PLAYER_BANK,
    ),
    RetiredKey(
        "bank.declined",
        "next_seat",
        "a bank that is declined is offered to the next seat clockwise",
        _PLAYER_BANK,
    ),
    RetiredKey(
        "shuffler.controller_version",
        "1.32",
        "whether there is a table controller is said by shuffler.controller",
        ("shuffler.controller", True),
    ),
    RetiredKey("deck.backs", "one_colour", "each deck of a table has backs of its own color", ("decks", 1)),
    RetiredKey("deck.backs", "different_colours", "each deck of a table has backs of its own color", ("decks", 2)),
    RetiredKey(
        "fee.when",
        "betting_closes",
        "the fee is taken when betting closes and given back if the round is void",
        ("fee.kind", "flat"),
    ),
    RetiredKey(
        "irreg.replacement",
        "next_card",
        "the next card of the deck takes the place of a card that is not used",
        ("irreg.exposed_one", "replaced"),
    ),
)
"""Every key that was retired, with its value in the published books; where it applied it stays in their digests."""


def why_retired(name: str) -> str:
    """Return what to do about a retired key, as the end of a refusal, or nothing where it is none."""
    holds = next((one.holds for one in RETIRED if one.name == name), "")
    return f"; it is no key any more, because {holds}: delete it" if holds else ""


def without_retired(tree: Mapping[str, object]) -> dict[str, object]:
    """Return keys with their values, dotted or in tables, without those that are retired."""
    gone = {one.name for one in RETIRED}
    return {
        name: {last: held for last, held in value.items() if f"{name}.{last}" not in gone}
        if isinstance(value, Mapping)
        else value
        for name, value in tree.items()
        if name not in gone
    }
