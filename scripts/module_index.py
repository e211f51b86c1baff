"""Writes docs/modules.md: every module with the sentence it opens with; --check only compares."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "letitride"
TARGET = ROOT / "docs" / "modules.md"
HEAD = """# Modules

Every module of `src/letitride`, room by room, with the sentence it opens with. `make fix` writes this page from the
modules themselves; [architecture.md](architecture.md) says which room may import which.
"""


def sentence(path: Path) -> str:
    """Return the first line of a module's docstring."""
    found = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return found.partition("\n")[0].replace("|", "\\|")


def packages(folder: Path) -> Iterator[Path]:
    """Yield a package and all packages within it."""
    yield folder
    for inner in sorted(path for path in folder.iterdir() if (path / "__init__.py").is_file()):
        yield from packages(inner)


def section(folder: Path) -> str:
    """Return a package as a heading and a table of its modules."""
    name = folder.relative_to(PACKAGE).as_posix()
    modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    title = "The package" if folder == PACKAGE else f"`{name}/`"
    rows = [f"| `{path.stem}` | {sentence(path)} |" for path in modules]
    table = ["", "| module | what it is |", "|---|---|", *rows] if rows else []
    return "\n".join([f"## {title}", "", sentence(folder / "__init__.py"), *table])


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(f"{section(folder)}\n" for folder in packages(PACKAGE))])


if __name__ == "__main__":
    made = page()
    if "--check" in sys.argv[1:]:
        if not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != made:
            sys.exit("docs/modules.md is not up to date: run 'make fix'")
    else:
        TARGET.write_text(made, encoding="utf-8")
