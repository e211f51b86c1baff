"""Roles: one module says who may do what, and everything that decides or publishes it reads that module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from letitride.engine.commands import Report
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.rules import catalog, roles
from letitride.rules.keys.deck import Deck
from letitride.rules.roles import ACCOUNT_ROLES, HOUSE, OVERSEES, ROLES, STAFF, SUPERVISORS, may
from letitride.rules.rulings import REPORTED

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


HELD = {
    "dealer": ("dealer", "dealer"),
    "floor": ("floor", "floor"),
    "games_supervisor": ("floor", "floor"),
    "casino_supervisor": ("casino_supervisor", "floor"),
    "operator": ("administrator", "floor"),
    "inspector": ("inspector", "inspector"),
}
"""By the role at a table: the account that takes it, and whose view it has."""


def test_each_role_is_held_by_one_kind_of_account_and_has_one_view() -> None:
    assert {role: (ROLES[role].account, roles.view_of(role)) for role in STAFF} == HELD
    assert [roles.view_of(viewer) for viewer in roles.VIEWERS] == list(roles.VIEWERS)
    assert roles.view_of("seat:3") == "seat:3"
    assert [roles.spoken(role) for role in STAFF] == [
        "dealer",
        "floor",
        "games supervisor",
        "casino supervisor",
        "operator",
        "inspector",
    ]


def test_every_table_has_those_roles_that_an_account_is_named_after() -> None:
    assert all(roles.view_of(role) for role in roles.EVERYWHERE)
    assert set(roles.EVERYWHERE) == {"dealer", "floor", "casino_supervisor", "inspector"}
    assert not {"games_supervisor", "operator"} & set(roles.EVERYWHERE)  # there where a book names them


def test_accounts_read_manage_and_audit_as_the_house_gave_them_to() -> None:
    assert {
        account: [
            name
            for name, group in (
                ("staff", roles.STAFF_ACCOUNTS),
                ("supervises", SUPERVISORS),
                ("reviews", roles.REVIEWERS),
                ("manages", roles.MANAGERS),
                ("audits", roles.AUDITORS),
            )
            if account in group
        ]
        for account in ACCOUNT_ROLES
    } == {
        "player": [],
        "dealer": ["staff"],
        "floor": ["staff", "supervises", "reviews"],
        "casino_supervisor": ["staff", "supervises", "reviews", "manages"],
        "inspector": ["staff", "reviews", "audits"],
        "administrator": ["staff", "supervises", "reviews", "manages", "audits"],
    }
    named = {*roles.STAFF_ACCOUNTS, *SUPERVISORS, *roles.REVIEWERS, *roles.MANAGERS, *roles.AUDITORS}
    assert named <= set(ACCOUNT_ROLES)
    assert roles.view_of(roles.MANAGERS[0]) == "floor"


def test_of_several_roles_the_one_that_sees_most_shows_past_rounds() -> None:
    assert list(roles.ACCOUNT_VIEWS.items()) == [
        ("inspector", "inspector"),
        ("floor", "floor"),
        ("casino_supervisor", "floor"),
        ("dealer", "dealer"),
        ("administrator", "inspector"),
    ]
    assert all(roles.view_of(view) == view for view in roles.ACCOUNT_VIEWS.values())


def test_a_second_cut_takes_a_casino_supervisor_and_other_orders_the_supervisor_of_the_book() -> None:
    assert roles.least_to_order("recut", "floor") == "casino_supervisor"
    assert roles.least_to_order("refuse_bet", "games_supervisor") == "games_supervisor"
    assert [role for role in STAFF if may(role, roles.least_to_order("recut", "floor"))] == [
        "casino_supervisor",
        "operator",
    ]


def test_the_device_reports_about_itself_alone() -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    not_its_own = set()
    for kind in REPORTED:
        _, answer = play(table, Report(by="machine", kind=kind))
        if isinstance(answer, Refusal) and answer.code == "not_your_role":
            not_its_own.add(kind)
    assert set(REPORTED) - not_its_own == {"device_miscount", "device_jam", "device_failure"}


@pytest.mark.parametrize(
    ("kind", "players"),
    [
        ("device_miscount", False),
        ("device_jam", False),
        ("device_failure", False),
        ("absent", False),
        ("hand_count", True),
        ("deck", True),
    ],
)
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
