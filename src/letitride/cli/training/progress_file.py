"""Training in a file: one person's progress and results, in the data folder; it knows no drill."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import msgspec

from letitride.errors import InvalidData
from letitride.server.ops.settings import resolve
from letitride.training.results import Result, matching

_NAME: Final = re.compile(r"\w[\w.' -]{0,63}")


class Kept(msgspec.Struct, kw_only=True):
    """What a file holds."""

    person: str
    progress: dict[str, msgspec.Raw] = {}
    results: list[Result] = []


class InFile:
    """The training of one person, in their own file."""

    def __init__(self, folder: Path, person: str) -> None:
        if not _NAME.fullmatch(person):
            raise InvalidData(f"expected a name like Ann or Mary-Lou, got {person!r}")
        self.path = folder / f"{person}.json"
        self._kept = self._read(person)

    def progress(self, person: str, drill: str) -> tuple[bytes, int] | None:
        """Return a person's progress in a drill."""
        found = self._kept.progress.get(drill) if person == self._kept.person else None
        return None if found is None else (bytes(found), 1)

    def keep_progress(self, person: str, drill: str, body: bytes, version: int) -> bool:  # noqa: ARG002 - a keeper has versions
        """Keep progress; a file has one writer, so its version is always the last."""
        self._of(person).progress[drill] = msgspec.Raw(body)
        self._write()
        return True

    def forget_progress(self, person: str, drill: str) -> None:
        """Forget the progress of a drill, so that it starts again."""
        if self._of(person).progress.pop(drill, None) is not None:
            self._write()

    def add_result(self, result: Result) -> None:
        """Keep a result."""
        self._of(result.person).results.append(result)
        self._write()

    def results(self, person: str = "", drill: str = "") -> list[Result]:
        """Return results, oldest first."""
        return list(matching(iter(self._kept.results), person, drill))

    def _of(self, person: str) -> Kept:
        if person != self._kept.person:
            raise InvalidData(f"expected the training of {self._kept.person}, got that of {person}")
        return self._kept

    def _read(self, person: str) -> Kept:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Kept)
        except FileNotFoundError:
            return Kept(person=person)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InvalidData(f"{self.path}: expected a training file, got something else: {error}") from None
        except OSError as error:
            raise InvalidData(f"expected a readable training file, got '{self.path}': {error.strerror}") from None

    def _write(self) -> None:
        """Write the whole file beside the old one, then in its place: a crash leaves one of the two."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside = self.path.with_suffix(".new")
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(self._kept)))
            beside.replace(self.path)
        except OSError as error:
            raise InvalidData(
                f"expected a training file that can be written, got '{self.path}': {error.strerror}"
            ) from None


def keeper_of(person: str) -> InFile:
    """Return where a person's training is kept on this machine."""
    return InFile(resolve(environ=os.environ).folder / "training", person)
