"""Promise 12: any round can be rebuilt from its journal alone, years later: a journal by each book, of each version."""

from __future__ import annotations

import msgspec
import pytest

from letitride.engine.events import RoundEnded, TableOpened
from letitride.ledger.transfers import balances_of
from letitride.rules import catalog
from letitride.storage.codec import decode
from letitride.storage.journal import Head, check
from tests.promises.journals import FOLDER, digest_of, read

KNOWN = [line.split() for line in (FOLDER / "digests.txt").read_text(encoding="utf-8").splitlines()]


def test_there_is_a_journal_by_every_book() -> None:
    assert {path.name for path in FOLDER.glob("*.gz")} == {name for name, *_ in KNOWN}
    assert {name.split("-", 1)[1] for name, *_ in KNOWN} >= {f"{book}.jsonl.gz" for book in catalog.rulebook_ids()}


@pytest.mark.parametrize(("name", "count", "last", "digest"), KNOWN, ids=lambda cell: cell[:20])
def test_an_old_journal_comes_to_what_it_came_to(
    name: str, count: str, last: str, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise AssertionError("a journal needs no catalog")

    for door in ("rulebook", "table_rules", "paytable"):
        monkeypatch.setattr(catalog, door, gone)
    rows = read(FOLDER / name)
    assert check(rows, rows[0].table_id, Head(int(count), last)) is None
    assert digest_of(rows) == digest
    happened = [event for row in rows for event in decode(row.events)]
    assert isinstance(happened[0], TableOpened)
    assert sum(isinstance(event, RoundEnded) for event in happened) == 2
    assert sum(balances_of(event.chips for event in happened).values()) == 0


def test_one_changed_event_gives_another_digest() -> None:
    rows = read(FOLDER / KNOWN[0][0])
    assert digest_of(rows) != digest_of(rows[:-1])
    assert msgspec.structs.replace(rows[-1], hash="") != rows[-1]
