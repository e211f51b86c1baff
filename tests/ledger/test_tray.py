"""The tray: chips in whole denominations, slips that follow one another, and a result that is the trade's and exact."""

from __future__ import annotations

from itertools import count

import pytest

from letitride.errors import InvalidData
from letitride.ledger.chips import DEFAULT_RACK, rack, total
from letitride.ledger.transfers import Transfer
from letitride.ledger.tray import Flow, Slip, SlipKind, Tray, check_next, expected_cents, result, slip_cents
from tests.server.journals import HOUSES, fuzzed, past_of

NONE = dict.fromkeys(DEFAULT_RACK, 0)


def tray(*slips: tuple[SlipKind, int]) -> Tray:
    made = (
        Slip(number=n, kind=kind, at_ms=n, row=n, chips={100: cents}, cents=cents, entered_by="Ada")
        for n, (kind, cents) in zip(count(1), slips, strict=False)
    )
    return Tray(table="t1", number=1, rack=DEFAULT_RACK, slips=tuple(made))


def test_a_rack_is_sorted_and_has_each_chip_once() -> None:
    assert rack([500, 100, 2_500]) == (2_500, 500, 100)
    for wrong, sentence in (
        ([], "expected 1 to 16 denominations of chips, got 0"),
        ([500, 500], r"expected each denomination once, got \$5 twice"),
        ([0], r"expected chips of 1 cent to \$10,000,000, got \$0"),
        ([-500], r"expected chips of 1 cent to \$10,000,000, got -\$5"),
    ):
        with pytest.raises(InvalidData, match=sentence):
            rack(wrong)


@pytest.mark.parametrize(
    ("amounts", "sentence"),
    [
        ({2_500: 2_600}, r"expected whole \$25 chips, got \$26, which is not a multiple of \$25"),
        ({500: -500}, r"expected \$0 to \$10,000,000,000 in \$5 chips, got -\$5"),
        ({500: 10**15}, r"expected \$0 to \$10,000,000,000 in \$5 chips, got \$10,000,000,000,000"),
        ({300: 300}, r"expected chips of \$1,000, \$500, \$100, \$25, \$5, \$1, got chips of \$3"),
    ],
)
def test_amounts_are_whole_chips_of_the_rack(amounts: dict[int, int], sentence: str) -> None:
    with pytest.raises(InvalidData, match=sentence):
        total(DEFAULT_RACK, amounts)


def test_a_half_entered_count_is_refused_and_names_what_is_missing() -> None:
    half = {one: one for one in DEFAULT_RACK if one not in {500, 2_500}}
    with pytest.raises(InvalidData, match=r"got none for \$25, \$5"):
        slip_cents("closer", DEFAULT_RACK, half, {})
    assert slip_cents("closer", DEFAULT_RACK, NONE | half, {}) == sum(half.values())
    assert slip_cents("fill", DEFAULT_RACK, {500: 10_000}, {}) == 10_000


def test_a_color_up_changes_chips_and_no_amount() -> None:
    assert slip_cents("colour_up", DEFAULT_RACK, {500: 10_000}, {10_000: 10_000}) == 10_000
    with pytest.raises(InvalidData, match=r"equal amounts, got \$100 in and \$200 out"):
        slip_cents("colour_up", DEFAULT_RACK, {500: 10_000}, {10_000: 20_000})
    with pytest.raises(InvalidData, match="both ways"):
        slip_cents("colour_up", DEFAULT_RACK, {500: 1_000}, {500: 1_000})
    with pytest.raises(InvalidData, match="with a color-up alone, got some with a fill"):
        slip_cents("fill", DEFAULT_RACK, {500: 1_000}, {500: 1_000})
    with pytest.raises(InvalidData, match="expected a credit of at least one chip"):
        slip_cents("credit", DEFAULT_RACK, NONE, {})


