"""The examples of the pages are typed: each page as one program passes mypy --strict, as a reader would run it."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```pycon" in page.read_text(encoding="utf-8")
]
IGNORED = "func-returns-value"
"""A page shows what a call without a result prints."""


@pytest.mark.slow
def test_the_examples_of_every_page_pass_strict_typing(tmp_path: Path) -> None:
    parser = doctest.DocTestParser()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        examples = parser.get_examples(text, str(page))
        program = "".join(one.source for one in examples)
        (tmp_path / f"{page.stem.replace('-', '_').lower()}_page.py").write_text(program, encoding="utf-8")
    assert len(PAGES) > 8
    command = [sys.executable, "-m", "mypy", "--strict", "--disable-error-code", IGNORED, "--allow-redefinition"]
    done = subprocess.run(
        [
            *command,
            "--config-file",
            str(ROOT / "pyproject.toml"),
            "--cache-dir",
            str(ROOT / ".mypy_cache"),
            *map(str, sorted(tmp_path.glob("*.py"))),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
