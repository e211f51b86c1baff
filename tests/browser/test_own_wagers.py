"""A house's own wagers on the page: their spots, names, keys and pays come from the view alone."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, violations
from tests.browser.player import Player
from tests.browser.staffing import hire, sign_in
from tests.browser.test_betting import button
from tests.server.tables.test_own_wagers import WAGER

LUCKY = (
    WAGER.replace("red_black", "lucky_five")
    .replace("Red or Black", "Lucky Five Special")
    .replace('label = "R/B"\n', "")
    .replace("cents_min = 200\ncents_max = 2500\ncents_step = 100", "cents = 500")
)
FIFTH = WAGER.replace("red_black", "fifth").replace("Red or Black", "Fifth").replace("R/B", "5TH")
BOOK = """
id = "own-room-1"
title = "Own room"
extends = "washington-1"
wagers = ["red_black.toml", "lucky.toml", "fifth.toml"]
"""
TEXTS = {"house.toml": BOOK, "red_black.toml": WAGER, "lucky.toml": LUCKY, "fifth.toml": FIFTH}


@pytest.fixture(scope="module")
def own_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with staff, who open tables by books of its own."""
    house = House(tmp_path_factory.mktemp("own"))
    hire(house)
    house.start()
    yield house
    house.stop(signal.SIGKILL)


@pytest.fixture
def seated(people: Callable[..., BrowserContext], own_room: House) -> Callable[..., tuple[Page, Player]]:
    """Seats a guest at a table with six side bets, on a screen of a size."""

    def sit(**size: int) -> tuple[Page, Player]:
        ada = people(own_room.base, extra_http_headers={"Origin": own_room.base})
        sign_in(ada, "Ada")
        name = f"Room {size['width']}"
        wanted: dict[str, Any] = {"name": name, "rulebook": "house.toml", "texts": TEXTS}
        made = ada.request.post("/api/tables", data=wanted)
        assert made.ok, made.text()
        page = people(own_room.base, viewport=size).new_page()
        player = Player(page)
        page.goto("/")
        page.request.post("/api/guest", headers={"Origin": own_room.base})
        page.goto(f"/table/{made.json()['id']}")
        page.get_by_role("button", name="Sit down at seat 4").click()
        page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
        expect(player.seated).to_be_visible()
        return page, player

    return sit


@pytest.mark.parametrize("size", [{"width": 1280, "height": 860}, {"width": 360, "height": 780}])
def test_six_side_bets_have_spots_that_are_named_and_lie_on_the_screen(
    seated: Callable[..., tuple[Page, Player]], size: dict[str, int]
) -> None:
    page, player = seated(**size)
    spots = player.place.get_by_role("group", name="Bets").locator("button.spot")
    expect(spots).to_have_count(9)
    assert ["$", "2", "1", "$1", "3CB", "CA", "R/B", "$5", "5TH"] == [text.strip() for text in spots.all_inner_texts()]
    own = player.place.get_by_role("button", name=re.compile("^Red or Black:"))
    expect(own).to_have_attribute("title", re.compile(r"^Red or Black: a bet on the player's five-card hand\."))
    for spot in spots.all():
        box = spot.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= size["width"]
        assert min(box["width"], box["height"]) >= 44
    assert [] == violations(page)


def test_an_own_wager_is_bet_by_its_key_dealt_to_and_told_by_its_title(
    seated: Callable[..., tuple[Page, Player]],
) -> None:
    page, player = seated(width=1100, height=860)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("add a chip to Red or Black")
    page.keyboard.press("Escape")
    for spot in ("Bet 1", "Red or Black", "Lucky Five Special"):
        player.place.get_by_role("button", name=re.compile(f"^{spot}:", re.IGNORECASE)).click()
    button(player, "Place bets: \\$25").click()
    player.choose(1)
    player.choose(2)
    lines = player.place.locator(".hand-lines li")
    expect(lines).to_have_count(5)
    expect(lines.nth(3)).to_contain_text("Red or Black")
    expect(lines.nth(4)).to_contain_text("Lucky Five Special")
    page.keyboard.press("p")
    pays = page.get_by_role("dialog").get_by_role("table", name=re.compile("^Red or Black"))
    expect(pays.get_by_role("row", name="all black")).to_contain_text("13 to 1")


