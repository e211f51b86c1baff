"""API docs: the interface as a page to read, made from its own description; no script, and nothing from elsewhere.

A page of this origin acts with the session of its reader: what is shown here never comes from another's server.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from html import escape
from typing import Any, Final

import msgspec

STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code{font-family:ui-monospace,monospace}h3{margin:2rem 0 .25rem}"
    "h3 code,summary code{overflow-wrap:anywhere}table{border-collapse:collapse}"
    "td,th{text-align:left;vertical-align:top;padding:.125rem 1rem .125rem 0}:root{color-scheme:light dark}"
)
POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_BY_PARTS: Final = ("anyOf", "oneOf", "allOf")


class ApiDescription:
    """The description of an application, for people and for programs, made once: it takes longer than any answer."""

    def __init__(self, openapi: Callable[[], Mapping[str, Any]]) -> None:
        self._openapi, self._making = openapi, asyncio.Lock()
        self._made: tuple[bytes, bytes] | None = None

    async def forms(self) -> tuple[bytes, bytes]:
        """Return the description as HTML and as JSON."""
        async with self._making:
            if self._made is None:
                self._made = await asyncio.to_thread(self._make)
            return self._made

    def _make(self) -> tuple[bytes, bytes]:
        described = self._openapi()
        return page(described).encode(), msgspec.json.encode(described)


def page(described: Mapping[str, Any]) -> str:
    """Return a description by OpenAPI as HTML."""
    calls: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            calls.setdefault(one.get("tags", ["other"])[0], []).append(_call(method.upper(), path, one))
    models = described.get("components", {}).get("schemas", {})
    title = escape(described["info"]["title"])
    links = "".join(f"<li><a href='#{_place(tag)}'>{escape(tag)}</a></li>" for tag in calls)
    parts = "".join(f"<h2 id='{_place(tag)}'>{escape(tag)}</h2>{''.join(told)}" for tag, told in calls.items())
    named = "".join(_model(name, one) for name, one in sorted(models.items()))
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}: interface</title>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<style>{STYLE}</style></head><body><main><h1>{title} {escape(described['info']['version'])}</h1>"
        "<p>Requests and answers over HTTP; the same for programs: <a href='/openapi.json'>/openapi.json</a>.</p>"
        f"<ul>{links}<li><a href='#models'>models</a></li></ul>{parts}<h2 id='models'>models</h2>{named}"
        "</main></body></html>"
    )


def _place(tag: str) -> str:
    return escape(f"about-{tag.replace(' ', '-')}")


def _call(method: str, path: str, one: Mapping[str, Any]) -> str:
    said = one.get("description") or one.get("summary", "")
    rows = [
        (f"<code>{escape(given['name'])}</code>", f"{escape(given['in'])}, {_type(given.get('schema', {}))}")
        for given in one.get("parameters", ())
    ]
    rows += [("body", _content(one["requestBody"]))] if "requestBody" in one else []
    rows += [
        (escape(status), _content(answer) or escape(answer.get("description", "")))
        for status, answer in one.get("responses", {}).items()
    ]
    return f"<h3><code>{method} {escape(path)}</code></h3><p>{escape(said)}</p>{_table(rows)}"


def _content(holder: Mapping[str, Any]) -> str:
    kinds = holder.get("content", {})
    return ", ".join(
        _type(one["schema"]) if one.get("schema") and kind == "application/json" else escape(kind)
        for kind, one in kinds.items()
    )


def _model(name: str, one: Mapping[str, Any]) -> str:
    needed = set(one.get("required", ()))
    rows = [
        (
            f"<code>{escape(field)}</code>{'' if field in needed else ', optional'}",
            f"{_type(kind)} {escape(kind.get('description', ''))}",
        )
        for field, kind in one.get("properties", {}).items()
    ]
    about = escape(one.get("description", "")) or ("" if rows else _type(one))
    return f"<h3 id='{escape(name)}'><code>{escape(name)}</code></h3><p>{about}</p>{_table(rows)}"


def _table(rows: list[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><td>{name}</td><td>{told}</td></tr>" for name, told in rows) + "</table>"


def _type(schema: Mapping[str, Any]) -> str:
    """Return a type in a few words, with links to the models it names."""
    return " or ".join(dict.fromkeys(_types(schema)))


def _types(schema: Mapping[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        yield f"<a href='#{name}'>{name}</a>"
    elif parts := next((schema[key] for key in _BY_PARTS if key in schema), ()):
        for part in parts:
            yield from _types(part)
    elif "enum" in schema or "const" in schema:
        yield from (f"<code>{escape(str(value))}</code>" for value in schema.get("enum") or [schema["const"]])
    elif schema.get("type") == "array":
        yield f"list of {_type(schema.get('items', {}))}"
    elif isinstance(more := schema.get("additionalProperties"), dict):
        yield f"by name {_type(more)}"
    else:
        yield escape(str(schema.get("type", "anything")))
