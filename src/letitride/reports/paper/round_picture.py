"""Round picture: a round as a PNG for previews of a link, set by Typst with the fonts it carries; it judges nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Final

import typst

_PPI: Final = 144
_TEMPLATE = resources.files("letitride.reports.paper") / "templates" / "round.typ"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPicture:
    """What the picture shows."""

    title: str
    about: str
    cards: tuple[str, ...]
    community: tuple[str, ...]
    wagers: tuple[tuple[str, str, str], ...]
    """What each bet is called, what happened to it, and what it won or lost."""
    player: str = ""


def as_png(round_: RoundPicture) -> bytes:
    """Return a round as a picture of 1,200 by 630 points."""
    made: bytes = typst.compile(
        _TEMPLATE.read_bytes(),
        format="png",
        ppi=_PPI,
        ignore_system_fonts=True,
        sys_inputs={"round": json.dumps(asdict(round_))},
    )
    return made
