"""Tray: what people counted in a dealer's tray and brought to it, beside what the ledger says it holds; moves no money.

The tray begins with its opener. Fills bring chips from the cage and credits take chips back to it. A player who buys in
gets chips out of the tray, and the money is drop. A player who leaves takes the chips along, and the cage redeems them:
nothing of that comes back into the tray. So the table's result is closer + drop + credits - opener - fills, as in the
trade, and what should lie in the tray follows from the table's transfers alone. What people count is never changed to
fit, nor is the ledger: the difference is a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

import msgspec

from letitride.errors import InvalidData
from letitride.ledger.accounts import Kind, parse
from letitride.ledger.chips import AMOUNT_CENTS_MAX, Amounts, Rack, total
from letitride.ledger.transfers import Transfer
from letitride.rules.money import dollars

SlipKind = Literal["opener", "fill", "credit", "colour_up", "count", "closer", "drop"]
SLIPS: Final[tuple[SlipKind, ...]] = get_args(SlipKind)
NAMES: Final[Mapping[SlipKind, str]] = {
    "opener": "opener",
    "fill": "fill",
    "credit": "credit",
    "colour_up": "color-up",
    "count": "count",
    "closer": "closer",
    "drop": "drop count",
}
"""What a slip is called on paper."""
COUNTS: Final[frozenset[SlipKind]] = frozenset({"opener", "count", "closer"})
"""Slips that say what the whole tray holds."""
CARRIED: Final[frozenset[SlipKind]] = frozenset({"fill", "credit"})
"""Slips of chips that are carried between the cage and the tray, by at least two people."""
_JACKPOTS: Final = frozenset({Kind.METER, Kind.SHARED_METER, Kind.TAKEN})


class Slip(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A slip of a tray: numbered, never changed, with the names of those who answer for it."""

    number: int
    """Of the table's slips, which are numbered from 1 without a gap."""
    kind: SlipKind
    at_ms: int
    row: int
    """The last row of the table's journal when it was written."""
    chips: dict[int, int]
    """Cents by denomination; of a color-up the chips that came in; of a drop count none."""
    out: dict[int, int] = {}
    """The chips that a color-up gave for them."""
    cents: int
    entered_by: str
    asked_by: str = ""
    brought_by: str = ""
    received_by: str = ""
    counted_by: str = ""
    """Who counted beside the one who entered it."""
    approved_by: str = ""
    approval: str = ""
    """The request for approval that it carries out, if any."""
    why: str = ""


class Tray(msgspec.Struct, frozen=True, kw_only=True):
    """A tray from its opener on: its denominations and its slips, the opener first."""

    table: str
    number: int
    """Of the table's trays, from 1."""
    rack: tuple[int, ...]
    slips: tuple[Slip, ...] = ()

    @property
    def opener(self) -> Slip:
        """What it began with."""
        return self.slips[0]

    @property
    def closer(self) -> Slip | None:
        """What it was counted at when it was closed."""
        return next((one for one in reversed(self.slips) if one.kind == "closer"), None)

    @property
    def counted(self) -> Slip:
        """The last count of the whole tray."""
        return next(one for one in reversed(self.slips) if one.kind in COUNTS)

    @property
    def next_slip(self) -> int:
        """The number of the next slip."""
        return self.slips[-1].number + 1

    def cents(self, kind: SlipKind, *, after: int = 0) -> int:
        """Return what all slips of a kind come to, those after a slip's number."""
        return sum(one.cents for one in self.slips if one.kind == kind and one.number > after)

    @property
    def drop_counted_cents(self) -> int | None:
        """What was counted in the drop box, if it was."""
        return self.cents("drop") if any(one.kind == "drop" for one in self.slips) else None


@dataclass(slots=True)
class Flow:
    """What transfers of a table move past its tray."""

    drop_cents: int = 0
    """Money from players' wallets: buy-ins, further purchases and cash bets."""
    taken_along_cents: int = 0
    """Chips that players took to the cage."""
    won_cents: int = 0
    """Bets taken, less what was paid."""
    jackpots_cents: int = 0
    """What the house owes more by the meters, whose chips lie in the tray."""
    vouchers_cents: int = 0
    """Promotional vouchers exchanged for chips or tokens, less what came back."""

    def add(self, transfers: Iterable[Transfer]) -> Flow:
        """Count transfers."""
        for one in transfers:
            self._move(parse(one.source).kind, -one.cents)
            self._move(parse(one.target).kind, one.cents)
        return self

    def _move(self, kind: Kind, cents: int) -> None:
        if kind is Kind.WALLET:
            if cents < 0:
                self.drop_cents -= cents
            else:
                self.taken_along_cents += cents
        elif kind is Kind.TRAY:
            self.won_cents += cents
        elif kind in _JACKPOTS:
            self.jackpots_cents += cents
        elif kind is Kind.PROMOTIONS:
            self.vouchers_cents -= cents

    @property
    def result_cents(self) -> int:
        """What the table made of its tray: bets won, and jackpots that are owed, less vouchers given for."""
        return self.won_cents + self.jackpots_cents - self.vouchers_cents


