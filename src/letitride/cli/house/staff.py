"""The `staff` commands: accounts with staff roles, on a running server or in its database."""

from __future__ import annotations

import asyncio
import getpass
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, TypeVar, cast

import msgspec
import typer

from letitride.cli.house.remote import DbOption, Remote, ServerOption
from letitride.cli.io.output import Json, print_json, print_lines, print_table
from letitride.cli.io.stores import changing
from letitride.cli.io.times import clock_ms
from letitride.errors import InvalidData
from letitride.rules.roles import ACCOUNT_ROLES, AccountRole
from letitride.rules.words import one_of
from letitride.server.people.accounts import People, Person, StaffMember
from letitride.server.people.factor_sign_in import FactorSignIn
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store

app = typer.Typer(no_args_is_help=True, help="Manage staff accounts and their roles.")
T = TypeVar("T")
WHO = "command line"

Name = Annotated[str, typer.Argument(help="The name of the account.", metavar="NAME")]
Roles = Annotated[
    list[str] | None, typer.Option("--role", help=f"{', '.join(ACCOUNT_ROLES[1:])}; may be repeated.", metavar="ROLE")
]


@app.command("list")
def list_staff(db: DbOption = None, server: ServerOption = None, as_json: Json = False) -> None:
    """List the staff accounts."""
    if db is not None:
        stores = open_store(db, read_only=True)
        try:
            found = _in_stores(stores, lambda people: _now([people.member(one) for one in people.staff()]))
        finally:
            stores.close()
    else:
        remote = Remote(server)
        remote.sign_in()
        found = msgspec.convert(remote.ask("GET", "/api/staff"), list[StaffMember])
    if as_json:
        print_json(found)
    elif found:
        rows = [(one.name, _titles(one.roles), _standing(one)) for one in found]
        print_table(["name", "roles", "status"], rows)
    else:
        print_lines("There are no staff accounts yet. Create one: letitride staff add NAME --role administrator")


@app.command("add")
def add(name: Name, role: Roles = None, db: DbOption = None, server: ServerOption = None) -> None:
    """Create a staff account.

    The password is asked for, or read from standard input.
    """
    roles = _roles(role)
    if not roles:
        raise InvalidData("expected a role after --role, got none")
    remote = None if db is not None else Remote(server)
    if remote is not None:
        remote.sign_in()
    password = _password()
    if remote is not None:
        remote.ask("POST", "/api/staff", {"name": name, "password": password, "roles": list(roles)})
    else:
        _write(cast("str", db), lambda people: people.register(name, password, _all(roles)), "hire")
    print_lines(f"Created the account {name}: {_titles(roles)}.")


@app.command("set")
def change(  # noqa: PLR0917 - the options of a command
    name: Name,
    role: Roles = None,
    disabled: Annotated[
        bool | None, typer.Option("--disable/--enable", help="Disable the account, or enable it again.")
    ] = None,
    unlock: Annotated[
        bool, typer.Option("--unlock", help="End all waits after wrong passwords, for everyone.")
    ] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Set a new password: asked for, or read from standard input.")
    ] = False,
    why: Annotated[str, typer.Option("--reason", help="The reason, for the record.")] = "",
    db: DbOption = None,
    server: ServerOption = None,
    as_json: Json = False,
) -> None:
    """Change the roles, password or status of an account.

    All sessions of the account end. The last administrator cannot be removed. If no administrator can sign in, stop the
    server and use --db.
    """
    roles = _roles(role)
    if not (roles or unlock or password) and disabled is None:
        raise InvalidData("expected --role, --disable, --enable, --unlock or --password, got none of them")
    if db is not None:
        if unlock:
            raise InvalidData(
                "expected --unlock for a running server, got --db: waits are kept by the server, not in the database"
            )
        wanted, new = _all(roles) if roles else None, _password() if password else None
        changed = _write(
            db,
            lambda people: people.set_roles(name, wanted, disabled=disabled, new_password=new, who=WHO, why=why),
        )
    else:
        remote = Remote(server)
        remote.sign_in()
        body = {"roles": list(roles) or None, "disabled": disabled, "unlock": unlock, "why": why}
        new = _password() if password else None
        answer = remote.ask("PATCH", f"/api/staff/{name}", {**body, "new_password": new})
        changed = msgspec.convert(answer, StaffMember)
    if as_json:
        print_json(changed)
    else:
        print_lines(f"Changed the account {name}.")


@app.command("reset-factor")
def reset_factor(
    name: Name,
    why: Annotated[str, typer.Option("--reason", help="The reason, for the record.")] = "",
    db: DbOption = None,
    server: ServerOption = None,
    as_json: Json = False,
) -> None:
    """Reset the second factor of an account, as when the phone is lost.

    All sessions of the account end, and the password alone signs in. If no administrator can sign in, stop
    the server and use --db.
    """
    if db is not None:
        changed = _write(db, lambda people: FactorSignIn(people, clock_ms).reset(name, who=WHO, why=why)).name
    else:
        remote = Remote(server)
        remote.sign_in()
        remote.ask("DELETE", f"/api/people/{name}/factors", query={"why": why})
        changed = name
    if as_json:
        print_json({"name": changed, "second_factor": False})
    else:
        print_lines(f"Reset the second factor of {changed}.")


@app.command("verify")
def verify(
    name: Name,
    reference: Annotated[str, typer.Option("--reference", help="Your customer number for the person.")],
    why: Annotated[str, typer.Option("--reason", help="How you verified them, for the record.")],
    server: ServerOption = None,
) -> None:
    """Verify whose account it is.

    Where players must be verified, a person may play with one account only.
    """
    remote = Remote(server)
    remote.sign_in()
    remote.ask("POST", f"/api/people/{name}/verification", {"reference": reference, "why": why})
    print_lines(f"Verified the account {name}.")


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
    password = getpass.getpass("Password for the account: ")
    if getpass.getpass("Repeat the password: ") != password:
        raise InvalidData("expected the same password twice, got two different ones")
    return password


def _titles(roles: Iterable[str]) -> str:
    """Return roles as they are called: 'dealer, casino supervisor'."""
    return ", ".join(role.replace("_", " ") for role in roles)


def _standing(one: StaffMember) -> str:
    signs = (("disabled", one.disabled), ("locked", one.locked), ("second factor", one.second_factor))
    return ", ".join(word for word, so in signs if so)


async def _now(value: T) -> T:
    return value


def _in_stores(stores: Stores, act: Callable[[People], Awaitable[T]]) -> T:
    """Act on the accounts of a store."""
    committer = Committer(stores.journal)
    try:
        people = People(stores.documents, stores.wallets, stores.audit, committer, clock_ms)

        async def done() -> T:
            return await act(people)

        return asyncio.run(done())
    finally:
        committer.close()


def _write(db: str, act: Callable[[People], Awaitable[Person]], what: str = "") -> StaffMember:
    """Change the accounts of a database, on record: the act writes its own entry, or one is added under a name."""
    with changing(db) as stores:

        async def done(people: People) -> tuple[Person, StaffMember]:
            person = await act(people)
            return person, people.member(person)

        person, member = _in_stores(stores, done)
        if what:
            stores.audit.add(clock_ms(), WHO, what, f"{person.name}: {', '.join(person.roles)}")
        return member
