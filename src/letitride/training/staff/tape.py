"""Tape: the draws of a drill, kept so that it can be taken up where it was left; never a generator of its own."""

from __future__ import annotations

from collections.abc import Sequence

from letitride.errors import InvalidData
from letitride.training.chance import Chance


class Tape:
    """Chance that is written down: first what is on the tape, then what the source gives."""

    def __init__(self, source: Chance, drawn: Sequence[int] = ()) -> None:
        self._source = source
        self.drawn = list(drawn)
        self._place = 0

    def below(self, limit: int) -> int:
        """Return the next draw of the tape, or a new one, which goes onto it."""
        if self._place == len(self.drawn):
            self.drawn.append(self._source.below(limit))
        number = self.drawn[self._place]
        self._place += 1
        if not 0 <= number < limit:
            raise InvalidData(f"expected the tape of a drill of this version, got {number} for a draw below {limit}")
        return number
