"""The terminal table line by line: every book, every chip, the coach, records that replay, one sentence for bad input."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from letitride.analysis.strategy import advise, best_strategy
from letitride.cli.terminal.chances import chance_of
from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.plain import Plain
from letitride.cli.terminal.saving import save
from letitride.cli.terminal.session import Ask, Session
from letitride.cli.terminal.story import Story
from letitride.cli.terminal.typed import Typed, read_line, side_keys
from letitride.cli.terminal.wanted import Wanted, parse_cents, wanted_table
from letitride.engine import commands
from letitride.engine.events import ChoiceMade, RoundEnded
from letitride.errors import InvalidData
from letitride.ledger.accounts import coupons, laid_coupon
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from letitride.rules.plain import plain
from letitride.rules.wager_table import BASE_SPOTS
from letitride.training.coach import value_cards
from tests.cli import command

BOOKS = catalog.rulebook_ids()


def run(*words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command with a file for its standard input."""
    return command.run("play", *words, answers=typed, **environment)


def table(ref: str = "nsw-1", seed: int = 1, **wanted: Any) -> Wanted:
    return wanted_table(ref, {}, seed=seed, **wanted)


def at(wanted: Wanted) -> Game:
    return Game(Session(wanted, chance_of(wanted.seed)))


def through(game: Game, rounds: int, choice: Any = "ride", *, banks: bool = False) -> None:
    """Play rounds with the same choice each time."""
    session = game.session
    while len(session.account.entries) < rounds:
        if session.step() is not None:
            continue
        match session.ask().kind:
            case "bets":
                game.do(Typed("bets", wagers=dict.fromkeys(BASE_SPOTS, session.wanted.bet_cents)))
            case "choice":
                game.do(Typed("choice", choice=choice))
            case "bank":
                game.do(Typed("take", cents=10_000) if banks else Typed("decline"))


class Lines:
    """A plain table whose lines are kept."""

    def __init__(self, wanted: Wanted, *typed: str) -> None:
        self._typed = list(typed)
        self.said: list[str] = []
        self.told: list[dict[str, Any]] = []
        self.game = at(wanted)
        Plain(self.game, Story(wanted.own_seats), self._read, self.said.append, self._tell).play()

    def _tell(self, data: object) -> None:
        self.told.append(plain(data))

    def _read(self) -> str:
        return f"{self._typed.pop(0)}\n" if self._typed else ""


@pytest.mark.parametrize("house", BOOKS)
def test_rounds_of_every_book_keep_every_chip(house: str) -> None:
    game = at(table(house, seats=7, seat=4))
    through(game, 6)
    session = game.session
    assert 0 == sum(session.table.accounts.values())
    assert session.net_cents == sum(entry.net_cents for entry in session.account.entries)
    assert session.bought_cents + session.net_cents == session.stack_cents
    list(session.leave())
    assert session.wallet_cents == session.net_cents
    assert session.gone


@pytest.mark.parametrize("house", BOOKS)
def test_what_is_saved_replays_to_the_same_money(house: str, tmp_path: Path) -> None:
    game = at(table(house, seats=3))
    through(game, 4)
    said = save(game.session, str(tmp_path / "mine.round"))
    again = replay(read_record((tmp_path / "mine.round").read_text()))
    played = [sum(row.net_cents for row in outcome.results.get(1, ())) for outcome in again.outcomes]
    assert "Saved 4 rounds" in said
    assert played == [sum(row.net_cents for row in entry.results) for entry in game.session.account.entries]
    with pytest.raises(InvalidData, match="exists already"):
        save(game.session, str(tmp_path / "mine.round"))


def test_of_a_very_long_session_the_first_rounds_are_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("letitride.cli.terminal.session.KEPT_MAX", 2)
    game = at(table("hand-dealt-1", seats=2))
    through(game, 4)
    assert "Saved 2 rounds" in save(game.session, str(tmp_path / "long.round"))
    assert 2 == len(replay(read_record((tmp_path / "long.round").read_text())).outcomes)


