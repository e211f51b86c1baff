"""`letitride par` on paper: files written whole or not at all, and one sentence where they cannot be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from letitride.cli.analysis.par import par
from letitride.errors import InvalidData
from letitride.reports.paper.files import write_all
from letitride.rules import catalog
from tests.cli.command import run


def test_both_files_at_once_beside_data_on_stdout(tmp_path: Path) -> None:
    pdf, page = tmp_path / "a.pdf", tmp_path / "a.html"
    done = run("par", "LIRX-01", "--pdf", pdf, "--html", page, "--json")
    assert (0, f"wrote {pdf}\nwrote {page}\n") == (done.returncode, done.stderr)
    assert json.loads(done.stdout)["paytable"] == "LIRX-01"
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(tmp_path.iterdir()) == [page, pdf]


def test_the_sheet_of_an_own_bet_says_how_it_is_bet(tmp_path: Path) -> None:
    for name, said in (
        ("second_chance", "Taken back: with the decision about bet 1: 50% of the stake is returned."),
        ("jackpot", "% of each stake; royal flush: "),
        ("red_black", "All red: colour red."),
    ):
        done = run("par", f"examples/wagers/{name}.toml", "--html", str(tmp_path / "own.html"))
        assert done.returncode == 0, done.stderr
        assert said in (tmp_path / "own.html").read_text(encoding="utf-8")


def test_a_path_that_cannot_be_written_ends_in_one_sentence_and_code_2(tmp_path: Path) -> None:
    done = run("par", "LIRX-01", "--pdf", tmp_path / "none" / "a.pdf")
    sentence = f"letitride: expected a file in a folder that exists after --pdf, got '{tmp_path}/none/a.pdf'\n"
    assert (2, sentence, "") == (done.returncode, done.stderr, done.stdout)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"html": "{}"}, "expected a file after --html, got '{}', a folder"),
        ({"html": ""}, "expected a file after --html, got ''"),
        ({"pdf": "{}/a", "html": "{}/a"}, "expected two files after --pdf and --html, got '{}/a' twice"),
        ({"day": "2025-03-31"}, "expected --pdf or --html beside --date, got neither"),
        ({"pdf": "{}/a", "day": "31.3.2025"}, "expected a date like 2025-03-31 after --date, got '31.3.2025'"),
        ({"pdf": "{}/a", "day": "20250331"}, "expected a date like 2025-03-31 after --date, got '20250331'"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    options: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidData) as refused:
        par("LIRX-01", **{name: value.replace("{}", str(tmp_path)) for name, value in options.items()})
    assert str(refused.value) == sentence.replace("{}", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_one_file_that_fails_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    good = tmp_path / "good"
    good.write_bytes(b"old")
    with pytest.raises(InvalidData, match="expected a file that can be written, got '.*bad': No such file"):
        write_all({good: b"new", tmp_path / "none" / "bad": b"new"})
    assert good.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [good]


def test_a_link_is_followed_and_a_device_takes_what_it_is_given(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_all({link: b"new", Path(os.devnull): b"gone"})
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert not Path(os.devnull).is_file()


def test_a_command_without_paper_does_not_load_what_paper_needs() -> None:
    code = "import sys, letitride.cli.analysis.par; print([n for n in ('matplotlib', 'typst', 'jinja2') if n in sys.modules])"
    assert "[]\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_the_catalogue_holds_every_published_table(tmp_path: Path) -> None:
    pdf, page = tmp_path / "all.pdf", tmp_path / "all.html"
    done = run("par", "--all", "--pdf", pdf, "--html", page)
    assert (0, "") == (done.returncode, done.stdout)
    text = page.read_text(encoding="utf-8")
    assert pdf.read_bytes().startswith(b"%PDF-")
    for name in catalog.paytable_ids():
        assert f">{name}: {catalog.paytable(name).title}</h2>" in text
        assert catalog.paytable(name).digest in text
    assert "http" not in text
