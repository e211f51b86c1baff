"""The documentation site: it builds without a warning, leads nowhere that is not there, and is served by its policy."""

from __future__ import annotations

import asyncio
import os
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import httpx
import pytest
import typer

import letitride
from letitride.cli import main
from letitride.server.app import create
from letitride.server.net.site import WITHOUT, Site
from letitride.server.tables.house import House
from letitride.storage.memory.opening import memory_stores

ROOT = Path(__file__).parent.parent.parent
NAMED = re.compile(r'<[^<>]*? (?:href|src)="([^"]*)"')
PLACES = re.compile(r' id="([^"]*)"')


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}


def astray(pages: dict[Path, str]) -> Iterator[str]:
    """Yield each link of some pages that leads nowhere, with the page it is on."""
    places = {path: set(PLACES.findall(text)) for path, text in pages.items()}
    for path, text in pages.items():
        for link in sorted({unescape(one) for one in NAMED.findall(text)}):
            parts = urlsplit(link)
            if parts.scheme:
                if parts.scheme not in {"https", "data"} or (parts.scheme == "https" and "." not in parts.netloc):
                    yield f"{path.name}: {link}"
                continue
            target = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            known = target in places or target.is_file()
            fragment = unquote(parts.fragment)
            if not known or (fragment and target in places and fragment not in places[target]):
                yield f"{path.name}: {link}"


@pytest.mark.slow
def test_every_link_of_the_site_leads_to_a_page_and_a_place_that_are_there(pages: dict[Path, str]) -> None:
    assert len(pages) > 100
    assert [] == list(astray(pages))


def test_a_link_to_no_page_and_one_to_no_place_are_found(tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    two.write_text("", encoding="utf-8")
    text = '<a href="two.html#there"></a><a href="two.html#gone"></a><img src="no.png"><a href="http://x.example"></a>'
    found = list(astray({one: text, two: '<h1 id="there">'}))
    assert ["one.html: http://x.example", "one.html: no.png", "one.html: two.html#gone"] == found


@pytest.mark.slow
def test_nothing_on_the_site_comes_from_elsewhere(site: Path, pages: dict[Path, str]) -> None:
    loaded = re.compile(r"<(?:script|img|iframe|source)[^>]* src=\"(?:https?:)?//|<link[^>]* href=\"(?:https?:)?//")
    assert [] == [path.name for path, text in pages.items() if loaded.search(text)]
    styles = [path for path in site.rglob("*.css") if re.search(r"url\(['\"]?(https?:)?//", path.read_text("utf-8"))]
    assert [] == styles


@pytest.mark.slow
def test_the_reference_has_every_exported_name_every_command_and_every_request(
    pages: dict[Path, str], site: Path
) -> None:
    python = pages[site / "reference" / "letitride.html"]
    values = {name for name in letitride.__all__ if not getattr(getattr(letitride, name), "__module__", None)}
    for name in set(letitride.__all__) - values:
        assert f'id="letitride.{name}"' in python or f'.{name}"' in python, name
    for name in main.COMMANDS:
        main.add(name)
    commands = pages[site / "reference" / "commands.html"]
    for name in typer.main.get_command(main.app).commands:  # type: ignore[attr-defined]  # a group has them
        assert f'id="letitride-{name}"' in commands, name
    http = pages[site / "reference" / "http.html"]
    described = create(House(memory_stores(), node="one"), demo=False).openapi()
    for path in described["paths"]:
        assert path in http, path


@pytest.mark.slow
def test_a_broken_link_fails_the_build_in_a_sentence(docs: ModuleType, tmp_path: Path) -> None:
    staged = tmp_path / "source"
    staged.mkdir()
    for name in ("conf.py", "site.css"):
        (staged / name).write_bytes((ROOT / "docs" / "site" / name).read_bytes())
    (staged / "index.md").write_text("# One\n\n[two](two.md#place)\n", encoding="utf-8")
    with pytest.raises(docs.NotBuilt, match="without a warning") as found:
        docs.build(ROOT, staged, tmp_path / "html")
    assert "two.md" in str(found.value)


def test_links_that_leave_the_folder_of_pages_are_bent_to_where_the_site_has_them(
    docs: ModuleType, tmp_path: Path
) -> None:
    for name, text in {
        "docs/a.md": "[b](adr/b.md#x) [c](../SECURITY.md) [d](../tests/d.round)\n```\n[c](../SECURITY.md)\n```\n",
        "docs/adr/b.md": "[a](../a.md)",
        "SECURITY.md": "[a](docs/a.md) [out](https://x.example)",
        "tests/d.round": "a round",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    pages = ["docs/a.md", "docs/adr/b.md", "SECURITY.md"]
    expected = "[b](adr/b.md#x) [c](project/SECURITY.md) [d](project/tests/d.round.md)\n```\n[c](../SECURITY.md)\n```\n"
    assert expected == docs.bent(tmp_path, "docs/a.md", pages)
    assert docs.bent(tmp_path, "docs/adr/b.md", pages) == "[a](../a.md)"
    assert docs.bent(tmp_path, "SECURITY.md", pages) == "[a](../a.md) [out](https://x.example)"


def asked(site: Site, *paths: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        app = create(House(memory_stores(), node="one"), demo=False)
        app.state.site = site
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


def test_a_server_without_the_site_says_so_in_a_sentence(tmp_path: Path) -> None:
    at, below = asked(Site(tmp_path / "none"), "/docs", "/docs/cli.html")
    assert (307, "/docs/") == (at.status_code, at.headers["location"])
    assert (404, True) == (below.status_code, WITHOUT in below.text)


def test_the_site_is_served_by_its_own_policy_and_found_anew_when_built_anew(tmp_path: Path, docs: ModuleType) -> None:
    script, style = "document.title = 1", "p { color: red }"
    page = (
        f'<script>{script}</script><style>{style}</style><svg style="display: none;"></svg><p style="width: 1px">x</p>'
    )

    def built(text: str) -> None:
        (tmp_path / "index.html").write_text(text, encoding="utf-8")
        (tmp_path / "sub").mkdir(exist_ok=True)
        (tmp_path / "sub" / "a.css").write_text("", encoding="utf-8")
        docs.harden(tmp_path)

    site = Site(tmp_path)
    built(page)
    found, style_sheet, gone, outside = asked(site, "/docs/", "/docs/sub/a.css", "/docs/b.html", "/docs/..%2fapp.py")
    assert [200, 200, 404, 404] == [one.status_code for one in (found, style_sheet, gone, outside)]
    policy = found.headers["content-security-policy"]
    digest = {one: f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in (script, style)}
    assert f"script-src 'self' {digest[script]};" in policy
    assert f"style-src 'self' {digest[style]};" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "style=" not in found.text
    assert "<svg hidden>" in found.text
    again = (tmp_path / "policy.json").stat().st_mtime_ns + 10**9
    built(page.replace("title = 1", "title = 2"))
    os.utime(tmp_path / "policy.json", ns=(again, again))
    (changed,) = asked(site, "/docs/")
    assert digest[script] not in changed.headers["content-security-policy"]
    assert "title = 2" in changed.text