def test_a_book_of_ones_own_plays_and_its_records_find_it(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('id = "mine"\ntitle = "Mine"\nextends = "nsw-1"\n[rules]\ncoach = true\n')
    lines = Lines(table(str(own), seats=2, rounds=1), "", "r", "r")
    save(lines.game.session, str(tmp_path / "own.round"))
    for text in ((tmp_path / "own.round").read_text(), lines.told[0]["record"]):
        assert text.startswith(f"rulebook {own}")
        assert "settled" == replay(read_record(text)).outcomes[0].status


def test_bots_play_as_well_as_can_be_and_leave_the_person_alone() -> None:
    game = at(table("washington-1", seats=7, seat=2))
    through(game, 5)
    best = best_strategy(game.session.wanted.rules.pays["base"])
    chosen = 0
    for moment in game.session.moments:
        for event in moment.events:
            if isinstance(event, ChoiceMade) and moment.before is not None:
                shown = [card.face for card in moment.before.community() if card.up]
                held = [card.face for card in moment.before.at(f"hand:{event.seat}")]
                rides = advise(game.session.wanted.rules.pays["base"], [*held, *shown]).rides
                assert event.seat == 2 or (event.choice == "ride") == rides
                chosen += event.seat != 2
    assert chosen == 5 * 6 * 2
    assert best.bet1


def test_the_bank_goes_round_and_the_person_may_take_it() -> None:
    game = at(table("california-1", seats=4, seat=2, bankroll="1000"))
    through(game, 10, banks=True)
    banked = game.session.account.banked
    assert [entry.number for entry in banked] == [3, 4]
    assert all(abs(entry.bank_net_cents) <= 10_000 for entry in banked)
    assert 0 == sum(game.session.table.accounts.values())


def test_the_bank_goes_by_a_person_who_declines_it() -> None:
    game = at(table("california-1", seats=3, seat=1))
    through(game, 8)
    assert not game.session.account.banked
    assert 8 == len(game.session.account.entries)
    asked = game.question(Ask("bank", must=True))
    assert asked.startswith("No player has the bank. No round is dealt until a player takes it. Type your stake")


def test_the_same_seed_and_the_same_choices_give_the_same_session() -> None:
    words = ("hand-dealt-1", "--plain", "--seed", "5", "--seats", "3", "--rounds", "2")
    first, second = (run(*words, typed="\nr\nt\n\nt\nr\n") for _ in range(2))
    assert first.stdout == second.stdout
    assert (0, "") == (first.returncode, first.stderr)
    assert "Practice with seed 5" in first.stdout
    assert first.stdout != run("hand-dealt-1", "--plain", "--seed", "6", "--seats", "3", typed="\nr\nt\n").stdout


@pytest.mark.parametrize("house", BOOKS)
def test_every_book_plays_through_a_pipe_and_ends_with_it(house: str) -> None:
    done = run(house, "--plain", "--seed", "3", "--seats", "3", "--seat", "2", typed="d\n\nr\nr\n" * 2)
    assert (0, "") == (done.returncode, done.stderr)
    assert "Round 1:" in done.stdout
    assert "Best play expects" in done.stdout
    assert "You leave with" in done.stdout


def test_json_prints_rounds_that_replay_and_a_session_that_adds_up() -> None:
    done = run(
        "shufflemaster-1", "--json", "--seed", "2", "--rounds", "3", typed="10 bonus three 5\nr\nr\n\nt\nt\n5\nr\nt\n"
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["round", "round", "round", "session"] == [row["type"] for row in rows]
    assert 0 == done.returncode
    assert "Your cards" in done.stderr
    for row in rows[:3]:
        (outcome,) = replay(read_record(row["record"])).outcomes
        assert row["net_cents"] == sum(result.net_cents for result in outcome.results[row["seat"]])
    assert rows[3]["net_cents"] == sum(row["net_cents"] for row in rows[:3])
    given = sum(Fraction(one["given_away_cents"]) for row in rows[:3] for one in row["choices"])
    assert Fraction(rows[3]["given_away_cents"]) == given
    assert {"bonus", "three_card"} <= {wager["wager"] for wager in rows[0]["wagers"]}


def test_under_a_maximum_payout_the_session_counts_the_mistakes_that_the_coach_names() -> None:
    low = ("--set", "payout.cap=maximum", "--set", "payout.cents_max=2500")
    words = (
        "nsw-1",
        "--json",
        "--seats",
        "1",
        "--bet",
        "25",
        "--bankroll",
        "2000",
        "--rounds",
        "8",
        "--seed",
        "5",
        *low,
    )
    rows = [json.loads(line) for line in run(*words, typed="25\nt\nr\n" * 8).stdout.splitlines()]
    choices = [one for row in rows if row["type"] == "round" for one in row["choices"]]
    assert len(choices) == 16
    given = [Fraction(one["given_away_cents"]) for one in choices]
    assert (rows[-1]["mistakes"], Fraction(rows[-1]["given_away_cents"])) == (sum(map(bool, given)), sum(given))
    assert any(given)


def test_a_round_that_is_left_goes_on_as_the_book_rules() -> None:
    lines = Lines(table("nsw-1", seats=2), "", "q")
    assert any("away" in line for line in lines.said)
    assert any(line.startswith("Ruling: ") for line in lines.said)
    assert not any("You have $0" in line for line in lines.said)
    assert 1 == len(lines.game.session.account.entries)
    assert 0 == sum(lines.game.session.table.accounts.values())


def test_somebody_who_banks_and_leaves_gets_what_is_left_of_the_bank() -> None:
    game = at(table("california-1", seats=3, seat=1))
    while game.session.step() is not None:
        pass
    game.do(Typed("take", cents=20_000))
    ended = [event for moment in game.session.leave() for event in moment.events if isinstance(event, RoundEnded)]
    assert 1 == len(ended)
    assert game.session.gone
    assert game.session.wallet_cents == game.session.net_cents


def test_the_coach_gives_the_exact_value_and_the_cost_of_a_mistake() -> None:
    rules = catalog.table_rules("shufflemaster-1")
    pays = rules.pays["base"]
    thought = Advice(value_cards(rules, 1_000, ("Th", "Td", "4c"), ()))
    assert "ride" == thought.best
    assert advise(pays, parse_cards("Th Td 4c")).value == Fraction(thought.exact)
    assert (0, thought.cents) == (thought.cost_of("ride"), thought.cost_of("withdraw"))
    assert thought.mistake_words("withdraw").startswith("Taking it back cost $")


def test_the_coach_is_off_where_the_book_bars_advice_and_says_so() -> None:
    quiet = Lines(table("nsw-1", seats=2, rounds=1), "", "r", "r")
    assert not [line for line in quiet.said if line.startswith("Coach")]
    assert any("bar advice at a live table" in line and "C turns the coach on" in line for line in quiet.said)
    asked = Lines(table("nsw-1", seats=2, rounds=1, coach="before"), "", "r", "r")
    assert [line for line in asked.said if line.startswith("Coach")]
    assert any("so the coach speaks" in line for line in asked.said)
    late = Lines(table("washington-1", seats=2, rounds=1, coach="after", seed=7), "", "r", "r")
    assert all(" cost $" in line or " cost " in line for line in late.said if line.startswith("Coach"))


def test_help_history_the_coach_and_chips_between_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where a file without a name goes
    file = tmp_path / "played.round"
    lines = Lines(
        table("washington-1", seats=2), "?", "c", "buy 100", "", "t", "t", "h", f"s {file}", "s", "nonsense", "q"
    )
    said = "\n".join(lines.said)
    assert "Paytable of the base bets (" in said
    assert "Paytable of Cover All" in said
    assert "The coach is off." in said
    assert "You buy $100 in chips." in said
    assert "Round 1: " in said
    assert 2 == len(list(tmp_path.glob("*.round")))
    assert "Expected an amount such as 25" in said
    assert 60_000 == lines.game.session.bought_cents


def test_somebody_without_chips_buys_some_or_leaves() -> None:
    lines = Lines(table("nsw-1", seats=1, bankroll="15", bet="5", seed=2), "", "r", "r", "buy", "", "t", "t", "q")
    assert any("too little for a round" in line for line in lines.said)
    assert 3_000 == lines.game.session.bought_cents


BOOK = 'id = "my-room-1"\ntitle = "My room"\nextends = "nsw-1"\nwagers = ["red.toml", "reds.toml"]\n'
RED = """
id = "red_card"
title = "Red Card"
judged_on = "own_three"
award = "to_one"
[[rank]]
id = "red"
when = { colour = "red" }
[[rank]]
id = "rest"
[keys]
cents_min = 100
cents_max = 2500
[pays]
red = 6
"""
REDS = RED.replace("red_card", "reds_all").replace("Red Card", "Reds All")


def test_what_is_typed() -> None:
    rules = catalog.table_rules("washington-1")
    bets, choice, bank = Ask("bets"), Ask("choice", bet=1), Ask("bank")
    again: Any = dict.fromkeys(BASE_SPOTS, 700)
    assert again == read_line("\n", bets, rules, again).wagers
    placed = read_line("$12.50 bonus three 5 cover\n", bets, rules, again).wagers
    assert {**dict.fromkeys(BASE_SPOTS, 1_250), "bonus": 100, "three_card": 500, "cover_all": 100} == placed
    assert ["ride", "withdraw"] == [read_line(word, choice, rules, again).choice for word in ("R\n", "take\n")]
    assert ("take", 50_000) == (read_line("500\n", bank, rules, again).what, read_line("500", bank, rules, again).cents)
    assert "decline" == read_line("\n", bank, rules, again).what
    for line, ask in (("x", choice), ("10 nothing", bets), ("-5", bets), ("1e3", bets), ("0", bank), ("", choice)):
        with pytest.raises(InvalidData, match="expected"):
            read_line(line, ask, rules, again)
    with pytest.raises(InvalidData, match="expected"):
        read_line("", Ask("bank", must=True), rules, again)


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("10 3 card bonus 5", {"three_card": 500}),
        ("10 3cb 5 ca", {"three_card": 500, "cover_all": 100}),
        ("10 b 1 3 card", {"bonus": 100, "three_card": 100}),
        ("10 three_card Cover All 7", {"three_card": 100, "cover_all": 700}),
    ],
)
def test_a_side_bet_is_typed_by_its_title_its_label_or_the_beginning_of_one(line: str, sides: dict[str, int]) -> None:
    rules = catalog.table_rules("washington-1")
    assert {**dict.fromkeys(BASE_SPOTS, 1_000), **sides} == read_line(line, Ask("bets"), rules, {}).wagers


