"""Screens: what lies over the table for a while: rules and keys, rounds so far, the question whether to leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from letitride.cli.terminal.account import summary
from letitride.cli.terminal.felt import BOUND
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.palette import Palette
from letitride.cli.terminal.sign import best_play_lines, greeting, pays_lines, rules_lines
from letitride.cli.terminal.typed import back_keys, side_keys
from letitride.cli.terminal.wanted import Wanted
from letitride.rules.money import dollars

KEYS = (
    ("R  P", "let the bet ride, pull it back"),
    ("T  V", "tuck early; show or wave the cards (by some books)"),
    ("0-9 .", "type an amount for the line with the mark"),
    ("Up Down", "another line of the slip"),
    ("+  -", "a step more, a step less"),
    ("Enter", "bet, or take the bank with the stake typed"),
    ("", "on an empty slip: pass, this hand of two sits out"),
    ("D", "decline the bank"),
    ("$", "buy chips again, between rounds"),
    ("Space", "the rest of the dealer's steps at once"),
    ("C", "coach: silent, after a mistake, before each choice"),
    ("L", "colours: dark, light, the terminal's own"),
    ("G", "every step of the dealer in the log, with clauses"),
    ("H  S  Q", "history; save the rounds as a record; leave"),
)


class Page(ModalScreen[None]):
    """Text over the table; arrows scroll it, Escape closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,question_mark,h", "dismiss", "Close"),
    ]

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Lay the text out."""
        with VerticalScroll(id="page"):
            yield Static(self._text)
        yield Static("Arrows scroll · Escape closes", id="page-keys")

    def on_mount(self) -> None:
        """Let keys scroll at once."""
        self.query_one("#page").focus()


class Confirm(ModalScreen[bool]):
    """Asks whether to leave in mid-round."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,q", "answer(True)", "Leave"),
        Binding("n,escape", "answer(False)", "Stay"),
    ]

    def compose(self) -> ComposeResult:
        """Ask."""
        yield Static(
            "A round is on. If you leave, it goes on as the book rules for a player who is away.\n\nY leaves, N stays.",
            id="confirm",
        )

    def action_answer(self, leaves: bool) -> None:
        """Close with the answer."""
        self.dismiss(leaves)


def help_text(game: Game) -> Text:
    """Return the rules of the table and the keys."""
    wanted = game.session.wanted
    parts = [_heading("This table"), *map(Text, greeting(wanted))]
    parts += [_heading("Keys"), *(Text(f"  {keys:<9} {what}") for keys, what in (*KEYS, *_side_keys(wanted)))]
    parts += [_heading("The game"), *map(Text, rules_lines(wanted))]
    for title, rows in pays_lines(wanted):
        parts.append(_heading(f"Pays of {title}"))
        parts += [Text(f"  {hand:<18}{odds:>12}") for hand, odds in rows]
    if game.coach != "off":
        parts += [_heading("Best play"), *map(Text, best_play_lines(wanted))]
    return Text("\n").join(parts)


def _side_keys(wanted: Wanted) -> Iterator[tuple[str, str]]:
    for key, wager in side_keys(wanted.rules, BOUND).items():
        yield key.upper(), f"{wager.title}: put the least down, or take it away"
    if "match_play" in wanted.rules.rules.bet.media:
        yield "", "with --plain, a match-play coupon: 10 coupon 5"
    for key, wager in back_keys(wanted.rules, BOUND).items():
        when = " or ".join(map(str, wager.withdraw))
        yield key.upper(), f"{wager.title}: take it back at bet {when}; {wager.withdraw_percent} % comes back"


def history_text(game: Game, palette: Palette) -> Text:
    """Return the rounds so far, the last one first, and what they came to."""
    session = game.session
    sums = summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents)
    parts: list[Text] = [_heading("The session"), *map(Text, sums), _heading("Rounds, the last one first")]
    parts += _rounds(game, palette)
    return Text("\n").join(parts)


def _rounds(game: Game, palette: Palette) -> Iterable[Text]:
    for entry in reversed(game.session.account.entries):
        cards = palette.coloured(f"{palette.write(entry.cards):<12} {palette.write(entry.community):<9}")
        what = entry.hand or ("you banked" if entry.bank_stake_cents else "no hand")
        net = Text(f"{dollars(entry.net_cents, signed=True):>9}  ", style="green" if entry.net_cents > 0 else "")
        yield Text(f"{entry.number:>4} ") + net + cards + Text(f" {what}")


def _heading(title: str) -> Text:
    return Text(f"\n{title}", style="bold")
