"""Roles: one module says who may do what, and everything that decides or publishes it reads that module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from letitride.rules import roles
from letitride.rules.keys.deck import Deck
from letitride.rules.roles import ACCOUNT_ROLES, HOUSE, OVERSEES, ROLES, STAFF, SUPERVISORS, may

SOURCE = Path(roles.__file__).parent.parent


def test_a_role_outranks_those_below_it_and_the_inspector_stands_beside_the_house() -> None:
    assert ("dealer", "floor", "games_supervisor", "casino_supervisor", "operator") == HOUSE
    for place, role in enumerate(HOUSE):
        assert [may(role, least) for least in HOUSE] == [place >= other for other in range(len(HOUSE))]
    assert not any(may("inspector", least) or may(least, "inspector") for least in STAFF)
    assert not any(may(by, "dealer") for by in ("seat:1", "spectator", "machine", "player", ""))


def test_every_role_of_a_table_is_held_by_an_account_that_exists() -> None:
    assert all(ROLES[role].account in ACCOUNT_ROLES for role in STAFF)
    assert {"floor", "games_supervisor", "casino_supervisor", "operator"} == OVERSEES
    assert ("floor", "casino_supervisor", "administrator") == SUPERVISORS
    assert ("dealer", "floor", "inspector", "spectator") == roles.VIEWERS
    assert set(Deck().count_ordered_by) <= set(STAFF)


@pytest.mark.parametrize(("kind", "players"), [("device_jam", False), ("absent", False), ("hand_count", True)])
def test_players_report_what_they_can_see(kind: str, players: bool) -> None:
    assert (*STAFF, *(("player",) if players else ())) == roles.reporters(kind)


def test_no_other_module_lists_the_roles() -> None:
    """A key of the rule book may list some roles as its values; a list of four or more is a copy."""
    named = re.compile(
        rf'"({"|".join((*STAFF, "administrator"))})",\s*' * 3 + rf'"({"|".join((*STAFF, "administrator"))})"'
    )
    found = [
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if path.name != "roles.py" and named.search(path.read_text(encoding="utf-8"))
    ]
    assert ["rules/keys/deck.py"] == found  # who may order a count, where a book does not say
