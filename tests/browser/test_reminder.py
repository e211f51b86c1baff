"""The reminder of how long one has been playing: it can be confirmed on the page, and the bet it held up is placed."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import violations
from tests.browser.test_betting import button, sit_with

KEPT_BACK = {"accepted": False, "code": "reminder", "sentence": "Confirm.", "values": {"minutes": 1}}


def test_a_player_confirms_the_reminder_and_the_bet_is_placed(page: Page) -> None:
    held: list[str] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def sent(message: str | bytes) -> None:
            act = json.loads(message)
            if act.get("command", {}).get("type") == "PlaceWagers" and not held:
                held.append(act["id"])
                socket.send(json.dumps({"type": "answer", "command": act["id"], "version": 0, **KEPT_BACK}))
            else:
                server.send(message)

        socket.on_message(sent)

    page.route_web_socket(re.compile("/socket"), between)
    player = sit_with(page, "shufflemaster-1")
    button(player, "Bet the minimum").click()
    button(player, "Place").click()
    dialog = page.get_by_role("dialog", name="Time for a break?")
    expect(dialog).to_contain_text("You have been playing for 1 minute.")
    assert [] == violations(page)
    expect(dialog.get_by_role("button", name=re.compile("^Leave with"))).to_be_enabled()
    with page.expect_response("**/api/me/limits/reminder"):
        dialog.get_by_role("button", name="Keep playing").click()
    expect(player.ride).to_be_visible()
    expect(dialog).to_have_count(0)
    assert 1 == len(held)
