"""The contract of meters that tables share, the same for every store: seeded once, never taken twice, never below zero."""

from __future__ import annotations

import threading

import pytest

from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Head
from letitride.storage.roles.journal import Ack, Conflict, Outcome, Write
from letitride.storage.roles.stores import Stores
from tests.storage.helpers import is_written, row

METER, ASIDE = "shared_meter:jackpot", "taken:jackpot"
BEGIN = Head()


def written(
    table: str, *ways: Transfer, holds: int | None = None, acks: tuple[Ack, ...] = (), after: Head = BEGIN
) -> Write:
    one = row(after, table)
    held = {} if holds is None else {METER: holds}
    return Write(table_id=table, number=one.number, rows=[one], transfers=ways, acks=acks, holds=held)


def code(outcome: Outcome) -> str:
    return outcome.code if isinstance(outcome, Conflict) else type(outcome).__name__


@pytest.fixture
def house(store: Stores) -> Stores:
    """A store with three tables, of which the first has seeded the meter with 1,000."""
    for table in ("t1", "t2", "t3"):
        store.tables.create(table, table, {})
    (first,) = store.journal.append([written("t1", Transfer("tray", METER, 1_000))])
    assert is_written(first)
    return store


def test_a_shared_meter_belongs_to_no_table(house: Stores) -> None:
    house.journal.append([written("t2", Transfer("tray", METER, 25))])
    assert 1_025 == house.wallets.meter("jackpot") == house.wallets.balances(None)[METER]
    assert ({"tray": -1_000}, {"tray": -25}) == (house.wallets.balances("t1"), house.wallets.balances("t2"))
    assert (0, 0) == (house.wallets.total(), house.wallets.meter("another"))


def test_what_is_not_in_it_is_not_taken(house: Stores) -> None:
    (poor,) = house.journal.append([written("t2", Transfer(METER, ASIDE, 1_001))])
    assert "balance" == code(poor)
    assert (1_000, {}, 0) == (
        house.wallets.meter("jackpot"),
        house.wallets.balances("t2"),
        house.tables.get("t2").number,
    )


def test_of_two_that_rely_on_one_reading_the_second_is_refused_though_the_meter_has_enough(house: Stores) -> None:
    first, second, third = house.journal.append(
        [
            written("t2", Transfer(METER, ASIDE, 100), holds=1_000),
            written("t3", Transfer(METER, ASIDE, 100), holds=1_000),
            written("t3", Transfer(METER, ASIDE, 90), holds=900),
        ]
    )
    assert ["Written", "balance", "Written"] == [code(one) for one in (first, second, third)]
    assert (810, 1_000) == (house.wallets.meter("jackpot"), house.wallets.meter_shown("jackpot"))
    assert ({ASIDE: 100}, {ASIDE: 90}) == (house.wallets.balances("t2"), house.wallets.balances("t3"))


def test_a_reading_stays_good_when_the_meter_has_grown(house: Stores) -> None:
    fed, taken = house.journal.append(
        [written("t2", Transfer("tray", METER, 5)), written("t3", Transfer(METER, ASIDE, 1_000), holds=1_000)]
    )
    assert ("Written", "Written", 5) == (code(fed), code(taken), house.wallets.meter("jackpot"))


def test_what_is_shown_counts_what_rounds_have_set_aside_until_it_goes_to_a_tray(house: Stores) -> None:
    taking = written("t2", Transfer(METER, ASIDE, 400), holds=1_000)
    house.journal.append([taking])
    house.wallets.fund("Ann", 70, "beside it", at=1, who="cashier")
    assert (600, 1_000) == (house.wallets.meter("jackpot"), house.wallets.meter_shown("jackpot"))
    head = Head(1, taking.rows[0].hash)
    house.journal.append([written("t2", Transfer(ASIDE, "tray", 400), after=head)])
    assert (600, 600) == (house.wallets.meter("jackpot"), house.wallets.meter_shown("jackpot"))


def test_only_one_of_many_who_open_at_once_seeds_it(store: Stores) -> None:
    names = [f"t{n}" for n in range(6)]
    for table in names:
        store.tables.create(table, table, {})
    outcomes: list[str] = []

    def seed(table: str) -> None:
        mark = Ack("shared-meter", "jackpot", b"terms")
        outcomes.extend(map(code, store.journal.append([written(table, Transfer("tray", METER, 1_000), acks=(mark,))])))

    threads = [threading.Thread(target=seed, args=(table,)) for table in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ["Written", *["command"] * 5] == sorted(outcomes)
    assert 1_000 == store.wallets.meter("jackpot")


@pytest.mark.parametrize(("account", "cents"), [("tray", 5), (METER, -1), ("nothing:1", 5), ("shared_meter:a\0b", 5)])
def test_what_cannot_be_relied_on_is_malformed(house: Stores, account: str, cents: int) -> None:
    one = row(Head(), "t2")
    (no,) = house.journal.append([Write(table_id="t2", number=1, rows=[one], holds={account: cents})])
    assert "malformed" == code(no)
