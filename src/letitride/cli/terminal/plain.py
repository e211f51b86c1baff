"""Plain: the terminal table line by line, for listeners and pipes; each line stands by itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from letitride.cli.io.output import stop_writing
from letitride.cli.terminal.account import session_figures, summary
from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.game import Game
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

HELP = (
    "Type an amount to bet it on each of the three spots. Side bets follow by name: 10 bonus 1. A few letters will do.",
    "Enter alone bets the same again. R or ride, P or pull for your choices. T tucks, V shows or waves, where offered.",
    "P NAME takes a side bet back, where offered: p way out. pass sits one of two hands out.",
    "10 coupon 5 lays a match-play coupon of $5 beside the third bet, where the table takes coupons.",
    "C changes when the coach speaks, H tells the rounds so far, S FILE saves them, buy AMOUNT buys chips, Q leaves.",
)


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
        """Play until the rounds are over, the person leaves, or the input ends."""
        session = self.game.session
        self._say(greeting(session.wanted))
        self.say("Type ? for the rules and for what you can type.")
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
                self.say("The input has ended.")
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
                self.say(f"{error}".removesuffix(".") + ".")

    def _moment(self, moment: Moment) -> None:
        self._say(told(self.game, self.story, moment))
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
            self.say(f"Pays of {title}: {'; '.join(f'{hand} {odds}' for hand, odds in rows)}.")
        if self.game.coach != "off":
            self._say(best_play_lines(wanted))
        self._say(HELP)

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)


def told(game: Game, story: Story, moment: Moment) -> Iterator[str]:
    """Yield what a moment has to tell, and at the end of a round what it came to."""
    yield from story.lines(moment)
    if moment.end is not None and game.session.last is not None:
        yield from story.ending(game.session.last, None if game.session.gone else game.session.chips_cents)


def farewell(game: Game, story: Story, say: Callable[[str], None], ended: Callable[[], None] = lambda: None) -> None:
    """Let the person get up, in mid-round too, and say what the session came to."""
    session = game.session
    if session.in_round:
        say("You leave in mid-round: it goes on as the book rules for a player who is away.")
    for moment in session.leave():
        for line in told(game, story, moment):
            say(line)
        if moment.end is not None:
            ended()
    for line in summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents):
        say(line)


def _advice_lines(thought: Advice) -> Iterator[str]:
    yield f"Coach: {thought.headline}. You hold {thought.why}."
    yield f"Coach: {'; '.join(thought.values())}."


def history_lines(session: Session) -> Iterator[str]:
    """Yield the rounds so far, a line each, and what they came to."""
    for entry in session.account.entries:
        what = "you banked" if entry.bank_stake_cents else f"{in_words(entry.cards)}: {entry.hand or 'no hand'}"
        seat = f", seat {entry.seat}" if len(session.hands) > 1 else ""
        yield f"Round {entry.number}{seat}: {what}; {dollars(entry.net_cents, signed=True)}."
    yield from summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents)


def to_stdout(line: str) -> None:
    """Print a line at once, and end quietly where nobody reads any more."""
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
