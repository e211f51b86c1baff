"""Proof: whatever is changed in a proof is found, by a check that needs nothing of what made it."""

from __future__ import annotations

import ast
import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.chance import proof as proof_module
from letitride.chance.fair import Fair, close, throw, void
from letitride.chance.proof import read, verify
from letitride.chance.secret import Secret
from letitride.chance.shares import Reveal, ShuffleId, pledge
from letitride.rules.cards import FACES

ID = ShuffleId("sept·7", 3, 2)
REVEALS = tuple(Reveal(seat, bytes([seat]) * 32) for seat in (1, 2, 5, 7))
LINKS = tuple(one.link for one in REVEALS)
SECRET = Secret(ID, FACES[7:] + FACES[:7], tuple(bytes([number]) * 32 for number in range(53)))
COMMITMENT = close(SECRET, [pledge(ID, one) for one in REVEALS], [20, 33], dice=1)
THROWS = (throw(SECRET, COMMITMENT, LINKS),)
FAIR = Fair(SECRET, COMMITMENT, REVEALS, LINKS, THROWS)
SECOND = close(SECRET, COMMITMENT.pledges, [20, 33], dice=None)
FAIR_2 = Fair(SECRET, SECOND, REVEALS, LINKS, (throw(SECRET, SECOND, LINKS),))
PLAIN = Fair(SECRET, close(SECRET, COMMITMENT.pledges), REVEALS)
ALONE = Fair(SECRET, close(SECRET))
OF_THE_FIRST = {
    f"first protocol, {row['what']}": row["proof"]
    for row in map(json.loads, (Path(__file__).parents[1] / "data" / "proofs-1.jsonl").read_text("utf-8").splitlines())
}
DOCUMENTS: dict[str, Any] = {
    "dealt": FAIR.proof().as_data(),
    "dealt without cut and dice": PLAIN.proof().as_data(),
    "dealt by the house alone": ALONE.proof().as_data(),
    "second protocol, dealt": FAIR_2.proof().as_data(),
    "second protocol, card": FAIR_2.card_proof(17).as_data(),
    "card": FAIR.card_proof(17).as_data(),
    "card without dice": PLAIN.card_proof(17).as_data(),
    "void": void(SECRET, COMMITMENT, "a card was seen", links=LINKS, throws=THROWS, reveals=REVEALS[:1]).as_data(),
    "void before bets were closed": void(SECRET, close(SECRET), "the table was closed").as_data(),
    "lost": void(None, COMMITMENT, "the power failed").as_data(),
    **{name: proof for name, proof in OF_THE_FIRST.items() if "dealt" not in name},
}
Path_ = tuple[str | int, ...]


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the paths of all values that hold no others."""
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield from leaves(one, (*path, name))
    if not inside or value in ([], {}):
        yield path


def nodes(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the paths of everything inside a value."""
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inside:
        yield (*path, name)
        yield from nodes(one, (*path, name))


def get(document: Any, path: Path_) -> Any:
    for name in path:
        document = document[name]
    return document


def changed(document: Any, path: Path_, value: Any) -> Any:
    """Return a copy in which one value is another."""
    found = copy.deepcopy(document)
    get(found, path[:-1])[path[-1]] = value
    return found


def told_by_the_house(path: Path_) -> bool:
    """Whether nothing but the house's word stands behind a value: the reason of a void."""
    return path == ("reason",)


def likely(value: Any) -> list[Any]:
    """Return values that are near another: what a careful forger would try."""
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, float(value), str(value), None, bool(value), value + 2**64]
    if isinstance(value, str):
        flipped = ("1" if value[:1] == "0" else "0") + value[1:]
        return [
            flipped,
            value.upper(),
            value + "0",
            value[:-1],
            f" {value}",
            f"{value}\n",
            "",
            None,
            [value],
            "Ah",
            "2c",
        ]
    return [[1], None, {}, "", 0, False]


