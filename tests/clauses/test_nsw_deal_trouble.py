"""New South Wales when the deal or the shuffler goes wrong: what happens to cards, chips and faces."""

from __future__ import annotations

import pytest

from letitride.engine import commands, events, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.records.replay import Replayed
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    announced,
    dealer_does,
    faces,
    fates,
    hands,
    played,
    results,
    ruled,
    rulings,
    seen,
    stacks,
    step,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]
SHUFFLERS = DEVICES[1:]
SEATS = (1, 3, 7)
UNTOUCHED = [50_000, 50_000, 50_000]
VOID = ["void"] * 3
NO_CHOICES_3 = "\n".join(line for line in CHOICES.splitlines() if not line.startswith("seat 3")) + "\n"


def stacks_at(table: Table) -> list[int]:
    """The chips beside the three seats at a moment."""
    return [table.cents(f"stack:{seat}") for seat in SEATS]


def after_round(done: Replayed, number: int) -> Table:
    """The table as a round has just ended, with a result or without."""
    over = events.RoundEnded | events.RoundVoided
    return next(
        one.after
        for one in done.steps
        if not isinstance(one.outcome, Refusal)
        and any(isinstance(event, over) and event.round == number for event in one.outcome)
    )


def nothing_is_left(table: Table) -> None:
    """Assert that no card and no chip of a round lies on the felt any more."""
    assert (hands(table), table.community(), table.at(places.PACKET), table.at(places.DRAWN)) == ({}, (), (), ())
    assert [table.cents(f"felt:{seat}:base-{spot}") for seat in SEATS for spot in "12$"] == [0] * 9


@pytest.mark.clause("nsw:12.1", "nsw:12.4", "nsw:1.1.void")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("mishap", "report"),
    [
        ("long seat 3", "hand_count seat 3"),
        ("short seat 3", "hand_count seat 3"),
        ("stray seat 5", "stray_hand seat 5"),
        ("drawn", "drawn_card"),
    ],
)
def test_a_wrong_deal_seen_before_a_player_touched_the_cards_is_a_misdeal(
    book: RuleBook, mishap: str, report: str, device: str
) -> None:
    done = played(book.id + device, f"{THREE_SEATS}mishap {mishap}\ndealer reports {report}\n{WHOLE_ROUND}")
    (ruling,) = rulings(done)
    assert ruling.name.endswith(":misdeal")
    assert "nsw:12.1" in ruling.clauses
    assert step(done, "declare_misdeal").command == commands.Do(by="dealer", kind="declare_misdeal")
    assert "misdeal: all bets are void" in announced(done)
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]
    assert [fates(done, seat) for seat in SEATS] == [VOID, VOID, VOID]
    voided = after_round(done, 1)
    assert stacks_at(voided) == UNTOUCHED  # every stake went back
    assert voided.cents("tray") == 0
    nothing_is_left(voided)
    assert done.outcomes[1].number == 2  # a new round, not the same one again
    assert stacks(done, *SEATS) == stacks(played(book.id + device, WHOLE_ROUND), *SEATS)


@pytest.mark.clause("nsw:12.1", "nsw:12.7")
@pytest.mark.parametrize("device", DEVICES)
def test_a_wrong_deal_is_seen_in_time_until_a_player_has_touched_cards(book: RuleBook, device: str) -> None:
    body = f"{THREE_SEATS}mishap long seat 3\nseat 7 looks\nfloor reports hand_count seat 3\n{NO_CHOICES_3}"
    look = next(one for one in played(book.id + device, body).steps if isinstance(one.command, commands.Look))
    report = commands.Report(by="dealer", kind="hand_count", seat=3)
    assert look.before.phase == "choice_1"  # the deal is over
    before, after = (play(table, report)[0] for table in (look.before, look.after))
    assert (before.rulings[-1].name, before.voiding) == ("hand_count:misdeal", True)
    assert (after.rulings[-1].name, after.voiding) == ("hand_count:hand_void", False)


