"""Words of the dealer's and the floor's drills: the table, the question and the feedback, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rich.text import Text

from letitride.cli.io.output import Cell, heading, print_lines
from letitride.cli.training.words import cards_text
from letitride.rules import catalog
from letitride.rules.cards import parse_face
from letitride.rules.money import dollars
from letitride.rules.words import quantity
from letitride.training.staff.drill import DrillSummary
from letitride.training.staff.questions import Mark, Question
from letitride.training.staff.scene import Scene, SeatSeen

_OUTCOMES: Final = {
    "right": ("Right", "bold green"),
    "wrong": ("Wrong", "bold red"),
    "catch": ("Caught", "bold green"),
    "miss": ("Missed", "bold red"),
    "false_alarm": ("False alarm", "bold red"),
    "clear": ("Correct, nothing irregular", "bold green"),
}


def question_lines(question: Question, of: str) -> Iterator[Cell]:
    """Yield a question: what has happened, the table, and what is asked."""
    clock = f", {question.seconds} seconds" if question.seconds else ""
    yield heading(f"{of} (level {question.level}{clock})")
    yield from scene_lines(question.scene, brief=question.kind in {"rule", "clause"})
    yield Text(question.text, style="bold")


def scene_lines(scene: Scene, *, brief: bool = False) -> Iterator[Cell]:
    """Yield the table as a dealer sees it."""
    for line in scene.told:
        yield Text(f"  · {line}", style="dim")
    if brief:
        return
    if scene.seats:
        yield f"  limits: {scene.limits}"
    for seat in scene.seats:
        yield _seat(seat, {one.spot: one.label for one in scene.spots})
    if scene.community:
        yield Text("  community      ") + _cards(scene.community)
    if scene.packet_cards:
        yield Text("  dealer's packet: ") + _cards(scene.packet_cards)
    elif scene.packet:
        yield f"  dealer's packet: {quantity(scene.packet, 'card')}"
    if scene.seats and scene.phase not in {"betting", "banking", "settling"}:
        yield f"  deck: {quantity(scene.deck, 'card')} left; discard rack: {quantity(scene.rack, 'card')}"
    if scene.drawn:
        yield Text("  beside the deck: ") + _cards(scene.drawn)
    for line in scene.signals:
        yield Text(f"  ! {line}")


def _seat(seat: SeatSeen, labels: Mapping[str, str]) -> Text:
    text = Text(f"  seat {seat.number} {(seat.player or '(free)'):8}")
    bets = {labels[name]: dollars(cents) for name, cents in seat.wagers.items()}
    bets |= {labels[name]: f"{dollars(cents)} collected" for name, cents in seat.taken.items()}
    shown = " ".join(f"{spot}:{amount}" for spot, amount in bets.items()) or ("banks" if seat.banks else "no bets")
    text.append(f" {shown:34} ")
    text += _cards(seat.cards)
    down = any(card.startswith("[") for card in seat.cards)
    notes = [*(["away from the seat"] if seat.away else []), *(["looked at the cards"] if seat.looked and down else [])]
    text.append(f"  ({', '.join(notes)})" if notes else "", style="dim")
    text.append(f"  {seat.hand}" if seat.hand else "")
    return text


def _cards(cards: tuple[str, ...]) -> Text:
    text = Text()
    for shown in cards:
        text.append(" " if text else "")
        if shown.startswith("["):
            text.append("##", style="dim")
        else:
            text += cards_text((parse_face(shown),))
    return text


def mark_lines(mark: Mark) -> Iterator[Cell]:
    """Yield the feedback on an answer; on a wrong one with the clauses, and what other rule books say."""
    word, style = _OUTCOMES[mark.outcome]
    late = f", {mark.seconds:.0f} s: too late" if mark.late else ""
    part = f" ({mark.points} of {mark.points_max})" if mark.points_max > 1 else ""
    yield Text(word, style=style) + Text(f"{part}{late}: {mark.sentence}")
    if mark.right:
        yield ""
        return
    for one in mark.judged:
        if not one.right:
            yield f"  {one.label}: you answered '{one.given}'; correct is '{one.expected}'"
    for clause in mark.clauses:
        yield f"  {clause.id}: {clause.demand}"
    if mark.house_default:
        yield "  house default: the rules document is silent"
    for other in mark.elsewhere:
        source = f" ({', '.join(other.clauses[:4])})" if other.clauses else ""
        yield Text(f"  {catalog.rulebook(other.book).title}: {other.says}{source}", style="dim")
    yield ""


def print_summary(summary: DrillSummary, title: str) -> None:
    """Print the result of a drill."""
    noticed = summary.catches + summary.misses + summary.false_alarms + summary.all_clear
    lines = [f"  {summary.points} of {summary.points_max} points in {quantity(summary.questions, 'question')}"]
    if noticed:
        lines.append(
            f"  caught {summary.catches}, missed {summary.misses}, false alarms {summary.false_alarms}, "
            f"correctly passed {summary.all_clear}"
        )
    if summary.seconds:
        lines.append(f"  {summary.seconds:.0f} s in total, {quantity(summary.late, 'answer')} too late")
    lines.append(f"  from level {summary.level_at_start} to level {summary.level} of 5")
    print_lines(heading(f"{title}: {summary.score:.1f}%"), *lines)
