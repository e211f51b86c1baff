"""Shift: what happened at one table within a time, in figures, from its rounds alone; it has no clock.

What was played for counts with the round it belongs to, and a round belongs to the time in which it ended. What was
bought, cashed out, charged and awarded counts when it changed hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from letitride.engine import events, meters
from letitride.engine.state import Ruling
from letitride.ledger.accounts import FEES, PROMOTIONS, TRAY, Kind, parse
from letitride.ledger.transfers import Transfer
from letitride.records.rounds import Moment, PlayedRound
from letitride.reports.shift.theory import HANDS_NEEDED, Theory
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.wagers import Wager

KIND: Final = "letitride shift report"
FORMAT: Final = 1
CONVENTIONS: Final = {
    "time": "a round counts when it ends; purchases, fees and awards count when they change hands",
    "placed": "all bets of rounds that were not void, as they were placed",
    "handle": "bets placed that stayed at risk to the end: not taken back, void, or returned uncovered by a bank",
    "drop": "money from players' wallets: buy-ins, further purchases and cash bets",
    "win": (
        "bets the house took, less what it paid on them and what it added to jackpots beyond what they paid; where a "
        "player banks, what the banks won"
    ),
    "meter": (
        "a jackpot is owed to players: what bets and the house add to it is not win, and what it pays is not a loss. "
        "Both count when they change hands"
    ),
    "hold_of_drop": "win divided by drop",
    "hold_of_handle": "win divided by handle",
    "expected_win": "exact house edge of the paytables in force times the bets, with best play; without void hands",
    "expected_win_as_played": (
        "theoretical win with best play plus the exact cost of every decision that was not the best; the second bet of "
        "an early tuck is not judged"
    ),
    "band": "theoretical win plus and minus 1.96 (95%) or 2.58 (99%) standard deviations, by the normal distribution",
    "standard_deviation": (
        "from the exact variance of all bets of a hand. The covariance between hands of a round, which share the "
        "community cards, is left out. All bets of a round on the best hand at the table are one event"
    ),
    "z": "win on the hands judged less theoretical win, in standard deviations",
    "verdict": (
        f"none on fewer than {HANDS_NEEDED} hands. The normal distribution fits where at least five of the hands that "
        "make most of the variance are expected. Five straights or better come in 659 hands on average"
    ),
}


@dataclass(slots=True)
class WagerLine:
    """One wager in figures."""

    bets: int = 0
    placed_cents: int = 0
    handle_cents: int = 0
    paid_cents: int = 0
    win_cents: int = 0


@dataclass(slots=True)
class MeterLine:
    """One jackpot in figures."""

    opening_cents: int = 0
    fed_cents: int = 0
    """What stakes added."""
    seeded_cents: int = 0
    """What the house put in, at the opening and after all of it was taken."""
    paid_cents: int = 0
    """What hands took of it."""
    closing_cents: int = 0
    shared: bool = False
    """Whether other tables have a part in it."""

    @property
    def elsewhere_cents(self) -> int:
        """By how much it grew at other tables, as far as this one has read it."""
        return self.closing_cents - self.opening_cents - self.owed_cents

    @property
    def owed_cents(self) -> int:
        """By how much the house owes more by it."""
        return self.fed_cents + self.seeded_cents - self.paid_cents


@dataclass(slots=True)
class Money:
    """What changed hands within the time, beside the bets."""

    drop_cents: int = 0
    purchases: int = 0
    cashed_out_cents: int = 0
    vouchers_cents: int = 0
    """Promotional vouchers exchanged, less tokens that came back."""
    fees_cents: int = 0
    awards_cents: int = 0
    """What the house paid on disputes."""
    tray_cents: int = 0
    """By how much the tray grew."""


@dataclass(slots=True)
class Told:
    """A ruling or an order: in which words, by which clauses, at whose word and why, and when it was given."""

    name: str
    sentence: str
    clauses: tuple[str, ...]
    by: str
    why: str
    at_ms: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How often it was given in these words."""
        return len(self.at_ms)


