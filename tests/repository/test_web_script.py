"""The script that builds the page: it builds where the sources are others than those the page was built from."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, with a build that copies the one source into the page."""
    spec = importlib.util.spec_from_file_location("web_script", ROOT / "scripts" / "web.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(folder: Path, _: str, assets: str, **__: Any) -> None:
        Path(assets).mkdir(parents=True, exist_ok=True)
        for name in ("index.html", "app-1.js"):
            shutil.copy(folder / "src" / "main.tsx", Path(assets) / name)

    monkeypatch.setattr(module, "run", run)
    monkeypatch.setattr(module, "packages", lambda _: None)
    return module


def sources(root: Path, text: str) -> Path:
    """Lay a tree of sources; return the page that is built from them."""
    (root / "web" / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json", "build.mjs", "src/main.tsx"):
        (root / "web" / name).write_text(text, encoding="utf-8")
    return root / "src" / "letitride" / "server" / "assets" / "index.html"


def test_the_page_is_built_once_from_the_same_sources_whenever_they_were_written(
    web: ModuleType, tmp_path: Path
) -> None:
    page = sources(tmp_path, "one")
    assert web.make(tmp_path)
    assert not web.make(tmp_path)
    os.utime(tmp_path / "web" / "src" / "main.tsx", (2e9, 2e9))
    assert not web.make(tmp_path)
    assert page.read_text(encoding="utf-8") == "one"
    assert web.make(tmp_path, force=True)


def test_a_page_of_other_sources_is_built_anew_however_new_it_is(web: ModuleType, tmp_path: Path) -> None:
    old = sources(tmp_path / "here", "one")
    new = sources(tmp_path / "there", "two")
    web.make(tmp_path / "here")
    shutil.copytree(old.parent, new.parent)  # its files are newer than the sources
    assert web.make(tmp_path / "there")
    assert new.read_text(encoding="utf-8") == "two"


def test_a_source_that_is_new_gone_or_renamed_counts(web: ModuleType, tmp_path: Path) -> None:
    sources(tmp_path, "one")
    web.make(tmp_path)
    extra = tmp_path / "web" / "src" / "extra.tsx"
    extra.write_text("one", encoding="utf-8")
    assert web.make(tmp_path)
    extra.rename(extra.with_name("other.tsx"))
    assert web.make(tmp_path)
    extra.with_name("other.tsx").unlink()
    assert web.make(tmp_path)
    assert not web.make(tmp_path)
