"""Rounds at a California table for the clause tests: seat 5 banks, seats 1, 3 and 7 bet."""

from __future__ import annotations

from typing import Final

from letitride.records.replay import Replayed
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import played

SETTINGS: Final = (
    "limit.cents_min = 500",
    "limit.cents_max = 10000",
    (
        "fee.tiers = [{limit_cents_max = 5000, wager_cents = 25, bank_cents = 100}, "
        "{limit_cents_max = 10000, wager_cents = 50, bank_cents = 200}]"
    ),
)
SEATED: Final = "seat 1 sits Ann 500\nseat 3 sits Bob 500\nseat 5 sits Cy 500\nseat 7 sits Di 500\n"
OFFER: Final = "seat 1 declines\nseat 3 declines\n"
# Seat 7 makes kings and twos, seat 3 has nines and loses, seat 1 has tens; seat 5 banks.
CARDS: Final = "hand 1 Th Td 4c\nhand 3 9h 9d 3c\nhand 7 2c 7d Kh\ncommunity Ks 2d\nburn 5h\n"
BETS: Final = "seat 1 bets 10\nseat 3 bets 10\nseat 7 bets 10\n"
CHOICES: Final = (
    "seat 1 rides 1\nseat 3 withdraws 1\nseat 7 rides 1\nseat 1 rides 2\nseat 3 rides 2\nseat 7 withdraws 2\n"
)
ALL_RIDE: Final = CHOICES.replace("withdraws", "rides")


def a_round(
    stake: int = 300, bet_lines: str = BETS, acts: str = CHOICES, cards: str = CARDS, offer: str = OFFER
) -> str:
    """Return the lines of a round that seat 5 banks."""
    return f"round\n{cards}{offer}seat 5 banks {stake}\n{bet_lines}{acts}"


def at_table(book: RuleBook, body: str, *settings: str, seated: str = SEATED) -> Replayed:
    """Play rounds at a California table."""
    return played(book, body, *SETTINGS, *settings, seated=seated)


WHOLE: Final = a_round()
"""Seat 1 wins 3 x $10, seat 3 loses 2 x $10, seat 7 wins 2 x $20; each bet costs $0.50, the banked hand $2."""
STACKS: Final = {1: 52_850, 3: 47_850, 5: 44_800, 7: 53_850}
"""The chips beside each seat after it, of $500 each."""
