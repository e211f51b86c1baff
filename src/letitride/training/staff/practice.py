"""Practice: a table of a drill's own, with players who bet and choose and a dealer who follows the script.

It is played by the same commands and the same engine as any table; what chance decides is drawn from what is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final, Literal

from letitride.autoplay.dealer import deal, for_an_absent_player
from letitride.autoplay.loop import next_act
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import fixed_cut, throw_dice
from letitride.engine import commands, events
from letitride.engine.decide import Events, open_table
from letitride.engine.legal import legal
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.errors import InvariantBroken
from letitride.records.decks import before_cut, order_of
from letitride.records.narrate import narrate
from letitride.records.played import Played
from letitride.records.record import Dealt
from letitride.rules import catalog
from letitride.rules.banking import bank_fee, clockwise, wagers_fee
from letitride.rules.cards import FACES
from letitride.rules.keys import Rules
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.wagers import Wager
from letitride.training.chance import Chance, one_of, shuffled

NAMES: Final = ("Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus", "Hal")
CHIPS_CENTS: Final = 1_000_000
Wagers = dict[Spot, int]
Sides = Literal["none", "taken", "single", "all"]
"""Which side bets a drill has: none, those taken before the deal, also those on one player's cards, or all."""


@cache
def published_rules(book: str) -> TableRules:
    """Return a table by a published book; made once, because nothing about it changes."""
    return catalog.ready_rules(book)


@dataclass(frozen=True, slots=True)
class Party:
    """Who is at a table: what each seat bets, who banks where a player does, and what is chosen."""

    wagers: Mapping[int, Wagers]
    banker: int = 0
    bank_cents: int = 0
    watching: tuple[int, ...] = ()
    """Seats whose players have chips and no bets."""

    @property
    def seats(self) -> tuple[int, ...]:
        """All seats that are taken."""
        return tuple(sorted({*self.wagers, *self.watching, *((self.banker,) if self.banker else ())}))


def side_bets(rules: TableRules, which: Sides) -> tuple[Wager, ...]:
    """Return those of a table's side bets that a drill has."""
    if which == "none":
        return ()
    return tuple(
        wager
        for wager in rules.sides
        if which == "all" or wager in rules.taken_before_deal or (which == "single" and not wager.by_hands)
    )


def party(rules: Rules, chance: Chance, hands: int, side: tuple[Wager, ...], *, steps: int = 1) -> Party:
    """Return so many players with bets drawn by chance: the minimum, or up to so many times as much."""
    seats = list(range(1, rules.seats + 1))
    banker = one_of(chance, bank_seats(rules)) if rules.bank.mode == "player" else 0
    free = [seat for seat in seats if seat != banker]
    taken = sorted(shuffled(chance, free)[: min(hands, len(free))])
    bets = {seat: stakes(rules, chance, side, steps) for seat in taken}
    total = sum(sum(one.values()) for one in bets.values())
    return Party(bets, banker, bank_stake(rules, total * (1 + chance.below(12))) if banker else 0)


def bank_seats(rules: Rules) -> list[int]:
    """Return the seats that bank while others bet: beside a single seat, the place apart."""
    return list(range(1, rules.seats + 1)) if rules.seats > 1 else [2]


def bank_stake(rules: Rules, cents: int) -> int:
    """Return a stake of the bank, cut down to the most that a player may stake."""
    most = rules.bank.stake_cents_max
    return min(cents, most) if isinstance(most, int) else cents


def stakes(rules: Rules, chance: Chance, side: tuple[Wager, ...], steps: int) -> Wagers:
    """Return the bets of one seat: three equal ones, and side bets as chance has it."""
    spot = spot_limits(rules.limit)
    unit = max(100, spot.cents_min)
    unit += -(unit - spot.cents_min) % spot.cents_step
    up_to = 1 + chance.below(steps)
    cents = max((unit * n for n in range(1, up_to + 1) if unit * n <= spot.cents_max), default=spot.cents_min)
    cents -= (cents - spot.cents_min) % spot.cents_step
    bets: Wagers = dict.fromkeys(BASE_SPOTS, cents)
    for wager in side:
        if chance.below(3):
            bets[wager.spot] = _side_stake(rules, wager, chance, steps)
    return bets


def _side_stake(rules: Rules, wager: Wager, chance: Chance, steps: int) -> int:
    """Return the one amount of a side bet, or some times its least, as far as its limits allow."""
    limits = side_limits(wager, rules.wagers[wager.id])
    if wager.fixed_stake:
        return limits.cents_min
    wanted = min(limits.cents_min * (1 + chance.below(min(steps, 5))), limits.cents_max)
    return wanted - (wanted - limits.cents_min) % limits.cents_step


