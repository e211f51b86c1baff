"""The terminal table on the full screen: by keyboard alone, every book, small and large, in a real terminal too."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from letitride.cli.terminal.app import TableApp
from letitride.cli.terminal.chances import chance_of
from letitride.cli.terminal.felt import Felt
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.palette import Palette
from letitride.cli.terminal.screens import Confirm, Page, help_text
from letitride.cli.terminal.session import Ask, Session
from letitride.cli.terminal.wanted import wanted_table
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.cards import parse_cards
from tests.cli.command import COMMAND, SECONDS


class Screen:
    """A table on a screen, and hands that type."""

    def __init__(self, app: TableApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def session(self) -> Session:
        return self.app.game.session

    async def settle(self) -> None:
        """Wait until the dealer is done."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def type(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    def text(self, name: str) -> str:
        return str(self.app.screen_stack[0].query_one(f"#{name}", Static).render())

    async def play_round(self, choice: str = "r") -> None:
        """Play one round with whatever keys it takes."""
        rounds = len(self.session.account.entries)
        for _ in range(20):
            if len(self.session.account.entries) > rounds:
                return
            assert self.app.ask is not None
            await self.type({"bets": "enter", "choice": choice, "bank": "d"}[self.app.ask.kind])
        pytest.fail("no round was over after twenty keys")


def on_screen(
    house: str, acts: Callable[[Screen], Coroutine[Any, Any, None]], size: tuple[int, int] = (80, 24), **wanted: Any
) -> TableApp:
    """Run a table on a screen of a size, and do something there."""
    table = wanted_table(house, {}, **{"seed": 3, "seats": 4, "seat": 2, **wanted})
    app = TableApp(Game(Session(table, chance_of(table.seed))), pace=0)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            screen = Screen(app, pilot)
            await screen.settle()
            await acts(screen)

    asyncio.run(run())
    assert app.failure is None
    return app


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_a_round_of_every_book_by_keyboard_alone(house: str) -> None:
    async def acts(screen: Screen) -> None:
        await screen.play_round()
        await screen.play_round("t")
        assert [1, 2] == [entry.number for entry in screen.session.account.entries]
        assert "round 3" in screen.text("title") or screen.app.ask is not None
        assert 0 == sum(screen.session.table.accounts.values())

    on_screen(house, acts)


@pytest.mark.parametrize("seats", [1, 7])
def test_everything_fits_from_80_by_24_on(seats: int) -> None:
    async def acts(screen: Screen) -> None:
        await screen.pilot.resize_terminal(80, 24)
        await screen.type("enter")
        places = ("title", "community", "pays", "seats", "mine", "panel", "log", "prompt", "keys")
        for name in places:
            region = screen.app.screen.query_one(f"#{name}").region
            assert 0 <= region.x < region.right <= 80, name
            assert 0 <= region.y < region.bottom <= 24, name
        assert screen.app.screen.query_one("#log").region.height >= 3
        assert all(
            len(line) <= 80 for name in ("title", "seats", "keys", "pays") for line in screen.text(name).split("\n")
        )
        assert "Q leave" in screen.text("keys")
        assert "tens or better" in screen.text("pays")

    on_screen("washington-1", acts, (120, 40), seats=seats, seat=1)


def test_a_screen_that_is_too_small_is_no_reason_to_stop() -> None:
    async def acts(screen: Screen) -> None:
        await screen.play_round()
        await screen.pilot.resize_terminal(100, 30)
        await screen.settle()
        assert "round 2" in screen.text("title")

    on_screen("washington-1", acts, (40, 10), seats=7)


def test_bets_are_what_was_typed() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("1", "2", "backspace", "5", "b", "t", "down", "down", "7", "A", "+", "enter")
        base = dict.fromkeys(("base-1", "base-2", "base-$"), 1_500)
        assert {**base, "bonus": 100, "three_card": 800, "cover_all": 100} == dict(screen.session.mine.wagers)
        assert screen.text("mine").count("$15") == 3

    on_screen("washington-1", acts)


def test_a_bet_that_the_table_refuses_is_told_and_can_be_mended() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("2", "enter")
        assert "The minimum for each base bet is $5." in screen.text("panel")
        await screen.type("backspace", "6", "enter")
        assert 600 == screen.session.mine.wagers["base-1"]

    on_screen("nsw-1", acts)


def test_the_coach_speaks_when_asked_to() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("enter")
        advice = screen.app.game.advice()
        assert advice is not None
        assert advice.exact not in screen.text("panel")  # the book bars advice, so the coach is silent at first
        await screen.type("c", "c", "c")
        await screen.type("c", "c")
        assert "before" == screen.app.game.coach
        assert advice.exact in screen.text("panel")
        await screen.type("r" if advice.best == "withdraw" else "t")
        await screen.type("r" if screen.app.game.advice().best == "withdraw" else "t")
        assert " cost " in screen.text("panel")

    on_screen("nsw-1", acts)


