"""Choosing: what follows when a player lets a bet ride or takes one back; never whether it may be done."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.engine import commands, events
from letitride.engine.bets import may_take_back
from letitride.engine.evolve import evolve
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS


def choose(table: Table, command: commands.Choose) -> events.ChoiceMade:
    """Return that a base bet rides, or is withdrawn and pushed back."""
    back = (_pushed(command.seat, command.bet),) if command.choice == "withdraw" else ()
    signal = _signal(table, command)
    return events.ChoiceMade(seat=command.seat, bet=command.bet, choice=command.choice, signal=signal, inserted=back)


def withdraw_for_absent(table: Table, step: Step) -> Iterator[events.AnyEvent]:
    """Yield that all of a seat's bets that may be withdrawn now are, by a ruling for a player who is away."""
    yield events.ChoiceMade(
        seat=step.seat,
        bet=step.number,
        choice="withdraw",
        signal=events.RULED_FOR_ABSENT,
        inserted=(_pushed(step.seat, step.number),),
    )
    for spot in may_take_back(table, step.seat):
        yield take_back(step.seat, spot, events.RULED_FOR_ABSENT)


def _pushed(seat: int, bet: int) -> Step:
    return Step("push_back", seat, BASE_SPOTS[bet - 1], bet)


def take_back(seat: int, spot: Spot, signal: str = "") -> events.SideBetTakenBack:
    """Return that a side bet is taken back, and pushed back by the dealer."""
    inserted = (Step("push_back_side", seat, spot),)
    return events.SideBetTakenBack(seat=seat, wager=spot, signal=signal, inserted=inserted)


def _signal(table: Table, command: commands.Choose) -> str:
    if table.rules.rules.decide.signal == "asked":
        return "in answer to the dealer"
    if command.choice == "withdraw":
        return "by scratching the cards on the table"
    return f"by tucking the cards beneath bet {'2' if command.bet == 1 else '$'}"


def tuck(table: Table, number: int, signal: str = "by an early tuck") -> Iterator[events.AnyEvent]:
    """Yield that cards are tucked early: every bet that is not decided rides."""
    tucked = events.CardsTucked(seat=number)
    yield tucked
    following = evolve(table, tucked).agenda[:1]  # ChoiceMade takes it off, though no step was waited for
    for bet in (1, 2):
        if bet not in table.seats[number].choices:
            yield events.ChoiceMade(seat=number, bet=bet, choice="ride", signal=signal, inserted=following)
