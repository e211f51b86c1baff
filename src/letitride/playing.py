"""Playing: a table that deals for a program, whose players decide by a function or a strategy; no clock, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias

from letitride.analysis.decision_value import paid_nets
from letitride.analysis.strategy import ClassValue, Strategy, advise
from letitride.autoplay.dealer import Waits, deal, next_act
from letitride.autoplay.steps import Drawn
from letitride.chance.live import Live
from letitride.chance.seeded import Seeded
from letitride.engine import commands
from letitride.engine.bets import betting_open
from letitride.engine.decide import Events, open_table, play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice
from letitride.engine.view import view
from letitride.engine.view_types import View
from letitride.errors import InvalidData, LetItRideError
from letitride.records.rounds import Moment, PlayedRound, cut
from letitride.rules.arguments import cents as whole_cents
from letitride.rules.arguments import described
from letitride.rules.banking import bank_fee, wagers_fee
from letitride.rules.cards import FACES, Card, parse_face
from letitride.rules.catalog import ready_rules
from letitride.rules.settlement import Spot
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.rules.wager_table import BASE, BASE_SPOTS

Bets: TypeAlias = int | Mapping[Spot, int]
"""What a seat bets: cents on each of the three base spots, or cents by spot."""
ROUNDS: Final = 100
"""A player buys chips for so many rounds, and again when they do not last for one."""
STAKES: Final = 20
"""How many times the bets a player who banks stakes, where nothing else is said."""


class Refused(LetItRideError):
    """What was asked of a table is not allowed there now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal

    @property
    def code(self) -> str:
        """What programs know the refusal by."""
        return self.refusal.code


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that a player has to make, and what they see."""

    seat: int
    bet: Literal[1, 2]
    cards: tuple[Card, ...]
    """The player's own three cards."""
    community: tuple[Card, ...]
    """The community cards that are turned."""
    view: View
    """All that the player sees of the table."""
    rules: TableRules

    @property
    def advice(self) -> ClassValue:
        """The best decision and what it wins, for this bet as this table pays it."""
        payout, wagers = self.rules.rules.payout, self.view.seats[self.seat].wagers
        most = payout.cents_max if payout.cap == "maximum" else None
        nets = paid_nets(self.rules.base_pays, wagers[BASE.spot], most, payout.scope)
        ridden = self.bet == 2 and self.view.seats[self.seat].choices.get(1) == "ride"
        return advise(self.rules.base_pays, (*self.cards, *self.community), nets=nets, ridden=ridden)

    @property
    def best(self) -> Choice:
        """The best decision; where both are worth the same, to take the bet back."""
        return "ride" if self.advice.rides else "withdraw"


Decide: TypeAlias = Callable[[Decision], Choice] | Strategy | None
"""Who decides for the players: a function, a strategy, or best play."""


