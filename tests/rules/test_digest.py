"""Digest: one spelling for one value."""

from __future__ import annotations

from hashlib import sha256 as of_bytes

from letitride.rules.digest import sha256


def test_a_value_is_spelled_with_sorted_keys_no_spaces_and_in_utf_8() -> None:
    assert of_bytes('{"a":["é",1],"b":null}'.encode()).hexdigest() == sha256({"b": None, "a": ["é", 1]})
