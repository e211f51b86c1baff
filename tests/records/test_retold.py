"""Retold: the commands of older journals are found although some of their events tell things otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands, effects, events
from letitride.engine.decide import decide, open_table, play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.retold import command_of
from letitride.rules import catalog
from letitride.rules.cards import FACES
from tests.records.acts import ACTS
from tests.records.moments import FOLDER, FUZZ_RUNS, RECORDS, name_of, played, replayed

ROUND = """
rulebook shufflemaster-1+three_card_claim
dealer auto
seat 1 sits Ann 500

round
hand 1 6h 6d 4c
community Ks Tc
seat 1 bets 10 three_card 5
seat 1 looks
seat 1 claims
seat 1 rides 1
seat 1 rides 2
"""


def checked_without_a_word(event: events.AnyEvent, _: Table) -> events.AnyEvent:
    checks = isinstance(event, events.StepDone) and event.step.kind == "check_deck"
    return msgspec.structs.replace(event, found=0, says="") if checks else event


def shown_to_all(event: events.AnyEvent, table: Table) -> events.AnyEvent:
    turned = tuple(effects.all_cards(table, "hand:1", "hand:1", up=True))
    return msgspec.structs.replace(event, moves=turned) if isinstance(event, events.SideBetClaimed) else event


def settled_otherwise(event: events.AnyEvent, _: Table) -> events.AnyEvent:
    begins = isinstance(event, events.PhaseBegan) and event.phase == "settling"
    return msgspec.structs.replace(event, agenda=event.agenda[::-1]) if begins else event


@pytest.mark.parametrize("of_old", [checked_without_a_word, shown_to_all, settled_otherwise])
def test_a_command_is_found_behind_what_an_older_journal_tells(
    of_old: Callable[[events.AnyEvent, Table], events.AnyEvent],
) -> None:
    changed = 0
    for one in replay(read_record(ROUND)).steps:
        if one.command is None or isinstance(one.outcome, Refusal):
            continue
        told = tuple(of_old(event, one.before) for event in one.outcome)
        changed += told != one.outcome
        assert one.command == command_of(one.before, one.command.by, told)
    assert changed


def test_a_command_is_found_although_an_older_journal_cites_other_clauses() -> None:
    """Of old an absent player with uneven bets was ruled on as any other, and a direct decision as a first one."""
    uneven = "seat 1 sits Ann 500\nround\nseat 1 bets 10\nmishap bets seat 1 1=20 2=10 $=10\n"
    complaint = "seat 1 disputes the pay\n"
    decided = "casino_supervisor decides dispute 1 rejected without games_supervisor because seen\n"
    text = f"rulebook nsw-1\n{uneven}{complaint}{decided}dealer reports absent seat 1\n"
    kinds = commands.Report | commands.DecideDispute
    report, decision = sorted(
        (one for one in replay(read_record(text)).steps if isinstance(one.command, kinds)),
        key=lambda one: isinstance(one.command, commands.DecideDispute),
    )
    assert not isinstance(report.outcome, Refusal)
    assert not isinstance(decision.outcome, Refusal)
    (ruled, *more), (word, *rest) = report.outcome, decision.outcome
    assert isinstance(ruled, events.Ruled)
    assert isinstance(word, events.DisputeDecided)
    assert ruled.ruling.case is not None
    of_old = msgspec.structs.replace(
        ruled.ruling,
        name="absent:hand_void",
        sentence="as of old",
        key="irreg.absent",
        clauses=("nsw:12.13",),
        case=msgspec.structs.replace(ruled.ruling.case, uneven=msgspec.UNSET),
    )
    old_ruled = msgspec.structs.replace(ruled, ruling=of_old)
    old_word = msgspec.structs.replace(word, clauses=("nsw:14.12.s1",))
    assert command_of(report.before, "dealer", (old_ruled, *more)) == report.command
    assert command_of(decision.before, "casino_supervisor", (old_word, *rest)) == decision.command
    other = msgspec.structs.replace(old_ruled, void_seat=3)
    with pytest.raises(InvalidData, match="expected events that follow from a command at this table"):
        command_of(report.before, "dealer", (other, *more))


def test_only_of_a_player_who_is_away_an_older_journal_may_rule_otherwise() -> None:
    """An order, which has no case, is found beside players who lost their seats; another ruling is not."""
    for path, kind in (("fire/nsw-1", commands.Order), ("hand-count-late/nsw-1", commands.Report)):
        done = played(replayed(FOLDER / "irregularities" / f"{path}.round"))
        one = next(one for one in done if isinstance(one.command, kind))
        assert not isinstance(one.outcome, Refusal)
        ruled, *more = one.outcome
        assert isinstance(ruled, events.Ruled)
        assert command_of(one.before, "", (ruled, *more, events.PlayerLeft(seat=7, why="went away"))) == one.command
        other = msgspec.structs.replace(ruled.ruling, clauses=("nsw:1.1",))
        with pytest.raises(InvalidData, match="expected events that follow from a command at this table"):
            command_of(one.before, "", (msgspec.structs.replace(ruled, ruling=other), *more))


def test_a_ruling_in_the_words_of_an_older_journal_has_its_command_behind_it() -> None:
    done = played(replayed(FOLDER / "irregularities" / "hand-count-late" / "nsw-1.round"))
    one = next(one for one in done if isinstance(one.command, commands.Report))
    assert not isinstance(one.outcome, Refusal)
    ruled, *more = one.outcome
    assert isinstance(ruled, events.Ruled)
    older = msgspec.structs.replace(ruled.ruling, sentence="in other words")
    assert command_of(one.before, "", (msgspec.structs.replace(ruled, ruling=older), *more)) == one.command


def test_what_no_command_gives_has_none_behind_it() -> None:
    claim = next(one for one in replay(read_record(ROUND)).steps if isinstance(one.command, commands.Claim))
    assert not isinstance(claim.outcome, Refusal)
    paid_otherwise = tuple(
        msgspec.structs.replace(event, inserted=()) if isinstance(event, events.SideBetClaimed) else event
        for event in claim.outcome
    )
    with pytest.raises(InvalidData, match="expected events that follow from a command at this table"):
        command_of(claim.before, "seat:1", paid_otherwise)


def test_what_an_older_journal_cannot_tell_is_refused() -> None:
    """Players who were away lost their seats of old; those who were barred still do, and a ruling has its case."""
    report = next(one for one in replay(read_record(ACTS["folds"])).steps if isinstance(one.command, commands.Report))
    assert not isinstance(report.outcome, Refusal)
    (ruled, *more) = report.outcome
    assert isinstance(ruled, events.Ruled)
    without = msgspec.structs.replace(ruled, ruling=msgspec.structs.replace(ruled.ruling, case=None))
    assert command_of(report.before, "dealer", (ruled, events.PlayerLeft(seat=3, why="went away"))) == report.command
    for otherwise in ((ruled, *more, events.PlayerLeft(seat=3, why="barred")), (without, *more)):
        with pytest.raises(InvalidData, match="expected events that follow from a command at this table"):
            command_of(report.before, "dealer", otherwise)


def test_a_step_of_the_floor_is_the_floors_although_a_journal_names_the_dealer() -> None:
    done = played(replayed(FOLDER / "irregularities" / "unloaded" / "shufflemaster-1.round"))
    floor = [one for one in done if isinstance(one.command, commands.Do) and one.command.by == "floor"]
    assert floor
    for one in floor:
        assert not isinstance(one.outcome, Refusal)
        assert command_of(one.before, "dealer", one.outcome) == one.command


def test_a_deck_that_is_gathered_face_up_was_gathered_so() -> None:
    done = played(replay(read_record(ACTS["tokens"])))
    gather = next(one for one in done if isinstance(one.command, commands.Do) and one.command.kind == "gather_deck")
    for face_up in (True, False):
        command = commands.Do(by="dealer", kind="gather_deck", face_up=face_up)
        happened = decide(gather.before, command)
        assert not isinstance(happened, Refusal)
        assert command_of(gather.before, "dealer", happened) == command


def test_cards_of_a_deck_are_changed_in_the_deck_that_has_them() -> None:
    for book in catalog.rulebook_ids():
        table, _ = open_table(catalog.ready_rules(book))
        while table.next_step is not None and table.phase == "opening":
            step = command_for(table, table.next_step, Fixed(FACES))
            table, _ = play(table, step)
        order = commands.Order(by="casino_supervisor", kind="change_deck", number=1, cards=("Th",), why="bent")
        happened = decide(table, order)
        assert not isinstance(happened, Refusal), (book, happened)
        assert command_of(table, "casino_supervisor", happened) == order


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_the_command_behind_every_step_of_a_record_is_found_again(path: Path) -> None:
    for one in played(replayed(path)):
        command, outcome = one.command, one.outcome
        assert command is not None
        assert not isinstance(outcome, Refusal)
        if isinstance(command, commands.Order) and command.cards:
            command = msgspec.structs.replace(command, number=1)  # of one deck, which a record need not name
        if isinstance(command, commands.Do) and command.kind == "mix_rest":
            mixed = {str(move.card.face) for event in outcome for move in getattr(event, "moves", ())}
            command = msgspec.structs.replace(command, order=tuple(one for one in command.order if one in mixed))
        assert command == command_of(one.before, command.by, outcome)


@pytest.mark.parametrize("about", ACTS)
def test_the_command_behind_what_people_do_is_found_again(about: str) -> None:
    for one in played(replay(read_record(ACTS[about]))):
        assert one.command is not None
        assert not isinstance(one.outcome, Refusal)
        assert one.command == command_of(one.before, one.command.by, one.outcome)
        if not isinstance(one.command, commands.Do):  # by the events alone, without the name of who gave it
            assert type(one.command) is type(command_of(one.before, "", one.outcome))


@pytest.mark.parametrize("by", ["dealer", "games_supervisor", "machine"])
def test_a_deck_was_checked_by_those_who_are_said_to_have_checked_it(by: str) -> None:
    table, _ = open_table(catalog.table_rules("nsw-1"))
    check = commands.Do(by=by, kind="check_deck", number=1)
    happened = decide(table, check)
    assert not isinstance(happened, Refusal)
    assert check == command_of(table, by, happened)
    assert commands.Do(by="dealer", kind="check_deck", number=1) == command_of(table, "", happened)


@pytest.mark.parametrize("path", FUZZ_RUNS, ids=name_of)
def test_in_a_fuzz_run_a_command_is_found_that_leads_to_the_same(path: Path) -> None:
    """Orders of a fuzz run carry words that change nothing: what is found is the same command without them."""
    for one in played(replayed(path)):
        assert one.command is not None
        assert not isinstance(one.outcome, Refusal)
        found = command_of(one.before, one.command.by, one.outcome)
        assert (type(found), found.by) == (type(one.command), one.command.by)
        assert decide(one.before, found) == one.outcome
