"""The contract of second factors and of sign-ins that wait for one, the same for every store."""

from __future__ import annotations

import asyncio
import base64

import pytest

from letitride.errors import InvalidData
from letitride.server.people.authenticator_app import code_at
from letitride.server.people.factor_records import KIND, WrongCode
from letitride.server.people.passkey_challenges import CHALLENGE_MS, PasskeyChallenges
from letitride.server.people.pending_sign_ins import PENDING_MS, PendingSignIns
from letitride.server.people.second_factors import SecondFactors
from letitride.server.runtime.requests import NotNow
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.stores import Stores
from letitride.storage.vault import Vault

STEP_MS = 30_000


def test_a_code_counts_once_at_whichever_server_and_the_secret_opens_with_the_houses_key_alone(store: Stores) -> None:
    async def walk() -> None:
        committer, now = Committer(store.journal), [1_800_000_000_000]
        one, two = (SecondFactors(store.documents, committer, lambda: now[0], Vault(b"k" * 32)) for _ in range(2))
        try:
            draft = await one.draw_app("Ann", "letitride")
            secret = base64.b32decode(draft.secret)
            assert not two.of("Ann").is_set  # not before a code has confirmed it
            codes = await two.confirm_app("ann", code_at(secret, now[0]))
            assert 10 == len(set(codes)) == len(one.of("ANN").recovery)
            now[0] += STEP_MS
            assert ("code", 10) == await one.accept("Ann", code_at(secret, now[0]))
            for again in (one, two):
                with pytest.raises(WrongCode, match="already used"):
                    await again.accept("Ann", code_at(secret, now[0]))
            assert ("recovery code", 9) == await two.accept("Ann", codes[3].lower().replace("-", " "))
            with pytest.raises(WrongCode):
                await one.accept("Ann", codes[3])
            kept = store.documents.get(KIND, "ann")
            assert kept is not None
            for secret_text in (draft.secret, secret.hex(), *codes):
                assert secret_text.encode() not in kept.body
            other = SecondFactors(store.documents, committer, lambda: now[0], Vault(b"l" * 32))
            with pytest.raises(InvalidData, match="key of the house"):
                await other.accept("Ann", code_at(secret, now[0] + STEP_MS))
            assert ("recovery code", 8) == await other.accept("Ann", codes[4])
            fresh = await one.renew_recovery("Ann")
            with pytest.raises(WrongCode):
                await two.accept("Ann", codes[5])
            assert ("recovery code", 9) == await two.accept("Ann", fresh[5])
            await two.remove_app("Ann")
            assert not one.of("Ann").is_set
            assert () == one.of("Ann").recovery
            for act in (one.remove_app, one.renew_recovery):
                with pytest.raises(NotNow):
                    await act("Ann")
        finally:
            committer.close()

    asyncio.run(walk())


def test_of_many_who_come_with_one_code_at_once_one_gets_in(store: Stores) -> None:
    async def walk() -> None:
        committers, now = [Committer(store.journal) for _ in range(4)], [1_800_000_000_000]
        servers = [SecondFactors(store.documents, one, lambda: now[0], Vault(b"k" * 32)) for one in committers]
        try:
            secret = base64.b32decode((await servers[0].draw_app("Ann", "letitride")).secret)
            await servers[0].confirm_app("Ann", code_at(secret, now[0]))
            now[0] += STEP_MS
            code = code_at(secret, now[0])
            told = await asyncio.gather(*(one.accept("Ann", code) for one in servers), return_exceptions=True)
            assert 1 == sum(not isinstance(one, WrongCode) for one in told)
        finally:
            for one in committers:
                one.close()

    asyncio.run(walk())


def test_a_passkey_is_asked_once_and_soon_and_the_last_question_of_a_browser_counts(store: Stores) -> None:
    async def walk() -> None:
        committer, now = Committer(store.journal), [1_800_000_000_000]
        one, two = (PasskeyChallenges(store.documents, committer, lambda: now[0]) for _ in range(2))
        try:
            first, last, other = await one.begin("Ann's"), await two.begin("Ann's"), await one.begin("Ben's")
            assert 3 == len({first, last, other})
            assert not any("Ann's" in kept.id for kept in store.documents.find("passkey-challenge"))
            assert [last, None, other] == [await two.use("Ann's"), await one.use("Ann's"), await two.use("Ben's")]
            await one.begin("Ann's")
            now[0] += CHALLENGE_MS
            assert await one.use("Ann's") is None
            await two.begin("Ben's")
            now[0] += CHALLENGE_MS
            await one.forget_old()
            assert [] == store.documents.find("passkey-challenge")
        finally:
            committer.close()

    asyncio.run(walk())


def test_a_sign_in_waits_at_every_server_until_it_is_ended_or_too_old(store: Stores) -> None:
    async def walk() -> None:
        committer, now = Committer(store.journal), [1_800_000_000_000]
        one, two = (PendingSignIns(store.documents, committer, lambda: now[0]) for _ in range(2))
        try:
            token, late = await one.begin("Ann", "argon"), await one.begin("Ann", "argon")
            waits = two.find(token)
            assert waits is not None
            assert "Ann" == waits.name
            assert not any(
                token in kept.id or b"argon" in kept.body for kept in store.documents.find("pending-sign-in")
            )
            assert [True, False] == [await two.end(token), await one.end(token)]
            assert one.find(token) is two.find("") is None
            now[0] += PENDING_MS
            assert one.find(late) is None
            await two.forget_old()
            assert [] == store.documents.find("pending-sign-in")
        finally:
            committer.close()

    asyncio.run(walk())
