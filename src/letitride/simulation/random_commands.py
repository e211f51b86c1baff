"""Random commands: what the fuzzer does at a table next, likely and absurd, from a seed; it judges no answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from letitride.autoplay.steps import command_for, throw_dice
from letitride.chance.seeded import Seeded
from letitride.engine import commands, faults
from letitride.engine.bets import complete, may_take_back
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.rules.cards import FACES
from letitride.rules.limits import side_limits
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE, BASE_SPOTS, PUBLISHED_SPOTS
from letitride.rules.wagers import Wager
from letitride.simulation.random_irregularities import irregularity, mend

AMOUNTS: Final = (0, 1, 50, 99, 100, 500, 1_000, 2_500, 10_000, 10**9, -100)
NAMES: Final = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "", "\n")
MEDIA: Final = ("chips", "chips", "chips", "plaques", "tokens", "vouchers", "cash")


def next_command(table: Table, chance: Seeded) -> commands.AnyCommand:
    """Return a command: mostly what brings the round on, often something else, sometimes nonsense."""
    roll = chance.below(100)
    if roll < 60:
        return _sensible(table, chance)
    if roll < 88:
        return _player_act(table, chance)
    return irregularity(table, chance) if roll < 94 else _nonsense(table, chance)


def _sensible(table: Table, chance: Seeded) -> commands.AnyCommand:
    step = table.next_step
    empty = [number for number, seat in table.seats.items() if not seat.player]
    if step is None or (table.phase == "betting" and chance.chance(0.7)) or (empty and chance.chance(0.03)):
        return _arrive_or_bet(table, chance, empty)
    if faults.blocked(table, step):
        return next(faults.evident(table), do_step(table, chance))
    if (mended := mend(table, chance)) is not None:
        return mended
    by = f"seat:{step.seat}"
    match step.kind:
        case "await_choice" if (sides := may_take_back(table, step.seat)) and chance.chance(0.4):
            return commands.TakeBack(by=by, seat=step.seat, wager=chance.choice(sides))
        case "await_choice":
            choice: Any = chance.choice(("ride", "withdraw"))
            bet: Any = step.number
            return commands.Choose(by=by, seat=step.seat, bet=bet, choice=choice)
        case "await_bank" if chance.chance(0.6):
            stake = chance.choice((500, 3_000, table.cents(accounts.stack(step.seat)) // 2))
            most = table.rules.rules.bank.stake_cents_max
            return commands.TakeBank(by=by, seat=step.seat, cents=min(stake, most) if isinstance(most, int) else stake)
        case "await_bank":
            return commands.DeclineBank(by=by, seat=step.seat)
        case "await_inspection":
            seated = [number for number, seat in table.seats.items() if seat.player] or [1]
            seat = chance.choice(seated)
            return commands.LookOver(by=f"seat:{seat}", seat=seat)
        case _:
            return do_step(table, chance)


def do_step(table: Table, chance: Seeded) -> commands.Do:
    """Return the next step of the script, with what it needs."""
    step = table.agenda[0]
    do = command_for(table, step, FlawedChance(chance))
    readings = commands.readings_of(do)
    if readings and chance.chance(0.5):  # other tables have put something into meters since, or taken of them
        do = commands.with_readings(do, {wager: chance.below(2 * held + 100) for wager, held in readings.items()})
    shown = step.kind == "spread_idle" and chance.chance(0.5)
    return msgspec.structs.replace(do, face_up=True) if shown else do


_NEWER: Final = frozenset({"burn_top", "read_meters", "push_back_side"})
_ANY_STEP: Final = (*(kind for kind in KINDS if kind not in _NEWER), "nothing")
"""What is tried out of its turn; later steps are left out, so that a seed repeats its commands."""


@dataclass(frozen=True, slots=True)
class FlawedChance:
    """Decks that may be flawed, and cuts of any depth that some book allows."""

    chance: Seeded

    def order(self, _table: Table, _step: Step, /) -> tuple[str, ...]:
        """Return a mixed deck; now and then one with a card face up, foreign or missing."""
        return _flawed(self.chance)

    def cut(self, table: Table, /) -> int:
        """Return a cut that is as deep as the book wants it and leaves at least one card."""
        return max(10 + self.chance.below(42), table.rules.rules.cut.cards_min)

    def throw(self, _table: Table, /) -> int:
        """Return a throw of three dice."""
        return throw_dice(self.chance)


def _flawed(chance: Seeded) -> tuple[str, ...]:
    cards = list(chance.shuffled(FACES))
    for _ in range(chance.below(3) if chance.chance(0.1) else 0):
        place, what = chance.below(min(30, len(cards))), chance.below(3)
        alien = f"{chance.choice(FACES)}*"
        if what == 0:
            cards[place] += "" if cards[place][-1] in "^*" else "^"
        elif what == 1 and alien not in cards:
            cards[place] = alien
        else:
            del cards[place]
    return tuple(cards)


def _arrive_or_bet(table: Table, chance: Seeded, empty: list[int]) -> commands.AnyCommand:
    seated = [number for number, seat in table.seats.items() if seat.player]
    if empty and (not seated or chance.chance(0.2)):
        seat = chance.choice(empty)
        cents = chance.choice((2_000, 3_500, 10_000, 50_000, 200_000))
        player = f"{chance.choice(NAMES)}{seat}"
        if table.rules.rules.hands_per_player > 1 and chance.chance(0.7):
            player = _second_hand(table, chance, seat) or player
        return commands.Sit(by=f"seat:{seat}", seat=seat, player=player, cents=cents)
    without = [number for number in seated if not complete(table, table.seats[number])]
    seat = chance.choice(without or seated or [1])
    if not without and table.next_step is not None:
        return do_step(table, chance)
    cents = chance.choice((500, 1_000, 1_000, 1_000))
    wagers: Any = dict.fromkeys(BASE_SPOTS, cents)
    wagers |= {wager.spot: _side_stake(table.rules, wager) for wager in table.rules.sides if chance.chance(0.5)}
    held = min(table.cents(accounts.coupons(seat)) + table.cents(accounts.laid_coupon(seat)), cents)
    coupon = held if held and chance.chance(0.7) else msgspec.UNSET
    return commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers=wagers, coupon_cents=coupon)


def _second_hand(table: Table, chance: Seeded, seat: int) -> str:
    """Return a player who could take a seat as another hand: mostly a neighbor, else one who sits elsewhere."""
    seated = {number: one.player for number, one in table.seats.items() if one.player}
    beside = [player for number, player in seated.items() if abs(number - seat) == 1]
    found = beside if beside and chance.chance(0.8) else list(seated.values())
    return chance.choice(found) if found else ""


def _side_stake(rules: TableRules, wager: Wager) -> int:
    """Return a stake within the limits of a side bet: about $5, or $2 on the best hand of the table."""
    limits = side_limits(wager, rules.terms(wager.id))
    wanted = min(200 if wager.by_hands else 500, limits.cents_max)
    return max(wanted - (wanted - limits.cents_min) % limits.cents_step, limits.cents_min)


def _player_act(table: Table, chance: Seeded) -> commands.AnyCommand:
    seat = chance.choice(tuple(table.seats))
    by = f"seat:{seat}"
    pick = chance.below(12)
    bet: Any = 1 + chance.below(2)
    choice: Any = chance.choice(("ride", "withdraw"))
    into: Any = chance.choice(("chips", "tokens"))
    coupon: Any = msgspec.UNSET
    if "match_play" in table.rules.rules.bet.media:  # chance is asked no more than before where there are no coupons
        into = chance.choice((into, "match_play"))
        coupon = chance.choice((coupon, *AMOUNTS))
    spots = tuple(dict.fromkeys((*PUBLISHED_SPOTS, *table.rules.by_spot)))
    wagers: Any = {name: chance.choice(AMOUNTS) for name in chance.shuffled(spots)[: chance.below(5)]}
    if any(wager.withdraw for wager in table.rules.sides) and chance.chance(0.1):
        return commands.TakeBack(by=by, seat=seat, wager=chance.choice(spots))
    acts: tuple[commands.AnyCommand, ...] = (
        commands.Look(by=by, seat=seat),
        commands.Look(by=by, seat=seat),
        commands.Tuck(by=by, seat=seat),
        commands.Claim(by=by, seat=seat, shown=chance.chance(0.5)),
        commands.Choose(by=by, seat=seat, bet=bet, choice=choice),
        commands.SitOut(by=by, seat=seat, out=chance.chance(0.2)),
        commands.Leave(by=by, seat=seat) if chance.chance(0.2) else commands.Look(by=by, seat=seat),
        commands.BuyChips(by=by, seat=seat, cents=chance.choice(AMOUNTS)),
        commands.ExchangeVoucher(by=by, seat=seat, cents=chance.choice(AMOUNTS), into=into),
        commands.PlaceWagers(by=by, seat=seat, wagers=wagers, medium=chance.choice(MEDIA), coupon_cents=coupon),
        commands.TakeBank(by=by, seat=seat, cents=chance.choice(AMOUNTS)),
        commands.DeclineBank(by=by, seat=seat) if chance.chance(0.3) else commands.Look(by=by, seat=seat),
    )
    return acts[pick]


def _nonsense(table: Table, chance: Seeded) -> commands.AnyCommand:
    seat = chance.choice((*table.seats, 0, 99, -1))
    by = chance.choice(("dealer", "floor", "seat:1", "seat:99", "spectator", "inspector", "", "nobody"))
    step = table.next_step
    kind = step.kind if step and chance.chance(0.5) else chance.choice(_ANY_STEP)
    bet: Any = chance.below(5)
    choice: Any = chance.choice(("ride", "withdraw", "x"))
    odd: tuple[commands.AnyCommand, ...] = (
        commands.Do(by=by, kind=kind, seat=seat, number=chance.below(4), cut=chance.below(60) - 3),
        commands.Do(by="dealer", kind=kind, order=("Ah",) * 52, throw=chance.below(30)),
        commands.Do(by="dealer", kind=kind, seat=step.seat if step else 0, number=step.number if step else 0),
        commands.Sit(by=by, seat=seat, player=chance.choice(NAMES), cents=chance.choice(AMOUNTS)),
        commands.PlaceWagers(by=by, seat=seat, wagers={f"{BASE.id}-4": 5}),
        commands.Choose(by=by, seat=seat, bet=bet, choice=choice),
        commands.Leave(by=by, seat=seat),
        commands.Claim(by=by, seat=seat, shown=True),
    )
    return chance.choice(odd)
