"""The `rules` commands: list, show, compare and check rule books."""

from __future__ import annotations

import tomllib
from itertools import groupby
from typing import Annotated, Any

import typer
from rich.text import Text

from letitride.cli.output import Json, heading, new_table, print_json, print_lines, print_table
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.clauses import Clause
from letitride.rules.explain import KeyFacts, differences, facts, in_words
from letitride.rules.keyspec import KEYS, SECTIONS, find_keys, show_value
from letitride.rules.paytables import Wager
from letitride.rules.rulebook import RuleBook, Source

app = typer.Typer(no_args_is_help=True, help="Rule books: list, show, compare and check them.")

Book = Annotated[str, typer.Argument(help="A rule book: an id, a path to a TOML file, or id+variant.", metavar="BOOK")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="A value of one table's own, within what the book leaves open.", metavar="KEY=VALUE"),
]


@app.command("list")
def list_books(as_json: Json = False) -> None:
    """List the published rule books."""
    books = [catalog.rulebook(book_id) for book_id in catalog.rulebook_ids()]
    if as_json:
        print_json([_summary(book) for book in books])
        return
    table = new_table("book", "title", "bank", "dealt from", "wagers", "variants")
    for book in books:
        rules = book.rules
        variants = ", ".join(f"+{name}" for name in book.variants)
        table.add_row(
            Text(book.id, style="bold"),
            book.title,
            rules.bank.mode,
            rules.device,
            ", ".join(_wagers(book)),
            variants,
        )
    print_table(table)
    print_lines("letitride rules show BOOK    what a book says, key by key, with its clauses")


@app.command("show")
def show(
    book: Book,
    item: Annotated[
        str | None, typer.Argument(help="A key (deal.unit), a section (deal) or a clause (nsw:12.6, 12.6).")
    ] = None,
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Show a rule book: all of it, one key or section, or one clause."""
    chosen = catalog.rulebook(book)
    if values:
        chosen = chosen.for_table(parse_values(values))
    if item is None:
        _show_book(chosen, as_json=as_json)
        return
    clauses = _find_clauses(chosen, item)
    if clauses:
        _show_clauses(chosen, clauses, as_json=as_json)
        return
    try:
        specs = find_keys(item)
    except MissingData as error:
        raise MissingData(f"{error}, which is no clause of {chosen.id} either") from None
    found = list(facts(chosen, specs))
    if as_json:
        print_json({**_identity(chosen), "keys": [_key_data(fact) for fact in found]})
    else:
        for fact in found:
            _print_key(fact)


@app.command("diff")
def diff(left: Book, right: Book, as_json: Json = False) -> None:
    """Show where two rule books differ, side by side, with the clauses behind each value."""
    one, other = catalog.rulebook(left), catalog.rulebook(right)
    pairs = list(differences(one, other))
    if as_json:
        print_json(
            {
                "left": _identity(one),
                "right": _identity(other),
                "differences": [
                    {"key": a.spec.name, "meaning": a.spec.doc, "left": _side(a), "right": _side(b)} for a, b in pairs
                ],
            }
        )
        return
    print_lines(
        heading(f"{one.id} against {other.id}"),
        f"{one.id}: {one.title} (sha256 {one.digest[:16]})",
        f"{other.id}: {other.title} (sha256 {other.digest[:16]})",
        f"{len(pairs)} of {len(KEYS)} keys differ. Where a document is silent, the value is a house default.",
    )
    table = new_table("key", one.id, other.id)
    for section, group in groupby(pairs, key=lambda pair: pair[0].spec.section):
        table.add_row(Text(SECTIONS[section], style="bold underline"))
        for a, b in group:
            table.add_row(_key_cell(a), _value_cell(a), _value_cell(b))
            table.add_row()
    print_table(table)


@app.command("check")
def check(
    file: Annotated[str, typer.Argument(help="A rule book's TOML file (or an id).", metavar="FILE")],
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Check a rule book of your own, and say what a table by it still has to state."""
    book = catalog.rulebook(file)
    if values:
        book = book.for_table(parse_values(values))
    missing = list(book.missing())
    if not missing:
        catalog.table_rules(file, parse_values(values or []))  # paytables, too, must be there and fit
    own = [fact for fact in facts(book) if fact.book == book.id and fact.source is not Source.HOUSE and fact.applies]
    if as_json:
        print_json({**_identity(book), "valid": True, "must_state": missing, "own_keys": [f.spec.name for f in own]})
        return
    base = f" extends {book.lineage[0]} and" if book.lineage else ""
    print_lines(
        f"{book.id} is a valid rule book: it{base} sets {len(own)} of {len(KEYS)} keys itself.",
        f"sha256 {book.digest}",
        f"A table by it must state: {', '.join(missing)}." if missing else "A table can open by it as it stands.",
    )


def parse_values(pairs: list[str]) -> dict[str, Any]:
    """Read KEY=VALUE pairs; a value is written as in TOML, a text also without its quotes."""
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise InvalidData(f"expected KEY=VALUE after --set, got '{pair}'")
        specs = find_keys(name.strip())
        if len(specs) > 1:
            raise InvalidData(f"expected one key before '=' in --set, got the section '{name.strip()}'")
        try:
            values[specs[0].name] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[specs[0].name] = text.strip()
    return values


def _wagers(book: RuleBook) -> list[str]:
    return [str(wager) for wager in Wager if wager is Wager.BASE or getattr(book.rules, wager).offered]


def _identity(book: RuleBook) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "edition": book.edition,
        "extends": list(book.lineage),
        "sha256": book.digest,
    }


