"""Picture: a table as a shell or a notebook shows it, drawn from the view; it sees no more than a spectator."""

from __future__ import annotations

from letitride.engine.script import line
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules.money import dollars
from letitride.rules.roles import SPECTATOR
from letitride.rules.shown import Page, grid


def picture(table: Table) -> Page:
    """Return what a spectator sees of a table, and what the dealer does next, for a shell or a notebook."""
    seen = view(table, SPECTATOR)
    step = table.next_step
    bank = seen.bank
    facts = {
        "phase": f"{table.phase}, round {table.round}",
        "next": line(table, step).text if step is not None else "",
        "community": " ".join(seen.community),
        "bank": f"seat {bank.seat} with {dollars(bank.stake_cents)}" if bank and bank.seat else "",
    }
    rows = (
        (
            number,
            seat.player,
            dollars(seat.stack_cents),
            ", ".join(f"{name} {dollars(cents)}" for name, cents in seat.wagers.items()),
            " ".join(seat.cards),
            ", ".join(f"{bet} {choice}" for bet, choice in seat.choices.items()),
            dollars(sum(result.net_cents for result in seat.results)) if seat.results else "",
        )
        for number, seat in seen.seats.items()
        if seat.player
    )
    columns = ("seat", "player", "chips", "wagers", "cards", "choices", "net")
    return Page(f"table {table.headline()}", tuple((a, b) for a, b in facts.items() if b), (grid(columns, rows),))
