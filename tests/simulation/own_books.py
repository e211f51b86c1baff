"""Own books: published books with some keys changed to other values that the checks accept, and a fuzz run over each."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from letitride.chance.seeded import Seeded
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules import catalog
from letitride.rules.catalog import STATED
from letitride.rules.frozen import Frozen
from letitride.rules.keyspec import KEYS
from letitride.rules.rulebook import Source
from letitride.rules.table_rules import TableRules, resolve
from letitride.rules.values import Values
from letitride.simulation.fuzz import Tally, fuzz
from letitride.training.staff.elsewhere import round_of
from tests.simulation.every_deal import DEVICES, accepted, dealt_by, find_deal_fault
from tests.simulation.key_values import other_values

BOOKS = catalog.rulebook_ids()
TABLES = [*BOOKS, *(f"{book}+{name}" for book in BOOKS for name in catalog.rulebook(book).variants)]
COMMANDS = 400
CHANGES_MAX = 3


def own_rules(ref: str, values: Values) -> TableRules:
    """Return a table by a published book with keys changed; InvalidData where the values do not go together."""
    book = replace(catalog.rulebook(ref), variants=Frozen({}), options=Frozen({}))
    stated = {key: value for key, value in STATED.items() if key in book.missing() and key not in values}
    return catalog._ready(resolve(book.with_values({**stated, **values}, Source.TABLE, "own"), catalog.paytable))


def combinations(chance: Seeded, tables: list[str]) -> Iterator[tuple[str, Values, TableRules]]:
    """Yield tables by changed books without end: up to three keys changed, as far as the checks accept it."""
    while True:
        ref = chance.choice(tables)
        rules = catalog.rulebook(ref).rules
        keys = chance.shuffled(tuple(KEYS))[: 1 + chance.below(CHANGES_MAX)]
        others = {key: other_values(KEYS[key], KEYS[key].read(rules)) for key in keys}
        values: Values = {key: chance.choice(found) for key, found in others.items() if found}
        try:
            yield ref, values, own_rules(ref, values)
        except InvalidData:
            continue


def find_fault(rules: TableRules, count: int) -> str:
    """Return what goes wrong by a book, in a plain round without a ruling or in a fuzz run of so many commands, or ''."""
    try:
        steps = round_of(rules)
    except (InvariantBroken, LookupError) as error:
        return str(error)
    if not any(step.kind in {"pay", "take"} for step in steps):
        return "nothing is paid or taken in a plain round"
    tally = fuzz(rules, count, seed=5)
    return "" if isinstance(tally, Tally) else str(tally)


def _deal_every_way() -> int:
    """Deal a round by every way of dealing and burning that the checks accept; return how many there are."""
    dealt = 0
    for ref, own in DEVICES.values():
        rules = own_rules(ref, own)
        for values in accepted(rules.rules, quick=False):
            dealt += 1
            if fault := find_deal_fault(dealt_by(rules, values), seed=dealt):
                sys.exit(f"{ref} with {own | values}: {fault}")
    return dealt


def main() -> None:
    """Fuzz changed books for some minutes and say in one line what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", default="20260101")
    wanted = parser.parse_args()
    deadline, done = time.monotonic() + wanted.minutes * 60, 0
    dealt = _deal_every_way()
    for ref, values, rules in combinations(Seeded("own books", wanted.seed), TABLES):
        if fault := find_fault(rules, COMMANDS):
            sys.exit(f"{ref} with {values}: {fault}")
        done += 1
        if time.monotonic() > deadline:
            break
    books = f"{done:,} books with up to {CHANGES_MAX} keys changed, {COMMANDS} commands each"
    print(f"{dealt:,} ways to deal, {books}, every promise held")  # noqa: T201 - what the proof says


if __name__ == "__main__":
    main()
