"""The `rules` commands: list, show, compare and check rule books."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from letitride.cli.io.output import Cell, Json, heading, print_facts, print_json, print_lines, print_table
from letitride.cli.io.values import Set, parse_values
from letitride.cli.rules.book_data import (
    CheckedBook,
    applies_where,
    books_compared,
    rounds_dealt,
    shown_book,
    shown_clauses,
    shown_keys,
    summaries,
    wagers_alone,
)
from letitride.cli.rules.explain import explain_record
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.checks import Contradiction
from letitride.rules.clashes import what_would_go
from letitride.rules.clauses import Clause
from letitride.rules.explain import KeyFacts, differences, facts, identity, in_words, summary
from letitride.rules.keyspec import KEYS, SECTIONS, KeySpec, find_keys
from letitride.rules.plain import extended
from letitride.rules.refs import split_variants
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.table_rules import offered_wagers
from letitride.rules.values import Values
from letitride.rules.words import one_of, quantity, show_value

if TYPE_CHECKING:
    from letitride.autoplay.dealable import Dealt

app = typer.Typer(no_args_is_help=True, help="List, show, compare and check rule books.")

app.command("explain")(explain_record)


def _books() -> list[str]:
    return [
        *catalog.rulebook_ids(),
        *(f"{b}+{v}" for b in catalog.rulebook_ids() for v in catalog.rulebook(b).variants),
    ]


def _items() -> list[str]:
    return [*KEYS, *(section for section in SECTIONS if section), *catalog.register()]


_BOOK_HELP = "A rule book: its id, id+variant, or a TOML file."
Book = Annotated[str, typer.Argument(help=_BOOK_HELP, metavar="BOOK", autocompletion=_books)]
Other = Annotated[str, typer.Argument(help="The rule book to compare it with.", metavar="OTHER", autocompletion=_books)]


@app.command("list")
def list_books(as_json: Json = False) -> None:
    """List the published rule books."""
    if as_json:
        print_json(summaries())
        return
    rows = []
    for book in map(catalog.rulebook, catalog.rulebook_ids()):
        about = Text.assemble(book.title, ("".join(f"\n{words}" for words in _variants(book)), "dim"))
        wagers = ", ".join(wager.title for wager in offered_wagers(book))
        rows.append([heading(book.id), book.rules.bank.mode, book.rules.device, wagers, about])
    print_table(["rule book", "bank", "dealt from", "wagers", "title"], rows, firm=3)


@app.command("show")
def show(
    book: Book,
    item: Annotated[
        str | None,
        typer.Argument(help="A key (deal.unit), a section (deal) or a clause (nsw:12.6, 12.6).", autocompletion=_items),
    ] = None,
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Show a rule book, or one key, section or clause of it."""
    own = parse_values(values or [], book)
    chosen = catalog.table_book(book, own) if own else catalog.rulebook(book)
    if item is None:
        _show_book(chosen, own, as_json=as_json)
        return
    if ":" not in item:
        try:
            found = list(facts(chosen, _keys(chosen, item)))
        except MissingData:
            found = []
        if found:
            _show_keys(chosen, found, as_json=as_json)
            return
    _show_clauses(chosen, _find_clauses(chosen, item), as_json=as_json)


