"""Places: the names under which journals store where a card lay; one that changed could not be read again."""

from __future__ import annotations

from letitride.engine import places


def test_places_keep_the_names_under_which_they_are_stored() -> None:
    stored = ["chest", "ready", "nest", "rack", "spread", "packet", "picked", "drawn", "outside"]
    assert stored == [
        places.CHEST, places.READY, places.NEST, places.RACK, places.SPREAD, places.PACKET, places.PICKED,
        places.DRAWN, places.OUTSIDE,
    ]  # fmt: skip
    assert ("hand:3", "community:2") == (places.hand(3), places.community(2))
    assert ("community:1", "community:2", "community:3", "community:4") == places.COMMUNITY
