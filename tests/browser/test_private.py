"""A table of one's own: opened in the lobby, found by those who have its link and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, violations
from tests.browser.player import Player

LISTEN = """() => {
    const look = () => document.querySelectorAll("[role=alert]").forEach(
        (one) => one.checkVisibility() && (document.body.dataset.said = (document.body.dataset.said ?? "") + one.textContent));
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""Keeps every alert that is seen on a page."""


def open_private_table(page: Page, name: str) -> str:
    """Open a table in the lobby; return the link that lets others in."""
    page.goto("/")
    page.get_by_text("Private table").click()
    page.get_by_label("Table name").fill(name)
    page.get_by_role("combobox", name=re.compile("^Rules")).select_option("nsw-1")
    page.get_by_role("button", name="Open table").click()
    link = page.get_by_role("dialog", name=f"Invite players to {name}").get_by_label(
        "Send this link to the people you invite"
    )
    expect(link).not_to_have_value("")
    return link.input_value()


def test_a_friend_with_the_link_comes_to_the_table_and_a_stranger_does_not(
    people: Callable[..., BrowserContext], open_house: House
) -> None:
    host, friend, stranger = (people().new_page() for _ in range(3))
    link = open_private_table(host, "Ours at last")
    assert link.startswith(f"{open_house.base}/#invitation=")
    assert [] == violations(host)
    host.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(Player(host).seated).to_be_visible()

    friend.goto(link)
    expect(friend.get_by_role("heading", name="Ours at last")).to_be_visible()
    assert "invitation" not in friend.url
    friend.get_by_role("button", name="Sit down at seat 2").click()
    friend.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(Player(friend).seated).to_be_visible()
    expect(host.locator(".seat-2 .seat-stack")).to_be_visible()

    stranger.goto("/")
    expect(stranger.get_by_role("button", name="Sit down at New South Wales · shoe · $5–$500")).to_be_visible()
    expect(stranger.get_by_text("Ours at last")).to_have_count(0)
    stranger.evaluate(LISTEN)  # a toast goes by itself, and a busy machine may look for it too late
    stranger.goto("/#invitation=made-up")
    expect(stranger.locator("body")).to_have_attribute("data-said", re.compile("invitation"))


def test_an_empty_table_of_ones_own_is_closed_by_its_owner(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    open_private_table(page, "For an hour")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Close table").click()
    expect(page.get_by_role("status").filter(has_text="For an hour is closed.")).to_be_visible()
    expect(page.get_by_role("button", name="Sit down at For an hour")).to_have_count(0)


def test_paytables_are_offered_that_price_every_bet_of_the_book_and_the_table_opens_by_one(page: Page) -> None:
    page.goto("/")
    page.get_by_text("Private table").click()
    book = page.get_by_role("combobox", name=re.compile("^Rules"))
    pays = page.get_by_role("combobox", name=re.compile("^Paytable, base", re.IGNORECASE))
    book.select_option("california-1")
    page.get_by_text("Limits, pays, clock and bots").click()
    expect(pays.get_by_role("option", name=re.compile("^LIRX-01"))).to_have_count(1)
    book.select_option("washington-1")
    expect(pays.get_by_role("option", name=re.compile("^LIRB-03"))).to_have_count(1)
    expect(pays.get_by_role("option", name=re.compile("^LIRX"))).to_have_count(0)  # without the $1 bonus
    pays.select_option("LIRB-03")
    page.get_by_role("button", name="Open table").click()
    expect(page.get_by_role("dialog", name="Invite players to Our table")).to_be_visible()
