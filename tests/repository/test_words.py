"""Every text people see: strings, docstrings and comments of sources, documents, templates; none has a word the guide avoids."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.texts import ANY, EXCEPTED, ROOT, avoided, files_of, labels, long_sentences, texts_of
from tests.repository.words import AVOIDED, sentences_over

ROOMS = (
    ("analysis", ("src/letitride/analysis", "docs/analysis.md", "docs/mathematics.md")),
    ("simulation", ("src/letitride/simulation", "docs/simulation.md")),
    (
        "command line",
        (
            "docs/cli.md",
            *(f"src/letitride/cli/{name}" for name in ("__init__.py", "main.py")),
            *(f"src/letitride/cli/{name}" for name in ("analysis", "house", "io", "records", "rules", "simulation")),
            "src/letitride/cli/training",
        ),
    ),
    (
        "server",
        (
            "src/letitride/server",
            "src/letitride/client",
            "docs/protocol.md",
            "docs/server.md",
            "docs/operating.md",
            "docs/permissions.md",
            "docs/promises.md",
        ),
    ),
    ("storage", ("src/letitride/storage", "src/letitride/ledger", "docs/storage.md")),
    ("chance", ("src/letitride/chance", "docs/fairness.md")),
    ("learning machines", ("src/letitride/rl", "examples", "docs/rl.md")),
    ("security", ("SECURITY.md", "docs/threat-model.md", "docs/threat-model")),
    ("tools", ("scripts", "benchmarks", "hatch_build.py", "conftest.py")),
    (
        "package",
        (
            *(
                f"src/letitride/{name}.py"
                for name in (
                    "__init__",
                    "__main__",
                    "environments",
                    "errors",
                    "extras",
                    "journal",
                    "playing",
                    "version",
                )
            ),
            "docs/api.md",
        ),
    ),
    (
        "project",
        (
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "docs/architecture.md",
            "docs/clauses.md",
            "docs/adr",
            "docs/index.md",
            "docs/guide",
            "docs/site",
            "docs/tutorials",
        ),
    ),
    ("terminal", ("src/letitride/cli/terminal", "docs/terminal.md")),
    ("engine", ("src/letitride/engine", "src/letitride/autoplay", "docs/irregularities.md")),
    ("page", ("web", "docs/web.md")),
    ("rules", ("src/letitride/rules", "docs/rulebook-format.md", "docs/paytable-format.md", "docs/wager-format.md")),
    ("reports", ("src/letitride/reports", "docs/par-sheets.md", "docs/evidence.md", "docs/staff.md")),
    ("records", ("src/letitride/records", "docs/history.md", "docs/round-record.md", "docs/rules-register.md")),
    ("training", ("src/letitride/training", "docs/training.md", "docs/coach.md")),
)
"""What is held to the guide, by room."""


def _our_files() -> list[str]:
    """The files of the repository, new ones too."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize(("name", "paths"), ROOMS, ids=[name for name, _ in ROOMS])
def test_no_text_has_a_word_that_the_guide_avoids(name: str, paths: tuple[str, ...]) -> None:
    found = avoided(*paths)
    assert found == [], f"{name}: see docs/style-of-words.md for the word to use\n" + "\n".join(found)


def _phrases(value: object) -> Iterator[str]:
    """The texts in the data of a rule book or a register: what has a space is no id."""
    if isinstance(value, str):
        yield from [value] if " " in value else []
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _phrases(one)


def test_clauses_and_notes_of_the_rule_books_have_none_either() -> None:
    files = sorted((ROOT / "src/letitride/rules/data").rglob("*.toml"))
    read = [(file.name, text) for file in files for text in _phrases(tomllib.loads(file.read_text(encoding="utf-8")))]
    assert len(read) > 1_000
    assert [f"{name}: '{hit.group()}' in {text!r}" for name, text in read for hit in ANY.finditer(text)] == []


def test_every_file_with_texts_is_in_a_room() -> None:
    read = {path.relative_to(ROOT).as_posix() for _, paths in ROOMS for path in files_of(*paths)} | set(EXCEPTED)
    sources = re.compile(r"(?!tests/|src/letitride/rules/data/).*\.(py|md|jinja|typ)")
    assert [path for path in _our_files() if sources.fullmatch(path) and path not in read] == []


