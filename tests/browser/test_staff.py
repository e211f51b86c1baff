"""Those who run the house, in a real browser: dealer, floor, inspector and administrator, by keyboard and by hand."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from letitride import read_record, replay
from letitride.chance.proof import verify
from letitride.storage.urls import open_store
from tests.browser.chromium import ELSEWHERE
from tests.browser.conftest import House, violations, violations_in_every_colour
from tests.browser.player import Player
from tests.browser.staffing import PASSWORD, deal, hire, playing, sign_in
from tests.server.guest import PATIENCE

WIDE = {"width": 1280, "height": 860}
PHONE = {"width": 320, "height": 640}
Person = Callable[..., Page]


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which people work."""
    house = House(tmp_path_factory.mktemp("staffed"))
    hire(house)
    house.start()
    yield house
    house.stop(signal.SIGKILL)


@pytest.fixture(scope="module")
def played(staffed: House) -> str:
    """A table of its own at which three rounds were played."""
    with httpx.Client(base_url=staffed.base, timeout=PATIENCE, verify=False) as client:
        assert client.post("/api/login", json={"name": "Cas", "password": PASSWORD}).is_success
        assert client.post("/api/tables", json={"name": "Walked", "rulebook": "nsw-1"}).is_success
        with playing(staffed, "walked"):
            for _ in range(600):
                if len(client.get("/api/tables/walked/rounds").json()["rounds"]) >= 3:
                    return "walked"
                time.sleep(0.1)
    raise AssertionError("no round was played")


@pytest.fixture
def person(people: Callable[..., BrowserContext], staffed: House) -> Iterator[Person]:
    """Makes pages of people: somebody who works here by name, or nobody in particular."""
    mistakes: list[str] = []

    def come(name: str = "", house: House = staffed, **how: Any) -> Page:
        context = people(house.base, **{"viewport": WIDE, **how})
        if name:
            sign_in(context, name)
        page = context.new_page()
        page.on("pageerror", lambda error: mistakes.append(str(error)))
        return page

    yield come
    assert mistakes == []


def take_shift(page: Page, table: str) -> None:
    page.goto(f"/staff/table/{table}")
    page.get_by_role("button", name="Take shift").press("Enter")
    expect(page.get_by_role("button", name="End shift")).to_be_visible()


def end_shift(page: Page) -> None:
    """Leave the table to others, who come next: a page that is closed may take its last request with it."""
    page.get_by_role("button", name="End shift").click()
    expect(page.get_by_role("button", name="Take shift")).to_be_visible()


@pytest.mark.parametrize("table", ["hand-dealt-1", "washington-1"])
def test_a_dealer_deals_a_round_by_one_key(person: Person, staffed: House, table: str) -> None:
    page = person("Dora")
    take_shift(page, table)
    with playing(staffed, table) as guest:
        expect(page.get_by_role("group", name=f"Seat 1, {guest.name}")).to_be_visible()
        done = deal(page, "Turn up seat 1's hand")
        assert any(one.startswith("Turn community card 2") for one in done)
        expect(page.locator(".staff-step kbd")).to_have_text("N")
        expect(page.get_by_role("list", name="Clauses")).to_be_visible()
        assert [] == violations(page)
        deal(page, "Put the community cards into the rack")
        page.keyboard.press("n")
        expect(page.locator(".pit-seats .card")).to_have_count(0)
    end_shift(page)


def test_keys_can_be_switched_off_and_the_large_button_does_the_same(person: Person) -> None:
    page = person("Dora")
    take_shift(page, "california-1")
    keys = page.get_by_role("checkbox", name=re.compile("^Shortcuts"))
    keys.press("Space")
    expect(keys).not_to_be_checked()
    page.keyboard.press("w")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Report irregularity").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    keys.press("Space")
    expect(keys).to_be_checked()
    end_shift(page)


def test_something_is_wrong_and_the_book_rules_and_the_ruling_is_carried_out(person: Person, staffed: House) -> None:
    page = person("Dora", viewport=PHONE)
    take_shift(page, "shufflemaster-1")
    flo = person("Flo")
    flo.goto("/staff/table/shufflemaster-1")
    with playing(staffed, "shufflemaster-1") as guest:
        deal(page, "Take the dealer's packet")
        expect(flo.get_by_role("region", name="Script")).to_contain_text("For the dealer")
        seat = page.get_by_role("group", name=f", {guest.name}")
        expect(seat).to_contain_text("$485")
        page.keyboard.press("w")
        drawer = page.get_by_role("dialog", name="Report irregularity")
        drawer.get_by_role("button", name="A hand does not have three cards").click()
        drawer.get_by_role("radio", name=guest.name).check()
        assert [] == violations(page)
        drawer.get_by_role("button", name="Report").click()
        refused = drawer.get_by_role("alert").filter(has_text="Nothing shows that a hand does not have three cards")
        expect(refused).to_be_visible()
        drawer.get_by_role("button", name="Choose another irregularity").click()
        drawer.get_by_role("button", name="The shuffler has stopped working").first.click()
        expect(drawer.get_by_role("heading", name="Ruling")).to_be_focused()
        expect(drawer).to_contain_text("the round is void and all bets are returned")
        expect(drawer.get_by_role("row", name=guest.name)).to_contain_text("returned")
        expect(drawer.get_by_role("listitem").filter(has_text="Declare the round void")).to_be_visible()
        assert [] == violations(page)
        drawer.get_by_role("button", name="Carry out ruling").press("Enter")
        deal(page, "Return everything")
        page.keyboard.press("n")
        expect(seat).to_contain_text("$500")
        expect(page.get_by_role("region", name="Rulings and orders")).to_contain_text(
            "The shuffler has stopped working"
        )
    end_shift(page)


