"""Palette: how cards look on a screen: rank, sign or letter of the suit, four colors; never a card's worth."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from rich.text import Text

from letitride.rules.cards import Card

Theme = Literal["dark", "light", "terminal"]
THEMES: Final[dict[Theme, str]] = {"dark": "textual-dark", "light": "textual-light", "terminal": "ansi-dark"}
"""The themes, and what Textual calls them; the last has the terminal's own colors."""
_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_COLOURS: Final[dict[Theme, dict[str, str]]] = {
    "dark": {"s": "bold #f4f4f4", "h": "bold #ff7b7b", "d": "bold #6db6ff", "c": "bold #63d68f"},
    "light": {"s": "bold #101010", "h": "bold #b81414", "d": "bold #0f4fb0", "c": "bold #0a6b2d"},
    "terminal": {"s": "bold", "h": "bold red", "d": "bold blue", "c": "bold green"},
}
_SHOWN: Final = re.compile(r"\b(10|[2-9JQKA])([♣♦♥♠cdhs])(?![a-z])")


@dataclass(slots=True)
class Palette:
    """The look of cards in a theme."""

    theme: Theme = "dark"
    letters: bool = False

    def suit(self, suit: str) -> str:
        """Return a suit as it is written."""
        return suit if self.letters else _SIGNS[suit]

    def name(self, card: Card) -> str:
        """Return a card in two or three signs."""
        return f"{str(card)[0].replace('T', '10')}{self.suit(card.suit)}"

    def write(self, cards: Iterable[Card]) -> str:
        """Return cards for a line of text."""
        return " ".join(map(self.name, cards))

    def small(self, shown: str, *, faded: bool = False) -> Text:
        """Return a card of a view in two or three signs: a face, or the back of one."""
        if shown.startswith("["):
            return Text("▒▒", style="dim")
        card = Card.parse(shown)
        style = _COLOURS[self.theme][card.suit]
        return Text(self.name(card), style=f"{style} dim" if faded else style)

    def large(self, shown: str | None, *, faded: bool = False) -> list[Text]:
        """Return a card of a view as four lines; None leaves a place where a card will lie."""
        if shown is None:
            return [Text(line, style="dim") for line in ("┌╌╌╌╌┐", "╎    ╎", "╎    ╎", "└╌╌╌╌┘")]
        if shown.startswith("["):
            return [Text(line, style="dim") for line in ("╭────╮", "│▒▒▒▒│", "│▒▒▒▒│", "╰────╯")]
        card = Card.parse(shown)
        rank = shown[0].replace("T", "10")
        style = _COLOURS[self.theme][card.suit] + (" dim" if faded else "")
        edge = "dim" if faded else ""
        inside = (f" {rank:<3}", f"  {self.suit(card.suit)} ")
        middle = [Text.assemble(("│", edge), (row, style), ("│", edge)) for row in inside]
        return [Text("╭────╮", style=edge), *middle, Text("╰────╯", style=edge)]

    def coloured(self, line: str) -> Text:
        """Return a line of text with its cards in their colors."""
        text = Text(line)
        for match in _SHOWN.finditer(line):
            suit = {sign: letter for letter, sign in _SIGNS.items()}.get(match[2], match[2])
            text.stylize(_COLOURS[self.theme][suit], match.start(), match.end())
        return text


def side_by_side(blocks: Iterable[list[Text]], gap: str = " ") -> Text:
    """Return blocks of equally many lines beside one another."""
    lines = [Text(gap).join(row) for row in zip(*blocks, strict=True)]
    return Text("\n").join(lines)
