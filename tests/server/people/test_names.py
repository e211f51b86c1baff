"""Names and passwords: what misleads or is easy to guess is refused in a sentence; those who are here already stay."""

from __future__ import annotations

import asyncio

import httpx
import msgspec
import pytest
from argon2 import PasswordHasher

from letitride.server.people.accounts import Person
from letitride.server.people.names import check_name, key_of, skeletons_of
from letitride.server.people.passwords import is_weak
from tests.server.inside import MINUTE_MS, PASSWORD, Inside, inside


async def register(here: Inside, name: str, password: str = PASSWORD) -> httpx.Response:
    here.now_ms += MINUTE_MS
    return await here.client().post("/api/accounts", json={"name": name, "password": password})


@pytest.mark.parametrize(
    "name",
    [
        "A\u3164nn",  # a Hangul filler, which is a letter that cannot be seen
        "A\u115fnn",
        "Ann\u0430",  # Cyrillic
        "\u0391nn",  # Greek
        "\ua4eenn",  # Lisu
        "\u1d00nn",  # a small capital
        "Ann\u0661a2",  # digits of two systems
        "\u13aann",  # Cherokee
    ],
)
def test_a_name_with_letters_that_mislead_is_refused(name: str) -> None:
    async def check() -> None:
        async with inside() as here:
            refused = await register(here, name)
            assert 422 == refused.status_code
            assert refused.json()["detail"].startswith("expected a name in the everyday letters"), refused.text

    asyncio.run(check())


@pytest.mark.parametrize("name", ["Mary-Lou O'Neil", "José", "Łukasz", "Пётр", "田中太郎", "김철수", "עמית", "x_y.z2"])
def test_a_name_in_the_letters_of_one_language_is_taken(name: str) -> None:
    check_name(name)
    assert skeletons_of(name)


def test_a_new_name_that_looks_like_an_old_one_is_refused_and_old_ones_stay() -> None:
    async def check() -> None:
        async with inside() as here:
            documents = here.house.stores.documents
            for name in ("Illia", "lllia", "Pam"):  # from before names were compared by their looks
                kept = Person(name=name, password=PasswordHasher().hash(PASSWORD))
                documents.put("person", key_of(name), msgspec.json.encode(kept), 0)
            for name in ("IlIia", "Parn"):
                refused = await register(here, name)
                assert "expected a name that looks like no other" in refused.json()["detail"], name
            assert 201 == (await register(here, "Capo")).status_code
            refused = await register(here, "\u0441\u0430\u0440\u043e")  # the same in Cyrillic
            assert "expected a name that looks like no other" in refused.json()["detail"]
            assert "expected a name that is free" in (await register(here, "CAPO")).json()["detail"]
            for name in ("Illia", "lllia", "Pam"):
                login = {"name": name, "password": PASSWORD}
                assert name == (await here.client().post("/api/login", json=login)).json()["name"]

    asyncio.run(check())


@pytest.mark.parametrize("name", ["DeaIer", "B0t 1", "Guest-O1", "H0use", "FIoor", "Cage", "Admin", "Pit Boss"])
def test_a_name_that_looks_like_one_of_the_house_is_refused(name: str) -> None:
    async def check() -> None:
        async with inside() as here:
            refused = await register(here, name)
            assert (422, True) == (refused.status_code, "one of the house's own" in refused.json()["detail"]), name

    asyncio.run(check())


@pytest.mark.parametrize(
    "password", ["1234567890", "password12", "qwertyuiop", "letitride1", "x" * 256, "Annabelle1", "iloveyou12"]
)
def test_a_password_that_is_easy_to_guess_is_refused(password: str) -> None:
    async def check() -> None:
        async with inside() as here:
            refused = await register(here, "Annabelle", password)
            assert 422 == refused.status_code
            assert "expected a password that is hard to guess" in refused.json()["detail"]
            assert "password_weak" == refused.json()["code"]
            assert password not in refused.text

    asyncio.run(check())


def test_an_old_password_that_is_easy_to_guess_works_and_a_new_one_is_asked_for() -> None:
    async def check() -> None:
        async with inside() as here:
            weak = "1234567890"
            old = Person(name="Ann", password=PasswordHasher().hash(weak))
            here.house.stores.documents.put("person", "ann", msgspec.json.encode(old), 0)
            client = here.client()
            for password, is_so in ((weak, True), (PASSWORD, False)):
                found = await client.post("/api/login", json={"name": "Ann", "password": password})
                assert (200, is_so) == (found.status_code, found.json()["weak_password"])
                new = {"old": password, "new": PASSWORD}
                assert 204 == (await client.post("/api/me/password", json=new)).status_code

    asyncio.run(check())


def test_a_password_is_weak_where_it_is_the_name() -> None:
    assert is_weak("Bartholomew-Szczepan", "Bartholomew-Szczepan")
    assert not is_weak("Bartholomew-Szczepan 7 lamps", "Ann")