@app.command("diff")
def diff(book: Book, other: Other, as_json: Json = False) -> None:
    """Compare two rule books side by side.

    Shows each key that differs, with the clauses behind both values.
    """
    left, right = catalog.rulebook(book), catalog.rulebook(other)
    if as_json:
        print_json(books_compared(left, right))
        return
    pairs = list(differences(left, right))
    print_lines(heading(f"{left.id} compared with {right.id}"), _signature(left), _signature(right))
    alone = [(one, wagers_alone(one, two)) for one, two in ((left, right), (right, left))]
    for one, wagers in alone:
        if wagers:
            print_lines(f"Only {one.id} has {', '.join(wager.title for wager in wagers)}.")
    if not pairs:
        print_lines("All keys are the same." if any(wagers for _, wagers in alone) else "The rule books are the same.")
        return
    print_lines(
        f"{len(pairs)} of {len({**left.keys, **right.keys})} keys differ. "
        "Where a rules document is silent, the value is a house default."
    )
    rows: list[list[Cell]] = []
    for section, group in groupby(pairs, key=lambda pair: pair[0].spec.section):
        rows.append([Text(_about(left, section), style="bold underline")])
        for a, b in group:
            rows += [[_rule_cell(a), _value_cell(a), _value_cell(b)], [""]]
    print_table(["rule", left.id, right.id], rows, firm=0)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="The TOML file of a rule book, or an id.", metavar="FILE")],
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Check a rule book of your own by dealing rounds.

    Also lists what a table must still set to open under it.
    """
    from letitride.autoplay.dealable import check_book

    own = parse_values(values or [], file)
    try:
        book = catalog.table_book(file, own)
    except Contradiction as found:
        raise InvalidData(f"{found}{what_would_go(found)}") from None
    missing = list(book.missing())
    dealt = check_book(book)
    name, _ = split_variants(book.id)
    ruled = [key for key, origin in book.origins.items() if (origin.book, origin.source) == (name, Source.DOCUMENT)]
    if as_json:
        stated = {"table": own, "must_state": tuple(missing), "own_keys": tuple(ruled)}
        print_json(extended(CheckedBook, identity(book), valid=True, **stated, dealt=rounds_dealt(dealt)))
        return
    base = f" extends {book.lineage[0]} and" if book.lineage else ""
    with_values = f" with {quantity(len(own), 'value')} set by the table" if own else ""
    print_lines(
        f"{book.id} is a valid rule book: it{base} sets {len(ruled)} of {len(book.keys)} keys itself.",
        f"sha256{with_values}: {book.digest}",
        f"A table must still set: {', '.join(missing)}." if missing else "A table can open under it as it stands.",
        *_rounds_in_words(dealt),
        *_departures(book),
    )


def _rounds_in_words(dealt: Dealt) -> Iterator[str]:
    """Yield what was dealt to check a book, and which of its keys have no effect, in sentences."""
    yield (
        f"Dealt {quantity(dealt.rounds, 'round')} at {quantity(len(dealt.tables), 'table')}, by the book as it stands "
        f"and each of its variants and options. {dealt.trial.settled:,} were without irregularities, all settled. "
        f"{dealt.trial.disturbed:,} had an irregularity, ruled on and played to the end."
    )
    for name, why in dealt.lost_variants.items():
        yield f"The inherited variant '{name}' is not available: {why}"
    for name, why in dealt.inert_keys.items():
        yield f"{name} has no effect: {why}."


def _departures(book: RuleBook) -> Iterator[str]:
    """Yield where a book departs from the document behind it."""
    for key, one in catalog.departures(book).items():
        spec = book.keys[key]
        said, mine = (in_words(spec, value) for value in (one.value, spec.read(book.rules)))
        yield f"{key} {one.words}: {one.book} says {said}; this book says {mine}."


def _about(book: RuleBook, section: str) -> str:
    return SECTIONS.get(section) or book.wagers[section].about


def _keys(book: RuleBook, item: str) -> tuple[KeySpec, ...]:
    """Return the key or the keys of the section that an item names, those of the book's own wagers among them."""
    own = tuple(spec for spec in book.keys.values() if spec.wager in book.own_wagers)
    return tuple(spec for spec in own if item in {spec.name, spec.section}) or find_keys(item)


def _variants(book: RuleBook) -> list[str]:
    """Return what each variant is called, and how it is asked for."""
    return [f"{title} (+{name})" for name, title in summary(book).variants.items()]


def _signature(book: RuleBook) -> str:
    return f"{book.id}: {book.title} (sha256 {book.digest[:16]})"


def _show_book(book: RuleBook, own: Values, *, as_json: bool) -> None:
    if as_json:
        print_json(shown_book(book, own))
        return
    about = [("edition", book.edition)] if book.edition else []
    about += [("extends", ", ".join(book.lineage))] if book.lineage else []
    about += [("set by table", ", ".join(own))] if own else []
    about += [("variants" if place == 0 else "", words) for place, words in enumerate(_variants(book))]
    about += [("not available", f"+{name}: {why}") for name, why in book.lost_variants.items()]
    about += [("sha256", book.digest)]
    about += [("table must set", ", ".join(book.missing()))] if book.missing() else []
    print_facts(f"{book.id}: {book.title}", about)
    rows: list[list[Cell]] = []
    shown = (fact for fact in facts(book) if fact.applies)
    for section, group in groupby(shown, key=lambda fact: fact.spec.section):
        rows.append([Text(_about(book, section), style="bold underline")])
        for fact in group:
            style = "dim" if fact.source is Source.HOUSE else ""
            rows.append([_rule_cell(fact), fact.words, Text(_origin(fact), style=style)])
        rows.append([""])
    print_table(["rule", "value", "from"], rows, firm=0)
    print_lines(f"letitride rules show {book.id} KEY    show one rule with its legal values and clauses")


