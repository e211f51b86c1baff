"""Settled: every wager of a round that is over as one line."""

from __future__ import annotations

import msgspec

from letitride.records.settled import settled
from tests.records.acts import ACTS
from tests.records.moments import FOLDER, rounds_of

TWO_ROUNDS = (FOLDER / "examples" / "manufacturer.round").read_text(encoding="utf-8")
BANKED = (FOLDER / "examples" / "california.round").read_text(encoding="utf-8")


def test_a_wager_has_a_line_with_everything_about_it() -> None:
    _, rounds = rounds_of(TWO_ROUNDS)
    lines = list(settled("t1", rounds))
    assert [(line.round, line.seat, line.wager) for line in lines] == [
        (1, 1, "base-1"),
        (1, 1, "base-2"),
        (1, 1, "base-$"),
        (1, 1, "bonus"),
        (1, 6, "base-1"),
        (1, 6, "base-2"),
        (1, 6, "base-$"),
        (1, 6, "bonus"),
        (1, 6, "three_card"),
        (2, 1, "base-1"),
        (2, 1, "base-2"),
        (2, 1, "base-$"),
        (2, 6, "base-1"),
        (2, 6, "base-2"),
        (2, 6, "base-$"),
    ]
    words = rounds[0].shown_hands()[6].words
    assert msgspec.structs.asdict(lines[8]) == {
        "table": "t1",
        "round": 1,
        "status": "settled",
        "began_ms": rounds[0].began_ms,
        "ended_ms": rounds[0].ended_ms,
        "rulebook": "shufflemaster-1",
        "paytable": "3CB-1",
        "seat": 6,
        "player": "Gus",
        "wager": "three_card",
        "medium": "chips",
        "stake_cents": 500,
        "fate": "won",
        "paid_cents": 20_000,
        "back_cents": 500,
        "net_cents": 20_000,
        "hand": words,
        "cards": "5h 6h 7h",
        "bank_seat": None,
        "hands": 2,
    }
    assert {line.paytable for line in lines if line.wager.startswith("base") or line.wager == "bonus"} == {"LIRB-03"}


def test_a_banked_wager_names_the_bank_and_a_bet_of_tokens_its_medium() -> None:
    _, rounds = rounds_of(BANKED)
    assert {(line.bank_seat, line.hands, line.rulebook) for line in settled("t1", rounds)} == {(5, 3, "california-1")}
    _, rounds = rounds_of(ACTS["tokens"])
    assert {line.seat: line.medium for line in settled("t1", rounds[:1])} == {1: "tokens", 3: "chips"}


def test_a_hand_that_was_not_turned_up_is_not_told() -> None:
    _, rounds = rounds_of((FOLDER / "irregularities/hand-count/nsw-1.round").read_text(encoding="utf-8"))
    lines = list(settled("t1", rounds))
    assert lines
    assert {(line.status, line.fate, line.hand, line.cards) for line in lines} == {("void", "void", None, None)}
    assert sum(line.net_cents for line in lines) == 0
