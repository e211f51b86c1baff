"""Watching: rounds in which cards, players or the machine misbehave; the trainee notices, and then rules."""

from __future__ import annotations

from typing import Any, Final

from letitride.engine import commands, events, faults
from letitride.engine.decide import Events, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.steps import KINDS
from letitride.errors import InvariantBroken
from letitride.rules.rulings import WHAT
from letitride.rules.table_rules import TableRules
from letitride.training.chance import Chance, one_of
from letitride.training.staff.drill import Drill
from letitride.training.staff.irregularities import (
    QUIET_SIGNALS,
    Wrong,
    bad_deck,
    in_round,
    kinds_met,
    plant,
    what_is_wrong,
)
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
from letitride.training.staff.rulings import missed
from letitride.training.staff.scene import scene
from letitride.training.staff.trial import Trial

HANDS: Final = {1: 2, 2: 3, 3: 4, 4: 6, 5: 6}
SIDE: Final[dict[int, Sides]] = {1: "none", 2: "none", 3: "single", 4: "all", 5: "all"}
PLANTED_MAX: Final = {1: 2, 2: 2, 3: 3, 4: 3, 5: 4}
"""How much is let go wrong in one round at most."""
STOP_IN: Final = {1: 5, 2: 6, 3: 6, 4: 8, 5: 8}
"""One step in about so many is a moment to look: the more happens between two looks, the harder it is."""
FINE: Final = "ok"
SEATED: Final = frozenset(
    {"exposed_card", "hand_count", "stray_hand", "uneven_bets", "under_minimum", "over_maximum", "absent"}
)
"""What is wrong at one seat."""


