"""Record: what a round record says, line by line, as values; how the lines are read is the reader's business."""

from __future__ import annotations

from dataclasses import dataclass, field

from letitride.engine.commands import AnyCommand


@dataclass(frozen=True, slots=True)
class Setting:
    """`set KEY = VALUE`: one of the table's own values, as it is written."""

    key: str
    value: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Action:
    """One act of a person; `refused` is the code with which it must be refused, if the line says so."""

    command: AnyCommand
    line: int = field(default=0, compare=False)
    refused: str = ""
    ruled: tuple[str, ...] = ()
    """The decision that must follow, and the clauses it must rest on ('house' for none), if the line says so."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Where the cards of a round come from: a deck order, or the hands that are to come out of it.

    A card is written 'Ah^' where it lies face up in the deck, and 'Ah*' where it does not belong to it.
    """

    order: tuple[str, ...] = ()
    hands: tuple[tuple[int, tuple[str, ...]], ...] = ()
    community: tuple[str, ...] = ()
    burn: tuple[str, ...] = ()
    """The cards that are burned, first to last."""
    dice: int = 0
    """What the dice cup showed, where it finds the seat at which settling starts."""
    missing: tuple[str, ...] = ()
    """Cards that the deck lacks, without anyone knowing."""
    lines: tuple[tuple[str, int], ...] = field(default=(), compare=False)
    """What the record names, such as 'hand 1' or 'community', and the line on which it does."""

    def line(self, what: str) -> int:
        """Return the line that names something of this deal; 0 where none does."""
        return dict(self.lines).get(what, 0)

    def line_of(self, card: str) -> int:
        """Return the line that names one of the cards of this deal."""
        hands = {f"hand {seat}": cards for seat, cards in self.hands}
        named = {"deck": self.order, "community": self.community, "burn": self.burn, **hands}
        return next(self.line(what) for what, cards in named.items() if {card, f"{card}^"} & {*cards})


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its cards and what the people did."""

    dealt: Dealt
    actions: tuple[Action, ...]
    line: int = field(default=0, compare=False)
    redealt: Dealt | None = None
    """The cards of a second deal in the same round."""


@dataclass(frozen=True, slots=True)
class Record:
    """A table and the rounds played at it."""

    rulebook: str
    settings: tuple[Setting, ...]
    opening: tuple[Action, ...]
    """What was done before the first round: players sitting down, and steps of a dealer who is not automatic."""
    rounds: tuple[Round, ...]
    line: int = field(default=0, compare=False)
    auto: bool = True
    """Whether the automatic dealer does the steps of the script that the record leaves out."""
    digest: str = ""
    """The SHA-256 of the book with the table's own values, where the record says it."""
