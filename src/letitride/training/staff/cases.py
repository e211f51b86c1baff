"""Cases: what a floor supervisor is called for, each asked about and judged by the engine or the settlement."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final

from letitride.engine import commands, events
from letitride.engine.decide import play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken
from letitride.rules.money import dollars
from letitride.rules.roles import STAFF, spoken
from letitride.rules.rulings import WHAT
from letitride.rules.table_rules import TableRules
from letitride.training.chance import Chance, one_of
from letitride.training.staff.elsewhere import cited, key_clauses, keys_elsewhere
from letitride.training.staff.floor_requests import Floor, FloorRequest, betting, choosing, until
from letitride.training.staff.irregularities import bad_deck, in_round, kinds_met, plant, what_is_wrong
from letitride.training.staff.paying import bets_of, paid_elsewhere, pay_clauses, pays_told
from letitride.training.staff.positions import Position, position
from letitride.training.staff.questions import (
    Judged,
    Mark,
    Option,
    Outcome,
    Question,
    amount_field,
    choice_field,
    new_mark,
    new_question,
    text_of,
)
from letitride.training.staff.rulings import clause_field, judge_clause, missed
from letitride.training.staff.scene import Scene, scene
from letitride.training.staff.trial import Trial
from letitride.training.staff.watching import SEATED

YES, NO = "yes", "no"


class Case(ABC):
    """One thing the floor is called for: one question, or more where the first is answered rightly."""

    def __init__(self, rules: TableRules, chance: Chance) -> None:
        self.rules, self.chance = rules, chance
        self.over = False

    @abstractmethod
    def ask(self) -> Question:
        """Return the next question of the case."""

    @abstractmethod
    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Return what happens to its answer."""


class MayBe(Case):
    """A person does or wants something: allow it or stop it, and say by which clause."""

    def __init__(self, rules: TableRules, chance: Chance, found: FloorRequest) -> None:
        super().__init__(rules, chance)
        self.found, self._stopped = found, found.stopped_by
        self._clause = False

    def ask(self) -> Question:
        """Ask what is done, then which clause says so."""
        table, clauses = self.found.table, key_clauses(self.rules, self._stopped or self.found.key)
        seen = scene(table, self.found.told)
        if self._clause:
            field = clause_field(self.rules, clauses, clauses, self.chance)
            return new_question("clause", "Which clause applies?", seen, (field,))
        order = self.found.order
        options = (
            Option(YES, "give the order: the rules allow it" if order else "allow it"),
            Option(NO, "do not give it: the rules do not allow it" if order else "stop it"),
        )
        return new_question("may", self.found.text, seen, (choice_field("ruling", "your decision", options),))

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Judge by what the engine says to it."""
        key = self._stopped or self.found.key
        clauses = key_clauses(self.rules, key)
        if self._clause:
            self.over = True
            judged = judge_clause(question.fields[0], clauses, str(given["clause"]))
            return self._mark("right" if judged.right else "wrong", judged, 1, key)
        let = given["ruling"] == YES
        outcome = self._outcome(let=let)
        field = question.fields[0]
        rightly = let != bool(self._stopped)
        expected = text_of(field, NO if self._stopped else YES)
        judged = Judged("ruling", field.label, text_of(field, given["ruling"]), expected, rightly)
        self._clause = rightly and bool(self._stopped)
        self.over = not self._clause
        return self._mark(outcome, judged, 2 if self._stopped and not rightly else 1, key)

    def _outcome(self, *, let: bool) -> Outcome:
        if self.found.order:
            return "right" if let != bool(self._stopped) else "wrong"
        if self._stopped:
            return "miss" if let else "catch"
        return "clear" if let else "false_alarm"

    def _mark(self, outcome: Outcome, judged: Judged, worth: int, key: str) -> Mark:
        clauses = key_clauses(self.rules, key)
        return new_mark(
            outcome=outcome,
            sentence=self.found.sentence,
            judged=(judged,),
            points=worth if judged.right else 0,
            points_max=worth,
            clauses=cited(clauses),
            house_default=not clauses,
            elsewhere=() if judged.right else keys_elsewhere(self.rules, key),
        )


class Called(Case):
    """A person reports an irregularity: is there one, and what is the ruling?"""

    def __init__(self, rules: TableRules, chance: Chance, level: int, hands: int) -> None:
        super().__init__(rules, chance)
        practice = Floor(rules, chance, hands).table()
        until(practice, in_round)
        moments = 4 + chance.below(30)
        planted = None
        while in_round(practice.table) and planted is None and moments:
            moments -= 1
            practice.step()
            if moments < _TRIED and not what_is_wrong(practice.table, ()) and chance.below(2):
                planted = plant(practice, chance, level, {})
        table = practice.table
        signals = (planted[1].wrong,) if planted and planted[1].wrong else ()
        wrong = what_is_wrong(table, signals)
        self.table, self.told = table, tuple(practice.told[-_TRIED:])
        self.shown = (planted[1].signal,) if planted and planted[1].signal else ()
        self.claim = wrong[0] if wrong and chance.below(4) else _unfounded(table, wrong, chance)
        self._so = any((one.kind, one.seat) == (self.claim.kind, self.claim.seat) for one in wrong)
        self._trial: Trial | None = None
        self._by = one_of(chance, [n for n, seat in table.seats.items() if seat.player])

    def ask(self) -> Question:
        """Ask whether it is so, then for the ruling."""
        if self._trial is not None:
            return self._trial.ask(self.chance)
        where = f" at seat {self.claim.seat}" if self.claim.seat else ""
        text = (
            f"{self.table.seats[self._by].player} at seat {self._by} calls the floor: {WHAT[self.claim.kind]}{where}."
        )
        options = Option(YES, "yes"), Option(NO, "no")
        field = choice_field("so", "is that right?", options)
        return new_question("notice", text, scene(self.table, self.told, self.shown), (field,))

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Judge by how the cards and chips lie."""
        if self._trial is not None:
            mark = self._trial.judge(question, given)
            self.over = self._trial.stage == "over"
            return mark
        said, field = given["so"] == YES, question.fields[0]
        right = said == self._so
        judged = Judged("so", field.label, text_of(field, given["so"]), text_of(field, YES if self._so else NO), right)
        if not self._so:
            self.over = True
            sentence = f"The report is unfounded: {WHAT[self.claim.kind]}{_at(self.claim.seat)}."
            return new_mark("clear" if right else "false_alarm", sentence, (judged,), points=int(right), points_max=1)
        _, outcome = play(self.table, self.claim)
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected a report that is heard, got {outcome.code}")
        trial = Trial(self.table, outcome)
        if right:
            self._trial = trial
            return new_mark("catch", f"{trial.what[:1].upper()}{trial.what[1:]}.", (judged,), points=1, points_max=1)
        self.over = True
        return missed(self.rules, trial.ruling, judged, "The report was right: ")