def test_a_proof_holds_as_it_is_and_after_a_trip_through_json() -> None:
    for name, document in (DOCUMENTS | OF_THE_FIRST).items():
        assert [] == verify(document), name
        assert [] == verify(read(json.dumps(document, indent=3)))
        assert [] == verify(document, document["commitment"]["root"])
        assert "as it was published" in verify(document, "0" * 64)[0]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_likely_change_of_any_value_is_found(name: str) -> None:
    document = DOCUMENTS[name]
    for path in leaves(document):
        was = get(document, path)
        if told_by_the_house(path) or (path[0] in {"cards", "order"} and path[1:2] not in {(), (0,), (30,), (51,)}):
            continue
        for value in likely(was):
            if (type(value), value) != (type(was), was):
                assert verify(changed(document, path, value)), (path, value)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_bit_flipped_in_any_digest_is_found(name: str) -> None:
    document = DOCUMENTS[name]
    for path in leaves(document):
        was = get(document, path)
        if isinstance(was, str) and len(was) == 64:
            for at in (0, 31, 63):
                flipped = was[:at] + f"{int(was[at], 16) ^ 1:x}" + was[at + 1 :]
                assert verify(changed(document, path, flipped)), path


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300)
@given(st.sampled_from(sorted(DOCUMENTS)), st.data())
def test_any_value_in_the_place_of_any_other_is_found(name: str, data: st.DataObject) -> None:
    document = DOCUMENTS[name]
    path = data.draw(st.sampled_from(list(nodes(document))))
    was = get(document, path)
    other = st.sampled_from(list(nodes(document))).map(lambda path: get(document, path))
    value = data.draw(JSON_VALUES | other)
    if told_by_the_house(path) or (type(value), value) == (type(was), was):
        return
    if name == "first protocol, void" and (path, value) == (("cards",), []):
        return  # then it says, for all to see, that the deck was not opened
    assert verify(changed(document, path, value))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_whatever_is_left_out_or_added_is_found(name: str) -> None:
    document = DOCUMENTS[name]
    for path in nodes(document):
        short = copy.deepcopy(document)
        holder = get(short, path[:-1])
        del holder[path[-1]]
        given_up = name == "void" and path == ("throws", 0)  # no order hangs on it: the links were told, no dice thrown
        assert verify(short) or given_up, path
        long = copy.deepcopy(document)
        holder = get(long, path[:-1])
        if isinstance(holder, dict):
            holder["more"] = 1
        else:
            holder.append(holder[0])
        assert verify(long), path


@pytest.mark.parametrize("name", DOCUMENTS)
def test_two_entries_that_changed_places_are_found(name: str) -> None:
    document = DOCUMENTS[name]
    lists = [path for path in nodes(document) if isinstance(get(document, path), list)]
    for path in lists:
        for at in range(len(get(document, path)) - 1):
            swapped = copy.deepcopy(document)
            held = get(swapped, path)
            held[at], held[at + 1] = held[at + 1], held[at]
            assert verify(swapped) or held[at] == held[at + 1], (path, at)


def test_the_first_thing_wrong_is_named_with_its_place() -> None:
    dealt = DOCUMENTS["dealt"]
    order = dealt["order"]
    wrong = changed(changed(dealt, ("order", 3), order[4]), ("order", 4), order[3])
    assert f"order[3]: expected {order[3]} from the cards and the nonces, got {order[4]}" == verify(wrong)[0]
    assert 2 == len(verify(wrong))
    assert "version: expected 1, 2 or 3, got 4" == verify({**dealt, "version": 4})[0]
    assert verify({**dealt, "version": 2})[0].startswith("commitment: expected the fields table")
    assert verify({**dealt, "version": 1})[0].startswith("the proof: expected the fields format, version, commitment")
    nonce = changed(dealt, ("reveals", 1, "nonce"), "00" * 32)
    assert "reveals[1]: expected what seat 2 committed to, got another nonce" == verify(nonce)[0]
    link = changed(dealt, ("links", 0, "link"), "00" * 32)
    assert "links[0]: expected what seat 1 committed to, got another link" == verify(link)[0]
    ((first, second, third),) = THROWS
    other = [first % 6 + 1, second, third]
    dice = changed(dealt, ("throws", 0), other)
    expected = f"throws[0]: expected {list(THROWS[0])} from the dice salt and the links, got {other}"
    assert expected == verify(dice)[0]
    short = {**DOCUMENTS["void"], "cards": [], "dice_salt": "00"}
    assert "dice_salt: expected no bytes in small hexadecimal digits, got '00'" == verify(short)[0]
    assert "the proof: expected an object, got 7" == verify(7)[0]


