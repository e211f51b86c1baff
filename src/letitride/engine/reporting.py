"""Reporting: what can be reported at a table, who may, what he is asked, what may follow; never whether it is so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

import msgspec

from letitride.engine.faults import can_misburn
from letitride.engine.rulings import cited
from letitride.rules.keys import Rules
from letitride.rules.keyspec import KEYS
from letitride.rules.roles import DEVICE_REPORTS, reporters
from letitride.rules.rulings import REPORTED, WHAT, Irregularity, Situation, Verdict, rule
from letitride.rules.table_rules import TableRules

Fact = Literal["seat", "community_card"]

_OF_A_SEAT: Final = frozenset(
    {"exposed_card", "hand_count", "stray_hand", "uneven_bets", "under_minimum", "over_maximum", "absent"}
)
_IN_DEAL: Final = frozenset({"exposed_burn", "drawn_card"})
"""What comes to light only while cards come from the deck; later it would be ruled otherwise."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a report may come to, and the clauses that demand it; without any it is a house default."""

    decision: str
    sentence: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reportable:
    """Something that may be reported at a table."""

    kind: str
    what: str
    asks: tuple[Fact, ...]
    """What a report has to say: which seat, or which of the community cards."""
    reporters: tuple[str, ...]
    """Who may report it: roles, and 'player' for anybody seated."""
    keys: tuple[str, ...]
    """The keys of the rule book that decide it."""
    outcomes: tuple[Outcome, ...]


def reportable(table: TableRules) -> Iterator[Reportable]:
    """Yield what can be reported at a table by its rules, as they stand in `docs/irregularities.md`."""
    rules = table.rules
    for kind in REPORTED:
        if not _can_be(rules, kind):
            continue
        verdicts = list(dict.fromkeys(rule(rules, case) for case in _situations(kind)))
        yield Reportable(
            kind=kind,
            what=WHAT[kind],
            asks=("seat",) if kind in _OF_A_SEAT else ("community_card",) if kind == "exposed_community" else (),
            reporters=reporters(kind),
            keys=tuple(dict.fromkeys(verdict.key for verdict in verdicts)),
            outcomes=tuple(_outcomes(table, verdicts)),
        )


def _can_be(rules: Rules, kind: str) -> bool:
    """Whether a book can meet something: no shuffler fails where there is none, no card is exposed that is dealt up."""
    if kind in DEVICE_REPORTS or kind == "unloaded":
        return rules.device == "shuffler" and (kind != "unloaded" or rules.deal.unit == "packet")
    if kind == "wrong_burn":
        return can_misburn(rules)
    if kind == "exposed_burn" and rules.burn.card != "bottom_of_packet":
        return False
    return kind not in {"exposed_card", "exposed_burn"} or KEYS["irreg.exposed_one"].applies_to(rules)


def _situations(kind: Irregularity) -> Iterator[Situation]:
    """Yield enough situations in which something can come to light to meet every ruling on it."""
    yes_no, no_yes = (True, False), (False, True)
    for in_deal, handled, several, seen, out in product(yes_no, no_yes, no_yes, yes_no, yes_no):
        if (in_deal and handled) or (not in_deal and kind in _IN_DEAL):
            continue  # no player handles cards before all are dealt
        yield Situation(
            kind=kind,
            in_deal=in_deal,
            hands=1,
            looked=int(handled),
            own_look=handled,
            exposed=1 + several,
            seen=seen,
            cards_out=out,
            uneven=True if several else msgspec.UNSET,  # no ruling depends on both
        )


def _outcomes(table: TableRules, verdicts: list[Verdict]) -> Iterator[Outcome]:
    """Yield what is ruled, each thing once, with all the clauses that may demand it."""
    found: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        sentence = verdict.sentence.partition(": ")[2]
        found.setdefault((verdict.decision, sentence), []).extend(
            cited(table.ruling_clauses, verdict.name, verdict.decision)
        )
    for (decision, sentence), clauses in found.items():
        yield Outcome(decision, sentence, tuple(dict.fromkeys(clauses)))
