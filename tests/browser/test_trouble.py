"""When something goes wrong the page says what happened and what to do, and recovers by itself where it can."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, violations
from tests.browser.player import PULL, Player


def test_a_round_goes_on_after_the_server_was_killed_in_its_middle(
    people: Callable[..., BrowserContext], own_house: House
) -> None:
    page = people(own_house.base).new_page()
    player = Player(page)
    player.sit_at("New South Wales · shoe · $5–$500")
    expect(player.ride).to_be_visible()
    cards = player.cards
    own_house.stop(signal.SIGKILL)
    expect(page.get_by_role("alert").filter(has_text="Can't reach the table")).to_be_visible()
    assert [] == violations(page)
    player.ride.click()  # nobody hears it now; it is sent when somebody does
    own_house.start()
    expect(player.place.get_by_role("group", name="Bet 2:")).to_be_visible()
    assert cards == player.cards
    expect(page.get_by_text("Can't reach the table")).to_have_count(0)
    player.choose(2)
    player.result()


def test_a_page_that_is_loaded_anew_in_mid_round_has_the_same_cards(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    expect(player.ride).to_be_visible()
    cards = player.cards
    page.reload()
    expect(player.ride).to_be_visible()
    assert cards == player.cards


def test_what_a_round_came_to_is_told_even_if_the_view_that_shows_it_is_lost(page: Page) -> None:
    page.add_init_script("""
      const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
      Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(take) {
          own.set.call(this, (event) => {
            if (!event.data.includes('"fate"')) take.call(this, event);
          });
        },
      });
    """)
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    player.choose(1)
    player.choose(2)
    assert re.fullmatch(r"[+−]?\$[\d,.]+", player.result())
    expect(player.place.locator(".hand-lines")).to_contain_text("bet $")


def test_a_refused_bet_says_why_and_the_chips_stay(page: Page) -> None:
    player = Player(page)
    player.open_table("nsw-1")
    page.goto("/")
    page.get_by_role("link", name="Ours").click()
    page.get_by_role("button", name="Sit down at seat 4").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    amount = player.place.get_by_label("Each bet, $")
    amount.fill("2")
    amount.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("$5")
    expect(player.place.locator(".rail-money")).to_contain_text("$300")
    assert [] == violations(page)
    amount.fill("5")
    amount.press("Enter")
    expect(player.ride).to_be_visible()


def test_more_chips_than_the_wallet_holds_are_refused_in_words(page: Page) -> None:
    player = Player(page)
    player.open_table("nsw-1")
    page.goto("/")
    page.get_by_role("link", name="Ours").click()
    page.get_by_role("button", name="Sit down at seat 4").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Buy-in").fill("99999")
    dialog.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("alert")).to_contain_text("Your wallet doesn't hold that much")
    expect(dialog).to_be_visible()


def test_a_session_that_is_over_is_said_and_a_guest_can_go_on(page: Page, open_house: House) -> None:
    page.goto("/table/nsw-1")
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_enabled()
    page.request.post("/api/logout", headers={"Origin": open_house.base})
    expect(page.get_by_role("alert").filter(has_text="Your session expired")).to_be_visible()
    assert [] == violations(page)
    page.get_by_role("button", name="Continue as guest").click()
    expect(page.get_by_text("Your session expired")).to_have_count(0)
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_enabled()


def test_a_second_tab_shows_the_same_game_and_says_so(page: Page) -> None:
    player = Player(page)
    table = player.sit_at_own("shufflemaster-1")
    expect(player.ride).to_be_visible()
    second = Player(page.context.new_page())
    second.page.goto(f"/table/{table}")
    for one in (page, second.page):
        expect(one.get_by_role("status").filter(has_text="open in another tab too")).to_be_visible()
    assert player.cards == second.cards
    second.choose(1)
    expect(player.place.get_by_role("group", name="Bet 2:")).to_be_visible()
    second.page.close(run_before_unload=True)
    expect(page.get_by_text("open in another tab too")).to_have_count(0)


def test_a_table_that_is_not_there_leads_back_to_the_lobby(page: Page) -> None:
    page.goto("/table/no-such-table")
    expect(page.get_by_role("alert").filter(has_text="This table doesn't exist")).to_be_visible()
    expect(page.get_by_text("Joining the table")).to_have_count(0)
    expect(page.get_by_role("button", name="Rules")).to_have_count(0)
    assert [] == violations(page)
    page.get_by_role("link", name="Back to the lobby").click()
    expect(page).to_have_url(re.compile("/$"))


def test_a_slow_house_is_said_to_be_slow_and_what_waits_is_sent_once(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("nsw-1")
    expect(player.ride).to_be_enabled()
    page.evaluate(
        "() => { window.sent = []; WebSocket.prototype.send = (text) => sent.push(text) }"
    )  # it does not arrive
    player.ride.click()
    expect(player.ride).to_have_attribute("aria-busy", "true")
    expect(player.ride).to_be_disabled()
    expect(player.place.get_by_role("button", name=PULL)).to_be_disabled()
    for key in "rrt":
        page.keyboard.press(key)
    expect(page.get_by_role("status").filter(has_text="Waiting for the server")).to_be_visible()
    assert 1 == page.evaluate("sent.filter((one) => one.includes('Choose')).length")
