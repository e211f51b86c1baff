"""Docs reference: the pages of the site that the code writes itself: Python, commands, HTTP, the socket's messages."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from inspect import isclass, isfunction, ismodule, unwrap
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = ("letitride", "letitride.client", "letitride.journal", "letitride.rl")
"""What is public: what each exports is described."""


def pages(root: Path) -> dict[str, str]:
    """Return every generated page by its name in the site."""
    found = {f"reference/{name}.md": python(name) for name in PACKAGES}
    found["reference/commands.md"] = commands()
    found["reference/http.md"] = http()
    schema = json.loads((root / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))
    found["reference/messages.md"] = messages(schema)
    return found


def python(name: str) -> str:
    """Return the page of a package: all it exports, by autodoc."""
    module = importlib.import_module(name)
    homes: dict[str, str] = getattr(module, "_HOMES", {})
    own = [one for one, value in vars(module).items() if getattr(value, "__module__", None) == name and one[0] != "_"]
    groups: dict[str, list[str]] = {"Functions": [], "Types": [], "Values": [], "Modules": []}
    for one in sorted(getattr(module, "__all__", own), key=str.lower):
        value = unwrap(getattr(module, one))
        home = homes.get(one, name)
        if ismodule(value):
            groups["Modules"].append(directive("automodule", value.__name__, "members"))
        elif isclass(value):
            groups["Types"].append(directive("autoclass", f"{name}.{one}", "members"))
        elif isfunction(value):
            groups["Functions"].append(directive("autofunction", f"{name}.{one}"))
        elif one != "__version__":
            groups["Values"].append(directive("autodata", f"{home}.{one}", "no-value"))
    parts = (f"## {kind}\n\n{''.join(listed)}" for kind, listed in groups.items() if listed)
    return f"# `{name}`\n\n{directive('automodule', name)}" + "".join(parts)


def directive(kind: str, name: str, option: str = "") -> str:
    """Return the directive by which Sphinx describes one name."""
    return f"```{{eval-rst}}\n.. {kind}:: {name}\n" + (f"   :{option}:\n" if option else "") + "```\n\n"


def commands() -> str:
    """Return the page of the command line, by Typer's own generator."""
    import typer  # noqa: PLC0415 - only this page needs it
    from typer.cli import get_docs_for_click  # noqa: PLC0415 - as typer

    from letitride.cli import main  # noqa: PLC0415 - it imports every command

    for name in main.COMMANDS:
        main.add(name)
    group: Any = typer.main.get_command(main.app)
    untruncated(group)
    told = get_docs_for_click(obj=group, ctx=typer.Context(group), name="letitride", title="Every command")
    return told.replace("```console", "```text")


def untruncated(group: Any) -> None:
    """Have lists of commands say each first sentence whole."""
    for one in getattr(group, "commands", {}).values():
        one.short_help = (one.help or one.short_help or "").strip().partition("\n")[0]
        untruncated(one)


def http() -> str:
    """Return the page of the interface over HTTP, from its description."""
    from letitride.server.app import create  # noqa: PLC0415 - it imports the server
    from letitride.server.tables.house import House  # noqa: PLC0415 - as the server
    from letitride.storage.memory.opening import memory_stores  # noqa: PLC0415 - as the server

    described = create(House(memory_stores(), node="docs"), demo=False).openapi()
    groups: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            groups.setdefault(one.get("tags", ["other"])[0], []).append(call(method.upper(), path, one))
    text = "# The HTTP interface\n\nEvery request of a house, from its own description (`/openapi.json`).\n\n"
    text += "".join(f"## {tag}\n\n{''.join(calls)}" for tag, calls in groups.items())
    return text + "## Models\n\n" + models("http", described["components"]["schemas"])


def call(method: str, path: str, one: Mapping[str, Any]) -> str:
    """Return the section of one request."""
    rows = [
        (f"`{given['name']}`", f"{given['in']}: {kind('http', given.get('schema', {}))}")
        for given in one.get("parameters", ())
    ]
    if "requestBody" in one:
        rows.append(("body", content("http", one["requestBody"])))
    rows += [
        (status, content("http", answer) or line(answer.get("description", "")))
        for status, answer in one["responses"].items()
    ]
    return f"### `{method} {path}`\n\n{one.get('description') or one.get('summary', '')}\n\n{table(rows)}\n"


def content(page: str, holder: Mapping[str, Any]) -> str:
    """Return what a body or an answer holds."""
    kinds = holder.get("content", {})
    return ", ".join(
        kind(page, one["schema"]) if name == "application/json" and one.get("schema") else f"`{name}`"
        for name, one in kinds.items()
    )


def messages(schema: Mapping[str, Any]) -> str:
    """Return the page of the socket's messages, from their schema."""
    text = "# The messages of a table's socket\n\nEvery message and every part of one, from the JSON Schema of "
    text += "[the protocol](../protocol.md).\n\n"
    return text + models("messages", schema["$defs"])


def models(page: str, schemas: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a section for each model."""
    return "".join(model(page, name, one) for name, one in sorted(schemas.items()))


def model(page: str, name: str, one: Mapping[str, Any]) -> str:
    """Return the section of one model."""
    needed = set(one.get("required", ()))
    rows = [
        (
            f"`{field}`" + ("" if field in needed else ", optional"),
            f"{kind(page, given)} {line(given.get('description', ''))}".strip(),
        )
        for field, given in one.get("properties", {}).items()
    ]
    about = one.get("description", "")
    whole = "" if rows else kind(page, {key: value for key, value in one.items() if key != "description"})
    return f"({anchor(page, name)})=\n### `{name}`\n\n{about}\n\n{whole}\n\n{table(rows)}\n"


def anchor(page: str, name: str) -> str:
    """Return where a model stands on its page."""
    return f"{page}-{name}".lower()


def table(rows: list[tuple[str, str]]) -> str:
    """Return rows as a table, or nothing."""
    return "| | |\n|---|---|\n" + "".join(f"| {one} | {told} |\n" for one, told in rows) if rows else ""


def line(text: str) -> str:
    """Return a text as one cell of a table takes it."""
    return " ".join(text.split()).replace("|", "\\|")


def kind(page: str, schema: Mapping[str, Any]) -> str:
    """Return a type in a few words, with links to the models it names."""
    return " or ".join(dict.fromkeys(kinds(page, schema)))


def kinds(page: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield f"[{name}](#{anchor(page, name)})"
    elif parts := next((schema[key] for key in ("anyOf", "oneOf", "allOf") if key in schema), ()):
        for part in parts:
            yield from kinds(page, part)
    elif "enum" in schema or "const" in schema:
        yield from (f"`{json.dumps(value)}`" for value in schema.get("enum") or [schema["const"]])
    elif schema.get("type") == "array":
        yield f"list of {kind(page, schema['items'])}" if schema.get("items") else "list"
    elif isinstance(more := schema.get("additionalProperties"), dict):
        yield f"by name {kind(page, more)}"
    else:
        yield str(schema.get("type", "anything"))
