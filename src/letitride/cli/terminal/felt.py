"""Felt: a table as one player's view shows it, as text for a screen; it draws what the view says and no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from letitride.cli.terminal.game import Game
from letitride.cli.terminal.hands import hand_words, read_words
from letitride.cli.terminal.language import bet_name, t
from letitride.cli.terminal.palette import Palette, side_by_side
from letitride.cli.terminal.sign import pays_rows
from letitride.cli.terminal.slip import Slip
from letitride.cli.terminal.story import fate
from letitride.cli.terminal.typed import side_keys
from letitride.engine.view_types import CardView, SeatView
from letitride.records.rounds import Moment, ShownHand
from letitride.rules.limits import spot_limits
from letitride.rules.money import dollars
from letitride.rules.settlement import WagerResult
from letitride.rules.wager_table import BASE_SPOTS

BOUND: Final = "qhsclg"
"""The letters that mean something wherever the table is, and so no side bet."""
SEAT_WIDTH: Final = 11
"""How many signs a seat takes at least."""


class Felt:
    """Draws the table; cards and results of a round stay in sight, faded, until the next one is dealt."""

    def __init__(self, game: Game, palette: Palette) -> None:
        self._game = game
        self.palette = palette
        self.compact = False
        """Whether cards are drawn in a line, for a low screen."""
        self._cards: dict[int, tuple[CardView, ...]] = {}
        self._community: tuple[CardView, ...] = ()
        self._results: dict[int, tuple[WagerResult, ...]] = {}
        self._hands: dict[int, ShownHand] = {}
        self._banked = 0
        self._bank_net = 0
        self.seen = game.session.seen()

    def watch(self, moment: Moment | None) -> None:
        """Look at the table again, and keep what will be gone when the dealer gathers the cards."""
        session = self._game.session
        self.seen = session.seen()
        if moment is not None and moment.before is not None and moment.before.phase != "dealing" == self.seen.phase:
            self._cards, self._community, self._results, self._hands = {}, (), {}, {}
            self._banked = 0
        for number, seat in self.seen.seats.items():
            self._cards[number] = seat.cards or self._cards.get(number, ())
        self._community = self.seen.community or self._community
        if moment is not None and moment.end is not None and session.last is not None:
            self._results = dict(session.last.results)
            self._banked = session.last.bank[0] if session.last.bank else 0
            self._bank_net = -sum(row.net_cents for rows in self._results.values() for row in rows)
            self._hands = {entry.seat: entry.hand for entry in session.account.last()}

    def title(self, width: int) -> Text:
        """Return the line at the top: the table on the left, the player's chips on the right; what fits is whole."""
        session, wanted = self._game.session, self._game.session.wanted
        spot = spot_limits(wanted.rules.rules.limit)
        limits = f"{dollars(spot.cents_min)}-{dollars(spot.cents_max)}"
        book = wanted.rules.book.title.partition(":")[0]  # what follows is on the help page
        practice = [t("title.practice")] if wanted.seed is not None else []
        number, jackpots = t("title.round", round=self.seen.round), self._game.jackpots()
        parts = ["Let It Ride", book, limits, number, *practice, *jackpots]
        right = f"{dollars(session.chips_cents)} ({dollars(session.net_cents, signed=True)}) "
        for least in (book, "Let It Ride", *practice, *reversed(jackpots), limits, number):
            if len(_title(parts)) < width - len(right):
                break
            parts.remove(least)
        return Text(_title(parts).ljust(width - len(right)) + right, no_wrap=True)

    def community(self) -> Text:
        """Return the community cards."""
        shown: list[str | None] = [*self._community]
        shown = [*shown, None, None][: max(2, len(shown))]
        gone = not self.seen.community
        if self.compact:
            return Text(f"{t('felt.community')}: ") + self._line(self._community, faded=gone)
        cards = side_by_side([self.palette.large(card, faded=gone) for card in shown])
        return Text("\n").join([cards, Text(t("felt.community"), style="dim")])

    def pays(self) -> Text:
        """Return what the base bets pay, in two columns."""
        wanted = self._game.session.wanted
        rows = pays_rows(wanted.rules.base_pays, wanted)
        half = (len(rows) + 1) // 2
        session = self._game.session
        reached = {
            hand_words(entry.category)
            for entry in (session.account.last() if self._results else ())
            if any(row.fate == "won" and row.wager in BASE_SPOTS for row in entry.results)
        }
        wide, narrow = max(len(hand) for hand, _ in rows) + 1, max(len(odds) for _, odds in rows)
        lines: list[Text] = []
        for place in range(half):
            line = Text()
            for hand, odds in rows[place::half]:
                line.append(f"{hand:<{wide}}{odds:>{narrow}}", style="bold reverse" if hand in reached else "")
                line.append("  ")
            lines.append(line)
        return Text("\n", no_wrap=True).join(lines)

    def seats(self, width: int) -> Text:
        """Return the players side by side; where not all have room, those nearest to the seat that is asked."""
        seated = {number: seat for number, seat in self.seen.seats.items() if seat.player}
        if not seated:
            return Text(t("felt.opening"), style="dim")
        numbers, room = [*seated], max(1, width // SEAT_WIDTH)
        at = numbers.index(self._game.session.seat) if self._game.session.seat in seated else 0
        first = max(0, min(at - room // 2, len(numbers) - room))
        seated = {number: seated[number] for number in numbers[first : first + room]}
        column = max(SEAT_WIDTH, min(16, width // len(seated)))
        blocks = [[_fit(row, column) for row in self._seat(number, seat)] for number, seat in seated.items()]
        return side_by_side(blocks, gap="")

    def _seat(self, number: int, seat: SeatView) -> Iterator[Text]:
        step = self._game.session.table.next_step
        turn = step is not None and step.seat == number and step.kind in {"ask", "await_choice", "await_bank"}
        mine = number in self._game.session.hands
        name = t("felt.you") if mine else seat.player
        yield Text(f"{'▶' if turn else ' '}{number} {name}", style="bold underline" if mine else "")
        faded = not seat.cards
        cards = [self.palette.small(card, faded=faded) for card in self._cards.get(number, ())]
        apart = sum(map(len, cards)) + len(cards) < SEAT_WIDTH  # three tens are as wide as a seat
        yield Text(" ") + Text(" " if apart else "").join(cards)
        bank = self.seen.bank
        if bank is not None and bank.seat == number:
            yield Text(f" {t('felt.bank', chips=dollars(bank.chips_cents))}", style="bold")
        else:
            yield Text(" ") + _spots(seat)
        rows = self._results.get(number, ())
        net = sum(row.net_cents for row in rows) if rows else self._bank_net
        won = Text(f" {dollars(net, signed=True)}", style="bold green" if net > 0 else "red" if net < 0 else "")
        if rows or number == self._banked:
            yield won
            return
        yield Text(f" {dollars(seat.stack_cents)}", style="dim")

    def mine(self, slip: Slip | None) -> Text:
        """Return the player's own cards, and beside them the bets or the slip on which they are made."""
        number = self._game.session.seat
        shown: list[str | None] = [*self._cards.get(number, ())]
        shown = [*shown, None, None, None][: max(3, len(shown))]
        gone = not self.seen.seats[number].cards
        beside = list(self._slip_lines(slip) if slip is not None else self._bet_lines(number))
        made = read_words(self._hands.get(number, ShownHand())).capitalize()
        if self.compact:
            cards = self._line(self._cards.get(number, ()), faded=gone)
            first = Text(self._game.which or f"{t('felt.hand')}: ") + cards + Text(f" {made}", style="italic")
            return Text("\n").join([first, *_joined(beside, 2 if slip is not None else 3)])
        blocks = [self.palette.large(card, faded=gone) for card in shown]
        height = max(len(blocks[0]), len(beside))
        padded = [[*block, *([Text(" " * 6)] * (height - 4))] for block in blocks]
        lines = side_by_side([*padded, [*beside, *([Text("")] * (height - len(beside)))]])
        return Text("\n").join([lines, Text(f"{self._game.which}{made}", style="italic")])

    def _line(self, cards: tuple[CardView, ...], *, faded: bool) -> Text:
        return Text(" ").join([self.palette.small(card, faded=faded) for card in cards])

    def _slip_lines(self, slip: Slip) -> Iterator[Text]:
        rules = self._game.session.wanted.rules
        keys = {wager.id: f"[{key.upper()}] " for key, wager in side_keys(rules, BOUND).items()}
        for name, cents in slip.cents.items():
            here = name == slip.name
            amount = f"${slip.typed}_" if here and slip.typed else dollars(cents) if cents else "-"
            wager = rules.wagers[name]
            bet = t("slip.base") if wager.is_base else f"{keys.get(name, '')}{wager.title}"
            words = f"{'▶' if here else ' '} {bet} {amount}"
            yield Text(words, style="bold" if here else "")

    def _bet_lines(self, number: int) -> Iterator[Text]:
        rules, seat = self._game.session.table.rules, self.seen.seats[number]
        results = {row.wager: row for row in self._results.get(number, ())}
        if results:
            for name, row in results.items():
                style = "bold green" if row.fate == "won" else "red" if row.fate == "lost" else "dim"
                yield Text(f" {bet_name(rules.by_spot, name)}: {fate(row)}", style=style)
            return
        for name in rules.by_spot:
            if name not in seat.wagers:
                continue
            chosen = seat.choices.get(BASE_SPOTS.index(name) + 1) if name in BASE_SPOTS else None
            back = chosen == "withdraw" or name in self._game.session.table.seats[number].withdrawn
            state = t("fate.withdrawn") if back else t("felt.rides") if chosen else dollars(seat.wagers[name])
            yield Text(f" {bet_name(rules.by_spot, name)}: {state}", style="dim" if back else "")


def _title(parts: list[str]) -> str:
    return f" {' · '.join(parts)}"


def _spots(seat: SeatView) -> Text:
    """The three spots in a few signs: a full one has a bet, an empty one was taken back."""
    if not seat.wagers:
        return Text(t("felt.out" if seat.sitting_out else "felt.no_bet"), style="dim")
    wagers = seat.wagers
    marks = [f"{spot[-1]}{'●' if wagers[spot] else '○'}" for spot in BASE_SPOTS if spot in wagers]
    extra = len(seat.wagers) - len(marks)
    return Text(" ".join(marks) + f" +{extra}" * bool(extra))


def _joined(lines: list[Text], many: int) -> Iterator[Text]:
    """Yield short lines, so many to a line."""
    for place in range(0, len(lines), many):
        yield Text(" ").join(lines[place : place + many])


def _fit(text: Text, width: int) -> Text:
    """Return text as wide as wanted; what is too long ends after a whole word, so that no amount becomes another."""
    fitted = text.copy()
    if len(text) > width:
        fitted.right_crop(len(text) - max(0, text.plain.rfind(" ", 0, width + 1)))
    fitted.truncate(width, pad=True)
    return fitted
