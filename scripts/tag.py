"""Tags a release: builds what is to be published, with hashes and bills of materials; pushes and publishes nothing."""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Final

from scripts.fresh import ROOT, Failed, build, must, report, run, unpack

DIST: Final = ROOT / "dist"
VERSION_FORM: Final = re.compile(r"\d+\.\d+\.\d+(?:rc\d+)?")


def unready(root: Path, version: str, *, committed: bool) -> list[str]:
    """Return what keeps the sources from being released, a sentence for each."""
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    said = []
    if not VERSION_FORM.fullmatch(version):
        said.append(f"src/letitride/version.py: expected a version like 1.0.0 or 1.0.0rc1, got {version}")
    if not re.search(rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        said.append(f"CHANGELOG.md: expected a heading '## {version} - YYYY-MM-DD', got none")
    if not committed:
        said.append("expected all changes to be committed, got some that are not")
    placeholders = sorted(url for url in urls.values() if re.match(r"https?://([\w-]+\.)*example(/|$)", url))
    if placeholders:
        said.append(f"pyproject.toml: expected project.urls that lead somewhere, got {placeholders[0]}")
    return said


def publishable(version: str) -> str:
    """Build sdist and wheel, twice and alike, with bills of materials and the hashes of all into dist/."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = build(ROOT, DIST)
        again = build(unpack(made[0], folder / "unpacked"), folder / "again")
        if any(one.read_bytes() != other.read_bytes() for one, other in zip(made, again, strict=True)):
            raise Failed("expected the same bytes from the sources and from their sdist, got others")
    must("make", "--silent", "sbom")
    for bill in (ROOT / "build" / "sbom").glob("*.cdx.json"):
        shutil.copy(bill, DIST / f"letitride-{version}-{bill.name}")
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in sorted(DIST.iterdir())]
    (DIST / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "\n".join(lines)


def main() -> None:
    """Build, and tag unless a rehearsal was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="scripts/tag")
    parser.add_argument("--dry-run", action="store_true", help="build into dist/ and say what is not ready; set no tag")
    asked = parser.parse_args()

    def trial() -> str:
        source = (ROOT / "src" / "letitride" / "version.py").read_text(encoding="utf-8")
        version = re.findall(r'__version__ = "(.+)"', source)[0]
        reasons = unready(ROOT, version, committed=not must("git", "status", "--porcelain").strip())
        if run("git", "rev-parse", "--verify", "--quiet", f"refs/tags/v{version}").returncode == 0:
            reasons.append(f"expected a version without a tag, got {version}, which has one")
        if reasons and not asked.dry_run:
            raise Failed("not ready to be released:\n  " + "\n  ".join(reasons))
        lines = publishable(version)
        if asked.dry_run:
            return "\n".join([lines, *(f"not ready: {reason}" for reason in reasons)])
        must("git", "tag", "--annotate", f"v{version}", "--message", f"letitride {version}")
        return f"{lines}\ntagged v{version}; 'git push origin v{version}' publishes the tag"

    report(trial)


if __name__ == "__main__":
    main()
