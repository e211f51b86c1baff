"""Power loss: whatever of the unsynced is there afterwards, a SQLite house has all that it confirmed, to the cent."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from tests.storage.power import NAME, WAYS, Act, Disk, Played, cut, play

CUTS = 120


def spread(played: Played) -> list[tuple[int, str]]:
    """Cuts all over a play, a third of them where the log is written back into the database."""
    acts = played.recorder.acts
    back = [number for number, act in enumerate(acts, 1) if act.file == NAME and act.kind != "delete"]
    anywhere = [len(acts) * number // (CUTS * 2 // 3) for number in range(CUTS * 2 // 3)]
    chosen = [*anywhere, *back[:: max(1, 3 * len(back) // CUTS)]]
    return [(number, WAYS[at % len(WAYS)]) for at, number in enumerate(chosen)]


def test_power_cuts_lose_nothing_confirmed_and_no_cent(tmp_path: Path) -> None:
    played = play(tmp_path, ("nsw-1", "washington-1"), 5)
    done = Counter(act.kind for act in played.recorder.acts if act.file == NAME)
    assert done["write"] > 50  # the log was written back while the tables went on
    assert {"row", "reply", "deck"} == {one.what for one in played.told}
    times, wrong = cut(played, tmp_path, spread(played))
    assert times >= CUTS
    assert [] == wrong


def test_a_store_that_does_not_wait_for_the_disk_is_caught(tmp_path: Path) -> None:
    played = play(tmp_path, ("nsw-1",), 1, pragma="PRAGMA synchronous = NORMAL")
    _, wrong = cut(played, tmp_path, [(played.told[-1].acts, "gone")])  # before the file is closed, which writes it all
    assert 1 == len(wrong)
    assert "is lost" in wrong[0]


def test_what_was_not_synced_may_be_gone_there_or_torn() -> None:
    disk = Disk()
    for act in (
        Act("write", "a", 0, b"x" * 1024),
        Act("sync", "a"),
        Act("write", "a", 0, b"y" * 1024),
        Act("write", "a", 1024, b"z" * 512),
        Act("write", "b", 0, b"new"),
    ):
        disk.do(act)
    found: dict[str, set[bytes]] = {way: set() for way in WAYS}
    for way in WAYS:
        for seed in range(64):
            content = disk.files["a"].after(way, random.Random(seed))
            assert content is not None
            found[way].add(bytes(content[::512]))
    assert {b"xx"} == found["gone"]
    assert {b"yyz"} == found["there"]
    assert {b"xxz"} == found["last"]
    assert {b"xx", b"xy", b"yx", b"yy", b"xxz", b"xyz", b"yxz", b"yyz"} == found["torn"]
    assert disk.files["b"].after("gone", random.Random(1)) is None