def test_a_drop_box_holds_money_and_no_chips() -> None:
    assert slip_cents("drop", DEFAULT_RACK, {}, {}, 12_345) == 12_345
    with pytest.raises(InvalidData, match=r"in the drop box, got -\$1"):
        slip_cents("drop", DEFAULT_RACK, {}, {}, -100)
    for chips, cents in (({100: 100}, 100), ({}, None)):
        with pytest.raises(InvalidData, match="expected the amount of money in the drop box"):
            slip_cents("drop", DEFAULT_RACK, chips, {}, cents)
    with pytest.raises(InvalidData, match="by denomination for a fill, got one amount"):
        slip_cents("fill", DEFAULT_RACK, {100: 100}, {}, 100)


def test_slips_follow_an_opener_and_nothing_but_the_drop_follows_a_closer() -> None:
    with pytest.raises(InvalidData, match="before a fill, got none: count the opener first"):
        check_next(None, "fill")
    check_next(None, "opener")
    running, over = tray(("opener", 500)), tray(("opener", 500), ("closer", 600))
    with pytest.raises(InvalidData, match="got tray 1, which is open: count its closer"):
        check_next(running, "opener")
    for kind in ("fill", "credit", "colour_up", "count", "closer", "drop"):
        check_next(running, kind)
    for kind in ("fill", "credit", "colour_up", "count", "closer"):
        with pytest.raises(InvalidData, match="which is closed"):
            check_next(over, kind)
    check_next(over, "drop")
    check_next(over, "opener")


def test_the_result_is_closer_plus_drop_plus_credits_less_opener_and_fills() -> None:
    """A player buys $300 of chips, loses $100 of them, and takes $200 to the cage; $50 are missing in the tray."""
    moved = [
        Transfer("wallet:Ann", "stack:1", 30_000),
        Transfer("stack:1", "felt:1:base-1", 10_000),
        Transfer("felt:1:base-1", "tray", 10_000),
        Transfer("stack:1", "wallet:Ann", 20_000),
    ]
    flow = Flow().add(moved)
    one = tray(("opener", 100_000), ("fill", 50_000), ("credit", 20_000), ("closer", 105_000), ("drop", 29_000))
    assert expected_cents(one, flow) == 100_000 + 50_000 - 20_000 - 30_000 + 10_000 == 110_000
    found = result(one, flow)
    assert found.result_cents == 105_000 + 29_000 + 20_000 - 100_000 - 50_000 == 4_000
    assert found.result_ledger_cents == 10_000
    assert (found.tray_difference_cents, found.drop_difference_cents) == (-5_000, -1_000)
    assert found.difference_cents == -6_000
    assert flow.taken_along_cents == 20_000


def test_without_a_count_of_the_box_drop_is_what_players_paid() -> None:
    flow = Flow().add([Transfer("wallet:Ann", "stack:1", 30_000)])
    found = result(tray(("opener", 100_000), ("closer", 70_000)), flow)
    assert (found.drop_counted_cents, found.drop_cents, found.difference_cents) == (None, 30_000, 0)


@pytest.mark.parametrize("house", HOUSES)
def test_chips_in_the_tray_are_those_that_no_player_has(house: str) -> None:
    """By piece: every chip that was ever handed out is with a player, was taken to the cage, or is back in the tray.

    Fees are dropped into the box of their own. Counted from the journal's rows alone, by where chips lie.
    """
    opener, held, along, fees = 10**9, 0, 0, 0
    flow = Flow()
    for moment in past_of(fuzzed(house), "t1").moments():
        for event in moment.events:
            flow.add(event.chips)
            for chips in event.chips:
                fees += chips.cents * ((chips.target == "fees") - (chips.source == "fees"))
                along += chips.cents * chips.target.startswith("wallet:")
        lying = ("stack:", "felt:", "tokens:", "coupons:", "bank")
        held = sum(cents for account, cents in moment.after.accounts.items() if account.startswith(lying))
        assert expected_cents(tray(("opener", opener)), flow) == opener - held - along - fees
    assert held or along
