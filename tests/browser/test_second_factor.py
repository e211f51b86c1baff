"""The second factor in a browser: an app is set up, its code finishes a sign-in, recovery codes are shown once."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import violations_in_both_schemes

PASSWORD = "a long sentence of mine"  # noqa: S105 - of no one
STEP_SECONDS = 30


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


def test_an_app_is_set_up_and_asked_for_after_the_password(people: Callable[..., BrowserContext]) -> None:
    page = people(viewport={"width": 390, "height": 844}).new_page()
    drawer = account(page, "Sol of the browser")
    drawer.get_by_role("button", name="Set up an authenticator app").click()
    picture = drawer.get_by_role("img", name="QR code for your authenticator app")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert [] == violations_in_both_schemes(page)
    secret = drawer.locator(".factor-secret").inner_text().replace(" ", "")
    drawer.get_by_label("Code").fill("000000")
    drawer.get_by_role("button", name="Confirm app").click()
    expect(drawer.get_by_role("alert").filter(has_text="That isn't the code your app shows now")).to_be_visible()
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
        drawer.get_by_label("Name").fill("Sol of the browser")
        drawer.get_by_label("Password").fill(PASSWORD)
        drawer.get_by_role("button", name="Sign in").click()
        expect(drawer.get_by_label("Code")).to_be_focused()
        assert [] == violations_in_both_schemes(page)
        drawer.get_by_label("Code").fill(code)
        drawer.get_by_role("button", name="Sign in").click()
        expect(drawer.get_by_text("You're signed in as Sol of the browser")).to_be_visible()
        drawer.get_by_text("Second factor", exact=True).click()
        expect(drawer.get_by_text(f"{left} recovery codes left.")).to_be_visible()
        if left == 10:
            drawer.get_by_role("button", name="Sign out", exact=True).click()
