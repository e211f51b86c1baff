"""Settings: how a server is run, from flags, the environment, a file or our defaults; every value knows its origin."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta
from platformdirs import user_data_path

from letitride.errors import InvalidData
from letitride.rules.catalog import read_toml_file
from letitride.rules.roles import AccountRole
from letitride.rules.words import did_you_mean, one_of

PREFIX: Final = "LETITRIDE_"
CONFIG_FILE: Final = "letitride.toml"
"""The file that is read from the data folder unless another is named."""
HIDDEN: Final = "(hidden)"
SECRETS: Final = frozenset({"metrics_token", "oidc_client_secret"})

Seconds = Annotated[float, Meta(ge=0, le=600, description="seconds from 0 to 600")]
Minutes = Annotated[int, Meta(ge=1, le=720, description="minutes from 1 to 720")]
Address = Annotated[str, Meta(pattern=r"^(https?://[^\s/]+)?\Z", description="an address like 'https://cards.example'")]
Issuer = Annotated[
    str, Meta(pattern=r"^(https?://[^\s?#]+)?\Z", description="the address of a provider like 'https://id.example'")
]
Origin = Annotated[str, Meta(pattern=r"^https?://[^\s/]+\Z", description="an origin like 'https://cards.example'")]
HostName = Annotated[str, Meta(pattern=r"^[^\s/:]+\Z", description="a name like 'cards.example', without a port")]
InternalAddress = Annotated[
    str,
    Meta(
        pattern=r"^(([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?)?\Z",
        description="a host that other servers reach, like 'one' or 'one:8766'",
    ),
]
Text = Annotated[str, Meta(max_length=4_096, pattern=r"^[^\x00-\x1f]*\Z", description="a text on one line")]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server is run. A key is a flag (--log-level), a variable (LETITRIDE_LOG_LEVEL) or a line of a TOML file."""

    host: Annotated[str, Meta(pattern=r"^[^\s/]+\Z", description="an address to listen at, like '127.0.0.1'")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Meta(ge=0, le=65_535, description="a port from 0 to 65535")] = 8765
    data_dir: Text = ""
    """Where the database, backups and the configuration are; a folder of the user's own by default."""
    db: Text = ""
    """A SQLite file or postgresql://…; house.db in the data folder by default."""
    unsafe_database: bool = False
    """Whether a house opens on a database that says it can lose what it confirms."""
    deck_key: Text = ""
    """The file of the key that seals decks in the database; house.key in the data folder by default. All servers of a
    house have the same one."""
    address: Address = ""
    """Where clients and other nodes reach this one; what it listens at by default."""
    internal_address: InternalAddress = ""
    """Where other servers of the house reach this one, past every proxy; on this machine alone by default."""
    workers: Annotated[int, Meta(ge=0, le=256, description="a number of workers from 0 to 256")] = 0
    """How many processes share the port and the tables; 0: one for each core but one on PostgreSQL, one on SQLite."""
    demo: bool = True
    """Whether a demo table is opened for each rule book where there is no table at all."""
    bots: Annotated[int, Meta(ge=0, le=7, description="a number of bots from 0 to 7")] = 0
    """How many bots sit at each demo table."""
    pace: Seconds = 0.6
    """How long the automatic dealer takes over a step."""
    pace_bets: Seconds = 15.0
    """How long bets are taken after the first."""
    pace_decision: Seconds = 30.0
    """How long a player may think."""
    seat_minutes: Minutes = 5
    """How long the seat of a player who is not connected is kept; then they leave with their chips."""
    names_in_lobby: Literal["everybody", "players", "none"] = "players"
    """Whom the lobby tells who sits at a table: everybody, people with a session, or none at all."""
    host_names: tuple[HostName, ...] = ()
    """Names by which people reach this server, besides its address and localhost; requests to others are refused."""
    origins: tuple[Origin, ...] = ()
    """Pages of other origins that may use this server; its own always may."""
    secure_cookies: bool = False
    """Whether cookies go over https only, whatever a request came by."""
    trusted_proxies: tuple[Text, ...] = ()
    """Addresses of proxies whose word about a client's address and protocol is taken."""
    players: Literal["everybody", "accounts", "verified"] = "everybody"
    """Who may play: everybody, also as a guest; people with an account; people whose account the house has verified."""
    idle_minutes: Minutes = 60
    """After how long without activity a person is signed out; guests are not."""
    staff_idle_minutes: Minutes = 30
    """The same for those with a role."""
    password_again_minutes: Minutes = 10
    """How long after giving the password an administrator moves money and gives roles without giving it again."""
    staff_passwords: bool = True
    """Whether those with a role sign in with a password; if not, at the provider alone."""
    oidc_issuer: Issuer = ""
    """The OpenID Connect provider where people sign in, by the issuer it calls itself; none by default."""
    oidc_client_id: Text = ""
    """What this house is called at the provider."""
    oidc_client_secret: Text = ""
    """Its password there."""
    oidc_client_secret_file: Text = ""
    """A file with that password, instead."""
    oidc_name: Text = ""
    """What the page calls the provider: 'Sign in with …'."""
    oidc_scopes: tuple[Text, ...] = ("profile",)
    """What the provider is asked to tell, besides who it is."""
    oidc_roles_claim: Text = "groups"
    """The claim of the ID token that says to which groups a person belongs."""
    oidc_roles: dict[str, AccountRole] = {}
    """The role that each of these groups has here, given at each sign-in; without any, the house gives roles itself."""
    oidc_new_accounts: Literal["none", "players", "everybody"] = "players"
    """Who gets an account when they first come from the provider: none, people without a role, or staff too."""
    second_factor_roles: tuple[Literal["staff", AccountRole], ...] = ()
    """Roles that no one has without a second factor; staff: all but player."""
    session_addresses: bool = True
    """Whether the list of a person's sessions says from which addresses they signed in."""
    ceilings: dict[str, Annotated[int, Meta(ge=0, description="a whole number of 0 or more")]] = {}
    """How much money each role moves by its word, such as floor_alone_cents; more needs a second person."""
    approval_minutes: Minutes = 30
    """How long a request waits for a second person."""
    staff_play: bool = False
    """Whether those with a role play in this house."""
    time_zone: Text = "UTC"
    """The house's time zone, by its name: America/Los_Angeles. Gaming days and months go by it."""
    gaming_day_hour: Annotated[int, Meta(ge=0, le=23, description="an hour from 0 to 23")] = 6
    """The hour at which a gaming day begins there."""
    chips_cents: tuple[Annotated[int, Meta(ge=1, description="an amount in cents")], ...] = ()
    """The denominations of the chip trays; $1, $5, $25, $100, $500 and $1,000 where none are stated."""
    rates: dict[str, Annotated[float, Meta(ge=0, description="a number of 0 or more")]] = {}
    """Rate limits that differ from ours: how many a minute, by name."""
    budgets: dict[str, Annotated[float, Meta(ge=0, description="a number of 0 or more")]] = {}
    """Budgets of bytes, frames, time and connections that differ from ours, by name."""
    limits: dict[str, Annotated[int, Meta(ge=0, description="a whole number of 0 or more")]] = {}
    """What holds for every player, such as loss_day_cents; a player's own limits and a table's may be stricter."""
    cashier: Text = ""
    """Where wallets' money comes from and goes to, as package.module:factory; play chips where there is none."""
    lease_ms: Annotated[int, Meta(ge=500, le=60_000, description="milliseconds from 500 to 60000")] = 3_000
    """How long the tables of a server that died wait before another of the house takes them."""
    metrics_token: Text = ""
    """What a scraper of /metrics sends as its bearer token; without one only this machine may ask."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    browser: bool = True
    """Whether a browser is opened where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSetting:
    """A setting in force, and where it came from."""

    value: object
    origin: str = field(metadata={"alias": "from"})


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in force, and where each came from."""

    settings: Settings
    origins: dict[str, str]

    @property
    def folder(self) -> Path:
        """The data folder."""
        return Path(self.settings.data_dir)

    def shown(self) -> dict[str, ShownSetting]:
        """Return every value with its origin, secrets hidden."""
        values = msgspec.to_builtins(self.settings)
        return {key: ShownSetting(value=_shown(key, values[key]), origin=self.origins[key]) for key in values}


_FIELDS: Final = {one.name: one for one in msgspec.structs.fields(Settings)}


def resolve(
    flags: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None, config: str | None = None
) -> Resolved:
    """Return the settings in force: flags before variables before the file before defaults."""
    values: dict[str, Any] = {}  # a reader: `_typed` makes each value the type of its setting
    origins = dict.fromkeys(_FIELDS, "default")

    def take(key: str, value: Any, where: str, *, text: bool = False) -> None:
        values[key] = _typed(key, value, where, text=text)
        origins[key] = where

    stated = {key: value for key, value in (flags or {}).items() if value is not None}
    named = {key: f"{PREFIX}{key.upper()}" for key in _FIELDS}
    variables = {key: environ[name] for key, name in named.items() if environ and environ.get(name, "") != ""}
    # The folder is settled first: the file may lie in it.
    if "data_dir" in stated:
        folder = str(stated["data_dir"])
    else:
        folder = variables.get("data_dir", "") or str(user_data_path("letitride"))
    path = _config_path(config, environ or {}, Path(folder))
    for key, value in (_read(path) if path else {}).items():
        take(key, value, f"{path}:{key}")
    for key, value in variables.items():
        take(key, value, named[key], text=True)
    for key, value in stated.items():
        take(key, value, f"--{key.replace('_', '-')}")
    values["data_dir"] = values.get("data_dir") or folder
    values["db"] = values.get("db") or str(Path(values["data_dir"]) / "house.db")
    values["deck_key"] = values.get("deck_key") or str(Path(values["data_dir"]) / "house.key")
    return Resolved(settings=Settings(**values), origins=origins)


def hide_password(url: str) -> str:
    """Return the address of a database without its password."""
    if "://" not in url:
        return url
    try:
        password = urlsplit(url).password
    except ValueError:
        return HIDDEN
    if password:
        url = url.replace(f":{password}@", ":***@", 1)
    return re.sub(r"(?i)(password=)[^&]*", r"\1***", url)


def _config_path(config: str | None, environ: Mapping[str, str], folder: Path) -> Path | None:
    if config:
        return Path(config)
    if named := environ.get(f"{PREFIX}CONFIG"):
        return Path(named)
    usual = folder / CONFIG_FILE
    return usual if usual.is_file() else None


def _read(path: Path) -> dict[str, Any]:  # a TOML reader
    data = read_toml_file(path, "a TOML file of settings")
    for key in data:
        if key not in _FIELDS:
            raise InvalidData(f"{path}: expected a setting, got the unknown key '{key}'{did_you_mean(key, _FIELDS)}")
    return data


def _typed(key: str, value: Any, where: str, *, text: bool) -> Any:
    kind = _FIELDS[key].type
    if text:
        value = _split(kind, value)
    try:
        return msgspec.convert(value, kind, strict=not text)
    except msgspec.ValidationError:
        shown = HIDDEN if key in SECRETS else repr(hide_password(str(value)))
        raise InvalidData(f"expected {_expected(kind)} for {key}, got {shown} from {where}") from None


def _split(kind: Any, text: str) -> Any:
    """Return what a variable says in the form a file would have it: lists by commas, tables as NAME=VALUE."""
    outer = get_origin(kind)
    if outer is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if outer is dict:
        pairs = [part.rpartition("=") for part in text.split(",") if part.strip()]
        return {name.strip(): value.strip() for name, _, value in pairs}
    return text


def _expected(kind: Any) -> str:
    outer = get_origin(kind)
    if outer is Annotated:
        return next(one.description for one in get_args(kind)[1:] if isinstance(one, Meta) and one.description)
    if outer is tuple:
        return f"a list, each {_expected(get_args(kind)[0])},"
    if outer is dict:
        return f"names, each with {_expected(get_args(kind)[1])},"
    return one_of(get_args(kind)) if outer is Literal else "true or false"


def _shown(key: str, value: Any) -> Any:
    if key in SECRETS and value:
        return HIDDEN
    return hide_password(value) if key == "db" else value