def _summary(book: RuleBook) -> dict[str, Any]:
    return {
        **_identity(book),
        "bank": book.rules.bank.mode,
        "device": book.rules.device,
        "wagers": _wagers(book),
        "variants": list(book.variants),
        "must_state": list(book.missing()),
    }


def _show_book(book: RuleBook, *, as_json: bool) -> None:
    if as_json:
        print_json({**_summary(book), "keys": [fact.as_data() for fact in facts(book)]})
        return
    print_lines(heading(f"{book.id}: {book.title}"), book.edition, f"sha256 {book.digest}")
    if book.lineage:
        print_lines(f"extends {', '.join(book.lineage)}")
    if missing := book.missing():
        print_lines(f"A table by it must state: {', '.join(missing)}")
    table = new_table("key", "value", "from")
    shown = (fact for fact in facts(book) if fact.applies)
    for section, group in groupby(shown, key=lambda fact: fact.spec.section):
        table.add_row(Text(SECTIONS[section], style="bold underline"))
        for fact in group:
            style = "dim" if fact.source is Source.HOUSE else ""
            table.add_row(Text(fact.spec.name, style="bold"), fact.words, Text(_shorten(fact), style=style))
        table.add_row()
    print_table(table)
    print_lines(f"letitride rules show {book.id} KEY    one key: its meaning, its legal values, its clauses")


def _shorten(fact: KeyFacts, most: int = 4) -> str:
    """Return the origin with no more clauses than fit in a line."""
    if fact.source is not Source.DOCUMENT or not fact.applies or len(fact.demanding) <= most:
        return fact.origin
    return f"{', '.join(fact.demanding[:most])} and {len(fact.demanding) - most} more"


def _key_cell(fact: KeyFacts) -> Text:
    return Text.assemble((fact.spec.name, "bold"), "\n", (fact.spec.doc, "dim"))


def _value_cell(fact: KeyFacts) -> Text:
    return Text.assemble(fact.words, "\n", (_shorten(fact), "dim"))


def _side(fact: KeyFacts) -> dict[str, Any]:
    data = fact.as_data()
    return {name: data[name] for name in ("value", "applies", "words", "source", "clauses", "note")}


def _key_data(fact: KeyFacts) -> dict[str, Any]:
    spec = fact.spec
    return {
        **fact.as_data(),
        "meaning": spec.doc,
        "expected": spec.expected,
        "values": dict(spec.meanings),
        "default": in_words(spec, spec.default),
    }


def _print_key(fact: KeyFacts) -> None:
    spec = fact.spec
    literal = show_value(fact.value)
    plain = fact.words if not fact.applies or literal == fact.words else f"{literal}: {fact.words}"
    print_lines(heading(spec.name), f"  {spec.doc}", f"  value:    {plain}")
    if fact.applies:
        print_lines(f"  from:     {fact.origin}")
    if fact.note:
        print_lines(f"  why:      {fact.note}")
    print_lines(f"  expected: {spec.expected}" + (f" ({spec.unit})" if spec.unit else ""))
    for value, meaning in spec.meanings.items():
        print_lines(f"    {value}: {meaning}")
    for clause_id in fact.clauses if fact.applies else ():
        print_lines(f"  {clause_id}: {catalog.clause(clause_id).demand}")


def _find_clauses(book: RuleBook, text: str) -> list[Clause]:
    """Return the clauses that a text names, with or without the document's prefix, and those below them."""
    for name in [text] if ":" in text else [f"{document}:{text}" for document in catalog.documents(book)]:
        register = catalog.register().values()
        if found := [clause for clause in register if clause.id == name or clause.id.startswith(name + ".")]:
            return found
    if ":" in text:
        catalog.clause(text)  # says what was expected
    return []


def _show_clauses(book: RuleBook, clauses: list[Clause], *, as_json: bool) -> None:
    if as_json:
        print_json({**_identity(book), "clauses": [_clause_data(book, clause) for clause in clauses]})
        return
    for clause in clauses:
        print_lines(heading(f"{clause.id} ({clause.kind})"), f"  {clause.demand}")
        for fact in facts(book, [KEYS[name] for name in clause.keys]):
            print_lines(f"  key {fact.spec.name}: {fact.words}")
        if clause.paytables:
            print_lines(f"  paytables {', '.join(clause.paytables)}")
        if clause.inherits:
            print_lines(f"  takes over {', '.join(clause.inherits)}")
        if clause.behaviour:
            print_lines(f"  {clause.behaviour}")


def _clause_data(book: RuleBook, clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "kind": clause.kind,
        "demand": clause.demand,
        "keys": [fact.as_data() for fact in facts(book, [KEYS[name] for name in clause.keys])],
        "paytables": list(clause.paytables),
        "behaviour": clause.behaviour,
        "inherits": list(clause.inherits),
    }
