"""Replay data: the outcome of rounds, as `replay --json` prints it; never for people."""

from __future__ import annotations

from dataclasses import dataclass, field

from letitride.engine.state import Ruling
from letitride.ledger.transfers import Transfer
from letitride.records.replay import Heard, Laid, Outcome
from letitride.records.whatif import Difference, LeftOut, WhatIf
from letitride.rules.settlement import WagerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerOutcome:
    """The outcome of a wager."""

    wager: str
    stake_cents: int
    fate: str
    paid_cents: int
    back_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOutcome:
    """The outcome of a seat."""

    wagers: tuple[WagerOutcome, ...]
    net_cents: int
    cards: tuple[str, ...]
    """The hand as it lay last."""
    hand: str | None
    """How it was read out, where it was turned up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankOutcome:
    """The outcome of the bank."""

    seat: int
    stake_cents: int
    net_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferMade:
    """Money that went from one account to another."""

    source: str = field(metadata={"alias": "from"})
    target: str = field(metadata={"alias": "to"})
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMade:
    """What was ruled or ordered, and by which clauses."""

    ruling: str
    sentence: str
    seat: int | None
    by: str
    why: str | None
    clauses: tuple[str, ...]
    house_default: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeDecision:
    """What an instance decided on a dispute."""

    by: str
    upheld: bool
    award_cents: int
    why: str
    final: bool
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOutcome:
    """A player's dispute and what was decided on it."""

    dispute: int
    seat: int
    about: str
    decisions: tuple[DisputeDecision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOutcome:
    """The outcome of a round."""

    rulebook: str
    round: int
    status: str
    seats: dict[str, SeatOutcome]
    bank: BankOutcome | None
    transfers: tuple[TransferMade, ...]
    rulings: tuple[RulingMade, ...]
    community: tuple[str, ...]
    disputes: tuple[DisputeOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerDifference:
    """A wager with another outcome under another book."""

    round: int
    seat: int
    wager: str
    recorded: str | None
    recorded_net_cents: int | None
    under: str | None
    under_net_cents: int | None
    difference_cents: int | None
    not_comparable: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLeftOut:
    """A line that could not be played under the other book, and why."""

    line: int | None
    text: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRounds:
    """The rounds of a record, and the same under another book."""

    rounds: tuple[RoundOutcome, ...]
    under: tuple[RoundOutcome, ...]
    differences: tuple[WagerDifference, ...]
    left_out: tuple[LineLeftOut, ...]


def round_outcome(outcome: Outcome) -> RoundOutcome:
    """Return the outcome of a round."""
    return RoundOutcome(
        rulebook=outcome.rulebook,
        round=outcome.number,
        status=outcome.status,
        seats={str(seat): _seat(results, outcome.laid, seat) for seat, results in outcome.results.items()},
        bank=_bank(outcome),
        transfers=tuple(map(_transfer, outcome.transfers)),
        rulings=tuple(map(_ruling, outcome.rulings)),
        community=outcome.laid.community,
        disputes=tuple(map(_dispute, outcome.disputes)),
    )


def compared_rounds(found: WhatIf) -> ComparedRounds:
    """Return the rounds of a record, and the same under another book."""
    return ComparedRounds(
        rounds=tuple(map(round_outcome, found.recorded.outcomes)),
        under=tuple(map(round_outcome, found.under.outcomes)),
        differences=tuple(map(_difference, found.differences)),
        left_out=tuple(map(_left_out, found.left_out)),
    )


def _seat(results: tuple[WagerResult, ...], laid: Laid, seat: int) -> SeatOutcome:
    wagers = (
        WagerOutcome(
            wager=result.wager,
            stake_cents=result.stake_cents,
            fate=result.fate,
            paid_cents=result.paid_cents,
            back_cents=result.back_cents,
        )
        for result in results
    )
    return SeatOutcome(
        wagers=tuple(wagers),
        net_cents=sum(result.net_cents for result in results),
        cards=laid.hands.get(seat, ()),
        hand=laid.read_out.get(seat) or None,
    )


def _bank(outcome: Outcome) -> BankOutcome | None:
    if outcome.bank is None:
        return None
    seat, stake_cents = outcome.bank
    lost = sum(result.net_cents for results in outcome.results.values() for result in results)
    return BankOutcome(seat=seat, stake_cents=stake_cents, net_cents=-lost)


def _transfer(one: Transfer) -> TransferMade:
    return TransferMade(source=one.source, target=one.target, cents=one.cents)


def _ruling(one: Ruling) -> RulingMade:
    return RulingMade(
        ruling=one.name,
        sentence=one.sentence,
        seat=one.seat or None,
        by=one.by,
        why=one.why or None,
        clauses=one.clauses,
        house_default=one.house,
    )


def _dispute(one: Heard) -> DisputeOutcome:
    decisions = (
        DisputeDecision(
            by=event.by,
            upheld=event.upheld,
            award_cents=sum(chips.cents for chips in event.chips),
            why=event.why,
            final=event.final,
            clauses=event.clauses,
        )
        for event in one.decisions
    )
    dispute = one.dispute
    return DisputeOutcome(dispute=dispute.number, seat=dispute.seat, about=dispute.about, decisions=tuple(decisions))


def _difference(one: Difference) -> WagerDifference:
    return WagerDifference(
        round=one.round,
        seat=one.seat,
        wager=one.wager,
        recorded=one.recorded.fate if one.recorded else None,
        recorded_net_cents=one.recorded.net_cents if one.recorded else None,
        under=one.under.fate if one.under else None,
        under_net_cents=one.under.net_cents if one.under else None,
        difference_cents=one.cents,
        not_comparable=one.why or None,
    )


def _left_out(one: LeftOut) -> LineLeftOut:
    return LineLeftOut(line=one.line or None, text=one.text, why=one.why)
