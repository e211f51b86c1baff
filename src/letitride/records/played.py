"""Played: the commands of a replay, what followed from each, and the cards they dealt; it plays nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from letitride.engine import commands, events, places
from letitride.engine.decide import Events
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.records.record import Dealt
from letitride.records.writer import write_command

Came = dict[str, list[str]]
"""The faces that a deal brought, by the place they were dealt to, and those that were burned."""
_BURNED = "burned"


@dataclass(frozen=True, slots=True)
class Played:
    """One command of a replay: the line it stands on (0: the automatic dealer's), what followed, and the table."""

    line: int
    command: commands.AnyCommand | None
    outcome: Events | Refusal
    before: Table
    after: Table


_TAKES_A_CARD = frozenset({"replaced", "discarded"})
"""The rulings after which the next card of the deck goes elsewhere."""


def shifted_by(steps: Sequence[Played], number: int) -> str:
    """Return the first line of a round that takes a card out of its turn, or ''."""
    for played, event in _happened(steps, number):
        takes = isinstance(event, events.Ruled) and event.ruling.name.partition(":")[2] in _TAKES_A_CARD
        if played.command is not None and (takes or isinstance(event, events.MishapHappened)):
            return f"'{write_command(played.command)}' in line {played.line}"
    return ""


def went_otherwise(steps: Sequence[Played], number: int) -> bool:
    """Whether something was ruled or ordered in a round; a second cut is foreseen when the deck is made."""
    ruled = (event.ruling.name for _, event in _happened(steps, number) if isinstance(event, events.Ruled))
    return any(name != "order:recut" for name in ruled)


def cards_of_round(steps: Sequence[Played], number: int) -> list[Came]:
    """Return the cards that a round dealt: in its deal, and in a second one where it was dealt again."""
    deals: list[Came] = [{}]
    for _, event in _happened(steps, number):
        if isinstance(event, events.Ruled) and event.ruling.name == "unloaded:redealt":
            deals.append({})
        if isinstance(event, events.StepDone):
            burned = event.step.kind.startswith("burn_")
            for move in event.moves if burned or event.step.kind.startswith(("deal_", "slide_")) else ():
                deals[-1].setdefault(_BURNED if burned else move.target, []).append(str(move.card.face))
    return deals


def _happened(steps: Sequence[Played], number: int) -> Iterator[tuple[Played, events.AnyEvent]]:
    for played in steps:
        if played.before.round == number and not isinstance(played.outcome, Refusal):
            yield from ((played, event) for event in played.outcome)


def not_as_named(dealt: Dealt, came: Came, *, broken_off: bool) -> Iterator[tuple[str, str, int]]:
    """Yield what a record names, what came and the line; of a deal that was broken off, as far as it went."""
    for seat, cards in dealt.hands:
        wanted, found = sorted(map(_face, cards)), sorted(came.get(places.hand(seat), []))
        if wanted != found and not (broken_off and set(found) <= set(wanted)):
            yield (
                f"seat {seat} to be dealt {' '.join(cards)}",
                " ".join(found) or "no cards",
                dealt.line(f"hand {seat}"),
            )
    community = [card for place in places.COMMUNITY for card in came.get(place, [])]
    named = set(map(_face, dealt.community))
    if not named <= set(community) and not (broken_off and len(community) < len(named)):
        yield f"the community cards {' '.join(dealt.community)}", " ".join(community) or "none", dealt.line("community")
    burned = came.get(_BURNED, [])
    wanted = list(map(_face, dealt.burn))
    if not set(wanted) <= set(burned) and not (broken_off and len(burned) < len(wanted)):
        yield f"{' '.join(dealt.burn)} to be burned", " ".join(burned) or "no burned card", dealt.line("burn")


def _face(card: str) -> str:
    return card.rstrip("^*")
