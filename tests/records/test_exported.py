"""Exported: a played round as a record that plays to the same, in the shortest form that does, and nothing of it lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from letitride.engine import commands, events
from letitride.engine.refusal import Refusal
from letitride.errors import InvalidData
from letitride.ledger.transfers import Transfer
from letitride.records.exported import NoShortRecord, _hidden, record_of, same_purses, same_results, whole
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.rounds import Moment, PlayedRound, cut
from letitride.rules.cards import FACES
from letitride.rules.rulebook import Origin, Source
from tests.records.acts import ACTS
from tests.records.moments import FOLDER, RECORDS, moments_of, name_of, played, replayed, rounds_of

TROUBLE = events.MishapHappened | events.Ruled | events.BetsCorrected | events.HandFolded
SILENT = commands.Do | commands.LookOver | commands.DeclineBank | commands.Sit
"""What a round that is told in short leaves to the dealer, and what belongs before it."""
NEED_THE_TABLE = {"deck-missing-shufflemaster-1", "deck-missing-washington-1"}
"""Rounds of two decks of which one is changed: the order of the decks before the round decides."""


def acts(done: Replayed, number: int) -> list[commands.AnyCommand]:
    """Return what people did at the table in a round, as it was carried out."""
    found: list[commands.AnyCommand] = []
    for one in played(done):
        assert not isinstance(one.outcome, Refusal)
        begun = one.before.round == number or any(
            isinstance(event, events.PhaseBegan) and event.round == number for event in one.outcome
        )
        if begun and not isinstance(one.command, SILENT) and one.command is not None:
            found.append(one.command)
    return found


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_every_round_is_told_in_the_shortest_form_that_plays_to_the_same(path: Path) -> None:
    done = replayed(path)
    moments = moments_of(done)
    for one in cut(moments):
        found = record_of(one, lambda: moments)
        again = replay(read_record(found.text))
        (outcome,) = again.outcomes
        assert (outcome.status, outcome.results, outcome.bank) == (one.status, one.results, one.bank)
        assert [(each.name, each.clauses) for each in outcome.rulings] == [
            (each.name, each.clauses) for each in one.rulings
        ]
        wrong = any(isinstance(event, TROUBLE) for moment in one.moments for event in moment.events)
        assert found.form == ("whole" if name_of(path) in NEED_THE_TABLE else "steps" if wrong else "short")
        assert [type(act) for act in acts(again, 1)] == [type(act) for act in acts(done, one.number)]
        if found.form == "short":
            assert acts(again, 1) == acts(done, one.number)
            assert not any(
                line.startswith(("dealer ", "floor ")) for line in found.text.splitlines()[1:] if line != "dealer auto"
            )


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_the_record_of_a_whole_table_does_every_step_by_hand_and_plays_to_the_same(path: Path) -> None:
    done = replayed(path)
    again = replay(read_record("\n".join(whole(moments_of(done))) + "\n"))
    assert [(one.status, one.results, one.rulings, one.bank) for one in again.outcomes] == [
        (one.status, one.results, one.rulings, one.bank) for one in done.outcomes
    ]
    assert all(one.line for one in again.steps[1:])  # nothing is left to an automatic dealer


TOLD = """\
rulebook nsw-1
dealer auto
seat 1 sits Ann 530
seat 1 exchanges 100 tokens
seat 3 sits Bob 520
seat 5 sits Cy 500
seat 5 sits out

round
deck Th 9h Td 9d 4c 3c Ks 2d {rest}
seat 5 leaves
seat 1 bets 10
seat 3 bets 10
dealer call_no_more_bets
mishap bets seat 3 1=10 2=10 $=15
dealer reports uneven_bets seat 3
seat 3 corrects 10
dealer deal_card seat 1 number 1
dealer deal_card seat 3 number 1
"""


def rest_of_deck(*dealt: str) -> str:
    """Return the cards that are not named, in new-deck order."""
    named = set(" ".join(dealt).split())
    return " ".join(face for face in FACES if face not in named)


def test_a_second_round_is_told_from_the_chips_and_seats_it_began_with() -> None:
    moments, (first, second) = rounds_of(ACTS["tokens"])
    short = record_of(first)
    assert short.form == "short"
    assert short.text.splitlines()[4:11] == [
        "deck Th 9h Td 9d 4c 3c Ks 2d " + rest_of_deck("Th 9h Td 9d 4c 3c Ks 2d"),
        "seat 1 sits Ann 500",
        "seat 3 sits Bob 500",
        "seat 5 sits Cy 500",
        "seat 1 exchanges 100 tokens",
        "seat 3 exchanges 20 chips",
        "seat 3 buys 30",
    ]
    steps = record_of(second)
    assert steps.form == "steps"
    assert steps.text.startswith(TOLD.format(rest=rest_of_deck("Th 9h Td 9d 4c 3c Ks 2d")))
    assert steps == record_of(second, lambda: moments)  # what was before is asked for only where it is needed


BANKED = """\
rulebook california-1
set bank.settle_from = 'action_seat'
set limit.cents_min = 500
set limit.cents_max = 10000
set fee.tiers = [{limit_cents_max = 10000, wager_cents = 50, bank_cents = 200}]
dealer auto

