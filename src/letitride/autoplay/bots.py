"""Bots: how the house's own players act: best play, the minimum bets, and never more than their seat sees."""

from __future__ import annotations

from typing import Any, Final

from letitride.analysis.features import feature_of
from letitride.analysis.strategy import Strategy
from letitride.engine import commands
from letitride.engine.state import Choice
from letitride.rules.cards import Card

BUY_CENTS: Final = 20_000
"""What a bot buys in for, and buys again when it cannot bet."""


def next_act(seen: dict[str, Any], seat: int, strategy: Strategy, *, bets: bool = True) -> commands.AnyCommand | None:
    """Return what a bot does that sees this much of the table; None: it waits."""
    mine, by = seen["seats"][seat], f"seat:{seat}"
    offers = {offer["type"]: offer for offer in reversed(seen["offers"])}  # of each kind the first
    if "LookOver" in offers:
        return commands.LookOver(by=by, seat=seat)
    banks = seen["bank"] is not None and seen["bank"]["seat"] == seat  # whoever banks keeps it, and waits for bets
    if "TakeBank" in offers and bets and not mine["wagers"]:
        return commands.TakeBank(by=by, seat=seat, cents=offers["TakeBank"]["cents"])
    if "DeclineBank" in offers and bets and not banks and not mine["wagers"]:
        return commands.DeclineBank(by=by, seat=seat)
    if "Correct" in offers:
        return commands.Correct(by=by, seat=seat, cents=offers["Correct"]["cents"])
    if "Look" in offers and any(card.startswith("[") for card in mine["cards"]):
        return commands.Look(by=by, seat=seat)
    if "Choose" in offers:
        return _choose(seen, seat, offers["Choose"]["bet"], strategy)
    if not bets or banks or not seen["betting_open"] or mine["wagers"] or mine["sitting_out"]:
        return None
    if offers.get("PlaceWagers", {}).get("wagers"):
        return commands.PlaceWagers(by=by, seat=seat, wagers=offers["PlaceWagers"]["wagers"])
    return commands.BuyChips(by=by, seat=seat, cents=BUY_CENTS) if "BuyChips" in offers else None


def _choose(seen: dict[str, Any], seat: int, bet: int, strategy: Strategy) -> commands.Choose | None:
    shown = [*seen["seats"][seat]["cards"], *(card for card in seen["community"] if not card.startswith("["))]
    cards = [Card.parse(card) for card in shown if not card.startswith("[")][: bet + 2]
    if len(cards) != bet + 2 or len(set(cards)) != len(cards):
        return None  # something is wrong: that is for people to put right
    rides = feature_of(cards) in (strategy.bet1 if bet == 1 else strategy.bet2)
    choice: Choice = "ride" if rides else "withdraw"
    return commands.Choose(by=f"seat:{seat}", seat=seat, bet=1 if bet == 1 else 2, choice=choice)
