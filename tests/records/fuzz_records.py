"""Fuzz records: writes long rounds of chance as records of commands, chosen for the many things that happen in them.

`python -m tests.records.fuzz_records` writes them anew, for when the engine no longer takes one of their commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from letitride.chance.seeded import Seeded
from letitride.engine import commands, events
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.records.writer import write_command
from letitride.rules import catalog
from letitride.rules.words import show_value
from letitride.simulation.random_commands import next_command

FOLDER = Path(__file__).parent / "fuzz"
BOOKS = {
    "california-1": 2,
    "hand-dealt-1": 2,
    "nsw-1": 2,
    "nsw-1+shuffler": 1,
    "nsw-1+two_decks": 1,
    "shufflemaster-1": 2,
    "shufflemaster-1+felt": 1,
    "shufflemaster-1+three_card_claim": 1,
    "washington-1": 2,
    "washington-1+hand": 1,
    "washington-1+three_card_first": 1,
}
"""How many records each book gets."""
COMMANDS = 300
SEEDS = 40
"""Runs among which the one with the most that is new is taken."""


def main() -> None:
    """Write the records."""
    FOLDER.mkdir(exist_ok=True)
    for book, many in BOOKS.items():
        seen: set[str] = set()
        for number in range(1, many + 1):
            runs = [_fuzz_run(book, seed) for seed in range(number * 1_000, number * 1_000 + SEEDS)]
            taken, happened = max(runs, key=lambda run: len(run[1] - seen))
            seen |= happened
            stated = [f"set {name} = {show_value(value)}" for name, value in catalog.stated_values(book).items()]
            lines = [f"rulebook {book}", *stated, "dealer by hand", *map(write_command, taken)]
            (FOLDER / f"{book}-{number}.round").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _fuzz_run(book: str, seed: int) -> tuple[list[commands.AnyCommand], set[str]]:
    """Return the commands of a fuzz run that were taken, and what happened."""
    table, _ = open_table(catalog.ready_rules(book))
    chance, taken, happened = Seeded(seed, book), list[commands.AnyCommand](), set[str]()
    for _ in range(20 * COMMANDS):
        command = next_command(table, chance)
        table, outcome = play(table, command)
        if not isinstance(outcome, Refusal):
            taken.append(command)
            happened |= {word for event in outcome for word in _words(event)}
        if len(taken) == COMMANDS:
            break
    return taken, happened


def _words(event: events.AnyEvent) -> Iterator[str]:
    yield type(event).__name__
    if isinstance(event, events.Ruled):
        yield event.ruling.name
    if isinstance(event, events.StepDone):
        yield event.step.kind


if __name__ == "__main__":
    main()
