"""Extras: a slim core that works alone, and one sentence where a library is missing."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

from letitride.extras import LIBRARIES

ROOT: Final = Path(__file__).parent.parent
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECORD: Final = "tests/records/examples/washington.round"

CHILD: Final = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from letitride.extras import LIBRARIES
sys.modules |= dict.fromkeys(LIBRARIES)  # an entry that is None says that a module is missing
from letitride.cli.main import app, run
told = []
for line in json.load(sys.stdin):
    app.registered_commands.clear(), app.registered_groups.clear()
    sys.argv = ["letitride", *line]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            run()
        except SystemExit as end:
            told.append([end.code, out.getvalue(), err.getvalue()])
import letitride
try:
    import letitride.simulation.kernel
except ImportError as error:
    told.append([0, "", str(error)])
print(json.dumps(told))
"""
"""Runs command lines where no optional library can be imported."""


def named(requirement: str) -> str:
    """Return the distribution that a requirement is for."""
    return re.split(r"[\[<>=;\s]", requirement)[0].lower().replace("_", "-")


def test_every_library_that_is_imported_is_required_or_brought_by_the_extra_that_is_named() -> None:
    extras = {name: {named(one) for one in wanted} for name, wanted in PROJECT["optional-dependencies"].items()}
    for name, wanted in PROJECT["optional-dependencies"].items():
        for one in wanted:
            if named(one) == "letitride":
                extras[name] |= {part for other in re.findall(r"\w+", one.partition("[")[2]) for part in extras[other]}
    required = {named(one) for one in PROJECT["dependencies"]}
    distributions = {"cupy": ["cupy-cuda13x"], **packages_distributions()}
    brought_along = {"starlette": "fastapi", "pydantic": "typer"}
    imported = {
        name.partition(".")[0]
        for file in (ROOT / "src" / "letitride").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""])
        if not (isinstance(node, ast.ImportFrom) and node.level)
    }
    outside = imported - set(sys.stdlib_module_names) - {"letitride", "__future__"}
    assert len(outside) > 20
    for module in outside:
        made_by = brought_along.get(module) or named(distributions[module][0])
        if module in LIBRARIES:
            assert made_by in extras[LIBRARIES[module].extra], f"{module} is not in [{LIBRARIES[module].extra}]"
            assert made_by not in required
        else:
            assert made_by in required, f"{module} is neither required nor in letitride/extras.py"


@pytest.fixture(scope="module")
def slim(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str, str]]:
    """What command lines answer where no optional library can be imported: exit code, output, what is said beside it."""
    proof = tmp_path_factory.mktemp("slim") / "proof.json"
    kept = (ROOT / "tests" / "data" / "proofs-1.jsonl").read_text(encoding="utf-8").splitlines()[0]
    proof.write_text(json.dumps(json.loads(kept)["proof"]), encoding="utf-8")
    lines = {
        "version": ["--version"],
        "bare": [],
        "diff": ["rules", "diff", "nsw-1", "hand-dealt-1", "--json"],
        "par": ["par", "LIRX-01"],
        "decision": ["strategy", "LIRX-01", "--hand", "5h 6h 7h"],
        "hand": ["hand", "Th", "Jh", "Qh", "Kh", "Ah"],
        "replay": ["replay", "tests/records/examples/washington.round", "--as", "seat:3"],
        "fuzz": ["fuzz", "--rulebook", "nsw-1", "--commands", "50", "--seed", "1"],
        "proof": ["verify", "proof", str(proof)],
        "train": ["train", "player", "--lookup", "5h 6h 7h"],
        "simulate": ["simulate", "--rulebook", "nsw-1", "--rounds", "1000"],
        "serve": ["serve"],
        "play": ["play", "nsw-1"],
        "journal": ["verify", "journal", "house.db"],
        "pdf": ["par", "LIRX-01", "--pdf", str(proof.with_name("sheet.pdf"))],
    }
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        input=json.dumps([*lines.values()]),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {name: tuple(said) for name, said in zip([*lines, "api"], json.loads(done.stdout), strict=True)}


def test_the_core_alone_prices_replays_compares_and_verifies(slim: dict[str, tuple[int, str, str]]) -> None:
    done = ("version", "bare", "diff", "par", "decision", "hand", "replay", "fuzz", "proof", "train")
    assert {name: slim[name][0] for name in done} == dict.fromkeys(done, 0), slim
    assert "3.5057%" in slim["par"][1]
    assert "royal flush" in slim["hand"][1]


@pytest.mark.parametrize(
    ("name", "what", "extra"),
    [
        ("simulate", "simulation needs Numba", "sim"),
        ("serve", "letitride serve needs ", "server"),
        ("play", "letitride play needs PyICU", "tui"),
        ("journal", "letitride verify needs cryptography", "server"),
        ("pdf", "letitride par needs ", "reports"),
    ],
)
def test_a_command_without_its_libraries_says_how_to_install_them(
    slim: dict[str, tuple[int, str, str]], name: str, what: str, extra: str
) -> None:
    code, out, err = slim[name]
    assert (2, "") == (code, out)
    assert re.fullmatch(
        rf"letitride: {re.escape(what)}.*, which is not installed: pip install 'letitride\[{extra}\]'\n", err
    )


def test_the_python_interface_says_the_same(slim: dict[str, tuple[int, str, str]]) -> None:
    assert slim["api"][2] == "simulation needs Numba, which is not installed: pip install 'letitride[sim]'"
