"""The container files: what they start exists, what they set is a setting, and nothing secret is written in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import yaml

from letitride.cli.main import COMMANDS
from letitride.server.ops.settings import PREFIX, Settings, resolve

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
    assert "useradd --system --create-home --uid 10001 letitride" in said("RUN")[1]
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
    servers = {name: one for name, one in services.items() if name != "postgres"}
    assert 2 == len(servers)
    assert services["postgres"]["image"].startswith("postgres:17")
    addresses = set()
    for name, one in servers.items():
        assert one["command"][0] in COMMANDS
        assert {"condition": "service_healthy"} == one["depends_on"]["postgres"]
        environ = {key: re.sub(r"\$\{[^}]*\}", "x", str(value)) for key, value in one["environment"].items()}
        assert {key.removeprefix(PREFIX).lower() for key in environ} <= KEYS
        settings = resolve({}, environ).settings
        assert settings.db == "postgresql://letitride:x@postgres:5432/letitride"
        (published,) = one["ports"]
        assert settings.address == f"http://localhost:{published.split(':')[0]}"
        assert published.endswith(f":{int(said('EXPOSE')[0])}")
        assert [f"{name}:{said('VOLUME')[0]}"] == one["volumes"]
        assert int(one["stop_grace_period"].removesuffix("s")) > 10  # a server stops within ten seconds
        addresses.add(settings.address)
    assert 2 == len(addresses)
    assert {volume.split(":")[0] for one in services.values() for volume in one["volumes"]} == compose()[
        "volumes"
    ].keys()


def test_no_password_is_written_down() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert all(value.startswith("${") for value in re.findall(r"PASSWORD: (\S+)", text))
