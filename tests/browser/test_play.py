"""How a player plays: pace and autoplay while alone, decisions ahead of the turn, bets by dragging; and wins big."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from tests.browser.conftest import House, violations
from tests.browser.player import PULL, RIDE, Player

LOOK_EACH_FRAME = """() => {
    window.looked = [0, 0];
    const acts = document.querySelector(".rail-acts");
    const look = () => {
        const held = acts.classList.contains("is-fresh");
        if (!held) looked[0] += 1;
        else if (looked[0]) looked[1] += 1;
        requestAnimationFrame(look);
    };
    look();
}"""
"""Counts the frames in which the tray's buttons can be pressed, and those after the first of them in which they cannot."""


def test_a_player_who_is_alone_plays_fast_and_lets_rounds_be_played_until_another_person_sits_down(
    people: Callable[..., BrowserContext],
) -> None:
    page = people(viewport={"width": 1280, "height": 860}).new_page()
    player = Player(page)
    page.goto("/")
    table = player.sit_at_own("washington-1")
    expect(player.ride).to_be_enabled()
    page.keyboard.press("g")
    drawer = page.get_by_role("dialog", name="Pace, sound and autoplay")
    drawer.get_by_label("Turbo").check()
    expect(page.locator("html[data-pace=turbo]")).to_be_attached()
    drawer.get_by_label("Take the bet back").check()
    assert [] == violations(page)
    drawer.get_by_label("Rounds").fill("3")
    drawer.get_by_label("Stop after a win").uncheck()
    drawer.get_by_role("button", name="Start autoplay").click()
    stop = player.place.get_by_role("button", name="Stop autoplay")
    page.keyboard.press("g")
    expect(drawer.get_by_text("Autoplay is done. Rounds played: 3.")).to_be_visible()
    drawer.get_by_label("Rounds").fill("400")
    drawer.get_by_role("button", name="Start autoplay").click()
    page.evaluate(LOOK_EACH_FRAME)
    expect(player.place).to_contain_text(re.compile("[2-9] of 400 played"))
    ready, held_back = page.evaluate("looked")
    assert (ready > 0, held_back) == (True, 0)  # round after round it can be pressed
    stop.click()
    expect(stop).to_have_count(0)
    assert "coach" != page.evaluate("fetch('/api/me').then((one) => one.json()).then((me) => me.when_absent)")
    made = page.request.post(f"/api/tables/{table}/invitations", data={}, headers=player.origin)
    other = people(viewport={"width": 1280, "height": 860}).new_page()
    origin = Player(other).origin
    other.request.post("/api/guest", headers=origin)
    assert other.request.post(f"/api/invitations/{made.json()['token']}", headers=origin).ok
    other.goto(f"/table/{table}")
    other.get_by_role("button", name="Sit down", exact=True).click()
    other.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(page.locator("html[data-pace=normal]")).to_be_attached()


def test_a_decision_made_ahead_is_shown_taken_back_and_sent_when_the_turn_comes(
    people: Callable[..., BrowserContext], own_house: House
) -> None:
    one, two = (Player(people(own_house.base).new_page()) for _ in range(2))
    table = "shufflemaster-1"
    for player, seat in ((one, 4), (two, 3)):
        player.page.request.post("/api/guest", headers=player.origin)
        player.page.goto(f"/table/{table}")
        player.page.get_by_role("button", name=f"Sit down at seat {seat}").click()
        player.page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
        expect(player.seated).to_be_visible()
    for player in (one, two):
        player.place.get_by_role("button", name=re.compile("^Bet the minimum")).click()
        player.place.get_by_role("button", name=re.compile("^Place bets")).click()
    first, second = (one, two)
    expect(one.place.get_by_role("group", name=re.compile("^Bet 1:"))).to_be_visible()
    if one.place.get_by_role("group", name="Bet 1: decide ahead").is_visible():
        first, second = (two, one)
    ahead = second.place.get_by_role("group", name="Bet 1: decide ahead")
    pull = ahead.get_by_role("button", name=PULL)
    pull.click()
    expect(ahead.get_by_text("will come back when it's your turn")).to_be_visible()
    pull.click()
    expect(ahead.get_by_text("decide ahead of your turn")).to_be_visible()
    pull.click()
    expect(pull).to_have_attribute("aria-pressed", "true")
    first.choose(1, RIDE)
    # It is sent without a further press: the second bet is asked of the first player again.
    expect(first.place.get_by_role("group", name="Bet 2: let it ride")).to_be_visible()
    expect(second.place.get_by_role("group", name="Bet 2: decide ahead")).to_be_visible()
    held = second.place.get_by_role("group", name="Bet 2: decide ahead").get_by_role("button", name=PULL)
    expect(held).to_have_attribute("aria-pressed", "false")
    sent = [frame for frame in second.frames if frame["type"] == "answer" and frame["accepted"]]
    assert sent


