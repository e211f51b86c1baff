"""Table rules: everything a table carries from its opening: its book, its own values, its paytables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from letitride.errors import InvalidData
from letitride.rules.keys import Rules
from letitride.rules.paytables import Pays, Paytable, Wager, pays_of
from letitride.rules.rulebook import RuleBook
from letitride.rules.rulebook_file import is_path


@dataclass(frozen=True, slots=True)
class TableRules:
    """A rule book made ready for one table: nothing is left open."""

    book: RuleBook
    pays: Mapping[Wager, Pays]
    """What each offered wager pays."""
    paytables: Mapping[Wager, str]
    """The id of the paytable each offered wager is paid by."""

    @property
    def rules(self) -> Rules:
        """The values of the rule book in force."""
        return self.book.rules


def resolve(book: RuleBook, overrides: Mapping[str, Any], load: Callable[[str], Paytable]) -> TableRules:
    """Return a book made ready for a table, or refuse: a rule changed, a key not stated, a wager not priced."""
    book, values = _adopt_paytables(book, overrides, load)
    book = book.for_table(values)
    if missing := book.missing():
        raise InvalidData(f"table by {book.id}: expected a value for {', '.join(missing)}, got none")
    tables = {wager: _choose(book, wager, load) for wager in Wager if _offered(book.rules, wager)}
    return TableRules(
        book=book,
        pays={wager: pays_of(table, wager) for wager, table in tables.items()},
        paytables={wager: table.id for wager, table in tables.items()},
    )


def _adopt_paytables(
    book: RuleBook, overrides: Mapping[str, Any], load: Callable[[str], Paytable]
) -> tuple[RuleBook, dict[str, Any]]:
    """Make paytables that a table names by path the book's own, and name them by id."""
    values, own = dict(overrides), dict(book.paytables)
    for name, ref in overrides.items():
        if name.endswith(".paytable") and isinstance(ref, str) and is_path(ref):
            table = load(ref)
            own[table.id] = table
            values[name] = table.id
    return replace(book, paytables=own), values


def _offered(rules: Rules, wager: Wager) -> bool:
    return wager is Wager.BASE or bool(getattr(rules, wager).offered)


def _choose(book: RuleBook, wager: Wager, load: Callable[[str], Paytable]) -> Paytable:
    """Return the paytable in force for a wager, if the book allows it."""
    section = book.rules.base if wager is Wager.BONUS else getattr(book.rules, wager)
    chosen = book.paytables.get(section.paytable) or load(section.paytable)
    if chosen.id in section.paytables:
        return chosen
    expected = f"one of {', '.join(section.paytables)}"
    if section is book.rules.base and section.odds_floor == "at_least":
        floors = [book.paytables.get(name) or load(name) for name in section.paytables]
        if any(_pays_no_less(pays_of(chosen, wager), pays_of(floor, wager)) for floor in floors):
            return chosen
        expected += " or a table that pays no hand less"
    raise InvalidData(f"table by {book.id}: {wager}.paytable: expected {expected}, got '{chosen.id}'")


def _pays_no_less(pays: Pays, floor: Pays) -> bool:
    return pays.award is floor.award and all(
        (pay := pays.pay(category)) is not None and pay >= least for category, least in floor.columns[0].items()
    )
