"""Protection: what a player gains who sees a card too early, and seats that share their cards; for game protection."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from letitride.analysis.advantage import SEES, Sees, edge_with
from letitride.analysis.base import scaled
from letitride.analysis.exact import Exact
from letitride.rules.paytables import Pays
from letitride.rules.table_rules import TableRules
from letitride.simulation.collusion import collude
from letitride.simulation.jobs import processors
from letitride.simulation.series import EstimateData

SHARED_ROUNDS: Final = 100_000
"""Rounds of seats that share their cards: the gain is found by the value of each decision, so few are enough."""
_WORDS: Final = {
    "nothing": "nothing: honest play",
    "community-1": "the first community card before the first decision",
    "community-2": "the second community card before the first decision",
    "both": "both community cards before the first decision",
    "card": "one card of another hand",
    "hand": "another whole hand",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The house edge against a player who sees something early."""

    sees: str
    words: str
    house_edge: Exact
    gain: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """What information and collusion are worth, of the base game and before any maximum payout."""

    basis: str
    seen: tuple[Seen, ...]
    seats_sharing: int | None
    rounds: int | None
    seed: int | None
    gain_of_sharing: EstimateData | None
    house_edge_against_sharing: EstimateData | None


_KNOWN: Final[dict[tuple[tuple[int, ...], int], dict[Sees, Fraction]]] = {}
"""Edges by what the base bets win: another whole hand takes seconds to count."""


def _edges(pays: Pays) -> dict[Sees, Fraction]:
    key = scaled(pays)
    if key not in _KNOWN:
        _KNOWN[key] = {sees: edge_with(pays, sees) for sees in SEES}
    return _KNOWN[key]


def protection(table: TableRules, seats: int, seed: int) -> Protection:
    """Return what a player gains by a card seen early, exactly, and seats that share all cards, by simulation."""
    pays = table.base_pays
    edges = _edges(pays)
    honest = edges["nothing"]
    sharing = collude(pays, seats, SHARED_ROUNDS, seed, threads=processors()) if seats > 1 else None
    return Protection(
        basis="expected loss of one bet by best play with what is seen; every bet is paid in full, no maximum payout",
        seen=tuple(
            Seen(sees=sees, words=_WORDS[sees], house_edge=Exact.of(edge), gain=Exact.of(honest - edge))
            for sees, edge in edges.items()
        ),
        seats_sharing=sharing.seats if sharing else None,
        rounds=sharing.rounds if sharing else None,
        seed=seed if sharing else None,
        gain_of_sharing=sharing.expected_gain.as_data() if sharing else None,
        house_edge_against_sharing=sharing.house_edge.as_data() if sharing else None,
    )
