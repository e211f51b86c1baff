"""Live chance: no number and no order has more words than another, proven by counting; the source passes its tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.chance import health
from letitride.chance import live as live_module
from letitride.chance.fair import Fair
from letitride.chance.live import Live, below, permutation
from letitride.chance.seeded import Seeded
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.cards import FACES
from letitride.simulation.shuffle_tests import deck_tests, decks_of

DECKS = 300_000
"""Live ones that are tested by chance; that none is likelier than another is proven by counting."""


def drawn(octets: Sequence[int], limit: int) -> int | None:
    """Return the number that just these octets give; none where they are thrown away."""
    try:
        return below(iter(octets), limit)
    except InvariantBroken:
        return None


def ordered(octets: Sequence[int], size: int) -> tuple[int, ...] | None:
    """Return the order that just these octets give, none left over; none where they do not suffice."""
    source = iter(octets)
    try:
        found = tuple(permutation(source, size))
    except InvariantBroken:
        return None
    return found if next(source, None) is None else None


@pytest.mark.parametrize("limit", range(2, 257))
def test_every_number_below_a_limit_comes_from_equally_many_of_all_octets(limit: int) -> None:
    counts = Counter(drawn([octet], limit) for octet in range(256))
    rejected = counts.pop(None, 0)
    words = 256 >> (limit - 1).bit_length()
    assert dict.fromkeys(range(limit), words) == counts
    assert 256 == limit * words + rejected
    assert rejected < 128  # less than half is thrown away, so a draw ends


@pytest.mark.parametrize("limit", [257, 1_000, 40_320, 65_535, 65_536])
def test_every_number_below_a_larger_limit_comes_from_equally_many_of_all_pairs(limit: int) -> None:
    counts = Counter(drawn(pair, limit) for pair in product(range(256), repeat=2))
    counts.pop(None, 0)
    assert dict.fromkeys(range(limit), 65_536 >> (limit - 1).bit_length()) == counts


@pytest.mark.parametrize("limit", range(2, 53))
def test_what_is_thrown_away_leaves_no_trace(limit: int) -> None:
    rejected = [octet for octet in range(256) if drawn([octet], limit) is None]
    for octet in rejected:
        assert all(drawn([octet, after], limit) == drawn([after], limit) for after in range(256))


@pytest.mark.parametrize("top", range(1, 52))
def test_every_draw_of_a_shuffle_is_a_number_below_the_cards_that_are_left(top: int) -> None:
    """The draw for a place, over all octets: each exchange equally often, and each octet as `below` would have it."""
    before, after = [*range(51, top, -1)], [*range(top - 1, 0, -1)]  # octets that leave all other places alone
    seen = Counter()
    for octet in range(256):
        found = ordered([*before, octet, *after], 52)
        other = drawn([octet], top + 1)
        if other is None:
            assert found is None
            continue
        expected = list(range(52))
        expected[top], expected[other] = other, top
        assert tuple(expected) == found
        seen[found] += 1
    assert top + 1 == len(seen)
    assert {256 >> top.bit_length()} == set(seen.values())


@pytest.mark.parametrize("size", range(2, 8))
def test_every_order_of_a_few_cards_comes_from_one_list_of_choices(size: int) -> None:
    choices = product(*(range(top + 1) for top in range(size - 1, 0, -1)))
    counts = Counter(ordered(octets, size) for octets in choices)
    assert factorial(size) == len(counts)
    assert {1} == set(counts.values())
    assert None not in counts


def test_every_order_of_four_cards_comes_from_equally_many_of_all_octets() -> None:
    counts = Counter(ordered([a, b, c], 4) for a in range(8) for b in range(8) for c in range(8))
    counts.pop(None)  # one of the three is thrown away
    assert 24 == len(counts)
    assert 1 == len(set(counts.values()))


@given(st.permutations(range(52)))
def test_every_order_of_52_cards_can_be_reached_in_just_one_way(wanted: list[int]) -> None:
    deck, octets = list(range(52)), []
    for top in range(51, 0, -1):  # no later draw touches this place, so one draw alone brings it the wanted card
        other = deck.index(wanted[top])
        assert other <= top
        octets.append(other)
        deck[top], deck[other] = deck[other], deck[top]
    assert wanted == permutation(iter(octets), 52)


def test_a_source_that_ends_and_limits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvariantBroken, match="octets without end"):
        permutation(iter([]), 52)
    for size in (-1, 257):
        with pytest.raises(InvalidData, match=f"got {size}"):
            permutation(iter([]), size)
    with pytest.raises(InvalidData, match="got 0"):
        below(iter([]), 0)
    assert 0 == below(iter([]), 1)
    assert [[], [0]] == [permutation(iter([]), size) for size in (0, 1)]


def test_nothing_is_kept_from_one_call_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def urandom(size: int) -> bytes:
        asked.append(size)
        return os.urandom(size)

    class Machine:
        pass

    machine = Machine()
    machine.urandom = urandom
    Live().order()  # the tests of the start are over
    monkeypatch.setattr(health, "os", machine)
    for call in range(1, 20):
        Live().below(6)
        assert call == len(asked)
    for _ in range(20):
        before = len(asked)
        Live().order()
        assert len(asked) > before
    before = len(asked)
    assert 32 == len(Live().secret(32))
    assert [32] == asked[before:]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_does_not_repeat_the_shuffles_of_its_parent() -> None:
    live = Live()
    live.order()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, " ".join(live.order()).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert " ".join(live.order()).encode() != os.read(reader, 1_000)


def test_live_fair_and_seeded_are_three_types_that_share_nothing() -> None:
    kinds = (Live, Fair, Seeded)
    assert 3 == len({kind.__module__ for kind in kinds})
    for kind in kinds:
        assert (kind, object) == kind.__mro__
    assert not hasattr(Live(), "__dict__")
    for words in ((1,), ("seed",)):
        with pytest.raises(TypeError):
            Live(*words)
    for name in ("chance", "choice", "shuffled"):  # what a drill asks of seeded chance
        assert not hasattr(Live, name)
    for name in ("order", "secret"):
        assert not hasattr(Seeded, name)


def test_live_and_fair_chance_load_no_seeded_chance() -> None:
    code = "import sys, letitride.chance.fair, letitride.chance.secret as secret; secret.Live().order(); print('letitride.chance.seeded' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout


def test_a_live_deck_has_52_faces_and_a_cut_is_within_its_limit() -> None:
    live = Live()
    for _ in range(2_000):
        order = live.order()
        assert isinstance(order, tuple)
        assert sorted(FACES) == sorted(order)
    assert set(range(6)) == {live.below(6) for _ in range(2_000)}


@pytest.mark.slow
def test_live_decks_are_as_chance_would_make_them() -> None:
    # What Live().order() takes its faces from, without the faces.
    found = deck_tests(decks_of(lambda: permutation(live_module._octets(), 52), DECKS))
    assert 10 == len(found.tests)
    for test in found.tests:
        assert test.p_value > 1e-6 / len(found.tests), test
