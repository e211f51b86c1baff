"""The `ask` command: the ruling desk, for what went wrong at a real table."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from letitride.cli.io.output import Json, heading, print_facts, print_json, print_lines, print_table
from letitride.errors import InvalidData
from letitride.rules import catalog

if TYPE_CHECKING:
    from letitride.training.ruling_desk.told import RulingAnswer, SituationTold

_FIRST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """A situation that fits what was typed, and how well: 1 where every word does."""

    fit: float
    situation: SituationTold


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked, and what it may be."""

    book: str
    text: str
    situations: tuple[Fitting, ...]


def ask(
    text: Annotated[list[str], typer.Argument(help="What happened, such as: dealt four cards.", metavar="WORDS...")],
    rulebook: Annotated[
        str, typer.Option("--rulebook", help="The rule book of the table, or a TOML file.", metavar="BOOK")
    ],
    answers: Annotated[
        list[str] | None,
        typer.Option(
            "--answer",
            help="The answer to a question, such as looked=none; may be repeated.",
            metavar="QUESTION=ANSWER",
        ),
    ] = None,
    other: Annotated[
        int, typer.Option("--take", min=1, max=_FIRST, help="Show the second or third situation that fits instead.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Ask what the rules say when something goes wrong.

    Shows the ruling, its steps, what happens to each wager, the clauses, and what the other rule books would rule.
    """
    from letitride.training.ruling_desk.answers import situations
    from letitride.training.ruling_desk.phrases import find

    rules, said = catalog.ready_rules(rulebook), " ".join(text)
    made = situations(rules)
    found = find(said, made)[:_FIRST]
    if not found:
        raise InvalidData(f"expected what went wrong at a table, such as 'dealt four cards', got '{said}'")
    if other > len(found):
        raise InvalidData(f"expected a situation from 1 to {len(found)} after --take, got {other}")
    if as_json:
        fitting = tuple(Fitting(fit=one.fit, situation=made[one.situation]()) for one in found)
        print_json(Asked(book=rules.book.id, text=said, situations=fitting))
        return
    chosen = made[found[other - 1].situation]()
    given = _given(chosen, answers or [])
    print_lines(heading(f"{chosen.title} · {rules.book.title}"))
    if not given and chosen.questions and sys.stdin.isatty():
        given = _ask(chosen)
    fitting_answers = [one for one in chosen.answers if given.items() <= one.given.items()]
    if len({one.ruling for one in fitting_answers}) == 1:
        _print(fitting_answers[0])
    else:
        _print_open(chosen, fitting_answers)
    others = [(f"--take {n}", made[one.situation]().title) for n, one in enumerate(found, 1) if n != other]
    if others:
        print_lines("")
        print_facts("Something else?", others)


def _given(chosen: SituationTold, answers: list[str]) -> dict[str, str]:
    """Read answers such as looked=none, and check them against the questions."""
    known = {one.id: [choice.id for choice in one.choices] for one in chosen.questions}
    given: dict[str, str] = {}
    for answer in answers:
        name, _, said = answer.partition("=")
        if said not in known.get(name, ()):  # type: ignore[call-overload]  # a typed name may be no question's
            every = ", ".join(f"{one}={choice}" for one, choices in known.items() for choice in choices)
            raise InvalidData(f"expected an answer like {every or 'none: nothing is asked here'}, got '{answer}'")
        given[name] = said
    if given and not any(given.items() <= one.given.items() for one in chosen.answers):
        raise InvalidData("expected answers that can be true together, got some that cannot")
    return given


def _ask(chosen: SituationTold) -> dict[str, str]:
    """Ask the questions of a situation, those alone that still make a difference."""
    given: dict[str, str] = {}
    for question in chosen.questions:
        left = [one for one in chosen.answers if given.items() <= one.given.items()]
        choices = [choice for choice in question.choices if any(one.given[question.id] == choice.id for one in left)]
        if len({one.ruling for one in left}) == 1 or len(choices) < 2:
            continue
        print_lines(question.text, *(f"  {n} {choice.text}" for n, choice in enumerate(choices, 1)))
        picked = 0
        while not 1 <= picked <= len(choices):
            picked = typer.prompt("Answer", type=int, default=1)
        given[question.id] = choices[picked - 1].id
    return given


def _print(one: RulingAnswer) -> None:
    print_lines(one.ruling)
    default = [("", "House default: the documents are silent.")] if one.house_default else []
    for title, rows in (
        (
            "Steps, with seats 1, 2 and 3 in the round and the irregularity at seat 1",
            [(str(n), f"{step.actor}: {step.text}") for n, step in enumerate(one.steps, 1)],
        ),
        ("Wagers", [(wager.wager, wager.effect) for wager in one.wagers]),
        ("Clauses", [(clause.id, clause.demand) for clause in one.clauses] + default),
        ("Other rule books", [(other.title, other.ruling) for other in one.elsewhere]),
    ):
        if rows:
            print_lines("")
            print_facts(title, rows)


def _print_open(chosen: SituationTold, answers: list[RulingAnswer]) -> None:
    asked = [one for one in chosen.questions if len({answer.given[one.id] for answer in answers}) > 1]
    said = {(one.id, choice.id): choice.text for one in asked for choice in one.choices}
    rows = [
        [*(said[one.id, answer.given[one.id]] for one in asked), answer.ruling, ", ".join(c.id for c in answer.clauses)]
        for answer in answers
    ]
    print_table([*(one.text for one in asked), "ruling", "clauses"], rows)
    every = " ".join(f"--answer {one.id}={'|'.join(choice.id for choice in one.choices)}" for one in asked)
    print_lines("", f"To see the steps and what happens to each wager, answer: {every}")
