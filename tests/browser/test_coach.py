"""The coach on the table page: what a choice is worth before it, what it cost after it, and silence where a book wants it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import violations

COACHED, SILENT = "shufflemaster-1", "nsw-1"
RIDE, PULL = "Let it ride", "Take it back"


def sit_down(page: Page, table: str) -> list[str]:
    """Sit down and bet the least; return the addresses that are asked for advice from now on."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if re.search("/(advice|coach)([?]|$)", one.url) else None)
    page.goto(f"/table/{table}?now=1")
    expect(page.get_by_role("button", name=RIDE)).to_be_visible()
    return asked


def choices(page: Page, bet: int) -> Locator:
    group = page.get_by_role("group", name=f"Bet {bet}")
    expect(group).to_be_visible()
    return group


def line(page: Page) -> Locator:
    return page.locator(".coach-line")


def choose_against(page: Page, bet: int) -> str:
    """Do the opposite of what the coach says; return what he says it gives away."""
    buttons = choices(page, bet)
    expect(line(page)).to_contain_text("gives away")
    told = line(page).inner_text()
    buttons.get_by_role("button", name=PULL if "let it ride" in told else RIDE).click()
    return re.search(r"gives away (\S+) on average", told)[1]  # type: ignore[index]


def finish(page: Page, bet: int = 1) -> None:
    """Take back what can be taken back, so that the table is free for the next."""
    for one in range(bet, 3):
        choices(page, one).get_by_role("button", name=PULL).click()
    expect(page.get_by_role("button", name=re.compile("again"))).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_advice_before_a_choice_and_its_cost_after_the_round(people: Callable[..., BrowserContext], width: int) -> None:
    page = people(viewport={"width": width, "height": 800}).new_page()
    sit_down(page, COACHED)
    first = choose_against(page, 1)
    second = choose_against(page, 2)
    expect(line(page)).to_contain_text(f"gave away {second} on average")
    expect(page.get_by_role("button", name=re.compile("again"))).to_be_visible()
    page.keyboard.press("w")
    coach = page.get_by_role("dialog", name="Coach")
    last = coach.get_by_role("region", name=re.compile(r"^Round \d+$"))
    for bet, cost in ((1, first), (2, second)):
        expect(last.get_by_role("listitem").filter(has_text=f"Bet {bet}: ")).to_contain_text(
            f"gave away {cost} on average"
        )
    sums = coach.locator(".coach-sums > div")
    expect(sums.filter(has_text="Rounds")).to_have_text("Rounds1")
    expect(sums.filter(has_text="Your mistakes")).to_contain_text("\N{MINUS SIGN}$")
    expect(coach.get_by_text("0 of 2 choices were the best ones.")).to_be_visible()
    expect(coach.get_by_role("img", name=re.compile("Result against expectation"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert [] == violations(page)


def test_why_a_choice_is_best_is_told_with_what_both_are_worth(page: Page) -> None:
    sit_down(page, COACHED)
    expect(line(page)).to_contain_text("Coach: ")
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text(re.compile("^Bet 1: "))).to_be_visible()
    expect(coach.get_by_text(re.compile("^You have "))).to_be_visible()
    worths = coach.get_by_role("table", name="What the base bets win in the end, on average")
    expect(worths.get_by_role("row")).to_have_count(3)
    assert [] == violations(page)
    page.keyboard.press("Escape")
    finish(page)


def test_who_wants_no_advice_is_not_given_any_unless_he_asks(page: Page) -> None:
    page.goto("/")
    page.evaluate("localStorage.setItem('letitride.advice', 'false')")
    asked = sit_down(page, COACHED)
    choices(page, 1)
    expect(line(page)).to_be_empty()
    assert asked == []
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text("You choose for yourself.")).to_be_visible()
    coach.get_by_role("button", name="What is this choice worth?").click()
    expect(coach.get_by_text(re.compile("^Bet 1: "))).to_be_visible()
    page.keyboard.press("Escape")
    finish(page)
    assert len([one for one in asked if one.endswith("/advice")]) == 1


def test_where_the_book_forbids_advice_nothing_is_asked_and_nothing_is_said(page: Page) -> None:
    asked = sit_down(page, SILENT)
    choices(page, 1)
    expect(line(page)).to_have_count(0)
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text("The book of this table allows no advice while you play.")).to_be_visible()
    page.keyboard.press("Escape")
    finish(page)
    assert asked == []
    answer = page.request.get(f"/api/tables/{SILENT}/advice")
    assert 403 == answer.status
