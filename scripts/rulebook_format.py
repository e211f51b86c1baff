"""Writes docs/rulebook-format.md from the keys themselves; --check only compares."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from letitride.rules import catalog
from letitride.rules.explain import facts, in_words
from letitride.rules.keyspec import KEYS, SECTIONS, KeySpec
from letitride.rules.retired import RETIRED
from letitride.rules.rulebook import Source
from letitride.rules.words import show_value

TARGET = Path(__file__).parent.parent / "docs" / "rulebook-format.md"
HEAD = Path(__file__).with_name("rulebook_format.head.md")


def key_text(spec: KeySpec) -> str:
    """Return one key's entry: meaning, legal values, default, and what each published book says."""
    unit = f" ({spec.unit})" if spec.unit else ""
    lines = [f"#### `{spec.name}`", "", spec.doc, "", f"- expected: {spec.expected}{unit}"]
    lines += [f"  - `{value}`: {meaning}" for value, meaning in spec.meanings.items()]
    lines.append(f"- default: `{show_value(spec.default)}`")
    if spec.later:
        lines.append("- later: no part of a digest where it has its default")
    if spec.applies:
        other, *wanted = spec.applies
        lines.append(f"- applies where `{other}` is {' or '.join(f'`{show_value(value)}`' for value in wanted)}")
    for book_id in catalog.rulebook_ids():
        (fact,) = facts(catalog.rulebook(book_id), [spec])
        if fact.applies and fact.source is Source.DOCUMENT:
            lines.append(f"- {book_id}: `{show_value(fact.value)}` — {fact.origin}")
        elif fact.applies and fact.value != spec.default:
            lines.append(f"- {book_id}: `{show_value(fact.value)}` — house default ({in_words(spec, fact.value)})")
    return "\n".join(lines)


def page() -> str:
    """Return the whole page."""
    parts = [HEAD.read_text(encoding="utf-8").rstrip()]
    for section, specs in groupby(KEYS.values(), key=lambda spec: spec.section):
        title = f"`[{section}]`" if section else "Without a section"
        parts += [f"### {title}", SECTIONS[section], *(key_text(spec) for spec in specs)]
    rows = dict.fromkeys(f"| `{key.name}` | {key.holds} |" for key in RETIRED)
    table = "\n".join(("| key | what holds at every table |", "|---|---|", *rows))
    parts += ["## Retired keys", "Leave these out of a book: each was stated by all alike.", table]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    wanted = page()
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text(encoding="utf-8") != wanted:
            sys.exit("docs/rulebook-format.md is out of date: run `make fix`")
    else:
        TARGET.write_text(wanted, encoding="utf-8")
