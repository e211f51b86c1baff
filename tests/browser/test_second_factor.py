"""The second factor in a browser: an app is set up, its code finishes a sign-in, recovery codes are shown once."""

from __future__ import annotations

import base64
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import House, violations_in_both_schemes
from tests.browser.staffing import PASSWORD, hire, sign_in

STEP_SECONDS = 30


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that people reach by a name, and whose inspectors need a second factor."""
    house = House(tmp_path_factory.mktemp("guarded"))
    house.base = f"http://localhost:{house.port}"
    settings = f'address = "{house.base}"\nsecond_factor_roles = ["inspector"]\n'
    (Path(house.folder) / "letitride.toml").write_text(settings, encoding="utf-8")
    hire(house)
    house.start()
    yield house
    house.stop(signal.SIGKILL)


def account(page: Page, name: str) -> Locator:
    """Create an account, and show the part of its drawer that is about the second factor."""
    page.goto("/")
    page.get_by_role("button", name="Sign in").click()
    drawer = page.get_by_role("dialog", name="Account")
    drawer.get_by_role("tab", name="I'm new here").click()
    drawer.get_by_label("Name").fill(name)
    drawer.get_by_label("Password").fill(PASSWORD)
    drawer.get_by_role("button", name="Create account").click()
    expect(drawer.get_by_text(f"You're signed in as {name}")).to_be_visible()
    drawer.get_by_text("Second factor", exact=True).click()
    return drawer


def shown_by(secret: str, later_steps: int = 0) -> str:
    """What a phone shows, whose clock may be a step ahead."""
    at = int(time.time()) + later_steps * STEP_SECONDS
    return TOTP(base64.b32decode(secret), 6, SHA1(), STEP_SECONDS).generate(at).decode()  # noqa: S303 - as apps do


def secret_on(place: Locator) -> str:
    """The key that is shown for typing."""
    return place.locator(".factor-secret").inner_text().replace(" ", "")


def test_an_app_is_set_up_and_asked_for_after_the_password(
    people: Callable[..., BrowserContext], guarded: House
) -> None:
    page = people(guarded.base, viewport={"width": 390, "height": 844}).new_page()
    drawer = account(page, "Sol of the browser")
    drawer.get_by_role("button", name="Set up an authenticator app").click()
    picture = drawer.get_by_role("img", name="QR code for your authenticator app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert [] == violations_in_both_schemes(page)
    secret = secret_on(drawer)
    drawer.get_by_label("Code").fill("000000")
    drawer.get_by_role("button", name="Confirm app").click()
    expect(drawer.get_by_role("alert").filter(has_text="That's neither the code your app shows now")).to_be_visible()
    drawer.get_by_label("Code").fill(shown_by(secret))
    drawer.get_by_role("button", name="Confirm app").click()
    codes = drawer.locator(".factor-codes li")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()
    assert re.fullmatch(r"([A-Z2-7]{5}-){4}[A-Z2-7]{5}", recovery)
    assert [] == violations_in_both_schemes(page)
    drawer.get_by_role("button", name="I saved them").click()
    expect(drawer.get_by_text("10 recovery codes left.")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    for code, left in ((shown_by(secret, later_steps=1), 10), (recovery.lower(), 9)):
        drawer.get_by_label("Name", exact=True).fill("Sol of the browser")
        drawer.get_by_label("Password").fill(PASSWORD)
        drawer.get_by_role("button", name="Sign in", exact=True).click()
        expect(drawer.get_by_label("Code")).to_be_focused()
        assert [] == violations_in_both_schemes(page)
        drawer.get_by_label("Code").fill(code)
        drawer.get_by_role("button", name="Sign in", exact=True).click()
        expect(drawer.get_by_text("You're signed in as Sol of the browser")).to_be_visible()
        drawer.get_by_text("Second factor", exact=True).click()
        expect(drawer.get_by_text(f"{left} recovery codes left.")).to_be_visible()
        if left == 10:
            drawer.get_by_role("button", name="Sign out", exact=True).click()


def test_a_role_that_needs_a_factor_is_let_in_once_it_is_set_up_and_an_administrator_resets_it(
    people: Callable[..., BrowserContext], guarded: House
) -> None:
    page = people(guarded.base, viewport={"width": 1280, "height": 860}).new_page()
    page.goto("/staff")
    page.get_by_label("Name").fill("Ina")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    main = page.get_by_role("main")
    expect(main.get_by_text("This house requires a second factor for your role.")).to_be_visible()
    expect(main.get_by_role("link", name="Audit")).to_have_count(0)
    assert [] == violations_in_both_schemes(page)
    main.get_by_role("button", name="Set up an authenticator app").click()
    main.get_by_label("Code").fill(shown_by(secret_on(main)))
    main.get_by_role("button", name="Confirm app").click()
    main.get_by_role("button", name="I saved them").click()
    expect(main.get_by_role("link", name="Audit")).to_be_visible()
    boss = people(guarded.base, viewport={"width": 1280, "height": 860})
    sign_in(boss, "Ada")
    desk = boss.new_page()
    desk.goto("/staff/house")
    ina = desk.get_by_role("row").filter(has_text="Ina")
    expect(ina.get_by_text("second factor")).to_be_visible()
    desk.get_by_role("button", name="Edit Ina").click()
    lost = desk.get_by_role("dialog", name="Edit Ina")
    assert [] == violations_in_both_schemes(desk)
    lost.get_by_label("Reason").last.fill("a lost phone")
    lost.get_by_role("button", name="Reset second factor").click()
    expect(desk.get_by_text("Ina's second factor is reset.")).to_be_visible()
    expect(ina.get_by_text("second factor")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def with_device(page: Page) -> None:
    """Give a browser a device that has passkeys and verifies its holder."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    tools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_added_and_signs_in_after_the_password_and_alone(
    people: Callable[..., BrowserContext], guarded: House
) -> None:
    page = people(guarded.base, viewport={"width": 390, "height": 844}).new_page()
    with_device(page)
    drawer = account(page, "Paz of the browser")
    drawer.get_by_label("Name of the passkey").fill("My phone")
    drawer.get_by_role("button", name="Add a passkey").click()
    drawer.get_by_role("button", name="I saved them").click()
    expect(drawer.get_by_role("listitem").filter(has_text="My phone")).to_be_visible()
    assert [] == violations_in_both_schemes(page)
    drawer.get_by_label("Name of the passkey").fill("My phone again")
    drawer.get_by_role("button", name="Add a passkey").click()
    expect(drawer.get_by_text("This device already has a passkey for your account.")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    drawer.get_by_label("Name", exact=True).fill("Paz of the browser")
    drawer.get_by_label("Password").fill(PASSWORD)
    drawer.get_by_role("button", name="Sign in", exact=True).click()
    drawer.get_by_role("button", name="Use a passkey").click()
    expect(drawer.get_by_text("You're signed in as Paz of the browser")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    alone = drawer.get_by_role("button", name="Sign in with a passkey")
    expect(alone).to_be_visible()
    assert [] == violations_in_both_schemes(page)
    alone.click()
    expect(drawer.get_by_text("You're signed in as Paz of the browser")).to_be_visible()
    drawer.get_by_text("Second factor", exact=True).click()
    page.once("dialog", lambda one: one.accept())
    drawer.get_by_role("button", name="Remove the passkey My phone").click()
    expect(drawer.get_by_text("Passkey My phone removed.")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    alone.click()
    expect(drawer.get_by_role("alert").filter(has_text="We don't recognize that passkey.")).to_be_visible()
