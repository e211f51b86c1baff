"""Published books and paytables never change: a correction is a new book, such as nsw-2."""

from __future__ import annotations

from pathlib import Path

from letitride.rules import catalog
from letitride.rules.digest import sha256
from letitride.rules.keyspec import KEYS

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
                name
                for name, origin in book.origins.items()
                if origin.source == "document" and not (KEYS[name].later and KEYS[name].default == book.value(name))
            ),
        }
        found[f"{book_id}/choices"] = sha256(open_to_a_table)
    return found


def test_what_is_published_is_frozen() -> None:
    held = dict(line.split() for line in DIGESTS.read_text().splitlines() if not line.startswith("#"))
    assert held == current()
