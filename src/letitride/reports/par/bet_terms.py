"""Bet terms: what a wager's file says of the bet, in words; it prices nothing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from letitride.analysis.rounding import percent
from letitride.rules.irregularities import WHAT
from letitride.rules.keyspec import default_terms
from letitride.rules.money import dollars
from letitride.rules.rankings import AnyCategory, ListedRank
from letitride.rules.wagers import JUDGED_ON, Wager


def bet_terms(wager: Wager) -> Iterator[tuple[str, str]]:
    """Yield what may be bet, on what, when it is taken and may be taken back, and what its meter and envy are."""
    yield "judged on", JUDGED_ON[wager.judged_on]
    yield "stake", stake_words(wager)
    yield "taken", "before the deal" if wager.before_deal else "at settlement"
    if wager.withdraw:
        bets = " or ".join(f"bet {bet}" for bet in wager.withdraw)
        part = "" if wager.withdraw_percent == 100 else f": {wager.withdraw_percent}% of the stake is returned"
        yield "taken back", f"with the decision about {bets}{part}"
    if void_on := default_terms(wager).void_on:
        yield "void", "; ".join(f"where {WHAT[kind]}" for kind in void_on)
    if wager.meter is not None:
        takes = "; ".join(f"{rank.label}: {take}" for rank, take in wager.meter.takes.items())
        share = percent(Fraction(wager.meter.contribution_ppm, 1_000_000), 2)
        yield "meter", f"seed {dollars(wager.meter.seed_cents)}, {share} of each stake; {takes}"
    if wager.envy:
        yield "envy", "; ".join(f"{rank.label}: {dollars(cents)}" for rank, cents in wager.envy.items())


def conditions(rank: AnyCategory) -> str:
    """Return what cards must have for a rank that a file lists; nothing for a hand of poker."""
    if not isinstance(rank, ListedRank):
        return ""
    return ", ".join(f"{name} {_value(wanted)}" for name, wanted in rank.when.items()) or "everything else"


def _value(wanted: object) -> str:
    return " ".join(map(str, wanted)) if isinstance(wanted, tuple) else str(wanted)


def stake_words(wager: Wager) -> str:
    """Return what may be bet where a rule book says nothing else."""
    keys = wager.keys
    if wager.fixed_stake:
        return dollars(int(str(keys["cents"])))
    if "cents_min" not in keys:
        return "the table's limits"
    return f"{dollars(int(str(keys['cents_min'])))} to {dollars(int(str(keys['cents_max'])))}"
