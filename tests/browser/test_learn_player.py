"""Learning to play in a browser: a drill and an exam to their ends, the rules, the look-up; by keyboard and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from letitride.analysis.strategy import ALWAYS_RIDE, cost
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.training.player import Advice, lesson_of, look_up
from tests.browser.conftest import House, violations, violations_in_both_schemes
from tests.server.guest import PATIENCE

DRILL = "/learn/player/LIRX-01"


def shown(page: Page, paytable: str = "LIRX-01") -> Advice:
    """Return what to do with the hand on the felt."""
    own = page.get_by_role("group", name="Your cards").locator("[data-card]").all()
    first = page.get_by_role("group", name="Community cards").locator("[data-card]").first
    cards = [one.get_attribute("data-card") or "" for one in own]
    community = first.get_attribute("data-card") or ""
    cards += [] if community.startswith("[") else [community]
    return look_up(lesson_of(catalog.paytable(paytable)), parse_cards(" ".join(cards)))


def question(page: Page, place: int, of: int = 20) -> None:
    expect(page.get_by_role("region", name=f"Question {place} of {of}")).to_be_visible()
    expect(page.get_by_role("button", name="Let it ride")).to_be_enabled()


def test_a_perfect_trainee_drills_a_set_by_keyboard_to_its_end(page: Page) -> None:
    page.goto("/learn")
    page.get_by_role("region", name="Learn the best play").get_by_role("link", name="Start drill").click()
    for place in range(1, 21):
        question(page, place)
        page.keyboard.press("r" if shown(page).best[0] == "ride" else "t")
        expect(page.get_by_role("region", name="What it's worth").get_by_text("Right:")).to_be_visible()
        assert (
            page.get_by_role("button", name="Next hand")
            .or_(page.get_by_role("button", name="Start another set"))
            .count()
        )
        if place < 20:
            page.keyboard.press("n")
    expect(page.get_by_role("heading", name="This set: 20 of 20 right")).to_be_visible()
    page.goto("/learn")
    expect(page.get_by_role("link", name="Continue drill")).to_be_visible()
    expect(page.get_by_role("row", name="Drill: LIRX-01")).to_contain_text("100%")


def elsewhere(house: House, page: Page, first: int, last: int) -> None:
    """Let bets ride in an exam without the page: a hundred questions more prove nothing more of it."""
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    with httpx.Client(base_url=house.base, cookies=cookies, timeout=PATIENCE, verify=False) as client:
        for number in range(first, last + 1):
            said = {"number": number, "choice": "ride"}
            assert client.post("/api/learn/player/LIRX-01/exam/answer", json=said).is_success


def test_one_who_always_rides_is_told_the_exact_cost_at_the_end_of_the_exam(page: Page, open_house: House) -> None:
    page.goto(f"{DRILL}/exam")
    page.get_by_role("button", name="Start exam").click()
    for first, last in ((1, 5), (101, 105), (196, 200)):
        for place in range(first, last + 1):
            question(page, place, 200)
            page.keyboard.press("r")
        if last < 200:
            question(page, last + 1, 200)
            upto = 100 if last < 100 else 195
            elsewhere(open_house, page, last + 1, upto)  # an exam is gone on with where it was left, by whatever page
            page.reload()
            page.get_by_role("button", name=f"Continue exam: {upto} of 200 answered").click()
    report = page.get_by_role("region", name="of 200 right")
    expect(report).to_contain_text("Not passed")
    always = cost(catalog.paytable("LIRX-01").pays["base"], ALWAYS_RIDE).per_hundred
    expect(report).to_contain_text(f"{float(always):.4f}")
    expect(report).to_contain_text(f"exactly {always}")
    with page.expect_download() as download:
        report.get_by_role("button", name="Download report").click()
    assert f'"{always}"' in download.value.path().read_text(encoding="utf-8")
    assert [] == violations(page)


def test_a_mistake_is_told_with_both_values_the_rule_and_the_cost(page: Page) -> None:
    page.goto(DRILL)
    question(page, 1)
    assert [] == violations_in_both_schemes(page)
    place, advice = 1, shown(page)
    while len(advice.best) > 1:  # a hand with which no choice is wrong
        page.keyboard.press("r")
        page.get_by_role("button", name="Next hand").click()
        place += 1
        question(page, place)
        advice = shown(page)
    best, other = ("Let it ride", "Take it back") if advice.best == ("ride",) else ("Take it back", "Let it ride")
    page.get_by_role("button", name=other).click()
    told = page.get_by_role("region", name="What it's worth")
    expect(told).to_contain_text(f"Wrong. Better: {best.lower()}.")
    expect(told).to_contain_text(str(advice.found.value).replace("-", "\N{MINUS SIGN}"))
    expect(told).to_contain_text(advice.why)
    expect(told).to_contain_text(f"exactly {advice.cost_per_hundred}")
    expect(page.get_by_role("status").filter(has_text=f"Wrong. Better: {best.lower()}.")).to_have_count(1)
    expect(page.get_by_role("button", name="Next hand")).to_be_focused()
    assert [] == violations_in_both_schemes(page)


def test_an_open_question_stays_and_another_page_is_told_when_it_was_answered(
    people: Callable[..., BrowserContext],
) -> None:
    person = people()
    first, second = person.new_page(), person.new_page()
    first.goto(DRILL)
    question(first, 1)
    second.goto(DRILL)
    question(second, 1)
    assert shown(first) == shown(second)
    first.get_by_role("button", name="Let it ride").click()
    expect(first.get_by_role("button", name="Next hand")).to_be_visible()
    second.get_by_role("button", name="Let it ride").click()
    expect(second.get_by_role("alert")).to_contain_text("Expected an answer to question 2")
    question(second, 2)


def test_without_a_connection_it_says_so_and_the_answer_can_be_given_again(
    people: Callable[..., BrowserContext],
) -> None:
    person = people()
    page = person.new_page()
    page.goto(DRILL)
    question(page, 1)
    person.set_offline(True)
    page.get_by_role("button", name="Let it ride").click()
    expect(page.get_by_role("alert")).to_contain_text("Can't reach the server")
    person.set_offline(False)
    page.get_by_role("button", name="Let it ride").click()
    expect(page.get_by_role("button", name="Next hand")).to_be_visible()


def test_somebody_whose_session_ended_goes_on_as_a_guest(people: Callable[..., BrowserContext]) -> None:
    person = people()
    page = person.new_page()
    page.goto(DRILL)
    question(page, 1)
    person.clear_cookies()
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("alert")).to_contain_text("Your session expired")
    question(page, 1)
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("button", name="Next hand")).to_be_visible()


def test_a_hand_is_looked_up_and_the_rules_are_there(page: Page) -> None:
    page.goto("/learn")
    for name in ("nine of hearts", "nine of clubs", "two of diamonds"):
        page.get_by_role("button", name=name, exact=True).click()
    status = page.get_by_role("region", name="What should I do with").get_by_role("status")
    expect(status).to_have_text("Bet 1: Take it back.")
    page.get_by_role("button", name="four of spades", exact=True).click()
    expect(status).to_have_text("Bet 2: Take it back.")
    expect(page.get_by_role("region", name="What should I do with")).to_contain_text("\N{MINUS SIGN}11/24")
    expect(page.get_by_role("button", name="ace of spades", exact=True)).to_be_disabled()
    assert [] == violations(page)
    page.get_by_role("button", name="Clear").click()
    expect(status).to_have_text("Pick 3 more cards.")
    page.get_by_label("Paytable").select_option("LIRX-03")
    page.get_by_role("link", name="See rules and values").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules: LIRX-03")
    expect(page.get_by_role("listitem").filter(has_text="different ranks with 2 ways")).to_have_count(1)
    assert 2 * 34 == page.get_by_role("row").count()
    assert [] == violations(page)


@pytest.mark.parametrize("path", ["/learn", DRILL, f"{DRILL}/rules", f"{DRILL}/exam"])
def test_nothing_is_wider_than_a_small_phone(people: Callable[..., BrowserContext], path: str) -> None:
    page = people(viewport={"width": 360, "height": 740}).new_page()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if path == DRILL:
        question(page, 1)
        for name in ("Let it ride", "Take it back"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        page.keyboard.press("r")
        expect(page.get_by_role("button", name="Next hand")).to_be_visible()
    assert 360 >= page.evaluate("document.documentElement.scrollWidth")
    assert [] == violations(page)


def test_the_drill_can_be_played_by_ear(page: Page) -> None:
    page.goto(DRILL)
    question(page, 1)
    names = [card.name for card in shown(page).cards]
    spoken = page.get_by_role("status").filter(has_text=f"Your cards: {', '.join(names[:3])}.")
    expect(spoken).to_have_count(1)
    expect(page.get_by_role("region", name="Question 1 of 20")).to_match_aria_snapshot(
        """
        - region "Question 1 of 20":
          - group "Community cards":
            - img
            - img
          - group "Your cards":
            - img
            - img
            - img
          - button "Let it ride"
          - button "Take it back"
        """
    )


def test_progress_is_forgotten_when_that_is_confirmed(page: Page) -> None:
    page.goto(DRILL)
    question(page, 1)
    page.keyboard.press("t")
    page.get_by_role("button", name="Next hand").click()
    page.get_by_role("link", name="Rules").click()
    expect(page.get_by_text("65 are new")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Reset my progress").click()
    expect(page.get_by_text("65 are new")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Reset my progress").click()
    expect(page.get_by_text("66 are new")).to_be_visible()


def test_a_paytable_that_is_none_says_so(page: Page) -> None:
    page.goto("/learn/player/nothing")
    expect(page.get_by_role("alert").filter(has_text="Expected the id of a published paytable")).to_be_visible()
