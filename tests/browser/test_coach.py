"""The coach on the table page: what a choice is worth before it, what it cost after it, and silence where a book wants it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import violations
from tests.browser.player import PULL, RIDE, Player

COACHED, SILENT = "shufflemaster-1", "nsw-1"


def sit_down(page: Page, book: str, mode: str = "") -> tuple[Player, list[str]]:
    """Sit down at a table of one's own; return the player and what is asked of the coach's addresses from now on."""
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if re.search("/(advice|coach)([?]|$)", one.url) else None)
    player = Player(page)
    player.sit_at_own(book, mode)
    expect(player.ride).to_be_visible()
    return player, asked


def line(page: Page) -> Locator:
    return page.locator(".coach-line")


def choose_against(player: Player, bet: int) -> str:
    """Do the opposite of what the coach says; return what he says it gives away: nothing where both are worth the same.

    About one hand in 150 comes to four cards with which neither choice of bet 2 is better.
    """
    expect(player.place.get_by_role("group", name=f"Bet {bet}:")).to_be_visible()
    expect(line(player.page)).to_contain_text(re.compile("costs|worth the same"))
    told = line(player.page).inner_text()
    player.choose(bet, PULL if "let it ride" in told else RIDE)
    found = re.search(r"costs (\S+) on average", told)
    return found[1] if found else ""


@pytest.mark.parametrize("width", [1280, 360])
def test_advice_before_a_choice_and_its_cost_after_the_round(people: Callable[..., BrowserContext], width: int) -> None:
    page = people(viewport={"width": width, "height": 800}).new_page()
    player, _ = sit_down(page, COACHED, "before")
    first = choose_against(player, 1)
    second = choose_against(player, 2)
    player.result()
    for bet, cost in ((1, first), (2, second)):
        if cost:
            expect(line(page)).to_contain_text(re.compile(f"Bet {bet}: [^.]* cost {re.escape(cost)} on average"))
    page.keyboard.press("w")
    coach = page.get_by_role("dialog", name="Coach")
    last = coach.get_by_role("region", name=re.compile(r"^Round \d+$"))
    for bet, cost in ((1, first), (2, second)):
        expect(last.get_by_role("listitem").filter(has_text=f"Bet {bet}: ")).to_contain_text(
            f"cost {cost} on average" if cost else "both decisions were worth the same"
        )
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    results = page.get_by_role("dialog", name="Your results")
    expect(results.get_by_role("row").filter(has_text="Cost of mistakes")).to_contain_text("\N{MINUS SIGN}$")
    best = (first, second).count("")
    expect(results.get_by_text(f"{best} of 2 right")).to_be_visible()
    expect(results.get_by_role("img", name=re.compile("Your result and the expected result"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert [] == violations(page)


def test_the_remark_on_the_last_round_goes_with_the_next_bets(page: Page) -> None:
    player, _ = sit_down(page, COACHED, "before")
    choose_against(player, 1)
    choose_against(player, 2)
    player.result()
    expect(line(page)).to_contain_text("Better:")
    player.place.get_by_role("button", name=re.compile("^Bet .* again")).click()
    expect(line(page).filter(has_text="Better:")).to_have_count(0)


def test_why_a_choice_is_best_is_told_with_what_both_are_worth(page: Page) -> None:
    sit_down(page, COACHED, "before")
    expect(line(page)).to_contain_text("Coach: ")
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text(re.compile("^Bet 1: "))).to_be_visible()
    expect(coach.get_by_text(re.compile("^You have "))).to_be_visible()
    worths = coach.get_by_role("table", name="Average result of the base bets")
    expect(worths.get_by_role("row")).to_have_count(3)
    assert [] == violations(page)


def test_who_wants_no_advice_is_not_given_any_unless_he_asks(page: Page) -> None:
    _, asked = sit_down(page, COACHED, "off")
    expect(line(page)).to_be_empty()
    assert asked == []
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text("The coach is off.")).to_be_visible()
    coach.get_by_role("button", name="Show advice for this decision").click()
    expect(coach.get_by_text(re.compile("^Bet 1: "))).to_be_visible()
    assert len([one for one in asked if one.endswith("/advice")]) == 1


def test_by_default_the_coach_speaks_after_a_decision_and_says_what_a_mistake_cost_and_why(page: Page) -> None:
    with page.expect_response(re.compile("/advice$")):  # the coach knows, and says nothing before the decision
        player, _ = sit_down(page, COACHED)
    table = page.url.rpartition("/")[2].partition("?")[0]
    for _ in (1, 2):
        advice = page.request.get(f"/api/tables/{table}/advice").json()["decision"]
        assert line(page).inner_text() == ""
        bet, best = advice["bet"], advice["best"]
        share = abs(advice["gain_cents"]["value"]) / advice["stake_cents"]
        player.choose(bet, PULL if best == "ride" else RIDE)
        if not advice["even"]:  # about one hand in 150 comes to cards with which neither is better
            break
    told = re.compile(f"Bet {bet}: .* cost .* on average. Better: .*. That is {share:.2f} of a bet, with ")
    expect(line(page)).to_contain_text(told)
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_role("radio", name="After each decision")).to_be_checked()
    with page.expect_response(re.compile("/api/me/settings")):
        coach.get_by_role("radio", name="Before each decision").check()
    page.reload()
    page.get_by_role("button", name="Coach").click()
    expect(coach.get_by_role("radio", name="Before each decision")).to_be_checked()


def test_where_the_book_forbids_advice_nothing_is_asked_and_nothing_is_said(page: Page) -> None:
    player, asked = sit_down(page, SILENT)
    player.choose(1, PULL)
    expect(player.place.get_by_role("group", name="Bet 2:")).to_be_visible()
    expect(line(page)).to_have_count(0)
    page.get_by_role("button", name="Coach").click()
    coach = page.get_by_role("dialog", name="Coach")
    expect(coach.get_by_text("The rules at this table don't allow advice during play.")).to_be_visible()
    assert asked == []
    answer = page.request.get(f"/api/tables/{SILENT}/advice")
    assert 403 == answer.status