def test_the_floor_closes_a_table_and_opens_it_again_with_reasons_on_record(person: Person) -> None:
    page = person("Flo")
    page.goto("/staff")
    table = page.get_by_role("listitem").filter(
        has=page.get_by_role("heading", name="California · player-banked · $5–$100")
    )
    page.get_by_role("button", name="Close California · player-banked · $5–$100").press("Enter")
    page.get_by_label("Reason, for the record").fill("the carpet is cleaned")
    page.keyboard.press("Enter")
    expect(table.get_by_text("closed", exact=True)).to_be_visible()
    expect(table).to_contain_text("the carpet is cleaned")
    page.get_by_role("button", name="Reopen California · player-banked · $5–$100").click()
    page.get_by_label("Reason, for the record").fill("it is dry")
    page.get_by_role("button", name="Reopen table", exact=True).click()
    expect(table.get_by_text("open", exact=True)).to_be_visible()
    inspector = person("Ina")
    inspector.goto("/staff/audit")
    inspector.get_by_label("Search").fill("california-1")
    expect(inspector.get_by_role("row", name=re.compile("Flo table.closing .* the carpet is cleaned"))).to_be_visible()
    expect(inspector.get_by_role("row", name=re.compile("Flo table.opened .* it is dry"))).to_be_visible()


class Restarted(House):
    """A house that may have fewer tables in its lobby than at its beginning."""

    def tables(self) -> list[dict[str, Any]]:
        return list(httpx.get(f"{self.base}/api/digests", timeout=PATIENCE, verify=False).json()["rulebooks"])


def test_the_floor_voids_the_round_of_a_halted_table(person: Person, tmp_path_factory: pytest.TempPathFactory) -> None:
    house = Restarted(tmp_path_factory.mktemp("halted"))
    hire(house)
    house.start()
    try:
        dora = person("Dora", house)
        take_shift(dora, "shufflemaster-1")
        with playing(house, "shufflemaster-1") as guest:
            deal(dora, "Take the dealer's packet")
            dora.context.close()
            house.stop(signal.SIGKILL)
        store = open_store(house.address)
        store.tables.set_state("shufflemaster-1", "halted", "a promise was broken")
        store.close()
        house.start()
        page = person("Flo", house)
        page.goto("/staff")
        table = page.get_by_role("listitem").filter(
            has=page.get_by_role("heading", name="Shuffle Master · 3 Card Bonus · $5–$500")
        )
        expect(page.get_by_role("status").filter(has_text="1 table is halted")).to_be_visible()
        expect(table).to_contain_text("a promise was broken")
        assert [] == violations(page)
        table.get_by_role("button", name="Void the round").click()
        page.get_by_label("Reason, for the record").fill("the machine was off")
        page.get_by_role("dialog").get_by_role("button", name="Void the round").click()
        expect(table.get_by_text("open", exact=True)).to_be_visible()
        page.goto("/staff/table/shufflemaster-1")
        expect(page.get_by_role("group", name=f", {guest.name}")).to_contain_text("$500")
    finally:
        house.stop(signal.SIGKILL)


