"""The automatic dealer follows the script, says what it waits for, and reports what it sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.autoplay.dealer import Waits, close_bets, deal, for_an_absent_player, next_act
from letitride.autoplay.loop import play_on
from letitride.autoplay.players import Planned
from letitride.autoplay.steps import Drawn
from letitride.chance.seeded import Seeded
from letitride.engine import commands, events, faults
from letitride.engine.decide import play
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.simulation.random_commands import next_command
from tests.autoplay.at_work import BETS, HOUSES, bot, dealer, seated, seeded

HOUSE_BANKED = [house for house in HOUSES if house != "california-1"]
PLAN = Planned(dict.fromkeys((1, 2, 3), BETS), dict.fromkeys((1, 2, 3), 100_000))


class NoChance:
    """Chance that must not be drawn."""

    def below(self, limit: int) -> int:
        raise AssertionError(f"a number below {limit} was drawn")

    def order(self) -> tuple[str, ...]:
        raise AssertionError("a deck was drawn")


def done(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


def until(table: Table, kind: str) -> Table:
    """Let dealer and players go on until a step comes next."""
    for acted in play_on(table, PLAN, dealer()):
        table = acted.after
        if table.next_step is not None and table.next_step.kind == kind:
            return table
    raise AssertionError(f"no {kind} came")


def betting(house: str) -> Table:
    """Return a table that is open for the bets of seats 1 and 2."""
    *_, last = play_on(seated(house, 1, 2), Planned({}), dealer())
    assert "betting" == last.after.phase
    return last.after


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_it_waits_until_every_player_has_bet(house: str) -> None:
    table, source = betting(house), seeded(1)
    assert Waits("bets") == next_act(table, source)
    assert close_bets(table, source) is None
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=BETS))
    assert Waits("bets") == next_act(table, source)
    table = done(table, commands.PlaceWagers(by="seat:2", seat=2, wagers=BETS))
    assert isinstance(next_act(table, source), commands.Do)


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_it_closes_the_bets_that_are_down_only_where_it_may(house: str) -> None:
    table, source = betting(house), seeded(1)
    assert deal(table, source, close=True) is None
    table = done(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=BETS))
    assert deal(table, source, close=False) is None
    closing = deal(table, source, close=True)
    assert close_bets(table, source) == closing
    assert closing is not None
    assert legal(table, closing) is None


@pytest.mark.parametrize("house", HOUSES)
def test_it_waits_for_a_deck_without_drawing_one_unless_it_mixes_it(house: str) -> None:
    table = seated(house, 1, 2, 3)
    for acted in play_on(table, PLAN, dealer()):
        table = acted.before
        if isinstance(acted.command, commands.Do) and acted.command.order:
            break
    assert Waits("deck") == next_act(table, Drawn(NoChance(), NoChance().order))
    mixing = deal(table, seeded(1), close=False)
    assert isinstance(mixing, commands.Do)
    assert 52 == len(set(mixing.order))


@pytest.mark.parametrize("house", HOUSES)
def test_it_waits_for_the_seat_that_must_choose(house: str) -> None:
    table = until(seated(house, 1, 2, 3), "await_choice")
    step = table.next_step
    assert step is not None
    assert Waits("seat", step.seat) == next_act(table, Drawn(NoChance(), NoChance().order))


def test_with_no_player_it_opens_the_table_and_rests() -> None:
    *_, last = play_on(seated("nsw-1"), dealer())
    assert "idle" == last.after.phase
    assert Waits("players") == next_act(last.after, Drawn(NoChance(), NoChance().order))


def test_it_reports_what_holds_the_script_up_and_nothing_else() -> None:
    reported = 0
    for house in HOUSES:
        table, chance = seated(house), Seeded("reports", house)
        for _ in range(3_000):
            step, act = table.next_step, next_act(table, seeded(1))
            blocked = step is not None and table.phase != "closed" and bool(faults.blocked(table, step))
            assert isinstance(act, commands.Report) == (blocked and any(faults.evident(table)))
            if isinstance(act, commands.Report):
                assert legal(table, act) is None
                reported += 1
            table, _ = play(table, next_command(table, chance))
    assert reported > 3


def test_a_cut_that_a_book_wants_deep_holds_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\ncut.cards_min = 45\n')
    table = seated(str(path), 1, 2)
    parties = bot(table, 1), bot(table, 2), dealer()
    assert any(isinstance(event, events.RoundEnded) for acted in play_on(table, *parties) for event in acted.events)


@pytest.mark.parametrize("house", HOUSES)
def test_a_player_who_does_not_choose_is_away_first_and_then_absent(house: str) -> None:
    table = until(seated(house, 1, 2, 3), "await_choice")
    step = table.next_step
    assert step is not None
    away = commands.WentAway(by="dealer", seat=step.seat)
    assert away == for_an_absent_player(table)
    table = done(table, away)
    absent = commands.Report(kind="absent", seat=step.seat)
    assert absent == for_an_absent_player(table)
    assert step != done(table, absent).next_step


def test_a_bank_that_is_not_answered_is_declined() -> None:
    table = seated("california-1", 1, 2, 3)
    for acted in play_on(table, dealer()):
        table = acted.after
    assert commands.DeclineBank(by="seat:1", seat=1) == for_an_absent_player(table)


def test_a_spread_deck_that_is_not_looked_over_is_taken_as_seen() -> None:
    waiting = []
    for house in HOUSES:
        *_, last = play_on(seated(house, 1), dealer())
        step = last.after.next_step
        if step is not None and step.kind == "await_inspection":
            assert commands.LookOver(by=f"seat:{step.seat}", seat=step.seat) == for_an_absent_player(last.after)
            waiting.append(house)
    assert waiting


@pytest.mark.parametrize("house", HOUSES)
def test_for_a_step_of_staff_there_is_no_absent_player(house: str) -> None:
    table = seated(house, 1, 2, 3)
    for acted in play_on(table, PLAN, dealer()):
        step = acted.before.next_step
        if step is not None and KINDS[step.kind].actor != "player":
            assert for_an_absent_player(acted.before) is None
