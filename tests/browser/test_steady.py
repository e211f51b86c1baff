"""Nothing moves under a finger: buttons and tray keep their places through rounds, and a click hits what was aimed at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.player import Player
from tests.counts import tries

CLICKS, HITS = tries(60, 200), tries(6, 20)
"""How often at least somebody clicks, and how many of it hit a button that may be pressed."""

WATCH = """() => {
  const seen = (window.seen = { places: {}, trays: [], labels: {}, hits: [] });
  const label = (button) => `${button.closest('[role=group]')?.getAttribute('aria-label') ?? ''}/${button.textContent}`;
  const holds = ({ left, right, top, bottom }, x, y) => left <= x && x <= right && top <= y && y <= bottom;
  const at = (x, y) => {
    const found = [...rail.querySelectorAll('button')].find((one) => holds(one.getBoundingClientRect(), x, y));
    return found ? label(found) : '';
  };
  const rail = document.querySelector('.rail');
  const look = (window.look = () => {
    for (const name of ['choice-ride', 'choice-pull']) {
      const found = document.querySelector(`.${name}`);
      if (!found) continue;
      const { x, y, width, height } = found.getBoundingClientRect();
      (seen.places[name] ??= []).includes(`${[x, y, width, height]}`) || seen.places[name].push(`${[x, y, width, height]}`);
    }
    for (const point of window.points ?? []) {
      const [now, known] = [at(...point), (seen.labels[point] ??= [])];
      if (now !== known.at(-1)?.[1]) known.push([known.length && performance.now(), now]);
    }
  });
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  new ResizeObserver(() => {
    const { height } = rail.getBoundingClientRect();
    if (height !== seen.trays.at(-1)) seen.trays.push(height);
    look();
  }).observe(rail);
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    const known = seen.labels[[event.clientX, event.clientY]] ?? [];
    const before = known.findLast(([when]) => when <= event.timeStamp - 200)?.[1] ?? '';
    if (event.isTrusted && event.detail && button) seen.hits.push([before, label(button)]);
  }, true);
}"""
"""Looks at every change where buttons are, at every frame how high the tray is, and at every click what lay there a
fifth of a second before. Heights between two changes of one frame are of no tray that is seen."""

HIDDEN = """() => {
  const words = [...document.querySelectorAll('.hand-name, .hand-net, .hand-lines span, .rail-money .link')];
  return words.filter((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return !one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  }).map((one) => one.textContent);
}"""
"""What of a result, and of the way to leave, something else lies over or the screen leaves out."""
CHIPS = (".bet-spots [data-spot='base-1']", ".chip-button:nth-of-type(2)", ".bet-ways .big")


def seat(person: BrowserContext, book: str = "shufflemaster-1") -> Player:
    """Sit down alone, with the first decision due and the watch set."""
    player = Player(person.new_page())
    player.sit_at_own(book)
    expect(player.ride).to_be_enabled()
    player.page.evaluate(WATCH)
    return player


def middle_of(page: Page, name: str) -> tuple[int, int]:
    """Return the whole pixel in the middle of an element."""
    box = page.locator(name).bounding_box()
    assert box is not None
    return round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)


def play_on(player: Player) -> None:
    """Play a round to its end by keys, and bet again."""
    for bet in (1, 2):
        group = player.place.get_by_role("group", name=f"Bet {bet}:")
        expect(group).to_be_visible()
        player.page.keyboard.press("r")
        expect(group).to_have_count(0)
    expect(player.place.get_by_role("button", name="again")).to_be_visible()
    player.page.keyboard.press("a")
    expect(player.ride).to_be_enabled()


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (360, 740), (740, 360)])
def test_buttons_and_tray_keep_their_places(people: Callable[..., BrowserContext], size: tuple[int, int]) -> None:
    player = seat(people(viewport={"width": size[0], "height": size[1]}))
    play_on(player)  # by then the tray has been as high as it gets
    player.page.evaluate("() => { seen.trays = seen.trays.slice(-1) }")
    play_on(player)
    play_on(player)
    seen: dict[str, Any] = player.page.evaluate("() => seen")
    assert {"choice-ride": 1, "choice-pull": 1} == {name: len(found) for name, found in seen["places"].items()}
    assert sorted(seen["trays"]) == seen["trays"], "the tray got lower"
    wide, high = size
    middle = player.page.locator(".community").bounding_box()
    tray = player.place.bounding_box()
    assert middle is not None
    assert tray is not None
    assert middle["y"] + middle["height"] <= high
    covered = tray["y"] < middle["y"] + middle["height"] and tray["x"] < middle["x"] + middle["width"]
    assert not covered, "the tray covers the community cards"
    assert player.page.evaluate("document.documentElement.scrollWidth") <= wide


def test_what_is_wrong_with_a_bet_is_told_without_moving_chips_and_spots_and_the_result_stays_in_sight(
    people: Callable[..., BrowserContext],
) -> None:
    player = seat(people(viewport={"width": 1280, "height": 720}), "washington-1")
    page = player.page
    for bet in (1, 2):
        player.choose(bet)
    amount = player.place.get_by_label("Each bet, $")
    for wide, high in ((1280, 720), (844, 390), (390, 844), (320, 640)):
        page.set_viewport_size({"width": wide, "height": high})
        amount.fill("6")
        expect(player.place.get_by_role("button", name="Place bets: $18")).to_be_enabled()
        places = [middle_of(page, name) for name in CHIPS]
        for typed, why in (("2", "The minimum for each base bet is $5."), ("x", "Enter an amount in dollars")):
            amount.fill(typed)
            expect(player.place.get_by_text(why)).to_be_in_viewport(ratio=1)
            now = [middle_of(page, name) for name in CHIPS]
            assert places == now, (wide, typed)
        assert [] == page.evaluate(HIDDEN), (wide, high)


@pytest.mark.longer
def test_rapid_clicks_hit_nothing_but_what_was_aimed_at(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    expect(player.ride).to_be_enabled()
    page.evaluate(WATCH)
    points = [middle_of(page, name) for name in (".choice-ride", ".choice-pull")]
    page.evaluate("(points) => { window.points = points; look() }", points)
    for many in range(5_000):
        if many >= CLICKS and page.evaluate("() => seen.hits.length") >= HITS:
            break
        page.mouse.click(*points[many // 10 % 2])  # now the one, now the other
        if many % 5 == 4:
            page.keyboard.press("a")  # bet again, where a round is over
    seen: dict[str, Any] = page.evaluate("() => seen")
    assert {"choice-ride": 1, "choice-pull": 1} == {name: len(found) for name, found in seen["places"].items()}
    assert [] == [(aimed, hit) for aimed, hit in seen["hits"] if aimed != hit]
    assert len(seen["hits"]) >= HITS
