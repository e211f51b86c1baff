"""A wager is data: no code knows one by its name, and the documented example is one that works."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from letitride.rules import catalog
from letitride.rules.wager_table import PUBLISHED, PUBLISHED_SPOTS

ROOT = Path(__file__).parent.parent.parent
NAMES = {*PUBLISHED, *PUBLISHED_SPOTS}
STORED = {
    # Tallies and files of simulations name their columns by the published wagers, and old files are still read.
    "src/letitride/simulation/stored_names.py",
}


def named(source: str) -> list[tuple[int, str]]:
    """Return the lines of a module that name a wager: as a text, as an attribute or as an argument's name."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) if text in NAMES:
                found.append((node.lineno, text))
            case ast.Attribute(attr=name) | ast.keyword(arg=name) if name in NAMES - {"base"}:
                found.append((node.lineno, str(name)))
    return found


def test_the_reader_of_names_finds_them() -> None:
    assert [(1, "bonus"), (2, "three_card"), (3, "base-1")] == named('a = "bonus"\nb.three_card\nc["base-1"]\nd.base\n')


@pytest.mark.parametrize("path", sorted((ROOT / "src").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_names_a_wager(path: Path) -> None:
    if str(path.relative_to(ROOT)) not in STORED:
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
