"""Table: all seats of a table as a PettingZoo environment on the real engine; agents see what `view` shows their seat.

An observation is a `Box` of small whole numbers, eight for the agent, five for each other seat: the stage (0 bet 1 is
open, 1 bet 2 is open, 2 the round is over), the two community cards in the order they were turned, then for each seat,
the agent's first and the others clockwise, bets 1 and 2 (0 open, 1 taken back, 2 rides) and its three cards in rising
order. A card is 1 + its index, from 1 (2c) to 52 (As), and 0 where its face is not to be seen, or where there is none.
Other seats' cards are seen where the book lets players see them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from letitride.engine.view import laid_out, seat_view
from letitride.errors import InvalidData
from letitride.extras import explained
from letitride.rl.dealing import Dealing, Turn
from letitride.rl.env import RENDER_MODES, chosen_seed
from letitride.rl.observations import FACES, RIDE, WITHDRAW
from letitride.rl.terms import Info, table_of, terms_of
from letitride.rules.cards import Card
from letitride.rules.values import Values
from letitride.simulation.generator import check_seed

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, aec_to_parallel
except ImportError as error:
    raise explained("letitride.rl.table", error) from None

_STAGES: Final = {"choice_1": 0, "choice_2": 1}
_CHOICES: Final = {"withdraw": 1, "ride": 2}


class LetItRideTable(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table by a rule book where every seat is an agent, `seat_1` to `seat_7`. An episode is a round.

    Seats act in the book's order. The rewards come with the last decision of a round: what it did to a seat's chips,
    fees included, in units of one of the three equal bets. Where a player banks, the bank goes round as the book says;
    the banker has nothing to decide, and is rewarded with the bank's result. `reset` deals the next round at the same
    table; with a seed, the first one at a new table.
    """

    def __init__(
        self,
        rulebook: str | Path,
        paytable: str | Path | None = None,
        *,
        seats: int | None = None,
        overrides: Values | None = None,
        stake_cents: int | None = None,
        bank_stake_cents: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidData(f"expected 'ansi' or nothing for render_mode, got {render_mode!r}")
        self.rules = rules = table_of(rulebook, overrides, paytable)
        self.stake_cents = terms_of(paytable, rulebook, overrides, stake_cents).stake_cents
        banked = rules.rules.bank.mode == "player"
        places = rules.rules.seats + (banked and rules.rules.bank.seat == "separate")
        if seats is not None and not 1 + banked <= seats <= places:
            raise InvalidData(f"expected {1 + banked} to {places} seats by {rules.book.id}, got {seats}")
        bank = 1000 * self.stake_cents if bank_stake_cents is None else bank_stake_cents
        if bank < self.stake_cents:
            raise InvalidData(f"expected a bank's stake of {self.stake_cents} cents or more, a bet, got {bank} cents")
        self._dealing = Dealing(rules, seats or places, self.stake_cents, bank)
        self.metadata = {
            "name": "letitride_table_v1",
            "render_modes": list(RENDER_MODES),
            # Where a player banks, one seat has no decision, and no cycle is whole.
            "is_parallelizable": not banked,
        }
        self.render_mode = render_mode
        self._number = {f"seat_{seat}": seat for seat in self._dealing.seats}
        self.possible_agents = list(self._number)
        many = len(self._number)
        card = FACES - 1
        most = np.array([2, card, card, *([2, 2, card, card, card] * many)], np.int8)
        self._spaces = {agent: spaces.Box(np.zeros_like(most), most, dtype=np.int8) for agent in self._number}
        self._actions = {agent: spaces.Discrete(2) for agent in self._number}
        self._seed: int | None = None
        self._round = -1
        self._turn: Turn | None = None
        self._first_up = 0

    def observation_space(self, agent: str) -> spaces.Box:
        """Return the space of what an agent sees, always the same one."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return the space of an agent's actions, always the same one."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Info | None = None) -> None:  # noqa: ARG002 - PettingZoo's
        """Deal a round up to the first decision; the infos say the seed and the round."""
        wanted = chosen_seed() if seed is None and self._seed is None else seed
        if wanted is not None:
            check_seed(wanted)
            self._seed, self._round = int(wanted), -1
            self._chance, _ = seeding.np_random(self._seed)
            self._dealing.begin_again()
            self._turn = None
        while self._turn is not None:  # a round is left before its end: all that is open is taken back
            self._dealing.choose(self._turn, ride=False)
            self._turn = self._dealing.to_next_turn(self._chance)
        self._round += 1
        self._before = self._chips()
        self._turn = self._dealing.to_next_turn(self._chance)
        self.agents = self._in_order()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"seed": self._seed, "round": self._round} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._select()

    def _in_order(self) -> list[str]:
        """Return the agents in the order in which they decide, those with nothing to decide last."""
        asked = [f"seat_{step.seat}" for step in self._dealing.table.agenda if step.kind == "await_choice"]
        return [*asked, *(agent for agent in self._number if agent not in asked)]

    def _select(self) -> None:
        if self._turn is not None:
            self.agent_selection = f"seat_{self._turn.seat}"

    def step(self, action: Any) -> None:
        """Take the agent's bet back or let it ride, and deal on to the next decision or to the end of the round."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if self._turn is None or not self._actions[agent].contains(action):
            raise InvalidData(f"expected {WITHDRAW} (take it back) or {RIDE} (let it ride), got {action!r}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._dealing.choose(self._turn, ride=bool(action == RIDE))
        self._turn = self._dealing.to_next_turn(self._chance)
        self._turned()
        if self._turn is None:
            after = self._chips()
            for one in self.agents:
                self.rewards[one] = (after[one] - self._before[one]) / self.stake_cents
                self.terminations[one] = True
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        else:
            self._select()

    def observe(self, agent: str) -> NDArray[np.int8]:
        """Return what an agent sees now; of a round that is over, what it saw when the last card was turned."""
        table, number, many = self._dealing.last_seen, self._number[agent], len(self._number)
        found = [_STAGES.get(table.phase, 2), *self._turned()]
        for place in range(many):
            seat = seat_view(table, table.seats[(number - 1 + place) % many + 1], f"seat:{number}")
            found += [_CHOICES.get(seat.choices.get(bet, ""), 0) for bet in (1, 2)]
            found += [*sorted(map(_face, seat.cards)), 0, 0, 0][:3]
        return np.array(found, np.int8)

    def _turned(self) -> list[int]:
        """Return the community cards in the order they were turned: at some tables the first is moved aside."""
        community = map(_face, laid_out(self._dealing.last_seen).community)
        up = sorted((face for face in community if face), key=lambda face: face != self._first_up)
        if len(up) == 1:
            self._first_up = up[0]
        return [*up, 0, 0][:2]

    def _chips(self) -> dict[str, int]:
        """Return what every seat has beside its bets, by its own view."""
        table = self._dealing.table
        return {
            agent: seat_view(table, table.seats[number], f"seat:{number}").stack_cents
            for agent, number in self._number.items()
        }

    def render(self) -> str | None:
        """Return the round as text, every hand as its own seat sees it, where render_mode is 'ansi'."""
        if self.render_mode is None:
            return None
        table = self._dealing.last_seen
        lines = [f"{table.rules.book.id}, round {self._round + 1}, community {' '.join(laid_out(table).community)}"]
        for agent, number in self._number.items():
            seat = seat_view(table, table.seats[number], f"seat:{number}")
            marks = "".join(f" {bet}:{choice}" for bet, choice in seat.choices.items())
            turn = " <" if self.agents and agent == self.agent_selection and self._turn else ""
            won = f" {self.rewards[agent]:+g}" if self._turn is None and agent in self.rewards else ""
            held = " ".join(seat.cards) or ("the bank" if number == self._dealing.table.bank_seat else "")
            lines.append(f"{agent:<7} {held:<9}{marks}{won}{turn}")
        return "\n".join([*lines, ""])

    def close(self) -> None:
        """Nothing is held open."""


def _face(card: str) -> int:
    """Return the number of a card as a view shows it; 0 where only its back is seen."""
    return 0 if card.startswith("[") else Card.parse(card).index + 1


def env(**terms: Any) -> AECEnv:
    """Return a table that also refuses what is out of order, the way PettingZoo's own environments do."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(LetItRideTable(**terms)))


def parallel_env(**terms: Any) -> Any:
    """Return a table where all agents act at once; only where the house banks."""
    return aec_to_parallel(LetItRideTable(**terms))
