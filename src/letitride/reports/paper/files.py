"""Files: puts finished reports where a person wants them, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from letitride.errors import InvalidData


def place(path: str, option: str) -> Path:
    """Return the path that an option names, or say at once why nothing can be written there."""
    if not path or not path.isprintable():
        raise InvalidData(f"expected a file after {option}, got {path!r}")
    target = Path(path)
    try:
        if target.is_dir():
            raise InvalidData(f"expected a file after {option}, got '{path}', a folder")
        if not target.parent.is_dir():
            raise InvalidData(f"expected a file in a folder that exists after {option}, got '{path}'")
    except OSError as error:
        raise InvalidData(f"expected a file after {option}, got '{path}': {error.strerror}") from None
    return target


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files; each is written beside its place first, so that no reader ever meets half of one."""
    ready: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            target = path.resolve()
            if target.exists() and not target.is_file():  # a pipe or a device takes what it is given
                target.write_bytes(content)
            else:
                beside = target.with_name(f".letitride-{os.getpid()}-{len(ready)}.part")
                ready[beside] = target
                beside.write_bytes(content)
        for beside, target in ready.items():
            beside.replace(target)
    except OSError as error:
        raise InvalidData(f"expected a file that can be written, got '{path}': {error.strerror}") from None
    finally:
        for beside in ready:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
