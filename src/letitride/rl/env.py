"""Env: one seat as a Gymnasium environment: two decisions a round, the reward when it is over; it keeps no rules.

Round n of seed s is dealt from `letitride.deck(s, n)`, the deck that a simulation deals in its round n.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded

from letitride.errors import InvalidData
from letitride.rl.observations import RIDE, WITHDRAW, Encoding, class_of, faces_of, space_of
from letitride.rl.pictures import picture
from letitride.rl.pixels import draw
from letitride.rl.terms import Bets, Info, terms_of
from letitride.rules.cards import Card
from letitride.rules.values import Values
from letitride.rules.words import one_of, show_value
from letitride.simulation.game import BLOCK
from letitride.simulation.generator import check_seed, decks

RENDER_MODES: Final = ("ansi", "rgb_array")


class LetItRideEnv(gymnasium.Env[Any, Any]):
    """One seat at a table. Actions: 0 takes the bet back, 1 lets it ride.

    The reward comes with the second decision: what the round won less what it lost, in units of one of the three equal
    bets. `paytable` alone pays every bet in full; by a `rulebook` the table's own settlement decides, its maximum
    payout included, with `overrides` for the keys that the book leaves open. Where a player banks, the bank is taken to
    cover every bet, and fees are left out. Where the book offers side bets, the last info of a round says under
    `side_bets` what a unit on each of them would have come to. They are part of the reward where they are made:
    `side_bets` are cents by wager, and `reset(options={"stake_cents": …, "side_bets": …})` bets otherwise on one round.
    The reward stays in units of `stake_cents`, so that a larger bet is worth more.
    """

    metadata: Info = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own

    def __init__(
        self,
        paytable: str | Path | None = None,
        rulebook: str | Path | None = None,
        *,
        overrides: Values | None = None,
        stake_cents: int | None = None,
        observation: Encoding = "cards",
        side_bets: Mapping[str, int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidData(f"expected {one_of(RENDER_MODES)} or nothing for render_mode, got {render_mode!r}")
        self.terms = terms_of(paytable, rulebook, overrides, stake_cents)
        self._sides = self.terms.checked_sides(side_bets or {})
        self._bets = Bets(self.terms.stake_cents, self._sides)
        self.encoding = observation
        self.render_mode = render_mode
        self.observation_space = space_of(observation)
        self.action_space = spaces.Discrete(2)
        self._seed: int | None = None
        self._round = -1
        self._decks: Iterator[tuple[Card, ...]] = iter(())
        self._cards: tuple[Card, ...] = ()
        self._faces: list[int] = []
        self._rides: list[bool] = []
        self._reward = 0.0

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """Deal a round: the first one of a seed, or the next one; the info says the seed and the round."""
        wanted = chosen_seed() if seed is None and self._seed is None else seed
        if wanted is not None:
            check_seed(wanted)
            self._seed, self._round = int(wanted), -1
        super().reset(seed=wanted, options=options)
        self._bets = self._bets_of(options or {})
        self._round += 1
        self._cards = self._deal()
        self._faces = faces_of(self._cards)
        self._rides = []
        self._reward = 0.0
        return self._observation(), {"seed": self._seed, "round": self._round}

    def _bets_of(self, options: Info) -> Bets:
        """Return what is bet on the next round."""
        if unknown := options.keys() - {"stake_cents", "side_bets"}:
            raise InvalidData(f"expected stake_cents and side_bets as options, got {show_value(min(unknown))}")
        stake = self.terms.checked_stake(options.get("stake_cents", self.terms.stake_cents))
        return Bets(stake, self.terms.checked_sides(options.get("side_bets", self._sides)))

    def _deal(self) -> tuple[Card, ...]:
        """Return the five cards of the round."""
        cards = next(self._decks, None) if self._round else None
        if cards is None:  # a block of rounds is over, or there is a new seed
            self._decks = decks(self._seed or 0, self._round // BLOCK, 1)
            cards = next(self._decks)
        return cards[:5]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """Take bet 1 back or let it ride; then the same with bet 2, which ends the round."""
        if not self._cards or len(self._rides) == 2:
            raise ResetNeeded("expected reset() before the first decision of a round, got step()")
        # Most actions are plain numbers, and the space takes its time.
        if not ((isinstance(action, int | np.integer) and 0 <= action <= 1) or self.action_space.contains(action)):
            raise InvalidAction(f"expected {WITHDRAW} (take it back) or {RIDE} (let it ride), got {action!r}")
        self._rides.append(bool(action == RIDE))
        over = len(self._rides) == 2
        if over:
            rides = self._rides[0], self._rides[1]
            self._reward = self.terms.units(self.terms.net_cents(self._cards[:3], self._cards[3:], rides, self._bets))
        sides = self.terms.side_units(self._cards[:3], self._cards[3:]) if over else {}
        return self._observation(), self._reward, over, False, {"side_bets": sides} if sides else {}

    def _observation(self) -> Any:
        known = 3 + len(self._rides)
        if self.encoding == "classes":
            return np.int64(class_of(self._cards[:known], bool(self._rides and self._rides[0])))
        hidden = [0] * (5 - known)
        bets = [1 + rode for rode in self._rides]
        return np.array([len(self._rides), *bets, *hidden, *self._faces[:known], *hidden], np.int8)

    def render(self) -> Any:
        """Return the round, as far as the player knows it: as text or, where render_mode is 'rgb_array', an image."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows something where the environment was made with render_mode='ansi'.")
            return None
        if self.render_mode == "rgb_array":
            return draw(self._cards, self._rides, self._reward)
        return picture(self.terms.name, self._cards, self._rides, self._reward)


def chosen_seed() -> int:
    """Return a seed at random, where none was given, so that it can be told."""
    return int.from_bytes(os.urandom(8), "big") >> 1
