"""The documentation site, built once from this tree, and the script that builds it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def docs() -> ModuleType:
    """The script: a module of its own, since scripts are no package."""
    spec = importlib.util.spec_from_file_location("docs_script", ROOT / "scripts" / "docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def site(docs: ModuleType) -> Path:
    """The site as 'make docs' builds it, by a process of its own: not again where nothing has changed."""
    command = [sys.executable, str(ROOT / "scripts" / "docs.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: Path = docs.site_of(ROOT)
    return found
