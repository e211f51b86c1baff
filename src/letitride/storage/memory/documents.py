"""Memory documents: JSON by kind and id in memory, each with a version."""

from __future__ import annotations

from collections.abc import Sequence

from letitride.storage.memory.state import State
from letitride.storage.roles.documents import Document, check_document


class MemoryDocuments:
    """All documents."""

    def __init__(self, state: State) -> None:
        self._state = state

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        check_document(kind, doc_id, body)
        with self._state.lock:
            if version != self._version(kind, doc_id):
                return None
            self._state.documents[kind, doc_id] = Document(kind=kind, id=doc_id, version=version + 1, body=body)
            return version + 1

    def put_all(self, wanted: Sequence[Document]) -> set[tuple[str, str]]:
        for one in wanted:
            check_document(one.kind, one.id, one.body)
        return {(one.kind, one.id) for one in wanted if self.put(one.kind, one.id, one.body, one.version) is not None}

    def _version(self, kind: str, doc_id: str) -> int:
        kept = self._state.documents.get((kind, doc_id))
        return kept.version if kept else 0

    def get(self, kind: str, doc_id: str) -> Document | None:
        with self._state.lock:
            return self._state.documents.get((kind, doc_id))

    def named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        with self._state.lock:
            return [found for doc_id in set(ids) if (found := self._state.documents.get((kind, doc_id))) is not None]

    def find(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        with self._state.lock:
            every = sorted(self._state.documents.items())
        found = [document for (of, doc_id), document in every if of == kind and doc_id.startswith(prefix)]
        return found if last is None else found[max(0, len(found) - last) :]

    def delete(self, kind: str, doc_id: str, version: int) -> bool:
        with self._state.lock:
            if not version or version != self._version(kind, doc_id):
                return False
            del self._state.documents[kind, doc_id]
            return True
