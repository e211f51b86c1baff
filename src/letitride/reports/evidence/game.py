"""Game: what a pack says of the game as it is configured, gathered once; it prices and rules nothing itself."""

from __future__ import annotations

from dataclasses import dataclass

from letitride.reports.evidence.configured import Lost, PricedWager, exposures, prices
from letitride.reports.evidence.coverage import Proofs, Trace, trace
from letitride.reports.evidence.procedure import RuledOn, ScriptStep, matrix, script_of_a_round
from letitride.reports.evidence.protection import Protection, protection
from letitride.reports.paper import words
from letitride.rules.explain import KeyData, facts
from letitride.rules.table_rules import TableRules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvidence:
    """The game as a table has it: what it is worth, what it may cost, where its rules come from and how it is dealt."""

    conventions: dict[str, str]
    prices: tuple[PricedWager, ...]
    most_lost_in_a_round: tuple[Lost, ...]
    keys: tuple[KeyData, ...]
    own_wagers: tuple[str, ...]
    """The wagers that come with the book: no published document knows them."""
    rules_of_play: dict[str, str]
    script_of_a_round: tuple[ScriptStep, ...]
    irregularities: tuple[RuledOn, ...]
    protection: Protection
    clauses: tuple[Trace, ...]


def game_evidence(table: TableRules, seats: int, seed: int, proofs: Proofs | None) -> GameEvidence:
    """Return the game as a table has it."""
    return GameEvidence(
        conventions={"deck": words.DECK, **dict(words.conventions("withdraw", table.wagers.values()))},
        prices=prices(table),
        most_lost_in_a_round=exposures(table),
        keys=tuple(fact.as_data() for fact in facts(table.book) if fact.applies),
        own_wagers=tuple(one.title for one in table.wagers.values() if not one.published),
        rules_of_play={pays.wager.title: words.rules(pays) for pays in table.pays.values()},
        script_of_a_round=script_of_a_round(table),
        irregularities=matrix(table),
        protection=protection(table, seats, seed),
        clauses=trace(table, proofs),
    )
