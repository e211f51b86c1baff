"""The command lines of all documents: the command is there, and so is every option."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from letitride.cli import main

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`(letitride [^`]*)`")


@pytest.fixture(scope="module")
def group() -> Any:
    main.app.registered_commands.clear()
    main.app.registered_groups.clear()
    for name in main.COMMANDS:
        main.add(name)
    return typer.main.get_command(main.app)


def lines(page: str) -> Iterator[str]:
    """Yield the command lines of a page: those of its blocks for a shell, and what it quotes."""
    for kind, text in FENCED.findall(page):
        if kind in {"sh", "console"}:
            joined = text.replace("\\\n", " ")
            yield from (found[1] for found in re.finditer(r"^(?:\$ )?(letitride .*)$", joined, re.MULTILINE))
    yield from SPAN.findall(" ".join(FENCED.sub("", page).split()))


def wrong(group: Any, line: str) -> str:
    """Return what is wrong with a command line, or nothing."""
    words = [word.strip("[]") for word in shlex.split(line.partition(" | ")[0], comments=True)[1:]]
    command, context = group, typer.Context(group)
    while words and hasattr(command, "commands") and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return f"{line}: no command {words[0]}"
        command = command.commands[words.pop(0)]
        context = typer.Context(command, parent=context)
    params = [*command.params, *(one for below in getattr(command, "commands", {}).values() for one in below.params)]
    known = {name for one in params for name in (*one.opts, *one.secondary_opts)} | {"--help"}
    unknown = [word for word in words if word.startswith("--") and word.partition("=")[0] not in known]
    return f"{line}: no option {', '.join(unknown)}" if unknown else ""


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_every_command_line_of_a_page_is_one(page: Path, group: Any) -> None:
    found = [told for line in lines(page.read_text(encoding="utf-8")) if (told := wrong(group, line))]
    assert [] == found


def test_a_command_and_an_option_that_are_none_are_found(group: Any) -> None:
    page = "`letitride rules\nshow nsw-1`\n```sh\nletitride sing   # a song\nletitride par X \\\n  --loud\n```\n```text\nletitride no\n```"
    assert ["", "letitride sing   # a song: no command sing", "letitride par X    --loud: no option --loud"] == sorted(
        (wrong(group, line) for line in lines(page)), key=lambda told: (told != "", "par" in told)
    )
