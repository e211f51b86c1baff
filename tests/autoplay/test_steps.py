"""A step of the script becomes a command in one place, and its deck, cut and dice come from what is handed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

from letitride.autoplay.steps import CUT_MAX, CUT_MIN, Drawn, Fixed, command_for, completed, plain, throw_dice
from letitride.chance.seeded import Seeded
from letitride.engine import commands, faults
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.rules import catalog
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.simulation.random_commands import next_command
from tests.autoplay.at_work import seeded

HOUSES = catalog.rulebook_ids()
CUT, DICE, DECK = Step("cut_deck", number=1), Step("throw_dice"), Step("shuffle_deck", number=1)


class Draws:
    """Chance that gives what a test says, and remembers the limits it was given."""

    def __init__(self, numbers: Iterable[int] = (), deck: tuple[str, ...] = FACES) -> None:
        self.numbers, self.deck, self.limits = iter(numbers), deck, list[int]()

    def below(self, limit: int) -> int:
        self.limits.append(limit)
        return next(self.numbers, 0)

    @property
    def source(self) -> Drawn:
        return Drawn(self, lambda: self.deck)


def a_table(house: str = "nsw-1") -> Table:
    return open_table(ready_rules(house))[0]


def moments(house: str, seed: int, many: int) -> Iterator[tuple[Table, Step]]:
    """Yield the steps of dealer and floor that come up at a table where much goes wrong."""
    table, chance = a_table(house), Seeded(seed, house)
    for _ in range(many):
        step = table.next_step
        if step is not None and KINDS[step.kind].actor != "player" and not faults.blocked(table, step):
            yield table, step
        table, _ = play(table, next_command(table, chance))


def test_a_throw_is_three_dice_each_drawn_below_six() -> None:
    draws = Draws((0, 5, 2))
    assert 1 + 6 + 3 == command_for(a_table(), DICE, draws.source).throw
    assert [6, 6, 6] == draws.limits


def test_throws_are_as_likely_as_three_dice_make_them() -> None:
    found = Counter(throw_dice(Draws(dice)) for dice in product(range(6), repeat=3))
    assert set(range(3, 19)) == set(found)
    assert (1, 27, 27, 1) == (found[3], found[10], found[11], found[18])


@pytest.mark.parametrize("house", HOUSES)
def test_the_steps_of_staff_become_commands_that_are_allowed(house: str) -> None:
    kinds = set()
    for table, step in (moment for seed in range(4) for moment in moments(house, seed, 3_000)):
        command = command_for(table, step, seeded(1))
        refusal = legal(table, command)
        waits = table.phase == "betting" and refusal is not None and refusal.code in {"no_bets", "bets_incomplete"}
        assert refusal is None or waits, (step, refusal)
        assert KINDS[step.kind].actor == command.by
        assert step == Step(command.kind, command.seat, command.wager, command.number)
        kinds.add(step.kind)
    assert len(kinds) > 25


def test_a_cut_is_near_the_middle() -> None:
    drawn = (Draws([0]), Draws([CUT_MAX - CUT_MIN]))
    assert [CUT_MIN, CUT_MAX] == [command_for(a_table(), CUT, one.source).cut for one in drawn]


@pytest.mark.parametrize("least", [1, 10, 11, 30, 41, 45, 51])
def test_a_cut_is_as_deep_as_the_book_demands(tmp_path: Path, least: int) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'id = "own"\ntitle = "Own"\nextends = "nsw-1"\n[rules]\ncut.cards_min = {least}\n')
    table = a_table(str(path))
    draws = Draws()
    shallow = command_for(table, CUT, draws.source).cut
    deep = command_for(table, CUT, Draws([draws.limits[0] - 1]).source).cut
    assert max(least, CUT_MIN) == shallow <= deep <= 51
    assert least <= command_for(table, CUT, Fixed(FACES)).cut <= 51


def test_what_a_step_does_not_need_is_not_drawn() -> None:
    draws = Draws()
    assert plain(Step("pay", 3, "base-1")) == command_for(a_table(), Step("pay", 3, "base-1"), draws.source)
    assert FACES == command_for(a_table(), DECK, draws.source).order
    assert not draws.limits


def test_a_command_that_is_completed_stays_its_own() -> None:
    given = commands.Do(by="floor", kind="throw_dice", seat=2, number=1)
    done = completed(given, a_table(), Fixed(FACES, 12))
    assert commands.Do(by="floor", kind="throw_dice", seat=2, number=1, throw=12) == done
