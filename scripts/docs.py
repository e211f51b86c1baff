"""Docs: builds the documentation site with Sphinx from docs/ and from what the code says of itself.

`python scripts/docs.py` builds where something has changed, `--missing` only where there is no site, `--force` anew.
A page is staged under build/docs with its links bent to where the site has what they name; no text is written twice.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT_FROM = "sources.txt"
"""The file in which a build writes the digest of its sources."""
CLEAN = "clean.txt"
"""The same, of a build with nothing left over from an earlier one."""
POLICY = "policy.json"
"""The file in which a build writes the digests of what its pages have inline: a server allows these and no others."""
PROJECT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/RESULTS.md", "web/README.md")
"""Pages from outside docs/."""
UNSEARCHED = ("CHANGELOG.md", "benchmarks/RESULTS.md", "docs/modules.md")
"""Pages that name everything, and answer no question: a search leaves them out."""
LIBRARIES = ("sphinx", "myst_parser", "furo", "fastapi", "gymnasium", "numba", "pettingzoo", "websockets")
"""What a build needs: the site's own tools, and all that the described parts of letitride import."""
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")


class NotBuilt(Exception):
    """Why there is no site, in a sentence."""


def site_of(root: Path) -> Path:
    """Return where the site lies, from where a server of this tree reads it and the wheel takes it.

    Not in the package: a look at its files would meet a site that is being replaced.
    """
    return root / "build" / "docs" / "site"


def sources(root: Path) -> list[Path]:
    """Return what the site is made of: pages, and the code that is described."""
    pages = [one for one in (root / "docs").rglob("*") if one.is_file()]
    code = (root / "src" / "letitride").rglob("*.py")  # pages and assets that were built are none
    scripts = (root / "scripts" / name for name in ("docs.py", "docs_reference.py"))
    return [*pages, *code, *(root / name for name in PROJECT), *scripts]


def digest_of(root: Path) -> str:
    """Return one SHA-256 over the names and contents of all sources."""
    lines = (
        f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.relative_to(root).as_posix()}" for one in sources(root)
    )
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


def place(name: str) -> str:
    """Return where the site has a file of the repository."""
    return name.removeprefix("docs/") if name.startswith("docs/") else f"project/{name}"


def stage(root: Path, staged: Path) -> None:
    """Lay the pages as Sphinx reads them; what is as it was keeps its time, so that Sphinx reads it once."""
    pages = [*(one.relative_to(root).as_posix() for one in sorted((root / "docs").rglob("*.md"))), *PROJECT]
    laid = {place(name): bent(root, name, pages) for name in pages}
    laid |= {place(name): f"---\nnosearch: true\n---\n{laid[place(name)]}" for name in UNSEARCHED}
    files = {found for name in pages for found in linked(root, name) if found not in pages}
    content = {name: text.encode() for name, text in laid.items()}
    content |= {place(name): (root / name).read_bytes() for name in files if is_picture(name)}
    content |= {f"{place(name)}.md": listing(root / name).encode() for name in files if not is_picture(name)}
    content |= {name: (root / "docs" / "site" / name).read_bytes() for name in ("conf.py", "site.css")}
    content |= {name: text.encode() for name, text in reference(root).items()}
    for old in [
        one for one in staged.rglob("*") if one.is_file() and one.relative_to(staged).as_posix() not in content
    ]:
        old.unlink()
    for name, made in content.items():
        target = staged / name
        if not target.is_file() or target.read_bytes() != made:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(made)


def is_picture(name: str) -> bool:
    """Return whether a page shows a file rather than linking to it."""
    return Path(name).suffix in {".png", ".svg", ".webp"}


def listing(path: Path) -> str:
    """Return a page that shows a file of text as it is."""
    language = {".py": "python", ".toml": "toml", ".json": "json"}.get(path.suffix, "text")
    text = path.read_text(encoding="utf-8")
    return f"---\norphan: true\n---\n# {path.name}\n\n```````{language}\n{text}```````\n"


def reference(root: Path) -> dict[str, str]:
    """Return the pages that the code writes itself, by name."""
    sys.path[:0] = [str(root / "src"), str(root / "scripts")]
    import docs_reference  # noqa: PLC0415 - it imports all of letitride, which a look at the digest does not need

    found: dict[str, str] = docs_reference.pages(root)
    return found


def links(text: str) -> Iterator[re.Match[str]]:
    """Yield the links of a page to files of the repository, those of its blocks of code left out."""
    for inside, part in enumerate(re.split(r"^```", text, flags=re.MULTILINE)):
        if inside % 2 == 0:
            yield from LINK.finditer(part)


def named(root: Path, page: str, target: str) -> str:
    """Return the file of the repository that a link means."""
    return Path(os.path.normpath(root / Path(page).parent / target)).relative_to(root).as_posix()


