"""Table rules: everything a table carries from its opening: its book, its own values, its paytables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, Final, TypeVar, cast

from letitride.errors import InvalidData, MissingData
from letitride.rules.checks import SHOWN_AS_WIN
from letitride.rules.frozen import Frozen
from letitride.rules.keys import Rules, Terms
from letitride.rules.limits import BASE_BETS, side_limits
from letitride.rules.money import PAYOUT_CENTS_MAX, dollars
from letitride.rules.paytables import Pays, Paytable, pays_of
from letitride.rules.refs import is_path
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.shown import Page, Shown, grid
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Award, Wager, by_spot
from letitride.rules.words import one_of, show_value

PaytableLoader = Callable[[str], Paytable]
"""Finds a paytable by id or path."""
Found = TypeVar("Found")
REMEMBERED_MAX: Final = 256
"""For how many tables' rules something is remembered."""


@dataclass(frozen=True, slots=True, repr=False)
class TableRules(Shown):
    """A rule book made ready for one table: nothing is left open."""

    book: RuleBook
    pays: Mapping[str, Pays]
    """What each offered wager pays, by its id."""
    paytables: Mapping[str, str]
    """The id of the paytable each offered wager is paid by."""
    step_clauses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The clauses that each kind of step in the dealer's script carries out."""
    ruling_clauses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The clauses that demand each ruling."""
    rules: Rules = field(init=False, repr=False, compare=False)
    """The values of the rule book in force."""
    wagers: Mapping[str, Wager] = field(init=False, repr=False, compare=False)
    """The wagers it offers by their ids, in the order of the felt."""
    by_spot: Mapping[str, Wager] = field(init=False, repr=False, compare=False)
    """The same by the names of their spots."""
    sides: tuple[Wager, ...] = field(init=False, repr=False, compare=False)
    """The wagers it offers beside the base game, in the order of the felt."""
    taken_before_deal: tuple[Wager, ...] = field(init=False, repr=False, compare=False)
    """The wagers whose stakes are taken to the tray before the deal."""
    claimed_early: Wager | None = field(init=False, repr=False, compare=False)
    """The wager that is claimed or waved away before the first decision, where one is."""
    on_best_hand: Wager | None = field(init=False, repr=False, compare=False)
    """The wager on the best hand at the table, where it is offered."""

    @property
    def absent_open(self) -> bool:
        """Whether the book leaves it open what happens to a decision that does not come."""
        return self.book.origins["irreg.absent"].source is Source.HOUSE

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", self.book.rules)
        payout = self.book.rules.payout
        most = payout.cents_max if payout.cap == "maximum" else None
        bound = {name: None if most is None or name not in payout.sides else most for name in self.pays}
        if any(pays.most_cents != bound[name] for name, pays in self.pays.items()):
            capped = {name: replace(pays, most_cents=bound[name]) for name, pays in self.pays.items()}
            object.__setattr__(self, "pays", Frozen(capped))
        spots = by_spot({pays.wager.id: pays.wager for pays in self.pays.values()})
        offered = tuple(dict.fromkeys(spots.values()))
        sides = tuple(wager for wager in offered if not wager.is_base)
        found = {
            "wagers": Frozen({wager.id: wager for wager in offered}),
            "by_spot": spots,
            "sides": sides,
            "taken_before_deal": tuple(one for one in sides if self.terms(one.id).taken == "before_deal"),
            "claimed_early": next((one for one in sides if self.terms(one.id).settle == "early_claim"), None),
            "on_best_hand": next((one for one in sides if one.by_hands), None),
        }
        for name, value in found.items():  # read at every step of a round, and the same for as long as the rules are
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(self.book.digest)

    def headline(self) -> str:
        """Return the rules in one line."""
        return f"by {self.book.id}, {dollars(self.cents_min)} to {dollars(self.cents_max)}"

    def shown(self) -> Page:
        """Return the book with the table's own values, and the paytable of each wager."""
        page = self.book.shown()
        wagers = grid(["wager", "paytable"], self.paytables.items(), "wagers")
        return replace(page, title=f"table rules {self.headline()}", grids=(wagers, *page.grids))

    def terms(self, wager: str) -> Terms:
        """Return what the book says of a wager."""
        return self.book.rules.wagers[wager]

    @property
    def base_pays(self) -> Pays:
        """What the base game pays."""
        return self.pays[BASE.id]

    @property
    def cents_min(self) -> int:
        """The lowest base bet."""
        return cast("int", self.rules.limit.cents_min)  # nothing is left open

    @property
    def cents_max(self) -> int:
        """The highest base bet."""
        return cast("int", self.rules.limit.cents_max)  # nothing is left open


def per_rules(find: Callable[[TableRules], Found]) -> Callable[[TableRules], Found]:
    """Remember what a function finds by rules, for these very rules: to compare two takes longer than a command.

    What is remembered holds its rules, so no others come to be where they lie.
    """
    known: dict[int, tuple[TableRules, Found]] = {}

    @wraps(find)
    def remembered(rules: TableRules) -> Found:
        found = known.get(id(rules))
        if found is None:
            if len(known) >= REMEMBERED_MAX:
                known.clear()
            found = known[id(rules)] = rules, find(rules)
        return found[1]

    return remembered


