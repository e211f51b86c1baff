"""Wager path: the functions a wager passes on its way from a WebSocket frame to the player's view; times nothing.

A house on the memory store is run in this process. The profiler of the interpreter notes each function of letitride
that is entered between the frame's arrival and the change of the view, in every thread; a function counts once.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import letitride
from letitride.engine import commands
from letitride.server.net.sockets import Viewer
from letitride.server.people.accounts import Person
from letitride.server.runtime.pace import Pace
from letitride.server.tables.house import House
from letitride.storage.urls import open_store

PACKAGE = Path(letitride.__file__).parent
BETS = {"base-1": 500, "base-2": 500, "base-$": 500}


class Watch:
    """Notes the functions of the package that are entered, in order."""

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.on = False

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if (
            self.on
            and event == "call"
            and code.co_filename.startswith(str(PACKAGE))
            and not code.co_name.startswith("<")
        ):
            module = Path(code.co_filename).relative_to(PACKAGE).with_suffix("")
            self.entered[f"{module}:{code.co_qualname}"] += 1


async def wager_path() -> Counter[str]:
    """Return the functions a wager passes, in the order they are first entered, and how often each is."""
    path = Watch()
    threading.setprofile(path)  # the thread that writes starts later
    sys.setprofile(path)
    house = House(open_store("memory:"), node="path", pace=Pace(step=0.0))
    await house.start(demo=False)
    await house.open("t1", "Table", "nsw-1")
    room, person = house.room("t1"), Person(name="Ann", guest=True)
    for name in ("Ann", "Bob"):
        house.stores.wallets.fund(name, 100_000, "chips", at=0, who="house")
    sit = commands.Sit(by="seat:2", seat=2, player="Bob", cents=10_000)
    await room.submit("Bob", "", sit)  # the dealer waits for this player's bets
    viewer, sent = Viewer(room, person, changes=True), list[bytes]()

    async def send(message: bytes) -> None:
        sent.append(message)

    async def act(command: dict[str, Any]) -> None:
        frame = json.dumps({"type": "command", "id": f"c{len(sent)}-{command['type']}", "command": command})
        answer = await viewer.take(frame, 0.0)
        if not getattr(answer, "accepted", False):
            raise SystemExit(f"expected the command to be accepted, got {answer}")

    viewer.enter()
    running = asyncio.create_task(viewer.send_all(send))
    await act({"type": "Sit", "seat": 1, "player": "", "cents": 20_000})
    while room.table.phase != "betting":
        await asyncio.sleep(0.01)
    await act({"type": "PlaceWagers", "seat": 1, "wagers": BETS})  # what is done once is done
    await asyncio.sleep(0.05)
    views = len(sent)
    path.on = True
    await act({"type": "PlaceWagers", "seat": 1, "wagers": dict.fromkeys(BETS, 1_000)})
    while len(sent) == views:
        await asyncio.sleep(0)
    path.on = False
    sys.setprofile(None)
    running.cancel()
    await house.close()
    return path.entered


def main() -> None:
    """Print every function, then how many there are up to the answer and up to the view, and in which rooms."""
    found = asyncio.run(wager_path())
    for name, calls in found.items():
        print(f"{calls:4} {name}")
    names = list(found)
    to_answer = names[: next(at for at, name in enumerate(names) if name.endswith("._settle"))]
    print(f"to the answer: {len(to_answer)} functions, {sum(found[name] for name in to_answer)} calls of them")
    print(f"to the view:   {len(names)} functions, {found.total()} calls")
    for room, number in Counter(name.partition("/")[0] for name in names).most_common():
        print(f"{number:4} {room}")


if __name__ == "__main__":
    main()
