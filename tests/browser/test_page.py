"""The page itself: it loads small and safely, every address leads somewhere, and axe finds nothing."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import House, violations_in_both_schemes
from tests.server.guest import PATIENCE

FIRST_LOAD_BYTES_MAX = 100_000
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


def test_the_first_page_loads_in_less_than_100_kb(page: Page) -> None:
    loaded: list[Request] = []
    page.on("requestfinished", lambda request: loaded.append(request))  # noqa: PLW0108 - Playwright marks what it is given
    page.goto("/")
    page.wait_for_load_state("networkidle")
    sizes = [request.sizes()["responseBodySize"] for request in tuple(loaded)]
    assert 5_000 < sum(sizes) < FIRST_LOAD_BYTES_MAX


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
