"""`letitride train`: a drill, an exam and a look-up, through pipes as anybody would script them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from letitride.analysis.strategy import ALWAYS_RIDE, cost
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.training.player import Lesson, lesson_of, look_up
from tests.cli.command import COMMAND, SECONDS, run


class Trainer:
    """The command, with a data folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.environ = {**os.environ, "LETITRIDE_DATA_DIR": str(folder)}

    def run(self, *words: str, answers: str = "") -> subprocess.CompletedProcess[str]:
        """Run it to its end with all answers at once."""
        return run("train", *words, answers=answers, LETITRIDE_DATA_DIR=self.environ["LETITRIDE_DATA_DIR"])

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start it, to answer line by line."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        told = [str(COMMAND), "train", *words]
        # Tests that are run in the background may have been told to ignore Ctrl-C; a person's terminal never is.
        return subprocess.Popen(told, text=True, env=self.environ, **pipes)

    def objects(self, *words: str, answers: str) -> list[dict[str, Any]]:
        """Return what it prints as JSON, line by line."""
        done = self.run(*words, "--json", answers=answers)
        assert 0 == done.returncode, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    return Trainer(tmp_path)


def lesson(table_id: str = "LIRX-01") -> Lesson:
    return lesson_of(catalog.paytable(table_id))


def play(process: subprocess.Popen[str], one: Lesson) -> list[dict[str, Any]]:
    """Answer every question as it comes, and rightly; return everything that was printed."""
    assert process.stdin is not None
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(json.loads(line))
        if seen[-1]["type"] == "question":
            best = look_up(one, parse_cards(" ".join(seen[-1]["cards"]))).best[0]
            process.stdin.write("r\n" if best == "ride" else "t\n")
            process.stdin.flush()
    return seen


def test_a_perfect_trainee_ends_a_drill_with_all_of_it_right(trainer: Trainer) -> None:
    with trainer.start("player", "--json", "--seed", "4") as process:
        seen = play(process, lesson())
    assert 0 == process.returncode
    assert [1, 20] == [seen[0]["number"], seen[0]["of"]]
    result = next(one for one in seen if one["type"] == "result")
    assert (20, 20, 100.0) == (result["asked"], result["right"], result["score"])
    assert "standing" == seen[-1]["type"]
    shown = json.loads(trainer.run("--progress", "--json").stdout)
    assert 20 == shown["asked"] == shown["right"]
    assert ["player:LIRX-01"] == [one["drill"] for one in shown["results"]]


def test_a_perfect_trainee_passes_the_exam_with_100_percent(trainer: Trainer) -> None:
    with trainer.start("--exam", "--paytable", "LIRX-03", "--json") as process:
        seen = play(process, lesson("LIRX-03"))
    report = seen[-1]
    assert ("report", 200, 200, 100.0) == (report["type"], report["asked"], report["right"], report["score"])
    assert "0" == report["lost_per_hundred_rounds"]["exact"]


def test_one_who_always_rides_is_told_what_it_costs(trainer: Trainer) -> None:
    seen = trainer.objects("--exam", "--seed", "1", answers="r\n" * 200)
    always = cost(catalog.paytable("LIRX-01").pays["base"], ALWAYS_RIDE).per_hundred
    assert str(always) == seen[-1]["lost_per_hundred_rounds"]["exact"] == "1172902/10829"
    assert not seen[-1]["passed"]
    told = trainer.run("--exam", "--seed", "1", answers="ride\n" * 200)
    assert "your mistakes cost 108.3112 units in 100 rounds, exactly 1172902/10829" in told.stdout
    assert "not passed: 95% is required" in told.stdout
    assert "Mistakes, most expensive first" in told.stdout


def test_the_same_seed_asks_the_same_of_the_same_learner(trainer: Trainer, tmp_path: Path) -> None:
    first = trainer.run("--seed", "9", "--questions", "8", answers="r\n" * 8)
    other = Trainer(tmp_path / "other").run("--seed", "9", "--questions", "8", answers="r\n" * 8)
    assert first.stdout == other.stdout
    assert "8 of 8: bet" in first.stdout
    again = trainer.run("--seed", "9", "--questions", "8", answers="r\n" * 8)
    assert first.stdout != again.stdout


