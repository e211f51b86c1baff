"""Writes the words of the notation into docs/round-record.md from the code itself; --check only compares."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from letitride.engine.orders import ORDERED
from letitride.engine.reporting import Reportable, reportable
from letitride.engine.steps import KINDS, StepKind
from letitride.records.floor_lines import GROUNDS
from letitride.records.narrate import MISHAPS
from letitride.rules import catalog
from letitride.rules.roles import DEVICE_REPORTS, MACHINE, PLAYER, STAFF, reporters
from letitride.rules.rulings import REPORTED, THEN, WHAT

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "round-record.md"
ENGINE = ROOT / "src" / "letitride" / "engine"
BEGIN = "<!-- words: written by scripts/round_record.py from the code -->\n"
END = "<!-- end of the words -->\n"


def table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table; a bar in a cell would end it."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines)


def code(words: Iterable[str]) -> str:
    """Return words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


SAYS = {"seat": "seat N", "community_card": "card K"}
"""What a report says, by what it is asked."""


def says(kind: str) -> str:
    """Return what a report of a kind has to say, or may."""
    asked = {code(SAYS[fact] for fact in one.asks) for one in everything_reported() if one.kind == kind}
    return "`seat N` where it is in a hand" if kind == "deck" else ", ".join(sorted(asked))


@cache
def everything_reported() -> tuple[Reportable, ...]:
    """Return what can be reported at the published books' tables and their variants."""
    books = catalog.rulebook_ids()
    names = [name for book in books for name in (book, *(f"{book}+{one}" for one in catalog.rulebook(book).variants))]
    return tuple(one for name in names for one in reportable(catalog.ready_rules(name)))


def decisions() -> dict[str, list[str]]:
    """Return what each report can come to."""
    found: dict[str, list[str]] = {kind: [] for kind in REPORTED}
    for one in everything_reported():
        found[one.kind] += [out.decision for out in one.outcomes if out.decision not in found[one.kind]]
    return found


def who_reports(kind: str) -> str:
    """Return who may report something."""
    return "staff, seated players" if PLAYER in reporters(kind) else "staff"


def brings(kind: StepKind) -> Iterator[str]:
    """Yield what a line may say with a step: what its text names, and what it needs."""
    named = {"{seat}": "seat N", "{wager}": "wager W", "{number}": "number K"}
    yield from (said for name, said in named.items() if name in kind.text)
    if kind.needs:
        yield {"order": "order CARDS", "cut": "cut K", "throw": "throw K", "meters": "meter W AMOUNT"}[kind.needs]


def refusals() -> Iterator[tuple[str, str]]:
    """Yield every code with which the engine refuses, and its sentences, '…' for what is filled in."""
    found: dict[str, list[str]] = {}
    for path in sorted(ENGINE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                name, sentence, *_ = node.args
                if not isinstance(name, ast.Constant):
                    sys.exit(f"{path.name}, line {node.lineno}: expected a refusal code as text")
                said = found.setdefault(str(name.value), [])
                text = _text(sentence)
                said += [text] if text not in said else []
    for name in sorted(found):
        yield f"`{name}`", " / ".join(found[name])


def _text(node: ast.expr) -> str:
    match node:
        case ast.Constant():
            return str(node.value)
        case ast.JoinedStr():
            return "".join(_text(part) for part in node.values)
        case _:
            return "…"


def words() -> str:
    """Return the generated part of the page."""
    ruled = decisions()
    parts = [
        "### What goes wrong",
        table(("`mishap …`", "what goes wrong"), ((f"`{kind}`", what) for kind, what in MISHAPS.items())),
        "### Reports",
        f"Staff are {code(STAFF)}; `{MACHINE}` reports {code(sorted(DEVICE_REPORTS))} alone.",
        table(
            ("`reports …`", "with", "what is wrong", "by", "ruled at the published books' tables"),
            ((f"`{kind}`", says(kind), WHAT[kind], who_reports(kind), code(ruled[kind])) for kind in REPORTED),
        ),
        "### Rulings",
        table(("`=> ruled …`", "what follows"), ((f"`{decision}`", then) for decision, then in THEN.items())),
        "### Orders",
        table(("`orders …`", "what is ordered"), ((f"`{kind}`", said) for kind, said in ORDERED.items())),
        table(("`ground …`", "what an order rests on"), ((f"`{word}`", what) for word, what in GROUNDS.items())),
        "### Steps of the script",
        table(
            ("step", "by", "what is done", "with"),
            (
                (f"`{name}`", kind.actor, kind.text.format(seat="N", wager="W", number="K"), code(brings(kind)))
                for name, kind in KINDS.items()
            ),
        ),
        "### Refusal codes",
        table(("`=> …`", "the sentence; … stands for what is filled in"), refusals()),
    ]
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Return the whole page, its generated part anew."""
    before, begin, rest = TARGET.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"docs/round-record.md: expected {BEGIN.strip()!r} and {END.strip()!r}, got a page without them")
    return f"{before}{BEGIN}\n{words()}\n{END}{after}"


if __name__ == "__main__":
    wanted = page()
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text(encoding="utf-8") != wanted:
            sys.exit("docs/round-record.md is out of date: run `make fix`")
    else:
        TARGET.write_text(wanted, encoding="utf-8")
