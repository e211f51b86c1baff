"""References: which are paths, and what is a book and what its variants."""

from __future__ import annotations

import pytest

from letitride.rules.refs import is_path, split_variants


@pytest.mark.parametrize(
    ("ref", "name", "variants", "path"),
    [
        ("nsw-1", "nsw-1", (), False),
        ("nsw-1+shuffler", "nsw-1", ("shuffler",), False),
        ("washington-1+hand+x", "washington-1", ("hand", "x"), False),
        ("mine.toml", "mine.toml", (), True),
        ("mine.toml+small", "mine.toml", ("small",), True),
        ("a+b.toml+small+big", "a+b.toml", ("small", "big"), True),
        ("a+b/mine.toml+small", "a+b/mine.toml", ("small",), True),
        ("a+b\\mine.toml+small", "a+b\\mine.toml", ("small",), True),
        ("a+b/mine", "a+b/mine", (), True),
        ("a+b\\mine", "a+b\\mine", (), True),
        ("a.toml/b+c", "a.toml/b+c", (), True),
        ("a\nb.toml+c", "a\nb.toml", ("c",), True),
        ("toml", "toml", (), False),
    ],
)
def test_a_reference_is_split_into_a_book_and_its_variants(
    ref: str, name: str, variants: tuple[str, ...], path: bool
) -> None:
    assert (name, variants) == split_variants(ref)
    assert path == is_path(ref)
