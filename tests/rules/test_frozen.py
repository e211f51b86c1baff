"""Published books and paytables never change: a correction is a new book, such as nsw-2."""

from __future__ import annotations

from pathlib import Path

from letitride.rules import catalog
from letitride.rules.digest import sha256
from letitride.rules.keyspec import KEYS, KeySpec
from letitride.rules.rulebook import RuleBook, Source

RETIRED_AND_FIXED = {
    "california-1": ("ace_wrap", "backing", "bank.partial_cover", "deck.backs"),
    "hand-dealt-1": ("ace_wrap", "backing", "deck.backs"),
    "nsw-1": ("ace_wrap", "backing", "deck.backs", "void"),
    "shufflemaster-1": ("ace_wrap", "deck.backs", "shuffler.controller_version"),
    "washington-1": ("ace_wrap", "deck.backs", "shuffler.controller_version"),
}
"""The keys that are retired now and that a table could not choose by each book when it was published."""
DIGESTS = Path(__file__).parent.parent / "data" / "digests.txt"


def current() -> dict[str, str]:
    """Return the digests of all that is published: values, variants, and what a table may choose."""
    found = {table_id: catalog.paytable(table_id).digest for table_id in catalog.paytable_ids()}
    for book_id in catalog.rulebook_ids():
        book = catalog.rulebook(book_id)
        found[book_id] = book.digest
        found |= {f"{book_id}+{name}": book.variant(name).digest for name in book.variants}
        open_to_a_table = {
            "options": book.options,
            "must_state": sorted(book.must_state),
            "fixed": sorted(
                (*RETIRED_AND_FIXED[book_id], *(name for name in book.origins if _is_fixed(book, KEYS[name])))
            ),
        }
        found[f"{book_id}/choices"] = sha256(open_to_a_table)
    return found


def _is_fixed(book: RuleBook, spec: KeySpec) -> bool:
    """Whether a book ruled a key when it was published."""
    return book.origins[spec.name].source is Source.DOCUMENT and not (
        spec.later and spec.default == book.value(spec.name)
    )


def test_what_is_published_is_frozen() -> None:
    held = dict(line.split() for line in DIGESTS.read_text().splitlines() if not line.startswith("#"))
    assert held == current()
