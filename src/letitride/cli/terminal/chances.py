"""Chances: where the decks, cuts and dice of a terminal table come from; drawn by nothing but its session."""

from __future__ import annotations

from functools import partial

from letitride.autoplay.steps import Drawn
from letitride.chance.live import Live
from letitride.chance.seeded import Seeded
from letitride.rules.cards import FACES


def chance_of(seed: int | None) -> Drawn:
    """Return the operating system's chance, or with a seed one that repeats: for practice, never for a game."""
    if seed is None:
        live = Live()
        return Drawn(live, live.order)
    seeded = Seeded("play", seed)
    return Drawn(seeded, partial(seeded.shuffled, FACES))