@pytest.mark.clause("nsw:12.2")
@pytest.mark.parametrize(
    ("device", "mishap", "looks"),
    [
        *((device, mishap, "") for device in DEVICES for mishap in ("long dealer", "short dealer")),
        # Without its third card a packet cannot be laid out, so that nobody gets as far as to look.
        *((device, "long dealer", "seat 1 looks\n") for device in DEVICES),
        ("", "short dealer", "seat 1 looks\n"),
    ],
)
def test_a_wrong_number_of_cards_before_the_dealer_is_a_misdeal(
    book: RuleBook, mishap: str, looks: str, device: str
) -> None:
    done = played(book.id + device, f"{THREE_SEATS}mishap {mishap}\n{looks}dealer reports dealer_count\n")
    assert ruled(done) == ["dealer_count:misdeal"]
    assert rulings(done)[0].clauses[0] == "nsw:12.2"
    assert [fates(done, seat) for seat in SEATS] == [VOID, VOID, VOID]
    assert stacks(done, *SEATS) == UNTOUCHED
    nothing_is_left(after_round(done, 1))


@pytest.mark.clause("nsw:12.5")
@pytest.mark.parametrize(("device", "up"), [("", ["9h"]), ("+shuffler", ["[red]", "[red]", "3c"])])
def test_a_single_exposed_card_is_turned_over_in_its_hand_and_the_deal_goes_on(
    book: RuleBook, device: str, up: list[str]
) -> None:
    done = played(
        book.id + device, f"{THREE_SEATS}mishap exposed seat 3\ndealer reports exposed_card seat 3\n{CHOICES}"
    )
    assert ruled(done) == ["exposed_card:turned_over"]
    turned = step(done, "turn_down 3")
    assert seen(turned.before, "spectator", 3) == up  # all saw it
    assert seen(turned.after, "spectator", 3) == ["[red]"] * len(up)
    assert faces(turned.after, places.RACK) == []
    assert faces(step(done, "open_hand 3").before, "hand:3") == ["9h", "9d", "3c"]  # it stays in its hand
    plain = played(book.id + device, WHOLE_ROUND)
    assert (done.outcomes[0].results, stacks(done, *SEATS)) == (plain.outcomes[0].results, stacks(plain, *SEATS))


@pytest.mark.clause("nsw:12.6.s1")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("card", [1, 2])
def test_a_community_card_exposed_in_the_deal_is_a_misdeal(book: RuleBook, card: int, device: str) -> None:
    trouble = f"mishap exposed community card {card}\ndealer reports exposed_community card {card}\n"
    done = played(book.id + device, f"{THREE_SEATS}{trouble}{WHOLE_ROUND}")
    assert ruled(done) == ["exposed_community:misdeal"]
    assert "misdeal: all bets are void" in announced(done)
    voided = after_round(done, 1)
    assert ([fates(done, seat) for seat in SEATS], stacks_at(voided)) == ([VOID, VOID, VOID], UNTOUCHED)
    nothing_is_left(voided)
    assert [outcome.status for outcome in done.outcomes] == ["void", "settled"]  # a new round is dealt


@pytest.mark.clause("nsw:12.6.s2")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("card", [1, 2])
def test_once_a_player_has_handled_cards_an_exposed_community_card_changes_nothing(
    book: RuleBook, card: int, device: str
) -> None:
    late = f"seat 1 looks\nmishap exposed community card {card}\ndealer reports exposed_community card {card}\n"
    done = played(book.id + device, f"{THREE_SEATS}{late}{CHOICES}")
    assert ruled(done) == ["exposed_community:go_on"]
    plain = played(book.id + device, WHOLE_ROUND)
    assert done.outcomes[0].results == plain.outcomes[0].results
    assert stacks(done, *SEATS) == stacks(plain, *SEATS)


