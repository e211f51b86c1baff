"""Help and other texts of the commands: in the words of the guide, and no line of a list is cut."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from letitride.cli import main
from tests.repository.words import AVOIDED, sentences_over

SOURCE: Final = Path(main.__file__).parent.parent
IN_TEXT: Final = tuple(pattern for pattern in AVOIDED if r"\bgame\b" not in pattern)
"""'The table game' and 'game protection' are right: only a reader can tell them from a round."""
LINE: Final = 80 - len("  paytables  ")
"""What a terminal of 80 columns leaves of a line in a list of commands."""


def commands(command: Any, name: str = "letitride") -> Iterator[tuple[str, Any]]:
    """Yield a command and all below it, by what is typed for each."""
    yield name, command
    for word, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{name} {word}")


@pytest.fixture(scope="module")
def every() -> dict[str, Any]:
    main._add_commands([])
    found = dict(commands(typer.main.get_command(main.app)))
    del found["letitride play"]  # its texts are the terminal's
    return found


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


@pytest.mark.parametrize("room", ["cli", "analysis", "simulation"])
def test_no_text_of_the_commands_has_a_word_that_the_guide_avoids(room: str) -> None:
    files = [path for path in (SOURCE / room).rglob("*.py") if "terminal" not in path.parts]
    assert len(files) > 20
    found = [
        (str(path.relative_to(SOURCE)), node.lineno, match[0])
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        for pattern in IN_TEXT
        if (match := re.search(pattern, re.sub(r"`[^`]*`", "", node.value), re.IGNORECASE))
    ]
    assert found == []
