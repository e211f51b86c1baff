"""Readers: everything that reads what came from outside, each with files of the project's own to begin from.

A reader answers with a value or with its one-sentence error. Anything else that it raises is a finding, and so is work
that takes long.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from letitride.chance import fair, proof, secret, shares
from letitride.engine import commands
from letitride.errors import InvalidData, MissingData
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.writer import write_record
from letitride.rules import catalog
from letitride.rules.paytable_file import read_paytable
from letitride.rules.toml_text import read_toml
from letitride.server.net import wire
from letitride.server.ops import settings
from letitride.storage import archive, codec, dump
from tests.fuzz import connections, kept

ROOT = Path(__file__).parent.parent.parent
BYTES_MAX = 20_000
"""Longer inputs say nothing that shorter ones do not, and slow the search down."""
SENTENCE_MAX = 3_000
"""A sentence about what is wrong is no copy of all that came."""
OWN = "./own.toml"


class Finding(AssertionError):
    """Something that a reader must not do."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader, and how inputs for it look."""

    read: Callable[[bytes], None]
    begin: Callable[[], Iterable[bytes]]
    """Inputs that are in order, or nearly so."""
    refuses: tuple[type[Exception], ...] = (InvalidData,)

    def try_one(self, data: bytes) -> bool:
        """Read an input; whether it was taken. Raises whatever the reader must not raise."""
        if len(data) > BYTES_MAX:
            return False
        try:
            self.read(data)
        except self.refuses as error:
            sentence = str(error)
            if not sentence or len(sentence) > SENTENCE_MAX:
                raise Finding(f"expected one sentence, got {len(sentence)} characters: {sentence[:200]}") from error
            return False
        return True


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _record(data: bytes) -> None:
    written = write_record(read_record(_text(data)))
    if write_record(read_record(written)) != written:
        raise Finding("expected a record that is read again as it was written, got another")


def _replay(data: bytes) -> None:
    replay(read_record(_text(data[:4_000])))


def _records() -> Iterable[bytes]:
    folder = ROOT / "tests" / "records"
    return (
        path.read_bytes() for name in ("examples", "irregularities") for path in sorted((folder / name).rglob("*.*"))
    )


def _book(data: bytes) -> None:
    catalog.table_rules_of_texts(OWN, {}, {OWN: _text(data)})


def _books() -> Iterable[bytes]:
    for book in catalog.rulebook_ids():
        yield f'id = "own"\ntitle = "Our own"\nextends = "{book}"\n[rules]\nlimit.cents_min = 500\n'.encode()
        published = (files("letitride.rules") / "data" / "rulebooks" / f"{book}.toml").read_text(encoding="utf-8")
        yield re.sub(r"(?m)^(document|edition) = .*\n", "", published).replace(f'id = "{book}"', 'id = "own"').encode()


def _paytable(data: bytes) -> None:
    read_paytable(read_toml(_text(data), OWN), OWN)


def _wager(data: bytes) -> None:
    texts = {
        "own.toml": _text(data),
        "book.toml": 'id = "own-1"\ntitle = "Own"\nextends = "washington-1"\nwagers = ["own.toml"]\n',
    }
    catalog.table_rules_of_texts("book.toml", {}, texts)


def _wagers() -> Iterable[bytes]:
    return (path.read_bytes() for path in sorted((ROOT / "examples" / "wagers").glob("*.toml")))


def _paytables() -> Iterable[bytes]:
    return (Path(str(one)).read_bytes() for one in sorted(map(str, _data("paytables"))))


def _data(folder: str) -> list[Path]:
    return list(Path(str(files("letitride.rules") / "data" / folder)).glob("*.toml"))


def _frame(data: bytes) -> None:
    for frame in (data, _text(data)):
        found = wire.read(frame)
        if isinstance(found, str):
            raise InvalidData(found)
        msgspec.json.encode(found)


def _frames() -> Iterable[bytes]:
    digest = "0" * 64
    for command in (
        commands.Sit(seat=1, player="", cents=500),
        commands.PlaceWagers(seat=1, wagers={"base-1": 5, "base-2": 5, "base-$": 5}),
        commands.Choose(seat=1, bet=1, choice="ride"),
        commands.Report(kind="fouled", seat=1),
    ):
        yield msgspec.json.encode(wire.Act(id="a", command=command, version=3))
    for share in (
        wire.PledgeNonce(round=1, shuffle=1, digest=digest),
        wire.RevealLink(round=1, shuffle=1, link=digest),
        wire.RevealNonce(round=1, shuffle=1, nonce=digest),
        wire.DoNext(id="n"),
        wire.SetClock(on=True),
    ):
        yield msgspec.json.encode(share)


