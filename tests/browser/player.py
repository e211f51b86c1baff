"""Player: somebody at a table in a browser, who finds things by their names and presses what a person would press."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, WebSocket, expect

FACE = re.compile(
    r"^(ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two) of (clubs|diamonds|hearts|spades)$"
)
RIDE = re.compile("^Let it ride")
PULL = re.compile("^Take it back")


def go(page: Page, name: str, more: str = "More") -> None:
    """Press one of the buttons about a table: in its bar, or in the list behind the last one where there is no room."""
    way = page.locator(".table-bar-ways").get_by_role("button", name=name, exact=True)
    if not way.is_visible():
        page.get_by_role("button", name=more, exact=True).click()
        way = page.locator(".ways-more").get_by_role("button", name=name, exact=True)
    way.click()


class Player:
    """One person at one table, and every frame that reached the browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[dict[str, Any]] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.frames.append(json.loads(data)))

    def sit_at(self, name: str) -> None:
        """Come by the lobby and sit down at a table with one click; a guest's least bet is made for him."""
        self.page.goto("/")
        self.page.get_by_role("button", name=f"Sit down at {name}", exact=True).click()
        expect(self.seated).to_be_visible()

    def sit_at_own(self, book: str, coach: str = "") -> str:
        """Sit down at a private table, where nobody else is, with the coach as one wants it; return its id."""
        table = self.open_table(book)
        if coach:
            assert self.page.request.put("/api/me/settings", data={"coach": coach}, headers=self.origin).ok
        self.sit_at("Ours")
        return table

    def open_table(self, book: str) -> str:
        """Open a private table as a guest; return its id."""
        self.page.request.post("/api/guest", headers=self.origin)
        made = self.page.request.post(
            "/api/private-tables", data={"name": "Ours", "rulebook": book}, headers=self.origin
        )
        assert made.ok, made.text()
        return str(made.json()["id"])

    @property
    def origin(self) -> dict[str, str]:
        """What a page of the house says of itself when it asks; no page needs to be there."""
        at = urlsplit(self.page.request.get("/healthz").url)
        return {"Origin": f"{at.scheme}://{at.netloc}"}

    @property
    def place(self) -> Any:
        """One's own place at the table."""
        return self.page.get_by_role("region", name="Your seat")

    @property
    def seated(self) -> Any:
        """What is there once one sits: the place itself is there for one who only watches, too."""
        return self.place.get_by_role("group", name="Your cards")

    @property
    def cards(self) -> list[str]:
        """One's own cards as they are spoken, once they are seen."""
        seen = self.seated.get_by_role("img", name=FACE)
        expect(seen).to_have_count(3)
        return list(seen.evaluate_all("cards => cards.map((one) => one.getAttribute('aria-label'))"))

    def look_over(self) -> None:
        """Where the deck is shown to the first player, look it over."""
        asked = self.place.get_by_role("button", name=re.compile("Confirm the deck is complete"))
        expect(asked.or_(self.ride)).to_be_visible()
        if asked.is_visible():
            asked.click()

    @property
    def ride(self) -> Any:
        """The button that lets a bet ride."""
        return self.place.get_by_role("button", name=RIDE)

    def choose(self, bet: int, name: re.Pattern[str] = RIDE) -> None:
        """Decide about a bet."""
        group = self.place.get_by_role("group", name=f"Bet {bet}:")
        group.get_by_role("button", name=name).click()
        expect(group).to_have_count(0)

    def result(self) -> str:
        """What the round came to, with its sign."""
        found = self.place.locator(".hand-net")
        expect(found).to_be_visible()
        return found.inner_text()
