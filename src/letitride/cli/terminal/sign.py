"""Sign: what a player reads before playing: the game, this table's rules and pays, and the best play; no keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from letitride.analysis.caps import ONE_HAND, ONE_PLAYER, taken_alone
from letitride.analysis.strategy import rides_with
from letitride.cli.terminal.coach import rule_words
from letitride.cli.terminal.hands import hand_words, odds_words
from letitride.cli.terminal.language import bet_name, listed, t
from letitride.cli.terminal.story import seat_words
from letitride.cli.terminal.wanted import Wanted
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays

_VALUES_FOR: Final = {ONE_PLAYER: "rules.payout.one_player", ONE_HAND: "rules.payout.one_hand"}
"""Whom the coach's values are for under a maximum payout that other hands count towards."""


def greeting(wanted: Wanted) -> Iterator[str]:
    """Yield who plays what, and where the cards come from."""
    where = seat_words(wanted.own_seats)
    yield t("greet.table", book=wanted.rules.book.title, seats=where, bots=wanted.seats - wanted.hands)
    yield t("greet.live") if wanted.seed is None else t("greet.practice", seed=str(wanted.seed))
    if wanted.stated:
        yield t("greet.stated", names=", ".join(wanted.stated))
    if not wanted.rules.rules.coach:
        yield t("greet.coach.off" if wanted.coach == "off" else "greet.coach.on")


def rules_lines(wanted: Wanted) -> Iterator[str]:
    """Yield the game and the particulars of this table."""
    rules, spot = wanted.rules.rules, spot_limits(wanted.rules.rules.limit)
    yield from (t("rules.bets"), t("rules.decide"), t("rules.hand"))
    yield t("rules.limits", least=dollars(spot.cents_min), most=dollars(spot.cents_max))
    if rules.hands_per_player > 1:
        yield t("rules.hands", hands=rules.hands_per_player)
    if rules.bank.mode == "player":
        yield t("rules.bank", hands=rules.bank.max_consecutive)
        yield t("rules.covered")
    if rules.fee.kind == "flat":
        yield t("rules.fee")
    if rules.decide.early_tuck != "no":
        yield t(f"rules.tuck.{rules.decide.early_tuck}")
    yield from _payout_lines(wanted)


def _payout_lines(wanted: Wanted) -> Iterator[str]:
    """Yield the maximum payout and what the coach makes of it, where the table has one."""
    payout = wanted.rules.rules.payout
    if payout.cap != "maximum" or payout.cents_max is None:
        return
    yield t(f"rules.payout.{payout.scope}", most=dollars(payout.cents_max))
    if payout.sides:
        yield t("rules.payout.sides", bets=listed(bet_name(wanted.rules.by_spot, side) for side in payout.sides))
    whom = taken_alone(payout, wanted.rules.rules.hands_per_player)
    yield t(_VALUES_FOR.get(whom, "rules.payout.coach"))


def pays_lines(wanted: Wanted) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each wager with what it pays, hand by hand."""
    for wager, pays in wanted.rules.pays.items():
        name = t("pays.base") if pays.wager.is_base else pays.wager.title
        paytable = f" ({wanted.rules.paytables[wager]})" if pays.wager.published else ""
        yield t("pays.of", bet=f"{name}{paytable}"), pays_rows(pays, wanted)


def pays_rows(pays: Pays, wanted: Wanted) -> list[tuple[str, str]]:
    """Return what each hand pays; where that depends on the number of hands, for as many as play."""
    hands = min(wanted.seats, len(pays.columns)) if len(pays.columns) > 1 else 0
    unit = side_limits(pays.wager, wanted.rules.terms(pays.wager.id)).cents_min
    return [(hand_words(label), odds_words(pay)) for label, pay in pays.on_the_felt(hands, unit).items()]


def best_play_lines(wanted: Wanted) -> Iterator[str]:
    """Yield the best play as a player learns it."""
    for bet, cards in ((1, 3), (2, 4)):
        rides = "; ".join(rule_words(rule, cards) for rule in rides_with(wanted.rules.base_pays, cards))
        yield t("best.rides", bet=bet, rules=rides) if rides else t("best.never", bet=bet)
