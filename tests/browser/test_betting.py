"""Bets on the table page: the button says what it does, what cannot be is not sent, and nobody is left without a way on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, violations
from tests.browser.player import PULL, Player


def sit_with(page: Page, book: str, dollars: str = "") -> Player:
    """Sit down at a table of one's own with so many chips, and bet nothing yet."""
    player = Player(page)
    page.goto(f"/table/{player.open_table(book)}")
    page.get_by_role("button", name="Sit down at seat 4").click()
    if dollars:
        page.get_by_role("dialog").get_by_label("Buy-in").fill(dollars)
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.seated).to_be_visible()
    return player


def button(player: Player, name: str) -> Any:
    """A button of one's own place by how its name begins."""
    return player.place.get_by_role("button", name=re.compile(f"^{name}"))


def test_the_button_says_what_is_typed_and_what_cannot_be_read_stages_nothing(page: Page) -> None:
    player = sit_with(page, "shufflemaster-1")
    amount = player.place.get_by_label("Each bet, $")
    amount.press_sequentially("20")
    expect(button(player, "Place bets: \\$60")).to_be_enabled()
    for text in ("1e3", "abc", "-5", "5.505", "1.2.3"):
        amount.fill(text)
        expect(player.place.get_by_text("Enter an amount in dollars, such as 7.50.")).to_be_visible()
        expect(button(player, "Place")).to_have_count(0)
        expect(button(player, "Bet the minimum")).to_be_disabled()
        amount.press("Enter")
    assert [] == violations(page)
    amount.fill("7.50")
    expect(player.place.get_by_text("Enter an amount")).to_have_count(0)
    expect(button(player, "Place bets: \\$22\\.50")).to_be_enabled()
    amount.fill("20000")
    expect(button(player, "Place")).to_be_disabled()
    expect(player.place.get_by_text("You need $59,700 more in chips.")).to_be_visible()
    assert not any(frame["type"] == "answer" and not frame["accepted"] for frame in player.frames)


def test_side_bets_alone_are_not_sent_and_more_bets_are_announced(
    people: Callable[..., BrowserContext], own_house: House
) -> None:
    page = people(own_house.base).new_page()
    player = sit_with(page, "shufflemaster-1")
    page.keyboard.press("b")
    button(player, "Place bets: \\$1").click()
    expect(page.get_by_role("alert").filter(has_text="Side bets need your three base bets")).to_be_visible()
    expect(player.place.locator(".rail-money")).to_contain_text("$300")
    page.keyboard.press("Backspace")
    # Another program of the same person may send them all the same: then the page says what is missing.
    page.evaluate("""() => {
      const own = WebSocket.prototype.send;
      WebSocket.prototype.send = function (text) {
        own.call(this, text.replace(/"base-[12$]":500,?/g, "").replace(',}', '}'));
        WebSocket.prototype.send = own;
      };
    }""")
    page.keyboard.press("m")
    page.keyboard.press("b")
    button(player, "Place bets: \\$16").click()
    expect(player.place.get_by_text("Only side bets are down: $1. They need your three base bets")).to_be_visible()
    page.keyboard.press("2")
    button(player, "Place bets: \\$16").click()
    expect(page.locator(".table-page > [role=status].spoken")).to_contain_text("Your bets are now $16.")
    expect(player.ride).to_be_visible()


def test_the_fee_is_said_with_the_bet_and_with_the_bank(page: Page) -> None:
    player = sit_with(page, "california-1", "900")
    fee = page.locator(".sign-limits dl > div").filter(has_text=re.compile("fee", re.IGNORECASE)).locator("dd")
    expect(fee.first).to_have_text("$0.50")
    expect(player.place.get_by_text("The collection fee for banking a round is $2.")).to_be_visible()
    page.keyboard.press("d")
    button(player, "Bet the minimum: \\$15 \\+ \\$1\\.50 fee").click()
    expect(button(player, "Place bets: \\$15 \\+ \\$1\\.50 fee")).to_be_enabled()
    amount = player.place.get_by_label("Each bet, $")
    amount.fill("101")
    amount.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The maximum for each base bet is $100.")


def test_who_has_too_few_chips_buys_some_with_one_button(page: Page) -> None:
    player = sit_with(page, "nsw-1", "4")
    expect(button(player, "Bet")).to_have_count(0)
    button(player, r"Buy \$300 in chips to bet").click()
    expect(page.get_by_role("status").filter(has_text="You bought $300 in chips.")).to_be_visible()
    expect(button(player, "Bet the minimum")).to_be_enabled()
    expect(page.locator(".head-me-money")).to_have_text("$696")


def test_who_has_lost_everything_goes_on_with_play_chips(people: Callable[..., BrowserContext]) -> None:
    for _ in range(20):  # three of four guests lose all three bets in their first round
        page = people().new_page()
        player = sit_with(page, "nsw-1", "1000")
        amount = player.place.get_by_label("Each bet, $")
        amount.fill("332")
        amount.press("Enter")
        player.choose(1)
        player.choose(2)
        if player.result() == "\N{MINUS SIGN}$996":
            break
        page.context.close()
    button(player, r"Get play chips and buy in for up to \$300").click()
    expect(page.get_by_role("status").filter(has_text="You got $9")).to_be_visible()
    expect(button(player, "Bet the minimum")).to_be_enabled()
    expect(button(player, r"Bet \$996 again")).to_have_count(0)


def test_after_a_drawer_enter_bets_and_the_result_keeps_its_five_cards(page: Page) -> None:
    player = sit_with(page, "shufflemaster-1")
    button(player, "Bet the minimum").click()
    button(player, "Place").click()
    player.choose(1, PULL)
    player.choose(2, PULL)
    player.result()
    expect(button(player, "Bet .* again")).to_be_visible()
    page.keyboard.press("b")  # a side bet joins the base bets of the last round
    expect(button(player, "Place bets: \\$16")).to_be_enabled()
    page.keyboard.press("z")
    expect(button(player, "Bet .* again")).to_be_visible()
    middle = player.place.get_by_role("group", name="Community cards")
    expect(middle.get_by_role("img")).to_have_count(2)
    for name in ("Rules", "Coach", "Buy chips, sit out or leave"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(button(player, "Bet .* again")).to_be_focused()
    page.keyboard.press("Enter")
    expect(player.ride).to_be_visible()
    expect(middle).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_deck_to_look_over_is_seen_whole(people: Callable[..., BrowserContext], width: int) -> None:
    page = people(viewport={"width": width, "height": 844}).new_page()
    sit_with(page, "hand-dealt-1")
    cards = page.locator(".spread .card")
    expect(cards).to_have_count(52)
    felt = page.locator(".felt").bounding_box()
    assert felt is not None
    boxes = [box for card in cards.all() if (box := card.bounding_box()) is not None]
    assert len(boxes) == 52
    assert min(box["x"] for box in boxes) >= felt["x"]
    assert max(box["x"] + box["width"] for box in boxes) <= felt["x"] + felt["width"]
    seats = [box for seat in page.locator(".seat").all() if (box := seat.bounding_box()) is not None]
    assert sum(box["width"] for box in seats) > 0.8 * min(width, 390)
