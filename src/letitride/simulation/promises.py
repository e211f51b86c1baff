"""Promises over time: that views hide what they must and that the script leads on, tried on worlds made by chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from letitride.chance.seeded import Seeded
from letitride.engine import commands, events, faults, places
from letitride.engine.bets import claimed_spot, complete
from letitride.engine.decide import decide, play
from letitride.engine.legal import legal
from letitride.engine.places import CardObject
from letitride.engine.promises import PromiseBroken, cards_in_one_place, demand
from letitride.engine.refusal import Refusal
from letitride.engine.results import round_results
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.engine.view import view
from letitride.ledger import accounts
from letitride.rules.limits import spot_limits
from letitride.rules.roles import VIEWERS
from letitride.rules.settlement import Results, Spot, WagerResult
from letitride.rules.wager_table import BASE_SPOTS
from letitride.simulation.random_commands import do_step


def check_views(table: Table, chance: Seeded) -> None:
    """Check that no viewer's view or refusal depends on cards they may not see, and that offers hold."""
    for viewer in (*VIEWERS, *(f"seat:{number}" for number in table.seats)):
        shown = view(table, viewer)
        other = _other_world(table, viewer, chance)
        here, there = msgspec.json.encode(shown), msgspec.json.encode(view(other, viewer))
        demand("views hide what they must", here == there, f"{viewer} sees a difference between two worlds")
        for command in _own_acts(viewer):
            told = legal(table, command), legal(other, command)
            demand("refusals hide what they must", told[0] == told[1], f"{viewer} learns from {told}")
        for offered in shown.offers:
            accepted = not isinstance(decide(table, offered), Refusal)
            demand("what is offered is accepted", accepted, f"{offered} was offered to {viewer}")


def _own_acts(viewer: str) -> Iterator[commands.AnyCommand]:
    if viewer.startswith("seat:"):
        seat = int(viewer.removeprefix("seat:"))
        yield commands.Tuck(by=viewer, seat=seat)
        yield commands.Claim(by=viewer, seat=seat, shown=True)
        yield commands.Claim(by=viewer, seat=seat, shown=False)


def _other_world(table: Table, viewer: str, chance: Seeded) -> Table:
    """Return the same table with the faces of all cards that a viewer cannot know dealt anew among themselves.

    What they can know is stated here again, and not taken from the view, which is under test.
    """
    # Where the book lets them, players show one another their cards.
    shared = viewer.startswith("seat:") and not table.rules.rules.cards.hidden
    looked = [number for number, seat in table.seats.items() if seat.looked]
    me = table.seats[int(viewer.removeprefix("seat:"))].player if viewer.startswith("seat:") else ""
    own = {number for number, seat in table.seats.items() if viewer == f"seat:{number}" or (me and seat.player == me)}
    known = {places.hand(number) for number in looked if shared or number in own}
    if viewer == "dealer" and table.phase == "choice_1":  # a claimed hand, until it is paid
        claims = {number: seat for number, seat in table.seats.items() if seat.claim == "claimed"}
        known |= {places.hand(number) for number in claims if table.cents(accounts.felt(number, claimed_spot(table)))}
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
    if not any(seat.results for seat in table.seats.values() if seat.dealt_in):
        return other
    if any(not table.at(places.hand(number)) for number in table.dealt_in):
        return other
    results = round_results(other)  # what the other hands win there is another thing, too
    seats = {
        number: replace(seat, results=_there(seat, results, claimed_spot(table)))
        for number, seat in other.seats.items()
    }
    return replace(other, seats=seats)


def _there(seat: Seat, results: Results, spot: Spot) -> tuple[WagerResult, ...]:
    """Return a seat's results with the cards of the other world; a side bet that was claimed is settled in the open."""
    claimed = [result for result in seat.results if seat.claim and result.wager == spot]
    rows = results.get(seat.number, seat.results)
    return (*(row for row in rows if not (claimed and row.wager == spot)), *claimed)


_ROUND_STEPS_MAX: Final = 800


def check_script_ends(table: Table, chance: Seeded) -> None:
    """Check that the script, with players who are willing, leads from here to the end of a round, or to rest."""
    for _ in range(_ROUND_STEPS_MAX):
        command = _willing(table, chance)
        if command is None:
            return
        try:
            table, outcome = play(table, command)
        except Exception as error:
            raise PromiseBroken("never an exception", f"{type(error).__name__}: {error}") from error
        cards_in_one_place(table)
        demand("the script leads on", not isinstance(outcome, Refusal), f"{command} was refused: {outcome}")
        over = events.RoundEnded | events.RoundVoided
        if not isinstance(outcome, Refusal) and any(isinstance(event, over) for event in outcome):
            return
    raise PromiseBroken("the script leads on", f"no round ended in {_ROUND_STEPS_MAX} steps")


def _willing(table: Table, chance: Seeded) -> commands.AnyCommand | None:
    """Return what willing players do next, or None where the table may rest: no players, or none with money."""
    step = table.next_step
    if step is not None and faults.blocked(table, step):
        return next(faults.evident(table), do_step(table, chance))
    if table.phase == "closed":
        return None
    acts: Iterator[commands.AnyCommand]
    if table.phase == "betting" and not any(complete(table, seat) for seat in table.seats.values()):
        return next((act for act in _least_bets(table) if legal(table, act) is None), None)
    if table.phase == "betting" and step is not None and legal(table, do_step(table, chance)) is not None:
        uneven = [n for n, seat in table.seats.items() if seat.wagers and not complete(table, seat)]
        return (
            commands.PlaceWagers(by=f"seat:{uneven[0]}", seat=uneven[0], wagers={})
            if uneven
            else do_step(table, chance)
        )
    if step is None:
        acts = (commands.TakeBank(by=f"seat:{n}", seat=n, cents=500) for n in table.seats)
        return next((act for act in acts if legal(table, act) is None), None)
    by = f"seat:{step.seat}"
    match step.kind:
        case "await_correction":
            return _correction(step)
        case "await_choice" if table.seats[step.seat].away:
            return commands.Report(kind="absent", seat=step.seat)
        case "await_choice":
            return commands.Choose(by=by, seat=step.seat, bet=step.number, choice="ride")  # type: ignore[arg-type]  # such a step is numbered 1 or 2
        case "await_inspection":
            return commands.LookOver(by=by, seat=step.seat)
        case "await_bank":
            take = commands.TakeBank(by=by, seat=step.seat, cents=500)
            return take if legal(table, take) is None else commands.DeclineBank(by=by, seat=step.seat)
        case _:
            return do_step(table, chance)


def _correction(step: Step) -> commands.AnyCommand:
    by = f"seat:{step.seat}"
    fold = commands.Fold(by=by, seat=step.seat)
    return fold if step.number == 1 else commands.RefuseCorrection(by=by, seat=step.seat)


def _least_bets(table: Table) -> Iterator[commands.AnyCommand]:
    least = spot_limits(table.rules.rules.limit).cents_min
    for number in table.seats:
        wagers: Any = dict.fromkeys(BASE_SPOTS, least)
        yield commands.PlaceWagers(by=f"seat:{number}", seat=number, wagers=wagers)
