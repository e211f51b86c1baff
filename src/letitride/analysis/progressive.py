"""Progressive: what a bet that feeds a meter is worth, exactly, at any meter and in the long run, with envy or none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from letitride.analysis.side_bets import rank_counts
from letitride.errors import InvalidData
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory, hands_of
from letitride.rules.wagers import Meter, Take, Wager


@dataclass(frozen=True, slots=True)
class Progressive:
    """The exact figures of a progressive bet, per unit of its stake; amounts in cents."""

    stake_cents: int
    players: int
    """How many players make the bet in a round, on whom envy depends."""
    meter: Meter
    fixed_return: Fraction
    """What pays that do not depend on the meter give back of a unit bet."""
    share_chance: Fraction
    """The chance of each share, weighted by the share: what a unit of the meter gives back."""
    amount_chance: Fraction
    """What is expected to be won as amounts of the meter, in cents."""
    reset_chance: Fraction
    """How often a hand takes all of it."""
    envy_return: Fraction
    """What envy gives back of a unit bet."""
    hit_frequency: Fraction
    """How often a hand wins anything by its own cards."""

    chances: Mapping[AnyCategory, Fraction]
    """How often each rank comes."""

    def house_edge(self, meter_cents: int) -> Fraction:
        """Return the expected loss per unit bet while the meter holds so much; shares are paid in whole cents."""
        won = sum((chance * self.meter.won(rank, meter_cents) for rank, chance in self.chances.items()), Fraction(0))
        return 1 - self.fixed_return - self.envy_return - won / self.stake_cents

    @property
    def break_even_cents(self) -> Fraction | None:
        """The meter at which neither side has an edge, but for fractions of a cent; None where no hand has a share."""
        if not self.share_chance:
            return None
        kept = 1 - self.fixed_return - self.envy_return - self.amount_chance / self.stake_cents
        return kept * self.stake_cents / self.share_chance

    @property
    def contribution(self) -> Fraction:
        """What goes into the meter of a unit bet."""
        return Fraction(self.meter.contribution(self.stake_cents), self.stake_cents)

    @property
    def long_run_edge(self) -> Fraction | None:
        """What the house keeps of a unit bet in the long run, when all that went into the meter has come out of it.

        The house pays the seed anew whenever all of the meter was taken; what players take is their own money. None
        where hands take amounts: what the house adds to them depends on what the meter holds from round to round.
        """
        if self.amount_chance:
            return None
        seeds = self.reset_chance * self.meter.seed_cents / self.stake_cents
        return 1 - self.fixed_return - self.envy_return - self.contribution - seeds

    @property
    def average_meter_cents(self) -> Fraction | None:
        """What the meter holds on average when a hand is dealt, and so when it is hit; None where it only grows.

        Exact for one hand a round but for fractions of a cent; with more hands it differs by rounds in which two of
        them take of it. None, too, where hands take amounts of it.
        """
        if not self.share_chance or self.amount_chance:
            return None
        fed = self.contribution * self.stake_cents
        return (fed + self.reset_chance * self.meter.seed_cents) / self.share_chance

    def contribution_for(self, house_edge: Fraction) -> Fraction:
        """Return what must go into the meter of a unit bet for the house to keep so much of it in the long run."""
        kept = self.long_run_edge
        if kept is None:
            raise InvalidData("expected a meter of which hands take shares alone, got one of which they take amounts")
        found = kept + self.contribution - house_edge
        if not 0 <= found <= 1:
            raise InvalidData(
                f"expected a house edge that a contribution of 0 to 100% gives, got one that needs {float(found):.2%}"
            )
        return found


def progressive(pays: Pays, stake_cents: int, players: int = 1) -> Progressive:
    """Return the exact figures of a progressive bet at a stake, where so many players make it."""
    wager = pays.wager
    if wager.meter is None:
        raise InvalidData(f"expected a wager with a meter, got {wager.id}, which has none")
    if stake_cents < 1 or players < 1:
        raise InvalidData(f"expected a stake of a cent or more and a player or more, got {stake_cents} and {players}")
    chances = rank_chances(wager)
    takes = {rank: wager.meter.takes.get(rank, Take()) for rank in chances}
    shares = sum((chance * Fraction(takes[rank].percent, 100) for rank, chance in chances.items()), Fraction(0))
    beside = pays_beside(pays)
    fixed = sum((chance * beside[rank] for rank, chance in chances.items()), Fraction(0))
    return Progressive(
        stake_cents=stake_cents,
        players=players,
        meter=wager.meter,
        fixed_return=fixed,
        share_chance=shares,
        amount_chance=sum((chance * takes[rank].cents for rank, chance in chances.items()), Fraction(0)),
        reset_chance=sum((chance for rank, chance in chances.items() if takes[rank].percent == 100), Fraction(0)),
        envy_return=sum(
            (chance * envy_pay(wager, rank, stake_cents, players) for rank, chance in chances.items()), Fraction(0)
        ),
        chances=chances,
        hit_frequency=sum((chance for rank, chance in chances.items() if pays.pay(rank) is not None), Fraction(0)),
    )


def rank_chances(wager: Wager) -> dict[AnyCategory, Fraction]:
    """Return how often each rank of a wager comes."""
    total = hands_of(wager.ranking.cards)
    return {rank: Fraction(many, total) for rank, many in rank_counts(wager).items()}


def pays_beside(pays: Pays) -> dict[AnyCategory, Fraction]:
    """Return what each rank pays of a unit bet beside what it takes of a meter."""
    wager = pays.wager
    return {rank: (pays.pay(rank) or Fraction(0)) - wager.seed_pay(rank) for rank in wager.ranking.ranks}


def envy_pay(wager: Wager, rank: AnyCategory, stake_cents: int, players: int) -> Fraction:
    """Return what all other players win together by a hand of that rank, of a unit bet."""
    return Fraction((players - 1) * wager.envy.get(rank, 0), stake_cents)
