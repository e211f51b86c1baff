"""The `combined` command: base game and side bets played together, priced as one; `par --combined` prints the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Final

import typer

from letitride.analysis.base import Ties, best_play, plain_nets
from letitride.analysis.caps import Scope, capped_nets, check_maximum, taken_alone, taken_over
from letitride.analysis.exact import Exact
from letitride.analysis.rounding import percent
from letitride.analysis.side_bets import Combined, combine
from letitride.cli.analysis.ties import TiesOption
from letitride.cli.io.output import Cell, Json, heading, print_json, print_lines
from letitride.cli.io.values import cents_of
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.frozen import Frozen
from letitride.rules.limits import check_own_stake
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays, Paytable, base_pays, pays_of
from letitride.rules.plain import LEFT_OUT
from letitride.rules.wager_table import BASE
from letitride.rules.words import show_value

SIDE_METAVAR: Final = "WAGER|PAYTABLE|FILE=AMOUNT"
STAKE: Final = "10"
"""Each of the three base bets, where no amount is named."""
_SIDE_HELP: Final = "A side bet and its amount: bonus=1 if the paytable prices it, 3CB-1=5, or FILE=5; may be repeated."


@dataclass(frozen=True, slots=True, kw_only=True)
class Maximum:
    """A maximum payout on the base bets, and on some side bets, each of these by itself."""

    payout_cents_max: int
    scope: Scope
    alone: str
    """Whom the figures are for, where other hands count towards it."""
    side_bets: tuple[str, ...] = ()
    """Those that it binds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedFigures:
    """Base game and side bets combined, as `--json` prints it."""

    paytable: str
    ties: str
    stake_cents: int
    side_bets: dict[str, Exact]
    loss_cents_per_round: Exact
    standard_deviation_cents: float
    covariance_in_base_units: dict[str, Exact]
    assumed: dict[str, str] | None = field(default=None, metadata=LEFT_OUT)
    """What the price of a side bet assumes of the table, where it does."""
    maximum: Maximum | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class CombinedGame:
    """A base paytable with side bets, and the figures of all its bets combined."""

    table: Paytable
    ties: Ties
    base_cents: int
    sides: dict[str, tuple[Pays, Fraction]]
    found: Combined
    maximum: Maximum | None = None

    def figures(self) -> CombinedFigures:
        """Return the figures for programs."""
        return CombinedFigures(
            paytable=self.table.id,
            ties=self.ties,
            stake_cents=self.base_cents,
            side_bets={wager: Exact.of(share) for wager, (_, share) in self.sides.items()},
            loss_cents_per_round=Exact.of(self.found.loss * self.base_cents),
            standard_deviation_cents=self.found.standard_deviation * self.base_cents,
            covariance_in_base_units={wager: Exact.of(one) for wager, one in self.found.covariance.items()},
            assumed=self._assumed() or None,
            maximum=self.maximum,
        )

    def lines(self) -> Iterator[Cell]:
        """Yield the figures for people."""
        titles = {wager: pays.wager.title for wager, (pays, _) in self.sides.items()}
        loss = self.found.loss * self.base_cents
        staked = self.base_cents * (3 + sum(share for _, share in self.sides.values()))
        yield heading(f"{self.table.id}: three bets of {dollars(self.base_cents)} with {', '.join(titles.values())}")
        yield (
            f"  {'expected loss':<22} ${float(loss) / 100:.4f} per round, {percent(loss / staked)} of the "
            f"{dollars(int(staked))} bet before the deal"
        )
        yield f"  {'standard deviation':<22} ${self.found.standard_deviation * self.base_cents / 100:,.2f} per round"
        for wager, one in self.found.covariance.items():
            yield f"  {'covariance with base':<22} {float(one):+.4f} squared base bets, {titles[wager]}"
        if most := self.maximum:
            bound = [titles[wager] for wager in titles if wager in most.side_bets]
            over = f"base bets, {most.alone}" if most.alone else "base bets"
            paid = [f"{dollars(most.payout_cents_max)} on the {over}", *(f"the same on {one}" for one in bound)]
            yield f"  {'maximum payout':<22} {'; '.join(paid)}"
        for wager, assumed in self._assumed().items():
            yield f"  {'assumes':<22} {titles[wager]}: {assumed}"

    def _assumed(self) -> dict[str, str]:
        return {name: pays.wager.assumed for name, (pays, _) in self.sides.items() if pays.wager.assumed}


