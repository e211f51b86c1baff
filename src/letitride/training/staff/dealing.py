"""Dealing: a round by the book, at each moment of which the trainee says what comes next; the script is the judge."""

from __future__ import annotations

from typing import Final

from letitride.autoplay.steps import plain
from letitride.engine import commands
from letitride.engine.legal import legal
from letitride.engine.script import line
from letitride.engine.steps import KINDS, Step
from letitride.errors import InvariantBroken
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.chance import Chance, one_of, shuffled
from letitride.training.staff.drill import Drill
from letitride.training.staff.elsewhere import actor_says, cited, round_of, steps_elsewhere
from letitride.training.staff.practice import Practice, Sides, party, side_bets
from letitride.training.staff.questions import (
    Judged,
    Mark,
    Option,
    Question,
    choice_field,
    new_mark,
    new_question,
    text_of,
)
from letitride.training.staff.scene import scene

HANDS: Final = {1: 2, 2: 3, 3: 4, 4: 6, 5: 7}
"""How many hands are dealt at each level."""
OPTIONS: Final = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}
SIDE: Final[dict[int, Sides]] = {1: "none", 2: "taken", 3: "single", 4: "all", 5: "all"}
_SAME_AGAIN: Final = 4
"""Of steps that only go round the seats, one in so many is asked about."""


class Dealing(Drill):
    """Deal by the book: which step comes next, and who does it."""

    name = "deal"

    def __init__(self, rules: TableRules, chance: Chance, *, level: int = 1, length: int = 30) -> None:
        super().__init__(rules, chance, level=level, length=length)
        self._practice = self._new_table()
        self._last: Step | None = None
        self._due = Step("")
        self._offered: dict[str, Step] = {}

    def _new_table(self) -> Practice:
        who = party(self.rules.rules, self.chance, HANDS[self.level], side_bets(self.rules, SIDE[self.level]), steps=3)
        return Practice(self.rules, self.chance, who)

    def _ask(self) -> Question | None:
        if len(self.sheet.marks) >= self.length:
            return None
        while True:
            practice = self._practice
            command = practice.due()
            if command is None and not practice.over:
                raise InvariantBroken("expected a practice table that goes on, got one that waits")
            if command is None or practice.over:
                self._practice, self._last = self._new_table(), None
                continue
            if isinstance(command, commands.Do):
                due = Step(command.kind, command.seat, command.wager, command.number)
                if self._worth_asking(due):
                    return self._question_about(due)
                self._last = due
            practice.do(command)

    def _worth_asking(self, due: Step) -> bool:
        """Whether a step is more than the last one at the next seat; of those only some are asked about."""
        last = self._last
        again = last is not None and (last.kind, last.number) == (due.kind, due.number)
        return not again or not self.chance.below(_SAME_AGAIN)

    def _question_about(self, due: Step) -> Question:
        wrong = self._wrong_steps(due)[: OPTIONS[self.level] - 1]
        offered = shuffled(self.chance, (due, *wrong))
        self._due = due
        self._offered = {chr(ord("a") + place): step for place, step in enumerate(offered)}
        options = tuple(Option(key, actor_says(step)) for key, step in self._offered.items())
        return new_question(
            kind="step",
            text="What is the next step?",
            seen=scene(self._practice.table, self._practice.take_told()),
            fields=(choice_field("step", "next step", options),),
        )

    def _wrong_steps(self, due: Step) -> tuple[Step, ...]:
        """Steps that are not due now: later ones, those of other seats, and those of other books' procedures."""
        table = self._practice.table
        soon = [step for step in table.agenda[1:12] if KINDS[step.kind].actor != "player"]
        procedure = round_of(self.rules)
        place = next((n for n, step in enumerate(procedure) if step.kind == due.kind), 0)
        near = list(procedure[max(0, place - 4) : place + 8])
        seats = [number for number in table.seats if number != due.seat and table.seats[number].player]
        other_seat = [Step(due.kind, one_of(self.chance, seats), due.wager, due.number)] if due.seat and seats else []
        foreign = [
            Step(kind, due.seat or 1, BASE_SPOTS[0], 1) for kind in _UNUSUAL if kind not in {s.kind for s in procedure}
        ]
        found: dict[str, Step] = {}
        for step in (
            *shuffled(self.chance, soon)[:3],
            *(other_seat if self.level > 1 else []),
            *shuffled(self.chance, near),
            *shuffled(self.chance, foreign),
        ):
            if self._is_wrong(step, due) and step.kind not in found and actor_says(step) != actor_says(due):
                found[step.kind] = step
        return tuple(found.values())

    def _is_wrong(self, step: Step, due: Step) -> bool:
        """Whether the engine would refuse a step now; a bet of the same seat in another order is no fair question."""
        if (step.kind, step.seat) == (due.kind, due.seat):
            return False
        refusal = legal(self._practice.table, plain(step))
        return refusal is not None and refusal.code == "out_of_order"

    def _judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        due, chosen = self._due, self._offered[str(given["step"])]
        right = chosen == due
        told = line(self._practice.table, due)
        asked = question.fields[0]
        mark = new_mark(
            outcome="right" if right else "wrong",
            sentence=f"The {told.actor} has to {told.text}.",
            judged=(Judged("step", asked.label, text_of(asked, given["step"]), actor_says(due), right),),
            points=int(right),
            points_max=1,
            clauses=cited(told.clauses),
            house_default=not told.clauses,
            elsewhere=() if right else steps_elsewhere(self.rules, self._last, due),
        )
        self._last = due
        self._practice.step()
        return mark


_UNUSUAL: Final = (
    "burn_bottom",
    "burn_first",
    "burn_last",
    "count_stub",
    "cut_deck",
    "fan_packet",
    "lay_cards",
    "move_community",
    "pick_up",
    "place_lammer",
    "rack_cover_card",
    "rack_stub",
    "throw_dice",
    "tuck_cards",
    "unload_stub",
    "verify_inspection",
)
"""What some books do and others do not."""
