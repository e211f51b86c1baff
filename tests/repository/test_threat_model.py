"""The threat model and its tables: every requirement once, every file that is named is there, and what they say of code."""

from __future__ import annotations

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
MODEL = ROOT / "docs" / "threat-model.md"
ASVS, GLI = (ROOT / "docs" / "threat-model" / name for name in ("asvs.md", "gli-19.md"))
STATES = ("met", "partly", "not met", "not ours")
LEVELS = dict(line.split() for line in (ROOT / "tests" / "data" / "asvs-5.0.0.txt").read_text("utf-8").splitlines())
"""The ids of levels 1 and 2, each with its level."""
NAMED = re.compile(
    r"`((?:src|tests|docs|web|benchmarks|scripts|examples)/[\w./-]+|Caddyfile|Dockerfile|SECURITY\.md|[\w-]+\.(?:yaml|lock))`"
)


def rows(page: Path, columns: int) -> list[list[str]]:
    """Return the rows of a page's tables that have a state, without the sums."""
    lines = (
        line.strip("| ").split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if line[:2] == "| "
    )
    return [cells for cells in lines if len(cells) == columns and cells[-2] in STATES]


def files(text: str) -> list[Path]:
    return [ROOT / name for name in NAMED.findall(text)]


def test_every_requirement_of_levels_1_and_2_is_there_once() -> None:
    assert {"1": 70, "2": 183} == Counter(LEVELS.values())
    found = [(cells[0].removeprefix("v5.0.0-"), cells[1]) for cells in rows(ASVS, 5)]
    assert list(LEVELS.items()) == found


def test_the_sums_are_those_of_the_rows() -> None:
    found = Counter((cells[-2], cells[1]) for cells in rows(ASVS, 5))
    text = ASVS.read_text(encoding="utf-8")
    for state in STATES:
        one, two = found[state, "1"], found[state, "2"]
        assert f"| {state} | {one} | {two} | {one + two} |" in text


@pytest.mark.parametrize(("page", "columns"), [(ASVS, 5), (GLI, 4)])
def test_every_row_that_is_met_names_a_file_and_every_other_says_why(page: Path, columns: int) -> None:
    found = rows(page, columns)
    assert len(found) > 30
    for *what, state, where in found:
        assert len(where) > 3, what
        assert state != "met" or files(where), what


@pytest.mark.parametrize("page", [MODEL, ASVS, GLI, ROOT / "SECURITY.md"])
def test_every_file_that_is_named_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [] == [str(path) for path in files(text) if not path.exists()]
    linked = (one.partition("#")[0] for one in re.findall(r"\]\(([^)]+)\)", text) if not one.startswith(("http", "#")))
    assert [] == [one for one in linked if not (page.parent / one).exists()]


def test_chapters_are_in_their_order() -> None:
    numbers = [tuple(map(int, one.split("."))) for one in LEVELS]
    assert all(one < other for one, other in pairwise(numbers))


RUNS = {"eval", "exec", "compile", "__import__"}
STARTS = frozenset({"fork", "posix_spawn", "posix_spawnp", "execv", "execve", "execvp", "execl", "spawnv", "spawnve"})
"""How a process begins another, or becomes one: the one module that does so runs letitride's own command."""
WORKER_POOL = ROOT / "src" / "letitride" / "server" / "worker_pool.py"
NEVER = {"subprocess", "pickle", "marshal", "shelve"}


def test_the_package_runs_no_program_but_itself_evaluates_no_text_and_unpickles_nothing() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                assert not {name.partition(".")[0] for name in names} & NEVER, f"{path}: {names}"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in RUNS, f"{path}:{node.lineno}"
            elif isinstance(node, ast.Attribute):
                assert node.attr not in {"md5", "sha1", "system", "popen"}, f"{path}:{node.lineno}"
                assert node.attr not in STARTS or path == WORKER_POOL, f"{path}:{node.lineno}"


def test_the_page_writes_no_markup_from_text() -> None:
    risky = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|javascript:")
    pages = list((ROOT / "web" / "src").rglob("*.ts*"))
    assert len(pages) > 20
    assert [] == [str(path) for path in pages if risky.search(path.read_text(encoding="utf-8"))]
