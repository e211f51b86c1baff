"""The `staff` commands: who works in a house, at a running server or in its database."""

from __future__ import annotations

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar, cast

import msgspec
import typer

from letitride.cli.house.remote import DbOption, Remote, ServerOption
from letitride.cli.io.output import Json, print_json, print_lines, print_table
from letitride.cli.io.stores import changing, clock_ms
from letitride.errors import InvalidData
from letitride.rules.roles import ACCOUNT_ROLES, AccountRole
from letitride.rules.words import one_of
from letitride.server.people.accounts import People, Person, StaffMember
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

app = typer.Typer(no_args_is_help=True, help="Staff: the people who run a house, and what they may do.")
T = TypeVar("T")
WHO = "command line"

Name = Annotated[str, typer.Argument(help="The name of an account.", metavar="NAME")]
Roles = Annotated[
    list[str] | None, typer.Option("--role", help=f"{', '.join(ACCOUNT_ROLES[1:])}; may be repeated.", metavar="ROLE")
]


@app.command("list")
def list_staff(db: DbOption = None, server: ServerOption = None, as_json: Json = False) -> None:
    """List everybody who works in a house."""
    if db is not None:
        stores = open_store(db, read_only=True)
        try:
            found = _in_stores(stores, lambda people: _now([people.member(one) for one in people.staff()]))
        finally:
            stores.close()
    else:
        remote = Remote(server)
        remote.log_in()
        found = msgspec.convert(remote.ask("GET", "/api/staff"), list[StaffMember])
    if as_json:
        print_json(found)
    elif found:
        rows = [(one.name, ", ".join(one.roles), _standing(one)) for one in found]
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
        _write(cast("str", db), lambda people: people.register(name, password, _all(roles)), "hire")
    print_lines(f"{name} is {', '.join(roles)}")


@app.command("set")
def change(  # noqa: PLR0917 - the options of a command
    name: Name,
    role: Roles = None,
    disabled: Annotated[
        bool | None, typer.Option("--disable/--enable", help="Shut the account, or open it again.")
    ] = None,
    unlock: Annotated[bool, typer.Option("--unlock", help="Let everybody try passwords again at once.")] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Give a new password: it is asked for, or read from standard input.")
    ] = False,
    why: Annotated[str, typer.Option("--why", help="For the record.")] = "",
    db: DbOption = None,
    server: ServerOption = None,
    as_json: Json = False,
) -> None:
    """Give somebody other roles or a new password, shut or open the account; the last administrator stays.

    All their sessions end. An administrator who cannot sign in changes the database of a stopped server, with --db.
    """
    roles = _roles(role)
    if not (roles or unlock or password) and disabled is None:
        raise InvalidData("expected --role, --disable, --enable, --unlock or --password, got none of them")
    if db is not None:
        if unlock:
            raise InvalidData("expected --unlock for a server that runs, got --db: how long to wait is in no database")
        wanted, new = _all(roles) if roles else None, _password() if password else None
        changed = _write(
            db,
            lambda people: people.set_roles(name, wanted, disabled=disabled, new_password=new, who=WHO, why=why),
        )
    else:
        remote = Remote(server)
        remote.log_in()
        body = {"roles": list(roles) or None, "disabled": disabled, "unlock": unlock, "why": why}
        new = _password() if password else None
        answer = remote.ask("PATCH", f"/api/staff/{name}", {**body, "new_password": new})
        changed = msgspec.convert(answer, StaffMember)
    if as_json:
        print_json(changed)
    else:
        print_lines(f"{name} is changed")


@app.command("verify")
def verify(
    name: Name,
    reference: Annotated[str, typer.Option("--reference", help="Your customer number for this person.")],
    why: Annotated[str, typer.Option("--why", help="How you checked, for the record.")],
    server: ServerOption = None,
) -> None:
    """Say to whom an account belongs; one person has one account that may play where players are verified."""
    remote = Remote(server)
    remote.log_in()
    remote.ask("POST", f"/api/people/{name}/verification", {"reference": reference, "why": why})
    print_lines(f"{name} is verified")


def _roles(given: list[str] | None) -> tuple[AccountRole, ...]:
    for role in given or []:
        if role not in ACCOUNT_ROLES:
            raise InvalidData(f"expected {one_of(ACCOUNT_ROLES[1:])} after --role, got '{role}'")
    return tuple(cast("AccountRole", role) for role in given or [])


def _all(roles: tuple[AccountRole, ...]) -> tuple[AccountRole, ...]:
    return tuple(dict.fromkeys(("player", *roles)))


def _password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass("Password of the account: ")
    if getpass.getpass("Once more: ") != password:
        raise InvalidData("expected the same password twice, got two different ones")
    return password


def _standing(one: StaffMember) -> str:
    return ", ".join(word for word, so in (("disabled", one.disabled), ("locked", one.locked)) if so)


async def _now(value: T) -> T:
    return value


def _in_stores(stores: Stores, act: Callable[[People], Awaitable[T]]) -> T:
    """Do something with the people of a store."""
    committer = Committer(stores.journal)
    try:
        people = People(stores.documents, stores.wallets, stores.audit, committer, clock_ms)

        async def done() -> T:
            return await act(people)

        return asyncio.run(done())
    finally:
        committer.close()


def _write(db: str, act: Callable[[People], Awaitable[Person]], what: str = "") -> StaffMember:
    """Change the people of a database, on record: by the act itself, or as what it is called."""
    with changing(db) as stores:

        async def done(people: People) -> tuple[Person, StaffMember]:
            person = await act(people)
            return person, people.member(person)

        person, member = _in_stores(stores, done)
        if what:
            stores.audit.add(clock_ms(), WHO, what, f"{person.name}: {', '.join(person.roles)}")
        return member
