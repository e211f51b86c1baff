"""Approvals: acts with money that wait for a second person, from the request to the act; it moves no money itself.

A request is a document with a version, so every server of a house sees the same one, and one person decides it, once.
What was approved is carried out under the request's own id, as often as that takes until it is kept as done: the way of
an act does the same id once. So a kill between the two loses nothing and pays nothing twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.rules.money import dollars
from letitride.rules.roles import MoneyAct
from letitride.server.people.accounts import Person
from letitride.server.people.approval_records import MINUTE_MS, Approval, Wish, awaits
from letitride.server.people.ceilings import Ceilings
from letitride.server.people.moved_alone import DAY_MS, counts
from letitride.server.runtime.requests import NotNow, RoleMissing
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import Document, DocumentStore

KIND: Final = "approval"
LOOK_SECONDS: Final = 2.0
LATE_MS: Final = 5_000
"""After how long an approved act is taken to be left behind by the server that was to carry it out."""
LISTED_MAX: Final = 300
WAITING_MAX: Final = 100

CarryOut = Callable[[Approval], Awaitable[None]]
"""Does what was approved, once for each request however often it is called; what it raises is why it cannot be done."""


class NotHere(LetItRideError):
    """An approved act that another server carries out, or this one later."""


class Approvals:
    """All acts that wait for a second person."""

    def __init__(
        self, documents: DocumentStore, audit: AuditStore, committer: Committer, clock_ms: Callable[[], int]
    ) -> None:
        self._documents, self._audit, self._committer, self._clock_ms = documents, audit, committer, clock_ms
        self.ceilings = Ceilings()
        self.minutes = 30
        """How long a request waits."""
        self._ways: dict[MoneyAct, CarryOut] = {}
        self._held: dict[str, str] = {}
        self.is_here: Callable[[str], bool] = lambda _: True
        """Whether this server looks after a table."""
        self.on_change: Callable[[str], None] = lambda _: None
        """Called with a table where a request about it was made, or is over."""

    def carried_out_by(self, act: MoneyAct, way: CarryOut) -> None:
        """Say how an act is done."""
        self._ways[act] = way

    def holds(self, table_id: str) -> bool:
        """Whether a table waits with its round: an order about it is not decided yet."""
        return table_id in self._held.values()

    async def clear(self, person: Person, wish: Wish, roles: tuple[str, ...] = ()) -> None:
        """Let a person do an act alone, which counts; or ask a second person for it, and raise that it waits.

        `roles` are those in which it is done, where that is not all that the person has.
        """
        ceilings, now, acts_as = self.ceilings, self._clock_ms(), roles or person.roles
        alone, most = ceilings.alone(acts_as), ceilings.most(wish.act)
        if wish.cents <= 0 or await self._committer.run(lambda: counts(self._documents, person.name, wish, alone, now)):
            return
        if wish.cents > most:
            raise InvalidData(
                f"expected an amount that someone may approve, at most {dollars(most)}, got {dollars(wish.cents)}",
                code="over_ceiling",
                cents=wish.cents,
                most_cents=most,
            )
        approval = await self._committer.run(lambda: self._ask(person.name, wish, now))
        self._hold(approval)
        if approval.state == "done":
            return
        raise awaits(approval, ceilings.words(wish.act, wish.cents))

    def listed(self) -> list[Approval]:
        """Return the latest requests, the newest first."""
        return [_read(one) for one in reversed(self._documents.find(KIND, last=LISTED_MAX))]

    def find(self, approval_id: str) -> Approval:
        """Return a request."""
        kept = self._documents.get(KIND, approval_id) if approval_id.isprintable() and approval_id else None
        if kept is None:
            raise MissingData(f"expected a request for approval, got '{approval_id}'")
        return _read(kept)

    def refuses(self, approval: Approval, person: Person) -> str:
        """Return why a person may not approve a request, or nothing."""
        if person.name == approval.asked_by:
            return "expected another person than the one who asked, got yourself: no one approves their own request"
        if person.name == approval.to:
            return "expected a person who gains nothing from it, got yourself: no one approves money for themselves"
        if person.made_by == approval.asked_by and self._clock_ms() < person.made_ms + DAY_MS:
            return (
                f"expected an account that {approval.asked_by} did not make or change within a day, got {person.name}"
            )
        most = self.ceilings.approves(approval.act, person.roles)
        if most < approval.cents:
            who = self.ceilings.words(approval.act, approval.cents)
            return f"expected the role {who} or a higher one to approve {dollars(approval.cents)}, got {person.name}"
        return ""

    async def approve(self, approval_id: str, person: Person, why: str) -> Approval:
        """Approve a request, and carry out what it asks for."""

        def judge(one: Approval) -> Approval:
            if refusal := self.refuses(one, person):
                raise RoleMissing(refusal)
            return self._decided(one, "approved", person.name, why)

        approval = await self._committer.run(lambda: self._change(approval_id, judge))
        return await self._carry_out(approval)

    async def decline(self, approval_id: str, person: Person, why: str) -> Approval:
        """Decline a request; who asked may take it back."""

        def judge(one: Approval) -> Approval:
            if person.name != one.asked_by and (refusal := self.refuses(one, person)):
                raise RoleMissing(refusal)
            return self._decided(one, "declined", person.name, why)

        approval = await self._committer.run(lambda: self._change(approval_id, judge))
        self._hold(approval)
        return approval

    async def look(self) -> None:
        """Let requests expire whose time is over, and carry out what another server has left behind."""
        found = await asyncio.to_thread(self.listed)
        now = self._clock_ms()
        before, self._held = self._held, {}
        for one in found:
            if one.state == "waiting" and one.until_ms <= now:
                with suppress(NotNow):
                    await self._committer.run(partial(self._change, one.id, self._expired))
            elif one.is_open:
                self._hold(one)
            if one.state == "approved" and one.decided_ms <= now - LATE_MS and self._is_ours(one):
                await self._carry_out(one)
        for table in set(before.values()) - set(self._held.values()):
            self.on_change(table)

    async def keep(self) -> None:
        """Look after the requests for as long as the server runs."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(StoreDown):  # it is looked again
                await self.look()

    def _is_ours(self, approval: Approval) -> bool:
        """Whether this server carries an act out; a halted table, whose round is void, may be no server's."""
        anywhere = not approval.table or approval.act == "void"
        return approval.act in self._ways and (anywhere or self.is_here(approval.table))

    def _hold(self, approval: Approval) -> None:
        """Let a table wait as long as a request about its round is open."""
        if not approval.round:
            return
        if approval.is_open:
            self._held[approval.id] = approval.table
        else:
            self._held.pop(approval.id, None)
        self.on_change(approval.table)

    def _ask(self, name: str, wish: Wish, now: int) -> Approval:
        """Return the request of a wish: the one that was made before, or a new one. Only in the committer's thread."""
        mark = sha256(f"{name}/{wish.act}/{wish.table}/{wish.reference}".encode()).hexdigest()[:16]
        listed = self.listed()
        for one in listed:
            if one.id.endswith(mark) and (one.is_open or one.state == "done"):
                if (one.cents, one.to) != (wish.cents, wish.to):
                    raise InvalidData(f"expected a new reference, got {wish.reference}, which was another request")
                return one
        if sum(one.state == "waiting" for one in listed) >= WAITING_MAX:
            raise NotNow(f"expected fewer than {WAITING_MAX} requests waiting for approval, got that many already")
        approval = Approval(
            id=f"{now:013}-{mark}",
            act=wish.act,
            cents=wish.cents,
            about=wish.about,
            why=wish.why,
            wish=msgspec.Raw(wish.body),
            to=wish.to,
            table=wish.table,
            round=wish.round,
            asked_by=name,
            asked_ms=now,
            until_ms=now + self.minutes * MINUTE_MS,
        )
        self._note(name, "asked", approval, wish.why)
        self._documents.put(KIND, approval.id, msgspec.json.encode(approval), 0)
        return approval

    def _decided(self, one: Approval, state: Literal["approved", "declined"], name: str, why: str) -> Approval:
        """Return a request as it is decided, or refuse one that is not to be decided any more."""
        if one.state == "waiting" and one.until_ms <= self._clock_ms():
            one = self._expired(one)
        if one.state != "waiting":
            raise NotNow(
                f"expected a request that is still waiting, got one that {_STANDS[one.state].format(one.decided_by)}"
            )
        return replace(one, state=state, decided_by=name, decided_ms=self._clock_ms(), decided_why=why)

    def _expired(self, one: Approval) -> Approval:
        if one.state != "waiting" or one.until_ms > self._clock_ms():
            raise NotNow("expected a request that waits and whose time is over, got another")
        return replace(one, state="expired", decided_ms=self._clock_ms())

    def _change(self, approval_id: str, change: Callable[[Approval], Approval]) -> Approval:
        """Change a request, also where others do; once it is kept it is on record. Only in the committer's thread."""
        while True:
            kept = self._documents.get(KIND, approval_id)
            if kept is None:
                raise MissingData(f"expected a request for approval, got '{approval_id}'")
            changed = change(_read(kept))
            if self._documents.put(KIND, approval_id, msgspec.json.encode(changed), kept.version) is not None:
                who = changed.decided_by if changed.state in {"approved", "declined"} else "house"
                said = (f"asked by {changed.asked_by}", _with(changed), changed.decided_why, changed.outcome)
                self._note(who, changed.state, changed, "; ".join(part for part in said if part))
                return changed

    async def _carry_out(self, approval: Approval) -> Approval:
        """Do what was approved, and keep that it is done, or why it cannot be; where the store is away, later."""
        way = self._ways.get(approval.act)
        if way is None:
            raise NotNow(f"expected a server that knows how to do a {approval.act}, got one that does not")
        outcome = ""
        try:
            await way(approval)
        except StoreDown:
            raise
        except NotHere:
            return approval
        except LetItRideError as error:
            outcome = str(error)

        def close(one: Approval) -> Approval:
            if one.state != "approved":  # another server was as quick
                raise NotNow("")
            return replace(one, state="failed" if outcome else "done", outcome=outcome)

        try:
            approval = await self._committer.run(lambda: self._change(approval.id, close))
        except NotNow:
            approval = await asyncio.to_thread(self.find, approval.id)
        self._hold(approval)
        return approval

    def _note(self, who: str, what: str, approval: Approval, why: str) -> None:
        place = f" at {approval.table}" if approval.table else ""
        told = f"approval.{what} {approval.act} {approval.cents}{place}"
        self._audit.add(self._clock_ms(), who, told, f"{approval.id}: {approval.about}: {why}")


_STANDS: Final = {
    "approved": "{} has approved",
    "done": "{} has approved",
    "failed": "{} has approved, and could not be carried out",
    "declined": "{} has declined",
    "expired": "has expired",
}


def _read(kept: Document) -> Approval:
    return msgspec.json.decode(kept.body, type=Approval)


def _with(approval: Approval) -> str:
    return f"approved by {approval.decided_by}" if approval.state in {"done", "failed"} else ""
