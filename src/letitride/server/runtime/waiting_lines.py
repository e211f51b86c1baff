"""Waiting lines: so many requests of one asker are worked on at one time, the others wait in line; knows no request."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from letitride.server.runtime.tokens import Tokens

Begin = Callable[["Turn"], bool]
"""What begins when its turn has come; False where it is not wanted any more."""
ASKERS_MAX: Final = 10_000
"""The asker who has been silent for longest is forgotten first."""
RECENT_SECONDS: Final = 1.0
"""An asker who did something so lately may be kept waiting by others."""
PAUSE_SECONDS_MAX: Final = 1.0


@dataclass(frozen=True, slots=True)
class Busy:
    """For how long one asker may be worked on while others are there: at once, and of every second after that."""

    burst_seconds: float
    a_second: float
    clock: Callable[[], float] = time.monotonic


class WaitingLines:
    """Who is being answered, and who waits for a turn."""

    def __init__(self, busy: Busy | None = None) -> None:
        self._busy = busy
        self._answered: Counter[str] = Counter()
        self._waiting: dict[str, deque[Begin]] = {}
        self._seen: OrderedDict[str, tuple[float, Tokens]] = OrderedDict()
        """When each asker did something last, and for how long they may be worked on."""

    def ask(self, whose: str, at_once: int, seconds: float, begin: Begin) -> None:
        """Begin something as soon as there is a turn for it, which ends by itself after some seconds."""
        self.note(whose)
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
            if called.done() and not called.cancelled():  # it came at the moment when it was not wanted any more
                called.result().end()
            raise

    def note(self, whose: str) -> None:
        """Note that an asker does something."""
        if self._busy is None:
            return
        now = self._busy.clock()
        _, left = self._seen.pop(whose, (now, None))
        self._seen[whose] = now, left or Tokens(self._busy.burst_seconds, self._busy.a_second, now)
        while len(self._seen) > ASKERS_MAX:
            self._seen.popitem(last=False)

    def leave(self, turn: Turn) -> None:
        """Give a turn to the next in line: at once, or later where others were kept waiting for too long."""
        pause = self._pause(turn)
        if pause > 0:
            asyncio.get_running_loop().call_later(pause, self._next, turn.whose, turn.seconds)
        else:
            self._next(turn.whose, turn.seconds)

    def _next(self, whose: str, seconds: float) -> None:
        line = self._waiting.get(whose, deque[Begin]())
        while line:
            following = Turn(self, whose, seconds)
            if line.popleft()(following):
                return
            following.forget()
        self._waiting.pop(whose, None)
        self._answered[whose] -= 1
        if self._answered[whose] <= 0:
            del self._answered[whose]

    def _pause(self, turn: Turn) -> float:
        """Return for how long an asker who has had more than a share waits; 0 where no one else is there."""
        if self._busy is None or turn.whose not in self._seen:
            return 0.0
        now = self._busy.clock()
        _, tokens = self._seen[turn.whose]
        tokens.spend(min(time.monotonic() - turn.began, turn.seconds))
        left = tokens.left(now)
        other = next((at for whose, (at, _) in reversed(self._seen.items()) if whose != turn.whose), -math.inf)
        if left >= 0 or now - other > RECENT_SECONDS:
            return 0.0
        return min(-left / self._busy.a_second, PAUSE_SECONDS_MAX)

    def __len__(self) -> int:
        """How many have a turn."""
        return self._answered.total()


class Turn:
    """One asker's turn: what takes longer waits for something else, a thread or a slow reader, and holds up no one."""

    def __init__(self, lines: WaitingLines, whose: str, seconds: float) -> None:
        self.whose, self.seconds, self.began = whose, seconds, time.monotonic()
        self._lines, self._ended = lines, False
        self._timer = asyncio.get_running_loop().call_later(seconds, self.end)

    def end(self) -> None:
        """Let the next one have a turn."""
        if not self._ended:
            self.forget()
            self._lines.leave(self)

    def forget(self) -> None:
        """End without letting anyone have it."""
        self._ended = True
        self._timer.cancel()
