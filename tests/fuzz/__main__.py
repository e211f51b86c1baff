"""Fuzzes every reader of what comes from outside, guided by coverage where atheris runs, else by plain chance.

python -m tests.fuzz --seconds 300             all readers, so many seconds together
python -m tests.fuzz --only records --seconds 60
python -m tests.fuzz --only records --input FILE     one input again
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.fuzz.readers import Reader

ONE_SECONDS = 20
"""An input that takes more of a processor's time is a finding, though a slow machine reads it."""
STUCK_SECONDS = 600
"""How long one may take by the clock, however busy the machine is."""
READER_SECONDS_MIN = 20
"""To load what is watched takes some ten seconds for each reader."""
NAMES = (
    *("records", "replays", "rule books", "paytables", "wagers", "frames"),
    *("journals", "backups", "proofs", "settings", "connections", "strategies", "simulations"),
    *("keys", "shuffles", "sealed rows", "tables", "training"),
)
"""The readers, which are loaded only where they are watched."""


class TooSlow(Exception):
    """An input that took too long to read."""


def in_time(reader: Reader, data: bytes) -> bool:
    """Have an input read, and see that it takes no more of a processor's time than it may."""
    began = time.process_time()
    taken = reader.try_one(data)
    if (used := time.process_time() - began) > ONE_SECONDS:
        raise TooSlow(f"expected an input to be read within {ONE_SECONDS} s of a processor's time, got {used:.1f} s")
    return taken


def guided(name: str, seconds: float, seed: int, folder: Path) -> None:
    """Let atheris search in this process, which it ends."""
    import atheris  # noqa: PLC0415 - it is not there on every machine

    with atheris.instrument_imports(include=["letitride"]):
        from tests.fuzz.readers import BYTES_MAX, READERS  # noqa: PLC0415 - what is loaded here is watched
    reader = READERS[name]
    for number, data in enumerate(reader.begin()):
        (folder / f"own-{number}").write_bytes(data)
    options = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-seed={seed}",
        f"-max_len={BYTES_MAX}",
        f"-timeout={STUCK_SECONDS}",
    ]
    options += ["-rss_limit_mb=4096", "-print_final_stats=1", f"-artifact_prefix={folder}/found-"]
    atheris.Setup(["fuzz", *options, str(folder)], lambda data: in_time(reader, bytes(data)) and None)
    atheris.Fuzz()


def by_chance(name: str, seconds: float, seed: int) -> int:
    """Try changed inputs for some seconds, and return how many."""
    from tests.fuzz.changes import changed  # noqa: PLC0415 - as above
    from tests.fuzz.readers import READERS  # noqa: PLC0415 - as above

    reader, chance, end, tried = READERS[name], random.Random(seed), time.monotonic() + seconds, 0
    inputs = list(reader.begin())
    while time.monotonic() < end:
        data = changed(inputs, chance)
        try:
            in_time(reader, data)
        except Exception:
            sys.stderr.write(f"the input: {data!r}\n")
            raise
        tried += 1
    return tried


def search(name: str, seconds: float, seed: int) -> int:
    """Fuzz one reader in a process of its own; return how many inputs were tried, or end with what was found."""
    if importlib.util.find_spec("atheris") is None:
        return by_chance(name, seconds, seed)
    with tempfile.TemporaryDirectory() as folder:
        words = ["--only", name, "--seconds", str(seconds), "--seed", str(seed), "--corpus", folder]
        done = subprocess.run([sys.executable, "-m", "tests.fuzz", *words], capture_output=True, text=True, check=False)
        told = re.search(r"number_of_executed_units: (\d+)", done.stderr)
        if done.returncode == 0 and told:
            return int(told[1])
        found = [path.read_bytes() for path in Path(folder).glob("found-*")]
        sys.exit(f"{name}, seed {seed}:\n{(done.stdout + done.stderr)[-3000:]}\nthe input: {found}")


def some_of(names: tuple[str, ...], seconds: float, seed: int) -> tuple[str, ...]:
    """Return as many readers as a short time is worth beginning with, by chance; all where there is time for all."""
    many = max(1, min(len(names), int(seconds // READER_SECONDS_MIN)))
    return tuple(sorted(random.Random(seed).sample(names, many), key=names.index))


def main() -> None:
    """Fuzz what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=NAMES, help="one reader alone")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--input", type=Path, help="read this file, and nothing else")
    parser.add_argument("--corpus", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.input:
        from tests.fuzz.readers import READERS  # noqa: PLC0415 - as above

        print("taken" if in_time(READERS[asked.only], asked.input.read_bytes()) else "refused")  # noqa: T201 - what was asked
        return
    if asked.corpus:
        guided(asked.only, asked.seconds, asked.seed, asked.corpus)
        return
    names = (asked.only,) if asked.only else some_of(NAMES, asked.seconds, asked.seed)
    tried = {name: search(name, asked.seconds / len(names), asked.seed) for name in names}
    listed = ", ".join(f"{name} {number:,}" for name, number in tried.items())
    print(f"{sum(tried.values()):,} inputs, each taken or refused in a sentence: {listed}")  # noqa: T201 - what the proof says


if __name__ == "__main__":
    main()
