"""References: how a rule book or a paytable is named: an id, a path, and for books variants after plus signs."""

from __future__ import annotations

import re


def is_path(ref: str) -> bool:
    """Whether a reference is a file's path rather than an id."""
    return "/" in ref or "\\" in ref or split_variants(ref)[0].endswith(".toml")


def split_variants(ref: str) -> tuple[str, tuple[str, ...]]:
    """Split 'nsw-1+shuffler' or 'a+b/mine.toml+small' into what is extended and the variants after it."""
    match = re.fullmatch(r"(.*\.toml)((?:\+[^+/\\]*)*)", ref, re.DOTALL)
    if match:
        return match[1], tuple(match[2].split("+")[1:])
    if "/" in ref or "\\" in ref:
        return ref, ()
    name, *variants = ref.split("+")
    return name, tuple(variants)
