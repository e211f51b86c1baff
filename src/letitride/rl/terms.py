"""Terms: what a round of one seat is settled by: a rule book or a paytable alone, and a stake; never a card drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.base import Nets, Play, Ties, best_play, plain_nets
from letitride.analysis.caps import capped_nets
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.arguments import cents as whole_cents
from letitride.rules.arguments import mapping
from letitride.rules.cards import Card, parse_cards
from letitride.rules.paytables import Pays, base_pays
from letitride.rules.settlement import Hand, Spot, category_of, settle_hands, settle_wager
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.words import one_of, show_value
from letitride.simulation.game import CELLS, CODES
from letitride.simulation.plan import EXAMPLES, check_stakes, stakes_of

PAYTABLE: Final = "LIRX-01"
"""What is paid by where neither a paytable nor a rule book is named."""
STAKE_CENTS: Final = 100
"""One bet where no rule book says what the least one is."""
Info = dict[str, Any]
"""What Gymnasium and PettingZoo pass beside observations: infos, options, metadata; their own type."""


@dataclass(frozen=True, slots=True)
class Bets:
    """What is bet on a round: one of the three equal bets, and side bets by spot, in cents."""

    stake_cents: int
    sides: Mapping[Spot, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Terms:
    """What three equal bets on one hand come to."""

    name: str
    pays: Pays
    stake_cents: int
    """One of the three equal bets: the unit that rewards are counted in."""
    table: TableRules | None = None
    """The table whose settlement decides, its maximum payout included; none: every bet is paid in full."""

    def checked_stake(self, stake_cents: object) -> int:
        """Return one of three equal bets, or refuse one that this table does not take."""
        cents = whole_cents(stake_cents, "stake_cents")
        if self.table is not None:
            check_stakes(self.table, dict.fromkeys(BASE_SPOTS, cents))
        return cents

    def checked_sides(self, sides: object) -> dict[Spot, int]:
        """Return side bets by spot, or refuse those that this table does not take."""
        wanted = mapping(sides, "side_bets by wager")
        if wanted and self.table is None:
            raise InvalidData("expected a rule book that offers side bets, got side bets by a paytable alone")
        offered = {one.id: one.spot for one in self.table.sides} if self.table is not None else {}
        if unknown := [name for name in wanted if name not in offered]:
            raise InvalidData(f"side_bets: expected {one_of(offered)}, got {show_value(unknown[0])}")
        found = {offered[str(name)]: whole_cents(cents, f"cents on {name}") for name, cents in wanted.items()}
        if self.table is not None:
            check_stakes(self.table, found)
        return found

    def net_cents(
        self, cards: Sequence[Card], community: Sequence[Card], rides: tuple[bool, bool], bets: Bets | None = None
    ) -> int:
        """Return what a round won or lost, when bets 1 and 2 rode or were taken back; `bets` where others are made."""
        made = bets or Bets(self.stake_cents)
        stakes = {**dict.fromkeys(BASE_SPOTS, made.stake_cents), **made.sides}
        withdrawn = {spot for spot, rode in zip(BASE_SPOTS, rides, strict=False) if not rode}
        hand = Hand(1, tuple(cards), stakes, frozenset(withdrawn))
        if self.table is not None:
            return sum(result.net_cents for result in settle_hands(self.table, community, [hand])[1])
        category = category_of(community, hand)
        return sum(
            settle_wager(self.pays, spot, made.stake_cents, category).net_cents
            for spot in BASE_SPOTS
            if spot not in withdrawn
        )

    def side_units(self, cards: Sequence[Card], community: Sequence[Card]) -> dict[str, float]:
        """Return what a unit on each side bet of the table would have won or lost, left to its end, meters at seed."""
        if self.table is None or not self.table.sides:
            return {}
        stakes = {spot: cents for spot, cents in stakes_of(self.table).items() if spot not in BASE_SPOTS}
        results = settle_hands(self.table, community, [Hand(1, tuple(cards), stakes)])[1]
        return {result.wager: result.net_cents / result.stake_cents for result in results}

    def units(self, net_cents: int) -> float:
        """Return a result in units of one bet."""
        return net_cents / self.stake_cents

    def units_by_cell(self) -> NDArray[np.float64]:
        """Return the results of all cells of the compiled game: 4 x code + 2 x (bet 1 rides) + (bet 2 rides)."""
        found = np.empty(CELLS, np.float64)
        for code in range(CODES):
            cards = parse_cards(EXAMPLES[code])
            for rides in range(4):
                net = self.net_cents(cards[:3], cards[3:], (bool(rides & 2), bool(rides & 1)))
                found[4 * code + rides] = self.units(net)
        return found

    @property
    def nets(self) -> Nets:
        """What the analyzer needs to price these terms, in units of one bet."""
        payout = self.table.rules.payout if self.table is not None else None
        if payout is not None and payout.cap == "maximum" and payout.cents_max is not None:
            return capped_nets(self.pays, self.stake_cents, payout.cents_max, payout.scope)
        return plain_nets(self.pays)

    def best_play(self, ties: Ties = "withdraw") -> Play:
        """Return the best play, the maximum payout considered."""
        return best_play(self.nets, ties)


def terms_of(
    paytable: str | Path | None = None,
    rulebook: str | Path | None = None,
    overrides: Values | None = None,
    stake_cents: int | None = None,
) -> Terms:
    """Return the terms of a game: a paytable's own, or those of a table by a rule book with its own values."""
    if stake_cents is not None and (isinstance(stake_cents, bool) or stake_cents < 1):
        raise InvalidData(f"expected a stake of a cent or more, got {stake_cents} cents")
    if rulebook is None:
        if overrides:
            raise InvalidData("expected a rule book for a table's own values, got none")
        found = catalog.paytable(PAYTABLE if paytable is None else paytable)
        return Terms(found.id, base_pays(found), stake_cents or STAKE_CENTS)
    table = table_of(rulebook, overrides, paytable)
    cents = stake_cents or stakes_of(table)[BASE.spot]
    check_stakes(table, dict.fromkeys(BASE_SPOTS, cents))
    return Terms(f"{table.book.id}, {table.paytables[BASE.id]}", table.base_pays, cents, table)


def table_of(rulebook: str | Path, overrides: Values | None = None, paytable: str | Path | None = None) -> TableRules:
    """Return a table by a book, its own values stated and, where the book leaves it open, its paytable chosen."""
    chosen = {} if paytable is None else {f"{BASE.id}.paytable": str(paytable)}
    return catalog.ready_rules(rulebook, {**(overrides or {}), **chosen})
