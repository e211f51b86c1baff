"""Irregularities: what is planted at a practice table, by the engine's own commands, by bad decks, by devices.

Whether something is wrong is never taken from what was planted: the table and its devices are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from letitride.engine import commands, faults
from letitride.engine.legal import legal
from letitride.engine.reporting import can_meet
from letitride.engine.state import Table
from letitride.records.record import Dealt
from letitride.rules.cards import FACES, JOKER
from letitride.rules.keys import Rules
from letitride.rules.limits import spot_ceiling, spot_limits
from letitride.rules.rulings import WHAT, Irregularity
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.chance import Chance, one_of, shuffled
from letitride.training.staff.practice import Practice

Wrong = tuple[Irregularity, int]
"""What is wrong, and at which seat; 0: at none in particular."""
SIGNALS: Final = {
    "device_jam": "The shuffler stops in the middle of its cycle; its display reads JAM.",
    "device_failure": "The shuffler's lamps go out; it does not answer to any button.",
    "device_miscount": "The shuffler's red lamp is lit; its display reads CARDS MISCOUNTED.",
}
QUIET_SIGNALS: Final = (
    "The shuffler's green lamp is lit.",
    "The shuffler hums as it always does.",
    "The display reads READY.",
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A command that lets something go wrong, or what a device shows."""

    command: commands.AnyCommand | None = None
    signal: str = ""
    wrong: Wrong | None = None
    """What a device's signal means; what a command does is for the table to show."""


Maker = Callable[[Table, Chance], Planted]


def _mishap(kind: str, *, dealer: bool = False, idle: bool = False) -> Maker:
    def make(table: Table, chance: Chance) -> Planted:
        seats = [n for n, seat in table.seats.items() if seat.dealt_in != idle] or [0]
        number = {"exposed": 0, "drawn": chance.below(2)}.get(kind, 0)
        some: Any = kind
        return Planted(
            commands.Mishap(by="table", kind=some, seat=0 if dealer else one_of(chance, seats), number=number)
        )

    return make


def _burn(table: Table, chance: Chance) -> Planted:
    wrong = [number for number in (1, 2, 3) if legal(table, _burns(number)) is None]
    return Planted(_burns(one_of(chance, wrong))) if wrong else Planted()


def _burns(number: int) -> commands.Mishap:
    return commands.Mishap(by="table", kind="burn", number=number)