_TRIED: Final = 12


def _at(seat: int) -> str:
    return f" at seat {seat}" if seat else ""


def _unfounded(table: Table, wrong: tuple[commands.Report, ...], chance: Chance) -> commands.Report:
    """Return something that is not wrong, as a person might report it."""
    said = {one.kind for one in wrong}
    kinds = [kind for kind in kinds_met(table.rules.rules) if kind not in said and kind != "stub_count"]
    kind = one_of(chance, kinds)
    return commands.Report(kind=kind, seat=one_of(chance, table.dealt_in or (1,)) if kind in SEATED else 0)


class PayDispute(Case):
    """A player says that too little was paid: is that right, and what does the house owe?"""

    def __init__(self, rules: TableRules, chance: Chance, hands: int) -> None:
        super().__init__(rules, chance)
        self.found: Position = position(rules, chance, hands, rules.sides, steps=4)
        paid = [(n, w) for n in self.found.hands for w in self.found.wagers(n) if self.found.paid_cents(n, w)]
        every = [(n, w) for n in self.found.hands for w in self.found.wagers(n)]
        self.seat, self.wager = one_of(chance, paid or every)
        due = self.found.paid_cents(self.seat, self.wager)
        self.got = due if chance.below(2) else one_of(chance, (due // 2, due // 3, 0))
        self.owed = due - self.got

    def ask(self) -> Question:
        """Ask for the decision and the amount."""
        name = self.found.table.seats[self.seat].player
        text = (
            f"{name} at seat {self.seat} was paid {dollars(self.got)} on the {bets_of(self.wager)} and disputes it: "
            "'I should have been paid more.'"
        )
        options = Option("upheld", "uphold the dispute"), Option("rejected", "reject the dispute")
        fields = (
            choice_field("decision", "your ruling", options),
            amount_field("owed", "still owed", self.seat),
        )
        return new_question("pay", text, scene(self.found.table, pays_told(self.found)), fields)

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Judge by the settlement."""
        self.over = True
        field, upheld, said = question.fields[0], given["decision"] == "upheld", int(given["owed"])
        expected = "upheld" if self.owed else "rejected"
        decided = Judged(
            "decision",
            field.label,
            text_of(field, given["decision"]),
            text_of(field, expected),
            given["decision"] == expected,
        )
        amount = Judged("owed", question.fields[1].label, dollars(said), dollars(self.owed), said == self.owed)
        outcome: Outcome = ("catch" if upheld else "miss") if self.owed else ("false_alarm" if upheld else "clear")
        due = self.found.paid_cents(self.seat, self.wager)
        clauses = pay_clauses(self.found, self.wager)
        return new_mark(
            outcome=outcome,
            sentence=f"Seat {self.seat} has {self.found.named(self.seat)}: {dollars(due)} is due.",
            judged=(decided, amount),
            points=decided.right + amount.right,
            points_max=2,
            clauses=cited(clauses),
            house_default=not clauses,
            elsewhere=() if decided.right and amount.right else paid_elsewhere(self.found, self.seat, self.wager),
        )


class DisputeRole(Case):
    """A player disputes a payment: who rules on it?"""

    def __init__(self, rules: TableRules, chance: Chance, hands: int) -> None:
        super().__init__(rules, chance)
        practice = Floor(rules, chance, hands).table()
        until(practice, betting)
        self.seat = one_of(chance, tuple(practice.party.wagers))
        practice.do(commands.RaiseDispute(by=f"seat:{self.seat}", seat=self.seat, about="the last payment"))
        self.heard: list[str] = []
        rounds = chance.below(len(practice.table.disputes[0].heard_by))
        for _ in range(rounds):
            by = practice.table.disputes[0].heard_by[0]
            self.heard.append(by)
            practice.do(commands.DecideDispute(by=by, number=1, upheld=False, why="it was paid correctly"))
            practice.do(commands.AppealDispute(by=f"seat:{self.seat}", seat=self.seat))
        self.table = practice.table
        self.right = self.table.disputes[0].heard_by[0]

    def ask(self) -> Question:
        """Ask who rules on it."""
        options = tuple(Option(role, f"the {spoken(role)}") for role in STAFF)
        before = " and then ".join(f"the {spoken(role)}" for role in self.heard)
        name = self.table.seats[self.seat].player
        text = f"{name} at seat {self.seat} disputes the last payment."
        text += f" It was rejected by {before}, and {name} appeals." if before else ""
        return new_question(
            "who", f"{text} Who rules on it?", scene(self.table), (choice_field("who", "who rules on it", options),)
        )

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Judge by the engine's own order of appeal."""
        self.over = True
        field, right = question.fields[0], given["who"] == self.right
        clauses = key_clauses(self.rules, "dispute")
        return new_mark(
            outcome="right" if right else "wrong",
            sentence=f"The {spoken(self.right)} rules on it.",
            judged=(Judged("who", field.label, text_of(field, given["who"]), text_of(field, self.right), right),),
            points=int(right),
            points_max=1,
            clauses=cited(clauses),
            house_default=not clauses,
            elsewhere=() if right else keys_elsewhere(self.rules, "dispute"),
        )


class Counted(Case):
    """A deck is counted as ordered: is anything wrong with it, and what is ruled?"""

    def __init__(self, rules: TableRules, chance: Chance, hands: int) -> None:
        super().__init__(rules, chance)
        bad = chance.below(2)
        practice = Floor(rules, chance, hands).table(bad_deck(chance, seats=hands) if bad else None)
        until(practice, one_of(chance, (betting, choosing)))
        orders = (commands.Order(by=role, kind="count", why="doubt") for role in STAFF)
        order = next((one for one in orders if legal(practice.table, one) is None), None)
        self.possible = order is not None and not what_is_wrong(practice.table, ())
        self._trial: Trial | None = None
        if order is not None and self.possible:
            practice.do(order)
            self.happened = practice.step()
            self.told, self.table = tuple(practice.told[-3:]), practice.table
            self._wrong = any(isinstance(one, events.Ruled) for one in self.happened)

    def ask(self) -> Question:
        """Ask whether the count is right, then for the ruling."""
        if self._trial is not None:
            return self._trial.ask(self.chance)
        options = Option(NO, "the deck is correct: go on"), Option(YES, "the deck does not have the correct 52 cards")
        field = choice_field("so", "result of the count", options)
        return new_question("notice", "The deck was counted. What do you find?", self._scene(), (field,))

    def _scene(self) -> Scene:
        return scene(self.table, self.told)

    def judge(self, question: Question, given: dict[str, str | int]) -> Mark:
        """Judge by what the engine made of the count."""
        if self._trial is not None:
            mark = self._trial.judge(question, given)
            self.over = self._trial.stage == "over"
            return mark
        field, said = question.fields[0], given["so"] == YES
        right = said == self._wrong
        expected = text_of(field, YES if self._wrong else NO)
        judged = Judged("so", field.label, text_of(field, given["so"]), expected, right)
        if not self._wrong:
            self.over = True
            outcome: Outcome = "clear" if right else "false_alarm"
            return new_mark(outcome, "The deck has the correct 52 cards.", (judged,), points=int(right), points_max=1)
        trial = Trial(self.table, self.happened)
        if right:
            self._trial = trial
            return new_mark("catch", f"{trial.what[:1].upper()}{trial.what[1:]}.", (judged,), points=1, points_max=1)
        self.over = True
        return missed(self.rules, trial.ruling, judged, "")
