"""Screenshots: pictures of the main pages into docs/images, from a real server and a real browser; `make pictures`.

Others add a picture by a function and a row in PICTURES.
"""

from __future__ import annotations

import base64
import io
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.chromium import ARGS, executable  # noqa: E402 - the tests lie beside the scripts
from tests.browser.conftest import House  # noqa: E402 - found through the path above
from tests.browser.player import PULL, RIDE, Player  # noqa: E402 - found through the path above
from tests.browser.staffing import deal, hire, sign_in  # noqa: E402 - found through the path above

FOLDER = ROOT / "docs" / "images"
DESK: dict[str, Any] = {"viewport": {"width": 1360, "height": 880}, "device_scale_factor": 1}
SMALL: dict[str, Any] = {"viewport": {"width": 1280, "height": 870}, "device_scale_factor": 0.672}
NARROW: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 1, "has_touch": True}
SPANISH: dict[str, Any] = {"locale": "es-MX"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "device_scale_factor": 1.5, "has_touch": True}


class BusyHouse(House):
    """A house with company at its tables."""

    settings = ("--pace-bets", "2", "--pace-decision", "30", "--bots", "4")


def lobby(page: Page) -> None:
    """The lobby."""
    page.goto("/")
    page.get_by_role("heading", name="Tables").wait_for()
    page.wait_for_load_state("networkidle")


