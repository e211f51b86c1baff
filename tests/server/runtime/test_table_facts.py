"""Table facts: a lobby names a house's own book and paytable by title and pays, a published one by the catalog."""

from __future__ import annotations

from letitride.rules import catalog
from letitride.server.runtime.table_facts import facts_of_rules


def test_an_own_book_is_known_by_its_title_and_its_pays_and_never_by_ids_alone() -> None:
    own = facts_of_rules(catalog.table_rules("examples/riverside/riverside.toml"))
    assert ("Riverside Club, shoe table", "500-100-50-12-9-6-3-2-1") == (own.title, own.base_pays)
    published = facts_of_rules(catalog.table_rules("nsw-1"))
    assert ("", "") == (published.title, published.base_pays)
    assert {"title", "base_pays"}.isdisjoint(published.stored())
