"""`letitride train dealer` and `train floor`: drills to their end through pipes, stopped, taken up, refused."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from letitride.chance.seeded import Seeded
from letitride.rules.catalog import ready_rules
from letitride.rules.plain import plain
from letitride.training.staff.catalogue import Plan, Sitting
from tests.cli.command import SECONDS
from tests.cli.test_train import Trainer
from tests.training.staff_trainees import perfect


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    return Trainer(tmp_path)


@pytest.mark.parametrize(
    ("words", "plan", "house"),
    [
        (("dealer", "deal"), Plan(name="deal", length=12), "hand-dealt-1"),
        (("dealer", "pay"), Plan(name="pay", length=3), "washington-1"),
        (("dealer", "watch"), Plan(name="watch", length=10), "nsw-1"),
        (("floor",), Plan(name="floor", length=10), "california-1"),
    ],
)
def test_a_perfect_trainee_ends_a_drill_with_100_percent(
    trainer: Trainer, words: tuple[str, ...], plan: Plan, house: str
) -> None:
    same = Sitting(plan, ready_rules(house), Seeded(plan.name, 5))
    options = ["--rulebook", house, "--questions", str(plan.length), "--seed", "5", "--json"]
    seen: list[dict[str, Any]] = []
    with trainer.start(*words, *options) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            seen.append(json.loads(line))
            if seen[-1]["type"] == "question":
                assert same.question is not None
                assert same.question.text == seen[-1]["text"]
                answer = perfect(same.drill, same.question)
                same.answer(answer)
                process.stdin.write(json.dumps(answer) + "\n")
                process.stdin.flush()
    assert 0 == process.returncode
    result = next(one for one in seen if one["type"] == "result")
    assert (100.0, plan.drill_of(house)) == (result["score"], result["drill"])
    assert all(one["right"] for one in seen if one["type"] == "mark")
    (kept,) = json.loads(trainer.run(words[0], "--progress", "--json").stdout)["results"]
    assert {name: value for name, value in result.items() if name != "type"} == kept
    assert plan.drill_of(house) in trainer.run(words[0], "--progress").stdout
    assert plain(same.drill.summary()) == {name: value for name, value in seen[-1].items() if name != "type"}


def test_a_drill_in_words_shows_the_table_the_clause_and_the_other_books(trainer: Trainer) -> None:
    done = trainer.run(
        "dealer", "watch", "--rulebook", "nsw-1", "--seed", "4", "--level", "3", answers="ok\n?\nok\nok\n"
    )
    assert 0 == done.returncode
    assert "Is anything wrong?" in done.stdout
    assert "limits: $5 to $500 on each spot" in done.stdout
    assert "Missed (0 of 4): " in done.stdout
    assert "  Manufacturer's manuals: base game, $1 bonus, 3 Card Bonus: " in done.stdout
    assert "nsw:12." in done.stdout
    assert "caught 0, missed " in done.stdout
    assert "hand_count         a hand does not have three cards" in done.stderr


def test_ctrl_c_keeps_everything_and_the_drill_goes_on(trainer: Trainer) -> None:
    words = ["dealer", "pay", "--rulebook", "nsw-1", "--questions", "3", "--json"]
    process = trainer.start(*words, "--seed", "2")
    assert process.stdin is not None
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    nothing = json.dumps({one["name"]: 0 for one in first["fields"]})
    process.stdin.write(nothing + "\n")
    process.stdin.flush()
    assert "mark" == json.loads(process.stdout.readline())["type"]
    second = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=SECONDS)
    assert 130 == process.returncode
    assert (1, "summary") == (json.loads(out)["questions"], json.loads(out)["type"])
    assert "Saved. Continue with: letitride train dealer pay --rulebook nsw-1" in err
    assert "Traceback" not in err
    again = trainer.objects(*words, answers="q\n")
    assert second == again[0]  # what was open is asked again, whatever chance would draw now
    result = next(one for one in again if one["type"] == "result")
    assert 1 == result["details"]["questions"]


def test_an_answer_that_is_none_is_asked_for_again(trainer: Trainer) -> None:
    done = trainer.run("dealer", "pay", "--questions", "1", "--seed", "1", answers="a lot\n1.5\n\n")
    assert 0 == done.returncode
    assert "expected an amount in dollars such as 12 or 7.50, or Enter for none, got 'a lot'" in done.stderr
    wrong = trainer.run("dealer", "--seed", "1", "--json", answers='{"step": "z"}\n{"other": 1}\n{nonsense\nq\n')
    assert 0 == wrong.returncode
    assert "expected one of a, b, c for step, got 'z'" in wrong.stderr
    assert "expected an answer to step, got one to other" in wrong.stderr
    assert "Traceback" not in wrong.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["dealer", "sing"], "expected one of 'deal', 'pay', 'watch', got 'sing'"),
        (["dealer", "--level", "9"], "expected a level from 1 to 5, got 9"),
        (["floor", "--questions", "-1"], "expected 1 to 200 after --questions, got -1"),
        (["floor", "--rulebook", "nobody-1"], "nobody-1"),
        (["floor", "--rulebook", "gone.toml"], "which does not exist"),
        (["floor", "--person", "a/b"], "expected a name like Ann"),
    ],
)
def test_bad_input_is_one_sentence(trainer: Trainer, words: list[str], sentence: str) -> None:
    done = trainer.run(*words)
    assert 2 == done.returncode
    assert sentence in done.stderr
    assert 1 == len(done.stderr.strip().splitlines())


def test_a_custom_book_is_drilled(trainer: Trainer, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own"\ntitle = "Own"\nextends = "hand-dealt-1"\n[rules]\nirreg.exposed_one = "turned_over"\n')
    asked = trainer.objects("dealer", "watch", "--rulebook", str(path), "--seed", "3", answers="ok\nq\n")
    assert "own" == asked[0]["scene"]["book"]
    assert "dealer:own:watch" == next(one for one in asked if one["type"] == "result")["drill"]
