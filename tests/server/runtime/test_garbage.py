"""Garbage: a server looks for it the more seldom the more people are connected; other processes as they did."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from letitride.server.runtime.garbage import NEW_THINGS, expect_connections


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
def test_more_connections_let_more_be_new_before_it_is_walked() -> None:
    gc.set_threshold(NEW_THINGS, 20, 50)
    expect_connections(3_500)
    assert gc.get_threshold() == (210_000, 20, 50)
    expect_connections(7)
    assert gc.get_threshold() == (NEW_THINGS, 20, 50)


@pytest.mark.usefixtures("thresholds")
def test_a_process_that_is_no_server_collects_as_before() -> None:
    gc.set_threshold(700, 10, 10)
    expect_connections(3_500)
    assert gc.get_threshold() == (700, 10, 10)
