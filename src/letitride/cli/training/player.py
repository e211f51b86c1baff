"""The `train player` command: the decisions on three and four cards as drill, exam and look-up."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, cast

import msgspec
import typer

from letitride.chance.live import Live
from letitride.chance.seeded import Seeded
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.times import clock_ms
from letitride.cli.training.dialogue import Stopped, answer_of, interrupted, print_object, say
from letitride.cli.training.progress_file import InFile, keeper_of
from letitride.cli.training.words import (
    advice_lines,
    judged_lines,
    print_report,
    print_result,
    print_standing,
    question_lines,
    rules_lines,
)
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.plain import plain
from letitride.training import player_drill, player_exam
from letitride.training.chance import Chance
from letitride.training.player import CONVENTIONS, Lesson, LookedUp, PlayerJudgment, lesson_of, look_up
from letitride.training.player_drill import SET_OF, Progress, Question

DEFAULT: Final = "LIRX-01"
ME: Final = "me"
QUESTIONS_MAX: Final = 10_000
PROMPT: Final = "r: let it ride, t: take it back, ?: rules, q: stop >"
WORDS: Final = {
    **dict.fromkeys(("r", "ride", "let it ride"), "ride"),
    **dict.fromkeys(("t", "take", "take it back", "w", "withdraw"), "withdraw"),
    "?": "rules",
}


def player(  # noqa: PLR0917 - the options of a command
    paytable: Annotated[
        str, typer.Option("--paytable", help="A base paytable: its id or a TOML file.", metavar="ID|FILE")
    ] = DEFAULT,
    exam: Annotated[
        bool, typer.Option("--exam", help=f"Take an exam of {player_exam.QUESTIONS} questions instead.")
    ] = False,
    cards: Annotated[
        str | None, typer.Option("--lookup", help="Look up the best decision for three or four cards.", metavar="CARDS")
    ] = None,
    questions: Annotated[
        int | None, typer.Option("--questions", help=f"Questions in a set; {SET_OF} by default.")
    ] = None,
    person: Annotated[str, typer.Option("--person", help="The name to keep progress under.", metavar="NAME")] = ME,
    restart: Annotated[
        bool, typer.Option("--restart", help="Forget all progress, or the open exam, and start again.")
    ] = False,
    progress: Annotated[bool, typer.Option("--progress", help="Show progress and results, then exit.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed asks the same questions.")] = None,
    as_json: Json = False,
) -> None:
    """Practice the decisions of a paytable.

    Decisions you miss, and close ones, come up more often. With --json every question, judgment and result is one line
    of JSON; answers are read line by line either way.
    """
    lesson = lesson_of(catalog.paytable(paytable))
    if cards is not None:
        advice = look_up(lesson, parse_cards(cards))
        if as_json:
            print_json({"paytable": lesson.paytable, **plain(LookedUp.of(advice)), "conventions": CONVENTIONS})
        else:
            print_lines(*advice_lines(advice))
        return
    if questions is not None and exam:
        raise InvalidData(f"expected --questions in a drill, got it with --exam, which asks {player_exam.QUESTIONS}")
    if questions is not None and not 1 <= questions <= QUESTIONS_MAX:
        raise InvalidData(f"expected 1 to {QUESTIONS_MAX:,} after --questions, got {questions}")
    keeper = keeper_of(person)
    desk = _Desk(lesson, keeper, person, as_json, _command(paytable, person, exam=exam))
    if restart:
        keeper.forget_progress(person, lesson.exam if exam else lesson.drill)
    if progress:
        desk.show_progress()
        return
    if exam:
        desk.examine(_chance(seed))
    else:
        desk.drill(_chance(seed), questions or SET_OF)


def _chance(seed: int | None) -> Callable[[int], Chance]:
    """Return the source of chance after a number of questions: with a seed it repeats, also in a later run."""
    return lambda asked: Live() if seed is None else Seeded("player", seed, asked)


def _command(paytable: str, person: str, *, exam: bool) -> str:
    words = ["letitride", "train", "player", "--paytable", paytable, *["--exam"] * exam]
    return shlex.join([*words, *(["--person", person] if person != ME else [])])


@dataclass(frozen=True, slots=True)
class _Desk:
    """One person practicing one paytable."""

    lesson: Lesson
    keeper: InFile
    person: str
    as_json: bool
    command: str

    def drill(self, chance: Callable[[int], Chance], questions: int) -> None:
        """Ask a set of questions, and show the result."""
        progress = player_drill.progress_from(self._body(self.lesson.drill), self.lesson)
        self._introduce("? shows the rules of thumb; Ctrl-C saves and exits")
        try:
            while len(progress.answers) < questions:
                progress = player_drill.ask(progress, self.lesson, chance(progress.asked), clock_ms())
                self._keep(self.lesson.drill, progress)
                question = cast("Question", progress.question)
                choice, seconds = self._asked(question, questions, len(progress.answers) + 1)
                progress, judged = player_drill.answer(
                    progress, self.lesson, choice, now_ms=clock_ms(), seconds=seconds
                )
                self._keep(self.lesson.drill, progress)
                if self.as_json:
                    print_object("judged", PlayerJudgment.of(judged))
                else:
                    print_lines(*judged_lines(judged))
        except Stopped:
            pass
        except KeyboardInterrupt:
            interrupted(self.command)
        self._finish_set(progress)

    def _finish_set(self, progress: Progress) -> None:
        standing = player_drill.standing(progress, self.lesson, clock_ms())
        if progress.answers:
            progress, result = player_drill.finish(progress, self.lesson, self.person, clock_ms())
            self.keeper.add_result(result)
            self._keep(self.lesson.drill, progress)
            if self.as_json:
                print_object("result", result)
            else:
                print_result(result)
        if self.as_json:
            print_object("standing", standing)
        else:
            print_standing(standing)

    def examine(self, chance: Callable[[int], Chance]) -> None:
        """Ask the open questions of an exam, and report at its end."""
        kept = player_exam.exam_from(self._body(self.lesson.exam), self.lesson)
        exam = kept or player_exam.begin(self.lesson, chance(0))
        total = len(exam.questions)
        self._introduce(f"An exam of {total} questions, marked at the end; Ctrl-C saves and exits")
        try:
            while (question := exam.question) is not None:
                choice, _seconds = self._asked(question, total, question.number)
                exam = player_exam.take(exam, question.number, choice)
                self._keep(self.lesson.exam, exam)
        except (Stopped, KeyboardInterrupt) as stopped:
            self._keep(self.lesson.exam, exam)
            if isinstance(stopped, KeyboardInterrupt):
                interrupted(self.command)
            say(f"{len(exam.answers)} of {total} answered and saved. Continue with: {self.command}")
            return
        found = player_exam.report(exam, self.lesson)
        self.keeper.add_result(player_exam.result_of(found, self.person, clock_ms()))
        self.keeper.forget_progress(self.person, self.lesson.exam)
        if self.as_json:
            print_object("report", player_exam.ExamReport.of(found))
        else:
            print_report(found)

    def show_progress(self) -> None:
        """Show a person's progress and results."""
        progress = player_drill.progress_from(self._body(self.lesson.drill), self.lesson)
        standing = player_drill.standing(progress, self.lesson, clock_ms())
        results = self.keeper.results(self.person, self.lesson.drill)
        if self.as_json:
            print_json({"drill": self.lesson.drill, **plain(standing), "results": results})
            return
        print_lines(heading(f"{self.lesson.paytable}: {self.lesson.title}"))
        print_standing(standing)
        rows = [
            [
                time.strftime("%Y-%m-%d %H:%M", time.localtime(one.finished_ms / 1000)),
                "exam" if one.drill == self.lesson.exam else "drill",
                f"{one.right} of {one.asked}",
                f"{one.details['lost_per_hundred_rounds']['value']:.4f}",
            ]
            for one in results
        ]
        if rows:
            print_table(["finished", "drill", "right", "units lost in 100 rounds"], rows)

    def _introduce(self, how: str) -> None:
        if not self.as_json:
            print_lines(heading(f"{self.lesson.paytable}: {self.lesson.title}"))
            say(how)

    def _asked(self, question: Question, of: int, number: int) -> tuple[Choice, float | None]:
        """Ask a question until it is answered."""
        while True:
            if self.as_json:
                data = {"number": number, "of": of, "bet": question.bet, "cards": question.cards.split()}
                print_object("question", data)
            else:
                print_lines(*question_lines(question, of, number))
            word, seconds = answer_of(PROMPT, WORDS)
            if word != "rules":
                return cast("Choice", word), seconds
            for line in rules_lines(self.lesson):
                say(str(line))

    def _body(self, drill: str) -> bytes | None:
        found = self.keeper.progress(self.person, drill)
        return None if found is None else found[0]

    def _keep(self, drill: str, what: msgspec.Struct) -> None:
        self.keeper.keep_progress(self.person, drill, msgspec.json.encode(what), 1)