def test_no_card_of_another_seat_is_seen_before_it_is_opened() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("enter")
        assert 3 * 3 == screen.text("seats").count("▒▒")
        assert "▒" in screen.text("community")
        await screen.type("t", "t")
        assert "▒" not in screen.text("seats") + screen.text("community")

    on_screen("shufflemaster-1", acts)


def test_rules_history_and_saving_by_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    async def acts(screen: Screen) -> None:
        await screen.type("s")
        assert "There's no finished round to save yet." in screen.text("panel")
        await screen.play_round()
        for key in ("question_mark", "h"):
            await screen.type(key)
            assert isinstance(screen.app.screen, Page)
            await screen.type("escape")
            assert not isinstance(screen.app.screen, Page)
        await screen.type("g", "s", "l")
        assert "Saved 1 round" in screen.text("panel")
        assert screen.app.theme == "textual-light"

    on_screen("hand-dealt-1", acts)
    (file,) = tmp_path.glob("letitride-hand-dealt-1-*.round")
    assert "settled" == replay(read_record(file.read_text())).outcomes[0].status


def test_leaving_in_mid_round_is_asked_about() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("enter", "q")
        assert isinstance(screen.app.screen, Confirm)
        await screen.type("n")
        assert not isinstance(screen.app.screen, Confirm)
        await screen.type("ctrl+c", "y")
        assert not screen.app.is_running

    on_screen("nsw-1", acts)


def test_a_player_who_banks_types_the_stake() -> None:
    async def acts(screen: Screen) -> None:
        assert "You can take the bank" in screen.text("prompt")
        await screen.type("3", "0", "0")
        assert "$300_" in screen.text("prompt")
        await screen.type("backspace", "5", "enter")
        entry = screen.session.account.entries[0]
        assert 30_500 == entry.bank_stake_cents

    on_screen("california-1", acts, seat=1)


def test_chips_are_bought_when_they_are_gone_and_rounds_end() -> None:
    async def acts(screen: Screen) -> None:
        await screen.play_round()
        while not screen.app.game.broke:
            await screen.play_round()
        await screen.type("enter", "5")
        assert "too little for a round" in screen.text("prompt")
        await screen.type("dollar_sign")
        assert "Place your bets" in screen.text("prompt")

    on_screen("nsw-1", acts, bankroll="15", seats=1, seat=1, seed=2)

    async def one(screen: Screen) -> None:
        await screen.play_round()
        assert "You've played your rounds" in screen.text("prompt")
        await screen.type("enter", "r", "q")
        assert not screen.app.is_running

    on_screen("nsw-1", one, rounds=1)


def test_suits_have_signs_letters_and_four_colours() -> None:
    cards = parse_cards("Th 9c 2d As")
    for theme in ("dark", "light", "terminal"):
        palette = Palette(theme)
        assert "10♥ 9♣ 2♦ A♠" == palette.write(cards)
        assert 4 == len({palette.small(str(card)).style for card in cards})
        assert 4 == len({span.style for span in palette.coloured(palette.write(cards)).spans})
    plain = Palette(letters=True)
    assert "10h 9c 2d As" == plain.write(cards)
    assert 4 == len(plain.coloured("You have 10h 9c 2d As.").spans)
    assert "│  h │" == plain.large("Th")[2].plain
    session = Session(wanted_table("nsw-1", {}, seed=1), chance_of(1))
    assert "The table is being opened." == Felt(Game(session), plain).seats(80).plain


def read_until(master: int, wanted: str, seconds: float = SECONDS) -> str:
    """Read what a program draws until something is there."""
    drawn, ends = "", time.monotonic() + seconds
    while wanted not in drawn:
        left = ends - time.monotonic()
        if left <= 0 or not select.select([master], [], [], left)[0]:
            pytest.fail(f"'{wanted}' was not drawn; the last was {drawn[-400:]!r}")
        drawn += os.read(master, 65_536).decode("utf-8", "replace")
    return drawn


def test_a_round_in_a_real_terminal() -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    words = [COMMAND, "play", "nsw-1", "--seed", "1", "--seats", "2", "--rounds", "1", "--pace", "0"]
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, env=environment) as running:
        os.close(slave)
        read_until(master, "Place your bets")
        for key, wanted in (
            (b"\r", "Bet 1:"),
            (b"t", "Bet 2:"),
            (b"t", "played your rounds"),
            (b"q", "Best play expects"),
        ):
            os.write(master, key)
            read_until(master, wanted)
        assert 0 == running.wait(SECONDS)
    os.close(master)


