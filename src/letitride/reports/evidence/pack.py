"""Evidence: everything that an evidence pack says, and its form for programs; computes no figure of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final

import msgspec

from letitride.analysis.exact import Exact
from letitride.analysis.par import NO_PAYING_HAND
from letitride.reports.evidence.coverage import CARRIERS, Coverage
from letitride.reports.evidence.data import (
    BookEvidence,
    CategoryEvidence,
    ChiSquare,
    ClauseEvidence,
    DocumentEvidence,
    FamilyEvidence,
    FamilyVerdict,
    PackData,
    PaytableEvidence,
    RunEvidence,
    ShuffleEvidence,
    ShuffleTest,
    SimulationEvidence,
    TableEvidence,
    WagerEvidence,
)
from letitride.reports.evidence.game import GameEvidence
from letitride.reports.evidence.signing import Build, SignOff
from letitride.rules import catalog
from letitride.rules.paytables import Paytable
from letitride.rules.table_rules import TableRules
from letitride.rules.values import PlainValue, Values
from letitride.simulation.figures import PACK_CONFIDENCE, Category, Verdict, WagerFigures
from letitride.simulation.game import BLOCK
from letitride.simulation.plan import Plan
from letitride.simulation.shuffle_tests import Family, Outcome
from letitride.simulation.tallies import Tallies
from letitride.version import __version__

KIND: Final = "letitride evidence pack"
FORMAT: Final = 1
GENERATOR: Final = "sfc64, seeded by (seed, block); unbiased batched draws"
PLAY: Final = "best play; a bet that neither gains nor loses by riding is taken back"
NO_PROOFS: Final = (
    "not available in an installed package. The marked tests are part of the source, where 'scripts/clauses --json' "
    "counts them; give its result with --clause-proofs"
)


@dataclass(frozen=True, slots=True)
class Simulated:
    """Rounds of a table at some stakes, beside the exact values."""

    plan: Plan
    seed: int
    tallies: Tallies
    wagers: tuple[WagerFigures, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that an evidence pack tells, beside the time it took."""

    plan: Plan
    opponents_of_bank: bool
    """Whether a player banks, and the seats simulated play against that bank."""
    stated: Values
    """Values that the book leaves open and the pack states, as stated here."""
    chosen: Values
    """Values set by the person who asked for the pack."""
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
    game: GameEvidence
    build: Build
    sign_off: SignOff
    at_highest: Simulated | None = None
    """The same at the highest stakes, where a unit does not win the same there."""
    collected: bool = False
    """Whether the pack holds outputs of the live generator."""

    @property
    def at_lowest(self) -> Simulated:
        """The simulation at the lowest stakes."""
        return Simulated(self.plan, self.seed, self.tallies, self.wagers, self.verdict)

    @property
    def simulations(self) -> tuple[Simulated, ...]:
        """The simulations, at the lowest stakes and where that differs at the highest."""
        return (self.at_lowest, *(() if self.at_highest is None else (self.at_highest,)))

    @property
    def consistent(self) -> bool:
        """Whether simulations and shuffle tests are as they should be."""
        return all(one.verdict.consistent for one in self.simulations) and self.shuffles.consistent

    @property
    def origins(self) -> Counter[str]:
        """How many keys that apply come from the document, from house defaults and from this table."""
        book = self.plan.table.book
        return Counter(str(book.origins[name].source) for name in book.values() if name in book.origins)