def test_a_meter_is_told_with_what_it_holds_and_what_hands_take_of_it(
    people: Callable[..., BrowserContext], own_room: House
) -> None:
    jackpot = (Path(__file__).parent.parent.parent / "examples/wagers/jackpot.toml").read_text(encoding="utf-8")
    book = 'id = "meter-room-1"\ntitle = "Meter room"\nextends = "shufflemaster-1"\nwagers = ["jackpot.toml"]\n'
    ada = people(own_room.base, extra_http_headers={"Origin": own_room.base})
    sign_in(ada, "Ada")
    wanted = {"name": "Meters", "rulebook": "house.toml", "texts": {"house.toml": book, "jackpot.toml": jackpot}}
    made = ada.request.post("/api/tables", data=wanted)
    assert made.ok, made.text()
    page = people(own_room.base, viewport={"width": 1280, "height": 860}).new_page()
    page.goto("/")
    page.request.post("/api/guest", headers={"Origin": own_room.base})
    page.goto(f"/table/{made.json()['id']}")
    expect(page.get_by_text("Jackpot meter").first).to_be_visible()
    page.get_by_role("button", name="Pays").first.click()
    expect(page.get_by_text("the whole meter").first).to_be_visible()
    assert page.get_by_text("$10,000", exact=True).count() >= 1


COUPONS = """
id = "coupons-1"
title = "Coupons"
extends = "nsw-1"
[rules]
bet.media = ["chips", "match_play"]
payout.cap = "maximum"
payout.cents_max = 5_000_000
payout.scope = "round"
"""


def test_a_coupon_is_brought_to_the_table_and_laid_with_a_bet_under_a_sign_that_tells_the_maximum(
    people: Callable[..., BrowserContext], own_room: House
) -> None:
    boss, pia = (people(own_room.base, extra_http_headers={"Origin": own_room.base}) for _ in range(2))
    sign_in(boss, "Ada")
    sign_in(pia, "Pia")
    coupon = {"cents": 500, "into": "match_play", "days": 7, "reference": "coupon-1", "why": "spring promotion"}
    assert boss.request.post("/api/vouchers/Pia", data=coupon).ok
    made = boss.request.post(
        "/api/tables", data={"name": "Coupons", "rulebook": "house.toml", "texts": {"house.toml": COUPONS}}
    )
    assert made.ok, made.text()
    pia.request.post("/api/me/chips")
    page = pia.new_page()
    page.goto(f"/table/{made.json()['id']}")
    page.get_by_role("button", name="Sit down at seat 4").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer = page.get_by_role("dialog", name="Your seat")
    drawer.get_by_role("button", name="Redeem $5 for a match-play coupon").click()
    page.keyboard.press("Escape")
    expect(page.get_by_text("and $5 in match-play coupons")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Bet the minimum")).click()
    page.get_by_role("checkbox", name="Play a match-play coupon on bet $ ($5)").check()
    page.get_by_role("button", name=re.compile("^Place")).click()
    expect(page.locator(".seat-4 .badge", has_text="Coupon $5")).to_be_visible()
    expect(page.get_by_text("maximum payout per round for all players, shared in proportion to wins")).to_be_attached()
    assert [] == violations(page)


def test_the_rules_drawer_says_where_a_book_departs_from_its_document(
    people: Callable[..., BrowserContext], own_room: House
) -> None:
    ada = people(own_room.base, extra_http_headers={"Origin": own_room.base})
    sign_in(ada, "Ada")
    book = 'id = "six-1"\ntitle = "Six seats"\nextends = "nsw-1"\nrules.seats = 6\nnotes.seats = "A small pit."\n'
    made = ada.request.post("/api/tables", data={"name": "Six", "rulebook": "six.toml", "texts": {"six.toml": book}})
    assert made.ok, made.text()
    page = ada.new_page()
    page.goto(f"/table/{made.json()['id']}")
    page.get_by_role("button", name="Rules").click()
    drawer = page.get_by_role("dialog", name="Rules: ")
    drawer.get_by_role("button", name="All rules and clauses").click()
    drawer.get_by_role("searchbox").fill("seats")
    rule = drawer.get_by_role("listitem").filter(has_text="A small pit.")
    expect(rule.locator(".rule-departs code")).to_have_text(["nsw:2.2", "nsw:2.2.1"])
    assert [] == violations(page)
