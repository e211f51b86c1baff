"""Session: a tutorial done as its reader does it: files saved, commands typed, what they print compared; it judges no prose.

A block after "Save this as `NAME`:" is written to a file. In a block of the kind `console` a line after `$ ` is a command, lines
after `> ` are what is typed while it asks, and what else follows is what it prints; `…` stands for anything. `letitride serve`
is left running until the end. A comment such as `<!-- by hand: opener riverside -->` is what tests/docs/hands.py does on the page.
`python -m tests.docs.session FILE` writes what the commands print into a page, where nothing is written below them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import httpx

from tests.cli.command import COMMAND, SECONDS, run
from tests.docs.hands import do
from tests.server.conftest import free_port

SAVED: Final = re.compile(r"[Ss]ave (?:this|it|them) as `([\w./-]+)`:$")
BY_HAND: Final = re.compile(r"<!-- by hand: (\w+ \w+) -->$")
PORT: Final = "8765"
"""The port that pages name; a session takes a free one."""
PASSWORD: Final = "riverside card room 42\n"  # noqa: S105 - of a house that lives as long as a test


class Block(NamedTuple):
    """A fenced block: its kind, its text, the file it is saved as, and the line after its opening."""

    kind: str
    text: str
    file: str
    line: int


class Typed(NamedTuple):
    """A command, and what the page says it prints."""

    command: str
    answers: str
    expected: str
    line: int


def blocks(page: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    opened, held, before, file = "", list[str](), "", ""
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```") and not opened:
            opened, held, began = line[3:].strip() or "text", [], number + 1
            found = SAVED.search(before)
            file = found[1] if found else ""
        elif line == "```":
            yield Block(opened, "".join(f"{one}\n" for one in held), file, began)
            opened, before = "", ""
        elif opened:
            held.append(line)
        elif by_hand := BY_HAND.match(line):
            yield Block("by hand", by_hand[1], "", number)
        else:
            before = f"{before} {line}".strip() if line else before if SAVED.search(before) else ""
    assert not opened, f"a block is not closed: {opened}"


def typed(block: Block) -> Iterator[Typed]:
    """Yield the commands of a block, with what each prints."""
    for part in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        answers, prints = [], []
        for line in part[2].splitlines(keepends=True):
            answered = line.startswith(("> ", ">\n"))
            (answers if answered else prints).append(line[1:].removeprefix(" ") if answered else line)
        yield Typed(
            part[1],
            "".join(answers) or PASSWORD * 2,
            "".join(prints),
            block.line + block.text[: part.start()].count("\n"),
        )


def like(expected: str, printed: str) -> bool:
    """Return whether a command printed what was expected, however it was spaced."""
    parts = (r"\s+".join(map(re.escape, part.split())) for part in expected.split("…"))
    return re.fullmatch(r"\s*" + r"[\s\S]*?".join(parts) + r"\s*", printed) is not None


class Session:
    """A folder in which a tutorial is done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = str(free_port())
        self._stack = ExitStack()

    def __enter__(self) -> Session:
        self._stack.enter_context(chdir(self._folder))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def save(self, block: Block) -> None:
        """Write a block to its file."""
        path = self._folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text.replace(PORT, self._port), encoding="utf-8")

    def type(self, command: str, answers: str) -> str:
        """Carry out a command and return what it printed."""
        words = shlex.split(command.replace(PORT, self._port))
        if words[:2] == ["letitride", "serve"]:
            return self._serve(words)
        if words[0] == "mkdir":
            (self._folder / words[1]).mkdir()
            return ""
        if words[0] == "letitride":
            done = run(*words[1:], answers=answers, XDG_DATA_HOME=str(self._folder))
        else:
            assert words[0] == "python", f"expected letitride or python, got {command}"
            environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            done = subprocess.run(
                [sys.executable, *words[1:]], capture_output=True, text=True, check=False, timeout=SECONDS, env=environ
            )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return (done.stdout or done.stderr).replace(self._port, PORT)  # talk goes to stderr

    def do_by_hand(self, what: str) -> None:
        """Do on the page what the reader does there."""
        act, table = what.split()
        do(act, table, f"http://127.0.0.1:{self._port}", PASSWORD.strip())

    def _serve(self, words: list[str]) -> str:
        log = self._stack.enter_context((self._folder / "serve.log").open("w"))
        server = subprocess.Popen([COMMAND, *words[1:]], stdout=log, stderr=log)
        self._stack.callback(server.wait, SECONDS)
        self._stack.callback(server.terminate)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                if httpx.get(f"http://127.0.0.1:{self._port}/readyz").status_code == 200:
                    return ""
            except httpx.TransportError:
                pass
            assert server.poll() is None, (self._folder / "serve.log").read_text(encoding="utf-8")
            time.sleep(0.1)
        raise AssertionError("expected the server to be ready")


def printed_by(page: str, folder: Path) -> Iterator[tuple[Typed, str]]:
    """Do a tutorial in an empty folder, and yield each command with what it printed."""
    with Session(folder) as session:
        for block in blocks(page):
            if block.file:
                session.save(block)
            if block.kind == "by hand":
                session.do_by_hand(block.text)
            for one in typed(block) if block.kind == "console" else ():
                yield one, session.type(one.command, one.answers)


def failures(page: str, folder: Path) -> list[str]:
    """Do a tutorial and return what did not come out as it says."""
    return [
        f"line {one.line}: {one.command} printed\n{printed}"
        for one, printed in printed_by(page, folder)
        if not like(one.expected, printed) and not one.command.startswith("letitride serve")
    ]


def written(page: str, folder: Path) -> str:
    """Return a page with what its commands print, where nothing stands below them."""
    for one, printed in printed_by(page, folder):
        lines = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
        if not one.expected.strip():
            page = page.replace(f"$ {one.command}\n", f"$ {one.command}\n{lines}", 1)
    return page


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        with TemporaryDirectory() as folder:
            path.write_text(written(path.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
