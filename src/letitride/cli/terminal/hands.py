"""Hands: cards, hands and odds as they are said in the language that is spoken; English is said as the rules say it."""

from __future__ import annotations

from typing import Final

from letitride.cli.terminal.language import FIRST, has_text, spoken, t
from letitride.records.rounds import ShownHand
from letitride.rules.cards import RANKS, Card
from letitride.rules.hands import Reading
from letitride.rules.money import dollars
from letitride.rules.paytables import FeltPay

ALL: Final = 100
"""Percent of a meter that are all of it."""


def card_words(card: Card) -> str:
    """Return a card as it is spoken: 'ten of hearts'."""
    if spoken() == FIRST:
        return card.name
    return t("card.of", rank=t(f"rank.{card.rank}"), suit=t(f"suit.{card.suit}"))


def hand_words(label: str) -> str:
    """Return a hand of a paytable: 'full house'; a house's own is called as the house calls it."""
    key = f"hand.{label.replace(' ', '_')}"
    return t(key) if has_text(key) else label


def read_words(hand: ShownHand) -> str:
    """Return a hand as the dealer reads it: 'full house, aces over kings'."""
    if spoken() == FIRST or not hand.words:
        return hand.words
    if not hand.readings:
        return t("read.none")
    five, *three = map(_read, hand.readings)
    return t("read.three", hand=five, three=three[0]) if three else five


def _read(one: Reading) -> str:
    name = hand_words(one.hand.replace("_", " "))
    keys = {"high": ("rank",), "card": ("rank",), "over": ("ranks", "others"), "both": ("ranks", "others")}
    named = {
        part: t(f"{'rank' if part == 'rank' else 'ranks'}.{RANKS.index(rank) + 2}")
        for part, rank in zip(keys.get(one.form, ("ranks",)), one.ranks, strict=False)
    }
    return t(f"read.{one.form}", hand=name, **named) if one.ranks else name


def odds_words(pay: FeltPay | None) -> str:
    """Return what a hand pays as the felt says it: '11 to 1', 'win $75', '10% of the meter'."""
    if pay is None:
        return ""
    if spoken() == FIRST:
        return str(pay)
    amount = dollars(pay.win_cents)
    if pay.odds is not None:
        return t("odds.to", pays=f"{pay.odds[0]:,}", one=pay.odds[1])
    if pay.take is None:
        return t("odds.win", amount=amount)
    part = dollars(pay.take.cents) if pay.take.cents else f"{pay.take.percent}%"
    share = t("odds.meter.whole") if pay.take.percent == ALL else t("odds.meter.part", part=part)
    return t("odds.and", share=share, amount=amount) if pay.win_cents else share
