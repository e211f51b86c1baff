"""Trial table: a table at which a book is tried: players with a plan, decks that are always the same, no chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final

from letitride.autoplay.dealer import deal, for_an_absent_player
from letitride.autoplay.loop import next_act
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import fixed_cut
from letitride.engine import commands, events, faults
from letitride.engine.bets import claimed_spot, correction_bounds
from letitride.engine.decide import Events, open_table
from letitride.engine.legal import legal
from letitride.engine.promises import PromiseBroken, Round, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.round_promises import RoundWatch
from letitride.engine.state import Choice, Table
from letitride.engine.steps import Step
from letitride.ledger import accounts
from letitride.rules.banking import bank_fee, wagers_fee
from letitride.rules.cards import FACES
from letitride.rules.digest import sha256
from letitride.rules.keys import Rules
from letitride.rules.limits import bet_alone, side_limits, spot_limits
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS

LEADS_ON: Final = "the script leads on"
COMMANDS_MAX: Final = 700
"""No round of seven hands takes as many commands."""
PATTERNS: Final[tuple[tuple[Choice, Choice], ...]] = (
    ("ride", "ride"),
    ("withdraw", "ride"),
    ("ride", "withdraw"),
    ("withdraw", "withdraw"),
)
"""Every way to decide about the two bets."""
Mixed = Callable[[int], tuple[str, ...]]
"""Returns the order of the deck, by how many were mixed before it."""


@cache
def deck(number: int) -> tuple[str, ...]:
    """Return the order of a deck, mixed well and always the same."""
    return tuple(sorted(FACES, key=lambda face: sha256([number, face])))


@dataclass(slots=True)
class TrialTable:
    """A table that plays itself by a book, with every promise checked after each command."""

    rules: TableRules
    hands: int
    """How many seats bet."""
    mixed: Mixed = deck
    patient: bool = False
    """Whether what goes wrong is not reported until it stops the dealer."""
    turn: int = 0
    """Which of the plans of bets and decisions is played: another one each round."""
    decks: int = 0
    table: Table = field(init=False)
    ended: list[str] = field(default_factory=list)
    """How each round ended: settled or void."""
    ruled: list[str] = field(default_factory=list)
    """The kinds of irregularities that were ruled on."""
    _values: Rules = field(init=False)
    _seen: tuple[Any, ...] | None = None
    """How cards, seats and phase lay when nothing was found wrong with them."""
    _money: Round = field(default_factory=Round)
    _watch: RoundWatch = field(default_factory=RoundWatch)
    _bets: dict[int, dict[Spot, int]] = field(default_factory=dict)

    banker: int = field(init=False)
    """The seat that banks, where a player does: the last one, or the place apart; 0: the house banks."""
    seats: tuple[int, ...] = field(init=False)
    """The seats that bet."""

    def __post_init__(self) -> None:
        self.table, _ = open_table(self.rules)
        values = self._values = self.rules.rules
        banked = values.bank.mode == "player"
        self.banker = values.seats + (values.bank.seat == "separate") if banked else 0
        free = [seat for seat in range(1, values.seats + 1) if seat != self.banker]
        self.seats = tuple(free[: self.hands])
        self.plan()

    def plan(self) -> None:
        """Plan the bets of the next round."""
        self._bets = {seat: dict(stakes(self.rules, seat + self.turn, self.turn)) for seat in self.seats}

    def play_round(self, then: Callable[[Table], commands.AnyCommand | None] = lambda _: None) -> None:
        """Play until a round is over; `then` says what else happens at a table, before what comes next."""
        rounds = len(self.ended)
        for _ in range(COMMANDS_MAX):
            command = then(self.table) or self._evident() or self.due()
            if command is None:
                raise PromiseBroken(LEADS_ON, f"the table waits at {self.table.next_step} in {self.table.phase}")
            self.do(command)
            if len(self.ended) > rounds:
                self.turn += 1
                self.plan()
                return
        raise PromiseBroken(LEADS_ON, f"no round ended in {COMMANDS_MAX} commands")

    def do(self, command: commands.AnyCommand) -> Events:
        """Carry out a command that must be allowed."""
        before = self.table
        self.table, outcome = play_checked(before, command)
        if isinstance(outcome, Refusal):
            raise PromiseBroken(LEADS_ON, f"{type(command).__name__} was refused: {outcome.sentence}")
        self._money.watch(before, outcome)
        self._watch.watch(before, command, outcome, self.table)
        for event in outcome:
            if isinstance(event, events.RoundEnded | events.RoundVoided):
                self.ended.append("settled" if isinstance(event, events.RoundEnded) else "void")
            elif isinstance(event, events.Ruled):
                self.ruled.append(event.ruling.name)
        return outcome

    def empty(self) -> None:
        """Let every player go, as far as the table lets them, and the table come to rest."""
        for number, seat in self.table.seats.items():
            leave = commands.Leave(by=f"seat:{number}", seat=number)
            if seat.player and legal(self.table, leave) is None:
                self.do(leave)
        for _ in range(COMMANDS_MAX):
            if (act := deal(self.table, self, close=False)) is None:
                return
            self.do(act)
        raise PromiseBroken(LEADS_ON, "an empty table does not come to rest")

    def due(self) -> commands.AnyCommand | None:
        """Return what comes next: an arrival, a bet, a decision, or the next step of the script."""
        bankers = () if not self.banker else (*self.seats, self.banker) if self.hands > 1 else (self.banker,)
        return next_act(
            self.table,
            self._arrive,
            self._lay_coupon,
            Planned(self._bets, dict.fromkeys(bankers, self._bank_stake() if self.banker else 0)),
            self._take_bank,
            self._reply,
            partial(deal, source=self, close=True),
        )

    def _evident(self) -> commands.AnyCommand | None:
        """Return what an attentive dealer reports at once."""
        table, step = self.table, self.table.next_step
        lies = (table.cards, table.seats, table.phase)
        if self.patient or step is None or step.kind == "await_correction":
            self._seen = None
            return None
        if self._seen is not None and all(one is other for one, other in zip(lies, self._seen, strict=True)):
            return None
        self._seen = lies
        return next((one for one in faults.evident(self.table) if legal(self.table, one) is None), None)

    def _arrive(self, table: Table) -> commands.AnyCommand | None:
        if table.phase == "closed" or (table.phase in {"opening", "idle"} and table.agenda):
            return None
        for seat in (*self.seats, *((self.banker,) if self.banker else ())):
            held = table.seats[seat]
            if not held.player:
                return commands.Sit(by=f"seat:{seat}", seat=seat, player=self._name(seat), cents=self._chips())
            back = commands.SitOut(by=f"seat:{seat}", seat=seat, out=False)
            if held.sitting_out and legal(table, back) is None:
                return back
        return None

    def _name(self, seat: int) -> str:
        """Return who sits there: where the book lets a player have more hands, seats 1 and 2 are one player's.

        Who banks bets at none of them: then others must be there who do.
        """
        others_bet = not self.banker or (self.hands > 2 and self.banker > 2)
        shared = seat == 2 and self._values.hands_per_player > 1 and others_bet
        return f"Player {1 if shared else seat}"

    def _chips(self) -> int:
        limit = spot_limits(self._values.limit).cents_max
        fees = bank_fee(self._values) + wagers_fee(self._values, len(self.rules.by_spot))
        sides = sum(side_limits(one, self.rules.terms(one.id)).cents_max for one in self.rules.sides)
        return _ROUNDS * (3 * limit + sides + fees + 1) + (_ROUNDS * _STAKES[0] * self._down() if self.banker else 0)

    def _bank_stake(self) -> int:
        """Return what the bank stakes: in some rounds more than enough, in others less than it may have to pay."""
        most, wanted = self._values.bank.stake_cents_max, _STAKES[self.turn % 2] * self._down()
        return min(wanted, most) if isinstance(most, int) else wanted

    def _down(self) -> int:
        """Return what all seats bet together."""
        return sum(sum(bets.values()) for bets in self._bets.values()) or 1

    def _take_bank(self, table: Table) -> commands.AnyCommand | None:
        """Take a bank that is offered to no seat, by any player who may."""
        if table.phase != "banking" or table.next_step is not None:
            return None
        takes = (commands.TakeBank(by=f"seat:{n}", seat=n, cents=self._bank_stake()) for n in table.seats)
        return next((take for take in takes if legal(table, take) is None), None)

    def _lay_coupon(self, table: Table) -> commands.AnyCommand | None:
        """Bet once with what else than chips the book takes: a coupon beside the third bet."""
        seat = self.seats[0]
        if table.phase != "betting" or "match_play" not in self._values.bet.media or table.seats[seat].wagers:
            return None
        bets, by = self._bets[seat], f"seat:{seat}"
        cents = bets.get(BASE_SPOTS[-1], 0)
        lay = commands.PlaceWagers(by=by, seat=seat, wagers=dict(bets), coupon_cents=cents)
        if legal(table, lay) is None:
            return lay
        swap = commands.ExchangeVoucher(by=by, seat=seat, cents=cents or 1, into="match_play")
        return swap if cents and not table.cents(accounts.coupons(seat)) and legal(table, swap) is None else None

    def _reply(self, table: Table) -> commands.AnyCommand | None:
        """Put bets right, look, claim, tuck or decide, where a seat has to act."""
        step = table.next_step
        if step is None or step.kind not in {"await_correction", "await_choice"}:
            return None
        if table.seats[step.seat].away:
            return for_an_absent_player(table)
        return self._correct(step.seat) if step.kind == "await_correction" else self._decide(step)

    def _correct(self, number: int) -> commands.AnyCommand:
        by, seat = f"seat:{number}", self.table.seats[number]
        amounts = correction_bounds(self.table, seat)
        tries: tuple[commands.AnyCommand, ...] = (
            *(commands.Correct(by=by, seat=number, cents=cents) for cents in amounts),
            commands.Fold(by=by, seat=number),
        )
        refuses = commands.RefuseCorrection(by=by, seat=number)
        return next((one for one in tries if legal(self.table, one) is None), refuses)

    def _decide(self, step: Step) -> commands.AnyCommand:
        by, number = f"seat:{step.seat}", step.seat
        seat = self.table.seats[number]
        look = commands.Look(by=by, seat=number)
        if not seat.looked and legal(self.table, look) is None:
            return look
        if claimed_spot(self.table):
            for shown in (True, False):
                claim = commands.Claim(by=by, seat=number, shown=shown)
                if legal(self.table, claim) is None:
                    return claim
        tuck = commands.Tuck(by=by, seat=number)
        if (number + self.turn) % 5 == 4 and legal(self.table, tuck) is None:
            return tuck
        bet: Any = step.number
        choice = PATTERNS[(number + self.turn) % len(PATTERNS)][step.number - 1]
        return commands.Choose(by=by, seat=number, bet=bet, choice=choice)

    def order(self, table: Table, _step: Step, /) -> tuple[str, ...]:
        """Return the next deck, mixed well and always the same."""
        self.decks += 1
        order = self.mixed(self.decks)
        depth = self.cut(table) if self._values.cut.who == "dealer" else 0  # and so the cut brings its top on top
        return (*order[len(order) - depth :], *order[: len(order) - depth])

    def cut(self, table: Table, /) -> int:
        """Return a cut of the same depth each time."""
        return fixed_cut(table)

    def throw(self, _table: Table, /) -> int:
        """Return a throw of three dice."""
        return 3 + self.turn % 16


_STAKES: Final = (20, 1)
"""How many times the bets the bank stakes, round by round."""
_ROUNDS: Final = 12
"""No more rounds are played at a trial table: players bring chips for this many."""


def stakes(rules: TableRules, plan: int, turn: int) -> dict[Spot, int]:
    """Return the bets of a seat by one of four plans: base bets, side bets with them, both at the most, side alone."""
    spot = spot_limits(rules.rules.limit)
    alone = {name for name in bet_alone(rules.rules) if name in rules.wagers}
    most = plan % 4 == 2
    bets: dict[Spot, int] = dict.fromkeys(BASE_SPOTS, spot.cents_max if most else spot.cents_min)
    if plan % 4 == 0:
        return bets
    for wager in rules.sides:
        limits = side_limits(wager, rules.terms(wager.id))
        steps = (limits.cents_max - limits.cents_min) // limits.cents_step * limits.cents_step
        bets[wager.spot] = limits.cents_min + (steps if most else 0)
    if plan % 4 == 3 and alone and turn % 4 == 3:
        return {spot: cents for spot, cents in bets.items() if rules.by_spot[spot].id in alone}
    return bets
