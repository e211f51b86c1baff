"""The reminder of how long one has been playing: it can be confirmed on the page, and what it held up is done then."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import violations
from tests.browser.player import Player

KEPT_BACK = {"accepted": False, "code": "reminder", "sentence": "Confirm.", "values": {"minutes": 1}}


def remind(page: Page) -> list[str]:
    """Return a list: each type of command that is added to it is held up once, as by the server when it reminds."""
    due: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def sent(message: str | bytes) -> None:
            act = json.loads(message)
            if (command := act.get("command", {}).get("type")) in due:
                due.remove(command)
                socket.send(json.dumps({"type": "answer", "command": act["id"], "version": 0, **KEPT_BACK}))
            else:
                server.send(message)

        socket.on_message(sent)

    page.route_web_socket(re.compile("/socket"), between)
    return due


def test_a_player_confirms_the_reminder_and_the_seat_is_taken_and_the_bet_placed(page: Page) -> None:
    due, player = remind(page), Player(page)
    due += ["Sit", "PlaceWagers"]
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    dialog = page.get_by_role("dialog", name="Time for a break?")
    expect(dialog).to_contain_text("You have been playing for 1 minute.")
    assert [] == violations(page)
    expect(page.locator(".toast")).to_have_count(0)  # the dialog says it, and nothing else
    with page.expect_response("**/api/me/limits/reminder"):
        dialog.get_by_role("button", name="Keep playing").click()
    expect(
        dialog.get_by_role("button", name=re.compile("^Leave with"))
    ).to_be_enabled()  # seated; now the bet is held up
    with page.expect_response("**/api/me/limits/reminder"):
        dialog.get_by_role("button", name="Keep playing").click()
    expect(player.ride).to_be_visible()
    expect(dialog).to_have_count(0)
    assert [] == due
