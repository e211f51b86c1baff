"""Vector: many seats as one Gymnasium environment on the compiled kernel; seat i of seed s is the plain one of s + i.

Every round has two decisions, so all seats are always at the same one, and all rounds end together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from letitride.analysis.classes import FOUR_CARDS
from letitride.analysis.strategy import NEVER_RIDE, play_of
from letitride.errors import InvalidData, InvariantBroken
from letitride.rl.env import RENDER_MODES, chosen_seed
from letitride.rl.observations import OVER, RIDE, WITHDRAW, Encoding, class_tables, faces_of, set_numbers, space_of
from letitride.rl.pictures import picture
from letitride.rl.pixels import draw
from letitride.rl.terms import Info, terms_of
from letitride.rules.arguments import described
from letitride.rules.cards import DECK
from letitride.rules.values import Values
from letitride.rules.words import one_of, show_value
from letitride.simulation.generator import SEED_MAX, check_seed, deck
from letitride.simulation.hand_tables import outcomes

Array = NDArray[Any]
_MODES: Final = {mode.value: mode for mode in AutoresetMode}
_RENDERED: Final = 64
"""Seats that are drawn at most."""


class LetItRideVectorEnv(VectorEnv[Array, Array, Array]):
    """Many seats at tables of their own, dealt and settled at once. Actions, rewards and terms: as in `LetItRideEnv`.

    `autoreset_mode` is Gymnasium's: 'NextStep' deals the next rounds in a step of its own, whose actions are ignored;
    'SameStep' deals them at once, and the info keeps what was seen last and which rounds they were. 'Disabled' waits
    for `reset()`, of all seats at once or of some after the other by `options={"reset_mask": …}`.
    """

    metadata: Info = {  # noqa: RUF012 - Gymnasium's own
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        paytable: str | Path | None = None,
        rulebook: str | Path | None = None,
        *,
        overrides: Values | None = None,
        stake_cents: int | None = None,
        observation: Encoding = "cards",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        if num_envs < 1:
            raise InvalidData(f"expected one environment or more, got {num_envs}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InvalidData(f"expected {one_of(RENDER_MODES)} or nothing for render_mode, got {render_mode!r}")
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        if mode not in _MODES:
            raise InvalidData(f"expected {' or '.join(_MODES)} for autoreset_mode, got {mode!r}")
        self._mode = _MODES[mode]
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.terms = terms_of(paytable, rulebook, overrides, stake_cents)
        self.encoding = observation
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.single_observation_space = space_of(observation)
        self.single_action_space = spaces.Discrete(2)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._make_tables()
        self._stage = -1
        check_compiled()

    def _make_tables(self) -> None:
        """Load the kernel, and make room for what it writes."""
        from letitride.rl import vector_kernel as kernel  # noqa: PLC0415 - the compiler takes a moment to load

        many = self.num_envs
        self._kernel = kernel
        self._numbers, self._codes = set_numbers(), outcomes(play_of(NEVER_RIDE)) & 15
        self._class_3, self._class_4 = class_tables()
        self._units = self.terms.units_by_cell()
        self._seeds = np.zeros(many, np.uint64)
        self._state = np.zeros((many, kernel.STATE), np.uint64)
        self._decks = np.zeros((many, 52), np.uint8)
        self._cards, self._hands = np.zeros((many, 5), np.uint8), np.zeros((many, 3), np.uint8)
        self._first, self._second = np.zeros(many, np.int64), np.zeros(many, np.int64)
        self._rewards = np.zeros(many, np.float64)
        self._over = np.zeros(many, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Array, Info]:
        """Deal a round to every seat: the first ones of their seeds, or the next ones.

        With a `reset_mask` in the options, only to the seats that it names, whose rounds must be over.
        """
        if unknown := (options or {}).keys() - {"reset_mask"}:
            raise InvalidData(f"expected reset_mask as an option, got {show_value(min(unknown))}")
        named = self._named((options or {}).get("reset_mask"))
        if seed is not None and not named.all():
            raise InvalidData("expected a seed with a reset of all seats, got one with a reset_mask of some")
        if seed is None and self._stage < 0:
            seed = chosen_seed() % (SEED_MAX - self.num_envs)
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            check_seed(int(seed))
            check_seed(int(seed) + self.num_envs - 1)
            self._seeds = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
            self._state[:, 6] = 0
        elif seed is not None:
            self._seed_each(seed)
        self._deal(named)
        rounds = self._state[:, 6].astype(np.int64) - 1
        seeds = self._seeds.astype(np.int64)
        return self._seen(), {"seed": seeds, "_seed": named, "round": rounds, "_round": named.copy()}

    def _named(self, mask: object) -> NDArray[np.bool_]:
        """Return the seats that a reset is for: all of them where no mask is given."""
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)):
            raise InvalidData(
                f"expected a reset_mask of {self.num_envs} truths as a NumPy array, got {described(mask)}"
            )
        if not mask.any() or (not mask.all() and bool((mask & ~self._over).any())):
            raise InvalidData("expected a reset_mask that names seats whose rounds are over, got another")
        return mask.copy()

    def _seed_each(self, seeds: Sequence[int | None]) -> None:
        if len(seeds) != self.num_envs:
            raise InvalidData(f"expected {self.num_envs} seeds, one for each seat, got {len(seeds)}")
        for seat, one in enumerate(seeds):
            wanted = chosen_seed() if one is None and self._stage < 0 else one
            if wanted is not None:
                check_seed(int(wanted))
                self._seeds[seat], self._state[seat, 6] = int(wanted), 0

    def _deal(self, named: NDArray[np.bool_] | None = None) -> None:
        """Deal the next round to everybody, or to the seats that are named."""
        own: tuple[Array, ...] = (self._seeds, self._state, self._decks, self._cards, self._hands)
        some = np.ones(self.num_envs, np.bool_) if named is None else named
        parts = own if some.all() else tuple(one[some] for one in own)
        seeds, state, decks, cards, hands = parts
        self._kernel.deal(seeds, state, decks, self._numbers, self._codes, self._class_3, self._class_4, cards, hands)
        if parts is not own:
            for whole, part in zip(own, parts, strict=True):
                whole[some] = part
        self._over &= ~some
        if not self._over.any():
            self._stage = 0

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, Info]:
        """Make everybody's decision on bet 1; then on bet 2, which ends the rounds."""
        many = self.num_envs
        if self._stage < 0:
            raise ResetNeeded("expected reset() before the first decision of a round, got step()")
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded("expected reset() for every seat whose round is over, got step()")
        if self._stage == 2:  # the rounds ended in the step before: these actions have nothing to decide
            self._deal()
            return self._seen(), np.zeros(many), np.zeros(many, np.bool_), np.zeros(many, np.bool_), {}
        chosen = self._checked(actions)
        self._stage += 1
        if self._stage == 1:
            self._first = chosen
            return self._seen(), np.zeros(many), np.zeros(many, np.bool_), np.zeros(many, np.bool_), {}
        self._second = chosen
        rewards = np.empty(many)
        self._kernel.settle(self._hands, self._first, self._second, self._units, rewards)
        self._rewards = rewards.copy() if self.render_mode else rewards
        self._over[:] = True
        infos: Info = {}
        if self._mode is AutoresetMode.SAME_STEP:
            last, everybody = self._last_info(), np.ones(many, np.bool_)
            infos = {"final_obs": self._seen(), "_final_obs": everybody, "final_info": last, "_final_info": everybody}
            self._deal()
        return self._seen(), rewards, np.ones(many, np.bool_), np.zeros(many, np.bool_), infos

    def _last_info(self) -> Info:
        """Return which rounds ended: the seed and the round of every seat."""
        everybody = np.ones(self.num_envs, np.bool_)
        rounds, seeds = self._state[:, 6].astype(np.int64) - 1, self._seeds.astype(np.int64)
        return {"seed": seeds, "_seed": everybody, "round": rounds, "_round": everybody}

    def _checked(self, actions: Array) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "biu":
            raise InvalidAction(
                f"expected {self.num_envs} actions of {WITHDRAW} or {RIDE}, got {given.dtype} of shape {given.shape}"
            )
        chosen = given.astype(np.int64)  # a copy: the caller may use the array again
        if not self._kernel.all_are_choices(chosen):
            odd = next(int(one) for one in chosen if one not in {WITHDRAW, RIDE})
            raise InvalidAction(f"expected {WITHDRAW} (take it back) or {RIDE} (let it ride), got {odd}")
        return chosen

    def _seen(self) -> Array:
        """Return what everybody sees now, in an array of its own."""
        if self._stage == 2 and not self._over.all():  # some are dealt to again, and the others are not yet
            over = self._over.reshape(-1, *([1] if self.encoding == "cards" else []))
            return np.where(over, self._seen_at(2), self._seen_at(0))
        return self._seen_at(self._stage)

    def _seen_at(self, stage: int) -> Array:
        if self.encoding == "cards":
            shown = np.empty((self.num_envs, 8), np.int8)
            self._kernel.show_cards(stage, self._cards, self._first, self._second, shown)
            return shown
        if stage == 2:
            return np.full(self.num_envs, OVER, np.int64)
        classes = np.empty(self.num_envs, np.int64)
        self._kernel.show_classes(stage, self._hands, self._first, len(FOUR_CARDS), classes)
        return classes

    def render(self) -> tuple[Any, ...] | None:
        """Return the rounds of the first seats as text or, where render_mode is 'rgb_array', as images."""
        if self.render_mode is None:
            return None
        found: list[Any] = []
        for seat in range(min(self.num_envs, _RENDERED)):
            cards = [DECK[face - 1] for face in self._cards[seat].tolist()] if self._stage >= 0 else []
            rides = [bool(self._first[seat]), bool(self._second[seat])][: max(self._stage, 0)]
            won = float(self._rewards[seat])
            image = self.render_mode == "rgb_array"
            found.append(draw(cards, rides, won) if image else picture(self.terms.name, cards, rides, won))
        return tuple(found)


@cache
def check_compiled() -> None:
    """See that the compiled code deals what the generator says: code that was kept may be older than its constants."""
    from letitride.rl import vector_kernel as kernel  # noqa: PLC0415 - as above

    state, decks = np.zeros((1, kernel.STATE), np.uint64), np.zeros((1, 52), np.uint8)
    cards, hands = np.zeros((1, 5), np.uint8), np.zeros((1, 3), np.uint8)
    tables = set_numbers(), outcomes(play_of(NEVER_RIDE)) & 15, *class_tables()
    for number in range(3):
        kernel.deal(np.ones(1, np.uint64), state, decks, *tables, cards, hands)
        if cards[0].tolist() != faces_of(deck(1, number)[:5]):
            raise InvariantBroken("compiled code that was kept is older than letitride: delete its __pycache__ folders")
