"""Bad input: what a person, a script or an attacker may type at any command ends in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, run

LONG = "x" * 300_000
TURNED = "a\u202eb\x1b[2J\u2028c"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that are none of ours."""
    made = tmp_path_factory.mktemp("bad")
    (made / "folder.toml").mkdir()
    (made / "empty").write_text("")
    (made / "empty.toml").write_text("")
    (made / "long.toml").write_bytes(b"#" * 1_000_001)
    (made / "bytes.toml").write_bytes(bytes(range(256)))
    (made / "deep.toml").write_text("a=" + "[" * 5_000)
    (made / "word.toml").write_text(f'id = "{"x" * 900_000}"')
    (made / "endless.toml").symlink_to("/dev/zero")
    (made / "circle.toml").symlink_to("circle.toml")
    os.mkfifo(made / "pipe.toml")
    return made


BOOKS = (
    *("folder.toml", "empty.toml", "long.toml", "bytes.toml", "deep.toml", "word.toml", "endless.toml", "pipe.toml"),
    "circle.toml",
)
TAKES_BOOKS = (
    ("rules", "check", "@"),
    ("rules", "show", "@"),
    ("paytables", "check", "@"),
    ("wagers", "check", "@"),
    ("strategy", "LIRX-01", "--compare", "@"),
    ("par", "--rulebook", "@"),
    ("replay", "empty", "--under", "@"),
    ("tables", "open", "--name", "n", "--db", "no.db", "--rulebook", "@"),
    ("serve", "--show-settings", "--config", "@"),
)


@pytest.mark.parametrize("words", TAKES_BOOKS)
@pytest.mark.parametrize("named", BOOKS)
def test_a_file_that_is_no_book_is_refused_unread(
    words: tuple[str, ...], named: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words[:2] == ("serve", "--show-settings") and named in {"empty.toml", "long.toml"}:
        words = (*words[:-1], "folder.toml")  # a comment and nothing are settings, too
    monkeypatch.chdir(folder)
    one_sentence(*(word.replace("@", named) for word in words))
    assert not (folder / "no.db").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "show", "@"),
        ("rules", "show", "nsw-1", "@"),
        ("rules", "show", "nsw-1", "--set", "@"),
        ("rules", "show", "nsw-1", "--set", "limit.cents_max=@"),
        ("rules", "diff", "nsw-1", "@"),
        ("paytables", "show", "@"),
        ("wagers", "show", "@"),
        ("par", "@"),
        ("par", "LIRX-01", "--stake", "@", "--max-payout", "50"),
        ("par", "LIRX-01", "--ties", "@"),
        ("strategy", "LIRX-01", "--hand", "@"),
        ("combined", "LIRB-25", "--side", "bonus=@"),
        ("session", "LIRX-01", "--rounds", "@"),
        ("design", "--par", "@"),
        ("design", "--par", "2.5", "--bound", "@"),
        ("design", "--par", "2.5", "--max-deviation", "@"),
        ("advantage", "LIRX-01", "--sees", "@"),
        ("bank", "LIRX-01", "--stake", "@", "--bet", "10"),
        ("hand", "@"),
        ("simulate", "--rounds", "@"),
        ("simulate", "--rounds", "10", "--seats", "@"),
        ("simulate", "--rounds", "10", "--seed", "@"),
        ("simulate", "--resume", "@"),
        ("fuzz", "--commands", "@"),
        ("evidence", "nsw-1", "--rounds", "@"),
        ("play", "nsw-1", "--plain", "--bankroll", "@"),
        ("replay", "@"),
        ("replay", "empty", "--as", "@"),
        ("train", "--questions", "@"),
        ("train", "dealer", "pay", "--questions", "@"),
        ("tables", "list", "--db", "@"),
        ("tables", "close", "x", "--db", "@/x.db"),
        ("verify", "proof", "@"),
        ("export", "--db", "empty", "--table", "x", "--from", "@"),
        ("restore", "@", "new.db"),
        ("serve", "--show-settings", "--port", "@"),
        ("@",),
        ("par", "LIRX-01", "--@"),
    ],
)
@pytest.mark.parametrize("wrong", [LONG, TURNED, "٣", "nan", "-1e400"], ids=["long", "turned", "digit", "nan", "inf"])
def test_what_cannot_be_meant_ends_in_one_short_sentence(
    words: tuple[str, ...], wrong: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    one_sentence(*(word.replace("@", wrong) for word in words))
    assert sorted(folder.iterdir()) == before


def one_sentence(*words: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert done.stderr.startswith("letitride: ")
    assert len(done.stderr) < 5_000
    assert not any(sign in done.stderr for sign in "\x1b\u202e\u2028")


def test_a_refusal_leaves_no_file_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.iterdir())
    for words in (
        ("serve", "--db", "new.db", "--no-demo", "--port", "0", "--host", TURNED),  # not a name, so no lookup is made
        ("restore", "empty.toml", "new.db"),
        ("restore", "endless.toml", "new.db"),
        ("restore", "nowhere", "new.db"),
        ("serve", "--db", "bytes.toml", "--port", "0", "--no-demo"),
        ("serve", "--db", "nowhere/x.db", "--port", "0", "--no-demo", "--data-dir", "."),
        ("tables", "close", "x", "--db", "new.db"),
        ("tables", "open", "--name", "n", "--rulebook", "nsw-1", "--id", "?", "--db", "new.db"),
        ("staff", "set", "x", "--role", "floor", "--db", "new.db"),
    ):
        assert run(*words).returncode == 2, words
        assert sorted(folder.iterdir()) == before, words


@pytest.mark.parametrize("before", ["# a\u2028b", "# a\u2029b", "#\t\u00a0", "\ufeff"])
def test_line_numbers_stay_true(before: str, tmp_path: Path) -> None:
    record = tmp_path / "round"
    record.write_text(f"{before}\nrulebook nsw-1\n\nset seats = 6\nseat 1 sits Ann 300\n", encoding="utf-8")
    assert "line 4: table by nsw-1: seats: expected 7, which the book fixes, got 6" in run("replay", record).stderr
    record.write_text(f"{before}\nrulebook nsw-1\nnonsense\n", encoding="utf-8")
    assert "line 3" in run("replay", record).stderr


def test_a_reader_that_has_seen_enough_ends_a_command_quietly() -> None:
    with subprocess.Popen(
        [COMMAND, "rules", "show", "nsw-1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(1)
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() in {0, 1}


def test_help_is_offered_by_the_command_s_own_name_however_it_is_run() -> None:
    words = [sys.executable, "-m", "letitride", "par", "--papers"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr.rpartition("try ")[2]) == (2, "'letitride par --help'\n")