def test_answers_that_end_early_end_the_set_and_keep_it(trainer: Trainer) -> None:
    done = trainer.run("--seed", "2", answers="r\nnonsense\n?\nt\n")
    assert 0 == done.returncode
    assert "got 'nonsense'" in done.stderr
    assert "let it ride with" in done.stderr
    assert " of 2 right" in done.stdout
    assert "66 kinds of decision: " in trainer.run("--progress").stdout


def test_an_exam_is_kept_when_the_answers_end_and_goes_on(trainer: Trainer) -> None:
    done = trainer.run("--exam", "--person", "Mary-Lou", answers="r\n" * 50)
    assert "50 of 200 answered and saved. Continue with: letitride train player" in done.stderr
    assert "--exam --person Mary-Lou" in done.stderr
    seen = trainer.objects("--exam", "--person", "Mary-Lou", answers="t\n" * 150)
    assert 51 == seen[0]["number"]
    assert ("report", 200) == (seen[-1]["type"], seen[-1]["asked"])
    assert 1 == trainer.objects("--exam", "--person", "Mary-Lou", answers="")[0]["number"]


def test_ctrl_c_keeps_everything_and_says_how_to_go_on(trainer: Trainer) -> None:
    with trainer.start("--json", "--paytable", "LIRX-02") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.stdin.write("r\n")
        process.stdin.flush()
        assert "judged" == json.loads(process.stdout.readline())["type"]
        asked = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=SECONDS)
    assert 130 == process.returncode
    assert "Saved. Continue with: letitride train player --paytable LIRX-02" in told
    assert "Traceback" not in told
    seen = trainer.objects("--paytable", "LIRX-02", answers="")
    assert asked == seen[0], "the question that was open is asked again, as the second of its set"
    assert 2 == seen[0]["number"]


def test_a_look_up_says_what_to_do_and_why(trainer: Trainer) -> None:
    done = trainer.run("--lookup", "Ts Js Qs")
    assert done.stdout.startswith("Bet 1: let it ride")
    assert "exactly 31/21" in done.stdout
    told = json.loads(trainer.run("player", "--lookup", "9h9c2d4s", "--json").stdout)
    assert (["withdraw"], "-11/24") == (told["best"], told["value"]["ride"]["exact"])
    assert "per unit bet" in told["conventions"]["value"]


def test_a_restart_forgets_the_progress_and_keeps_the_results(trainer: Trainer) -> None:
    trainer.run("--questions", "3", answers="r\n" * 3)
    told = json.loads(trainer.run("--restart", "--progress", "--json").stdout)
    assert (0, 66, 1) == (told["asked"], told["new"], len(told["results"]))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--lookup", "Ts Js"], "expected three cards, or four with the first community card, got 2"),
        (["--lookup", "Ts Ts Qs"], "expected 3 different cards, got Ts twice in 'Ts Ts Qs'"),
        (["--lookup", "hello"], "expected a card like 'Th', got 'hello'"),
        (["--paytable", "3CB-1"], "expected a paytable that prices the base wager, got 3CB-1, which does not"),
        (["--exam", "--questions", "9"], "expected --questions in a drill, got it with --exam, which asks 200"),
        (["--questions", "0"], "expected 1 to 10,000 after --questions, got 0"),
        (["--person", "../me"], "expected a name like Ann or Mary-Lou, got '../me'"),
        (["player", "--paytable", "nowhere.toml"], "nowhere.toml"),
        (["pilot"], "No such command 'pilot'"),
    ],
)
def test_bad_input_is_one_sentence(trainer: Trainer, words: list[str], sentence: str) -> None:
    done = trainer.run(*words)
    assert 2 == done.returncode
    assert sentence in done.stderr
    assert 1 == len(done.stderr.splitlines())
    assert "" == done.stdout


def test_a_file_that_is_no_training_is_named(trainer: Trainer, tmp_path: Path) -> None:
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "me.json").write_text("not this", encoding="utf-8")
    done = trainer.run()
    assert 2 == done.returncode
    assert "me.json: expected a training file, got something else" in done.stderr