@dataclass(slots=True)
class Practice:
    """A table that plays itself, one command at a time, and can be stopped at any."""

    rules: TableRules
    chance: Chance
    party: Party
    dealt: Mapping[int, Dealt] = field(default_factory=dict)
    """The cards of some rounds; those of the others are drawn."""
    choices: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """What a seat chooses for a bet, where chance does not."""
    told: list[str] = field(default_factory=list)
    over: int = 0
    """How many rounds are over."""
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table, _ = open_table(self.rules)

    def do(self, command: commands.AnyCommand) -> Events:
        """Carry out a command that must be allowed, and remember what the dealer saw of it."""
        before = self.table
        self.table, outcome = play_checked(before, command)
        if isinstance(outcome, Refusal):
            raise InvariantBroken(f"expected {command} to be allowed in a drill, got {outcome.code}")
        self.told += dealer_lines(Played(0, command, outcome, before, self.table))
        self.over += sum(isinstance(event, events.RoundEnded | events.RoundVoided) for event in outcome)
        return outcome

    def step(self) -> Events:
        """Do what comes next."""
        command = self.due()
        if command is None:
            raise InvariantBroken("expected a practice table that goes on, got one that waits")
        return self.do(command)

    def take_told(self) -> tuple[str, ...]:
        """Return what has happened since this was last asked."""
        lines, self.told = tuple(self.told), []
        return lines

    def due(self) -> commands.AnyCommand | None:
        """Return what comes next: an arrival, a bet, a decision, or the next step of the script."""
        return next_act(
            self.table,
            self._arrive,
            Planned(self.party.wagers, {self.party.banker: self.party.bank_cents}),
            self._bank,
            self._reply,
            partial(deal, source=self, close=True),
        )

    def _arrive(self, table: Table) -> commands.AnyCommand | None:
        if table.phase != "closed" and not (table.phase in {"opening", "idle"} and table.agenda):
            for seat in self.party.seats:
                if not table.seats[seat].player:
                    name = NAMES[seat - 1] if seat <= len(NAMES) else f"Player {seat}"
                    return commands.Sit(by=f"seat:{seat}", seat=seat, player=name, cents=self._chips(seat))
        return None

    def _chips(self, seat: int) -> int:
        """Return what a player brings: enough for any bets of the party, and for the fees."""
        rules, bets = self.rules.rules, self.party.wagers.get(seat, {})
        banked = self.party.bank_cents + bank_fee(rules) if seat == self.party.banker else 0
        return max(CHIPS_CENTS, 2 * (banked + sum(bets.values()) + wagers_fee(rules, len(bets))))

    def _bank(self, table: Table) -> commands.AnyCommand | None:
        """Take a bank that is offered to no seat, by any player who may, so that the table goes on."""
        if table.phase != "banking" or table.next_step is not None:
            return None
        for seat in (self.party.banker, *table.seats):
            taken = commands.TakeBank(by=f"seat:{seat}", seat=seat, cents=self.party.bank_cents)
            if seat in table.seats and legal(table, taken) is None:
                return taken
        return None

    def _reply(self, table: Table) -> commands.AnyCommand | None:
        """Put bets right or choose, where a seat has to."""
        step = table.next_step
        if step is None or step.kind not in {"await_correction", "await_choice"}:
            return None
        if step.kind == "await_correction":
            return self._correction(step.seat)
        return for_an_absent_player(table) if table.seats[step.seat].away else self._choice(step)

    def _correction(self, seat: int) -> commands.AnyCommand:
        spot = spot_limits(self.rules.rules.limit)
        down = [cents for name, cents in self.table.seats[seat].wagers.items() if name in BASE_SPOTS and cents]
        for cents in (*sorted(down), spot.cents_min):
            kept = min(max(cents, spot.cents_min), spot.cents_max)
            put_right = commands.Correct(by=f"seat:{seat}", seat=seat, cents=kept)
            if legal(self.table, put_right) is None:
                return put_right
        fold = commands.Fold(by=f"seat:{seat}", seat=seat)
        # Bets that were let stand below the minimum can be made equal at no amount that is allowed.
        return fold if legal(self.table, fold) is None else commands.RefuseCorrection(by=f"seat:{seat}", seat=seat)

    def _choice(self, step: Step) -> commands.AnyCommand:
        by, seat = f"seat:{step.seat}", step.seat
        look = commands.Look(by=by, seat=seat)
        if not self.table.seats[seat].looked and legal(self.table, look) is None:
            return look
        bet: Any = step.number
        choice: Any = self.choices.get((seat, step.number)) or one_of(self.chance, ("ride", "withdraw"))
        return commands.Choose(by=by, seat=seat, bet=bet, choice=choice)

    def order(self, table: Table, step: Step, /) -> tuple[str, ...]:
        """Return the deck for the round that this shuffle is for."""
        rules = self.rules.rules
        again = table.phase == "dealing" and step.kind != "mix_deck"
        number = table.round + (0 if again or table.phase == "betting" else 1)
        dealt = self.dealt.get(number) or Dealt(order=shuffled(self.chance, FACES))
        first = self.party.banker + 1 if rules.deal.first == "bank_left" else 1
        order = order_of(dealt, rules, clockwise(list(self.party.wagers), first))
        return before_cut(order, self.cut(table) if rules.cut.who == "dealer" else 0)

    def cut(self, table: Table, /) -> int:
        """Return the depth of every cut, for which the decks are made."""
        return fixed_cut(table)

    def throw(self, _table: Table, /) -> int:
        """Return a throw of three dice."""
        return throw_dice(self.chance)


def dealer_lines(played: Played) -> list[str]:
    """Return what a dealer sees of a command: no clauses, no accounts, and no rulings, which the trainee gives."""
    lines = (line.partition("  (")[0].partition(" [")[0] for line in narrate(played, "dealer"))
    return [line for line in lines if not line.startswith("RULING")]
