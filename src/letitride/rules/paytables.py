"""Paytables: what each wager pays for each hand, and in which words; never whether a hand has won it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from letitride.errors import InvalidData, MissingData
from letitride.rules.digest import sha256
from letitride.rules.frozen import Frozen
from letitride.rules.money import dollars
from letitride.rules.plain import LEFT_OUT
from letitride.rules.rankings import AnyCategory
from letitride.rules.shown import Grid, Page, Shown, grid
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Award, Take, Wager
from letitride.rules.words import quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltPay:
    """What a hand pays as the felt shows it: odds, an amount, or what it takes of a meter and an amount beside it."""

    odds: tuple[int, int] | None = None
    win_cents: int = 0
    take: Take | None = None
    hands: int = 0
    """For how many hands in the round it holds; 0 where their number makes no difference or is known."""

    def __str__(self) -> str:
        if self.odds is not None:
            words = f"{self.odds[0]:,} to {self.odds[1]}"
        elif self.take is not None:
            words = f"{self.take} and {dollars(self.win_cents)}" if self.win_cents else str(self.take)
        else:
            words = f"win {dollars(self.win_cents)}"
        return f"{words} ({quantity(self.hands, 'hand')})" if self.hands else words


@dataclass(frozen=True, slots=True)
class Pays:
    """What one wager pays. `columns` has one entry, or one for each number of hands where the pays depend on it."""

    wager: Wager
    award: Award
    listed: tuple[AnyCategory, ...]
    """The categories the table lists, best first; some that are not listed pay as another does."""
    columns: tuple[Mapping[AnyCategory, Fraction], ...]
    clauses: tuple[str, ...] = ()
    printed_par: str | None = None
    printed_hit_frequency: str | None = None
    printed_in: str | None = None
    """The clause whose document prints them."""
    stake_cents: Fraction | None = None
    """The stake at which awards in dollars are told in units; the lowest by the wager's file where none is named."""
    most_cents: int | None = None
    """The highest payout on one bet, where a table's maximum payout binds it."""

    def pay(self, category: AnyCategory, hands: int = 0) -> Fraction | None:
        """Return the pay for a category, or None where it loses; some wagers need the number of `hands`."""
        if not isinstance(category, type(self.wager.pays_from)):
            raise InvalidData(f"expected a category of the {self.wager} wager, got {category!r}")
        if len(self.columns) == 1:
            return self.columns[0].get(category)
        if not 1 <= hands <= len(self.columns):
            raise InvalidData(f"expected 1 to {len(self.columns)} hands for the {self.wager} wager, got {hands}")
        return self.columns[hands - 1].get(category)

    @property
    def returns_stake(self) -> bool:
        """Whether a bet that wins gets its stake back beside the pay."""
        return self.award is Award.TO_ONE

    @property
    def priced_cents(self) -> Fraction | None:
        """The stake on which what a unit wins depends; None where a unit wins the same at every stake."""
        if self.award is not Award.FIXED and self.most_cents is None:
            return None
        return Fraction(self.wager.lowest_cents) if self.stake_cents is None else self.stake_cents

    def at(self, stake_cents: Fraction | int) -> Pays:
        """Return the same pays, priced at a stake; they are these themselves where no stake makes a difference."""
        return self if self.priced_cents is None else replace(self, stake_cents=Fraction(stake_cents))

    def units(self, pay: Fraction) -> Fraction:
        """Return a pay in units of the stake."""
        stake = self.priced_cents
        if stake is None:
            return pay
        units = 100 * pay / stake if self.award is Award.FIXED else pay
        return units if self.most_cents is None else min(units, self.most_cents / stake)

    def paid_cents(self, pay: Fraction, stake_cents: int) -> int:
        """Return the amount of a pay on a stake, in cents: no fraction of a cent, and nothing above the maximum."""
        cents = pay.numerator * self.paid_per(stake_cents) // pay.denominator
        return cents if self.most_cents is None else min(cents, self.most_cents)

    def net(self, pay: Fraction | None) -> Fraction:
        """Return what a unit bet wins by a pay, or loses without one; other awards come instead of the stake."""
        if pay is None:
            return Fraction(-1)
        return self.units(pay) - (not self.returns_stake)

    def paid_per(self, stake_cents: int) -> int:
        """Return of what a pay is a multiple where so much was bet, in cents: of the stake, or of a dollar."""
        return 100 if self.award is Award.FIXED else stake_cents

    def odds(self, category: AnyCategory, hands: int = 0, unit_cents: int = 0) -> str | None:
        """Return the pay as the felt shows it: '11 to 1' or, for an award, 'win $75' for the unit that is bet."""
        found = self.felt_pay(category, hands, unit_cents)
        return None if found is None else str(found)

    def felt_pay(self, category: AnyCategory, hands: int = 0, unit_cents: int = 0) -> FeltPay | None:
        """Return what `odds` says in words."""
        pay = self.pay(category, hands)
        if pay is None:
            return None
        if not self.returns_stake:
            return FeltPay(win_cents=int(pay * self.paid_per(unit_cents or self.wager.unit_cents)))
        return FeltPay(odds=(pay.numerator, pay.denominator))

    def on_the_felt(self, hands: int = 0, unit_cents: int = 0) -> dict[str, FeltPay | None]:
        """Return what each hand pays as the felt shows it; what it takes of a meter is told as a share."""
        unit = unit_cents or self.wager.unit_cents
        found = {rank.label: self.felt_pay(rank, hands, unit) for rank in self.listed}
        for rank, take in self.wager.meter.takes.items() if self.wager.meter is not None else ():
            beside = ((self.pay(rank) or 0) - self.wager.seed_pay(rank)) * unit
            found[rank.label] = FeltPay(take=take, win_cents=int(beside))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedClaims:
    """What the source prints about a wager."""

    par: str | None
    hit_frequency: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedFigures(PrintedClaims):
    """What the source prints about a wager, and the clause whose document prints it."""

    in_: str | None = field(default=None, metadata={"alias": "in"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsColumn:
    """The pays of a wager for one number of hands."""

    hands: int
    pays: dict[str, int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPays:
    """What one wager pays, hand by hand; in columns where that depends on the number of hands."""

    wager: str
    award: str
    clauses: tuple[str, ...]
    pays: dict[str, int | str] | None = field(default=None, metadata=LEFT_OUT)
    columns: tuple[HandsColumn, ...] | None = field(default=None, metadata=LEFT_OUT)
    printed: PrintedFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableData:
    """A paytable as `--json` and HTTP state it."""

    id: str
    title: str
    sha256: str
    wagers: tuple[WagerPays, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Paytable(Shown):
    """A published or home-made paytable: an id, a title, and the pays of its wagers by their ids."""

    id: str
    title: str
    pays: Mapping[str, Pays]

    def headline(self) -> str:
        """Return the table in one line."""
        return f"{self.id}: {self.title}"

    def shown(self) -> Page:
        """Return what the table pays."""
        return Page(self.headline(), (("sha256", self.digest),), tuple(map(_pays_grid, self.pays.values())))

    def as_data(self) -> PaytableData:
        """Return the paytable as `--json` and HTTP state it."""
        return PaytableData(
            id=self.id,
            title=self.title,
            sha256=self.digest,
            wagers=tuple(map(_wager_pays, self.pays.values())),
        )

    def at(self, stakes: Mapping[str, int]) -> Paytable:
        """Return the table with awards in dollars priced at stakes in cents, by wager."""
        found = {name: pays.at(stakes[name]) if name in stakes else pays for name, pays in self.pays.items()}
        return replace(self, pays=Frozen(found))

    def bound(self, cents: int | None, wagers: Collection[str]) -> Paytable:
        """Return the table with no more paid on one bet than so many cents, for some of its wagers."""
        for pays in (pays for name, pays in self.pays.items() if cents is not None and name in wagers):
            if pays.wager.meter is not None or pays.wager.envy:
                raise InvalidData(
                    f"{self.id}: expected a bet without a meter or envy under a maximum payout, got one whose pay "
                    "depends on more than its hand"
                )
        found = {name: replace(pays, most_cents=cents) if name in wagers else pays for name, pays in self.pays.items()}
        return replace(self, pays=Frozen(found))

    @property
    def digest(self) -> str:
        """SHA-256 over what the table pays: equal digests, equal games."""
        values = {
            str(pays.wager): [
                pays.award,
                [{c.name: str(p) for c, p in column.items()} for column in pays.columns],
            ]
            for pays in self.pays.values()
        }
        return sha256(values)


def _pays_grid(pays: Pays) -> Grid:
    printed = f", printed par {pays.printed_par}" if pays.printed_par else ""
    numbers = range(1, len(pays.columns) + 1)
    columns = ["pays"] if len(pays.columns) == 1 else [quantity(hands, "hand") for hands in numbers]
    rows = ([category.label, *(pays.odds(category, hands) for hands in numbers)] for category in pays.listed)
    return grid(["hand", *columns], rows, f"{pays.wager}{printed}")


def _wager_pays(pays: Pays) -> WagerPays:
    columns = [{category.name.lower(): _plain(column[category]) for category in pays.listed} for column in pays.columns]
    alone = len(columns) == 1
    several = tuple(HandsColumn(hands=hands, pays=column) for hands, column in enumerate(columns, 1))
    return WagerPays(
        wager=str(pays.wager),
        award=str(pays.award),
        clauses=pays.clauses,
        pays=columns[0] if alone else None,
        columns=None if alone else several,
        printed=PrintedFigures(par=pays.printed_par, hit_frequency=pays.printed_hit_frequency, in_=pays.printed_in),
    )


def _plain(pay: Fraction) -> int | str:
    return pay.numerator if pay.denominator == 1 else str(pay)


def base_pays(table: Paytable) -> Pays:
    """Return what a table pays for the base game, or say that it does not price it."""
    return pays_of(table, BASE.id)


def pays_of(table: Paytable, wager: str) -> Pays:
    """Return what a table pays for a wager, or say that it does not price it."""
    if wager not in table.pays:
        raise MissingData(f"expected a paytable that prices the {wager} wager, got {table.id}, which does not")
    return table.pays[wager]
