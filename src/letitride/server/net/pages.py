"""Pages: the web client as files in memory, compressed and with their headers; it knows nothing of tables.

The files are made by scripts/web.py and come with the wheel. Where they are missing the server does without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

FOLDER: Final = Path(__file__).parent.parent / "assets"
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""A file whose name has its digest in it never changes."""
ROOT_FILES: Final = ("sw.js", "manifest.webmanifest")
"""Files with a name of their own at the root, by which a browser asks whether they have changed."""
WORKER_POLICY: Final = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
"""Of the worker: it fetches from this server alone."""


class Pages:
    """The files of the web client; found anew when they were built anew."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._built = 0
        self._files: dict[str, bytes] = {}

    @property
    def is_built(self) -> bool:
        """Whether there is a page to show."""
        try:
            built = (self._folder / "index.html").stat().st_mtime_ns
        except OSError:
            return bool(self._files)
        if built != self._built:
            self._files = {one.name: one.read_bytes() for one in self._folder.iterdir() if one.is_file()}
            self._built = built
        return True

    def page(self, request: Request, addresses: Iterable[str] = (), *, head: str = "", status: int = 200) -> Response:
        """Return the one page all addresses of the client show; `addresses` are the other servers of the house.

        `head` is what its head says besides.
        """
        content = self._files["index.html"].replace(b"</head>", f"{head}</head>".encode(), 1)
        return _revalidated(request, content, ".html", policy(addresses), status)

    def root_file(self, request: Request, name: str) -> Response | None:
        """Return the worker or the manifest: always the latest, so that a new version is noticed."""
        if not self.is_built or name not in self._files or name not in ROOT_FILES:
            return None
        return _revalidated(request, self._files[name], Path(name).suffix, WORKER_POLICY)

    def file(self, request: Request, name: str) -> Response | None:
        """Return one of the files, as small as the browser can take it."""
        unknown = not self.is_built or name not in self._files or Path(name).suffix not in MEDIA_TYPES
        if unknown or name in ROOT_FILES:  # those are asked for at the root, and may change
            return None
        headers = {"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding", "Content-Security-Policy": policy()}
        taken = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
        for encoding, suffix in (("br", ".br"), ("gzip", ".gz")):
            if encoding in taken and name + suffix in self._files:
                headers["Content-Encoding"] = encoding
                return Response(self._files[name + suffix], media_type=MEDIA_TYPES[Path(name).suffix], headers=headers)
        return Response(self._files[name], media_type=MEDIA_TYPES[Path(name).suffix], headers=headers)


def _revalidated(request: Request, content: bytes, suffix: str, rules: str, status: int = 200) -> Response:
    """Return what a browser asks for each time, and is sent only where it has changed."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"Content-Security-Policy": rules, "Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, status, media_type=MEDIA_TYPES[suffix], headers=headers)


def policy(addresses: Iterable[str] = ()) -> str:
    """Return what the page may load and reach: this server, and for tables the others of the house."""
    others = sorted({one for address in addresses if address for one in (address, address.replace("http", "ws", 1))})
    reached = " ".join(("'self'", *others))
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self'",
            f"connect-src {reached}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )
