"""What players stumbled on at the table: keys after a click, bets under the minimum, clocks, replays, narrow screens."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import violations
from tests.browser.player import Player
from tests.browser.test_betting import button, sit_with
from tests.browser.test_private import open_private_table

OVERLAP = """() => {
  const [cards, words] = ['.lobby-cards', '.lobby-lead'].map((one) => document.querySelector(one).getBoundingClientRect());
  return cards.left < words.right && words.left < cards.right && cards.top < words.bottom && words.top < cards.bottom;
}"""
CUT_OFF = """() => [...document.querySelectorAll('.table-bar-ways button:not([hidden])')].filter((one) => {
  const [{ left, right }, row] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
  return left < 0 || right > Math.min(innerWidth, row.right + 1);
}).map((one) => one.textContent)"""
"""Buttons above the table that are not wholly seen."""
WAYS = {"Pays", "Rules", "Rounds", "Results", "Coach", "Settings", "Proofs", "Shortcuts", "Add a bot", "Text view"}
NAMES = "(all) => all.filter((one) => !one.hidden).map((one) => one.firstChild.textContent)"
COVERED = """() => [...document.querySelectorAll('.seat-sit')].filter((one) => {
  one.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((one) => one.textContent)"""
"""Seats that cannot be taken, because something else lies over the button."""
CLEAR_OF_CHIPS = """() => {
  const top = document.querySelector('.bet-ways .button-main').getBoundingClientRect().top;
  return [...document.querySelectorAll('.bet-spots .pile *')].every((one) => one.getBoundingClientRect().bottom <= top);
}"""
"""Measured at one moment: between two questions the page may have been laid out anew."""


def test_enter_bets_after_a_click_and_a_bet_under_the_minimum_cannot_be_placed(page: Page) -> None:
    player = sit_with(page, "shufflemaster-1")
    player.place.get_by_label("Each bet, $").fill("3")
    expect(button(player, "Place")).to_be_disabled()
    expect(player.place.get_by_text("The minimum for each base bet is $5.")).to_be_visible()
    player.place.get_by_label("Each bet, $").fill("99")
    expect(button(player, "Place bets: \\$297")).to_be_enabled()
    page.wait_for_function(CLEAR_OF_CHIPS)
    player.place.get_by_role("button", name="Clear").click()
    player.place.get_by_role("button", name=re.compile("^\\$5 chip|\\$5")).first.click()
    player.place.locator(".bet-spots .spot").first.click()
    expect(button(player, "Place bets: \\$15")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(player.ride).to_be_visible()


def test_alone_no_clock_runs_and_what_was_said_last_comes_first(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    page.keyboard.press("x")
    said = page.get_by_role("region", name="What happened").locator("li")
    expect(said.first).to_contain_text("Your cards:")
    player.choose(1)
    player.choose(2)
    player.result()
    clocks = [frame["clock"] for frame in player.frames if frame["type"] == "table"]
    assert [] == [clock for clock in clocks if clock and clock["what"] == "choice"]


def test_a_guest_with_a_seat_is_told_beforehand_and_creates_an_account(page: Page) -> None:
    player = sit_with(page, "shufflemaster-1")
    page.locator(".head-me").click()
    dialog = page.get_by_role("dialog", name="Account")
    expect(dialog.get_by_text("Creating the account takes you from the table")).to_be_visible()
    assert [] == violations(page)
    dialog.get_by_label("Name").fill("Wilma")
    dialog.get_by_label("Password").fill("a long enough password")
    dialog.get_by_role("button", name="Create account").click()
    expect(page.locator(".head-me-name")).to_have_text("Wilma")
    expect(page.locator(".head-me-money")).to_have_text("$1,000")
    page.keyboard.press("Escape")
    expect(player.place.locator(".rail-money")).to_have_count(0)


def test_a_replay_has_the_focus_and_goes_one_step_for_each_arrow_key(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    player.choose(1)
    player.choose(2)
    player.result()
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=re.compile("^Round")).first.click()
    expect(dialog.get_by_role("group", name="Round 1")).to_be_focused()
    expect(dialog.locator(".step-said")).to_contain_text("lace your bets")  # what came before is how a table opens
    begins = int(dialog.locator(".step-bar span").filter(has_text="Step").inner_text().split()[1])
    for key, step in (("ArrowRight", begins + 1), ("ArrowRight", begins + 2), ("ArrowLeft", begins + 1)):
        page.keyboard.press(key)
        expect(dialog.get_by_text(f"Step {step} of")).to_be_visible()
    dialog.get_by_role("slider").press("ArrowRight")
    expect(dialog.get_by_text(f"Step {begins + 2} of")).to_be_visible()


def test_a_round_joins_the_list_while_somebody_looks_at_it(page: Page, people: Callable[..., BrowserContext]) -> None:
    link = open_private_table(page, "Ours")
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    friend = people().new_page()
    friend.goto(link)
    expect(friend.get_by_role("heading", name="Ours")).to_be_visible()
    friend.keyboard.press("h")
    dialog = friend.get_by_role("dialog")
    expect(dialog.get_by_text("No finished rounds yet.")).to_be_visible()
    player = Player(page)
    player.choose(1)
    player.choose(2)
    expect(dialog.get_by_role("button", name=re.compile("^Round 1"))).to_be_visible()


def test_nothing_overlaps_or_is_cut_off_on_narrow_screens(people: Callable[..., BrowserContext]) -> None:
    page = people(viewport={"width": 768, "height": 1024}).new_page()
    page.goto("/")
    expect(page.locator(".lobby-cards .card")).to_have_count(5)
    for width in (1280, 1001, 1000, 768, 721, 720, 360):
        page.set_viewport_size({"width": width, "height": 1024})
        assert not page.evaluate(OVERLAP), width
    player = Player(page)
    page.goto(f"/table/{player.open_table('washington-1')}")
    for size in ((1440, 900), (1280, 720), (844, 390), (390, 844), (320, 640)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator(".seat-sit")).to_have_count(7)
        assert [] == page.evaluate(COVERED), size
    page.get_by_role("button", name="Sit down at seat 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.seated).to_be_visible()
    bar, more = page.locator(".table-bar-ways button"), page.get_by_role("button", name="More", exact=True)
    for width in (1280, 768, 390, 320):
        page.set_viewport_size({"width": width, "height": 740})
        page.wait_for_function(f"() => !({CUT_OFF})().length")
        found = set(bar.evaluate_all(NAMES)) - {"More"}
        if more.is_visible():
            more.click()
            found |= set(page.locator(".ways-more button").evaluate_all(NAMES))
            page.keyboard.press("Escape")
        assert WAYS == found, width


def test_what_ones_rounds_came_to_is_there_after_leaving(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    player.choose(1)
    player.choose(2)
    player.result()
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    expect(page.get_by_role("dialog", name="Your seat")).to_contain_text("The house keeps your seat for some minutes")
    page.get_by_role("dialog", name="Your seat").get_by_role("button", name=re.compile("^Leave with")).click()
    expect(page.get_by_text("You're watching.")).to_be_visible()
    page.get_by_role("button", name="Results").click()
    expect(page.get_by_role("dialog", name="Your results").get_by_text("1 hand:")).to_be_visible()