def test_a_beginning_that_two_side_bets_share_is_not_understood() -> None:
    rules = catalog.table_rules_of_texts("house.toml", {}, {"house.toml": BOOK, "red.toml": RED, "reds.toml": REDS})
    assert {"red_card": 500} == read_line("red card 5", Ask("bets"), rules, {}).wagers
    with pytest.raises(InvalidData, match="expected"):
        read_line("10 red 5", Ask("bets"), rules, {})
    assert {"r": "red_card", "e": "reds_all"} == {key: str(one) for key, one in side_keys(rules, "acd").items()}


@pytest.mark.parametrize(
    ("house", "values"),
    [
        ("hand-dealt-1", {"cards.touch": "dealer_only"}),
        ("nsw-1", {"deck.prepared": True}),
        ("nsw-1+shuffler", {}),
        ("shufflemaster-1", {"deal.face": "up"}),
        ("california-1", {"bank.seat": "separate"}),
        ("california-1", {"bank.settle_from": "action_seat"}),
    ],
)
def test_tables_with_values_of_their_own_play_on(house: str, values: dict[str, Any]) -> None:
    game = at(wanted_table(house, values, seed=8, seats=4, seat=3))
    through(game, 3)
    list(game.session.leave())
    assert 0 == sum(game.session.table.accounts.values())
    assert 3 == len(game.session.account.entries)