def table(page: Page, house: str = "washington-1") -> None:
    """A decision, with company that has bet, too."""
    player = Player(page)
    page.request.post("/api/guest", headers=player.origin)
    page.goto(f"/table/{house}")
    page.locator(".seat-stack", has_text="$").nth(3).wait_for()
    page.get_by_role("button", name="Sit down", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    player.place.get_by_role("button", name=re.compile("^Bet the minimum")).click()
    player.place.get_by_role("button", name=re.compile("^Place bets")).click()
    player.choose(1)
    player.ride.wait_for()


def phone(page: Page) -> None:
    """A decision on a phone."""
    table(page, "shufflemaster-1")


def result(page: Page) -> None:
    """The end of a round, at night."""
    player = Player(page)
    player.sit_at("California · player-banked · $5–$100")
    player.choose(1)
    player.choose(2)
    player.result()
    player.place.get_by_role("button", name=re.compile("again")).wait_for()
    page.keyboard.press("h")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Round")).first.click()
    page.get_by_role("slider").press("End")


def dealer(page: Page) -> None:
    """A dealer at work, with the next step under one key."""
    sign_in(page.context, "Dora")
    page.goto("/staff/table/shufflemaster-1")
    page.get_by_role("button", name="Take shift").click()
    deal(page, "Ask seat 5 about bet 2")


def review(page: Page) -> None:
    """An inspector's review of a round, every hash worked out anew."""
    sign_in(page.context, "Ina")
    page.goto("/staff/table/washington-1")
    page.locator(".pit-facts").get_by_text(re.compile(r"Round ([3-9]|\d\d)")).wait_for()
    page.goto("/staff/review/washington-1/2")
    page.get_by_role("region", name="Results of the check").wait_for()
    page.get_by_role("slider").press("End")
    for _ in range(12):
        page.get_by_role("slider").press("ArrowLeft")


def par(page: Page) -> None:
    """Edited pays beside the published ones."""
    page.goto("/par/LIRX-01?base.full_house=12&base.flush=11")
    page.locator(".par-change").first.wait_for()
    page.wait_for_load_state("networkidle")


def coach(page: Page) -> None:
    """What a decision is worth, after some rounds; the first ones are bad, so that there is something to see."""
    player = Player(page)
    player.sit_at("House rules · 3 Card Bonus · $1–$10")
    player.look_over()
    again = player.place.get_by_role("button", name=re.compile("again"))
    for decision in (RIDE, PULL, PULL, PULL, PULL, PULL):
        player.choose(1, decision)
        player.choose(2, decision)
        again.click()
    player.ride.wait_for()
    page.keyboard.press("w")
    page.get_by_role("radio", name="Before each decision").check()
    page.locator(".coach-best").wait_for()
    page.locator(".coach-last").wait_for()


def results(page: Page) -> None:
    """What some rounds came down to: expectation, mistakes and luck."""
    coach(page)
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.locator(".coach-graph").wait_for()


def landing(page: Page) -> None:
    """The landing page in the browser's language."""
    page.goto("/")
    page.locator(".table-row").first.wait_for()
    page.wait_for_load_state("networkidle")


def account(page: Page) -> None:
    """The drawer of the account, for a guest with a seat."""
    decision(page)
    page.locator(".head-me").click()
    page.get_by_role("dialog").wait_for()


def decision(page: Page) -> None:
    """The first decision, in the browser's language."""
    table_id = Player(page).open_table("washington-1")
    page.goto(f"/table/{table_id}?now")
    page.get_by_role("button", name=re.compile("^(Let it ride|Mantenerla)")).wait_for()


def betting(page: Page) -> None:
    """Time to bet, after a round."""
    decision(page)
    page.get_by_role("button", name=re.compile("^(Let it ride|Mantenerla)")).click()
    page.get_by_role("group", name=re.compile("^(Bet|Apuesta) 2")).wait_for()
    page.get_by_role("button", name=re.compile("^(Take it back|Retirarla)")).click()
    page.get_by_role("button", name=re.compile("again|^Repetir")).wait_for()


def refused(page: Page) -> None:
    """A bet under the minimum."""
    betting(page)
    page.get_by_label(re.compile("^(Each bet|Cada apuesta)")).fill("2")
    page.get_by_text(re.compile(r"\$5\.$")).first.wait_for()


def place(page: Page) -> None:
    """The drawer of a player's own seat."""
    betting(page)
    page.get_by_role("button", name="Buy chips, sit out or leave").click()
    page.get_by_role("dialog").get_by_text("Call the floor").click()


def floor(page: Page) -> None:
    """The floor at a table."""
    sign_in(page.context, "Flo")
    page.goto("/staff/table/washington-1")
    page.get_by_role("button", name=re.compile("^Report irregularity")).wait_for()
    page.get_by_text("Orders", exact=True).click()


def shift(page: Page) -> None:
    """A shift report on screen."""
    sign_in(page.context, "Flo")
    page.goto("/staff/shifts")
    page.get_by_role("combobox").first.select_option("washington-1")
    page.get_by_role("button", name="Show report").click()
    page.get_by_role("heading", name=re.compile("^Shift report:")).wait_for()


PICTURES: dict[str, tuple[Callable[[Page], None], dict[str, Any]]] = {
    # First, while no guest of another picture sits at the dealer's table.
    "dealer": (dealer, {**DESK, "color_scheme": "light"}),
    "lobby": (lobby, {**DESK, "color_scheme": "light"}),
    "table": (table, {**DESK, "color_scheme": "dark"}),
    "phone": (phone, {**PHONE, "color_scheme": "light"}),
    "rounds": (result, {**DESK, "color_scheme": "light"}),
    "review": (review, {**DESK, "color_scheme": "dark"}),
    "par": (par, {**DESK, "viewport": {"width": 1360, "height": 1130}, "color_scheme": "light"}),
    "coach": (coach, {**DESK, "color_scheme": "light"}),
    "results": (results, {**DESK, "color_scheme": "light"}),
    "words/lobby-after": (landing, {"viewport": {"width": 760, "height": 1180}}),
    "words/lobby-spanish": (landing, {"viewport": {"width": 760, "height": 1180}, **SPANISH}),
    "words/lobby-spanish-360": (landing, {**NARROW, **SPANISH}),
    "words/account-after": (account, {**PHONE, "device_scale_factor": 1}),
    "words/account-spanish": (account, {**PHONE, "device_scale_factor": 1, **SPANISH}),
    "words/betting-after": (betting, SMALL),
    "words/betting-spanish": (betting, {**SMALL, **SPANISH}),
    "words/table-spanish-360": (decision, {**NARROW, **SPANISH}),
    "words/refusal-spanish-360": (refused, {**NARROW, **SPANISH}),
    "words/place-after": (place, SMALL),
    "words/floor-after": (floor, SMALL),
    "words/shift-after": (shift, SMALL),
}


def stages(page: Page) -> Iterator[None]:
    """A whole round with three bots, stage by stage: bets, both decisions, the result."""
    page.goto("/")
    origin = {"Origin": page.evaluate("location.origin")}
    page.request.post("/api/guest", headers=origin)
    wanted = {"name": "Friday night", "rulebook": "washington-1", "bots": 3}
    made = page.request.post("/api/private-tables", data=wanted, headers=origin).json()
    page.goto(f"/table/{made['id']}")
    page.locator(".seat-stack", has_text="$").nth(2).wait_for()
    page.get_by_role("button", name="Sit down", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    player = Player(page)
    player.seated.wait_for()
    player.place.get_by_role("button", name=re.compile("^Bet the minimum")).wait_for()
    for key in "2cb":
        page.keyboard.press(key)
    yield
    page.keyboard.press("Enter")
    player.ride.wait_for()
    yield
    player.choose(1, RIDE)
    player.place.get_by_role("group", name="Bet 2: let it ride").wait_for()
    yield
    player.choose(2, PULL)
    player.result()
    yield


ROUNDS: dict[str, tuple[int, float, dict[str, Any]]] = {
    "round": (2, 0.6, {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"}),
    "round-phone": (4, 0.75, {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "light"}),
    "round-sideways": (2, 0.75, {"viewport": {"width": 844, "height": 390}, "has_touch": True, "color_scheme": "dark"}),
}
"""Pictures of a whole round: how many stages stand side by side, how much smaller, and on what screen."""
COMPOSE = """async ([pictures, columns, scale]) => {
    const images = await Promise.all(pictures.map(async (one) => createImageBitmap(await (await fetch(one)).blob())));
    const [wide, high, gap] = [images[0].width * scale, images[0].height * scale, 10];
    const rows = Math.ceil(images.length / columns);
    const canvas = new OffscreenCanvas((wide + gap) * columns - gap, (high + gap) * rows - gap);
    const paper = canvas.getContext("2d");
    paper.imageSmoothingQuality = "high";
    images.forEach((one, at) => paper.drawImage(
        one, (at % columns) * (wide + gap), Math.floor(at / columns) * (high + gap), wide, high));
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
}"""


def take_round(browser: Browser, base: str, name: str) -> None:
    """Take the stages of a round into one picture."""
    columns, scale, how = ROUNDS[name]
    context = browser.new_context(base_url=base, reduced_motion="reduce", **how)
    page, found = context.new_page(), []
    for _ in stages(page):
        page.locator(".toast .icon-button").evaluate_all("buttons => buttons.forEach((one) => one.click())")
        taken = page.screenshot(animations="disabled")
        found.append("data:image/png;base64," + base64.b64encode(taken).decode())
    blank = context.new_page()
    (FOLDER / f"{name}.webp").write_bytes(bytes(blank.evaluate(COMPOSE, [found, columns, scale])))
    context.close()


def take(browser: Browser, base: str, name: str) -> None:
    """Take one picture, when nothing moves any more."""
    make, how = PICTURES[name]
    page = browser.new_context(base_url=base, reduced_motion="reduce", **how).new_page()
    make(page)
    page.locator(".toast .icon-button").evaluate_all("buttons => buttons.forEach((one) => one.click())")
    page.locator(".toast").first.wait_for(state="detached")
    taken = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    taken.quantize(256).save(
        FOLDER / f"{name}.png", optimize=True
    )  # a third of the bytes: pictures come with the package
    page.context.close()


def main(names: list[str]) -> None:
    """Take the pictures that are named, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = BusyHouse(Path(folder))
        hire(house)
        house.start()
        try:
            browser = playwright.chromium.launch(executable_path=executable(), args=list(ARGS))
            for name in names or [*PICTURES, *ROUNDS]:
                (take_round if name in ROUNDS else take)(browser, house.base, name)
                print(f"docs/images/{name}", file=sys.stderr)
            browser.close()
        finally:
            house.stop(signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
