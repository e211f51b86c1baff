"""Sign-in record: sign-ins, failures, sign-outs and refusals in the audit with their source; a flood is counted there.

The audit is never cut, so a stranger must not fill it. Within an hour the first few of a kind from one source are rows
of their own. What comes after them is counted, and the count is one row when the hour is over.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, Literal

from letitride.errors import StoreDown
from letitride.rules.words import plural
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore

HOUR_MS: Final = 3600 * 1000
ROWS_FROM_SOURCE: Final = 5
"""Rows of a kind, from one source, within an hour."""
ROWS_OF_KIND: Final = 500
"""Rows of a kind, from all sources together, within an hour."""
SUMS_MAX: Final = 100
"""Sources that are counted by their address; those beyond are counted together."""
TIDY_SECONDS: Final = 60.0
STRANGER: Final = "unknown person"
OTHERS: Final = "other addresses"

Kind = Literal["sign-in", "failed sign-in", "sign-out", "refusal"]


class SignInRecord:
    """Who came in and went out, who could not, and from where."""

    def __init__(self, audit: AuditStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._audit, self._committer, self._clock_ms = audit, committer, clock_ms
        self._hour = 0
        self._rows = Counter[tuple[Kind, str]]()
        self._of_kind = Counter[Kind]()
        self._more = Counter[tuple[Kind, str]]()

    async def add(
        self, kind: Kind, who: str, what: str, source: str, device: str = "", *, always: bool = False
    ) -> None:
        """Put something on record with its source; after the first few it is counted, unless it `always` is a row."""
        now = self._clock_ms()
        if now // HOUR_MS != self._hour:
            await self.write_counts()
            self._hour = now // HOUR_MS
        if not always:
            if self._rows[kind, source] >= ROWS_FROM_SOURCE or self._of_kind[kind] >= ROWS_OF_KIND:
                known = (kind, source) in self._more or len(self._more) < SUMS_MAX
                self._more[kind, source if known else OTHERS] += 1
                return
            self._rows[kind, source] += 1
            self._of_kind[kind] += 1
        where = f"from {source or 'this machine'}{f', {device}' if device else ''}"
        await self._committer.run(partial(self._audit.add, now, who, what, where))

    async def note(self, who: str, what: str, why: str) -> None:
        """Put on record what someone does with an account."""
        await self._committer.run(partial(self._audit.add, self._clock_ms(), who, what, why))

    async def write_counts(self) -> None:
        """Write down what was only counted, and count anew."""
        more, self._more = self._more, Counter()
        self._rows.clear()
        self._of_kind.clear()
        now = self._clock_ms()
        for (kind, source), count in more.items():
            what = f"{count} more {plural(kind, count)}"
            await self._committer.run(partial(self._audit.add, now, "house", what, f"from {source}, within an hour"))

    async def tidy(self) -> None:
        """Write down the counts of hours that are over, for as long as the server runs."""
        while True:
            await asyncio.sleep(TIDY_SECONDS)
            if self._more and self._clock_ms() // HOUR_MS != self._hour:
                with suppress(StoreDown):  # a lost count is no reason to stop counting
                    await self.write_counts()
