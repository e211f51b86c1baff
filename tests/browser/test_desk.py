"""The desks: what went wrong at a real table finds its ruling in a person's own words, also without a network."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from letitride.training.ruling_desk.phrases import find, phrases
from tests.browser.conftest import violations
from tests.training.test_ruling_desk import TYPED


def test_a_ruling_is_found_by_its_words_and_without_a_network(page: Page) -> None:
    page.goto("/rulings/nsw-1")
    box = page.get_by_role("searchbox", name="What happened?")
    expect(page.get_by_role("combobox", name="Or pick it from the list").locator("option")).to_have_count(16)
    page.context.set_offline(True)
    box.fill("delt for cards")
    part = page.get_by_role("region", name="A hand does not have three cards")
    expect(part).to_contain_text("Answer the questions above to see the ruling.")
    part.get_by_role("radio", name="no player").check()
    expect(part).to_contain_text("Misdeal; every hand is void and all bets are returned.")
    expect(part).to_contain_text("nsw:12.1")
    part.get_by_role("radio", name="some players").check()
    expect(part).to_contain_text("That hand alone is void and its bets are returned; the others play on.")
    expect(part.get_by_role("listitem").filter(has_text="return everything seat 1 bet this round")).to_be_visible()
    expect(part).to_contain_text("Washington")
    assert [] == violations(page)
    # The page finds what the command finds.
    for typed, _ in TYPED[::6]:
        box.fill(typed)
        first = next(
            one for one in find(typed, phrases().said) if page.locator(f'option[value="{one.situation}"]').count()
        )
        chosen = page.locator(f'option[value="{first.situation}"]').text_content() or ""
        expect(page.get_by_role("region", name=re.compile(re.escape(chosen)))).to_be_visible()
    page.context.set_offline(False)


def test_the_ruling_desk_opens_without_a_network_where_it_was_open_before(
    people: Callable[..., BrowserContext],
) -> None:
    person = people(service_workers="allow")
    page = person.new_page()
    page.goto("/rulings/nsw-1")
    expect(page.get_by_text("This page also works offline on this device.")).to_be_visible()
    person.set_offline(True)
    page = person.new_page()
    page.goto("/rulings/nsw-1")
    page.get_by_role("searchbox", name="What happened?").fill("delt for cards")
    part = page.get_by_role("region", name="A hand does not have three cards")
    part.get_by_role("radio", name="no player").check()
    expect(part).to_contain_text("Misdeal; every hand is void and all bets are returned.")
    page.goto("/")
    expect(page.get_by_role("heading")).to_contain_text("reach")  # all else is not kept


def test_a_real_round_is_paid_spot_by_spot_and_a_wrong_deal_is_named(page: Page) -> None:
    page.goto("/payouts/washington-1")
    page.get_by_role("textbox", name="Community cards").fill("8s 9c")
    first, second = (page.get_by_role("group", name=f"Hand {number}") for number in (1, 2))
    first.get_by_role("textbox", name="Cards").fill("8h 8d 8c")
    first.get_by_role("textbox", name="Each base bet").fill("10")
    second.get_by_role("textbox", name="Cards").fill("10h jd 8s")
    second.get_by_role("textbox", name="Each base bet").fill("10")
    second.get_by_role("textbox", name="Cover All").fill("5")
    second.get_by_role("checkbox", name="Bet 2 rides").check()
    page.get_by_role("button", name="Show payouts").click()
    expect(page.get_by_text("That card is out twice: eight of spades")).to_be_visible()
    second.get_by_role("textbox", name="Cards").fill("10h jd 7c")
    page.get_by_role("button", name="Show payouts").click()
    seat = page.get_by_role("region", name="Seat 2")
    expect(seat).to_contain_text("straight, jack high")
    expect(seat.get_by_role("row", name="Bet 1")).to_contain_text("taken back: $10 returned")
    expect(seat.get_by_role("row", name="Cover All")).to_contain_text(
        "best of 2 hands: four of a kind: 80 to 1 on $5 is $400"
    )
    expect(page.get_by_role("link", name="Save round record")).to_have_attribute(
        "href", re.compile("rulebook%20washington-1")
    )
    assert [] == violations(page)
