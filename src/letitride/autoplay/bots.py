"""Bots: how the house's own players act: best play, the minimum bets, and never more than their seat sees."""

from __future__ import annotations

from typing import Final, Literal

from msgspec.structs import replace

from letitride.analysis.strategy import Strategy
from letitride.engine import commands
from letitride.engine.view_types import View
from letitride.rules.cards import JOKER, parse_face

BUY_CENTS: Final = 20_000
"""What a bot buys in for, and buys again when it cannot bet."""


def next_act(seen: View, seat: int, strategy: Strategy, *, bets: bool = True) -> commands.AnyCommand | None:
    """Return what a bot does that sees this much of the table; None: it waits."""
    mine = seen.seats[seat]
    if (look_over := seen.offer(commands.LookOver, seat)) is not None:
        return look_over
    if bets and mine.sitting_out and (back := seen.offer(commands.SitOut, seat)) is not None:
        return back  # its time ran out, as it does where a server stands still
    banks = seen.bank is not None and seen.bank.seat == seat  # the bank keeps it, and waits for bets
    if bets and not mine.wagers and (take := seen.offer(commands.TakeBank, seat)) is not None:
        return take
    if bets and not banks and not mine.wagers and (decline := seen.offer(commands.DeclineBank, seat)) is not None:
        return decline if mine.stack_cents >= BUY_CENTS else _buy(seen, seat)  # to take it next time
    if (correct := seen.offer(commands.Correct, seat)) is not None:
        return correct
    if any(card.startswith("[") for card in mine.cards) and (look := seen.offer(commands.Look, seat)) is not None:
        return look
    if (choose := seen.offer(commands.Choose, seat)) is not None:
        return _choose(seen, seat, choose.bet, strategy)
    if not bets or banks or not seen.betting_open or mine.wagers:
        return None
    if (place := seen.offer(commands.PlaceWagers, seat)) is not None and place.wagers:
        return place
    return _buy(seen, seat)


def _buy(seen: View, seat: int) -> commands.BuyChips | None:
    buy = seen.offer(commands.BuyChips, seat)
    return None if buy is None else replace(buy, cents=BUY_CENTS)


def _choose(seen: View, seat: int, bet: Literal[1, 2], strategy: Strategy) -> commands.Choose | None:
    shown = [*seen.seats[seat].cards, *(card for card in seen.community if not card.startswith("["))]
    cards = [parse_face(card) for card in shown if not card.startswith("[")][: bet + 2]
    if len(cards) != bet + 2 or len(set(cards)) != len(cards) or JOKER in cards:
        return None  # something is wrong: that is for people to put right
    return commands.Choose(seat=seat, bet=bet, choice=strategy.choice(cards))
