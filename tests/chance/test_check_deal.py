"""Check deal: a program of fifty lines that shares no code with letitride finds what the long check finds."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from letitride.chance.proof import verify
from tests.chance.conftest import PROGRAM
from tests.chance.test_proof import DOCUMENTS, changed, get, leaves

DECKS = {name: one for name, one in DOCUMENTS.items() if one["version"] == 3 and one["format"].endswith("-proof")}


def test_the_program_has_fifty_lines_and_needs_python_alone() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 50
    tree = ast.parse(text)
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {"hashlib", "json", "sys"} == set(names)


@pytest.mark.parametrize("name", DECKS)
def test_it_takes_what_holds_and_finds_what_is_changed(
    check_deal: Any, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = DECKS[name]
    root = document["commitment"]["root"]
    assert ("", f"The proof holds: {document['outcome']}.\n") == (check_deal(document), capsys.readouterr().out)
    assert "" == check_deal(document, root)
    assert "The proof does not hold: root" == check_deal(document, "0" * 64)
    for path in leaves(document):
        was = get(document, path)
        if path[0] in {"cards", "order"} and path[1:2] not in {(0,), (51,)}:
            continue
        if isinstance(was, str) and len(was) == 64:
            value: Any = was[:-1] + f"{int(was[-1], 16) ^ 1:x}"
        elif isinstance(was, int) and path != ("version",):
            value = was % 6 + 1
        elif path[0] == "order" or path[-1] == "face":
            value = "2c" if was != "2c" else "3c"
        else:
            continue
        altered = changed(document, path, value)
        if value != was:
            assert verify(altered)
            assert check_deal(altered).startswith("The proof does not hold: "), path


def test_it_names_what_does_not_hold(check_deal: Any) -> None:
    dealt = DECKS["dealt"]
    for path, value, wrong in (
        (("commitment", "cuts"), [21, 33], "root"),
        (("links",), dealt["links"][:2], "order"),
        (("links",), dealt["links"][::-1], "seats"),
        (("throws",), [], "throws, order"),
        (("commitment", "dice"), 0, "root, throws"),
        (("throws", 0), [1 + dealt["throws"][0][0] % 6, *dealt["throws"][0][1:]], "dice"),
        (("reveals",), dealt["reveals"][:2], "reveals, order"),
        (("unrevealed",), [1], "reveals"),
        (("dice_salt",), "00" * 32, "deck, dice"),
        (("order",), dealt["order"][1:] + dealt["order"][:1], "order"),
    ):
        said = check_deal(changed(dealt, path, value))
        assert wrong in said, (path, said)
