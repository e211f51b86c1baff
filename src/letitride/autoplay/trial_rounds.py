"""Trial rounds: what is dealt to try a book: undisturbed rounds, and every irregularity at each of its moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from letitride.autoplay.trial_table import LEADS_ON, PATTERNS, TrialTable, deck
from letitride.engine import commands, faults
from letitride.engine.legal import legal
from letitride.engine.promises import PromiseBroken
from letitride.engine.reporting import can_meet
from letitride.engine.round_promises import SETTLED
from letitride.engine.state import Table
from letitride.rules.limits import spot_ceiling, spot_limits
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.words import quantity

HANDS: Final = (1, 4, 7)
"""How many seats bet in the undisturbed rounds, as far as the book seats as many."""
Moment = Callable[[Table], bool]
Planting = Callable[[Table], commands.AnyCommand | None]


def in_deal(table: Table) -> bool:
    """Whether cards are being dealt."""
    return table.phase == "dealing" and not table.no_card_is_out


def before_deal(table: Table) -> bool:
    """Whether bets are closed and no card is out."""
    return table.phase == "dealing" and table.no_card_is_out


def dealt(table: Table) -> bool:
    """Whether all hands are dealt and no player has handled the cards."""
    return table.phase == "choice_1" and not faults.is_handled(table)


def handled(table: Table) -> bool:
    """Whether a player has handled the cards."""
    return table.phase in {"choice_1", "choice_2"} and faults.is_handled(table)


def second(table: Table) -> bool:
    """Whether the first community card is turned."""
    return table.phase == "choice_2"


def showdown(table: Table) -> bool:
    """Whether bets are being settled."""
    return table.phase == "settling"


def awaited(table: Table) -> bool:
    """Whether a player is asked for a decision and has not looked."""
    step = table.next_step
    return step is not None and step.kind == "await_choice" and not table.seats[step.seat].looked


def awaited_again(table: Table) -> bool:
    """Whether a player is asked for a decision and has looked."""
    step = table.next_step
    return step is not None and step.kind == "await_choice" and table.seats[step.seat].looked


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Something that goes wrong: at which moment, how, and when it is noticed."""

    name: str
    kind: str
    """What it is, among the irregularities of which a book says whether it can meet them."""
    plant: Planting
    when: Moment = in_deal
    noticed: Moment | None = None
    """From which moment on it is reported; None: at once."""
    times: int = 1
    """How often it happens in one deal."""
    flaw: str = ""
    """What is wrong with the deck, instead: a foreign card in it, one that lies face up, or one that is missing."""


def _mishap(kind: str, *, seated: bool = True, number: int = 0) -> Planting:
    def plant(table: Table) -> commands.AnyCommand | None:
        any_kind: Any = kind
        for seat in reversed(table.dealt_in) if seated else (0,):
            mishap = commands.Mishap(by="table", kind=any_kind, seat=seat, number=number)
            if legal(table, mishap) is None:
                return mishap
        return None

    return plant


def _stray(table: Table) -> commands.AnyCommand | None:
    mishaps = (commands.Mishap(by="table", kind="stray", seat=n) for n, s in table.seats.items() if not s.dealt_in)
    return next((one for one in mishaps if legal(table, one) is None), None)


def _misburn(table: Table) -> commands.AnyCommand | None:
    mishaps = (commands.Mishap(by="table", kind="burn", number=number) for number in (1, 2, 3))
    return next((one for one in mishaps if legal(table, one) is None), None)


def _bets(how: str) -> Planting:
    def plant(table: Table) -> commands.AnyCommand | None:
        seats = [table.seats[number] for number in table.dealt_in if table.seats[number].has_base]
        if not seats:
            return None
        limit, seat = table.rules.rules.limit, seats[0]
        least, most = spot_limits(limit).cents_min, spot_ceiling(limit, limit.cents_max or 0)
        under = least - limit.cents_step  # a limit of all three bets may be no multiple of the step
        down: dict[Any, int] = {spot: seat.wagers.get(spot, 0) for spot in BASE_SPOTS if spot not in seat.withdrawn}
        lying = {
            "uneven": {**down, BASE_SPOTS[-1]: down[BASE_SPOTS[-1]] + least},
            "missing": {
                spot: cents for spot, cents in down.items() if spot != BASE_SPOTS[-1]
            },  # it cannot be taken back
            "under": dict.fromkeys(down, under) if under > 0 else down,
            "over": dict.fromkeys(down, most + 1),
        }[how]
        if lying == down:
            return None
        mishap = commands.Mishap(by="table", kind="bets", seat=seat.number, wagers=lying)
        return mishap if legal(table, mishap) is None else None

    return plant


