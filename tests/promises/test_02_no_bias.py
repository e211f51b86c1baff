"""Promise 2: the mapping to cards has zero bias: all k = 2…52, all 256 octets each. Deeper: tests/chance/test_live.py."""

from __future__ import annotations

from collections import Counter

import pytest

from letitride.chance.live import below
from letitride.errors import InvariantBroken


@pytest.mark.parametrize("k", range(2, 53))
def test_each_of_k_places_comes_from_equally_many_octets_and_the_rest_is_thrown_away(k: int) -> None:
    met: Counter[int] = Counter()
    for octet in range(256):
        try:
            met[below(iter([octet]), k)] += 1
        except InvariantBroken:
            met[-1] += 1  # thrown away: it asked for another
    thrown = met.pop(-1, 0)
    assert set(met) == set(range(k))
    assert len(set(met.values())) == 1
    assert thrown < 128
