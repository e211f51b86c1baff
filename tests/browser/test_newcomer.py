"""What newcomers stumbled over at a table: words behind a drawer, bets that cannot be read, plates on one another."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House
from tests.browser.player import PULL, Player


def test_what_is_refused_in_a_drawer_is_said_in_the_drawer(page: Page) -> None:
    # What is said goes after seven seconds, in which a busy machine may not come to close the drawer.
    page.add_init_script("const own = setTimeout; setTimeout = (act, ms) => own(act, ms === 7000 ? 60000 : ms)")
    player = Player(page)
    player.sit_at_own("nsw-1")
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer = page.get_by_role("dialog", name="Your seat")
    drawer.get_by_label("Buy chips, in dollars").fill("100000")
    drawer.get_by_role("button", name="Buy chips", exact=True).click()
    expect(drawer.get_by_role("alert")).to_contain_text("Your wallet doesn't hold that much.")
    expect(page.get_by_role("alert").filter(has_text="wallet")).to_have_count(1)
    drawer.get_by_role("button", name="Close").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Your wallet doesn't hold that much.")


def test_a_bet_that_cannot_be_read_or_is_too_high_is_said_in_the_words_of_the_page(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1")
    player.choose(1, PULL)
    player.choose(2, PULL)
    amount = player.place.get_by_label("Each bet, $")
    amount.fill("plenty")
    amount.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Enter an amount in dollars, such as 7.50.")
    amount.fill("9999")
    amount.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("more in chips.")


def test_the_coach_keeps_quiet_about_the_last_round_once_the_next_is_dealt(page: Page) -> None:
    player = Player(page)
    player.sit_at_own("shufflemaster-1", "before")
    line = player.place.locator(".coach-line")
    for bet in (1, 2):
        expect(line).to_contain_text("Coach:")
        player.choose(bet, PULL)
    expect(line).to_contain_text("Bet 2:")
    page.evaluate(
        """() => {
            window.stale = false;
            new MutationObserver(() => {
                const dealt = document.querySelector(".rail-wait")?.textContent === "Cards are dealt";
                window.stale ||= dealt && document.querySelector(".coach-line").textContent !== "";
            }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    player.place.get_by_role("button", name="Bet $15 again").click()
    expect(player.ride).to_be_visible()
    assert page.evaluate("window.stale") is False


def test_names_of_neighbours_do_not_lie_on_one_another_on_a_phone(
    people: Callable[..., BrowserContext], open_house: House
) -> None:
    hosts, guest = (Player(people(viewport={"width": 360, "height": 740}).new_page()) for _ in range(2))
    table = hosts.open_table("shufflemaster-1")
    path = f"/api/tables/{table}/invitations"
    origin = {"Origin": open_house.base}
    made = hosts.page.request.post(path, data={"people": 1, "hours": 1}, headers=origin)
    guest.page.goto("/")
    guest.page.request.post("/api/guest", headers=origin)
    guest.page.request.post(f"/api/invitations/{made.json()['token']}", headers=origin)
    for player, seat in ((hosts, 3), (guest, 4)):
        player.page.goto(f"/table/{table}")
        player.page.get_by_role("button", name=f"Sit down at seat {seat}").click()
        player.page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
        expect(player.seated).to_be_visible()
    expect(hosts.page.locator(".seat-4 .seat-stack")).to_be_visible()
    left, right = (hosts.page.locator(f".seat-{seat} .seat-plate").bounding_box() for seat in (4, 3))
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"]


def test_what_is_being_typed_stays_when_somebody_else_sits_down(
    people: Callable[..., BrowserContext], open_house: House
) -> None:
    host, guest = (Player(people().new_page()) for _ in range(2))
    table = host.open_table("nsw-1")
    origin = {"Origin": open_house.base}
    made = host.page.request.post(f"/api/tables/{table}/invitations", data={"people": 1, "hours": 1}, headers=origin)
    guest.page.goto("/")
    guest.page.request.post("/api/guest", headers=origin)
    guest.page.request.post(f"/api/invitations/{made.json()['token']}", headers=origin)
    for player, seat in ((host, 3), (guest, 4)):
        player.page.goto(f"/table/{table}")
        player.page.get_by_role("button", name=f"Sit down at seat {seat}").click()
        player.page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
        expect(player.seated).to_be_visible()
        if player is host:
            host.place.get_by_label("Each bet, $").fill("15")
    expect(host.page.locator(".seat-4 .seat-stack")).to_be_visible()
    expect(host.place.get_by_label("Each bet, $")).to_have_value("15")
    host.page.keyboard.press("Enter")
    expect(host.place).to_contain_text("$45")


def test_a_new_account_has_chips_and_sits_down_with_one_click(page: Page) -> None:
    player = Player(page)
    page.goto("/")
    page.get_by_role("button", name="Sign in").click()
    account = page.get_by_role("dialog", name="Account")
    account.get_by_label("Name").fill("Newcomer")
    account.get_by_label("Password").fill("a password of some length")
    account.get_by_role("tab", name="I'm new here").click()
    account.get_by_role("button", name="Create account").click()
    expect(account.get_by_text("You're signed in as Newcomer.")).to_be_visible()
    expect(account.locator(".figure")).to_have_text("$1,000")
    account.get_by_role("button", name="Close").first.click()
    player.sit_at("Shuffle Master · 3 Card Bonus · $5–$500")
    expect(player.place.locator(".rail-money")).to_contain_text("$300")
    expect(page.get_by_role("button", name="Newcomer")).to_contain_text("$700")


def test_on_a_phone_on_its_side_the_choices_and_the_table_are_both_seen(people: Callable[..., BrowserContext]) -> None:
    player = Player(people(viewport={"width": 740, "height": 360}).new_page())
    player.sit_at_own("washington-1")
    expect(player.ride).to_be_in_viewport(ratio=1)
    expect(player.place.get_by_role("button", name=PULL)).to_be_in_viewport(ratio=1)
    expect(player.page.locator(".felt")).to_be_in_viewport()
    rail = player.place.bounding_box()
    assert rail is not None
    assert rail["width"] <= 0.5 * 740  # beside the table, not over it
