"""The schema: migrations that were published never change, and say the same as the ledger about who may owe."""

from __future__ import annotations

import hashlib

import pytest

from letitride.ledger.accounts import MAY_OWE, Kind
from letitride.storage.sql import schema

PUBLISHED = {
    "sqlite": (
        "1317a6744e1dcf98f197d9d5912fff9f4643b56052fa8224ec800df6d97e7b30",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "996a57a9bb090d10de1073b181b4a4efafdfbc97a8282ec38fc23730d0d541f2",
    ),
    "postgres": (
        "8338b5a3d3e561fe979da6e06a5a776159cee842183cb00f034943e860ffaa50",
        "6ea4884766fc6e2098a718c134f62102407bb6cd625950a8ebdb0ecd61653ff5",
        "4878362e242c233ea09b76c52dd2220eed2336ff393230d052002abe7278e936",
    ),
}
"""SHA-256 of the statements of each version; a change of the schema is one more version."""


@pytest.mark.parametrize(
    ("database", "migrations"),
    [("sqlite", schema.SQLITE_MIGRATIONS), ("postgres", schema.POSTGRES_MIGRATIONS)],
)
def test_a_published_migration_never_changes(database: str, migrations: tuple[tuple[str, ...], ...]) -> None:
    digests = tuple(hashlib.sha256("\n".join(one).encode()).hexdigest() for one in migrations)
    assert PUBLISHED[database] == digests[: len(PUBLISHED[database])]


def test_the_schema_lets_those_kinds_owe_that_the_ledger_does() -> None:
    accounts = next(one for one in schema.tables(schema.SQLITE) if "never_owes" in one)
    check = accounts.partition("never_owes")[2].partition("CONSTRAINT")[0]
    assert MAY_OWE == {kind for kind in Kind if f"'{kind}'" in check}
