"""Chromium: finds a browser for the tests: the one named, the system's, or Playwright's own."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ELSEWHERE = "house.test"
"""A name of this machine that is not this machine to the browser: over plain http its pages are no secure context."""
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
)


def executable() -> str | None:
    """Return the path of a browser; None where there is none."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found:
        return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    shell = _headless_shell(Path(own))
    return own if Path(own).is_file() else shell


def _headless_shell(own: Path) -> str | None:
    """Playwright's browser without a window, which lies beside the one with."""
    folder = next((one for one in own.parents if one.name.startswith("chromium-")), None)
    shells = [] if folder is None else folder.parent.glob("chromium_headless_shell-*/*/headless_shell")
    return next(map(str, sorted(shells)), None)


if __name__ == "__main__":
    where = executable()
    sys.stdout.write(f"{where or 'none'}\n")
    sys.exit(where is None)
