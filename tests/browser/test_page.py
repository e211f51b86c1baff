"""The page itself: it loads small and safely, every address leads somewhere, and axe finds nothing."""

from __future__ import annotations

import re
import signal
import struct
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.conftest import House, violations, violations_in_both_schemes
from tests.browser.player import Player
from tests.server.guest import PATIENCE

LANDING_BYTES_MAX, LANDING_REQUESTS_MAX, READY_TRIPS_MAX = 90_000, 6, 2
TABLE_BYTES_MAX, TABLE_REQUESTS_MAX, SOCKET_TRIPS_MAX = 16_000, 8, 3
"""Bytes are compressed, with all answers of the server; trips are requests that wait for one another. At 50 kB/s and
600 ms a player can press *Play now* after three seconds and is connected to the table two seconds later."""
FAR = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
"""A line on which requests that are made together are under way before the first is answered."""
CONTROLLED = """() => new Promise((done) => navigator.serviceWorker.controller ? done()
    : navigator.serviceWorker.addEventListener("controllerchange", () => done(), { once: true }))"""
KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
    (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat().sort()"""
PAGES = ("/", "/par", "/learn", "/staff", "/nowhere")


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_anything_that_axe_finds_wrong(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert [] == violations_in_both_schemes(page)


def test_an_address_that_leads_nowhere_says_so_and_leads_back(page: Page) -> None:
    page.goto("/no/such/place")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    page.get_by_role("link", name="Back to the lobby").click()
    expect(page).to_have_url("/")


def test_the_way_to_the_first_card_is_short_and_loads_nothing_of_other_pages(page: Page) -> None:
    loaded: list[Request] = []
    trips: dict[Request, int] = {}
    connected: list[int] = []

    def asked(request: Request) -> None:
        trips[request] = 1 + max((trips[one] for one in loaded), default=0)

    page.on("request", asked)
    page.on("requestfinished", lambda request: loaded.append(request))  # noqa: PLW0108 - Playwright marks what it is given
    page.on("websocket", lambda _: connected.append(max(trips.values())))
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", FAR)
    answer = page.goto("/")
    assert answer is not None
    html = answer.text()
    play = page.get_by_role("button", name="Play now")
    expect(play).to_be_enabled()
    assert max(trips[one] for one in loaded) <= READY_TRIPS_MAX
    page.wait_for_load_state("networkidle")
    landing, before = tuple(loaded), max(trips.values())
    assert {"script", "stylesheet", "document", "fetch"} >= {one.resource_type for one in landing}
    assert len(landing) <= LANDING_REQUESTS_MAX, [one.url for one in landing]
    assert 20_000 < _bytes(landing) < LANDING_BYTES_MAX
    play.click()
    expect(Player(page).seated).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert 0 < connected[0] - before <= SOCKET_TRIPS_MAX
    way = tuple(loaded)[len(landing) :]
    assert len(way) <= TABLE_REQUESTS_MAX, [one.url for one in way]
    assert 0 < _bytes(way) < TABLE_BYTES_MAX
    # Every file is named by the page itself, so that none waits for another: one round trip, whatever the line.
    files = {urlsplit(one.url).path for one in loaded if "/assets/" in one.url}
    assert files == set(re.findall(r'(?:src|href)="(/assets/[^"]+[.](?:js|css))"', html))


def _bytes(requests: tuple[Request, ...]) -> int:
    return sum(request.sizes()["responseBodySize"] for request in requests)


def test_the_page_is_installed_and_says_when_the_server_is_away_and_keeps_nothing_of_a_game(
    people: Callable[..., BrowserContext], own_house: House
) -> None:
    page = people(own_house.base, service_workers="allow").new_page()
    page.goto("/")
    page.evaluate(CONTROLLED)
    Player(page).sit_at_own("shufflemaster-1")
    kept = page.evaluate(KEPT)
    assert 3 == len(kept)
    assert all(path.startswith("/assets/") for path in kept)
    assert not page.get_by_text("A new version is ready").is_visible()
    page.evaluate("navigator.serviceWorker.dispatchEvent(new Event('controllerchange'))")  # as when another takes over
    expect(page.get_by_text("A new version is ready")).to_be_visible()
    assert [] == violations(page)
    own_house.stop(signal.SIGKILL)
    page.goto("/")
    expect(page.get_by_role("heading", name="Can't reach the server")).to_be_visible()
    assert [] == violations_in_both_schemes(page)
    own_house.start()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("button", name="Return to your seat", exact=True)).to_be_visible()
    assert kept == page.evaluate(KEPT)


def test_the_manifest_names_icons_that_are_there_and_the_worker_is_asked_for_anew(open_house: House) -> None:
    with httpx.Client(base_url=open_house.base, timeout=PATIENCE, verify=False) as client:
        manifest = client.get("/manifest.webmanifest")
        assert "application/manifest+json" == manifest.headers["content-type"]
        for icon in manifest.json()["icons"]:
            found = client.get(icon["src"])
            assert "image/png" == found.headers["content-type"]
            width, height = struct.unpack(">II", found.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        worker = client.get("/sw.js")
        assert ("no-cache", 304) == (
            worker.headers["cache-control"],
            client.get("/sw.js", headers={"If-None-Match": worker.headers["etag"]}).status_code,
        )
        policy = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
        assert policy == worker.headers["content-security-policy"]
        assert 404 == client.get("/assets/sw.js").status_code


def test_files_are_compressed_and_kept_and_the_page_is_asked_for_anew(open_house: House) -> None:
    with httpx.Client(base_url=open_house.base, timeout=PATIENCE, verify=False) as client:
        first = client.get("/")
        assert "script-src 'self'" in first.headers["content-security-policy"]
        assert "unsafe" not in first.headers["content-security-policy"]
        assert "nosniff" == first.headers["x-content-type-options"]
        again = client.get("/table/any", headers={"If-None-Match": first.headers["etag"]})
        assert (304, "no-cache") == (again.status_code, again.headers["cache-control"])
        name = first.text.partition('src="')[2].partition('"')[0]
        script = client.get(name, headers={"Accept-Encoding": "gzip"})
        assert "gzip" == script.headers["content-encoding"]
        assert "immutable" in script.headers["cache-control"]
        assert 404 == client.get("/assets/../pages.py").status_code
        assert 404 == client.get("/api/nothing").status_code
        assert 405 == client.get("/api/guest").status_code
