"""A record for every irregularity under every book: each replays to the ruling it names."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from letitride.errors import InvalidData
from letitride.ledger import accounts
from letitride.ledger.transfers import balances_of
from letitride.records.reader import read_record
from letitride.records.replay import Outcome, replay
from letitride.records.writer import write_record
from letitride.rules import catalog
from tests.clauses.rounds import happened

FOLDER = Path(__file__).parent / "irregularities"
RECORDS = sorted(FOLDER.glob("*/*.round"))
OF_A_SHUFFLER = {
    "unloaded",
    "device-miscount",
    "device-jam",
    "device-jam-in-deal",
    "device-failure",
    "exposed-burn",
    "exposed-burn-and-card",
}
OF_A_HOUSE = {"over-maximum-paid"}
"""What a player who banks does not meet: the stake is counted over all bets when the hands are read."""
OF_A_REPLACEMENT = {"drawn-card-replacing"}
"""What is met only where an exposed card is replaced, and not turned over."""
OF_A_LATE_BURN = {"wrong-burn", "wrong-burn-late"}


def test_every_irregularity_has_a_record_for_every_book_that_can_meet_it() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for path in RECORDS:
        found[path.parent.name].add(path.stem)
    books = set(catalog.rulebook_ids())
    dealt_by_hand = {"hand-dealt-1"}
    for name, under in found.items():
        met_by = dealt_by_hand if name in OF_A_LATE_BURN else books
        cannot = dealt_by_hand if name in OF_A_SHUFFLER else {"california-1"} if name in OF_A_HOUSE else set()
        cannot = {"california-1", "nsw-1"} if name in OF_A_REPLACEMENT else cannot
        assert under == met_by - cannot, name
    assert len(found) == 45


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_comes_to_the_ruling_it_names_and_no_chip_is_lost(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read_record(text, path.name)
    named = [action for one in record.rounds for action in one.actions if action.ruled]
    assert named, "the record does not say what is ruled"
    assert all(
        len(action.ruled) > 1 or action.ruled == ("counted",) for action in named
    )  # with its clauses, or 'house'
    done = replay(record, path.name)
    assert {outcome.status for outcome in done.outcomes} <= {"settled", "void"}
    balances = balances_of(event.chips for event in happened(done))  # raises where an account would owe what it has not
    assert sum(balances.values()) == 0
    assert not [account for account in balances if account.startswith(("felt:", "bank"))]
    for outcome in done.outcomes:
        for seat, rows in outcome.results.items():
            assert _gained(outcome, seat) == sum(row.net_cents for row in rows), f"seat {seat}, {outcome.status}"
            if outcome.status == "void":
                assert {row.fate for row in rows} <= {"void", "withdrawn", "forfeited"}
    assert write_record(read_record(write_record(record))) == write_record(record)
    assert text.startswith("# ")  # told in words before it is told in lines


def _gained(outcome: Outcome, seat: int) -> int:
    """Return what a seat's chips and tokens came to be more in a round, apart from fees, buying and leaving."""
    own, outside = {accounts.stack(seat), accounts.tokens(seat)}, {accounts.FEES, accounts.PROMOTIONS}
    counted = [
        t for t in outcome.transfers if not any(a in outside or a.startswith("wallet") for a in (t.source, t.target))
    ]
    return sum(t.cents for t in counted if t.target in own) - sum(t.cents for t in counted if t.source in own)


def test_a_record_that_names_another_ruling_is_refused() -> None:
    text = (FOLDER / "hand-count-late" / "nsw-1.round").read_text(encoding="utf-8")
    with pytest.raises(InvalidData, match="expected the ruling misdeal, got hand_void nsw:12.7"):
        replay(read_record(text.replace("ruled hand_void nsw:12.7 nsw:1.1.void", "ruled misdeal")))
