"""Words: what docs/style-of-words.md keeps out of texts that people see, as patterns; it reads no text itself."""

from __future__ import annotations

import re
from typing import Final

AVOIDED: Final = (
    r"\bchoices?\b",
    r"\bpull(s|ed|ing)?\b",
    r"\bgo(es)? back\b",
    r"\bretreat",
    r"\btroubles?\b",
    r"\bmishaps?\b",
    r"\bfaults?\b",
    r"\bincidents?\b(?! log)",
    r"\bcomplain",
    r"\bnext instance\b",
    r"\bverdict",
    r"\blet it go by\b",
    r"\bput up in all\b",
    r"\bcame to\b",
    r"\bto be expected\b",
    r"\bhold of drop\b|\bhold, of\b|\bhold by handle\b",
    r"\bleft in action\b",
    r"\bpeople of the house\b",
    r"\bwalks?\b",
    r"\b(ten|\d+) signs\b",
    r"(?<!base )\bgame\b",
    r"\bpassword so far\b|\bso far\b",
    r"\bcomes? to nothing\b",
    r"\bnoes\b",
    r"\bby its own lights\b",
    r"\b(he|his|him|himself)\b",
    r"\b(whoever|somebody|nobody|one's)\b",
    r"\bthe (least|most) bet\b|\bbet the (least|most)\b",
)
"""Patterns of the words that have a better one in the guide's table."""


def sentences_over(words_max: int, text: str) -> list[str]:
    """Return the sentences of a text that have more words."""
    return [one for one in re.split(r"(?<=[.!?…])\s+", text) if len(one.split()) > words_max]
