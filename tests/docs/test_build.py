"""When the site is built: where its sources are others, and for a wheel where an earlier build may have left something."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def tree(docs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of sources, with a build that adds a page named by what is staged, and removes none."""

    def build(_: Path, staged: Path, made: Path) -> None:
        made.mkdir(exist_ok=True)
        (made / f"{(staged / 'page.md').read_text(encoding='utf-8')}.html").write_text("", encoding="utf-8")

    def stage(root: Path, staged: Path) -> None:
        staged.mkdir(exist_ok=True)
        (staged / "page.md").write_bytes((root / "docs" / "page.md").read_bytes())

    monkeypatch.setattr(docs, "build", build)
    monkeypatch.setattr(docs, "stage", stage)
    for name in ("docs/page.md", "scripts/docs.py", "scripts/docs_reference.py", *docs.PROJECT):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one", encoding="utf-8")
    return tmp_path


def pages(docs: ModuleType, tree: Path) -> list[str]:
    return sorted(page.name for page in docs.site_of(tree).glob("*.html"))


def test_the_site_is_built_once_from_the_same_sources(docs: ModuleType, tree: Path) -> None:
    assert docs.make(tree)
    assert not docs.make(tree)
    assert not docs.make(tree, clean=True)  # nothing was there before
    (tree / "docs" / "page.md").write_text("two", encoding="utf-8")
    assert docs.make(tree)
    assert docs.make(tree, force=True)


def test_a_wheel_has_no_page_that_an_earlier_build_left(docs: ModuleType, tree: Path) -> None:
    docs.make(tree)
    (tree / "docs" / "page.md").write_text("two", encoding="utf-8")
    docs.make(tree)
    assert pages(docs, tree) == ["one.html", "two.html"]
    assert docs.make(tree, clean=True)
    assert pages(docs, tree) == ["two.html"]
    assert not docs.make(tree, clean=True)
    (tree / "docs" / "page.md").write_text("three", encoding="utf-8")
    docs.make(tree)
    (tree / "docs" / "page.md").write_text("two", encoding="utf-8")
    docs.make(tree)
    assert docs.make(tree, clean=True)
    assert pages(docs, tree) == ["two.html"]
