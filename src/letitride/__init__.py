"""Let It Ride: one rule book, many uses.

The small public face of the package; `docs/api.md` shows it at work.
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

from letitride.environments import register_environments
from letitride.extras import explained
from letitride.version import __version__

if TYPE_CHECKING:
    from letitride.analysis.base import Price, price
    from letitride.analysis.best_hand import best_hands
    from letitride.analysis.coupons import coupon_value
    from letitride.analysis.design import Design, design
    from letitride.analysis.par import WagerSheet, sheets
    from letitride.analysis.progressive import Progressive, progressive
    from letitride.analysis.strategy import (
        NAMED_STRATEGIES,
        ClassValue,
        Cost,
        Strategy,
        advise,
        best_strategy,
        cost,
        strategy_from,
    )
    from letitride.autoplay.dealable import Dealt, check_book
    from letitride.autoplay.dealer import Waits
    from letitride.engine import commands, events
    from letitride.engine.decide import decide, open_table, play
    from letitride.engine.evolve import evolve
    from letitride.engine.legal import legal
    from letitride.engine.refusal import Refusal
    from letitride.engine.script import ScriptLine, script
    from letitride.engine.state import Choice, Table
    from letitride.engine.view import view
    from letitride.engine.view_types import View
    from letitride.errors import InvalidData, InvariantBroken, LetItRideError, MissingData
    from letitride.playing import AutoTable, Bets, Decide, Decision, Refused, play_round
    from letitride.records.exported import Exported, record_of
    from letitride.records.reader import read_record
    from letitride.records.record import Record
    from letitride.records.replay import Outcome, Replayed, replay
    from letitride.records.rounds import PlayedRound
    from letitride.records.whatif import WhatIf, what_if
    from letitride.records.why import Explained, why
    from letitride.records.writer import write_record
    from letitride.rules.banking import settle_banked
    from letitride.rules.cards import DECK, Card, parse_cards
    from letitride.rules.catalog import (
        clause,
        paytable,
        paytable_from,
        paytable_ids,
        register,
        rulebook,
        rulebook_ids,
        table_rules,
        wager_from,
    )
    from letitride.rules.clauses import Clause
    from letitride.rules.hands import Category, HandValue, announce, evaluate
    from letitride.rules.keys import Rules
    from letitride.rules.paytables import Pays, Paytable
    from letitride.rules.rulebook import RuleBook
    from letitride.rules.settlement import Hand, WagerResult, settle_round
    from letitride.rules.table_rules import TableRules
    from letitride.rules.three_hands import ThreeCardCategory, announce_three, evaluate_three
    from letitride.rules.wagers import Award, Wager
    from letitride.simulation.figures import WagerFigures, figures, wager_figures
    from letitride.simulation.generator import deck
    from letitride.simulation.plan import Plan, plan, stakes_of
    from letitride.simulation.run import simulate
    from letitride.simulation.tallies import Tallies

__all__ = [
    "DECK",
    "NAMED_STRATEGIES",
    "AutoTable",
    "Award",
    "Bets",
    "Card",
    "Category",
    "Choice",
    "ClassValue",
    "Clause",
    "Cost",
    "Dealt",
    "Decide",
    "Decision",
    "Design",
    "Explained",
    "Exported",
    "Hand",
    "HandValue",
    "InvalidData",
    "InvariantBroken",
    "LetItRideError",
    "MissingData",
    "Outcome",
    "Pays",
    "Paytable",
    "Plan",
    "PlayedRound",
    "Price",
    "Progressive",
    "Record",
    "Refusal",
    "Refused",
    "Replayed",
    "RuleBook",
    "Rules",
    "ScriptLine",
    "Strategy",
    "Table",
    "TableRules",
    "Tallies",
    "ThreeCardCategory",
    "View",
    "Wager",
    "WagerFigures",
    "WagerResult",
    "WagerSheet",
    "Waits",
    "WhatIf",
    "__version__",
    "advise",
    "announce",
    "announce_three",
    "best_hands",
    "best_strategy",
    "check_book",
    "clause",
    "commands",
    "cost",
    "coupon_value",
    "decide",
    "deck",
    "design",
    "evaluate",
    "evaluate_three",
    "events",
    "evolve",
    "figures",
    "legal",
    "open_table",
    "parse_cards",
    "paytable",
    "paytable_from",
    "paytable_ids",
    "plan",
    "play",
    "play_round",
    "price",
    "progressive",
    "read_record",
    "record_of",
    "register",
    "replay",
    "rulebook",
    "rulebook_ids",
    "script",
    "settle_banked",
    "settle_round",
    "sheets",
    "simulate",
    "stakes_of",
    "strategy_from",
    "table_rules",
    "view",
    "wager_figures",
    "wager_from",
    "what_if",
    "why",
    "write_record",
]

_HOMES = {
    "AutoTable": "letitride.playing",
    "Award": "letitride.rules.wagers",
    "Bets": "letitride.playing",
    "Card": "letitride.rules.cards",
    "Category": "letitride.rules.hands",
    "Choice": "letitride.engine.state",
    "ClassValue": "letitride.analysis.strategy",
    "Clause": "letitride.rules.clauses",
    "Cost": "letitride.analysis.strategy",
    "DECK": "letitride.rules.cards",
    "Dealt": "letitride.autoplay.dealable",
    "Decide": "letitride.playing",
    "Decision": "letitride.playing",
    "Design": "letitride.analysis.design",
    "Explained": "letitride.records.why",
    "Exported": "letitride.records.exported",
    "Hand": "letitride.rules.settlement",
    "HandValue": "letitride.rules.hands",
    "InvalidData": "letitride.errors",
    "InvariantBroken": "letitride.errors",
    "LetItRideError": "letitride.errors",
    "MissingData": "letitride.errors",
    "NAMED_STRATEGIES": "letitride.analysis.strategy",
    "Outcome": "letitride.records.replay",
    "Pays": "letitride.rules.paytables",
    "Paytable": "letitride.rules.paytables",
    "Plan": "letitride.simulation.plan",
    "PlayedRound": "letitride.records.rounds",
    "Price": "letitride.analysis.base",
    "Progressive": "letitride.analysis.progressive",
    "Record": "letitride.records.record",
    "Refusal": "letitride.engine.refusal",
    "Refused": "letitride.playing",
    "Replayed": "letitride.records.replay",
    "RuleBook": "letitride.rules.rulebook",
    "Rules": "letitride.rules.keys",
    "ScriptLine": "letitride.engine.script",
    "Strategy": "letitride.analysis.strategy",
    "Table": "letitride.engine.state",
    "TableRules": "letitride.rules.table_rules",
    "Tallies": "letitride.simulation.tallies",
    "ThreeCardCategory": "letitride.rules.three_hands",
    "View": "letitride.engine.view_types",
    "Wager": "letitride.rules.wagers",
    "WagerFigures": "letitride.simulation.figures",
    "WagerResult": "letitride.rules.settlement",
    "WagerSheet": "letitride.analysis.par",
    "Waits": "letitride.autoplay.dealer",
    "WhatIf": "letitride.records.whatif",
    "advise": "letitride.analysis.strategy",
    "announce": "letitride.rules.hands",
    "announce_three": "letitride.rules.three_hands",
    "best_hands": "letitride.analysis.best_hand",
    "best_strategy": "letitride.analysis.strategy",
    "check_book": "letitride.autoplay.dealable",
    "clause": "letitride.rules.catalog",
    "commands": "letitride.engine",
    "cost": "letitride.analysis.strategy",
    "coupon_value": "letitride.analysis.coupons",
    "decide": "letitride.engine.decide",
    "deck": "letitride.simulation.generator",
    "design": "letitride.analysis.design",
    "evaluate": "letitride.rules.hands",
    "evaluate_three": "letitride.rules.three_hands",
    "events": "letitride.engine",
    "evolve": "letitride.engine.evolve",
    "figures": "letitride.simulation.figures",
    "legal": "letitride.engine.legal",
    "open_table": "letitride.engine.decide",
    "parse_cards": "letitride.rules.cards",
    "paytable": "letitride.rules.catalog",
    "paytable_from": "letitride.rules.catalog",
    "paytable_ids": "letitride.rules.catalog",
    "plan": "letitride.simulation.plan",
    "play": "letitride.engine.decide",
    "play_round": "letitride.playing",
    "price": "letitride.analysis.base",
    "progressive": "letitride.analysis.progressive",
    "read_record": "letitride.records.reader",
    "record_of": "letitride.records.exported",
    "register": "letitride.rules.catalog",
    "replay": "letitride.records.replay",
    "rulebook": "letitride.rules.catalog",
    "rulebook_ids": "letitride.rules.catalog",
    "script": "letitride.engine.script",
    "settle_banked": "letitride.rules.banking",
    "settle_round": "letitride.rules.settlement",
    "sheets": "letitride.analysis.par",
    "simulate": "letitride.simulation.run",
    "stakes_of": "letitride.simulation.plan",
    "strategy_from": "letitride.analysis.strategy",
    "table_rules": "letitride.rules.catalog",
    "view": "letitride.engine.view",
    "wager_figures": "letitride.simulation.figures",
    "wager_from": "letitride.rules.catalog",
    "what_if": "letitride.records.whatif",
    "why": "letitride.records.why",
    "write_record": "letitride.records.writer",
}
"""Where each name lives: a room is entered when something of it is first asked for, so that commands start quickly."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'letitride' has no attribute '{name}'")
    try:
        home = import_module(_HOMES[name])
    except ImportError as error:
        raise explained(f"letitride.{name}", error) from None
    # `commands` and `events` are modules of a room, everything else is a value of one
    found = getattr(home, name, None) or import_module(f"{_HOMES[name]}.{name}")
    if isinstance(found, FunctionType):
        found = import_module("letitride.rules.signatures").checked(found)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_environments()