round
deck 2c 7d Kh Th Td 4c 9h 9d 3c Ks 2d 5h REST
dice 3
seat 1 sits Ann 500
seat 3 sits Bob 500
seat 5 sits Cy 500
seat 7 sits Di 500
seat 1 declines
seat 3 declines
seat 5 banks 30
seat 1 bets 10
seat 3 bets 10
seat 7 bets 10
seat 1 rides 1
seat 3 rides 1
seat 7 rides 1
seat 1 rides 2
seat 3 rides 2
seat 7 rides 2
"""


def test_a_banked_round_tells_the_tables_own_values_the_dice_and_who_let_the_bank_go_by() -> None:
    _, (one,) = rounds_of((FOLDER / "examples" / "california-action-seat.round").read_text(encoding="utf-8"))
    dealt = "2c 7d Kh Th Td 4c 9h 9d 3c Ks 2d 5h"
    assert record_of(one).text == BANKED.replace("REST", rest_of_deck(dealt))


def test_a_bank_that_stays_with_its_seat_is_let_go_by_at_a_fresh_table() -> None:
    """In its second round seat 5 is offered the bank first; at a fresh table it comes to seats 1 and 3 before."""
    text = (FOLDER / "examples" / "california.round").read_text(encoding="utf-8")
    again = "\nround\nseat 5 banks 30\nseat 1 bets 10\nseat 3 bets 10\nseat 7 bets 10\n" + "".join(
        f"seat {seat} rides {bet}\n" for bet in (1, 2) for seat in (1, 3, 7)
    )
    _, (first, second) = rounds_of(text + again)
    for one in (first, second):
        lines = record_of(one).text.splitlines()
        taken = lines.index("seat 5 banks 30")
        assert lines[taken - 2 : taken] == ["seat 1 declines", "seat 3 declines"]
        assert lines.count("seat 1 declines") == 1


MANUFACTURER = (FOLDER / "examples" / "manufacturer.round").read_text(encoding="utf-8")
SORTED = " ".join(sorted(FACES))


def test_a_whole_table_is_told_to_the_end_of_a_round_and_not_what_deck_comes_next() -> None:
    moments, _ = rounds_of(MANUFACTURER)
    both, first = list(whole(moments)), list(whole(moments, 1))
    assert both[:5] == [
        "rulebook shufflemaster-1",
        "set base.paytable = 'LIRB-03'",
        "dealer by hand",
        "dealer power_on",
        "dealer set_mode wager let_it_ride",
    ]
    assert (both.count("\nround"), first.count("\nround")) == (2, 1)
    assert (both[-1], first[-1]) == ("dealer game_over", "dealer game_over")
    assert len(first) == both.index("dealer game_over") + 1
    mixed = "dealer mix_deck number 2 order 2c 7d 9s 8c 8d 8s 8h Qc "
    assert [line.startswith(mixed) for line in both if "mix_deck number 2" in line] == [True]
    (hidden,) = (line for line in first if "mix_deck number 2" in line)
    assert hidden == f"dealer mix_deck number 2 order {SORTED}"
    (later,) = (line for line in both if "mix_deck number 1" in line)
    assert later == f"dealer mix_deck number 1 order {SORTED}"
    assert next(whole(moments, rulebook="mine.toml")) == "rulebook mine.toml"
    assert list(whole(moments[:20]))[-1] == "dealer by hand"  # no round is over yet


def test_in_the_record_of_a_table_a_round_begins_where_its_bank_or_its_bets_are_opened() -> None:
    for text, begins in {
        MANUFACTURER: ["seat 1 sits Fay 500", "seat 1 bets 10"],  # the second by the end of the first
        (FOLDER / "examples" / "california.round").read_text(encoding="utf-8"): ["seat 1 sits Ann 500"],
        ACTS["tokens"]: ["dealer load_shoe", "dealer load_shoe"],  # when the deck is ready
    }.items():
        lines = list(whole(rounds_of(text)[0]))
        assert [lines[place + 1] for place, line in enumerate(lines) if line == "\nround"] == begins


def test_a_round_that_is_on_is_not_told() -> None:
    moments, (first, _) = rounds_of(MANUFACTURER)
    (running,) = cut(moments[: first.moments[-1].number - 1], running=True)
    with pytest.raises(InvalidData, match="expected a round that is over, got round 1, which is not"):
        record_of(running)


def needy() -> tuple[tuple[Moment, ...], PlayedRound]:
    moments, (one,) = rounds_of((FOLDER / "irregularities/deck-missing/washington-1.round").read_text(encoding="utf-8"))
    return moments, one


def test_a_round_that_needs_the_whole_table_says_so_and_is_told_with_it() -> None:
    moments, one = needy()
    with pytest.raises(NoShortRecord, match="got round 1: the record of the whole table has it"):
        record_of(one)
    found = record_of(one, lambda: moments)
    assert (found.form, found.text) == ("whole", "\n".join(whole(moments, 1)) + "\n")
    otherwise = replace(one, status="settled")
    with pytest.raises(NoShortRecord, match="expected a round that plays as it was written down, got round 1"):
        record_of(otherwise, lambda: moments)


def test_the_same_results_are_the_same_status_wagers_bank_and_rulings() -> None:
    path = FOLDER / "irregularities" / "hand-count" / "california-1.round"
    done = replayed(path)
    (one,), (outcome,) = list(cut(moments_of(done))), done.outcomes
    assert same_results(one, outcome)
    assert one.bank is not None
    assert one.rulings
    ruling = outcome.rulings[0]
    for other in (
        replace(outcome, status="settled"),
        replace(outcome, results={}),
        replace(outcome, bank=None),
        replace(outcome, rulings=()),
        replace(outcome, rulings=(msgspec.structs.replace(ruling, name="hand_count:hand_void"),)),
        replace(outcome, rulings=(msgspec.structs.replace(ruling, clauses=("x",)),)),
    ):
        assert not same_results(one, other)


def test_a_reason_that_gives_a_reason_is_told_as_it_was_given() -> None:
    text = ACTS["disputes"].replace("because it was right", "because it was right because of the film")
    _, (one,) = rounds_of(text)
    assert "games_supervisor decides dispute 1 rejected because it was right because of the film" in record_of(one).text


def test_a_house_tells_its_own_book_by_its_digest_or_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('id = "own-1"\ntitle = "Own"\nextends = "nsw-1"\n', encoding="utf-8")
    text = ACTS["folds"].replace("rulebook nsw-1", f"rulebook {path}")
    _, (one,) = rounds_of(text)
    rules = one.last.rules
    named = record_of(one)
    assert named.text.splitlines()[0] == f"rulebook own-1 sha256:{rules.book.digest}"
    assert record_of(one, rulebook=str(path)).text.splitlines()[0] == f"rulebook {path}"
    assert replay(read_record(named.text), rules=rules).outcomes[0].results == one.results


def test_a_value_that_means_nothing_at_its_table_any_more_is_not_told() -> None:
    """An older journal may have one among the table's own."""
    _, (one,) = rounds_of(ACTS["taken back"])
    opened = one.moments[0]
    book = opened.after.rules.book
    own = {**book.origins, "deck.backs": Origin(Source.TABLE, book.id)}
    rules = replace(opened.after.rules, book=replace(book, origins=own))
    table = msgspec.structs.replace(opened.after, rules=rules)
    found = record_of(replace(one, moments=(replace(opened, after=table), *one.moments[1:])))
    assert [line for line in found.text.splitlines() if line.startswith("set ")] == ["set limit.cents_max = 1000"]


