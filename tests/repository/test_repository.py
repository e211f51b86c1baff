"""The repository itself: contracts, docs that do not lie, a wheel that holds what it must."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import get_origin

import pytest

import letitride

ROOT = Path(__file__).parent.parent.parent
TEXTS = [".py", ".md", ".toml", ".txt", ".csv", ""]


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


def test_rooms_import_only_what_they_may() -> None:
    lint = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout


def test_every_import_contract_has_an_id_of_its_own() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    ids = [contract["id"] for contract in settings["tool"]["importlinter"]["contracts"]]
    assert sorted(set(ids)) == sorted(ids)


def test_the_format_of_rule_books_is_documented_as_it_is() -> None:
    script = ROOT / "scripts" / "rulebook_format.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr


def test_the_words_of_round_records_are_documented_as_they_are() -> None:
    script = ROOT / "scripts" / "round_record.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr


def test_every_decision_has_a_number_of_its_own_and_says_it() -> None:
    files = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert len({file.name[:4] for file in files}) == len(files) > 40
    for file in files:
        assert file.read_text(encoding="utf-8").startswith(f"# {int(file.name[:4])}. "), file.name


def test_no_file_reads_what_lies_outside_the_repository() -> None:
    for path in tracked():
        if path.suffix in TEXTS and path != Path(__file__):
            assert "../shared" not in path.read_text(encoding="utf-8"), path


def test_no_module_is_longer_than_400_lines() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


CHECKED = ("src", "tests", "scripts", "benchmarks", "examples")
REASONED = re.compile(r"noqa: [A-Z]+\d+(, [A-Z]+\d+)* - \S|type: ignore\[[a-z, -]+\]  # (?!noqa)\S")


def test_every_ignored_finding_says_why_on_its_line() -> None:
    ignores = re.compile(r"#\s*(?:ruff:\s*)?noqa|#\s*type:\s*ignore")
    for path in (path for name in CHECKED for path in (ROOT / name).rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(ignores.findall(line)) == len(REASONED.findall(line)), f"{path}:{number}: {line}"


EXAMPLES = {  # messages and help texts that show what an id looks like
    "expected a clause id like 'nsw:12.6.s1', got '",
    "A key (deal.unit), a section (deal) or a clause (nsw:12.6, 12.6).",
}


def test_no_jurisdiction_is_named_in_code() -> None:
    named = re.compile(
        r"\b(california|washington|nsw|new south|shufflemaster|shuffle master|hand-dealt)", re.IGNORECASE
    )
    for path in (ROOT / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                assert not named.search(node.value) or node.value in EXAMPLES, (path, node.lineno, node.value)


def test_everything_exported_is_documented() -> None:
    api = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for name in letitride.__all__:
        assert f"`{name}`" in api, name
        plain = name.isupper() or name.startswith("__") or get_origin(getattr(letitride, name)) is not None
        assert plain or getattr(letitride, name).__doc__, name


@pytest.mark.slow
def test_the_wheel_holds_the_data_and_the_types(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path,
        ROOT,
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "letitride/py.typed" in names
    assert "letitride/server/assets/index.html" in names
    assert {"letitride/server/site/index.html", "letitride/server/site/policy.json"} <= set(names)
    for kind, count in (("paytables", 22), ("rulebooks", 5), ("clauses", 5)):
        assert count == sum(name.startswith(f"letitride/rules/data/{kind}/") for name in names)


UNTYPED = re.compile(r"dict\[str, Any\]")


def test_every_untyped_dictionary_says_why_it_has_no_type() -> None:
    found = 0
    for path in sorted((ROOT / "src").rglob("*.py")):
        lines = [*path.read_text(encoding="utf-8").splitlines(), ""]
        for number, (line, after) in enumerate(pairwise(lines), 1):
            if UNTYPED.search(line):
                found += 1
                assert "  # " in line or after.lstrip().startswith('"""'), f"{path}:{number}: {line}"
    assert found <= 23  # only ever fewer
