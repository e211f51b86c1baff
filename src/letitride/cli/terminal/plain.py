"""Plain: the terminal table line by line, for listeners and pipes; each line stands by itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from letitride.cli.io.output import stop_writing
from letitride.cli.terminal.account import session_figures, summary
from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.hands import read_words
from letitride.cli.terminal.language import t
from letitride.cli.terminal.round_line import round_line
from letitride.cli.terminal.saving import save
from letitride.cli.terminal.session import Session
from letitride.cli.terminal.sign import best_play_lines, greeting, pays_lines, rules_lines
from letitride.cli.terminal.story import Story, in_words
from letitride.cli.terminal.typed import read_line
from letitride.errors import InvalidData
from letitride.records.rounds import Moment
from letitride.rules.money import dollars
from letitride.rules.plain import plain

HELP: Final = ("bets", "decide", "back", "coupon", "session")
"""The lines that say what can be typed, by the ends of the keys of their texts."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Where lines come from and go to; with JSON, rounds go to stdout and all talk elsewhere."""

    game: Game
    story: Story
    read: Callable[[], str]
    """Returns the next line with its end, or nothing where there is none."""
    say: Callable[[str], None]
    tell: Callable[[object], None] | None = None
    """Takes a round as data."""

    def play(self) -> None:
        """Play until the rounds are over, the player leaves, or the input ends."""
        session = self.game.session
        self._say(greeting(session.wanted))
        self.say(t("greet.help"))
        while not session.over:
            moment = session.step()
            if moment is not None:
                self._moment(moment)
            elif not self._ask():
                break
        farewell(self.game, self.story, self.say, self._end)
        if self.tell is not None:
            book, seed = session.wanted.rules.book.id, session.wanted.seed
            figures = session_figures(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents)
            self.tell({"type": "session", "rulebook": book, "seed": seed, **plain(figures)})

    def _ask(self) -> bool:
        """Ask for what the table waits for until it is given; whether it was."""
        ask = self.game.session.ask()
        if self.game.coach == "before" and (advised := self.game.advice()) is not None:
            self._say(_advice_lines(advised))
        while True:
            self.say(self.game.question(ask))
            line = self.read()
            if not line:
                self.say(t("told.input_ended"))
                return False
            try:
                typed = read_line(line, ask, self.game.session.wanted.rules, self.game.wagers)
                match typed.what:
                    case "quit":
                        return False
                    case "help":
                        self._help()
                    case "history":
                        self._say(history_lines(self.game.session))
                    case "save":
                        self.say(save(self.game.session, typed.text))
                    case "coach":
                        self._say(self.game.do(typed))
                    case "pass":
                        self.game.do(typed)
                        return True
                    case _:
                        thought = self.game.do(typed)
                        self._moment(self.game.session.done)
                        self._say(thought)
                        return True
            except InvalidData as error:
                self.say(as_sentence(error))

    def _moment(self, moment: Moment) -> None:
        self._say(story_lines(self.game, self.story, moment))
        if moment.end is not None:
            self._end()

    def _end(self) -> None:
        """Give the round that is over out as data."""
        if self.tell is not None:
            for entry in self.game.session.account.last():
                self.tell(round_line(self.game.session, entry, self.game.chosen))
        self.game.chosen = []

    def _help(self) -> None:
        wanted = self.game.session.wanted
        self._say(rules_lines(wanted))
        for title, rows in pays_lines(wanted):
            self.say(f"{title}: {'; '.join(f'{hand} {odds}' for hand, odds in rows)}.")
        if self.game.coach != "off":
            self._say(best_play_lines(wanted))
        self._say(t(f"typing.{one}") for one in HELP)

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)


def story_lines(game: Game, story: Story, moment: Moment) -> Iterator[str]:
    """Yield what a moment has to tell, and at the end of a round its result."""
    yield from story.lines(moment)
    if moment.end is not None and game.session.last is not None:
        yield from story.ending(game.session.last, None if game.session.gone else game.session.chips_cents)


def as_sentence(error: InvalidData) -> str:
    """Return what was wrong as a sentence of its own."""
    said = str(error)
    return f"{said[:1].upper()}{said[1:].removesuffix('.')}."


def farewell(game: Game, story: Story, say: Callable[[str], None], ended: Callable[[], None] = lambda: None) -> None:
    """Let the player leave, in the middle of a round too, and say the result of the session."""
    session = game.session
    if session.in_round:
        say(t("leave.round"))
    for moment in session.leave():
        for line in story_lines(game, story, moment):
            say(line)
        if moment.end is not None:
            ended()
    for line in summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents):
        say(line)


def _advice_lines(thought: Advice) -> Iterator[str]:
    yield t("coach.says", words=f"{thought.headline} {t('coach.have', hand=thought.why)}")
    yield from thought.values()


def history_lines(session: Session) -> Iterator[str]:
    """Yield the past rounds, a line each, and the result of the session."""
    for entry in session.account.entries:
        hand = ": ".join(part for part in (in_words(entry.cards), read_words(entry.hand)) if part)
        what = t("history.banked") if entry.bank_stake_cents else hand or t("history.none")
        seat = f"{t('seat.asked', seat=entry.seat)} " if len(session.hands) > 1 else ""
        net = dollars(entry.net_cents, signed=True)
        yield seat + t("history.round", round=entry.number, what=what, net=net)
    yield from summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents)


def to_stdout(line: str) -> None:
    """Print a line at once, and end quietly where the reader is gone."""
    try:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        stop_writing()


def to_stderr(line: str) -> None:
    """Print a line of talk."""
    sys.stderr.write(f"{line}\n")


def as_json_line(data: object) -> None:
    """Print data as one line of JSON."""
    to_stdout(json.dumps(plain(data), ensure_ascii=False, allow_nan=False))
