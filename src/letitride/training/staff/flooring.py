"""Flooring: what a floor supervisor is called for, case after case; what is in order is to be left alone."""

from __future__ import annotations

from typing import Final

from letitride.errors import InvariantBroken
from letitride.rules.table_rules import TableRules
from letitride.training.chance import Chance, shuffled
from letitride.training.staff.cases import Called, Case, Counted, DisputeRole, MayBe, PayDispute
from letitride.training.staff.drill import Drill
from letitride.training.staff.floor_requests import Floor, floor_request, kinds_up_to
from letitride.training.staff.questions import Mark, Question

HANDS: Final = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6}


class Flooring(Drill):
    """Decide what the floor is called for, and leave alone what is in order."""

    name = "floor"

    def __init__(self, rules: TableRules, chance: Chance, *, level: int = 1, length: int = 15) -> None:
        super().__init__(rules, chance, level=level, length=length)
        self._case: Case | None = None
        self._cases = 0
        self._met: dict[str, int] = {}

    def _ask(self) -> Question | None:
        if self._case is None:
            if self._cases >= self.length:
                return None
            self._cases += 1
            self._case = self._new_case()
        return self._case.ask()

    def _new_case(self) -> Case:
        """Return the kind met least often, of those this book and this level have."""
        hands = HANDS[self.level]
        kinds = ["called", "called again", "dispute", *kinds_up_to(self.level)]
        kinds += ["complaint", "counted"] if self.level > 1 else []
        for kind in sorted(shuffled(self.chance, kinds), key=lambda one: self._met.get(one, 0)):
            self._met[kind] = self._met.get(kind, 0) + 1
            match kind:
                case "called" | "called again":
                    return Called(self.rules, self.chance, self.level, hands)
                case "complaint":
                    return PayDispute(self.rules, self.chance, hands)
                case "dispute":
                    return DisputeRole(self.rules, self.chance, hands)
                case "counted":
                    count = Counted(self.rules, self.chance, hands)
                    if count.possible:
                        return count
                case _:
                    found = floor_request(Floor(self.rules, self.chance, hands), kind)
                    if found is not None:
                        return MayBe(self.rules, self.chance, found)
        raise InvariantBroken("expected a case for the floor, got none")

    def _judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        case = self._case
        if case is None:
            raise InvariantBroken("expected a case that was asked about, got none")
        mark = case.judge(question, given)
        if case.over:
            self._case = None
        return mark
