"""Dialogue of a drill: asks for answers line by line, in a terminal or from a pipe; it judges none of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from typing import Final, NoReturn

import typer

from letitride.cli.io.output import stop_writing
from letitride.rules.plain import plain
from letitride.rules.words import one_of

INTERRUPTED: Final = 130


class Stopped(Exception):
    """The trainee stops, or the input has ended."""


def answer_of(prompt: str, words: Mapping[str, str]) -> tuple[str, float | None]:
    """Return the answer that was typed, by the words for each, and the seconds it took at a terminal.

    Anything else is refused on stderr and asked for again; 'q' and the end of the input stop.
    """
    began = time.monotonic()
    while True:
        say(prompt, end=" ")
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            say("")  # no Enter was typed to end the line
        word = line.strip().casefold()
        if not line or word in {"q", "quit", "stop"}:
            raise Stopped
        if word in words:
            return words[word], time.monotonic() - began if sys.stdin.isatty() else None
        first = {answer: word for word, answer in [*words.items()][::-1]}  # of the words for each answer
        say(f"expected {one_of([*[*first.values()][::-1], 'q'])}, got '{line.strip()[:40]}'")


def say(text: str, end: str = "\n") -> None:
    """Print a message to stderr, beside the data."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def print_object(kind: str, data: object) -> None:
    """Print one thing that happened as JSON on a line of its own: a drill is a stream of them."""
    try:
        sys.stdout.write(json.dumps({"type": kind, **plain(data)}, ensure_ascii=False, allow_nan=False) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()


def interrupted(how_to_go_on: str) -> NoReturn:
    """End after Ctrl-C, with how to go on."""
    say(f"\nSaved. Continue with: {how_to_go_on}")
    raise typer.Exit(INTERRUPTED)
