"""Tasks: a request to simulate, made into a job; the same request gives the same job on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any, Final

from letitride.errors import InvalidData
from letitride.rules.banking import wagers_fee
from letitride.rules.money import dollars
from letitride.simulation.banks import Setup, bank_rounds, bank_sessions, empty_bank, opponents_max
from letitride.simulation.collusion import collusion_job, linear_pays, sharing
from letitride.simulation.generator import check_seed
from letitride.simulation.jobs import CHUNK, Job
from letitride.simulation.plan import Plan, check_stakes
from letitride.simulation.run import ROUNDS_MAX, rounds_job
from letitride.simulation.series import SESSIONS_MAX, Series, player_sessions

SESSION_ROUNDS_MAX: Final = 10**8
"""A session is played in one go, and can be interrupted only before or after it."""
SESSION_COST: Final = 64
"""What beginning a session costs, in rounds."""


@dataclass(frozen=True, slots=True)
class Task:
    """A plan and how it is repeated: rounds, or sessions of so many rounds, with or without a bank."""

    plan: Plan
    seed: int
    rounds: int
    """Of each session, where there are sessions."""
    sessions: int = 0
    bankroll_cents: int = 0
    bank_stake_cents: int = 0
    share_cards: bool = False

    @property
    def kind(self) -> str:
        """What is repeated: 'rounds', 'sessions', 'bank', 'bank sessions' or 'shared cards'."""
        if self.share_cards:
            return "shared cards"
        if self.bank_stake_cents:
            return "bank sessions" if self.sessions else "bank"
        return "sessions" if self.sessions else "rounds"

    @property
    def unit(self) -> str:
        """What is counted while it runs."""
        return "sessions" if self.sessions else "rounds"

    @property
    def setup(self) -> Setup:
        """The bank."""
        return Setup(self.plan, self.bank_stake_cents)

    @property
    def need_cents(self) -> int:
        """What a player needs for one round."""
        return self.plan.hands * sum(self.plan.stakes.values()) + self.fee_cents

    @property
    def fee_cents(self) -> int:
        """What a player pays for the wagers of one round."""
        return self.plan.hands * wagers_fee(self.plan.table.rules, len(self.plan.stakes))

    @property
    def digest(self) -> str:
        """SHA-256 of all that the tallies depend on, the number of rounds or sessions apart."""
        rules, rest = self.plan.table.rules, (self.rounds if self.sessions else 0, self.bankroll_cents)
        bank = (self.bank_stake_cents, repr(rules.bank), repr(rules.fee)) if self.bank_stake_cents else ()
        hands = (self.plan.hands,) if self.plan.hands > 1 else ()
        return sha256(repr((self.plan.game.digest, self.seed, self.kind, rest, bank, *hands)).encode()).hexdigest()

    def job(self) -> Job[Any]:
        """Return the job, or say what cannot be asked."""
        check_seed(self.seed)
        self._check()
        game, plan = self.plan.game, self.plan
        match self.kind:
            case "shared cards":
                pays = linear_pays(plan.table, game.seats)
                return collusion_job(sharing(pays, game.seats), self.seed, self.rounds)
            case "bank":
                return Job(bank_rounds, self.setup, (self.seed,), self.rounds, CHUNK, empty_bank(game.seats))
            case "bank sessions":
                banked = (self.seed, self.rounds, self.bankroll_cents)
                return Job(bank_sessions, self.setup, banked, self.sessions, self._sessions_at_once, Series(), 1)
            case "sessions":
                numbers = (self.seed, self.rounds, self.bankroll_cents, self.need_cents, self.fee_cents)
                play = partial(player_sessions, hands=plan.hands)
                return Job(play, game, numbers, self.sessions, self._sessions_at_once, Series(), 1)
            case _:
                return rounds_job(game, self.seed, self.rounds, meters=plan.meters)

    @property
    def _sessions_at_once(self) -> int:
        return max(CHUNK // max(self.rounds, SESSION_COST), 1)

    def _check(self) -> None:
        rules, seats = self.plan.table.rules, self.plan.game.seats
        most = SESSION_ROUNDS_MAX if self.sessions else ROUNDS_MAX
        if not 1 <= self.rounds <= most:
            raise InvalidData(f"expected 1 to {most:,} rounds{' a session' * bool(self.sessions)}, got {self.rounds}")
        check_stakes(self.plan.table, self.plan.stakes)
        if not 0 <= self.sessions <= SESSIONS_MAX:
            raise InvalidData(f"expected 1 to {SESSIONS_MAX:,} sessions, got {self.sessions}")
        if self.share_cards and (self.sessions or self.bank_stake_cents):
            raise InvalidData("expected seats that share cards, sessions or a bank, got two of them at once")
        if self.bankroll_cents and not self.sessions:
            raise InvalidData("expected sessions for a bankroll, got rounds alone")
        least = self.need_cents if not self.bank_stake_cents else self.setup.bank_fee + self.setup.bet_cents
        if self.bankroll_cents and self.bankroll_cents < least:
            raise InvalidData(
                f"expected a bankroll of {dollars(least)} or more, got {dollars(self.bankroll_cents)}: "
                "less does not make one round"
            )
        if rules.bank.mode == "player":
            most = opponents_max(rules.seats, separate=rules.bank.seat == "separate")
            if seats > most:
                raise InvalidData(f"expected 1 to {most} seats against the bank, got {seats}")
