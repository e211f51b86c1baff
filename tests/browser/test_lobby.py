"""The lobby in a browser: it tells a newcomer what the game is, and somebody who is seated where."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import violations
from tests.browser.player import Player


def test_how_the_game_is_played_is_told_until_somebody_folds_it_away(page: Page) -> None:
    steps = page.get_by_text("Make three equal bets")
    page.goto("/")
    expect(steps).to_be_visible()
    assert [] == violations(page)
    page.goto("/learn")
    expect(steps).to_be_visible()
    page.get_by_text("How to play", exact=True).click()
    expect(steps).to_be_hidden()
    page.goto("/")
    expect(page.get_by_text("How to play", exact=True)).to_be_visible()
    expect(steps).to_be_hidden()


def test_the_lobby_leads_back_to_the_seat_one_has(page: Page) -> None:
    player = Player(page)
    table = player.sit_at_own("shufflemaster-1")
    page.goto("/")
    expect(page.get_by_text("You have a seat at Ours")).to_be_visible()
    expect(page.get_by_role("button", name="Return to your seat at Ours")).to_be_visible()
    expect(page.get_by_role("button", name="Play now")).to_have_count(0)
    assert [] == violations(page)
    page.get_by_role("button", name="Return to your seat", exact=True).click()
    expect(player.seated).to_be_visible()
    assert page.url.endswith(f"/table/{table}")


def test_a_first_visit_asks_for_no_session_and_a_later_one_finds_it(page: Page) -> None:
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto("/")
    page.get_by_role("button", name="Sign in").wait_for()
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    assert [] == refused
    name = page.request.get("/api/me").json()["name"]
    page.context.clear_cookies(name="letitride_known")  # as from a session that began without the page
    page.goto("/")
    expect(page.get_by_role("button", name=name)).to_be_visible()
    assert [] == refused