@pytest.mark.clause("nsw:12.7")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("mishap", "held"), [("long seat 3", 4), ("short seat 3", 2)])
def test_a_hand_of_a_wrong_number_found_later_is_void_alone(
    book: RuleBook, mishap: str, held: int, device: str
) -> None:
    body = f"{THREE_SEATS}mishap {mishap}\nseat 1 looks\nfloor reports hand_count seat 3\n{NO_CHOICES_3}"
    done = played(book.id + device, body)
    assert ruled(done) == ["hand_count:hand_void"]
    assert f"{held} cards" in announced(done)
    back, gone = step(done, "return_bets 3"), step(done, "discard_hand 3")
    assert (back.before.cents("stack:3"), back.after.cents("stack:3")) == (47_000, 50_000)
    wrong = faces(gone.before, "hand:3")
    assert (len(wrong), faces(gone.after, "hand:3")) == (held, [])
    assert set(wrong) <= set(faces(gone.after, places.RACK))
    assert (fates(done, 3), stacks(done, 3)) == (VOID, [50_000])
    assert "open_hand 3" not in steps(done)
    for seat in (1, 7):  # the others play on and are settled
        assert len(faces(step(done, f"open_hand {seat}").after, places.hand(seat))) == 3
        assert {result.fate for result in results(done, seat).values()} <= {"won", "lost", "withdrawn"}
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("nsw:12.7")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("mishap", "held"), [("long seat 3", 4), ("short seat 3", 2)])
def test_a_hand_of_a_wrong_number_is_played_until_it_is_found_at_the_showdown(
    book: RuleBook, mishap: str, held: int, device: str
) -> None:
    found = "dealer open_hand seat 3\ndealer reports hand_count seat 3\n"
    done = played(book.id + device, f"{THREE_SEATS}mishap {mishap}\n{CHOICES}{found}")
    turned, opened = step(done, "turn_community 2"), step(done, "open_hand 3")
    assert [card.up for card in turned.after.community()] == [True, True]
    wrong = opened.after.at("hand:3")
    assert (len(wrong), {card.up for card in wrong}) == (held, {True})
    assert opened.after.rulings == ()  # nobody was told of it before
    assert ruled(done) == ["hand_count:hand_void"]
    back = step(done, "return_bets 3")
    assert (back.before.cents("stack:3"), back.after.cents("stack:3")) == (48_000, 50_000)  # bet 1 was withdrawn
    assert [result.fate for result in results(done, 3).values()] == ["withdrawn", "void", "void"]
    assert {card.face for card in wrong} <= {card.face for card in step(done, "discard_hand 3").after.at(places.RACK)}
    for seat in (1, 7):  # the others are settled
        assert {result.fate for result in results(done, seat).values()} <= {"won", "lost", "withdrawn"}
    assert done.outcomes[0].status == "settled"
    assert sum(stacks(done, *SEATS)) + after_round(done, 1).cents("tray") == 150_000


@pytest.mark.clause("nsw:12.7")
def test_nothing_is_paid_or_collected_on_a_hand_of_a_wrong_number(book: RuleBook) -> None:
    with pytest.raises(InvalidData, match="something_wrong, The dealer can't .*: seat 3 has 4 cards"):
        played(book, f"{THREE_SEATS}mishap long seat 3\n{CHOICES}dealer collect_hand seat 3\n")


@pytest.mark.clause("nsw:12.8")
@pytest.mark.parametrize("device", DEVICES)
def test_a_hand_at_an_empty_area_found_later_is_counted_and_put_into_the_rack(book: RuleBook, device: str) -> None:
    body = f"{THREE_SEATS}mishap stray seat 5\nseat 1 looks\nfloor reports stray_hand seat 5\n{CHOICES}"
    done = played(book.id + device, body)
    assert ruled(done) == ["stray_hand:discarded"]
    assert "3 cards" in announced(done)
    gone = step(done, "discard_hand 5")
    stray = faces(gone.before, "hand:5")
    assert (len(stray), faces(gone.after, "hand:5")) == (3, [])
    assert set(stray) <= set(faces(gone.after, places.RACK))
    assert gone.before.phase == gone.after.phase == "choice_1"  # the round goes on
    assert [gone.after.cents(f"felt:{seat}:base-$") for seat in SEATS] == [1_000] * 3
    assert done.outcomes[0].status == "settled"