BROKE = """rulebook nsw-1
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 30

round
hand 1 Th Td 4c
hand 3 9h 8d 3c
community Ks 2d
seat 1 bets 10
seat 3 bets 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2

round
seat 1 bets 10
seat 1 rides 1
seat 1 rides 2
"""


def test_those_who_sat_there_sit_down_at_a_fresh_table_by_a_name_and_with_a_stack_it_takes() -> None:
    _, (_, second) = rounds_of(BROKE)
    assert record_of(second).text.splitlines()[2:4] == ["seat 1 sits Ann 530", "seat 3 sits Bob 0"]
    first, *rest = second.moments
    assert first.before is not None
    seats = {**first.before.seats, 1: msgspec.structs.replace(first.before.seats[1], player="Ann  #2")}
    named = replace(first, before=msgspec.structs.replace(first.before, seats=seats))
    assert "seat 1 sits Ann no.2 530" in record_of(replace(second, moments=(named, *rest))).text.splitlines()


def test_of_two_decks_the_second_may_have_been_the_first() -> None:
    """In the second round deck 2 is dealt; at a fresh table deck 1 is, so that what is done with it is told of deck 1."""
    wrong = (
        MANUFACTURER.rpartition("seat 1 withdraws 1")[0] + "mishap exposed seat 1\ndealer reports exposed_card seat 1\n"
    )
    wrong = wrong.replace("hand 1 2c 7d 9s\nhand 6 8c 8d 8s\ncommunity 8h Qc\n", "")
    begins, by = "round\nseat 1 bets 10\n", "casino_supervisor orders"
    rest = "seat 1 withdraws 1\nseat 6 rides 1\nseat 1 withdraws 2\nseat 6 rides 2\n"
    for order, told in {
        f"{by} limits max 50": f"{by} limits max 50",  # of no deck
        f"{by} change_deck deck 2 cards Th because bent": f"{by} change_deck deck 1 cards Th because bent",
    }.items():
        _, (_, second) = rounds_of(wrong.replace(begins, begins.replace("round\n", f"round\n{order}\n")) + rest)
        found = record_of(second)
        assert found.form == "steps"
        (outcome,) = replay(read_record(found.text)).outcomes
        assert outcome.results == second.results
        assert "dealer mix_deck number 1 order " not in found.text
        assert f"\n{told}\n" in found.text


