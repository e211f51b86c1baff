"""The `train dealer` and `train floor` commands: drills in dealing, paying, game protection and rulings."""

from __future__ import annotations

import re
import shlex
import sys
import time
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
import typer

from letitride.chance.live import Live
from letitride.chance.seeded import Seeded
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.times import clock_ms
from letitride.cli.io.values import Set, parse_values
from letitride.cli.training.dialogue import Stopped, interrupted, print_object, say
from letitride.cli.training.progress_file import InFile, keeper_of
from letitride.cli.training.scene import mark_lines, print_summary, question_lines
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.catalog import ready_rules
from letitride.rules.table_rules import TableRules
from letitride.rules.words import one_of, quantity
from letitride.training.chance import Chance
from letitride.training.staff.catalogue import LENGTHS, TITLES, TRADES, Plan, Sitting, kept_from, result_of
from letitride.training.staff.questions import Field, Question

ME: Final = "me"
DRILLS: Final = tuple(name for name, trade in TRADES.items() if trade == "dealer")
_MONEY: Final = re.compile(r"\$?([0-9]{1,9})(?:\.([0-9]{1,2}))?")

Book = Annotated[
    str | None,
    typer.Option(
        "--rulebook", help="A rule book: its id or a TOML file; a house-banked one by default.", metavar="BOOK|FILE"
    ),
]
Level = Annotated[int, typer.Option("--level", help="The level to start at, 1 to 5; it rises with right answers.")]
Length = Annotated[
    int, typer.Option("--questions", help="How many questions; set by the drill by default.", show_default=False)
]
Person = Annotated[str, typer.Option("--person", help="The name to keep progress under.", metavar="NAME")]
Restart = Annotated[bool, typer.Option("--restart", help="Start again instead of continuing an unfinished drill.")]
Progress = Annotated[bool, typer.Option("--progress", help="Show finished drills, then exit.")]
Seed = Annotated[int | None, typer.Option("--seed", help="The same seed asks the same questions.")]

Given = dict[str, str | int]
"""An answer as typed: by field, the id of an option or cents."""


