"""Session: one player at a table with the house's bots; it sends the commands that people would send, and no others.

The dealer follows the script, bots play the best play, and where the player has to act the table waits. Every
command is checked against the engine's promises, so that no chip and no card is ever made or lost.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import msgspec

from letitride.analysis.strategy import Strategy, best_strategy
from letitride.autoplay.bots import next_act as bot_act
from letitride.autoplay.dealer import deal, for_an_absent_player
from letitride.autoplay.loop import Party, next_act
from letitride.autoplay.steps import Source
from letitride.cli.terminal.account import Account
from letitride.cli.terminal.language import listed, t
from letitride.cli.terminal.wanted import Wanted
from letitride.engine import commands
from letitride.engine.bets import complete
from letitride.engine.decide import Events, open_table, play
from letitride.engine.legal import legal
from letitride.engine.promises import Round, play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice, Seat, Table
from letitride.engine.view import view
from letitride.engine.view_types import AnyOffer, View
from letitride.errors import InvalidData, InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import changes
from letitride.records.rounds import Moment, PlayedRound, cut
from letitride.rules.banking import round_cents_min
from letitride.rules.limits import bet_alone
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS

ME: Final = "You"
BOT_CHIPS_CENTS: Final = 20_000
KEPT_MAX: Final = 1_000
"""Of how many rounds every step is kept, to be saved as a record; of later ones only their results."""
BANK_CHIPS_CENTS: Final = 500_000
"""What a bot brings to a table where it may have to bank."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What the table waits for: the player's bets, the decision on bet 1 or 2, or whether they take the bank."""

    kind: Literal["bets", "choice", "bank"]
    bet: int = 0
    must: bool = False
    """Whether no round is dealt unless the player takes the bank."""


