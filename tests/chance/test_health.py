"""Health: a generator that is stuck or biased is found by the tests of SP 800-90B, and gives no deck from then on."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import cycle
from math import comb
from unittest import mock

import pytest

from letitride.chance import live, secret
from letitride.chance.health import REPEATS_MAX, SAME_MAX, WINDOW, Health
from letitride.chance.live import Live
from letitride.chance.shares import ShuffleId
from letitride.errors import ChanceFailed
from letitride.server.ops import checkup

RARE = Fraction(1, 2**60)


def fed(octets: bytes, *, at_once: int = 96) -> Health:
    """Return the health of a generator that gives these octets, after a good start."""
    made = Health()
    made._started = True
    for first in range(0, len(octets), at_once):
        made._test(octets[first : first + at_once])
    return made


def test_the_bounds_are_those_of_the_standard_for_one_false_alarm_in_2_to_the_60() -> None:
    one = Fraction(1, 256)

    def at_least(same: int) -> Fraction:
        """How likely a window has so many octets equal to its first."""
        ways = range(same - 1, WINDOW)
        return sum((comb(WINDOW - 1, k) * one**k * (1 - one) ** (WINDOW - 1 - k) for k in ways), Fraction())

    assert at_least(SAME_MAX + 1) <= RARE < at_least(SAME_MAX)
    assert one**REPEATS_MAX <= RARE < one ** (REPEATS_MAX - 1)


@pytest.mark.parametrize("at_once", [1, 5, 96, 512, 4096])
def test_nine_equal_octets_are_one_too_many_wherever_they_lie(at_once: int) -> None:
    around = bytes(range(256))
    for lead in (0, 1, 90, 95, 96, 200):
        assert not fed(around[:lead] + b"\x2a" * 8 + around[100:], at_once=at_once).alarm
        assert "8 equal octets" in fed(around[:lead] + b"\xff" * 9 + around, at_once=at_once).alarm
    assert fed(bytes(9), at_once=at_once).alarm


@pytest.mark.parametrize("at_once", [7, 96, 512, 2048])
def test_an_octet_too_many_in_a_window_is_found(at_once: int) -> None:
    others = cycle(range(1, 256))

    def window(same: int) -> bytes:
        every = WINDOW // same
        return bytes(0 if not at % every and at < every * same else next(others) for at in range(WINDOW))

    assert not fed(window(SAME_MAX) * 4, at_once=at_once).alarm
    assert f"more than {SAME_MAX} times in {WINDOW}" in fed(window(5) * 3 + window(SAME_MAX + 1), at_once=at_once).alarm


def test_a_good_generator_raises_no_alarm() -> None:
    assert not fed(random.Random(20260101).randbytes(2_000_000)).alarm


def test_a_generator_that_was_bad_from_the_first_gives_nothing() -> None:
    def bad() -> Iterator[bytes]:
        yield random.Random(1).randbytes(96)  # what is asked for first is good, and what is tested at the start is not
        yield bytes(1024)

    with (
        mock.patch.object(os, "urandom", side_effect=bad()),
        pytest.raises(ChanceFailed, match="failed its health test"),
    ):
        Health().draw(96)


def test_after_an_alarm_nothing_live_is_drawn_any_more() -> None:
    with mock.patch.object(live, "HEALTH", Health()) as now:
        assert 52 == len(set(Live().order()))
        with mock.patch.object(os, "urandom", side_effect=bytes), pytest.raises(ChanceFailed):
            Live().order()
        assert now.alarm
        for draw in (
            Live().order,
            lambda: Live().below(6),
            lambda: Live().secret(32),
            lambda: secret.draw(ShuffleId("t", 1)),
        ):
            with pytest.raises(ChanceFailed, match="nothing is shuffled any more"):
                draw()  # though the generator is as good as ever now


def test_a_check_up_tests_the_generator() -> None:
    found = {one.what: one for one in checkup.installation()}
    assert "ok" == found["generator"].verdict
    with mock.patch.object(os, "urandom", side_effect=bytes):
        finding = checkup._try("generator", checkup._generator, "fail", "look")
    assert ("fail", True) == (finding.verdict, "failed its health test" in finding.found)
