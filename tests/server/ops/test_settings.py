"""Settings: flags before variables before the file before defaults, each with its origin, refused in a sentence."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import msgspec
import pytest

from letitride.cli.house.serve import serve
from letitride.errors import InvalidData
from letitride.server.ops.settings import Settings, hide_password, resolve
from letitride.server.people.bounds import Bounds
from letitride.server.running import address_of, listen, make_house
from letitride.server.runtime.metrics import Metrics
from letitride.server.runtime.rates import Rate
from letitride.server.tables.house import House
from letitride.storage.memory.opening import memory_stores
from tests.server.cashiers import Bank

ROOT = Path(__file__).parents[3]


def test_flags_come_before_variables_before_the_file_before_defaults(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('port = 1\nbots = 1\npace = 1\nlog_level = "info"\n', encoding="utf-8")
    environ = {"LETITRIDE_PORT": "2", "LETITRIDE_BOTS": "2", "LETITRIDE_DATA_DIR": str(tmp_path)}
    found = resolve({"port": 3, "host": None}, environ, str(file))
    one = found.settings
    assert (3, 2, 1.0, "info", "127.0.0.1") == (one.port, one.bots, one.pace, one.log_level, one.host)
    assert ["--port", "LETITRIDE_BOTS", f"{file}:pace", "default"] == [
        found.origins[key] for key in ("port", "bots", "pace", "host")
    ]
    assert str(tmp_path / "house.db") == one.db


@pytest.mark.parametrize("how", ["flag", "variable", "folder"])
def test_the_file_is_named_or_lies_in_the_data_folder(tmp_path: Path, how: str) -> None:
    name = "letitride.toml" if how == "folder" else "other.toml"
    (tmp_path / name).write_text("bots = 4\n", encoding="utf-8")
    environ = {"LETITRIDE_DATA_DIR": str(tmp_path)}
    if how == "variable":
        environ["LETITRIDE_CONFIG"] = str(tmp_path / name)
    assert 4 == resolve({}, environ, str(tmp_path / name) if how == "flag" else None).settings.bots


def test_every_key_can_be_a_variable(tmp_path: Path) -> None:
    said: dict[str, tuple[str, Any]] = {
        "host": ("::1", "::1"),
        "port": ("0", 0),
        "data_dir": (str(tmp_path), str(tmp_path)),
        "deck_key": (str(tmp_path / "k"), str(tmp_path / "k")),
        "db": ("memory:", "memory:"),
        "workers": ("3", 3),
        "internal_address": ("one:8766", "one:8766"),
        "address": ("https://cards.example", "https://cards.example"),
        "demo": ("false", False),
        "bots": ("7", 7),
        "pace": ("0", 0.0),
        "pace_bets": ("2.5", 2.5),
        "pace_decision": ("600", 600.0),
        "seat_minutes": ("3", 3),
        "unsafe_database": ("true", True),
        "names_in_lobby": ("none", "none"),
        "host_names": ("cards.example, cardbox", ("cards.example", "cardbox")),
        "origins": ("https://a.example, http://b.example:80", ("https://a.example", "http://b.example:80")),
        "secure_cookies": ("1", True),
        "trusted_proxies": ("10.0.0.1,10.0.0.2", ("10.0.0.1", "10.0.0.2")),
        "players": ("verified", "verified"),
        "idle_minutes": ("20", 20),
        "staff_idle_minutes": ("10", 10),
        "password_again_minutes": ("5", 5),
        "second_factor_roles": ("floor, staff", ("floor", "staff")),
        "session_addresses": ("false", False),
        "staff_passwords": ("false", False),
        "oidc_issuer": ("https://id.example/floor", "https://id.example/floor"),
        "oidc_client_id": ("house", "house"),
        "oidc_client_secret": ("hush too", "hush too"),
        "oidc_client_secret_file": ("/run/secrets/oidc", "/run/secrets/oidc"),
        "oidc_name": ("Acme", "Acme"),
        "oidc_scopes": ("profile, groups", ("profile", "groups")),
        "oidc_roles_claim": ("roles", "roles"),
        "oidc_roles": ("CN=Pit=floor, Boxes=dealer", {"CN=Pit": "floor", "Boxes": "dealer"}),
        "oidc_new_accounts": ("everybody", "everybody"),
        "ceilings": ("floor_alone_cents=500", {"floor_alone_cents": 500}),
        "approval_minutes": ("5", 5),
        "staff_play": ("1", True),
        "time_zone": ("America/Los_Angeles", "America/Los_Angeles"),
        "gaming_day_hour": ("4", 4),
        "chips_cents": ("100,500", (100, 500)),
        "rates": ("logins=5, guests=0.5", {"logins": 5.0, "guests": 0.5}),
        "budgets": ("headers_max=50", {"headers_max": 50.0}),
        "limits": ("loss_day_cents=5000", {"loss_day_cents": 5000}),
        "cashier": ("tests.server.cashiers:make", "tests.server.cashiers:make"),
        "lease_ms": ("900", 900),
        "metrics_token": ("hush", "hush"),
        "log_level": ("error", "error"),
        "browser": ("0", False),
    }
    assert set(said) == set(msgspec.structs.asdict(Settings()))
    environ = {f"LETITRIDE_{key.upper()}": text for key, (text, _) in said.items()}
    found = resolve({}, environ)
    assert {key: value for key, (_, value) in said.items()} == msgspec.structs.asdict(found.settings)
    assert {key: f"LETITRIDE_{key.upper()}" for key in said} == found.origins
    assert "hush" not in str(found.shown())


@pytest.mark.parametrize(
    ("key", "text", "sentence"),
    [
        ("port", "abc", "expected a port from 0 to 65535 for port, got 'abc' from LETITRIDE_PORT"),
        ("pace", "nan", "expected seconds from 0 to 600 for pace, got 'nan' from LETITRIDE_PACE"),
        ("bots", "8", "expected a number of bots from 0 to 7 for bots, got '8' from LETITRIDE_BOTS"),
        ("demo", "perhaps", "expected true or false for demo, got 'perhaps' from LETITRIDE_DEMO"),
        ("address", "cards", "expected an address like 'https://cards.example' for address, got 'cards'"),
        ("origins", "https://a/b", "expected a list, each an origin like 'https://cards.example', for origins, got"),
        ("rates", "x", "expected names, each with a number of 0 or more, for rates, got"),
        (
            "second_factor_roles",
            "boss",
            "expected a list, each one of 'staff', 'player', 'dealer', 'floor', 'casino_supervisor', 'inspector',",
        ),
        ("log_level", "loud", "expected one of 'debug', 'info', 'warning', 'error' for log_level, got 'loud'"),
        ("metrics_token", "a\x07b", "expected a text on one line for metrics_token, got (hidden) from"),
        (
            "oidc_issuer",
            "id.example",
            "expected the address of a provider like 'https://id.example' for oidc_issuer, got",
        ),
        ("oidc_roles", "Pit=boss", "expected names, each with one of 'player', 'dealer', 'floor',"),
        ("oidc_client_secret", "a\x07b", "expected a text on one line for oidc_client_secret, got (hidden) from"),
        ("db", "postgresql://u:pw@h/\n", "expected a text on one line for db, got"),
    ],
)
def test_a_bad_value_is_one_sentence_with_its_key_and_origin(key: str, text: str, sentence: str) -> None:
    with pytest.raises(InvalidData) as refused:
        resolve({}, {f"LETITRIDE_{key.upper()}": text})
    assert str(refused.value).startswith(sentence)
    assert "pw" not in str(refused.value)
    assert "a\x07b" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "expected a setting, got the unknown key 'prot'; did you mean 'port'?"),
        ("port = '1'", "expected a port from 0 to 65535 for port, got '1' from"),
        ("port = ", "expected valid TOML, got an error"),
        ("pace = true", "expected seconds from 0 to 600 for pace, got 'True' from"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "letitride.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidData) as refused:
        resolve({}, {"LETITRIDE_DATA_DIR": str(tmp_path)})
    assert sentence in str(refused.value)
    assert "letitride.toml" in str(refused.value)


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidData, match=r"expected a TOML file of settings, got '.*none.toml', which does not exist"):
        resolve({}, {}, str(tmp_path / "none.toml"))
    with pytest.raises(InvalidData, match=r"expected a TOML file of settings, got"):
        resolve({}, {}, str(tmp_path))


def test_passwords_of_databases_are_hidden() -> None:
    assert "postgresql://me:***@db/x" == hide_password("postgresql://me:secret@db/x")
    assert "postgresql://db/x?user=me&password=***&a=b" == hide_password("postgresql://db/x?user=me&password=s&a=b")
    assert "(hidden)" == hide_password("postgresql://me:s@[db/x")
    assert "house.db" == hide_password("house.db")


@pytest.mark.parametrize(
    ("host", "address", "expected"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:{port}"),
        ("0.0.0.0", "", "http://127.0.0.1:{port}"),  # noqa: S104 - what is printed for it
        ("127.0.0.1", "https://cards.example", "https://cards.example"),
    ],
)
def test_the_address_is_one_that_people_can_open(host: str, address: str, expected: str) -> None:
    settings = Settings(host=host, port=0, address=address)
    with listen(settings) as listening:
        assert expected.format(port=listening.getsockname()[1]) == address_of(listening, settings)


def test_a_house_is_made_as_the_settings_say() -> None:
    settings = Settings(
        pace=0.1,
        pace_bets=2,
        pace_decision=3,
        seat_minutes=2,
        names_in_lobby="none",
        origins=("https://cards.example",),
        trusted_proxies=("10.0.0.1",),
        secure_cookies=True,
        rates={"logins_from": 15.0},
        budgets={"headers_max": 50.0, "header_seconds": 2.5},
        limits={"loss_day_cents": 5_000},
        cashier="tests.server.cashiers:Bank",
    )
    house: House = make_house(settings, memory_stores(), "http://here")
    try:
        assert (0.1, 2, 3, "http://here") == (house.pace.step, house.pace.bets, house.pace.choice, house.nodes.address)
        assert 120 == house.pace.leaves
        assert ("none", 0) == (house.names_in_lobby, house.bots_asked_max)
        assert house.secure_cookies
        assert ({"https://cards.example"}, {"10.0.0.1"}) == (house.origins, house.trusted_proxies)
        assert Rate(15, 15.0) == house.rates.logins_from
        assert (50, 2.5) == (house.budgets.headers_max, house.budgets.header_seconds)
        assert Bounds(loss_day_cents=5_000) == house.limits.house
        assert isinstance(house.wallets.cashier, Bank)
    finally:
        house.committer.close()


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ({"rates": {"logins": 5.0}}, "expected a rate above 0 of .*, got logins = 5.0"),
        ({"budgets": {"headers": 5.0}}, "expected a budget above 0 of .*, got headers = 5"),
        ({"budgets": {"headers_max": 0.5}}, "expected a budget above 0 of .*, got headers_max = 0.5"),
        ({"limits": {"loss_cents": 5}}, "expected limits of .*, got loss_cents"),
        ({"cashier": "nowhere:at_all"}, "expected a cashier like 'package.module:factory', got 'nowhere:at_all'"),
    ],
)
def test_what_no_house_has_is_refused_in_a_sentence(bad: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData, match=sentence):
        make_house(Settings(**bad), memory_stores(), "http://here")


def test_bots_come_as_many_as_are_wished() -> None:
    house = make_house(Settings(bots=2), memory_stores(), "http://here")
    house.committer.close()
    assert house.bots == 2


def test_every_setting_and_every_metric_is_documented_and_every_flag_is_a_setting() -> None:
    docs = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    for key in msgspec.structs.asdict(Settings()):
        assert f"`{key}`" in docs, key
    for family in Metrics().registry.collect():
        assert family.name in docs, family.name
    flags = set(inspect.signature(serve).parameters) - {"config", "show_settings", "as_json"}
    assert flags <= set(msgspec.structs.asdict(Settings()))
    without = {line.split("|")[1].strip().strip("`") for line in docs.splitlines() if "(no flag)" in line}
    assert set(msgspec.structs.asdict(Settings())) == flags | without
