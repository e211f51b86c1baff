"""The container files: what they start exists, what they set is a setting, and nothing secret is written in them."""

from __future__ import annotations

import ipaddress
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import yaml

from letitride.cli.main import COMMANDS
from letitride.server.ops.settings import PREFIX, Settings, resolve
from letitride.server.runtime.hosts import Hosts

ROOT = Path(__file__).parent.parent.parent
KEYS = set(msgspec.structs.asdict(Settings()))


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return found


def dockerfile() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with what follows it."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines if line]


def said(instruction: str) -> list[str]:
    return [rest for name, rest in dockerfile() if name == instruction]


def environment(rest: str) -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in rest.split())


def test_the_image_serves_as_a_user_without_rights_and_keeps_its_data_in_a_volume() -> None:
    assert [["letitride"], ["serve"]] == [json.loads(said("ENTRYPOINT")[0]), json.loads(said("CMD")[0])]
    assert "serve" in COMMANDS
    assert ["letitride"] == said("USER")
    assert "useradd --system --create-home --uid 10001 letitride" in said("RUN")[2]
    found = environment(said("ENV")[0])
    ours = {name: value for name, value in found.items() if name.startswith(PREFIX)}
    assert {name.removeprefix(PREFIX).lower() for name in ours} <= KEYS
    settings = resolve({}, ours).settings
    assert (said("VOLUME")[0], int(said("EXPOSE")[0]), False) == (settings.data_dir, settings.port, settings.browser)
    assert f":{settings.port}/readyz" in said("HEALTHCHECK")[0]


def test_what_the_image_copies_is_there_and_not_left_out() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"}
    copied = {name for rest in said("COPY") if not rest.startswith("--from") for name in rest.split()[:-1]}
    assert copied <= kept
    assert all((ROOT / name).exists() for name in kept)


def test_every_server_of_the_compose_file_has_settings_that_are_settings() -> None:
    services = compose()["services"]
    servers = {name: one for name, one in services.items() if name not in {"postgres", "proxy"}}
    assert 2 == len(servers)
    assert services["postgres"]["image"].startswith("postgres:17")
    proxy = services["proxy"]["networks"]["front"]["ipv4_address"]
    for name, one in servers.items():
        assert one["command"][0] in COMMANDS
        assert {"condition": "service_healthy"} == one["depends_on"]["postgres"]
        environ = {key: filled(str(value)) for key, value in one["environment"].items()}
        assert {key.removeprefix(PREFIX).lower() for key in environ} <= KEYS
        settings = resolve({}, environ).settings
        assert settings.db == "postgresql://letitride:x@postgres:5432/letitride"
        assert (f"https://{name}.localhost", ("https://localhost",)) == (settings.address, settings.origins)
        assert ((proxy,), True) == (settings.trusted_proxies, settings.secure_cookies)
        hosts = Hosts.of("0.0.0.0", (settings.address, *settings.origins), settings.host_names)  # noqa: S104 - as the image
        assert all(map(hosts.knows, ("localhost", f"{name}.localhost", "127.0.0.1:8765")))
        assert [f"{name}:{said('VOLUME')[0]}", "key:/key"] == one["volumes"]
        assert Path("/key") == Path(settings.deck_key).parent  # one key for all servers of a house
        assert "--owner letitride --mode 0700 /data /key" in said("RUN")[2]
        assert int(one["stop_grace_period"].removesuffix("s")) > 10  # a server stops within ten seconds
    named = {volume.split(":")[0] for one in services.values() for volume in one["volumes"] if volume[0] != "."}
    assert named == compose()["volumes"].keys()


def filled(value: str) -> str:
    """Return a value as it is with nothing set but what has to be."""
    return re.sub(r"\$\{[^}:]*(?::-([^}]*)|:\?[^}]*)\}", lambda found: "x" if found[1] is None else found[1], value)


def test_the_proxy_alone_is_reached_from_outside_and_leads_to_every_server_by_its_name() -> None:
    services, networks = compose()["services"], compose()["networks"]
    assert {"proxy"} == {name for name, one in services.items() if one.get("ports")}
    assert {"80:80", "443:443"} == set(services["proxy"]["ports"])
    assert ["back"] == services["postgres"]["networks"]
    ways_out = {name for name, one in networks.items() if not (one or {}).get("internal")}
    assert {"proxy"} == {name for name, one in services.items() if ways_out & set(one["networks"])}
    subnet = ipaddress.ip_network(networks["front"]["ipam"]["config"][0]["subnet"])
    assert ipaddress.ip_address(services["proxy"]["networks"]["front"]["ipv4_address"]) in subnet
    caddy = re.sub(r"#.*", "", (ROOT / "Caddyfile").read_text(encoding="utf-8"))
    port = said("EXPOSE")[0]
    sites = {
        found[1]: found[2].split()
        for found in re.finditer(r"^(\S+) \{\n\treverse_proxy ([^{\n]*)", caddy, re.MULTILINE)
    }
    name = "{$LETITRIDE_NAME:localhost}"
    assert sites == {
        name: [f"one:{port}", f"two:{port}"],
        f"one.{name}": [f"one:{port}"],
        f"two.{name}": [f"two:{port}"],
    }
    assert f"Host {name}" in caddy  # its own look at the servers is under a name they know
    assert caddy.count("{") == caddy.count("}")
    plain = re.search(r"^(http://.*) \{\n((?:\t.*\n)+)", caddy, re.MULTILINE)
    assert plain is not None
    assert {f"http://{one}" for one in sites} == set(plain[1].split(", "))
    assert "\t@page not path /api/*\n\tredir @page https://" in plain[2]
    assert " 403\n" in plain[2]


def test_every_image_is_named_by_its_digest() -> None:
    images = [one["image"] for one in compose()["services"].values() if "build" not in one]
    images += [rest.split(" AS ")[0] for rest in said("FROM")]
    assert 4 == len(images)
    assert [] == [one for one in images if not re.fullmatch(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}", one)]


def test_no_service_writes_its_own_files_gains_a_right_or_takes_the_whole_machine() -> None:
    for name, one in compose()["services"].items():
        assert one["read_only"], name
        assert ["ALL"] == one["cap_drop"], name
        assert (["NET_BIND_SERVICE"] if name == "proxy" else []) == one.get("cap_add", []), name
        assert ["no-new-privileges:true"] == one["security_opt"], name
        assert {"mem_limit", "cpus", "pids_limit"} <= one.keys(), name
        assert any(place.startswith("/tmp:") for place in one["tmpfs"]), name  # noqa: S108 - of a container
        assert not one.get("privileged"), name
    assert "postgres" == compose()["services"]["postgres"]["user"]


def test_no_password_is_written_down() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert all(value.startswith("${") for value in re.findall(r"PASSWORD: (\S+)", text))