def _bets(how: str) -> Maker:
    def make(table: Table, chance: Chance) -> Planted:
        limit = table.rules.rules.limit
        least, most = spot_limits(limit).cents_min, spot_ceiling(limit, limit.cents_max or 0)
        seat = table.seats[one_of(chance, table.dealt_in or (1,))]
        down = {spot: seat.wagers.get(spot, 0) for spot in BASE_SPOTS if spot not in seat.withdrawn}
        spot = one_of(chance, tuple(down) or BASE_SPOTS)
        lie: dict[Any, int] = dict(down)
        if how == "uneven":
            lie[spot] = one_of(chance, (0, down.get(spot, 0) + max(least, 100)))
        elif how == "over":
            lie = dict.fromkeys(down, most + one_of(chance, (100, 500, max(least, 100))))
        else:
            lie = dict.fromkeys(down, max(1, least - one_of(chance, (least // 5 or 1, least // 2 or 1))))
        return Planted(commands.Mishap(by="table", kind="bets", seat=seat.number, wagers=lie))

    return make


def _away(table: Table, _chance: Chance) -> Planted:
    step = table.next_step
    return Planted(commands.WentAway(by="dealer", seat=step.seat if step and step.kind == "await_choice" else 0))


def _device(kind: Irregularity) -> Maker:
    def make(_table: Table, _chance: Chance) -> Planted:
        return Planted(signal=SIGNALS[kind], wrong=(kind, 0))

    return make


@dataclass(frozen=True, slots=True)
class PlantedKind:
    """Something that can be let go wrong: from which level on, and how."""

    name: str
    level: int
    make: Maker
    brief: bool = False
    """Whether it can happen at few moments of a round, and so goes first where it can."""
    kind: Irregularity | None = None
    """What it is ruled as, where some books cannot meet it."""


PLANTED_KINDS: Final = (
    PlantedKind("exposed card", 1, _mishap("exposed")),
    PlantedKind("uneven bets", 1, _bets("uneven")),
    PlantedKind("stray hand", 1, _mishap("stray", idle=True)),
    PlantedKind("card too many", 1, _mishap("long")),
    PlantedKind("jam", 1, _device("device_jam")),
    PlantedKind("card drawn", 2, _mishap("drawn", dealer=True)),
    PlantedKind("player away", 2, _away),
    PlantedKind("over the maximum", 2, _bets("over")),
    PlantedKind("community card exposed", 2, _mishap("exposed", dealer=True)),
    PlantedKind("burn card exposed", 2, _mishap("exposed_burn", dealer=True), brief=True),
    PlantedKind("device failure", 2, _device("device_failure")),
    PlantedKind("wrong burn", 2, _burn, brief=True, kind="wrong_burn"),
    PlantedKind("card too few", 3, _mishap("short")),
    PlantedKind("dealer's cards too many", 3, _mishap("long", dealer=True), brief=True),
    PlantedKind("dealer's cards too few", 3, _mishap("short", dealer=True), brief=True),
    PlantedKind("under the minimum", 3, _bets("under")),
    PlantedKind("unloaded", 3, _mishap("unloaded", dealer=True), brief=True),
    PlantedKind("miscount", 3, _device("device_miscount")),
)


def plant(
    practice: Practice, chance: Chance, level: int, met: dict[str, int], only: str = ""
) -> tuple[str, Planted] | None:
    """Let something go wrong at a table, if anything can now: what was met least often first."""
    known = [one for one in PLANTED_KINDS if one.level <= level and only in {"", one.name} and _is_met(practice, one)]
    seldom = min((met.get(one.name, 0) for one in known), default=0)
    for kind in sorted(shuffled(chance, known), key=lambda one: (met.get(one.name, 0), not one.brief)):
        if met.get(kind.name, 0) > seldom + _MORE_OFTEN:
            return None
        planted = kind.make(practice.table, chance)
        if _happens(practice, planted):
            met[kind.name] = met.get(kind.name, 0) + 1
            return kind.name, planted
    return None


def _is_met(practice: Practice, kind: PlantedKind) -> bool:
    """Whether something can go wrong at the practice table at all."""
    return not kind.kind or can_be_met(practice.rules.rules, kind.kind)


_MORE_OFTEN: Final = 2
"""How much more often than the rarest of its level something is let happen."""


def _happens(practice: Practice, planted: Planted) -> bool:
    """Whether it could happen, and did, and the book has a word for it."""
    table = practice.table
    if planted.wrong is not None:
        kind, seat = planted.wrong
        heard = can_be_met(table.rules.rules, kind) and in_round(table)
        return heard and legal(table, commands.Report(kind=kind, seat=seat)) is None
    if planted.command is None or legal(table, planted.command) is not None:
        return False
    before, told = table, list(practice.told)
    practice.do(planted.command)
    practice.told = told  # not reported: it is there to be noticed
    if what_is_wrong(practice.table, ()):
        return True
    practice.table = before
    return False


def in_round(table: Table) -> bool:
    """Whether a round is being dealt or played."""
    return table.phase in faults.ROUND


def what_is_wrong(table: Table, signals: tuple[Wrong, ...]) -> tuple[commands.Report, ...]:
    """Return what an attentive dealer would report now, what devices show included."""
    found = [one for one in faults.evident(table) if legal(table, one) is None]
    return (*found, *(commands.Report(kind=kind, seat=seat) for kind, seat in signals))


def can_be_met(rules: Rules, kind: Irregularity) -> bool:
    """Whether something can come to a dealer's notice by some rules: a stub is counted where a book says so."""
    return can_meet(rules, kind) and (kind != "stub_count" or rules.stub.count == "every_rounds")


def kinds_met(rules: Rules) -> tuple[Irregularity, ...]:
    """Return what can go wrong at a table by some rules, by name."""
    kinds: tuple[Any, ...] = tuple(
        kind for kind in WHAT if kind not in {"exposed_cards", "exposed_late", "absent_uneven"}
    )
    return tuple(kind for kind in kinds if can_be_met(rules, kind))


_JOKERS: Final = 17
"""How often a foreign card is a joker, to the 51 other faces that it may have: one time in four."""


def bad_deck(chance: Chance, *, seats: int) -> Dealt:
    """Return a deck that is not right: a card is face up, foreign or missing in it, or it has a joker."""
    order = list(shuffled(chance, FACES))
    in_play = 3 * seats + 3
    match chance.below(3):
        case 0:
            order[chance.below(3 * seats)] += "^"
        case 1:
            place = in_play - 1 - chance.below(3)
            others = [face for face in FACES if face != order[place]]
            order[place] = one_of(chance, (*others, *[str(JOKER)] * _JOKERS)) + "*"
        case _:
            gone = order.pop(in_play + chance.below(len(order) - in_play))
            return Dealt(order=tuple(order), missing=(gone,))
    return Dealt(order=tuple(order))