def test_a_cut_that_is_told_otherwise_is_found_by_the_root_and_by_the_order() -> None:
    dealt = DOCUMENTS["dealt"]
    for cuts in ([], [20], [33, 20], [53 - 52], [20, 33, 1]):
        problems = verify(changed(dealt, ("commitment", "cuts"), cuts))
        assert problems[0].startswith("commitment.root: expected"), cuts


def test_a_seat_whose_link_is_left_out_changes_dice_and_order() -> None:
    """Even where the dice come out the same: the order holds the links too."""
    dealt = changed(DOCUMENTS["dealt"], ("links",), DOCUMENTS["dealt"]["links"][:2])
    assert any(problem.startswith("order[") for problem in verify(dealt))


def test_what_is_left_out_is_named() -> None:
    dealt = DOCUMENTS["dealt"]
    short = changed(changed(dealt, ("reveals",), dealt["reveals"][:2]), ("unrevealed",), [5, 7])
    expected = "reveals: expected the nonces of all seats that pledged, [1, 2, 5, 7], got those of [1, 2]"
    assert expected == verify(short)[0]
    without = changed(changed(dealt, ("throws",), []), ("links",), [])
    assert "throws: expected 1 as the commitment says, got 0" == verify(without)[0]
    fewer = changed(dealt, ("links",), dealt["links"][1:])
    assert "links: expected those of all seats that pledged, [1, 2, 5, 7], got those of [2, 5, 7]" == verify(fewer)[0]
    card = DOCUMENTS["card"]
    assert verify(changed(changed(card, ("reveals",), card["reveals"][:3]), ("unrevealed",), [7]))


def test_a_card_alone_proves_the_dice_of_its_order() -> None:
    """Else a house could say for each card that the dice had shown something else, until the deck is opened."""
    card = DOCUMENTS["card"]
    for first in range(1, 7):
        told = changed(card, ("throws", 0, 0), first)
        assert bool(verify(told)) == (first != THROWS[0][0])
        assert first == THROWS[0][0] or any(problem.startswith("throws[0]: expected") for problem in verify(told))
    assert verify(changed(card, ("dice_salt",), "00" * 32))[0].startswith("dice_path: expected to arrive at")


@given(JSON_VALUES)
def test_nothing_that_json_can_say_is_more_than_a_problem(value: Any) -> None:
    assert verify(value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", '{"version": 1, "version": 1}', "[" * 100_000, '{"a": ' + "9" * 5_000 + "}"]
)
def test_what_is_no_proof_at_all_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="^expected a proof"):
        read(text)


def test_the_check_uses_the_standard_library_alone() -> None:
    tree = ast.parse(Path(proof_module.__file__).read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {"__future__", "collections.abc", "hashlib", "itertools", "json", "sys", "typing"} == set(names)


def test_the_check_runs_as_a_script_far_from_letitride(tmp_path: Path) -> None:
    script = Path(shutil.copy(proof_module.__file__, tmp_path / "check.py"))

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-I", "-S", str(script), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        return done.returncode, done.stdout or done.stderr

    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    good.write_text(FAIR.proof().as_json(), encoding="utf-8")
    other = "2c" if DOCUMENTS["card"]["face"] != "2c" else "3c"
    bad.write_text(json.dumps(changed(DOCUMENTS["card"], ("face",), other)), encoding="utf-8")
    none.write_text("no", encoding="utf-8")
    root = DOCUMENTS["dealt"]["commitment"]["root"]
    assert (0, "the proof holds\n") == run(str(good)) == run(str(good), root)
    assert (1, "path: expected to arrive at") == (run(str(bad))[0], run(str(bad))[1][:27])
    assert 1 == run(str(good), "0" * 64)[0]
    assert [2, 2, 2] == [run(*words)[0] for words in ([str(none)], [str(tmp_path / "missing")], [])]
