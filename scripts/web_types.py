"""Web types: writes the types of the web client from the server's own description of what it says and hears.

HTTP is described by OpenAPI, the WebSocket by the structs of `server/net/wire.py` and `server/tables/messages.py`, the
roles by `letitride.rules.roles`, the published wagers by `letitride.rules.wager_table`, the English of steps, lines
and rule keys by their own modules. The files are kept in the
repository, since who builds a wheel need not be able to start the server; a test holds that they are current.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from letitride.engine.steps import KINDS
from letitride.records.account_names import KIND_NAMES
from letitride.records.lines import ANNOUNCED, LINES, SIGNALS
from letitride.rules import catalog, roles
from letitride.rules.keyspec import KEYS, TERMS, KeySpec
from letitride.rules.table_names import SPECIALS
from letitride.rules.wager_table import BASE, PUBLISHED
from letitride.server.app import create
from letitride.server.net import wire
from letitride.server.tables import messages
from letitride.server.tables.house import House
from letitride.server.tables.stored_shuffles import LOST, VOID_REASONS
from letitride.storage.memory.opening import memory_stores

GENERATED = Path(__file__).resolve().parent.parent / "web" / "src" / "generated"
TARGET = GENERATED / "api.ts"
ROLES_TARGET = GENERATED / "roles.ts"
WAGERS_TARGET = GENERATED / "wagers.ts"
ENGINE_TARGET = GENERATED / "engine.json"
KEPT_TARGET = GENERATED / "kept.ts"
METHODS = ("get", "post", "put", "patch", "delete")
PRIMITIVES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
HEAD = """// Made by scripts/web_types.py from the server's description; 'make fix' writes it anew. Not to be edited.
"""


def text() -> str:
    """Return the types as TypeScript."""
    described = create(House(memory_stores(), node="types"), demo=False).openapi()
    incoming, incoming_parts = msgspec.json.schema_components([wire.Incoming], ref_template="#/{name}")
    outgoing, outgoing_parts = msgspec.json.schema_components([messages.Outgoing], ref_template="#/{name}")
    parts = [
        HEAD,
        "// Over the WebSocket",
        *_named({**incoming_parts, **outgoing_parts}),
        f"export type Incoming = {_type(incoming[0])};",
        f"export type Outgoing = {_type(outgoing[0])};",
        "\n// Over HTTP",
        "export namespace Http {",
        *(f"  {line}" for one in _named(described["components"]["schemas"]) for line in one.splitlines()),
        "}",
        "\n// Every address: what it takes, and what it answers",
        "export interface Addresses {",
        *_addresses(described["paths"]),
        "}",
        "",
    ]
    return "\n".join(parts)


def roles_text() -> str:
    """Return the roles that the page shows things to, as TypeScript constants of `letitride.rules.roles`."""
    lists = {
        "SUPERVISORS": roles.SUPERVISORS,
        "REVIEWERS": roles.REVIEWERS,
        "MANAGERS": roles.MANAGERS,
        "AUDITORS": roles.AUDITORS,
        "OVERSEES": roles.OVERSEES,
    }
    order = dict.fromkeys((*roles.ACCOUNT_ROLES, *roles.STAFF))
    made = [
        f"export const {name}: readonly string[] = {json.dumps([role for role in order if role in listed])};"
        for name, listed in lists.items()
    ]
    staff = f"export const STAFF_ACCOUNTS = {json.dumps(roles.STAFF_ACCOUNTS)} as const;"
    return "\n".join((HEAD, staff, *made, ""))


def wagers_text() -> str:
    """Return what the published wagers are called, and the spots of the base game, as TypeScript constants."""
    titles = {wager.id: wager.title for wager in PUBLISHED.values()}
    marks = dict(zip(BASE.spots, BASE.label.split(), strict=True))
    made = (
        f"export const BASE = {json.dumps(BASE.id)};",
        f"export const BASE_MARKS: Readonly<Record<string, string>> = {json.dumps(marks)};",
        f"export const TITLES: Readonly<Record<string, string>> = {json.dumps(titles)};",
    )
    return "\n".join((HEAD, *made, ""))


def kept_text() -> str:
    """Return the codes of what the server keeps as English text, by that text, as TypeScript constants."""
    books = {book: catalog.rulebook(book).name for book in catalog.rulebook_ids()}
    lists = {"VOID_REASONS": VOID_REASONS, "SPECIALS": SPECIALS, "BOOK_NAMES": books}
    by_text = {name: {text: code for code, text in texts.items()} for name, texts in lists.items()}
    made = [
        f"export const {name}: Readonly<Record<string, string>> = {json.dumps(by)};" for name, by in by_text.items()
    ]
    return "\n".join((HEAD, f"export const LOST = {json.dumps(LOST)};", *made, ""))


def engine_text() -> str:
    """Return what Python says in English with a code beside it, by the keys under which other languages word it."""
    found = {f"step.{name}": kind.text for name, kind in KINDS.items()}
    families = (
        *(("past", LINES), ("signal", SIGNALS), ("announced", ANNOUNCED), ("account.kind", KIND_NAMES)),
        *(("void", VOID_REASONS), ("special", SPECIALS)),
    )
    found |= {f"{family}.{code}": text for family, texts in families for code, text in texts.items()}
    for book in map(catalog.rulebook, catalog.rulebook_ids()):
        found |= {f"book.{book.id}": book.title, f"bookname.{book.id}": book.name}
    found |= {f"paytable.{one}": catalog.paytable(one).title for one in catalog.paytable_ids()}
    found |= {f"about.{wager.id}": wager.about for wager in PUBLISHED.values() if wager is not BASE}
    found |= {f"no.{code}": code for code in get_args(messages.ErrorCode) if code != "shuffle_share"}
    for spec in (one for one in KEYS.values() if not one.wager):
        found |= _of_key("rule", spec)
    for spec in TERMS:
        found |= _of_key("term", spec)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _of_key(family: str, spec: KeySpec) -> dict[str, str]:
    meanings = {f"{family}value.{spec.name}.{value}": text for value, text in spec.meanings.items()}
    return {f"{family}key.{spec.name}": spec.doc, **meanings}


def _named(schemas: dict[str, Any]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        if words := " ".join((schema.get("description") or "").split()):
            yield f"/** {words} */"
        if schema.get("type") == "object" and "properties" in schema:
            yield f"export interface {_plain(name)} {_type(schema)}"
        else:
            yield f"export type {_plain(name)} = {_type(schema)};"


def _addresses(paths: dict[str, Any]) -> Iterator[str]:
    for path, methods in sorted(paths.items()):
        for method in METHODS:
            if method in methods:
                about = methods[method]
                body = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                good = next((one for status, one in about["responses"].items() if status.startswith("2")), {})
                answer = good.get("content", {}).get("application/json", {}).get("schema")
                takes = _type(body, "Http.") if body else "undefined"
                gives = _type(answer, "Http.") if answer else "undefined"
                yield f'  "{method.upper()} {path}": {{ takes: {takes}; gives: {gives} }};'


def _type(schema: dict[str, Any], within: str = "") -> str:
    """Return a JSON schema as a type; what is not said can be anything."""
    if "$ref" in schema:
        return within + _plain(schema["$ref"].rpartition("/")[2])
    for many in ("anyOf", "oneOf"):
        if many in schema:
            return " | ".join(dict.fromkeys(_type(one, within) for one in schema[many]))
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(one).decode() for one in schema["enum"])
    match schema.get("type"):
        case "array":
            return _array(schema, within)
        case "object":
            return _object(schema, within)
        case str(kind):
            return PRIMITIVES[kind]
        case list(kinds):
            return " | ".join(PRIMITIVES[kind] for kind in kinds)
        case _:
            return "unknown"


def _array(schema: dict[str, Any], within: str) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(one, within) for one in schema['prefixItems'])}]"
    items = _type(schema.get("items") or {}, within)
    return f"({items})[]" if "|" in items else f"{items}[]"


def _object(schema: dict[str, Any], within: str) -> str:
    if "properties" not in schema:
        more = schema.get("additionalProperties")
        names = schema.get("propertyNames", {})
        values = _type(more, within) if isinstance(more, dict) else "unknown"
        return f"Partial<Record<{_type(names)}, {values}>>" if "enum" in names else f"Record<string, {values}>"
    needed = set(schema.get("required", ()))
    fields = (
        f"{_field(name)}{'' if name in needed or 'const' in one else '?'}: {_type(one, within)}"
        for name, one in schema["properties"].items()
    )
    return f"{{ {'; '.join(fields)} }}"


def _field(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f'"{name}"'


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name.rpartition(".")[2])


if __name__ == "__main__":
    GENERATED.mkdir(parents=True, exist_ok=True)
    files = {
        TARGET: text(),
        ROLES_TARGET: roles_text(),
        WAGERS_TARGET: wagers_text(),
        ENGINE_TARGET: engine_text(),
        KEPT_TARGET: kept_text(),
    }
    for target, made in files.items():
        if not target.is_file() or target.read_text(encoding="utf-8") != made:
            target.write_text(made, encoding="utf-8")
            print(f"written: {target.name}", file=sys.stderr)
