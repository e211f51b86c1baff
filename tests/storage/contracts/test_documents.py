"""The contract of documents, the same for every store."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.storage.roles.documents import Document
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import BAD_TEXTS


def test_documents_are_found_by_their_names_all_at_once(store: Stores) -> None:
    for doc_id in ("a", "b", "c'\"\\ü\u2660"):
        store.documents.put("thing", doc_id, b"{}", 0)
    store.documents.put("other", "d", b"{}", 0)
    found = store.documents.named("thing", ["a", "c'\"\\ü\u2660", "d", "a", "no"])
    assert {one.id: (one.kind, one.version, one.body) for one in found} == dict.fromkeys(
        ("a", "c'\"\\ü♠"), ("thing", 1, b"{}")
    )
    assert len(found) == 2
    assert store.documents.named("thing", []) == []


def test_documents_are_found_by_the_beginning_of_their_ids(store: Stores) -> None:
    for doc_id in ("a/1", "a/2", "a/3", "a_/1", "b/1"):
        store.documents.put("thing", doc_id, b"{}", 0)
    store.documents.put("other", "a/9", b"{}", 0)
    assert [one.id for one in store.documents.find("thing", "a/")] == ["a/1", "a/2", "a/3"]
    assert [one.id for one in store.documents.find("thing", "a/", last=2)] == ["a/2", "a/3"]
    assert [one.id for one in store.documents.find("thing", last=0)] == []
    assert [one.id for one in store.documents.find("thing", "%")] == []


def test_documents_have_versions(store: Stores) -> None:
    assert store.documents.get("person", "ann") is None
    assert 1 == store.documents.put("person", "ann", b'{"name":"Ann"}', 0)
    assert store.documents.put("person", "ann", b"{}", 0) is None
    assert 2 == store.documents.put("person", "ann", b'{"name":"Anne"}', 1)
    assert store.documents.put("person", "ann", b"{}", 1) is None
    kept = store.documents.get("person", "ann")
    assert kept is not None
    assert (2, b'{"name":"Anne"}') == (kept.version, kept.body)
    store.documents.put("person", "bob", b"{}", 0)
    store.documents.put("key", "ann", b"{}", 0)
    assert ["ann", "bob"] == [one.id for one in store.documents.find("person")]
    assert not store.documents.delete("person", "ann", 1)
    assert store.documents.delete("person", "ann", 2)
    assert store.documents.get("person", "ann") is None


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_name_that_no_database_keeps_is_refused_and_never_found(store: Stores, text: str) -> None:
    with pytest.raises(InvalidData, match="expected the kind of a document"):
        store.documents.put(text, "id", b"{}", 0)
    assert store.documents.get("person", text) is None


def test_what_is_no_json_is_no_document(store: Stores) -> None:
    with pytest.raises(InvalidData, match="expected JSON for the document ann, got other bytes"):
        store.documents.put("person", "ann", b"{", 0)


def test_documents_come_in_the_order_of_their_characters(store: Stores) -> None:
    for name in ("a/1", "a/2", "a/\uffee", "A/1", "a0", "a", "_a", "b/1"):
        assert 1 == store.documents.put("kind", name, b"{}", 0)
    assert ["a/1", "a/2", "a/\uffee"] == [one.id for one in store.documents.find("kind", "a/")]
    assert ["a/2", "a/\uffee"] == [one.id for one in store.documents.find("kind", "a/", last=2)]
    assert ["A/1", "_a", "a", "a/1", "a/2", "a/\uffee", "a0", "b/1"] == [one.id for one in store.documents.find("kind")]


def test_of_documents_kept_together_each_is_kept_by_its_own_version(store: Stores) -> None:
    store.documents.put("thing", "b", b'{"n":1}', 0)
    store.documents.put("thing", "c", b'{"n":1}', 0)
    wanted = [
        Document(kind=kind, id=doc_id, version=version, body=b'{"n":2}')
        for kind, doc_id, version in (
            *(("thing", "a", 0), ("other", "a", 0), ("thing", "b", 1), ("thing", "c", 0)),
            *(("thing", "c'\"\\ü\u2660", 0), ("thing", "d", 7)),
        )
    ]
    kept = store.documents.put_all(wanted)
    assert kept == {("thing", "a"), ("other", "a"), ("thing", "b"), ("thing", "c'\"\\ü\u2660")}
    found = {(one.kind, one.id): (one.version, one.body) for one in store.documents.find("thing")}
    assert found == {
        ("thing", "a"): (1, b'{"n":2}'),
        ("thing", "b"): (2, b'{"n":2}'),
        ("thing", "c"): (1, b'{"n":1}'),
        ("thing", "c'\"\\ü\u2660"): (1, b'{"n":2}'),
    }
    assert store.documents.put_all([]) == set()
    with pytest.raises(InvalidData, match="expected JSON for the document e"):
        store.documents.put_all([wanted[5], Document(kind="thing", id="e", version=0, body=b"{")])
