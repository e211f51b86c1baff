"""The examples of the pages are typed: each page as one program passes mypy --strict and pyright, as a reader would run it."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
PROGRAM = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
IGNORED = "func-returns-value"
"""A page shows what a call without a result prints."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples of each page as one program, and each program of a page as it is."""
    folder = tmp_path_factory.mktemp("programs")
    parser = doctest.DocTestParser()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        name = re.sub(r"\W", "_", page.relative_to(ROOT).with_suffix("").as_posix()).lower()
        if examples := parser.get_examples(text, str(page)):
            (folder / f"{name}_page.py").write_text("".join(one.source for one in examples), encoding="utf-8")
        for number, program in enumerate(PROGRAM.findall(text)):
            (folder / f"{name}_program_{number}.py").write_text(program, encoding="utf-8")
    assert len(list(folder.glob("*_page.py"))) > 8
    assert len(list(folder.glob("*_program_*.py"))) > 4
    return folder


@pytest.mark.slow
def test_the_examples_of_every_page_pass_strict_typing(programs: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--disable-error-code", IGNORED, "--allow-redefinition"]
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
    done = subprocess.run(
        [*command, *settings, *map(str, sorted(programs.glob("*.py")))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_examples_of_every_page_pass_pyright(programs: Path) -> None:
    """By basedpyright, which is pyright with its own script engine, in pyright's own mode."""
    settings = {"typeCheckingMode": "standard", "reportAttributeAccessIssue": "error", "include": [str(programs)]}
    settings |= {
        "venvPath": str(Path(sys.prefix).parent),
        "venv": Path(sys.prefix).name,
        "extraPaths": [str(ROOT / "src")],
    }
    (programs / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [Path(sys.executable).parent / "basedpyright", "--project", str(programs), "--level", "error"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