def table_book(book: RuleBook, overrides: Values, load: PaytableLoader) -> RuleBook:
    """Return a book with one table's own values, every paytable found and fit; some keys may still be unset."""
    values, tables = adopt_paytables(overrides, book.paytables, load, f"table by {book.id}")
    book = replace(book, paytables=tables).for_table(values)
    for wager in offered_wagers(book):
        _refuse_unshown(book, wager, _choose(book, wager, load))
    return book


def resolve(book: RuleBook, load: PaytableLoader) -> TableRules:
    """Return a book made ready for a table, or say which keys it must still state."""
    if missing := book.missing():
        wanted = ", ".join(f"{name} ({book.keys[name].expected})" for name in missing)
        raise InvalidData(f"table by {book.id}: expected a value for {wanted}, got none")
    tables = {wager.id: _choose(book, wager, load) for wager in offered_wagers(book)}
    ready = TableRules(
        book=book,
        pays=Frozen({wager: pays_of(table, wager) for wager, table in tables.items()}),
        paytables=Frozen({wager: table.id for wager, table in tables.items()}),
    )
    _refuse_overflow(ready)
    return ready


def _refuse_overflow(table: TableRules) -> None:
    """Refuse limits and pays by which a round could pay more cents than journals and ledgers can hold."""
    seat = 0
    for name, pays in table.pays.items():
        wager = table.wagers[name]
        most = BASE_BETS * table.cents_max if wager.is_base else side_limits(wager, table.terms(name)).cents_max
        pay = max((pay for column in pays.columns for pay in column.values()), default=0)
        seat += math.ceil((pay + 1) * most)
    if seat * table.rules.seats > PAYOUT_CENTS_MAX:
        raise InvalidData(
            f"table by {table.book.id}: limit.cents_max: expected limits and pays by which a round pays "
            f"{dollars(PAYOUT_CENTS_MAX)} at most, got {dollars(seat * table.rules.seats)}"
        )


def offered_wagers(book: RuleBook) -> Iterator[Wager]:
    """Yield the wagers a book offers, in the order of the felt."""
    return (wager for name, wager in book.wagers.items() if book.rules.wagers[name].offered)


def adopt_paytables(
    values: Values, known: Mapping[str, Paytable], load: PaytableLoader, where: str
) -> tuple[Values, Mapping[str, Paytable]]:
    """Load the paytables that values name by path, and name them by their ids; one id never means two tables."""
    adopted, tables = dict(values), dict(known)

    def as_id(name: str, ref: object) -> Any:  # what is no text is refused later, with every other wrong value
        if not (isinstance(ref, str) and is_path(ref)):
            return ref
        try:
            table = load(ref)
        except InvalidData as error:
            raise InvalidData(f"{where}: {name}: {error}") from None
        if tables.setdefault(table.id, table).digest != table.digest:
            raise InvalidData(f"{where}: {name}: expected an id of its own, got '{table.id}', another paytable's")
        return table.id

    for name, value in values.items():
        if name.endswith(".paytable"):
            adopted[name] = as_id(name, value)
        elif name.endswith(".paytables") and isinstance(value, list):
            adopted[name] = [as_id(name, ref) for ref in value]
    return adopted, Frozen(tables)


def _refuse_unshown(book: RuleBook, wager: Wager, table: Paytable) -> None:
    """Refuse a paytable whose total awards the book does not show as such; one that pays all to one needs no word."""
    wording = book.rules.odds.wording
    if pays_of(table, wager.id).award is not Award.TO_ONE and "win" not in wording:
        came = show_value(wording)
        raise InvalidData(f"table by {book.id}: odds.wording: expected {SHOWN_AS_WIN}, got {came}")


def _choose(book: RuleBook, wager: Wager, load: PaytableLoader) -> Paytable:
    """Return the paytable in force for a wager, if the book allows it."""
    by = wager.priced_with or wager.id
    where, terms = f"table by {book.id}: {by}.paytable", book.rules.wagers[by]

    def find(name: str, key: str) -> Paytable:
        try:
            table = book.paytables.get(name) or load(name)
            if not wager.priced_with or key == "paytable":
                pays_of(table, wager.id)
        except MissingData as error:
            raise InvalidData(f"{where.removesuffix('paytable')}{key}: {error}") from None
        return table

    listed = [find(name, "paytables") for name in terms.paytables]
    chosen = find(terms.paytable, "paytable")
    if _is_allowed(book, by, chosen, listed):
        return chosen
    expected = one_of(terms.paytables)
    expected += " or a table that pays no hand less" * (terms.odds_floor == "at_least")
    raise InvalidData(f"{where}: expected {expected}, got '{chosen.id}'")


def may_choose(book: RuleBook, wager: Wager, table: Paytable, load: PaytableLoader) -> bool:
    """Whether a book lets a table choose a paytable for a wager: one that it lists, or under a floor one no worse."""
    by = wager.priced_with or wager.id
    names = book.rules.wagers[by].paytables
    return _is_allowed(book, by, table, [book.paytables.get(name) or load(name) for name in names])


def _is_allowed(book: RuleBook, by: str, table: Paytable, listed: list[Paytable]) -> bool:
    if table.id in (one.id for one in listed):
        return True
    if book.rules.wagers[by].odds_floor != "at_least":
        return False
    return any(_pays_no_less(pays_of(table, by), pays_of(floor, by)) for floor in listed)


def _pays_no_less(pays: Pays, floor: Pays) -> bool:
    return all((pay := pays.pay(category)) is not None and pay >= least for category, least in floor.columns[0].items())
