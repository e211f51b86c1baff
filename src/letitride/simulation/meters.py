"""Meters: what jackpots hold and pay over simulated rounds, reckoned from hits by the wager's own rule; deals nothing.

Every seat bets one amount in every round, so a meter grows by the same cents from round to round, and what it holds
depends on the hits before alone. Kernels write hits down in any order of blocks; here they are gone through in the
order of rounds and seats, chunk by chunk, and are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.wagers import Meter, Wager
from letitride.simulation.meter_tallies import Marks, MeterTally
from letitride.simulation.takes import Hits, no_hits, read_hit
from letitride.simulation.tallies import Tallies


@dataclass(frozen=True, slots=True)
class Metered:
    """A wager that feeds a meter, at a table where so many seats bet it."""

    wager: Wager
    meter: Meter
    stake_cents: int
    seats: int

    @property
    def fed_cents(self) -> int:
        """What goes into the meter when a round is over."""
        return self.seats * self.meter.contribution(self.stake_cents)


def opened(metered: Metered, first: int = 0) -> MeterTally:
    """Return a meter at its seed before a round."""
    none, seed = (0,) * len(metered.wager.ranking.ranks), metered.meter.seed_cents
    return MeterTally(
        sha256=metered.wager.digest, first=first, rounds=first, held_cents=seed, hits=none, won_cents=none
    )


def folded(metered: Metered, tally: MeterTally, hits: Hits, stop: int) -> MeterTally:
    """Return a meter's tally gone on with up to a round: what hits take, seat by seat, and what each round adds."""
    meter, fed, ranks = metered.meter, metered.fed_cents, metered.wager.ranking.ranks
    at, held, before = tally.rounds, tally.held_cents, -1
    many, won = list(tally.hits), list(tally.won_cents)
    taken, added, resets, highest = tally.taken_cents, tally.added_cents, tally.resets, tally.highest_cents
    seen, level, total = tally.seen_cents, tally.level_cents, sum(many)
    marks, by_round, by_hit, by_added = tally.marks, tally.by_round, tally.by_hit, tally.added
    for hit in hits.tolist():
        number, place = read_hit(hit)
        if number != before:
            if not at <= number < stop:
                raise InvariantBroken(f"expected a hit from round {at} to before {stop}, got one in round {number}")
            held += fed if before >= 0 else 0  # what the last round with a hit added
            passed = number - at
            level += (passed + 1) * held + fed * passed * (passed + 1) // 2
            held += passed * fed
            at, before = number + 1, number
        rank = ranks[place]
        part, paid = meter.taken(rank, held), meter.won(rank, held)
        many[place] += 1
        won[place] += paid
        total, seen, highest = total + 1, seen + held, max(highest, held)
        taken, added = taken + part, added + paid - part
        held = meter.left(rank, held)
        if meter.takes[rank].percent == 100:
            resets += 1
            ends = Marks(at - tally.first, level, total, seen, added)
            rounds = ends.rounds - marks.rounds
            by_round = by_round.plus(level - marks.level_cents, rounds)
            by_hit = by_hit.plus(seen - marks.seen_cents, total - marks.hits)
            by_added = by_added.plus(added - marks.added_cents, rounds)
            marks = ends
    held += fed if before >= 0 else 0
    passed = stop - at
    level += passed * held + fed * passed * (passed - 1) // 2
    return replace(
        tally,
        rounds=stop,
        held_cents=held + passed * fed,
        hits=tuple(many),
        won_cents=tuple(won),
        taken_cents=taken,
        added_cents=added,
        resets=resets,
        seen_cents=seen,
        highest_cents=highest,
        level_cents=level,
        marks=marks,
        by_round=by_round,
        by_hit=by_hit,
        added=by_added,
    )


def meter_tally(metered: Metered, tallies: Tallies) -> MeterTally:
    """Return what happened to a meter over all rounds that were counted.

    Where tallies say nothing of hits, as those of a run that was saved before meters were simulated, the meter opens
    after their rounds.
    """
    name = metered.wager.id
    tally = tallies.meters.get(name)
    if tally is None:
        tally = opened(metered, 0 if name in tallies.hits else tallies.rounds)
    if tally.sha256 != metered.wager.digest or tally.rounds > tallies.rounds:
        raise InvalidData(f"expected the meter of {name} as it was when the run began, got another")
    return folded(metered, tally, tallies.hits.get(name, no_hits()), tallies.rounds)


def fold_meters(meters: Sequence[Metered], tallies: Tallies) -> None:
    """Reckon meters up to the last round that was counted; the hits are not kept."""
    for metered in meters:
        name = metered.wager.id
        tallies.meters[name] = meter_tally(metered, tallies)
        tallies.hits[name] = no_hits()