def _origin(fact: KeyFacts, most: int = 4) -> str:
    """Return the origin with no more clauses than fit in a line, and the note of a value of the house's own."""
    if not fact.applies:
        return ""
    given, own = fact.given_by, fact.own and fact.source is Source.DOCUMENT
    if fact.source is Source.DOCUMENT and not own and len(fact.demanding) > most:
        given = f"{', '.join(fact.demanding[:most])} and {len(fact.demanding) - most} more"
    given += f": {fact.note}" if own and fact.note else ""
    return f"{given}\n{fact.departure.words}" if fact.departure else given


def _rule_cell(fact: KeyFacts) -> Text:
    """Return what a rule is about, and the key under which a book states it."""
    return Text.assemble((fact.spec.doc, "bold"), "\n", (fact.spec.name, "dim"))


def _value_cell(fact: KeyFacts) -> Text:
    return Text.assemble(fact.words, "\n", (_origin(fact), "dim"))


def _show_keys(book: RuleBook, found: list[KeyFacts], *, as_json: bool) -> None:
    if as_json:
        print_json(shown_keys(book, found))
        return
    for fact in found:
        print_facts(fact.spec.doc, _key_lines(fact))


def _key_lines(fact: KeyFacts) -> Iterator[tuple[str, str]]:
    spec = fact.spec
    yield "key", spec.name
    named = fact.applies and str(fact.value) in spec.meanings
    yield "value", f"{fact.value}: {fact.words}" if named else fact.words
    if fact.applies:
        yield "from", fact.origin
    if where := applies_where(fact):
        yield "applies", where
    if fact.note:
        yield "why", fact.note
    if fact.options:
        yield "a table may set", one_of(fact.options)
    yield "expected", spec.expected + (f" ({spec.unit})" if spec.unit else "")
    yield from (("", f"{value}: {meaning}") for value, meaning in spec.meanings.items())
    yield "default", in_words(spec, spec.default)
    yield from ((name, catalog.clause(name).demand) for name in fact.clauses if fact.applies)
    yield "", ""


def _find_clauses(book: RuleBook, text: str) -> list[Clause]:
    """Return the clauses that a text names, with or without the document's prefix, and those below them."""
    documents = catalog.documents(book)
    prefix, colon, _ = text.partition(":")
    if colon and prefix not in documents:
        raise MissingData(f"expected a clause of {book.id} ({', '.join(documents)}), got {show_value(text)}")
    for name in [text] if colon else [f"{document}:{text}" for document in documents]:
        register = catalog.register().values()
        if found := [clause for clause in register if clause.id == name or clause.id.startswith(name + ".")]:
            return found
    if colon:
        catalog.clause(text)  # says what was expected
    find_keys(text)  # likewise
    return []


def _show_clauses(book: RuleBook, clauses: list[Clause], *, as_json: bool) -> None:
    if as_json:
        print_json(shown_clauses(book, clauses))
        return
    departed = catalog.departures(book)
    for clause in clauses:
        lines = [("demand", clause.demand)]
        lines += [("departed from", f"by {key}") for key, one in departed.items() if clause.id in one.clauses]
        lines += [("key", f"{f.spec.name}: {f.words}") for f in facts(book, [KEYS[name] for name in clause.keys])]
        lines += [("paytables", ", ".join(clause.paytables))] if clause.paytables else []
        lines += [("takes over", ", ".join(clause.inherits))] if clause.inherits else []
        lines += [("behavior", clause.behaviour)] if clause.behaviour else []
        lines += [("steps", ", ".join(clause.steps))] if clause.steps else []
        print_facts(f"{clause.id} ({clause.kind})", [*lines, ("", "")])
