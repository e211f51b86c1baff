"""Wanted: the table a player asks for: its rules, who sits where and with how much; each value checked, none dealt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from letitride.cli.terminal.language import t
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.limits import BASE_BETS, spot_limits
from letitride.rules.money import dollars
from letitride.rules.refs import is_path
from letitride.rules.table_rules import TableRules
from letitride.rules.values import Values
from letitride.training.coach_data import CoachMode

"""When the coach speaks: never, after a mistake, or before each decision as well."""
BANKED_SEATS_MIN: Final = 3
"""Where players bank, each may do so for a few hands in a row only: two others keep the table going without you."""
CENTS_MAX: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table as a player wants it."""

    rules: TableRules
    ref: str
    """How the book is found again: its id, or the path of its file."""
    seat: int
    seats: int
    """How many seats are played, the player's among them."""
    bankroll_cents: int
    bet_cents: int
    """What each of the three base bets is at first."""
    coach: CoachMode
    rounds: int | None = None
    """After how many rounds to stop; None: when the player leaves."""
    seed: int | None = None
    hands: int = 1
    """How many of the seats are the player's, from the first one on."""
    stated: tuple[str, ...] = ()
    """The values that the book leaves to the table, and that were taken for this one."""

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of the player, side by side."""
        return tuple(range(self.seat, self.seat + self.hands))

    @property
    def player_banked(self) -> bool:
        """Whether one of the players stands against the others."""
        return self.rules.rules.bank.mode == "player"


def wanted_table(
    ref: str,
    values: Values,
    *,
    seat: int | None = None,
    seats: int | None = None,
    hands: int | None = None,
    bankroll: str | None = None,
    bet: str | None = None,
    coach: CoachMode | None = None,
    rounds: int | None = None,
    seed: int | None = None,
) -> Wanted:
    """Return a table by a book with everything a player asked for, or say in a sentence what is wrong with it."""
    rules = catalog.ready_rules(ref, values)
    most, banked = rules.rules.seats, rules.rules.bank.mode == "player"
    own = _within(1 if hands is None else hands, 1, rules.rules.hands_per_player, "hands", "--hands")
    mine = _within(1 if seat is None else seat, 1, most + 1 - own, "seat", "--seat")
    least = own + BANKED_SEATS_MIN - 1 if banked else own
    many = _within(max(least, min(4, most)) if seats is None else seats, least, most, "seats", "--seats")
    if rounds is not None and rounds < 1:
        raise InvalidData(t("option.rounds", got=str(rounds)))
    base = (
        spot_limits(rules.rules.limit).cents_min
        if bet is None
        else _bet(rules, parse_cents(bet, t("option.after", option="--bet")))
    )
    brought = (
        max(50_000, 40 * base) if bankroll is None else parse_cents(bankroll, t("option.after", option="--bankroll"))
    )
    if brought < (needed := BASE_BETS * base):
        raise InvalidData(t("option.bankroll", needed=dollars(needed), got=dollars(brought)))
    return Wanted(
        rules=rules,
        ref=str(Path(ref).resolve()) if is_path(ref) else ref,
        seat=mine,
        seats=many,
        bankroll_cents=brought,
        bet_cents=base,
        coach=coach or ("before" if rules.rules.coach else "off"),
        rounds=rounds,
        seed=seed,
        hands=own,
        stated=tuple(catalog.stated_values(ref, values)),
    )


def ready_book() -> str:
    """Return the first published book that leaves nothing for a table to state."""
    return next(name for name in catalog.rulebook_ids() if not catalog.rulebook(name).missing())


def parse_cents(text: str, where: str) -> int:
    """Read an amount such as 25, $25 or 12.50, in cents."""
    match = re.fullmatch(r"\$?(\d{1,7})(?:\.(\d{2}))?", text.strip().replace(",", ""), re.ASCII)
    cents = int(match[1]) * 100 + int(match[2] or 0) if match else 0
    if not 0 < cents <= CENTS_MAX:
        raise InvalidData(t("bad.amount", most=dollars(CENTS_MAX), where=where, got=text))
    return cents


def _bet(rules: TableRules, cents: int) -> int:
    spot = spot_limits(rules.rules.limit)
    if not spot.cents_min <= cents <= spot.cents_max:
        least, most = dollars(spot.cents_min), dollars(spot.cents_max)
        raise InvalidData(t("option.bet", least=least, most=most, got=dollars(cents)))
    return cents


def _within(value: int, least: int, most: int, what: str, option: str) -> int:
    if not least <= value <= most:
        raise InvalidData(t(f"option.{what}", least=least, most=most, option=option, got=str(value)))
    return value
