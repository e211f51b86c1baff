"""Shares: so many requests of one asker are worked on at one time, and the others wait in line; knows no request."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable

Begin = Callable[["Turn"], bool]
"""What begins when its turn has come; False where nobody wants it any more."""


class Shares:
    """Who is being answered, and who waits for a turn."""

    def __init__(self) -> None:
        self._answered: Counter[str] = Counter()
        self._waiting: dict[str, deque[Begin]] = {}

    def ask(self, whose: str, at_once: int, seconds: float, begin: Begin) -> None:
        """Begin something as soon as there is a turn for it, which ends by itself after some seconds."""
        if self._answered[whose] >= at_once:
            self._waiting.setdefault(whose, deque()).append(begin)
            return
        self._answered[whose] += 1
        turn = Turn(self, whose, seconds)
        if not begin(turn):
            turn.end()

    async def enter(self, whose: str, at_once: int, waiting_max: int, seconds: float) -> Turn | None:
        """Wait for a turn; None where too many wait already."""
        if self._answered[whose] >= at_once and len(self._waiting.get(whose, ())) >= waiting_max:
            return None
        called: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()

        def begin(turn: Turn) -> bool:
            if called.done():
                return False
            called.set_result(turn)
            return True

        self.ask(whose, at_once, seconds, begin)
        try:
            return await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():  # it came at the moment when nobody wanted it any more
                called.result().end()
            raise

    def leave(self, turn: Turn) -> None:
        """Give a turn to whoever waits for longest and still wants it."""
        whose = turn.whose
        line = self._waiting.get(whose, deque[Begin]())
        while line:
            following = Turn(self, whose, turn.seconds)
            if line.popleft()(following):
                return
            following.forget()
        self._waiting.pop(whose, None)
        self._answered[whose] -= 1
        if self._answered[whose] <= 0:
            del self._answered[whose]

    def __len__(self) -> int:
        """How many have a turn."""
        return self._answered.total()


class Turn:
    """One asker's turn: what takes longer waits for something else, a thread or a slow reader, and holds up no one."""

    def __init__(self, shares: Shares, whose: str, seconds: float) -> None:
        self.whose, self.seconds = whose, seconds
        self._shares, self._ended = shares, False
        self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Let the next one have a turn."""
        if not self._ended:
            self.forget()
            self._shares.leave(self)

    def forget(self) -> None:
        """End without letting anyone have it."""
        self._ended = True
        self._timer.cancel()
