"""Typed: what a person's line means where the table waits for him; it asks nothing and does nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from letitride.cli.terminal.session import Ask
from letitride.cli.terminal.wanted import parse_cents
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules.paytables import Wager
from letitride.rules.settlement import BASE_SPOTS, WagerName
from letitride.rules.table_rules import TableRules

SIDE_BETS: Final[dict[str, WagerName]] = {
    "bonus": "bonus",
    "three": "three_card",
    "three-card": "three_card",
    "three_card": "three_card",
    "cover": "cover_all",
    "cover-all": "cover_all",
    "cover_all": "cover_all",
}
_COMMON: Final[dict[str, str]] = {
    **dict.fromkeys(("?", "help"), "help"),
    **dict.fromkeys(("h", "history"), "history"),
    **dict.fromkeys(("s", "save"), "save"),
    **dict.fromkeys(("c", "coach"), "coach"),
    **dict.fromkeys(("q", "quit", "exit"), "quit"),
}
_CHOICES: Final[dict[str, str]] = {
    **dict.fromkeys(("r", "ride"), "ride"),
    **dict.fromkeys(("p", "pull", "back", "withdraw"), "withdraw"),
    **dict.fromkeys(("t", "tuck"), "tuck"),
    **dict.fromkeys(("v", "show", "wave"), "claim"),
}


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line asks for."""

    what: Literal[
        "bets", "choice", "tuck", "claim", "take", "decline", "buy", "help", "history", "save", "coach", "quit"
    ]
    wagers: dict[WagerName, int] = field(default_factory=dict)
    choice: Choice = "withdraw"
    cents: int = 0
    text: str = ""
    """What comes after the word, such as the name of a file."""


def read_line(line: str, ask: Ask, rules: TableRules, repeated: dict[WagerName, int]) -> Typed:
    """Return what a line means, or say what was expected."""
    words = line.split()
    first = words[0].lower() if words else ""
    if first in _COMMON:
        common: Any = _COMMON[first]
        return Typed(common, text=" ".join(words[1:]))
    if first == "buy":
        return Typed("buy", cents=parse_cents(" ".join(words[1:]), "after buy") if words[1:] else 0)
    match ask.kind:
        case "choice":
            return _choice(line.strip().lower())
        case "bank":
            return _bank(line.strip(), must=ask.must)
        case _:
            return Typed("bets", wagers=read_bets(words, rules) if words else dict(repeated))


def _choice(text: str) -> Typed:
    match _CHOICES.get(text):
        case "ride":
            return Typed("choice", choice="ride")
        case "withdraw":
            return Typed("choice", choice="withdraw")
        case "tuck":
            return Typed("tuck")
        case "claim":
            return Typed("claim")
        case _:
            raise InvalidData(f"expected r to let it ride or p to pull it back, got '{text}'")


def _bank(text: str, *, must: bool) -> Typed:
    if text.lower() in {"", "d", "decline", "no"} and not must:
        return Typed("decline")
    return Typed("take", cents=parse_cents(text, "as the stake of the bank, or d to decline"))


def read_bets(words: list[str], rules: TableRules) -> dict[WagerName, int]:
    """Read bets such as '10', '10 bonus', '10 three 5 cover 2'; a side bet without an amount is the least one."""
    wagers: dict[WagerName, int] = {}
    left = [word.lower() for word in words]
    if left[0] not in SIDE_BETS:
        base = parse_cents(left.pop(0), "for each of the three bets")
        wagers.update(dict.fromkeys(BASE_SPOTS, base))
    while left:
        name = left.pop(0)
        if name not in SIDE_BETS:
            raise InvalidData(f"expected bets such as '10' or '10{_example(rules)}', got '{' '.join(words)}'")
        wager = SIDE_BETS[name]
        named = left and left[0] not in SIDE_BETS
        wagers[wager] = parse_cents(left.pop(0), f"after {name}") if named else least_side(rules, wager)
    return wagers


def least_side(rules: TableRules, wager: WagerName) -> int:
    """Return the least amount of a side bet; 1 where it is not offered, which the table then says."""
    if Wager(wager) not in rules.pays:
        return 1
    section: Any = getattr(rules.rules, wager)
    return int(section.cents if wager == "bonus" else section.cents_min)


def offered_sides(rules: TableRules) -> list[WagerName]:
    """Return the side bets a table offers."""
    sides: tuple[WagerName, ...] = ("bonus", "three_card", "cover_all")
    return [wager for wager in sides if Wager(wager) in rules.pays]


def _example(rules: TableRules) -> str:
    sides = offered_sides(rules)
    return f" {sides[0].partition('_')[0]}" if sides else ".50"