class Watching(Drill):
    """Notice what is wrong, and rule it; what is right is to be let alone."""

    name = "watch"

    def __init__(self, rules: TableRules, chance: Chance, *, level: int = 1, length: int = 12, only: str = "") -> None:
        super().__init__(rules, chance, level=level, length=length)
        self._only = only
        """The only irregularity that is planted, if it is always the same."""
        self._met: dict[str, int] = {}
        self._moments = 0
        self._wrong: tuple[commands.Report, ...] = ()
        self._counted: Events = ()
        """What followed from a count that came out wrong: it is ruled and carried out already."""
        self._trial: Trial | None = None
        self._signals: tuple[Wrong, ...] = ()
        self._practice = self._new_round()

    def _new_round(self) -> Practice:
        self._planted = 0
        who = party(self.rules.rules, self.chance, HANDS[self.level], side_bets(self.rules, SIDE[self.level]), steps=4)
        number, counts = 1, self.rules.rules.stub
        if counts.count == "every_rounds" and self.level > 2 and not self.chance.below(3):
            number = counts.count_rounds
        bad = self.level > 1 and not self._only and not self.chance.below(3)
        dealt = {number: bad_deck(self.chance, seats=len(who.wagers))} if bad else {}
        practice = Practice(self.rules, self.chance, who, dealt=dealt)
        while practice.over < number - 1:
            practice.step()
        while not in_round(practice.table):
            practice.step()
        return practice

    def _ask(self) -> Question | None:
        if self._trial is not None:
            return self._trial.ask(self.chance)
        if self._moments >= self.length:
            return None
        self._moments += 1
        signals = self._to_the_next_moment()
        told = self._practice.take_told()
        kinds = [Option(kind, WHAT[kind]) for kind in kinds_met(self.rules.rules)]
        seats = [Option(str(number), f"seat {number}") for number in self._practice.table.seats]
        return new_question(
            kind="notice",
            text="Is anything wrong?",
            seen=scene(self._practice.table, told[-_TOLD:], signals),
            fields=(
                choice_field("what", "what is wrong", (Option(FINE, "nothing: play goes on"), *kinds)),
                choice_field("seat", "where", (Option("0", "no particular seat"), *seats)),
            ),
        )

    def _to_the_next_moment(self) -> tuple[str, ...]:
        """Let the table go on to a moment to look at; return what is seen beside cards and chips."""
        self._signals, self._counted = (), ()
        while True:
            if self._practice.over and not in_round(self._practice.table):
                self._practice = self._new_round()
            if self._step() or self._is_moment():
                break
        shown = self._quiet_signal()
        if self._is_free() and self.chance.below(2):
            planted = plant(self._practice, self.chance, self.level, self._met, self._only)
            if planted is not None:
                self._planted += 1
                self._signals = (planted[1].wrong,) if planted[1].wrong else ()
                shown = (planted[1].signal,) if planted[1].signal else shown
        self._wrong = what_is_wrong(self._practice.table, self._signals)
        return shown

    def _is_free(self) -> bool:
        """Whether something may be let go wrong: nothing is yet, and the round has not had its share."""
        table = self._practice.table
        fine = not self._counted and not what_is_wrong(table, ()) and not faults.blocked(table, table.agenda[0])
        return fine and self._planted < PLANTED_MAX[self.level]

    def _quiet_signal(self) -> tuple[str, ...]:
        machine = self.rules.rules.device == "shuffler" and not self.chance.below(3)
        return (one_of(self.chance, QUIET_SIGNALS),) if machine else ()

    def _step(self) -> bool:
        """Do what comes next; whether it was a count, which is always a moment to look."""
        practice = self._practice
        due = practice.due()
        if due is None:
            raise InvariantBroken("expected a practice table that goes on, got one that waits")
        mends = isinstance(due, commands.Do) and KINDS[due.kind].mends
        happened = practice.do(due)
        if mends or not any(isinstance(one, events.StepDone) and one.step.kind in _COUNTS for one in happened):
            return False
        self._counted = happened if any(isinstance(one, events.Ruled) for one in happened) else ()
        return True

    def _is_moment(self) -> bool:
        table = self._practice.table
        if not in_round(table) or faults.is_mending(table) or table.phase == "ruling" or not table.agenda:
            return False
        step = table.agenda[0].kind
        often = step in {"deal_dealer_packet", "slide_left", "burn_first", "burn_top"} or table.agenda[
            0
        ].kind.startswith("deal_community")
        return bool(what_is_wrong(table, ())) or not self.chance.below(2 if often else STOP_IN[self.level])

    def _judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        if self._trial is None:
            return self._judge_notice(question, str(given["what"]), int(given["seat"]))
        mark = self._trial.judge(question, given)
        if self._trial.stage == "over":
            self._go_on()
        return mark

    def _judge_notice(self, question: Question, what: str, seat: int) -> Mark:
        table = self._practice.table
        if self._counted:
            trial = Trial(table, self._counted)
            return self._noticed(trial, question, what, seat, hit=what == trial.ruling.name.partition(":")[0])
        if not self._wrong:
            return self._nothing_wrong(question, what, seat)
        hits = [one for one in self._wrong if one.kind == what and (one.kind not in SEATED or one.seat == seat)]
        self._wrong = (*hits, *(one for one in self._wrong if one not in hits))
        _, outcome = play(table, self._wrong[0])
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected a report that is heard, got {outcome.code}")
        return self._noticed(Trial(table, outcome), question, what, seat, hit=bool(hits))

    def _nothing_wrong(self, question: Question, what: str, seat: int) -> Mark:
        fine, asked = what == FINE, question.fields[0]
        kind: Any = what
        refusal = None if fine else legal(self._practice.table, commands.Report(kind=kind, seat=seat))
        said = refusal.sentence if refusal is not None else "Nothing at the table shows that."
        return new_mark(
            outcome="clear" if fine else "false_alarm",
            sentence="Nothing is wrong: play goes on." if fine else f"Nothing is wrong. {said}",
            judged=(Judged("what", asked.label, _said(question, what, seat), text_of(asked, FINE), fine),),
            points=int(fine),
            points_max=1,
        )

    def _noticed(self, trial: Trial, question: Question, what: str, seat: int, *, hit: bool) -> Mark:
        """Return a catch, after which the ruling is asked for, or a miss, with which it is told."""
        asked = question.fields[0]
        judged = Judged("what", asked.label, _said(question, what, seat), trial.what, hit)
        if hit:
            self._trial = trial
            return new_mark("catch", f"{trial.what[:1].upper()}{trial.what[1:]}.", (judged,), points=1, points_max=1)
        start = "" if what == FINE else "There was an irregularity, but a different one: "
        self._go_on()
        return missed(self.rules, trial.ruling, judged, start)

    def _go_on(self) -> None:
        """Carry out what is ruled, unless a count has done so, and watch again."""
        if not self._counted:
            self._practice.do(self._wrong[0])
        self._trial, self._signals, self._counted = None, (), ()


_COUNTS: Final = frozenset({"count_deck", "count_stub"})
_TOLD: Final = 20
"""How many lines of what has happened are shown."""


def _said(question: Question, what: str, seat: int) -> str:
    return text_of(question.fields[0], what) + (f" (seat {seat})" if seat else "")
