"""The tool that mutates the source: it must find what can be broken, leave alone what is no behaviour, and say no."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from letitride.rules.money import dollars
from tests.mutation.live import Live
from tests.mutation.mutants import ROOT, Module, Mutant, module_names
from tests.mutation.survivors import LIST, accepted

CODE = '''
"""What the module is."""
WORD: str = "shoe"
TABLE = {"a": 1, "b": f"It is {WORD!r}."}


class Seat:
    """A seat."""

    taken: bool = False

    @property
    def name(self) -> str:
        """Its name."""
        return WORD if self.taken else "free seat"


def dealt(cards: list[int], most: int = 3) -> tuple[int, ...]:
    """What is dealt."""
    if not cards:
        raise ValueError("no cards at all")
    for card in cards:
        if card > most and card != 7:
            continue
        yield card
    return tuple(one for one in cards if one)
'''


class Text(Module):
    """A module of text."""

    @property
    def path(self) -> Path:  # type: ignore[override]  # a module without a file
        return Path("text.py")

    tree = ast.parse(CODE)


@pytest.fixture(scope="module")
def mutants() -> dict[str, Mutant]:
    return {mutant.name.removeprefix("text:"): mutant for mutant in Text("text").mutants}


def test_every_kind_of_change_is_found_under_a_name_without_lines(mutants: dict[str, Mutant]) -> None:
    assert {
        "-: 'shoe' -> 'shoe_'",
        "-: 'a': 1 -> (nothing)",
        "Seat: False -> True",
        "Seat.name: return WORD if self.taken else 'free seat' -> return ''",
        "Seat.name: if self.taken -> if not (self.taken)",
        "dealt: 3 -> 4",
        "dealt: not cards -> cards",
        "dealt: raise ValueError('no cards at all') -> pass",
        "dealt: for card in cards -> for card in ()",
        "dealt: card > most -> card >= most",
        "dealt: card > most and card != 7 -> card > most or card != 7",
        "dealt: card > most and card != 7 -> card > most",
        "dealt: card != 7 -> card != 8",
        "dealt: continue -> pass",
        "dealt: yield card -> yield from ()",
        "dealt: if one -> (nothing)",
        "dealt: return tuple((one for one in cards if one)) -> return ()",
    } <= set(mutants)


def test_text_for_people_and_types_stay_as_they_are(mutants: dict[str, Mutant]) -> None:
    for name in mutants:
        assert "What" not in name
        assert "It is" not in name.partition(" -> ")[0] or "'b'" in name
        assert "no cards at all_" not in name
        assert "free seat_" not in name


def test_a_mutant_is_the_module_with_one_change_and_the_next_has_only_its_own() -> None:
    module = Text("text")
    by_name = {mutant.name.removeprefix("text:"): mutant for mutant in module.mutants}
    for name, cards, wanted in (
        ("dealt: card != 7 -> card == 7", [7, 4], [4]),
        ("dealt: 3 -> 4", [7, 4], [7, 4]),
        ("dealt: yield card -> yield from ()", [7], []),
    ):
        space: dict[str, object] = {}
        exec(by_name[name].compiled(), space)  # noqa: S102 - the text above
        assert wanted == list(space["dealt"](cards)), name  # type: ignore[operator]  # as above
    assert ast.dump(ast.parse(CODE)) == ast.dump(module.tree)


def test_what_runs_at_import_is_told_from_what_runs_in_a_function(mutants: dict[str, Mutant]) -> None:
    assert mutants["dealt: 3 -> 4"].scope.top is None
    assert ("dealt",) == mutants["dealt: 3 -> 4"].scope.defines
    assert ("Seat", "taken") == mutants["Seat: False -> True"].scope.defines
    top = mutants["dealt: continue -> pass"].scope.top
    assert top
    assert "dealt" == top.name


def in_a_child(work: Callable[[], bool]) -> bool:
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os._exit(0 if work() else 1)
        os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_mutant_is_put_into_a_running_process_wherever_the_function_is_held() -> None:
    by_name = {mutant.name: mutant for mutant in Module("rules.money").mutants}
    live = Live([])

    def writes(name: str, cents: int) -> str:
        return dollars(cents) if live.put(by_name[f"rules.money:dollars: {name}"]) else ""

    assert in_a_child(lambda: "$0" == writes("rest == 0 -> rest != 0", 99))
    assert in_a_child(lambda: "-$0" == writes("cents < 0 -> cents <= 0", 0))
    assert in_a_child(lambda: "" == writes("False -> True", 5)), "a default is made at import"


def test_every_accepted_survivor_is_a_mutant_of_the_source_and_has_a_reason() -> None:
    listed = accepted()
    rows = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("# ")]
    assert len(rows) == len(listed)
    assert sorted(rows) == rows
    there = {mutant.name for name in module_names() for mutant in Module(name).mutants} if listed else set()
    for name, reason in listed.items():
        assert name in there, name
        assert len(reason.split()) > 2, name


def mutate(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts" / "mutate.py", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--module", "engine.agnda"),
            "a module like engine.agenda after --module, got 'engine.agnda'; did you mean 'engine.agenda'?",
        ),
        (
            ("--module", "engine.agenda", "--function", "brun", "--list"),
            "a function of the modules chosen, with something to change, after --function, got 'brun'; did you mean 'burn'?",
        ),
    ],
)
def test_a_name_that_is_none_is_refused_in_one_sentence_with_the_nearest(words: tuple[str, ...], sentence: str) -> None:
    done = mutate(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"mutate: expected {sentence}\n")


def test_a_sample_that_tries_nothing_says_why_and_fails(tmp_path: Path) -> None:
    done = tmp_path / "done.jsonl"
    rows = (
        json.dumps({"mutant": one.name, "result": "killed", "by": "a test"}) for one in Module("rules.money").mutants
    )
    done.write_text("\n".join(rows) + "\n", encoding="utf-8")
    words = ("--module", "rules.money", "--resume", done, "--results", tmp_path / "results.jsonl")
    sample, whole = mutate(*words, "--sample", "5", "--json"), mutate(*words)
    told = "mutate: nothing was tried: no mutant is left of those that were chosen\n"
    assert (sample.returncode, sample.stderr, json.loads(sample.stdout)["mutants"]) == (1, told, 0)
    assert (whole.returncode, whole.stderr) == (0, told)


@pytest.mark.parametrize("name", ["clauses", "mutate"])
def test_help_and_bad_options_answer_before_anything_is_installed(name: str, tmp_path: Path) -> None:
    bare = tmp_path / "python"
    for path, line in ((tmp_path / "make", "exit 9"), (bare, f'exec "{sys.executable}" -S "$@"')):
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHON": str(bare)}

    def code(*words: str) -> int:
        command = [ROOT / "scripts" / name, *words]
        return subprocess.run(command, capture_output=True, check=False, env=environment).returncode

    assert (code("--help"), code("--json", "-h"), code("--jsn"), code("--jobs", "x")) == (0, 0, 2, 2)
    assert code("--json") == 9  # what can be read goes on to install
