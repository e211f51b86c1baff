"""Slip: the bets of the coming round while they are put together key by key; what is allowed the table says."""

from __future__ import annotations

from dataclasses import dataclass, field

from letitride.cli.terminal.typed import least_side, offered_sides
from letitride.cli.terminal.wanted import CENTS_MAX, Wanted
from letitride.rules.limits import SpotLimits, spot_limits
from letitride.rules.settlement import BASE_SPOTS, WagerName

_DIGITS_MAX = 8


@dataclass(slots=True)
class Slip:
    """What is to be bet: the base bets and each side bet a line, one of them the one that keys change."""

    wanted: Wanted
    cents: dict[str, int] = field(default_factory=dict)
    place: int = 0
    typed: str = ""

    def __post_init__(self) -> None:
        """Begin with the first bet the person asked for."""
        self.cents = {"base": self.wanted.bet_cents, **dict.fromkeys(offered_sides(self.wanted.rules), 0)}

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
        least = self._least(self.name)
        step = max(least, self._spot.cents_step if self.name == "base" else 1)
        if self.name == "bonus":
            self.cents["bonus"] = least if by > 0 else 0
        else:
            self.cents[self.name] = max(0, min(CENTS_MAX, self.cents[self.name] + by * step))

    def toggle(self, name: str) -> None:
        """Put the least of a side bet down, or take it away."""
        if name in self.cents:
            self.typed = ""
            self.cents[name] = 0 if self.cents[name] else self._least(name)

    @property
    def _spot(self) -> SpotLimits:
        return spot_limits(self.wanted.rules.rules.limit)

    def _least(self, name: str) -> int:
        rules = self.wanted.rules
        if name == "base":
            return self._spot.cents_min
        return next(least_side(rules, wager) for wager in offered_sides(rules) if wager == name)

    def wagers(self) -> dict[WagerName, int]:
        """Return the bets by spot."""
        base: dict[WagerName, int] = dict.fromkeys(BASE_SPOTS, self.cents["base"]) if self.cents["base"] else {}
        sides = {wager: self.cents[wager] for wager in offered_sides(self.wanted.rules) if self.cents[wager]}
        return {**base, **sides}