@dataclass(slots=True)
class Shift:
    """The figures of one table within a time."""

    table: str
    from_ms: int | None
    to_ms: int | None
    banked_by: str = "house"
    rulebooks: dict[str, str] = field(default_factory=dict)
    """The titles of the rule books in force, by id."""
    paytables: dict[str, str] = field(default_factory=dict)
    rounds: int = 0
    void_rounds: int = 0
    rounds_with_trouble: int = 0
    hands: int = 0
    players: set[str] = field(default_factory=set)
    wagers: dict[Spot, WagerLine] = field(default_factory=dict)
    by_spot: dict[Spot, Wager] = field(default_factory=dict)
    """The wagers that were on offer."""
    meters: dict[str, MeterLine] = field(default_factory=dict)
    """The jackpots of the table, by wager."""
    base_cents: int = 0
    """One base bet of every hand that had three."""
    base_hands: int = 0
    forfeited_cents: int = 0
    money: Money = field(default_factory=Money)
    theory: Theory = field(default_factory=Theory)
    irregularities: list[Told] = field(default_factory=list)
    """What was ruled, each sentence once."""
    orders: list[Told] = field(default_factory=list)
    """Each order by itself, as they were given."""
    first_ms: int | None = None
    """When the first thing within the time happened."""
    last_ms: int | None = None
    disputes_raised: int = 0
    disputes_upheld: int = 0
    disputes_rejected: int = 0
    accounts_before: dict[str, int] | None = None
    accounts_after: dict[str, int] = field(default_factory=dict)

    @property
    def lines(self) -> list[tuple[Spot, WagerLine]]:
        """The figures of each spot that was bet on, in the order of the felt."""
        felt = sorted(self.by_spot, key=lambda spot: self.by_spot[spot].order)
        return [(spot, self.wagers[spot]) for spot in felt if spot in self.wagers]

    def title(self, wager: str) -> str:
        """Return the name of a wager for people."""
        return next((one.title for one in self.by_spot.values() if one.id == wager), wager)

    @property
    def conventions(self) -> dict[str, str]:
        """What each figure means."""
        if not self.theory.alone:
            return CONVENTIONS
        said = f"other hands count towards it: each hand is valued for {self.theory.alone}"
        return {**CONVENTIONS, "maximum_payout": said}

    @property
    def placed_cents(self) -> int:
        """All stakes."""
        return sum(line.placed_cents for line in self.wagers.values())

    @property
    def handle_cents(self) -> int:
        """What stayed at risk to the end."""
        return sum(line.handle_cents for line in self.wagers.values())

    @property
    def win_cents(self) -> int:
        """What the house, or the players' banks, won on bets."""
        return sum(line.win_cents for line in self.wagers.values())

    @property
    def straddling_cents(self) -> int:
        """What the tray moved by rounds that are not wholly within the time; nothing where none straddles its edges."""
        won = self.win_cents if self.banked_by == "house" else 0
        return self.money.tray_cents + self.money.awards_cents - won

    @property
    def zero_sum(self) -> bool:
        """Whether all accounts of the table, its players' wallets among them, balance before and after."""
        return not sum((self.accounts_before or {}).values()) and not sum(self.accounts_after.values())

    def hold(self, of_cents: int) -> Fraction | None:
        """Return win as a share of something, if there was any of it."""
        return Fraction(self.win_cents, of_cents) if of_cents else None


def shift_report(
    table_id: str, rounds: Iterable[PlayedRound], from_ms: int | None = None, to_ms: int | None = None
) -> Shift:
    """Return the figures of a table from the rounds that touch a time; without an edge, from its opening or to now."""
    found = Shift(table_id, from_ms, to_ms)
    for one in rounds:
        for moment in one.moments:
            if (from_ms is None or moment.at_ms >= from_ms) and (to_ms is None or moment.at_ms < to_ms):
                _moment(found, moment)
        ended = one.status != "running" and (from_ms is None or one.ended_ms >= from_ms)
        if ended and (to_ms is None or one.ended_ms < to_ms):
            _round(found, one)
    return found


def _moment(found: Shift, moment: Moment) -> None:
    if found.accounts_before is None:
        found.accounts_before = dict(moment.before.accounts) if moment.before is not None else {}
    found.accounts_after = dict(moment.after.accounts)
    found.first_ms, found.last_ms = found.first_ms if found.first_ms is not None else moment.at_ms, moment.at_ms
    found.banked_by = moment.after.rules.rules.bank.mode
    _meters(found, moment)
    for event in moment.events:
        for transfer in event.chips:
            _transfer(found.money, transfer)
        match event:
            case events.DisputeRaised():
                found.disputes_raised += 1
            case events.DisputeDecided():
                found.disputes_upheld += event.upheld
                found.disputes_rejected += not event.upheld
                found.money.awards_cents += sum(transfer.cents for transfer in event.chips)
                found.money.cashed_out_cents -= sum(
                    transfer.cents for transfer in event.chips if parse(transfer.target).kind is Kind.WALLET
                )
            case events.Ruled():
                _told(found, event.ruling, moment.at_ms)
            case _:
                continue