def pack_data(evidence: Evidence, files: Mapping[str, str], run: RunEvidence) -> PackData:
    """Return the pack for programs; but for `run`, the same for the same inputs on machines with the same versions.

    `files` are the SHA-256 of those files that the index does not name.
    """
    table, game, family = evidence.plan.table, evidence.plan.game, family_evidence(evidence.shuffles)
    return PackData(
        kind=KIND,
        format=FORMAT,
        letitride=__version__,
        consistent=evidence.consistent,
        book=BookEvidence(
            id=table.book.id,
            title=table.book.title,
            edition=table.book.edition or None,
            documents=catalog.documents(table.book),
            sha256=table.book.digest,
            stated_by_letitride=_plain(table, evidence.stated),
            set_for_this_pack=_plain(table, evidence.chosen),
            keys_by_source=evidence.origins,
            rules=table.book.values(),
        ),
        paytables=tuple(
            PaytableEvidence(
                id=one.id,
                title=one.title,
                sha256=one.digest,
                wagers=tuple(str(wager) for wager, name in table.paytables.items() if name == one.id),
            )
            for one in evidence.paytables
        ),
        table=TableEvidence(
            seats=game.seats,
            banked_by=table.rules.bank.mode,
            seats_are_opponents_of_a_bank_that_covers_everything=evidence.opponents_of_bank,
            stakes_cents={str(name): cents for name, cents in evidence.plan.stakes.items()},
            play=PLAY,
        ),
        game=evidence.game,
        simulation=_simulation(evidence.at_lowest),
        simulation_at_highest_stakes=None if evidence.at_highest is None else _simulation(evidence.at_highest),
        build=evidence.build,
        sign_off=evidence.sign_off,
        shuffle_tests=ShuffleEvidence(
            seed=evidence.seed,
            decks=evidence.shuffle_decks,
            confidence=PACK_CONFIDENCE,
            verdict=family.verdict,
            tests=family.tests,
        ),
        clauses=_clauses(evidence.clauses),
        files={**evidence.files, **files},
        run=run,
    )


def _simulation(one: Simulated) -> SimulationEvidence:
    return SimulationEvidence(
        seed=one.seed,
        seats=one.plan.game.seats,
        stakes_cents={str(name): cents for name, cents in one.plan.stakes.items()},
        rounds=one.tallies.rounds,
        generator=GENERATOR,
        rounds_of_a_block=BLOCK,
        game_sha256=one.plan.game.digest,
        confidence=PACK_CONFIDENCE,
        verdict=one.verdict,
        wagers=tuple(map(_wager, one.wagers)),
        tallies=one.tallies.as_data(),
    )


def _plain(table: TableRules, values: Values) -> dict[str, PlainValue]:
    return {name: msgspec.to_builtins(value) for name, value in values.items() if name in table.book.keys}


def ranked(one: WagerFigures) -> tuple[Category, ...]:
    """Return the categories of a wager, the best hand first."""
    order = [*(rank.label for rank in one.wager.ranking.ranks), NO_PAYING_HAND]
    return tuple(sorted(one.categories, key=lambda row: order.index(row.label)))


def _wager(one: WagerFigures) -> WagerEvidence:
    return WagerEvidence(
        wager=str(one.wager),
        stake_cents=one.stake_cents,
        hands=one.hands,
        mean=one.mean,
        standard_error=one.se,
        interval=one.interval,
        exact=Exact.of(one.exact),
        z=one.z if isfinite(one.z) else None,
        variance=one.sampled_variance,
        exact_variance=Exact.of(one.variance),
        categories=tuple(
            CategoryEvidence(
                category=row.label,
                count=row.count,
                first_seat=row.first_seat,
                probability=Exact.of(row.probability),
            )
            for row in ranked(one)
        ),
        chi_square=ChiSquare(
            statistic=one.agreement.statistic,
            degrees_of_freedom=one.agreement.freedom,
            p_value=one.agreement.p_value,
            of="the first seat, whose hands are independent from round to round",
        ),
    )


def family_evidence(family: Family) -> FamilyEvidence:
    """Return a family of tests with its result."""
    return FamilyEvidence(
        verdict=FamilyVerdict(
            consistent=family.consistent,
            tests=len(family.tests),
            p_limit=family.p_limit,
            failed=tuple(test.name for test in family.failed),
        ),
        tests=tuple(map(_test, family.tests)),
    )


def _test(one: Outcome) -> ShuffleTest:
    return ShuffleTest(
        name=one.name,
        would_notice=one.what,
        sample=one.sample,
        unit=one.unit,
        statistic=one.statistic,
        distribution=one.distribution,
        parameter=one.parameter,
        p_value=one.p_value,
    )


def _clauses(known: tuple[Coverage, ...]) -> ClauseEvidence:
    unproven = any(one.proven is None for one in known)
    return ClauseEvidence(
        documents=tuple(
            DocumentEvidence(
                document=one.document,
                clauses=one.clauses,
                demanding=one.demanding,
                replaced=one.replaced,
                not_arising=one.not_arising,
                departed_from=one.departed,
                in_force=one.in_force,
                carried_by=one.carried,
                carried_by_nothing=one.open,
                proven_by_tests=one.proven,
            )
            for one in known
        ),
        carriers=CARRIERS,
        proofs=None if unproven else "given",
        proofs_note=NO_PROOFS if unproven else None,
    )
