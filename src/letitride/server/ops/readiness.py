"""Readiness: whether a server is ready for clients, and why not; asked often, so it looks at most once a second."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from letitride.chance.health import HEALTH
from letitride.errors import LetItRideError
from letitride.server.people.invitations import is_private
from letitride.server.tables.house import House
from letitride.storage.roles.documents import DocumentStore

log = logging.getLogger(__name__)
KEPT_SECONDS: Final = 1.0
PATIENCE_SECONDS: Final = 3.0
PROBE: Final = ("probe", "readiness")


class Readiness:
    """What stands between a server and its players."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._asking = asyncio.Lock()
        self._reason, self._until = "", 0.0
        self.started = self.stopping = False

    async def reason(self) -> str:
        """Return why no client should be sent here now, or nothing."""
        if self.stopping:
            return "the server is stopping"
        if not self.started:
            return "the server is starting"
        if HEALTH.alarm:
            return "the generator failed its health test"
        loop = asyncio.get_running_loop()
        async with self._asking:
            if loop.time() >= self._until:
                self._reason = await self._look()
                self._until = loop.time() + KEPT_SECONDS
            return self._reason

    async def _look(self) -> str:
        house = self._house
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await house.committer.run(partial(_probe, house.stores.documents))
                waiting = await asyncio.to_thread(_without_owner, house)
        except TimeoutError:
            return "the database does not answer"
        except LetItRideError as error:
            log.warning("Can't write to the database: %s", error)  # where it lies is kept from those who ask
            return "the database cannot be written to"
        return f"waiting for tables without an owner: {', '.join(waiting)}" if waiting else ""


def _probe(documents: DocumentStore) -> None:
    """Write something small."""
    kept = documents.get(*PROBE)
    documents.put(*PROBE, b"{}", kept.version if kept else 0)


def _without_owner(house: House) -> list[str]:
    """Return the open tables that neither this server nor another one owns now."""
    now = house.stores.leases.now_ms(house.clock_ms())
    owned = {lease.table_id for lease in house.stores.leases.all() if lease.until_ms > now} | set(house.rooms)
    waiting = (
        one.id for one in house.stores.tables.all() if one.state == "open" and one.number and one.id not in owned
    )
    return sorted({"a private one" if is_private(table_id) else table_id for table_id in waiting})
