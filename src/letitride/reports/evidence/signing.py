"""Signing: who prepared and reviewed a pack, and the words about chance and code that every pack bears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_BLANK: Final = "______________________________"

_LIVE: Final = (
    "Live tables: octets of the operating system's generator (getrandom), watched by health tests. Each draw takes the "
    "low bits of an octet and throws away what is not below its limit; a deck is ordered by Fisher-Yates from the last "
    "place. No seed, no state of its own, no remainder taken. Where seats contribute, house and seats make a deck "
    "together, and every seat can check it (docs/fairness.md)."
)
_SEEDED: Final = (
    "Simulation: sfc64, seeded by (seed, block of rounds), in batched draws without bias; the same seed gives the same "
    "decks on any machine. No live table can reach it: an import contract holds that on every test run."
)
GENERATORS: Final = (_LIVE, _SEEDED)
_IN_BULK: Final = (
    "Settlement in bulk differs: simulations count by compiled tables that the settlement itself makes, one entry for "
    "each kind of hand; the simulated means beside the exact ones show that they agree."
)
DIFFERENCES: Final = (
    "Rules, settlement and rulings are the same code for tests, simulation and production.",
    "Chance differs: production takes the operating system's generator, simulations and tests a seeded one.",
    _IN_BULK,
    "Money differs: simulations keep totals; production keeps a ledger and a hash-chained journal.",
    "No switch, option or setting turns a production table into a test table, or the other way round.",
)
_COLLECTED: Final = (
    "rng-raw.bin holds the very octets that the live generator gave, those thrown away among them; rng-decks.txt the "
    "decks that these octets made, one a line, top card first. The octets and the method above give the decks again."
)
_MORE: Final = (
    "Any number of either: letitride certify BOOK --live-decks N --rng-decks N. Raw words and decks of the simulation: "
    "letitride.simulation.generator.words(seed, block) and decks(seed, block, seats)."
)
OUTPUTS: Final = (_COLLECTED, _MORE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff:
    """Who answers for a pack; what is not given is left open to be filled in by hand."""

    prepared_by: str = ""
    reviewed_by: str = ""
    revision: str = ""
    date: str = ""

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Return the fields of the form, with a line to write on where nothing was given."""
        return (
            ("Revision", self.revision or _BLANK),
            ("Date", self.date or _BLANK),
            ("Prepared by", self.prepared_by or _BLANK),
            ("Signature", _BLANK),
            ("Reviewed by", self.reviewed_by or _BLANK),
            ("Signature and date", _BLANK),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The code and the data that made a pack, by their digests."""

    code_sha256: str
    data_sha256: str
    files: Mapping[str, str]
    """SHA-256 by file of the package."""
