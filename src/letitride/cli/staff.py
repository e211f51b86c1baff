"""The `staff` commands: who works in a house, at a running server or in its database."""

from __future__ import annotations

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar, cast

import typer

from letitride.cli.output import Json, print_json, print_lines, print_table
from letitride.cli.remote import DbOption, Remote, ServerOption
from letitride.cli.stores import clock_ms, open_for_change
from letitride.errors import InvalidData
from letitride.rules.words import one_of
from letitride.server.committer import Committer
from letitride.server.people import ROLES, People, Person, Role
from letitride.storage.store import Store
from letitride.storage.urls import open_store

app = typer.Typer(no_args_is_help=True, help="Staff: the people who run a house, and what they may do.")
T = TypeVar("T")

Name = Annotated[str, typer.Argument(help="The name of an account.", metavar="NAME")]
Roles = Annotated[
    list[str] | None, typer.Option("--role", help=f"{', '.join(ROLES[1:])}; may be repeated.", metavar="ROLE")
]


@app.command("list")
def list_staff(db: DbOption = None, server: ServerOption = None, as_json: Json = False) -> None:
    """List everybody who works in a house."""
    if db is not None:
        store = open_store(db, read_only=True)
        try:
            found = _in_store(store, lambda people: _now([_plain(one) for one in people.staff()]))
        finally:
            store.close()
    else:
        remote = Remote(server)
        remote.log_in()
        found = remote.ask("GET", "/api/staff")
    if as_json:
        print_json(found)
    elif found:
        rows = [(one["name"], ", ".join(one["roles"]), "disabled" if one["disabled"] else "") for one in found]
        print_table(["name", "roles", ""], rows)
    else:
        print_lines("nobody works here yet: 'letitride staff add NAME --role administrator'")


@app.command("add")
def add(name: Name, role: Roles = None, db: DbOption = None, server: ServerOption = None) -> None:
    """Make an account with roles; its password is asked for, or read from standard input."""
    roles = _roles(role)
    if not roles:
        raise InvalidData("expected a role after --role, got none")
    remote = None if db is not None else Remote(server)
    if remote is not None:
        remote.log_in()
    password = _password()
    if remote is not None:
        remote.ask("POST", "/api/staff", {"name": name, "password": password, "roles": list(roles)})
    else:
        _write(cast("str", db), lambda people: people.register(name, password, _all(roles)), "hire", name)
    print_lines(f"{name} is {', '.join(roles)}")


@app.command("set")
def change(
    name: Name,
    role: Roles = None,
    disabled: Annotated[
        bool | None, typer.Option("--disable/--enable", help="Shut the account, or open it again.")
    ] = None,
    db: DbOption = None,
    server: ServerOption = None,
) -> None:
    """Give somebody other roles, or shut his account; the last administrator stays."""
    roles = _roles(role)
    if not roles and disabled is None:
        raise InvalidData("expected --role, --disable or --enable, got none of them")
    if db is not None:
        wanted = _all(roles) if roles else None
        _write(db, lambda people: people.set_roles(name, wanted, disabled=disabled), "change staff", name)
    else:
        remote = Remote(server)
        remote.log_in()
        body = {"roles": list(roles) or None, "disabled": disabled}
        remote.ask("PATCH", f"/api/staff/{name}", body)
    print_lines(f"{name} is changed")


def _roles(given: list[str] | None) -> tuple[Role, ...]:
    for role in given or []:
        if role not in ROLES:
            raise InvalidData(f"expected {one_of(ROLES[1:])} after --role, got '{role}'")
    return tuple(cast("Role", role) for role in given or [])


def _all(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    return tuple(dict.fromkeys(("player", *roles)))


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password of the account: ")
    if getpass.getpass("Once more: ") != password:
        raise InvalidData("expected the same password twice, got two different ones")
    return password


def _plain(person: Person) -> dict[str, Any]:
    return {"name": person.name, "roles": list(person.roles), "disabled": person.disabled}


async def _now(value: T) -> T:
    return value


def _in_store(store: Store, act: Callable[[People], Awaitable[T]]) -> T:
    """Do something with the people of a store."""
    committer = Committer(store)
    try:
        people = People(store, committer, clock_ms)

        async def done() -> T:
            return await act(people)

        return asyncio.run(done())
    finally:
        committer.close()


def _write(db: str, act: Callable[[People], Awaitable[Person]], what: str, name: str) -> None:
    """Change the people of a database, on record."""
    store = open_for_change(db)
    try:
        person = _in_store(store, act)
        shut = " (disabled)" if person.disabled else ""
        store.audit(clock_ms(), "command line", what, f"{name}: {', '.join(person.roles)}{shut}")
    finally:
        store.close()