SPOKEN = """
rulebook shufflemaster-1
set bet.spoken_cash = true
dealer auto
seat 1 sits Ann 500
seat 3 sits Bob 500

round
hand 1 Th Td 4c
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10 with cash spoken
seat 3 bets 10 spoken
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
"""


@pytest.mark.parametrize("called", ["chips", "vouchers"])
def test_a_round_with_spoken_bets_has_a_record_that_moves_the_same_chips(called: str) -> None:
    """Older journals may call a spoken bet something that is never bet; it was paid in chips all the same."""
    moments, _ = rounds_of(SPOKEN)
    of_old = [
        replace(moment, events=tuple(_called(event, called) for event in moment.events)) if moment.before else moment
        for moment in moments
    ]
    (old,) = cut(of_old)
    found = record_of(old)
    assert "short" == found.form
    assert {"seat 1 bets 10 with cash", "seat 3 bets 10"} <= set(found.text.splitlines())
    last = replay(read_record(found.text)).steps[-1].after
    assert [56_000, 47_000] == [last.cents(f"stack:{seat}") for seat in (1, 3)]
    assert -103_000 == last.cents("wallet")  # seat 1 put $30 in cash down beside what both bought in for


def _called(event: events.AnyEvent, medium: str) -> events.AnyEvent:
    bets = isinstance(event, events.WagersPlaced) and event.wagers
    return msgspec.structs.replace(event, medium=medium) if bets else event


TOKENS = """
rulebook nsw-1
dealer auto
seat 1 sits Ann 15
seat 3 sits Bob 500

round
hand 1 2c 7d 9s
community 4h Qc
seat 1 bets 5
seat 1 rides 1
seat 1 rides 2

round
hand 1 Th Td 4c
community Ks 2d
seat 1 exchanges 60 tokens
seat 1 bets 5 with tokens
seat 1 rides 1
seat 1 rides 2

round
hand 1 2c 7d 9s
community 4h Qc
seat 1 bets 5 with tokens
seat 1 rides 1
seat 1 rides 2
"""


