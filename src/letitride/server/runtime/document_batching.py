"""Document batching: changes of many documents, read together and written together; knows no document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from letitride.errors import StoreDown
from letitride.storage.roles.documents import Document, DocumentStore

Change = Callable[[Document | None], bytes | None]
"""Returns the new body of a document, or of one not kept yet; nothing where it stays as it is.

It may be asked again, and may refuse."""


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A change of one document; called, it is made by itself."""

    documents: DocumentStore
    kind: str
    id: str
    change: Change

    def __call__(self) -> bytes | None:
        """Return what the document is now, or nothing where it stays as it was."""
        while True:
            before = self.documents.get(self.kind, self.id)
            body = self.change(before)
            if body is None or self.documents.put(self.kind, self.id, body, before.version if before else 0):
                return body


def make_changes(keeps: Sequence[DocumentChange]) -> list[bytes | Exception | None]:
    """Make changes in one transaction, and return the result of each; what one refuses the others are not."""
    try:
        return _in_one_transaction(keeps)
    except StoreDown as error:
        return [error] * len(keeps)
    except Exception:  # one of them cannot be kept: which one, each finds out by itself
        return [_by_itself(one) for one in keeps]


def _in_one_transaction(keeps: Sequence[DocumentChange]) -> list[bytes | Exception | None]:
    found: dict[int, bytes | Exception | None] = {}
    left = list(enumerate(keeps))
    while left:
        now: dict[tuple[str, str], int] = {}
        later: list[tuple[int, DocumentChange]] = []
        for place, one in left:
            if (one.kind, one.id) in now:
                later.append((place, one))
            else:
                now[one.kind, one.id] = place
        known = _known(keeps[0].documents, now)
        wanted: list[Document] = []
        for (kind, doc_id), place in now.items():
            before = known.get((kind, doc_id))
            try:
                body = found[place] = keeps[place].change(before)
            except Exception as error:
                found[place] = error
                continue
            if body is not None:
                wanted.append(Document(kind=kind, id=doc_id, version=before.version if before else 0, body=body))
        done = keeps[0].documents.put_all(wanted) if wanted else set()
        again = [now[one.kind, one.id] for one in wanted if (one.kind, one.id) not in done]
        left = [(place, keeps[place]) for place in again] + later
    return [found[place] for place in range(len(keeps))]


def _known(documents: DocumentStore, names: dict[tuple[str, str], int]) -> dict[tuple[str, str], Document]:
    kinds: dict[str, list[str]] = {}
    for kind, doc_id in names:
        kinds.setdefault(kind, []).append(doc_id)
    return {(kind, one.id): one for kind, ids in kinds.items() for one in documents.named(kind, ids)}


def _by_itself(keep: DocumentChange) -> bytes | Exception | None:
    try:
        return keep()
    except Exception as error:
        return error