def _reported(kind: str) -> Planting:
    def plant(table: Table) -> commands.AnyCommand | None:
        any_kind: Any = kind
        report = commands.Report(by="dealer", kind=any_kind)
        return report if legal(table, report) is None else None

    return plant


def _away(table: Table) -> commands.AnyCommand | None:
    step = table.next_step
    gone = commands.WentAway(by="dealer", seat=step.seat if step else 0)
    return gone if legal(table, gone) is None else None


def _found(table: Table) -> commands.AnyCommand | None:
    reports = (commands.Report(by=f"seat:{n}", kind="deck", seat=n) for n in table.dealt_in)
    return next((one for one in reports if legal(table, one) is None), None)


def _nothing(_table: Table) -> None:
    return None


def _at(name: str, kind: str, plant: Planting, **moments: Moment) -> Iterator[Disturbance]:
    """Yield one disturbance of the deal for each moment at which it may be noticed, and that at once."""
    yield Disturbance(name, kind, plant)
    yield from (Disturbance(f"{name}, {when}", kind, plant, noticed=moment) for when, moment in moments.items())


_LATER: Final[dict[str, Moment]] = {"found before the cards are handled": dealt, "found later": handled}


def _disturbances() -> Iterator[Disturbance]:
    yield from _at("an exposed card", "exposed_card", _mishap("exposed"), **_LATER)
    yield Disturbance("two exposed cards", "exposed_card", _mishap("exposed"), times=2)
    yield Disturbance("two exposed cards, found later", "exposed_card", _mishap("exposed"), noticed=handled, times=2)
    yield Disturbance("an exposed burn card", "exposed_burn", _mishap("exposed_burn", seated=False))
    community = _mishap("exposed", seated=False, number=1)
    yield Disturbance("an exposed community card", "exposed_community", community)
    yield Disturbance("an exposed community card, after the deal", "exposed_community", community, when=dealt)
    yield Disturbance("an exposed community card, cards handled", "exposed_community", community, when=handled)
    for number, how in ((0, "unseen"), (1, "seen")):
        drawn = _mishap("drawn", seated=False, number=number)
        yield Disturbance(f"a card drawn in error, {how}", "drawn_card", drawn)
    for kind in ("long", "short"):
        counts = {**_LATER, "found at the showdown": showdown}
        yield from _at(f"a hand too {kind}", "hand_count", _mishap(kind), **counts)
        yield from _at(f"dealer's cards too {kind}", "dealer_count", _mishap(kind, seated=False), **_LATER)
    yield Disturbance("a wrong burn", "wrong_burn", _misburn, when=lambda table: table.phase in faults.IN_PLAY)
    late: Moment = lambda table: table.community_up > 0  # noqa: E731 - a moment like the others
    yield Disturbance("a wrong burn, found later", "wrong_burn", _misburn, when=lambda _: True, noticed=late)
    yield from _at("a stray hand", "stray_hand", _stray, **_LATER)
    yield Disturbance("a foreign card, found by its player", "deck", _found, when=handled, flaw="foreign")
    yield Disturbance("a foreign card, found at the showdown", "deck", _nothing, flaw="foreign")
    yield Disturbance("a missing card", "deck", _nothing, flaw="missing")
    yield Disturbance("a card face up in the deck", "exposed_card", _nothing, flaw="up")
    unloaded = _mishap("unloaded", seated=False)
    yield Disturbance("an unloaded deck", "unloaded", unloaded, when=lambda table: table.phase == "dealing")
    for kind in ("device_miscount", "device_jam", "device_failure"):
        moments = (("before the deal", before_deal), ("in the deal", in_deal), ("after the deal", dealt))
        for when, moment in moments:
            yield Disturbance(f"{kind} {when}", kind, _reported(kind), when=moment)
    bets = {"uneven": "uneven_bets", "missing": "uneven_bets", "under": "under_minimum", "over": "over_maximum"}
    for how, kind in bets.items():
        yield from _at(f"bets {how}", kind, _bets(how), **_LATER)
    yield Disturbance("bets uneven, found by a player who has looked", "uneven_bets", _bets("uneven"), noticed=second)
    yield Disturbance("a player away", "absent", _away, when=awaited)
    yield Disturbance("a player away who has looked", "absent", _away, when=awaited_again)
    yield Disturbance("a player away at bet 2", "absent", _away, when=lambda one: second(one) and awaited_again(one))


DISTURBANCES: Final = tuple(_disturbances())


