"""Words: what docs/style-of-words.md keeps out of texts that people see, as patterns; it reads no text itself."""

from __future__ import annotations

import re
from typing import Final

AVOIDED: Final = (
    r"\bchoices?\b(?! (of (source|languages?|words)|between)\b)",
    r"(?<!git )(?<!docker )(?<!podman )\bpull(s|ed|ing)?\b(?!-| requests?\b)",
    r"\b(bets?|stakes?|wagers?|chips|money) (that )?(went|go|goes|going) back\b|\bgo(es)? back\b(?! (to|from|in|over|up|further)\b)",
    r"\bretreat",
    r"\btroubles?\b",
    r"\bmishaps?\b",
    r"(?<!\bat )(?<!page )(?<!segmentation )\bfaults?\b(?! (inject|toleran))",
    r"(?<!security )\bincidents?\b(?! (logs?|response)\b)",
    r"\bcomplain",
    r"\bnext instance\b|\bthrough the instances\b",
    r"\bverdict",
    r"\blet it go by\b",
    r"\bput up in all\b",
    r"\bcame to\b(?! (be|the|a|an|light|rest)\b)",
    r"\b(is|are|was|were) to be expected\b",
    r"\bhold of drop\b|\bhold, of\b|\bhold by handle\b",
    r"\bleft in action\b",
    r"\bpeople of the house\b",
    r"\baudit walks?\b|\bwalk(s|ed|ing)? (back |through |over )*(a |the |this |that |your |their )?(rounds?|hands?)\b",
    r"\b(eight|ten|twelve|control|printable|\d+) signs\b|\bsigns (or more|at (least|most))\b",
    r"\b(next|previous|last|new) game\b(?! (mathematician|protection|table))",
    r"\b(during|between|before|after) (the|a) games?\b(?! (mathematician|protection|table))",
    r"\bso far\b(?! (as|away|apart|from)\b)",
    r"\b(come|comes|came|coming) to nothing\b",
    r"\bnoes\b",
    r"\bby (its|their) own lights\b",
    r"\b(he|his|him|himself)\b",
    r"\b(whoever|whomever|somebody|nobody|oneself)\b",
    r"(?<!\bno )(?<!\beach )(?<!\bthis )(?<!\bthat )(?<!\bthe )(?<!\bnext )\bone's\b",
    r"\bbec(ome|omes|ame) of\b",
    r"\bheld against\b",
    r"\bof the most possible\b|\bto and fro\b",
    r"\bthe (least|most) bet\b|\bbet(s|ting)? the (least|most)\b",
    r"\b(colours?|behaviours?|neighbour\w*|favour\w*|defences?|licences?|analysers?|practis\w*|recognis\w*|judgements?)\b",
    r"\b(labell|signall|cancell)(ed|ing)\b",
)
"""Patterns of the words that have a better one in the guide's table; a word's other senses are let through one by one."""

ON_SCREEN: Final = (*AVOIDED, r"(?<!base )\bgame\b", r"\bwalks?\b", r"\bgo(es)? back\b", r"\bcame to\b")
"""Patterns for the page, which has no room for the other senses."""


def sentences_over(words_max: int, text: str) -> list[str]:
    """Return the sentences of a text that have more words."""
    return [one for one in re.split(r"(?<=[.!?…])\s+", text) if len(one.split()) > words_max]