def _events(data: bytes) -> None:
    found = codec.decode(data)
    if codec.decode(codec.encode(found)) != found:
        raise Finding("expected events that are read again as they were written, got others")


@cache
def _journal() -> tuple[bytes, ...]:
    path = ROOT / "tests" / "data" / "journals" / "0.1.0-nsw-1.jsonl.gz"
    return tuple(gzip.decompress(path.read_bytes()).splitlines(keepends=True))


def _event_rows() -> Iterable[bytes]:
    return (ROOT / "tests" / "data" / "events-1.jsonl").read_bytes().splitlines()


def _backup(data: bytes) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        format_ = archive.FORMAT if archive.FORMAT.encode() in data[:200] else dump.FORMAT
        for line in dump.whole(dump.read_dump(Path(file.name), format_)):
            if isinstance(line, dump.RowLine):
                codec.decode(dump.row_of(line).events)


def _backups() -> Iterable[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines"
        rows = [msgspec.json.decode(line, type=dump.RowLine) for line in _journal()[1:3] if b'"row"' in line[:20]]
        for format_ in (dump.FORMAT, archive.FORMAT):
            dump.write_dump(path, rows, format_)
            yield path.read_bytes()
            path.unlink()


def _proof(data: bytes) -> None:
    if any(not problem or len(problem) > SENTENCE_MAX for problem in proof.verify(proof.read(_text(data)))):
        raise Finding("expected sentences about what is wrong, got something else")


def _proofs() -> Iterable[bytes]:
    for line in (ROOT / "tests" / "data" / "proofs-1.jsonl").read_text(encoding="utf-8").splitlines()[:3]:
        yield line.encode()
        held = json.loads(line)
        yield json.dumps(held.get("proof", held)).encode()
    name = shares.ShuffleId("seven", 12, 1)
    house = secret.draw(name)
    reveal = shares.Reveal(3, b"\x11" * 32)
    for dice in (0, 1, None):
        closed = fair.close(house, (shares.pledge(name, reveal),), (7,), dice=dice)
        thrown = (fair.throw(house, closed, [reveal.link]),) if dice else ()
        dealt = fair.Fair(house, closed, (reveal,), (reveal.link,) if dice else (), thrown)
        yield json.dumps(dealt.proof().as_data()).encode()
        yield json.dumps(dealt.card_proof(4).as_data()).encode()
    yield json.dumps(fair.void(None, closed, "lost").as_data()).encode()


def _settings(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        settings.resolve({"data_dir": "/tmp/none"}, {}, file.name).shown()  # noqa: S108 - nothing is written there


def _some_settings() -> Iterable[bytes]:
    yield b'port = 8080\naddress = "https://cards.example"\nsecure_cookies = true\ntrusted_proxies = ["10.0.0.1"]\n'
    yield b"pace = 0.5\nbots = 3\n[rates]\nchips_of = 60\n[limits]\nloss_day_cents = 10000\n"


READERS: dict[str, Reader] = {
    "records": Reader(_record, _records),
    "replays": Reader(_replay, _records),
    "rule books": Reader(_book, _books),
    "paytables": Reader(_paytable, _paytables),
    "wagers": Reader(_wager, _wagers),
    "frames": Reader(_frame, _frames),
    "journals": Reader(_events, _event_rows),
    "backups": Reader(_backup, _backups),
    "proofs": Reader(_proof, _proofs, (ValueError,)),
    "settings": Reader(_settings, _some_settings),
    "connections": Reader(connections.feed, connections.begin),
    "strategies": Reader(kept.strategy, kept.strategies),
    "simulations": Reader(kept.simulation, kept.simulations, (InvalidData, MissingData)),
    "keys": Reader(kept.key, kept.keys),
    "shuffles": Reader(kept.shuffle, kept.shuffles),
    "sealed rows": Reader(kept.sealed, kept.sealed_rows),
    "tables": Reader(kept.table, kept.tables),
    "training": Reader(kept.training, kept.trainings, (InvalidData, MissingData)),
}
