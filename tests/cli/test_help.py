"""Help: every command and option is explained in the words of the guide, and no line of a list is cut."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest
import typer

from letitride.cli import main
from tests.cli.command import run
from tests.repository.words import AVOIDED, sentences_over

LINE: Final = 80 - len("  paytables  ")
"""What a terminal of 80 columns leaves of a line in a list of commands."""


def commands(command: Any, name: str = "letitride") -> Iterator[tuple[str, Any]]:
    """Yield a command and all below it, by what is typed for each."""
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{name} {word}")


@pytest.fixture(scope="module")
def every() -> dict[str, Any]:
    main.app.registered_commands.clear()
    main.app.registered_groups.clear()
    for name in main.COMMANDS:
        main.add(name)
    return dict(commands(typer.main.get_command(main.app)))


def texts(command: Any) -> Iterator[str]:
    yield command.help or ""
    yield from (one.help or "" for one in command.params)


def test_every_command_and_option_is_explained_and_ends_its_sentence(every: dict[str, Any]) -> None:
    assert len(every) > 40
    bare = [(name, text) for name, one in every.items() for text in texts(one) if not text.rstrip().endswith(".")]
    assert bare == []


def test_no_line_in_a_list_of_commands_is_cut(every: dict[str, Any]) -> None:
    cut = [name for name, one in every.items() if one.get_short_help_str(LINE).endswith("...")]
    assert cut == []


def test_the_list_of_commands_says_what_the_commands_say(every: dict[str, Any]) -> None:
    said = {name: every[f"letitride {name}"].get_short_help_str(LINE) for name in main.COMMANDS}
    assert said == {name: command.summary for name, command in main.COMMANDS.items()}
    listed = run("--help").stdout
    assert all(f"{name:<9}  {command.summary}" in listed for name, command in main.COMMANDS.items())


def test_a_list_of_commands_loads_none_of_them() -> None:
    words = ("import sys; from letitride.cli.main import run; sys.argv = ['letitride', '--help']", "try: run()")
    code = "\n".join([*words, "except SystemExit: print([one for one in sys.modules if one.startswith('letitride.')])"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1]
    assert "letitride.cli.main" in loaded
    assert not [one.module for one in main.COMMANDS.values() if f"letitride.cli.{one.module}'" in loaded]


def test_no_help_has_a_word_that_the_guide_avoids(every: dict[str, Any]) -> None:
    found = [
        (name, match[0], text)
        for name, one in every.items()
        for text in texts(one)
        for pattern in AVOIDED
        if (match := re.search(pattern, text, re.IGNORECASE))
    ]
    assert found == []


def test_no_sentence_of_a_help_has_more_than_30_words(every: dict[str, Any]) -> None:
    long = [(name, found) for name, one in every.items() for text in texts(one) if (found := sentences_over(30, text))]
    assert long == []
