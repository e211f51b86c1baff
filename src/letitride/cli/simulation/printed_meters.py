"""Printed meters: meters and envy in a simulation as text, for people; it computes no figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.text import Text

from letitride.cli.io.output import heading
from letitride.rules.money import dollars
from letitride.rules.words import quantity
from letitride.simulation.figures import CONFIDENCE, WagerFigures, reach
from letitride.simulation.meter_figures import EnvyFigures, MeterFigures, MeterMean


def meter_lines(one: WagerFigures) -> Iterator[str | Text]:
    """Yield the lines of a wager's meter and envy; none where it has neither."""
    if one.meter is None and one.envy is None:
        return
    yield heading(f"{one.wager.title}: {'the meter as simulated' if one.meter else 'envy'}")
    if one.meter is not None:
        yield from _meter(one.meter)
    if one.envy is not None:
        yield from _envy(one.envy)
    yield ""


def _meter(meter: MeterFigures) -> Iterator[str]:
    tally = meter.tally
    opened = f"at its seed of {dollars(meter.seed_cents)}"
    yield _line("opened", f"{opened}, {quantity(tally.played, 'round')} ago" if tally.first else opened)
    for line in meter.hits:
        yield _line(line.rank.label, f"{quantity(line.hands, 'hit')}, {dollars(line.won_cents)} won")
    if meter.at_hit is not None:
        highest = f"; highest {dollars(tally.highest_cents)}"
        yield _line("meter at a hit", _mean(meter.at_hit, _amount) + highest)
    yield _line("meter before a round", _mean(meter.before_round, _amount))
    yield _line("contributed by bets", dollars(meter.fed_cents))
    seeds = f"{quantity(tally.resets, 'reset')}, {dollars(tally.resets * meter.seed_cents)}"
    yield _line("seeded by the house", seeds)
    if tally.added_cents:
        yield _line("added by the house", f"{dollars(tally.added_cents)}, where the meter was below a fixed award")
    yield _line("meter now", dollars(tally.held_cents))
    yield _line("house edge", f"{_mean(meter.house_edge, _percent)}, counting the meter as the players'")
    yield _line("house edge as paid", _percent(meter.edge_paid))


def _envy(envy: EnvyFigures) -> Iterator[str]:
    paid = f"{quantity(envy.hands, 'hand')}, {dollars(envy.paid_cents)} paid to other seats"
    yield _line("envy", paid)
    yield _line("envy per unit bet", _mean(envy.mean, _percent))


def _mean(one: MeterMean, shown: Callable[[float], str]) -> str:
    text = shown(one.mean)
    if one.se is not None:
        text += f" ± {shown(one.se)} ({CONFIDENCE:.0%}: ± {shown(reach(one.se))})"
    if one.exact is not None:
        text += f"; exactly {shown(float(one.exact))}" + (f", z {one.z:+.2f}" if one.z is not None else "")
    return text + ("" if one.se is not None else "; too few resets for a standard error")


def _amount(cents: float) -> str:
    return dollars(round(cents))


def _percent(share: float) -> str:
    return f"{share:.4%}"


def _line(name: str, value: str) -> str:
    return f"  {name:<22} {value}"
