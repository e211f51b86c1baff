"""Second factors: each account's authenticator app and recovery codes; knows neither passwords nor sessions.

Secrets are sealed by the house's key. A code counts once: its time step is used up in the store, for all servers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from letitride.errors import InvalidData
from letitride.rules.roles import AccountRole
from letitride.server.people import authenticator_app
from letitride.server.people.factor_records import KIND, OWNERS, FactorNeeded, FactorRecord, WrongCode, owner_id
from letitride.server.people.names import key_of
from letitride.server.people.password_attempts import PasswordAttempts, TryLater
from letitride.server.people.recovery_codes import hash_of_code, new_codes
from letitride.server.people.sessions import MINUTE_MS
from letitride.server.runtime.requests import NotNow
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.vault import Vault, fresh_key

DRAFT_MS: Final = 15 * MINUTE_MS
Way = Literal["code", "recovery code"]


@dataclass(frozen=True, slots=True)
class AppDraft:
    """An app that is to be confirmed by a code."""

    secret: str
    address: str
    qr_code: str


class Accepted(NamedTuple):
    """A code that was right."""

    way: Way
    left: int
    """Recovery codes that are left."""


class SecondFactors:
    """The second factors of everybody the house knows."""

    def __init__(
        self, documents: DocumentStore, committer: Committer, clock_ms: Callable[[], int], vault: Vault | None = None
    ) -> None:
        self._documents, self._committer, self._clock_ms = documents, committer, clock_ms
        self._vault = vault or Vault(fresh_key(), lasting=False)
        self.roles: frozenset[AccountRole] = frozenset()
        """The roles that no one has in this house without one."""
        self.tries = PasswordAttempts(clock_ms)
        """Wrong codes by account, wherever they come from: who tries them has its password already."""

    def is_needed_by(self, roles: Iterable[AccountRole]) -> bool:
        """Whether this house wants a second factor of a person with these roles."""
        return not self.roles.isdisjoint(roles)

    def of(self, name: str) -> FactorRecord:
        """Return what there is of a person's."""
        kept = self._documents.get(KIND, key_of(name))
        return msgspec.json.decode(kept.body, type=FactorRecord) if kept is not None else FactorRecord()

    async def draw_app(self, name: str, house: str) -> AppDraft:
        """Return a new secret for an app, which counts once a code of it has confirmed it."""
        secret = authenticator_app.new_secret()
        sealed, until = self._vault.seal(secret, _purpose(name)).hex(), self._clock_ms() + DRAFT_MS
        await self.change(name, lambda one: replace(one, draft=sealed, draft_until_ms=until))
        address = authenticator_app.address(secret, name, house)
        return AppDraft(authenticator_app.typed(secret), address, authenticator_app.qr_code(address))

    async def confirm_app(self, name: str, code: str) -> list[str]:
        """Let the app that was drawn count; return recovery codes, where there were none."""
        codes, now = new_codes(), self._clock_ms()
        self._begin_try(name)

        def confirm(one: FactorRecord) -> FactorRecord:
            if not one.draft or one.draft_until_ms <= now:
                raise NotNow("expected an app waiting for its first code, got none: start again", code="app_anew")
            step = authenticator_app.step_of(self._open(name, one.draft), _plain(code), now)
            if step is None:
                raise _wrong_code()
            hashes = one.recovery or tuple(map(hash_of_code, codes))
            return replace(one, app=one.draft, app_since_ms=now, app_step=step, draft="", recovery=hashes)

        after = await self.change(name, confirm)
        self._succeed(name)
        return codes if hash_of_code(codes[0]) in after.recovery else []

    async def accept(self, name: str, code: str) -> Accepted:
        """Use up a code of a person's app, or a recovery code, or refuse it."""
        self._begin_try(name)
        plain, way = _plain(code), Accepted("code", 0)

        def use(one: FactorRecord) -> FactorRecord:
            nonlocal way
            if (hashed := hash_of_code(plain)) in one.recovery:
                left = tuple(kept for kept in one.recovery if kept != hashed)
                way = Accepted("recovery code", len(left))
                return replace(one, recovery=left)
            step = authenticator_app.step_of(self._open(name, one.app), plain, self._clock_ms()) if one.app else None
            if step is None:
                raise _wrong_code()
            if step <= one.app_step:
                raise WrongCode(
                    "expected an unused code, got one that was already used: wait for the next", code="code_used"
                )
            way = Accepted("code", len(one.recovery))
            return replace(one, app_step=step)

        await self.change(name, use)
        self._succeed(name)
        return way

    async def remove_app(self, name: str, *, last: bool = True) -> None:
        """Forget a person's app, and with the last factor the recovery codes; one that may not be the `last` stays."""

        def remove(one: FactorRecord) -> FactorRecord:
            if not one.app:
                raise NotNow("expected an account with an authenticator app, got one without", code="no_app")
            after = replace(one, app="", app_since_ms=0, draft="")
            if not (last or after.is_set):
                raise FactorNeeded
            return without_codes(after)

        await self.change(name, remove)

    async def forget(self, name: str) -> bool:
        """Forget everything of a person's; whether there was a factor."""

        def forget() -> bool:
            while (kept := self._documents.get(KIND, key_of(name))) is not None:
                if self._documents.delete(KIND, kept.id, kept.version):
                    record = msgspec.json.decode(kept.body, type=FactorRecord)
                    for one in record.passkeys:
                        if (owner := self._documents.get(OWNERS, owner_id(one.id))) is not None:
                            self._documents.delete(OWNERS, owner.id, owner.version)
                    return record.is_set
            return False

        there = await self._committer.run(forget)
        self.tries.forget(key_of(name))
        return there

    async def renew_recovery(self, name: str) -> list[str]:
        """Return ten new recovery codes; those of before are void."""
        codes = new_codes()

        def renew(one: FactorRecord) -> FactorRecord:
            if not one.is_set:
                raise NotNow("expected an account with a second factor, got one without", code="no_factor")
            return replace(one, recovery=tuple(map(hash_of_code, codes)))

        await self.change(name, renew)
        return codes

    def _open(self, name: str, sealed: str) -> bytes:
        secret = self._vault.open(bytes.fromhex(sealed), _purpose(name))
        if secret is None:
            raise InvalidData(
                "expected the key of the house under which your app's secret was sealed, got another: use a recovery"
                " code, and set the app up again",
                code="app_unreadable",
            )
        return secret

    def _begin_try(self, name: str) -> None:
        try:
            self.tries.begin("codes", key_of(name), known=True)
        except TryLater as error:
            raise TryLater(error.seconds, "wrong codes for one account") from None

    def _succeed(self, name: str) -> None:
        self.tries.succeed("codes", key_of(name), known=True)

    async def change(self, name: str, change: Callable[[FactorRecord], FactorRecord]) -> FactorRecord:
        """Change what there is of a person's, however many others do so at the same time."""
        key = key_of(name)

        def changed() -> FactorRecord:
            while True:
                kept = self._documents.get(KIND, key)
                one = msgspec.json.decode(kept.body, type=FactorRecord) if kept is not None else FactorRecord()
                after = change(one)
                version = kept.version if kept is not None else 0
                if self._documents.put(KIND, key, msgspec.json.encode(after), version) is not None:
                    return after

        return await self._committer.run(changed)


def without_codes(record: FactorRecord) -> FactorRecord:
    """Return a record whose recovery codes are gone with the last factor."""
    return record if record.is_set else replace(record, recovery=())


def _plain(code: str) -> str:
    """Return a code without what people put between its groups."""
    return "".join(code.split())


def _wrong_code() -> WrongCode:
    return WrongCode(
        "expected the code your app shows now or an unused recovery code, got another",
        code="code_wrong",
    )


def _purpose(name: str) -> bytes:
    return f"authenticator app {key_of(name)}".encode()
