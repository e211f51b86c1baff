"""Two hands on the page: taken side by side, bet together, asked one at a time, readable on a small screen."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, Unhurried, violations
from tests.browser.player import PULL, RIDE, Player
from tests.browser.staffing import hire, sign_in
from tests.browser.test_reminder import remind


@pytest.fixture(scope="module")
def two_handed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with staff, who open tables at which a player may have two hands."""
    house = Unhurried(tmp_path_factory.mktemp("two"))
    hire(house)
    house.start()
    yield house
    house.stop(signal.SIGKILL)


@pytest.fixture
def seated(people: Callable[..., BrowserContext], two_handed: House) -> tuple[Page, Player, list[str]]:
    """A guest at seats 4 and 5, on a small screen, and what the house holds up there."""
    ada = people(two_handed.base, extra_http_headers={"Origin": two_handed.base})
    sign_in(ada, "Ada")
    wanted = {"name": "Two", "rulebook": "washington-1", "values": {"hands_per_player": 2}}
    made = ada.request.post("/api/tables", data=wanted)
    assert made.ok, made.text()
    page = people(two_handed.base, viewport={"width": 360, "height": 780}).new_page()
    player, due = Player(page), remind(page)
    page.goto("/")
    page.request.post("/api/guest", headers={"Origin": two_handed.base})
    page.goto(f"/table/{made.json()['id']}")
    page.get_by_role("button", name="Sit down at seat 4").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    player.place.get_by_role("button", name="Play a second hand").click()
    page.get_by_role("dialog", name="Seat 5").get_by_role("button", name="Sit down").click()
    expect(player.place.get_by_role("group", name="Your hands").get_by_role("button")).to_have_count(2)
    return page, player, due


def shot(page: Page, name: str) -> None:
    """Keep a picture where one is wanted."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def played(player: Player) -> str:
    """The hand that is played now."""
    return str(player.place.locator(".own-hand[aria-pressed=true] > b").inner_text())


def test_two_hands_are_bet_decided_one_at_a_time_and_bet_again_together(seated: tuple[Page, Player, list[str]]) -> None:
    page, player, due = seated
    place = player.place
    expect(place.get_by_role("button", name="Play a second hand")).to_have_count(0)
    expect(page.locator(".seat.is-mine")).to_have_count(2)
    expect(place.locator(".own-hand[aria-pressed=true]")).to_contain_text("Seat 4")
    place.get_by_role("button", name=re.compile("^Bet the minimum")).click()
    shot(page, "betting")
    place.get_by_role("button", name=re.compile(r"^Place bets: \$")).click()
    expect(place.locator(".own-hand[aria-pressed=true]")).to_contain_text("Seat 5")
    place.get_by_role("button", name=re.compile(r"^Bet \$15 again")).click()
    asked = []
    for bet in (1, 2):
        for seat, name in (("Seat 4", RIDE), ("Seat 5", PULL)):
            question = place.locator(".choices-question")
            expect(question).to_contain_text(f"{seat}. Bet {bet}")
            expect(page.locator(".seat.is-played .seat-number")).to_have_text(seat[-1])
            asked.append(played(player))
            assert 3 == len(set(player.cards))
            expect(place.locator(".own-hand .card.is-up")).to_have_count(6)
            shot(page, f"choice-{bet}-{seat}")
            assert [] == violations(page)
            place.get_by_role("group", name=f"Bet {bet}:").get_by_role("button", name=name).click()
            expect(question.filter(has_text=f"{seat}. Bet {bet}")).to_have_count(0)
    assert ["Seat 4", "Seat 5"] * 2 == asked
    again = place.get_by_role("button", name=re.compile(r"^Bet \$\d+ again on 2 hands"))
    expect(again).to_be_visible()
    expect(place.locator(".hand-net")).to_be_visible()
    shot(page, "over")
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    due += ["PlaceWagers", "PlaceWagers"]  # the reminder comes: once it is confirmed, both hands are bet on
    again.click()
    page.get_by_role("dialog", name="Time for a break?").get_by_role("button", name="Keep playing").click()
    expect(place.locator(".choices-question")).to_contain_text("Seat 4. Bet 1")
    assert ["Seat 4", "Seat 5"] == [one.inner_text() for one in place.locator(".own-hand > b").all()]
