"""Settled: every wager of a round that is over as one flat line, for spreadsheets and data frames; computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from letitride.records.rounds import PlayedRound, ShownHand


class SettledWager(msgspec.Struct, frozen=True, kw_only=True):
    """One wager and its result."""

    table: str
    round: int
    status: str
    """Of the round: 'settled' or 'void'."""
    began_ms: int
    """When its bets could be placed, in milliseconds since 1970."""
    ended_ms: int
    rulebook: str
    paytable: str
    seat: int
    player: str
    wager: str
    medium: str
    stake_cents: int
    fate: str
    """'won', 'lost', 'withdrawn', 'returned', 'void' or 'forfeited'."""
    paid_cents: int
    """What was paid on top of the stake, or for a total award instead of it."""
    back_cents: int
    """How much of the stake was returned."""
    net_cents: int
    """What the player won or lost by it."""
    hand: str | None
    """How the hand was read out, where it was turned up."""
    cards: str | None
    """The three cards, where they were turned up."""
    bank_seat: int | None
    """The seat that banked, where a player did."""
    hands: int
    """How many hands were dealt in."""


def settled(table_id: str, rounds: Iterable[PlayedRound]) -> Iterator[SettledWager]:
    """Yield every wager of rounds that are over, seat by seat."""
    for one in rounds:
        shown, last, began_ms = one.shown_hands(), one.last, one.began_ms
        dealt = max(len(moment.start.dealt_in) for moment in one.moments)
        for number, results in sorted(one.results.items()):
            cards, words, _ = shown.get(number, ShownHand())
            for result in results:
                wager = last.rules.by_spot[result.wager].id
                yield SettledWager(
                    table=table_id,
                    round=one.number,
                    status=one.status,
                    began_ms=began_ms,
                    ended_ms=one.ended_ms,
                    rulebook=last.rules.book.id,
                    paytable=next((name for key, name in last.rules.paytables.items() if key == wager), ""),
                    seat=number,
                    player=last.seats[number].player,
                    wager=result.wager,
                    medium=last.seats[number].medium,
                    stake_cents=result.stake_cents,
                    fate=result.fate,
                    paid_cents=result.paid_cents,
                    back_cents=result.back_cents,
                    net_cents=result.net_cents,
                    hand=words or None,
                    cards=" ".join(cards) or None,
                    bank_seat=one.bank[0] if one.bank else None,
                    hands=dealt,
                )
