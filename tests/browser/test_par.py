"""The par page: figures move as somebody types, a mistake is named where it is, and the sheet can be taken away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import violations


def figure(page: Page, words: str, section: str = "Base game") -> Locator:
    part = page.get_by_role("region", name=section, exact=True)
    return part.locator(".par-figure").filter(has=page.locator("dt", has_text=re.compile(f"^{words}$"))).first


def pay(page: Page, hand: str, group: str = "Base game") -> Locator:
    form = page.get_by_role("group", name=re.compile(f"^{re.escape(group)}"))
    return form.get_by_role("textbox", name=re.compile(f"^{hand}( was .+)?$"))


def test_a_pay_changes_and_everything_follows(page: Page) -> None:
    page.goto("/par/LIRX-01")
    expect(figure(page, "House edge")).to_contain_text("3.5057%")
    expect(page.get_by_text("Same best play as LIRX-01.")).to_be_visible()
    pay(page, "flush").fill("11")
    expect(figure(page, "House edge")).to_contain_text("2.2431%")
    expect(figure(page, "House edge")).to_contain_text("LIRX-01: 3.5057%")
    expect(figure(page, "Bet 1 rides")).to_contain_text("7.6923%")
    expect(page.get_by_text("2 kinds of hand are played differently than with LIRX-01.")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="2 to 3 ways to a straight flush")).to_contain_text("new")
    expect(page.get_by_role("status").filter(has_text="house edge 2.2431%")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/par/LIRX-01\?base\.flush=11$"))
    page.reload()
    expect(figure(page, "House edge")).to_contain_text("2.2431%")
    page.get_by_role("button", name="Reset to LIRX-01").click()
    expect(figure(page, "House edge")).to_contain_text("3.5057%")
    expect(figure(page, "House edge")).not_to_contain_text("points")
    assert [] == violations(page)


def test_another_published_table_with_a_bonus(page: Page) -> None:
    page.goto("/par")
    page.get_by_role("combobox", name="Start from").select_option("LIRB-06")
    expect(figure(page, "House edge", "Bonus")).to_contain_text("25.3892%")
    pay(page, "full house", "Bonus").fill("100")
    expect(figure(page, "House edge", "Bonus")).to_contain_text("LIRB-06: 25.3892%")
    expect(figure(page, "House edge")).not_to_contain_text("points")
    page.get_by_role("combobox", name="Start from").select_option("COVER-ALL")
    expect(page.get_by_role("heading", name="Cover All, 7 hands")).to_be_visible()
    page.get_by_role("combobox", name="Hands in the round").select_option("2")
    expect(page.get_by_role("heading", name="Cover All, 2 hands")).to_be_visible()


def test_pays_that_cannot_be_are_named_and_the_last_good_figures_stay(page: Page) -> None:
    page.goto("/par/LIRX-01")
    expect(figure(page, "House edge")).to_contain_text("3.5057%")
    pay(page, "straight").fill("99")
    expect(
        page.get_by_role("alert").filter(
            has_text="Base game, flush: enter at least 99, which the lesser straight pays."
        )
    ).to_be_visible()
    assert "true" == pay(page, "flush").get_attribute("aria-invalid")
    expect(figure(page, "House edge")).to_contain_text("3.5057%")
    expect(page.get_by_text("These figures are for the earlier pays")).to_be_visible()
    expect(page.get_by_role("button", name="PDF")).to_be_disabled()
    assert [] == violations(page)
    pay(page, "straight").fill("")
    expect(pay(page, "straight")).to_have_attribute("placeholder", "–")  # and no figure that could pass for a pay
    pay(page, "straight").fill("6")
    expect(page.get_by_text("These figures are for the earlier pays")).to_have_count(0)
    expect(figure(page, "House edge")).to_contain_text("points")


def test_a_maximum_payout_changes_the_play(page: Page) -> None:
    page.goto("/par/LIRX-01")
    page.get_by_text("Conventions and maximum payout").click()
    page.get_by_label("The base game has a maximum payout").check()
    page.get_by_label("One base bet, in dollars").fill("100")
    heading = "At $100 a bet, with a maximum payout of $25,000"
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(figure(page, "House edge", heading)).to_contain_text("4.2290%")
    expect(page.get_by_role("listitem").filter(has_text="take it back instead")).to_have_count(4)
    page.get_by_label("One base bet, in dollars").fill("99999")
    expect(page.get_by_role("alert").filter(has_text="Expected a maximum payout of")).to_be_visible()
    page.get_by_label("One base bet, in dollars").fill("5")
    expect(page.get_by_text("The maximum changes no decision.")).to_be_visible()
    page.get_by_label("let it ride", exact=True).check()
    expect(page).to_have_url(re.compile("ties=ride"))


@pytest.mark.parametrize("kind", ["PDF", "HTML", "JSON"])
def test_the_sheet_of_just_these_pays_can_be_taken_away(page: Page, kind: str, tmp_path: Path) -> None:
    page.goto("/par/3CB-1?three_card.flush=5")
    expect(figure(page, "House edge", "3 Card Bonus")).to_contain_text("points")
    with page.expect_download() as coming:
        page.get_by_role("button", name=kind).click()
    file = tmp_path / coming.value.suggested_filename
    coming.value.save_as(file)
    assert f"par-3CB-1-edited.{kind.lower()}" == file.name
    content = file.read_bytes()
    if kind == "JSON":
        assert "5" == next(
            one["pay"] for one in json.loads(content)["wagers"][0]["lines"] if one["category"] == "flush"
        )
    else:
        assert content.startswith(b"%PDF" if kind == "PDF" else b"<!DOCTYPE html>")


def test_by_keyboard_on_a_phone(people: Callable[..., BrowserContext]) -> None:
    page = people(viewport={"width": 360, "height": 740}, has_touch=True).new_page()
    page.goto("/par/LIRX-01")
    edge = page.locator(".par-strip").get_by_text("3.5057%")
    expect(edge).to_be_in_viewport()
    field = pay(page, "two pair")
    for _ in range(40):
        page.keyboard.press("Tab")
        if field.evaluate("one => one === document.activeElement"):
            break
    expect(field).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("3")
    expect(page.locator(".par-strip").get_by_text("3.5057%")).to_have_count(0)
    expect(page.locator(".par-strip b").first).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert [] == violations(page)
