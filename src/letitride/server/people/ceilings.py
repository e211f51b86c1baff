"""Ceilings: how much money each role moves by its word, alone and as the second person; it moves none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.roles import APPROVERS, CEILINGS, AccountRole, Ceiling, MoneyAct, spoken
from letitride.rules.words import did_you_mean

NAMES: Final = {f"{role}_{what}_cents": (role, what) for role in CEILINGS for what in Ceiling._fields}
"""How settings name them: floor_alone_cents, floor_approves_cents."""


class Ceilings:
    """What each role of an account may do with money."""

    def __init__(self, stated: Mapping[str, int] | None = None) -> None:
        self._of = dict(CEILINGS)
        for name, cents in (stated or {}).items():
            if name not in NAMES:
                raise InvalidData(f"expected a ceiling like floor_alone_cents, got '{name}'{did_you_mean(name, NAMES)}")
            role, what = NAMES[name]
            self._of[role] = self._of[role]._replace(**{what: cents})

    def alone(self, roles: Iterable[str]) -> int:
        """Return how much a person with some roles moves without a second person, in a day's acts of one kind."""
        return max((self._of[role].alone for role in CEILINGS if role in roles), default=0)

    def approves(self, act: MoneyAct, roles: Iterable[str]) -> int:
        """Return up to which amount a person with some roles may approve an act."""
        return max((self._of[role].approves for role in APPROVERS[act] if role in roles), default=0)

    def most(self, act: MoneyAct) -> int:
        """Return the largest amount that anybody may approve."""
        return self.approves(act, CEILINGS)

    def least_approver(self, act: MoneyAct, cents: int) -> AccountRole:
        """Return the first role that may approve an amount, by rank."""
        return next(role for role in APPROVERS[act] if self._of[role].approves >= cents)

    def words(self, act: MoneyAct, cents: int) -> str:
        """Return who may approve an amount, as it is said: 'floor or a higher role'."""
        return spoken(self.least_approver(act, cents))