def test_practice_repeats_and_is_a_whole_deck() -> None:
    one, other = chance_of(4), chance_of(4)
    assert one.deck() == other.deck()
    assert 52 == len(set(one.deck()))
    assert one.chance.below(30) in range(30)
    with pytest.raises(InvalidData, match="expected an amount"):
        parse_cents("many", "here")


def test_a_refused_bet_is_told_and_asked_again() -> None:
    lines = Lines(table("nsw-1", seats=2), "100000", "5 cover", "q")
    assert any("The maximum for each base bet" in line for line in lines.said)
    assert any("doesn't offer Cover All" in line for line in lines.said)
    assert not lines.game.session.account.entries


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere-1",), "expected a path ending in .toml or the id of a rule book"),
        (("nsw-1", "--seat", "8"), "expected a seat from 1 to 7 after --seat, got 8"),
        (("nsw-1", "--seats", "0"), "expected 1 to 7 seats in play after --seats, got 0"),
        (("california-1", "--seats", "2"), "expected 3 to 7 seats in play after --seats, got 2"),
        (("nsw-1", "--bet", "lots"), "after --bet, got “lots”"),
        (("nsw-1", "--bet", "1"), "the table's limits, after --bet, got $1"),
        (("nsw-1", "--bankroll", "10"), "expected a bankroll of three bets, $15, or more after --bankroll, got $10"),
        (("nsw-1", "--rounds", "0"), "expected 1 round or more after --rounds, got 0"),
        (("nsw-1", "--coach", "loud"), "loud"),
        (("nsw-1", "--pace", "nan"), "expected 0 to 10 seconds after --pace, got nan"),
        (("nsw-1", "--set", "seats=6"), "expected 7, which the book fixes"),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    done = run(*words, "--plain")
    assert (2, "") == (done.returncode, done.stdout)
    assert sentence in done.stderr
    assert 1 == len(done.stderr.splitlines())