def dealer(  # noqa: PLR0917 - the options of a command
    drill: Annotated[
        str,
        typer.Argument(help="deal a round, pay the table, or watch for irregularities.", metavar="[deal|pay|watch]"),
    ] = "deal",
    rulebook: Book = None,
    level: Level = 1,
    length: Length = 0,
    person: Person = ME,
    restart: Restart = False,
    progress: Progress = False,
    seed: Seed = None,
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Practice dealing, paying and spotting irregularities.

    By a rule book: deal a round, pay the table against the clock, or watch for irregularities. With --json every
    question, mark and result is one line of JSON. Answers are read line by line either way, as words or as a JSON
    object of the question's fields.
    """
    if drill not in DRILLS:
        raise InvalidData(f"expected {one_of(DRILLS)}, got '{drill}'")
    if progress:
        _show(keeper_of(person), person, "dealer", as_json=as_json)
        return
    _run(Plan(name=drill, level=level, length=length), rulebook, values, person, restart, seed, as_json)


def floor(  # noqa: PLR0917 - the options of a command
    rulebook: Book = None,
    level: Level = 1,
    length: Length = 0,
    person: Person = ME,
    restart: Restart = False,
    progress: Progress = False,
    seed: Seed = None,
    values: Set = None,
    as_json: Json = False,
) -> None:
    """Practice floor rulings.

    By a rule book: late bets, counts, collusion, disputes, and calls where nothing is irregular.
    """
    if progress:
        _show(keeper_of(person), person, "floor", as_json=as_json)
        return
    _run(Plan(name="floor", level=level, length=length), rulebook, values, person, restart, seed, as_json)


def _run(  # noqa: PLR0917 - what both commands have in common
    plan: Plan,
    wanted: str | None,
    values: list[str] | None,
    person: str,
    restart: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    if plan.length < 0:
        raise InvalidData(f"expected 1 to 200 after --questions, got {plan.length}")
    rulebook = wanted or _house_banked()
    rules = ready_rules(rulebook, parse_values(values or [], rulebook))
    words = ["letitride", "train", TRADES[plan.name], *([plan.name] if plan.name != "floor" else [])]
    words += ["--rulebook", rulebook, *(f"--set={one}" for one in values or [])]
    words += [f"--level={plan.level}", *([f"--questions={plan.length}"] if plan.length else [])]
    words += ["--person", person] if person != ME else []
    desk = _Desk(plan, rules, keeper_of(person), person, as_json, shlex.join(words))
    if restart:
        desk.keeper.forget_progress(person, desk.drill)
    desk.sit(Live() if seed is None else Seeded(plan.name, seed))


def _show(keeper: InFile, person: str, trade: str, *, as_json: bool) -> None:
    """Show the drills a person has finished."""
    results = keeper.results(person, trade)
    if as_json:
        print_json({"person": person, "results": results})
        return
    rows = [
        [
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one.finished_ms / 1000)),
            one.drill,
            f"{one.score:.1f}%",
            *(str(one.details[name]) for name in ("catches", "misses", "false_alarms", "late", "level")),
        ]
        for one in results
    ]
    if rows:
        print_table(["finished", "drill", "score", "caught", "missed", "false alarms", "late", "level"], rows, firm=2)
    else:
        print_lines("No drill is finished yet.")


def _house_banked() -> str:
    """The first published book whose bank is the house."""
    return next(one for one in catalog.rulebook_ids() if catalog.rulebook(one).rules.bank.mode == "house")


@dataclass(frozen=True, slots=True)
class _Desk:
    """One person practicing under one rule book."""

    plan: Plan
    rules: TableRules
    keeper: InFile
    person: str
    as_json: bool
    command: str

    @property
    def drill(self) -> str:
        """The name under which it is kept."""
        return self.plan.drill_of(self.rules.book.id)

    @property
    def _title(self) -> str:
        return f"{TITLES[self.plan.name]}, {self.rules.book.title}"

    def sit(self, source: Chance) -> None:
        """Ask until the drill is over, or the trainee stops."""
        sitting = self._begin(source)
        try:
            while (question := sitting.question) is not None:
                answer, seconds = self._asked(sitting, question)
                try:
                    mark = sitting.answer(answer, seconds)
                except InvalidData as error:
                    say(str(error))
                    continue
                self.keeper.keep_progress(self.person, self.drill, msgspec.json.encode(sitting.kept), 1)
                if self.as_json:
                    print_object("mark", mark)
                else:
                    print_lines(*mark_lines(mark))
        except Stopped:
            pass
        except KeyboardInterrupt:
            self._summary(sitting)
            interrupted(self.command)
        if sitting.answers:
            result = result_of(sitting.drill, self.plan, self.person, clock_ms())
            self.keeper.add_result(result)
            self.keeper.forget_progress(self.person, self.drill)
            if self.as_json:
                print_object("result", result)
        self._summary(sitting)

    def _begin(self, source: Chance) -> Sitting:
        kept = self.keeper.progress(self.person, self.drill)
        before = kept_from(kept[0]) if kept else None
        if before is not None and (before.plan, before.digest) != (self.plan, self.rules.book.digest):
            before = None
        sitting = Sitting(self.plan, self.rules, source, before)
        if not self.as_json:
            print_lines(heading(self._title))
            going_on = f"Continuing after {quantity(len(before.answers), 'answer')}. " if before else ""
            say(f"{going_on}q stops and shows the result; Ctrl-C saves and exits")
        return sitting

    def _summary(self, sitting: Sitting) -> None:
        summary = sitting.drill.summary()
        if self.as_json:
            print_object("summary", summary)
        else:
            print_summary(summary, self._title)

    def _asked(self, sitting: Sitting, question: Question) -> tuple[Given, float]:
        """Ask a question until it is answered; return the answer and the seconds it took at a terminal."""
        done, of = question.number, sitting.drill.length or LENGTHS[self.plan.name]
        if self.as_json:
            print_object("question", question)
        else:
            print_lines(
                *question_lines(question, f"{done} of {of}" if self.plan.name in {"deal", "pay"} else f"{done}")
            )
        began = time.monotonic()
        answer = _notice(question) if _is_notice(question) else _fields(question, show=not self.as_json)
        return answer, time.monotonic() - began if sys.stdin.isatty() else 0.0


def _is_notice(question: Question) -> bool:
    return [one.name for one in question.fields] == ["what", "seat"]


def _line(prompt: str) -> str:
    say(prompt, end=" ")
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        say("")  # no Enter was typed to end the line
    if not line or line.strip().casefold() in {"q", "quit", "stop"}:
        raise Stopped
    return line.strip()


def _object(line: str) -> Given | None:
    """Return an answer that is written as JSON."""
    if not line.startswith("{"):
        return None
    try:
        return msgspec.json.decode(line, type=Given)
    except msgspec.DecodeError as error:
        say(f"expected a JSON object of fields, got an error: {error}")
        return {}


def _notice(question: Question) -> Given:
    """Read 'ok', or an irregularity by its number or name, with its seat if there is one."""
    kinds = question.fields[0].options[1:]
    names = {option.id: option.id for option in kinds} | {str(n): option.id for n, option in enumerate(kinds, 1)}
    while True:
        line = _line("ok, or the irregularity and its seat, such as 'hand_count 3'; ? lists all >")
        if (given := _object(line)) is not None:
            if given.keys() == {"what", "seat"} and _is_one(question.fields, given):
                return given
            continue
        first, _, where = line.casefold().partition(" ")
        seat = where.strip().removeprefix("seat").strip() or "0"
        if first == "?":
            say("\n".join(f"  {n:2} {option.id:18} {option.text}" for n, option in enumerate(kinds, 1)))
        elif first in {"ok", "o", "go", "n"}:
            return {"what": "ok", "seat": "0"}
        elif first in names and _is_one(question.fields[1:], {"seat": seat}):
            return {"what": names[first], "seat": seat}
        else:
            say(f"expected ok, or an irregularity from the list and a seat, got '{line[:40]}'")


def _is_one(fields: tuple[Field, ...], given: Given) -> bool:
    return all(given[one.name] in {option.id for option in one.options} for one in fields)


def _fields(question: Question, *, show: bool) -> Given:
    """Read an answer field by field, or all of it as JSON."""
    answer: Given = {}
    for one in question.fields:
        found = _option(one, show=show) if one.options else _amount(one)
        if isinstance(found, dict):
            return found
        answer[one.name] = found
    return answer


def _option(one: Field, *, show: bool) -> str | Given:
    letters = {chr(ord("a") + place): option for place, option in enumerate(one.options)}
    if show:
        print_lines(*(f"  {letter}) {option.text}" for letter, option in letters.items()))
    ids = {option.id: option.id for option in one.options}
    while True:
        line = _line(f"{one.label} ({'/'.join(letters)}) >")
        if given := _object(line):
            return given
        word = line.casefold()
        if word in letters:
            return letters[word].id
        if line in ids:
            return line
        say(f"expected {one_of(letters)}, got '{line[:40]}'")


def _amount(one: Field) -> int | Given:
    while True:
        line = _line(f"{one.label}: $")
        if given := _object(line):
            return given
        found = _MONEY.fullmatch(line.replace(",", "")) if line else re.fullmatch(r"()()", "")
        if found is not None:
            return int(found[1] or 0) * 100 + int((found[2] or "").ljust(2, "0"))
        say(f"expected an amount in dollars such as 12 or 7.50, or Enter for none, got '{line[:40]}'")
