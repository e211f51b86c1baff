"""Whatever a house leaves out of a proof or adds to it when it knows all nonces, each of the four checks refuses it."""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.torture import proof_check

from letitride.chance.proof import verify
from tests.chance.conftest import Page
from tests.chance.left_out import forgeries


@pytest.mark.parametrize(
    ("seats", "dice", "outcome"),
    [
        *(((), dice, "dealt") for dice in (0, 1, None)),
        *(((3,), dice, "dealt") for dice in (0, 1, None)),
        *(((2, 5), dice, "dealt") for dice in (0, 1, None)),
        ((2, 5), 1, "void"),
        ((2, 5), None, "void"),
        ((1, 4, 6), 1, "dealt"),
    ],
)
def test_one_deck_alone_passes_every_check(
    page: Page, check_deal: Any, seats: tuple[int, ...], dice: int | None, outcome: str
) -> None:
    """By the second protocol two decks pass: its root does not say whether dice are thrown."""
    held = 0
    for is_true, document in forgeries(seats, dice=dice, outcome=outcome):
        root = document["commitment"]["root"]
        said = {
            "the command line": verify(document, root),
            "the page": page("problems", document),
            "the fifty lines": check_deal(document, root),
            "torture": proof_check.check(document, root),
        }
        wrong = {name: problems for name, problems in said.items() if bool(problems) == is_true}
        assert not wrong, (document["links"], document["throws"], document["reveals"])
        held += is_true
    assert held == (0 if outcome == "void" else 2 if dice is None else 1)
