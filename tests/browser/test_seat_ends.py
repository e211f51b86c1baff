"""When one's seat ends the page says why and where the chips are; whoever signs in next finds nothing of the one before."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from letitride.server.tables.house import demo_name
from tests.browser.conftest import House, violations
from tests.browser.player import Player

LISTEN = """
    new MutationObserver(() => document.querySelectorAll(".rail [role=timer]").forEach((one) => {
        document.documentElement.dataset.told = (document.documentElement.dataset.told ?? "") + one.ariaLabel;
    })).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["aria-label"] });
"""
"""Keeps what the clock of one's own decision says: a busy machine may not come to look at it in its few seconds."""


class Hurried(House):
    """A server whose clocks give nobody much time."""

    settings = ("--pace-bets", "5", "--pace-decision", "3")


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[Hurried]:
    one = Hurried(tmp_path)
    one.start()
    yield one
    one.stop(signal.SIGKILL)


def wallet(page: Page) -> str:
    """What somebody has in the house, as the server says."""
    cents = page.request.get("/api/me").json()["wallet_cents"]
    return f"${cents / 100:,.2f}".removesuffix(".00")


def test_whose_time_is_over_reads_why_he_sits_out_and_takes_part_again(
    people: Callable[..., BrowserContext], hurried: Hurried
) -> None:
    other, page = people(hurried.base).new_page(), people(hurried.base).new_page()
    page.add_init_script(LISTEN)
    other.goto("/table/nsw-1")  # alone, no one is hurried
    other.get_by_role("button", name="Sit down at seat 1").click()
    other.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(other.get_by_role("region", name="Your seat").locator(".rail-money")).to_be_visible()
    player = Player(page)
    player.sit_at(demo_name("nsw-1"))
    expect(page.locator("html")).to_have_attribute("data-told", re.compile("then your bets ride, and you sit out"))
    expect(player.place).to_contain_text("You're sitting out.")
    expect(player.place).to_contain_text("Your time ran out, so you were treated as away.")
    assert [] == violations(page)
    player.place.get_by_role("button", name="I'm back").click()
    expect(player.place.get_by_text("treated as away")).to_have_count(0)
    expect(player.place.get_by_role("button", name=re.compile("^Bet .* again"))).to_be_visible()


def test_whose_seat_ends_reads_so_and_what_he_has(people: Callable[..., BrowserContext], open_house: House) -> None:
    context = people(open_house.base)
    page, other = context.new_page(), context.new_page()
    player = Player(page)
    table = player.open_table("nsw-1")
    for one in (page, other):
        one.goto(f"/table/{table}")
    page.get_by_role("button", name=re.compile("^Sit down at seat")).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.place.locator(".rail-money")).to_be_visible()
    other.get_by_role("button", name="Buy chips, sit out or leave").click()
    other.get_by_role("dialog", name="Your seat").get_by_role("button", name=re.compile("^Leave with")).click()
    expect(player.place).to_contain_text("You no longer have a seat here.")
    chips = page.request.get("/api/me/wallet").json()["visits"][0]["back_cents"]
    back = f"${chips / 100:,.2f}".removesuffix(".00")
    expect(player.place).to_contain_text(f"Your chips are back in your wallet: {back}.")
    expect(page.locator(".head-me-money")).to_have_text(wallet(page))
    assert [] == violations(page)
    player.place.get_by_role("button", name="Sit down again").click()
    expect(page.get_by_role("dialog")).to_contain_text(f"Your wallet: {wallet(page)}.")
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.place.get_by_text("You no longer have a seat here")).to_have_count(0)
    expect(page.locator(".head-me-money")).to_have_text(wallet(page))


