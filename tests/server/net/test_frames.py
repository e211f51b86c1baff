"""Frames: what is kept from one version to the next is what a fresh look would show, whatever happens at a table."""

from __future__ import annotations

import weakref
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

from letitride.chance.seeded import Seeded
from letitride.engine import commands
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.offers import offers
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules.catalog import ready_rules
from letitride.rules.roles import VIEWERS
from letitride.rules.table_rules import TableRules
from letitride.server.tables.frames import Frame, Frames
from letitride.simulation.random_commands import next_command
from tests.counts import tries

HOUSES = ("california-1", "hand-dealt-1", "nsw-1", "shufflemaster-1", "washington-1")
OWN = {
    "open cards": ("shufflemaster-1", "cards.hidden = false"),
    "a bank and open cards": ("california-1", "cards.hidden = false"),
    "two hands": ("california-1", "hands_per_player = 2"),
    "bets until the first card": ("shufflemaster-1", 'bet.cutoff = "first_card"'),
}
"""A house's own books, for what no published one has."""


TURNS = tries(250, 2_000)


def plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def tables(house: str, turns: int) -> list[Table]:
    """The tables of a fuzz run, with irregularities, rulings and orders among them."""
    if house not in OWN:
        return random_steps(ready_rules(house), house, turns)
    book, key = OWN[house]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "own.toml"
        path.write_text(f'id = "own"\ntitle = "Own"\nextends = "{book}"\n[rules]\n{key}\n', encoding="utf-8")
        return random_steps(ready_rules(str(path)), house, turns)


def random_steps(rules: TableRules, house: str, turns: int) -> list[Table]:
    table, _ = open_table(rules)
    chance = Seeded(8, house)
    seen = []
    for _ in range(turns):
        table, _ = play(table, next_command(table, chance))
        seen.append(table)
    return seen


@pytest.mark.longer
@pytest.mark.parametrize("house", [*HOUSES, *OWN])
def test_a_kept_frame_is_the_view_and_changes_lead_from_one_to_the_next(house: str) -> None:
    frames = Frames()
    sent: dict[str, tuple[Frame, dict[str, Any]]] = {}
    for number, table in enumerate(tables(house, TURNS)):
        every = [*VIEWERS, *(f"seat:{seat}" for seat in table.seats)]
        # Not everybody looks at every version.
        for viewer in every[number % 2 :: 2]:
            frame = frames.frame_for(table, viewer)
            wanted = plain(view(table, viewer))
            assert msgspec.json.decode(frame.whole()) == {"type": "view", "view": wanted}
            if viewer in sent:
                old, before = sent[viewer]
                change = msgspec.json.decode(frame.changes_since(old))
                assert change["since"] == before["version"]
                assert {**before, **change["view"], "seats": {**before["seats"], **change["seats"]}} == wanted
            sent[viewer] = frame, wanted


def test_frames_hold_the_present_and_not_the_past() -> None:
    frames, seen, kept = Frames(), None, []
    for table in tables("nsw-1", 60):
        frame = frames.frame_for(table, "spectator")
        kept.append(weakref.ref(frame.public))
        if seen is not None:
            frame.changes_since(seen)
        seen = frame
    del frame
    alive = [one for one in kept if one() is not None]
    assert len(alive) <= 2


@pytest.mark.longer
@pytest.mark.parametrize("house", [*HOUSES, *OWN])
def test_no_offer_is_left_out_at_a_time_when_it_would_be_accepted(house: str) -> None:
    for table in tables(house, TURNS):
        for seat in (number for number, one in table.seats.items() if one.player):
            by = f"seat:{seat}"
            offered = {type(one).__name__ for one in offers(table, by)}
            least = max(table.seats[seat].wagers.get("base-$", 0), table.rules.rules.limit.cents_min or 100)
            could: list[commands.AnyCommand] = [
                commands.PlaceWagers(by=by, seat=seat, wagers={}),
                commands.LookOver(by=by, seat=seat),
                commands.Look(by=by, seat=seat),
                *(commands.Choose(by=by, seat=seat, bet=bet, choice="ride") for bet in (1, 2)),
                commands.Tuck(by=by, seat=seat),
                commands.DeclineBank(by=by, seat=seat),
                *(commands.Claim(by=by, seat=seat, shown=shown) for shown in (True, False)),
                commands.Fold(by=by, seat=seat),
                commands.RefuseCorrection(by=by, seat=seat),
                commands.Correct(by=by, seat=seat, cents=least),
                commands.AppealDispute(by=by, seat=seat),
                commands.Leave(by=by, seat=seat),
            ]
            for command in could:
                if legal(table, command) is None:
                    assert type(command).__name__ in offered, (command, table.phase)