def expected_cents(tray: Tray, flow: Flow, *, through: int | None = None) -> int:
    """Return what should lie in a tray by the ledger, with the slips up to a number; `flow` begins with the opener."""
    carried = [one for one in tray.slips if through is None or one.number <= through]
    brought = sum(one.cents for one in carried if one.kind == "fill")
    returned = sum(one.cents for one in carried if one.kind == "credit")
    return tray.opener.cents + brought - returned - flow.drop_cents + flow.result_cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A tray from its opener to a count, by the count and by the ledger, with every difference named."""

    opener_cents: int
    fills_cents: int
    credits_cents: int
    counted_cents: int
    """The closer; of a tray that is in use the last count."""
    closed: bool
    expected_cents: int
    """What should have been counted, by the ledger."""
    drop_ledger_cents: int
    drop_counted_cents: int | None
    """Nothing where the box was not counted: then drop is the ledger's."""
    result_ledger_cents: int

    @property
    def drop_cents(self) -> int:
        """The drop that the result goes by."""
        return self.drop_ledger_cents if self.drop_counted_cents is None else self.drop_counted_cents

    @property
    def result_cents(self) -> int:
        """The table's result: closer + drop + credits - opener - fills."""
        return self.counted_cents + self.drop_cents + self.credits_cents - self.opener_cents - self.fills_cents

    @property
    def tray_difference_cents(self) -> int:
        """What was counted beyond what should lie in the tray."""
        return self.counted_cents - self.expected_cents

    @property
    def drop_difference_cents(self) -> int:
        """What was counted in the box beyond what players paid."""
        return self.drop_cents - self.drop_ledger_cents

    @property
    def difference_cents(self) -> int:
        """The result by the count beyond that by the ledger: exactly what tray and box differ by."""
        return self.result_cents - self.result_ledger_cents


def result(tray: Tray, flow: Flow) -> Result:
    """Return the result of a tray at its last count of the whole; `flow` is that from its opener to that count."""
    counted = tray.counted
    slips = [one for one in tray.slips if one.number <= counted.number]
    return Result(
        opener_cents=tray.opener.cents,
        fills_cents=sum(one.cents for one in slips if one.kind == "fill"),
        credits_cents=sum(one.cents for one in slips if one.kind == "credit"),
        counted_cents=counted.cents,
        closed=tray.closer is not None,
        expected_cents=expected_cents(tray, flow, through=counted.number),
        drop_ledger_cents=flow.drop_cents,
        drop_counted_cents=tray.drop_counted_cents,
        result_ledger_cents=flow.result_cents,
    )


def slip_cents(kind: SlipKind, held: Rack, chips: Amounts, out: Amounts, box_cents: int | None = None) -> int:
    """Return the amount of a slip, or say what is wrong with its amounts; a drop box holds money, and no chips."""
    if kind == "drop":
        if chips or out or box_cents is None:
            raise InvalidData("expected the amount of money in the drop box, got chips or nothing")
        if not 0 <= box_cents <= AMOUNT_CENTS_MAX:
            most = dollars(AMOUNT_CENTS_MAX)
            raise InvalidData(f"expected $0 to {most} in the drop box, got {dollars(box_cents)}")
        return box_cents
    if box_cents is not None:
        raise InvalidData(f"expected an amount by denomination for a {NAMES[kind]}, got one amount")
    cents = total(held, chips, whole=kind in COUNTS)
    if kind == "colour_up":
        given = total(held, out)
        if given != cents:
            raise InvalidData(f"expected a color-up of equal amounts, got {dollars(cents)} in and {dollars(given)} out")
        if any(chips.get(one) and out.get(one) for one in held):
            raise InvalidData("expected other chips out than came in, got some of one denomination both ways")
    elif out:
        raise InvalidData(f"expected chips out with a color-up alone, got some with a {NAMES[kind]}")
    if kind not in COUNTS and not cents:
        raise InvalidData(f"expected a {NAMES[kind]} of at least one chip, got none")
    return cents


def check_next(tray: Tray | None, kind: SlipKind) -> None:
    """Refuse a slip that cannot follow those that a table's last tray has."""
    if kind == "opener":
        if tray is not None and tray.closer is None:
            raise InvalidData(
                f"expected a tray that is closed, got tray {tray.number}, which is open: count its closer"
            )
        return
    name = NAMES[kind]
    if tray is None:
        raise InvalidData(f"expected a tray with an opener before a {name}, got none: count the opener first")
    if tray.closer is not None and kind != "drop":
        raise InvalidData(
            f"expected an open tray for a {name}, got tray {tray.number}, which is closed: count a new opener first"
        )
