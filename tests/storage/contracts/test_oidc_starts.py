"""The contract of sign-ins that go on at the house's provider, the same for every store."""

from __future__ import annotations

import asyncio

import pytest

from letitride.server.people.accounts import People
from letitride.server.people.id_tokens import IdToken
from letitride.server.people.oidc_accounts import NotAdmitted, OidcAccounts
from letitride.server.people.oidc_starts import KIND, START_MS, OidcStarts
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.stores import Stores


def test_a_sign_in_is_good_once_and_soon_in_its_own_browser_at_any_server(store: Stores) -> None:
    async def walk() -> None:
        committer, now = Committer(store.journal), [1]
        here, there = (
            OidcStarts(store.documents, store.leases, committer, lambda: now[0]) for _ in range(2)
        )  # two servers of a house
        try:
            state, browser = await here.begin("link", "/staff", session="abc", person="Ann")
            kept = b"".join(one.id.encode() + one.body for one in store.documents.find(KIND))
            assert state.encode() not in kept
            assert browser.encode() not in kept
            assert await there.use(state, "another browser's") is None
            found = await asyncio.gather(there.use(state, browser), here.use(state, browser))
            used = next(one for one in found if one)
            assert 1 == len([one for one in found if one])
            assert ("link", "/staff", "abc", "Ann") == (used.purpose, used.to, used.session, used.person)
            if used.began_ms == 1:  # by our own clock, where no database has one for all
                state, browser = await here.begin("sign_in", "/")
                now[0] += START_MS
                assert await here.use(state, browser) is None
                await here.begin("sign_in", "/")
                now[0] += START_MS
                await here.begin("sign_in", "/")
                await there.tidy()
                assert 1 == len(store.documents.find(KIND))
        finally:
            committer.close()

    asyncio.run(walk())


def test_one_person_of_the_provider_has_one_account_however_often_they_come_at_once(store: Stores) -> None:
    async def walk() -> None:
        committer = Committer(store.journal)
        people = People(store.documents, store.wallets, store.audit, committer, lambda: 1)
        accounts, again = (OidcAccounts(people, store.documents, store.audit, committer, lambda: 1) for _ in range(2))
        token = IdToken(issuer="https://id.example", subject="1", names=("ann@id.example",))
        other = IdToken(issuer="https://other.example", subject="1", names=("ann@id.example",))
        try:
            found = await asyncio.gather(*(one.admit(token) for one in (accounts, again, accounts)))
            assert 1 == len({person.name for person in found})
            names = {one.name for one in (await accounts.admit(token), await again.admit(other))}
            assert 2 == len(names), "another provider's person is another person"
            assert 2 == len(store.documents.find("person"))
            with pytest.raises(NotAdmitted, match="expected a person without an account here"):
                await again.link(token, await again.admit(other))
        finally:
            committer.close()

    asyncio.run(walk())
