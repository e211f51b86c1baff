"""Sign-in at the house's provider in a browser: there and back, in two languages; why it came to nothing is said."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import House, violations_in_both_schemes
from tests.server.oidc_provider import Provider, running_provider


@pytest.fixture
def with_provider(tmp_path: Path) -> Iterator[tuple[House, Provider]]:
    """A house, and the provider where its people sign in."""
    with running_provider() as provider:
        house = House(tmp_path)
        provider.register(f"{house.base}/api/oidc/callback")
        provider.knows("sub-pia", preferred_username="Pia Rossi", groups=["Patrons"])
        provider.knows("sub-max", preferred_username="Max", groups=["Kitchen"])
        provider.knows("sub-flo", preferred_username="Flo", groups=["Pit"])
        house.variables = {
            **{f"LETITRIDE_{name.upper()}": value for name, value in provider.settings.items()},
            "LETITRIDE_OIDC_NAME": "Grand Casino",
            "LETITRIDE_OIDC_ROLES": "Patrons=player,Pit=floor",
            "LETITRIDE_OIDC_NEW_ACCOUNTS": "everybody",
        }
        house.start()
        yield house, provider
        house.stop(signal.SIGKILL)


def at_the_provider(page: Page, subject: str) -> None:
    page.get_by_placeholder("sub").fill(subject)
    page.get_by_role("button", name="Authorize").click()


def test_people_sign_in_at_the_provider_and_read_why_where_they_cannot(
    people: Callable[..., BrowserContext], with_provider: tuple[House, Provider]
) -> None:
    house, provider = with_provider
    page = people(house.base, viewport={"width": 390, "height": 844}).new_page()
    page.goto("/rulings")
    page.get_by_role("button", name="Sign in").click()
    drawer = page.get_by_role("dialog", name="Account")
    expect(drawer.get_by_role("button", name="Sign in with Grand Casino")).to_be_visible()
    assert [] == violations_in_both_schemes(page)
    drawer.get_by_role("button", name="Sign in with Grand Casino").click()
    at_the_provider(page, "sub-max")
    expect(drawer.get_by_role("alert").filter(has_text="You have no role in this house yet.")).to_be_visible()
    assert f"{house.base}/rulings" == page.url
    assert [] == violations_in_both_schemes(page)
    drawer.get_by_role("button", name="Sign in with Grand Casino").click()
    at_the_provider(page, "sub-pia")
    expect(page.get_by_text("Welcome, Pia Rossi.")).to_be_visible()
    assert f"{house.base}/rulings" == page.url
    page.reload()
    page.locator(".head-me").click()  # on a phone it shows the wallet alone
    expect(drawer.get_by_text("You're signed in as Pia Rossi.")).to_be_visible()
    expect(drawer.get_by_text("You can sign in here with Grand Casino.")).to_be_visible()
    drawer.get_by_role("button", name="Sign out", exact=True).click()
    expect(drawer.get_by_role("button", name="Sign in with Grand Casino")).to_be_visible()

    page = people(house.base, locale="es-ES").new_page()
    page.goto("/staff")
    page.get_by_role("button", name="Iniciar sesión con Grand Casino").click()
    at_the_provider(page, "sub-flo")
    expect(page.get_by_text("Te damos la bienvenida, Flo.")).to_be_visible()
    expect(page.locator(".staff-nav")).to_be_visible()
    page.context.clear_cookies()
    provider.stop()
    page.goto("/staff")
    page.get_by_role("button", name="Iniciar sesión con Grand Casino").click()
    expect(page.get_by_role("alert").filter(has_text="Grand Casino no responde.")).to_be_visible()