@dataclass(slots=True)
class Trial:
    """What was dealt to try a book."""

    settled: int = 0
    """Undisturbed rounds that ended settled."""
    disturbed: int = 0
    """Rounds in which something was ruled."""
    ruled: set[str] = field(default_factory=set)
    """The irregularities that were ruled on, by their kinds."""

    def count(self, other: Trial) -> None:
        """Add what else was dealt."""
        self.settled += other.settled
        self.disturbed += other.disturbed
        self.ruled |= other.ruled


Scenario = Callable[[TableRules], Trial]
"""Deals some rounds by a book; PromiseBroken where one does not come to its end as it must."""


def _seated(rules: TableRules, wanted: int) -> int:
    """Return how many seats bet where so many are wanted: no more than the book has, beside the one that banks."""
    bank = rules.rules.bank
    return min(wanted, rules.rules.seats - (bank.mode == "player" and bank.seat == "among_seats"))


def _undisturbed(wanted: int) -> Scenario:
    def deal(rules: TableRules) -> Trial:
        found, hands = Trial(), _seated(rules, wanted)
        alone = hands == 1 and rules.rules.bank.mode == "player"  # the bank goes round, and one of the two must bet
        trial = TrialTable(rules, hands)
        for turn in range(len(PATTERNS)):
            if alone:
                trial = TrialTable(rules, hands, turn=turn)
            trial.play_round()
            found.settled += 1
        if not alone:
            trial.empty()
            trial.play_round()
            found.settled += 1
        if trial.ruled:
            raise PromiseBroken(SETTLED, f"{trial.ruled[0]} was ruled")
        return found

    return deal


def _disturbed(what: Disturbance) -> Scenario:
    def deal(rules: TableRules) -> Trial:
        if not can_meet(rules.rules, what.kind):
            return Trial()
        planted = 0
        hands = _seated(rules, 2)
        trial = TrialTable(rules, hands, mixed=_mixed(what.flaw), patient=what.noticed is not None, turn=1)

        def then(table: Table) -> commands.AnyCommand | None:
            nonlocal planted
            if planted < what.times and what.when(table) and (command := what.plant(table)) is not None:
                planted += 1
                return command
            if what.noticed is not None and what.noticed(table):
                trial.patient = False
            return None

        trial.play_round(then)
        if not trial.ruled and (planted or what.flaw in {"foreign", "up"}) and not _undone(what, trial):
            raise PromiseBroken(LEADS_ON, f"nothing is ruled on {what.name}")
        ruled = {name.partition(":")[0] for name in trial.ruled}
        return Trial(disturbed=bool(ruled), ruled=ruled, settled=_goes_on(trial))

    return deal


def _goes_on(trial: TrialTable) -> int:
    """Play one more round, in which nothing goes wrong, and return how many were settled."""
    trial.patient, trial.mixed = False, deck
    ruled = len(trial.ruled)
    for _ in range(_MORE):
        trial.play_round()
        if trial.ended[-1] == "settled" and len(trial.ruled) == ruled:
            return 1
        ruled = len(trial.ruled)
    raise PromiseBroken(SETTLED, "no undisturbed round follows a disturbed one")


_MORE: Final = 3
"""What was wrong with a deck may come to light in the next round only."""


def _undone(what: Disturbance, trial: TrialTable) -> bool:
    """Whether what went wrong was over before it could be noticed: the round, or a card too many with the burn card.

    A card that lies on the one to be burned is burned with it, unseen; two community cards are left, and are judged.
    """
    burned = what.kind == "dealer_count" and trial.ended[-1] == "settled"
    return what.noticed is not None and (trial.patient or burned)


def _mixed(flaw: str) -> Callable[[int], tuple[str, ...]]:
    def mixed(number: int) -> tuple[str, ...]:
        first, *others = deck(number)
        match flaw:
            case "foreign":
                return (f"{others[0]}*", *others)
            case "missing":
                return tuple(others)
            case "up":
                return (*others[:2], f"{first}^", *others[2:])  # in a hand, even where one seat alone is dealt in
            case _:
                return deck(number)

    return mixed


UNDISTURBED: Final[Mapping[str, Scenario]] = {f"{quantity(hands, 'seat')} bet": _undisturbed(hands) for hands in HANDS}
"""Rounds in which nothing goes wrong, by name."""
SCENARIOS: Final[Mapping[str, Scenario]] = {
    **UNDISTURBED,
    **{one.name: _disturbed(one) for one in DISTURBANCES},
}
"""What is dealt to try a book, by name."""
