"""Let It Ride: one rule book, many uses.

The small public face of the package; `docs/api.md` shows it at work.
"""

from letitride.engine import commands, events
from letitride.engine.decide import decide, open_table, play
from letitride.engine.evolve import evolve
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.script import ScriptLine, script
from letitride.engine.state import Table
from letitride.engine.view import view
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
    paytable_ids,
    register,
    rulebook,
    rulebook_ids,
    table_rules,
)
from letitride.rules.clauses import Clause
from letitride.rules.hands import Category, HandValue, announce, evaluate
from letitride.rules.keys import Rules
from letitride.rules.paytables import Award, Pays, Paytable, Wager
from letitride.rules.rulebook import RuleBook
from letitride.rules.settlement import Hand, WagerResult, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import ThreeCardCategory, announce_three, evaluate_three

__version__ = "0.1.0"

__all__ = [
    "DECK",
    "Award",
    "Card",
    "Category",
    "Clause",
    "Hand",
    "HandValue",
    "InvalidData",
    "InvariantBroken",
    "LetItRideError",
    "MissingData",
    "Pays",
    "Paytable",
    "Refusal",
    "RuleBook",
    "Rules",
    "ScriptLine",
    "Table",
    "TableRules",
    "ThreeCardCategory",
    "Wager",
    "WagerResult",
    "__version__",
    "announce",
    "announce_three",
    "clause",
    "commands",
    "decide",
    "evaluate",
    "evaluate_three",
    "events",
    "evolve",
    "legal",
    "open_table",
    "parse_cards",
    "paytable",
    "paytable_ids",
    "play",
    "read_record",
    "register",
    "replay",
    "rulebook",
    "rulebook_ids",
    "script",
    "settle_banked",
    "settle_round",
    "table_rules",
    "view",
    "what_if",
    "why",
    "write_record",
]
