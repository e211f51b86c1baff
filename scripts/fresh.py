"""Fresh: environments made for one trial, and the package built for it; touches no other environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

ROOT: Final = Path(__file__).resolve().parent.parent
MINORS: Final = range(11, 15)
"""The minor versions of Python 3 that the package is for."""
NOT_TRIED: Final = 75
"""The exit code of a script that could not try what it is for."""
_NO_INDEX: Final = re.compile(
    r".*(?:new connection|Max retries|name resolution|dns error|Connection refused|Could not (?:connect|fetch)|"
    r"ProxyError|client error|No matching distribution|Network connectivity).*"
)
_ASSETS: Final = "src/letitride/server/assets"


class NotTried(Exception):
    """Why something could not be tried, in a sentence."""


class Failed(Exception):
    """What was expected of a fresh environment, and what came."""


def run(*words: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command that knows nothing of this environment's Python."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    line = [str(word) for word in words]
    return subprocess.run(line, cwd=cwd, env={**kept, **environment}, capture_output=True, text=True, check=False)


def must(*words: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """Run a command that has to succeed, and return what it printed; without a package index nothing is tried."""
    done = run(*words, cwd=cwd, **environment)
    if done.returncode:
        if found := _NO_INDEX.search(done.stderr):
            raise NotTried(f"expected a package index to install from, got none that answers: {found[0].strip()}")
        said = f"{done.stdout}\n{done.stderr}".strip()
        raise Failed(f"expected '{' '.join(map(str, words))}' to succeed, got exit code {done.returncode}\n{said}")
    return done.stdout


def interpreters() -> dict[str, Path]:
    """Return the interpreters on this machine that the package is for, by version: on the path, or kept by pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: dict[str, Path] = {}
    for version in (f"3.{minor}" for minor in MINORS):
        given = [*pyenv.glob(f"{version}.*/bin/python"), *filter(None, [shutil.which(f"python{version}")])]
        works = (path for path in map(Path, given) if not run(path, "-c", "import ensurepip, venv").returncode)
        if path := next(works, None):
            found[version] = path
    return found


def environment(python: Path, folder: Path) -> Path:
    """Make a virtual environment and return its folder of commands."""
    must(python, "-m", "venv", folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def pins(folder: Path) -> Path:
    """Write the locked versions as constraints, without hashes: a wheel that was just built has none in the lock."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    path = folder / "constraints.txt"
    path.write_text("\n".join(re.findall(r"^[\w.\-]+==[^\\\n]+", text, re.MULTILINE)) + "\n", encoding="utf-8")
    return path


def build(source: Path, into: Path) -> tuple[Path, Path]:
    """Build sdist and wheel of a folder of sources, dated by the last commit, and return their paths."""
    when = run("git", "log", "-1", "--format=%ct").stdout.strip() or "1577836800"
    words = (sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", into)
    must(*words, cwd=source, SOURCE_DATE_EPOCH=when)
    return next(into.glob("*.tar.gz")), next(into.glob("*.whl"))


def unpack(sdist: Path, into: Path) -> Path:
    """Unpack an sdist and put the page that was built here in place; return the folder of sources."""
    with tarfile.open(sdist) as archive:
        archive.extractall(into, filter="data")
    folder = next(into.iterdir())
    shutil.copytree(ROOT / _ASSETS, folder / _ASSETS)
    return folder


def report(trial: Callable[[], str]) -> NoReturn:
    """Run a trial, print what it found, and end by an exit code: 0, 1 where it failed, 75 where it was not tried."""
    try:
        print(trial())
    except NotTried as why:
        print(why, file=sys.stderr)
        sys.exit(NOT_TRIED)
    except Failed as why:
        print(why, file=sys.stderr)
        sys.exit(1)
    sys.exit(0)
