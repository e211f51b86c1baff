"""Releases: one version, a changelog that knows it, metadata that leads somewhere, and a script that refuses the rest."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from hatch_build import ReadmeHook
from packaging.version import Version
from scripts.fresh import MINORS
from scripts.tag import unready

from letitride import __version__

ROOT = Path(__file__).parent.parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_one_that_a_registry_takes_and_the_changelog_begins_with() -> None:
    assert __version__ == str(Version(__version__))
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.fullmatch(re.escape(__version__) + r" (\(unreleased\)|- \d{4}-\d\d-\d\d)", headings[0])
    assert "version" not in PROJECT


def test_every_python_that_is_named_is_tried() -> None:
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert [f"3.{minor}" for minor in MINORS] == named
    assert f">={named[0]}" == PROJECT["requires-python"]


def test_the_readme_of_the_package_leads_to_the_sources_of_its_version() -> None:
    metadata: dict[str, Any] = {"urls": PROJECT["urls"]}
    ReadmeHook(str(ROOT), {}).update(metadata)
    shown, source = metadata["readme"]["text"], PROJECT["urls"]["Source"]
    links = re.findall(r"\]\(([^)]+)\)", shown)
    assert len(links) > 30
    assert [] == [link for link in links if not link.startswith(("https://", "#"))]
    for link in links:
        if link.startswith(source):
            assert (ROOT / link.removeprefix(f"{source}/").split("/", 2)[2].partition("#")[0]).exists(), link
    assert f"{source}/raw/v{__version__}/docs/images/table.png" in links
    assert f"{source}/blob/v{__version__}/CHANGELOG.md" in links


def test_what_is_not_ready_is_not_tagged(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    said = unready(tmp_path, "1.0", committed=False)
    assert [
        "src/letitride/version.py: expected a version like 1.0.0 or 1.0.0rc1, got 1.0",
        "CHANGELOG.md: expected a heading '## 1.0 - YYYY-MM-DD', got none",
        "expected all changes to be committed, got some that are not",
    ] == said[:3]
    assert all(
        one.startswith("pyproject.toml: expected project.urls that lead somewhere, got https") for one in said[3:]
    )
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0.0rc2 - 2026-12-01\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project.urls]\nSource = "https://code.house/l"\n', encoding="utf-8")
    assert [] == unready(tmp_path, "1.0.0rc2", committed=True)