def test_a_supervisor_orders_what_the_book_knows_and_decides_a_complaint(person: Person, staffed: House) -> None:
    page = person("Cas")
    with playing(staffed, "nsw-1", "my flush was not paid"):
        page.goto("/staff")
        page.get_by_role("button", name="Close New South Wales · shoe · $5–$500").click()
        closing = page.get_by_role("dialog", name="Close New South Wales · shoe · $5–$500")
        expect(closing).to_contain_text("1 player is seated here")
        expect(closing.get_by_role("listitem").filter(has_text="nsw:14.8")).to_be_visible()
        closing.get_by_label("Reason, for the record").fill("it is late")
        closing.get_by_role("button", name="Close table").click()
        expect(
            closing.get_by_role("checkbox", name="Close it now without that notice")
        ).to_be_focused()  # it has to be ticked
        assert [] == violations(page)
        page.keyboard.press("Escape")
        page.goto("/staff/table/nsw-1?role=casino_supervisor")
        page.get_by_role("heading", name="Orders", exact=True).click()
        page.get_by_role("button", name="Change the limits").click()
        expect(page.get_by_text("A higher minimum must be posted for 20 minutes first (nsw:6.5.s2)")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Separate players")).to_have_attribute("aria-disabled", "true")
        page.get_by_role("button", name="Announce a higher minimum").click()
        page.get_by_label("Minimum, $").fill("5")
        page.get_by_label("Reason, for the record").fill("a busy night")
        page.get_by_role("button", name="Give order").click()
        expect(page.get_by_role("alert").filter(has_text="above the present $5")).to_be_visible()
        page.get_by_label("Minimum, $").fill("25")
        page.get_by_role("button", name="Give order").click()
        expect(page.get_by_role("list", name="Posted notices")).to_contain_text("The minimum bet becomes $25")
        page.get_by_role("button", name="Rule on dispute").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("checkbox", name="Not on duty: Games supervisor").check()
        dialog.get_by_role("radio", name="upheld").check()
        dialog.get_by_label("The house pays").fill("40")
        dialog.get_by_label("Reason, for the record").fill("it was a flush")
        assert [] == violations(page)
        dialog.get_by_role("button", name="Rule on dispute").click()
        expect(page.get_by_role("heading", name="Disputes")).to_have_count(0)


def test_a_dispute_is_raised_from_a_round_and_ruled_on_beside_its_replay(person: Person, played: str) -> None:
    player, cas = person("Pia"), person("Cas")
    player.goto(f"/table/{played}")
    player.get_by_role("button", name="Sit down at seat 3", exact=True).click()
    player.get_by_role("dialog", name="Seat 3").get_by_role("button", name="Sit down").click()
    expect(player.get_by_role("button", name="Buy chips, sit out or leave")).to_be_visible()
    expect(player.get_by_role("dialog")).to_have_count(0)
    player.keyboard.press("h")
    drawer = player.get_by_role("dialog", name="Past rounds")
    drawer.get_by_role("button", name=re.compile("^Round 2")).click()
    drawer.get_by_role("button", name="Dispute this round").click()
    seat = player.get_by_role("dialog", name="Your seat")
    expect(seat.get_by_role("spinbutton", name="Round")).to_have_value("2")
    seat.get_by_role("combobox", name="Bet").select_option("base-$")
    seat.get_by_label("Amount you expected").fill("20")
    seat.get_by_label("What happened?").fill("my pair was not paid")
    assert [] == violations(player)
    seat.get_by_role("button", name="Send to the floor").click()
    expect(seat).to_contain_text("Round 2 · bet $ · $20")
    cas.goto(f"/staff/table/{played}?role=casino_supervisor")
    expect(cas.get_by_text("Round 2 · bet $ · $20")).to_be_visible()
    expect(cas.get_by_role("link", name="Review round 2")).to_have_attribute("href", f"/staff/review/{played}/2")
    cas.get_by_role("button", name="Rule on dispute").click()
    replay = cas.get_by_role("dialog").get_by_role("group", name="Round 2")
    expect(replay.get_by_role("slider")).to_be_visible()
    expect(replay.get_by_role("heading", name="Results")).to_be_visible()
    assert [] == violations(cas)
    dialog = cas.get_by_role("dialog")
    dialog.get_by_role("checkbox", name="Not on duty: Games supervisor").check()
    dialog.get_by_role("radio", name="rejected").check()
    dialog.get_by_label("Reason, for the record").fill("it was a pair of nines")
    dialog.get_by_role("button", name="Rule on dispute").click()
    expect(cas.get_by_text("Ruled. The player can appeal.")).to_be_visible()
    seat.get_by_role("button", name="Leave with $0").click()
    expect(player.get_by_role("button", name="Sit down at seat 3", exact=True)).to_be_visible()


def test_a_complaint_finds_the_games_supervisor_on_the_floor_and_the_operator_in_an_administrator(
    person: Person, staffed: House
) -> None:
    floor, boss = person("Flo"), person("Ada")
    with playing(staffed, "nsw-1", about="My card"):
        floor.goto("/staff/table/nsw-1")
        expect(floor.get_by_text("You can rule on it as Games supervisor.")).to_be_visible()
        expect(floor.get_by_role("button", name="Rule on dispute")).to_have_count(0)
        floor.get_by_role("radio", name="Games supervisor").check(force=True)
        expect(floor.get_by_role("button", name="Rule on dispute")).to_be_visible()
        expect(floor.get_by_role("heading", name="Orders", exact=True)).to_be_visible()
        boss.goto("/staff")
        waiting = boss.get_by_role("listitem").filter(has_text="(ruling by: Games supervisor)")
        waiting.get_by_role("link", name=re.compile("^Go to ")).click()
        expect(boss.get_by_text("You're here as: Operator")).to_be_visible()
        boss.get_by_role("button", name="Rule on dispute").click()
        dialog = boss.get_by_role("dialog")
        dialog.get_by_label("Not on duty: Games supervisor, Casino supervisor").check()
        dialog.get_by_label("rejected").check()
        dialog.get_by_label("Reason, for the record").fill("The camera shows it")
        dialog.get_by_role("button", name="Rule on dispute").click()
        expect(boss.get_by_text("The ruling is on record.")).to_be_visible()
        expect(boss.get_by_role("heading", name="Disputes")).to_have_count(0)
        boss.goto("/staff/audit")
        expect(
            boss.get_by_role("row", name=re.compile("Ada dispute.rejected nsw-1 row .* as operator"))
        ).to_be_visible()


def test_an_inspector_walks_a_round_and_his_browser_checks_every_hash(person: Person, played: str) -> None:
    page = person("Ina")
    page.goto(f"/staff/review/{played}")
    page.get_by_role("button", name="Check the whole journal").click()
    expect(page.get_by_role("region", name="Journal check")).to_contain_text("are intact, from first to last")
    page.get_by_role("link", name="Round 2", exact=True).click()
    verdict = page.get_by_role("region", name="Results of the check")
    expect(verdict).to_contain_text("of this round are intact")
    expect(verdict).to_contain_text(re.compile(r"It's the order that entry \d+ put on the table"))
    page.get_by_role("slider").press("End")
    expect(page.get_by_role("button", name="Next entry")).to_be_disabled()
    page.get_by_role("slider").press("ArrowLeft")
    row = page.get_by_role("region", name=re.compile(r"^Entry \d+$"))
    expect(row).to_contain_text("its hash matches its contents")
    assert [] == violations(page)
    files = page.get_by_role("region", name="Download this round")
    kept: dict[str, str] = {}
    for name in ("Download record", "Download deck proof", "Download entries as JSON"):
        with page.expect_download() as started:
            files.get_by_role("button", name=name).click()
        kept[name] = started.value.path().read_text(encoding="utf-8")
    assert replay(read_record(kept["Download record"])).outcomes
    assert [] == verify(json.loads(kept["Download deck proof"]))
    assert json.loads(kept["Download entries as JSON"])[0]["number"] > 1


def test_a_row_that_was_changed_on_its_way_is_noticed(person: Person, played: str) -> None:
    page = person("Ina", viewport=PHONE)

    def tamper(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        for row in told["rows"]:
            if row["events"] and '"wagers-placed/1"' in row["events"]:
                row["events"] = row["events"].replace('"base-1":500', '"base-1":900')
        route.fulfill(response=answer, body=json.dumps(told))

    def open_otherwise(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        for row in told["rows"]:
            if row["sealed"]:
                row["events"] += " "
        route.fulfill(response=answer, body=json.dumps(told))

    def shorten(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        del told["rows"][5:6]
        route.fulfill(response=answer, body=json.dumps(told))

    page.route("**/journal?*round=*", tamper)
    page.goto(f"/staff/review/{played}/1")
    verdict = page.get_by_role("region", name="Results of the check")
    expect(verdict.get_by_role("alert")).to_contain_text("its hash doesn't match its contents")
    verdict.get_by_role("button", name="Show that entry").click()
    expect(page.get_by_role("region", name=re.compile(r"^Entry \d+$"))).to_contain_text("✗ its hash doesn't match")
    assert [] == violations(page)
    page.unroute("**/journal?*round=*")
    page.route("**/journal?*round=*", open_otherwise)
    page.goto(f"/staff/review/{played}/1")
    expect(verdict.get_by_role("alert")).to_contain_text("its contents don't match what was sealed during the round")
    page.route("**/journal?after=0*", shorten)
    page.goto(f"/staff/review/{played}")
    page.get_by_role("button", name="Check the whole journal").click()
    expect(page.get_by_text("expected entry 6 here, got entry 7")).to_be_visible()


def test_a_shift_report_is_read_and_taken_away(person: Person, played: str) -> None:
    page = person("Flo")
    page.goto("/staff/shifts")
    page.get_by_label("Table").select_option(played)
    page.get_by_role("button", name="Show report").click()
    report = page.get_by_role("region", name="Shift report: walked")
    expect(report).to_contain_text("all accounts balance")
    expect(report.get_by_role("row", name=re.compile("^bet 1"))).to_be_visible()
    assert [] == violations(page)
    with page.expect_download() as download:
        report.get_by_role("link", name="Download PDF").click()
    assert download.value.path().read_bytes().startswith(b"%PDF")


def test_where_players_bank_a_shift_report_says_whose_win_it_is_and_what_the_fees_were(person: Person) -> None:
    page = person("Flo")
    page.goto("/staff/shifts")
    page.get_by_label("Table").select_option("california-1")
    page.get_by_role("button", name="Show report").click()
    report = page.get_by_role("region", name="Shift report: California · player-banked · $5–$100")
    expect(report.locator("dt").get_by_text("Bank win", exact=True)).to_be_visible()
    expect(report.locator("dt").filter(has_text="Collection fees")).to_be_visible()
    expect(report.locator("dt").get_by_text("Win", exact=True)).to_have_count(0)
    expect(report).to_contain_text("700 are needed")
    assert [] == violations(page)


def test_a_house_gets_its_first_administrator_who_hires_and_opens_a_table(person: Person, own_house: House) -> None:
    page = person("", own_house)
    page.goto("/staff")
    code = (own_house.folder / "setup-code").read_text(encoding="utf-8").strip()
    first = page.get_by_role("region").or_(page.locator(".staff-box-main")).first
    assert [] == violations(page)
    first.get_by_label("Setup code").fill("WRONG-CODE")
    first.get_by_label("Name").fill("Ada")
    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_role("button", name="Create administrator").click()
    expect(page.get_by_role("alert").filter(has_text="Expected the code")).to_be_visible()
    first.get_by_label("Setup code").fill(code)
    first.get_by_role("button", name="Create administrator").click()
    page.get_by_role("link", name="House", exact=True).click()
    expect(page.get_by_text("Ready: every table has a server")).to_be_visible()
    page.get_by_label("Name").fill("Cas")
    page.get_by_label("First password").fill(PASSWORD)
    page.get_by_role("checkbox", name="Casino supervisor").check()
    page.get_by_role("button", name="Add staff member").click()
    expect(page.get_by_role("row", name="Cas Casino supervisor")).to_be_visible()
    page.get_by_role("button", name="Create backup").click()
    expect(page.get_by_role("link", name=re.compile(r"^house-.*\.db$"))).to_be_visible()
    supervisor = person("Cas", own_house)
    supervisor.goto("/staff")
    supervisor.get_by_role("button", name="Open a table").click()
    drawer = supervisor.get_by_role("dialog", name="Open a table")
    drawer.get_by_role("textbox", name="Name").fill("High room")
    drawer.get_by_role("combobox", name=re.compile("^Rules")).select_option("nsw-1")
    drawer.get_by_label("Minimum, $").fill("25")
    drawer.get_by_label("Maximum, $").fill("20")
    drawer.get_by_role("button", name="Open a table").click()
    expect(drawer.get_by_role("alert").filter(has_text="xpected")).to_be_visible()
    drawer.get_by_label("Maximum, $").fill("500")
    assert [] == violations(supervisor)
    drawer.get_by_role("button", name="Open a table").click()
    high = supervisor.get_by_role("listitem").filter(has=supervisor.get_by_role("heading", name="High room"))
    expect(high).to_contain_text("$25 – $500")


def test_an_administrator_ends_the_waiting_for_an_account_and_gives_it_a_new_password(
    person: Person, staffed: House
) -> None:
    with httpx.Client(base_url=staffed.base, timeout=PATIENCE, verify=False) as client:
        client.post("/api/login", json={"name": "Ada", "password": PASSWORD})
        client.post("/api/staff", json={"name": "Lou", "password": PASSWORD, "roles": ["dealer"]})
        for _ in range(5):
            client.post("/api/login", json={"name": "Lou", "password": "a wrong password"})
        page = person("Ada")
        page.goto("/staff/house")
        expect(page.get_by_role("cell", name="Lou locked after wrong passwords")).to_be_visible()
        page.get_by_role("button", name="Edit Lou").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Unlock all sign-ins").check()
        dialog.get_by_label("New password").fill("a newer password")
        dialog.get_by_label("Reason, for the record").fill("he called")
        assert [] == violations(page)
        dialog.get_by_role("button", name="Save changes").click()
        expect(page.get_by_role("cell", name="Lou", exact=True)).to_be_visible()
        assert client.post("/api/login", json={"name": "Lou", "password": "a newer password"}).is_success


def test_a_page_that_is_not_for_somebody_says_for_whom_it_is(person: Person) -> None:
    page = person("Dora")
    page.goto("/staff/house")
    expect(page.get_by_role("heading", name="Access denied")).to_be_visible()
    expect(page.get_by_text("Only these roles can open this page: Administrator.")).to_be_visible()
    expect(page.get_by_role("link", name="House", exact=True)).to_have_count(0)
    assert [] == violations(page)


def test_staff_who_ask_for_a_seat_are_told_why_there_is_none_and_the_page_asks_no_more(person: Person) -> None:
    page = person("Dora")
    player = Player(page)
    page.goto("/")
    page.get_by_role("button", name=re.compile("^Sit down at")).first.click()
    expect(page.get_by_text("You work in this house, so you can't play here.")).to_be_visible()
    page.locator(".toast .icon-button").click()  # what is said next is the answer to the next press
    page.get_by_role("button", name="Sit down", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down", exact=True).click()
    expect(page.get_by_role("dialog").get_by_text("You work in this house, so you can't play here.")).to_be_visible()
    assert ["works_in_house"] * 2 == [one.get("code") for one in player.frames if one["type"] == "answer"]


def screens(person: Person, played: str) -> Iterator[tuple[str, Page]]:
    """Bring up every page of the staff on a small phone, one after the other; yield what it is, and the page."""
    door = person(viewport=PHONE)
    door.goto("/staff")
    yield "the door", door
    dealer = person("Dora", viewport=PHONE)
    take_shift(dealer, "california-1")
    yield "a dealer's shift", dealer
    end_shift(dealer)
    yield "a table without a dealer", dealer
    floor = person("Flo", viewport=PHONE)
    floor.goto("/staff")
    expect(floor.get_by_text("Go to table").first).to_be_visible()
    yield "all tables", floor
    floor.goto("/staff/table/california-1")
    floor.get_by_role("button", name=re.compile("^Report irregularity")).click()
    expect(floor.get_by_role("dialog")).to_be_visible()
    yield "a report", floor
    floor.keyboard.press("Escape")
    floor.get_by_text("Orders", exact=True).click()
    yield "orders", floor
    floor.goto("/staff/shifts")
    floor.get_by_role("combobox").first.select_option(played)
    floor.get_by_role("button", name="Show report").click()
    expect(floor.get_by_role("heading", name=re.compile("^Shift report:"))).to_be_visible()
    yield "a shift report", floor
    inspector = person("Ina", viewport=PHONE)
    for path in ("/staff/audit", f"/staff/review/{played}"):
        inspector.goto(path)
        inspector.wait_for_load_state("networkidle")
        yield path, inspector
    inspector.goto(f"/staff/review/{played}/1")
    expect(inspector.get_by_role("region", name="Results of the check")).to_be_visible()
    yield "a review", inspector
    boss = person("Ada", viewport=PHONE)
    for path in ("/staff", "/staff/house", "/staff/nowhere"):
        boss.goto(path)
        boss.wait_for_load_state("networkidle")
        yield path, boss


@pytest.mark.longer
def test_every_screen_of_the_staff_is_right_for_axe_in_every_colour_and_no_wider_than_a_small_phone(
    person: Person, played: str
) -> None:
    for screen, page in screens(person, played):
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert [] == violations_in_every_colour(page), screen
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], screen


def test_the_house_page_and_a_voucher_come_over_plain_http_from_another_machine(person: Person, staffed: House) -> None:
    page = person()
    page.goto(f"http://{ELSEWHERE}:{staffed.port}/")
    assert not page.evaluate("isSecureContext")
    login = {"name": "Ada", "password": PASSWORD}
    sign_in = "body => fetch('/api/login', {method: 'POST', headers: {'Content-Type': 'application/json'}, body})"
    page.evaluate(sign_in, json.dumps(login))
    page.goto(f"http://{ELSEWHERE}:{staffed.port}/staff/house")
    form = page.get_by_role("form", name="Issue a voucher")
    form.get_by_label("Player").fill("Flo")
    form.get_by_label("Value, in dollars").fill("25")
    form.get_by_label("Valid").select_option("until redeemed")
    form.get_by_label("Promotion and conditions").fill("spring promotion")
    form.get_by_role("button", name="Issue voucher").click()
    expect(page.get_by_text("Flo has a voucher for $25.")).to_be_visible()
    (voucher,) = page.evaluate("fetch('/api/vouchers/Flo').then((answer) => answer.json())")
    assert (2_500, 0) == (voucher["cents"], voucher["until_ms"])
    form.get_by_label("Player").fill("Flo")
    expect(form.get_by_role("spinbutton", name="Number of days")).to_have_value("30")  # an end is asked for each time


def test_an_administrator_gives_the_password_again_and_what_was_asked_for_goes_on(person: Person) -> None:
    page = person("Ada")
    page.goto("/staff/house")
    later = {"detail": "expected your password", "code": "password_again"}
    page.route("**/api/vouchers/Ina", lambda route: route.fulfill(status=403, json=later), times=1)  # time has passed
    form = page.get_by_role("form", name="Issue a voucher")
    form.get_by_label("Player").fill("Ina")
    form.get_by_label("Value, in dollars").fill("7")
    form.get_by_label("Promotion and conditions").fill("Spring")
    form.get_by_role("button", name="Issue voucher").click()
    dialog = page.get_by_role("dialog", name="Confirm your password")
    dialog.get_by_label("Password").fill("not my password")
    dialog.get_by_role("button", name="Confirm password").click()
    expect(dialog.get_by_text("That isn't your password.")).to_be_visible()
    assert [] == violations(page)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Confirm password").click()
    expect(page.get_by_text("Ina has a voucher for $7.")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_an_administrator_verifies_a_player_once(person: Person) -> None:
    page = person("Ada")
    page.goto("/staff/house")
    form = page.get_by_role("form", name="Verify a player")
    for name, told in (("Flo", "Flo is verified."), ("Cas", "Expected a person without an account here")):
        form.get_by_label("Player").fill(name)
        form.get_by_label("Your customer number").fill("4711")
        form.get_by_label("How you checked").fill("passport seen")
        form.get_by_role("button", name="Verify player").click()
        expect(page.get_by_text(told)).to_be_visible()
    assert [] == violations(page)


def test_an_administrator_issues_vouchers_and_the_player_redeems_each_once_and_bets_the_tokens(person: Person) -> None:
    boss = person("Ada")
    boss.goto("/staff/house")
    form = boss.get_by_role("form", name="Issue a voucher")
    for into, amount in (("chips", "25"), ("promotional tokens", "30")):
        form.get_by_label("Player").fill("Pia")
        form.get_by_label("Value, in dollars").fill(amount)
        form.get_by_label("Redeemed for").select_option(into)
        form.get_by_label("Promotion and conditions").fill("spring promotion")
        form.get_by_role("button", name="Issue voucher").click()
        expect(boss.get_by_text(f"Pia has a voucher for ${amount}.")).to_be_visible()
    assert [] == violations(boss)
    player = person("Pia")
    player.goto("/")
    origin = {"Origin": player.evaluate("location.origin")}
    player.request.post("/api/me/chips", headers=origin)
    made = player.request.post("/api/private-tables", data={"name": "Ours", "rulebook": "nsw-1"}, headers=origin)
    assert made.ok, made.text()
    player.goto("/")
    player.get_by_role("button", name="Sit down at Ours", exact=True).click()
    player.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer = player.get_by_role("dialog", name="Your seat")
    drawer.get_by_role("button", name="Redeem $25 for chips").click()
    expect(player.get_by_text("Voucher redeemed: $25 in chips.")).to_be_visible()
    drawer.get_by_role("button", name="Redeem $30 for promotional tokens").click()
    expect(player.get_by_text("Voucher redeemed: $30 in promotional tokens.")).to_be_visible()
    expect(drawer.get_by_role("button", name=re.compile("^Redeem"))).to_have_count(0)  # each is good once
    assert [] == violations(player)
    player.keyboard.press("Escape")
    expect(player.get_by_role("checkbox", name="Bet promotional tokens ($30)")).to_be_visible()
    found = player.request.get("/api/me/vouchers").json()
    assert [made.json()["id"]] * 2 == [one["redeemed_at"] for one in found]
    expect(player.get_by_text("and $30 in promotional tokens")).to_be_visible()
    player.get_by_role("button", name="Buy chips, sit out or leave").click()
    expect(drawer.get_by_text("You also have $30 in promotional tokens.")).to_be_visible()
    assert [] == violations(player)
    drawer.get_by_role("button", name=re.compile("^Leave with")).click()
    expect(player.get_by_text("Your $30 in promotional tokens is now a voucher in your wallet.")).to_be_visible()
    found = player.request.get("/api/me/vouchers").json()
    assert [(3_000, "tokens")] == [(one["cents"], one["into"]) for one in found if one["redeemed_at"] is None]


def test_a_player_with_an_empty_wallet_bets_the_tokens_of_a_voucher_and_never_chips_instead(person: Person) -> None:
    boss = person("Ada")
    boss.goto("/")
    origin = {"Origin": boss.evaluate("location.origin")}
    body = {"cents": 1_500, "into": "tokens", "days": None, "reference": "empty-wallet", "why": "spring promotion"}
    assert boss.request.post("/api/vouchers/Pol", data=body, headers=origin).ok
    player = person("Pol")
    player.goto("/")
    made = player.request.post("/api/private-tables", data={"name": "Pol's", "rulebook": "nsw-1"}, headers=origin)
    assert made.ok, made.text()
    player.goto(f"/table/{made.json()['id']}")
    player.get_by_role("button", name="Sit down at seat 1", exact=True).click()
    player.get_by_role("dialog", name="Seat 1").get_by_role("button", name="Sit down").click()
    player.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer = player.get_by_role("dialog", name="Your seat")
    drawer.get_by_role("button", name="Redeem $15 for promotional tokens").click()
    expect(player.get_by_text("Voucher redeemed: $15 in promotional tokens.")).to_be_visible()
    player.keyboard.press("Escape")
    player.get_by_role("button", name="Bet the minimum in tokens: $15").click()
    player.get_by_role("button", name="Place bets: $15 in tokens").click()
    expect(player.get_by_role("button", name=re.compile("^Take it back"))).to_be_visible()
    player.request.post("/api/me/chips", headers=origin)
    player.get_by_role("button", name="Buy chips, sit out or leave").click()
    drawer.get_by_role("button", name="Buy chips", exact=True).click()
    expect(player.get_by_text("You bought $100 in chips.")).to_be_visible()
    player.keyboard.press("Escape")
    for bet in (1, 2):
        ride = player.get_by_role("group", name=re.compile(f"^Bet {bet}:")).get_by_role("button", name="Let it ride")
        ride.click()
    # Won tokens are bet again as tokens; where they are lost, chips are bet only by a bet of their own.
    after = player.get_by_role("button", name=re.compile(r"^Bet \$15 in tokens again|^Bet the minimum: \$15"))
    expect(after).to_be_visible()
    expect(player.get_by_role("button", name=re.compile(r"^Bet \$15 again"))).to_have_count(0)


def test_a_second_person_approves_in_the_inbox_and_the_first_can_only_take_it_back(person: Person) -> None:
    ada = person("Ada")
    ada.goto("/staff/house")
    form = {"cents": 2_000_000, "reference": "inbox-1", "why": "high roller"}
    answer = ada.request.post("/api/wallets/Pia/deposit", data=form)
    assert (409, "awaits_approval") == (answer.status, answer.json()["code"])
    ada.goto("/staff/approvals")
    mine = ada.get_by_role("article", name=re.compile("20,000 into the wallet of Pia"))
    expect(mine.get_by_role("button", name="Withdraw request")).to_be_visible()
    expect(mine.get_by_role("button", name=re.compile("Approve"))).to_have_count(0)
    cas = person("Cas")
    cas.goto("/staff/approvals")
    waiting = cas.get_by_role("article", name=re.compile("20,000 into the wallet of Pia"))
    expect(waiting).to_contain_text("high roller")
    assert [] == violations(cas)
    waiting.get_by_role("button", name="Approve $20,000").click()
    cas.get_by_role("textbox", name="Reason").fill("seen the bank slip")
    cas.get_by_role("dialog").get_by_role("button", name="Approve $20,000").click()
    expect(cas.get_by_role("row", name=re.compile("Approved and done"))).to_contain_text("Cas: seen the bank slip")
    expect(cas.get_by_role("article")).to_have_count(0)


def test_the_pit_shows_every_table_and_what_it_did_today(person: Person, played: str) -> None:
    page = person("Flo")
    page.goto("/staff/pit")
    row = page.get_by_role("group", name="Tables at a glance").get_by_role("row", name=re.compile("^Walked"))
    expect(row).to_contain_text("too few to judge the win")
    expect(row).to_contain_text("Automatic")
    told = page.request.get("/api/pit").json()
    (figures,) = [one["figures"] for one in told["tables"] if one["table"] == played]
    assert figures["rounds"] >= 3
    ratings = page.get_by_role("group", name="Ratings").locator("tbody tr")
    expect(ratings).to_have_count(len(told["ratings"]))
    assert [] == violations(page)
    page.get_by_label("Gaming day").fill("2001-01-01")
    expect(row).to_contain_text("Not played")


def test_a_tray_is_opened_filled_above_a_ceiling_and_approved(person: Person) -> None:
    cas = person("Cas")
    assert cas.request.post("/api/tables", data={"name": "Counted", "rulebook": "nsw-1"}).ok
    flo = person("Flo")
    flo.goto("/staff/pit")
    flo.get_by_role("link", name="Chip tray: Counted").click()
    expect(flo.get_by_role("status").filter(has_text="No chip tray has been opened here yet.")).to_be_visible()
    flo.get_by_role("spinbutton", name="$100", exact=True).fill("20")
    flo.get_by_role("textbox", name="Counted with").fill("Flo")
    flo.get_by_role("button", name="Issue slip").click()
    expect(flo.get_by_text("Expected a second person at the opener")).to_be_visible()
    flo.get_by_role("textbox", name="Counted with").fill("Ina")
    flo.get_by_role("button", name="Issue slip").click()
    expect(flo.get_by_text("Tray 1 is open. It should hold $2,000 now.")).to_be_visible()
    assert [] == violations(flo)
    flo.get_by_role("spinbutton", name="$100", exact=True).fill("30")
    for name, who in (("Requested by", "Dora"), ("Brought by", "Ina"), ("Received by", "Dora")):
        flo.get_by_role("textbox", name=name).fill(who)
    flo.get_by_role("button", name="Issue slip").click()
    expect(flo.get_by_role("alert").filter(has_text="second person")).to_be_visible()
    cas.goto("/staff/approvals")
    cas.get_by_role("button", name="Approve $3,000").click()
    cas.get_by_role("textbox", name="Reason").fill("seen")
    cas.get_by_role("dialog").get_by_role("button", name="Approve $3,000").click()
    expect(cas.get_by_role("row", name=re.compile("fill of"))).to_contain_text("Approved and done")
    flo.reload()
    expect(flo.get_by_text("It should hold $5,000 now.")).to_be_visible()
    expect(flo.get_by_role("row", name=re.compile("Fill"))).to_contain_text("Cas")
