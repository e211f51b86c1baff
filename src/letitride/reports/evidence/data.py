"""Evidence data: the types of an evidence pack for programs, as `evidence.json` and `evidence --json` have it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from letitride.analysis.exact import Exact
from letitride.reports.evidence.game import GameEvidence
from letitride.reports.evidence.signing import Build, SignOff
from letitride.rules.values import PlainValue
from letitride.simulation.figures import Verdict
from letitride.simulation.game import PartData


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEvidence:
    """The rule book of a pack with all its values."""

    id: str
    title: str
    edition: str | None
    documents: tuple[str, ...]
    sha256: str
    stated_by_letitride: Mapping[str, PlainValue]
    set_for_this_pack: Mapping[str, PlainValue]
    keys_by_source: Mapping[str, int]
    rules: Mapping[str, PlainValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableEvidence:
    """A paytable in force, and the wagers it pays."""

    id: str
    title: str
    sha256: str
    wagers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEvidence:
    """The table that was simulated."""

    seats: int
    banked_by: str
    seats_are_opponents_of_a_bank_that_covers_everything: bool
    stakes_cents: Mapping[str, int]
    play: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryEvidence:
    """How often a hand came, and how often it should."""

    category: str
    count: int
    first_seat: int
    probability: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquare:
    """How well counts agree with their probabilities."""

    statistic: float
    degrees_of_freedom: int
    p_value: float
    of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerEvidence:
    """What a wager won in the simulation beside its exact value."""

    wager: str
    stake_cents: int
    hands: int
    mean: float
    standard_error: float
    interval: tuple[float, float]
    exact: Exact
    z: float | None
    variance: float
    exact_variance: Exact
    categories: tuple[CategoryEvidence, ...]
    chi_square: ChiSquare


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationEvidence:
    """The simulation: how it was done, what it counted, and what follows from it."""

    seed: int
    seats: int
    stakes_cents: Mapping[str, int]
    rounds: int
    generator: str
    rounds_of_a_block: int
    game_sha256: str
    confidence: float
    verdict: Verdict
    wagers: tuple[WagerEvidence, ...]
    tallies: PartData


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyVerdict:
    """Whether a family of tests is as chance would make it."""

    consistent: bool
    tests: int
    p_limit: float
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleTest:
    """One test of shuffles."""

    name: str
    would_notice: str
    sample: int
    unit: str
    statistic: float
    distribution: str
    parameter: float
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyEvidence:
    """A family of tests, judged together."""

    verdict: FamilyVerdict
    tests: tuple[ShuffleTest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleEvidence:
    """The tests of the simulation's shuffles."""

    seed: int
    decks: int
    confidence: float
    verdict: FamilyVerdict
    tests: tuple[ShuffleTest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveEvidence:
    """The tests of the live tables' own shuffle; they cannot be repeated."""

    sentence: str
    repeatable: bool
    source: str
    decks: int
    confidence: float
    consistent: bool
    samples: tuple[FamilyEvidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentEvidence:
    """The clauses of one document, and what carries them."""

    document: str
    clauses: int
    demanding: int
    replaced: int
    not_arising: tuple[str, ...]
    departed_from: tuple[str, ...]
    in_force: int
    carried_by: Mapping[str, int]
    carried_by_nothing: tuple[str, ...]
    proven_by_tests: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseEvidence:
    """The clauses behind the book."""

    documents: tuple[DocumentEvidence, ...]
    carriers: Mapping[str, str]
    proofs: str | None
    proofs_note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvidence:
    """When and where a pack was made; the one part that differs from run to run."""

    finished: str
    seconds: float
    threads: int
    processor: str
    versions: Mapping[str, str]
    live_shuffle_tests: LiveEvidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackData:
    """A whole evidence pack."""

    kind: str
    format: int
    letitride: str
    consistent: bool
    book: BookEvidence
    paytables: tuple[PaytableEvidence, ...]
    table: TableEvidence
    game: GameEvidence
    simulation: SimulationEvidence
    simulation_at_highest_stakes: SimulationEvidence | None
    build: Build
    sign_off: SignOff
    shuffle_tests: ShuffleEvidence
    clauses: ClauseEvidence
    files: Mapping[str, str]
    run: RunEvidence