def test_bets_are_dragged_doubled_halved_removed_and_undone(page: Page) -> None:
    player = Player(page)
    page.goto(f"/table/{player.open_table('washington-1')}")
    page.get_by_role("button", name="Sit down at seat 4").click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(player.seated).to_be_visible()

    def place(amount: str) -> None:
        expect(player.place.get_by_role("button", name=f"Place bets: ${amount}", exact=True)).to_be_visible()

    def press(name: str) -> None:
        player.place.get_by_role("button", name=name, exact=True).click()

    spot = player.place.locator(".bet-spots [data-spot='base-$']")
    player.place.get_by_role("button", name="$25 chip").drag_to(spot)
    place("75")
    player.place.get_by_role("button", name="$5 chip").drag_to(player.place.locator("[data-spot=three_card]"))
    place("80")
    press("Double the bets")
    place("160")
    press("Half the bets")
    place("80")
    press("Remove 3 Card Bonus")
    place("75")
    page.keyboard.press("z")
    place("80")
    player.place.locator("[data-spot=three_card]").drag_to(page.locator(".table-bar h1"))
    place("75")
    press("Undo")
    place("80")
    press("Remove base bets")
    place("5")
    for _ in range(7):
        page.keyboard.press("z")
    expect(player.place.get_by_role("button", name=re.compile("^Bet the minimum"))).to_be_visible()
    expect(player.place.get_by_role("button", name="Undo")).to_be_disabled()
    player.place.locator("[data-spot=cover_all]").click()  # what is pressed says what its mark stands for
    expect(player.place.locator(".bet-about")).to_have_text("CA Cover All: The wager on the best hand at the table.")


ROYAL = ["As", "Ks", "Qs", "Js", "Ts"]


def royal(seat: dict[str, Any]) -> None:
    """Make the result of a seat that of a royal flush."""
    seat["results"] = [{**one, "fate": "won", "paid_cents": 500_000, "back_cents": 0} for one in seat["results"]]
    seat["reading"] = {"hand": "royal_flush", "ranks": "A"}
    row = {"hand": "royal flush", "row": "royal flush", "odds": [1000, 1], "cards": ROYAL, "made": ROYAL}
    seat["reasons"] = [{"wager": one["wager"], **row} for one in seat["results"]]
    seat["cards"] = ROYAL[:3] if seat["cards"] else []


def test_a_royal_flush_is_an_event_with_its_cards_and_its_row_of_the_paytable_lit(page: Page) -> None:
    def between(socket: WebSocketRoute) -> None:
        def told(message: str | bytes) -> None:
            frame = json.loads(message)
            seats = frame.get("seats")
            if isinstance(seats, dict) and (seat := seats.get("4")) and seat["results"]:  # a shuffle lists its seats
                royal(seat)
            socket.send(json.dumps(frame))

        socket.connect_to_server().on_message(told)

    page.route_web_socket(re.compile("/socket"), between)
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    player.choose(1)
    player.choose(2)
    event = page.get_by_role("button", name=re.compile("^Royal flush", re.IGNORECASE))
    expect(event).to_contain_text("+$14,985")
    assert 3 == len(player.cards)
    expect(player.place.locator(".hand-cards .is-lit")).to_have_count(3)
    expect(player.place.get_by_role("list", name="Result of each bet")).to_contain_text(
        "Royal flush pays 1,000 to 1: +$5,000"
    )
    expect(page.locator("tr.is-lit")).to_contain_text("royal flush")
    expect(player.place.get_by_role("button", name=re.compile("again"))).to_be_visible()
    assert [] == violations(page)
    page.keyboard.press("Escape")
    expect(event).to_have_count(0)
