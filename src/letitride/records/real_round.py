"""Real round: a round as it lay on a real table, as it is entered, and as a round record; it pays nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from letitride.engine import commands
from letitride.errors import InvalidData
from letitride.records.decks import named_cards
from letitride.records.exported import settings_of
from letitride.records.record import Action, Dealt, Record, Round
from letitride.rules.banking import bank_fee, clockwise, wagers_fee
from letitride.rules.cards import FACES, Card
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.words import one_of, show_value

PER_BET: Mapping[int, str] = dict(enumerate(BASE_SPOTS, 1))
"""The spot of each base bet by its number; the first two may be taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealHand:
    """A seat of a real round: its cards, its bets in cents by spot, and which of the two decisions let it ride."""

    seat: int
    cards: tuple[str, ...]
    wagers: dict[str, int]
    rides: tuple[int, ...] = ()
    """Of bets 1 and 2; the third always rides."""
    player: str = ""

    @property
    def name(self) -> str:
        """Who plays it, as a record names them."""
        return self.player or f"Seat-{self.seat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealRound:
    """A round as the camera saw it."""

    rulebook: str
    values: Values = field(default_factory=dict)
    """The table's own values."""
    hands: tuple[RealHand, ...]
    community: tuple[str, ...]
    bank_seat: int = 0
    bank_cents: int = 0
    dice: int = 0
    """What the dice cup showed, where it finds the seat at which settling starts."""
    meters: dict[str, int] = field(default_factory=dict)
    """What each jackpot showed before the round, in cents, by wager; its seed where nothing is said."""


def check_entered(rules: TableRules, entered: RealRound) -> None:
    """Refuse what is half entered or cannot be, with a sentence that says where."""
    if not entered.hands:
        raise InvalidData("expected one hand or more, got none")
    seats = Counter(one.seat for one in entered.hands)
    if twice := [seat for seat, many in seats.items() if many > 1]:
        raise InvalidData(f"expected one hand at a seat, got two at seat {twice[0]}")
    _check_cards(entered)
    for one in entered.hands:
        if not 1 <= one.seat <= rules.rules.seats:
            raise InvalidData(f"expected a seat from 1 to {rules.rules.seats}, got {one.seat}")
        for spot in one.wagers:
            if spot not in rules.by_spot:
                raise InvalidData(f"seat {one.seat}: expected {one_of(rules.by_spot)}, got {show_value(spot)}")
        if not one.wagers:
            raise InvalidData(f"seat {one.seat}: expected bets, got none")
        if not set(one.rides) <= {1, 2}:
            raise InvalidData(f"seat {one.seat}: expected bets 1 and 2 to ride or not, got {show_value(one.rides)}")
    for name in entered.meters:
        if not any(one.id == name and one.meter is not None for one in rules.sides):
            raise InvalidData(f"expected a side bet with a jackpot, got {show_value(name)}")
    if rules.rules.bank.mode == "player" and not (entered.bank_seat and entered.bank_cents):
        raise InvalidData("expected the seat that banks and its stake, got none: a player banks by these rules")
    if entered.bank_seat in seats:
        raise InvalidData(f"expected a bank without a hand, got one at seat {entered.bank_seat}")


def _check_cards(entered: RealRound) -> None:
    places = [(f"seat {one.seat}", one.cards, 3) for one in entered.hands]
    check_dealt([*places, ("the community cards", entered.community, 2)])


def check_dealt(places: Iterable[tuple[str, tuple[str, ...], int]]) -> None:
    """Refuse cards that cannot have been dealt: too many, too few, one that is none, one twice."""
    lies: dict[str, str] = {}
    for where, cards, many in places:
        if len(cards) != many:
            raise InvalidData(f"{where}: expected {many} cards, got {len(cards)}")
        for card in cards:
            if card not in FACES:
                raise InvalidData(f"{where}: expected a card like 'Th', got {show_value(card)}")
            if card in lies:
                other = "twice in" if lies[card] == where else f"in {lies[card]} and"
                raise InvalidData(f"that card is out twice: {Card.parse(card).name}, {other} {where}")
            lies[card] = where


