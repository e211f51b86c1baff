"""Talk of a drill: asks for answers line by line, in a terminal or from a pipe; judges none of them."""

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
    """Somebody who wants to stop, or whose answers are at an end."""


def answer_of(prompt: str, words: Mapping[str, str]) -> tuple[str, float | None]:
    """Return which of some answers is given, by the words for it, and after how many seconds if a person gave it.

    What is none of them is said on stderr and asked for again; 'q' and the end of the input stop.
    """
    began = time.monotonic()
    while True:
        say(prompt, end=" ")
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            say("")  # nobody's Enter ended the line
        word = line.strip().casefold()
        if not line or word in {"q", "quit", "stop"}:
            raise Stopped
        if word in words:
            return words[word], time.monotonic() - began if sys.stdin.isatty() else None
        first = {answer: word for word, answer in [*words.items()][::-1]}  # of the words for each answer
        say(f"expected {one_of([*[*first.values()][::-1], 'q'])}, got '{line.strip()[:40]}'")


def say(text: str, end: str = "\n") -> None:
    """Say something beside the data."""
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
    say(f"\nkept; go on with: {how_to_go_on}")
    raise typer.Exit(INTERRUPTED)
