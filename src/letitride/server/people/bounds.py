"""Bounds: what a player may lose and how long they may play; it reads no clock and no store.

The limits are the player's own, the house's and a table's. Less is stricter. What is stricter holds at once; what is
looser holds a day after it was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import asdict, replace

from letitride.errors import InvalidData

HOUR_MS: Final = 3600 * 1000
DAY_MS: Final = 24 * HOUR_MS
WAIT_MS: Final = DAY_MS
"""How long a looser bound waits."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's limits; None: no limit. A day is the last 24 hours, a month the last 30 days."""

    loss_day_cents: int | None = None
    loss_week_cents: int | None = None
    loss_month_cents: int | None = None
    time_day_minutes: int | None = None
    reminder_minutes: int | None = None
    """How long a player plays before they have to confirm that they know how long it was."""

    @property
    def losses(self) -> tuple[tuple[str, int, int], ...]:
        """The bounds on losses that there are: the word for the time, its length, the amount."""
        times = (("24 hours", DAY_MS), ("7 days", 7 * DAY_MS), ("30 days", 30 * DAY_MS))
        amounts = (self.loss_day_cents, self.loss_week_cents, self.loss_month_cents)
        return tuple((word, ms, cents) for (word, ms), cents in zip(times, amounts, strict=True) if cents is not None)


NAMES: Final = Bounds.__struct_fields__


class Pending(msgspec.Struct, frozen=True):
    """A looser bound that waits."""

    value: int | None
    from_ms: int


class OwnLimits(msgspec.Struct, frozen=True, kw_only=True):
    """A player's own limits, as the store keeps them."""

    bounds: Bounds = Bounds()
    pending: dict[str, Pending] = {}
    excluded_until_ms: int = 0
    """Until then the player plays nowhere."""
    reminded_ms: int = 0
    """When the player last confirmed that they know how long they have been playing."""


def strictest(*bounds: Bounds) -> Bounds:
    """Return the least of each bound."""
    found: dict[str, int | None] = {}
    for name in NAMES:
        stated = [value for one in bounds if (value := getattr(one, name)) is not None]
        found[name] = min(stated) if stated else None
    return Bounds(**found)


def limits_at(own: OwnLimits, now_ms: int) -> OwnLimits:
    """Return a player's own limits at a time: what waited long enough holds."""
    due = {name: one.value for name, one in own.pending.items() if one.from_ms <= now_ms}
    if not due:
        return own
    left = {name: one for name, one in own.pending.items() if name not in due}
    return replace(own, bounds=Bounds(**{**asdict(own.bounds), **due}), pending=left)


def changed(own: OwnLimits, wanted: Mapping[str, int | None], now_ms: int) -> OwnLimits:
    """Return what follows from a wish: stricter at once, looser in a day; what holds already ends what waits."""
    if unknown := set(wanted) - set(NAMES):
        raise InvalidData(f"expected bounds of {', '.join(NAMES)}, got {', '.join(sorted(unknown))}")
    own = limits_at(own, now_ms)
    values, pending = asdict(own.bounds), dict(own.pending)
    for name, value in wanted.items():
        if value is not None and value < 0:
            raise InvalidData(f"expected 0 or more for {name}, got {value}")
        before = values[name]
        if _looser(value, before):
            if name not in pending or pending[name].value != value:  # asked again, it waits no longer
                pending[name] = Pending(value, now_ms + WAIT_MS)
        else:
            values[name] = value
            pending.pop(name, None)
    return replace(own, bounds=Bounds(**values), pending=pending)


def _looser(value: int | None, before: int | None) -> bool:
    return before is not None and (value is None or value > before)


def cancelled(own: OwnLimits, now_ms: int) -> OwnLimits:
    """Return what is left where nothing looser is wanted any more."""
    return replace(limits_at(own, now_ms), pending={})


def excluded(own: OwnLimits, until_ms: int) -> OwnLimits:
    """Return what follows from a wish to play nowhere until a time; it can be made longer, never shorter."""
    return replace(own, excluded_until_ms=max(own.excluded_until_ms, until_ms))