def combined_game(  # noqa: PLR0917 - what two commands read
    table: Paytable, stake: str, sides: Sequence[str], ties: Ties, option: str, most: Maximum | None = None
) -> CombinedGame:
    """Return base game and side bets as typed after an option, combined, under a maximum payout if there is one."""
    base_cents = cents_of(stake, "--stake")
    read: dict[str, tuple[Pays, Fraction]] = {}
    for text in sides:
        pays, cents = _side(table, text, option)
        if pays.wager.id in read:
            raise InvalidData(f"expected each side bet once after {option}, got {pays.wager.title} twice")
        check_own_stake(pays.wager, cents, option)
        if most is not None and pays.wager.id in most.side_bets:
            pays = replace(pays, most_cents=most.payout_cents_max)
        read[pays.wager.id] = (pays.at(cents), Fraction(cents, base_cents))
    if not read:
        raise InvalidData(f"expected a side bet like {option} 3CB-1=5, got none")
    nets = plain_nets(base_pays(table))
    if most is not None:
        check_maximum(base_cents, most.payout_cents_max)
        nets = capped_nets(base_pays(table), base_cents, most.payout_cents_max, most.scope)
    return CombinedGame(table, ties, base_cents, read, combine(nets, best_play(nets, ties), read), most)


def combined(
    ref: Annotated[str, typer.Argument(help="A base paytable: its id or a TOML file.", metavar="ID|FILE")],
    stake: Annotated[str, typer.Option("--stake", help="Each of the three base bets.", metavar="AMOUNT")] = STAKE,
    side: Annotated[list[str] | None, typer.Option("--side", help=_SIDE_HELP, metavar=SIDE_METAVAR)] = None,
    ties: TiesOption = "withdraw",
    as_json: Json = False,
) -> None:
    """Price base game and side bets combined.

    Shows the expected loss and standard deviation of a round, and the covariance of each side bet with the base game.
    """
    print_combined(combined_game(catalog.paytable(ref), stake, side or [], ties, "--side"), as_json=as_json)


def as_one(tables: Sequence[Paytable]) -> Paytable:
    """Return the base paytable with the pays of all side bets beside it."""
    base = next((table for table in tables if BASE.id in table.pays), tables[0])
    return replace(base, pays=Frozen({name: pays for table in tables for name, pays in table.pays.items()}))


def maximum_of(book: str | None, payout_max: str | None, scope: Scope) -> Maximum | None:
    """Return the maximum payout as typed, which caps the base bets only, or that of a rule book."""
    if payout_max is not None:
        most = cents_of(payout_max, "--max-payout")
        return Maximum(payout_cents_max=most, scope=scope, alone=taken_over(scope))
    rules = catalog.rulebook(book).rules if book is not None else None
    if rules is None or rules.payout.cap != "maximum" or rules.payout.cents_max is None:
        return None
    payout, alone = rules.payout, taken_alone(rules.payout, rules.hands_per_player)
    return Maximum(payout_cents_max=rules.payout.cents_max, scope=payout.scope, alone=alone, side_bets=payout.sides)


def print_combined(game: CombinedGame, *, as_json: bool) -> None:
    """Print the figures of a combined game, for people or for programs."""
    if as_json:
        print_json(game.figures())
    else:
        print_lines(*game.lines())


def _side(table: Paytable, text: str, option: str) -> tuple[Pays, int]:
    """Return what a side bet pays and its stake in cents, from WAGER=AMOUNT, PAYTABLE=AMOUNT or FILE=AMOUNT."""
    name, equals, amount = text.rpartition("=")
    if not equals or not name:
        raise InvalidData(
            f"expected WAGER=AMOUNT, PAYTABLE=AMOUNT or FILE=AMOUNT after {option}, got {show_value(text)}"
        )
    cents = cents_of(amount, option)
    if name in table.pays or name in catalog.wager_ids():
        priced = pays_of(table, name)
        if priced.wager.is_base:
            raise InvalidData(f"expected a side bet after {option}, got {priced.wager.title}")
        return priced, cents
    other = catalog.paytable(name)
    sides = [pays for pays in other.pays.values() if not pays.wager.is_base]
    if len(sides) != 1:
        raise InvalidData(f"expected a paytable with one side bet after {option}, got {other.id} with {len(sides)}")
    return sides[0], cents
