"""Screens: what opens over the table: rules and keys, past rounds, the question whether to leave; they play nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from letitride.cli.terminal.account import summary
from letitride.cli.terminal.felt import BOUND
from letitride.cli.terminal.game import Game
from letitride.cli.terminal.hands import read_words
from letitride.cli.terminal.language import listed, t
from letitride.cli.terminal.palette import Palette
from letitride.cli.terminal.sign import best_play_lines, greeting, pays_lines, rules_lines
from letitride.cli.terminal.typed import back_keys, side_keys
from letitride.cli.terminal.wanted import Wanted
from letitride.rules.money import dollars

KEYS: Final = (
    ("R  T", "decide"),
    ("U  V", "tuck"),
    ("0-9 .", "amount"),
    ("↑  ↓", "line"),
    ("+  -", "step"),
    ("Enter", "enter"),
    ("", "empty"),
    ("D", "pass"),
    ("$", "buy"),
    ("", "hurry"),
    ("C", "coach"),
    ("L", "colors"),
    ("G", "script"),
    ("H  S  Q", "session"),
)
"""The keys, and the ends of the keys of their texts."""


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
        yield Static(t("page.keys"), id="page-keys")

    def on_mount(self) -> None:
        """Let keys scroll at once."""
        self.query_one("#page").focus()


class Confirm(ModalScreen[bool]):
    """Asks whether to leave in the middle of a round."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,q", "answer(True)", "Leave"),
        Binding("n,escape", "answer(False)", "Stay"),
    ]

    def compose(self) -> ComposeResult:
        """Ask."""
        yield Static(f"{t('leave.question')}\n\n{t('leave.keys')}", id="confirm")

    def action_answer(self, leaves: bool) -> None:
        """Close with the answer."""
        self.dismiss(leaves)


def help_text(game: Game) -> Text:
    """Return the rules of the table and the keys."""
    wanted = game.session.wanted
    parts = [_heading(t("help.table")), *map(Text, greeting(wanted))]
    parts += [_heading(t("help.keys")), *(Text(f"  {keys:<9} {what}") for keys, what in _keys(wanted))]
    parts += [_heading(t("help.game")), *map(Text, rules_lines(wanted))]
    for title, rows in pays_lines(wanted):
        parts.append(_heading(title))
        parts += [Text(f"  {hand:<22}{odds:>14}") for hand, odds in rows]
    if game.coach != "off":
        parts += [_heading(t("help.best")), *map(Text, best_play_lines(wanted))]
    return Text("\n").join(parts)


def _keys(wanted: Wanted) -> Iterator[tuple[str, str]]:
    """Yield the keys with what each does, those of this table's side bets last."""
    yield from ((t("keys.space") if what == "hurry" else key, t(f"keys.{what}")) for key, what in KEYS)
    for key, wager in side_keys(wanted.rules, BOUND).items():
        yield key.upper(), t("keys.side", bet=wager.title)
    if "match_play" in wanted.rules.rules.bet.media:
        yield "", t("keys.coupon")
    for key, wager in back_keys(wanted.rules, BOUND).items():
        percent = str(wager.withdraw_percent)
        yield key.upper(), t("keys.back", bet=wager.title, when=listed(wager.withdraw), percent=percent)


def history_text(game: Game, palette: Palette) -> Text:
    """Return the result of the session and its rounds, the last one first."""
    session = game.session
    sums = summary(session.account, bought_cents=session.bought_cents, net_cents=session.net_cents)
    parts: list[Text] = [_heading(t("history.session")), *map(Text, sums), _heading(t("history.rounds"))]
    parts += _rounds(game, palette)
    return Text("\n").join(parts)


def _rounds(game: Game, palette: Palette) -> Iterable[Text]:
    for entry in reversed(game.session.account.entries):
        cards = palette.coloured(f"{palette.write(entry.cards):<12} {palette.write(entry.community):<9}")
        what = read_words(entry.hand) or t("history.banked" if entry.bank_stake_cents else "history.none")
        net = Text(f"{dollars(entry.net_cents, signed=True):>9}  ", style="green" if entry.net_cents > 0 else "")
        yield Text(f"{entry.number:>4} ") + net + cards + Text(f" {what}")


def _heading(title: str) -> Text:
    return Text(f"\n{title}", style="bold")
