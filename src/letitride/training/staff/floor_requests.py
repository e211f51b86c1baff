"""Floor requests: what a floor supervisor is asked to allow or stop; whether it is allowed, the engine says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from letitride.engine import commands
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.records.floor_lines import clock
from letitride.records.record import Dealt
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.money import dollars
from letitride.rules.roles import EVERYWHERE
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.chance import Chance, one_of, shuffled
from letitride.training.staff.practice import Party, Practice, party

_EVENING: Final = 20 * 60


@dataclass(frozen=True, slots=True)
class FloorRequest:
    """Something a person does or wants: to be allowed, or to be stopped."""

    text: str
    table: Table
    command: commands.AnyCommand
    key: str
    """The key of the rule book that decides it where it is allowed, or refused for no other reason."""
    told: tuple[str, ...] = ()
    order: bool = False
    """Whether it is for the trainee to order, rather than another person's act."""

    @property
    def stopped_by(self) -> str:
        """The key for which it is stopped; nothing where it is allowed."""
        refusal = legal(self.table, self.command)
        return "" if refusal is None else _KEYS.get(refusal.code, self.key)

    @property
    def sentence(self) -> str:
        """What the engine says to it."""
        refusal = legal(self.table, self.command)
        return "That is allowed." if refusal is None else refusal.sentence


_KEYS: Final = {
    "betting_closed": "bet.cutoff",
    "below_minimum": "limit.cents_min",
    "above_maximum": "limit.cents_max",
    "off_step": "limit.cents_step",
    "spoken_cash_refused": "bet.spoken_cash",
    "medium_refused": "bet.media",
    "no_count": "stub.count",
    "hands_off": "cards.touch",
    "one_hand_per_player": "hands_per_player",
    "not_adjacent": "hands_per_player",
    "not_provided": "collusion",
    "no_forfeiture": "annul",
}
"""The key behind a refusal, where its code says which."""
_BESIDE: Final = frozenset({"not_enough", "ruling_first", "not_now", "seat_empty", "bets_incomplete", "suspects_first"})
"""Refusals that have nothing to do with what is asked: no case is made of them."""

Maker = Callable[["Floor"], FloorRequest | None]


@dataclass(frozen=True, slots=True)
class Floor:
    """What a request is made of: a table's rules, chance, and how many sit there."""

    rules: TableRules
    chance: Chance
    hands: int

    def table(self, dealt: Dealt | None = None) -> Practice:
        """Return a practice table with a player more than has bet; its first round may have cards of its own."""
        who = party(self.rules.rules, self.chance, self.hands, self.rules.sides, steps=3)
        free = [n for n in range(1, self.rules.rules.seats + 1) if n not in who.seats]
        watching = (one_of(self.chance, free),) if free else ()
        return Practice(
            self.rules,
            self.chance,
            Party(who.wagers, who.banker, who.bank_cents, watching),
            {1: dealt} if dealt else {},
        )


def until(practice: Practice, where: Callable[[Table], bool]) -> tuple[str, ...]:
    """Let a table go on to a moment of its first round; return what was seen last."""
    while not (where(practice.table) and _is_complete(practice, where)) and not practice.over:
        practice.step()
    return tuple(practice.told[-_TOLD:])


def _is_complete(practice: Practice, where: Callable[[Table], bool]) -> bool:
    """Whether all players have come, and have bet where that is awaited."""
    seats = practice.table.seats
    bet = where is not betting or all(seats[seat].wagers for seat in practice.party.wagers)
    return bet and all(seats[seat].player for seat in practice.party.seats)


_TOLD: Final = 6


def betting(table: Table) -> bool:
    """Whether all bets are down and betting is still open."""
    return table.phase == "betting" and bool(table.agenda) and table.agenda[0].kind == "call_no_more_bets"


def called(table: Table) -> bool:
    """Whether 'no more bets' was called and no card is out."""
    return table.phase == "dealing" and table.no_card_is_out


def card_out(table: Table) -> bool:
    """Whether the first card is out."""
    return table.phase == "dealing" and not table.no_card_is_out


def choosing(table: Table) -> bool:
    """Whether a player is asked about the first bet."""
    return table.phase == "choice_1" and bool(table.agenda) and table.agenda[0].kind == "await_choice"


def second_made(table: Table) -> bool:
    """Whether a player has decided on the second bet and the round goes on."""
    return table.phase == "choice_2" and any(2 in seat.choices for seat in table.seats.values())


def _late_wager(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, one_of(floor.chance, (betting, called, called, card_out, choosing)))
    table = practice.table
    if practice.party.watching and floor.chance.below(2):
        seat = practice.party.watching[0]
        cents = spot_limits(floor.rules.rules.limit).cents_min
        wagers: dict[Any, int] = dict.fromkeys(BASE_SPOTS, cents)
        text = f"{_who(table, seat)} puts three bets of {dollars(cents)} on the spots."
    else:
        seat = one_of(floor.chance, tuple(practice.party.wagers))
        unit = spot_limits(floor.rules.rules.limit).cents_min
        wagers = {spot: cents + (unit if spot in BASE_SPOTS else 0) for spot, cents in table.seats[seat].wagers.items()}
        text = f"{_who(table, seat)} adds {dollars(unit)} to each of the three bets."
    bet = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers)
    return FloorRequest(text, table, bet, "bet.cutoff", told)


