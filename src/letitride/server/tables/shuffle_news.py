"""Shuffle news: what is told at a table of a shuffle as the store keeps it; never a card."""

from __future__ import annotations

from typing import Literal

from letitride.server.tables.messages import CommitmentSent, PledgesSent, SeatPledged, ShareSent
from letitride.server.tables.stored_shuffles import StoredShuffle


def announcement(kept: StoredShuffle, wants: Literal["", "link", "nonce"] = "") -> PledgesSent | CommitmentSent:
    """Return how a shuffle stands: open to pledges, or with its root and what is asked for now."""
    if kept.state == "begun":
        return PledgesSent(table=kept.table, round=kept.round, shuffle=kept.shuffle, merkle=kept.merkle)
    return CommitmentSent(
        table=kept.table,
        round=kept.round,
        shuffle=kept.shuffle,
        merkle=kept.merkle,
        seats=tuple(SeatPledged(seat=seat, commitment=digest) for seat, digest in kept.pledges),
        cuts=kept.cuts,
        dice=kept.dice,
        root=kept.commitment.root.hex(),
        throws=kept.throws,
        wants=wants,
    )


def share(kept: StoredShuffle, seat: int, what: Literal["pledge", "link", "nonce"], value: str) -> ShareSent:
    """Return what is told of a share that is written down."""
    return ShareSent(table=kept.table, round=kept.round, shuffle=kept.shuffle, seat=seat, what=what, value=value)