def test_a_small_screen_shows_whole_seats_and_whole_keys_and_one_word_for_a_ten() -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("enter")
        names, cards, *_ = screen.text("seats").split("\n")
        assert ["1", "Bot", "1", "▶2", "You", "3", "Bot", "2", "4", "Bot", "3"] == names.split()  # of seven
        assert len(names) <= 48
        assert "10♦ 4♦ 6♣" in cards
        assert "10♦ 4♦ 6♣" in screen.text("mine")
        assert screen.text("keys").endswith("H history")

    on_screen("nsw-1", acts, (50, 14), seats=7)


@pytest.mark.parametrize("size", [(80, 24), (50, 14)])
def test_two_hands_are_played_by_keys_on_a_large_and_a_small_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    book = tmp_path / "two.toml"
    book.write_text('id = "two-1"\ntitle = "Two"\nextends = "nsw-1"\n[rules]\nhands_per_player = 2\n', encoding="utf-8")

    async def acts(screen: Screen) -> None:
        asked = []
        for key in ("enter", "1", "0", "enter", "r", "t", "r", "t"):
            asked.append(screen.text("prompt")[:6])
            await screen.type(key)
            places = ("title", "community", "seats", "mine", "log", "prompt", "keys")
            for name in places:
                region = screen.app.screen.query_one(f"#{name}").region
                assert region.height > 0, (key, name)
                assert region.bottom <= size[1], (key, name)
        assert ["Seat 2"] + ["Seat 3"] * 3 + ["Seat 2", "Seat 3"] * 2 == asked
        first, second = screen.session.account.entries
        assert [first.seat, second.seat] == [2, 3]
        assert [row.stake_cents for row in second.results] == [1_000] * 3
        assert "2 You" in screen.text("seats")
        assert "3 You" in screen.text("seats")
        await screen.type("0", "enter")
        assert screen.text("prompt").startswith("Seat 3")
        await screen.type("enter")
        assert "Bet on at least one of your hands." in screen.text("panel")

    on_screen(str(book), acts, size=size, hands=2)


def own_room(folder: Path) -> str:
    """A book whose side bets are a jackpot with a meter and one that may be taken back for a part of it."""
    wagers = [str(Path("examples/wagers", name).resolve()) for name in ("jackpot.toml", "second_chance.toml")]
    book = folder / "room.toml"
    head = f'id = "my-own-room-1"\ntitle = "A room"\nextends = "nsw-1"\nwagers = {wagers}\n'
    book.write_text(f'{head}[rules]\nodds.wording = ["to", "win"]\n', encoding="utf-8")
    return str(book)


def test_a_side_bet_is_taken_back_by_a_key_that_the_prompt_tells(tmp_path: Path) -> None:
    async def acts(screen: Screen) -> None:
        await screen.type("e", "enter")
        assert screen.text("prompt").endswith("E takes Second Chance back: $1 of $2 (50%).")
        told = help_text(screen.app.game).plain
        assert "  E         Second Chance: take it back at bet 1; 50% is returned" in told
        assert "on an empty slip: this hand of two sits out" in told
        await screen.type("e")
        assert screen.session.mine.withdrawn == {"second_chance"}
        assert screen.app.ask == Ask("choice", bet=1)  # the base bet is still to be decided
        assert "Second Chance back" not in screen.text("prompt")

    on_screen(own_room(tmp_path), acts)


def test_an_amount_in_the_first_line_is_whole_or_not_there(tmp_path: Path) -> None:
    async def acts(screen: Screen) -> None:
        game, session = screen.app.game, screen.session
        felt, seen = Felt(game, Palette()), set()
        amounts = {"$5-$500", "$10,000", "$500", "($0)"}
        for width in range(30, 100):
            title = felt.title(width).plain
            assert len(title) == width
            assert {word for word in title.split() if "$" in word} <= amounts, title
            assert title.endswith("$500 ($0) ")
            seen |= {part.strip() for part in title.removesuffix("$500 ($0) ").split("·")}
        assert {"Let It Ride", "A room", "$5-$500", "round 1", "practice", "Jackpot $10,000"} <= seen
        assert "Jackpot $10,000" in screen.text("title")  # at 80 columns
        assert session.chips_cents == 50_000

    on_screen(own_room(tmp_path), acts)


def test_the_amount_of_a_bank_is_whole_at_a_full_table() -> None:
    async def acts(screen: Screen) -> None:
        bank = screen.app.game.session.seen().bank
        assert bank is not None
        assert bank.chips_cents == 100_000
        assert " $1,000 " in screen.text("seats").split("\n")[2]

    on_screen("california-1", acts, seats=7)
