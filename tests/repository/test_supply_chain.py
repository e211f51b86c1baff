"""Supply chain: what is installed is what was locked, file by file; what runs is apart from what developers use."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent.parent
LOCKS = {"": "requirements.lock", **{kind: f"requirements-{kind}.lock" for kind in ("run", "build", "tools", "floors")}}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def locked(kind: str) -> dict[str, set[str]]:
    """Return the versions of each package in a lock."""
    found: dict[str, set[str]] = {}
    for line in text(LOCKS[kind]).splitlines():
        if line[:1].isalnum():
            name, version = re.split("==", re.split(r"[ ;]", line)[0])
            found.setdefault(name, set()).add(version)
    return found


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;~! ]", one)[0].lower().replace("_", "-") for one in requirements}


@pytest.mark.parametrize("kind", LOCKS)
def test_every_package_of_a_lock_is_of_one_version_and_known_by_its_hashes(kind: str) -> None:
    entries = re.split(r"\n(?=\S)", text(LOCKS[kind]).strip())
    assert len(entries) > 5
    for one in entries:
        assert re.match(r"[a-z0-9][a-z0-9._-]*==\S+( ; [^\\]+)? \\\n", one), one
        assert re.search(r"--hash=sha256:[0-9a-f]{64}$", one), one


def test_what_a_server_runs_with_is_all_it_needs_and_nothing_that_only_developers_need() -> None:
    run, development = locked("run"), locked("")
    assert names(PROJECT["project"]["dependencies"]) <= run.keys()
    only_developers = names(PROJECT["dependency-groups"]["dev"]) - names(PROJECT["project"]["dependencies"])
    assert set() == run.keys() & only_developers
    assert {"pytest", "mypy", "ruff", "playwright"} <= development.keys()
    for kind in ("run", "build"):
        assert {name: versions <= development[name] for name, versions in locked(kind).items()} == dict.fromkeys(
            locked(kind), True
        )
    assert names(PROJECT["build-system"]["requires"]) <= locked("build").keys()


def test_the_floors_are_the_versions_that_are_tested() -> None:
    """What pyproject.toml allows as the lowest version is the one in the lock of the floors, which `make prove` tries."""
    pinned = locked("floors")
    extras = [one for wanted in PROJECT["project"]["optional-dependencies"].values() for one in wanted]
    floors = [Requirement(one) for one in [*PROJECT["project"]["dependencies"], *extras]]
    tried = {one.name: one.specifier for one in floors if one.name not in {"letitride", "cupy-cuda13x"}}
    assert len(tried) > 20
    for name, allowed in tried.items():
        ((floor, version),) = [(Version(one.version), pinned[name]) for one in allowed]
        assert {floor} == {Version(one) for one in version}, name


def test_everything_is_installed_by_hash() -> None:
    """Whatever pip installs by a list, here and in the image; the wheel of our own comes from no index."""
    for name in ("Makefile", "Dockerfile"):
        lines = re.sub(r"\\\n\s*", "", text(name)).splitlines()
        installs = [one for line in lines for one in line.split("&&") if re.search(r"pip install\b", one)]
        assert installs, name
        for one in installs:
            own = "--editable ." in one or "--no-index" in one
            assert ("--no-deps" if own else "--require-hashes") in one, one
    assert "requirements-run.lock" in text("Dockerfile")
    assert "requirements.lock" not in text("Dockerfile")


def test_the_bill_of_materials_is_made_of_what_runs() -> None:
    (line,) = re.findall(r"cyclonedx-py .*", text("Makefile"))
    assert "requirements requirements-run.lock" in line
    assert re.search(r"web\.py --sbom build/sbom/page\.cdx\.json", text("Makefile"))
    assert "build/" in text(".gitignore").splitlines()  # generated, never committed
    assert {"cyclonedx-bom", "uv"} <= locked("tools").keys()