def linked(root: Path, page: str) -> Iterator[str]:
    """Yield the files that a page links to or shows."""
    for found in links((root / page).read_text(encoding="utf-8")):
        name = named(root, page, found[1])
        if (root / name).is_file():
            yield name


def bent(root: Path, page: str, pages: Sequence[str]) -> str:
    """Return a page with each link to where the site has the file it names."""
    here = Path(place(page)).parent

    def bend(found: re.Match[str]) -> str:
        name = named(root, page, found[1])
        if name not in pages and not (root / name).is_file():
            return found[0]  # a page that is generated, or none at all, which Sphinx says
        shown = name in pages or is_picture(name)
        return Path(os.path.relpath(place(name) if shown else f"{place(name)}.md", here)).as_posix() + (found[2] or "")

    parts = re.split(r"(^```)", (root / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "".join(LINK.sub(bend, part) if at % 4 == 0 else part for at, part in enumerate(parts))


def build(root: Path, staged: Path, made: Path) -> None:
    """Have Sphinx build the pages; a warning is a failure."""
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "--builder",
        "html",
        "--quiet",
        "--fail-on-warning",
        "--doctree-dir",
        str(staged.parent / "doctrees"),
        str(staged),
        str(made),
    ]
    environ = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(command, cwd=root, env=environ, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NotBuilt(f"expected the site to build without a warning, got:\n{done.stderr}{done.stdout}".rstrip())


def harden(folder: Path) -> None:
    """Take styles from elements, which no policy allows, and note the digests of what stays inline."""
    inline: dict[str, set[str]] = {"script": set(), "style": set()}
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        text = re.sub(' style="display: none;?"', " hidden", text).replace(' style="opacity: 50%"', ' opacity="0.5"')
        text = re.sub(r'(<[a-z][^<>]*?) style="[^"]*"', r"\1", text)
        page.write_text(text, encoding="utf-8")
        for kind, found in inline.items():
            for content in re.findall(rf"<{kind}>(.*?)</{kind}>", text, re.DOTALL):
                found.add(base64.b64encode(hashlib.sha256(content.encode()).digest()).decode())
    listed = {kind: sorted(f"'sha256-{one}'" for one in found) for kind, found in inline.items()}
    (folder / POLICY).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def make(root: Path = ROOT, *, force: bool = False, clean: bool = False) -> bool:
    """Build the site where it was built from other sources, or not at all; return whether it was built.

    With `clean` what an earlier build left behind counts as well: a wheel is the same whatever was built before it.
    """
    digest, work = digest_of(root), root / "build" / "docs"
    marks = [site_of(root) / BUILT_FROM, *([work / CLEAN] if clean else ())]
    if not force and all(told(mark) == digest for mark in marks):
        return False
    lacking = [one for one in LIBRARIES if find_spec(one) is None]
    if lacking:
        raise NotBuilt(f"expected {', '.join(lacking)} to build the site with, got none: run 'make install'")
    work.mkdir(parents=True, exist_ok=True)
    with alone(work / "lock"):
        if not force and all(told(mark) == digest for mark in marks):
            return False  # it was built while this one waited
        remake(root, work, digest, force=force or clean)
    return True


def told(mark: Path) -> str:
    """Return the digest that a build wrote down, or nothing."""
    return mark.read_text(encoding="utf-8").strip() if mark.is_file() else ""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Have one build at a time in a folder, as far as the system can."""
    with path.open("w", encoding="utf-8") as file:
        if find_spec("fcntl") is not None:
            import fcntl  # noqa: PLC0415 - some systems have none

            fcntl.flock(file, fcntl.LOCK_EX)  # the system lets it go with the file
        yield


def remake(root: Path, work: Path, digest: str, *, force: bool) -> None:
    """Stage, build, harden, and put the new site where the old was."""
    site = site_of(root)
    if force:
        for name in ("source", "doctrees", "html"):
            shutil.rmtree(work / name, ignore_errors=True)
    staged, made = work / "source", work / "html"
    clean = not made.exists()
    stage(root, staged)
    build(root, staged, made)
    new = site.with_name("site.new")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(made, new, ignore=shutil.ignore_patterns(".buildinfo*", "objects.inv"))
    harden(new)
    (new / BUILT_FROM).write_text(f"{digest}\n", encoding="utf-8")
    shutil.rmtree(site, ignore_errors=True)
    new.rename(site)
    (work / CLEAN).write_text(f"{digest}\n" if clean else "", encoding="utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Build, and say in one sentence what did not work."""
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--force", action="store_true", help="build even if nothing has changed")
    parser.add_argument("--missing", action="store_true", help="build only where there is no site")
    asked = parser.parse_args(words)
    try:
        if not (asked.missing and (site_of(ROOT) / BUILT_FROM).is_file()):
            make(force=asked.force)
    except NotBuilt as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
