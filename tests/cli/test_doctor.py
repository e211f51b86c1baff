"""`letitride doctor`: it finds what was tampered with, what is missing and what is unsafe, and says what to do."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from letitride import __version__
from letitride.rules.catalog import ready_rules
from letitride.server.net import pages
from letitride.server.ops import checkup, digests
from letitride.server.ops.checkup import Finding
from letitride.storage.urls import open_store
from tests.cli.command import SECONDS
from tests.storage.helpers import play_into

ROOT = Path(__file__).parent.parent.parent


def script(name: str) -> Any:
    """Return one of the project's scripts, which are in no package."""
    spec = importlib.util.spec_from_file_location(f"{name}_script", ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verdicts(found: Any) -> dict[str, Finding]:
    return {one.what: one for one in found}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as a wheel leaves it: its files, and the record of their digests."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(digests.PACKAGE, site / "letitride", ignore=shutil.ignore_patterns("__pycache__"))
    lines = []
    for path in sorted((site / "letitride").rglob("*")):
        if path.is_file():
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            lines.append(f"{path.relative_to(site).as_posix()},sha256={digest},{path.stat().st_size}")
    info = site / f"letitride-{__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: letitride\nVersion: {__version__}\n", encoding="utf-8"
    )
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,", ""]), encoding="utf-8")
    return site


def doctor(site: Path, folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """Run the doctor of an installation."""
    environ = {**os.environ, "PYTHONPATH": str(site), "LETITRIDE_DATA_DIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    code = "from letitride.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "doctor", "--json", *words],
        capture_output=True,
        text=True,
        check=False,
        env=environ,
        timeout=SECONDS,
    )
    assert done.returncode in {0, 1}, done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_good_installation_is_fit(wheel: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    code, found = doctor(wheel, tmp_path)
    by = {one["what"]: one for one in found["findings"]}
    assert (0, True) == (code, found["fit"])
    assert by["code"]["found"].endswith(", as shipped"), by["code"]
    assert {"ok"} == {by[name]["verdict"] for name in ("python", "code", "rule books and paytables", "data folder")}
    assert {"ok"} == {by[name]["verdict"] for name in ("clock", "compiled kernels", "fonts for PDF")}
    assert "note" == by["database"]["verdict"]


def test_a_changed_rule_book_is_named_and_unfit(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(wheel, site)
    book = site / "letitride/rules/data/paytables/LIRX-01.toml"
    book.write_text(book.read_text(encoding="utf-8").replace("1000", "1001"), encoding="utf-8")
    code, found = doctor(site, tmp_path)
    by = {one["what"]: one for one in found["findings"]}
    assert (1, False) == (code, found["fit"])
    assert "not as shipped: letitride/rules/data/paytables/LIRX-01.toml" in by["code"]["found"]
    assert by["rule books and paytables"]["found"].startswith("paytable LIRX-01: expected ")


def test_one_byte_of_code_one_file_more_or_less_changes_the_digest_and_is_named(wheel: Path, tmp_path: Path) -> None:
    package = tmp_path / "letitride"
    shutil.copytree(wheel, tmp_path, dirs_exist_ok=True)
    assert [] == digests.changed_files(package)
    before = digests.code_digest(package)
    module = package / "engine" / "legal.py"
    data = bytearray(module.read_bytes())
    data[100] ^= 1
    module.write_bytes(data)
    (package / "extra.py").write_text("", encoding="utf-8")
    (package / "py.typed").unlink()
    wrong = ["letitride/engine/legal.py", "letitride/extra.py", "letitride/py.typed"]
    assert wrong == digests.changed_files(package)
    assert before != digests.code_digest(package)


def test_the_digests_of_the_data_are_written_down() -> None:
    script = ROOT / "scripts" / "digests.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    assert [] == digests.changed_data()
    assert digests.changed_files() is None  # a source tree has no record


@pytest.mark.parametrize(
    ("version", "unsafe"),
    [
        ((3, 6, 23), False),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 0), False),
    ],
)
def test_releases_of_sqlite_that_may_damage_a_database_are_known(version: tuple[int, ...], unsafe: bool) -> None:
    assert unsafe == checkup.has_wal_bug(version)


def test_a_database_is_looked_into(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    assert "note" == verdicts(checkup.database(str(path)))["database"].verdict
    store = open_store(str(path))
    play_into(store, "t1", ready_rules("nsw-1"), 60)
    store.close()
    assert {"ok"} == {one.verdict for one in checkup.database(str(path))}
    with closing(sqlite3.connect(path)) as raw, raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute("UPDATE journal SET who = 'somebody' WHERE number = 7")
    journals = verdicts(checkup.database(str(path)))["journals"]
    assert "fail" == journals.verdict
    assert "(table t1): row 7: " in journals.found
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 10)
    assert "fail" == verdicts(checkup.database(str(path)))["database"].verdict


def test_a_folder_that_others_can_read_is_a_warning(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    found = verdicts(checkup.folder(folder))["data folder"]
    assert ("warn", f"chmod 700 {folder}") == (found.verdict, found.todo)
    folder.chmod(0o700)
    assert "ok" == verdicts(checkup.folder(folder))["data folder"].verdict
    assert "note" == verdicts(checkup.folder(tmp_path / "none"))["data folder"].verdict


def test_the_page_is_looked_for_where_the_server_has_it_and_held_against_its_build(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert pages.FOLDER == checkup.WEB
    monkeypatch.setattr(checkup, "WEB", tmp_path)

    def found() -> checkup.Finding:
        return verdicts(checkup.installation())["web client"]

    assert "make install" in found().todo
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8")
    (tmp_path / "app-1.js").write_text("let it = 'ride'", encoding="utf-8")
    (tmp_path / "app-1.js.br").write_bytes(b"small")
    assert ("fail", True) == (found().verdict, found().found.endswith("not as built: digests.json"))
    script("web").write_digests(tmp_path)
    assert ("ok", f"sha256 {digests.page_digest(tmp_path)}, as built") == (found().verdict, found().found)
    # What a browser that takes compressed files would get is part of it, and so is what was put beside it.
    (tmp_path / "app-1.js.br").write_bytes(b"other")
    (tmp_path / "added.js").touch()
    assert "fail" == found().verdict
    assert found().found.endswith("not as built: added.js, app-1.js.br")
    assert "--force" in found().todo


def test_the_page_is_part_of_the_digest_of_the_code(tmp_path: Path) -> None:
    assets = tmp_path / "server" / "assets"
    assets.mkdir(parents=True)
    (tmp_path / "version.py").touch()
    (assets / "index.html").write_text("<!doctype html>", encoding="utf-8")
    before = digests.code_digest(tmp_path), digests.page_digest(assets)
    (assets / "index.html").write_text("<!doctype html><script src=elsewhere.js>", encoding="utf-8")
    after = digests.code_digest(tmp_path), digests.page_digest(assets)
    assert before[0] != after[0]
    assert before[1] != after[1]
