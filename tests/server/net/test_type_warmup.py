"""Type warm-up: what a server's threads read was looked into before: two that look at the same moment end the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
READS = f"""
import asyncio, sys
from pathlib import Path
from letitride.server.app import create
from letitride.server.tables.house import House
from letitride.server.tables.stored_shuffles import StoredShuffle
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
import msgspec

async def made():
    create(House(memory_stores(), node="n"), demo=False)

asyncio.run(made())
looks = []
sys.setprofile(lambda frame, what, _: what == "call" and looks.append(frame.f_code.co_name))
for line in Path({str(DATA / "events-1.jsonl")!r}).read_bytes().splitlines():
    decode(line)
try:
    msgspec.json.decode(b"{{}}", type=StoredShuffle)
except msgspec.ValidationError:
    pass
sys.setprofile(None)
print(looks.count("get_class_annotations"), len(looks) > 1000)
"""


def test_a_servers_types_are_looked_into_before_anything_is_read() -> None:
    done = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout.split(), done.returncode) == (["0", "True"], 0), done.stderr
