"""Drill: asks until it is over, marks what is answered, and grows harder with what goes right."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.table_rules import TableRules
from letitride.training.chance import Chance
from letitride.training.results import score_of
from letitride.training.staff.questions import Answer, Mark, Question, Sheet, check_answer

LEVELS: Final = 5
UP_AFTER: Final = 3
DOWN_AFTER: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillSummary:
    """The result of a drill up to now; the score in percent of the points possible."""

    drill: str
    book: str
    level_at_start: int
    level: int
    questions: int
    points: int
    points_max: int
    score: float
    catches: int
    misses: int
    false_alarms: int
    all_clear: int
    late: int
    seconds: float


class Drill(ABC):
    """One drill of one trainee at one book, from its first question to its end."""

    name: str = ""

    def __init__(self, rules: TableRules, chance: Chance, *, level: int = 1, length: int = 0) -> None:
        if not 1 <= level <= LEVELS:
            raise InvalidData(f"expected a level from 1 to {LEVELS}, got {level}")
        if not 1 <= length <= 200:
            raise InvalidData(f"expected a length from 1 to 200, got {length}")
        self.rules, self.chance, self.length = rules, chance, length
        self.level = self.level_at_start = level
        self.sheet = Sheet()
        self._streak = 0
        self._number = 0
        self._question: Question | None = None
        self._ended = False

    @property
    def question(self) -> Question | None:
        """What is asked now; nothing when the drill is over."""
        if self._question is None and not self._ended:
            asked = self._ask()
            if asked is None:
                self._ended = True
            else:
                self._number += 1
                self._question = replace(asked, number=self._number, level=self.level)
        return self._question

    def answer(self, answer: Answer, seconds: float = 0.0) -> Mark:
        """Return what happens to an answer to the question that is asked now."""
        question = self.question
        if question is None:
            raise InvalidData("expected no answer, because the drill is over, got one")
        given = check_answer(question, answer)
        self._question = None
        late = bool(question.seconds) and seconds > question.seconds
        judged = self._judge(question, given)
        mark = replace(
            judged,
            number=question.number,
            kind=question.kind,
            level=question.level,
            seconds=round(seconds, 1),
            late=late,
        )
        self.sheet.marks.append(mark)
        self._climb(rightly=mark.right and not late)
        return mark

    def _climb(self, *, rightly: bool) -> None:
        """Make it harder after some right answers in a row, easier after some wrong ones, never under its start."""
        self._streak = max(self._streak, 0) + 1 if rightly else min(self._streak, 0) - 1
        if self._streak >= UP_AFTER and self.level < LEVELS:
            self.level, self._streak = self.level + 1, 0
        elif self._streak <= -DOWN_AFTER and self.level > self.level_at_start:
            self.level, self._streak = self.level - 1, 0

    @property
    def score(self) -> float:
        """What was right of what could have been, in percent."""
        return score_of(self.sheet.points, self.sheet.points_max)

    def summary(self) -> DrillSummary:
        """Return the result of the drill up to now."""
        sheet = self.sheet
        return DrillSummary(
            drill=self.name,
            book=self.rules.book.id,
            level_at_start=self.level_at_start,
            level=self.level,
            questions=len(sheet.marks),
            points=sheet.points,
            points_max=sheet.points_max,
            score=self.score,
            catches=sheet.count("catch"),
            misses=sheet.count("miss"),
            false_alarms=sheet.count("false_alarm"),
            all_clear=sheet.count("clear"),
            late=sheet.late,
            seconds=sheet.seconds,
        )

    @abstractmethod
    def _ask(self) -> Question | None:
        """Return the next question, or nothing when the drill is over."""

    @abstractmethod
    def _judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Return what happens to an answer, and go on."""