def record_of(rules: TableRules, entered: RealRound) -> Record:
    """Return a real round as a round record, which the engine plays."""
    hands = sorted(entered.hands, key=lambda one: one.seat)
    dealt = Dealt(hands=tuple((one.seat, one.cards) for one in hands), community=entered.community, dice=entered.dice)
    return Record(
        rulebook=entered.rulebook,
        settings=settings_of(rules.book),
        opening=tuple(Action(one) for one in _opening(rules, entered)),
        rounds=(Round(dealt=dealt, actions=tuple(Action(one) for one in _actions(entered))),),
    )


def _opening(rules: TableRules, entered: RealRound) -> Iterator[commands.AnyCommand]:
    sits = {one.seat: (one.name, sum(one.wagers.values()), len(one.wagers)) for one in entered.hands}
    if entered.bank_seat:
        sits[entered.bank_seat] = f"Seat-{entered.bank_seat}", entered.bank_cents + bank_fee(rules.rules), 0
    for seat, (player, cents, wagers) in sorted(sits.items()):
        chips = cents + wagers_fee(rules.rules, wagers)
        yield commands.Sit(by=f"seat:{seat}", seat=seat, player=player, cents=chips)


def _actions(entered: RealRound) -> Iterator[commands.AnyCommand]:
    if entered.bank_seat:
        taken = sorted({one.seat for one in entered.hands} | {entered.bank_seat})
        for seat in clockwise(taken, 1):
            by = f"seat:{seat}"
            if seat == entered.bank_seat:
                yield commands.TakeBank(by=by, seat=seat, cents=entered.bank_cents)
                break
            yield commands.DeclineBank(by=by, seat=seat)
    hands = sorted(entered.hands, key=lambda one: one.seat)
    for one in hands:
        yield commands.PlaceWagers(by=f"seat:{one.seat}", seat=one.seat, wagers=dict(one.wagers))
    for bet in (1, 2):
        for one in hands:
            if set(one.wagers) & set(BASE_SPOTS):
                choice: Literal["ride", "withdraw"] = "ride" if bet in one.rides else "withdraw"
                yield commands.Choose(by=f"seat:{one.seat}", seat=one.seat, bet=bet, choice=choice)


def entered_of(record: Record, values: Values) -> RealRound:
    """Return the last round of a round record as it would be entered; what went wrong in it is not for this desk."""
    if not record.rounds:
        raise InvalidData("expected a record with a round, got one without")
    last = record.rounds[-1]
    if not last.dealt.hands or len(named_cards(last.dealt)) < 5:
        raise InvalidData("expected a round whose hands and community cards are named, got one by its deck")
    names = {one.command.seat: one.command.player for one in record.opening if isinstance(one.command, commands.Sit)}
    wagers: dict[int, dict[str, int]] = {}
    rides: dict[int, list[int]] = {}
    bank = 0, 0
    for action in last.actions:
        match action.command:
            case commands.PlaceWagers(seat=seat, wagers=bets):
                wagers[seat] = dict(bets)
            case commands.Choose(seat=seat, bet=bet, choice="ride"):
                rides.setdefault(seat, []).append(bet)
            case commands.TakeBank(seat=seat, cents=cents):
                bank = seat, cents
            case commands.Choose() | commands.DeclineBank() | commands.Look() | commands.Sit():
                pass
            case other:
                raise InvalidData(f"expected bets and decisions, got {type(other).__name__}: replay such a record")
    return RealRound(
        rulebook=record.rulebook,
        values=values,
        hands=tuple(
            RealHand(
                seat=seat,
                cards=cards,
                wagers=wagers.get(seat, {}),
                rides=tuple(rides.get(seat, ())),
                player=names.get(seat, ""),
            )
            for seat, cards in last.dealt.hands
        ),
        community=last.dealt.community,
        bank_seat=bank[0],
        bank_cents=bank[1],
        dice=last.dealt.dice,
    )
