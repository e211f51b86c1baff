"""Wager table: the wagers that come with letitride, read once from the package's own data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

from letitride.rules.frozen import Frozen
from letitride.rules.wager_file import read_wager
from letitride.rules.wagers import Wager, base_of, by_spot


def _published() -> Frozen[str, Wager]:
    files = (entry for entry in (resources.files("letitride.rules") / "data" / "wagers").iterdir())
    found = [
        read_wager(tomllib.loads(file.read_text(encoding="utf-8")), file.name, published=True)
        for file in files
        if file.name.endswith(".toml")
    ]
    return Frozen({wager.id: wager for wager in sorted(found, key=lambda wager: wager.order)})


PUBLISHED: Final = _published()
"""The published wagers by their ids, in the order of the felt."""
BASE: Final = base_of(PUBLISHED)
"""The game itself, which every table deals."""
BASE_SPOTS: Final = BASE.spots
"""The three spots of the base bets: first, second, and the one that cannot be taken back."""
PUBLISHED_SPOTS: Final = tuple(by_spot(PUBLISHED))
"""The names of all spots of published wagers."""
PUBLISHED_BY_SPOT: Final = by_spot(PUBLISHED)
"""The published wagers by the names of their spots."""


def bet_name(spot: str, wagers: Mapping[str, Wager] = PUBLISHED_BY_SPOT) -> str:
    """Return what people call the bet on a spot: 'bet 1', 'bet $', '3 Card Bonus'; `wagers` are a table's, by spot."""
    wager = wagers.get(spot) or PUBLISHED_BY_SPOT.get(spot)
    if wager is None:
        return spot.replace("_", " ")
    return f"bet {wager.label.split()[wager.spots.index(spot)]}" if wager.is_base else wager.title
