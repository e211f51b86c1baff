"""Shares: so many requests of one asker are answered at one time, and the others wait in line; knows no request."""

from __future__ import annotations

import asyncio
from collections import Counter, deque


class Shares:
    """Who is being answered, and who waits for a turn."""

    def __init__(self) -> None:
        self._answered: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def enter(self, whose: str, at_once: int, waiting_max: int) -> bool:
        """Wait for a turn; whether there was one, or too many wait already."""
        if self._answered[whose] < at_once:
            self._answered[whose] += 1
            return True
        line = self._waiting.setdefault(whose, deque())
        if len(line) >= waiting_max:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it came at the moment when nobody wanted it any more
                self.leave(whose)
            raise
        return True

    def leave(self, whose: str) -> None:
        """Give the turn to whoever waits for longest."""
        line = self._waiting.get(whose, deque[asyncio.Future[None]]())
        while line:
            if not (turn := line.popleft()).done():
                turn.set_result(None)
                return
        self._waiting.pop(whose, None)
        self._answered[whose] -= 1
        if self._answered[whose] <= 0:
            del self._answered[whose]

    def __len__(self) -> int:
        """How many have a turn."""
        return self._answered.total()
