"""Signing: who prepared and reviewed a pack, and the words about chance and code that every pack bears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_BLANK: Final = "______________________________"

_LIVE: Final = (
    "Live tables: octets of the operating system's generator (getrandom), monitored by health tests. Each draw takes "
    "the low bits of an octet and discards values that are not below its limit. A deck is shuffled by Fisher-Yates "
    "from the last place. There is no seed, no internal state and no modulo. Where seats contribute, the house and the "
    "seats make a deck together, and every seat can check it (docs/fairness.md)."
)
_SEEDED: Final = (
    "Simulation: sfc64, seeded by (seed, block of rounds), in unbiased batched draws; the same seed gives the same "
    "decks on any machine. No live table can use it: an import contract checks that on every test run."
)
GENERATORS: Final = (_LIVE, _SEEDED)
_IN_BULK: Final = (
    "Bulk settlement differs: simulations look results up in tables compiled from the settlement itself, one entry for "
    "each kind of hand; the simulated and exact means show that they agree."
)
DIFFERENCES: Final = (
    "Rules, settlement and rulings are the same code for tests, simulation and production.",
    "Randomness differs: production uses the operating system's generator, simulations and tests a seeded one.",
    _IN_BULK,
    "Money differs: simulations keep totals; production keeps a ledger and a hash-chained journal.",
    "No option or setting turns a production table into a test table, or a test table into a production table.",
)
_COLLECTED: Final = (
    "rng-raw.bin holds the octets the live generator gave, discarded ones included; rng-decks.txt holds the decks made "
    "from them, one per line, top card first. The octets and the method above reproduce the decks."
)
_MORE: Final = (
    "For more of either: letitride evidence BOOK --live-decks N --rng-decks N. Raw words and decks of the simulation: "
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
