"""A real browser before a real server: one of each for all tests, a fresh person in each test."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from tests.browser.chromium import ARGS, ELSEWHERE, executable
from tests.cli.forked import Forked
from tests.counts import PROVING
from tests.server.conftest import Server

SECONDS = 90
"""How long anything may take on a slow machine before it counts as not happening."""
AXE = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}

COLOURS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
"""What axe says of colours: in other colours the rest of a page stays what it was."""

WRONG = """async ([options, few]) => (await axe.run(few ? oneOfEach() : document, options)).violations.flatMap(
    (one) => one.nodes.map((node) => `${one.id}: ${one.help}: ${node.html.slice(0, 160)}`))"""
ONE_OF_EACH = """() => {
    const kinds = new Map(), below = new Map();
    const kind = (text) => kinds.has(text) ? kinds.get(text) : kinds.set(text, kinds.size + 1).get(text);
    const behind = (one) => {
        if (one && !below.has(one)) {
            const style = getComputedStyle(one);
            const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.position];
            below.set(one, kind([behind(one.parentElement), ...own].join("|")));
        }
        return one ? below.get(one) : 0;
    };
    window.oneOfEach = () => {
        kinds.clear(), below.clear();
        const found = new Map();
        for (const one of document.body.querySelectorAll("*")) {
            const speaks = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
            if (!speaks || !one.checkVisibility()) continue;
            const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(one);
            const like = [behind(one), one.localName, color, fontSize, fontWeight, textDecorationLine].join("|");
            if (!found.has(like)) found.set(like, one);
        }
        return [...found.values()];
    };
}"""
"""Finds, of all texts of one colour and size on one background, the first: the others have the same contrast."""
AT_REST = """() => Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < 3000)
    .map((one) => one.finished.catch(() => null)))"""
"""A card that is just coming is half seen through, and no colour is what it will be."""

SLOW = {
    "Emulation.setCPUThrottlingRate": {"rate": 6},
    "Network.emulateNetworkConditions": {
        "offline": False,
        "latency": 150,
        "downloadThroughput": -1,
        "uploadThroughput": -1,
    },
}
"""What `--slow-browser` asks of Chromium: scripts take six times as long, and each answer 150 ms more."""

expect.set_options(timeout=SECONDS * 1000)


class House(Server):
    """A server whose clocks give people all the time they want."""

    pace = "0.01"
    settings: tuple[str, ...] = ("--pace-bets", "5", "--pace-decision", "600")
    variables: Mapping[str, str] = {}
    """More settings, which have no flag."""

    def launch(self) -> Forked:
        """Start a process of it."""
        words = ["serve", "--port", str(self.port), "--pace", self.pace, "--db", self.address, *self.settings]
        rates = "guests_from=9000,accounts_from=9000,logins_from=9000,private_tables_from=9000"
        environ = {**os.environ, "LETITRIDE_DATA_DIR": str(self.folder), "LETITRIDE_RATES": rates}
        environ["LETITRIDE_HOST_NAMES"] = ELSEWHERE
        return Forked(words, self.folder / "server.log", {**environ, **self.variables})


class Unhurried(House):
    """A server that gives people who bet one after the other all the time they want, too."""

    settings = ("--pace-bets", "600", "--pace-decision", "600")


CONTEXTS = pytest.StashKey[list[BrowserContext]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """What the pages of a test that failed showed then: a race leaves no other trace."""
    report = yield
    if report.when == "call" and report.failed:
        for page in (page for context in item.stash.get(CONTEXTS, []) for page in context.pages):
            report.sections.append((f"Page {page.url}", _shown(page)))
    return report


def _shown(page: Page) -> str:
    """Return what a page shows to a screen reader, or why it cannot be asked."""
    try:
        return str(page.locator("body").aria_snapshot(timeout=5_000))
    except PlaywrightError as error:
        return f"(cannot be asked: {error})"


@pytest.fixture(scope="package")  # not longer: while it is there, no other test can have an event loop
def chromium() -> Iterator[Browser]:
    """A browser for all tests."""
    path = executable()
    assert path, "The browser tests need Chromium: scripts/browser installs one."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGS), timeout=SECONDS * 1000)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for all tests; who wants one to himself takes `own_house`."""
    yield from _serve(House(tmp_path_factory.mktemp("house")))


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    """A server that a test may stop and start."""
    yield from _serve(Unhurried(tmp_path))


def _serve(one: House) -> Iterator[House]:
    one.start()
    yield one
    if one.process is not None and one.process.poll() is None:
        one.stop(signal.SIGKILL)


def _slow_down(page: Page) -> None:
    """Make a page as slow as on a busy machine, where races show that a quick one hides."""
    session = page.context.new_cdp_session(page)
    for what, how in SLOW.items():
        session.send(what, how)


@pytest.fixture
def people(
    chromium: Browser, open_house: House, request: pytest.FixtureRequest
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes people: each has a browser of his own, with nobody signed in."""
    made: list[BrowserContext] = []
    request.node.stash[CONTEXTS] = made

    def person(base_url: str = open_house.base, **how: Any) -> BrowserContext:
        how = {"reduced_motion": "reduce", "service_workers": "block", **how}
        context = chromium.new_context(base_url=base_url, **how)
        context.set_default_timeout(SECONDS * 1000)
        if request.config.getoption("slow_browser"):
            context.on("page", _slow_down)
        made.append(context)
        return context

    yield person
    for context in made:
        context.close()


@pytest.fixture
def page(people: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page of a person at a desk; a mistake in its scripts fails the test."""
    one = people(viewport={"width": 1280, "height": 860}).new_page()
    mistakes: list[str] = []
    one.on("pageerror", lambda error: mistakes.append(str(error)))
    yield one
    assert mistakes == []


def violations(page: Page, asked: dict[str, Any] = AXE, few: bool = False) -> list[str]:
    """Return what axe finds wrong with a page that is there, a line each; asked of few, with one text of each look."""
    expect(page.locator("h1").first).to_be_attached()
    page.evaluate(AT_REST)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        page.evaluate(ONE_OF_EACH)
    found: list[str] = page.evaluate(WRONG, [asked, few])
    return found


def violations_in_every_colour(page: Page) -> list[str]:
    """Return what axe finds wrong with a page in light, dark and the system's own forced colours."""
    found = violations_in_both_schemes(page)
    page.emulate_media(color_scheme="light", forced_colors="active")
    found += [f"forced: {line}" for line in violations(page, COLOURS, few=not PROVING)]
    page.emulate_media(forced_colors="none")
    return found


def violations_in_both_schemes(page: Page) -> list[str]:
    """Return what axe finds wrong with a page in light colours, and with its colours in dark."""
    page.emulate_media(color_scheme="light")
    found = [f"light: {line}" for line in violations(page)]
    page.emulate_media(color_scheme="dark")
    return found + [f"dark: {line}" for line in violations(page, COLOURS, few=not PROVING)]
