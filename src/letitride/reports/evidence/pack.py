"""Evidence: everything that an evidence pack says, and its form for programs; computes no figure of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Final

import msgspec

from letitride.reports.evidence.coverage import CARRIERS, Coverage
from letitride.rules import catalog
from letitride.rules.keyspec import KEYS
from letitride.rules.paytables import Paytable, Wager
from letitride.rules.values import PlainValue, Values
from letitride.simulation.figures import CONFIDENCE, Category, Verdict, WagerFigures
from letitride.simulation.game import BLOCK
from letitride.simulation.plan import LABELS, THREE_LABELS, Plan
from letitride.simulation.shuffle_tests import Family, Outcome
from letitride.simulation.tallies import Tallies
from letitride.version import __version__

KIND: Final = "letitride evidence pack"
FORMAT: Final = 1
GENERATOR: Final = "sfc64, seeded by (seed, block); batched draws without bias"
PLAY: Final = "the best play there is; a choice that is worth nothing is withdrawn"
NO_PROOFS: Final = (
    "not available in an installed package: the marked tests are part of the source, where 'scripts/clauses --json' "
    "counts them; --proofs takes its result"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that an evidence pack tells, beside the time it took."""

    plan: Plan
    opponents_of_bank: bool
    """Whether a player banks, and the seats are those of his opponents."""
    stated: Values
    """Values that the book leaves open and the pack states, as stated here."""
    chosen: Values
    """Values that whoever asked for the pack set."""
    paytables: tuple[Paytable, ...]
    seed: int
    tallies: Tallies
    wagers: tuple[WagerFigures, ...]
    verdict: Verdict
    shuffles: Family
    shuffle_decks: int
    clauses: tuple[Coverage, ...]
    files: Mapping[str, str]
    """SHA-256 of the files of the pack that the index names."""
    versions: Mapping[str, str]

    @property
    def consistent(self) -> bool:
        """Whether simulation and shuffle tests are both as they should be."""
        return self.verdict.consistent and self.shuffles.consistent

    @property
    def origins(self) -> Counter[str]:
        """How many keys that apply come from the document, from house defaults and from this table."""
        book = self.plan.table.book
        return Counter(str(book.origins[name].source) for name in book.values() if name in book.origins)


def as_data(evidence: Evidence) -> dict[str, Any]:
    """Return the pack as plain data: the same for the same inputs, on machines with the same versions."""
    table, game = evidence.plan.table, evidence.plan.game
    return {
        "kind": KIND,
        "format": FORMAT,
        "letitride": __version__,
        "consistent": evidence.consistent,
        "book": {
            "id": table.book.id,
            "title": table.book.title,
            "edition": table.book.edition or None,
            "documents": list(catalog.documents(table.book)),
            "sha256": table.book.digest,
            "stated_by_letitride": _plain(evidence.stated),
            "set_for_this_pack": _plain(evidence.chosen),
            "keys_by_source": dict(evidence.origins),
            "rules": table.book.values(),
        },
        "paytables": [
            {
                "id": one.id,
                "title": one.title,
                "sha256": one.digest,
                "wagers": [str(wager) for wager, name in table.paytables.items() if name == one.id],
            }
            for one in evidence.paytables
        ],
        "table": {
            "seats": game.seats,
            "banked_by": table.rules.bank.mode,
            "seats_are_opponents_of_a_bank_that_covers_everything": evidence.opponents_of_bank,
            "stakes_cents": dict(evidence.plan.stakes),
            "play": PLAY,
        },
        "simulation": {
            "seed": evidence.seed,
            "rounds": evidence.tallies.rounds,
            "generator": GENERATOR,
            "rounds_of_a_block": BLOCK,
            "game_sha256": game.digest,
            "confidence": CONFIDENCE,
            "verdict": {
                "consistent": evidence.verdict.consistent,
                "tests": evidence.verdict.tests,
                "z_limit": evidence.verdict.z_limit,
                "p_limit": evidence.verdict.p_limit,
                "furthest": evidence.verdict.furthest,
                "not_judged": list(evidence.verdict.not_judged),
            },
            "wagers": [_wager(one) for one in evidence.wagers],
            "tallies": evidence.tallies.as_data(),
        },
        "shuffle_tests": {
            "seed": evidence.seed,
            "decks": evidence.shuffle_decks,
            "confidence": CONFIDENCE,
            **family_data(evidence.shuffles),
        },
        "clauses": {
            "documents": [_clauses(one) for one in evidence.clauses],
            "carriers": dict(CARRIERS),
            "proofs": None if any(one.proven is None for one in evidence.clauses) else "given",
            "proofs_note": NO_PROOFS if any(one.proven is None for one in evidence.clauses) else None,
        },
        "files": dict(evidence.files),
    }


def _plain(values: Values) -> dict[str, PlainValue]:
    return {name: msgspec.to_builtins(value) for name, value in values.items() if name in KEYS}


def _exact(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "value": float(value)}


def ranked(one: WagerFigures) -> tuple[Category, ...]:
    """Return the categories of a wager, the best hand first."""
    order = LABELS if one.wager is not Wager.THREE_CARD else THREE_LABELS[::-1]
    return tuple(sorted(one.categories, key=lambda row: order.index(row.label)))


def _wager(one: WagerFigures) -> dict[str, Any]:
    return {
        "wager": str(one.wager),
        "stake_cents": one.stake_cents,
        "hands": one.hands,
        "mean": one.mean,
        "standard_error": one.se,
        "interval": list(one.interval),
        "exact": _exact(one.exact),
        "z": one.z if isfinite(one.z) else None,
        "categories": [
            {
                "category": row.label,
                "count": row.count,
                "first_seat": row.first_seat,
                "probability": _exact(row.probability),
            }
            for row in ranked(one)
        ],
        "chi_square": {
            "statistic": one.agreement.statistic,
            "degrees_of_freedom": one.agreement.freedom,
            "p_value": one.agreement.p_value,
            "of": "the first seat, whose hands are independent from round to round",
        },
    }


def family_data(family: Family) -> dict[str, Any]:
    """Return a family of tests as plain data."""
    return {
        "verdict": {
            "consistent": family.consistent,
            "tests": len(family.tests),
            "p_limit": family.p_limit,
            "failed": [test.name for test in family.failed],
        },
        "tests": [_test(one) for one in family.tests],
    }


def _test(one: Outcome) -> dict[str, Any]:
    return {
        "name": one.name,
        "would_notice": one.what,
        "sample": one.sample,
        "unit": one.unit,
        "statistic": one.statistic,
        "distribution": one.distribution,
        "parameter": one.parameter,
        "p_value": one.p_value,
    }


def _clauses(one: Coverage) -> dict[str, Any]:
    return {
        "document": one.document,
        "clauses": one.clauses,
        "demanding": one.demanding,
        "replaced": one.replaced,
        "in_force": one.in_force,
        "carried_by": dict(one.carried),
        "carried_by_nothing": list(one.open),
        "proven_by_tests": one.proven,
    }
