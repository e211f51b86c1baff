"""Account names: what people call a table's accounts; it reads no balance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from letitride.ledger.accounts import Kind, parse
from letitride.rules.wager_table import bet_name
from letitride.rules.wagers import Wager

KIND_NAMES: Final[Mapping[Kind, str]] = {
    Kind.FELT: "bets on the felt",
    Kind.STACK: "chips",
    Kind.TOKENS: "promotional tokens",
    Kind.COUPONS: "match-play coupons",
    Kind.TRAY: "chip tray",
    Kind.BANK: "bank",
    Kind.FEES: "collection fees",
    Kind.PROMOTIONS: "promotions",
    Kind.METER: "jackpot meter",
    Kind.SHARED_METER: "jackpot meter, shared with other tables",
    Kind.TAKEN: "jackpot won, not yet paid",
    Kind.CAGE: "cage",
    Kind.WALLET: "players' wallets",
}


def account_name(account: str, wagers: Mapping[str, Wager], *, bets_of_a_seat: bool = False) -> str:
    """Return what people call an account; `bets_of_a_seat` names all bets of a seat alike."""
    kind, seat, spot, player = parse(account)
    words = KIND_NAMES[kind]
    if player:
        return f"{player}'s wallet"
    if kind is Kind.FELT and not bets_of_a_seat:
        words = "match-play coupon" if spot == "match-play" else bet_name(spot, wagers)
    if seat:
        return f"seat {seat}, {words}"
    return f"{bet_name(spot, wagers)} {words}" if spot else words
