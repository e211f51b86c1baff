"""Refusal: an expected no."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """An expected no: a code for programs, a sentence for people."""

    code: str
    sentence: str