def test_without_a_book_it_takes_one_that_leaves_nothing_open() -> None:
    done = run("--plain")
    assert "Let It Ride, Hand-dealt single-deck house. " in done.stdout
    assert (0, "") == (done.returncode, done.stderr)


def test_without_a_terminal_it_goes_line_by_line() -> None:
    done = run("nsw-1", "--rounds", "1", typed="\nr\nr\n")
    assert 0 == done.returncode
    assert "There's no full screen here. You play line by line, as with --plain.\n" == done.stderr
    assert "The cards are shuffled with your operating system's random numbers." in done.stdout


def test_the_script_is_told_with_its_clauses() -> None:
    done = run("nsw-1", "--plain", "--script", "--seed", "1", "--rounds", "1", typed="\nr\nr\n")
    assert "Dealer: check that deck 1 has its 52 cards (nsw:3.4)" in done.stdout


def play_until(game: Game, offered: type[commands.Tuck | commands.Claim], wagers: Any) -> None:
    """Bet and take everything back until something is offered."""
    for _ in range(400):
        if game.session.step() is not None:
            continue
        if game.session.ask().kind == "bets":
            game.do(Typed("bets", wagers=wagers))
        elif game.session.offer(offered) is not None:
            return
        else:
            game.do(Typed("choice"))
    pytest.fail(f"{offered.__name__} was never offered")


def test_a_paying_hand_is_tucked_early_where_the_book_allows_it() -> None:
    game = at(table("nsw-1", seats=1, seed=20))
    play_until(game, commands.Tuck, dict.fromkeys(BASE_SPOTS, 500))
    assert "U tucks" in game.question(game.session.ask())
    game.do(Typed("tuck"))
    assert game.session.mine.tucked
    assert {1: "ride", 2: "ride"}.items() >= dict(game.session.mine.choices).items()


def test_the_side_bet_is_claimed_early_where_the_book_wants_it() -> None:
    game = at(table("shufflemaster-1+three_card_claim", seats=1))
    play_until(game, commands.Claim, {**dict.fromkeys(BASE_SPOTS, 500), "three_card": 500})
    assert "V " in game.question(game.session.ask())
    game.do(Typed("claim"))
    assert game.session.mine.claim
    with pytest.raises(InvalidData, match="no side bet to show your cards for"):
        game.do(Typed("claim"))


