"""A wager is data: no code knows one by its name, and the documented example is one that works."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from letitride.rules import catalog
from letitride.rules.wager_table import PUBLISHED, PUBLISHED_SPOTS

ROOT = Path(__file__).parent.parent.parent
NAMES = {*PUBLISHED, *PUBLISHED_SPOTS}
_SIDES = [wager for wager in PUBLISHED.values() if not wager.is_base]
_LONG = [one for wager in _SIDES for one in (wager.id, wager.title) if "_" in one or " " in one]
INSIDE = re.compile("|".join(map(re.escape, _LONG)))
"""Ids and titles of two words or more, of which no text, name or module has even a part; "base" and "bonus" are words."""
STORED = {
    # Tallies and files of simulations name their columns by the published wagers, and old files are still read.
    "src/letitride/simulation/stored_names.py",
}
STORED_WORDS = {
    # Steps of the dealer's script and a refusal's code, which journals and records hold.
    *("invite_bonus", "collect_bonus", "restore_bonus", "bonus_amount"),
}


def named(source: str) -> list[tuple[int, str]]:
    """Return the lines of a module that name a wager: in a text, an attribute, an argument, a definition or an import."""
    tree = ast.parse(source)
    said = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
    return [(line, text) for line, text, exact in _texts(tree, said) if _names_a_wager(text, exact=exact)]


def _has_docstring(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)


def _texts(tree: ast.AST, said: set[int]) -> Iterator[tuple[int, str, bool]]:
    """Yield every text and name of a module with its line, and whether it is one where 'base' alone is a wager."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in said:
                yield node.lineno, text, True
            case ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield node.lineno, name, False
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name, False
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name, False
            case ast.ImportFrom(module=str(name)):
                yield node.lineno, name, False


def _names_a_wager(text: str, *, exact: bool) -> bool:
    if text in STORED_WORDS:
        return False
    inside = INSIDE.search(text) is not None
    parts = set(re.split(r"[._\W]", text)) if not exact else set()
    return inside or (exact and text in NAMES) or "bonus" in parts


def test_the_reader_of_names_finds_them() -> None:
    lines = (
        'a = "bonus"',
        "b.three_card",
        'c["base-1"]',
        "d.base",
        'def cover_all_sheet(bonus): "Cover All."',
        'e = "show the Cover All awards"',
        "from rules.three_card import f",
        'g = "invite_bonus"',
    )
    found = {
        (1, "bonus"),
        (2, "three_card"),
        (3, "base-1"),
        (5, "bonus"),
        (5, "cover_all_sheet"),
        (6, "show the Cover All awards"),
        (7, "rules.three_card"),
    }
    assert found == set(named("\n".join(lines)))


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_names_a_wager(path: Path) -> None:
    if str(path.relative_to(ROOT)) not in STORED:
        assert not INSIDE.search(path.stem)
        assert [] == named(path.read_text(encoding="utf-8"))


def test_the_page_names_no_wager() -> None:
    quoted = re.compile(r"""["'`](?:{})["'`]""".format("|".join(map(re.escape, sorted(NAMES)))))
    for path in sorted((ROOT / "web" / "src").rglob("*.ts*")):
        if "generated" not in path.parts:
            assert [] == quoted.findall(path.read_text(encoding="utf-8")), path


def test_the_documented_wager_fits_the_documented_book(tmp_path: Path) -> None:
    texts = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/wager-format.md").read_text(encoding="utf-8"), re.DOTALL)
    wager, book, _ = texts
    (tmp_path / "red_black.toml").write_text(wager, encoding="utf-8")
    (tmp_path / "my-room.toml").write_text(book, encoding="utf-8")
    table = catalog.ready_rules(tmp_path / "my-room.toml")
    assert ["base", tomllib.loads(wager)["id"]] == list(table.wagers)
    assert 5_000 == table.terms("red_black").cents_max


def test_the_documented_meter_is_one_that_a_bet_may_feed(tmp_path: Path) -> None:
    texts = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/wager-format.md").read_text(encoding="utf-8"), re.DOTALL)
    head = 'id = "jackpot"\ntitle = "Jackpot"\njudged_on = "own_five"\nranking = "poker"\naward = "total_award"\n'
    stated = "keys = { cents = 100 }\npays = { full_house = 50 }\n"
    (tmp_path / "jackpot.toml").write_text(head + stated + texts[-1], encoding="utf-8")
    found = catalog.wager(tmp_path / "jackpot.toml")
    assert found.meter is not None
    assert ["the whole meter", "10% of the meter", "$300 of the meter"] == [
        str(take) for take in found.meter.takes.values()
    ]
    assert [100_000, 30_000] == list(found.envy.values())
