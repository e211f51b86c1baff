"""The architecture as it is told: every module listed, every function named in a walk there, the layers as enforced."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TOLD = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([a-z_/]+)\.([A-Za-z_.]+)\(\)`", TOLD)
WALKED = re.findall(r"`(web/src/[A-Za-z/]+\.tsx?)`", TOLD)


def test_every_module_is_listed_with_the_sentence_it_opens_with() -> None:
    script = ROOT / "scripts" / "module_index.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr


def test_the_walks_name_functions() -> None:
    assert len(NAMED) > 30
    assert len(WALKED) > 2


@pytest.mark.parametrize(("module", "name"), NAMED, ids=[f"{module}.{name}" for module, name in NAMED])
def test_every_function_that_is_named_is_there(module: str, name: str) -> None:
    found: object = import_module(f"letitride.{module.replace('/', '.')}")
    for part in name.split("."):
        found = getattr(found, part)
    assert callable(found)


@pytest.mark.parametrize("path", WALKED)
def test_every_file_of_the_page_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).is_file()


def test_no_function_is_named_twice() -> None:
    names = [".".join(one) for one in NAMED]
    assert sorted(set(names)) == sorted(names)


def test_the_layers_are_those_that_are_enforced() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {one["id"]: one for one in settings["tool"]["importlinter"]["contracts"]}
    for name in ("layers", "server", "reports", "cli", "storage"):
        assert f"`{' > '.join(contracts[name]['layers'])}`" in TOLD, name
