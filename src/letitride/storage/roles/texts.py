"""Texts: which names and texts every database keeps as they are; it changes none of them."""

from __future__ import annotations

from letitride.errors import InvalidData


def is_text(text: str) -> bool:
    """Whether every database keeps a text as it is."""
    return text.isprintable()


def check_texts(*texts: str) -> None:
    """Refuse a text of many lines that not every database keeps as it is."""
    for text in texts:
        if "\0" in text or (not text.isascii() and text.encode(errors="replace").decode() != text):
            raise InvalidData(f"expected a text in Unicode without NUL, got {text!r}")


def check_name(what: str, text: str) -> None:
    """Refuse an id or a name that cannot be kept."""
    if not text or not is_text(text):
        raise InvalidData(f"expected {what}, got {text!r}")