@pytest.mark.parametrize(
    ("name", "source", "told"),
    [
        ("a.py", '"""Module: somebody reads it."""', ["1: somebody"]),
        ("a.py", 'KIND = {"choice": "choice-made"}  # nobody reads a key', ["1: nobody"]),
        ("a.py", "# The player takes\n# his bet.\n", ["1: his"]),
        ("a.py", 'raise ValueError(f"expected a choice, got {what}")', ["1: choice"]),
        ("a.py", "f\"{one('by his clock')}\"", ["1: his"]),
        ("a.py", 'LABEL, CODE = "Retreat", "retreat"', ["1: Retreat"]),
        ("a.py", 're.compile(r"his choice")\nrun("SELECT choice FROM his")', []),
        ("a.py", '"""See `choice` and ``his``, \'mishap\' or \'mishap KIND\'; the player\'s choice."""', ["1: choice"]),
        ("a.md", "A table\ntakes his chips.\n\n| nobody | here |\n", ["1: his", "4: nobody"]),
        (
            "a.md",
            "```sh\nwhoever run  # so far\n```\n```text\nall accounts come to nothing\n```\n",
            ["2: so far", "5: come to nothing"],
        ),
        ("a.typ", "All bets went back #his_row(x), strong(report.verdict)\n", ["1: bets went back"]),
        ("a.html.jinja", "<p class='verdict'>Verdict {{ his }}</p>\n", ["1: Verdict"]),
        ("en.json", '{"lobby.as": "He plays {choice}."}', ["2: He"]),
    ],
)
def test_the_reader_finds_what_people_read_and_leaves_names_alone(
    tmp_path: Path, name: str, source: str, told: list[str]
) -> None:
    path = tmp_path / name
    path.write_text(source, encoding="utf-8")
    found = [
        f"{text.line}: {hit.group()}"
        for text in texts_of(path)
        for pattern in AVOIDED
        for hit in re.finditer(pattern, text.words, re.IGNORECASE)
    ]
    assert found == told


@pytest.mark.parametrize(
    "words",
    [
        "The base game is priced first.",
        "What a game mathematician asks.",
        "No one's seat is given away.",
        "Tests by fault injection and a pull request.",
        "The incident log of a shift.",
        "The reader walks the syntax tree.",
        "The key at fault is named.",
        "So far as the book allows.",
    ],
)
def test_other_senses_of_an_avoided_word_are_let_through(words: str) -> None:
    assert [pattern for pattern in AVOIDED if re.search(pattern, words, re.IGNORECASE)] == []


def test_every_exception_is_a_file_with_a_reason() -> None:
    assert [path for path, reason in EXCEPTED.items() if not (ROOT / path).is_file() or not reason] == []


WORDS_MAX = 30
"""Of one sentence, in a document as on screen."""
LONG = {
    **EXCEPTED,
    "benchmarks/RESULTS.md": "figures as they were measured, with the machine and the settings in one breath",
}
"""Documents whose sentences may be longer, and why."""


def test_no_sentence_of_a_document_has_more_than_30_words() -> None:
    found = [
        f"{name}:{text.line}: {text.words}"
        for name in _our_files()
        if name.endswith(".md") and name not in LONG
        for text in long_sentences(ROOT / name, WORDS_MAX)
    ]
    assert found == []


def test_no_sentence_that_a_program_says_has_more_than_30_words() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{text.line}: {long}"
        for path in files_of("src/letitride")
        if path.suffix == ".py"
        for text in labels(path)
        for long in sentences_over(WORDS_MAX, text.words)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("word " * 30 + "end.", [1]),
        ("word " * 29 + "end. " + "word " * 29 + "end.", []),
        ("First.\n\n- " + "word " * 15 + "\n  " + "word " * 16, [3]),
        ("`--a`, " * 40 + "and `--b` are options.", []),
        ("```text\n" + "word " * 40 + "\n```", []),
        ("| " + "word " * 20 + "; " + "word " * 20 + "|", []),
        ("| " + "word " * 31 + "|", [1]),
        ("See [" + "word " * 10 + "](a/b.md#" + "c-" * 40 + ").", []),
    ],
)
def test_long_sentences_are_counted_as_a_reader_counts_them(tmp_path: Path, source: str, found: list[int]) -> None:
    path = tmp_path / "a.md"
    path.write_text(source, encoding="utf-8")
    assert found == [text.line for text in long_sentences(path, WORDS_MAX)]
