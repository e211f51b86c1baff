"""The drawers of the table: pays, rules with clauses, past rounds step by step, proofs checked in the browser, the account."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from letitride.chance.proof import verify
from tests.browser.conftest import violations
from tests.browser.player import Player, go


@pytest.fixture
def player(page: Page) -> Player:
    """Somebody who has played a round."""
    one = Player(page)
    one.sit_at_own("shufflemaster-1")
    one.choose(1)
    one.choose(2)
    one.result()
    expect(one.place.get_by_role("button", name=re.compile("^Bet .* again"))).to_be_visible()
    return one


def test_a_round_is_stepped_through(player: Player) -> None:
    page = player.page
    page.keyboard.press("h")
    drawer = page.get_by_role("dialog", name="Past rounds")
    drawer.get_by_role("button", name=re.compile("^Round 1")).click()
    drawer.get_by_role("slider").press("Home")
    expect(drawer.get_by_text(re.compile(r"^Step 1 of \d+$"))).to_be_visible()
    drawer.get_by_role("button", name=re.compile("^Next")).click()
    expect(drawer.get_by_text(re.compile(r"^Step 2 of \d+$"))).to_be_visible()
    drawer.get_by_role("slider").press("End")
    expect(drawer.get_by_role("heading", name="Results")).to_be_visible()
    assert [] == violations(page)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_a_proof_is_checked_here_and_downloaded_and_holds_elsewhere(player: Player, tmp_path: Path) -> None:
    page = player.page
    go(page, "Proofs")
    drawer = page.get_by_role("dialog", name="Fair-deck proofs")
    one = drawer.get_by_role("listitem").first
    one.get_by_role("button", name="Check proof").click()
    expect(one.get_by_role("status")).to_contain_text("✓")
    with page.expect_download() as started:
        one.get_by_role("button", name="Download proof").click()
    kept = tmp_path / "proof.json"
    started.value.save_as(kept)
    document = json.loads(kept.read_text(encoding="utf-8"))
    assert [] == verify(document)
    assert [] == violations(page)
    drawer.get_by_label("Round").fill("99")
    drawer.get_by_role("button", name="Find deck").click()
    expect(drawer.get_by_role("alert").filter(has_text="There's no opened deck for round 99")).to_be_visible()
    expect(drawer.get_by_text("Round 99, shuffle 1")).to_have_count(0)
    # A house that changes a card afterwards is found out by the same page.
    other = {**document, "order": [*document["order"][1:], document["order"][0]]}
    page.route("**/proofs/**", lambda route: route.fulfill(json=other))
    one.get_by_role("button", name="Check proof").click()
    expect(one.get_by_role("status")).to_contain_text("The proof fails")


def test_a_page_without_the_browsers_own_sha_256_takes_its_part_in_the_shuffles_all_the_same(
    people: Callable[..., BrowserContext],
) -> None:
    # A house waits two seconds for a part, which may be too short for a busy machine, and then takes none of that
    # player's for a while: somebody else may try again.
    for _ in range(6):
        page = people().new_page()
        # Over plain http from another machine a page may not use it.
        page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
        one = Player(page)
        table = one.sit_at_own("nsw-1")
        one.choose(1)
        one.choose(2)
        one.result()
        go(page, "Proofs")
        shown = page.get_by_role("dialog").get_by_role("listitem").filter(has_text="Round 1, shuffle 1")
        expect(shown).to_be_visible()
        proof = page.request.get(f"/api/tables/{table}/proofs/1/1").json()
        if proof["reveals"]:
            break
        page.context.close()
    shown.get_by_role("button", name="Check proof").click()
    expect(shown.get_by_role("status")).to_contain_text("The proof holds: ")
    expect(shown.get_by_role("status")).to_contain_text("your number is in the deck")
    assert ([4], []) == ([told["seat"] for told in proof["reveals"]], proof["unrevealed"])
    cuts = proof["commitment"]["cuts"]
    assert 1 == len(cuts)
    facts = dict(zip(shown.locator("dt").all_inner_texts(), shown.locator("dd").all_inner_texts(), strict=True))
    assert {
        "Cuts": f"cards from the top: {cuts[0]}",
        "Seats in the deck": "4",
        "Seats that didn't reveal": "none",
    } == facts
    expect(shown.get_by_role("note")).to_have_count(0)  # all it gave was acknowledged


def test_the_rules_of_this_table_have_their_clauses(player: Player) -> None:
    page = player.page
    page.get_by_role("button", name="Rules").click()
    drawer = page.get_by_role("dialog", name="Rules: ")
    expect(drawer.get_by_text("A player who is away when a decision is due.")).to_be_visible()
    assert [] == violations(page)
    drawer.get_by_role("button", name="All rules and clauses").click()
    drawer.get_by_role("searchbox").fill("sm:")
    expect(drawer.locator(".rule-clause").first).to_be_visible()
    assert [] == violations(page)


def test_pays_and_keys_and_chips_have_their_drawers(player: Player) -> None:
    page = player.page
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Limits and pays").get_by_text("royal flush").first).to_be_visible()
    assert [] == violations(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts").get_by_text("let it ride")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer = page.get_by_role("dialog", name="Your seat")
    drawer.get_by_label("Buy chips").fill("50")
    drawer.get_by_role("button", name="Buy chips", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="You bought $50")).to_be_visible()
    assert [] == violations(page)
    drawer.get_by_role("button", name=re.compile("^Leave with")).click()
    expect(page.get_by_text("You're watching.")).to_be_visible()


def test_a_drawer_that_is_wanted_right_after_another_was_closed_stays_open(player: Player) -> None:
    page = player.page
    page.keyboard.press("p")
    expect(page.get_by_role("dialog", name="Limits and pays")).to_be_visible()
    # As by Escape, and before the next frame, in which a browser says that a dialog was closed.
    page.evaluate("""async () => {
        document.querySelector("dialog[open]").requestClose();
        await new Promise((done) => setTimeout(done));
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
    }""")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_the_keyboard_is_back_where_it_was_when_a_drawer_closes(page: Page) -> None:
    page.goto("/")
    head, drawer = page.locator(".head-me"), page.get_by_role("dialog", name="Account")
    for key in (None, "Escape"):
        head.click()
        expect(drawer).to_be_visible()
        if key:
            page.keyboard.press(key)
        else:
            drawer.get_by_role("button", name="Close").first.click()
        expect(drawer).to_have_count(0)
        expect(head).to_be_focused()


def test_an_account_is_made_limited_and_left(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Sign in").click()
    drawer = page.get_by_role("dialog", name="Account")
    drawer.get_by_label("Name").fill("Ann of the browser")
    drawer.get_by_label("Password").fill("short")
    drawer.get_by_role("button", name="Sign in").click()
    expect(drawer.get_by_role("alert").filter(has_text="Wrong name or password")).to_be_visible()
    drawer.get_by_role("tab", name="I have an account").press("ArrowRight")
    expect(drawer.get_by_role("tab", name="I'm new here")).to_be_focused()
    expect(drawer.get_by_text("At least 10 characters. A short sentence works well.")).to_be_visible()
    assert [] == violations(page)
    drawer.get_by_role("button", name="Create account").click()
    expect(drawer.get_by_role("alert").filter(has_text="at least 10 characters")).to_be_visible()
    drawer.get_by_label("Password").fill("a long sentence of mine")
    drawer.get_by_role("button", name="Create account").click()
    expect(drawer.get_by_text("You're signed in as Ann of the browser")).to_be_visible()
    expect(drawer.get_by_role("button", name="Get play chips")).to_be_disabled()
    drawer.get_by_label("Loss limit for 24 hours").fill("0")
    asked: list[str] = []
    page.once("dialog", lambda one: (asked.append(one.message), one.dismiss()))
    drawer.get_by_role("button", name="Save limits").click()
    assert "stops you from playing at once" in "".join(asked)
    drawer.get_by_label("Loss limit for 24 hours").fill("100")
    drawer.get_by_role("button", name="Save limits").click()
    expect(page.get_by_text("Limits saved.")).to_be_visible()
    drawer.get_by_label("Length of the break").select_option("7 days")
    page.once("dialog", lambda one: (asked.append(one.message), one.accept()))
    drawer.get_by_role("button", name="Take a break").click()
    expect(drawer.get_by_role("status").filter(has_text="You asked to be excluded from play until")).to_be_visible()
    assert asked[-1].startswith("You can't play until ")
    left_ms = page.request.get("/api/me/limits").json()["excluded_until_ms"] - time.time() * 1000
    assert 6 * 86_400_000 < left_ms <= 7 * 86_400_000
    drawer.get_by_label("Dark").check()
    assert "dark" == page.evaluate("document.documentElement.dataset.theme")
    drawer.get_by_text("Change password").click()
    assert [] == violations(page)
    drawer.get_by_label("Current password").fill("a long sentence of hers")
    drawer.get_by_label("New password").fill("another long sentence")
    drawer.get_by_role("button", name="Save new password").click()
    expect(drawer.get_by_role("alert").filter(has_text="isn't your current password")).to_be_visible()
    drawer.get_by_label("Current password").fill("a long sentence of mine")
    drawer.get_by_role("button", name="Save new password").click()
    expect(page.get_by_text("Password changed.")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    expect(drawer.get_by_role("button", name="Sign in")).to_be_visible()
    drawer.get_by_label("Name").fill("Ann of the browser")
    drawer.get_by_label("Password").fill("another long sentence")
    drawer.get_by_role("button", name="Sign in").click()
    expect(drawer.get_by_text("You're signed in as Ann of the browser")).to_be_visible()
    drawer.get_by_role("button", name="Sign out everywhere").click()
    expect(drawer.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_guest_who_makes_an_account_leaves_the_table_by_it_and_keeps_the_chips(player: Player) -> None:
    page = player.page
    won = int(re.sub(r"[^\d−]", "", player.result()).replace("−", "-"))
    page.get_by_role("button", name=re.compile("^Guest-")).click()
    drawer = page.get_by_role("dialog", name="Account")
    drawer.get_by_label("Name").fill("Bob of the browser")
    drawer.get_by_label("Password").fill("a long sentence of his")
    drawer.get_by_role("tab", name="I'm new here").click()
    drawer.get_by_role("button", name="Create account").click()
    expect(drawer.get_by_text("You're signed in as Bob of the browser")).to_be_visible()
    expect(drawer.locator(".figure")).to_have_text(f"${1_000 + max(won, 0):,}")  # less is made up to 1,000
