"""Evidence live: the page of an evidence pack about the generator of live tables; the one page never the same twice."""

from __future__ import annotations

from typing import Final

from letitride.analysis.rounding import decimal
from letitride.reports.evidence.data import LiveEvidence
from letitride.reports.evidence.index import tests_grid
from letitride.reports.evidence.pack import family_evidence
from letitride.reports.paper.model import Dossier, Part, Text
from letitride.simulation.figures import CONFIDENCE
from letitride.simulation.shuffle_tests import Family
from letitride.version import __version__

SOURCE: Final = "the operating system, through the shuffle of live tables (letitride.chance.live)"
_REPEAT: Final = (
    "Not repeatable: this generator has no seed, so that no one can predict or repeat a shuffle, and these figures "
    "differ every time. They are of one machine at one time, and not part of the pack's result."
)
_AGAIN: Final = (
    "The tests are judged at 99% over all of them: a sound generator fails once in a hundred samples. A sample that "
    "fails is followed by a second one, and both are shown; a generator that fails twice is not consistent."
)


def consistent(samples: tuple[Family, ...]) -> bool:
    """Whether one of the samples is what chance would make it."""
    return any(one.consistent for one in samples)


def live_evidence(samples: tuple[Family, ...], decks: int) -> LiveEvidence:
    """Return the tests for programs, labeled as what they are."""
    return LiveEvidence(
        sentence=live_verdict(samples, decks),
        repeatable=False,
        source=SOURCE,
        decks=decks,
        confidence=CONFIDENCE,
        consistent=consistent(samples),
        samples=tuple(map(family_evidence, samples)),
    )


def live_verdict(samples: tuple[Family, ...], decks: int) -> str:
    """Return what came of the tests, in one sentence."""
    many = f"{decimal(decks, 0)} decks"
    second = "a second sample of " if len(samples) > 1 else ""
    said = f"passes all {len(samples[0].tests)} deck tests on {second}{many}"
    if not consistent(samples):
        said = f"fails deck tests on two samples of {many}"
    return f"The generator of live tables {said}; this is not repeatable."


def live_page(samples: tuple[Family, ...], decks: int, made: str) -> Dossier:
    """Return the tests as a page; `made` says when they were run."""
    parts = [
        Part(
            "Deck tests" if len(samples) == 1 else f"Deck tests, sample {number}",
            (Text((f"No p-value below {decimal(one.p_limit, 5)}: {_said(one)}.",)), tests_grid(one)),
        )
        for number, one in enumerate(samples, 1)
    ]
    return Dossier(
        title="Shuffle tests of the live generator",
        subtitle="Not repeatable",
        footer="live generator · not repeatable",
        version=__version__,
        date="",
        keywords=("live generator", "not repeatable"),
        consistent=consistent(samples),
        verdict=live_verdict(samples, decks),
        identity=(
            ("Source of the decks", SOURCE),
            ("Decks", f"{decimal(decks, 0)} full decks per sample"),
            ("Seed", "none: not repeatable"),
            ("Run", made),
            ("Made by", f"letitride {__version__}"),
        ),
        parts=(Part("How to read this", (Text((_REPEAT, _AGAIN), listed=True),)), *parts),
    )


def _said(one: Family) -> str:
    return "consistent" if one.consistent else f"not consistent ({', '.join(test.name for test in one.failed)})"
