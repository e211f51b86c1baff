"""Let It Ride: one rule book, many uses.

The small public face of the package; `docs/api.md` shows it at work.
"""

from letitride.errors import InvalidData, InvariantBroken, LetItRideError, MissingData
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
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import ThreeCardCategory, announce_three, evaluate_three

__version__ = "0.1.0"

__all__ = [
    "DECK",
    "Award",
    "Card",
    "Category",
    "Clause",
    "HandValue",
    "InvalidData",
    "InvariantBroken",
    "LetItRideError",
    "MissingData",
    "Pays",
    "Paytable",
    "RuleBook",
    "Rules",
    "TableRules",
    "ThreeCardCategory",
    "Wager",
    "__version__",
    "announce",
    "announce_three",
    "clause",
    "evaluate",
    "evaluate_three",
    "parse_cards",
    "paytable",
    "paytable_ids",
    "register",
    "rulebook",
    "rulebook_ids",
    "table_rules",
]