def _transfer(money: Money, transfer: Transfer) -> None:
    source, target, cents = transfer.source, transfer.target, transfer.cents
    if parse(source).kind is Kind.WALLET:
        money.drop_cents += cents
        money.purchases += 1
    if parse(target).kind is Kind.WALLET:
        money.cashed_out_cents += cents
    money.vouchers_cents += cents * ((source == PROMOTIONS) - (target == PROMOTIONS))
    money.fees_cents += cents * ((target == FEES) - (source == FEES))
    money.tray_cents += cents * ((target == TRAY) - (source == TRAY))


def _meters(found: Shift, moment: Moment) -> None:
    """Count what went into and out of meters: when the table opened, and with the end of a round."""
    held = meters.held(moment.before) if moment.before is not None else {}
    for wager, cents in meters.held(moment.after).items():
        line = found.meters.setdefault(wager, MeterLine(opening_cents=held.get(wager, 0)))
        line.closing_cents, line.shared = cents, wager in meters.shared(moment.after.rules)
    for event in moment.events:
        match event:
            case events.TableOpened():
                for seed in event.chips:
                    _moved(found, parse(seed.target).spot, moment, meters.Movement(seeded_cents=seed.cents))
            case events.RoundEnded() if moment.before is not None:
                for wager, movement in meters.of_round(moment.before).items():
                    _moved(found, wager, moment, movement)
            case _:
                continue


def _moved(found: Shift, wager: str, moment: Moment, movement: meters.Movement) -> None:
    line, rules = found.meters[wager], moment.after.rules
    found.by_spot |= rules.by_spot
    before = line.owed_cents
    line.fed_cents += movement.fed_cents
    line.seeded_cents += movement.seeded_cents
    line.paid_cents += movement.paid_cents
    bets = found.wagers.setdefault(rules.wagers[wager].spot, WagerLine())
    bets.win_cents -= line.owed_cents - before


def _told(found: Shift, ruling: Ruling, at_ms: int) -> None:
    told = Told(ruling.name, ruling.sentence, ruling.clauses, ruling.by, ruling.why, [at_ms])
    if ruling.name.startswith("order:"):
        found.orders.append(told)
        return
    words = (ruling.name, ruling.sentence, ruling.clauses)
    same = (one for one in found.irregularities if (one.name, one.sentence, one.clauses) == words)
    if (one := next(same, None)) is None:
        found.irregularities.append(told)
    else:
        one.at_ms.append(at_ms)


def _round(found: Shift, one: PlayedRound) -> None:
    found.rounds += 1
    found.void_rounds += one.status == "void"
    found.rounds_with_trouble += any(not ruling.name.startswith("order:") for ruling in one.rulings)
    rules = one.last.rules
    found.rulebooks[rules.book.id] = rules.book.title
    found.paytables |= {str(wager): name for wager, name in rules.paytables.items()}
    found.by_spot |= rules.by_spot
    found.theory.add(one)
    for number, results in one.results.items():
        found.players.add(one.last.seats[number].player)
        found.hands += one.status == "settled" and bool(results)
        base = [result.stake_cents for result in results if rules.by_spot[result.wager].is_base]
        if one.status == "settled" and base:
            found.base_hands += 1
            found.base_cents += base[-1]
        for result in results:
            _wager(found, result, void=one.status == "void")


def _wager(found: Shift, result: WagerResult, *, void: bool) -> None:
    line = found.wagers.setdefault(result.wager, WagerLine())
    line.win_cents -= result.net_cents
    if result.fate == "forfeited":
        found.forfeited_cents += result.stake_cents
    if void:
        return
    line.bets += 1
    line.placed_cents += result.stake_cents
    line.paid_cents += result.paid_cents
    if result.fate in {"won", "forfeited"}:
        line.handle_cents += result.stake_cents
    elif result.fate in {"lost", "withdrawn"}:
        # Of a bank's cover, what it could take; of a bet taken back, what the house keeps of it.
        line.handle_cents += result.stake_cents - result.back_cents
