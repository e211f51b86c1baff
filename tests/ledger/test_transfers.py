"""The ledger: every transition sums to zero, and no account owes that must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.refusal import Refusal
from letitride.errors import InvariantBroken
from letitride.ledger.accounts import MAY_OWE, MAY_OWE_A_TABLE, Kind, parse
from letitride.ledger.transfers import Transfer, Unbalanced, balances_of, changes, post
from letitride.records.reader import read_record
from letitride.records.replay import replay

EXAMPLES = sorted((Path(__file__).parent.parent / "records" / "examples").glob("*.round"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_ledger_of_a_recorded_round_is_the_tables_own_money(path: Path) -> None:
    done = replay(read_record(path.read_text(), path.name), path.name)
    happened = [event for one in done.steps if not isinstance(one.outcome, Refusal) for event in one.outcome]
    balances: dict[str, int] = {}
    for event in happened:
        balances = post(balances, event.chips)
        assert 0 == sum(balances.values())
    assert balances == balances_of(event.chips for event in happened)
    outside = sum(balances.pop(account) for account in list(balances) if parse(account).kind is Kind.WALLET)
    assert {**balances, **({"wallet": outside} if outside else {})} == dict(done.table.accounts)
    assert not any(parse(account).kind in {Kind.FELT, Kind.BANK} for account in balances)  # the felt is clear again


@pytest.mark.parametrize(
    ("transfer", "sentence"),
    [
        (Transfer("stack:1", "felt:1:base-1", 1), "the account stack:1 would owe 1 cents"),
        (Transfer("wallet:Ann", "stack:1", 0), "a transfer moves an amount between two accounts"),
        (Transfer("wallet:Ann", "stack:1", -5), "a transfer moves an amount between two accounts"),
        (Transfer("stack:1", "stack:1", 5), "a transfer moves an amount between two accounts"),
        (Transfer("pocket:1", "stack:1", 5), "the account pocket:1 is of no known kind"),
    ],
)
def test_what_cannot_be_is_our_bug_and_stops(transfer: Transfer, sentence: str) -> None:
    with pytest.raises(InvariantBroken, match=sentence):
        post({}, [transfer])


def test_only_the_house_may_owe_and_at_a_table_what_lies_outside_it() -> None:
    assert {Kind.CAGE, Kind.TRAY, Kind.PROMOTIONS} == MAY_OWE
    assert {Kind.WALLET, Kind.SHARED_METER, Kind.TRAY, Kind.PROMOTIONS} == MAY_OWE_A_TABLE
    assert {"wallet:Ann": -5, "stack:1": 5} == post({}, [Transfer("wallet:Ann", "stack:1", 5)])


def test_an_event_is_one_act_whose_balances_are_checked_at_its_end() -> None:
    act = [Transfer("felt:1:base-1", "stack:1", 5), Transfer("tray", "felt:1:base-1", 5)]
    assert {"stack:1": 5, "tray": -5} == post({}, act)
    assert {"felt:1:base-1": 0, "stack:1": 5, "tray": -5} == changes(act)
    with pytest.raises(Unbalanced, match="the account felt:1:base-1 would owe 5 cents"):
        post(post({}, act[:1]), act[1:])


def test_balances_are_what_all_acts_leave_behind() -> None:
    acts = [
        [Transfer("wallet:Ann", "stack:1", 50)],
        [Transfer("stack:1", "felt:1:base-1", 20), Transfer("stack:1", "felt:1:base-2", 20)],
        [Transfer("felt:1:base-1", "tray", 20)],
    ]
    assert balances_of(acts) == {"wallet:Ann": -50, "stack:1": 10, "felt:1:base-2": 20, "tray": 20}
    assert balances_of([]) == {}
