"""Extras: which extra of the package brings each optional library; imports none of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from letitride.errors import MissingData


class Library(NamedTuple):
    """A library that only some uses of letitride need."""

    name: str
    """What its makers call it."""
    extra: str
    """The extra to install it by."""


LIBRARIES: Final = {
    "argon2": Library("argon2-cffi", "server"),
    "cryptography": Library("cryptography", "server"),
    "cupy": Library("CuPy", "gpu"),
    "distributed": Library("Dask", "cluster"),
    "fastapi": Library("FastAPI", "server"),
    "gymnasium": Library("Gymnasium", "rl"),
    "httptools": Library("httptools", "server"),
    "httpx2": Library("HTTPX2", "server"),
    "icu": Library("PyICU", "tui"),
    "jinja2": Library("Jinja", "reports"),
    "joserfc": Library("joserfc", "server"),
    "markupsafe": Library("MarkupSafe", "reports"),
    "matplotlib": Library("Matplotlib", "reports"),
    "numba": Library("Numba", "sim"),
    "pettingzoo": Library("PettingZoo", "rl"),
    "prometheus_client": Library("prometheus-client", "server"),
    "psycopg": Library("Psycopg", "server"),
    "pyarrow": Library("PyArrow", "data"),
    "segno": Library("Segno", "server"),
    "sqlalchemy": Library("SQLAlchemy", "server"),
    "starlette": Library("Starlette", "server"),
    "textual": Library("Textual", "tui"),
    "typst": Library("Typst", "reports"),
    "uvicorn": Library("Uvicorn", "server"),
    "uvloop": Library("uvloop", "server"),
    "webauthn": Library("py_webauthn", "server"),
    "websockets": Library("websockets", "client"),
    "zxcvbn_rs_py": Library("zxcvbn-rs-py", "server"),
}
"""The optional libraries by the name they are imported under; the package's own dependencies are not here."""


class MissingExtra(MissingData, ImportError):
    """What was asked for needs a library that is not installed."""


def missing_extra(what: str, module: str) -> MissingExtra:
    """Return what to say where something needs a library that is not there, with the command that installs it."""
    library = LIBRARIES[module]
    return MissingExtra(
        f"{what} needs {library.name}, which is not installed: pip install 'letitride[{library.extra}]'"
    )


def explained(what: str, error: ImportError) -> ImportError:
    """Return what to raise for an import that failed: a sentence where an extra brings the library, else the error."""
    module = (error.name or "").partition(".")[0]
    return missing_extra(what, module) if module in LIBRARIES else error
