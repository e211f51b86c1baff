"""Digests: what of letitride runs here, by SHA-256, and whether it is what was shipped; it changes nothing."""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path
from typing import Final

import msgspec

from letitride import version
from letitride.errors import LetItRideError
from letitride.rules import catalog
from letitride.server.net.pages import FOLDER

SHIPPED: Final = resources.files("letitride.rules") / "data" / "digests.json"
PACKAGE: Final = Path(version.__file__).parent
BUILT: Final = "digests.json"
"""The file beside the page's own in which its build wrote what it made; scripts/web.py writes it."""


class Digests(msgspec.Struct, frozen=True, kw_only=True):
    """The digests of the code, the page, the published rule books and the published paytables."""

    code: str
    """Of all files of the package, those of the page among them."""
    page: str
    """Of the files of the page alone; empty where it was not built."""
    rulebooks: dict[str, str]
    paytables: dict[str, str]


class Data(msgspec.Struct, frozen=True, kw_only=True):
    """The digests of rule books and paytables as they were when this version was made."""

    rulebooks: dict[str, str]
    paytables: dict[str, str]


def digests() -> Digests:
    """Return the digests of what runs here."""
    found = data()
    return Digests(code=code_digest(), page=page_digest(), rulebooks=found.rulebooks, paytables=found.paytables)


def data() -> Data:
    """Return the digests of the published rule books and paytables as this process has read them."""
    return Data(
        rulebooks={name: catalog.rulebook(name).digest for name in catalog.rulebook_ids()},
        paytables={name: catalog.paytable(name).digest for name in catalog.paytable_ids()},
    )


def code_digest(package: Path = PACKAGE) -> str:
    """Return one SHA-256 over the names and digests of all files of the package, the page's among them."""
    return _digest_of(package)


def page_digest(folder: Path = FOLDER) -> str:
    """Return one SHA-256 over the names and digests of all files of the page; empty where it was not built."""
    return _digest_of(folder) if (folder / "index.html").is_file() else ""


def changed_page(folder: Path = FOLDER) -> list[str]:
    """Return the files of the page that are not as they were built, or that were not built with it."""
    try:
        built = msgspec.json.decode((folder / BUILT).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return [BUILT]
    here = {path.name: _sha256(path).hex() for path in _files(folder) if path.name != BUILT}
    return sorted(name for name in {*built, *here} if built.get(name) != here.get(name))


def changed_data() -> list[str]:
    """Return the rule books and paytables that are not as they were shipped, one sentence each."""
    try:
        shipped = msgspec.json.decode(SHIPPED.read_bytes(), type=Data)
        here = data()
    except (OSError, msgspec.MsgspecError, LetItRideError) as error:
        return [f"the digests cannot be compared: {error}"]
    pairs = (("rule book", shipped.rulebooks, here.rulebooks), ("paytable", shipped.paytables, here.paytables))
    return [
        f"{what} {name}: expected {before.get(name, 'none')}, got {now.get(name, 'none')}"
        for what, before, now in pairs
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]


def changed_files(package: Path = PACKAGE) -> list[str] | None:
    """Return the files of the package that are not as the wheel's own record has them; None: there is no record."""
    recorded = _record(package)
    if recorded is None:
        return None
    here = {path.relative_to(package.parent).as_posix(): path for path in _files(package)}
    wrong = [name for name, digest in recorded.items() if name not in here or _sha256(here[name]) != digest]
    return sorted({*wrong, *(here.keys() - recorded.keys())})


def _record(package: Path) -> dict[str, bytes] | None:
    """Return what the installed wheel's RECORD says of each file, if the package came from a wheel."""
    found = next(iter(metadata.distributions(name="letitride", path=[str(package.parent)])), None)
    # Read by ourselves: some versions of Python leave files out that are missing, and those are what we look for.
    lines = csv.reader(((found.read_text("RECORD") if found is not None else None) or "").splitlines())
    recorded = {
        name: base64.urlsafe_b64decode(f"{digest.removeprefix('sha256=')}==")
        for name, digest, *_ in lines
        if digest.startswith("sha256=") and name.startswith(f"{package.name}/") and "__pycache__" not in name
    }
    return recorded or None


def _digest_of(folder: Path) -> str:
    whole = hashlib.sha256()
    for path in _files(folder):
        whole.update(f"{path.relative_to(folder).as_posix()}\n{_sha256(path).hex()}\n".encode())
    return whole.hexdigest()


def _files(package: Path) -> Iterator[Path]:
    """Yield the files that make the package, in one order; what Python and editors leave there is none of them."""
    return (
        path
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    )


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
