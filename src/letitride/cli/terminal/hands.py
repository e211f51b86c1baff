"""Hands: cards, hands and odds as they are said in the language that is spoken; English is said as the rules say it."""

from __future__ import annotations

import re
from typing import Final

from letitride.cli.terminal.language import FIRST, has_text, spoken, t
from letitride.rules.cards import RANK_NAMES, Card
from letitride.rules.hands import plural

_RANKS: Final = {name: str(rank) for rank, name in RANK_NAMES.items()}
_PLURALS: Final = {plural(rank): str(rank) for rank in RANK_NAMES}
_READ: Final = (
    ("high", re.compile(r"(?P<hand>[a-z ]+), (?P<rank>\w+) high")),
    ("over", re.compile(r"(?P<hand>full house), (?P<ranks>\w+) over (?P<others>\w+)")),
    ("both", re.compile(r"(?P<hand>two pair), (?P<ranks>\w+) and (?P<others>\w+)")),
    ("of", re.compile(r"(?P<hand>[a-z ]+), (?P<ranks>\w+)")),
    ("pair", re.compile(r"pair of (?P<ranks>\w+)")),
    ("card", re.compile(r"(?P<rank>\w+) high")),
)
"""How a dealer reads a hand, in English, which is what records keep."""
_THREE: Final = "; three cards: "


def card_words(card: Card) -> str:
    """Return a card as it is spoken: 'ten of hearts'."""
    if spoken() == FIRST:
        return card.name
    return t("card.of", rank=t(f"rank.{card.rank}"), suit=t(f"suit.{card.suit}"))


def hand_words(label: str) -> str:
    """Return a hand of a paytable: 'full house'; a house's own is called as the house calls it."""
    key = f"hand.{label.replace(' ', '_')}"
    return t(key) if has_text(key) else label


def read_words(says: str) -> str:
    """Return a hand as the dealer reads it: 'full house, aces over kings'."""
    if spoken() == FIRST:
        return says
    hand, _, three = says.partition(_THREE)
    return t("read.three", hand=_read(hand), three=_read(three)) if three else _read(hand)


def _read(says: str) -> str:
    for name, pattern in _READ:
        if match := pattern.fullmatch(says):
            return t(f"read.{name}", **{part: _part(part, words) for part, words in match.groupdict().items()})
    return hand_words(says)


def _part(part: str, words: str) -> str:
    if part == "hand":
        return hand_words(words)
    found = (_RANKS if part == "rank" else _PLURALS).get(words)
    return words if found is None else t(f"{'rank' if part == 'rank' else 'ranks'}.{found}")


def odds_words(odds: str) -> str:
    """Return what a hand pays as the felt says it: '11 to 1', 'win $75', '10% of the meter'."""
    if spoken() == FIRST:
        return odds
    if match := re.fullmatch(r"([\d,]+) to (\d+)", odds):
        return t("odds.to", pays=match[1], one=match[2])
    if match := re.fullmatch(r"win (\S+)", odds):
        return t("odds.win", amount=match[1])
    share, _, beside = odds.partition(" and ")
    if share == "the whole meter":
        share = t("odds.meter.whole")
    elif match := re.fullmatch(r"(\S+) of the meter", share):
        share = t("odds.meter.part", part=match[1])
    return t("odds.and", share=share, amount=beside) if beside else share
