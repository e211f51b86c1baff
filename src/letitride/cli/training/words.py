"""Words of the player's drill: questions, feedback, summaries and the exam report, for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import msgspec
from rich.text import Text

from letitride.analysis.rounding import decimal, fraction, percent
from letitride.cli.io.output import Cell, heading, print_lines, print_table
from letitride.engine.state import Choice
from letitride.rules.cards import JOKER, Card, parse_cards
from letitride.training.player import TERMS, Advice, Judged, Lesson
from letitride.training.player_drill import LessonStanding, Question, SetDetails
from letitride.training.player_exam import PASS_PERCENT, Report
from letitride.training.results import Result

DOES: Final[dict[Choice, str]] = {"ride": "let it ride", "withdraw": "take it back"}
_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def cards_text(cards: tuple[Card, ...]) -> Text:
    """Return cards as they look: with suit symbols if the terminal has them, red suits in red."""
    text = Text()
    signs = sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower()
    for card in cards:
        shown = str(card)[0].replace("T", "10") + _SIGNS[card.suit] if signs and card is not JOKER else str(card)
        text.append(f"{'' if not text else '  '}")
        text.append(shown, style="bold red" if card.suit in {"d", "h"} else "bold")
    return text


def question_lines(question: Question, of: int, number: int) -> Iterator[Cell]:
    """Yield a question: the three cards, and the first community card where it is open."""
    cards = parse_cards(question.cards)
    yield heading(f"{number} of {of}: bet {question.bet}")
    yield Text("  your cards  ") + cards_text(cards[:3])
    if len(cards) > 3:
        yield Text("  community   ") + cards_text(cards[3:])


def judged_lines(judged: Judged) -> Iterator[Cell]:
    """Yield the feedback on an answer."""
    mark = Text("Right", style="bold green") if judged.right else Text("Wrong", style="bold red")
    yield mark + Text(f"{':' if judged.right else '. Better:'} {best_words(judged.advice)}.", style="bold")
    yield from _values(judged.advice)
    if not judged.right:
        yield from _cost_lines("your decision costs", judged.advice)
    yield ""


def advice_lines(advice: Advice) -> Iterator[Cell]:
    """Yield what to do with a hand, and why."""
    yield heading(f"Bet {advice.bet}: {best_words(advice)}")
    yield Text("  ") + cards_text(advice.cards)
    yield from _values(advice)
    if advice.found.value:
        yield from _cost_lines("the other decision costs", advice)


def best_words(advice: Advice) -> str:
    """Return the best decision in words."""
    return "either is correct" if len(advice.best) > 1 else DOES[advice.best[0]]


def _values(advice: Advice) -> Iterator[Cell]:
    value = advice.found.value
    yield f"  {advice.found.feature.words}"
    yield f"  let it ride   {decimal(value, 6, signed=True)} of the bet on average, exactly {fraction(value)}"
    yield "  take it back  0"
    yield f"  {advice.why}"


def _cost_lines(what: str, advice: Advice) -> Iterator[Cell]:
    always = advice.cost_per_hundred
    yield f"  {what} {decimal(advice.found.cost, 6)} of the bet each time;"
    yield f"  if you always do so with such hands, {decimal(always)} units in 100 rounds, exactly {always}"


def rules_lines(lesson: Lesson) -> Iterator[Cell]:
    """Yield the rules of thumb."""
    for cards in (3, 4):
        yield f"Bet {cards - 2}, on {'three' if cards == 3 else 'four'} cards: let it ride with"
        yield from (f"  - {rule}" for rule in lesson.rules(cards) or ["no hand: always take it back"])
    yield TERMS


def print_result(result: Result) -> None:
    """Print the result of a set of questions."""
    print_lines(heading(f"{result.right} of {result.asked} right ({result.score:.1f}%)"))
    details = msgspec.convert(result.details, SetDetails)
    if details.missed:
        rows = [
            [one.words, one.cards, DOES[one.choice], f"{one.lost_per_hundred_rounds.value:.4f}"]
            for one in details.missed
        ]
        print_table(["missed", "cards", "your decision", "units lost in 100 rounds"], rows)
        lost = details.lost_per_hundred_rounds
        print_lines(
            f"If you always play them so, you lose {lost.value:.4f} more units in 100 rounds, exactly {lost.exact}."
        )


def print_standing(standing: LessonStanding) -> None:
    """Print the progress of a trainee."""
    print_lines(
        f"{standing.kinds} kinds of decision: {standing.known} learned, {standing.learning} in progress, "
        f"{standing.new} new; {standing.due} due for practice now.",
    )


def print_report(found: Report) -> None:
    """Print the report of an exam."""
    lost = found.cost_per_hundred
    print_lines(
        heading(f"{found.lesson.paytable}: {found.right} of {found.asked} right, {found.score:.1f}%"),
        f"  {'passed' if found.passed else 'not passed'}: {PASS_PERCENT}% is required",
        *(f"  bet {bet}: {right} of {asked}" for bet, (right, asked) in found.right_of.items()),
        f"  your mistakes cost {decimal(lost)} units in 100 rounds, exactly {lost}",
        f"  house edge with your decisions {percent(found.edge)}, with the best strategy {percent(found.best_edge)}",
    )
    mistakes = [one for one in found.played if one.wrong]
    if mistakes:
        print_lines("", heading("Mistakes, most expensive first"))
        rows = [
            [
                f"bet {one.example.advice.bet}: {one.found.feature.words}",
                f"{one.wrong} of {one.asked}",
                best_words(one.example.advice),
                decimal(one.cost_per_hundred),
            ]
            for one in mistakes
        ]
        print_table(["hand", "wrong", "best decision", "units lost in 100 rounds"], rows)