def test_a_round_of_tokens_is_told_to_the_cent_also_where_a_seat_has_no_chips() -> None:
    _, rounds = rounds_of(TOKENS)
    lost_all, won, lost = (record_of(one).text for one in rounds)
    purses = [
        [last.cents(f"{kind}:{seat}") for kind in ("stack", "tokens") for seat in (1, 3)]
        for last in (replay(read_record(text)).steps[-1].after for text in (lost_all, won, lost))
    ]
    assert [[0, 50_000, 0, 0], [1_500, 50_000, 6_000, 0], [1_500, 50_000, 4_500, 0]] == purses
    assert "seat 1 sits Ann 0\n" in won
    assert "seat 1 sits Ann 15\nseat 1 exchanges 60 tokens\n" in lost


@pytest.mark.parametrize("purse", ["stack:1", "stack:3", "tokens:1", "tokens:3"])
def test_the_same_purses_are_the_same_to_the_cent(purse: str) -> None:
    _, (_, won, _) = rounds_of(TOKENS)
    (outcome,) = replay(read_record(record_of(won).text)).outcomes
    assert same_purses(won, outcome)
    for transfer in (Transfer("tray", purse, 1), Transfer(purse, "tray", 1)):
        assert not same_purses(won, replace(outcome, transfers=(*outcome.transfers, transfer)))
    assert same_purses(won, replace(outcome, transfers=(*outcome.transfers, Transfer("cage", "tray", 1))))
    without = tuple(one for one in outcome.transfers if purse not in {one.source, one.target})
    if without != outcome.transfers:  # nothing at all is not the same either
        assert not same_purses(won, replace(outcome, transfers=without))


BANKRUPT = TOKENS.replace("nsw-1", "hand-dealt-1").partition("\nround\nhand 1 Th")[0]


@pytest.mark.parametrize("act", ["seat 1 leaves", "seat 1 buys 20", "seat 1 sits out"])
def test_a_seat_without_chips_needs_no_record_of_the_whole_table(act: str) -> None:
    """Where no vouchers are taken no player sits down with nothing: the record lends such a seat a cent."""
    _, (_, second) = rounds_of(f"{BANKRUPT}\nround\n{act}\nseat 3 bets 5\nseat 3 rides 1\nseat 3 rides 2\n")
    found = record_of(second)
    assert "seat 1 sits Ann 0.01\n" in found.text
    assert act in found.text.splitlines()


def test_a_seat_without_chips_that_moves_none_sits_down_with_nothing_where_vouchers_are_taken() -> None:
    lost = TOKENS.partition("\nround\nhand 1 Th")[0]
    _, (_, second) = rounds_of(f"{lost}\nround\nseat 3 bets 5\nseat 3 rides 1\nseat 3 rides 2\n")
    assert "seat 1 sits Ann 0\n" in record_of(second).text


def test_a_record_that_plays_to_other_results_is_no_record_of_the_round() -> None:
    _, (_, won, _) = rounds_of(TOKENS)
    assert record_of(won).text
    with pytest.raises(NoShortRecord):
        record_of(replace(won, results={}))


def test_a_round_that_ends_before_a_card_is_dealt_is_told_without_a_deck() -> None:
    seated = "seat 1 sits Ann 500\nseat 3 sits Bob 500\n\nround\nseat 1 bets 10\n"
    order = "casino_supervisor orders annul ground disturbance because of a fire"
    moments, (one,) = rounds_of(f"rulebook nsw-1\ndealer auto\n{seated}{order}\n")
    found = record_of(one, lambda: moments)
    assert (found.form, one.status) == ("steps", "void")
    assert order in found.text.splitlines()
    assert "\ndeck " not in found.text
    assert replay(read_record(found.text)).outcomes[0].status == "void"


def test_the_order_of_a_deck_is_told_up_to_where_the_last_mixed_one_is_dealt_from() -> None:
    def mixed(*order: str) -> commands.Do:
        return commands.Do(by="dealer", kind="mix_deck", number=1, order=order)

    swap, load, look = (commands.Do(by="dealer", kind=kind) for kind in ("swap_decks", "load_shoe", "square_deck"))
    first, second, third = mixed("As", "2c^"), mixed("Ks", "3c"), mixed("Qs^", "4c")
    hidden = mixed("4c", "Qs")
    for told, left in (
        ([third], [hidden]),
        ([first, swap, third, look], [first, swap, hidden, look]),
        ([first, swap, second, load, third], [first, swap, second, load, hidden]),
        ([swap, first, load], [swap, first, load]),
    ):
        assert _hidden(told) == left, told
