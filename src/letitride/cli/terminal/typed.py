"""Typed: what a person's line means where the table waits for him; it asks nothing and does nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from letitride.cli.terminal.session import Ask
from letitride.cli.terminal.wanted import parse_cents
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules.limits import side_limits
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.wagers import Wager

_NAME_WORDS_MAX: Final = 6
"""A title of more words is typed by its beginning."""
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
_LETTERS: Final = frozenset(word for word in (*_COMMON, *_CHOICES, "d") if len(word) == 1)
"""The letters that mean something by themselves somewhere at the table, and so no side bet that begins with them."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line asks for."""

    what: Literal[
        "bets",
        "pass",
        "choice",
        "take_back",
        "tuck",
        "claim",
        "take",
        "decline",
        "buy",
        "help",
        "history",
        "save",
        "coach",
        "quit",
    ]
    wagers: dict[Spot, int] = field(default_factory=dict)
    choice: Choice = "withdraw"
    cents: int = 0
    coupon_cents: int = 0
    """The match-play coupon that is laid with the bets; 0: none."""
    spot: Spot = ""
    """The side bet that is taken back; nothing: the one that may be."""
    text: str = ""
    """What comes after the word, such as the name of a file."""


def read_line(line: str, ask: Ask, rules: TableRules, repeated: dict[Spot, int]) -> Typed:
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
            return _choice(line.strip().lower(), rules)
        case "bank":
            return _bank(line.strip(), must=ask.must)
        case _:
            if first == "pass":
                return Typed("pass")
            coupon = 0
            if "coupon" in [word.lower() for word in words]:
                at = [word.lower() for word in words].index("coupon")
                coupon = parse_cents(" ".join(words[at + 1 : at + 2]), "after coupon")
                words = [*words[:at], *words[at + 2 :]]
            return Typed("bets", wagers=read_bets(words, rules) if words else dict(repeated), coupon_cents=coupon)


def _choice(text: str, rules: TableRules) -> Typed:
    first, *rest = text.split() or [""]
    if rest and _CHOICES.get(first) == "withdraw":
        found = _side_bet(rest, rules)
        if found is None or found[1] < len(rest):
            raise InvalidData(f"expected p and the name of a side bet, got '{text}'")
        return Typed("take_back", spot=found[0].spot)
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


def read_bets(words: list[str], rules: TableRules) -> dict[Spot, int]:
    """Read bets such as '10', '10 bonus', '10 three 5 cover 2'; a side bet without an amount is the least one."""
    wagers: dict[Spot, int] = {}
    left = [word.lower() for word in words]
    if _side_bet(left, rules) is None:
        wagers.update(dict.fromkeys(BASE_SPOTS, parse_cents(left.pop(0), "for each of the three bets")))
    while left:
        found = _side_bet(left, rules)
        if found is None:
            raise InvalidData(f"expected bets such as '10' or '10{_example(rules)}', got '{' '.join(words)}'")
        wager, many = found
        name, left = " ".join(left[:many]), left[many:]
        named = left and _side_bet(left, rules) is None
        wagers[wager.spot] = parse_cents(left.pop(0), f"after {name}") if named else least_side(rules, wager)
    return wagers


def _side_bet(words: list[str], rules: TableRules) -> tuple[Wager, int] | None:
    """Return the side bet that words begin with, and how many of them name it."""
    known = [wager for wager in rules.book.wagers.values() if not wager.is_base]
    for many in range(min(len(words), _NAME_WORDS_MAX), 0, -1):
        typed = _letters("".join(words[:many]))
        if many == 1 and not any(sign.isalpha() for sign in typed):  # an amount
            break
        for wagers in (rules.sides, known):  # of one that is not offered the table says so
            exact = [wager for wager in wagers if typed in _names(wager)]
            short = typed in _LETTERS
            begun = [one for one in wagers if not short and any(name.startswith(typed) for name in _names(one))]
            if typed and len(exact or begun) == 1:
                return (exact or begun)[0], many
    return None


def _names(wager: Wager) -> tuple[str, ...]:
    return tuple(map(_letters, (wager.title, wager.id, wager.label)))


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def least_side(rules: TableRules, wager: Wager) -> int:
    """Return the least amount of a side bet; 1 where it is not offered, which the table then says."""
    return side_limits(wager, rules.terms(wager.id)).cents_min if wager.id in rules.wagers else 1


def side_keys(rules: TableRules, taken: str) -> dict[str, Wager]:
    """Return a key for each side bet: the first letter of a word of its id, or any letter of it, that is free."""
    return _keys(rules.sides, taken)


def back_keys(rules: TableRules, taken: str) -> dict[str, Wager]:
    """Return a key for each side bet that may be taken back, where R, P, T and V are choices."""
    return _keys([wager for wager in rules.sides if wager.withdraw], f"{taken}rptv")


def _keys(sides: Iterable[Wager], taken: str) -> dict[str, Wager]:
    keys: dict[str, Wager] = {}
    for wager in sides:
        letters = [word[0] for word in wager.id.split("_") if word] + [*wager.id, *wager.title.lower()]
        free = next((one for one in letters if one.isascii() and one.isalpha() and one not in {*taken, *keys}), "")
        if free:
            keys[free] = wager
    return keys


def _example(rules: TableRules) -> str:
    return f" {rules.sides[0].title.lower()}" if rules.sides else ".50"
