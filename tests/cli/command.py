"""Command: the `letitride` command, run as a process as a person would, or in the process of the test, which is quicker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

from letitride.cli import main

COMMAND = Path(sys.executable).parent / "letitride"
SECONDS = 300
"""How long a command may take on a machine with much else to do."""


def _environ(own: dict[str, str]) -> dict[str, str]:
    """Return the environment of a command: that of the tests, without what changes how output looks."""
    return {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR"}} | own


def process(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as a person would."""
    return subprocess.run(
        [COMMAND, *words], capture_output=True, text=True, check=False, env=_environ(environment), timeout=SECONDS
    )


def run(*words: str | Path, answers: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, from its words to its exit code; how a process starts is not tested by it."""
    told = [str(word) for word in words]
    main.app.registered_commands.clear()  # each run adds its own, as a process does
    main.app.registered_groups.clear()
    with ExitStack() as stack:
        files = (stack.enter_context(TemporaryFile("w+", encoding="utf-8", newline="")) for _ in range(3))
        streams = dict(zip(("stdin", "stdout", "stderr"), files, strict=True))
        streams["stdin"].write(answers)
        streams["stdin"].seek(0)
        stack.enter_context(patch.multiple(sys, argv=[str(COMMAND), *told], **streams))
        stack.enter_context(patch.dict(os.environ, _environ(environment), clear=True))
        code: object = 0
        try:
            main.run()
        except SystemExit as end:
            code = end.code
        for stream in streams.values():
            stream.flush()
            stream.seek(0)
        out, talk = streams["stdout"].read(), streams["stderr"].read()
    return subprocess.CompletedProcess(told, code if isinstance(code, int) else 0, out, talk)


def read(*words: str | Path) -> Any:
    """Run a command with --json and return what it printed."""
    done = run(*words, "--json")
    assert (0, "") == (done.returncode, done.stderr)
    return json.loads(done.stdout)
