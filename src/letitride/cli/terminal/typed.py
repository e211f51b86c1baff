"""Typed: what a player's line means where the table waits for them; it asks nothing and does nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from letitride.cli.terminal.language import t
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
_COMMON: Final = {"?": "help", "h": "history", "s": "save", "c": "coach", "q": "quit"}
_DECISIONS: Final = {"r": "ride", "t": "take", "u": "tuck", "v": "show"}
_LETTERS: Final = frozenset((*_COMMON, *_DECISIONS, "d"))
"""The letters that mean something by themselves somewhere at the table, and so no side bet that begins with them."""


def _meaning(word: str, letters: Mapping[str, str]) -> str:
    """Return what a letter, or the word for it in the language that is spoken, means; '' where it is neither."""
    return letters.get(word) or next((name for name in letters.values() if t(f"word.{name}") == word), "")


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
    if common := _meaning(first, _COMMON):
        what: Any = common
        return Typed(what, text=" ".join(words[1:]))
    if first == t("word.buy"):
        return Typed("buy", cents=parse_cents(" ".join(words[1:]), _after(first)) if words[1:] else 0)
    match ask.kind:
        case "choice":
            return _choice(line.strip().lower(), rules)
        case "bank":
            return _bank(line.strip(), must=ask.must)
        case _:
            if first == t("word.pass"):
                return Typed("pass")
            coupon, named = 0, t("word.coupon")
            if named in [word.lower() for word in words]:
                at = [word.lower() for word in words].index(named)
                coupon = parse_cents(" ".join(words[at + 1 : at + 2]), _after(named))
                words = [*words[:at], *words[at + 2 :]]
            return Typed("bets", wagers=read_bets(words, rules) if words else dict(repeated), coupon_cents=coupon)


def _choice(text: str, rules: TableRules) -> Typed:
    first, *rest = text.split() or [""]
    meaning = _meaning(first, _DECISIONS)
    if rest and meaning == "take":
        found = _side_bet(rest, rules)
        if found is None or found[1] < len(rest):
            raise InvalidData(t("bad.back", got=text))
        return Typed("take_back", spot=found[0].spot)
    match "" if rest else meaning:
        case "ride":
            return Typed("choice", choice="ride")
        case "take":
            return Typed("choice", choice="withdraw")
        case "tuck":
            return Typed("tuck")
        case "show":
            return Typed("claim")
        case _:
            raise InvalidData(t("bad.decision", got=text or "none"))


def _bank(text: str, *, must: bool) -> Typed:
    if text.lower() in {"", "d", t("word.pass")} and not must:
        return Typed("decline")
    return Typed("take", cents=parse_cents(text, t("where.stake" if must else "where.stake_or_pass")))


def _after(word: str) -> str:
    return t("option.after", option=word)


def read_bets(words: list[str], rules: TableRules) -> dict[Spot, int]:
    """Read bets such as '10', '10 bonus', '10 three 5 cover 2'; a side bet without an amount is its minimum."""
    wagers: dict[Spot, int] = {}
    left = [word.lower() for word in words]
    if _side_bet(left, rules) is None:
        wagers.update(dict.fromkeys(BASE_SPOTS, parse_cents(left.pop(0), t("where.bets"))))
    while left:
        found = _side_bet(left, rules)
        if found is None:
            raise InvalidData(t("bad.bets", example=f"10{_example(rules)}", got=" ".join(words)))
        wager, many = found
        name, left = " ".join(left[:many]), left[many:]
        named = left and _side_bet(left, rules) is None
        wagers[wager.spot] = parse_cents(left.pop(0), _after(name)) if named else least_side(rules, wager)
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
    """Return the minimum of a side bet; 1 where it is not offered, which the table then says."""
    return side_limits(wager, rules.terms(wager.id)).cents_min if wager.id in rules.wagers else 1


def side_keys(rules: TableRules, taken: str) -> dict[str, Wager]:
    """Return a key for each side bet: the first letter of a word of its id, or any letter of it, that is free."""
    return _keys(rules.sides, taken)


def back_keys(rules: TableRules, taken: str) -> dict[str, Wager]:
    """Return a key for each side bet that may be taken back, where R, T, U and V are decisions."""
    return _keys([wager for wager in rules.sides if wager.withdraw], f"{taken}rtuv")


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