class Session:
    """A table with one player at it, and everything that happened there."""

    done: Moment
    """What was done last."""

    def __init__(self, wanted: Wanted, source: Source) -> None:
        self.wanted = wanted
        self.hands = wanted.own_seats
        """The player's seats, side by side."""
        self._sat: set[int] = set()
        self._passed: set[int] = set()
        """Those of them at which the player bets nothing this time."""
        self._source = source
        self.table, opened = open_table(wanted.rules)
        self.moments: list[Moment] = []
        """From the opening on, up to the end of the last round that is kept."""
        self.last: PlayedRound | None = None
        """The round that was over last."""
        self.account = Account(self.hands)
        self.wallet_cents = 0
        """What went back into the player's wallet, less what came from it."""
        self.bought_cents = 0
        self.gone = False
        self._watch = Round()
        self._since: list[Moment] = []
        self._keep(None, "house", opened)
        self._seats = self._taken()

    @property
    def seat(self) -> int:
        """The player's seat that the table waits for or works at; the first one where it is none of them."""
        step = self.table.next_step
        if step is not None and step.seat in self.hands:
            return step.seat
        if self.table.phase == "betting":
            return next((number for number in self.hands if not self._ready(number)), self.hands[0])
        return self.hands[0]

    @property
    def by(self) -> str:
        """The player's name for the engine."""
        return f"seat:{self.seat}"

    @property
    def mine(self) -> Seat:
        """The player's seat."""
        return self.table.seats[self.seat]

    @property
    def stack_cents(self) -> int:
        """The chips beside the betting area of that seat."""
        return self.table.cents(accounts.stack(self.seat))

    @property
    def chips_cents(self) -> int:
        """The chips of all the player's seats, those not in play."""
        return sum(self.table.cents(accounts.stack(number)) for number in self.hands)

    @property
    def banks(self) -> bool:
        """Whether the player has the bank."""
        return any(map(self.table.banks, self.hands))

    @property
    def net_cents(self) -> int:
        """What the player has won since they sat down, in chips at the table and in their wallet together."""
        held = (cents for name, cents in self.table.accounts.items() if accounts.parse(name).seat in self.hands)
        bank = self.table.cents(accounts.BANK) if self.banks else 0
        at_table = 0 if self.gone else sum(held) + bank
        return self.wallet_cents + at_table

    @property
    def over(self) -> bool:
        """Whether as many rounds were played as were wanted, or the player has left."""
        return self.gone or (self.wanted.rounds is not None and self.account.rounds >= self.wanted.rounds)

    @property
    def in_round(self) -> bool:
        """Whether the player has cards or the bank, so that they cannot simply leave."""
        return self.banks or any(self.table.seats[number].dealt_in for number in self.hands)

    @cached_property
    def strategy(self) -> Strategy:
        """The best play by the table's paytable."""
        return best_strategy(self.wanted.rules.base_pays)

    def seen(self) -> View:
        """Return what the player may see of the table."""
        return view(self.table, self.by)

    def offer(self, kind: type[AnyOffer]) -> AnyOffer | None:
        """Return the first command of a kind that the player is offered now for the seat that is asked."""
        return self.seen().offer(kind, self.seat)

    def step(self) -> Moment | None:
        """Let the dealer, the floor or a bot do the next thing; None where the table waits for the player."""
        return self._go_on(self._arrival, self._own_act, self._bots_act, self._dealer_act)

    def _go_on(self, *parties: Party) -> Moment | None:
        act = next_act(self.table, *parties)
        if act is None:
            return None
        refused = self.act(act)
        if refused is not None:
            raise InvariantBroken(f"{act} was refused at the terminal table: {refused.sentence}")
        return self.done

    def ask(self) -> Ask:
        """Return what the table waits for."""
        step = self.table.next_step
        if step is not None and step.kind == "await_choice" and step.seat in self.hands:
            return Ask("choice", bet=step.number)
        if self.table.phase == "banking":
            return Ask("bank", must=step is None)
        if self.table.phase == "betting":
            return Ask("bets")
        raise InvariantBroken(f"the table waits for no one in its phase '{self.table.phase}'")

    def act(self, command: commands.AnyCommand) -> Refusal | None:
        """Carry out a command, or return why it is refused."""
        before = self.table
        self.table, outcome = play_checked(before, command)
        if isinstance(outcome, Refusal):
            return outcome
        self._watch.watch(before, outcome)
        self._keep(before, command.by, outcome)
        return None

    def bet(self, wagers: dict[Spot, int], coupon_cents: int = 0) -> Refusal | None:
        """Place the player's bets, with a match-play coupon that a voucher is exchanged for where one is wanted."""
        by, number, coupon = self.by, self.seat, coupon_cents or msgspec.UNSET
        acts: list[commands.AnyCommand] = []
        held = self.table.cents(accounts.coupons(number)) + self.table.cents(accounts.laid_coupon(number))
        if (more := coupon_cents - held) > 0:
            acts.append(commands.ExchangeVoucher(by=by, seat=number, cents=more, into="match_play"))
        acts.append(commands.PlaceWagers(by=by, seat=number, wagers=wagers, coupon_cents=coupon))
        after = self.table
        for act in acts:  # all of them or none, so that no voucher is spent on bets that are refused
            after, outcome = play(after, act)
            if isinstance(outcome, Refusal):
                return outcome
        if not complete(after, after.seats[number]):
            return self._incomplete(wagers)
        for act in acts:
            self.act(act)
        return None

    def _incomplete(self, wagers: dict[Spot, int]) -> Refusal:
        """Return why bets do not let a seat be dealt in, though each of them is allowed."""
        rules = self.wanted.rules
        sides = [rules.by_spot[spot].title for spot in wagers if spot not in {*BASE_SPOTS, *bet_alone(rules.rules)}]
        if not sides:
            return Refusal("bets_incomplete", t("bad.uneven"))
        return Refusal("bets_incomplete", t("bad.side_alone", bets=listed(sides)))

    def sit_out(self) -> None:
        """Bet nothing at this seat for a round; one of the player's hands is played."""
        if set(self.hands) - self._passed == {self.seat}:
            raise InvalidData(t("bad.all_pass"))
        self._passed.add(self.seat)

    def choose(self, bet: int, choice: Choice) -> Refusal | None:
        """Let a bet ride, or take it back."""
        return self.act(commands.Choose(by=self.by, seat=self.seat, bet=1 if bet == 1 else 2, choice=choice))

    def buy(self, cents: int) -> Refusal | None:
        """Buy more chips."""
        return self.act(commands.BuyChips(by=self.by, seat=self.seat, cents=cents))

    def leave(self) -> Iterable[Moment]:
        """Get up; a round that is on goes on as the book rules for a player who is not there."""
        while self.in_round and not self.gone:
            moment = self.step() or self._go_on(for_an_absent_player)
            if moment is None:
                raise InvariantBroken("a round cannot go on without its player")
            yield moment
        for seat in (self.table.seats[number] for number in self.hands):
            if not seat.player:
                continue
            by, number = f"seat:{seat.number}", seat.number
            if seat.wagers:
                self.act(commands.PlaceWagers(by=by, seat=number, wagers={}))
            refused = self.act(commands.Leave(by=by, seat=number))
            if refused is not None:
                raise InvariantBroken(f"a player without cards may leave: {refused.sentence}")
            yield self.done

    def _keep(self, before: Table | None, by: str, happened: Events) -> Moment:
        for event in happened:
            self.bought_cents += sum(moved.cents for moved in event.chips if moved.source == accounts.wallet(ME))
            self.wallet_cents += changes(event.chips).get(accounts.wallet(ME), 0)
        number = self.done.number + 1 if before is not None else 1
        self.done = Moment(number, time.time_ns() // 1_000_000, by, happened, before, self.table)
        if self.account.rounds < KEPT_MAX:
            self.moments.append(self.done)
        self._since.append(self.done)
        if self.done.end is not None:
            self.last, self._since = next(cut(self._since)), []
            self.account.add(self.last)
            self._passed.clear()
        seated = {number for number in self.hands if self.table.seats[number].player}
        self._sat |= seated
        self.gone = bool(self._sat) and not seated
        return self.done

    def _taken(self) -> dict[int, str]:
        """Who sits where: the bots on the first seats that are free."""
        free = [number for number in self.table.seats if number not in self.hands]
        others = free[: self.wanted.seats - len(self.hands)]
        bots = {number: f"Bot {place}" for place, number in enumerate(others, 1)}
        return dict(sorted({**dict.fromkeys(self.hands, ME), **bots}.items()))

    def _arrival(self, table: Table) -> commands.AnyCommand | None:
        opens = table.phase == "opening" and bool(table.agenda)
        number = 0 if opens else next(iter(self._empty()), 0)
        if not number:
            return None
        chips = BANK_CHIPS_CENTS if self.wanted.player_banked else BOT_CHIPS_CENTS
        rounds = 6 * round_cents_min(self.wanted.rules.rules)
        name = self._seats[number]
        cents = self.wanted.bankroll_cents if number in self.hands else max(chips, rounds)
        return commands.Sit(by=f"seat:{number}", seat=number, player=name, cents=cents)

    def _empty(self) -> list[int]:
        """The seats that are still to be taken."""
        free = [number for number in self._seats if not self.table.seats[number].player]
        return [number for number in free if number not in self._sat]

    def _own_act(self, table: Table) -> commands.AnyCommand | None:
        """What needs no thought: checking the spread deck, and looking at the cards."""
        acts: list[commands.AnyCommand] = []
        for seat in (table.seats[number] for number in self.hands):
            if not seat.player or seat.away:
                continue
            by, number = f"seat:{seat.number}", seat.number
            acts += [commands.LookOver(by=by, seat=number)]
            acts += [] if seat.looked else [commands.Look(by=by, seat=number)]
        return next((act for act in acts if legal(table, act) is None), None)

    def _bots_act(self, table: Table) -> commands.AnyCommand | None:
        step = table.next_step
        asked = self._seats if table.phase == "betting" else [step.seat] if step is not None else []
        for number in asked:
            if number not in self._seats or number in self.hands or table.banks(number):
                continue
            found = self._bank_act(number) or bot_act(view(table, f"seat:{number}"), number, self.strategy)
            if found is not None:
                return found
            if (
                step is not None and step.kind == "await_choice"
            ):  # no bet is worth letting ride on cards that may not be looked at
                blind: Any = step.number
                return commands.Choose(by=f"seat:{number}", seat=number, bet=blind, choice="withdraw")
        return None

    def _bank_act(self, number: int) -> commands.AnyCommand | None:
        """A bot takes the bank when it is its turn, with half of its chips, and buys more where that is too little."""
        step = self.table.next_step
        if self.table.phase != "banking" or step is None or (step.kind, step.seat) != ("await_bank", number):
            return None
        by, stack = f"seat:{number}", self.table.cents(accounts.stack(number))
        if stack < BANK_CHIPS_CENTS // 2:
            return commands.BuyChips(by=by, seat=number, cents=BANK_CHIPS_CENTS)
        most = self.wanted.rules.rules.bank.stake_cents_max
        stake = BANK_CHIPS_CENTS // 5
        return commands.TakeBank(by=by, seat=number, cents=min(stake, most) if isinstance(most, int) else stake)

    def _dealer_act(self, table: Table) -> commands.AnyCommand | None:
        return deal(table, self._source, close=self.banks or all(map(self._ready, self.hands)))

    def _ready(self, number: int) -> bool:
        """Whether all that is to be bet at a seat of the player's is down."""
        return number in self._passed or complete(self.table, self.table.seats[number])
