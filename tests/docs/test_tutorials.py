"""The tutorials, done as their readers do them: every file is saved, every command typed, and it prints what is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.docs.session import blocks, failures, like

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_tutorial_comes_out_as_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert any(block.kind == "console" for block in blocks(text))
    assert [] == failures(text, tmp_path)


def test_a_command_that_prints_something_else_is_named_with_its_line(tmp_path: Path) -> None:
    page = "Save this as `a.txt`:\n\n```text\nx\n```\n\n```console\n$ letitride --version\nletitride …\n$ letitride hand As\n1\n```\n"
    with pytest.raises(AssertionError, match="letitride hand As"):
        failures(page, tmp_path)
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "x\n"
    (wrong,) = failures(page.replace("$ letitride hand As\n1\n", "$ letitride --version\nletitride 7\n"), tmp_path)
    assert wrong.startswith("line 10: letitride --version printed\nletitride ")


@pytest.mark.parametrize(
    ("expected", "printed", "alike"),
    [
        ("a  b\n", "a b\n\n", True),
        ("a … c", "a\nb\nc\n", True),
        ("a\n…\nc", "a\nc\n", True),
        ("a … c", "a b d", False),
        ("a", "a b", False),
        ("1.5", "1x5", False),
    ],
)
def test_an_ellipsis_stands_for_anything_and_spaces_for_any_space(expected: str, printed: str, alike: bool) -> None:
    assert alike == like(expected, printed)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_button_or_page_that_a_tutorial_names_is_called_so_on_the_page(page: Path) -> None:
    texts = set(json.loads((ROOT / "web" / "src" / "texts" / "en.json").read_text(encoding="utf-8")).values())
    named = re.findall(r"(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)", page.read_text(encoding="utf-8"))
    assert [] == [name for name in named if name not in texts]
