"""Every screen of a player or a trainee: axe finds nothing in light, dark and forced colours, and nothing is wider than its window."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import violations_in_every_colour
from tests.browser.player import Player, go
from tests.counts import PROVING

PAGES = (
    "/",
    "/results",
    "/par",
    "/learn",
    "/staff",
    "/nowhere",
    "/learn/player/LIRX-01",
    "/learn/player/LIRX-01/rules",
)
DRAWERS = ("Pays", "Rules", "Rounds", "Results", "Proofs", "Coach", "Settings", "Shortcuts")
SPILLS = """() => {
    const boxes = [document.documentElement, ...document.querySelectorAll("dialog[open]")];
    return boxes.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => `${one.tagName} ${one.scrollWidth}`);
}"""
TEXT = """(size) => {
    document.documentElement.style.fontSize = size;
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Sets the size of text, and waits until what follows from it and from the window is on the screen."""
PHONE: ViewportSize = {"width": 320, "height": 640}
WIDER = ((640, "200%"), (768, ""))
"""Widths of a window and sizes of text besides the small phone's: text twice as large, and a tablet."""


def screens(page: Page) -> Iterator[str]:
    """Bring up every page and dialog of a player, one after the other; yield what it is."""
    for path in PAGES:
        page.goto(path)
        expect(page.locator("h1").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        yield path
    page.goto("/")
    page.locator(".head-me").click()
    expect(page.get_by_role("dialog", name="Account")).to_be_visible()
    yield "account"
    page.keyboard.press("Escape")
    page.get_by_text("Private table").click()
    book = page.get_by_role("combobox", name="Rules", exact=True)
    book.select_option("own")
    page.get_by_text("Limits, pays, clock and bots").click()
    yield "a table of one's own"
    book.select_option("washington-1")
    page.get_by_role("button", name="Open table").click()
    invite = page.get_by_role("dialog", name=re.compile("^Invite"))
    expect(invite.get_by_label("Send this link")).not_to_have_value("")
    yield "invite"
    invite.get_by_role("button", name="Sit down").click()
    expect(Player(page).ride).to_be_visible()
    yield "table"
    for name in DRAWERS:
        go(page, name)
        expect(page.get_by_role("dialog")).to_be_visible()
        page.wait_for_load_state("networkidle")
        yield name
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    expect(page.get_by_role("dialog", name="Your seat")).to_be_visible()
    yield "seat"
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator(".text-table")).to_be_visible()
    yield "text view"


DRILLS = {"dealer/hand-dealt-1/deal": "1", "dealer/nsw-1/watch": "o", "floor/nsw-1/floor": "1"}
"""The drills of staff, and a key that answers the first question."""


def lessons(page: Page) -> Iterator[str]:
    """Bring up what comes after a round or an answer, one after the other; yield what it is."""
    player = Player(page)
    player.sit_at_own("washington-1", coach="off")
    player.choose(1)
    player.choose(2)
    player.result()
    page.goto("/results")
    page.get_by_role("list").get_by_role("button", name=re.compile("Round 1")).click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link", exact=True)
    expect(link).to_be_visible()
    yield "a round of one's own"
    page.goto(link.input_value())
    expect(page.get_by_text(re.compile("^Bet 2: "))).to_be_visible()
    yield "a round that is shown"
    page.goto("/learn/player/LIRX-01")
    page.get_by_role("button", name="Let it ride").click()
    expect(page.get_by_role("region", name="What it's worth")).to_be_visible()
    yield "an answer of a drill"
    page.goto("/learn/player/LIRX-01/exam")
    page.get_by_role("button", name="Start exam").click()
    expect(page.get_by_role("button", name="Let it ride")).to_be_visible()
    yield "a question of the exam"
    for path, key in DRILLS.items():
        page.goto(f"/learn/{path}")
        expect(page.get_by_role("region", name="Question 1", exact=True)).to_be_visible()
        yield path
        page.keyboard.press(key)
        expect(page.get_by_role("region", name="Your answer")).to_be_visible()
        yield f"{path}, answered"
    page.goto("/learn/dealer/washington-1/pay")
    page.get_by_role("button", name="Submit answer").wait_for()
    for amount in page.locator("main input").all():
        amount.fill("1")
    page.get_by_role("button", name="Submit answer").click()
    expect(page.get_by_role("region", name="Your answer")).to_be_visible()
    yield "the table is paid"
    page.goto("/learn")
    expect(page.get_by_role("link", name="Continue drill")).to_be_visible()
    yield "progress"


PALE = """() => {
    for (const words of ["one", "another"]) {
        const one = Object.assign(document.createElement("p"), { textContent: words });
        one.style.cssText = "color: #888; background: #999";
        document.querySelector("main").append(one);
    }
}"""
"""Puts two texts that look the same and cannot be read on a page."""


@pytest.mark.longer
def test_every_screen_is_right_for_axe_in_every_colour_and_no_wider_than_its_window(
    people: Callable[..., BrowserContext],
) -> None:
    page = people(viewport=PHONE).new_page()
    seen = []
    for screen in chain(screens(page), lessons(page)):
        assert [] == page.evaluate(SPILLS), screen
        assert [] == violations_in_every_colour(page), screen
        for width, text in WIDER:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(TEXT, text)
            assert [] == page.evaluate(SPILLS), (screen, width, text)
        page.set_viewport_size(PHONE)
        page.evaluate(TEXT, "")
        seen.append(screen)
    assert len(PAGES) + len(DRAWERS) + 2 * len(DRILLS) + 12 == len(seen)
    page.evaluate(PALE)
    found = [line.partition(": ")[0] for line in violations_in_every_colour(page) if "color-contrast" in line]
    assert ["light", "light", *["dark"] * (2 if PROVING else 1)] == found  # of what looks the same, one is looked at
