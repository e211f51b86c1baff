"""Site: the documentation as files, with a policy that runs no script but the site's own; it writes none of them.

The files are made by scripts/docs.py and come with the wheel. Where they are missing the server does without them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles

PACKAGED: Final = Path(__file__).parent.parent / "site"
"""Where a wheel has it."""
MADE: Final = Path(__file__).parents[4] / "build" / "docs" / "site"
"""Where 'make docs' leaves it in a folder of sources."""
FOLDER: Final = PACKAGED if PACKAGED.is_dir() else MADE
POLICY_FILE: Final = "policy.json"
WITHOUT: Final = (
    "The documentation was not built: run 'make docs' and load this again. Everything else works without it."
)


class _Inline(msgspec.Struct):
    """The digests of what the pages have inline, which a build writes down."""

    script: tuple[str, ...] = ()
    style: tuple[str, ...] = ()


class Site:
    """The documentation; found anew when it was built anew."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._built = 0
        self._policy = policy(_Inline())
        self._files = StaticFiles(directory=folder, html=True, check_dir=False)

    @property
    def is_built(self) -> bool:
        """Whether there is a site to show."""
        try:
            built = (self._folder / POLICY_FILE).stat().st_mtime_ns
            if built != self._built:
                self._policy = policy(msgspec.json.decode((self._folder / POLICY_FILE).read_bytes(), type=_Inline))
                self._built = built
        except OSError:
            return False
        return True

    async def file(self, request: Request, path: str) -> Response:
        """Return a file of the site: a browser asks for it each time, and is sent it only where it has changed."""
        if not self.is_built:
            found: Response = HTMLResponse(f"<!doctype html><title>letitride</title><p>{WITHOUT}</p>", 404)
        else:
            found = await self._files.get_response(path, request.scope)
            found.headers["Cache-Control"] = "no-cache"
        found.headers["Content-Security-Policy"] = self._policy
        return found


def policy(inline: _Inline) -> str:
    """Return what a page of the site may load: this server's files, and of what is inline only what was built."""
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(("script-src 'self'", *inline.script)),
            " ".join(("style-src 'self'", *inline.style)),
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )
