"""At work: tables, dealers and bots for the tests of who acts when no person does."""

from __future__ import annotations

from functools import partial

from letitride.analysis.strategy import Strategy, best_strategy
from letitride.autoplay import bots
from letitride.autoplay.dealer import deal
from letitride.autoplay.loop import Party
from letitride.autoplay.steps import Drawn
from letitride.chance.seeded import Seeded
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS

HOUSES = catalog.rulebook_ids()
BETS: dict[Spot, int] = dict.fromkeys(BASE_SPOTS, 500)


def seated(house: str, *seats: int, cents: int = 1_000_000) -> Table:
    """Return a new table with players at some seats."""
    table, _ = open_table(ready_rules(house))
    for seat in seats:
        table, _ = play(table, commands.Sit(by=f"seat:{seat}", seat=seat, player=f"P{seat}", cents=cents))
    return table


def seeded(seed: int) -> Drawn:
    """Return decks, cuts and dice that come again with the same seed."""
    chance = Seeded(seed)
    return Drawn(chance, partial(chance.shuffled, FACES))


def dealer(seed: int = 1) -> Party:
    """Return a dealer who mixes the decks and closes the bets that are down."""
    return partial(deal, source=seeded(seed), close=True)


def best(table: Table) -> Strategy:
    """Return the best play at a table."""
    return best_strategy(table.rules.pays["base"])


def bot(table: Table, seat: int) -> Party:
    """Return a bot at a seat."""
    strategy = best(table)
    return lambda table: bots.next_act(view(table, f"seat:{seat}"), seat, strategy)
