"""Exact: a figure as programs get it, the reduced fraction and its value; it rounds nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Exact:
    """A figure as a reduced fraction, and its value."""

    exact: str
    value: float

    @classmethod
    def of(cls, value: Fraction) -> Exact:
        """Return a fraction as a figure."""
        return cls(str(value), float(value))

    @classmethod
    def known(cls, value: Fraction | None) -> Exact | None:
        """Return a fraction as a figure, where there is one."""
        return None if value is None else cls.of(value)