@pytest.mark.clause("nsw:13.2", "nsw:13.2.1", "nsw:13.2.2")
@pytest.mark.parametrize("device", SHUFFLERS)
@pytest.mark.parametrize("played_on", ["seat 1 looks\n", "seat 1 looks\nseat 1 rides 1\nseat 3 withdraws 1\n", CHOICES])
def test_a_shuffler_that_fails_in_a_round_voids_that_round_and_no_other(
    book: RuleBook, device: str, played_on: str
) -> None:
    plain = played(book.id + device, WHOLE_ROUND)
    failed = f"{THREE_SEATS}{played_on}floor reports device_failure\n"
    done = played(book.id + device, f"{WHOLE_ROUND}{failed}")
    assert ruled(done) == ["device_failure:round_void"]
    reported = next(one.before for one in done.steps if isinstance(one.command, commands.Report))
    assert [outcome.status for outcome in done.outcomes] == ["settled", "void"]
    assert (done.outcomes[0].results, stacks_at(after_round(done, 1))) == (
        plain.outcomes[0].results,
        stacks(plain, *SEATS),  # the earlier round stands
    )
    voided = after_round(done, 2)
    assert reported.phase != "betting"
    assert stacks_at(voided) == stacks(plain, *SEATS)  # every stake of the void round went back
    assert voided.cents("tray") == plain.table.cents("tray")
    nothing_is_left(voided)
    assert [{result.fate for result in results(done, seat, 1).values()} - {"withdrawn"} for seat in SEATS] == [
        {"void"}
    ] * 3


@pytest.mark.clause("nsw:13.2", "nsw:13.2.1")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_the_first_card_of_a_round_decides_whether_a_failure_voids_it(book: RuleBook, device: str) -> None:
    plain = played(book.id + device, WHOLE_ROUND)
    early = played(book.id + device, f"{THREE_SEATS}floor reports device_failure\n{CHOICES}")
    assert ruled(early) == ["device_failure:reshuffled"]
    assert next(one.before for one in early.steps if isinstance(one.command, commands.Report)).no_card_is_out
    assert early.outcomes[0].results == plain.outcomes[0].results
    assert stacks(early, *SEATS) == stacks(plain, *SEATS)
    table, _ = play(step(plain, "deal_packet 1").after, commands.Report(by="floor", kind="device_failure"))
    assert (table.rulings[-1].name, table.voiding) == ("device_failure:round_void", True)
    while table.phase == "ruling":
        table, why = dealer_does(table)
        assert why == ""
    assert stacks_at(table) == UNTOUCHED
    nothing_is_left(table)


@pytest.mark.clause("nsw:13.2.1", "nsw:1.1.void")
@pytest.mark.parametrize("device", SHUFFLERS)
@pytest.mark.parametrize("last", ["take 3 base-2", "pay 7 base-1", "pay 1 base-$"])
def test_what_was_collected_and_paid_of_a_void_round_goes_back(book: RuleBook, device: str, last: str) -> None:
    settled = step(played(book.id + device, WHOLE_ROUND), last).after
    assert settled.phase == "settling"
    table, _ = play(settled, commands.Report(by="floor", kind="device_failure"))
    while table.phase == "ruling":
        table, why = dealer_does(table)
        assert why == ""
    assert (stacks_at(table), table.cents("tray")) == (UNTOUCHED, 0)
    nothing_is_left(table)


@pytest.mark.clause("nsw:13.2.3")
@pytest.mark.parametrize(("device", "decks"), [("+shuffler", 1), ("+two_decks", 2)])
def test_after_a_failure_play_goes_on_with_another_device_and_new_cards_only(
    book: RuleBook, device: str, decks: int
) -> None:
    failed = f"{THREE_SEATS}seat 1 looks\nfloor reports device_failure\n"
    done = played(book.id + device, f"{WHOLE_ROUND}{failed}{WHOLE_ROUND * 2}")
    other = step(done, "replace_device")
    assert other.command.by == "floor"
    later = [one.after for one in done.steps[done.steps.index(other) :] if one.after.round > 2]
    for table in later:
        cards = [card for place, held in table.cards.items() if place != places.OUTSIDE for card in held]
        assert len(cards) == 52 * decks
        assert {card.serial // 52 for card in cards} == {1}  # none of the cards that were there before
    new = steps(done)[steps(done).index("replace_device") :]
    for deck in range(1, decks + 1):  # nsw:3.7: checked and shuffled like any new deck
        assert new.index(f"introduce_deck {deck}") < new.index(f"check_deck {deck}")
    assert [outcome.status for outcome in done.outcomes] == ["settled", "void", "settled", "settled"]
