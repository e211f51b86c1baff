"""Pictures: a round as a few lines of text, as its player sees it."""

from __future__ import annotations

from collections.abc import Sequence

from letitride.rules.cards import Card, show
from letitride.rules.hands import announce, evaluate

HIDDEN = "[]"


def picture(name: str, cards: Sequence[Card], rides: Sequence[bool], reward: float) -> str:
    """Return what one player knows of five cards: the first three are theirs, the last two are turned one by one."""
    if not cards:
        return f"{name}\nno round yet\n"
    known = 3 + len(rides)
    community = [str(card) if at < known else HIDDEN for at, card in enumerate(cards[3:5], 3)]
    bets = [f"bet {number} {'rides' if rode else 'taken back'}" for number, rode in enumerate(rides, 1)]
    if len(rides) == 2:
        bets.append("bet $ rides")
        last = f"{announce(evaluate(tuple(cards[:5])))}: {reward:+g} units"
    else:
        last = f"bet {len(rides) + 1}: take it back (0) or let it ride (1)?"
    lines = [name, f"cards      {show(sorted(cards[:3]))}", f"community  {' '.join(community)}"]
    return "\n".join([*lines, *([f"bets       {', '.join(bets)}"] if bets else []), last, ""])
