"""Reporting: what can be reported at a table, by whom, with which facts, and what may follow; never what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    when: str = ""
    """In which situations it is ruled so; nothing where the situation makes no difference."""


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
        if not can_meet(rules, kind):
            continue
        cases = [(case, rule(rules, case)) for case in _situations(kind)]
        verdicts = list(dict.fromkeys(verdict for _, verdict in cases))
        yield Reportable(
            kind=kind,
            what=WHAT[kind],
            asks=("seat",) if kind in _OF_A_SEAT else ("community_card",) if kind == "exposed_community" else (),
            reporters=reporters(kind),
            keys=tuple(dict.fromkeys(verdict.key for verdict in verdicts)),
            outcomes=tuple(_outcomes(table, cases)),
        )


def can_meet(rules: Rules, kind: str) -> bool:
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


def _outcomes(table: TableRules, cases: list[tuple[Situation, Verdict]]) -> Iterator[Outcome]:
    """Yield what is ruled, each thing once, with all the clauses that may demand it."""
    found: dict[tuple[str, str], list[str]] = {}
    met: dict[tuple[str, str], list[Situation]] = {}
    for case, verdict in cases:
        ruled = verdict.decision, verdict.sentence.partition(": ")[2]
        found.setdefault(ruled, []).extend(cited(table.ruling_clauses, verdict.name, verdict.decision))
        met.setdefault(ruled, []).append(case)
    for (decision, sentence), clauses in found.items():
        when = _when(met[decision, sentence], [case for case, _ in cases])
        yield Outcome(decision, sentence, tuple(dict.fromkeys(clauses)), when)


def _when(cases: list[Situation], every: list[Situation]) -> str:
    """Return in words what tells some situations from the others."""
    if len(cases) == len(every):
        return ""
    said: list[str] = []
    for facts, (yes, no) in (*_FACTS, _SEVERAL["absent" if cases[0].kind == "absent" else ""]):
        of_these, of_all = ({bool(facts(one)) for one in some} for some in (cases, every))
        if len(of_these) == 1 and len(of_all) == 2:
            said.append(yes if of_these == {True} else no)
    # No player handles cards before all are dealt: one of the two says it.
    implied = {_DEALING: _UNHANDLED, _HANDLED: _DEALT}
    said = [one for one in said if one not in (implied[other] for other in said if other in implied)]
    return ", ".join(said) or "otherwise"


_Fact = tuple[Callable[[Situation], object], tuple[str, str]]
_DEALING: Final = "while cards are dealt"
_DEALT: Final = "after the deal"
_UNHANDLED: Final = "before players have handled their cards"
_HANDLED: Final = "once players have handled their cards"
_FACTS: Final[tuple[_Fact, ...]] = (
    (lambda one: one.in_deal, (_DEALING, _DEALT)),
    (lambda one: one.looked, (_HANDLED, _UNHANDLED)),
    (lambda one: one.seen, ("a face was seen", "no face was seen")),
    (lambda one: one.cards_out, ("a card of the round has left the device", "no card has left the device")),
)
"""What a ruling may depend on: where it is so, and where not."""
_SEVERAL: Final[Mapping[str, _Fact]] = {
    "absent": (lambda one: one.uneven is True, ("the bets are not three equal ones", "the bets are three equal ones")),
    "": (lambda one: one.exposed > 1, ("more than one card", "one card")),
}
