"""Playing: rounds for programs: whole rounds by every book, decisions by functions and strategies, steps by hand."""

from __future__ import annotations

import pytest

import letitride
from letitride import NAMED_STRATEGIES, AutoTable, Choice, Decision, InvalidData, Refused, Waits, commands
from letitride.rules.catalog import rulebook_ids

BASE = {"base-1": 500, "base-2": 500, "base-$": 500}


@pytest.mark.parametrize("house", rulebook_ids())
def test_rounds_are_played_by_every_book_and_replay_from_their_records(house: str) -> None:
    table = AutoTable(house, seed=3)
    for number in (1, 2, 3):  # by the book of California a player may bank two rounds in a row
        done = table.play_round({1: 500, 2: 1_000})
        assert ("settled", number) == (done.status, done.number)
        record = letitride.read_record(letitride.record_of(done).text)
        assert record == letitride.read_record("\n\n" + letitride.write_record(record))
        again = letitride.replay(record).outcomes[-1]
        assert done.results.items() <= again.results.items()
        assert {1, 2} == {*done.cards} - {done.bank and done.bank[0]}
        assert 2 == len(done.community)


def test_a_seed_deals_the_same_cards_again_and_another_does_not() -> None:
    first, again, other = (letitride.play_round("nsw-1", {1: 500}, seed=seed) for seed in (1, 1, 2))
    assert (first.cards, first.community) == (again.cards, again.community)
    assert first.cards != other.cards


def test_a_function_decides_by_what_its_seat_sees() -> None:
    asked: list[Decision] = []

    def decide(decision: Decision) -> Choice:
        asked.append(decision)
        return "ride" if decision.bet == 1 else "withdraw"

    done = letitride.play_round("washington-1", {2: BASE | {"bonus": 100}}, decide, seed=5)
    assert [(2, 1, 0), (2, 2, 1)] == [(one.seat, one.bet, len(one.community)) for one in asked]
    assert done.cards[2] == asked[0].cards
    fates = {one.wager: one.fate for one in done.results[2]}
    assert "withdrawn" == fates["base-2"]
    assert "withdrawn" != fates["base-1"]
    assert "bonus" in fates


def test_strategies_and_best_play_decide() -> None:
    withdrawn = {}
    for name in ("always-ride", "never-ride"):
        done = letitride.play_round("nsw-1", {1: 500}, NAMED_STRATEGIES[name], seed=6)
        withdrawn[name] = sum(one.fate == "withdrawn" for one in done.results[1])
    assert {"always-ride": 0, "never-ride": 2} == withdrawn
    best = letitride.play_round("nsw-1", {1: 500}, seed=6)  # the seat has a pair of aces
    assert 0 == sum(one.fate == "withdrawn" for one in best.results[1])


def test_advice_counts_the_maximum_payout_and_the_bet_that_rode() -> None:
    seen: list[letitride.ClassValue] = []

    def ride(decision: Decision) -> Choice:
        seen.append(decision.advice)
        return "ride"

    for cents in (500, 25_000):
        values = {"payout.cap": "maximum", "payout.cents_max": 25_000, "limit.cents_max": 25_000}
        letitride.play_round("nsw-1", {1: cents}, ride, seed=6, values=values)
    small, large = seen[0], seen[2]
    assert small.feature == large.feature
    assert small.value > large.value


def test_a_table_goes_on_step_by_step_and_says_what_it_waits_for() -> None:
    table = AutoTable("nsw-1", seed=2)
    assert Waits("players") == table.due()
    table.sit(2, 20_000)
    assert Waits("bets") == table.advance()
    with pytest.raises(Refused, match=r"^The minimum for each base bet is \$5\.$") as refused:
        table.bet(2, 123)
    assert refused.value.code == refused.value.refusal.code
    assert str(refused.value.refusal) == str(refused.value)
    table.bet(2, 500)
    due = table.advance()
    assert isinstance(due, Decision)
    assert "nsw-1" in repr(table)
    with pytest.raises(InvalidData, match=r"^seat 2: expected 'ride' or 'withdraw', got 'stay'$"):
        table.choose(due, "stay")  # type: ignore[arg-type]  # what a program without types may say
    table.choose(due, due.best)
    table.advance()
    table.do(commands.Choose(seat=2, bet=2, choice="ride"))
    assert Waits("bets") == table.advance()
    assert [1] == [one.number for one in table.rounds]


def test_players_buy_chips_when_theirs_do_not_last() -> None:
    table = AutoTable("nsw-1", seed=4)
    table.sit(1, 100)
    assert "settled" == table.play_round({1: 500}).status


@pytest.mark.parametrize(
    ("house", "seats", "more", "sentence"),
    [
        ("nsw-1", {}, {}, "expected the bets of a seat or more, got none"),
        ("nsw-1", {1: 500}, {"bank": 7}, "nsw-1: expected no seat that banks, got seat 7: the house banks"),
        ("california-1", {1: 500}, {"bank": 1}, "expected a seat that banks and does not bet, got none"),
        ("nsw-1", {1: 0}, {}, "expected a bet of seat 1 as a whole number from 1 to 100,000,000,000, got 0"),
        ("nsw-1", {99: 500}, {}, "This table has seats 1 to 7."),
        ("nsw-1", {1: 1_000_000}, {}, "The maximum"),
        ("nsw-9", {1: 500}, {}, "expected a path ending in .toml or the id of a rule book"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(
    house: str, seats: dict[int, int], more: dict[str, int], sentence: str
) -> None:
    with pytest.raises((InvalidData, Refused)) as refused:
        letitride.play_round(house, seats, **more)  # type: ignore[arg-type]  # some are wrong
    assert str(refused.value).startswith(sentence)


def test_values_do_not_go_with_the_rules_of_a_table() -> None:
    with pytest.raises(InvalidData, match="expected values with the id or the path of a rule book"):
        AutoTable(letitride.table_rules("nsw-1"), {"limit.cents_max": 10_000})
