"""History: what clients asked, were told and saw, and whether one order of commands at each table explains all of it.

Versions of a table are its order. Whatever was known of a table when something was asked must lie before what came of
it: an accepted command makes a version above every one that anybody had seen before it was sent, a refusal or a first
view is of no older version. One process keeps the time, so before and after are certain.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from benchmarks.torture.ledger import Carried, Ledger

DONE = {
    "Sit": "player-sat",
    "BuyChips": "chips-bought",
    "Leave": "player-left",
    "SitOut": "sat-out",
    "PlaceWagers": "wagers-placed",
    "LookOver": "deck-looked",
    "Look": "cards-looked",
    "Choose": "choice-made",
    "Tuck": "cards-tucked",
    "Claim": "side-bet-claimed",
    "TakeBank": "bank-taken",
    "DeclineBank": "bank-declined",
}
"""The event that each command must have become, if it was accepted."""
SAME = ("seat", "bet", "choice", "out", "wagers", "shown")
"""What a command says and its event says again."""
VIEWS_KEPT = 20_000
FORGOTTEN_SECONDS = 60.0
"""A refused command that is in no journal after so long will be in none."""


@dataclass(slots=True)
class Asked:
    """One command under one id, and everything that was ever answered to it."""

    id: str
    table: str
    player: str
    command: dict[str, Any]
    known: int
    """The highest version of the table that anybody had been told of when it was first sent."""
    sent: int = 0
    answered: int = 0
    version: int = 0
    """The version it was accepted at; 0 while that is unknown."""
    refused: str = ""
    last_sent: float = 0.0
    accepted_at: float = 0.0

    @property
    def unknown(self) -> bool:
        """Whether its outcome is unknown, though it was sent."""
        return not self.version and (not self.refused or self.answered < self.sent)


@dataclass
class History:
    """Everything clients know, and what is wrong with it."""

    losses: list[str] = field(default_factory=list)
    asked: dict[str, Asked] = field(default_factory=dict)
    """Commands that are not settled by a look into the database yet."""
    settled: dict[str, int] = field(default_factory=dict)
    """Accepted commands that the journal has as told, with their versions."""
    counts: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    reused: Counter[str] = field(default_factory=Counter)
    """Ids under which another command was sent, on purpose, and not answered yet."""
    known: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    views: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long accepted commands took, of those sent once."""

    def lose(self, sentence: str) -> None:
        """Write down that something promised was not so."""
        if sentence not in self.losses:
            self.losses.append(sentence)

    def send(self, asked: Asked) -> None:
        """Write down that a command is on its way."""
        if asked.id not in self.settled:
            self.asked.setdefault(asked.id, asked)
        asked.sent += 1
        asked.last_sent = time.monotonic()
        self.counts["sent"] += 1

    def answer(self, told: dict[str, Any]) -> Asked | None:
        """Take an answer in."""
        if (once := self.settled.get(told["command"])) is not None:
            if told["code"] == "reused_id" and self.reused[told["command"]]:
                self.reused[told["command"]] -= 1
                self.counts["reused_refused"] += 1
                return None
            self.counts["answered_again"] += 1
            if not told["accepted"] or told["version"] != once:
                self.lose(f"{told['command']} was accepted at version {once}; asked again, it is answered {told}")
            return None
        asked = self.asked.get(told["command"])
        if asked is None:
            return None
        asked.answered += 1
        version = told["version"]
        if told["accepted"]:
            self._accepted(asked, version)
        else:
            if version < asked.known:
                self.lose(f"{asked.table}: {asked.id} was refused at version {version}, after {asked.known} was told")
            self._refused(asked, told["code"])
        self.known[asked.table] = max(self.known[asked.table], version)
        return asked

    def deny(self, told: dict[str, Any]) -> None:
        """Take in that a command was turned away before it reached its table, which the journal must not have."""
        if (once := self.settled.get(told.get("command", ""))) is not None:
            self.lose(f"{told['command']} was accepted at version {once}; asked again, it is answered {told}")
        elif (asked := self.asked.get(told.get("command", ""))) is not None:
            asked.answered += 1
            self._refused(asked, told["code"])

    def _refused(self, asked: Asked, code: str) -> None:
        if asked.version:
            self.lose(f"{asked.table}: {asked.id} was accepted at version {asked.version}, then {code}")
        if not asked.refused:
            self.counts["refused"] += 1
            self.refusals[code] += 1
        asked.refused = code

    def _accepted(self, asked: Asked, version: int) -> None:
        if asked.version and version != asked.version:
            self.lose(f"{asked.table}: {asked.id} was accepted at version {asked.version}, then at {version}")
        if asked.version:
            self.counts["answered_again"] += 1
        else:
            self.counts["accepted"] += 1
            if asked.sent == 1:
                self.seconds.append(time.monotonic() - asked.last_sent)
            if version <= asked.known:
                self.lose(f"{asked.table}: {asked.id} made version {version}, after {asked.known} was told")
            asked.accepted_at = time.monotonic()
        asked.version = version

    def saw(self, table: str, view: dict[str, Any], known: int | None) -> None:
        """Take a view in; `known` is what was known before the connection it came first on was asked for."""
        self.counts["views"] += 1
        if known is not None and view["version"] < known:
            self.lose(f"{table}: a new connection showed version {view['version']}, after {known} was told")
        self.known[table] = max(self.known[table], view["version"])
        if len(self.views) < VIEWS_KEPT:
            seats = {
                seat: {key: one[key] for key in ("player", "stack_cents", "tokens_cents")}
                for seat, one in view["seats"].items()
            }
            self.views.append((table, {"version": view["version"], "round": view["round"], "seats": seats}))

    def compare(self, ledger: Ledger, before: float, *, final: bool = False) -> None:
        """Hold what clients were told before a moment against the journals; what is settled for good is forgotten."""
        later = []
        for table, view in self.views:
            model = ledger.tables.get(table)
            if model is None or view["version"] > model.version:
                later.append((table, view))
            elif view["version"] in model.snapshots:
                self.counts["views_compared"] += 1
                if wrong := model.shows(view):
                    self.lose(f"{table}: {wrong}")
        if final:
            for table, view in later:
                self.lose(f"{table}: version {view['version']} was shown, and the journal ends before it")
        self.views = later
        for asked in [one for one in self.asked.values() if one.accepted_at < before]:
            self._settle(asked, ledger, final=final)

    def _settle(self, asked: Asked, ledger: Ledger, *, final: bool) -> None:
        model = ledger.tables.get(asked.table)
        carried = model.carried.get(asked.id) if model is not None else None
        if asked.version:
            if carried is None:
                self.lose(f"{asked.table}: {asked.id} was acknowledged at version {asked.version} and is not there")
            elif carried.version != asked.version:
                self.lose(f"{asked.table}: {asked.id} made version {carried.version}, not {asked.version} as told")
            elif wrong := done_as_asked(asked.command, carried.events):
                self.lose(f"{asked.table}: {asked.id}: {wrong}")
            else:
                self.settled[asked.id] = asked.version
                del self.asked[asked.id]
                model.carried[asked.id] = Carried(carried.number, carried.version, ())
        elif asked.refused and not asked.unknown and carried is not None:
            self.lose(f"{asked.table}: {asked.id} was refused as {asked.refused}, and row {carried.number} has it")
        elif asked.refused and not asked.unknown and time.monotonic() > asked.last_sent + FORGOTTEN_SECONDS:
            del self.asked[asked.id]
        elif asked.unknown and carried is not None and (wrong := done_as_asked(asked.command, carried.events)):
            self.lose(f"{asked.table}: {asked.id}: {wrong}")
        if final and asked.unknown:
            self.counts["unknown_there" if carried else "unknown_gone"] += 1


def done_as_asked(command: dict[str, Any], events: tuple[tuple[str, dict[str, Any]], ...]) -> str:
    """Return how what happened differs from what was asked, or nothing."""
    wanted = DONE.get(command["type"])
    if wanted is None:
        return ""
    bodies = [body for name, body in events if name.partition("/")[0] == wanted]
    if not bodies:
        return f"{command['type']} became {', '.join(name for name, _ in events)}"
    body = bodies[0]
    for key in SAME:
        if key in command and key in body and command[key] != body[key]:
            return f"{command['type']} asked for {key} {command[key]}, and got {body[key]}"
    if command["type"] in {"Sit", "BuyChips"}:
        bought = sum(move["cents"] for move in body["chips"] if move["target"] == f"stack:{command['seat']}")
        if bought != command["cents"]:
            return f"{command['type']} asked for {command['cents']} cents, and got {bought}"
    return ""