def test_the_jackpot_of_a_progressive_is_told_before_the_bets_and_grows_with_them(tmp_path: Path) -> None:
    book, wager = tmp_path / "room.toml", Path("examples/wagers/jackpot.toml").resolve()
    head = f'id = "room-1"\ntitle = "A room"\nextends = "nsw-1"\nwagers = ["{wager}"]\n'
    book.write_text(f'{head}[rules]\nodds.wording = ["to", "win"]\n', encoding="utf-8")
    done = run(str(book), "--plain", "--seed", "3", "--seats", "1", typed="5 jackpot 1\nr\nr\nq\n")
    asked = [line for line in done.stdout.splitlines() if "Your bets:" in line]
    assert asked[0].startswith("Jackpot $10,000. Your bets:")
    assert asked[1].startswith("Jackpot $10,000.20. Your bets:")


def test_a_side_bet_is_taken_back_and_a_coupon_is_laid_by_a_typed_line(tmp_path: Path) -> None:
    wager = Path(__file__).parents[2] / "examples" / "wagers" / "second_chance.toml"
    book = tmp_path / "room.toml"
    media = '[rules]\nbet.media = ["chips", "match_play"]\n'
    text = f'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\nwagers = ["{wager}"]\n{media}'
    book.write_text(text, encoding="utf-8")
    wanted = table(str(book), seed=4, seats=1, rounds=1)
    found = Lines(wanted, "10 coupon 50", "10 coupon 5 second 2", "t second", "r", "r")
    assert "A coupon of $50 needs at least as much on bet $. You have $10 there." in found.said
    assert any(line.endswith("T Second Chance takes Second Chance back: $1 of $2 (50%).") for line in found.said)
    assert any("Second Chance taken back, $1 returned" in line for line in found.said)
    session = found.game.session
    assert session.table.cents(coupons(1)) == session.table.cents(laid_coupon(1)) == 0  # surrendered with its bet
    assert session.net_cents == -3_100
    with pytest.raises(InvalidData, match="expected T and the name of a side bet, got “t nothing”"):
        read_line("t nothing", Ask("choice", bet=1), wanted.rules, {})


def two_hands(folder: Path, house: str, **wanted: Any) -> Wanted:
    """A table whose book lets a player have two hands, and a player who does."""
    book = folder / "two.toml"
    book.write_text(f'id = "two-1"\ntitle = "Two"\nextends = "{house}"\n[rules]\nhands_per_player = 2\n', "utf-8")
    return table(str(book), hands=2, **wanted)


@pytest.mark.parametrize("house", BOOKS)
def test_two_hands_of_one_player_keep_every_chip_and_replay(house: str, tmp_path: Path) -> None:
    game = at(two_hands(tmp_path, house, seats=5, seat=3))
    session = game.session
    through(game, 8, banks=True)
    entries = session.account.entries
    assert {entry.seat for entry in entries} == {3, 4}
    assert [seat.player for seat in session.table.seats.values()][2:4] == ["You", "You"]
    assert session.net_cents == sum(entry.net_cents for entry in entries)
    save(session, str(tmp_path / "mine.round"))
    again = replay(read_record((tmp_path / "mine.round").read_text()))
    played = [sum(row.net_cents for seat in (3, 4) for row in one.results.get(seat, ())) for one in again.outcomes]
    by_round = {entry.number: 0 for entry in entries}
    for entry in entries:
        by_round[entry.number] += sum(row.net_cents for row in entry.results)
    assert played == list(by_round.values())
    assert session.account.rounds == len(by_round)
    list(session.leave())
    assert session.gone
    assert session.wallet_cents == session.net_cents
    assert sum(session.table.accounts.values()) == 0


def test_each_of_two_hands_has_bets_choices_and_a_line_of_its_own(tmp_path: Path) -> None:
    wanted = two_hands(tmp_path, "nsw-1", seats=2, rounds=2, coach="after")
    found = Lines(wanted, "5", "10", "r", "t", "r", "t", "", "pass", "t", "t")
    assert "Let It Ride, Two. You're at seats 1 and 2, on your own. You play with free chips." in found.said
    asked = [line for line in found.said if "Bet 1: R lets" in line]
    assert [line[:6] for line in asked] == ["Seat 1", "Seat 2", "Seat 1"]
    one, two, alone, session = found.told
    assert [(line["round"], line["seat"]) for line in (one, two, alone)] == [(1, 1), (1, 2), (2, 1)]
    assert [[choice["choice"] for choice in line["choices"]] for line in (one, two)] == [["ride"] * 2, ["withdraw"] * 2]
    assert one["cards"] != two["cards"]
    assert one["community"] == two["community"]
    assert [row["stake_cents"] for row in two["wagers"]] == [1_000] * 3
    assert (session["rounds"], session["hands"]) == (2, 3)
    assert session["net_cents"] == sum(line["net_cents"] for line in (one, two, alone))


