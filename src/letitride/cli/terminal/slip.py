"""Slip: the bets of the coming round while they are put together key by key; what is allowed the table says."""

from __future__ import annotations

from dataclasses import dataclass, field

from letitride.cli.terminal.wanted import CENTS_MAX, Wanted
from letitride.rules.limits import SpotLimits, side_limits, spot_limits
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Wager

_DIGITS_MAX = 8


@dataclass(slots=True)
class Slip:
    """What is to be bet: the base bets and each side bet a line, one of them the one that keys change."""

    wanted: Wanted
    cents: dict[str, int] = field(default_factory=dict)
    place: int = 0
    typed: str = ""

    def __post_init__(self) -> None:
        """Begin with the first bet the player asked for."""
        self.cents = {BASE.id: self.wanted.bet_cents, **dict.fromkeys(map(str, self.wanted.rules.sides), 0)}

    @property
    def names(self) -> list[str]:
        """The lines from the top."""
        return list(self.cents)

    @property
    def name(self) -> str:
        """The line that keys change."""
        return self.names[self.place]

    def move(self, by: int) -> None:
        """Go to another line."""
        self.typed = ""
        self.place = (self.place + by) % len(self.cents)

    def key(self, sign: str) -> None:
        """Type a digit or a point of an amount."""
        if len(self.typed) < _DIGITS_MAX and (sign != "." or "." not in self.typed):
            self.typed += sign
            self._read()

    def rub_out(self) -> None:
        """Take the last sign back."""
        self.typed = self.typed[:-1]
        self._read()

    def _read(self) -> None:
        whole, _, part = self.typed.partition(".")
        self.cents[self.name] = min(CENTS_MAX, int(whole or 0) * 100 + int(f"{part:0<2}"[:2]))

    def nudge(self, by: int) -> None:
        """Make the line one step more or less."""
        self.typed = ""
        limits = self._limits(self.name)
        if self._wager(self.name).fixed_stake:
            self.cents[self.name] = limits.cents_min if by > 0 else 0
        else:
            step = max(limits.cents_min, limits.cents_step)
            self.cents[self.name] = max(0, min(CENTS_MAX, self.cents[self.name] + by * step))

    def toggle(self, name: str) -> None:
        """Put the least of a side bet down, or take it away."""
        if name in self.cents:
            self.typed = ""
            self.cents[name] = 0 if self.cents[name] else self._limits(name).cents_min

    def _wager(self, name: str) -> Wager:
        return self.wanted.rules.wagers[name]

    def _limits(self, name: str) -> SpotLimits:
        rules, wager = self.wanted.rules, self._wager(name)
        return spot_limits(rules.rules.limit) if wager.is_base else side_limits(wager, rules.terms(name))

    def wagers(self) -> dict[Spot, int]:
        """Return the bets by spot."""
        placed = {wager: self.cents[wager.id] for wager in self.wanted.rules.wagers.values()}
        return {spot: cents for wager, cents in placed.items() if cents for spot in wager.spots}
