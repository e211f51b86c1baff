"""Whatever a house leaves out of a proof, adds to it or disguises in it, each of the four checks refuses it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from benchmarks.torture import proof_check

from letitride.chance.proof import verify
from tests.chance.conftest import Page
from tests.chance.left_out import disguised, forgeries


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
    """By the second protocol two decks pass: its root does not say whether dice are thrown. The fifty lines take none."""
    held = 0
    for is_true, document in forgeries(seats, dice=dice, outcome=outcome):
        root = document["commitment"]["root"]
        said = {
            "the command line": verify(document, root),
            "the page": page("problems", document),
            "the fifty lines": check_deal(document, root),
            "torture": proof_check.check(document, root),
        }
        if dice is None:
            assert said.pop("the fifty lines")
        wrong = {name: problems for name, problems in said.items() if bool(problems) == is_true}
        assert not wrong, (document["links"], document["throws"], document["reveals"])
        held += is_true
    assert held == (0 if outcome == "void" else 2 if dice is None else 1)


DISGUISED = dict(disguised())


@pytest.mark.parametrize("name", DISGUISED)
def test_no_check_takes_one_value_for_another(page: Page, check_deal: Any, name: str) -> None:
    document = DISGUISED[name]
    root = document["commitment"]["root"]
    assert verify(document, root)
    assert page("problems", document)
    for check in (check_deal, proof_check.check):
        with suppress(AttributeError, TypeError, ValueError, OverflowError):  # what cannot be read is not taken either
            assert check(document, root)