def test_who_signs_out_is_not_told_of_a_mistake_and_the_next_one_begins_anew(page: Page) -> None:
    page.goto("/")
    _sign_in(page, "Renate")
    page.goto("/table/shufflemaster-1")
    player = Player(page)
    page.get_by_role("button", name=re.compile("^Sit down at seat")).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    player.place.get_by_role("button", name=re.compile("^Bet the minimum")).click()
    player.place.get_by_role("button", name=re.compile("^Place")).click()
    player.choose(1)
    player.choose(2)
    player.result()
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('letitride.bet.')).length"
    assert 1 == page.evaluate(kept)
    page.get_by_role("button", name=re.compile("^Renate")).click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("status").filter(has_text="You're signed out. Sign in to play")).to_be_visible()
    expect(page.locator(".head-me")).to_have_text("Sign in")  # the table's line may end before the sign-out is answered
    assert 0 == page.evaluate(kept)
    expect(page.get_by_role("alert").filter(has_text="session")).to_have_count(0)
    _sign_in(page, "Salome")
    expect(page.get_by_role("button", name="Sit down", exact=True)).to_be_enabled()
    expect(page.get_by_text("You're signed out. Sign in to play")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Sit down at seat")).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.place.get_by_role("button", name=re.compile("^Bet the minimum"))).to_be_visible()
    expect(player.place.locator(".hand-net")).to_have_count(0)
    expect(player.place.get_by_role("button", name=re.compile("again"))).to_have_count(0)
    assert [] == violations(page)


def test_an_answer_from_before_the_sign_out_signs_nobody_in_again(page: Page) -> None:
    page.goto("/")
    _sign_in(page, "Thea")
    page.goto("/table/shufflemaster-1")
    known, held = page.request.get("/api/me").json(), list[Route]()
    page.get_by_role("button", name=re.compile("^Sit down at seat")).first.click()
    page.route("**/api/me", lambda route: held.append(route))  # noqa: PLW0108 - the browser asks a handler for its name
    with page.expect_request("**/api/me"):
        page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name=re.compile("^Thea")).click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()
    signed_out = page.get_by_role("status").filter(has_text="You're signed out. Sign in to play")
    expect(signed_out).to_be_visible()
    with page.expect_response("**/api/me"):
        held[0].fulfill(json=known)
    expect(page.locator(".head-me")).to_have_text("Sign in")
    expect(signed_out).to_be_visible()


def test_an_answer_from_the_middle_of_the_sign_out_does_not_make_it_an_expired_session(page: Page) -> None:
    page.goto("/")
    _sign_in(page, "Ulla")
    page.goto("/table/shufflemaster-1")
    page.get_by_role("button", name=re.compile("^Sit down at seat")).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    held = list[Route]()
    page.route("**/api/logout", lambda route: held.append(route))  # noqa: PLW0108 - as above
    page.get_by_role("button", name=re.compile("^Ulla")).click()
    with page.expect_request("**/api/logout"):
        page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^Buy chips")).click()
    with page.expect_response("**/api/me"):
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Buy")).first.click()
    page.keyboard.press("Escape")
    held[0].continue_()
    expect(page.get_by_role("status").filter(has_text="You're signed out. Sign in to play")).to_be_visible()


def test_an_answer_that_is_overtaken_does_not_bring_back_an_older_wallet(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("nsw-1")
    expect(player.ride).to_be_visible()
    expect(page.locator(".head-me-money")).to_have_text("$700")
    known, held = page.request.get("/api/me").json(), list[Route]()
    page.route("**/api/me", lambda route: route.continue_() if held else held.append(route))
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    buy = page.get_by_role("dialog", name="Your seat").get_by_role("button", name="Buy chips", exact=True)
    with page.expect_request("**/api/me"):
        buy.click()
    buy.click()
    expect(page.locator(".head-me-money")).to_have_text("$500")
    with page.expect_response("**/api/me"):
        held[0].fulfill(json=known)
    page.evaluate("() => new Promise((done) => setTimeout(done))")  # the page has read it by now
    expect(page.locator(".head-me-money")).to_have_text("$500")


def _sign_in(page: Page, name: str) -> None:
    """Make an account by the head line, and be signed in with it."""
    page.locator(".head-me").click()
    dialog = page.get_by_role("dialog", name="Account")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Password").fill("a long enough password")
    dialog.get_by_role("tab", name="I'm new here").click()
    dialog.get_by_role("button", name="Create account").click()
    expect(page.locator(".head-me-name")).to_have_text(name)
    page.keyboard.press("Escape")
