"""Refusal: an expected no."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """An expected no: a code for programs, a sentence for people."""

    code: str
    sentence: str


def refuse_words(words: str) -> Refusal | None:
    """Return why a reason or a complaint cannot be put on record, or None."""
    if is_plain(words):
        return None
    return Refusal("bad_words", "What is put on record is one plain line, without '#' and '=>'.")


def is_plain(words: str) -> bool:
    """Whether words can stand in a line of a record: printable, single spaces, no '#' and no '=>'."""
    return words == " ".join(words.split()) and words.isprintable() and "#" not in words and "=>" not in words
