"""Results: what a player's rounds came down to, each round to look at again, and a link that shows one to others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import violations, violations_in_both_schemes
from tests.browser.player import PULL, Player

MONEY = re.compile(r"[+\N{MINUS SIGN}]?\$[\d,]+(\.\d\d)?")
CHECKED = re.compile("The proof holds: these cards lay in the deck")


def cents(text: str) -> int:
    """An amount as the page writes it."""
    found = MONEY.search(text)
    assert found, text
    sign = -1 if "\N{MINUS SIGN}" in found[0] else 1
    return sign * round(float(re.sub(r"[^\d.]", "", found[0])) * 100)


def snap(page: Page, name: str) -> None:
    if folder := os.environ.get("SNAP"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def test_results_are_at_hand_and_a_round_is_shown_to_others_as_long_as_its_player_wants(
    people: Callable[..., BrowserContext],
) -> None:
    context = people(viewport={"width": 1280, "height": 860}, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    player = Player(page)
    table = player.sit_at_own("shufflemaster-1")
    player.choose(1, PULL)
    player.choose(2, PULL)
    player.result()
    snap(page, "table")
    page.get_by_role("button", name="Results", exact=True).click()
    drawer = page.get_by_role("dialog", name="Your results")
    sums = drawer.get_by_role("table", name="Your result and what it is made of")
    expect(drawer.get_by_text("1 hand:")).to_be_visible()
    rows = {
        row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").inner_text()
        for row in sums.get_by_role("row").all()
    }
    parts = [cents(rows[name]) for name in ("Expected with best play", "Cost of mistakes", "Luck")]
    assert abs(sum(parts) - cents(rows["Result"])) <= 2  # each is rounded to a cent
    snap(page, "drawer")
    assert [] == violations(page)
    drawer.get_by_role("link", name="All my rounds").click()
    expect(page.get_by_role("heading", name="Your results", level=1)).to_be_visible()
    one = page.get_by_role("list").get_by_role("button", name=re.compile("Round 1"))
    expect(one.get_by_role("img")).to_have_count(5)
    page.get_by_role("combobox", name="Result").select_option("Won")
    won = cents(rows["Result"]) > 0
    expect(page.get_by_text("1 hand." if won else "No rounds match.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    one.click()
    details = page.locator(".own-round-open")
    expect(details.get_by_role("table", name="Your bets").get_by_role("row")).to_have_count(4)
    expect(details.get_by_text(re.compile("^Bet 1: take it back"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as CSV").click()
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("table,round,seat,")
    details.get_by_role("button", name="Step by step").click()
    steps = details.get_by_role("group", name="Round 1")
    expect(steps).to_be_focused()
    before = steps.get_by_text(re.compile(r"^Step \d+ of")).inner_text()
    page.keyboard.press("ArrowRight")
    expect(steps.get_by_text(before)).to_have_count(0)
    expect(steps).to_be_focused()
    details.get_by_role("button", name="All rounds").click()
    details.get_by_role("button", name="Create link").click()
    link = details.get_by_label("Link").input_value()
    snap(page, "results")
    assert [] == violations_in_both_schemes(page)
    snap(page, "results-dark")
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 780})
        assert wide(page) == width
    snap(page, "results-320")

    other = people(viewport={"width": 360, "height": 780}).new_page()
    other.goto(link)
    expect(other.get_by_role("heading", level=1)).to_contain_text(MONEY)
    name = page.evaluate("fetch('/api/me').then((one) => one.json()).then((one) => one.name)")
    assert name not in other.content()
    assert (
        other.locator("meta[property='og:image']").get_attribute("content")
        == f"{link.replace('/rounds', '/api/rounds')}/picture.png"
    )
    expect(other.get_by_role("img")).to_have_count(5)
    expect(other.get_by_text(re.compile("^Bet 2: "))).to_be_visible()

    # A deck is opened when nothing is dealt from it any more.
    opened = "fetch(%s).then((one) => one.json()).then(({ ends }) => ends.some((one) => one.round === 1))"
    page.wait_for_function(f"() => {opened % repr(f'/api/tables/{table}/proofs')}", polling=100)
    other.get_by_role("button", name="Check proof").click()
    expect(other.get_by_text(CHECKED)).to_be_visible()
    assert wide(other) == 360
    snap(other, "shared-360")
    assert [] == violations_in_both_schemes(other)
    other.set_viewport_size({"width": 1280, "height": 860})
    snap(other, "shared")
    details.get_by_role("button", name="Withdraw link").click()
    expect(details.get_by_role("button", name="Create link")).to_be_visible()
    other.reload()
    expect(other.get_by_text("There is no such round")).to_be_visible()
