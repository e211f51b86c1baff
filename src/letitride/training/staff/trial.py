"""Trial: something that is wrong, ruled in two questions: what is decided for the bets, and by which clause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from letitride.engine.decide import Events
from letitride.engine.state import Ruling, Table
from letitride.rules.rulings import WHAT
from letitride.training.chance import Chance
from letitride.training.staff.questions import Mark, Question, new_question
from letitride.training.staff.rulings import (
    clause_field,
    judge_clause,
    judge_ruling,
    ruled_in,
    ruling_fields,
    told_ruling,
)
from letitride.training.staff.scene import scene


@dataclass(slots=True)
class Trial:
    """A ruling that the trainee is asked for; what is right is what the engine ruled."""

    table: Table
    """As it stood when the ruling was due."""
    happened: Events
    """What followed by the engine's word."""
    stage: Literal["rule", "clause", "over"] = "rule"

    @property
    def ruling(self) -> Ruling:
        """What the engine ruled."""
        return ruled_in(self.happened).ruling

    @property
    def what(self) -> str:
        """What is wrong, in words."""
        ruling = self.ruling
        return WHAT[ruling.name.partition(":")[0]] + (f" (seat {ruling.seat})" if ruling.seat else "")

    def ask(self, chance: Chance) -> Question:
        """Return the next of the two questions."""
        rules, ruling = self.table.rules, self.ruling
        if self.stage == "rule":
            text = f"{self.what[:1].upper()}{self.what[1:]}. What do you rule?"
            fields = ruling_fields(rules, ruling, chance)
            return new_question("rule", text, scene(self.table), fields)
        own = rules.ruling_clauses.get(ruling.name, ()) or ruling.clauses
        field = clause_field(rules, ruling.clauses, own, chance)
        return new_question("clause", "Which clause applies?", scene(self.table), (field,))

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Return what happens to an answer to it."""
        if self.stage == "rule":
            self.stage = "clause"
            return judge_ruling(self.table, self.happened, question.fields, given)
        self.stage = "over"
        judged = judge_clause(question.fields[0], self.ruling.clauses, str(given["clause"]))
        return told_ruling(
            self.table.rules, self.ruling, outcome_right=judged.right, judged=(judged,), points=int(judged.right)
        )
