"""Round links: rounds that their players show to everybody who has the link; it tells only what the player saw.

What is shown is kept as it was when the link was made. Who withdraws a link withdraws all of it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.server.people.names import key_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.training.own_rounds import OwnRound

LINK: Final = "round-link"
OF: Final = "round-links-of"
"""Which links a person has made, by person and round."""
TOKEN_BYTES: Final = 16
LINKS_MAX: Final = 500
"""Links of one person at a time."""


class RoundLink(msgspec.Struct, frozen=True, kw_only=True):
    """A round that its player shows."""

    token: str
    by: str
    """The key of the player's name."""
    player: str
    """The player's name, where they want it to be shown; else empty."""
    made_ms: int
    table: str
    """Where it was played; for the proof of the deck, and shown to no one."""
    round: OwnRound
    """As the player saw it, without the table's id."""


class RoundLinks:
    """All links to rounds."""

    def __init__(self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int]) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms

    async def make(self, name: str, one: OwnRound, *, shows_name: bool) -> RoundLink:
        """Return a link to a round of a person's own; where there is one, that, showing the name as wanted now."""
        player, key, shown = name if shows_name else "", key_of(name), replace(one, table="")
        place = f"{key}/{one.table}/{one.round:012}/{one.seat}"
        made_ms = self._clock_ms()

        def put() -> RoundLink:
            kept = self._documents.get(OF, place)
            if kept is None and len(self._documents.find(OF, f"{key}/")) >= LINKS_MAX:
                raise InvalidData(f"expected at most {LINKS_MAX} links to rounds, got one more: withdraw one first")
            token = msgspec.json.decode(kept.body, type=str) if kept else secrets.token_hex(TOKEN_BYTES)
            link = RoundLink(token=token, by=key, player=player, made_ms=made_ms, table=one.table, round=shown)
            if kept is None and self._documents.put(OF, place, msgspec.json.encode(token), 0) is None:
                return put()  # made on another page just now
            before = self._documents.get(LINK, token)
            if self._documents.put(LINK, token, msgspec.json.encode(link), before.version if before else 0) is None:
                return put()
            return link

        return await self._committer.run(put)

    async def find(self, token: str) -> RoundLink:
        """Return what a link shows, for everybody who has it."""
        kept = await asyncio.to_thread(self._documents.get, LINK, token)
        if kept is None:
            raise MissingData("expected a link to a round, got one that is unknown or was withdrawn")
        return msgspec.json.decode(kept.body, type=RoundLink)

    async def of(self, name: str) -> list[RoundLink]:
        """Return the links of a person, the latest first."""

        def read() -> list[RoundLink]:
            tokens = [msgspec.json.decode(one.body, type=str) for one in self._documents.find(OF, f"{key_of(name)}/")]
            found = self._documents.named(LINK, tokens)
            return [msgspec.json.decode(one.body, type=RoundLink) for one in found]

        return sorted(await asyncio.to_thread(read), key=lambda one: -one.made_ms)

    async def withdraw(self, name: str, token: str) -> None:
        """Withdraw a link of the person's own; from then on no one finds it."""
        link = await self.find(token)
        if link.by != key_of(name):
            raise MissingData("expected a link of your own, got another")
        place = f"{link.by}/{link.table}/{link.round.round:012}/{link.round.seat}"

        def forget() -> None:
            for kind, doc_id in ((LINK, token), (OF, place)):  # the link first: that is what shows something
                while (kept := self._documents.get(kind, doc_id)) is not None:
                    if self._documents.delete(kind, doc_id, kept.version):
                        break

        await self._committer.run(forget)

    async def take_over_from_guest(self, guest: str, name: str) -> None:
        """Let the links of a guest be those of the account that they created."""
        old, new = key_of(guest), key_of(name)

        def move() -> None:
            for place in self._documents.find(OF, f"{old}/"):
                token = msgspec.json.decode(place.body, type=str)
                kept = self._documents.get(LINK, token)
                if kept is not None:
                    link = msgspec.json.decode(kept.body, type=RoundLink)
                    after = msgspec.structs.replace(link, by=new, player=name if link.player else "")
                    self._documents.put(LINK, token, msgspec.json.encode(after), kept.version)
                self._documents.put(OF, f"{new}/{place.id.removeprefix(f'{old}/')}", place.body, 0)
                self._documents.delete(OF, place.id, place.version)

        await self._committer.run(move)
