"""App: the terminal table on the full screen, by keyboard alone; it draws the felt and rules nothing."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import RichLog, Static

from letitride.cli.terminal.felt import BOUND, Felt
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.language import t
from letitride.cli.terminal.palette import THEMES, Palette, Theme
from letitride.cli.terminal.plain import as_sentence, story_lines
from letitride.cli.terminal.saving import save
from letitride.cli.terminal.screens import Confirm, Page, help_text, history_text
from letitride.cli.terminal.session import Ask
from letitride.cli.terminal.sign import greeting
from letitride.cli.terminal.slip import Slip
from letitride.cli.terminal.story import Story
from letitride.cli.terminal.typed import Typed, back_keys, side_keys
from letitride.engine.events import ChoiceMade, StepDone
from letitride.errors import InvalidData, LetItRideError
from letitride.records.rounds import Moment
from letitride.rules.money import dollars

SEEN: Final = frozenset(
    {
        "deal_packet",
        "deal_card",
        "deal_community",
        "slide_right",
        "turn_community",
        "open_hand",
        "pay",
        "push_back",
        "push_back_side",
    }
)
"""The steps that a player wants to see happen one by one."""
HEIGHT_MIN: Final = 21
"""With fewer lines cards are drawn small."""
LINES_MAX: Final = 500
"""How many lines of the log are kept."""


class TitleLine(Static):
    """The line at the top, as wide as the screen: it says when that is another one."""

    def __init__(self, resized: Callable[[], None]) -> None:
        super().__init__(id="title")
        self._resized = resized

    def on_resize(self) -> None:
        """Have everything drawn anew when the rest of the screen has its new size, too."""
        self.call_after_refresh(self._resized)


class TableApp(App[None]):
    """A table with one player at it."""

    CSS_PATH = "app.tcss"
    TITLE = "Let It Ride"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,Q,ctrl+c", "leave", "Leave"),
        Binding("question_mark", "rules", "Rules and keys"),
        Binding("h,H", "history", "History"),
        Binding("s,S", "save", "Save"),
        Binding("c,C", "coach", "Coach"),
        Binding("l,L", "look", "Colors"),
        Binding("g,G", "script", "Every step"),
        Binding("space", "hurry", "Hurry"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (HEIGHT_MIN, "-low"), (30, "-high")]  # noqa: RUF012 - as Textual declares it
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-wide")]  # noqa: RUF012 - as Textual declares it

    def __init__(
        self, game: Game, *, theme: Theme = "dark", letters: bool = False, script: bool = False, pace: float = 0.12
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)  # no grays either, then
        self.game = game
        self.failure: LetItRideError | None = None
        """What ended the table, if anything did."""
        self.ask: Ask | None = None
        """What the table waits for; None while the dealer is at work."""
        self._palette = Palette("terminal" if "NO_COLOR" in os.environ else theme, letters)
        self._felt = Felt(game, self._palette)
        self._story = Story(game.session.hands, self._palette.write, script)
        self._slip = Slip(game.session.wanted)
        self._sides = side_keys(game.session.wanted.rules, BOUND)
        self._backs = back_keys(game.session.wanted.rules, BOUND)
        self._stake = ""
        self._pace = pace
        self._hurry = False
        self._told = ""
        self._lines: deque[str] = deque(maxlen=LINES_MAX)

    def compose(self) -> ComposeResult:
        """Lay the table out."""
        yield TitleLine(self.redraw)
        with Horizontal(id="top"):
            yield Static(id="community")
            yield Static(id="pays")
        yield Static(id="seats")
        with Horizontal(id="middle"):
            yield Static(id="mine")
            yield Static(id="panel")
        yield RichLog(id="log", wrap=True, min_width=20)
        yield Static(id="prompt")
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Open the table."""
        self.theme = THEMES[self._palette.theme]
        self.query_one(RichLog).can_focus = False
        for line in greeting(self.game.session.wanted):
            self._write(line)
        self._go_on()

    def redraw(self) -> None:
        """Draw everything anew, for another size or in other colors."""
        log = self.screen_stack[0].query_one(RichLog)
        log.clear()
        for line in self._lines:
            log.write(self._palette.coloured(line), expand=True)
        self._draw()

    def _go_on(self) -> None:
        """Let the dealer work until the table waits for the player."""
        self.ask = None
        self.run_worker(self._deal(), exclusive=True)

    async def _deal(self) -> None:
        session = self.game.session
        try:
            while not session.over:
                moment = session.step()
                if moment is None:
                    break
                self._tell(moment)
                if _is_seen(moment):
                    self._draw()
                    await asyncio.sleep(0 if self._hurry else self._pace)
        except LetItRideError as error:
            self.failure = error
            self.exit()
            return
        self._hurry = False
        self.ask = None if session.over else session.ask()
        self._draw()

    def _tell(self, moment: Moment) -> None:
        self._felt.watch(moment)
        for line in story_lines(self.game, self._story, moment):
            self._write(line)
        if moment.end is not None:
            self._told = ""

    def _write(self, line: str) -> None:
        self._lines.append(line)
        self.screen_stack[0].query_one(RichLog).write(self._palette.coloured(line), expand=True)

    def _draw(self) -> None:
        table = self.screen_stack[0] if self.is_running and self.screen_stack else None
        if table is None or not table.query("#title"):
            return
        width = table.query_one("#title").size.width or self.size.width
        betting = self.ask is not None and self.ask.kind == "bets" and not self.game.broke
        self._felt.compact = self.size.height < HEIGHT_MIN
        drawn = {
            "title": self._felt.title(width),
            "community": self._felt.community(),
            "pays": self._felt.pays(),
            "seats": self._felt.seats(width - 2),
            "mine": self._felt.mine(self._slip if betting else None),
            "panel": Text("\n").join(self._panel()),
            "prompt": Text(self._prompt()),
            "keys": Text(self._keys(width), no_wrap=True),
        }
        for name, text in drawn.items():
            table.query_one(f"#{name}", Static).update(text)

    def _panel(self) -> Iterator[Text]:
        """What the coach says now, or about the round before."""
        thought = self.game.advice() if self.ask is not None and self.ask.kind == "choice" else None
        if thought is not None and self.game.coach == "before":
            yield Text(t("coach.says", words=thought.headline), style="bold")
            yield from map(Text, thought.rows())
            yield Text(t("coach.have", hand=thought.why))
            return
        if self._told:
            yield Text(self._told)
            return
        chosen = self.game.chosen if self.ask is not None and self.game.coach != "off" else []
        if not chosen or self.ask is None or self.ask.kind == "choice":
            yield Text(t(f"coach.mode.{self.game.coach}"), style="dim")
            return
        wrong = [one for one in chosen if one.advice.cost_of(one.choice)]
        yield Text(t("coach.mistakes" if wrong else "coach.right"), style="bold")
        for one in wrong:
            seat = f"{t('seat.asked', seat=one.seat)} " if len(self.game.session.hands) > 1 else ""
            words = one.advice.mistake_words(one.choice, short=True)
            yield Text(seat + t("coach.about", bet=one.advice.bet, words=words))

    def _prompt(self) -> str:
        session = self.game.session
        if session.over:
            return t("ask.over")
        if self.ask is None:
            return t("ask.wait")
        if self.ask.kind == "bank":
            typed = f" {t('ask.staked', stake=f'${self._stake}_')}" if self._stake else ""
            return self.game.question(self.ask) + typed
        if self.ask.kind == "bets" and self.game.broke:
            buys = t("ask.buy.key", amount=dollars(session.wanted.bankroll_cents))
            out = f" {t('ask.pass.key')}" if self.game.which else ""
            return f"{self.game.which}{t('ask.broke', has=dollars(session.stack_cents))} {buys}{out}"
        if self.ask.kind == "bets":
            return f"{self.game.which}{t('ask.bets.hand' if self.game.which else 'ask.bets.key')}"
        return self.game.question(self.ask, {wager.id: key for key, wager in self._backs.items()})

    def _keys(self, width: int) -> str:
        """Return the keys, as many of them as have room."""
        own = t(f"bar.{'wait' if self.ask is None else self.ask.kind}")
        line = f" {own}  │  {t('bar.always')}"
        return line if len(line) <= width else line[: line.rfind("  ", 0, width + 1)].removesuffix("  │")

    async def on_key(self, event: events.Key) -> None:
        """Do what a key says at this moment."""
        if len(self.screen_stack) > 1 or self.ask is None:
            return
        try:
            self._answer(self.ask, event.key, (event.character or "").lower())
        except InvalidData as error:
            self._note(as_sentence(error))
        self._draw()

    def _answer(self, ask: Ask, key: str, sign: str) -> None:
        match ask.kind:
            case "choice":
                typed = {
                    "r": Typed("choice", choice="ride"),
                    "t": Typed("choice"),
                    "u": Typed("tuck"),
                    "v": Typed("claim"),
                    **{key: Typed("take_back", spot=wager.spot) for key, wager in self._backs.items()},
                }
                if sign in typed:
                    self._do(typed[sign])
            case "bank":
                self._bank(key, sign)
            case "bets":
                self._bets(key, sign)

    def _bets(self, key: str, sign: str) -> None:
        if sign == "$":
            self._do(Typed("buy"))
        elif self.game.broke:
            if key == "enter" and self.game.which:
                self._do(Typed("pass"))
        elif sign.isascii() and (sign.isdecimal() or sign == "."):
            self._slip.key(sign)
        elif sign in self._sides:
            self._slip.toggle(self._sides[sign].id)
        elif sign in {"+", "="} or key == "right":
            self._slip.nudge(1)
        elif sign == "-" or key == "left":
            self._slip.nudge(-1)
        elif key in {"up", "down", "tab"}:
            self._slip.move(-1 if key == "up" else 1)
        elif key == "backspace":
            self._slip.rub_out()
        elif key == "enter":
            self._slip.typed = ""
            wagers = self._slip.wagers()
            self._do(Typed("bets", wagers=wagers) if wagers or not self.game.which else Typed("pass"))

    def _bank(self, key: str, sign: str) -> None:
        if sign.isascii() and sign.isdecimal() and len(self._stake) < 7:
            self._stake += sign
        elif key == "backspace":
            self._stake = self._stake[:-1]
        elif sign == "d":
            self._do(Typed("decline"))
        elif key == "enter":
            stake, self._stake = int(self._stake or 0) * 100, ""
            self._do(Typed("take", cents=stake))

    def _do(self, typed: Typed) -> None:
        thought = self.game.do(typed)
        self._told = " ".join(thought)
        if typed.what != "pass":  # nothing was done then
            self._tell(self.game.session.done)
        for line in thought:
            self._write(line)
        self._go_on()

    def _note(self, sentence: str) -> None:
        self._told = sentence
        self._write(sentence)
        self._draw()

    def action_rules(self) -> None:
        """Show the rules of the table and the keys."""
        self.push_screen(Page(help_text(self.game)))

    def action_history(self) -> None:
        """Show the session and its rounds."""
        self.push_screen(Page(history_text(self.game, self._palette)))

    def action_coach(self) -> None:
        """Let the coach speak before, after, or not at all."""
        self._note(self.game.do(Typed("coach"))[0])

    def action_look(self) -> None:
        """Take the next colors."""
        names = list(THEMES)
        self._palette.theme = names[(names.index(self._palette.theme) + 1) % len(names)]
        self.theme = THEMES[self._palette.theme]
        self.redraw()

    def action_script(self) -> None:
        """Show every step of the dealer in the log, or what a player wants to know."""
        self._story.script = not self._story.script
        self._note(t("log.script" if self._story.script else "log.short"))

    def action_hurry(self) -> None:
        """Do the rest of the dealer's steps at once."""
        self._hurry = self.ask is None

    async def action_save(self) -> None:
        """Save the rounds that are over."""
        try:
            self._note(await asyncio.to_thread(save, self.game.session))
        except InvalidData as error:
            self._note(as_sentence(error))

    def action_leave(self) -> None:
        """Leave the table, in the middle of a round after a question."""

        def answered(leaves: bool | None) -> None:
            if leaves:
                self.exit()

        if self.game.session.in_round:
            self.push_screen(Confirm(), answered)
        else:
            self.exit()


def _is_seen(moment: Moment) -> bool:
    return any(
        isinstance(event, ChoiceMade) or (isinstance(event, StepDone) and event.step.kind in SEEN)
        for event in moment.events
    )
