"""Promises: what must hold at a table after every command, each as a check that can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from letitride.chance.seeded import Seeded
from letitride.engine import commands, places
from letitride.engine.decide import Events, decide, play, round_results
from letitride.engine.evolve import evolve
from letitride.engine.legal import Refusal, legal
from letitride.engine.places import CardObject
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.engine.view import VIEWERS, view
from letitride.errors import InvariantBroken, LetItRideError
from letitride.ledger.postings import post, postings
from letitride.simulation.weather import do_step


class PromiseBroken(LetItRideError):
    """A promise that did not hold, by its name."""

    def __init__(self, promise: str, what: str) -> None:
        super().__init__(f"{promise}: {what}")
        self.promise = promise


def _demand(promise: str, holds: bool, what: str) -> None:
    if not holds:
        raise PromiseBroken(promise, what)


def step_and_check(table: Table, command: commands.AnyCommand) -> tuple[Table, Events | Refusal]:
    """Play a command and check what must hold after each: legality, money, cards, and replay."""
    refused = legal(table, command)
    try:
        after, outcome = play(table, command)
    except Exception as error:
        raise PromiseBroken("never an exception", f"{type(error).__name__}: {error}") from error
    if isinstance(outcome, Refusal):
        _demand("legal refuses what decide refuses", refused is not None, f"{command} was refused")
        _demand("a refusal changes nothing", after is table, f"{command} changed the table")
        return after, outcome
    _demand("legal refuses what decide refuses", refused is None, f"{command} was allowed")
    balances = dict(table.accounts)
    replayed = table
    for event in outcome:
        try:
            balances = post(balances, postings(event))
        except InvariantBroken as error:
            raise PromiseBroken("money is conserved", str(error)) from error
        replayed = evolve(replayed, event)
    _demand("money is conserved", balances == after.accounts, "the table's money is not the ledger's")
    _demand("replay equals live", replayed == after, "the events alone give another table")
    _cards_in_one_place(after)
    return after, outcome


def _cards_in_one_place(table: Table) -> None:
    found = [(card.deck, card.serial) for held in table.cards.values() for card in held]
    whole = 52 * table.rules.rules.decks
    _demand("every card is in one place", len(found) == len(set(found)) == whole, f"{len(set(found))} of {whole} cards")


def check_views(table: Table, chance: Seeded) -> None:
    """Check that no viewer's view, and no refusal he gets, depends on cards he may not see, and that offers hold."""
    for viewer in (*VIEWERS, *(f"seat:{number}" for number in table.seats)):
        shown = view(table, viewer)
        other = _other_world(table, viewer, chance)
        here, there = msgspec.json.encode(shown), msgspec.json.encode(view(other, viewer))
        _demand("views hide what they must", here == there, f"{viewer} sees a difference between two worlds")
        for command in _own_acts(viewer):
            told = legal(table, command), legal(other, command)
            _demand("refusals hide what they must", told[0] == told[1], f"{viewer} learns from {told}")
        for offer in shown["offers"]:
            offered: commands.AnyCommand = msgspec.convert(offer, commands.AnyCommand)
            accepted = not isinstance(decide(table, offered), Refusal)
            _demand("what is offered is accepted", accepted, f"{offered} was offered to {viewer}")


def _own_acts(viewer: str) -> Iterator[commands.AnyCommand]:
    if viewer.startswith("seat:"):
        seat = int(viewer.removeprefix("seat:"))
        yield commands.Tuck(by=viewer, seat=seat)
        yield commands.Claim(by=viewer, seat=seat, shown=True)
        yield commands.Claim(by=viewer, seat=seat, shown=False)


def _other_world(table: Table, viewer: str, chance: Seeded) -> Table:
    """Return the same table with the faces of all cards that a viewer cannot know dealt anew among themselves.

    What he can know is said here once more, and not asked of the view: that is what is on trial.
    """
    known = {places.hand(number) for number, seat in table.seats.items() if seat.looked and viewer == f"seat:{number}"}
    hidden = [
        (place, index)
        for place, held in sorted(table.cards.items())
        for index, card in enumerate(held)
        if not card.up and place not in known
    ]
    cards = {place: list(held) for place, held in table.cards.items()}
    for deck in range(1, table.rules.rules.decks + 1):
        mine = [(place, index) for place, index in hidden if table.cards[place][index].deck == deck]
        for (place, index), (there, at) in zip(mine, chance.shuffled(mine), strict=True):
            held = table.cards[place][index]
            cards[place][index] = CardObject(held.deck, held.serial, table.cards[there][at].face, held.up)
    other = replace(table, cards={place: tuple(held) for place, held in cards.items()})
    if table.phase != "settling" or any(not table.at(places.hand(number)) for number in table.dealt_in):
        return other
    results = round_results(other)  # what the other hands win there is another thing, too
    seats = {number: replace(seat, results=results.get(number, ())) for number, seat in other.seats.items()}
    return replace(other, seats=seats)


_ROUND_STEPS_MAX: Final = 600


def check_script_ends(table: Table, chance: Seeded) -> None:
    """Check that the script alone, with players who choose, leads from here to the end of the round."""
    number = table.round
    answers: dict[str, Callable[[Step], commands.AnyCommand]] = {
        "await_choice": lambda s: commands.Choose(by=f"seat:{s.seat}", seat=s.seat, bet=s.number, choice="ride"),  # type: ignore[arg-type]
    }
    for _ in range(_ROUND_STEPS_MAX):
        step = table.next_step
        if table.phase not in {"dealing", "choice_1", "choice_2", "settling"} or table.round != number or step is None:
            return
        command = answers[step.kind](step) if step.kind in answers else do_step(table, chance)
        table, outcome = play(table, command)
        _demand("the script leads on", not isinstance(outcome, Refusal), f"{step} was refused: {outcome}")
    raise PromiseBroken("the script leads on", f"the round did not end in {_ROUND_STEPS_MAX} steps")