def test_one_of_two_hands_is_played_at_least_and_no_more_than_the_book_lets(tmp_path: Path) -> None:
    wanted = two_hands(tmp_path, "nsw-1", seats=2, rounds=1)
    found = Lines(wanted, "pass", "pass", "5", "t", "t")
    assert "Bet on at least one of your hands." in found.said
    assert [(line["seat"], line["net_cents"]) for line in found.told[:1]] == [(2, found.told[1]["net_cents"])]
    with pytest.raises(InvalidData, match="expected 1 to 1 hands after --hands, got 2"):
        table("nsw-1", hands=2)
    with pytest.raises(InvalidData, match="expected a seat from 1 to 6 after --seat, got 7"):
        two_hands(tmp_path, "nsw-1", seat=7)


def test_a_side_bet_alone_is_refused_in_a_sentence_and_the_bets_before_stay(tmp_path: Path) -> None:
    book = tmp_path / "house.toml"
    book.write_text(BOOK, "utf-8")
    for name, text in (("red.toml", RED), ("reds.toml", REDS)):
        (tmp_path / name).write_text(text, "utf-8")
    found = Lines(table(str(book), seats=2, rounds=1), "red_card 5", "", "t", "t")
    refused = "You need three equal bets. Red Card can't be bet without them."
    assert found.said.count(refused) == 1
    assert [row["stake_cents"] for row in found.told[0]["wagers"]] == [500] * 3  # Enter: still the three bets


def test_a_letter_that_is_a_command_elsewhere_names_no_side_bet() -> None:
    rules = catalog.table_rules("washington-1")
    assert read_line("10 th 5", Ask("bets"), rules, {}).wagers["three_card"] == 500
    for line in ("t", "10 t 5", "10 c", "u", "r"):
        with pytest.raises(InvalidData, match="expected"):
            read_line(line, Ask("bets"), rules, {})


def test_what_a_coupon_came_to_is_told_and_part_of_the_round(tmp_path: Path) -> None:
    book = tmp_path / "room.toml"
    media = '[rules]\nbet.media = ["chips", "match_play"]\n'
    book.write_text(f'id = "room-1"\ntitle = "Room"\nextends = "nsw-1"\n{media}', "utf-8")
    won = Lines(table(str(book), seed=1, seats=1, rounds=2), "10 coupon 5", "r", "r", "10", "t", "t")
    assert "Bet 1 won $10; bet 2 won $10; bet $ won $10; the coupon won $5." in won.said
    assert any(line == "Round 1: +$35." for line in won.said)
    assert "Match-play coupons won $5." in won.said
    first, second, session = won.told
    assert first["coupon"] == {"cents": 500, "fate": "won", "net_cents": 500}
    assert "coupon" not in second
    assert session["net_cents"] == first["net_cents"] + second["net_cents"]
    lost = Lines(table(str(book), seed=2, seats=1, rounds=1), "10 coupon 5", "r", "r")
    assert any(line.endswith("; the coupon of $5 lost, at no cost to you.") for line in lost.said)
    assert [line["net_cents"] for line in lost.told] == [-3_000, -3_000]


def test_help_and_the_document_name_what_can_be_typed() -> None:
    said = "\n".join(Lines(table("nsw-1", seats=1), "?", "q").said)
    document = Path("docs/terminal.md").read_text("utf-8")
    for word, written in (("T NAME", "`t NAME`"), ("“pass” sits", "`pass`"), ("10 coupon 5", "`10 coupon 5`")):
        assert word in said
        assert written in document
