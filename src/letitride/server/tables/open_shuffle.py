"""Open shuffle: a deck without faces on the table, and which seats gave their part to it; it writes nothing down."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from letitride.chance.secret import Secret
from letitride.server.tables.stored_shuffles import CUT_AGAIN, NOT_AS_COMMITTED, Shares, StoredShuffle


@dataclass(slots=True)
class OpenShuffle:
    """A shuffle that has not ended: its deck lies there without faces."""

    kept: StoredShuffle
    secret: Secret
    since: float
    """When seats could begin to pledge, by the loop's clock."""
    pledged: Counter[str] = field(default_factory=Counter)
    """How often each player has pledged."""
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while its shares are written down: what is acknowledged is in the deck."""
    wants: Literal["", "link", "nonce"] = ""

    def player_at(self, seat: int, taken: Mapping[int, str]) -> str:
        """Return who pledged from a seat; where no one wrote it down, who sits there now."""
        return dict(self.kept.players).get(seat, taken.get(seat, ""))


def why_unusable(kept: StoredShuffle, cuts: tuple[int, ...], dice: int) -> str:
    """Return why a shuffle whose root is published cannot be gone on with: the root binds other cuts, or other dice."""
    if kept.state == "begun":
        return ""
    if kept.cuts != cuts:
        return CUT_AGAIN
    return NOT_AS_COMMITTED if kept.dice != max(dice, len(kept.throws)) else ""


def own_seats(taken: Mapping[int, str], seat: int) -> frozenset[int]:
    """Return all seats of the player at a seat: one pledge is enough for all of them."""
    return frozenset(one for one, player in taken.items() if player == taken.get(seat)) | {seat}


def have_pledged(kept: StoredShuffle, asked: set[int], taken: Mapping[int, str]) -> bool:
    """Whether every seat that is asked has pledged, or another seat of its player."""
    pledged = dict(kept.pledges).keys()
    return all(not pledged.isdisjoint(own_seats(taken, seat)) for seat in asked)


def with_share(shares: Shares, seat: int, value: str) -> Shares:
    """Return shares with that of a seat in its place."""
    return tuple(sorted({**dict(shares), seat: value}.items()))


def loop_time() -> float:
    """Return the time by the loop's clock."""
    return asyncio.get_running_loop().time()


async def wait_until(one: OpenShuffle, done: Callable[[], bool], end: float) -> None:
    """Wait until something is so, or until a time; no seat can hold the table up."""
    while not done() and loop_time() < end:
        one.moved.clear()
        try:
            async with asyncio.timeout_at(end):
                await one.moved.wait()
        except TimeoutError:
            return
