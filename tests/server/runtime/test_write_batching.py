"""Write batching: what has to be done again and again is done between any two things that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import cast

from letitride.errors import InvalidData
from letitride.server.runtime.document_batching import Change
from letitride.server.runtime.write_batching import Committer
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.roles.stores import Stores
from tests.server.instead import Instead


def test_a_beat_comes_before_each_thing_that_waits() -> None:
    done: list[str] = []

    async def go() -> None:
        committer = Committer(memory_stores().journal)
        committer.run_regularly(lambda: done.append("beat"), 60.0)
        await asyncio.gather(*(committer.run(lambda number=number: done.append(str(number))) for number in range(5)))
        committer.close()

    asyncio.run(go())
    assert ["beat"] * 5 == [done[done.index(str(number)) - 1] for number in range(5)]


class Counted(Instead):
    """Documents that count how often they are written."""

    times = 0

    def put_all(self, wanted: Sequence[Document]) -> set[tuple[str, str]]:
        self.times += 1
        kept: set[tuple[str, str]] = self.real.put_all(wanted)
        return kept


def grown(before: Document | None) -> bytes:
    """A number, one more than before."""
    return b"1" if before is None else str(int(before.body) + 1).encode()


def changed(store: Stores, changes: Sequence[tuple[str, Change]]) -> tuple[list[object], Counted]:
    """Make changes of documents that come at one moment; return what each comes to."""
    documents = Counted(store.documents)

    async def go() -> list[object]:
        committer = Committer(store.journal)
        work = [
            committer.change_document(cast("DocumentStore", documents), "thing", one, change) for one, change in changes
        ]
        found = await asyncio.gather(*work, return_exceptions=True)
        committer.close()
        return list(found)

    return asyncio.run(go()), documents


def test_changes_of_documents_that_come_together_are_written_together() -> None:
    store = memory_stores()
    found, documents = changed(store, [(f"d{number}", grown) for number in range(20)])
    assert found == [b"1"] * 20
    assert documents.times == 1
    assert len(store.documents.find("thing")) == 20


def test_of_changes_that_come_together_one_is_refused_and_two_of_one_document_both_count() -> None:
    store = memory_stores()

    def refuse(_: Document | None) -> bytes:
        raise InvalidData("not this one")

    found, _ = changed(store, [("a", grown), ("b", refuse), ("a", grown), ("c", lambda _: None), ("d", grown)])
    assert [b"1", b"2", None, b"1"] == [found[place] for place in (0, 2, 3, 4)]
    assert "not this one" == str(found[1])
    assert {"a": b"2", "d": b"1"} == {one.id: one.body for one in store.documents.find("thing")}


def test_one_that_cannot_be_kept_leaves_the_others_alone() -> None:
    found, _ = changed(memory_stores(), [("a", grown), ("b", lambda _: b"{"), ("c", grown)])
    assert [b"1", b"1"] == [found[0], found[2]]
    assert isinstance(found[1], InvalidData)


def test_what_another_server_wrote_meanwhile_is_changed_and_not_lost() -> None:
    store = memory_stores()
    others = [store.documents.put]

    def late(before: Document | None) -> bytes:
        if others:
            others.pop()("thing", "a", b"41", 0)
        return grown(before)

    found, _ = changed(store, [("a", late), ("b", grown)])
    assert [b"42", b"1"] == found