def _amount(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, betting)
    table, rules = practice.table, floor.rules.rules
    seat = one_of(floor.chance, tuple(practice.party.wagers))
    spot = spot_limits(rules.limit)
    least, most = spot.cents_min, spot.cents_max
    cents = one_of(floor.chance, (least, least - (least // 5 or 1), most, most + max(100, least // 5)))
    wagers: dict[Any, int] = dict.fromkeys(BASE_SPOTS, cents)
    text = f"{_who(table, seat)} puts three bets of {dollars(cents)} on the spots."
    medium: Any = "chips"
    key = "limit.cents_min"
    fixed = next((wager for wager in floor.rules.sides if wager.fixed_stake), None)
    match floor.chance.below(4):
        case 0 if fixed is not None:
            exact = side_limits(fixed, rules.wagers[fixed.id]).cents_min
            put = one_of(floor.chance, (exact, 5 * exact))
            wagers = {**dict.fromkeys(BASE_SPOTS, least), fixed.spot: put}
            text = f"{_who(table, seat)} bets {dollars(least)} on each spot and {dollars(put)} on {fixed.title}."
            key = f"{fixed.id}.cents"
        case 1:
            medium, wagers = "cash", dict.fromkeys(BASE_SPOTS, least)
            text = f"{_who(table, seat)} lays cash on the felt and says: '{dollars(least)} on each.'"
        case 2:
            medium, wagers = one_of(floor.chance, ("plaques", "tokens")), dict.fromkeys(BASE_SPOTS, least)
            text = f"{_who(table, seat)} bets {dollars(least)} on each spot, in {medium}."
        case _:
            pass
    command = commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers, medium=medium)
    return FloorRequest(text, table, command, "bet.media" if medium != "chips" else key, told)


def _count(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, one_of(floor.chance, (betting, choosing)))
    seats = tuple(f"seat:{seat}" for seat in practice.party.wagers)
    by = one_of(floor.chance, (*EVERYWHERE, one_of(floor.chance, seats)))
    who = _who(practice.table, int(by[5:])) if by.startswith("seat:") else f"The {by.replace('_', ' ')}"
    text = f"{who} wants the deck counted now."
    return FloorRequest(
        text, practice.table, commands.Order(by=by, kind="count", why="doubt"), "deck.count_ordered_by", told
    )


def _advice(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, choosing)
    seat = practice.table.agenda[0].seat
    asked = bool(floor.chance.below(2))
    if asked:
        practice.do(commands.AskAdvice(by=f"seat:{seat}", seat=seat))
    neighbours = [f"seat:{n}" for n in practice.party.wagers if n != seat] or ["spectator"]
    by = one_of(floor.chance, ("dealer", "spectator", one_of(floor.chance, neighbours)))
    who = _who(practice.table, int(by[5:])) if by.startswith("seat:") else f"The {by}"
    asking = "who has asked for advice" if asked else "who has not asked"
    text = f"{who} says to {practice.table.seats[seat].player} at seat {seat}, {asking}: 'Let it ride.'"
    key = "coach" if by == "dealer" else "advice"
    return FloorRequest(text, practice.table, commands.Advise(by=by, seat=seat, words="let it ride"), key, told)


def _touch(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, second_made)
    table = practice.table
    done = [n for n, seat in table.seats.items() if 2 in seat.choices and not seat.tucked]
    if not done:
        return None
    seat = one_of(floor.chance, done)
    text = f"{_who(table, seat)}, who has decided on the second bet, picks the cards up to look at them again."
    return FloorRequest(text, table, commands.Look(by=f"seat:{seat}", seat=seat), "cards.touch", told)


def _two_hands(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, betting)
    table = practice.table
    free = [n for n in range(1, floor.rules.rules.seats + 1) if not table.seats[n].player]
    if not free:
        return None
    seat, own = one_of(floor.chance, free), one_of(floor.chance, tuple(practice.party.wagers))
    name = table.seats[own].player if floor.chance.below(3) else "Ida"
    text = f"{name}{f', who plays at seat {own},' if name != 'Ida' else ''} wants to play a hand at seat {seat}."
    command = commands.Sit(by=f"seat:{seat}", seat=seat, player=name, cents=20_000)
    return FloorRequest(text, table, command, "hands_per_player", told)


def _limits(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    until(practice, lambda table: table.phase == "betting")
    if any(seat.wagers for seat in practice.table.seats.values()):
        return None
    rules, by = floor.rules.rules, floor.rules.rules.supervisor
    least, most = rules.limit.cents_min or 100, rules.limit.cents_max or 10**6
    up = min(2 * least, most)
    if up <= least:
        return None
    waited = 5 * floor.chance.below(6)
    text = f"It is {clock(_EVENING)}. You want to raise the minimum from {dollars(least)} to {dollars(up)} at once."
    if waited:
        sign = commands.Order(
            by=by, kind="announce_minimum", cents_min=up, minute=_EVENING, when=_EVENING + rules.limit.notice_minutes
        )
        practice.do(sign)
        text = (
            f"It is {clock(_EVENING + waited)}. A sign, up since {clock(_EVENING)}, says that the minimum will be "
            f"{dollars(up)} at {clock(sign.when)}. You want to raise it from {dollars(least)} now."
        )
    order = commands.Order(by=by, kind="limits", cents_min=up, minute=_EVENING + waited)
    return FloorRequest(text, practice.table, order, "limit.notice_minutes", (), order=True)


def _closing(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    until(practice, lambda table: table.phase == "betting")
    if any(seat.wagers for seat in practice.table.seats.values()) or practice.table.bank_stake:
        return None
    rules, by = floor.rules.rules, floor.rules.rules.supervisor
    waited = 5 * floor.chance.below(6)
    text = f"It is {clock(_EVENING)}. Players sit at the table, and you want to close it."
    if waited:
        when = _EVENING + rules.close.notice_minutes
        practice.do(commands.Order(by=by, kind="announce_closing", minute=_EVENING, when=when))
        text = (
            f"It is {clock(_EVENING + waited)}. A sign, up since {clock(_EVENING)}, says that the table closes at "
            f"{clock(when)}. You want to close it now."
        )
    order = commands.Order(by=by, kind="close", minute=_EVENING + waited)
    return FloorRequest(text, practice.table, order, "close.notice_minutes", (), order=True)


_MEASURES: Final = {
    "act_first": "order that they act before the others touch their cards",
    "separate": "order that they may not sit at one table",
    "english_only": "order that only English is spoken at the table",
    "bar": "bar both of them from play",
}


def _collusion(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, one_of(floor.chance, (betting, choosing)))
    seats = shuffled(floor.chance, tuple(practice.party.wagers))[:2]
    if len(seats) < 2:
        return None
    kind: Any = one_of(floor.chance, tuple(_MEASURES))
    table = practice.table
    text = (
        f"{_who(table, seats[0])} and {_who(table, seats[1])} show each other their cards, round after round. "
        f"You want to {_MEASURES[kind]}."
    )
    order = commands.Order(
        by=floor.rules.rules.supervisor,
        kind=kind,
        seats=seats,
        ground="collusion",
        why=("they show each other their cards"),
    )
    return FloorRequest(text, table, order, "collusion", told, order=True)


def _fraud(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, choosing)
    seat = one_of(floor.chance, tuple(practice.party.wagers))
    table, by = practice.table, floor.rules.rules.supervisor
    if floor.chance.below(2):
        text = f"A fire alarm rings. {_who(table, seat)} has three queens. You want to annul the round."
        order = commands.Order(by=by, kind="annul", ground="disturbance", why="fire")
    else:
        text = f"{_who(table, seat)} has marked the cards. You want to annul the round and keep that player's bets."
        order = commands.Order(by=by, kind="annul", seats=(seat,), ground="fraud", why="marked cards")
    return FloorRequest(text, table, order, "annul", told, order=True)


def _device(floor: Floor) -> FloorRequest | None:
    practice = floor.table()
    told = until(practice, choosing)
    seat = one_of(floor.chance, tuple(practice.party.wagers))
    by = floor.rules.rules.supervisor
    kind: Any = one_of(floor.chance, ("void_bets", "bar"))
    want = "declare that player's bets void" if kind == "void_bets" else "bar the player from play"
    text = f"{_who(practice.table, seat)} works out the odds with a device under the table. You want to {want}."
    order = commands.Order(by=by, kind=kind, seats=(seat,), ground="device", why="a device")
    return FloorRequest(text, practice.table, order, "device_breach", told, order=True)


def _who(table: Table, seat: int) -> str:
    return f"{table.seats[seat].player} at seat {seat}"


KINDS: Final[tuple[tuple[str, int, Maker], ...]] = (
    ("late wager", 1, _late_wager),
    ("amount", 1, _amount),
    ("count", 2, _count),
    ("advice", 2, _advice),
    ("touch", 2, _touch),
    ("two hands", 3, _two_hands),
    ("collusion", 3, _collusion),
    ("limits", 4, _limits),
    ("closing", 4, _closing),
    ("device", 4, _device),
    ("fraud", 5, _fraud),
)
"""What is met, from which level on."""


def floor_request(floor: Floor, kind: str) -> FloorRequest | None:
    """Return a request of a kind, if the book and chance give one that can be judged."""
    make = next(one for name, _, one in KINDS if name == kind)
    for _ in range(_TRIES):
        found = make(floor)
        if found is not None and _is_fair(found):
            return found
    return None


_TRIES: Final = 3


def _is_fair(found: FloorRequest) -> bool:
    """Whether it is allowed, or refused for what it is about."""
    refusal = legal(found.table, found.command)
    return refusal is None or refusal.code not in _BESIDE


def kinds_up_to(level: int) -> Iterator[str]:
    """Yield the kinds of requests of a level."""
    return (name for name, least, _ in KINDS if least <= level)
