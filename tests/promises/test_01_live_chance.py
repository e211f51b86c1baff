"""Promise 1: live deals use the operating system's generator only. Deep proofs: tests/chance/, the import contracts."""

from __future__ import annotations

import inspect
import subprocess
import sys

from letitride.chance.live import Live
from letitride.server.tables.house import House

LOADED = "import sys, letitride.cli.house.serve, letitride.server.running; sys.stdout.write(' '.join(sys.modules))"


def test_a_server_loads_no_seeded_chance_at_all() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "letitride.chance.live" in loaded
    assert not [name for name in loaded if name.startswith(("letitride.chance.seeded", "letitride.simulation"))]


def test_no_one_can_give_a_house_another_source_of_chance() -> None:
    assert not inspect.signature(Live).parameters
    named = [str(one) for one in inspect.signature(House).parameters.values()]
    assert not [one for one in named if any(word in one.lower() for word in ("seed", "random", "chance", "source"))]
