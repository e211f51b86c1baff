"""Let It Ride: one rule book, many uses.

The small public face of the package; `docs/api.md` shows it at work.
"""

from __future__ import annotations

from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any

from letitride.extras import explained
from letitride.version import __version__

if TYPE_CHECKING:
    from letitride.analysis.base import Price, price
    from letitride.analysis.best_hand import best_hands
    from letitride.analysis.coupons import coupon_value
    from letitride.analysis.design import Design, design
    from letitride.analysis.par import sheets
    from letitride.analysis.progressive import progressive
    from letitride.analysis.strategy import advise
    from letitride.autoplay.dealable import Dealt, check_book
    from letitride.engine import commands, events
    from letitride.engine.decide import decide, open_table, play
    from letitride.engine.evolve import evolve
    from letitride.engine.legal import legal
    from letitride.engine.refusal import Refusal
    from letitride.engine.script import ScriptLine, script
    from letitride.engine.state import Table
    from letitride.engine.view import view
    from letitride.engine.view_types import View
    from letitride.errors import InvalidData, InvariantBroken, LetItRideError, MissingData
    from letitride.records.reader import read_record
    from letitride.records.replay import replay
    from letitride.records.whatif import what_if
    from letitride.records.why import why
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
    from letitride.simulation.figures import wager_figures
    from letitride.simulation.generator import deck
    from letitride.simulation.plan import plan, stakes_of
    from letitride.simulation.run import simulate

__all__ = [
    "DECK",
    "Award",
    "Card",
    "Category",
    "Clause",
    "Dealt",
    "Design",
    "Hand",
    "HandValue",
    "InvalidData",
    "InvariantBroken",
    "LetItRideError",
    "MissingData",
    "Pays",
    "Paytable",
    "Price",
    "Refusal",
    "RuleBook",
    "Rules",
    "ScriptLine",
    "Table",
    "TableRules",
    "ThreeCardCategory",
    "View",
    "Wager",
    "WagerResult",
    "__version__",
    "advise",
    "announce",
    "announce_three",
    "best_hands",
    "check_book",
    "clause",
    "commands",
    "coupon_value",
    "decide",
    "deck",
    "design",
    "evaluate",
    "evaluate_three",
    "events",
    "evolve",
    "legal",
    "open_table",
    "parse_cards",
    "paytable",
    "paytable_from",
    "paytable_ids",
    "plan",
    "play",
    "price",
    "progressive",
    "read_record",
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
    "table_rules",
    "view",
    "wager_figures",
    "what_if",
    "why",
    "write_record",
]

_HOMES = {
    "Award": "letitride.rules.wagers",
    "Card": "letitride.rules.cards",
    "Category": "letitride.rules.hands",
    "Clause": "letitride.rules.clauses",
    "DECK": "letitride.rules.cards",
    "Dealt": "letitride.autoplay.dealable",
    "Hand": "letitride.rules.settlement",
    "HandValue": "letitride.rules.hands",
    "InvalidData": "letitride.errors",
    "InvariantBroken": "letitride.errors",
    "LetItRideError": "letitride.errors",
    "MissingData": "letitride.errors",
    "Pays": "letitride.rules.paytables",
    "Paytable": "letitride.rules.paytables",
    "Price": "letitride.analysis.base",
    "Refusal": "letitride.engine.refusal",
    "RuleBook": "letitride.rules.rulebook",
    "Rules": "letitride.rules.keys",
    "ScriptLine": "letitride.engine.script",
    "Table": "letitride.engine.state",
    "TableRules": "letitride.rules.table_rules",
    "ThreeCardCategory": "letitride.rules.three_hands",
    "View": "letitride.engine.view_types",
    "Wager": "letitride.rules.wagers",
    "WagerResult": "letitride.rules.settlement",
    "deck": "letitride.simulation.generator",
    "plan": "letitride.simulation.plan",
    "progressive": "letitride.analysis.progressive",
    "simulate": "letitride.simulation.run",
    "stakes_of": "letitride.simulation.plan",
    "wager_figures": "letitride.simulation.figures",
    "advise": "letitride.analysis.strategy",
    "announce": "letitride.rules.hands",
    "announce_three": "letitride.rules.three_hands",
    "best_hands": "letitride.analysis.best_hand",
    "check_book": "letitride.autoplay.dealable",
    "clause": "letitride.rules.catalog",
    "commands": "letitride.engine",
    "coupon_value": "letitride.analysis.coupons",
    "decide": "letitride.engine.decide",
    "Design": "letitride.analysis.design",
    "design": "letitride.analysis.design",
    "evaluate": "letitride.rules.hands",
    "evaluate_three": "letitride.rules.three_hands",
    "events": "letitride.engine",
    "evolve": "letitride.engine.evolve",
    "legal": "letitride.engine.legal",
    "open_table": "letitride.engine.decide",
    "parse_cards": "letitride.rules.cards",
    "paytable": "letitride.rules.catalog",
    "paytable_from": "letitride.rules.catalog",
    "paytable_ids": "letitride.rules.catalog",
    "play": "letitride.engine.decide",
    "price": "letitride.analysis.base",
    "read_record": "letitride.records.reader",
    "register": "letitride.rules.catalog",
    "replay": "letitride.records.replay",
    "rulebook": "letitride.rules.catalog",
    "rulebook_ids": "letitride.rules.catalog",
    "script": "letitride.engine.script",
    "settle_banked": "letitride.rules.banking",
    "settle_round": "letitride.rules.settlement",
    "sheets": "letitride.analysis.par",
    "table_rules": "letitride.rules.catalog",
    "view": "letitride.engine.view",
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
