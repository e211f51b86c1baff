"""Stores of one role that do something otherwise, and everything else as the ones they stand before."""

from __future__ import annotations

from typing import Any


class Instead:
    """What stands before a store: a subclass says what it does otherwise."""

    def __init__(self, real: Any) -> None:
        self.real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)