class AutoTable:
    """A table with an automatic dealer: it deals until a player must act, or plays whole rounds by itself.

    Decks, cuts and dice come from the operating system; with a `seed` they come again. What a rule book leaves to the
    table and `values` does not state is filled in.
    """

    def __init__(
        self, book: str | Path | TableRules, values: Values | None = None, *, seed: int | str | None = None
    ) -> None:
        if isinstance(book, TableRules) and values:
            raise InvalidData("expected values with the id or the path of a rule book, got them with table rules")
        self.rules = book if isinstance(book, TableRules) else ready_rules(book, values)
        self.table, opened = open_table(self.rules)
        """The table now, frozen."""
        self.rounds: list[PlayedRound] = []
        """The rounds that are over."""
        if seed is None:
            live = Live()
            self._source = Drawn(live, live.order)
        else:
            seeded = Seeded(seed)
            self._source = Drawn(seeded, partial(seeded.shuffled, FACES))
        self._numbered = 1
        self._moments = [Moment(1, 0, "dealer", opened, None, self.table)]
        self.advance()

    def __repr__(self) -> str:
        return f"<AutoTable {self.table.headline()}>"

    def do(self, command: commands.AnyCommand) -> Events:
        """Carry out a command and return what followed; `Refused` where it is not allowed."""
        before = self.table
        self.table, outcome = play(before, command)
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        self._numbered += 1
        self._moments.append(Moment(self._numbered, 0, command.by, outcome, before, self.table))
        if self._moments[-1].end is not None:
            self.rounds += cut(self._moments)
            self._moments = []
        return outcome

    def step(self, *, close: bool = False) -> Events | None:
        """Let the dealer do the next step and return what followed; None where the table waits for a player.

        Betting is closed when all have bet; with `close`, as soon as there is a bet to deal to.
        """
        act = deal(self.table, self._source, close=close)
        return None if act is None else self.do(act)

    def advance(self, *, close: bool = False) -> Decision | Waits:
        """Let the dealer go on until a player must act, and return what for; closes betting as `step` does."""
        while self.step(close=close) is not None:
            pass
        return self.due()

    def due(self) -> Decision | Waits:
        """Return what the table waits for: a player's decision, bets, another act of a seat, or players."""
        table, step = self.table, self.table.next_step
        if step is None or step.kind != "await_choice":
            waits = next_act(table, self._source)
            return waits if isinstance(waits, Waits) else Waits("players")
        look = commands.Look(seat=step.seat)
        if not table.seats[step.seat].looked and legal(table, look) is None:
            self.do(look)
        seen = view(self.table, f"seat:{step.seat}")
        own = tuple(parse_face(card) for card in seen.seats[step.seat].cards)
        turned = tuple(parse_face(card) for card in seen.community if not card.startswith("["))
        return Decision(step.seat, 1 if step.number == 1 else 2, own, turned, seen, self.rules)

    def sit(self, seat: int, cents: int, player: str = "") -> Events:
        """Seat a player with chips."""
        return self.do(commands.Sit(seat=seat, player=player or f"Player {seat}", cents=cents))

    def bet(self, seat: int, bets: Bets) -> Events:
        """Place the bets of a seat."""
        return self.do(commands.PlaceWagers(seat=seat, wagers=_wagers(seat, bets)))

    def choose(self, decision: Decision, choice: Choice) -> Events:
        """Let the bet of a decision ride or take it back; what may be shown for a side bet is shown before."""
        if choice not in ("ride", "withdraw"):
            raise InvalidData(f"seat {decision.seat}: expected 'ride' or 'withdraw', got {described(choice)}")
        seat = decision.seat
        for shown in (True, False):
            claim = commands.Claim(seat=seat, shown=shown)
            if legal(self.table, claim) is None:
                self.do(claim)
                break
        return self.do(commands.Choose(seat=seat, bet=decision.bet, choice=choice))

    def play_round(self, seats: Mapping[int, Bets], decide: Decide = None, *, bank: int = 0) -> PlayedRound:
        """Play a whole round in which these seats bet, and return it; `bank` is the seat that banks, where one does.

        Seats that are empty are taken, and chips are bought as they are needed.
        """
        bets = {seat: _wagers(seat, made) for seat, made in seats.items()}
        if not bets:
            raise InvalidData("expected the bets of a seat or more, got none")
        bank = self._banker(bank, bets)
        over = len(self.rounds)
        for _ in range(_STEPS_MAX):
            if len(self.rounds) > over:
                return self.rounds[-1]
            if not self._players_act(bets, bank) and self.step(close=True) is None:
                due = self.due()
                if not isinstance(due, Decision):
                    break
                self.choose(due, _choice(decide, due))
        step = self.table.next_step
        waits = f" at {step.kind.replace('_', ' ')}" if step else ""
        raise InvalidData(f"expected a round that the dealer and these seats can play, got one that waits{waits}")

    def _banker(self, bank: int, bets: Mapping[int, Mapping[Spot, int]]) -> int:
        """Return the seat that banks, where a player does: the one asked for, else the last that does not bet."""
        values = self.rules.rules
        if values.bank.mode != "player":
            if bank:
                raise InvalidData(
                    f"{self.rules.book.id}: expected no seat that banks, got seat {bank}: the house banks"
                )
            return 0
        free = [number for number in self.table.seats if number not in bets]
        if (bank or (free[-1] if free else 0)) not in free:
            raise InvalidData("expected a seat that banks and does not bet, got none")
        return bank or free[-1]

    def _players_act(self, bets: Mapping[int, dict[Spot, int]], bank: int) -> bool:
        """Do what a player does by themselves: sit down, bet, bank, look a deck over; whether any did."""
        act = next(self._acts(bets, bank), None)
        if act is not None:
            self.do(act)
        return act is not None

    def _acts(self, bets: Mapping[int, dict[Spot, int]], bank: int) -> Iterator[commands.AnyCommand]:
        table, step = self.table, self.table.next_step
        leave = commands.Leave(seat=bank)
        if bank and self._bank_is_spent(bank) and legal(table, leave) is None:
            yield leave  # and another player takes the seat, and may bank
        for seat in (*bets, *([bank] if bank else [])):
            if seat not in table.seats or not table.seats[seat].player:
                chips = self._bank_chips(bets) if seat == bank else self._chips(bets[seat])
                name = f"Bank {table.round + 1}" if seat == bank else f"Player {seat}"
                yield commands.Sit(seat=seat, player=name, cents=chips)
        match step.kind if step is not None else "":
            case "await_bank" if step is not None:
                take = commands.TakeBank(seat=step.seat, cents=self._bank_stake(bets))
                yield take if step.seat == bank else commands.DeclineBank(seat=step.seat)
            case "await_inspection" if step is not None:
                yield commands.LookOver(seat=step.seat)
            case _:
                pass
        take = commands.TakeBank(seat=bank, cents=self._bank_stake(bets))
        if bank and table.phase == "banking" and step is None and legal(table, take) is None:
            yield take
        for seat, wagers in bets.items() if table.phase == "betting" and betting_open(table) else ():
            if not table.seats[seat].wagers:
                place = commands.PlaceWagers(seat=seat, wagers=wagers)
                refusal = legal(table, place)
                short = refusal is not None and refusal.code == "not_enough"
                yield commands.BuyChips(seat=seat, cents=self._chips(wagers)) if short else place

    def _bank_is_spent(self, seat: int) -> bool:
        """Whether the player there has banked as many rounds in a row as the book lets a player bank."""
        table = self.table
        again = table.seats[seat].player == table.bank_player
        return again and table.bank_hands >= self.rules.rules.bank.max_consecutive

    def _chips(self, wagers: Mapping[Spot, int]) -> int:
        return ROUNDS * (sum(wagers.values()) + wagers_fee(self.rules.rules, len(wagers)))

    def _bank_chips(self, bets: Mapping[int, Mapping[Spot, int]]) -> int:
        return ROUNDS * (self._bank_stake(bets) + bank_fee(self.rules.rules))

    def _bank_stake(self, bets: Mapping[int, Mapping[Spot, int]]) -> int:
        wanted = STAKES * sum(sum(wagers.values()) for wagers in bets.values())
        most = self.rules.rules.bank.stake_cents_max
        return min(wanted, most) if isinstance(most, int) else wanted


_STEPS_MAX: Final = 2_000
"""No round takes as many steps."""


def play_round(
    book: str | Path | TableRules,
    seats: Mapping[int, Bets],
    decide: Decide = None,
    *,
    values: Values | None = None,
    seed: int | str | None = None,
    bank: int = 0,
) -> PlayedRound:
    """Play one round at a new table with an automatic dealer; players decide by `decide`, or else as well as can be.

    `seats` has the bets of each seat: cents on each of the three base spots, or cents by spot. With a `seed` the same
    cards come again; `values` are the table's own; `bank` is the seat that banks, where a player does.
    """
    return AutoTable(book, values, seed=seed).play_round(seats, decide, bank=bank)


def _wagers(seat: int, bets: Bets) -> dict[Spot, int]:
    if isinstance(bets, Mapping):
        return {spot: whole_cents(cents, f"cents on {spot}") for spot, cents in bets.items()}
    return dict.fromkeys(BASE_SPOTS, whole_cents(bets, f"a bet of seat {seat}"))


def _choice(decide: Decide, decision: Decision) -> Choice:
    if decide is None:
        return decision.best
    if isinstance(decide, Strategy):
        return decide.choice((*decision.cards, *decision.community))
    return decide(decision)
