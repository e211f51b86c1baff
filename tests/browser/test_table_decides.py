"""The page holds no rules: the sign says which side bet goes alone, and a code says which error concerns the player."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.browser.conftest import House
from tests.browser.player import Player
from tests.browser.staffing import hire, sign_in
from tests.browser.test_betting import button, sit_with


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose administrator can open tables."""
    house = House(tmp_path_factory.mktemp("alone"))
    hire(house)
    house.start()
    yield house
    house.stop(signal.SIGKILL)


NUMBERS = count(1)
Seated = Callable[[dict[str, Any]], tuple[Page, Player]]


@pytest.fixture
def seated(people: Callable[..., BrowserContext], staffed: House) -> Seated:
    """Seats a guest, without a bet, at a new table with values of its own."""

    def sit(values: dict[str, Any]) -> tuple[Page, Player]:
        ada = people(staffed.base, extra_http_headers={"Origin": staffed.base})
        sign_in(ada, "Ada")
        opened = {"name": f"Own {next(NUMBERS)}", "rulebook": "shufflemaster-1", "values": values}
        made = ada.request.post("/api/tables", data=opened)
        assert made.ok, made.text()
        page = people(staffed.base, viewport={"width": 1280, "height": 860}).new_page()
        player = Player(page)
        page.goto("/")
        page.request.post("/api/guest", headers={"Origin": staffed.base})
        page.goto(f"/table/{made.json()['id']}")
        page.get_by_role("button", name="Sit down at seat 4").click()
        page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
        expect(player.seated).to_be_visible()
        return page, player

    return sit


def test_a_lone_3_card_bonus_is_placed_and_dealt_to_where_the_book_allows_it(seated: Seated) -> None:
    page, player = seated({"three_card.alone": True})
    page.keyboard.press("c")
    button(player, "Place bets: \\$5").click()
    expect(page.locator(".table-page > [role=status].spoken")).to_contain_text("You bet $5.")
    assert player.result()  # no decision is asked for: the side bet is settled by itself
    lines = player.place.locator(".hand-lines li")
    expect(lines).to_have_count(1)
    expect(lines).to_contain_text("3 Card Bonus")


def test_another_lone_side_bet_is_refused_there(seated: Seated) -> None:
    page, player = seated({"three_card.alone": True})
    page.keyboard.press("b")
    button(player, "Place bets: \\$1").click()
    expect(page.get_by_role("alert").filter(has_text="Side bets need your three base bets")).to_be_visible()


def test_a_lone_3_card_bonus_is_refused_where_the_book_forbids_it(seated: Seated) -> None:
    page, player = seated({"three_card.alone": False})
    page.keyboard.press("c")
    button(player, "Place bets: \\$5").click()
    expect(page.get_by_role("alert").filter(has_text="Side bets need your three base bets")).to_be_visible()
    expect(player.place.locator(".rail-money")).to_contain_text("$300")


def test_limits_of_the_three_spots_together_are_shared_out_by_the_table(seated: Seated) -> None:
    values = {"limit.scope": "area", "limit.cents_min": 3_000, "limit.cents_max": 30_000}
    _, player = seated(values)
    expect(player.place.locator(".rail-money")).to_contain_text("$600")  # twenty rounds of three bets of $10
    expect(button(player, "Bet the minimum: \\$3[0-9]")).to_be_enabled()
    expect(player.place.get_by_role("button", name="chip", exact=False).last).to_have_accessible_name("$100 chip")


@pytest.mark.parametrize(
    ("code", "sentence", "shown"),
    [
        ("shuffle_share", "expected something earlier, got it late", False),
        ("not_allowed", "expected a dealer to say who pledged a nonce, got somebody else", True),
    ],
)
def test_an_error_is_shown_by_its_code_whatever_its_words(page: Page, code: str, sentence: str, shown: bool) -> None:
    routes: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    page.route_web_socket("**/socket**", pass_on)
    sit_with(page, "shufflemaster-1")
    last = "expected one message, got another"
    for told, words in ((code, sentence), ("unreadable", last)):
        routes[-1].send(json.dumps({"type": "error", "code": told, "sentence": words}))
    expect(page.get_by_role("alert").filter(has_text=last[1:])).to_be_visible()  # so the one before was read too
    expect(page.get_by_role("alert").filter(has_text=sentence[1:])).to_have_count(1 if shown else 0)
