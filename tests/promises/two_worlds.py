"""Two worlds: a table played twice by the same people at the same times, with other cards where they are hidden.

Everything that leaves the house is written down with the moment it left: frames, errors, HTTP answers, log lines. What a
viewer got before a hidden card was shown to them must be the same in both worlds, byte by byte and moment by moment.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import msgspec

from letitride.chance import fair
from letitride.chance.secret import Secret
from letitride.chance.secret import draw as real_draw
from letitride.chance.shares import ShuffleId
from letitride.engine import places
from letitride.engine.events import TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.server.app import create
from letitride.server.tables.house import House, Pace
from letitride.server.tables.shuffles import Shuffles
from letitride.storage.codec import decode
from letitride.storage.journal import Row
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.documents import Document
from tests.counts import tries
from tests.promises.world import pots_book
from tests.server.shares import Nonces
from tests.server.virtual import MORNING_MS, Closed, Socket, VirtualLoop, connect, get, run, virtual, wanted

SEATS = (1, 2)
STAFF = ("dealer", "floor", "inspector")
VIEWERS = (*(f"seat:{seat}" for seat in SEATS), "spectator", *STAFF)
SECRET_DIGESTS = {"merkle", "root"}
"""Fields of a commitment that differ because the decks do: digests over 52 salts of 32 random bytes. Nothing else may."""
PROBES: dict[str, tuple[dict[str, Any], ...]] = {
    "seat": (
        {"type": "Look", "seat": 3},
        {"type": "Do", "kind": "turn_community", "number": 1},
        {"type": "Choose", "seat": 1, "bet": 2, "choice": "sideways"},
        {"type": "Report", "kind": "deck"},
        {"type": "Report", "kind": "hand_count", "seat": 2},
        {"type": "LookOver", "seat": 1},
    ),
    "spectator": ({"type": "Look", "seat": 1}, {"type": "Advise", "seat": 1, "words": "Ride"}),
    "dealer": (
        {"type": "Do", "kind": "turn_community", "number": 2, "seat": 7},
        {"type": "Look", "seat": 1},
        {"type": "Report", "kind": "stub_count"},
        {"type": "Report", "kind": "exposed_community", "number": 1},
    ),
    "floor": ({"type": "Order", "kind": "refuse_bet"}, {"type": "DecideDispute", "number": 1, "upheld": True}),
    "inspector": ({"type": "Do", "kind": "turn_community"}, {"type": "Order", "kind": "bar", "seats": [1]}),
}
"""What viewers try although it is refused: what a refusal says must not depend on hidden cards either."""

POTS = "pots"
"""A table whose bet on three cards feeds a shared meter, takes of it and gives envy: what hands win goes together."""
PUBLISHED = ("/api/digests", "/api/paytables", "/api/rulebooks", "/api/par", "/healthz")
Decks = list[tuple[str, ...]]


@dataclass
class Seen:
    """One thing that left the house, and when."""

    at: float
    what: bytes


@dataclass
class Played:
    """One of the worlds, as everybody saw it, and as it truly was."""

    rows: list[Row]
    decks: Decks
    seen: dict[str, list[Seen]] = field(default_factory=dict)
    _tables: list[tuple[int, Table]] = field(default_factory=list, compare=False)

    def tables(self) -> list[tuple[int, Table]]:
        """Return when and how the table changed."""
        if not self._tables:
            self._tables = list(self._told())
        return self._tables

    def _told(self) -> Iterator[tuple[int, Table]]:
        table: Table | None = None
        for row in self.rows:
            for event in decode(row.events):
                table = new_table(event) if isinstance(event, TableOpened) else evolve(table, event)
            assert table is not None
            yield row.at, table


def known(table: Table, viewer: str) -> dict[tuple[str, int], str]:
    """Return all that a viewer may know of cards: those face up, their own when looked at, and what a player has said
    of them by showing or waving them. Said here once more, and not asked of the view: that is what is on trial."""
    found: dict[tuple[str, int], str] = {}
    for place, held in table.cards.items():
        own = any(
            viewer == f"seat:{number}" and place == places.hand(number) and seat.looked
            for number, seat in table.seats.items()
        )
        found |= {(place, index): str(card.face) for index, card in enumerate(held) if card.up or own}
    found |= {(f"claim of {number}", 0): str(seat.claim) for number, seat in table.seats.items() if seat.claim}
    return found


def shown_at(one: Played, other: Played, viewer: str) -> float:
    """Return the moment from which on a viewer may know that the worlds differ, in seconds: a card is shown to them, or
    the deck of the first round has been dealt from and all of it is put away, so that it may be opened to everybody."""
    decks: set[int] = set()
    for (at, here), (then, there) in zip(one.tables(), other.tables(), strict=False):
        decks |= {card.deck for number in here.seats for card in here.at(places.hand(number))}
        put_away = decks and not any(
            card.deck in decks for place, held in here.cards.items() if place != places.RACK for card in held
        )
        if put_away or known(here, viewer) != known(there, viewer):
            return (min(at, then) - MORNING_MS) / 1000
    raise AssertionError("no round was played to its end")


def differences(one: Played, other: Played, viewer: str) -> list[str]:
    """Return what a viewer could have told the worlds apart by, before they may know."""
    until = shown_at(one, other, viewer if viewer in VIEWERS else "spectator")
    pairs = zip_longest(
        *([seen for seen in world.seen[viewer] if seen.at < until] for world in (one, other)), fillvalue=Seen(0.0, b"")
    )
    return [f"{viewer}: {here}\nand {there}" for here, there in pairs if here != there]


def permuted(decks: Decks, keep: Iterable[str], seed: int) -> Decks:
    """Return decks with all faces but some in other places."""
    fixed = set(keep)
    mixed: Decks = []
    for deck in decks:
        loose = [face for face in deck if face not in fixed]
        random.Random(f"mix {seed}").shuffle(loose)
        left = iter(loose)
        mixed.append(tuple(face if face in fixed else next(left) for face in deck))
    return mixed


def play(book: str, decks: Decks | None, *, asking: bool = True) -> Played:
    """Play one round at a table by a book, with given decks, if any; viewers only watch or also ask."""
    with virtual(f"two worlds {book}") as (loop, _):
        return run(loop, _play(loop, book, decks, asking))


async def _play(loop: VirtualLoop, book: str, decks: Decks | None, asking: bool) -> Played:
    store = memory_stores()
    with _decks(decks) as used, _log(loop) as lines:
        house = House(store, node="node", pace=Pace(step=0.05, bets=3.0, choice=5.0))
        app = create(house, demo=False)
        async with app.router.lifespan_context(app):
            with TemporaryDirectory() as folder:
                await house.open(book, "Table", str(pots_book(Path(folder))) if book == POTS else book)
            viewers = [_Viewer(app, house, book, name, asking=asking) for name in VIEWERS]
            for viewer in viewers:
                await viewer.arrive()
            watching = [asyncio.create_task(viewer.watch()) for viewer in viewers]
            end = loop.time() + 300
            while house.rooms[book].table.round < 2 and loop.time() < end:
                await asyncio.sleep(0.5)
            assert house.rooms[book].table.round >= 2, "no round was played"
            for task in watching:
                task.cancel()
            for done in await asyncio.gather(*watching, return_exceptions=True):
                assert isinstance(done, asyncio.CancelledError), done
            rows = list(store.journal.rows(book))
        played = Played(rows, list(used), {viewer.name: viewer.seen for viewer in viewers})
        played.seen["log"] = lines
        return played


class _Viewer:
    """Someone who watches, asks for everything there is to ask for, and tries what they may not do."""

    def __init__(self, app: Any, house: House, book: str, name: str, *, asking: bool) -> None:
        self.name, self.seen = name, []
        self._loop, self._app, self._house, self._book = asyncio.get_running_loop(), app, house, book
        self._chance = random.Random(f"viewer {name}")
        self._seat = int(name.removeprefix("seat:")) if name.startswith("seat:") else 0
        self._token = self._person = ""
        self._sent, self._asking, self._asked = 0, asking, False

    async def arrive(self) -> None:
        people = self._house.people
        if self.name in STAFF:
            await people.register(f"The {self.name}", "a long password", (self.name,))
            _, self._token = await people.login(f"The {self.name}", "a long password")
        else:
            person, self._token = await people.guest()
            self._person = person.name

    async def watch(self) -> None:
        await asyncio.sleep(0.011 * VIEWERS.index(self.name))
        role = self.name if self.name in STAFF else ""
        socket = await connect(self._app, self._book, self._token, role=role)
        nonces = Nonces(self._chance.randbytes)
        view: dict[str, Any] = {"seats": {}}
        if self._seat:
            self._send(socket, {"type": "Sit", "seat": self._seat, "player": "", "cents": 50_000})
        try:
            while True:
                frame = await socket.frame()
                message = msgspec.json.decode(frame)
                if hidden := SECRET_DIGESTS & message.keys():
                    frame = msgspec.json.encode({**message, **dict.fromkeys(hidden, "*")})
                self.seen.append(Seen(self._loop.time(), frame))
                await asyncio.sleep(self._chance.uniform(0.001, 0.01))
                if message["type"] == "view":
                    view = message["view"]
                    await self._look(socket, view)
                seated = self._seat and view["seats"].get(str(self._seat), {}).get("player") == self._person
                for share in nonces.replies(message, self._seat if seated else 0):
                    socket.send(share)
        except Closed:
            pass

    async def _look(self, socket: Socket, view: dict[str, Any]) -> None:
        seated = self._seat and view["seats"][str(self._seat)]["player"] == self._person
        if seated and (command := _card_blind(view, self._seat, self._chance)) is not None:
            self._send(socket, command)
        elif self._chance.random() < 0.3:
            self._send(socket, self._chance.choice(PROBES["seat" if self._seat else self.name]))
        if self._chance.random() < tries(15, 60) / 1000 and self._asking:
            await self._ask()

    def _send(self, socket: Socket, command: dict[str, Any]) -> None:
        self._sent += 1
        socket.send({"type": "command", "id": f"{self.name} {self._sent}", "command": command})

    async def _ask(self) -> None:
        """Ask every address that gives something, with the numbers of this table and its first rounds."""
        for path in _addresses(self._app, self._book):
            if (self._asked or self.name != "spectator") and path.startswith(PUBLISHED):
                continue  # the same for everybody, for ever; asked once, that is seen
            status, headers, body = await get(self._app, path, self._token)
            told = f"{path} {status} {sorted(headers)} ".encode() + body
            self.seen.append(Seen(self._loop.time(), told))
        self._asked = True


_PATHS: dict[str, Any] = {}
"""The addresses as the interface describes them; it takes a while to do so."""


def _addresses(app: Any, book: str) -> Iterator[str]:
    if not _PATHS:
        _PATHS.update(app.openapi()["paths"])
    for path, does in _PATHS.items():
        if "get" not in does or path == "/metrics":  # how long things took is told there, to the operator alone
            continue
        words = [
            word if not word.startswith("{") else book if word in {"{table_id}", "{table}"} else "1"
            for word in path.split("/")
        ]
        yield "/".join(words)


def _card_blind(view: dict[str, Any], seat: int, chance: random.Random) -> dict[str, Any] | None:
    """Return what a player does who lets no decision depend on their cards, with every wager there is."""
    bets = [offer for offer in view["offers"] if offer["type"] == "PlaceWagers" and offer["wagers"]]
    if bets and not view["seats"][str(seat)]["wagers"]:
        return dict(max(bets, key=lambda offer: len(offer["wagers"])))
    command = wanted(view, seat, chance)
    return {**command, "choice": "ride"} if command is not None and command["type"] == "Choose" else command


@contextmanager
def _decks(decks: Decks | None) -> Iterator[Decks]:
    """Have given decks dealt, and committed to; yields those that were."""
    used: Decks = []
    real = Shuffles.order
    drawn = count()

    def draw(shuffle: ShuffleId) -> Secret:
        secret, number = real_draw(shuffle), next(drawn)
        return secret if decks is None or number >= len(decks) else replace(secret, faces=decks[number])

    async def order(self: Shuffles, *asked: Any) -> tuple[tuple[str, ...], Document]:
        order, dealt = await real(self, *asked)
        used.append(order if decks is None or len(used) >= len(decks) else decks[len(used)])
        return used[-1], dealt

    def throw(*_: object) -> fair.Throw:  # what the dice show follows from a root, and that from the deck
        return (1, 4, 6)

    with (
        mock.patch("letitride.server.tables.shuffles.draw", draw),
        mock.patch("letitride.server.tables.shuffles.throw", throw),
        mock.patch("letitride.chance.fair.throw", throw),
        mock.patch.object(Shuffles, "order", order),
    ):
        yield used


@contextmanager
def _log(loop: VirtualLoop) -> Iterator[list[Seen]]:
    lines: list[Seen] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(Seen(loop.time(), f"{record.name} {record.levelname} {record.getMessage()}".encode()))

    root, kept = logging.getLogger(), Kept()
    level = root.level
    root.addHandler(kept)
    root.setLevel(logging.DEBUG)
    try:
        logging.getLogger("letitride.server").debug("heard")
        assert len(lines) == 1, "what the product logs would not be heard"
        yield lines
    finally:
        root.removeHandler(kept)
        root.setLevel(level)
